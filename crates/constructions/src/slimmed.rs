//! **What:** alltoall on slimmed fat trees, whose switches have fewer ways up than down.
//!
//! **Promise:** M²(M−1) steps on `gft:2,M,W`, W < M, whatever W is: the floor, since n = W·M terminals share W² channels out
//! of their subtree, and n(N−n)/W² = M²(M−1). On higher trees what comes out.
//!
//! **Construction:** the largest subtrees exchange in one stream (see `streams`) that keeps every channel to the top busy;
//! subtree j sends to j + 1, j + 2 and so on, all j alike. In every step of it some children of each subtree neither send
//! nor receive: they exchange among themselves, or within themselves, by streams of their own. Which pair of idle children
//! is next is chosen from above by what is left to do for the busiest of them. What is left at last goes alone;
//! where there is such a rest, other beginnings of the stream are tried, which change when which children are idle.
//!
//! **Source:** ours. The source of `lls` takes (N−1)·⌈M/W⌉ steps, 63·2 on `gft:2,4,2` where 48 do.
//!
//! **Example:** `gft:2,8,4`, 448 steps

use crate::subtree_exchange::{Item, Streams};
use crate::up_down::{few_enough, fits, passes, up_down_path};
use construct::{Builder, Claim, Construction, Control, Scope, Transfers};
use kernel::{Certificate, Network};
use topologies::levels::Levels;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "slimmed",
    about: "slimmed fat trees: the largest subtrees exchange without pause, idle children among themselves",
    source: "ours",
    promise: "M^2 (M-1) on gft:2,M,W, else none",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "gft:2,3,2",
        "gft:2,4,2",
        "gft:2,4,3",
        "gft:2,5,4",
        "gft:2,4,1",
        "gft:3,3,2",
        "gft:3,4,2",
        "gft:4,2,1",
        "xgft:4,4;1,2",
        "xgft:2,3,4;1,2,2",
        "xgft:3,4,2;1,1,3",
        "pgft:4,4;1,1;1,2",
        "pgft:3,2,3;1,2,1;1,1,2",
    ],
    make: |request| {
        let levels = request.levels().filter(|l| !l.is_opened() && passes(l) > 1 && few_enough(l))?;
        Some(Box::new(Slimmed::new(levels)?))
    },
};

struct Slimmed {
    levels: Levels,
    /// Between the largest subtrees.
    wide: Streams,
    /// Between any two others.
    narrow: Streams,
}

impl Slimmed {
    fn new(levels: Levels) -> Option<Self> {
        let others = levels.children(levels.height()) - 1;
        let (wide, narrow) = (Streams::new(&levels, others)?, Streams::new(&levels, 1)?);
        Some(Slimmed { levels, wide, narrow })
    }

    /// A port counted among the roots that parallel links stand for, as a port of the switch.
    fn ports(&self, virtual_ports: &[u32]) -> Vec<u32> {
        let levels = &self.levels;
        let mut ports: Vec<u32> = Vec::with_capacity(virtual_ports.len());
        for (level, port) in virtual_ports.iter().enumerate() {
            let slot = if level == 0 { 0 } else { ports[level - 1] / levels.parents(level) };
            let cables = if level == 0 { 1 } else { levels.cables(level) };
            ports.push(slot * (levels.up_ports(level) / cables) + port);
        }
        ports
    }
}

/// Pairs of terminals up to which several beginnings of the stream are tried.
const MOST_TRIED: u64 = 1 << 16;

impl Slimmed {
    /// All transfers, and the number of steps, where the stream of the largest subtrees begins so many pairs later.
    fn transfers<'a>(
        &self,
        network: &'a Network,
        control: &'a Control<'a>,
        later: u64,
    ) -> Option<(u64, Transfers<'a>)> {
        let (height, n) = (self.levels.height() - 1, self.levels.terminals_below(self.levels.height() - 1));
        let subtrees = self.levels.children(height + 1);
        let mut inside = Inside::new(&self.levels, &self.narrow);
        let mut transfers = Transfers::new(network, control);
        let mut step = 0;
        while step < self.wide.steps(height) || inside.left(height, 0) > 0 {
            control.work(n as usize)?;
            inside.idle();
            let mut send = |item: &Item, (from, to): (u32, u32)| {
                let (from, to) = (from * n + item.from, to * n + item.to);
                transfers.send_by(step, from, from, up_down_path(&self.levels, &self.ports(&item.ports), from, to))
            };
            if step < self.wide.steps(height) {
                for item in self.wide.step(height, step, later) {
                    inside.take(&item);
                    for from in 0..subtrees {
                        send(&item, (from, (from + 1 + item.which) % subtrees))?;
                    }
                }
            }
            let mut local = Vec::new();
            inside.fill(height, 0, &mut local);
            for item in &local {
                for subtree in 0..subtrees {
                    send(item, (subtree, subtree))?;
                }
            }
            step += 1;
        }
        Some((step, transfers))
    }
}

