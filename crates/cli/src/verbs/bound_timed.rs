//! **What:** `bound --bytes`: the strongest certified lower bound of time.
//!
//! **Facts:** chunks may be cut into smaller ones, so a bound in k chunks is one in any number that divides k
//! (docs/certificates.md, "Any number of chunks"). Without `--chunks` the bound is in a number that many others divide.

use super::solve::seconds;
use console::args::BoundArgs;
use console::failure::Failure;
use console::output::{say, say_json_of};
use console::timed_problem::{self, Posed};
use console::{progress, render};
use kernel::timed::TimedProblem;
use methods::bound_timed;
use run::{Run, Settings, Silent};
use serde_json::json;
use std::time::Instant;

/// Numbers of chunks with many divisors: 5040 has all up to 10, and 12, 14, 15, 16 and more.
const DIVISIBLE: [u32; 5] = [5040, 720, 60, 12, 2];
/// Of more messages than these no bound is sought but that in one chunk.
const MESSAGES: usize = 1_000_000;

/// The verb.
pub(super) fn run(arguments: &BoundArgs, bytes: &str) -> Result<u8, Failure> {
    let begun = Instant::now();
    seconds(arguments.time)?;
    let posed = timed_problem::pose(&arguments.problem, bytes)?;
    let is_of_any = posed.chunks.is_none();
    let problem = match posed.chunks {
        Some(chunks) => posed.sized.problem(chunks).map_err(|error| posed.unposed(&error))?,
        None => in_many_chunks(&posed)?,
    };
    let chunks = problem.collective().chunks();
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
            &json!({"network": network, "collective": collective, "chunks": chunks,
                         "holds_for_divisors": is_of_any, "bound_ticks": floor.ticks(),
                         "bound_us": floor.micros(), "tick_us": problem.units().tick_us.to_string(),
                         "certified": true, "certificate": certificate, "seconds": seconds}),
        )?;
    } else {
        let (what, micros) = (problem.title(), render::micros(floor.micros()));
        let why = render::timed_reason(&problem, floor.certificate());
        let any = match is_of_any && chunks > 1 {
            true => format!("\n  so, too, in any number of chunks that divides {chunks}; --chunks N bounds one number"),
            false => String::new(),
        };
        say(&format!("{what}: lower bound {micros} µs, certified ({seconds:.2} s)\n  by {why}{any}"))?;
    }
    Ok(0)
}

/// The problem in as many chunks as the bound is found in at once.
fn in_many_chunks(posed: &Posed) -> Result<TimedProblem, Failure> {
    let whole = posed.sized.problem(1).map_err(|error| posed.unposed(&error))?;
    let messages = whole.collective().message_count();
    let many = DIVISIBLE.iter().filter(|chunks| messages.saturating_mul(**chunks as usize) <= MESSAGES);
    Ok(many.filter_map(|chunks| posed.sized.problem(*chunks).ok()).next().unwrap_or(whole))
}
