//! **What:** transfers between any two terminals of a region, the chunk that is rarest there first.
//!
//! **Method.** Where the network is narrow, trees say what goes where: a transfer of a tree is kept if another into the same node takes less time on its channels. All others are open: what a
//! node is to get by one, it gets from any node that holds it, by any path as fast. Terminals that such paths join are a region. At each tick, of all idle paths and the chunks that they could
//! carry, that one begins first that transfers which are kept wait for, those with the longest chain before the others; then the chunk that is wanted by most terminals of the region for each that holds it.
//! So all senders stay of use to the end, where trees leave the last chunks to those that got them late.
//!
//! **Source:** rarest first as in BitTorrent (Legout, Urvoy-Keller and Michiardi 2006); matching of links and chunks step by step as Won et al., "TACOS" (2024), there in random order.

mod regions;

use super::begun::Begun;
use super::list::{self, InStep, List, Order, Paths};
use super::net::{Net, Nets};
use super::others::{clear, set};
use super::rounds::is_of_use;
use super::tasks::{Task, Tasks};
use kernel::{Channel, Message, Node};
use regions::{join, regions, tails};
use run::Run;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Messages times nodes of which more is kept.
const LARGEST: usize = 1 << 24;
/// Paths times messages of which more are looked at, and pairs of terminals between which paths are looked for.
const LOOKS: usize = 1 << 21;
const PAIRS: usize = 1 << 16;
/// What counts as much as a terminal that holds a chunk, in tenths: one that will hold it.
const COMING: u64 = 3;
/// No transfer.
const NONE: u32 = u32::MAX;

/// Trees that lead away from their roots, perhaps backwards in time, with those transfers that others can make hung up anew; `None` where there are none, or too many, or the run is stopped.
pub(super) fn begun(nets: &Nets<'_>, tasks: &Tasks, backwards: bool, run: &Run<'_>) -> Option<Begun> {
    let net = nets.of(backwards);
    if !tasks.are_trees() || tasks.0.iter().any(|one| one.inwards) {
        return None;
    }
    let mut paths = Paths::new(net, &tasks.0);
    let rarest = Rarest::new(net, &tasks.0, &mut paths)?;
    let urgent = tasks.chains();
    let order = Order { urgent: &urgent, by_work: true, in_step: InStep::None, behind: &[] };
    let mut tasks = tasks.clone();
    let begun = list::begin_rarest(net, &mut tasks, order, paths, rarest, run)?;
    let (tasks, begun) = tasks.trimmed(begun, |one| is_of_use(nets, one, backwards));
    Some(Begun { tasks, begun })
}

/// Who holds what and wants what, and how rare it is.
pub(super) struct Rarest {
    /// Whether a transfer is open.
    open: Vec<bool>,
    /// Ticks that the tree lets each take on its channels.
    lasts: Vec<u64>,
    /// What the longest chain behind each takes that ends with a transfer that is kept.
    tail: Vec<u64>,
    nodes: usize,
    /// The transfer of a message into a node.
    into: Vec<u32>,
    /// The region of every node.
    region: Vec<usize>,
    regions: usize,
    /// Of a message in a region.
    counts: Vec<Counts>,
    /// The messages that each node holds, and those that it could get by an open transfer.
    holds: Vec<Vec<u64>>,
    wants: Vec<Vec<u64>>,
    /// The paths out of every node.
    out: Vec<Vec<usize>>,
    /// Paths that may have become of use.
    looks: Vec<usize>,
}

/// Terminals of a region that want a message, hold it, and will hold it.
#[derive(Clone, Copy, Default)]
struct Counts {
    want: u32,
    hold: u32,
    coming: u32,
    rarity: u64,
}

impl Counts {
    fn count(&mut self) {
        let [want, hold, coming] = [self.want, self.hold, self.coming].map(u64::from);
        self.rarity = (want << 12) / (10 * hold + COMING * coming + 1);
    }
}

/// What a path could carry: how urgent and how rare, work left at its end, the path and the transfer.
type Found = (u64, u64, u64, Reverse<usize>, usize);

impl Rarest {
    fn new(net: &Net<'_>, tasks: &[Task], paths: &mut Paths) -> Option<Self> {
        let nodes = net.network.node_count();
        let messages = tasks.iter().map(|one| one.message.index() + 1).max()?;
        if messages.checked_mul(nodes).is_none_or(|all| all > LARGEST) {
            return None;
        }
        let to = |at: usize| paths.ends[paths.of[at]][1];
        let mut least = vec![u64::MAX; nodes];
        (0..tasks.len()).for_each(|at| least[to(at).index()] = least[to(at).index()].min(tasks[at].way.lasts));
        let open: Vec<bool> = (0..tasks.len()).map(|at| tasks[at].way.lasts == least[to(at).index()]).collect();
        let (region, regions) =
            regions(nodes, (0..tasks.len()).filter(|at| open[*at]).map(|at| paths.ends[paths.of[at]]));
        let mut sizes = vec![0usize; regions];
        net.network.terminals().iter().for_each(|v| sizes[region[v.index()]] += 1);
        let pairs: usize = sizes.iter().map(|size| size * size).sum();
        if pairs > PAIRS {
            return None;
        }
        join(net, paths, &region, &least);
        if paths.ways.len().saturating_mul(messages) > LOOKS {
            return None;
        }
        let mut rarest = Rarest {
            lasts: tasks.iter().map(|one| one.way.lasts).collect(),
            tail: tails(tasks, &open),
            open,
            nodes,
            into: vec![NONE; messages * nodes],
            counts: vec![Counts::default(); messages * regions],
            region,
            regions,
            holds: vec![vec![0; messages.div_ceil(64)]; nodes],
            wants: vec![vec![0; messages.div_ceil(64)]; nodes],
            out: vec![Vec::new(); nodes],
            looks: Vec::new(),
        };
        for (path, [from, _]) in paths.ends.iter().enumerate() {
            rarest.out[from.index()].push(path);
        }
        let mut roots = vec![None; messages];
        for (at, one) in tasks.iter().enumerate() {
            let [from, to] = paths.ends[paths.of[at]];
            // What several have to tell of a message are several things.
            let is_another = one.inner.is_none() && *roots[one.message.index()].get_or_insert(from) != from;
            let into = &mut rarest.into[one.message.index() * nodes + to.index()];
            if is_another || *into != NONE {
                return None;
            }
            *into = u32::try_from(at).ok()?;
            rarest.counts_of(one.message, to).want += 1;
            if rarest.open[at] {
                set(&mut rarest.wants[to.index()], one.message);
            }
        }
        rarest.counts.iter_mut().for_each(Counts::count);
        Some(rarest)
    }

