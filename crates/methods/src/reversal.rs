//! **What:** collectives that end at few nodes, made by running those that begin there backwards: gather from scatter,
//! reduce from broadcast, reduce_scatter from allgather, on the network with all channels turned round.
//!
//! **Theory:** run backwards, the last steps come first and every path is walked from its end, so capacities, ports and
//! half-duplex groups are obeyed step by step. A message that is delivered once to each node travels along a tree; backwards,
//! every node sends once, to its parent, after all its children have sent, which merges each contribution exactly once.
//! So deliveries of what a node already has, and those that help nobody, are taken out first.
//!
//! Under time-division what arrives after the end of the period is held at its end; so it may be merged only where the
//! chunk ends, and the slots that are run backwards are filled by origins alone where they wrap round. Before it is turned round, such a message may be sent
//! before the period and be sent on within it; so only what was turned round is checked.
//!
//! **Loses** nothing: a problem and its reversal have schedules of the same numbers of steps. Under time-division it has three
//! searches, `allgather-matching`, `greedy` and `copy-insertion`.

use crate::nested::{applying, better_but, told_backwards};
use dissemination::reversible_insertion;
use kernel::{Model, Problem, Schedule, Semantics, Slots, Switching, Verified, verify};
use run::{Method, Run, Settings};
use search::transform::{reverse_schedule, reverse_slots};
use search::{AllgatherMatching, reversible};

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
            return in_slots(problem, &reversed, slots, floor, run);
        }
        let solution = better_but(told_backwards(&reversed, run), &[NAME], &reversed, floor, run)?;
        Some(reverse_schedule(solution.problem(), &*solution.expanded().ok()?))
    }
}

/// Makes slots that may be run backwards.
type Search<'s> = &'s dyn Fn(&Run<'_>) -> Option<Schedule>;

/// Slots that may be run backwards, by one search after the other for its part of the ticks: matchings, of which none wraps round, greedily
/// filled ones, and fewer by insertion.
fn in_slots(problem: &Problem, reversed: &Problem, slots: Slots, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let model = Model { switching: Switching::Tdm { hop: slots.hop, cyclic: false }, ..reversed.model() };
    let straight = Problem::new(reversed.network().clone(), reversed.collective().clone(), model).ok();
    let matched = |part: &Run<'_>| {
        let straight = straight.as_ref().filter(|straight| AllgatherMatching.applies(straight))?;
        AllgatherMatching.solve(straight, floor, part)
    };
    let searches: [(u64, Search<'_>); 3] = [
        (4, &matched),
        (2, &|part| reversible(reversed, floor, part)),
        (2, &|part| reversible_insertion(reversed, floor, part)),
    ];
    let mut best: Option<Verified> = None;
    for (share, search) in searches {
        let settings = Settings { ticks: run.settings.ticks.div_ceil(share), ..run.settings };
        let part = run.part(settings).starting_from(best.as_ref().or(run.incumbent));
        let found = search(&part).map(|claim| reverse_slots(reversed, &claim, slots.hop));
        let found = found.and_then(|claim| verify(problem, claim).ok());
        if part.wants_more() {
            run.note_wants_more();
        }
        best = found.or(best);
        if run.stopped() || best.as_ref().is_some_and(|best| best.steps() as u64 <= run.goal(floor)) {
            break;
        }
    }
    Some(best?.expanded().ok()?.into_owned())
}
