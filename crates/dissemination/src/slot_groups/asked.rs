//! **What:** what is asked for, whatever the period, in the terms in which it is looked for.

use super::Set;
use graph::automorphisms::Automorphism;
use graph::distances::{Way, distances};
use kernel::{Node, Slots};
use run::{Budget, Run};
use search::resources::Resources;

/// A node's call of another.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub from: Node,
    /// The slot in which it begins.
    pub slot: u32,
    /// The lanes that it takes.
    pub path: Vec<u32>,
    /// How many it tells of the partial results that its sender has, from its own contribution on.
    pub partials: u32,
}

/// Where an automorphism takes everything.
#[derive(Clone)]
pub(super) struct Moved {
    pub nodes: Vec<u32>,
    pub lanes: Vec<u32>,
    pub resources: Vec<u32>,
}

/// What is asked for, whatever the period.
pub(super) struct Asked<'a> {
    pub resources: &'a Resources<'a>,
    pub slots: Slots,
    pub run: &'a Run<'a>,
    /// The place of each terminal among them.
    places: Vec<Option<u32>>,
    /// From each terminal, how far it is to every node; and the most of these.
    pub far: Vec<Vec<u32>>,
    pub longest: u32,
    /// All elements of groups of automorphisms, of which the last has no other than the identity.
    pub moves: Vec<Vec<Moved>>,
}

impl Moved {
    /// `None` where it does not respect what limits steps.
    pub(super) fn new(resources: &Resources<'_>, automorphism: Automorphism) -> Option<Self> {
        let (lanes, taken) = resources.images(&automorphism)?;
        Some(Moved { nodes: automorphism.nodes, lanes, resources: taken })
    }
}

impl<'a> Asked<'a> {
    /// `None` where the run stops.
    pub(super) fn new(
        resources: &'a Resources<'a>,
        slots: Slots,
        run: &'a Run<'a>,
        mut moves: Vec<Vec<Moved>>,
    ) -> Option<Self> {
        let network = resources.problem.network();
        let mut far = vec![Vec::new(); network.node_count()];
        let mut places = vec![None; network.node_count()];
        for (place, &node) in (0u32..).zip(network.terminals()) {
            places[node.index()] = Some(place);
            far[node.index()] = distances(resources.problem, node, Way::On, &mut Budget::new(run, u64::MAX))?;
        }
        let between = |v: &Node| network.terminals().iter().map(|to| far[v.index()][to.index()]).max();
        let longest = network.terminals().iter().filter_map(between).max()?;
        let all = |count: usize| (0u32..).take(count).collect();
        moves.push(vec![Moved {
            nodes: all(network.node_count()),
            lanes: all(resources.ends.len()),
            resources: all(resources.capacity.len()),
        }]);
        (longest < u32::MAX / 4).then_some(Asked { resources, slots, run, places, far, longest, moves })
    }

    pub(super) fn terminals(&self) -> impl Iterator<Item = Node> + '_ {
        self.resources.problem.network().terminals().iter().copied()
    }

    pub(super) fn is_terminal(&self, node: Node) -> bool {
        self.places[node.index()].is_some()
    }

    /// The set of a terminal alone.
    pub(super) fn bit(&self, node: Node) -> Set {
        self.places[node.index()].map_or(0, |place| 1 << place)
    }

    /// What a node lacks that holds a sum.
    pub(super) fn lacks(&self, holds: Set) -> Set {
        self.terminals().fold(0, |all, v| all | self.bit(v)) & !holds
    }

    pub(super) fn image(&self, set: Set, moved: &Moved) -> Set {
        let members = self.terminals().filter(|v| set & self.bit(*v) != 0);
        members.fold(0, |image, v| image | self.bit(Node(moved.nodes[v.index()])))
    }

    /// The calls that a node can begin in a slot, and receive.
    pub(super) fn sends(&self, node: Node) -> u32 {
        self.rate(self.resources.send[node.index()], &self.resources.out[node.index()])
    }

    pub(super) fn receives(&self, node: Node) -> u32 {
        self.rate(self.resources.receive[node.index()], &self.resources.into[node.index()])
    }

    fn rate(&self, ports: Option<u32>, lanes: &[u32]) -> u32 {
        let capacity = |resource: u32| self.resources.capacity[resource as usize];
        ports.map_or_else(|| lanes.iter().map(|l| capacity(self.resources.taken[*l as usize][0])).sum(), capacity)
    }

    /// Of each resource, slot by slot, what calls leave of it.
    pub(super) fn room(&self, calls: &[Call], period: u32) -> Vec<Vec<u32>> {
        let resources = self.resources;
        let mut room: Vec<Vec<u32>> = resources.capacity.iter().map(|most| vec![*most; period as usize]).collect();
        let mut take = |resource: u32, slot: u32| {
            let left = &mut room[resource as usize][(slot % period) as usize];
            *left = left.saturating_sub(1);
        };
        for Call { from, slot, path, .. } in calls {
            let mut now = *slot;
            let mut to = *from;
            for lane in path {
                resources.taken[*lane as usize].iter().for_each(|r| take(*r, now));
                now += self.slots.hop;
                to = resources.ends[*lane as usize].1;
            }
            resources.send[from.index()].into_iter().for_each(|r| take(r, *slot));
            resources.receive[to.index()].into_iter().for_each(|r| take(r, now));
        }
        room
    }
}
