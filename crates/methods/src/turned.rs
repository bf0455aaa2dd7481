//! **What:** constructions of allgather for collectives that merge: run backwards for reduce_scatter, and for allreduce in as many chunks as
//! there are terminals, or a multiple, run backwards and then forwards again.
//!
//! **Theory:** as of `reversal`; and when each terminal has one chunk complete, allgather brings it to all. Schedules stored as orbits
//! stay so: what moves a tree moves the tree run backwards.
//!
//! **Loses** nothing in reduce_scatter, or under time-division the slots of a hop, since what wraps round backwards could not be merged. Allreduce takes the steps of two allgathers; with as many channels into nodes as out of them, and all of
//! them busy in nearly all steps, it is near the fewest.

use constructions::{Construction, Control, Pattern};
use kernel::orbits::{OrbitProblem, OrbitSchedule, Translations};
use kernel::{Claim, Collective, Message, Model, Op, Problem, Schedule, Semantics, Switching, Transfer};
use search::transform::{reverse_schedule, reverse_slots};

/// Most terminals times terminals under time-division, where all transfers are written down and run backwards one by one.
const MOST_WRITTEN_DOWN: usize = 1 << 21;

/// A problem that merges, and what allgather it is made of.
pub(crate) struct Turned<'a> {
    asked: &'a Problem,
    /// Allgather on the network with all channels turned round.
    backwards: Problem,
    /// Allgather on the network, where all are to have the results, and how often both are done.
    forwards: Option<Problem>,
    rounds: u32,
}

impl<'a> Turned<'a> {
    /// Of reduce_scatter, or allreduce in a multiple of as many chunks as there are terminals; `None` of any other problem, of
    /// messages that are combined.
    pub(crate) fn of(asked: &'a Problem) -> Option<Self> {
        let (network, collective, model) = (asked.network(), asked.collective(), asked.model());
        let terminals = network.terminals();
        let (count, chunks) = (u32::try_from(terminals.len()).ok()?, collective.chunks());
        if collective.semantics() != Semantics::Reduce
            || collective.root().is_some()
            || model.combining
            || model.is_slotted() && terminals.len().saturating_mul(terminals.len()) > MOST_WRITTEN_DOWN
        {
            return None;
        }
        let is_each = chunks == 1 && collective.message_count() == terminals.len();
        let is_all = !is_each && collective.message_count() == chunks as usize && chunks.is_multiple_of(count);
        let usual = match (is_each, is_all) {
            (true, _) => Collective::reduce_scatter(terminals, terminals),
            (_, true) => Collective::allreduce(terminals).in_chunks(chunks),
            _ => return None,
        };
        // Names say nothing.
        let ends =
            |one: &Collective, m| one.contributors(m) == terminals && one.destinations(m) == usual.destinations(m);
        if collective.members() != Some(terminals) && !collective.messages().all(|m| ends(collective, m)) {
            return None;
        }
        let gathered = Collective::allgather(terminals, terminals);
        // What is held at the end of a period only could not be merged backwards.
        let switching = match model.switching.slots() {
            Some(slots) => Switching::Tdm { hop: slots.hop, cyclic: false },
            None => model.switching,
        };
        let backwards = Problem::new(network.reversed(), gathered.clone(), Model { switching, ..model }).ok()?;
        let forwards = if is_all { Some(Problem::new(network.clone(), gathered, model).ok()?) } else { None };
        Some(Turned { asked, backwards, forwards, rounds: if is_all { chunks / count } else { 1 } })
    }

    /// The steps that a construction promises.
    pub(crate) fn promise(&self, construction: &Construction) -> Option<u64> {
        let parts = [Some(&self.backwards), self.forwards.as_ref()].into_iter().flatten();
        let steps: Option<u64> = parts.map(|part| construction.builder(part)?.promise()).sum();
        steps?.checked_mul(self.rounds.into())
    }

    /// Whether a construction can make it.
    pub(crate) fn is_for(&self, construction: &Construction) -> bool {
        construction.scope.pattern == Pattern::Allgather
            && [Some(&self.backwards), self.forwards.as_ref()]
                .into_iter()
                .flatten()
                .all(|part| construction.builder(part).is_some())
    }

    /// The claim that a construction makes.
    pub(crate) fn claim(&self, construction: &Construction, control: &Control<'_>) -> Option<Claim> {
        let build = |part: &Problem| construction.builder(part)?.build(part.network(), control)?.of(part).ok();
        let merged = self.turned_round(build(&self.backwards)?)?;
        let Some(forwards) = &self.forwards else { return Some(merged) };
        let spread = build(forwards)?;
        match (merged, spread) {
            (Claim::Orbits { problem, schedule }, Claim::Orbits { problem: other, schedule: spread })
                if problem.translations().generators() == other.translations().generators() =>
            {
                let folded = OrbitProblem::of(self.asked, problem.translations()).ok()?;
                let bases = problem.representatives().collective().message_count();
                let schedule = self.one_after_the_other(&schedule.schedule, &spread.schedule, bases);
                let shifts = spread.shifts;
                Some(Claim::Orbits { problem: folded, schedule: OrbitSchedule { shifts, schedule } })
            }
            (Claim::Plain(merged), Claim::Plain(spread)) => {
                let messages = forwards.collective().message_count();
                Some(Claim::Plain(self.one_after_the_other(&merged, &spread, messages)))
            }
            _ => None,
        }
    }

    /// A schedule of allgather on the network turned round, as one of reduce_scatter.
    fn turned_round(&self, claim: Claim) -> Option<Claim> {
        match claim {
            Claim::Plain(schedule) => Some(Claim::Plain(match self.asked.model().switching.slots() {
                Some(slots) => reverse_slots(&self.backwards, &schedule, slots.hop),
                None => reverse_schedule(&self.backwards, &schedule),
            })),
            Claim::Orbits { problem, schedule } if schedule.shifts.iter().all(|shift| *shift == 0) => {
                let network = self.asked.network();
                let translations = Translations::new(network, problem.translations().generators()).ok()?;
                let terminals = network.terminals();
                let scattered = Collective::reduce_scatter(terminals, terminals);
                let scattered = Problem::new(network.clone(), scattered, self.asked.model()).ok()?;
                let folded = OrbitProblem::of(&scattered, &translations).ok()?;
                let backwards = reverse_schedule(problem.representatives(), &schedule.schedule);
                let schedule = OrbitSchedule { shifts: schedule.shifts, schedule: backwards };
                Some(Claim::Orbits { problem: folded, schedule })
            }
            Claim::Orbits { .. } | Claim::Product(_) => None,
        }
    }

    /// Merges and spreads so many chunks, and then the next ones.
    fn one_after_the_other(&self, merged: &Schedule, spread: &Schedule, chunks: usize) -> Schedule {
        let mut schedule = Schedule::new();
        let mut messages = Vec::new();
        for round in 0..self.rounds as usize {
            for (steps, op) in [(merged, Op::Reduce), (spread, Op::Copy)] {
                for step in steps.steps() {
                    schedule.begin_step();
                    for transfer in step {
                        messages.clear();
                        messages.extend(transfer.messages.iter().map(|m| Message::new(round * chunks + m.index())));
                        schedule.push(Transfer { messages: &messages, op, ..transfer });
                    }
                }
            }
        }
        schedule
    }
}
