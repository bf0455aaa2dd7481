//! **What:** traffic patterns: where packets of every terminal go.
//!
//! **Facts:** terminals count from 0 in the order of their numbers, here i of n. Where a pattern gives a terminal to itself, its packets
//! pass its own router only; uniform traffic goes to all terminals alike, the sender among them.
//!
//! **Source:** W. J. Dally, B. Towles, Principles and Practices of Interconnection Networks, 2004, table 3.1

use crate::routes::Coordinates;
use kernel::Network;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A pattern that has a name.
pub struct PatternEntry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// What it needs.
    pub needs: &'static str,
    make: fn(&Shape) -> Option<Destinations>,
}

/// What patterns look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Terminals.
    pub terminals: u32,
    /// The sizes of the dimensions of a network whose nodes have coordinates, the slowest first; else one dimension.
    pub sizes: Vec<u32>,
    /// The terminals in the order of their coordinates.
    pub order: Vec<u32>,
    /// Where random choices of the pattern start from.
    pub seed: u64,
}

/// Where packets go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Destinations {
    /// To all alike.
    Uniform,
    /// To one each.
    Fixed(Vec<u32>),
    /// To some with a share each, and otherwise to all alike.
    Hot(Vec<HotSpot>),
    /// By weights: of every terminal the sums up to each destination.
    Weighted(Vec<Vec<f64>>),
}

/// A terminal that many packets go to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HotSpot {
    /// Its position among the terminals.
    pub terminal: u32,
    /// The share of all packets that go there beside uniform traffic.
    pub share: f64,
}

/// Where the packets of every terminal go, and how many it sends beside the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub(crate) terminals: u32,
    pub(crate) destinations: Destinations,
    /// What a terminal sends over what the busiest sends.
    pub(crate) shares: Option<Vec<f64>>,
}

/// Every pattern that has a name.
pub const PATTERNS: &[PatternEntry] = &[
    PatternEntry {
        name: "uniform",
        about: "to every terminal with equal probability",
        needs: "any network",
        make: |_| Some(Destinations::Uniform),
    },
    PatternEntry {
        name: "transpose",
        about: "rows and columns exchanged",
        needs: "a square number of terminals",
        make: |shape| {
            let side = shape.terminals.isqrt();
            let swap = |i: u32| (i % side) * side + i / side;
            (side * side == shape.terminals).then(|| Destinations::Fixed((0..shape.terminals).map(swap).collect()))
        },
    },
    PatternEntry {
        name: "bit-complement",
        about: "all bits of the number inverted",
        needs: "a power of two terminals",
        make: |shape| shape.by_bits(|i, bits| !i & ((1 << bits) - 1)),
    },
    PatternEntry {
        name: "bit-reverse",
        about: "the bits of the number in reverse order",
        needs: "a power of two terminals",
        make: |shape| shape.by_bits(|i, bits| if bits == 0 { i } else { i.reverse_bits() >> (32 - bits) }),
    },
    PatternEntry {
        name: "shuffle",
        about: "the bits of the number rotated up by one",
        needs: "a power of two terminals",
        make: |shape| {
            shape.by_bits(|i, bits| if bits == 0 { i } else { ((i << 1) | (i >> (bits - 1))) & ((1 << bits) - 1) })
        },
    },
    PatternEntry {
        name: "tornado",
        about: "almost half way round in every dimension",
        needs: "any network; where nodes have no coordinates, numbers are one dimension",
        make: |shape| Some(shape.by_coordinates(|x, size| (x + size.div_ceil(2) - 1) % size)),
    },
    PatternEntry {
        name: "neighbour",
        about: "to the next in every dimension",
        needs: "any network; where nodes have no coordinates, numbers are one dimension",
        make: |shape| Some(shape.by_coordinates(|x, size| (x + 1) % size)),
    },
    PatternEntry {
        name: "permutation",
        about: "a random permutation, drawn by the seed",
        needs: "any network",
        make: |shape| {
            let mut random = run::Seed(shape.seed).generator(u64::MAX);
            let mut to: Vec<u32> = (0..shape.terminals).collect();
            for last in (1..to.len()).rev() {
                to.swap(last, random.random_range(0..=last));
            }
            Some(Destinations::Fixed(to))
        },
    },
];

/// Why there is no pattern.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum PatternError {
    #[error("there is no traffic pattern `{name}`")]
    Unknown { name: String },
    #[error("the traffic pattern `{name}` needs {needs}, but there are {terminals} terminals")]
    NotFor { name: &'static str, needs: &'static str, terminals: u32 },
    #[error("hot spot {terminal} is not a terminal: terminals are 0 to {last}")]
    NoTerminal { terminal: u32, last: u32 },
    #[error("the shares of the hot spots sum to {sum}, but the sum must be from 0 to 1")]
    Shares { sum: f64 },
    #[error("the matrix has {rows} rows for {terminals} terminals")]
    Rows { rows: usize, terminals: u32 },
    #[error("row {row} of the matrix has {columns} numbers for {terminals} terminals")]
    Columns { row: usize, columns: usize, terminals: u32 },
    #[error("row {row}, column {column} of the matrix is not a number of at least 0")]
    Weight { row: usize, column: usize },
    #[error("the matrix says that nothing is sent")]
    Empty,
}

impl PatternError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let names = || PATTERNS.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
        match self {
            PatternError::Unknown { .. } => {
                format!("patterns: {}, hotspot:NODE=SHARE, or a file with a matrix of weights (.csv)", names())
            }
            PatternError::NotFor { .. } => {
                format!("choose another pattern, or another size of network; all: {}", names())
            }
            PatternError::NoTerminal { .. } | PatternError::Shares { .. } => {
                "write hotspot:3=0.1 or hotspot:3=0.1,5=0.2".into()
            }
            PatternError::Rows { .. } | PatternError::Columns { .. } | PatternError::Weight { .. } => {
                "give one row per sender and one number per receiver, in the order of the terminals".into()
            }
            PatternError::Empty => "at least one number must be more than 0".into(),
        }
    }
}

