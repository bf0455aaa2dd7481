//! **What:** "a schedule of at most so many steps exists", written as rules over 0/1 variables: the formula that
//! certificates of kinds `unsat` and `combination` refute.
//!
//! A [`Rule`] asks that at least some number of its literals hold. [`Formula::encode`] makes the rules; [`Cnf`] writes
//! them as clauses. Both are deterministic: the same problem and steps give the same variables, rules and clauses in the
//! same order, so that a certificate made elsewhere can be held against the formula made here.
//!
//! **Facts:** every schedule of at most `steps` steps gives values under which all rules hold (so a refutation proves
//! the bound), and every such assignment gives a schedule ([`Formula::decode`]); of [calls](FormulaKind::Calls), one if messages
//! combine. `docs/certificates.md` states the same for programs of others.
//!
//! ```
//! use formula::{Formula, FormulaKind};
//! use problem::{Collective, Model, Network, Node, Problem};
//! let ring = Network::from_links(3, [(0, 1), (1, 2), (2, 0)])?;
//! let broadcast = Collective::broadcast(Node(0), ring.terminals());
//! let problem = Problem::new(ring, broadcast, Model::store_and_forward())?;
//! let formula = Formula::encode(&problem, 2)?;
//! assert_eq!(formula.kind(), FormulaKind::Copies);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calls;
mod calls_in_slots;
mod cnf;
mod decode;
mod encode;
mod images;
mod merging;
mod partials;
pub mod proofs;
mod reach;
mod rules;
mod slots;
mod walks;

pub use cnf::{Cnf, DimacsError};
pub use images::Image;
pub use rules::Rules;

use problem::{Channel, Message, Node, Problem, Semantics};
use std::collections::BTreeMap;

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

/// What the paths of a formula carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// One message each.
    Copies,
    /// One message each, of the [reversed](Problem::reversed) problem.
    Reversed,
    /// All that their sender knows; [`Formula::decode`] gives the number of the sender in place of a message.
    Calls,
    /// Their sender's one partial result of a chunk: [`Formula::encode_merging`].
    Merging,
    /// Some of the partial results of a chunk that their sender keeps apart: [`Formula::encode_partials`].
    Partials,
}

impl FormulaKind {
    /// The kind that certificates of a problem are about: calls where messages combine or a chunk is for several.
    pub fn of(problem: &Problem) -> FormulaKind {
        let collective = problem.collective();
        let one = collective.message_count() <= 1;
        match collective.semantics() {
            Semantics::Copy if !problem.model().combining || one => FormulaKind::Copies,
            Semantics::Reduce
                if (!problem.model().combining || one)
                    && collective.messages().all(|m| collective.destinations(m).len() == 1) =>
            {
                FormulaKind::Reversed
            }
            Semantics::Copy | Semantics::Reduce => FormulaKind::Calls,
        }
    }
}

/// Rules that some assignment satisfies exactly if a schedule of at most [`Formula::steps`] steps exists.
#[derive(Clone, Debug)]
#[must_use]
pub struct Formula {
    kind: FormulaKind,
    steps: usize,
    variables: u32,
    rules: Vec<Rule>,
    /// Of them, the last ones that its clauses in a file may lack: they were added later.
    later: usize,
    /// Step by step, the uses of channels by messages, for [`Formula::decode`].
    lanes: Vec<Vec<Lane>>,
    /// Under time-division in their place: lanes that go on with others of the whole list.
    timed: Vec<LaneInSlot>,
    /// Slots a hop takes under time-division.
    hop: usize,
    /// Step by step, or slot by slot and on after the period, whether a node keeps its partial result of a chunk; of kind [`FormulaKind::Merging`].
    keeps: Vec<BTreeMap<(Message, Node), Literal>>,
    /// What is taken of partial results kept apart; of kind [`FormulaKind::Partials`].
    choices: Vec<partials::Choice>,
}

impl Formula {
    /// Most literals of a formula that a certificate may be checked against.
    pub const LARGEST: usize = 1 << 25;

    fn new(kind: FormulaKind, steps: usize) -> Self {
        Formula {
            kind,
            steps,
            variables: 0,
            rules: Vec::new(),
            later: 0,
            lanes: vec![Vec::new(); steps],
            timed: Vec::new(),
            hop: 0,
            keeps: vec![BTreeMap::new(); steps],
            choices: Vec::new(),
        }
    }

    /// What its paths carry.
    pub fn kind(&self) -> FormulaKind {
        self.kind
    }

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

    /// The rules but those that its clauses in a file may lack.
    pub fn first_rules(&self) -> &[Rule] {
        &self.rules[..self.rules.len() - self.later]
    }
}

/// A lane under time-division.
#[derive(Clone, Debug)]
struct LaneInSlot {
    /// The slot of the period in which it is used.
    slot: usize,
    lane: Lane,
}

/// One use of one channel by one message in one step. A channel that may carry several copies of a message at once has
/// several lanes.
#[derive(Clone, Debug)]
struct Lane {
    message: Message,
    channel: Channel,
    /// The node the channel leaves.
    tail: Node,
    /// The node it enters.
    head: Node,
    /// The message crosses the channel.
    busy: Literal,
    /// Its path begins with this channel; absent where its tail cannot hold the message.
    begins: Option<Literal>,
    /// Its path ends with this channel; absent where its head has no use for the message.
    ends: Option<Literal>,
    /// The lanes (positions among those of the step) that may come before it on a path, each with the literal of that.
    after: Vec<(usize, Literal)>,
}
