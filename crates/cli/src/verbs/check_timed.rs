//! **What:** `check` of a schedule in time: every rule, and what it takes in microseconds, derived again from the file alone.

use crate::args::CheckArgs;
use crate::failure::{self, Failure};
use crate::output::{self, say, say_json};
use crate::render;
use formats::timed_json::{self, Document};
use kernel::timed::{Size, VerifiedTimed, verify_keeping};
use kernel::{Rational, Rejected};
use serde::Serialize;
use serde_json::Value;

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    valid: bool,
    ticks: Option<u64>,
    time_us: Option<f64>,
    #[serde(rename = "algbw_GBps")]
    algorithm: Option<f64>,
    #[serde(rename = "busbw_GBps")]
    bus: Option<f64>,
    violations: Vec<Value>,
    /// How many there are, shown or not.
    violation_count: u64,
    network: &'a str,
    collective: &'a str,
    chunks: u32,
    transfers: usize,
}

/// Checks the file.
pub(super) fn run(arguments: &CheckArgs) -> Result<u8, Failure> {
    if arguments.deadlock {
        return Err(Failure::input("--deadlock: this is a schedule in time, whose transfers wait for nothing")
            .hint("leave it out"));
    }
    let Document { problem, claim, bytes, .. } = timed_json::read(&arguments.file).map_err(output::unread)?;
    let (transfers, times) = (claim.transfer_count(), claim.times().to_vec());
    let most = if arguments.all { usize::MAX } else { Rejected::KEPT };
    let (verified, rejected) = match verify_keeping(&problem, claim, most) {
        Ok(verified) => (Some(verified), None),
        Err(rejected) => (None, Some(rejected)),
    };
    let speed = verified.as_ref().and_then(|verified| Speed::of(verified, bytes));
    let (collective, network) = (problem.collective(), problem.network());
    if arguments.report.json {
        let broken = rejected.as_ref().map_or(&[][..], Rejected::violations);
        say_json(&Answer {
            valid: rejected.is_none(),
            ticks: verified.as_ref().map(VerifiedTimed::ticks),
            time_us: verified.as_ref().map(VerifiedTimed::micros),
            algorithm: speed.as_ref().map(|speed| speed.algorithm),
            bus: speed.as_ref().map(|speed| speed.bus),
            violations: broken.iter().map(|violation| at_tick(render::violation(violation), &times)).collect(),
            violation_count: rejected.as_ref().map_or(0, Rejected::count),
            network: network.name(),
            collective: collective.name(),
            chunks: collective.chunks(),
            transfers,
        })?;
    } else {
        let what = format!("{} on {}", collective.name(), network.name());
        let mut lines = Vec::new();
        if let Some(verified) = &verified {
            let tick = problem.units().tick_us;
            lines.push(format!("{what}  {} µs", render::micros(verified.micros())));
            lines.push(format!(
                "  schedule: every rule holds, {transfers} transfers in {} ticks of {tick} µs",
                verified.ticks()
            ));
        }
        lines.extend(speed.map(|speed| speed.people()));
        if let Some(rejected) = &rejected {
            lines.push(format!("{what}  INVALID: {} violation(s)", rejected.count()));
            lines.extend(rejected.violations().iter().map(|v| format!("  {}: {v}", v.rule())));
            let more = rejected.count() - rejected.violations().len() as u64;
            if more > 0 {
                lines.push(format!("  and {more} more, shown with --all"));
            }
        }
        say(&lines.join("\n"))?;
    }
    Ok(if rejected.is_none() { 0 } else { failure::NO })
}

/// A violation with the tick at which its step begins, where it has none of its own.
fn at_tick(mut violation: Value, times: &[u64]) -> Value {
    let step = violation["step"].as_u64().and_then(|step| usize::try_from(step).ok());
    if let (Some(tick), Value::Null) = (step.and_then(|step| times.get(step)), &violation["tick"]) {
        violation["tick"] = (*tick).into();
    }
    violation
}

/// How fast a schedule is, as nccl-tests tells it.
struct Speed {
    /// Bytes over time, in GB/s.
    algorithm: f64,
    /// The same times the factor of the collective.
    bus: f64,
}

impl Speed {
    /// `None` where the file does not say the size, or the collective has no name that sizes are known of.
    fn of(verified: &VerifiedTimed, bytes: Option<Rational>) -> Option<Self> {
        let float = |number: Rational| number.numerator as f64 / number.denominator as f64;
        let size = Size::of(verified.problem().collective())?;
        // A GB/s is 1000 bytes a microsecond.
        let algorithm = float(bytes?) / verified.micros() / 1000.0;
        Some(Speed { algorithm, bus: algorithm * float(size.bus) })
    }

    fn people(&self) -> String {
        format!("  bandwidth: {:.4} GB/s (algorithm), {:.4} GB/s (bus)", self.algorithm, self.bus)
    }
}
