//! **What:** the method `edge-colouring`: messages between pairs on networks of switches, by colouring, one level after the other.
//!
//! **Facts.** Taken apart from the terminals inwards (see `slots`), a network of switches is a boundary with planes inside,
//! each again a boundary with planes inside. The messages are the edges of a bipartite graph from the boundary nodes where
//! they are to those where they must come out. Colours of this graph are slots: all messages of one colour go through
//! different channels into the same plane, where the same problem is left with fewer messages. A message that comes to the
//! node where it must come out, or to the lowest common ancestor, goes in no further. At the terminals a colour is also
//! a step. A bipartite graph needs no more colours than a node has messages, so a permutation takes one step wherever every
//! switch has as many channels inwards as outwards: fat trees that are not slimmed, Clos networks with as many middle switches
//! as inputs, Beneš networks; and h messages a terminal take h steps there.
//!
//! **Parameters.** Of several colours a message takes that behind which the least is going on, which spreads the load
//! where channels inwards are fewer. Messages left without a slot at some level are tried in further steps; other
//! orders of the messages are tried while steps are above the goal.
//!
//! **When it loses.** Slimmed trees and networks with faults: there a colour should be chosen with all levels in view, and
//! `packing` finds fewer steps. Networks with one path a pair, direct networks and those with channels that lead round the
//! planes have no choices for it.
//!
//! **Source:** D. Kőnig 1916; C. Clos 1953 and V. E. Beneš 1962 for two and for many levels; level by level on fat trees ours.

mod colouring;
mod slots;

use colouring::{Behind, Colouring};
use graph::distances::within_slack;
use kernel::{Channel, Message, Network, Node, Problem, Schedule, Semantics, Switching};
use rand::seq::SliceRandom;
use run::{Budget, Method, Run};
use slots::Slots;

/// The method.
pub struct EdgeColouring;

/// Messages times steps beyond which it does not apply.
const MOST_WORK: u64 = 1 << 28;

impl Method for EdgeColouring {
    fn name(&self) -> &'static str {
        "edge-colouring"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["planes"]
    }

    fn about(&self) -> &'static str {
        "messages between pairs on switches: bipartite graphs coloured level by level; permutations of fat trees in one step"
    }

    fn source(&self) -> &'static str {
        "D. Kőnig 1916; V. E. Beneš, On rearrangeable three-stage connecting networks, 1962; on trees ours"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        let inner = |v: Node| !network.is_terminal(v) && network.is_transit(v);
        let hosted = |t: Node| {
            network.outgoing(t).iter().all(|&c| inner(network.to(c)))
                && network.incoming(t).iter().all(|&c| inner(network.from(c)))
        };
        let pair = |m| collective.contributors(m).len() == 1 && collective.destinations(m).len() == 1;
        problem.model().switching == Switching::Wormhole
            && !problem.model().combining
            && collective.semantics() == Semantics::Copy
            && network.half_duplex().is_empty()
            && network.terminals().iter().all(|&t| hosted(t))
            && collective.messages().all(pair)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let budget = &mut Budget::new(run, run.settings.ticks);
        let fabric = Fabric { network: problem.network(), slots: Slots::new(problem.network(), budget)? };
        let mut calls = fabric.calls(problem);
        let steps = floor.max(fabric.busiest(&calls)? as u64);
        if calls.len() as u64 * steps > MOST_WORK || !calls.iter().all(|call| fabric.has_way(call)) {
            return None;
        }
        let mut best = None;
        let mut most = run.incumbent.map(|known| known.steps());
        for attempt in 0.. {
            if attempt > 0 {
                calls.shuffle(&mut run.settings.seed.generator(attempt));
            }
            if let Some(found) = fabric.schedule(&calls, floor, most, budget) {
                run.progress.found(self.name(), found.step_count() as u64);
                most = Some(found.step_count());
                best = Some(found);
            }
            let reached = most.is_none_or(|most| most as u64 <= run.goal(floor));
            if reached || !budget.spend(20 * calls.len() as u64) {
                break;
            }
        }
        // Paths in trees are shortest, but others need not be.
        best.filter(|best| within_slack(problem, best, run.settings.slack, budget))
    }
}

