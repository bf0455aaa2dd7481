//! **What:** the method `slot-paths`: messages for many destinations under time-division, slot by slot over paths of any
//! length.
//!
//! **Method.** For a given period the slots are filled in order. In each, receivers in random order pull the rarest message
//! they lack from a holder that a path of free channels joins to them, each channel free in the slot in which the path
//! comes to it; short paths first, since they waste least, or long ones first in the first slots, where only origins have
//! anything to send and copies far apart spread faster. How long paths may be, and when, is drawn anew for each attempt.
//! Periods between the goal and the best so far are tried by bisection, then the one below the best until the budget is spent.
//!
//! **Parameters.** The lengths of paths in the first, the last and all other slots.
//!
//! **When it loses.** Where every channel must bring something new in every slot, a largest matching between neighbours
//! ([`crate::AllgatherMatching`]) comes nearer.

use crate::copies::Copies;
use crate::greedy_slots::Timing;
use graph::distances::{Distances, Way};
use graph::residual::Residual;
use kernel::{Channel, Network, Node, Problem, Schedule, Semantics, Switching};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::slice::from_ref;

/// The method.
pub struct SlotPaths;

/// Most entries of the table of slots, and of messages by nodes.
const MOST_ENTRIES: usize = 1 << 24;

/// Nodes that one search for a path may look at.
const LOOKS: u32 = 60;

/// Attempts at a period before the bisection takes it for too short.
const TRIES: u64 = 8;

impl Method for SlotPaths {
    fn name(&self) -> &'static str {
        "slot-paths"
    }

    fn about(&self) -> &'static str {
        "messages for many under time-division: slots filled in order, over paths of any length, with random restarts"
    }

    fn source(&self) -> &'static str {
        "randomised greedy construction (T. A. Feo, M. G. C. Resende, Greedy randomized adaptive search procedures, 1995)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let slotted = problem.model().is_slotted();
        let entries = collective.message_count().saturating_mul(problem.network().node_count());
        slotted
            && collective.semantics() == Semantics::Copy
            && entries <= MOST_ENTRIES
            && collective.messages().any(|m| collective.destinations(m).len() > 1)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let Switching::Tdm { hop, cyclic } = problem.model().switching else { return None };
        let budget = &mut Budget::new(run, run.settings.ticks);
        let start = State::new(problem, Timing { hop: hop as usize, cyclic }, budget)?;
        let mut near = run.settings.slack.map(|slack| (slack, Distances::new(problem, Way::Back)));
        let goal = usize::try_from(run.goal(floor)).ok()?.max(1);
        let mut attempts = 0;
        let mut best: Option<Schedule> = None;
        let mut known = run.incumbent.map(|known| known.steps());
        // Below `low` no period has been reached in a few tries; from `known` on there is no need to look.
        let (mut low, mut period) = (goal, goal);
        while known.is_none_or(|known| known > goal) {
            let tries = match known {
                None => 2,
                Some(_) if low < period => TRIES,
                Some(_) => u64::MAX,
            };
            let mut found = None;
            for _ in 0..tries {
                found =
                    start.clone().fill(period, run.settings.seed.generator(0x510f_0000 + attempts), &mut near, budget);
                attempts += 1;
                if found.is_some() || budget.is_over() {
                    break;
                }
            }
            match found {
                Some(schedule) => {
                    run.progress.found(self.name(), period as u64);
                    known = Some(period);
                    best = Some(schedule);
                }
                None if budget.is_over() => return best,
                None => low = period + 1,
            }
            period = match known {
                // Nothing found yet: twice as long, as long as memory allows.
                None if period.saturating_mul(problem.network().channel_count()) > MOST_ENTRIES => return None,
                None => period * 2 + 1,
                Some(known) if low < known => low + (known - low) / 2,
                // All shorter ones have been tried a little: the next shorter one again, as long as there is budget.
                Some(known) => known.saturating_sub(1),
            };
            low = low.min(period);
        }
        best
    }
}

/// When and how long paths may be, in one attempt.
struct Policy {
    /// Slots at the beginning, and at the end, with paths of any length.
    early: usize,
    late: usize,
    /// Longest path in the other slots.
    between: usize,
    /// Long paths first in the early slots.
    far_first: bool,
}

/// How much longer than the shortest paths may be, with their lengths.
type Slack<'a> = Option<(u32, Distances<'a>)>;

/// A path that begins in a slot.
#[derive(Clone, Copy)]
struct Begun {
    slot: usize,
    /// Its channels.
    length: usize,
}

/// One attempt.
#[derive(Clone)]
struct State<'a> {
    problem: &'a Problem,
    timing: Timing,
    period: usize,
    /// Channels and groups, by slot.
    free: Vec<Residual<'a>>,
    /// Transfers begun and ended at each node, by slot.
    sent: Vec<Vec<u32>>,
    received: Vec<Vec<u32>>,
    copies: Copies,
}

