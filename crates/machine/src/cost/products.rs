//! **What:** what products of matrices cost on a network: start-ups and words on the longest way, by formulas of published
//! algorithms.
//!
//! **Parameters:** n × n matrices, P processors, one block of n²/P words of each matrix on each. A start-up moves words between
//! neighbours; α is counted once a start-up and β once a word, so the time is α · start-ups + β · words. Arithmetic is not counted.
//!
//! **Facts:** each formula is derived at its line from what the algorithm moves; logarithms are binary. They are formulas and not
//! schedules: nothing here is verified but the arithmetic.

/// An algorithm and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Its name.
    pub name: &'static str,
    /// The network it is for.
    pub network: &'static str,
    /// Channels that a node sends over at once at most, for P processors.
    pub ports: fn(f64) -> f64,
    /// Who published it.
    pub source: &'static str,
    /// Start-ups, for P processors.
    pub start_ups: fn(f64) -> f64,
    /// Words, for n × n matrices on P processors.
    pub words: fn(f64, f64) -> f64,
}

/// The algorithms, those of the hypercube first.
pub const PRODUCTS: &[Product] = &[
    // Blocks of A and B are aligned in log P exchanges, then shifted √P − 1 times each.
    Product {
        name: "Cannon",
        network: "hypercube as a √P × √P torus",
        ports: |_| 1.0,
        source: "L. Cannon, thesis, Montana State University, 1969",
        start_ups: |p| 2.0 * (p.sqrt() - 1.0) + p.log2(),
        words: |n, p| n * n / p * (2.0 * (p.sqrt() - 1.0) + p.log2()),
    },
    // A and B at once; a shift is cut over the (log P)/2 directed Hamiltonian cycles of a row's or column's subcube.
    Product {
        name: "HJE",
        network: "hypercube, all ports",
        ports: |p| p.log2(),
        source: "C.-T. Ho, S. L. Johnsson, A. Edelman, 6th Distributed Memory Computing Conference, 1991",
        start_ups: |p| p.sqrt() - 1.0 + p.log2() / 2.0,
        words: |n, p| n * n / p * ((p.sqrt() - 1.0) * 2.0 / p.log2() + p.log2() / 2.0),
    },
    // On a cube of sides P^(1/3): A and B moved to their planes, broadcast there, products summed: five times (log P)/3 exchanges
    // of blocks of n²/P^(2/3).
    Product {
        name: "DNS",
        network: "hypercube",
        ports: |_| 1.0,
        source: "E. Dekel, D. Nassimi, S. Sahni, SIAM Journal on Computing 10, 1981, in blocks",
        start_ups: |p| 5.0 / 3.0 * p.log2(),
        words: |n, p| n * n / p.powf(2.0 / 3.0) * 5.0 / 3.0 * p.log2(),
    },
    // On the same cube, P ≤ n^(3/2): B exchanged all to all along a line, A and B gathered along lines, C reduced and scattered.
    Product {
        name: "GS (3D All)",
        network: "hypercube",
        ports: |_| 1.0,
        source: "H. Gupta, P. Sadayappan, SPAA 1994",
        start_ups: |p| 4.0 / 3.0 * p.log2(),
        words: |n, p| n * n / p * (3.0 * (p.cbrt() - 1.0) + p.log2() / 6.0),
    },
    // L·M = √P rounds of 4 hops, each with blocks of n²/P, and one transposing hop; P = (L·M)².
    Product {
        name: "D3(L²,M)",
        network: "swapped Dragonfly, L = M",
        ports: |p| p.sqrt() + p.powf(0.25) - 1.0,
        source: "R. Draper, Four algorithms on the Swapped Dragonfly, 2022, with the transposing hop that it lacks",
        start_ups: |p| 4.0 * p.sqrt() + 1.0,
        words: |n, p| n * n / p * (4.0 * p.sqrt() + 1.0),
    },
    // As before with rows of distinct t and distinct d in one batch: max(L, M) batches instead of L·M rounds.
    Product {
        name: "D3(L²,M), batched",
        network: "swapped Dragonfly, L = M",
        ports: |p| p.sqrt() + p.powf(0.25) - 1.0,
        source: "ours",
        start_ups: |p| 4.0 * p.powf(0.25) + 1.0,
        words: |n, p| n * n / p * (4.0 * p.powf(0.25) + 1.0),
    },
];
