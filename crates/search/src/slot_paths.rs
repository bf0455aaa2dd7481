//! **What:** the engine `slot-paths`: messages for many destinations under time-division, slot by slot over paths of any
//! length.
//!
//! **Method.** For a given period the slots are filled in order. In each, receivers in random order pull the rarest message
//! they lack from a holder that a path of free channels joins to them, each channel free in the slot in which the path
//! comes to it; short paths first, since they waste least, or long ones first in the first slots, where only origins have
//! anything to send and copies far apart spread faster. How long paths may be, and when, is drawn anew for each attempt.
//! Periods between the goal and the best so far are tried by bisection, then the one below the best until the budget is spent.
//!
//! **Knobs.** The lengths of paths in the first, the last and all other slots.
//!
//! **When it loses.** Where every channel must bring something new in every slot, a largest matching between neighbours
//! ([`crate::AllgatherMatching`]) comes nearer.

use crate::relays::Relays;
use graph::paths::{Distances, Way};
use graph::residual::Residual;
use kernel::{Channel, Message, Network, Node, Problem, Schedule, Semantics, Switching};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Method, Run};
use std::collections::BTreeMap;

/// The engine.
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
        let slotted = matches!(problem.model().switching, Switching::Tdm { .. });
        let entries = collective.message_count().saturating_mul(problem.network().node_count());
        let many = collective.messages().any(|m| collective.destinations(m).len() > 1);
        collective.semantics() == Semantics::Copy && slotted && many && entries <= MOST_ENTRIES
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let Switching::Tdm { hop, cyclic } = problem.model().switching else { return None };
        let start = State::new(problem, hop as usize, cyclic)?;
        let mut near = run.settings.slack.map(|slack| (slack, Distances::new(problem, Way::Back)));
        let goal = usize::try_from(run.goal(floor)).ok()?.max(1);
        let budget = run.settings.ticks;
        let (mut attempts, mut ticks) = (0, 0);
        let mut best: Option<Schedule> = None;
        // Below `low` no period has been reached in a few tries; above `high` there is no need to look.
        let (mut low, mut period) = (goal, goal);
        loop {
            let tries = match best {
                None => 2,
                Some(_) if low < period => TRIES,
                Some(_) => u64::MAX,
            };
            // A first schedule is wanted whatever it takes.
            let spent = |ticks| (best.is_some() && ticks > budget) || run.stopped();
            let mut found = None;
            for _ in 0..tries {
                let mut state = start.clone();
                found = state.fill(period, run.settings.seed.generator(0x510f_0000 + attempts), &mut near, run);
                attempts += 1;
                ticks += state.ticks + start.hold.len() as u64;
                if found.is_some() || spent(ticks) {
                    break;
                }
            }
            match found {
                Some(schedule) => {
                    run.progress.found(self.name(), period as u64);
                    best = Some(schedule);
                }
                None if spent(ticks) => return best,
                None => low = period + 1,
            }
            let high = match &best {
                Some(best) if best.step_count() <= goal => break,
                Some(best) => best.step_count(),
                // Nothing found yet: twice as long, as long as memory allows.
                None if period.saturating_mul(problem.network().channel_count()) > MOST_ENTRIES => return None,
                None => period * 2 + 1,
            };
            period = match best {
                None => high,
                Some(_) if low < high => low + (high - low) / 2,
                // All shorter ones have been tried a little: the next shorter one again, as long as there is budget.
                Some(_) => high - 1,
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

/// One attempt.
#[derive(Clone)]
struct State<'a> {
    problem: &'a Problem,
    hop: usize,
    cyclic: bool,
    period: usize,
    /// Channels and groups, by slot.
    free: Vec<Residual<'a>>,
    /// Transfers begun and ended at each node, by slot.
    sent: Vec<Vec<u32>>,
    received: Vec<Vec<u32>>,
    words: usize,
    /// Bitsets over messages, one a node: held now, and neither held nor under way.
    hold: Vec<u64>,
    want: Vec<u64>,
    wants: Vec<u32>,
    /// Copies of each message, those under way included.
    copies: Vec<u32>,
    open: u64,
    ticks: u64,
}

/// How much longer than the shortest paths may be, with their lengths.
type Slack<'a> = Option<(u32, Distances<'a>)>;

