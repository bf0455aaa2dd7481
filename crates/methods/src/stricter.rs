//! **What:** the method `stricter-model`: a schedule under stricter rules, which is one under those that were asked for.
//!
//! **Theory:** under wormhole switching a path may have one channel, as under store-and-forward; where transfers may combine
//! messages they need not. Under stricter rules there is less to search through. Under time-division steps of store-and-forward
//! become slots, so far apart that what a step brings is there when a later one sends it on.
//!
//! **Loses** whatever longer paths or combined messages would have gained.
//!
//! **Source:** folklore.

use crate::nested::{applying, bound, gains, quick_best_but};
use crate::spaced::in_slots;
use kernel::{Model, Problem, Schedule, Semantics, Slots, Switching};
use run::{Method, Run, Settings};

/// The method.
pub struct StricterModel;

const NAME: &str = "stricter-model";

impl Method for StricterModel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a schedule under stricter rules: store-and-forward for wormhole and time-division, or without combining"
    }

    fn source(&self) -> &'static str {
        "folklore"
    }

    fn applies(&self, problem: &Problem) -> bool {
        stricter(problem).any(|p| applying(&[NAME], &p).next().is_some())
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let mut best: Option<Schedule> = None;
        for stricter in stricter(problem) {
            let by_hops = stricter.model().switching == Switching::StoreAndForward;
            let slots = problem.model().switching.slots().filter(|_| by_hops);
            // What is found first has most of the gain where steps become slots, and methods of time-division need their time.
            let ticks = if slots.is_some() { (run.settings.ticks / 8).max(1) } else { run.settings.ticks };
            let part = run.part(Settings { ticks, ..run.settings });
            // Stricter rules may have a higher bound, which nobody is to search below, or which leaves nothing to gain.
            let floor = bound(&stricter, &part).max(floor);
            if !gains(least(problem, floor, slots), best.as_ref(), run) {
                continue;
            }
            let found = quick_best_but(&[NAME], &stricter, floor, &part);
            if part.wants_more() {
                run.note_wants_more();
            }
            let Some(found) = found else { continue };
            let found = found.schedule.expanded().ok()?.into_owned();
            let found = match slots {
                Some(slots) => in_slots(problem.network(), &found, slots),
                None => found,
            };
            if best.as_ref().is_none_or(|b| found.step_count() < b.step_count()) {
                best = Some(found);
            }
            if best.as_ref().is_some_and(|b| b.step_count() as u64 <= run.goal(floor)) || run.stopped() {
                break;
            }
        }
        best
    }
}

/// Steps of a schedule that is worth a search: of a single message each step of store-and-forward waits for the one before, which under
/// time-division takes hop + 1 slots.
fn least(problem: &Problem, floor: u64, slots: Option<Slots>) -> u64 {
    match slots {
        Some(slots) if problem.collective().message_count() == 1 => {
            floor.saturating_sub(1) * (u64::from(slots.hop) + 1) + 1
        }
        _ => floor,
    }
}

/// The problem under stricter rules, where that is worth a try: where messages combine, or a chunk is for several.
fn stricter(problem: &Problem) -> impl Iterator<Item = Problem> {
    let (collective, model) = (problem.collective(), problem.model());
    let merges = collective.semantics() == Semantics::Reduce
        && collective.messages().any(|m| collective.destinations(m).len() > 1);
    let hops = (model.switching == Switching::Wormhole && model.combining
        || model.switching != Switching::StoreAndForward && merges)
        .then_some(Model { switching: Switching::StoreAndForward, ..model });
    let single = (model.combining && collective.message_count() > 1).then_some(Model { combining: false, ..model });
    let (network, collective) = (problem.network().clone(), collective.clone());
    hops.into_iter().chain(single).filter_map(move |m| Problem::new(network.clone(), collective.clone(), m).ok())
}
