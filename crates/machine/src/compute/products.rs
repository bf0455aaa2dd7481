//! **What:** products of vectors and matrices on the Swapped Dragonfly D3(L², M), run on real numbers.
//!
//! **Where things are:** cabinets are pairs (t, u) of numbers below L. A matrix of L·M × L·M blocks has block [(t,d), (u,p)] at
//! router ((t,u), d, p), so a row of it is L drawers, and its transpose is one global hop away. A block has b × b numbers.
//!
//! **A row times the matrix:** from row (t, d), x\[(v,q)\] at ((t,v), d, q) goes over a global hop to all ((v,u), q, d) and over a
//! local one to all ((v,u), q, p), where the matrix has [(v,q), (u,p)]. Products go over a global hop to ((u,a), p, q), which adds
//! over v, and a local one to ((u,a), p, e), which adds over q: the result is in column (a, e), for any a and e. Four hops a
//! number of a block; a fifth, which transposes, brings the products back to where the row came from.
//!
//! **Matrix product:** the rows of a matrix that lies as the other does, row (t, d) into column (t, d), and at the end all back
//! over the global hop that transposes: 4·L·M + 1 hops for b = 1, 4·n²/(L·M) + b² for n = b·L·M.
//!
//! **Batched:** rows of different t and different d use different channels in each of the four hops (the first and the
//! third by t, the second and the last by d and t), so min(L, M) rows go together.
//!
//! **K no square:** the first L² cabinets, L = ⌊√K⌋, are joined as those of D3(L², M) are, so they do all of it and the others rest.
//!
//! **Source:** Draper, Swapped Dragonfly. Printed there as four hops in place; wherever the matrix is held, some row needs five
//! (a test looks at every router that could hold each number). Batches are ours.

use super::{ComputeError, Computed, Job, Machine, Move, NoChannel, Report, ValueName, error};
use kernel::Network;
use topologies::Topology;
use topologies::families::swapped_dragonfly::SwappedDragonfly;

/// Most numbers that all routers hold together.
const MOST_NUMBERS: u64 = 1 << 26;
/// Most moves that a program makes, about.
const MOST_MOVES: u64 = 1 << 30;

/// How a matrix of `size` rows lies on a D3(L², M).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    d3: SwappedDragonfly,
    l: u32,
    m: u32,
    block: u32,
}

/// A number's place in a matrix: row or column of blocks as (pair's half, drawer or place), and within the block.
type Line = (u32, u32, u32);

impl Layout {
    /// The matrix of `size` rows and columns on the network; without a size, one number a router.
    ///
    /// # Errors
    /// [`ComputeError`] where the size is no multiple of L·M, or there is too much to hold.
    pub fn new(d3: SwappedDragonfly, size: Option<u32>) -> Result<Self, ComputeError> {
        let (cabinets, m) = (d3.cabinets(), d3.drawers());
        let l = cabinets.isqrt();
        let (blocks, size) = (l * m, size.unwrap_or(l * m));
        let numbers = u64::from(size).saturating_mul(size.into()).saturating_mul(3);
        if numbers > MOST_NUMBERS {
            let what = format!("three matrices of {size} rows");
            return Err(ComputeError::TooLarge { what, most: format!("{MOST_NUMBERS} numbers") });
        }
        if size == 0 || !size.is_multiple_of(blocks) {
            return Err(ComputeError::Size { size, blocks });
        }
        Ok(Layout { d3, l, m, block: size / blocks })
    }

    /// Rows of the matrix.
    pub fn size(self) -> u32 {
        self.l * self.m * self.block
    }

    /// The network.
    pub fn network(self) -> SwappedDragonfly {
        self.d3
    }

    /// Cabinets that take part, L², where they are not all.
    pub fn part(self) -> Option<u32> {
        Some(self.l * self.l).filter(|taking| *taking < self.d3.cabinets())
    }

    /// Rows that may go together.
    pub fn lanes(self) -> u32 {
        self.l.min(self.m)
    }

    fn line(self, index: u32) -> Line {
        let (outer, inner) = (index / self.block, index % self.block);
        (outer / self.m, outer % self.m, inner)
    }

    fn router(self, t: u32, u: u32, d: u32, p: u32) -> u32 {
        self.d3.node([t * self.l + u, d, p])
    }

    /// The router of a number, and its register within the block.
    fn place(self, row: u32, column: u32) -> (u32, usize) {
        let ((t, d, i), (u, p, j)) = (self.line(row), self.line(column));
        (self.router(t, u, d, p), (i * self.block + j) as usize)
    }

    /// Where the first row lies.
    fn row(self) -> Vec<Place> {
        (0..self.l).flat_map(|u| (0..self.m).map(move |p| (0, u, 0, p))).collect()
    }

    /// All routers.
    fn routers(self) -> impl Iterator<Item = Place> {
        let (l, m) = (self.l, self.m);
        (0..l * l * m * m).map(move |v| (v / m / m / l, v / m / m % l, v / m % m, v % m))
    }
}