impl<'a> State<'a> {
    fn new(problem: &'a Problem, hop: usize, cyclic: bool) -> Option<Self> {
        let (n, collective) = (problem.network().node_count(), problem.collective());
        let words = collective.message_count().div_ceil(64);
        let mut state = State {
            problem,
            hop,
            cyclic,
            period: 0,
            free: Vec::new(),
            sent: Vec::new(),
            received: Vec::new(),
            words,
            hold: vec![0; n * words],
            want: vec![0; n * words],
            wants: vec![0; n],
            copies: vec![1; collective.message_count()],
            open: 0,
            ticks: 0,
        };
        let mut relays = Relays::new(problem);
        for message in collective.messages() {
            let origin = collective.origin(message);
            let (word, bit) = (message.index() / 64, 1u64 << (message.index() % 64));
            state.hold[origin.index() * words + word] |= bit;
            let destinations = || collective.destinations(message).iter().copied().filter(|d| *d != origin);
            destinations().for_each(|d| state.add(d, word, bit));
            for destination in destinations() {
                let wanted = |v: Node| state.want[v.index() * words + word] & bit != 0;
                let route = relays.route(message, destination, wanted)?;
                route.into_iter().for_each(|v| state.add(v, word, bit));
            }
        }
        Some(state)
    }

    fn add(&mut self, node: Node, word: usize, bit: u64) {
        let at = &mut self.want[node.index() * self.words + word];
        if *at & bit == 0 {
            *at |= bit;
            self.wants[node.index()] += 1;
            self.open += 1;
        }
    }

