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

/// How time-division divides time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Slots a hop takes; at least 1.
    pub hop: u32,
    /// Whether slots wrap round at the end of the period.
    pub cyclic: bool,
}

impl Switching {
    /// The name in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Switching::Wormhole => "wormhole",
            Switching::StoreAndForward => "store-and-forward",
            Switching::Tdm { .. } => "tdm",
        }
    }

    /// How time is divided, under time-division.
    pub fn slots(self) -> Option<Slots> {
        match self {
            Switching::Tdm { hop, cyclic } => Some(Slots { hop, cyclic }),
            Switching::Wormhole | Switching::StoreAndForward => None,
        }
    }
}

/// The rules a schedule is made under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[must_use]
pub struct Model {
    /// How a transfer crosses the network.
    pub switching: Switching,
    /// Whether a transfer may carry several messages.
    pub combining: bool,
}

impl Model {
    /// Whether steps are slots, and a path takes several of them: time-division.
    pub fn is_slotted(self) -> bool {
        self.switching.slots().is_some()
    }

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
