//! **What:** the method `stricter-model`: a schedule under stricter rules, which is one under those that were asked for.
//!
//! **Theory:** under wormhole switching a path may have one channel, as under store-and-forward; where transfers may combine
//! messages they need not. Under stricter rules there is less to search through.
//!
//! **Loses** whatever longer paths or combined messages would have gained.
//!
//! **Source:** folklore.

use crate::nested::{applying, gains, quick_best_but};
use kernel::{Model, Problem, Schedule, Semantics, Switching};
use run::{Method, Run};

/// The method.
pub struct StricterModel;

const NAME: &str = "stricter-model";

impl Method for StricterModel {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "a schedule under stricter rules: store-and-forward for wormhole, or without combining"
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
            // Stricter rules may have a higher bound, which nobody is to search below, or which leaves nothing to gain.
            let floor = bounds::strongest(&stricter, run).steps.max(floor);
            if !gains(floor, best.as_ref(), run) {
                continue;
            }
            let Some(found) = quick_best_but(&[NAME], &stricter, floor, run) else { continue };
            if best.as_ref().is_none_or(|b| found.schedule.steps() < b.step_count()) {
                best = Some(found.schedule.expanded().ok()?.into_owned());
            }
            if best.as_ref().is_some_and(|b| b.step_count() as u64 <= run.goal(floor)) || run.stopped() {
                break;
            }
        }
        best
    }
}

/// The problem under stricter rules, where that is worth a try: where messages combine, or a chunk is for several.
fn stricter(problem: &Problem) -> impl Iterator<Item = Problem> {
    let (collective, model) = (problem.collective(), problem.model());
    let merges = collective.semantics() == Semantics::Reduce
        && collective.messages().any(|m| collective.destinations(m).len() > 1);
    let hops = (model.switching == Switching::Wormhole && (merges || model.combining))
        .then_some(Model { switching: Switching::StoreAndForward, ..model });
    let single = (model.combining && collective.message_count() > 1).then_some(Model { combining: false, ..model });
    let (network, collective) = (problem.network().clone(), collective.clone());
    hops.into_iter().chain(single).filter_map(move |m| Problem::new(network.clone(), collective.clone(), m).ok())
}
