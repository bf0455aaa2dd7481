//! **What:** alltoall on a network whose every node is a switch with C terminals, from alltoall on the network of its switches.
//!
//! **Promise:** none beforehand. C² times the steps between the switches, which is the floor where theirs is, unless the channels of terminals
//! are narrower.
//!
//! **Construction:** every step is repeated C² times. A message from a switch to another is the one from its terminal a + i to the
//! other's terminal b + j in repetition (i, j), mod C, where a counts the messages that leave the switch in that step, and b those that
//! arrive: so every pair of terminals has its turn, and no terminal sends or receives twice. Messages between terminals of a switch
//! go when both are idle.
//!
//! **Parameters:** at most C messages of a step leave or reach a switch.
//!
//! **Source:** ours.
//!
//! **Example:** `fat:2,mesh:8x8`, 512 steps

use crate::best;
use construct::{Builder, Claim, Construction, Control, MOST_USES, PortUse, Scope};
use kernel::{Channel, Message, Model, Network, Node, Schedule};
use topologies::topology;

/// The constructions for the switches.
const INNER: &[&Construction] = &[
    &lattices::RING_EVEN,
    &lattices::RING_ODD,
    &lattices::HYPERCUBE,
    &lattices::GENERALIZED_HYPERCUBE,
    &lattices::TORUS_EVEN,
    &lattices::TORUS_ODD,
    &lattices::TORUS_TOURS,
    &lattices::TORUS_PACKED,
    &lattices::MESH,
    &lattices::TORUS,
];

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "fat-copies",
    about: "alltoall between switches, repeated for every pair of their terminals",
    source: "repetition, terminals taking turns",
    promise: "no promised number of",
    scope: Scope::wormhole().with(PortUse::All),
    is_automatic: true,
    examples: &[
        "fat:2,mesh:4x4",
        "fat:3,mesh:5",
        "fat:2,mesh:3x5",
        "fat:4,ring:8",
        "fat:4,torus:4x6",
        "fat:4,hypercube:3",
        "fat:2,product:ring:8,mesh:3",
    ],
    make: |request| {
        let (terminals, switches) = request.parameters_of(&["fat"])?.split_once(',')?;
        let (terminals, switches) = (terminals.parse().ok()?, topology(switches).ok()?);
        let pairs = switches.closed_forms().nodes.checked_mul(u64::from(terminals))?.checked_pow(2)?;
        // A path has two channels at least.
        let fits = terminals > 1 && pairs.checked_mul(2)? <= MOST_USES;
        let spec = switches.spec();
        fits.then(|| Box::new(FatCopies { terminals, spec, model: request.model() }) as Box<dyn Builder>)
    },
};

struct FatCopies {
    /// Of every switch.
    terminals: u32,
    /// The specification of the network of switches.
    spec: String,
    model: Model,
}

impl Builder for FatCopies {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let inner = topology(&self.spec).ok()?.network();
        let best = best::of_any_kind(INNER, &inner, self.model, control)?.schedule;
        control.check()?;
        let copies = u64::from(self.terminals).pow(2);
        Some(&best).filter(|s| s.channel_uses() * copies <= MOST_USES)?;
        let between = best.expanded().ok()?;
        let mut copies = Copies::new(self.terminals, &inner, network, control);
        for step in between.steps() {
            let messages = step.map(|transfer| Some((*transfer.messages.first()?, transfer.path)));
            copies.repeat(&messages.collect::<Option<Vec<_>>>()?)?;
        }
        copies.finish()?;
        Some(Claim::Plain(copies.schedule))
    }
}

/// The schedule as it grows.
struct Copies<'a> {
    terminals: u32,
    inner: &'a Network,
    network: &'a Network,
    control: &'a Control<'a>,
    schedule: Schedule,
    /// Of every switch the pairs of its own terminals, by their places, that have not met.
    own: Vec<Vec<(u32, u32)>>,
    /// Whether each terminal sends, and receives, in this step.
    sends: Vec<bool>,
    receives: Vec<bool>,
}

impl<'a> Copies<'a> {
    fn new(terminals: u32, inner: &'a Network, network: &'a Network, control: &'a Control<'a>) -> Self {
        // Those of one difference meet in one step.
        let pairs = (1..terminals).flat_map(|by| (0..terminals).map(move |from| (from, (from + by) % terminals)));
        let own = vec![pairs.collect(); inner.node_count()];
        let idle = vec![false; inner.node_count() * terminals as usize];
        Copies {
            terminals,
            inner,
            network,
            control,
            schedule: Schedule::new(),
            own,
            sends: idle.clone(),
            receives: idle,
        }
    }

    /// Repeats a step between switches for every pair of terminals.
    fn repeat(&mut self, step: &[(Message, &[Channel])]) -> Option<()> {
        let (mut left, mut arrived) = (vec![0; self.inner.node_count()], vec![0; self.inner.node_count()]);
        let mut turns = Vec::new();
        for (_, path) in step {
            let (from, to) = (self.inner.from(*path.first()?), self.inner.to(*path.last()?));
            turns.push((from, left[from.index()], to, arrived[to.index()]));
            left[from.index()] += 1;
            arrived[to.index()] += 1;
        }
        let most = left.iter().chain(&arrived).max().copied().unwrap_or(0);
        if most > self.terminals {
            return None;
        }
        for copy in 0..self.terminals.pow(2) {
            self.begin();
            let (i, j) = (copy / self.terminals, copy % self.terminals);
            for ((from, a, to, b), (_, path)) in turns.iter().zip(step) {
                let sender = from.0 * self.terminals + (a + i) % self.terminals;
                let receiver = to.0 * self.terminals + (b + j) % self.terminals;
                self.send(sender, receiver, path)?;
            }
            self.send_own()?;
        }
        Some(())
    }

    /// Steps for the terminals of a switch that have not met.
    fn finish(&mut self) -> Option<()> {
        while self.own.iter().any(|pairs| !pairs.is_empty()) {
            self.begin();
            self.send_own()?;
        }
        Some(())
    }

    fn begin(&mut self) {
        self.schedule.begin_step();
        self.sends.fill(false);
        self.receives.fill(false);
    }

    /// Sends between terminals of a switch that are idle.
    fn send_own(&mut self) -> Option<()> {
        for switch in 0..self.own.len() {
            let base = u32::try_from(switch).ok()? * self.terminals;
            let mut pairs = std::mem::take(&mut self.own[switch]);
            let mut kept = Vec::new();
            for (from, to) in pairs.drain(..) {
                let (from, to) = (base + from, base + to);
                if self.sends[from as usize] || self.receives[to as usize] {
                    kept.push((from - base, to - base));
                } else {
                    self.send(from, to, &[])?;
                }
            }
            self.own[switch] = kept;
        }
        Some(())
    }

    /// Sends from a terminal to another, over channels between switches.
    fn send(&mut self, from: u32, to: u32, between: &[Channel]) -> Option<()> {
        let terminals = u32::try_from(self.network.terminals().len()).ok()?;
        let inside = self.network.channel_count() - self.inner.channel_count();
        let up = *self.network.outgoing(Node(from)).first()?;
        let down = *self.network.incoming(Node(to)).first()?;
        // Channels between switches keep their order behind those of the terminals.
        let between = between.iter().map(|c| Channel::new(inside + c.index()));
        let path: Vec<Channel> = [up].into_iter().chain(between).chain([down]).collect();
        self.schedule.send(Message(from.checked_mul(terminals - 1)? + to - u32::from(to > from)), &path);
        self.sends[from as usize] = true;
        self.receives[to as usize] = true;
        self.control.work(1 + path.len())
    }
}
