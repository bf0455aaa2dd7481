//! **What:** broadcast of k messages with one port a node, on hypercubes and on complete networks of 2^d nodes: each message along a binomial
//! tree, the dimensions of each turned on by one.
//!
//! **Promise:** k + d − 1 steps, the floor: the last message leaves the root in step k at the earliest, and takes d steps to come to 2^d nodes.
//!
//! **Construction:** nodes are words of d bits, the root is 0. In step t, counted from 0, every node exchanges with the one that differs in bit
//! t mod d. The root sends message t. Who has that bit set gets message j, where j is the first of the steps t − d + 1 to t in whose bit it
//! has a 1; who has not gets message t − d. In the place of messages from k on the last one is sent.
//!
//! **Facts** ([proof](../../../docs/constructions.md#broadcast-through-one-port-turned-dimensions)): nobody sends or receives more than once a step, and each sends
//! what it has.
//!
//! **Source:** rotated binomial trees: Johnsson and Ho, IEEE Transactions on Computers 38, 1989; as many steps on complete networks: Bar-Noy, Kipnis and
//! Schieber, Discrete Applied Mathematics 100, 2000.
//!
//! **Example:** `hypercube:4`, 16 messages: 19 steps

use construct::{Builder, Claim, Construction, Control, Hop, MOST_USES, Pattern, PortUse, Scope, channel, number};
use kernel::{Message, Network, Schedule, Switching};

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "turned-dimensions",
    about: "messages of one root along binomial trees, each with its dimensions rotated by one, through one port",
    source: "Johnsson and Ho 1989; Bar-Noy, Kipnis and Schieber 2000",
    promise: "X+D-1",
    scope: Scope {
        pattern: Pattern::Broadcast,
        switching: &[Switching::StoreAndForward, Switching::Wormhole],
        ports: PortUse::One,
        half_duplex: false,
    },
    is_automatic: true,
    examples: &["hypercube:1", "hypercube:3", "hypercube:4", "hypercube:5", "complete:4", "complete:8"],
    make: |request| {
        let nodes = match number(request.parameters_of(&["hypercube", "complete"])?)? {
            dimensions if request.parameters_of(&["hypercube"]).is_some() => 1u32.checked_shl(dimensions)?,
            nodes => nodes,
        };
        let (messages, root) = (request.messages()?, request.root()?.0);
        let fits = nodes.is_power_of_two() && nodes > 1 && u64::from(messages) * u64::from(nodes) <= MOST_USES;
        fits.then(|| Box::new(TurnedDimensions { dimensions: nodes.ilog2(), messages, root }) as Box<dyn Builder>)
    },
};

struct TurnedDimensions {
    dimensions: u32,
    messages: u32,
    root: u32,
}

impl TurnedDimensions {
    /// The message that a node, by its difference from the root, is sent in a step.
    fn sent_to(&self, node: u32, step: u32) -> Option<u32> {
        let d = self.dimensions;
        let is_set = |before: u32| node >> ((step + d - before) % d) & 1 == 1;
        let before = match is_set(0) {
            _ if node == 0 => return None,
            true => (0..d).rev().find(|before| is_set(*before))?,
            false => d,
        };
        // Before the first step nothing was sent.
        Some(step.checked_sub(before)?.min(self.messages - 1))
    }
}

impl Builder for TurnedDimensions {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.messages) + u64::from(self.dimensions) - 1)
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let nodes = 1usize << self.dimensions;
        // The last message may come again.
        let mut has_last = vec![false; nodes];
        let mut schedule = Schedule::new();
        for step in 0..self.messages + self.dimensions - 1 {
            schedule.begin_step();
            control.work(nodes)?;
            for node in 0..nodes as u32 {
                let Some(message) = self.sent_to(node, step) else { continue };
                let is_last = message + 1 == self.messages;
                if is_last && std::mem::replace(&mut has_last[node as usize], true) {
                    continue;
                }
                let (to, from) = (node ^ self.root, node ^ 1 << (step % self.dimensions) ^ self.root);
                schedule.send(Message(message), &[channel(network, from, Hop { to, channel: 0 })?]);
            }
        }
        Some(Claim::Plain(schedule))
    }
}
