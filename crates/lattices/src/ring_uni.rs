//! **What:** alltoall on a ring of one direction.
//!
//! **Promise:** n(n−1)/2 steps, the floor: the messages of a node use so many channels, one of each class of which there is
//! one.
//!
//! **Construction:** a step is a message from i to j and the one from j to i; together they go once round. There is no other
//! choice, since a step has two messages on average and one alone never goes round. The rotations whose number of places
//! is a multiple of the largest power of two in n shift time; the others cannot, since pairs of opposite nodes return after
//! half a turn.
//!
//! **Source:** folklore; in the notes on the dissertation's tables.
//!
//! **Example:** `ring-uni:16`, 120 steps

use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers, generator, number};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "ring-uni",
    about: "there and back in one step",
    source: "folklore",
    promise: "n(n-1)/2",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &["ring-uni:2", "ring-uni:3", "ring-uni:4", "ring-uni:9", "ring-uni:12", "ring-uni:16", "ring-uni:30"],
    make: |request| {
        let nodes = number(request.parameters_of(&["ring-uni"])?).filter(|n| *n >= 2)?;
        let form = RingUni { nodes };
        let uses = form.steps().checked_mul(u64::from(form.turn()))?;
        (uses <= MOST_USES).then(|| Box::new(form) as Box<dyn Builder>)
    },
};

struct RingUni {
    nodes: u32,
}

impl RingUni {
    /// Places by which the generator rotates.
    fn turn(&self) -> u32 {
        1 << self.nodes.trailing_zeros()
    }

    /// The number of steps.
    fn steps(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.nodes - 1) / 2
    }
}

impl Builder for RingUni {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let (n, turn, steps) = (self.nodes, self.turn(), self.steps());
        let order = n / turn;
        let rows = steps / u64::from(order);
        let mut transfers = Transfers::new(network, control);
        // A message from `from` in `step`, told by its image from a base below `turn`.
        let mut send = |step: u64, from: u32, length: u32| {
            let (base, turns) = (from % turn, u64::from(from / turn));
            let step = (step + steps - turns * rows % steps) % steps;
            transfers.send(step, base, (0..=length).map(|i| (base + i) % n))
        };
        let mut row = 0;
        for length in 1..=n / 2 {
            for from in 0..if 2 * length == n { turn / 2 } else { turn } {
                send(row, from, length)?;
                send(row, (from + length) % n, n - length)?;
                row += 1;
            }
        }
        transfers.claim(steps, vec![(generator(network, order, |v| (v + turn) % n)?, rows % steps)])
    }
}
