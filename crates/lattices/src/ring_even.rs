//! **What:** alltoall on a ring of links with an even number of nodes.
//!
//! **Promise:** ⌈n²/8⌉ steps, the floor: the distances from a node add up to n²/4 over its two channels.
//!
//! **Construction:** lengths a and n/2 − a, each twice, go round once: a pair and its image under the half turn. Lengths of
//! n/2 go round in pairs, half of them in either direction. That is n/2 steps for each pair of lengths and the rest for
//! length n/4, where it is whole, and n/2.
//! Where n is divisible by 4 rotations by two places act, each shifting time by n/4 steps. In a row (the steps that such
//! shifts join) node 0 and node 1 send different messages, so a row is a tour of the ring with each message beginning at
//! a place of its sender's parity; see `tours`. Otherwise n and the number of steps have no factor in common, and only the
//! half turn acts, without shift.
//!
//! **Source:** the bound and the tours of four are classical; the rows are ours.
//!
//! **Example:** `ring:16`, 32 steps

use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers, generator, number};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "ring-even",
    about: "lengths a and n/2 - a twice each go round once",
    source: "tours of four messages",
    promise: "ceil(n^2/8)",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "ring:4", "ring:6", "ring:8", "ring:10", "ring:12", "ring:16", "ring:20", "ring:24", "ring:32", "ring:36",
        "torus:12",
    ],
    make: |request| {
        let nodes = number(request.parameters_of(&["ring", "torus"])?).filter(|n| *n >= 4 && n % 2 == 0)?;
        let n = u64::from(nodes);
        let uses = if n % 4 == 0 { n.checked_pow(2)? / 2 } else { n.checked_pow(3)? / 8 };
        (uses <= MOST_USES).then(|| Box::new(RingEven { nodes }) as Box<dyn Builder>)
    },
};

struct RingEven {
    nodes: u32,
}

impl RingEven {
    /// The number of steps.
    fn steps(&self) -> u64 {
        (u64::from(self.nodes) * u64::from(self.nodes)).div_ceil(8)
    }
}

impl Builder for RingEven {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let transfers = Transfers::new(network, control);
        if self.nodes.is_multiple_of(4) {
            self.by_rows(network, transfers)
        } else {
            self.by_half_turn(network, transfers)
        }
    }
}

/// A walk of `length` channels from `from`, upwards or downwards.
fn walk(n: u32, from: u32, length: u32, up: bool) -> impl Iterator<Item = u32> {
    (0..=length).map(move |i| if up { (from + i) % n } else { (from + n - i) % n })
}

impl RingEven {
    fn by_half_turn(&self, network: &Network, mut transfers: Transfers<'_>) -> Option<Claim> {
        let n = self.nodes;
        let half = n / 2;
        let mut step = 0;
        for length in 1..=half / 2 {
            for from in 0..half {
                for up in [true, false] {
                    let turn = (from + if up { length } else { n - length }) % half;
                    transfers.send(step, from, walk(n, from, length, up))?;
                    transfers.send(step, turn, walk(n, turn, half - length, up))?;
                }
                step += 1;
            }
        }
        for from in (0..half).step_by(2) {
            transfers.send(step, from, walk(n, from, half, true))?;
            if from + 1 < half {
                transfers.send(step, from + 1, walk(n, from + 1, half, false))?;
            }
            step += 1;
        }
        transfers.claim(self.steps(), vec![(generator(network, 2, |v| (v + half) % n)?, 0)])
    }

    fn by_rows(&self, network: &Network, mut transfers: Transfers<'_>) -> Option<Claim> {
        let n = self.nodes;
        let half = n / 2;
        let rows = self.steps() / u64::from(half);
        for (up, odd) in [(true, 0), (false, 1)] {
            for (row, (start, lengths)) in (0u64..).zip(tours(half, odd)) {
                // The message from place p is that of the base of p's parity, p/2 shifts later.
                let mut place = start;
                for length in lengths {
                    let base = place % 2;
                    let step = (row + self.steps() - u64::from(place / 2) * rows % self.steps()) % self.steps();
                    transfers.send(step, base, walk(n, base, length, up))?;
                    place = if up { (place + length) % n } else { (place + n - length) % n };
                }
            }
        }
        transfers.claim(self.steps(), vec![(generator(network, half, |v| (v + 2) % n)?, rows)])
    }
}

/// The tours of one direction, each the place where it starts and its lengths, which sum to 2·`half`: every length below
/// `half` from an even and from an odd place, and length `half` from a place of parity `odd`. `half` is even.
fn tours(half: u32, odd: u32) -> Vec<(u32, Vec<u32>)> {
    let h = half;
    let middle = h / 2;
    let mut tours = Vec::new();
    // Odd lengths change the parity, so each meets its rest twice in one tour.
    let mut single = |a: u32| tours.push((0, vec![a, a, h - a, h - a]));
    let mut ones: Vec<u32> = (1..middle).step_by(2).collect();
    let mut twos: Vec<u32> = (2..middle).step_by(2).collect();
    let middle_needs = if middle.is_multiple_of(2) { ones.pop() } else { None };
    let left = if twos.len() % 2 == 1 { twos.pop().zip(ones.pop()) } else { None };
    ones.into_iter().for_each(&mut single);
    // Even lengths keep it: two of them in a tour that begins at an even place, and the same at an odd one.
    for couple in twos.chunks(2) {
        for start in [0, 1] {
            tours.push((start, couple.iter().flat_map(|&a| [a, h - a]).collect()));
        }
    }
    if let Some((a, c)) = left {
        tours.push((0, vec![a, h - a, c, h - c]));
        tours.push((1, vec![c, h - c, a, h - a]));
    }
    // The message of half the ring, with length h/2 from both parities.
    match middle_needs {
        None => tours.push((odd, vec![middle, middle, h])),
        Some(c) => {
            // From a start of the other parity c's second leg changes it back before `half` is due.
            tours.push((1 - odd, vec![middle, c, middle, h - c]));
            tours.push((odd, vec![c, h - c, h]));
        }
    }
    tours
}
