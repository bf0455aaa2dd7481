//! **What:** a chromosome with its fitness, kept up to date as genes change: the price of a change is the length of the two
//! paths, not the size of the schedule.
//!
//! **Facts:** the fitness is the number of shared channels, counted once a pair of deliveries that share one in a step, plus
//! one for each late delivery (of calls: for each message missing at a receiver); 0 is a schedule. Limited ports, half-duplex groups and channels of several transfers count
//! in the same way: k more users than a resource carries are k(k+1)/2 conflicts.
//!
//! **Source:** the dissertation, section 6.4; the capacities are among its future work.

use super::calls::{self, CallSearch};
use super::space::{Delivery, Space};
use kernel::Schedule;
use run::ranks::Reader;

/// A candidate: a path and a step for every gene, and what they cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chromosome {
    pub path: Vec<u32>,
    pub step: Vec<u16>,
    /// Users of each resource in each step.
    load: Vec<u16>,
    /// Deliveries sent and received by each node in each step.
    ports: Vec<u16>,
    /// Deliveries above what the ports of a node can take, in all steps.
    pub overload: u32,
    pub conflicts: u32,
    pub late: u32,
}

impl Chromosome {
    /// Every delivery late.
    pub(crate) fn new(space: &Space) -> Self {
        let steps = usize::from(space.steps);
        let first = |g: usize| {
            let to = space.genes[g].receiver;
            let choice = space.distributors(g).iter().map(|&d| space.store.between(d, to));
            choice.filter(|paths| !paths.is_empty()).map(|paths| paths.start).next().unwrap_or(0)
        };
        Chromosome {
            path: (0..space.genes.len()).map(first).collect(),
            step: vec![space.steps; space.genes.len()],
            load: vec![0; steps * space.resources()],
            ports: vec![0; steps * 2 * space.nodes],
            overload: 0,
            conflicts: 0,
            late: space.genes.len() as u32 * u32::from(space.calls.is_none()),
        }
    }

