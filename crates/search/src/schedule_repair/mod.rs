//! **What:** the engine `insertion`: messages for one destination each, inserted into the steps of a schedule of which most is left.
//!
//! **Idea.** A fault breaks few paths. Of a schedule for the whole network everything that the damaged one still has stays
//! where it is, and only the messages whose paths are gone are inserted anew. No symmetry is needed.
//!
//! **Moves.** A message that is not placed looks at all its short paths in all steps at once ([`fronts`]): is one free, are only
//! one or two others in its way? It goes where it is free. Else, where what it ejects weighs least, it goes there
//! if those can be placed anew: where they are free, or by ejecting others, a few times over. So no move leaves more
//! messages waiting than before, and what is packed well stays so: a search that lets ejected messages wait takes the
//! order of full steps apart and does not find it again. Rounds end when they place hardly any; then those ejected may
//! eject deeper, and at last a step is added. Once all are placed, the emptiest step is taken away, and its messages are
//! inserted into the others, down to the goal.
//!
//! **Knobs.** How much longer than the shortest paths may be, how many places a message draws and tries, how deep ejections go.
//! A message weighs more the longer its path is and the more often it could not be placed anew.
//!
//! **When it loses.** Where steps must be filled to the last channel and there is no schedule to begin with: small problems are
//! better packed with symmetries.

mod board;
mod fronts;
mod walks;

use crate::packing::emit;
use crate::packing::lanes::Lanes;
use board::{Board, Placed};
use fronts::{Fronts, LEVELS};
use kernel::{Message, Network, Node, Problem, Schedule, Semantics, Switching};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use std::collections::BTreeMap;
use walks::Walks;

/// Problems on larger networks are left to other engines: distances between all nodes are kept.
const MOST_NODES: usize = 1 << 12;
/// Larger problems are left to other engines.
const MOST_MESSAGES: usize = 1 << 22;
/// Places with one in the way that a message draws, and with two.
const DRAWN: [usize; LEVELS] = [0, 12, 4];
/// Channels that paths may be longer than the shortest.
const DETOUR: u32 = 2;
/// How many places are tried where a message would eject others.
const TRIED: usize = 8;
/// How often those ejected may eject in turn.
const DEEPEST: u32 = 3;
/// Steps are added one by one, or as a part of those there are where many messages wait for each.
const MOST_STEPS_AT_ONCE: usize = 64;
const LEFT_FOR_A_STEP: usize = 64;
/// Messages that an interrupted search still gives steps of their own.
const MOST_FINISHED: usize = 1 << 14;

/// The engine, and what it begins with.
#[derive(Clone, Debug)]
pub struct ScheduleRepair {
    part: Schedule,
}

impl ScheduleRepair {
    /// Whether a schedule of such a problem can be repaired.
    pub fn suits(problem: &Problem) -> bool {
        let collective = problem.collective();
        collective.semantics() == Semantics::Copy
            && problem.model().switching == Switching::Wormhole
            && problem.network().node_count() <= MOST_NODES
            && collective.message_count() <= MOST_MESSAGES
            && collective.messages().all(|m| collective.destinations(m).len() == 1)
            && are_pairs(problem.network())
    }

    /// Begins with those transfers of a schedule for the network `from` that the network of `problem` still has: nodes are
    /// the same, channels are told by their ends, messages by origin and destination.
    pub fn after(problem: &Problem, from: &Problem, schedule: &Schedule) -> Self {
        let channels = Alike::new(from.network(), problem.network());
        let mut messages: BTreeMap<(Node, Node), Vec<Message>> = BTreeMap::new();
        let ends = |p: &Problem, m: Message| match p.collective().destinations(m) {
            &[to] => Some((p.collective().origin(m), to)),
            _ => None,
        };
        for message in problem.collective().messages() {
            if let Some(ends) = ends(problem, message) {
                messages.entry(ends).or_default().push(message);
            }
        }
        let mut part = Schedule::new();
        for step in schedule.steps() {
            part.begin_step();
            for transfer in step {
                let &[message] = transfer.messages else { continue };
                let path: Option<Vec<_>> = transfer.path.iter().map(|c| channels.of[c.index()]).collect();
                let mut same = || messages.get_mut(&ends(from, message)?)?.pop();
                if let Some((path, message)) = path.and_then(|path| Some((path, same()?))) {
                    part.send(message, &path);
                }
            }
        }
        ScheduleRepair { part }
    }
}

