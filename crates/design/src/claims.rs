//! **What:** claims about a network, and the checker that makes them facts: [`confirm`] derives each anew.
//!
//! A result of a search is a network with claims, some with a certificate: what was counted, or prices that prove a bound.
//! Nobody needs to trust the search. That no lengths exist for some numbers of nodes is confirmed by trying all sets of them
//! once more, where that is little work or asked for; else it is reported as unchecked.

use crate::measures;
use crate::multiring::Circulant;
use crate::multiring::bound::{self, Prices, Wanted};
use crate::multiring::search::exhaustive::{self, Outcome};
use crate::multiring::search::row::RingShape;
use crate::multiring::search::{self, Never};
use kernel::{Network, Node};
use std::sync::atomic::AtomicU64;

/// What is said of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No more channels than this leave any terminal.
    Degree {
        /// The largest degree.
        most: u64,
    },
    /// Every terminal reaches every other within so many hops, and all distances over ordered pairs have this sum.
    Distances {
        /// The diameter.
        diameter: u64,
        /// The sum.
        sum: u64,
    },
    /// From every terminal to every other and itself lead at least so many walks of at most so many hops.
    Walks {
        /// Most hops.
        hops: u64,
        /// Fewest walks.
        least: u64,
        /// Walks from the first terminal to each terminal, in their order.
        counted: Vec<u64>,
    },
    /// No circulant network with what is wanted has more nodes, by counting.
    AtMost {
        /// Degree, hops, σ and whether lengths go both ways.
        wanted: Wanted,
        /// Most nodes.
        nodes: u64,
        /// The prices that prove it.
        prices: Prices,
    },
    /// For these numbers of nodes all sets of lengths were tried in vain.
    Exhausted {
        /// Degree, hops, σ and whether lengths go both ways.
        wanted: Wanted,
        /// The numbers of nodes.
        nodes: Vec<u32>,
    },
}

impl Claim {
    /// The name of its kind, as files have it.
    pub fn kind(&self) -> &'static str {
        match self {
            Claim::Degree { .. } => "degree",
            Claim::Distances { .. } => "distances",
            Claim::Walks { .. } => "walks",
            Claim::AtMost { .. } => "at-most",
            Claim::Exhausted { .. } => "exhausted",
        }
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let circulant = |w: &Wanted| {
            let ways = if w.symmetric { ", lengths both ways," } else { "" };
            format!("degree {}{ways} and {} walks of at most {} hops", w.degree, w.parallelism, w.hops)
        };
        match self {
            Claim::Degree { most } => write!(f, "at most {most} channels leave a terminal"),
            Claim::Distances { diameter, sum } => write!(f, "diameter {diameter}, distances sum to {sum}"),
            Claim::Walks { hops, least, .. } => {
                write!(f, "at least {least} walks of at most {hops} hops between any two terminals")
            }
            Claim::AtMost { wanted, nodes, .. } => {
                write!(f, "no circulant network of {} has more than {nodes} nodes", circulant(wanted))
            }
            Claim::Exhausted { wanted, nodes } => match nodes[..] {
                [first, .., last] if nodes.len() as u64 == u64::from(last - first) + 1 => {
                    write!(f, "no circulant network of {} has {first} to {last} nodes", circulant(wanted))
                }
                _ => write!(
                    f,
                    "no circulant network of {} has any of {} numbers of nodes",
                    circulant(wanted),
                    nodes.len()
                ),
            },
        }
    }
}

/// A claim that was derived anew. Only [`confirm`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed(Claim);

impl Confirmed {
    /// What is true.
    pub fn claim(&self) -> &Claim {
        &self.0
    }
}

/// Why a claim is no fact.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// Something else was found.
    #[error("{what} is {found}, not {claimed}")]
    Differs {
        /// What was derived.
        what: &'static str,
        /// What is true.
        found: u64,
        /// What was claimed.
        claimed: u64,
    },
    /// Terminals that do not reach each other.
    #[error("{pairs} pairs of terminals do not reach each other")]
    Apart {
        /// Ordered pairs.
        pairs: u64,
    },
    /// The list of counts is wrong at a place.
    #[error("the walks to terminal {position} of the list are {found}, not {claimed}")]
    Counted {
        /// The position in the list of terminals.
        position: usize,
        /// What was counted; 0 beyond the end of either list.
        found: u64,
        /// What was claimed.
        claimed: u64,
    },
    /// The prices prove nothing.
    #[error("the prices prove no bound")]
    Prices,
    /// Too many hops or nodes to count.
    #[error("it would take too long to count")]
    TooLong,
    /// There is such a network.
    #[error("there is such a network of {nodes} nodes: {spec}")]
    Exists {
        /// Its number of nodes.
        nodes: u32,
        /// Its specification.
        spec: String,
    },
    /// All sets would have to be tried, which was not asked for.
    #[error("about {sets:.0e} sets of lengths would have to be tried again")]
    Unchecked {
        /// How many, before symmetry.
        sets: f64,
    },
}

/// Terminals × channels × hops that are counted at most: a minute or so.
const LARGEST: u64 = 20_000_000_000;

/// Sets of lengths, before symmetry, that are tried again without being asked: some seconds.
const WORTH_TRYING: f64 = 1e9;

/// Derives `claim` anew from the network alone.
///
/// # Errors
/// Why it is refused, or that it is not checked since that would take long.
pub fn confirm(network: &Network, claim: Claim) -> Result<Confirmed, Refused> {
    derive(network, claim, WORTH_TRYING)
}