    fn counts_of(&mut self, message: Message, node: Node) -> &mut Counts {
        &mut self.counts[message.index() * self.regions + self.region[node.index()]]
    }

    /// The transfer by which a node gets a message.
    fn entry(&self, message: usize, node: Node) -> Option<usize> {
        let at = self.into[message * self.nodes + node.index()];
        (at != NONE).then_some(at as usize)
    }

    /// Whether a transfer may come from any node.
    pub(super) fn is_open(&self, at: usize) -> bool {
        self.open[at]
    }

    /// A channel may be idle.
    pub(super) fn free(&mut self, paths: &Paths, channel: Channel) {
        self.looks.extend(&paths.through[channel.index()]);
    }

    /// A node holds a message from now on.
    fn hold(&mut self, message: Message, node: Node) {
        set(&mut self.holds[node.index()], message);
        self.looks.extend(&self.out[node.index()]);
    }

    /// A transfer begins.
    fn begins(&mut self, message: Message, to: Node) {
        clear(&mut self.wants[to.index()], message);
        let counts = self.counts_of(message, to);
        counts.want -= 1;
        counts.coming += 1;
        counts.count();
    }

    /// What a path had best carry.
    fn best(&self, paths: &Paths, path: usize, left: &[u64]) -> Option<Found> {
        let ([from, to], way) = (paths.ends[path], &paths.ways[path]);
        let region = self.region[to.index()];
        let words = self.holds[from.index()].iter().zip(&self.wants[to.index()]).map(|(holds, wants)| holds & wants);
        let mut best: Option<(u64, u64, usize)> = None;
        for (word, mut bits) in words.enumerate() {
            while bits != 0 {
                let message = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let at = self.into[message * self.nodes + to.index()] as usize;
                let found = (self.tail[at], self.counts[message * self.regions + region].rarity, at);
                if way.lasts <= self.lasts[at] && best.is_none_or(|best| (best.0, best.1) < (found.0, found.1)) {
                    best = Some(found);
                }
            }
        }
        let work = left[way.path[way.path.len() - 1].index()];
        best.map(|(tail, rarity, at)| (tail, rarity, work, Reverse(path), at))
    }
}

impl List<'_> {
    /// Begins what idle paths can carry.
    pub(super) fn take_rarest(&mut self, tick: u64, now: &mut Vec<usize>) {
        let Some(mut rarest) = self.rarest.take() else { return };
        for &at in now.iter() {
            let to = self.paths.ends[self.paths.of[at]][1];
            rarest.begins(self.tasks.0[at].message, to);
        }
        let mut looks = std::mem::take(&mut rarest.looks);
        looks.sort_unstable();
        looks.dedup();
        let found = |list: &Self, rarest: &Rarest, path: usize| {
            let is_idle = list.room(&list.paths.ways[path], tick).is_none();
            if is_idle { rarest.best(&list.paths, path, &list.left) } else { None }
        };
        let mut all: BinaryHeap<Found> = looks.into_iter().filter_map(|path| found(self, &rarest, path)).collect();
        while let Some(first) = all.pop() {
            let Reverse(path) = first.3;
            // Others have begun since.
            let Some(again) = found(self, &rarest, path) else { continue };
            if all.peek().is_some_and(|next| again < *next) {
                all.push(again);
                continue;
            }
            let at = again.4;
            let [from, to] = self.paths.ends[path];
            let inner = rarest.entry(self.tasks.0[at].message.index(), from);
            self.hang(at, path, inner);
            rarest.begins(self.tasks.0[at].message, to);
            self.take(at, tick);
            now.push(at);
        }
        self.rarest = Some(rarest);
    }

    /// Notes who holds what from now on: receivers of what has arrived, and roots of trees whose transfers are ready.
    pub(super) fn hold_rarest(&mut self, arrived: &[usize], ready: &[usize]) {
        let Some(rarest) = &mut self.rarest else { return };
        for &at in arrived {
            let (message, [_, to]) = (self.tasks.0[at].message, self.paths.ends[self.paths.of[at]]);
            let counts = rarest.counts_of(message, to);
            counts.hold += 1;
            counts.coming -= 1;
            counts.count();
            rarest.hold(message, to);
        }
        for &at in ready.iter().filter(|at| self.tasks.0[**at].inner.is_none()) {
            let (message, [from, _]) = (self.tasks.0[at].message, self.paths.ends[self.paths.of[at]]);
            if rarest.holds[from.index()][message.index() / 64] >> (message.index() % 64) & 1 == 0 {
                let counts = rarest.counts_of(message, from);
                counts.hold += 1;
                counts.count();
                rarest.hold(message, from);
            }
        }
    }
}