/// A message and its ends.
#[derive(Clone, Copy)]
struct Call {
    message: Message,
    ends: [Node; 2],
}

/// The transfers of a step.
type Step = Vec<(Message, Vec<Channel>)>;

struct Fabric<'a> {
    network: &'a Network,
    slots: Slots,
}

/// The slots of terminals, in every step anew.
struct Terminals<'a> {
    fabric: &'a Fabric<'a>,
    steps: usize,
}

/// The slots of nodes further inside, within one step.
struct Inside<'a>(&'a Fabric<'a>);

impl Fabric<'_> {
    fn calls(&self, problem: &Problem) -> Vec<Call> {
        let collective = problem.collective();
        let call = |message| Call { message, ends: [collective.origin(message), collective.destinations(message)[0]] };
        collective.messages().map(call).filter(|call| call.ends[0] != call.ends[1]).collect()
    }

    /// Whether a message's ends share a switch, or go further than their switches at all.
    fn has_way(&self, call: &Call) -> bool {
        let [from, to] = call.ends;
        (0..self.slots.inwards[from.index()].len()).any(|slot| {
            match (self.behind(0, from, slot), self.behind(1, to, slot)) {
                (Some(a), Some(b)) => a == b || !self.slots.inwards[a.index()].is_empty(),
                _ => false,
            }
        })
    }

    /// The channel of a slot; terminals have no more than ports.
    fn channel(&self, side: usize, node: Node, slot: usize) -> Option<Channel> {
        let slots = [&self.slots.inwards, &self.slots.outwards][side];
        let channel = (*slots[node.index()].get(slot)?)?;
        let ports = [self.network.send_ports(node), self.network.receive_ports(node)][side];
        let barred = self.network.is_terminal(node) && ports.is_some_and(|most| slot as u64 >= u64::from(most));
        (!barred).then_some(channel)
    }

    /// The node at the other end of a slot.
    fn behind(&self, side: usize, node: Node, slot: usize) -> Option<Node> {
        let channel = self.channel(side, node, slot)?;
        Some(if side == 0 { self.network.to(channel) } else { self.network.from(channel) })
    }

    /// All messages, in as many passes as are needed; `None` where some cannot be placed, `most` steps are no fewer, or the budget
    /// ends.
    fn schedule(&self, calls: &[Call], floor: u64, most: Option<usize>, budget: &mut Budget<'_>) -> Option<Schedule> {
        let mut steps: Vec<Step> = Vec::new();
        let mut left = calls.to_vec();
        let mut least = usize::try_from(floor).ok()?;
        while !left.is_empty() {
            let (placed, rest) = self.pass(&left, least.max(self.busiest(&left)?), budget)?;
            least = 1;
            steps.extend(placed.into_iter().filter(|step| !step.is_empty()));
            if rest.len() == left.len() || most.is_some_and(|most| steps.len() >= most) {
                return None;
            }
            left = rest;
        }
        Some(steps.into_iter().collect())
    }

    /// Steps that the terminals need; `None` where one of them has no channel for what it has to do.
    fn busiest(&self, calls: &[Call]) -> Option<usize> {
        let mut counts = [vec![0; self.network.node_count()], vec![0; self.network.node_count()]];
        calls.iter().for_each(|call| (0..2).for_each(|side| counts[side][call.ends[side].index()] += 1));
        let mut most = 1;
        for (side, counts) in counts.iter().enumerate() {
            for (v, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                let slots = self.slots.inwards[v].len();
                let open = (0..slots).filter(|&slot| self.channel(side, Node::new(v), slot).is_some()).count();
                most = usize::div_ceil(*count, if open == 0 { return None } else { open }).max(most);
            }
        }
        Some(most)
    }

    /// Paths in so many steps for as many of the messages as get slots at every level, and the others.
    fn pass(&self, calls: &[Call], steps: usize, budget: &mut Budget<'_>) -> Option<(Vec<Step>, Vec<Call>)> {
        let edges: Vec<[u32; 2]> = calls.iter().map(|call| call.ends.map(|v| v.0)).collect();
        let terminals = Terminals { fabric: self, steps };
        let colouring = Colouring::new(&terminals, self.network.node_count(), &edges, budget)?;
        let mut rest = Vec::new();
        let mut routes: Vec<Vec<Route>> = (0..steps).map(|_| Vec::new()).collect();
        for (number, &call) in calls.iter().enumerate() {
            let slot = colouring.slot(number).map(|slot| (slot / terminals.width(call), slot % terminals.width(call)));
            match slot.and_then(|(step, slot)| Some((step, Route::new(call).further(self, slot)?))) {
                Some((step, route)) => routes[step].push(route),
                None => rest.push(call),
            }
        }
        drop(colouring);
        let mut placed = Vec::with_capacity(steps);
        for routes in routes {
            placed.push(self.inwards(routes, &mut rest, budget)?);
        }
        Some((placed, rest))
    }

    /// One step's routes taken further until they meet.
    fn inwards(&self, mut routes: Vec<Route>, rest: &mut Vec<Call>, budget: &mut Budget<'_>) -> Option<Step> {
        let mut done = Vec::with_capacity(routes.len());
        while !routes.is_empty() {
            let met = routes.extract_if(.., |route| route.at[0] == route.at[1]);
            done.extend(met.map(|route| (route.call.message, route.path())));
            let edges: Vec<[u32; 2]> = routes.iter().map(|route| route.at.map(|v| v.0)).collect();
            let inside = Inside(self);
            let colouring = Colouring::new(&inside, self.network.node_count(), &edges, budget)?;
            let mut further = Vec::with_capacity(routes.len());
            for (number, route) in routes.into_iter().enumerate() {
                let call = route.call;
                match colouring.slot(number).and_then(|slot| route.further(self, slot)) {
                    Some(route) => further.push(route),
                    None => rest.push(call),
                }
            }
            routes = further;
        }
        Some(done)
    }
}

