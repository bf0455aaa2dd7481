//! **What:** `bound`: the strongest certified floor alone.

use crate::cli::args::BoundArgs;
use crate::cli::failure::Failure;
use crate::cli::output::{say, say_json};
use crate::cli::{problem, progress, render};
use kernel::{Certified, Problem, Refused, certify};
use serde::Serialize;
use solve::{Run, Settings, Silent};
use std::time::Instant;

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    network: &'a str,
    collective: &'a str,
    chunks: u32,
    bound: u64,
    certified: bool,
    certificate: serde_json::Value,
    seconds: f64,
}

/// The verb.
pub fn run(arguments: &BoundArgs) -> Result<u8, Failure> {
    let problem = problem::pose(&arguments.problem)?;
    let begun = Instant::now();
    let stop = progress::interruptible();
    let found = strongest(&problem, &Run::new(Settings::default(), &Silent, stop));
    let seconds = begun.elapsed().as_secs_f64();
    let floor = found.map_err(|refused| Failure::no(format!("no bound: {refused}")))?;
    let certificate = floor.certificate();
    if arguments.form.json {
        say_json(&Document {
            network: problem.network().name(),
            collective: problem.collective().name(),
            chunks: problem.collective().chunks(),
            bound: floor.steps(),
            certified: true,
            certificate: formats::schedule_json::proof(&certificate.proof),
            seconds,
        })?;
    } else {
        say(&format!(
            "{} on {}  at least {} steps  certified\n  {}\n  found in {seconds:.2} s",
            problem.collective().name(),
            problem.network().name(),
            floor.steps(),
            render::reason(&problem, certificate),
        ))?;
    }
    Ok(0)
}

/// The strongest certificate that is found, through the door.
pub fn strongest(problem: &Problem, run: &Run<'_>) -> Result<Certified, Refused> {
    certify(problem, solve::bound::strongest(problem, run))
}
