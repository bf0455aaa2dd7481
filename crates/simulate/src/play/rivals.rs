//! **What:** the same collective without a schedule: what nodes send in a simple order, each packet as soon as its node may, on whatever
//! ways the routing knows.
//!
//! **Parameters:** a line each in [`RIVALS`]. Messages from one node to the same receivers travel as one packet.
//!
//! **Facts:** `binomial` and `ring` pass messages on, so they are for messages with several receivers; `dimension-order` sends what goes
//! to one coordinate together, and a node begins with a dimension when it has all that comes along those before. Reductions do the same
//! backwards (module `reductions`), and nodes merge what comes one after the other.
//!
//! **Source:** R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19, 2005

use super::Length;
use super::plan::{Plan, Size, Written};
use super::reductions::{Doubling, Halves};
use super::script::Script;
use super::shapes::{Coordinates, Tree};
use kernel::{Collective, Network, Problem, Semantics};

/// A way to do a collective without a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Sends { random: bool },
    Pairwise,
    Tree(Tree),
    Dimensions,
    Doubling,
}

/// All of them.
pub const RIVALS: &[Rival] = &[
    Rival {
        name: "direct",
        about: "every node sends to all its receivers, those after it first",
        how: How::Sends { random: false },
    },
    Rival {
        name: "random",
        about: "every node sends to all its receivers, in an order at random",
        how: How::Sends { random: true },
    },
    Rival {
        name: "pairwise",
        about: "round by round with one partner, the next round when both directions are done",
        how: How::Pairwise,
    },
    Rival {
        name: "dimension-order",
        about: "one dimension after the other, what goes to the same coordinate together",
        how: How::Dimensions,
    },
    Rival {
        name: "binomial",
        about: "every message down a binomial tree of its receivers",
        how: How::Tree(Tree::Binomial),
    },
    Rival { name: "ring", about: "every message from each receiver to the next", how: How::Tree(Tree::Chain) },
    Rival {
        name: "recursive-doubling",
        about: "of an allreduce or a scan, partners at distance 1, 2, 4 and so on",
        how: How::Doubling,
    },
];

/// Deliveries at most that are sent without a schedule.
const MOST: u64 = 1 << 24;

/// Why a collective is not done this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
#[non_exhaustive]
pub enum RivalError {
    #[error("`{name}` is not a way to do a collective without a schedule")]
    Unknown { name: String },
    #[error("{collective}: recursive doubling is for allreduce, barrier, scan and exscan")]
    NoDoubling { collective: String },
    #[error("{collective}: every message has one receiver, so `{name}` would be `direct`")]
    OneReceiver { collective: String, name: &'static str },
    #[error("{network}: its nodes have no coordinates that `dimension-order` could correct")]
    NoCoordinates { network: String },
    #[error("{deliveries} deliveries are more than are simulated one by one ({MOST})")]
    TooLarge { deliveries: u64 },
}

impl RivalError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            RivalError::Unknown { .. } => {
                format!("known: {}", RIVALS.iter().map(|rival| rival.name).collect::<Vec<_>>().join(", "))
            }
            RivalError::NoDoubling { .. } => "use --against direct, pairwise or random".into(),
            RivalError::OneReceiver { .. } => "use --against direct, pairwise or random".into(),
            RivalError::NoCoordinates { .. } => "use --against direct, pairwise or random".into(),
            RivalError::TooLarge { .. } => "choose a smaller network".into(),
        }
    }
}

impl Rival {
    /// The rival of that name.
    ///
    /// # Errors
    /// A name that there is not.
    pub fn named(name: &str) -> Result<Self, RivalError> {
        let found = RIVALS.iter().find(|rival| rival.name == name);
        found.copied().ok_or_else(|| RivalError::Unknown { name: name.into() })
    }

    /// What it sends; random orders come from the seed. Of a reduction, nodes merge a message in `merge` cycles.
    ///
    /// # Errors
    /// A collective or a network that it is not for.
    pub fn script(self, problem: &Problem, length: Length, merge: u32, seed: u64) -> Result<Script, RivalError> {
        let (network, collective) = (problem.network(), problem.collective());
        let size = Size { length, chunks: collective.chunks() };
        if collective.semantics() == Semantics::Copy {
            return Ok(self.written(network, collective, size, (seed, false))?.script());
        }
        if self.how == How::Doubling {
            return Ok(Doubling::of(network, collective, length, merge)?.written().script());
        }
        // Down trees, and along dimensions, a message stays whole, but not in a ring.
        let in_parts = !matches!(self.how, How::Tree(Tree::Binomial) | How::Dimensions);
        bounded(collective, if in_parts { network.terminals().len() as u64 } else { 1 })?;
        let Halves { merged, spread, parts } = Halves::of(collective, in_parts);
        let size = Size { chunks: size.chunks.saturating_mul(parts), ..size };
        let merged = self.written(network, &merged, size, (seed, true))?.merging(merge, parts);
        let written = match spread {
            None => merged,
            Some(spread) => merged.then(self.written(network, &spread, size, (seed, false))?),
        };
        Ok(written.script())
    }

    /// What it sends of messages that are copied, or backwards.
    fn written(
        self,
        network: &Network,
        collective: &Collective,
        size: Size,
        (seed, is_back): (u64, bool),
    ) -> Result<Written, RivalError> {
        bounded(collective, 1)?;
        let mut plan = Plan::new(network, collective, size);
        match self.how {
            // Whoever contributes chooses the order, so it is not that of the copies backwards.
            How::Sends { random } => {
                plan.sends(random.then_some(seed), is_back);
                return Ok(plan.done());
            }
            How::Pairwise => plan.pairwise(),
            How::Tree(tree) => {
                if collective.messages().all(|message| collective.destinations(message).len() < 2) {
                    return Err(RivalError::OneReceiver { collective: collective.name().into(), name: self.name });
                }
                plan.trees(tree);
            }
            How::Dimensions => plan.dimensions(&Coordinates::of(network)?),
            How::Doubling => return Err(RivalError::NoDoubling { collective: collective.name().into() }),
        }
        let written = plan.done();
        Ok(if is_back { written.reversed() } else { written })
    }
}

/// Whether its deliveries are simulated one by one, so many of each.
fn bounded(collective: &Collective, times: u64) -> Result<(), RivalError> {
    let deliveries = collective.deliveries().saturating_mul(times);
    if deliveries > MOST { Err(RivalError::TooLarge { deliveries }) } else { Ok(()) }
}
