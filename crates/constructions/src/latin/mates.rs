//! **What:** transversals of a Latin square, and the squares orthogonal to it, counted one by one.
//!
//! **Theory.** A transversal has one cell in every row and column, with every symbol. The cells in which an orthogonal square
//! has one symbol are a transversal, so orthogonal squares, but for the names of their symbols, are the ways to part all
//! cells into n transversals. Squares of even order whose table is that of a cyclic group have none (Euler); those of prime
//! order p are orthogonal to p − 2 others of their kind at least.
//!
//! **Method.** Transversals are found row by row with bit masks of the columns and symbols that are taken. Partitions are an
//! exact cover of the cells: of the cells not yet covered, that with fewest transversals left is covered next.
//!
//! **Parameters:** up to [`MOST_TRANSVERSALS`] symbols for transversals and [`MOST_MATES`] for mates; counting stops after a
//! number of looks.
//!
//! **Source:** B. D. McKay, J. C. McLeod, I. M. Wanless, The number of transversals in a Latin square, 2006 (counts)
//!
//! **Example:** see [`mates`]

use super::LatinSquare;

/// Most symbols of a square whose transversals are counted.
pub const MOST_TRANSVERSALS: usize = 64;
/// Most symbols of a square whose mates are counted: its cells are bits of one number.
pub const MOST_MATES: usize = 11;
/// Transversals beyond which they are not kept, and no mates counted.
const MOST_KEPT: usize = 1 << 20;

/// What is known of a square's mates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mates {
    /// Transversals.
    pub transversals: u64,
    /// Orthogonal squares that differ not only in the names of their symbols; `complete` says whether these are all.
    pub mates: u64,
    /// Whether all have been counted.
    pub complete: bool,
    /// One of them, with symbols in the order of the first row.
    pub first: Option<LatinSquare>,
}

/// The number of transversals; `None` for more than [`MOST_TRANSVERSALS`] symbols or where `looks` do not suffice.
pub fn transversals(square: &LatinSquare, looks: u64) -> Option<u64> {
    if square.order() > MOST_TRANSVERSALS {
        return None;
    }
    let mut search = Search { square, looks, path: Vec::new() };
    let mut count = 0;
    search.rows(0, 0, &mut |_| {
        count += 1;
        true
    })?;
    Some(count)
}

/// The orthogonal mates, counted within so many looks; `None` for more than [`MOST_MATES`] symbols, or where transversals
/// alone are too many.
///
/// ```
/// use constructions::latin::{kinds, mates};
/// let four = kinds::square("xor", "4", 0)?;
/// let found = mates::mates(&four, u64::MAX).expect("four symbols are few");
/// assert_eq!((found.transversals, found.mates, found.complete), (8, 2, true));
/// assert!(found.first.is_some_and(|mate| mate.is_orthogonal(&four)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mates(square: &LatinSquare, looks: u64) -> Option<Mates> {
    let n = square.order();
    if n > MOST_MATES {
        return None;
    }
    let mut all: Vec<u128> = Vec::new();
    let mut search = Search { square, looks, path: Vec::new() };
    search.rows(0, 0, &mut |columns| {
        all.push(columns.iter().enumerate().fold(0, |cells, (row, column)| cells | 1 << (row * n + column)));
        all.len() < MOST_KEPT
    })?;
    let mut cover = Cover { order: n, looks: search.looks, chosen: Vec::new(), mates: 0, first: None };
    let complete = cover.cover((1u128 << (n * n)) - 1, &all).is_some();
    Some(Mates { transversals: all.len() as u64, mates: cover.mates, complete, first: cover.first })
}

struct Search<'a> {
    square: &'a LatinSquare,
    looks: u64,
    /// The columns of the rows so far.
    path: Vec<usize>,
}

impl Search<'_> {
    /// Tells every transversal that begins with the path, by the column of each row; `None` where looks are used up or the
    /// listener has enough.
    fn rows(&mut self, columns: u64, symbols: u64, found: &mut dyn FnMut(&[usize]) -> bool) -> Option<()> {
        let (row, n) = (self.path.len(), self.square.order());
        if row == n {
            return found(&self.path).then_some(());
        }
        for column in (0..n).filter(|c| columns >> c & 1 == 0) {
            self.looks = self.looks.checked_sub(1)?;
            let symbol = 1u64 << self.square.at(row, column);
            if symbols & symbol == 0 {
                self.path.push(column);
                self.rows(columns | 1 << column, symbols | symbol, found)?;
                self.path.pop();
            }
        }
        Some(())
    }
}

struct Cover {
    order: usize,
    looks: u64,
    chosen: Vec<u128>,
    mates: u64,
    first: Option<LatinSquare>,
}

impl Cover {
    /// Parts the cells that are left into transversals out of `left`, in all ways; `None` where looks are used up.
    fn cover(&mut self, cells: u128, left: &[u128]) -> Option<()> {
        if cells == 0 {
            self.mates += 1;
            self.first.get_or_insert_with(|| named(self.order, &self.chosen));
            return Some(());
        }
        self.looks = self.looks.checked_sub(left.len() as u64 + 1)?;
        let mut counts = vec![0u32; self.order * self.order];
        for transversal in left {
            let mut rest = *transversal;
            while rest != 0 {
                counts[rest.trailing_zeros() as usize] += 1;
                rest &= rest - 1;
            }
        }
        let open = (0..counts.len()).filter(|cell| cells >> cell & 1 == 1);
        let cell = open.min_by_key(|cell| counts[*cell])?;
        for &transversal in left.iter().filter(|t| *t >> cell & 1 == 1) {
            let others: Vec<u128> = left.iter().copied().filter(|other| other & transversal == 0).collect();
            self.chosen.push(transversal);
            self.cover(cells & !transversal, &others)?;
            self.chosen.pop();
        }
        Some(())
    }
}

/// The square whose symbols are the transversals, in the order of the first row.
fn named(order: usize, transversals: &[u128]) -> LatinSquare {
    let mut sorted = transversals.to_vec();
    sorted.sort_unstable_by_key(|t| t.trailing_zeros());
    let symbol = |cell: usize| sorted.iter().position(|t| t >> cell & 1 == 1).expect("transversals cover every cell");
    let cell = |row, column| u32::try_from(symbol(row * order + column)).expect("below the order");
    let rows = (0..order).map(|row| (0..order).map(|column| cell(row, column)).collect());
    LatinSquare::new(rows.collect()).expect("transversals have one cell in every row and column")
}