/// Which channel of another network is which: the k-th of those between the same nodes.
struct Alike {
    of: Vec<Option<kernel::Channel>>,
}

impl Alike {
    fn new(from: &Network, to: &Network) -> Self {
        let mut between: BTreeMap<(Node, Node), Vec<kernel::Channel>> = BTreeMap::new();
        for channel in to.channels() {
            between.entry((to.from(channel), to.to(channel))).or_default().push(channel);
        }
        between.values_mut().for_each(|list| list.reverse());
        let of = from.channels().map(|c| between.get_mut(&(from.from(c), from.to(c)))?.pop()).collect();
        Alike { of }
    }
}

impl Method for ScheduleRepair {
    fn name(&self) -> &'static str {
        "schedule-repair"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["insertion"]
    }

    fn about(&self) -> &'static str {
        "messages for one destination each: inserts what faults broke into a schedule of the whole network"
    }

    fn source(&self) -> &'static str {
        "ejection chains (F. Glover, 1996) from a closed form; all steps of a path are looked at as bits"
    }

    fn applies(&self, problem: &Problem) -> bool {
        ScheduleRepair::suits(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let collective = problem.collective();
        let ends = |m: Message| (collective.origin(m), collective.destinations(m)[0]);
        let ends: Vec<(Node, Node)> = collective.messages().map(ends).collect();
        let mut budget = Budget::new(run, u64::MAX);
        let lanes = Lanes::new(problem.network(), &mut budget)?;
        let walks = Walks::new(problem, &lanes, &ends, &mut budget)?;
        let goal = usize::try_from(run.goal(floor).max(1)).ok()?;
        let part = &self.part;
        let board = Board::new(&lanes, ends.len(), part.step_count().max(goal))?;
        let random = run.settings.seed.generator(0x1_5e27);
        let (open, done) = (Vec::new(), Vec::new());
        let fronts = Fronts::default();
        let mut search = Search { ends, lanes: &lanes, walks, board, fronts, run, random, open, done, ticks: 0 };
        search.begin(part, &mut budget)?;
        search.down_to(goal, problem)
    }
}

/// Whether half-duplex groups are pairs of opposite channels, so that a path never takes a group twice.
fn are_pairs(network: &Network) -> bool {
    network.half_duplex().iter().all(|group| match group[..] {
        [a, b] => {
            let (a, b) = (kernel::Channel(a), kernel::Channel(b));
            (network.from(a), network.to(a)) == (network.to(b), network.from(b))
        }
        _ => group.len() < 2,
    })
}

struct Search<'a> {
    ends: Vec<(Node, Node)>,
    lanes: &'a Lanes,
    walks: Walks<'a>,
    board: Board<'a>,
    fronts: Fronts,
    run: &'a Run<'a>,
    random: Pcg64Mcg,
    /// Messages that are not placed.
    open: Vec<u32>,
    /// What was done since the last point of no return: a message and where it was, or `None` where it was placed.
    done: Vec<(u32, Option<Placed>)>,
    ticks: u64,
}

