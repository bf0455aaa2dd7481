//! **What:** chunks of few roots as streams: in which round, from which machine and by which of their ways in and out each chunk comes to each machine.
//!
//! **Method.** The channels that leave a machine are numbered, and so are those that enter it: rails. The chunks of a root take the rails in turn, and those of a rail go to
//! all machines in the fewest rounds ([`BlockRounds`]), in each of which a machine sends one of them and receives one. So every way in and out is in use all the time, and what the
//! pipeline loses is a round for each doubling of the machines. What a machine sends on in a round came in the round before; where latencies, or the way from where it came in to where it
//! leaves, make it late, several such streams take turns, and it has their rounds to get there.

use super::Demand;
use super::net::Net;
use graph::block_rounds::{Arrival, BlockRounds};
use graph::machines::Groups;
use kernel::{Channel, Node};
use std::collections::BTreeMap;

/// How a chunk comes to machines.
pub(super) struct Stream {
    pub rail: usize,
    /// In the order of rounds.
    pub entries: Vec<Entry>,
    /// Rounds of all chunks of its root and rail.
    pub rounds: usize,
}

/// A chunk's way into a group.
pub(super) struct Entry {
    pub group: usize,
    /// The group that it comes from.
    pub from: usize,
    pub round: usize,
}

impl Stream {
    /// The round in which it comes to a group; for the root's own, which nothing waits for, some rounds after it has left.
    pub(super) fn round(&self, group: Option<usize>) -> usize {
        let at_home = self.entries.first().map_or(self.rounds, |entry| (entry.round + AT_HOME).min(self.rounds));
        self.entries.iter().find(|entry| Some(entry.group) == group).map_or(at_home, |entry| entry.round)
    }
}

/// The rounds by which a chunk spreads later in the group of its root than it leaves for others.
const AT_HOME: usize = 8;

/// Most streams of a rail that take turns.
const TURNS: usize = 8;

/// The rail of each channel into a group or out of it, and how many rails there are.
pub(super) struct Rails {
    of: Vec<Option<usize>>,
    count: usize,
    /// How late a chunk is for the next round, in rounds.
    late: f64,
}

impl Rails {
    pub(super) fn new(net: &Net<'_>, groups: &Groups) -> Self {
        let network = &net.network;
        let mut of = vec![None; network.channel_count()];
        let (mut fewest, mut late) = (usize::MAX, 0.0f64);
        for group in 0..groups.count() {
            let is_inside = |v: Node| groups.group(v) == Some(group);
            let (mut out, mut into) = (Vec::new(), Vec::new());
            for channel in network.channels() {
                let (from, to) = (network.from(channel), network.to(channel));
                match (is_inside(from), is_inside(to)) {
                    (true, false) => out.push((from, channel)),
                    (false, true) => into.push((to, channel)),
                    _ => {}
                }
            }
            fewest = fewest.min(out.len()).min(into.len());
            // Of a channel from one group into another, the way in counts.
            for ways in [&mut out, &mut into] {
                ways.sort_unstable();
                ways.iter().enumerate().for_each(|(rail, (_, c))| of[c.index()] = Some(rail));
            }
            for ((leaves, out), (enters, into)) in out.into_iter().zip(into) {
                let inside = network.outgoing(enters).iter().filter(|c| is_inside(network.to(**c)));
                let across = inside.map(|c| net.busy[c.index()] + net.problem.latency(*c)).min().unwrap_or(0);
                let latency = net.problem.latency(out) + net.problem.latency(into);
                let after = latency + if leaves == enters { 0 } else { across };
                late = late.max(after as f64 / net.busy[out.index()].max(net.busy[into.index()]).max(1) as f64);
            }
        }
        let count = fewest.max(1);
        of.iter_mut().flatten().for_each(|rail| *rail %= count);
        Rails { of, count, late }
    }

    /// How many streams of a rail take turns, of so many chunks.
    fn turns(&self, chunks: usize, plan: &BlockRounds) -> usize {
        let ends = |turns: usize| {
            let rounds = plan.rounds(chunks.div_ceil(turns)) * turns;
            rounds as f64 * ((1.0 + self.late) / turns as f64).max(1.0)
        };
        (1..=TURNS).min_by(|a, b| ends(*a).total_cmp(&ends(*b))).unwrap_or(1)
    }

    /// Whether a chunk of a rail may use a channel.
    pub(super) fn allow(&self, rail: usize, channel: Channel) -> bool {
        self.of[channel.index()].is_none_or(|of| of == rail)
    }
}

/// The streams of demands with several destinations, by the place of the demand; none of the others.
pub(super) fn streams(demands: &[Demand], groups: &Groups, rails: &Rails) -> BTreeMap<usize, Stream> {
    let mut by_root: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    for (at, demand) in demands.iter().enumerate().filter(|(_, demand)| demand.to.len() > 1) {
        by_root.entry(demand.from).or_default().push(at);
    }
    let mut streams = BTreeMap::new();
    for (root, of_root) in by_root {
        let home = groups.group(root).unwrap_or(0);
        let mut wanted = vec![false; groups.count()];
        let ends = of_root.iter().flat_map(|at| &demands[*at].to).filter_map(|v| groups.group(*v));
        ends.for_each(|group| wanted[group] = true);
        let others = (1..groups.count()).map(|after| (home + after) % groups.count()).filter(|group| wanted[*group]);
        let ranks: Vec<usize> = std::iter::once(home).chain(others).collect();
        let Some(plan) = BlockRounds::new(ranks.len()) else { continue };
        for rail in 0..rails.count {
            let of_rail: Vec<usize> = of_root.iter().copied().skip(rail).step_by(rails.count).collect();
            let turns = rails.turns(of_rail.len(), &plan);
            let rounds = turns * plan.rounds(of_rail.len().div_ceil(turns));
            for turn in 0..turns {
                let of_turn: Vec<usize> = of_rail.iter().copied().skip(turn).step_by(turns).collect();
                for (at, arrivals) in of_turn.iter().zip(plan.arrivals(of_turn.len())) {
                    let entry =
                        |a: Arrival| Entry { group: ranks[a.to], from: ranks[a.from], round: a.round * turns + turn };
                    let entries = arrivals.into_iter().map(entry).collect();
                    streams.insert(*at, Stream { rail, entries, rounds });
                }
            }
        }
    }
    streams
}
