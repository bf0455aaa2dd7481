//! The time of a schedule as a function of the size of its messages.
//!
//! Steps are synchronised: a step lasts as long as its longest transfer, and the schedule as long as its steps together. A
//! transfer that carries several messages carries the sum of their words. `docs/cost.md` has the semantics in full.
//!
//! ```
//! use kernel::{Channel, Collective, Message, Model, Network, Node, NetworkData, Problem, Schedule, verify};
//! use machine::cost::{CostModel, Costs};
//! let network = Network::new(NetworkData { nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() })?;
//! let problem = Problem::new(network, Collective::broadcast(Node(0), &[Node(1)]), Model::wormhole())?;
//! let mut claim = Schedule::new();
//! claim.send(Message(0), &[Channel(0)]);
//! let costs = Costs::of(&verify(&problem, claim)?)?;
//! assert_eq!(costs.time(&CostModel::AlphaBeta { alpha: 10.0, beta: 0.5 }, 100.0), 60.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod crossings;
mod loggp;
mod pipelined;
pub mod products;
mod steps;

pub use crossings::{Crossing, crossings};
pub use pipelined::pipelined;
pub use steps::Costs;

/// What a transfer costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CostModel {
    /// A start-up and the words, however far: α + βw.
    AlphaBeta {
        /// A start-up.
        alpha: f64,
        /// A word.
        beta: f64,
    },
    /// The same on every channel of the path, which passes the message on whole: h(α + βw).
    PerHop {
        /// A start-up.
        alpha: f64,
        /// A word.
        beta: f64,
    },
    /// A start-up, the head's way over each channel, and the words behind it: α + γh + βw.
    CutThrough {
        /// A start-up.
        alpha: f64,
        /// A word.
        beta: f64,
        /// The head over one channel.
        hop: f64,
    },
    /// LogGP: overhead at both ends, latency between, gaps between messages and between the words of one.
    LogGp {
        /// Latency L of the network.
        latency: f64,
        /// Overhead o of a sender, and of a receiver.
        overhead: f64,
        /// Gap g between the messages of one node.
        gap: f64,
        /// Gap G between the words of one message.
        word_gap: f64,
    },
}

impl CostModel {
    /// The time of one transfer alone: `hops` channels, `words` words.
    pub fn transfer(&self, hops: f64, words: f64) -> f64 {
        match *self {
            CostModel::AlphaBeta { alpha, beta } => alpha + beta * words,
            CostModel::PerHop { alpha, beta } => hops * (alpha + beta * words),
            CostModel::CutThrough { alpha, beta, hop } => alpha + hop * hops + beta * words,
            CostModel::LogGp { latency, overhead, word_gap, .. } => {
                2.0 * overhead + (words - 1.0).max(0.0) * word_gap + latency
            }
        }
    }
}

/// Why a schedule has no costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CostError {
    /// Slots of time-division have a length of their own.
    #[error("time-division has slots, not steps: they have one length, whatever they carry")]
    Slots,
    /// What each node sends in a step is not written down.
    #[error("under LogGP every transfer counts, and the schedule is stored as orbits of too many transfers: {0}")]
    Orbits(#[from] kernel::orbits::OrbitError),
    /// Only times of single transfers can overlap.
    #[error("LogGP says when steps end, not when transfers begin; it is not pipelined")]
    Pipelined,
}
