//! **What:** `check`: everything a schedule file claims, derived again from the file alone.
//!
//! A file is good if its schedule breaks no rule and its certificate, where it has one that can be checked, proves what it
//! claims. Certificates of kind `unsat` and `argument` are nobody's proof here: they neither help nor harm.

use crate::cli::args::CheckArgs;
use crate::cli::failure::{self, Failure};
use crate::cli::output::{self, say, say_json};
use crate::cli::render;
use kernel::{Certificate, Certified, Problem, Refused, Rejected, Verdict, Verified, certify, verify};
use serde::Serialize;
use serde_json::{Value, json};

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    valid: bool,
    steps: usize,
    bound: Option<u64>,
    certified: bool,
    optimal: bool,
    violations: Vec<Value>,
    network: &'a str,
    collective: &'a str,
    certificate: Option<&'a str>,
    transfers: usize,
}

/// What became of the certificate.
enum Floor {
    Absent,
    Proved(Certified),
    Unchecked(Certificate),
    Refused(Certificate, Refused),
}

/// The verb.
pub fn run(arguments: &CheckArgs) -> Result<u8, Failure> {
    let read = formats::schedule_json::read(&arguments.file).map_err(output::unread)?;
    let (problem, transfers, steps) = (read.problem, read.schedule.transfer_count(), read.schedule.step_count());
    let floor = prove(&problem, read.bound);
    let checked = verify(&problem, read.schedule);
    let verdict = match (&floor, &checked) {
        (Floor::Proved(floor), Ok(ceiling)) => Some(
            Verdict::new(floor.clone(), ceiling.clone())
                .map_err(|e| Failure::no(format!("{e}: a fault in this program; please report it")))?,
        ),
        _ => None,
    };
    let violations = violations(&floor, &checked);
    let valid = violations.is_empty();
    if arguments.form.json {
        let (bound, certified, kind) = match &floor {
            Floor::Absent => (None, false, None),
            Floor::Proved(c) => (Some(c.steps()), true, Some(c.certificate().proof.kind())),
            Floor::Unchecked(c) => (Some(c.steps), false, Some(c.proof.kind())),
            Floor::Refused(c, _) => (None, false, Some(c.proof.kind())),
        };
        say_json(&Document {
            valid,
            steps,
            bound,
            certified,
            optimal: verdict.as_ref().is_some_and(Verdict::is_optimal),
            violations,
            network: problem.network().name(),
            collective: problem.collective().name(),
            certificate: kind,
            transfers,
        })?;
    } else {
        say(&people(&problem, &floor, &checked, verdict.as_ref(), steps, transfers))?;
    }
    Ok(if valid { 0 } else { failure::NO })
}

fn prove(problem: &Problem, certificate: Option<Certificate>) -> Floor {
    let Some(certificate) = certificate else { return Floor::Absent };
    match certify(problem, certificate.clone()) {
        Ok(certified) => Floor::Proved(certified),
        Err(Refused::Unchecked { .. }) => Floor::Unchecked(certificate),
        Err(refused) => Floor::Refused(certificate, refused),
    }
}

fn violations(floor: &Floor, checked: &Result<Verified, Rejected>) -> Vec<Value> {
    let broken = checked.as_ref().err().map(Rejected::violations).unwrap_or_default();
    let mut violations: Vec<Value> = broken.iter().map(render::violation).collect();
    if let Floor::Refused(certificate, refused) = floor {
        let kind = certificate.proof.kind();
        violations.push(json!({"rule": "certificate", "kind": kind, "steps": certificate.steps,
                               "text": refused.to_string()}));
    }
    violations
}

fn people(
    problem: &Problem,
    floor: &Floor,
    checked: &Result<Verified, Rejected>,
    verdict: Option<&Verdict>,
    steps: usize,
    transfers: usize,
) -> String {
    let what = format!("{} on {}", problem.collective().name(), problem.network().name());
    let broken = checked.as_ref().err().map(Rejected::violations).unwrap_or_default();
    let violations = broken.len() + usize::from(matches!(floor, Floor::Refused(..)));
    let mut lines = match verdict {
        Some(verdict) => vec![verdict.to_string()],
        None if violations == 0 => vec![format!("{what}  {steps} steps")],
        None => vec![format!("{what}  INVALID: {violations} violation(s)")],
    };
    lines.extend(broken.iter().map(|v| format!("  {}: {v}", v.rule())));
    if checked.is_ok() {
        lines.push(format!("  schedule: every rule holds, {transfers} transfers in {steps} steps"));
    }
    lines.push(match floor {
        Floor::Absent => "  bound: none in the file".into(),
        Floor::Proved(c) => {
            format!("  bound: {} steps, certified by {}", c.steps(), render::reason(problem, c.certificate()))
        }
        Floor::Unchecked(c) => {
            format!("  bound: {} steps claimed, unchecked: nothing here checks `{}`", c.steps, c.proof.kind())
        }
        Floor::Refused(c, why) => format!("  bound: REFUSED, {} steps claimed by `{}`: {why}", c.steps, c.proof.kind()),
    });
    lines.join("\n")
}
