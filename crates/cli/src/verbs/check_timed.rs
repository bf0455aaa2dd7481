//! **What:** `check` of a schedule in time: every rule, and what it takes in microseconds, derived again from the file alone.

use console::args::CheckArgs;
use console::failure::{self, Failure};
use console::output::{self, say, say_json_of};
use console::progress::Parts;
use console::render;
use console::schedule_file::Speed;
use formats::timed_json::{self, Document};
use kernel::timed::{
    CertifiedTimed, TimedCertificate, TimedProblem, TimedRefused, TimedVerdict, VerifiedTimed, certify,
};
use kernel::{Rational, Refused, Rejected};
use serde::Serialize;
use serde_json::{Value, json};

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    valid: bool,
    ticks: Option<u64>,
    time_us: Option<f64>,
    bound_ticks: Option<u64>,
    bound_us: Option<f64>,
    certified: bool,
    optimal: bool,
    certificate: Option<Value>,
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
    transfers: u64,
}

/// Checks the file.
pub(super) fn run(arguments: &CheckArgs) -> Result<u8, Failure> {
    if arguments.deadlock {
        return Err(Failure::input("--deadlock: this is a schedule in time, whose transfers wait for nothing")
            .hint("leave it out"));
    }
    let parts = Parts::default();
    parts.begin(&format!("reading {}", arguments.file.display()));
    let read = timed_json::read(&arguments.file);
    if read.is_err() {
        parts.finish();
    }
    let Document { problem, claim, bound, bytes, .. } = read.map_err(output::unread)?;
    parts.begin(&format!("checking {} transfers", claim.transfer_count()));
    let (transfers, times) = (claim.transfer_count(), claim.schedule.times().to_vec());
    let most = if arguments.all { usize::MAX } else { Rejected::KEPT };
    let (verified, rejected) = match claim.verify_keeping(&problem, most) {
        Ok(verified) => (Some(verified), None),
        Err(rejected) => (None, Some(rejected)),
    };
    parts.begin("checking the bound");
    let floor = Floor::of(&problem, verified.as_ref(), bound);
    parts.finish();
    let found = Found { problem, transfers, times, verified, rejected, floor, bytes };
    if arguments.report.json {
        found.json()?
    } else {
        say(&found.people())?
    }
    Ok(if found.is_valid() { 0 } else { failure::NO })
}

/// What became of the certificate.
enum Floor {
    Absent,
    Proved(CertifiedTimed),
    Unchecked(TimedCertificate),
    Refused(TimedCertificate, TimedRefused),
}

impl Floor {
    fn of(problem: &TimedProblem, verified: Option<&VerifiedTimed>, bound: Option<TimedCertificate>) -> Self {
        let Some(bound) = bound else { return Floor::Absent };
        let certified = match verified {
            Some(verified) => verified.certify(bound.clone()),
            None => certify(problem, bound.clone()),
        };
        match certified {
            Ok(certified) => Floor::Proved(certified),
            Err(TimedRefused::Refused(Refused::Unchecked { .. })) => Floor::Unchecked(bound),
            Err(refused) => Floor::Refused(bound, refused),
        }
    }

    fn certificate(&self) -> Option<&TimedCertificate> {
        match self {
            Floor::Absent => None,
            Floor::Proved(certified) => Some(certified.certificate()),
            Floor::Unchecked(bound) | Floor::Refused(bound, _) => Some(bound),
        }
    }
}

/// What became of the file.
struct Found {
    problem: TimedProblem,
    transfers: u64,
    times: Vec<u64>,
    verified: Option<VerifiedTimed>,
    rejected: Option<Rejected>,
    floor: Floor,
    bytes: Option<Rational>,
}

impl Found {
    fn is_valid(&self) -> bool {
        self.verified.is_some() && !matches!(self.floor, Floor::Refused(..))
    }

    fn violation_count(&self) -> u64 {
        let refused = u64::from(matches!(self.floor, Floor::Refused(..)));
        refused + self.rejected.as_ref().map_or(0, Rejected::count)
    }

    fn is_optimal(&self) -> bool {
        let (Floor::Proved(floor), Some(ceiling)) = (&self.floor, &self.verified) else { return false };
        TimedVerdict::new(floor.clone(), ceiling.clone()).is_ok_and(|verdict| verdict.is_optimal())
    }

