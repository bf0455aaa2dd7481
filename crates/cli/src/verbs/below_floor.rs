//! **What:** `solve --below-bound`: evolution for fewer steps than any schedule has, and the conflicts that it leaves (the dissertation,
//! section 7.2, compares parameters by them).

use super::solve::refused;
use console::args::SolveArgs;
use console::failure::{Failure, NO};
use console::output::{say, say_json};
use console::{problem, progress};
use evolution::{EVOLUTION, Evolution, Trial};
use experiments::least_conflicts;
use kernel::{Certified, Problem};
use methods::{Parameter, Settings, SolveError, Watch};
use run::{Alone, Method, Run, Seed, Silent};
use serde_json::json;
use std::time::Instant;

/// Generations where neither they nor seconds are limited: some seconds.
const USUAL_GENERATIONS: u64 = 10_000;

/// The verb with `--below-floor`; status 1, since there is no schedule.
pub(super) fn run(arguments: &SolveArgs, settings: &Settings) -> Result<u8, Failure> {
    let begun = Instant::now();
    let mut evolution = chosen(settings)?;
    let steps = settings.steps.filter(|steps| *steps > 0).ok_or_else(|| {
        Failure::input("--below-bound: --steps says how many steps, at least 1")
            .hint("add --steps N, one less than the lower bound")
    })?;
    let problem = problem::pose_within(&arguments.problem, settings.seconds)?;
    let searching = progress::interruptible();
    let watch = Watch { progress: &Silent, stop: searching.switch(), ranks: &Alone };
    let mut plain = settings.clone();
    (plain.method, plain.steps, plain.parameters) = (None, None, Vec::new());
    let floor = methods::bound(&problem, &plain, watch).map_err(|error| refused(&error, &problem, settings))?;
    if steps >= floor.steps() {
        return Err(Failure::input(format!(
            "--below-bound: {steps} steps are not below the lower bound of {}",
            floor.steps()
        ))
        .hint("leave the flag out, or ask for fewer --steps"));
    }
    let usual = Parameter { name: "generations".into(), value: USUAL_GENERATIONS.to_string() };
    let limited = settings.seconds.is_some() || settings.parameters.iter().any(|p| p.name == usual.name);
    for parameter in settings.parameters.iter().chain((!limited).then_some(&usual)) {
        let set = evolution.parameters.set(evolution.name(), &parameter.name, &parameter.value);
        set.map_err(|error| refused(&SolveError::Parameter(error), &problem, settings))?;
    }
    let left = settings.seconds.map(|seconds| (seconds - begun.elapsed().as_secs_f64()).max(0.0));
    let settings = run::Settings {
        seed: Seed(settings.seed),
        threads: settings.threads.max(1),
        seconds: left,
        ticks: u64::MAX,
        slack: settings.slack,
        steps: None,
    };
    let line = progress::Line::new(left);
    let trial = evolution.trial(&problem, steps, &Run::new(settings, &line, searching.switch()));
    line.finish();
    let trial = trial.map_err(|why| {
        Failure::input(format!("--method {}: {why}", evolution.name()))
            .hint("choose a smaller problem, or less --slack")
    })?;
    if trial.schedule.is_some() {
        return Err(Failure::no(format!(
            "{steps} steps without conflicts, below a certified lower bound of {}",
            floor.steps()
        ))
        .hint("one of the two is wrong: please report this"));
    }
    let answer = Answer { problem: &problem, floor: &floor, steps, trial: &trial, method: evolution.name() };
    answer.give(settings.seed.0, arguments.report.json, begun.elapsed().as_secs_f64())
}

/// The evolutionary method that was named.
fn chosen(settings: &Settings) -> Result<Evolution, Failure> {
    settings.method.as_deref().and_then(Evolution::named).ok_or_else(|| {
        let names: Vec<&str> = EVOLUTION.iter().map(|e| e.name()).collect();
        Failure::input("--below-bound: only evolutionary methods have it")
            .hint(format!("choose one with --method {}", names.join("|")))
    })
}

struct Answer<'a> {
    problem: &'a Problem,
    floor: &'a Certified,
    steps: u64,
    trial: &'a Trial,
    method: &'static str,
}

impl Answer<'_> {
    fn give(&self, seed: u64, json: bool, seconds: f64) -> Result<u8, Failure> {
        let (last, floor) = (&self.trial.last, self.floor.steps());
        let (network, collective) = (self.problem.network().name(), self.problem.collective().name());
        let least = least_conflicts(self.problem, self.steps);
        if json {
            say_json(&json!({
                "network": network, "collective": collective, "steps": null, "asked": self.steps, "bound": floor,
                "certified": true, "optimal": false, "below_floor": true, "method": self.method, "conflicts": last.conflicts,
                "late": last.late, "least_conflicts": least, "generations": last.generation,
                "evaluations": last.evaluations, "seed": seed, "seconds": seconds,
            }))?;
        } else {
            let least = least.map_or(String::new(), |least| {
                format!("\n  without late deliveries, at least {least} conflicts are unavoidable: the channels have no more capacity")
            });
            say(&format!(
                "{collective} on {network}: {} steps requested, certified lower bound {floor}: no schedule exists\n  {} conflicts and {} late deliveries left after {} generations, {} candidates, by {} in {seconds:.2} s{least}",
                self.steps, last.conflicts, last.late, last.generation, last.evaluations, self.method
            ))?;
        }
        Ok(NO)
    }
}
