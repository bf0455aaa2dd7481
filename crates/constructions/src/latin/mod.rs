//! **What:** Latin squares as objects: n symbols in n rows and n columns, each once in every row and every column.
//!
//! **Theory.** The rows of a Latin square are permutations of which no two agree anywhere, so n permutations that a network
//! passes in a step each, and that make a Latin square, are a schedule of alltoall in n steps, n − 1 with the identity
//! among them. [`kinds`] has squares by name and those of the fat trees' constructions. A *transversal* takes one cell of
//! every row and every column, with every symbol once; a square orthogonal to another is a way to part the other's cells
//! into transversals, and [`mates`] counts both.
//!
//! **Parameters:** symbols are 0 to n − 1.
//!
//! **Source:** J. Dénes, A. D. Keedwell, Latin Squares and their Applications, 1974
//!
//! **Example:**
//! ```
//! use constructions::latin::{LatinSquare, mates};
//! let square = LatinSquare::new(vec![vec![0, 1, 2], vec![1, 2, 0], vec![2, 0, 1]])?;
//! assert_eq!(mates::transversals(&square, u64::MAX), Some(3));
//! assert!(LatinSquare::new(vec![vec![0, 1], vec![0, 1]]).is_err());
//! # Ok::<(), constructions::latin::NotLatin>(())
//! ```

pub mod kinds;
pub mod mates;

/// A square of symbols of which each is once in every row and every column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LatinSquare {
    order: usize,
    /// Row by row.
    cells: Vec<u32>,
}

/// One way in which rows are no Latin square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names; rows and columns count from 0")]
pub enum Fault {
    #[error("there are no rows")]
    Empty,
    #[error("row {row} has {found} cells, but there are {rows} rows")]
    Length { row: usize, found: usize, rows: usize },
    #[error("row {row}, column {column}: the symbol {symbol} is not one of 0 to {last}", last = order - 1)]
    Symbol { row: usize, column: usize, symbol: u32, order: usize },
    #[error("row {row} has the symbol {symbol} in columns {first} and {second}")]
    Row { row: usize, symbol: u32, first: usize, second: usize },
    #[error("column {column} has the symbol {symbol} in rows {first} and {second}")]
    Column { column: usize, symbol: u32, first: usize, second: usize },
}

/// Every way in which rows are no Latin square; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not a Latin square: {}{}", faults[0], match faults.len() { 1 => String::new(), n => format!(", and {} more", n - 1) })]
pub struct NotLatin {
    /// In the order of rows, then of columns.
    pub faults: Vec<Fault>,
}

impl LatinSquare {
    /// The square of these rows.
    ///
    /// # Errors
    /// [`NotLatin`] with all faults: of cells where rows differ in length or symbols are out of range, else of every row and
    /// column.
    pub fn new(rows: Vec<Vec<u32>>) -> Result<Self, NotLatin> {
        let faults = faults(&rows);
        if faults.is_empty() {
            Ok(LatinSquare { order: rows.len(), cells: rows.concat() })
        } else {
            Err(NotLatin { faults })
        }
    }

    /// Number of rows, of columns and of symbols.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The symbol of a cell; row and column are below the order.
    pub fn at(&self, row: usize, column: usize) -> u32 {
        self.cells[row * self.order + column]
    }

    /// The rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.cells.chunks_exact(self.order)
    }

    /// Whether every pair of symbols is once in the same cell of both.
    pub fn is_orthogonal(&self, other: &Self) -> bool {
        let n = self.order;
        let mut met = vec![false; n * n];
        let pairs = self.cells.iter().zip(&other.cells);
        other.order == n
            && pairs.map(|(a, b)| *a as usize * n + *b as usize).all(|pair| !std::mem::replace(&mut met[pair], true))
    }

    /// The square whose cell (k, t) is the column of t in row k: where rows say by source where a message goes, this says by
    /// destination where it comes from.
    #[must_use]
    pub fn by_output(&self) -> Self {
        let mut cells = vec![0; self.cells.len()];
        for (row, symbols) in self.rows().enumerate() {
            for (column, symbol) in (0u32..).zip(symbols) {
                cells[row * self.order + *symbol as usize] = column;
            }
        }
        LatinSquare { order: self.order, cells }
    }

    /// Whether it has the same rows as columns.
    pub fn is_symmetric(&self) -> bool {
        (0..self.order).all(|i| (0..i).all(|j| self.at(i, j) == self.at(j, i)))
    }

    /// Whether first row and first column are 0, 1, 2 and so on.
    pub fn is_reduced(&self) -> bool {
        (0..self.order).all(|i| self.at(0, i) as usize == i && self.at(i, 0) as usize == i)
    }
}

impl std::fmt::Display for LatinSquare {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = (self.order - 1).to_string().len();
        for (number, row) in self.rows().enumerate() {
            let cells: Vec<String> = row.iter().map(|s| format!("{s:width$}")).collect();
            write!(f, "{}{}", if number > 0 { "\n" } else { "" }, cells.join(" "))?;
        }
        Ok(())
    }
}

fn faults(rows: &[Vec<u32>]) -> Vec<Fault> {
    let order = rows.len();
    if order == 0 {
        return vec![Fault::Empty];
    }
    let uneven = rows.iter().enumerate().filter(|(_, cells)| cells.len() != order);
    let mut faults: Vec<Fault> =
        uneven.map(|(row, cells)| Fault::Length { row, found: cells.len(), rows: order }).collect();
    for (row, cells) in rows.iter().enumerate() {
        let strange = cells.iter().enumerate().filter(|(_, symbol)| **symbol as usize >= order);
        faults.extend(strange.map(|(column, &symbol)| Fault::Symbol { row, column, symbol, order }));
    }
    if !faults.is_empty() {
        return faults;
    }
    for (row, cells) in rows.iter().enumerate() {
        let repeated = repeated(order, cells.iter().copied());
        faults.extend(repeated.map(|(symbol, first, second)| Fault::Row { row, symbol, first, second }));
    }
    for column in 0..order {
        let repeated = repeated(order, rows.iter().map(|cells| cells[column]));
        faults.extend(repeated.map(|(symbol, first, second)| Fault::Column { column, symbol, first, second }));
    }
    faults
}

/// Symbols that are met again, with the place before and the place where.
fn repeated(order: usize, symbols: impl Iterator<Item = u32>) -> impl Iterator<Item = (u32, usize, usize)> {
    let mut met = vec![None; order];
    symbols.enumerate().filter_map(move |(place, symbol)| {
        let before = met[symbol as usize].replace(place)?;
        Some((symbol, before, place))
    })
}
