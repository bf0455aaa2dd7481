//! **What:** [`bound`]: the certified lower bound that [`solve`](crate::solve) comes to, without more search than it takes.

use crate::canonical::Canonical;
use crate::floors::Floors;
use crate::{Settings, Watch, solve_watched};
use kernel::{Certified, Problem};
use run::Run;

/// The strongest certified lower bound that is found.
///
/// It is the bound of [`solve`](crate::solve) under the same settings, as long as time suffices: where a problem is small enough
/// for schedules to be refuted one number of steps after another, that goes on beside the search, so the search is made, too.
pub fn bound(problem: &Problem, settings: &Settings, watch: Watch<'_>) -> Certified {
    let run = Run::new(settings.of_a_run(), watch.progress, watch.stop);
    let canonical = Canonical::of(problem, &|| run.stopped());
    let mut floors = Floors::new(problem, canonical.as_ref());
    floors.look(&run);
    floors.find(&run, None);
    if run.stopped() || !bounds::is_refutable(problem, floors.steps()) {
        return floors.into_certified();
    }
    let left = Settings { seconds: run.seconds_left(), ..settings.clone() };
    match solve_watched(problem, &left, watch) {
        Ok(outcome) if outcome.floor.steps() > floors.steps() => outcome.floor,
        _ => floors.into_certified(),
    }
}
