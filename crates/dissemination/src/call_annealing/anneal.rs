//! **What:** simulated annealing of the calls of a fixed number of steps.

use super::known::Known;
use super::step::{Call, Changes, Step};
use super::ways::{Wanted, Ways};
use graph::distances::{Distances, Way};
use kernel::{Message, Node, Schedule};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use search::emit::{self, Sent};
use search::resources::Resources;

/// Missing messages by which a change may make things worse, at first, where there are many nodes or few, and at last.
pub(super) const HOT: f64 = 3.0;
pub(super) const WARM: f64 = 1.0;
const COLD: f64 = 0.25;

/// Words of bitsets that are joined in the time of a tick.
pub(super) const WORDS_A_TICK: u64 = 4;

/// Changes between two looks at the temperature.
const CHANGES_A_LOOK: u32 = 32;

/// The most lanes that a call in the way counts for, and the farthest that an arbitrary call goes.
const MOST_PENALTY: u32 = 6;
const FARTHEST: u32 = 4;

/// The most nodes from which a way is searched at once.
const MOST_SOURCES: usize = 12;

/// Places at which a change tries to begin further calls.
const REFILLS: u32 = 12;

/// The share of changes that are aimed at a message that is missing.
const AIMED: f64 = 0.6;

/// The calls of all steps, and what they come to.
pub(super) struct Annealing<'a> {
    resources: &'a Resources<'a>,
    distances: Distances<'a>,
    ways: Ways,
    slack: Option<u32>,
    steps: Vec<Step>,
    known: Known,
    missing: u32,
    random: Pcg64Mcg,
    changes: Changes,
    /// Where a call may end.
    targets: Vec<bool>,
}

impl<'a> Annealing<'a> {
    /// Steps full of calls between neighbours; `None` where the budget ends first.
    pub(super) fn new(
        resources: &'a Resources<'a>,
        steps: usize,
        slack: Option<u32>,
        random: Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let problem = resources.problem;
        let mut all = Annealing {
            resources,
            distances: Distances::new(problem, Way::On),
            ways: Ways::new(resources),
            slack,
            steps: (0..steps).map(|_| Step::new(resources)).collect(),
            known: Known::new(problem, steps),
            missing: 0,
            random,
            changes: Changes::default(),
            targets: vec![false; problem.network().node_count()],
        };
        let mut lanes: Vec<u32> = (0..resources.ends.len() as u32).collect();
        for step in 0..steps {
            lanes.shuffle(&mut all.random);
            for &lane in &lanes {
                if !budget.spend(8) {
                    return None;
                }
                all.begin_call(step, lane, budget);
            }
        }
        all.changes.clear();
        all.missing = all.known.evaluate(&all.steps, 0);
        all.known.accept(0);
        Some(all)
    }

    /// Messages that are missing in all.
    pub(super) fn missing(&self) -> u32 {
        self.missing
    }

    /// Changes calls until nothing is missing or the budget ends. Whether nothing is missing.
    pub(super) fn run(&mut self, start: f64, budget: &mut Budget<'_>) -> bool {
        let all = budget.left();
        while self.missing > 0 && budget.spend(1) {
            let done = budget.spent() as f64 / all as f64;
            let temperature = start * (COLD / start).powf(done);
            for _ in 0..CHANGES_A_LOOK {
                self.change(temperature, budget);
                if self.missing == 0 || budget.left() == 0 {
                    break;
                }
            }
        }
        self.missing == 0
    }

    /// Tries one more call with those it displaces.
    fn change(&mut self, temperature: f64, budget: &mut Budget<'_>) {
        let aimed = self.random.random_bool(AIMED);
        let Some((step, path)) = (if aimed { self.aimed(budget) } else { self.arbitrary(budget) }) else { return };
        if !self.is_short(&path, budget) || !self.place(step, path) {
            return;
        }
        self.reconnect(step, budget);
        for _ in 0..REFILLS {
            let lane = self.random.random_range(0..self.resources.ends.len() as u32);
            self.begin_call(step, lane, budget);
        }
        let missing = self.known.evaluate(&self.steps, step);
        let work: u64 = self.steps[step..].iter().map(|step| self.known.work(step.ends().len())).sum();
        // Whether time is up is asked once in a while.
        let _ = budget.spend(work / WORDS_A_TICK + 16);
        let more = f64::from(missing) - f64::from(self.missing);
        if more <= 0.0 || self.random.random_bool((-more / temperature).exp()) {
            self.known.accept(step);
            self.missing = missing;
            self.changes.clear();
        } else {
            self.steps[step].undo(self.resources, &mut self.changes, &mut self.random);
        }
    }

    /// A way by which a missing message comes nearer in some step: from who knows it then, to a node from which it gets on to where it is missing.
    fn aimed(&mut self, budget: &mut Budget<'_>) -> Option<(usize, Vec<u32>)> {
        let lacks = self.known.missing(self.random.random_range(0..self.missing))?;
        let step = self.random.random_range(0..self.steps.len());
        self.targets.fill(false);
        self.targets[lacks.node as usize] = true;
        for after in self.steps[step + 1..].iter().rev() {
            let before: Vec<u32> =
                after.ends().iter().filter(|call| self.targets[call.to as usize]).map(|call| call.from).collect();
            before.iter().for_each(|&node| self.targets[node as usize] = true);
        }
        let terminals = self.resources.problem.network().terminals();
        let knows = |node: &u32| self.known.knows(step, *node, lacks.message);
        let mut sources: Vec<u32> = terminals.iter().map(|node| node.0).filter(knows).collect();
        let _ = budget.spend(terminals.len() as u64 / 2);
        let (some, _) = sources.partial_shuffle(&mut self.random, MOST_SOURCES);
        self.way(step, some, budget)
    }

