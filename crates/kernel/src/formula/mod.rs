//! **What:** "a schedule of at most so many steps exists", written as rules over 0/1 variables: the formula that
//! certificates of kinds `unsat` and `combination` refute.
//!
//! A [`Rule`] asks that at least some number of its literals hold. [`Formula::encode`] makes the rules; [`Cnf`] writes
//! them as clauses. Both are deterministic: the same problem and steps give the same variables, rules and clauses in the
//! same order, so that a certificate made elsewhere can be held against the formula made here.
//!
//! **Facts:** every schedule of at most `steps` steps gives values under which all rules hold (so a refutation proves
//! the bound), and every such assignment gives a schedule ([`Formula::decode`]). `docs/certificates.md` states the same
//! for programs of others.

mod cnf;
mod decode;
mod encode;
mod reach;

pub use cnf::{Cnf, DimacsError};

use crate::{Channel, Message, Node};

/// A variable (positive) or its negation (negative), as in DIMACS; variables count from 1.
pub type Literal = i32;

/// At least `least` of the literals hold. No variable occurs twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How many hold at least.
    pub least: u32,
    /// The literals.
    pub literals: Vec<Literal>,
}

/// Why there is no formula of a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Beyond {
    /// The rules of this model or collective are not written as a formula.
    #[error("{0}")]
    Scope(&'static str),
    /// It would be too large.
    #[error("the formula would have more than {limit} literals, or places for them")]
    Size {
        /// Most literals allowed, or most pairs of a message and a channel or node in a step.
        limit: usize,
    },
}

/// Rules that some assignment satisfies exactly if a schedule of at most [`Formula::steps`] steps exists.
#[derive(Clone, Debug)]
#[must_use]
pub struct Formula {
    steps: usize,
    variables: u32,
    rules: Vec<Rule>,
    /// Step by step, the uses of channels by messages, for [`Formula::decode`].
    lanes: Vec<Vec<Lane>>,
}

impl Formula {
    /// Most literals of a formula that a certificate may be checked against.
    pub const LARGEST: usize = 1 << 25;

    /// Most steps of the schedules it speaks of.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Number of variables; they are 1 to this.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// One use of one channel by one message in one step. A channel that may carry several copies of a message at once has
/// several lanes.
#[derive(Clone, Debug)]
struct Lane {
    message: Message,
    channel: Channel,
    /// The node the channel leaves.
    tail: Node,
    /// The message crosses the channel.
    busy: Literal,
    /// Its path begins with this channel; absent where its tail cannot hold the message.
    begins: Option<Literal>,
    /// Its path ends with this channel; absent where its head has no use for the message.
    ends: Option<Literal>,
    /// The lanes (positions among those of the step) that may come before it on a path, each with the literal of that.
    after: Vec<(usize, Literal)>,
}
