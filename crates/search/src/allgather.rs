//! **What:** the method `allgather-matching`: messages for many destinations, spread between neighbouring terminals.
//!
//! **Method.** In each step every receiver matches its incoming channels with messages that it lacks and the channels'
//! tails hold. Messages enter the matching by rarity, each by an augmenting path; since matchable sets of messages form a
//! transversal matroid, the result is a largest matching and of those the rarest. Ties are broken at random or by how many of
//! the next nodes lack the message, and the whole is restarted, in turn with one rule or another, until the goal is reached
//! or the ticks are spent. Every transfer takes one channel, so a schedule obeys store-and-forward as well as wormhole switching. Under time-division such a transfer is
//! in flight for a while, so what is received may be sent on some slots later; all else is the same.
//!
//! **When it loses.** Networks with switches have few neighbouring terminals, and few destinations want paths of several
//! channels; there it does not apply or the other engines do better.

use crate::copies::Copies;
use graph::residual::Residual;
use kernel::{Channel, Message, Model, Node, Op, Problem, Schedule, Semantics, Switching, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::slice::from_ref;

/// The method.
pub struct AllgatherMatching;

impl Method for AllgatherMatching {
    fn name(&self) -> &'static str {
        "allgather-matching"
    }

    fn about(&self) -> &'static str {
        "messages for many between neighbours: in each step a largest matching of channels and rare messages"
    }

    fn source(&self) -> &'static str {
        "rarest-first matchings of a transversal matroid (J. Edmonds, D. R. Fulkerson, Transversals and matroid partition, 1965)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let deliveries: usize = collective.messages().map(|m| collective.destinations(m).len()).sum();
        let bits = collective.message_count().saturating_mul(problem.network().node_count());
        let many = deliveries >= 2 * collective.message_count();
        collective.semantics() == Semantics::Copy && many && bits <= 1 << 28 && one_hop(problem).is_some()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let delay = match problem.model().switching {
            Switching::Tdm { hop, cyclic } => Delay { slots: hop as usize, ends_in_period: !cyclic },
            Switching::Wormhole | Switching::StoreAndForward => Delay { slots: 0, ends_in_period: false },
        };
        let problem = &one_hop(problem)?;
        let goal = run.goal(floor).max(1) as usize;
        let mut budget = Budget::new(run, run.settings.ticks);
        let mut limit = run.incumbent.map_or(usize::MAX, |known| known.steps().saturating_sub(1));
        let start = Spread::new(problem, delay, &mut budget)?;
        let mut best = None;
        for number in 0.. {
            // What it takes to begin.
            if !budget.spend(200 + start.copies.size() / 8) {
                break;
            }
            let attempt = Attempt { number, limit };
            if let Some(found) = start.clone().run(attempt, run.settings.seed.generator(number), &mut budget) {
                run.progress.found(self.name(), found.step_count() as u64);
                limit = found.step_count().saturating_sub(1);
                best = Some(found);
            }
            if limit < goal || budget.is_over() {
                break;
            }
        }
        best
    }
}

/// The problem with one channel a transfer; none where a message then cannot arrive.
fn one_hop(problem: &Problem) -> Option<Problem> {
    let model = Model { switching: Switching::StoreAndForward, combining: problem.model().combining };
    Problem::new(problem.network().clone(), problem.collective().clone(), model).ok()
}

/// How long a transfer is under way.
#[derive(Clone, Copy)]
struct Delay {
    /// Slots from its start until it is absorbed; what is absorbed may be sent on in the next.
    slots: usize,
    /// Whether that must happen before the schedule ends.
    ends_in_period: bool,
}

/// Which rules are tried, and what for.
#[derive(Clone, Copy)]
struct Attempt {
    /// Decides between the rules.
    number: u64,
    /// Most steps of use.
    limit: usize,
}

/// A message that a receiver may get, in the order in which they are matched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: (u32, u32),
    random: u32,
    message: usize,
}

/// A schedule while it grows.
#[derive(Clone)]
struct Spread<'a> {
    problem: &'a Problem,
    delay: Delay,
    free: Residual<'a>,
    /// As the step began.
    copies: Copies,
    /// Copies of each message now, those of the step included.
    counts: Vec<u32>,
}