/// A router: first half and second half of the cabinet, drawer, place.
type Place = (u32, u32, u32, u32);

/// The registers of a router: the blocks of A, X, the product's transpose and the product, then for each lane the row's
/// numbers, its products and their sums.
struct Program<'a> {
    layout: Layout,
    machine: Machine<'a, f64>,
    rounds: u64,
}

const A: usize = 0;
const X: usize = 1;
const TRANSPOSED: usize = 2;
const PRODUCT: usize = 3;
const BLOCKS: usize = 4;

impl<'a> Program<'a> {
    fn new(layout: Layout, network: &'a Network, lanes: u32, keep_moves: bool) -> Self {
        let b = layout.block as usize;
        let registers = BLOCKS * b * b + 3 * b * lanes as usize;
        let machine = Machine::new(network, registers, 0.0).keeping_moves(keep_moves);
        Program { layout, machine, rounds: 0 }
    }

    fn matrix(&self, which: usize) -> usize {
        which * (self.layout.block as usize).pow(2)
    }

    /// Where a lane keeps its numbers (0), products (1) or sums (2).
    fn lane(&self, lane: usize, what: usize) -> usize {
        self.matrix(BLOCKS) + (3 * lane + what) * self.layout.block as usize
    }

    fn load(&mut self, which: usize, of: &'static str, numbers: &[f64]) {
        let (n, base) = (self.layout.size(), self.matrix(which));
        for (at, number) in (0u32..).zip(numbers) {
            let (node, register) = self.layout.place(at / n, at % n);
            self.machine.set(node, base + register, *number, ValueName { of, at: [at / n, at % n] });
        }
    }

    fn unload(&self, which: usize) -> Vec<f64> {
        let (n, base) = (self.layout.size(), self.matrix(which));
        let number = |at: u32| {
            let (node, register) = self.layout.place(at / n, at % n);
            self.machine.at(node)[base + register]
        };
        (0..n * n).map(number).collect()
    }

    /// Rows of X, of different t and different d where there are several, times A; row (t, d) ends in column (t, d).
    fn rows(&mut self, rows: &[Line]) -> Result<(), NoChannel> {
        let (layout, Layout { m, block, .. }) = (self.layout, self.layout);
        let b = block as usize;
        let (a, x, result) = (self.matrix(A), self.matrix(X), self.matrix(TRANSPOSED));
        let lanes: Vec<[usize; 3]> = (0..rows.len()).map(|r| [0, 1, 2].map(|what| self.lane(r, what))).collect();
        for j in 0..b {
            let mut out = Vec::new();
            let mut along = Vec::new();
            for (&(t, d, i), &[row, ..]) in rows.iter().zip(&lanes) {
                for (v, u, q, p) in layout.routers() {
                    let (head, to) = (layout.router(v, u, q, d), layout.router(v, u, q, p));
                    if p == d {
                        let from = layout.router(t, v, d, q);
                        out.push(Move { from, to, take: x + i as usize * b + j, put: row + j });
                    } else {
                        along.push(Move { from: head, to, take: row + j, put: row + j });
                    }
                }
            }
            self.machine.hop(&out)?;
            self.machine.hop(&along)?;
        }
        for (v, u, q, p) in layout.routers() {
            let node = layout.router(v, u, q, p);
            for (&(t, d, i), &[row, products, sums]) in rows.iter().zip(&lanes) {
                for w in 0..b {
                    let held = self.machine.at(node);
                    let product = (0..b).map(|j| held[row + j] * held[a + j * b + w]).sum();
                    let (row, column) = ((t * m + d) * block + i, (u * m + p) * block + index(w));
                    self.machine.set(node, products + w, product, ValueName { of: "product", at: [row, column] });
                    self.machine.clear(node, sums + w, 0.0);
                }
            }
        }
        for w in 0..b {
            let mut out = Vec::new();
            let mut along = Vec::new();
            for (&(t, d, i), &[_, products, sums]) in rows.iter().zip(&lanes) {
                for (v, u, q, p) in layout.routers() {
                    let (from, to) = (layout.router(v, u, q, p), layout.router(u, t, p, q));
                    out.push(Move { from, to, take: products + w, put: sums + w });
                    if v == 0 {
                        let last = layout.router(u, t, p, d);
                        along.push(Move { from: to, to: last, take: sums + w, put: result + i as usize * b + w });
                    }
                }
            }
            self.machine.hop_adding(&out)?;
            self.machine.hop_adding(&along)?;
        }
        self.rounds += block as u64;
        Ok(())
    }

    /// What stands in columns goes where it would stand in rows.
    fn transpose(&mut self) -> Result<(), NoChannel> {
        let all: Vec<Place> = self.layout.routers().collect();
        self.turn(&all, 0..(self.layout.block as usize).pow(2))
    }

