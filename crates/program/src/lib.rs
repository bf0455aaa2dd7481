//! What each rank does to play a verified schedule: sends, receives, copies and merges in an order that works, with their dependencies.
//!
//! A schedule says when messages cross which channels; whoever runs one needs to know what a rank has to do, in which buffers, and
//! after what. [`Program`] says that, and whatever runs or exports schedules starts from it: there is one place that knows when a buffer
//! may be sent, merged or overwritten. Times are not kept: a program is right in whatever order and however late messages come.
//!
//! ```
//! use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, Schedule, verify};
//! use program::{Action, Program};
//! let ring = NetworkData { name: "ring-uni:3".into(), nodes: 3, channels: vec![(0, 1), (1, 2), (2, 0)], ..NetworkData::default() };
//! let network = Network::new(ring)?;
//! let broadcast = Collective::broadcast(Node(0), network.terminals());
//! let problem = Problem::new(network, broadcast, Model::wormhole())?;
//! let mut claim = Schedule::new();
//! claim.begin_step();
//! claim.send(Message(0), &[Channel(0)]);
//! claim.begin_step();
//! claim.send(Message(0), &[Channel(1)]);
//! let program = Program::new(&verify(&problem, claim)?)?;
//! let relay = &program.ranks()[1].operations;
//! assert!(matches!(relay[0].action, Action::Receive { from: 0, .. }));
//! assert!(matches!(relay[1].action, Action::Send { to: 2, .. }));
//! assert_eq!(relay[1].after, [0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod chunks;
mod copies;
mod events;
mod layout;
mod merges;
mod rehearsal;
mod sources;
mod tables;

pub use events::{Playable, ProgramError};
pub use layout::{Layout, Shape};
pub use rehearsal::{Fault, Rehearsal};
pub use sources::{Source, Sources};
pub use tables::{COLUMNS, ENGINE, Table};

use build::build;
use kernel::{Channel, Collective, Node};

/// A part of a rank's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Buffer {
    /// What the rank contributes; never written.
    Input,
    /// What it ends with.
    Output,
    /// What it keeps meanwhile.
    Scratch,
}

/// Room for one message (or chunk of one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The part of memory.
    pub buffer: Buffer,
    /// Its position there, in messages.
    pub index: u32,
}

/// What a rank does at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends messages to a rank.
    Send {
        /// The receiver.
        to: u32,
        /// The number of the transfer, the same at the receiver; transfers are numbered by when they begin.
        transfer: u32,
        /// What it sends, in this order.
        places: Vec<Place>,
    },
    /// Receives messages from a rank, into places that nothing else writes.
    Receive {
        /// The sender.
        from: u32,
        /// The number of the transfer.
        transfer: u32,
        /// Where the messages go, in the order in which they were sent.
        places: Vec<Place>,
    },
    /// Copies a message.
    Copy {
        /// From here.
        from: Place,
        /// To there.
        to: Place,
    },
    /// Merges contributions, `into = of[0] + of[1] + …`; `into` may be one of them.
    Merge {
        /// Two places or more.
        of: Vec<Place>,
        /// The place of the result.
        into: Place,
    },
}

/// An action, and what must be finished before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What is done.
    pub action: Action,
    /// Earlier operations of the same rank, ascending.
    pub after: Vec<u32>,
}

/// What one rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankProgram {
    /// The node it runs on.
    pub node: Node,
    /// Places of its input.
    pub input: u32,
    /// Places of its output.
    pub output: u32,
    /// Places of its scratch.
    pub scratch: u32,
    /// In an order that works: one after the other at every rank, with sends that wait for nobody.
    pub operations: Vec<Operation>,
}

/// What all ranks do. Ranks are the terminals of the network in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Program {
    ranks: Vec<RankProgram>,
    layout: Layout,
    transfers: u32,
    /// The paths of all transfers, and where each ends.
    channels: Vec<Channel>,
    ends: Vec<usize>,
}

impl Program {
    /// The program of a verified schedule of steps or in time. Memory is proportional to transfers and messages.
    ///
    /// # Errors
    /// [`ProgramError`], where there are too many messages or transfers to write them down.
    pub fn new<'a>(schedule: impl Into<Playable<'a>>) -> Result<Self, ProgramError> {
        build(schedule.into())
    }

    /// What each rank does.
    #[must_use]
    pub fn ranks(&self) -> &[RankProgram] {
        &self.ranks
    }

    /// The same transfers with other operations, which a [rehearsal](Program::rehearse) may judge.
    ///
    /// # Errors
    /// Where an operation waits for one that does not come before it, or belongs to a transfer that does not exist.
    pub fn with_ranks(self, ranks: Vec<RankProgram>) -> Result<Self, ProgramError> {
        for (rank, of) in (0u32..).zip(&ranks) {
            for (operation, found) in (0u32..).zip(&of.operations) {
                let exists = match &found.action {
                    Action::Send { transfer, .. } | Action::Receive { transfer, .. } => *transfer < self.transfers,
                    Action::Copy { .. } | Action::Merge { .. } => true,
                };
                if !exists || found.after.iter().any(|before| *before >= operation) {
                    return Err(ProgramError::OutOfOrder { rank, operation });
                }
            }
        }
        Ok(Program { ranks, ..self })
    }

    /// Where messages lie in inputs and outputs.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The collective it does.
    pub fn collective(&self) -> &Collective {
        self.layout.collective()
    }

    /// Number of transfers, each with a sender and a receiver.
    #[must_use]
    pub fn transfers(&self) -> u32 {
        self.transfers
    }

    /// The channels that a transfer takes, from its sender to its receiver.
    #[must_use]
    pub fn path(&self, transfer: u32) -> &[Channel] {
        let at = transfer as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.channels[start..self.ends[at]]
    }

    /// Plays the program in memory, in an order that the number picks, and checks what every rank ends with.
    ///
    /// # Errors
    /// What does not hold: a wait without end, or a wrong output.
    pub fn rehearse(&self, seed: u64) -> Result<(), Fault> {
        Rehearsal::new(self, seed).run()
    }
}