    /// A way between any two terminals that are near.
    fn arbitrary(&mut self, budget: &mut Budget<'_>) -> Option<(usize, Vec<u32>)> {
        let step = self.random.random_range(0..self.steps.len());
        let terminals = self.resources.problem.network().terminals();
        let from = terminals[self.random.random_range(0..terminals.len())];
        let farthest = self.random.random_range(1..=FARTHEST);
        let distances = self.distances.of(from, budget)?;
        let (mut to, mut nearest) = (None, u32::MAX);
        for _ in 0..16 {
            let other = terminals[self.random.random_range(0..terminals.len())];
            let far = distances[other.index()];
            if other != from && far < nearest {
                (to, nearest) = (Some(other), far);
                if far <= farthest {
                    break;
                }
            }
        }
        self.targets.fill(false);
        self.targets[to?.index()] = true;
        self.way(step, &[from.0], budget)
    }

    /// The cheapest way from the sources to the targets.
    fn way(&mut self, step: usize, sources: &[u32], budget: &mut Budget<'_>) -> Option<(usize, Vec<u32>)> {
        let penalty = self.random.random_range(1..=MOST_PENALTY);
        let wanted = Wanted { sources, targets: &self.targets, penalty: Some(penalty) };
        let (path, looked) = self.ways.cheapest(self.resources, &self.steps[step], &wanted, &mut self.random);
        let _ = budget.spend(looked);
        Some((step, path?))
    }

    /// Has nodes whose calls were displaced call those that were to be called, where nothing is in the way.
    fn reconnect(&mut self, step: usize, budget: &mut Budget<'_>) {
        let mut sources: Vec<u32> = self.changes.removed().map(|call| call.from).collect();
        self.targets.fill(false);
        self.changes.removed().for_each(|call| self.targets[call.to as usize] = true);
        while !sources.is_empty() {
            let wanted = Wanted { sources: &sources, targets: &self.targets, penalty: None };
            let (path, looked) = self.ways.cheapest(self.resources, &self.steps[step], &wanted, &mut self.random);
            let _ = budget.spend(looked);
            let Some(path) = path else { return };
            let (from, to) = self.ends(&path);
            if !self.is_short(&path, budget) || !self.place(step, path) {
                return;
            }
            self.targets[to.index()] = false;
            sources.retain(|source| *source != from.0);
        }
    }

    /// Whether a path is no longer than it may be.
    fn is_short(&mut self, path: &[u32], budget: &mut Budget<'_>) -> bool {
        let Some(slack) = self.slack else { return true };
        let (from, to) = self.ends(path);
        let shortest = self.distances.of(from, budget).map(|far| far[to.index()]);
        shortest.is_some_and(|shortest| path.len() as u64 <= u64::from(shortest) + u64::from(slack))
    }

    fn ends(&self, path: &[u32]) -> (Node, Node) {
        let (first, last) = (path[0] as usize, path[path.len() - 1] as usize);
        (self.resources.ends[first].0, self.resources.ends[last].1)
    }

    fn place(&mut self, step: usize, path: Vec<u32>) -> bool {
        let (from, to) = self.ends(&path);
        let call = Call { from: from.0, to: to.0, path };
        let placed = self.steps[step].place(self.resources, call, &mut self.changes, &mut self.random);
        if !placed {
            self.steps[step].undo(self.resources, &mut self.changes, &mut self.random);
        }
        placed
    }

    /// A call that begins with a lane, goes on at random where it can, and displaces nothing.
    fn begin_call(&mut self, step: usize, lane: u32, budget: &mut Budget<'_>) {
        let (resources, network) = (self.resources, self.resources.problem.network());
        let calls = &self.steps[step];
        let is_free = |lane: u32| calls.has_room(resources, &resources.taken[lane as usize]);
        let from = resources.ends[lane as usize].0;
        let can_send = resources.send[from.index()].is_none_or(|port| calls.has_room(resources, &[port]));
        if !network.is_terminal(from) || !can_send || !is_free(lane) {
            return;
        }
        let mut path = vec![lane];
        loop {
            let end = resources.ends[path[path.len() - 1] as usize].1;
            let has_port = resources.receive[end.index()].is_none_or(|port| calls.has_room(resources, &[port]));
            let may_end = end != from && network.is_terminal(end) && has_port;
            if may_end && (self.random.random_bool(0.5) || !self.ways.passes(end.0)) {
                break;
            }
            let out = &resources.out[end.index()];
            let turn = if out.is_empty() { 0 } else { self.random.random_range(0..out.len()) };
            let is_new = |lane: &u32| {
                let to = resources.ends[*lane as usize].1;
                to != from && is_free(*lane) && path.iter().all(|before| resources.ends[*before as usize].1 != to)
            };
            let next = (0..out.len()).map(|i| out[(turn + i) % out.len()]).find(is_new);
            match next.filter(|_| self.ways.passes(end.0)) {
                Some(lane) => path.push(lane),
                None if may_end => break,
                None => return,
            }
        }
        if !self.is_short(&path, budget) {
            return;
        }
        let (from, to) = self.ends(&path);
        let call = Call { from: from.0, to: to.0, path };
        // A path that takes something more often than a step allows is no call.
        let _ = self.steps[step].place(resources, call, &mut self.changes, &mut self.random);
    }

    /// The schedule of all calls, whatever they carry.
    pub(super) fn calls(&self) -> Schedule {
        let sent = |step: usize, call: &Call| Sent { step: step as u32, message: Message(0), path: call.path.clone() };
        let all = self.steps.iter().enumerate().flat_map(|(at, step)| step.calls().map(move |call| sent(at, call)));
        emit::schedule(self.resources, self.steps.len() as u32, all.collect())
    }
}