    /// As [`Program::transpose`], for these routers' places in rows and these numbers of their blocks.
    fn turn(&mut self, places: &[Place], registers: std::ops::Range<usize>) -> Result<(), NoChannel> {
        let layout = self.layout;
        let (from, to) = (self.matrix(TRANSPOSED), self.matrix(PRODUCT));
        for register in registers {
            let over = |&(t, u, d, p): &Place| Move {
                from: layout.router(u, t, p, d),
                to: layout.router(t, u, d, p),
                take: from + register,
                put: to + register,
            };
            self.machine.hop(&places.iter().map(over).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn report(&self, error: f64) -> Report {
        let machine = &self.machine;
        let (hops, conflicts, crossings) = (machine.hops(), machine.conflicts(), machine.crossings());
        Report { rounds: self.rounds, hops, conflicts, crossings, error }
    }
}

/// A row of numbers times a matrix, in this order in the job's data; the result stays in a column, or where `home` is set goes back to
/// where the row came from, a hop more for each number of a block.
///
/// # Errors
/// [`ComputeError::Inputs`]; [`ComputeError::Channel`] never on the layout's own network.
pub fn vector_matrix(layout: Layout, home: bool, job: Job) -> Result<Computed, ComputeError> {
    let n = layout.size() as usize;
    let network = layout.d3.network();
    let keep_moves = job.keep_moves;
    let inputs = job.inputs(&[n, n * n])?;
    let (x, a) = (&inputs[0], &inputs[1]);
    let mut program = Program::new(layout, &network, 1, keep_moves);
    program.load(A, "A", a);
    program.load(X, "X", x);
    program.rows(&[(0, 0, 0)])?;
    if home {
        program.turn(&layout.row(), 0..layout.block as usize)?;
    }
    let base = program.matrix(if home { PRODUCT } else { TRANSPOSED });
    let ours = |column: u32| {
        let (u, p, w) = layout.line(column);
        let router = if home { layout.router(0, u, 0, p) } else { layout.router(u, 0, p, 0) };
        program.machine.at(router)[base + w as usize]
    };
    let result: Vec<f64> = (0..layout.size()).map(ours).collect();
    let plain = product(x, a, n);
    let report = program.report(error(result.iter().copied().zip(plain)));
    let moves = program.machine.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// The product of two matrices, which lies as they do; `batched` lets several rows go together.
///
/// # Errors
/// [`ComputeError::Inputs`], and [`ComputeError::TooLarge`] where the program is too long to be run.
pub fn matrix_product(layout: Layout, batched: bool, job: Job) -> Result<Computed, ComputeError> {
    let (n, lanes) = (layout.size(), if batched { layout.lanes() } else { 1 });
    let moves = 2 * u64::from(n) * u64::from(n) * u64::from(layout.l * layout.m) + u64::from(n) * u64::from(n);
    if moves > MOST_MOVES {
        let what = format!("a product of {n} rows, {moves} moves");
        return Err(ComputeError::TooLarge { what, most: format!("{MOST_MOVES} moves") });
    }
    let network = layout.d3.network();
    let entries = n as usize * n as usize;
    let keep_moves = job.keep_moves;
    let inputs = job.inputs(&[entries, entries])?;
    let (x, a) = (&inputs[0], &inputs[1]);
    let mut program = Program::new(layout, &network, lanes, keep_moves);
    program.load(X, "X", x);
    program.load(A, "A", a);
    let (l, m) = (layout.l, layout.m);
    for i in 0..layout.block {
        for shift in 0..l.max(m) {
            // All rows of block row i, once over all shifts: the shorter number counts up, the longer is shifted against it.
            let together =
                (0..l.min(m)).map(|r| if l <= m { (r, (r + shift) % m, i) } else { ((r + shift) % l, r, i) });
            for rows in together.collect::<Vec<_>>().chunks(lanes as usize) {
                program.rows(rows)?;
            }
        }
    }
    program.transpose()?;
    let plain = product(x, a, n as usize);
    let result = program.unload(PRODUCT);
    let report = program.report(error(result.iter().copied().zip(plain)));
    let moves = program.machine.into_moves();
    Ok(Computed { report, result, network, moves })
}

/// A number within a block.
fn index(number: usize) -> u32 {
    u32::try_from(number).expect("a block has fewer rows than the matrix")
}

/// Rows of n numbers times a matrix of n × n, the plain way.
pub(super) fn product(rows: &[f64], matrix: &[f64], n: usize) -> Vec<f64> {
    let mut all = vec![0.0; rows.len()];
    for (row, out) in rows.chunks_exact(n).zip(all.chunks_exact_mut(n)) {
        for (factor, line) in row.iter().zip(matrix.chunks_exact(n)) {
            out.iter_mut().zip(line).for_each(|(sum, entry)| *sum += factor * entry);
        }
    }
    all
}
