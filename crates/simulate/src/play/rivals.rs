//! **What:** the same collective without a schedule: what nodes send in a simple order, each packet as soon as its node may, on whatever
//! ways the routing knows.
//!
//! **Parameters:** a line each in [`RIVALS`]. Messages from one node to the same receivers travel as one packet.
//!
//! **Facts:** `binomial` and `ring` pass messages on, so they are for messages with several receivers; `dimension-order` sends what goes
//! to one coordinate together, and a node begins with a dimension when it has all that comes along those before.
//!
//! **Source:** R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19, 2005

use super::Length;
use super::plan::Plan;
use super::script::Script;
use super::shapes::{Coordinates, Tree};
use kernel::{Problem, Semantics};

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
];

/// Deliveries at most that are sent without a schedule.
const MOST: u64 = 1 << 24;

/// Why a collective is not done this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
#[non_exhaustive]
pub enum RivalError {
    #[error("there is no way `{name}` to do a collective without a schedule")]
    Unknown { name: String },
    #[error("{collective} merges what it sends, and only what is copied is sent without a schedule")]
    Merging { collective: String },
    #[error("{collective}: every message has one receiver, so `{name}` would be `direct`")]
    OneReceiver { collective: String, name: &'static str },
    #[error("{network}: its nodes have no coordinates that `dimension-order` could correct")]
    NoCoordinates { network: String },
    #[error("{network}: packets of unscheduled traffic would use both directions of half-duplex links at once")]
    HalfDuplex { network: String },
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
            RivalError::Merging { .. } => "leave --against out".into(),
            RivalError::OneReceiver { .. } => "give --against direct, pairwise or random".into(),
            RivalError::NoCoordinates { .. } => "give --against direct, pairwise or random".into(),
            RivalError::HalfDuplex { .. } => "leave --against out, or give every direction a channel of its own".into(),
            RivalError::TooLarge { .. } => "take a smaller network".into(),
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

    /// What it sends; random orders come from the seed.
    ///
    /// # Errors
    /// A collective or a network that it is not for.
    pub fn script(self, problem: &Problem, length: Length, seed: u64) -> Result<Script, RivalError> {
        let (network, collective) = (problem.network(), problem.collective());
        if collective.semantics() == Semantics::Reduce {
            return Err(RivalError::Merging { collective: collective.name().into() });
        }
        if !network.half_duplex().is_empty() {
            return Err(RivalError::HalfDuplex { network: network.name().into() });
        }
        if collective.deliveries() > MOST {
            return Err(RivalError::TooLarge { deliveries: collective.deliveries() });
        }
        let mut plan = Plan::new(network, collective, length);
        match self.how {
            How::Sends { random } => plan.sends(random.then_some(seed)),
            How::Pairwise => plan.pairwise(),
            How::Tree(tree) => {
                if collective.messages().all(|message| collective.destinations(message).len() < 2) {
                    return Err(RivalError::OneReceiver { collective: collective.name().into(), name: self.name });
                }
                plan.trees(tree);
            }
            How::Dimensions => plan.dimensions(&Coordinates::of(network)?),
        }
        Ok(plan.script())
    }
}
