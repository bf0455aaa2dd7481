//! **What:** alltoall on a dragonfly under wormhole switching: whole paths in a step.
//!
//! **Promise:** none; max(2KM, K⌈(M² + M − 1)/K⌉) steps, and a few more for what does not fit into them.
//!
//! **Construction:** the blocks of `vector-factors` over coloured global channels. Vectors (γ; π, δ) with π ≠ δ, or both 0, go as there. By
//! (γ; x, x) the message of router r begins on the local channel on which another ends, that which lands at r: such messages
//! form circles and lines, and every second one goes in each of the two steps that blocks have for the vector. Who is left over at
//! the end of a circle of odd length, and the messages within groups, go in the first step with all their channels free.
//!
//! **Source:** ours; D. König 1916
//!
//! **Example:** `dragonfly:2,4`, 21 steps

use super::{ColouredDragonfly, swapped};
use crate::vector_factors::blocks;
use construct::{Builder, Claim, Construction, Control, PortUse, Scope};
use kernel::{Channel, Message, Network, Schedule};
use topologies::families::swapped_dragonfly::SwappedDragonfly;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "coloured-factors",
    about: "dragonflies, wormhole: source vectors over coloured global channels, sorted by a 1-factorisation of the local ports",
    source: "ours; Konig 1916",
    promise: "near max(2KM, M^2+M-1)",
    scope: Scope::wormhole().with(PortUse::All),
    is_automatic: true,
    examples: &[
        "dragonfly:2,4",
        "dragonfly:1,3",
        "dragonfly:3,2",
        "dragonfly:2,4,5",
        "dragonfly:2,4,5,1",
        "dragonfly:3,3,2",
    ],
    make: |request| Some(Box::new(Whole(swapped(request)?))),
};

struct Whole(SwappedDragonfly);

/// The paths of a schedule in any order, and which channels they take in which steps.
struct StepTable {
    /// Of each channel, a bit a step.
    busy: Vec<Vec<u64>>,
    sent: Vec<Sent>,
}

/// A message on its path in a step.
struct Sent {
    step: u32,
    message: Message,
    path: Path,
}

/// A path of at most three channels.
#[derive(Clone, Copy)]
struct Path {
    length: usize,
    channels: [Channel; 3],
}

impl Path {
    fn of(channels: impl IntoIterator<Item = Channel>) -> Self {
        let mut path = Path { length: 0, channels: [Channel(0); 3] };
        for channel in channels {
            path.channels[path.length] = channel;
            path.length += 1;
        }
        path
    }

    fn channels(&self) -> &[Channel] {
        &self.channels[..self.length]
    }
}

impl StepTable {
    fn send(&mut self, step: usize, message: Message, path: Path) {
        for channel in path.channels() {
            let busy = &mut self.busy[channel.index()];
            busy.resize(busy.len().max(step / 64 + 1), 0);
            busy[step / 64] |= 1 << (step % 64);
        }
        self.sent.push(Sent { step: u32::try_from(step).unwrap_or(u32::MAX), message, path });
    }

    /// In the first step in which all its channels are free.
    fn fit(&mut self, message: Message, path: Path) {
        let used = |word: usize| {
            let of = |channel: &Channel| self.busy[channel.index()].get(word).copied().unwrap_or(0);
            path.channels().iter().fold(0, |used, channel| used | of(channel))
        };
        let word = (0..).find(|word| used(*word) != u64::MAX).expect("beyond the last step all is free");
        self.send(64 * word + used(word).trailing_ones() as usize, message, path);
    }

    fn written(mut self) -> Schedule {
        self.sent.sort_by_key(|sent| sent.step);
        let mut schedule = Schedule::new();
        for sent in self.sent {
            while schedule.step_count() <= sent.step as usize {
                schedule.begin_step();
            }
            schedule.send(sent.message, sent.path.channels());
        }
        schedule
    }
}

impl Builder for Whole {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let (k, m) = (self.0.cabinets() as usize, self.0.drawers() as usize);
        let blocks = blocks(self.0.cabinets(), self.0.drawers());
        let dragonfly = ColouredDragonfly::new(network, m, k)?;
        let mut table = StepTable { busy: vec![Vec::new(); network.channel_count()], sent: Vec::new() };
        let mut left = Vec::new();
        // Of each router and colour, the half of its message by (γ; x, x), for the port x at hand.
        let mut sides = Vec::new();
        for (block, entries) in blocks.iter().enumerate() {
            for (at, entry) in entries.iter().enumerate() {
                let [first, last] = [entry.first, entry.last].map(|port| port as usize);
                for colour in 0..k {
                    let step = block * k + (colour + k - at) % k;
                    if entry.half.is_some() {
                        sides = halves(&dragonfly, colour, first);
                    }
                    control.work(dragonfly.nodes())?;
                    for middle in 0..dragonfly.nodes() {
                        let Some((global, far)) = dragonfly.leaves(middle, colour) else { continue };
                        let from = dragonfly.moved(middle, m - first);
                        let begin = (first > 0).then(|| dragonfly.local(from, first));
                        let end = (last > 0).then(|| dragonfly.local(far, last));
                        let path = Path::of(begin.into_iter().chain([global]).chain(end));
                        let message = dragonfly.message(from, dragonfly.moved(far, last));
                        match entry.half {
                            None => table.send(step, message, path),
                            Some(half) if sides[from] == Some(half) => table.send(step, message, path),
                            // Once, not with either half.
                            Some(false) if sides[from].is_none() => left.push((message, path)),
                            Some(_) => {}
                        }
                    }
                }
            }
        }
        for (message, path) in left {
            control.tick()?;
            table.fit(message, path);
        }
        for port in 1..m {
            for from in 0..dragonfly.nodes() {
                control.tick()?;
                let path = Path::of([dragonfly.local(from, port)]);
                table.fit(dragonfly.message(from, dragonfly.moved(from, port)), path);
            }
        }
        Some(Claim::Plain(table.written()))
    }
}

/// Of each router, which half its message by (`colour`; `port`, `port`) is in: not that of the message that lands at the router.
/// `None` of one in a circle of odd length.
fn halves(dragonfly: &ColouredDragonfly<'_>, colour: usize, port: usize) -> Vec<Option<bool>> {
    let lands = |from: usize| dragonfly.leaves(dragonfly.moved(from, port), colour).map(|(_, far)| far);
    let mut before = vec![false; dragonfly.nodes()];
    (0..dragonfly.nodes()).filter_map(lands).for_each(|far| before[far] = true);
    let mut sides = vec![None; dragonfly.nodes()];
    let mut met = vec![false; dragonfly.nodes()];
    // Lines from their beginnings, then circles from anywhere.
    let starts = (0..dragonfly.nodes()).filter(|r| !before[*r]).chain(0..dragonfly.nodes());
    for start in starts.collect::<Vec<_>>() {
        let (mut at, mut side) = (start, false);
        while !met[at] {
            met[at] = true;
            sides[at] = Some(side);
            side = !side;
            let Some(next) = lands(at) else { break };
            if next == start && side {
                // The circle is odd: its last message would meet the first.
                sides[at] = None;
            }
            at = next;
        }
    }
    sides
}
