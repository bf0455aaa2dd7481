//! **What:** `bound`: the strongest certified floor alone.

use super::solve::threads;
use crate::args::BoundArgs;
use crate::failure::Failure;
use crate::output::{say, say_json};
use crate::{problem, progress, render};
use kernel::{Certificate, Problem};
use methods::{Settings, Watch};
use run::{Alone, Run, Silent};
use serde::Serialize;
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
    let begun = Instant::now();
    let stop = progress::interruptible();
    let run = Run::new(run::Settings::default(), &Silent, stop);
    let closed = problem::closed(&arguments.problem)?.filter(|network| network.terminals().len() > FEW_TERMINALS);
    if let Some(closed) = closed
        .and_then(|network| methods::construction::alltoall(&network, problem::model(&arguments.problem), None, &run))
    {
        let floor = closed.verdict.floor();
        return say_floor(arguments, floor.problem(), floor.certificate(), begun);
    }
    let problem = problem::pose(&arguments.problem)?;
    let settings = Settings::default().with_threads(threads(None)?);
    let floor = methods::bound(&problem, &settings, Watch { progress: &Silent, stop, ranks: &Alone });
    say_floor(arguments, &problem, floor.certificate(), begun)
}

/// Alltoall between more terminals has its floor found by symmetry, where a closed form tells one.
const FEW_TERMINALS: usize = 1 << 9;

/// Prints a certificate that went through its door.
fn say_floor(
    arguments: &BoundArgs,
    problem: &Problem,
    certificate: &Certificate,
    begun: Instant,
) -> Result<u8, Failure> {
    let seconds = begun.elapsed().as_secs_f64();
    if arguments.form.json {
        say_json(&Document {
            network: problem.network().name(),
            collective: problem.collective().name(),
            chunks: problem.collective().chunks(),
            bound: certificate.steps,
            certified: true,
            certificate: formats::schedule_json::proof(&certificate.proof),
            seconds,
        })?;
    } else {
        say(&format!(
            "{} on {}  at least {} steps  certified\n  {}\n  found in {seconds:.2} s",
            problem.collective().name(),
            problem.network().name(),
            certificate.steps,
            render::reason(problem, certificate),
        ))?;
    }
    Ok(0)
}
