//! **What:** transfers that wait for one another, without their times.

use super::net::Net;
use super::trees::Tree;
use kernel::{Channel, Message, Op, Rational};

/// Rates of transfers that share a channel are multiples of the largest of these parts of a GB/s of which they are enough.
const DECIMALS: std::ops::RangeInclusive<u32> = 6..=15;
const ENOUGH: u128 = 1_000_000;

/// A transfer to be timed, one of a tree.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub message: Message,
    pub op: Op,
    pub way: Way,
    /// Whether it leads to the root of its tree, and not away from it.
    pub inwards: bool,
    /// The transfer of the same tree that is next to it towards the root; none at the root.
    pub inner: Option<usize>,
    /// Others that it waits for.
    pub after: Vec<usize>,
}

/// A path, and what a chunk takes along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub path: Vec<Channel>,
    /// Ticks of work on every channel, in which it takes so many units of bandwidth.
    pub lasts: u64,
    pub rate: u64,
    /// GB/s, where that is less than the smallest bandwidth of the path.
    pub slowed: Option<Rational>,
    /// All latencies.
    pub latency: u64,
}

impl Way {
    pub(super) fn new(net: &Net<'_>, path: Vec<Channel>) -> Self {
        let ((lasts, rate), latency) = (net.transfer(&path), net.latency(&path));
        Way { path, lasts, rate, slowed: None, latency }
    }

    /// From now on it has an equal part of a channel that so many share, rounded down; `None` where that is too little to be said.
    pub(super) fn share(&mut self, net: &Net<'_>, channel: Channel, sharers: u64) -> Option<()> {
        (self.lasts, self.rate) = net.transfer(&self.path);
        self.slowed = None;
        if sharers > 1 { self.slow(net, net.problem.bandwidth(channel), sharers) } else { Some(()) }
    }

    /// From now on it has no more than a rate, which is one of so many equal parts of some units, rounded down; `None` where that is too little to be said.
    pub(super) fn slow(&mut self, net: &Net<'_>, units: u64, parts: u64) -> Option<()> {
        let (all, shared) = (u128::from(units), u128::from(net.problem.scale()) * u128::from(parts));
        let in_decimals = |power: u32| Some((all.checked_mul(10u128.pow(power))? / shared, power));
        let (decimals, power) = DECIMALS.filter_map(in_decimals).find(|(decimals, _)| *decimals >= ENOUGH)?;
        let slowed = Rational::new(u64::try_from(decimals).ok()?, 10u64.pow(power));
        self.lasts = net.problem.duration(1, slowed)?;
        self.rate = units.div_ceil(parts);
        self.slowed = Some(slowed);
        Some(())
    }

    /// Ticks from the beginning of a transfer until its receiver holds the chunk.
    pub(super) fn takes(&self) -> u64 {
        self.latency + self.lasts
    }
}

/// The transfers of all trees. Those of a message that lead to a root come before those that lead away from one.
#[derive(Clone, Debug, Default)]
pub(super) struct Tasks(pub Vec<Task>);

impl Tasks {
    /// Adds a tree. `inwards`: it is one of the network turned round, run towards its root.
    pub(super) fn add(&mut self, net: &Net<'_>, message: Message, op: Op, tree: &Tree, inwards: bool) {
        let base = self.0.len();
        for hop in tree {
            let mut path = hop.path.clone();
            if inwards {
                path.reverse();
            }
            self.0.push(Task {
                message,
                op,
                way: Way::new(net, path),
                inwards,
                inner: hop.after.map(|after| base + after),
                after: Vec::new(),
            });
        }
    }

    /// The same transfers backwards in time, between the same ends the other way. On every channel uses are as far apart as they
    /// are: each is shifted by the channel's own latency.
    pub(super) fn mirrored(&self) -> Tasks {
        let mut mirrored = self.clone();
        for one in &mut mirrored.0 {
            one.way.path.reverse();
            one.inwards = !one.inwards;
            one.after.clear();
        }
        for (at, one) in self.0.iter().enumerate() {
            one.after.iter().for_each(|before| mirrored.0[*before].after.push(at));
        }
        mirrored
    }

