//! **What:** the search for lengths: as many nodes as possible for given degree, hops and σ.
//!
//! **Method.** A *configuration* is an N together with lengths one by one, or with a group of units whose orbits are taken whole. First
//! a ladder of numbers of nodes, from the counting bound downwards, says where it begins to be hard. Then waves. A wave begins
//! with a sweep: for every N up to some way above the best all configurations with few [unions of orbits](unions) are exhausted, since a
//! larger N may do where smaller ones do not. Then rounds of [exchanges](config): all configurations left for the N just above the
//! best get a short task, the better half gets tasks twice as long, and so on; a success moves the window up. When few are
//! left, a new wave begins, with more unions and longer tasks. Where all sets of lengths are few, or on request, every N left
//! is [exhausted](exhaustive), and then the best found is proved to be best.
//!
//! **Facts:** the answer depends on the seed and the number of ticks only, not on threads: configurations have numbers and generators of
//! random numbers of their own, and among equals the lowest number wins. So [peers](Peers) may share the configurations. A [`Checkpoint`] holds all of a search between rounds.

pub mod config;
pub mod exhaustive;
mod peers;
pub mod piece;
mod rounds;
pub mod row;
pub mod unions;
pub mod units;

pub use peers::Peers;
pub use rounds::Search;

use super::bound::Wanted;
use super::{Circulant, parallelism};
use row::RingShape;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a search to end.
pub trait Stop: Sync {
    /// Whether it is to end now.
    fn stopped(&self) -> bool;
}

/// Never stops.
#[derive(Clone, Copy, Debug)]
pub struct Never;

impl Stop for Never {
    fn stopped(&self) -> bool {
        false
    }
}

impl Stop for AtomicBool {
    fn stopped(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Who looks on while a search works.
pub trait Watch: Stop {
    /// A round or an exhausted N has ended; `doing` says what comes next.
    fn progress(&self, state: &Checkpoint, doing: &str);
}

impl Watch for Never {
    fn progress(&self, _: &Checkpoint, _: &str) {}
}

/// Most hops of a search: beyond that the bytes of its rows overflow.
pub const MOST_HOPS: u32 = 6;
/// Largest σ of a search.
pub const MOST_PARALLELISM: u64 = 250;
/// Most channels a node of a search has.
pub const MOST_DEGREE: u32 = 200;
/// Most nodes of a search.
pub const MOST_NODES: u64 = 100_000;

/// Why something cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// A number outside its range.
    #[error("{what} {found} is not between {least} and {most}")]
    Range {
        /// What it is.
        what: &'static str,
        /// What was asked for.
        found: u64,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// Lengths both ways make an even degree.
    #[error("degree {0} is odd, but lengths that go both ways come in pairs")]
    Odd(u32),
    /// A checkpoint of another search, or one that was tampered with.
    #[error("the checkpoint does not fit: {0}")]
    Checkpoint(&'static str),
}

fn within(what: &'static str, found: u64, least: u64, most: u64) -> Result<(), SearchError> {
    if (least..=most).contains(&found) { Ok(()) } else { Err(SearchError::Range { what, found, least, most }) }
}

/// Whether such a network can be searched for.
fn allowed(wanted: &Wanted) -> Result<(), SearchError> {
    within("the degree", u64::from(wanted.degree), 1, u64::from(MOST_DEGREE))?;
    within("the diameter", u64::from(wanted.hops), 1, u64::from(MOST_HOPS))?;
    within("σ", wanted.parallelism, 1, MOST_PARALLELISM)?;
    if wanted.symmetric && wanted.degree % 2 == 1 { Err(SearchError::Odd(wanted.degree)) } else { Ok(()) }
}

/// What is counted; `wanted` and `nodes` are within their ranges.
fn frame_of(wanted: &Wanted, nodes: u32) -> RingShape {
    let Wanted { hops, parallelism, symmetric, .. } = *wanted;
    RingShape { nodes: nodes as usize, hops: hops as usize, wanted: parallelism as u8, symmetric }
}

/// What is counted for a network of so many nodes.
///
/// # Errors
/// What cannot be searched for.
pub fn shape(wanted: &Wanted, nodes: u32) -> Result<RingShape, SearchError> {
    allowed(wanted)?;
    within("the number of nodes", u64::from(nodes), 2, MOST_NODES)?;
    Ok(frame_of(wanted, nodes))
}

/// What to search for, and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Degree, hops, σ.
    pub wanted: Wanted,
    /// Look for this number of nodes only.
    pub nodes: Option<u32>,
    /// Exhaust every N left, however long it takes.
    pub exhaust: bool,
    /// Where random choices start from.
    pub seed: u64,
    /// Row additions after which the rounds end.
    pub ticks: u64,
}

/// All of a search between rounds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Checkpoint {
    /// Degree, hops, σ.
    pub wanted: Wanted,
    /// The only number of nodes that is looked for.
    pub nodes: Option<u32>,
    /// The seed.
    pub seed: u64,
    /// Row additions so far.
    pub ticks: u64,
    /// Rounds so far.
    pub round: u64,
    /// Waves so far.
    pub wave: u32,
    /// Whether the ladder is over.
    pub climbing: bool,
    /// Row additions of the next tasks.
    #[serde(rename = "turn")]
    pub task: u64,
    /// Configurations whose unions cost at most so many row additions are exhausted by this wave's sweep.
    pub limit: u64,
    /// The largest N that this wave has swept.
    pub swept: u32,
    /// The best found: its number of nodes and lengths (of lengths both ways, the smaller ones).
    pub best: Option<(u32, Vec<u32>)>,
    /// The largest N that has had configurations in this wave.
    pub window: u32,
    /// The configurations still worked on.
    #[serde(rename = "arms")]
    pub configs: Vec<config::SearchConfig>,
    /// Every N for which all sets of lengths were tried in vain.
    pub exhausted: Vec<u32>,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best network, counted anew.
    pub circulant: Circulant,
    /// No such network has more nodes.
    pub at_most: u64,
    /// Whether every N above the best and up to the bound was exhausted: then no such network has more nodes than this one.
    pub proved: bool,
}

impl Checkpoint {
    /// The network of its best lengths, if they do what is wanted when counted anew.
    pub fn network(&self) -> Option<Circulant> {
        let (nodes, lengths) = self.best.as_ref()?;
        let lengths = lengths.iter().copied();
        let made =
            if self.wanted.symmetric { Circulant::both_ways(*nodes, lengths) } else { Circulant::new(*nodes, lengths) };
        let made = made.ok().filter(|c| c.degree() == self.wanted.degree)?;
        (parallelism(&made, self.wanted.hops) >= self.wanted.parallelism).then_some(made)
    }
}
