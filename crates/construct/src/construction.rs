//! **What:** what a construction is: a way to write a schedule down instead of searching for it.

use crate::claim::Claim;
use crate::request::{Pattern, Request};
use kernel::{Certificate, Network, Problem, Switching};
use std::cell::Cell;
use std::mem::discriminant;

/// A construction: what it is good for and how it is made.
pub struct Construction {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The number of steps, as a formula.
    pub promise: &'static str,
    /// The problems that it is for, on some networks.
    pub scope: Scope,
    /// Whether it is tried unless another is named.
    pub is_automatic: bool,
    /// Specifications of networks for which the law tests build it.
    pub examples: &'static [&'static str],
    /// What builds its schedule on the network of a problem in its scope; `None` where it knows none. Cheap.
    pub make: fn(&Request<'_>) -> Option<Box<dyn Builder>>,
}

/// Problems of one kind, whatever the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Who sends what to whom.
    pub pattern: Pattern,
    /// How messages travel.
    pub switching: &'static [Switching],
    /// The ports that nodes have.
    pub ports: PortUse,
    /// Whether links may be half-duplex.
    pub half_duplex: bool,
}

/// Ports that a construction asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortUse {
    /// Any number: where nodes have fewer than it would use, its steps are divided, and nothing is promised.
    Any,
    /// As many as channels.
    All,
    /// One each way, or transfers that combine: else it would leave most ports idle.
    One,
}

impl Scope {
    /// Alltoall between all terminals under wormhole switching, with any number of ports.
    pub const fn wormhole() -> Self {
        Scope { pattern: Pattern::Alltoall, switching: &[Switching::Wormhole], ports: PortUse::Any, half_duplex: false }
    }

    /// The same hop by hop.
    pub const fn store_and_forward() -> Self {
        Scope { switching: &[Switching::StoreAndForward], ..Scope::wormhole() }
    }

    /// The same with such ports.
    pub const fn with(self, ports: PortUse) -> Self {
        Scope { ports, ..self }
    }

    /// Whether a problem is of this kind.
    fn holds(&self, request: &Request<'_>) -> bool {
        let model = request.model();
        let ports = match self.ports {
            PortUse::Any => !model.combining,
            PortUse::All => !request.ports_bind(),
            PortUse::One => model.combining || request.has_one_port(),
        };
        ports && (self.half_duplex || !request.is_half_duplex()) && request.pattern() == Some(self.pattern)
    }
}

impl Construction {
    /// What builds its schedule of `problem`; `None` where it does not apply. Cheap: a network is known by its name, and by its
    /// numbers of nodes and channels; whether it is that one shows when the schedule is built and verified.
    #[must_use]
    pub fn builder(&self, problem: &Problem) -> Option<Box<dyn Builder>> {
        self.builder_for(&Request::of(problem))
    }

    /// The same, of what is asked for.
    #[must_use]
    pub fn builder_for(&self, request: &Request<'_>) -> Option<Box<dyn Builder>> {
        // Of time-division with any number of slots a hop.
        let alike = |one: &Switching| discriminant(one) == discriminant(&request.model().switching);
        if !self.scope.switching.iter().any(alike) {
            return None;
        }
        let builder = (self.make)(request)?;
        let applies = self.scope.holds(request) && request.has_size_of_name();
        let divides = self.scope.ports == PortUse::Any && request.ports_bind();
        applies.then(|| if divides { Box::new(Divided(builder)) } else { builder })
    }
}

/// A construction for the parameters of one problem.
pub trait Builder: Send + Sync {
    /// The number of steps promised; `None` where the construction packs messages and promises none.
    fn promise(&self) -> Option<u64>;

    /// The schedule; `None` where it was stopped, or where the network is not that of the problem.
    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim>;

    /// A bound that is known beforehand; `None` where it is to be searched for.
    fn floor(&self, network: &Network, control: &Control<'_>) -> Option<Certificate> {
        let _ = (network, control);
        None
    }
}

/// A construction whose steps are divided where nodes have fewer ports than it would use.
struct Divided(Box<dyn Builder>);

impl Builder for Divided {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        Some(self.0.build(network, control)?.with_ports_of(network))
    }

    fn floor(&self, network: &Network, control: &Control<'_>) -> Option<Certificate> {
        self.0.floor(network, control)
    }
}

/// What goes beside a problem: which of several schedules is wanted, and whether anyone still wants it.
pub struct Control<'a> {
    /// Chooses among several schedules.
    pub seed: u64,
    stop: &'a dyn Fn() -> bool,
    ticks: Cell<usize>,
    stopped: Cell<bool>,
}

/// Ticks between two questions whether to stop: well below a millisecond's work.
const TICKS: usize = 1 << 10;

impl<'a> Control<'a> {
    /// Work that ends when `stop` says so.
    pub fn new(seed: u64, stop: &'a dyn Fn() -> bool) -> Self {
        Control { seed, stop, ticks: Cell::new(0), stopped: Cell::new(false) }
    }

    /// Whether it is time to stop, asked at once: `None` then, and ever after.
    pub fn check(&self) -> Option<()> {
        self.work(TICKS)
    }

    /// Counts a transfer, or about as much work; `None` when it is time to stop.
    pub fn tick(&self) -> Option<()> {
        self.work(1)
    }

    /// Counts more work at once; `None` when it is time to stop, and ever after.
    pub fn work(&self, ticks: usize) -> Option<()> {
        if self.stopped.get() {
            return None;
        }
        let sum = self.ticks.get().saturating_add(ticks);
        self.ticks.set(if sum < TICKS { sum } else { 0 });
        if sum >= TICKS && (self.stop)() {
            self.stopped.set(true);
            return None;
        }
        Some(())
    }
}

impl Default for Control<'static> {
    /// The first of several schedules, however long it takes.
    fn default() -> Self {
        Control::new(0, &|| false)
    }
}

/// Most channel uses by representatives that are written down; beyond, a construction does not apply.
pub const MOST_USES: u64 = 1 << 26;