    fn json(&self) -> Result<(), Failure> {
        let broken = self.rejected.as_ref().map_or(&[][..], Rejected::violations);
        let mut violations: Vec<Value> = broken
            .iter()
            .map(|violation| at_tick(render::violation(violation, self.problem.network()), &self.times))
            .collect();
        if let Floor::Refused(bound, refused) = &self.floor {
            let (kind, text) = (bound.proof.kind(), refused.to_string());
            violations.push(json!({"rule": "certificate", "kind": kind, "ticks": bound.ticks, "text": text}));
        }
        // What is refused is no bound.
        let bound = self.floor.certificate().filter(|_| !matches!(self.floor, Floor::Refused(..)));
        let speed = self.verified.as_ref().and_then(|verified| Speed::of(verified, self.bytes));
        let collective = self.problem.collective();
        say_json_of(
            self.problem.network(),
            &Answer {
                valid: self.is_valid(),
                ticks: self.verified.as_ref().map(VerifiedTimed::ticks),
                time_us: self.verified.as_ref().map(VerifiedTimed::micros),
                bound_ticks: bound.map(|bound| bound.ticks),
                bound_us: bound.map(|bound| self.problem.micros(bound.ticks)),
                certified: matches!(self.floor, Floor::Proved(_)),
                optimal: self.is_optimal(),
                certificate: self.floor.certificate().map(|bound| render::timed_certificate(&self.problem, bound)),
                algorithm: speed.as_ref().map(|speed| speed.algorithm),
                bus: speed.as_ref().map(|speed| speed.bus),
                violations,
                violation_count: self.violation_count(),
                network: self.problem.network().name(),
                collective: collective.name(),
                chunks: collective.chunks(),
                transfers: self.transfers,
            },
        )
    }

    fn people(&self) -> String {
        let what = self.problem.title();
        let micros = |ticks: u64| render::micros(self.problem.micros(ticks));
        let mut lines = Vec::new();
        match &self.verified {
            Some(verified) if self.is_valid() => {
                let bound = match &self.floor {
                    Floor::Proved(certified) => Some(certified.micros()),
                    _ => None,
                };
                lines.push(format!("{what}: {}", render::time(verified.micros(), bound, self.is_optimal())));
            }
            _ => lines.push(format!("{what}: INVALID, {}", render::count(self.violation_count(), "violation"))),
        }
        if let Some(rejected) = &self.rejected {
            lines.extend(
                rejected
                    .violations()
                    .iter()
                    .map(|v| format!("  {}: {}", v.rule(), render::sentence(v, self.problem.network()))),
            );
            let more = rejected.count() - rejected.violations().len() as u64;
            if more > 0 {
                lines.push(format!("  and {more} more, shown with --all"));
            }
        }
        if let Some(verified) = &self.verified {
            let (transfers, ticks, tick) = (self.transfers, verified.ticks(), self.problem.units().tick_us);
            lines.push(format!("  schedule: every rule holds, {transfers} transfers in {ticks} ticks of {tick} µs"));
            lines.extend(Speed::of(verified, self.bytes).map(|speed| speed.people()));
        }
        lines.push(match &self.floor {
            Floor::Absent => "  lower bound: none in the file".into(),
            Floor::Proved(certified) => {
                let bound = certified.certificate();
                let why = render::timed_reason(&self.problem, bound);
                format!("  lower bound: {} µs, certified by {why}", micros(bound.ticks))
            }
            Floor::Unchecked(bound) => {
                let kind = bound.proof.kind();
                format!(
                    "  lower bound: {} µs claimed but not checked: there is no checker for `{kind}`",
                    micros(bound.ticks)
                )
            }
            Floor::Refused(bound, why) => {
                format!("  lower bound: REFUSED, {} ticks claimed by `{}`: {why}", bound.ticks, bound.proof.kind())
            }
        });
        lines.join("\n")
    }
}

/// A violation with the tick at which its step begins, where it has none of its own.
fn at_tick(mut violation: Value, times: &[u64]) -> Value {
    let step = violation["step"].as_u64().and_then(|step| usize::try_from(step).ok());
    if let (Some(tick), Value::Null) = (step.and_then(|step| times.get(step)), &violation["tick"]) {
        violation["tick"] = (*tick).into();
    }
    violation
}