/// As [`confirm`], however many sets of lengths have to be tried.
///
/// # Errors
/// Why it is refused.
pub fn confirm_at_length(network: &Network, claim: Claim) -> Result<Confirmed, Refused> {
    derive(network, claim, f64::INFINITY)
}

fn derive(network: &Network, claim: Claim, most: f64) -> Result<Confirmed, Refused> {
    match &claim {
        Claim::Degree { most } => equal("the largest degree", measures::degree(network).1, *most)?,
        Claim::Distances { diameter, sum } => {
            let found = measures::distances(network);
            let longest = found.diameter().ok_or(Refused::Apart { pairs: found.apart })?;
            equal("the diameter", longest, *diameter)?;
            equal("the sum of distances", u64::try_from(found.sum()).map_err(|_| Refused::TooLong)?, *sum)?;
        }
        Claim::Walks { hops, least, counted } => walks(network, *hops, *least, counted)?,
        Claim::AtMost { wanted, nodes, prices } => {
            let sound = wanted.hops <= MOST_HOPS && wanted.degree <= MOST_DEGREE;
            let proved = sound.then(|| bound::nodes_at_most(wanted, prices)).flatten().ok_or(Refused::Prices)?;
            equal("the bound", proved, *nodes)?;
        }
        Claim::Exhausted { wanted, nodes } => exhausted(wanted, nodes, most)?,
    }
    Ok(Confirmed(claim))
}

/// Ranges in which the counting bound is computed in no time.
const MOST_HOPS: u32 = 12;
const MOST_DEGREE: u32 = 10_000;

fn equal(what: &'static str, found: u64, claimed: u64) -> Result<(), Refused> {
    if found == claimed { Ok(()) } else { Err(Refused::Differs { what, found, claimed }) }
}

fn walks(network: &Network, hops: u64, least: u64, counted: &[u64]) -> Result<(), Refused> {
    let row = walks_from(network, network.terminals()[0], hops)?;
    for position in 0..row.len().max(counted.len()) {
        let at = |list: &[u64]| list.get(position).copied();
        if at(&row) != at(counted) {
            let (found, claimed) = (at(&row).unwrap_or(0), at(counted).unwrap_or(0));
            return Err(Refused::Counted { position, found, claimed });
        }
    }
    let fewest = if turns(network) {
        row.into_iter().min().unwrap_or(0)
    } else {
        let work = (network.terminals().len() as u64).saturating_mul(network.channel_count() as u64);
        if work.saturating_mul(hops) > LARGEST {
            return Err(Refused::TooLong);
        }
        measures::diversity(network, hops).0.last().map_or(0, |row| row.least)
    };
    equal("the fewest walks", fewest, least)
}

/// Tries all sets of lengths for these numbers of nodes.
fn exhausted(wanted: &Wanted, nodes: &[u32], most: f64) -> Result<(), Refused> {
    let count = if wanted.symmetric { wanted.degree / 2 } else { wanted.degree } as usize;
    let shapes = nodes.iter().map(|n| search::shape(wanted, *n).map_err(|_| Refused::TooLong));
    let shapes: Vec<RingShape> = shapes.collect::<Result<_, _>>()?;
    let sets: f64 = shapes.iter().map(|frame| exhaustive::sets(frame, count)).sum();
    if sets > most {
        return Err(Refused::Unchecked { sets });
    }
    for frame in shapes {
        if let Outcome::Found(lengths) = exhaustive::exhaust(frame, count, &Never, &AtomicU64::new(0)) {
            let nodes = frame.nodes as u32;
            let make = if wanted.symmetric { Circulant::both_ways } else { Circulant::new };
            let spec = make(nodes, lengths).map_or_else(|e| e.to_string(), |made| made.spec());
            return Err(Refused::Exists { nodes, spec });
        }
    }
    Ok(())
}

/// Whether to add 1 to every node, modulo their number, takes channels to channels and terminals to terminals: then what one
/// terminal sees all see.
fn turns(network: &Network) -> bool {
    let nodes = network.node_count() as u32;
    let plain = network.terminals().len() == network.node_count() && network.nodes().all(|v| network.is_transit(v));
    let ends = |by: u32| {
        let mut ends: Vec<(u32, u32)> =
            network.channels().map(|c| ((network.from(c).0 + by) % nodes, (network.to(c).0 + by) % nodes)).collect();
        ends.sort_unstable();
        ends
    };
    plain && ends(0) == ends(1)
}

/// How many walks of 1 to `hops` hops lead from a node to each terminal.
///
/// # Errors
/// Where it would take too long.
pub fn walks_from(network: &Network, from: Node, hops: u64) -> Result<Vec<u64>, Refused> {
    if hops.saturating_mul(network.channel_count() as u64) > LARGEST {
        return Err(Refused::TooLong);
    }
    let nodes = network.node_count();
    let (mut front, mut total) = (vec![0u64; nodes], vec![0u64; nodes]);
    front[from.index()] = 1;
    for _ in 0..hops {
        let mut next = vec![0u64; nodes];
        for node in network.nodes().filter(|v| front[v.index()] > 0 && (*v == from || network.is_transit(*v))) {
            for &channel in network.outgoing(node) {
                let to = &mut next[network.to(channel).index()];
                *to = to.saturating_add(front[node.index()]);
            }
        }
        total.iter_mut().zip(&next).for_each(|(all, new)| *all = all.saturating_add(*new));
        front = next;
    }
    Ok(network.terminals().iter().map(|t| total[t.index()]).collect())
}
