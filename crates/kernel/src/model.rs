//! **What:** the rules of one step: how far a message goes, and whether messages share a transfer.

/// How a transfer crosses the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Switching {
    /// A path of any length takes one step.
    #[default]
    Wormhole,
    /// Every path has exactly one channel.
    StoreAndForward,
    /// Time-division: steps are slots, and the i-th channel of a path is used `i × hop` slots after the first.
    Tdm {
        /// Slots a hop takes; at least 1.
        hop: u32,
        /// Whether slots wrap round at the end of the period.
        cyclic: bool,
    },
}

/// The rules a schedule is made under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Model {
    /// How a transfer crosses the network.
    pub switching: Switching,
    /// Whether a transfer may carry several messages.
    pub combining: bool,
}

impl Model {
    /// Wormhole switching without combining, the model of the dissertation.
    pub fn wormhole() -> Self {
        Self::default()
    }

    /// Store-and-forward switching without combining.
    pub fn store_and_forward() -> Self {
        Model { switching: Switching::StoreAndForward, combining: false }
    }

    /// Time-division with wrap-round and one slot a hop.
    pub fn tdm() -> Self {
        Model { switching: Switching::Tdm { hop: 1, cyclic: true }, combining: false }
    }
}
