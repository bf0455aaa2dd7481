//! **What:** a chromosome with its fitness, kept up to date as genes change: the price of a change is the length of the two
//! paths, not the size of the schedule.
//!
//! **Facts:** the fitness is the number of shared channels, counted once a pair of deliveries that share one in a step, plus
//! one for each late delivery (of calls: for each message missing at a receiver); 0 is a schedule. Limited ports, half-duplex groups and channels of several transfers count
//! in the same way: k more users than a resource carries are k(k+1)/2 conflicts.
//!
//! **Source:** the dissertation, section 6.4; the capacities are among its future work.

use super::calls::{self, CallSearch};
use super::heuristics;
use super::space::{Delivery, Space};
use kernel::{Message, Schedule};
use run::ranks::Reader;
use search::emit::{self, Sent};

/// Paths of a sender that a delivery tries in a step where its own is of no use.
const MOST_TRIED: usize = 16;

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
        self.count::<false>(space, gene);
        self.path[gene] = path;
        self.step[gene] = step;
        self.count::<true>(space, gene);
        true
    }

    /// Counts the delivery of `gene` in, or out.
    #[inline]
    fn count<const IN: bool>(&mut self, space: &Space, gene: usize) {
        let step = usize::from(self.step[gene]);
        if self.step[gene] == space.steps {
            // Calls leave it to whoever changes them to count what is missing.
            let late = u32::from(space.calls.is_none());
            self.late = if IN { self.late + late } else { self.late - late };
            return;
        }
        let load = &mut self.load[step * space.resources()..][..space.resources()];
        for &r in space.store.resources(self.path[gene]) {
            let (users, capacity) = (&mut load[r as usize], space.store.capacity[r as usize]);
            *users += u16::from(IN);
            // Those with whom it shares the resource.
            let shared = u32::from(users.saturating_sub(capacity));
            self.conflicts = if IN { self.conflicts + shared } else { self.conflicts - shared };
            *users -= u16::from(!IN);
        }
        for port in self.ports_of(space, gene) {
            let users = &mut self.ports[step * 2 * space.nodes + port];
            *users += u16::from(IN);
            let above = u32::from(*users > space.ports[port]);
            self.overload = if IN { self.overload + above } else { self.overload - above };
            *users -= u16::from(!IN);
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

    /// Whether the ports at both ends of the path of `gene` can take so many `more` in a step.
    pub(crate) fn has_ports(&self, space: &Space, gene: usize, step: u16, more: u16) -> bool {
        let users = &self.ports[usize::from(step) * 2 * space.nodes..];
        self.ports_of(space, gene).iter().all(|&port| users[port] + more <= space.ports[port])
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
        space.store.fits(path, &self.load[usize::from(step) * space.resources()..])
    }

    /// The step at which `node` has `message`: `None` from the beginning.
    #[inline]
    pub(crate) fn informed(&self, space: &Space, message: u32, node: u32) -> Option<u16> {
        space.gene_at(message, node).map(|gene| self.step[gene])
    }

    /// Whether what is kept up to date is what a count from nothing gives, and every delivery comes from a node that has its message.
    pub(crate) fn is_sound(&self, space: &Space) -> bool {
        let mut again = Chromosome::new(space);
        for gene in 0..space.genes.len() {
            again.set(space, gene, self.path[gene], self.step[gene]);
        }
        if space.calls.is_some() {
            // Whoever changes calls counts what is missing.
            again.late = self.late;
        }
        again == *self && (0u32..).take(space.of_message.len()).all(|message| heuristics::sound(space, self, message))
    }

    /// The deliveries, each in its step or the first after it that has room for it, with as many steps added as that takes.
    /// Late ones, and all after the last step, come from whoever has the message. Without conflicts: the schedule itself.
    pub(crate) fn schedule(&self, space: &Space) -> Schedule {
        if let Some(calls) = &space.calls {
            return calls::schedule(space, calls, self);
        }
        let mut left: Vec<usize> = (0..self.step.len()).collect();
        left.sort_by_key(|&g| self.step[g]);
        let mut delivered = vec![false; left.len()];
        let mut sent = Vec::with_capacity(left.len());
        for step in 0u32.. {
            if left.is_empty() {
                break;
            }
            let before = sent.len();
            let mut load = vec![0; space.resources()];
            // Whoever has waited comes after those whose step it is.
            left.sort_by_key(|&g| u32::from(self.step[g]) != step);
            left.retain(|&g| {
                let Delivery { message, receiver } = space.genes[g];
                let has = |from: u32| space.gene_at(message, from).is_none_or(|teller| delivered[teller]);
                let fits = |path: &u32| space.store.fits(*path, &load);
                let (mine, last) = (u32::from(self.step[g]), u32::from(space.steps));
                let own = Some(self.path[g]).filter(|p| mine <= step && has(space.store.ends(*p).0) && fits(p));
                let known = space.distributors(g).iter().filter(|&&d| (mine == last || step >= last) && has(d));
                let mut others = known.flat_map(|&d| space.store.between(d, receiver).take(MOST_TRIED));
                let Some(path) = own.or_else(|| others.find(fits)) else { return true };
                space.store.resources(path).iter().for_each(|&r| load[r as usize] += 1);
                let path = space.store.lanes(path).to_vec();
                sent.push((g, Sent { step, message: Message(message), path }));
                false
            });
            sent[before..].iter().for_each(|(g, _)| delivered[*g] = true);
        }
        let sent = sent.into_iter().map(|(_, sent)| sent).collect();
        emit::schedule(&space.store.resources, 0, sent).without_empty_steps()
    }
}
