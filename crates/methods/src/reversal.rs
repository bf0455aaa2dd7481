//! **What:** collectives that end at few nodes, made by running those that begin there backwards: gather from scatter,
//! reduce from broadcast, reduce_scatter from allgather, on the network with all channels turned round.
//!
//! **Theory:** run backwards, the last steps come first and every path is walked from its end, so capacities, ports and
//! half-duplex groups are obeyed step by step. A message that is delivered once to each node travels along a tree; backwards,
//! every node sends once, to its parent, after all its children have sent, which merges each contribution exactly once.
//! So deliveries of what a node already has, and those that help nobody, are taken out first.
//!
//! Under time-division what arrives after the end of the period is held at its end; so backwards it may be merged only where the
//! chunk ends, and the slots that are run backwards are filled by origins alone where they wrap round.
//!
//! **Loses** nothing: a problem and its reversal have schedules of the same numbers of steps. Under time-division it has two
//! searches, `greedy` and `copy-insertion`.

use crate::nested::{applying, best_but};
use kernel::{Problem, Schedule, Semantics, verify};
use run::{Method, Run, Settings};
use search::transform::{reverse_schedule, reverse_slots};
use search::{reversible, reversible_insertion};

/// The engine "reversal".
pub struct Reversal;

const NAME: &str = "reversal";

impl Method for Reversal {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "gather, reduce and reduce_scatter: scatter, broadcast and allgather run backwards"
    }

    fn source(&self) -> &'static str {
        "folklore; the dissertation's section on reductions"
    }

    /// Its first look is for what is written down, and for what is quick backwards.
    fn is_quick(&self, _: &Problem) -> bool {
        true
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let mut ends = collective.messages().map(|m| collective.destinations(m));
        let gathers = ends.next().is_some_and(|first| first.len() == 1 && ends.all(|e| e == first));
        let merges = collective.semantics() == Semantics::Reduce;
        let slots = problem.model().is_slotted();
        let reversed = || problem.reversed().is_some_and(|r| applying(&[NAME], &r).next().is_some());
        (merges || gathers && !slots) && reversed()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let reversed = problem.reversed()?;
        if let Some(slots) = problem.model().switching.slots() {
            let claim = in_slots(&reversed, floor, run)?;
            return Some(reverse_slots(&reversed, &claim, slots.hop));
        }
        let solution = best_but(&[NAME], &reversed, floor, run)?;
        Some(reverse_schedule(solution.schedule.problem(), &*solution.schedule.expanded().ok()?))
    }
}

/// Slots that may be run backwards: greedily filled ones, or fewer by insertion, for half of the ticks each.
fn in_slots(reversed: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let half = Settings { ticks: run.settings.ticks.div_ceil(2), ..run.settings };
    let first = run.part(half);
    let quick = reversible(reversed, floor, &first).and_then(|claim| verify(reversed, claim).ok());
    let second = run.part(half).starting_from(quick.as_ref().or(run.incumbent));
    let fewer = reversible_insertion(reversed, floor, &second);
    if first.wants_more() || second.wants_more() {
        run.note_wants_more();
    }
    fewer.or_else(|| Some(quick?.expanded().ok()?.into_owned()))
}
