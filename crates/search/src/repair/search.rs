//! **What:** the search of a repair: messages inserted among others, where whoever is ejected finds another place.
//!
//! **Method.** A message that is not placed looks at all its short paths in all steps at once ([`reachable`](super::reachable)): is
//! one free, are only one or two others in its way? It goes where it is free. Else, where what it ejects weighs least, it goes there
//! if those can be placed anew: where they are free, or by ejecting others, a few times over. So no move leaves more
//! messages waiting than before, and what is packed well stays so: a search that lets ejected messages wait takes the
//! order of full steps apart and does not find it again. Rounds end when they place hardly any; then those ejected may
//! eject deeper, and at last a step is added. Once all are placed, the emptiest step is taken away, and its messages are
//! inserted into the others, down to the goal.
//!
//! **Parameters.** How much longer than the shortest paths may be, how many places a message draws and tries, how deep ejections
//! go. A message weighs more the longer its path is and the more often it could not be placed anew.

use super::random_paths::RandomPaths;
use super::reachable::{LEVELS, Reachable};
use super::step_table::{Placed, StepTable};
use crate::emit::{self, Sent};
use crate::resources::Resources;
use kernel::{Message, Node, Schedule};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Run};

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

/// Steps with room, and messages without a place.
pub(super) struct Search<'a> {
    name: &'static str,
    ends: Vec<(Node, Node)>,
    resources: &'a Resources<'a>,
    paths: RandomPaths<'a>,
    table: StepTable<'a>,
    reachable: Reachable,
    run: &'a Run<'a>,
    random: Pcg64Mcg,
    /// Messages that are not placed.
    open: Vec<u32>,
    /// What was done since the last point of no return: a message and where it was, or `None` where it was placed.
    done: Vec<(u32, Option<Placed>)>,
    ticks: u64,
}

impl<'a> Search<'a> {
    /// Steps that hold what `part` sends; `None` where a message has no path, or there would be too much to keep.
    pub(super) fn new(
        name: &'static str,
        resources: &'a Resources<'a>,
        part: &Schedule,
        goal: usize,
        run: &'a Run<'a>,
    ) -> Option<Self> {
        let collective = resources.problem.collective();
        let ends = |m: Message| (collective.origin(m), collective.destinations(m)[0]);
        let ends: Vec<(Node, Node)> = collective.messages().map(ends).collect();
        let mut budget = Budget::new(run, u64::MAX);
        let paths = RandomPaths::new(resources, &ends, &mut budget)?;
        let table = StepTable::new(resources, ends.len(), part.step_count().max(goal))?;
        let random = run.settings.seed.generator(0x1_5e27);
        let (open, done, reachable) = (Vec::new(), Vec::new(), Reachable::default());
        let mut search = Search { name, ends, resources, paths, table, reachable, run, random, open, done, ticks: 0 };
        search.begin(part, &mut budget)?;
        Some(search)
    }

    /// `None` where the budget ends.
    fn begin(&mut self, part: &Schedule, budget: &mut Budget<'_>) -> Option<()> {
        for (step, transfers) in part.steps().enumerate() {
            for transfer in transfers {
                let path: Vec<u32> = transfer.path.iter().map(|c| self.resources.lane(*c)).collect();
                if !budget.spend(path.len() as u64) {
                    return None;
                }
                if self.table.is_free(&path, step) {
                    self.table.place(transfer.messages[0].0, Placed { path, step });
                }
            }
        }
        let waiting = |m: &u32| self.table.at(*m).is_none() && self.ends[*m as usize].0 != self.ends[*m as usize].1;
        self.open = (0u32..).take(self.ends.len()).filter(waiting).collect();
        Some(())
    }

    /// The best schedule found on the way to the goal.
    pub(super) fn down_to(&mut self, goal: usize) -> Option<Schedule> {
        while !self.place_all() {
            if self.run.stopped() && self.open.len() > MOST_FINISHED {
                return None;
            }
            if self.spent() {
                // Whatever is left gets steps of its own.
                self.finish();
                break;
            }
            let few = self.table.steps() / MOST_STEPS_AT_ONCE;
            for _ in 0..1 + few.min(self.open.len() / LEFT_FOR_A_STEP) {
                self.table.add_step();
            }
        }
        let mut best = self.schedule();
        self.run.progress.found(self.name, best.step_count() as u64);
        while self.table.steps() > goal && !self.spent() {
            self.done.clear();
            for message in self.table.close_emptiest() {
                self.remove(message);
                self.open.push(message);
            }
            if !self.place_all() {
                break;
            }
            best = self.schedule();
            self.run.progress.found(self.name, best.step_count() as u64);
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
            let (steps, open) = (self.table.steps() as u64, self.open.len() as u64);
            self.run.progress.working(self.name, steps, open);
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
        let longest = self.paths.distance(from, to) + self.run.settings.slack.unwrap_or(DETOUR);
        let about = (self.resources, &self.paths, &self.table);
        self.ticks += self.reachable.spread(about, (from, to), longest);
        let about = (self.resources, &self.table);
        if let Some((path, step)) = self.reachable.draw(about, to, 0, &mut self.random) {
            self.put(message, Placed { path, step });
            return true;
        }
        let mut candidates: Vec<(u32, Vec<u32>, usize)> = Vec::new();
        for (level, drawn) in DRAWN.into_iter().enumerate().skip(if depth > 0 { 0 } else { LEVELS }) {
            for _ in 0..drawn {
                let Some((path, step)) = self.reachable.draw(about, to, level, &mut self.random) else { break };
                self.ticks += path.len() as u64;
                candidates.push((self.table.weight(&path, step), path, step));
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        for (_, path, step) in candidates.into_iter().take(TRIED) {
            let mark = self.done.len();
            let ejected = self.table.in_the_way(&path, step);
            ejected.iter().for_each(|m| self.remove(*m));
            self.put(message, Placed { path, step });
            match ejected.iter().find(|m| !self.insert(**m, depth - 1)) {
                None => return true,
                Some(stuck) => {
                    self.table.pick(*stuck);
                    self.undo(mark);
                }
            }
        }
        false
    }

    fn put(&mut self, message: u32, placed: Placed) {
        self.table.place(message, placed);
        self.done.push((message, None));
    }

    fn remove(&mut self, message: u32) {
        let placed = self.table.take(message);
        self.done.push((message, placed));
    }

    /// Undoes all but the first so many of what was done.
    fn undo(&mut self, mark: usize) {
        for (message, placed) in self.done.split_off(mark).into_iter().rev() {
            match placed {
                None => drop(self.table.take(message)),
                Some(placed) => self.table.place(message, placed),
            }
        }
    }

    /// Places what is left in new steps.
    fn finish(&mut self) {
        while let Some(message) = self.open.pop() {
            let (from, to) = self.ends[message as usize];
            let Some(path) = self.paths.draw(from, to, 0, &mut self.random) else { continue };
            let step = self.table.free(&path);
            let step = step.unwrap_or_else(|| self.table.add_step());
            self.table.place(message, Placed { path, step });
        }
    }

    fn schedule(&self) -> Schedule {
        let placed = (0u32..).zip(self.table.placed());
        let sent = |(message, at): (u32, Option<(&[u32], u32)>)| {
            at.map(|(path, step)| Sent { step, message: Message(message), path: path.to_vec() })
        };
        emit::schedule(self.resources, 0, placed.filter_map(sent).collect()).without_empty_steps()
    }
}
