//! **What:** the first slots of a period, in which nobody knows of others yet and neighbours tell each other of themselves.

use super::{Asked, Call};
use kernel::{Node, Slots};
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use search::resources::Resources;
use std::collections::VecDeque;

/// Calls that tell of their sender alone, and what is left beside them.
pub(super) struct Opening {
    pub calls: Vec<Call>,
    pub period: u32,
    /// Of each resource, slot by slot, the transfers that there is still room for.
    pub room: Vec<Vec<u32>>,
    /// Of each node, of whom it knows one by one, and from which slot on.
    pub known: Vec<Vec<Heard>>,
}

/// Something that a node has heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard {
    pub of: Node,
    /// The first slot in which it can be sent on.
    pub since: u32,
}

impl Opening {
    /// In each of so many slots, which are no later than anything heard could be sent on, as many calls as there is room for, from the
    /// nearest terminals of each.
    pub(super) fn new(asked: &Asked<'_>, period: u32, rounds: u32, random: &mut Pcg64Mcg) -> Self {
        let &Asked { resources, needs, slots, .. } = asked;
        let network = resources.problem.network();
        let room = resources.capacity.iter().map(|most| vec![*most; period as usize]).collect();
        let mut opening = Opening { calls: Vec::new(), period, room, known: vec![Vec::new(); network.node_count()] };
        for &v in network.terminals().iter().filter(|v| needs.tells[v.index()]) {
            opening.known[v.index()].push(Heard { of: v, since: 0 });
        }
        for slot in 0..rounds {
            let mut callers: Vec<Node> = network.terminals().to_vec();
            callers.shuffle(random);
            // One call each in turn, so that few ports are shared fairly.
            let mut again = true;
            while again {
                again = false;
                for &from in callers.iter().filter(|v| needs.tells[v.index()]) {
                    again |= opening.call(resources, slots, slot, from);
                }
            }
        }
        opening
    }

    /// A call to one of the nearest terminals that do not know of the caller; whether there is one.
    fn call(&mut self, resources: &Resources<'_>, slots: Slots, slot: u32, from: Node) -> bool {
        let network = resources.problem.network();
        let has = |room: &[Vec<u32>], resource: u32, slot: u32| room[resource as usize][slot as usize] > 0;
        if resources.send[from.index()].is_some_and(|ports| !has(&self.room, ports, slot)) {
            return false;
        }
        // Breadth first, over lanes that have room when a call comes to them, up to the first level with a terminal.
        let mut came: Vec<Option<u32>> = vec![None; network.node_count()];
        let mut queue = VecDeque::from([(from, 0u32)]);
        while let Some((at, hops)) = queue.pop_front() {
            let Some(now) = hops.checked_mul(slots.hop).and_then(|later| later.checked_add(slot)) else { continue };
            // What arrives in the last slot cannot be sent on.
            if now.saturating_add(slots.hop).saturating_add(1) >= self.period {
                continue;
            }
            for &lane in &resources.out[at.index()] {
                let to = resources.ends[lane as usize].1;
                let free = resources.taken[lane as usize].iter().all(|&r| has(&self.room, r, now));
                if to == from || came[to.index()].is_some() || !free {
                    continue;
                }
                came[to.index()] = Some(lane);
                let arrives = now + slots.hop;
                if !network.is_terminal(to) {
                    if resources.problem.path_passes(to) {
                        queue.push_back((to, hops + 1));
                    }
                    continue;
                }
                let knows = self.known[to.index()].iter().any(|heard| heard.of == from);
                let port = resources.receive[to.index()];
                if !knows && port.is_none_or(|ports| has(&self.room, ports, arrives)) {
                    let path = way(resources, &came, from, to);
                    self.take(resources, slots, &path, slot);
                    self.known[to.index()].push(Heard { of: from, since: arrives + 1 });
                    self.calls.push(Call { to, slot, path, of: vec![from] });
                    return true;
                }
            }
        }
        false
    }

    fn take(&mut self, resources: &Resources<'_>, slots: Slots, path: &[u32], slot: u32) {
        let mut less = |resource: u32, slot: u32| self.room[resource as usize][slot as usize] -= 1;
        for (hops, &lane) in (0u32..).zip(path) {
            resources.taken[lane as usize].iter().for_each(|&r| less(r, slot + hops * slots.hop));
        }
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
        let hops = u32::try_from(path.len()).expect("a path has no more lanes than the network");
        if let Some(ports) = resources.send[resources.ends[first as usize].0.index()] {
            less(ports, slot);
        }
        if let Some(ports) = resources.receive[resources.ends[last as usize].1.index()] {
            less(ports, slot + hops * slots.hop);
        }
    }
}

/// The lanes by which a search came from one node to another.
fn way(resources: &Resources<'_>, came: &[Option<u32>], from: Node, to: Node) -> Vec<u32> {
    let mut path = Vec::new();
    let mut at = to;
    while let Some(lane) = came[at.index()].filter(|_| at != from) {
        path.push(lane);
        at = resources.ends[lane as usize].0;
    }
    path.reverse();
    path
}