impl<'a> State<'a> {
    fn new(problem: &'a Problem, timing: Timing, budget: &mut Budget<'_>) -> Option<Self> {
        let copies = Copies::new(problem, problem.collective().messages().collect(), budget)?;
        let (free, sent, received) = (Vec::new(), Vec::new(), Vec::new());
        Some(State { problem, timing, period: 0, free, sent, received, copies })
    }

    fn network(&self) -> &'a Network {
        self.problem.network()
    }

    /// The slot in which a path comes to its channel of that number, or ends.
    fn slot_of(&self, begun: Begun, number: usize) -> usize {
        (begun.slot + number * self.timing.hop) % self.period
    }

    /// Fills a period; `None` where something is left over, or the budget ends.
    fn fill(
        mut self,
        period: usize,
        mut random: Pcg64Mcg,
        near: &mut Slack<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<Schedule> {
        let network = self.network();
        let size = period * (network.node_count() + network.channel_count());
        if !budget.spend(60 * period as u64 + (size as u64 + self.copies.size()) / 4) {
            return None;
        }
        self.period = period;
        self.free = vec![Residual::new(network); period];
        self.sent = vec![vec![0; network.node_count()]; period];
        self.received = self.sent.clone();
        let policy = Policy {
            early: random.random_range(0..=self.timing.hop + 2),
            late: random.random_range(0..=period),
            between: random.random_range(1..=3),
            far_first: random.random(),
        };
        let mut order: Vec<Node> = network.terminals().to_vec();
        let mut arrivals: BTreeMap<usize, Vec<(usize, Node)>> = BTreeMap::new();
        let mut schedule = Schedule::new();
        for slot in 0..period {
            while let Some(entry) = arrivals.first_entry().filter(|e| *e.key() < slot) {
                entry.remove().into_iter().for_each(|(k, node)| self.copies.arrive(k, node));
            }
            schedule.begin_step();
            let any = slot < policy.early || slot + policy.late >= period;
            // Longer paths than with every node once there are not; most are found far below that.
            let mut longest = if any { network.node_count() - 1 } else { policy.between };
            if !self.timing.cyclic {
                longest = longest.min((period - 1 - slot) / self.timing.hop);
            }
            let longest = longest.min(MOST_HOPS);
            let far_first = policy.far_first && slot < policy.early;
            for turn in 1..=longest {
                let length = if far_first { longest + 1 - turn } else { turn };
                // Of each length, whoever lacks most goes first.
                order.shuffle(&mut random);
                order.sort_by_key(|v| Reverse(self.copies.lacking(*v)));
                if !budget.spend(order.len() as u64) {
                    return None;
                }
                let begun = Begun { slot, length };
                for &receiver in &order {
                    while self.copies.lacking(receiver) > 0 {
                        let pulled = self.pull(receiver, begun, &mut random, near, budget);
                        let Some((k, path)) = pulled else { break };
                        schedule.send(self.copies.message(k), &path);
                        arrivals.entry(slot + length * self.timing.hop).or_default().push((k, receiver));
                    }
                }
                if self.copies.open() == 0 {
                    break;
                }
            }
        }
        (self.copies.open() == 0).then_some(schedule)
    }

    /// Takes a path to `receiver` from a holder of something that it lacks.
    fn pull(
        &mut self,
        receiver: Node,
        begun: Begun,
        random: &mut Pcg64Mcg,
        near: &mut Slack<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<(usize, Vec<Channel>)> {
        let ends = self.slot_of(begun, begun.length);
        let ports = self.network().receive_ports(receiver);
        if ports.is_some_and(|ports| self.received[ends][receiver.index()] >= ports) {
            return None;
        }
        let longest = match near {
            Some((slack, distances)) => Some((*slack, distances.of(receiver, budget)?)),
            None => None,
        };
        let mut walk = Walk { state: self, receiver, begun, path: Vec::new(), looks: LOOKS, longest };
        let found = walk.back(receiver, begun.length, random);
        let (mut path, looks) = (walk.path, walk.looks);
        // A look compares what two nodes hold, a word at a time, and may begin a search.
        if !budget.spend(u64::from(LOOKS - looks) * (4 + self.copies.words() as u64) + 8) {
            return None;
        }
        let sender = found?;
        path.reverse();
        let rarest = self.copies.offered(from_ref(&sender), receiver);
        let (.., k) = rarest.map(|k| (self.copies.counts()[k], random.random::<u32>(), k)).min()?;
        for (i, &channel) in path.iter().enumerate() {
            let slot = self.slot_of(begun, i);
            self.free[slot].try_channel(channel);
        }
        self.sent[begun.slot][sender.index()] += 1;
        self.received[ends][receiver.index()] += 1;
        self.copies.send(k, receiver);
        Some((k, path))
    }
}

/// A walk back from a receiver.
struct Walk<'w, 'a> {
    state: &'w State<'a>,
    receiver: Node,
    begun: Begun,
    /// Backwards.
    path: Vec<Channel>,
    looks: u32,
    /// How much longer than the shortest the path may be, with the distances to the receiver.
    longest: Option<(u32, &'w [u32])>,
}

impl Walk<'_, '_> {
    /// Goes `left` channels back from `at`, to a node that holds something for the receiver. As deep as `left`.
    fn back(&mut self, at: Node, left: usize, random: &mut Pcg64Mcg) -> Option<Node> {
        let (state, network) = (self.state, self.state.network());
        let channels = network.incoming(at);
        let rotation = random.random_range(0..channels.len().max(1));
        let now = state.slot_of(self.begun, left - 1);
        for i in 0..channels.len() {
            let channel = channels[(i + rotation) % channels.len()];
            let from = network.from(channel);
            self.looks = self.looks.checked_sub(1)?;
            let visited = from == self.receiver || self.path.iter().any(|c| network.from(*c) == from);
            let too_far = self.longest.is_some_and(|(slack, near)| {
                self.path.len() as u64 >= u64::from(near[from.index()]) + u64::from(slack)
            });
            if visited || too_far || !state.free[now].free(channel) {
                continue;
            }
            self.path.push(channel);
            if left == 1 {
                let sent = state.sent[self.begun.slot][from.index()];
                let may_send = network.send_ports(from).is_none_or(|ports| sent < ports);
                let offers = || state.copies.offered(from_ref(&from), self.receiver).next().is_some();
                if may_send && network.is_terminal(from) && offers() {
                    return Some(from);
                }
            } else if state.problem.path_passes(from) {
                let found = self.back(from, left - 1, random);
                if found.is_some() {
                    return found;
                }
            }
            self.path.pop();
        }
        None
    }
}

/// Longest path looked for.
const MOST_HOPS: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AllgatherMatching;
    use kernel::{Collective, Model, NetworkData, Ports};
    use run::Settings;
    use testing::{full_tree, hypercube, network, ring_uni, solved, solved_with, with_hosts};

    fn slotted(network: &Network, all: bool, hop: u32, cyclic: bool) -> Problem {
        let terminals = network.terminals();
        let collective = match all {
            true => Collective::allgather(terminals, terminals),
            false => Collective::broadcast(terminals[0], terminals),
        };
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        Problem::new(network.clone(), collective, model).unwrap()
    }

    fn one_port(network: &Network) -> Network {
        let ports = Ports::Each(1);
        Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() }).unwrap()
    }

    fn floor(problem: &Problem) -> u64 {
        let stop = std::sync::atomic::AtomicBool::new(false);
        bounds::strongest(problem, &Run::new(Settings::default(), &run::Silent, &stop)).steps
    }

    /// The floors count how long a copy is in flight; these are reached.
    #[test]
    fn broadcasts_at_their_floors() {
        for (d, all_ports, one) in [(3, 3, 4), (4, 3, 6)] {
            for (network, slots) in [(hypercube(d), all_ports), (one_port(&hypercube(d)), one)] {
                let problem = slotted(&network, false, 1, true);
                assert_eq!(floor(&problem), slots);
                assert_eq!(solved(&SlotPaths, &problem, slots).steps() as u64, slots);
            }
        }
    }

    #[test]
    fn allgather_near_its_floor() {
        let problem = slotted(&hypercube(6), true, 1, true);
        assert!(solved(&AllgatherMatching, &problem, 11).steps() <= 12);
        let problem = slotted(&one_port(&hypercube(4)), true, 1, true);
        assert_eq!(solved_with(&SlotPaths, &problem, 15, Settings::default()).steps(), 15);
    }

    /// Long hops, periods without wrap-round, switches, and terminals that must relay.
    #[test]
    fn every_kind_of_slots() {
        let relays = NetworkData { no_transit: vec![1, 2, 3], ..ring_uni(5).data().clone() };
        let networks = [full_tree(7), with_hosts(&network(2, vec![(0, 1), (1, 0)]), 2), Network::new(relays).unwrap()];
        for network in networks {
            for (hop, cyclic) in [(1, true), (1, false), (3, true), (3, false)] {
                for all in [false, true] {
                    let problem = slotted(&network, all, hop, cyclic);
                    let found = solved(&SlotPaths, &problem, floor(&problem));
                    assert!(found.steps() as u64 >= floor(&problem));
                }
            }
        }
    }
}