impl Shape {
    /// That of a network; coordinates are found, however nodes are numbered.
    #[must_use]
    pub fn of(network: &Network, seed: u64) -> Self {
        let terminals = u32::try_from(network.terminals().len()).expect("nodes have 32-bit numbers");
        let row = Shape { terminals, sizes: vec![terminals], order: (0..terminals).collect(), seed };
        if network.terminals().len() != network.node_count() {
            return row;
        }
        match Coordinates::of(network) {
            Some(Coordinates { identity, grid }) => {
                let order = network.nodes().map(|place| identity.node_back(place).0).collect();
                Shape { sizes: grid.sizes().to_vec(), order, ..row }
            }
            None => row,
        }
    }

    fn by_bits(&self, to: impl Fn(u32, u32) -> u32) -> Option<Destinations> {
        let bits = self.terminals.trailing_zeros();
        let is_power = self.terminals.is_power_of_two() && bits < 32;
        is_power.then(|| Destinations::Fixed((0..self.terminals).map(|i| to(i, bits)).collect()))
    }

    fn by_coordinates(&self, to: impl Fn(u32, u32) -> u32) -> Destinations {
        let mut fixed = vec![0; self.terminals as usize];
        for (place, terminal) in (0u32..).zip(&self.order) {
            let (mut rest, mut scale, mut end) = (place, 1, 0);
            for &size in self.sizes.iter().rev() {
                end += scale * to(rest % size, size);
                rest /= size;
                scale *= size;
            }
            fixed[*terminal as usize] = self.order[end as usize];
        }
        Destinations::Fixed(fixed)
    }
}

impl Pattern {
    /// The pattern of a name.
    ///
    /// # Errors
    /// No such name, or a network that it is not for.
    pub fn named(name: &str, shape: &Shape) -> Result<Self, PatternError> {
        let entry = PATTERNS.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| PatternError::Unknown { name: name.into() })?;
        let not_for = || PatternError::NotFor { name: entry.name, needs: entry.needs, terminals: shape.terminals };
        let destinations = (entry.make)(shape).ok_or_else(not_for)?;
        Ok(Pattern { terminals: shape.terminals, destinations, shares: None })
    }

    /// Uniform traffic beside shares that go to single terminals.
    ///
    /// # Errors
    /// No such terminal, or shares beyond 1 together.
    pub fn hot(spots: Vec<HotSpot>, terminals: u32) -> Result<Self, PatternError> {
        if let Some(spot) = spots.iter().find(|spot| spot.terminal >= terminals) {
            return Err(PatternError::NoTerminal { terminal: spot.terminal, last: terminals - 1 });
        }
        let sum: f64 = spots.iter().map(|spot| spot.share).sum();
        if !(0.0..=1.0).contains(&sum) || spots.iter().any(|spot| spot.share.is_nan() || spot.share < 0.0) {
            return Err(PatternError::Shares { sum });
        }
        Ok(Pattern { terminals, destinations: Destinations::Hot(spots), shares: None })
    }

    /// Weights, a row a sender: the busiest sender has the rate of the run, the others their part of it.
    ///
    /// # Errors
    /// Another number of rows or columns than there are terminals, or weights that are no numbers from 0 on.
    pub fn weighted(rows: &[Vec<f64>], terminals: u32) -> Result<Self, PatternError> {
        if rows.len() != terminals as usize {
            return Err(PatternError::Rows { rows: rows.len(), terminals });
        }
        for (row, weights) in (1..).zip(rows) {
            if weights.len() != terminals as usize {
                return Err(PatternError::Columns { row, columns: weights.len(), terminals });
            }
            if let Some(column) = weights.iter().position(|weight| !weight.is_finite() || *weight < 0.0) {
                return Err(PatternError::Weight { row, column: column + 1 });
            }
        }
        let sums: Vec<f64> = rows.iter().map(|weights| weights.iter().sum()).collect();
        let most = sums.iter().copied().fold(0.0, f64::max);
        if most <= 0.0 || !most.is_finite() {
            return Err(PatternError::Empty);
        }
        let running = |weights: &Vec<f64>| {
            let add = |sum: &mut f64, weight: &f64| {
                *sum += weight;
                Some(*sum)
            };
            weights.iter().scan(0.0, add).collect()
        };
        let destinations = Destinations::Weighted(rows.iter().map(running).collect());
        Ok(Pattern { terminals, destinations, shares: Some(sums.iter().map(|sum| sum / most).collect()) })
    }

    /// Where the next packet of a terminal goes.
    pub(crate) fn next(&self, from: u32, random: &mut Pcg64Mcg) -> u32 {
        match &self.destinations {
            Destinations::Uniform => random.random_range(0..self.terminals),
            Destinations::Fixed(to) => to[from as usize],
            Destinations::Hot(spots) => {
                let mut at: f64 = random.random();
                for spot in spots {
                    at -= spot.share;
                    if at < 0.0 {
                        return spot.terminal;
                    }
                }
                random.random_range(0..self.terminals)
            }
            Destinations::Weighted(rows) => {
                let sums = &rows[from as usize];
                let whole = sums.last().copied().unwrap_or(0.0);
                let at = random.random::<f64>() * whole;
                let place = sums.partition_point(|sum| *sum <= at).min(sums.len() - 1);
                u32::try_from(place).expect("terminals have 32-bit numbers")
            }
        }
    }
}
