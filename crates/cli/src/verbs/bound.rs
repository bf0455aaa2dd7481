//! **What:** `bound`: the strongest certified lower bound alone.

use super::solve::{refused, seconds, threads};
use console::args::BoundArgs;
use console::failure::Failure;
use console::output::{say, say_json_of};
use console::{problem, progress, render};
use kernel::{Certified, Problem};
use methods::{Settings, Watch};
use run::Alone;
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
pub(crate) fn run(arguments: &BoundArgs) -> Result<u8, Failure> {
    if arguments.all {
        return super::bound_all::run(arguments);
    }
    if let Some(bytes) = &arguments.problem.timed.bytes {
        return super::bound_timed::run(arguments, bytes);
    }
    let begun = Instant::now();
    let (problem, settings) = posed(arguments, begun)?;
    let searching = progress::interruptible();
    let line = progress::Line::new(settings.seconds);
    let watch = Watch { progress: &line, stop: searching.switch(), ranks: &Alone };
    let floor = methods::bound(&problem, &settings, watch);
    line.finish();
    let floor = floor.map_err(|error| refused(&error, &problem, &settings))?;
    say_floor(arguments, &floor, begun)
}

/// The problem, and what is left of `--time` once it was read.
pub(super) fn posed(arguments: &BoundArgs, begun: Instant) -> Result<(Problem, Settings), Failure> {
    seconds(arguments.time)?;
    let problem = problem::pose_within(&arguments.problem, arguments.time)?;
    let mut settings = Settings::default().with_threads(threads(None)?);
    settings.seconds = arguments.time.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    Ok((problem, settings))
}

/// Prints a bound.
fn say_floor(arguments: &BoundArgs, certified: &Certified, begun: Instant) -> Result<u8, Failure> {
    let (problem, certificate) = (certified.problem(), certified.certificate());
    let seconds = begun.elapsed().as_secs_f64();
    if arguments.report.json {
        say_json_of(
            problem.network(),
            &Document {
                network: problem.network().name(),
                collective: problem.collective().name(),
                chunks: problem.collective().chunks(),
                bound: certificate.steps,
                certified: true,
                certificate: render::whole(
                    render::certified(certified),
                    &formats::schedule_json::proof(&certificate.proof),
                ),
                seconds,
            },
        )?;
    } else {
        let note = console::prefixes::note(problem).map_or(String::new(), |note| format!("\n  {note}"));
        say(&format!(
            "{}: lower bound {}, certified ({seconds:.2} s)\n  by {}\n  {}{note}",
            problem.title(),
            render::count(certificate.steps, "step"),
            render::reason(certified),
            render::rules(problem),
        ))?;
    }
    Ok(0)
}