impl Builder for Slimmed {
    fn promise(&self) -> Option<u64> {
        let (levels, m) = (&self.levels, u64::from(self.levels.children(self.levels.height())));
        let alike = levels.height() == 3
            && levels.children(2) == levels.children(3)
            && levels.children(1) == levels.parents(2)
            && levels.parents(2) == levels.parents(3)
            && (1..=3).all(|x| levels.cables(x) == 1);
        alike.then(|| m * m * (m - 1))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.levels, network) {
            return None;
        }
        let (height, shortest) = (self.levels.height() - 1, self.wide.steps(self.levels.height() - 1));
        let few = u64::from(self.levels.terminals()).pow(2) <= MOST_TRIED;
        let beginnings =
            if few && self.wide.idles(height) { u64::from(self.levels.children(height)).pow(2) } else { 1 };
        let mut best: Option<(u64, Transfers<'_>)> = None;
        for later in 0..beginnings {
            let (steps, transfers) = self.transfers(network, control, later)?;
            if best.as_ref().is_none_or(|(fewest, _)| steps < *fewest) {
                best = Some((steps, transfers));
            }
            if steps == shortest {
                break;
            }
        }
        let (steps, transfers) = best?;
        transfers.claim(steps, Vec::new())
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        Some(crate::up_down::floor(network, &self.levels))
    }
}

/// What is left to do inside one of the largest subtrees, and who is busy in the step at hand.
struct Inside<'a> {
    levels: &'a Levels,
    streams: &'a Streams,
    /// For each height, subtree and ordered pair of its children, steps of their exchange that are still to be run.
    needs: Vec<Vec<u64>>,
    sends: Vec<bool>,
    receives: Vec<bool>,
}

impl<'a> Inside<'a> {
    fn new(levels: &'a Levels, streams: &'a Streams) -> Self {
        let top = levels.height() - 1;
        let n = levels.terminals_below(top);
        let needs = (0..=top).map(|height| match height {
            0 => Vec::new(),
            _ => {
                let (m, subtrees) = (levels.children(height), n / levels.terminals_below(height));
                let pair = |at: u32| if at / m == at % m { 0 } else { streams.steps(height - 1) };
                (0..subtrees).flat_map(|_| (0..m * m).map(pair)).collect()
            }
        });
        Inside {
            levels,
            streams,
            needs: needs.collect(),
            sends: vec![false; n as usize],
            receives: vec![false; n as usize],
        }
    }

    /// Begins a step in which nobody is busy yet.
    fn idle(&mut self) {
        self.sends.fill(false);
        self.receives.fill(false);
    }

    fn take(&mut self, item: &Item) {
        self.sends[item.from as usize] = true;
        self.receives[item.to as usize] = true;
    }

    /// Steps that a subtree's inner exchanges need at least: those of its busiest child, and what that has left inside.
    fn left(&self, height: usize, subtree: u32) -> u64 {
        if height == 0 {
            return 0;
        }
        let m = self.levels.children(height);
        let need = |p: u32, q: u32| self.needs[height][((subtree * m + p) * m + q) as usize];
        let busy = |p: u32| (0..m).map(|q| need(p, q)).sum::<u64>().max((0..m).map(|q| need(q, p)).sum());
        (0..m).map(|p| busy(p) + self.left(height - 1, subtree * m + p)).max().unwrap_or(0)
    }

    /// Lets idle children exchange, from the largest subtree down.
    fn fill(&mut self, height: usize, subtree: u32, items: &mut Vec<Item>) {
        if height == 0 {
            return;
        }
        let (m, size) = (self.levels.children(height), self.levels.terminals_below(height - 1));
        let child = |p: u32| {
            let first = ((subtree * m + p) * size) as usize;
            first..first + size as usize
        };
        let mut from: Vec<bool> = (0..m).map(|p| !self.sends[child(p)].contains(&true)).collect();
        let mut to: Vec<bool> = (0..m).map(|p| !self.receives[child(p)].contains(&true)).collect();
        let mut wishes = Vec::new();
        let at = |p: u32, q: u32| ((subtree * m + p) * m + q) as usize;
        let leaves: Vec<u64> = (0..m).map(|p| (0..m).map(|q| self.needs[height][at(p, q)]).sum()).collect();
        let enters: Vec<u64> = (0..m).map(|q| (0..m).map(|p| self.needs[height][at(p, q)]).sum()).collect();
        let within: Vec<u64> = (0..m).map(|p| self.left(height - 1, subtree * m + p)).collect();
        for (p, q) in (0..m).flat_map(|p| (0..m).map(move |q| (p, q))) {
            let (i, j) = (p as usize, q as usize);
            if from[i] && to[j] && (if p == q { within[i] > 0 } else { self.needs[height][at(p, q)] > 0 }) {
                let urgency = leaves[i] + within[i] + enters[j] + within[j];
                let need = if p == q { within[i] } else { self.needs[height][at(p, q)] };
                wishes.push((urgency, need, (q + m - p) % m, p, q));
            }
        }
        wishes
            .sort_unstable_by_key(|&(urgency, need, diagonal, p, _)| (std::cmp::Reverse((urgency, need)), diagonal, p));
        for (.., p, q) in wishes {
            if !(from[p as usize] && to[q as usize]) {
                continue;
            }
            (from[p as usize], to[q as usize]) = (false, false);
            if p == q {
                continue;
            }
            let need = &mut self.needs[height][at(p, q)];
            let step = self.streams.steps(height - 1) - *need;
            *need -= 1;
            for item in self.streams.step(height - 1, step, 0) {
                let base = |child: u32| (subtree * m + child) * size;
                let item = Item { from: base(p) + item.from, to: base(q) + item.to, ..item };
                self.take(&item);
                items.push(item);
            }
        }
        (0..m).for_each(|p| self.fill(height - 1, subtree * m + p, items));
    }
}
