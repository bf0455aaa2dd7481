//! **What:** one run of a cell.

use crate::least::least_conflicts;
use crate::{Cell, ExperimentError, Record};
use cpu_time::ProcessTime;
use evolution::{Evolution, Generation, Trial};
use run::{Progress, Run, Seed, Settings, Silent};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a run may last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Seconds of the processor; 0: no limit. What else the machine does counts little.
    pub seconds: f64,
    /// Generations.
    pub generations: u64,
    /// Whether what is stopped by the clock leaves no record.
    pub whole: bool,
    /// Whether a run ends where fewer conflicts are impossible.
    pub settles: bool,
}

/// Stops a run at the least number of conflicts possible.
struct Least<'a> {
    conflicts: u64,
    stop: &'a AtomicBool,
}

impl Progress for Least<'_> {
    fn generation(&self, generation: &Generation) {
        if u64::from(generation.best) <= self.conflicts {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs a cell once; `None` where the run was given up, or `interrupted`.
pub(crate) fn measure(
    cell: &Cell,
    seed: u64,
    limit: Limit,
    interrupted: &AtomicBool,
) -> Result<Option<Record>, ExperimentError> {
    let Cell { method, population, crossover, mutation, refine, drawn, slack, rules, .. } = *cell;
    let Cell { network, pattern, .. } = cell;
    let refused = |why: String| ExperimentError::Cell { cell: format!("{method} {network} {pattern}"), why };
    let problem = cell.problem().map_err(refused)?;
    let stop = AtomicBool::new(false);
    let settings = Settings { seed: Seed(seed), slack: Some(slack), ..Settings::default() };
    let claim = bounds::strongest(&problem, &Run::new(settings, &Silent, &stop));
    let floor = kernel::certify(&problem, claim).map_err(|why| refused(why.to_string()))?.steps();
    let steps = cell.target(floor);
    let mut evolution = Evolution::named(method).ok_or_else(|| refused("there is no such method".into()))?;
    evolution.rules = rules;
    let mut values = vec![
        ("population", f64::from(population)),
        ("mutation", mutation),
        ("refine", f64::from(refine)),
        ("generations", limit.generations as f64),
    ];
    values.push(if method == "sga" { ("crossover", crossover) } else { ("drawn", drawn) });
    values.extend(cell.others.iter().map(|(name, value)| (*name, *value)));
    for (name, value) in values {
        evolution.parameters.set(method, name, &value.to_string()).map_err(|why| refused(why.to_string()))?;
    }
    // Refinement trades conflicts for late deliveries, of which fewer may be enough.
    let settles = refine == 0 && limit.settles;
    let conflicts = if settles { least_conflicts(&problem, steps).unwrap_or(0) } else { 0 };
    let least = Least { conflicts, stop: &stop };
    let begun = ProcessTime::now();
    let work = || evolution.trial(&problem, steps, &Run::new(settings, &least, &stop));
    let trial = limited(&stop, interrupted, limit.seconds, work).map_err(|why| refused(why.to_string()))?;
    let seconds = begun.elapsed().as_secs_f64();
    let cut_short = stop.into_inner() && u64::from(trial.last.best) > conflicts;
    if interrupted.load(Ordering::Relaxed) || (limit.whole && cut_short) {
        return Ok(None);
    }
    let verified = |schedule| kernel::verify(&problem, schedule).ok();
    let solved = trial.schedule.is_some_and(|schedule| verified(schedule).is_some());
    let reached = verified(trial.repaired).map(|verified| verified.steps() as u64);
    Ok(Some(Record {
        method: method.into(),
        network: network.clone(),
        pattern: pattern.clone(),
        population,
        crossover,
        mutation,
        refine,
        drawn,
        slack,
        rules: rules.to_string(),
        steps,
        floor,
        seed,
        solved,
        best: trial.last.best,
        generations: trial.last.generation,
        evaluations: trial.last.evaluations,
        seconds,
        reached,
        parameters: cell.parameters(),
    }))
}

/// Sets `stop` once the process has used so many seconds of the processor, or is interrupted.
fn limited<E>(
    stop: &AtomicBool,
    interrupted: &AtomicBool,
    seconds: f64,
    work: impl FnOnce() -> Result<Trial, E>,
) -> Result<Trial, E> {
    let begun = ProcessTime::now();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
                let late = seconds > 0.0 && begun.elapsed().as_secs_f64() > seconds;
                if late || interrupted.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let made = work();
        over.store(true, Ordering::Relaxed);
        made
    })
}