impl Terminals<'_> {
    /// Slots of a terminal in one step.
    fn width(&self, call: Call) -> usize {
        self.fabric.slots.inwards[call.ends[0].index()].len().max(1)
    }
}

impl Behind for Terminals<'_> {
    fn slots(&self, node: u32) -> usize {
        self.fabric.slots.inwards[node as usize].len() * self.steps
    }

    fn place(&self, side: usize, node: u32, slot: usize) -> Option<usize> {
        let width = self.fabric.slots.inwards[node as usize].len();
        let there = self.fabric.behind(side, Node(node), slot % width)?;
        Some(slot / width * self.fabric.network.node_count() + there.index())
    }

    fn places(&self) -> usize {
        self.steps * self.fabric.network.node_count()
    }
}

impl Behind for Inside<'_> {
    fn slots(&self, node: u32) -> usize {
        self.0.slots.inwards[node as usize].len()
    }

    fn place(&self, side: usize, node: u32, slot: usize) -> Option<usize> {
        self.0.behind(side, Node(node), slot).map(Node::index)
    }

    fn places(&self) -> usize {
        self.0.network.node_count()
    }
}

/// A message's way so far, from both its ends.
struct Route {
    call: Call,
    at: [Node; 2],
    taken: [Vec<Channel>; 2],
}

impl Route {
    fn new(call: Call) -> Self {
        Route { call, at: call.ends, taken: [Vec::new(), Vec::new()] }
    }

    /// The route with the channels of a slot at both ends; `None` where an end has no such slot.
    fn further(mut self, fabric: &Fabric<'_>, slot: usize) -> Option<Self> {
        for side in 0..2 {
            self.taken[side].push(fabric.channel(side, self.at[side], slot)?);
            self.at[side] = fabric.behind(side, self.at[side], slot)?;
        }
        Some(self)
    }

    fn path(self) -> Vec<Channel> {
        let [mut path, back] = self.taken;
        path.extend(back.into_iter().rev());
        path
    }
}
