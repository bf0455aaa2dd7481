//! **What:** which lanes are used in a step: as much as ports and lanes allow, and what is needed most often before all.
//!
//! **Method.** Lanes are taken greedily, those of the busiest ports first. Then each port that could be busy and is not is looked at,
//! the busiest first: along an alternating path of lanes that are not used and lanes that are, either one more lane is used, or a port that is needed
//! less often becomes idle in its place. Neither makes a busier port idle, so the ports that are covered are those of the largest weights.
//!
//! **Source:** N. S. Mendelsohn, A. L. Dulmage, "Some generalizations of the problem of distinct representatives", 1958.

use crate::resources::Resources;
use kernel::Node;
use run::Budget;
use std::collections::VecDeque;

/// The end of a lane at which a port is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Send,
    Receive,
}

impl Side {
    fn other(self) -> Self {
        if self == Side::Send { Side::Receive } else { Side::Send }
    }
}

/// The step that is filled.
pub(super) struct Matching<'a> {
    resources: &'a Resources<'a>,
    /// What each lane takes, its ports among it.
    taken: &'a [Vec<u32>],
    /// Uses of each lane and of each resource.
    uses: Vec<u32>,
    used: Vec<u32>,
    /// Of each node that was come to: the lane that is to be used and the one that is not to be used any more.
    by: Vec<Option<(u32, u32)>>,
    order: Vec<u32>,
}

/// Lanes that are used, each with how often.
pub(super) type Uses = Vec<(u32, u32)>;

impl<'a> Matching<'a> {
    pub(super) fn new(resources: &'a Resources<'a>, taken: &'a [Vec<u32>]) -> Self {
        Matching {
            resources,
            taken,
            uses: vec![0; taken.len()],
            used: vec![0; resources.capacity.len()],
            by: vec![None; resources.out.len()],
            order: (0..taken.len() as u32).collect(),
        }
    }

    /// What is used of lanes at which so many messages wait, where each resource has so many uses left; `None` where the budget ends.
    pub(super) fn choose(&mut self, waiting: &[u32], left: &[u32], budget: &mut Budget<'_>) -> Option<Uses> {
        self.uses.fill(0);
        self.used.fill(0);
        if !budget.spend(self.taken.len() as u64) {
            return None;
        }
        let need = |resource: u32| left[resource as usize].div_ceil(self.resources.capacity[resource as usize]);
        let mut order = std::mem::take(&mut self.order);
        order.sort_by_cached_key(|lane| {
            let needs = self.taken[*lane as usize].iter().map(|resource| need(*resource));
            let (most, sum) = needs.fold((0, 0), |(most, sum), need| (need.max(most), sum + u64::from(need)));
            std::cmp::Reverse((most, sum))
        });
        for &lane in &order {
            while self.uses[lane as usize] < waiting[lane as usize] && self.is_free(lane, None) {
                self.take(lane);
            }
        }
        self.order = order;
        for side in [Side::Send, Side::Receive] {
            let ports = if side == Side::Send { &self.resources.send } else { &self.resources.receive };
            let mut limited: Vec<(u32, Node)> = (self.resources.problem.network().nodes().zip(ports))
                .filter_map(|(node, port)| port.map(|port| (need(port), node)))
                .filter(|(need, _)| *need > 0)
                .collect();
            limited.sort_by_key(|(need, node)| (std::cmp::Reverse(*need), *node));
            for (_, node) in limited {
                while self.has_room(side, node) && self.cover(side, node, waiting, left, budget) {}
            }
        }
        let used = (0u32..).zip(&self.uses).filter(|(_, uses)| **uses > 0);
        (!budget.is_over()).then(|| used.map(|(lane, uses)| (lane, *uses)).collect())
    }

    fn port(&self, side: Side, node: Node) -> Option<u32> {
        let ports = if side == Side::Send { &self.resources.send } else { &self.resources.receive };
        ports[node.index()]
    }

    fn has_room(&self, side: Side, node: Node) -> bool {
        self.port(side, node).is_none_or(|port| self.used[port as usize] < self.resources.capacity[port as usize])
    }