    fn network(&self) -> &'a Network {
        self.problem.network()
    }

    /// Fills a period; `None` where something is left over.
    fn fill(&mut self, period: usize, mut random: Pcg64Mcg, near: &mut Slack<'_>, run: &Run<'_>) -> Option<Schedule> {
        let network = self.network();
        self.period = period;
        self.free = vec![Residual::new(network); period];
        self.sent = vec![vec![0; network.node_count()]; period];
        self.received = self.sent.clone();
        let policy = Policy {
            early: random.random_range(0..=self.hop + 2),
            late: random.random_range(0..=period),
            between: random.random_range(1..=3),
            far_first: random.random(),
        };
        let mut order: Vec<Node> = network.terminals().to_vec();
        let mut arrivals: BTreeMap<usize, Vec<(Message, Node)>> = BTreeMap::new();
        let mut schedule = Schedule::new();
        for slot in 0..period {
            while let Some(entry) = arrivals.first_entry().filter(|e| *e.key() < slot) {
                for (message, node) in entry.remove() {
                    self.hold[node.index() * self.words + message.index() / 64] |= 1 << (message.index() % 64);
                }
            }
            schedule.begin_step();
            let any = slot < policy.early || slot + policy.late >= period;
            // Longer paths than with every node once there are not; most are found far below that.
            let mut longest = if any { network.node_count() - 1 } else { policy.between };
            if !self.cyclic {
                longest = longest.min((period - 1 - slot) / self.hop);
            }
            let far_first = policy.far_first && slot < policy.early;
            self.slot(
                (slot, longest.min(MOST_HOPS), far_first),
                &mut order,
                &mut random,
                near,
                |ends, message, node, path| {
                    schedule.send(message, path);
                    arrivals.entry(ends).or_default().push((message, node));
                },
            );
            if run.stopped() {
                return None;
            }
        }
        (self.open == 0).then_some(schedule)
    }

    /// Begins paths in a slot, up to `longest` channels long.
    fn slot(
        &mut self,
        (slot, longest, far_first): (usize, usize, bool),
        order: &mut [Node],
        random: &mut Pcg64Mcg,
        near: &mut Slack<'_>,
        mut send: impl FnMut(usize, Message, Node, &[Channel]),
    ) {
        for turn in 1..=longest {
            // Of each length, whoever lacks most goes first.
            let length = if far_first { longest + 1 - turn } else { turn };
            order.shuffle(random);
            order.sort_by_key(|v| std::cmp::Reverse(self.wants[v.index()]));
            for &receiver in &*order {
                while self.wants[receiver.index()] > 0 {
                    let Some((message, path)) = self.pull(receiver, slot, length, random, near) else { break };
                    send(slot + length * self.hop, message, receiver, &path);
                }
            }
            if self.open == 0 {
                return;
            }
        }
    }

    /// Takes a path of `length` channels that begins in `slot` at a holder of something `receiver` lacks.
    fn pull(
        &mut self,
        receiver: Node,
        slot: usize,
        length: usize,
        random: &mut Pcg64Mcg,
        near: &mut Slack<'_>,
    ) -> Option<(Message, Vec<Channel>)> {
        let ends = (slot + length * self.hop) % self.period;
        let ports = self.network().receive_ports(receiver);
        if ports.is_some_and(|ports| self.received[ends][receiver.index()] >= ports) {
            return None;
        }
        let longest = near.as_mut().map(|(slack, distances)| (*slack, distances.of(receiver)));
        let mut path = Vec::with_capacity(length);
        let mut looks = LOOKS;
        let found = self.back(receiver, (receiver, slot, length), &mut path, &mut looks, longest, random);
        // A look compares what two nodes hold, a word at a time, and may begin a search.
        self.ticks += u64::from(LOOKS - looks) * (4 + self.words as u64) + 8;
        let sender = found?;
        path.reverse();
        let message = self.rarest(sender, receiver, random)?;
        for (i, &channel) in path.iter().enumerate() {
            self.free[(slot + i * self.hop) % self.period].try_channel(channel);
        }
        self.sent[slot][sender.index()] += 1;
        self.received[ends][receiver.index()] += 1;
        self.want[receiver.index() * self.words + message.index() / 64] &= !(1 << (message.index() % 64));
        self.wants[receiver.index()] -= 1;
        self.copies[message.index()] += 1;
        self.open -= 1;
        Some((message, path))
    }

    /// Goes `left` channels back from `at`, to a holder; the path backwards. As deep as `left`.
    fn back(
        &self,
        receiver: Node,
        (at, slot, left): (Node, usize, usize),
        path: &mut Vec<Channel>,
        looks: &mut u32,
        longest: Option<(u32, &[u32])>,
        random: &mut Pcg64Mcg,
    ) -> Option<Node> {
        let network = self.network();
        let channels = network.incoming(at);
        let turn = random.random_range(0..channels.len().max(1));
        let now = (slot + (left - 1) * self.hop) % self.period;
        for i in 0..channels.len() {
            let channel = channels[(i + turn) % channels.len()];
            let from = network.from(channel);
            *looks = looks.checked_sub(1)?;
            let visited = from == receiver || path.iter().any(|c| network.from(*c) == from);
            let far =
                longest.is_some_and(|(slack, near)| path.len() as u32 >= near[from.index()].saturating_add(slack));
            if visited || far || !self.free[now].free(channel) {
                continue;
            }
            path.push(channel);
            if left == 1 {
                let may = network.send_ports(from).is_none_or(|ports| self.sent[slot][from.index()] < ports);
                if may && network.is_terminal(from) && self.offers(from, receiver) {
                    return Some(from);
                }
            } else if self.problem.path_passes(from) {
                let found = self.back(receiver, (from, slot, left - 1), path, looks, longest, random);
                if found.is_some() {
                    return found;
                }
            }
            path.pop();
        }
        None
    }

    fn offers(&self, sender: Node, receiver: Node) -> bool {
        let of = |set: &[u64], v: Node, w: usize| set[v.index() * self.words + w];
        (0..self.words).any(|w| of(&self.hold, sender, w) & of(&self.want, receiver, w) != 0)
    }

    /// Of what one holds and the other lacks, a message of fewest copies.
    fn rarest(&self, sender: Node, receiver: Node, random: &mut Pcg64Mcg) -> Option<Message> {
        let mut best: Option<(u32, u32, usize)> = None;
        for w in 0..self.words {
            let mut bits = self.hold[sender.index() * self.words + w] & self.want[receiver.index() * self.words + w];
            while bits != 0 {
                let message = w * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let key = (self.copies[message], random.random(), message);
                best = Some(best.map_or(key, |b| b.min(key)));
            }
        }
        best.map(|(.., message)| Message::new(message))
    }
}

/// Longest path looked for.
const MOST_HOPS: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AllgatherMatching;
    use kernel::{Collective, Model, Parts, Ports};
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
        Network::new(Parts { send_ports: ports.clone(), receive_ports: ports, ..network.parts().clone() }).unwrap()
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
        let relays = Parts { no_transit: vec![1, 2, 3], ..ring_uni(5).parts().clone() };
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
