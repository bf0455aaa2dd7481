//! **What:** trees begun by the list: those of early rounds first, and in streams in the order of the rounds.

use super::trees::numbers;
use crate::packed::Demand;
use crate::packed::begun::Begun;
use crate::packed::list::{self, InStep, Order};
use crate::packed::net::Net;
use crate::packed::stream::{Entry, Stream};
use crate::packed::tasks::Tasks;
use crate::packed::trees::Tree;
use graph::machines::Groups;
use kernel::timed::TimedProblem;
use kernel::{Channel, Node, Op, Semantics};
use run::Run;
use std::collections::BTreeMap;

/// How urgent is what is alike but for the hops behind it.
const HOPS: u64 = 1 << 12;

/// Trees begun by the list.
pub(super) fn begun_trees(
    problem: &TimedProblem,
    net: &Net<'_>,
    groups: &Groups,
    (demands, trees): (&[Demand], &[Tree]),
    streams: &BTreeMap<usize, Stream>,
    in_waves: bool,
    run: &Run<'_>,
) -> Option<Begun> {
    let copies = problem.collective().semantics() == Semantics::Copy;
    let numbers = numbers(demands);
    let most = numbers.iter().copied().max().unwrap_or(0);
    let (mut tasks, mut urgent) = (Tasks::default(), Vec::new());
    for (at, (demand, tree)) in demands.iter().zip(trees).enumerate() {
        let op = if demand.merged || copies { Op::Reduce } else { Op::Copy };
        let waves_after = if in_waves { most - numbers[at] } else { 0 };
        // Merged ones are turned when they have been begun.
        tasks.add(net, demand.message, op, tree, false);
        urgent.extend(urgency(groups, demand, tree, streams.get(&at), waves_after, |at| {
            let path = &tree[at].path;
            [net.network.from(path[0]), net.network.to(path[path.len() - 1])]
        }));
    }
    let behind = in_rounds(net, groups, trees, streams);
    // Between machines channels are to be in use all the time; inside, those of a round take turns at the ports of switches.
    let group = |v: Node| groups.group(v);
    let ends = |path: &[Channel]| [net.network.from(path[0]), net.network.to(path[path.len() - 1])].map(group);
    let through_switches = |path: &[Channel]| path.len() > 1 && ends(path)[0] == ends(path)[1];
    let stepped: Vec<bool> = tasks.0.iter().map(|one| through_switches(&one.way.path)).collect();
    let in_step = if streams.is_empty() { InStep::None } else { InStep::These(&stepped) };
    let order = Order { behind: &behind, in_step, ..Order::fixed(&urgent) };
    let begun = list::begin(net, &mut tasks, order, None, run)?;
    Some(Begun { tasks, begun })
}

/// Of every transfer, those that follow it by the channels between machines that it takes, in the order of the rounds: where one that is early
/// went before one that is late, whoever waits for that one would be late as well.
fn in_rounds(net: &Net<'_>, groups: &Groups, trees: &[Tree], streams: &BTreeMap<usize, Stream>) -> Vec<Vec<usize>> {
    let group = |v: Node| groups.group(v);
    // Of each channel, rounds and the transfers that take it in them.
    let mut lines: BTreeMap<Channel, Vec<(usize, usize)>> = BTreeMap::new();
    let mut count = 0;
    for (at, tree) in trees.iter().enumerate() {
        for (transfer, hop) in (count..).zip(tree) {
            let between = |c: &Channel| group(net.network.from(*c)) != group(net.network.to(*c));
            let ends = [net.network.from(hop.path[0]), net.network.to(hop.path[hop.path.len() - 1])].map(group);
            if ends[0] == ends[1] {
                continue;
            }
            let is_it = |entry: &&Entry| [Some(entry.from), Some(entry.group)] == ends;
            // Ways through third machines have no rounds.
            if let Some(entry) = streams.get(&at).and_then(|stream| stream.entries.iter().find(is_it)) {
                let ways = hop.path.iter().filter(|c| between(c));
                ways.for_each(|c| lines.entry(*c).or_default().push((entry.round, transfer)));
            }
        }
        count += tree.len();
    }
    let mut behind = vec![Vec::new(); count];
    for line in lines.values_mut() {
        line.sort_unstable();
        line.windows(2).for_each(|pair| behind[pair[0].1].push(pair[1].1));
    }
    behind
}

/// How urgent the transfers of a tree are: those of early rounds first.
fn urgency(
    groups: &Groups,
    demand: &Demand,
    tree: &Tree,
    stream: Option<&Stream>,
    waves_after: usize,
    ends: impl Fn(usize) -> [Node; 2],
) -> Vec<u64> {
    let sizes = groups.largest() as u64;
    let mut urgent = vec![0u64; tree.len()];
    let mut below = vec![0u64; tree.len()];
    // Later hops stand behind those that bring them the chunk.
    for at in (0..tree.len()).rev() {
        let [from, to] = ends(at);
        let group = groups.group(to);
        let left = match stream {
            Some(stream) => stream.rounds - stream.round(group),
            None => (1 + waves_after) * groups.count() - group.map_or(0, |group| groups.after(demand.from, group)),
        };
        let turn = match &demand.to[..] {
            &[only] => groups.places_after(demand.from, only) as u64,
            _ if groups.group(from) == groups.group(to) => groups.places_after(from, to) as u64,
            _ => 0,
        };
        let own = (left as u64 * sizes + sizes - turn) * HOPS + below[at].min(HOPS - 1);
        // What others wait for is as urgent as they are.
        urgent[at] = urgent[at].max(own);
        if let Some(after) = tree[at].after {
            urgent[after] = urgent[after].max(urgent[at].saturating_add(1));
            below[after] = below[after].max(below[at] + 1);
        }
    }
    urgent
}