    /// Appends the genes, for another process that knows the same space.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        self.path.iter().for_each(|path| bytes.extend(path.to_le_bytes()));
        self.step.iter().for_each(|step| bytes.extend(step.to_le_bytes()));
    }

    /// The candidate that another process has written; genes that cannot be stay late.
    pub(crate) fn read(space: &Space, bytes: &mut Reader<'_>) -> Self {
        let paths: Vec<u32> = (0..space.genes.len()).map(|_| bytes.u32()).collect();
        let mut who = Chromosome::new(space);
        for (gene, path) in paths.into_iter().enumerate() {
            let step = bytes.u16();
            if path < space.store.len() && step <= space.steps {
                who.set(space, gene, path, step);
            }
        }
        if let Some(calls) = &space.calls {
            CallSearch::new(space, calls).count(space, calls, &mut who);
        }
        who
    }

    /// Conflicts and fines.
    #[inline]
    pub(crate) fn fitness(&self) -> u32 {
        self.conflicts + self.late
    }

    /// Copies `other` into the memory of this one.
    pub(crate) fn become_like(&mut self, other: &Chromosome) {
        self.path.copy_from_slice(&other.path);
        self.step.copy_from_slice(&other.step);
        self.load.copy_from_slice(&other.load);
        self.ports.copy_from_slice(&other.ports);
        (self.overload, self.conflicts, self.late) = (other.overload, other.conflicts, other.late);
    }

    /// Gives `gene` another path and step; whether that changed anything.
    #[inline]
    pub(crate) fn set(&mut self, space: &Space, gene: usize, path: u32, step: u16) -> bool {
        if self.path[gene] == path && self.step[gene] == step {
            return false;
        }
        self.take_out(space, gene);
        self.path[gene] = path;
        self.step[gene] = step;
        self.put_in(space, gene);
        true
    }

    fn take_out(&mut self, space: &Space, gene: usize) {
        let step = self.step[gene];
        if step == space.steps {
            // Calls leave it to whoever changes them to count what is missing.
            self.late -= u32::from(space.calls.is_none());
            return;
        }
        let at = usize::from(step) * space.resources();
        let load = &mut self.load[at..at + space.resources()];
        for &r in space.store.resources(self.path[gene]) {
            let capacity = space.store.capacity[r as usize];
            self.conflicts -= u32::from(load[r as usize].saturating_sub(capacity));
            load[r as usize] -= 1;
        }
        for port in self.ports_of(space, gene) {
            let users = &mut self.ports[usize::from(step) * 2 * space.nodes + port];
            self.overload -= u32::from(*users > space.ports[port]);
            *users -= 1;
        }
    }

    fn put_in(&mut self, space: &Space, gene: usize) {
        let step = self.step[gene];
        if step == space.steps {
            self.late += u32::from(space.calls.is_none());
            return;
        }
        let at = usize::from(step) * space.resources();
        let load = &mut self.load[at..at + space.resources()];
        for &r in space.store.resources(self.path[gene]) {
            load[r as usize] += 1;
            let capacity = space.store.capacity[r as usize];
            self.conflicts += u32::from(load[r as usize].saturating_sub(capacity));
        }
        for port in self.ports_of(space, gene) {
            let users = &mut self.ports[usize::from(step) * 2 * space.nodes + port];
            *users += 1;
            self.overload += u32::from(*users > space.ports[port]);
        }
    }

    #[inline]
    fn ports_of(&self, space: &Space, gene: usize) -> [usize; 2] {
        let (from, to) = space.store.ends(self.path[gene]);
        [from as usize, space.nodes + to as usize]
    }

    /// Deliveries that `node` sends in `step`.
    #[inline]
    pub(crate) fn sent(&self, space: &Space, step: u16, node: u32) -> u16 {
        self.ports[usize::from(step) * 2 * space.nodes + node as usize]
    }

    /// Deliveries that `node` receives in `step`.
    #[inline]
    pub(crate) fn received(&self, space: &Space, step: u16, node: u32) -> u16 {
        self.ports[usize::from(step) * 2 * space.nodes + space.nodes + node as usize]
    }

    /// Whether `gene` is late or shares a full resource.
    #[inline]
    pub(crate) fn in_conflict(&self, space: &Space, gene: usize) -> bool {
        let step = self.step[gene];
        if step == space.steps {
            return true;
        }
        let load = &self.load[usize::from(step) * space.resources()..];
        space.store.resources(self.path[gene]).iter().any(|&r| load[r as usize] > space.store.capacity[r as usize])
    }

    /// Whether a resource carries no more in a step.
    #[inline]
    pub(crate) fn is_full(&self, space: &Space, resource: u32, step: u16) -> bool {
        let at = usize::from(step) * space.resources() + resource as usize;
        self.load[at] >= space.store.capacity[resource as usize]
    }

    /// Whether a path could be used in a step beside all that is.
    pub(crate) fn fits(&self, space: &Space, path: u32, step: u16) -> bool {
        space.store.resources(path).iter().all(|&r| !self.is_full(space, r, step))
    }

    /// The step at which `node` has `message`: `None` from the beginning.
    #[inline]
    pub(crate) fn informed(&self, space: &Space, message: u32, node: u32) -> Option<u16> {
        space.gene_at(message, node).map(|gene| self.step[gene])
    }

    /// The deliveries without those in conflict, which follow in the first steps that have room for them, with as many steps
    /// added as that takes. Without conflicts: the schedule itself.
    pub(crate) fn schedule(&self, space: &Space) -> Schedule {
        if let Some(calls) = &space.calls {
            return calls::schedule(space, calls, self);
        }
        let mut order: Vec<usize> = (0..self.step.len()).collect();
        order.sort_by_key(|&g| self.step[g]);
        let mut load: Vec<Vec<u16>> = Vec::new();
        let mut placed: Vec<Vec<usize>> = Vec::new();
        // The step from which on each receiver has its message.
        let mut has = vec![usize::MAX; self.step.len()];
        let mut path = self.path.clone();
        let mut left = order;
        while !left.is_empty() {
            let before = left.len();
            left.retain(|&g| {
                let Delivery { message, receiver } = space.genes[g];
                let begin = |from: u32| match space.broadcast.then(|| space.gene_at(message, from)).flatten() {
                    Some(teller) => has[teller],
                    None => 0,
                };
                let mut earliest = begin(space.store.ends(path[g]).0);
                if earliest == usize::MAX && self.step[g] == space.steps {
                    // A late delivery comes from whoever has the message first.
                    let known = space.distributors(g).iter().filter(|&&d| !space.store.between(d, receiver).is_empty());
                    let Some(from) = known.copied().min_by_key(|&d| begin(d)) else { return true };
                    path[g] = space.store.between(from, receiver).start;
                    earliest = begin(from);
                }
                if earliest == usize::MAX {
                    return true;
                }
                let first =
                    if self.step[g] == space.steps { earliest } else { earliest.max(usize::from(self.step[g])) };
                let free = |load: &Vec<u16>, r: &u32| load[*r as usize] < space.store.capacity[*r as usize];
                let mut step = first;
                let resources = space.store.resources(path[g]);
                while load.get(step).is_some_and(|load| !resources.iter().all(|r| free(load, r))) {
                    step += 1;
                }
                if load.len() <= step {
                    load.resize(step + 1, vec![0; space.resources()]);
                    placed.resize(step + 1, Vec::new());
                }
                for &r in resources {
                    load[step][r as usize] += 1;
                }
                placed[step].push(g);
                has[g] = step + 1;
                false
            });
            if left.len() == before {
                // Only a late distributor is waited for by deliveries that are not: they become late themselves.
                for &g in &left {
                    let to = space.genes[g].receiver;
                    let told = |d: u32| space.gene_at(space.genes[g].message, d).is_none_or(|t| has[t] != usize::MAX);
                    let mut known = space.distributors(g).iter().filter(|&&d| told(d));
                    if let Some(&from) = known.find(|&&d| !space.store.between(d, to).is_empty()) {
                        path[g] = space.store.between(from, to).start;
                    }
                }
            }
        }
        let mut schedule = Schedule::new();
        for genes in placed.iter().filter(|genes| !genes.is_empty()) {
            schedule.begin_step();
            for &g in genes {
                let channels: Vec<_> = space.store.channels(path[g]).collect();
                schedule.send(space.message(g), &channels);
            }
        }
        schedule
    }
}
