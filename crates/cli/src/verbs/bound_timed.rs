//! **What:** `bound --bytes`: the strongest certified lower bound of time.

use super::solve::seconds;
use crate::args::BoundArgs;
use crate::failure::Failure;
use crate::output::{say, say_json_of};
use crate::{progress, render, timed_problem};
use methods::bound_timed;
use run::{Run, Settings, Silent};
use serde_json::json;
use std::time::Instant;

/// The verb.
pub(super) fn run(arguments: &BoundArgs, bytes: &str) -> Result<u8, Failure> {
    let begun = Instant::now();
    seconds(arguments.time)?;
    let posed = timed_problem::pose(&arguments.problem, bytes)?;
    let chunks = posed.chunks.unwrap_or(1);
    let problem = posed.sized.problem(chunks).map_err(|error| posed.unposed(&error))?;
    let left = arguments.time.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    let searching = progress::interruptible();
    let settings = Settings { seconds: left, ..Settings::default() };
    let floor = bound_timed(&problem, &Run::new(settings, &Silent, searching.switch()));
    let (collective, network) = (problem.collective().name(), problem.network().name());
    let seconds = begun.elapsed().as_secs_f64();
    if arguments.report.json {
        let proof = formats::timed_json::proof(&floor.certificate().proof);
        let certificate = render::whole(render::timed_certificate(&problem, floor.certificate()), &proof);
        say_json_of(
            problem.network(),
            &json!({"network": network, "collective": collective, "chunks": chunks, "bound_ticks": floor.ticks(),
                         "bound_us": floor.micros(), "tick_us": problem.units().tick_us.to_string(),
                         "certified": true, "certificate": certificate, "seconds": seconds}),
        )?;
    } else {
        let (what, micros) = (problem.title(), render::micros(floor.micros()));
        let why = render::timed_reason(&problem, floor.certificate());
        say(&format!("{what}: lower bound {micros} µs, certified ({seconds:.2} s)\n  by {why}"))?;
    }
    Ok(0)
}
