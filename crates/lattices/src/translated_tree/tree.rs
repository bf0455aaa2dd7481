//! **What:** the tree of node 0 as it grows.

use super::classes::Classes;
use super::matching::Matching;
use construct::{Control, Request, fewest_ports};
use graph::distances::{Way, hops};
use kernel::{Channel, Message, Node, Schedule};
use run::Budget;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Most slots of a hop under time-division.
const MOST_SLOTS: usize = 1 << 10;

/// How the tree grows under a model.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Steps after that in which a node receives a message until it may send it on.
    delay: usize,
    /// Steps behind the last one, in which it still travels.
    after: usize,
}

impl Pace {
    /// Of a request; `None` where a hop takes so long that slots would be idle by the million.
    pub(super) fn of(request: &Request<'_>) -> Option<Self> {
        let Some(slots) = request.model().switching.slots() else { return Some(Pace { delay: 1, after: 0 }) };
        let hop = usize::try_from(slots.hop).ok().filter(|hop| *hop <= MOST_SLOTS)?;
        Some(Pace { delay: hop + 1, after: if slots.cyclic { 0 } else { hop } })
    }

    pub(super) fn is_slotted(self) -> bool {
        self.delay > 1
    }
}

/// The tree of node 0 in few steps.
pub(super) fn best_tree(classes: &Classes<'_>, pace: Pace, control: &Control<'_>) -> Option<Schedule> {
    let tree = Tree::new(classes)?;
    let least = tree.least_steps(pace)?;
    let schedule = tree.grown(false, pace, control)?;
    if schedule.step_count() <= least {
        return Some(schedule);
    }
    let other = Tree::new(classes)?.grown(true, pace, control)?;
    Some(if other.step_count() < schedule.step_count() { other } else { schedule })
}

/// A node that a class can bring in; the least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// Classes that could bring the node in when this was written down; they become no fewer.
    ways: u32,
    /// From node 0.
    distance: u32,
    /// The node's number, counted from the last where these come first.
    rank: u32,
    /// The class, and its channel that leads to the node.
    class: u32,
    channel: Channel,
}

/// The tree of node 0 as it grows.
struct Tree<'a> {
    classes: &'a Classes<'a>,
    /// Classes of which one is used in a step.
    rivals: Vec<Vec<usize>>,
    distances: Vec<u32>,
    is_in: Vec<bool>,
    from_last: bool,
    /// Classes that could bring each node in.
    ways: Vec<u32>,
    /// What each class could bring in, and perhaps some that are in by now.
    offers: Vec<BinaryHeap<Reverse<Offer>>>,
}

impl<'a> Tree<'a> {
    /// Nothing but node 0; `None` where it does not reach all.
    fn new(classes: &'a Classes<'a>) -> Option<Self> {
        let network = classes.network;
        let count = network.node_count();
        if network.terminals().len() != count {
            return None;
        }
        let distances = hops(network, &[Node(0)], Way::On, |_| true, &mut Budget::unlimited())?;
        if distances.contains(&u32::MAX) {
            return None;
        }
        let offers = vec![BinaryHeap::new(); classes.count];
        let rivals = classes.rivals();
        Some(Tree {
            classes,
            rivals,
            distances,
            is_in: vec![false; count],
            from_last: false,
            ways: vec![0; count],
            offers,
        })
    }

    /// Steps that it has at least where transfers take one channel and of rivals one is used a step; none where no class can be used.
    fn least_steps(&self, pace: Pace) -> Option<usize> {
        let farthest = self.distances.iter().max().map_or(0, |far| *far as usize);
        let others = self.distances.len() - 1;
        if others > 0 && self.rivals.is_empty() {
            return None;
        }
        // After the first step nothing new can be sent on until the delay is over.
        let busy = others.div_ceil(self.rivals.len().max(1));
        let waits = pace.delay - 1;
        let idle = if busy > 1 { waits } else { 0 };
        Some((busy + idle).max(farthest + farthest.saturating_sub(1) * waits) + pace.after)
    }