    fn node(&self, side: Side, lane: u32) -> Node {
        let (from, to) = self.resources.ends[lane as usize];
        if side == Side::Send { from } else { to }
    }

    /// Whether a lane may be used once more, as far as its channels and, but for `but`, its ports go.
    fn is_free(&self, lane: u32, but: Option<[Option<u32>; 2]>) -> bool {
        self.taken[lane as usize].iter().all(|resource| {
            let is_left_out = but.is_some_and(|ports| ports.contains(&Some(*resource)));
            is_left_out || self.used[*resource as usize] < self.resources.capacity[*resource as usize]
        })
    }

    fn take(&mut self, lane: u32) {
        self.uses[lane as usize] += 1;
        self.taken[lane as usize].iter().for_each(|resource| self.used[*resource as usize] += 1);
    }

    fn give(&mut self, lane: u32) {
        self.uses[lane as usize] -= 1;
        self.taken[lane as usize].iter().for_each(|resource| self.used[*resource as usize] -= 1);
    }

    /// Uses a lane more at the port of a node, along the shortest alternating path to a port with room, or else to the port that is needed least,
    /// and less than this one, which then has a use less. Whether there is one.
    fn cover(&mut self, side: Side, start: Node, waiting: &[u32], left: &[u32], budget: &mut Budget<'_>) -> bool {
        let resources = self.resources;
        self.by.fill(None);
        let weight =
            |port: Option<u32>| port.map_or(0, |port| left[port as usize].div_ceil(resources.capacity[port as usize]));
        let mut least: Option<(u32, Node)> = None;
        let mut queue = VecDeque::from([start]);
        let mut looks = 0;
        while let Some(node) = queue.pop_front() {
            let lanes = if side == Side::Send { &resources.out } else { &resources.into };
            for &lane in &lanes[node.index()] {
                looks += 1;
                let opposite = self.node(side.other(), lane);
                let ports = [self.port(side, node), self.port(side.other(), opposite)];
                if self.uses[lane as usize] >= waiting[lane as usize] || !self.is_free(lane, Some(ports)) {
                    continue;
                }
                if self.has_room(side.other(), opposite) {
                    return budget.spend(looks / 4 + 1) && self.turn(side, start, node, Some(lane));
                }
                let back = if side == Side::Send { &resources.into } else { &resources.out };
                for &used in &back[opposite.index()] {
                    let next = self.node(side, used);
                    if self.uses[used as usize] == 0 || next == start || self.by[next.index()].is_some() {
                        continue;
                    }
                    self.by[next.index()] = Some((lane, used));
                    let weighs = weight(self.port(side, next));
                    if least.is_none_or(|(other, _)| weighs < other) {
                        least = Some((weighs, next));
                    }
                    queue.push_back(next);
                }
            }
        }
        let may_go_on = budget.spend(looks / 4 + 1);
        match least.filter(|(weighs, _)| may_go_on && *weighs < weight(self.port(side, start))) {
            Some((_, idle)) => self.turn(side, start, idle, None),
            None => false,
        }
    }

    /// Along the path that led to a node, uses lanes that were not, `last` among them, and leaves those that were; all of that, or nothing where channels of a
    /// half-duplex group would be in each other's way.
    fn turn(&mut self, side: Side, start: Node, end: Node, last: Option<u32>) -> bool {
        let (mut more, mut less) = (Vec::from_iter(last), Vec::new());
        let mut node = end;
        while node != start {
            let (lane, used) = self.by[node.index()].expect("it was come to");
            more.push(lane);
            less.push(used);
            node = self.node(side, lane);
        }
        less.iter().for_each(|lane| self.give(*lane));
        more.iter().for_each(|lane| self.take(*lane));
        let capacity = &self.resources.capacity;
        let fits =
            |lane: &u32| self.taken[*lane as usize].iter().all(|r| self.used[*r as usize] <= capacity[*r as usize]);
        if more.iter().all(fits) {
            return true;
        }
        more.iter().for_each(|lane| self.give(*lane));
        less.iter().for_each(|lane| self.take(*lane));
        false
    }
}
