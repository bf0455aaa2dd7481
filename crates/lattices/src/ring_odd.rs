//! **What:** alltoall on a ring of links with an odd number of nodes.
//!
//! **Promise:** (n²−1)/8 steps, the floor: the distances from a node add up to (n²−1)/4 over its two channels.
//!
//! **Construction:** two nodes at a time. Between the nodes of a ring of 2m+1 put two new ones, X and Y, so that X to Y has
//! m+1 channels; messages of old nodes keep their steps and their ways, which stay shortest, and every step stays full. In
//! m+1 new steps X sends to a node between X and Y, that node to Y (in one of them X to Y itself), Y to a node between Y and
//! X, and that node to X. The other direction is the mirror image. No rotation can act: neither n nor a divisor of it has a
//! factor in common with the number of steps.
//!
//! **Source:** ours; the bound is classical.
//!
//! **Example:** `ring:13`, 21 steps

use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers, number};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "ring-odd",
    about: "two nodes at a time, old messages keep their steps",
    source: "induction over the nodes",
    promise: "(n^2-1)/8",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &["ring:3", "ring:5", "ring:7", "ring:13", "ring:31", "torus:9"],
    make: |request| {
        let nodes = number(request.parameters_of(&["ring", "torus"])?).filter(|n| *n >= 3 && n % 2 == 1)?;
        let n = u64::from(nodes);
        (n.checked_pow(3)? / 4 <= MOST_USES).then(|| Box::new(RingOdd { nodes }) as Box<dyn Builder>)
    },
};

struct RingOdd {
    nodes: u32,
}

/// The messages of one step in one direction: places between which they go, in the order of the nodes' arrival.
type Tour = Vec<(u32, u32)>;

impl RingOdd {
    /// The nodes in their order round the ring, by arrival, and the tours of each step.
    fn tours(&self) -> (Vec<u32>, Vec<Tour>) {
        let (mut ring, mut tours) = (vec![0u32], Vec::new());
        for m in 0..self.nodes / 2 {
            let (x, y) = (2 * m + 1, 2 * m + 2);
            // X goes before all old nodes, Y behind m of them: X to Y then has m + 1 channels, Y to X one more.
            let (near, far) = ring.split_at(m as usize);
            let between = std::iter::once(None).chain(near.iter().copied().map(Some));
            for (there, back) in between.zip(far) {
                let mut tour = match there {
                    None => vec![(x, y)],
                    Some(v) => vec![(x, v), (v, y)],
                };
                tour.extend([(y, *back), (*back, x)]);
                tours.push(tour);
            }
            ring = [&[x], near, &[y], far].concat();
        }
        (ring, tours)
    }

    /// The number of steps.
    fn steps(&self) -> u64 {
        u64::from(self.nodes) * u64::from(self.nodes) / 8
    }
}

impl Builder for RingOdd {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let n = self.nodes;
        let (ring, tours) = self.tours();
        let mut place = vec![0; n as usize];
        (0u32..).zip(&ring).for_each(|(at, arrival)| place[*arrival as usize] = at);
        let mut transfers = Transfers::new(network, control);
        for (step, tour) in (0u64..).zip(tours) {
            for (from, to) in tour {
                let (from, to) = (place[from as usize], place[to as usize]);
                let length = (to + n - from) % n;
                transfers.send(step, from, (0..=length).map(|i| (from + i) % n))?;
                // The mirror image takes place v to place −v.
                transfers.send(step, (n - from) % n, (0..=length).map(|i| (2 * n - from - i) % n))?;
            }
        }
        transfers.claim(self.steps(), Vec::new())
    }
}