    /// The transfers of the message of node 0, step by step; of equals the last node first where `from_last`.
    fn grown(mut self, from_last: bool, pace: Pace, control: &Control<'_>) -> Option<Schedule> {
        let network = self.classes.network;
        self.from_last = from_last;
        let mut matching = Matching::new(network.node_count());
        let mut schedule = Schedule::new();
        let mut missing = network.node_count() - 1;
        // Nodes that cannot send on yet, with the steps from which on they can.
        let mut waiting = VecDeque::new();
        // Slots cannot be divided afterwards, as steps can.
        let ports = fewest_ports(network).filter(|_| pace.is_slotted()).unwrap_or(usize::MAX);
        self.bring_in(Node(0), control)?;
        while missing > 0 {
            control.tick()?;
            while let Some((_, node)) = waiting.front().copied().filter(|(ready, _)| *ready <= schedule.step_count()) {
                waiting.pop_front();
                self.bring_in(node, control)?;
            }
            let offers: Vec<Vec<Offer>> =
                (0..self.rivals.len()).map(|at| self.best_of_rivals(at, control)).collect::<Option<_>>()?;
            let nodes: Vec<Vec<u32>> =
                offers.iter().map(|list| list.iter().map(|offer| self.node(offer).0).collect()).collect();
            let taken = matching.of(&nodes);
            schedule.begin_step();
            let mut new = Vec::new();
            for (list, taken) in offers.into_iter().zip(taken) {
                for (at, offer) in list.into_iter().enumerate() {
                    match taken == Some(at) && new.len() < ports {
                        true => new.push(offer),
                        false => self.offers[offer.class as usize].push(Reverse(offer)),
                    }
                }
            }
            // Where nobody waits, the node nearest to node 0 can be brought in, so there is one.
            missing = missing.checked_sub(new.len()).filter(|_| !new.is_empty() || !waiting.is_empty())?;
            for offer in new {
                let node = self.node(&offer);
                schedule.send(Message(0), &[offer.channel]);
                match pace.delay {
                    1 => self.bring_in(node, control)?,
                    delay => {
                        self.is_in[node.index()] = true;
                        waiting.push_back((schedule.step_count() - 1 + delay, node));
                    }
                }
            }
        }
        (0..pace.after).for_each(|_| schedule.begin_step());
        Some(schedule)
    }

    /// The node that an offer brings in.
    fn node(&self, offer: &Offer) -> Node {
        self.classes.network.to(offer.channel)
    }

    /// Takes a node into the tree, for the steps to come.
    fn bring_in(&mut self, node: Node, control: &Control<'_>) -> Option<()> {
        self.is_in[node.index()] = true;
        for (class, offers) in (0u32..).zip(&mut self.offers) {
            let channel = self.classes.at(node, class as usize);
            let next = self.classes.network.to(channel);
            control.tick()?;
            if !self.is_in[next.index()] {
                let ways = &mut self.ways[next.index()];
                *ways += 1;
                let rank = if self.from_last { u32::MAX - next.0 } else { next.0 };
                let distance = self.distances[next.index()];
                offers.push(Reverse(Offer { ways: *ways, distance, rank, class, channel }));
            }
        }
        Some(())
    }

    /// The first nodes that one of some rivals can bring in, taken off their lists.
    fn best_of_rivals(&mut self, at: usize, control: &Control<'_>) -> Option<Vec<Offer>> {
        let mut best = Vec::new();
        for rival in 0..self.rivals[at].len() {
            best.extend(self.best_of(self.rivals[at][rival], control)?);
        }
        best.sort_unstable();
        Some(best)
    }

    /// The first nodes that a class can bring in, no more than there are classes, taken off its list.
    fn best_of(&mut self, class: usize, control: &Control<'_>) -> Option<Vec<Offer>> {
        let mut best = Vec::new();
        while let Some(Reverse(mut offer)) = self.offers[class].pop() {
            control.tick()?;
            let node = self.node(&offer);
            let ways = self.ways[node.index()];
            if self.is_in[node.index()] {
                continue;
            }
            if offer.ways < ways {
                offer.ways = ways;
                self.offers[class].push(Reverse(offer));
                continue;
            }
            best.push(offer);
            if best.len() == self.classes.count {
                break;
            }
        }
        Some(best)
    }
}
