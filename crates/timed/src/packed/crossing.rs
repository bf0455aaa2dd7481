//! **What:** what it takes to get into a machine, which tells soon which way of bringing sums there is worth making.

use super::exchange::costs;
use super::net::Net;
use graph::machines::Groups;
use kernel::Node;

/// The ways into the first machine; others are taken to be like it.
pub(super) struct Crossing {
    /// Of the shortest way from a terminal of another one.
    pub latency: u64,
    /// Ticks in which every other machine's sums come in, one a chunk.
    pub sums: u64,
    /// Ticks in which all contributions of other machines come in by themselves.
    pub contributions: u64,
    machines: u64,
}

impl Crossing {
    pub(super) fn new(net: &Net<'_>, groups: &Groups) -> Self {
        let (network, problem) = (&net.network, net.problem);
        let is_inside = |v: Node| groups.group(v) == Some(0);
        let outside = network.terminals().iter().copied().filter(|v| !is_inside(*v));
        let latencies: Vec<f64> = network.channels().map(|c| problem.latency(c) as f64).collect();
        let ways = costs(net, &latencies, outside.clone().map(|v| (v, 0.0)));
        let shortest = groups.members[0].iter().map(|v| ways[v.index()]).fold(f64::INFINITY, f64::min);
        let into = network.channels().filter(|c| is_inside(network.to(*c)) && !is_inside(network.from(*c)));
        let rate: u128 = into.map(|c| u128::from(problem.bandwidth(c))).sum();
        let ticks = |each: usize| {
            let work = problem.work(problem.collective().message_count() as u128 * each as u128);
            work.and_then(|work| u64::try_from(work / rate.max(1)).ok()).unwrap_or(u64::MAX)
        };
        Crossing {
            latency: shortest as u64,
            sums: ticks(groups.count() - 1),
            contributions: ticks(outside.count()),
            machines: groups.count() as u64,
        }
    }

    /// Whether sums cost no more time than the latency that they save, beside a reduction and a broadcast that cross one after the other with equal parts, and
    /// are not so many times longer that this is little.
    pub(super) fn is_short(&self, times: u64) -> bool {
        let of_parts = (self.sums.saturating_mul(2) / self.machines).min(self.sums);
        self.sums - of_parts <= self.latency && self.sums <= self.latency.saturating_mul(times)
    }

    /// Whether contributions take so much longer than sums that these are faster, though they wait for one another inside.
    pub(super) fn is_narrow(&self) -> bool {
        self.contributions.saturating_sub(self.sums) >= self.latency / 3
    }
}