impl<'a> Spread<'a> {
    fn new(problem: &'a Problem, delay: Delay, budget: &mut Budget<'_>) -> Option<Self> {
        let copies = Copies::new(problem, problem.collective().messages().collect(), budget)?;
        let counts = copies.counts().to_vec();
        Some(Spread { problem, delay, free: Residual::new(problem.network()), copies, counts })
    }

    /// Steps until all is delivered; `None` once more than the limit are certain, or the budget is spent.
    fn run(mut self, attempt: Attempt, mut random: Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Schedule> {
        let network = self.problem.network();
        let mut schedule = Schedule::new();
        let mut order: Vec<Node> = network.terminals().to_vec();
        let rates: Vec<u32> = network.nodes().map(|v| network.receive_capacity(v).clamp(1, 1 << 31) as u32).collect();
        let after = if self.delay.ends_in_period { self.delay.slots } else { 0 };
        let mut under_way: VecDeque<Vec<(usize, Node)>> = VecDeque::new();
        while self.copies.open() > 0 {
            let least = order.iter().map(|v| self.copies.lacking(*v).div_ceil(rates[v.index()])).max().unwrap_or(0);
            let beyond = schedule.step_count() + least as usize + after > attempt.limit;
            if beyond || !budget.spend((order.len() + self.counts.len()) as u64) {
                return None;
            }
            schedule.begin_step();
            self.free.clear();
            self.counts.copy_from_slice(self.copies.counts());
            order.shuffle(&mut random);
            if attempt.number & 1 == 0 {
                order.sort_by_key(|v| Reverse(self.copies.lacking(*v) / rates[v.index()]));
            }
            let mut sent: Vec<(usize, Node)> = Vec::new();
            for &receiver in &order {
                if self.copies.lacking(receiver) == 0 {
                    continue;
                }
                let matching = self.matching(receiver, attempt, &mut random, budget)?;
                for transfer in self.transfers(receiver, matching) {
                    let messages: Vec<Message> = transfer.messages.iter().map(|&k| self.copies.message(k)).collect();
                    schedule.push(Transfer { messages: &messages, path: &[transfer.channel], op: Op::Reduce });
                    sent.extend(transfer.messages.iter().map(|&k| (k, receiver)));
                }
            }
            if sent.is_empty() && under_way.iter().all(Vec::is_empty) {
                return None;
            }
            sent.iter().for_each(|&(k, node)| self.copies.send(k, node));
            under_way.push_back(sent);
            if under_way.len() > self.delay.slots {
                for (k, node) in under_way.pop_front().into_iter().flatten() {
                    self.copies.arrive(k, node);
                }
            }
        }
        (0..after).for_each(|_| schedule.begin_step());
        Some(schedule)
    }

    /// The receiver's channels with messages; `None` where the budget ends.
    fn matching(
        &mut self,
        receiver: Node,
        attempt: Attempt,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Matching> {
        let network = self.problem.network();
        let mut slots: Vec<Channel> = Vec::new();
        for &channel in network.incoming(receiver) {
            if network.is_terminal(network.from(channel)) && self.free.free(channel) {
                let uses = network.capacity(channel).min(self.copies.lacking(receiver));
                slots.extend((0..uses).map(|_| channel));
            }
        }
        slots.shuffle(random);
        let holders: Vec<Node> = slots.iter().map(|c| network.from(*c)).collect();
        if !budget.spend(60 + (holders.len() * (4 + self.copies.words() / 8)) as u64) {
            return None;
        }
        let rank = |k: usize| {
            let lacking = || {
                let next = network.outgoing(receiver).iter().map(|c| network.to(*c));
                next.filter(|v| self.copies.lacks(k, *v)).count() as u32
            };
            // Attempts differ in how copies count (now, or as the step began) and in how far they look: not at all,
            // at how many of the next nodes lack the message, or at that before rarity.
            let count = if attempt.number & 2 == 0 { self.counts[k] } else { self.copies.counts()[k] };
            match attempt.number / 4 % 3 {
                0 => (count, u32::MAX - lacking()),
                1 => (count, 0),
                _ => (u32::MAX - lacking(), count),
            }
        };
        let offered = self.copies.offered(&holders, receiver);
        let candidate = |message| Candidate { rank: rank(message), random: random.random(), message };
        let mut candidates: Vec<Candidate> = offered.map(candidate).collect();
        if !budget.spend(candidates.len() as u64) {
            return None;
        }
        candidates.sort_unstable();
        let mut matching = Matching::new(slots, holders, candidates);
        matching.list_offers(&self.copies, receiver);
        for turn in 0..matching.candidates.len() {
            if matching.size == matching.slots.len() || !self.free.can_receive(receiver) {
                break;
            }
            let k = matching.candidates[turn].message;
            if matching.augment(k, turn + 1, &self.copies, &mut self.free, budget) {
                matching.size += 1;
                self.counts[k] += 1;
            }
        }
        Some(matching)
    }

    /// What each matched channel carries: its message, and where the model combines all others that its tail holds.
    fn transfers(&self, receiver: Node, matching: Matching) -> Vec<Carried> {
        let Matching { slots, holders, candidates, matched, .. } = matching;
        let mut sent: BTreeSet<usize> = BTreeSet::new();
        if self.problem.model().combining {
            sent.extend(matched.iter().flatten());
        }
        debug_assert!(candidates.iter().all(|c| self.copies.lacks(c.message, receiver)));
        let mut all = Vec::new();
        for ((channel, holder), k) in slots.into_iter().zip(holders).zip(matched) {
            let Some(k) = k else { continue };
            let mut messages = vec![k];
            if self.problem.model().combining {
                let others = candidates.iter().map(|c| c.message).filter(|other| self.copies.holds(*other, holder));
                messages.extend(others.filter(|other| sent.insert(*other)));
            }
            all.push(Carried { channel, messages });
        }
        all
    }
}

/// A transfer.
struct Carried {
    channel: Channel,
    messages: Vec<usize>,
}

/// Channels into a receiver, matched with messages that their tails hold.
struct Matching {
    slots: Vec<Channel>,
    /// The tail of each.
    holders: Vec<Node>,
    candidates: Vec<Candidate>,
    /// The message of each.
    matched: Vec<Option<usize>>,
    size: usize,
    /// The last search that came to each.
    seen: Vec<usize>,
    /// Where channels are many, those whose tails hold each message.
    offers: Option<BTreeMap<usize, Vec<usize>>>,
}

/// More channels are not looked through for each message.
const MANY_CHANNELS: usize = 64;

impl Matching {
    fn new(slots: Vec<Channel>, holders: Vec<Node>, candidates: Vec<Candidate>) -> Self {
        let count = slots.len();
        Matching { slots, holders, candidates, matched: vec![None; count], size: 0, seen: vec![0; count], offers: None }
    }

    fn list_offers(&mut self, copies: &Copies, receiver: Node) {
        if self.slots.len() > MANY_CHANNELS {
            let mut offers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (at, holder) in self.holders.iter().enumerate() {
                copies.offered(from_ref(holder), receiver).for_each(|k| offers.entry(k).or_default().push(at));
            }
            self.offers = Some(offers);
        }
    }

    /// Finds message `k` a channel, moving others to other channels where that helps; takes the channel that this fills. As
    /// deep as there are channels.
    fn augment(
        &mut self,
        k: usize,
        turn: usize,
        copies: &Copies,
        free: &mut Residual<'_>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let listed = self.offers.as_ref().map(|offers| offers.get(&k).cloned().unwrap_or_default());
        let count = listed.as_ref().map_or(self.slots.len(), Vec::len);
        for i in 0..count {
            let at = listed.as_ref().map_or(i, |list| list[i]);
            if self.seen[at] == turn || !copies.holds(k, self.holders[at]) {
                continue;
            }
            if !budget.spend(1) {
                return false;
            }
            self.seen[at] = turn;
            let open = match self.matched[at] {
                None => free.try_take(&[self.slots[at]]),
                Some(other) => self.augment(other, turn, copies, free, budget),
            };
            if open {
                self.matched[at] = Some(k);
                return true;
            }
        }
        false
    }
}