impl Search<'_> {
    /// `None` where the budget ends.
    fn begin(&mut self, part: &Schedule, budget: &mut Budget<'_>) -> Option<()> {
        for (step, transfers) in part.steps().enumerate() {
            for transfer in transfers {
                let path: Vec<u32> = transfer.path.iter().map(|c| self.lanes.lane(*c)).collect();
                if !budget.spend(path.len() as u64) {
                    return None;
                }
                if self.board.is_free(&path, step) {
                    self.board.place(transfer.messages[0].0, Placed { path, step });
                }
            }
        }
        let waiting = |m: &u32| self.board.at(*m).is_none() && self.ends[*m as usize].0 != self.ends[*m as usize].1;
        self.open = (0u32..).take(self.ends.len()).filter(waiting).collect();
        Some(())
    }

    /// The best schedule found on the way to the goal.
    fn down_to(&mut self, goal: usize, problem: &Problem) -> Option<Schedule> {
        while !self.place_all() {
            if self.run.stopped() && self.open.len() > MOST_FINISHED {
                return None;
            }
            if self.spent() {
                // Whatever is left gets steps of its own.
                self.finish();
                break;
            }
            let few = self.board.steps() / MOST_STEPS_AT_ONCE;
            for _ in 0..1 + few.min(self.open.len() / LEFT_FOR_A_STEP) {
                self.board.add_step();
            }
        }
        let mut best = self.schedule(problem);
        self.run.progress.found("schedule-repair", best.step_count() as u64);
        while self.board.steps() > goal && !self.spent() {
            self.done.clear();
            for message in self.board.close_emptiest() {
                self.remove(message);
                self.open.push(message);
            }
            if !self.place_all() {
                break;
            }
            best = self.schedule(problem);
            self.run.progress.found("schedule-repair", best.step_count() as u64);
        }
        Some(best)
    }

    fn spent(&self) -> bool {
        self.run.is_spent(self.ticks, self.run.settings.ticks) || self.run.stopped()
    }

    /// Places all messages, if round after round fewer wait.
    fn place_all(&mut self) -> bool {
        let mut depth = 0;
        while !self.open.is_empty() && !self.spent() {
            let before = self.open.len();
            for message in std::mem::take(&mut self.open) {
                if !self.insert(message, depth) {
                    self.open.push(message);
                }
                self.done.clear();
            }
            let (steps, open) = (self.board.steps() as u64, self.open.len() as u64);
            self.run.progress.working("schedule-repair", steps, open);
            // Rounds that place hardly any are not repeated.
            if before - self.open.len() <= before / 16 {
                if depth == DEEPEST {
                    break;
                }
                depth += 1;
            }
        }
        self.open.is_empty()
    }

    /// Places a message, and anew those it ejects, which may eject others if `depth` allows. Changes nothing where
    /// that fails.
    fn insert(&mut self, message: u32, depth: u32) -> bool {
        if self.spent() {
            return false;
        }
        let (from, to) = self.ends[message as usize];
        let longest = self.walks.distance(from, to) + self.run.settings.slack.unwrap_or(DETOUR);
        let about = (self.lanes, &self.walks, &self.board);
        self.ticks += self.fronts.spread(about, (from, to), longest);
        let about = (self.lanes, &self.board);
        if let Some((path, step)) = self.fronts.draw(about, to, 0, &mut self.random) {
            self.put(message, Placed { path, step });
            return true;
        }
        let mut candidates: Vec<(u32, Vec<u32>, usize)> = Vec::new();
        for (level, drawn) in DRAWN.into_iter().enumerate().skip(if depth > 0 { 0 } else { LEVELS }) {
            for _ in 0..drawn {
                let Some((path, step)) = self.fronts.draw(about, to, level, &mut self.random) else { break };
                self.ticks += path.len() as u64;
                candidates.push((self.board.weight(&path, step), path, step));
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        for (_, path, step) in candidates.into_iter().take(TRIED) {
            let mark = self.done.len();
            let ejected = self.board.in_the_way(&path, step);
            ejected.iter().for_each(|m| self.remove(*m));
            self.put(message, Placed { path, step });
            match ejected.iter().find(|m| !self.insert(**m, depth - 1)) {
                None => return true,
                Some(stuck) => {
                    self.board.pick(*stuck);
                    self.undo(mark);
                }
            }
        }
        false
    }

    fn put(&mut self, message: u32, placed: Placed) {
        self.board.place(message, placed);
        self.done.push((message, None));
    }

    fn remove(&mut self, message: u32) {
        let placed = self.board.take(message);
        self.done.push((message, placed));
    }

    /// Undoes all but the first so many of what was done.
    fn undo(&mut self, mark: usize) {
        for (message, placed) in self.done.split_off(mark).into_iter().rev() {
            match placed {
                None => drop(self.board.take(message)),
                Some(placed) => self.board.place(message, placed),
            }
        }
    }

    /// Places what is left in new steps.
    fn finish(&mut self) {
        while let Some(message) = self.open.pop() {
            let (from, to) = self.ends[message as usize];
            let Some(path) = self.walks.draw(from, to, 0, &mut self.random) else { continue };
            let step = self.board.free(&path);
            let step = step.unwrap_or_else(|| self.board.add_step());
            self.board.place(message, Placed { path, step });
        }
    }

    fn schedule(&self, problem: &Problem) -> Schedule {
        let mut list: Vec<(u32, Message, &[u32])> = Vec::new();
        for (message, at) in (0u32..).zip(self.board.placed()) {
            list.extend(at.map(|(path, step)| (step, Message(message), path)));
        }
        list.sort_unstable();
        emit::schedule(self.lanes, |c| problem.network().capacity(c), list).without_empty_steps()
    }
}

#[cfg(test)]
mod tests;