    /// Whether nothing but trees says what waits for what.
    pub(super) fn are_trees(&self) -> bool {
        self.0.iter().all(|one| one.after.is_empty())
    }

    /// Without the transfers at the outer ends of trees that `is_of_use` says nobody needs, and the ticks of the others.
    ///
    /// A node that only passes a chunk on stays at such an end when those behind it are hung up elsewhere.
    pub(super) fn trimmed(self, begun: Vec<u64>, is_of_use: impl Fn(&Task) -> bool) -> (Tasks, Vec<u64>) {
        let mut behind = vec![0usize; self.0.len()];
        self.0.iter().filter_map(|one| one.inner).for_each(|inner| behind[inner] += 1);
        let mut stays = vec![true; self.0.len()];
        let is_idle = |at: usize, behind: &[usize]| behind[at] == 0 && !is_of_use(&self.0[at]);
        let mut idle: Vec<usize> = (0..self.0.len()).filter(|at| is_idle(*at, &behind)).collect();
        if idle.is_empty() {
            return (self, begun);
        }
        while let Some(at) = idle.pop() {
            stays[at] = false;
            if let Some(inner) = self.0[at].inner {
                behind[inner] -= 1;
                idle.extend(is_idle(inner, &behind).then_some(inner));
            }
        }
        let before = |count: &mut usize, stays: &bool| {
            let place = *count;
            *count += usize::from(*stays);
            Some(place)
        };
        let places: Vec<usize> = stays.iter().scan(0, before).collect();
        let kept = self.0.into_iter().zip(begun).zip(stays).filter(|(_, stays)| *stays);
        let renumbered = |one: Task| Task { inner: one.inner.map(|inner| places[inner]), ..one };
        let (tasks, begun) = kept.map(|((one, tick), _)| (renumbered(one), tick)).unzip();
        (Tasks(tasks), begun)
    }

    /// Of every transfer, those that wait for it.
    pub(super) fn next(&self) -> Vec<Vec<usize>> {
        let mut next = vec![Vec::new(); self.0.len()];
        let mut roots: std::collections::HashMap<Message, [Vec<usize>; 2]> = std::collections::HashMap::new();
        for (at, one) in self.0.iter().enumerate() {
            one.after.iter().for_each(|before| next[*before].push(at));
            match one.inner {
                Some(inner) if one.inwards => next[at].push(inner),
                Some(inner) => next[inner].push(at),
                None => roots.entry(one.message).or_default()[usize::from(one.inwards)].push(at),
            }
        }
        for [away, inwards] in roots.into_values() {
            for at in inwards {
                next[at].extend(&away);
            }
        }
        next
    }

    /// Of every transfer, its own time and that of the longest chain behind it.
    pub(super) fn chains(&self) -> Vec<u64> {
        self.chains_of(Way::takes)
    }

    /// Of every transfer, what it and the longest chain behind it take.
    pub(super) fn chains_of(&self, takes: impl Fn(&Way) -> u64) -> Vec<u64> {
        let next = self.next();
        let mut chains: Vec<Option<u64>> = vec![None; self.0.len()];
        let mut stack: Vec<usize> = (0..self.0.len()).collect();
        // What waits for one that is looked at has been looked at before.
        while let Some(&at) = stack.last() {
            if let Some(unknown) = next[at].iter().copied().find(|next| chains[*next].is_none()) {
                stack.push(unknown);
                continue;
            }
            stack.pop();
            let longest = next[at].iter().filter_map(|next| chains[*next]).max().unwrap_or(0);
            chains[at] = Some(longest + takes(&self.0[at].way));
        }
        chains.into_iter().map(|chain| chain.unwrap_or(0)).collect()
    }
}
