//! **What:** `check`: everything a schedule file claims, derived again from the file alone.
//!
//! A file is good if its schedule breaks no rule and its certificate, where it has one that can be checked, proves what it
//! claims; the formula and the proof of a certificate of kind `unsat` are read from beside the file. A certificate of kind
//! `argument` is nobody's proof here: it neither helps nor harms. A file stored as orbits is checked by its symmetry.

use super::check_carriers::{self, Carriers};
use super::check_runtime::Runtime;
use console::args::CheckArgs;
use console::deadlock::Deadlock;
use console::failure::{self, Failure};
use console::output::{self, say, say_json_of};
use console::{network_name, progress, render};
use formats::schedule_json::Document;
use kernel::{Certificate, Certified, Problem, Refused, Rejected, Verdict, Violation, verify_watched};
use serde::Serialize;
use serde_json::{Value, json};

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    valid: bool,
    steps: usize,
    bound: Option<u64>,
    certified: bool,
    optimal: bool,
    violations: Vec<Value>,
    /// How many there are, shown or not.
    violation_count: u64,
    network: &'a str,
    collective: &'a str,
    chunks: u32,
    certificate: Option<Value>,
    transfers: u64,
    /// Elements of the group by which the file is stored, where it is stored as orbits.
    symmetry: Option<u32>,
    /// With `--deadlock`, of a valid schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlock: Option<Value>,
    /// That the network is not the one that it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// What became of the certificate.
enum Floor {
    Absent,
    Proved(Certified),
    Unchecked(Certificate),
    Refused(Certificate, Refused),
}

/// What became of the file.
struct Found {
    problem: Problem,
    steps: usize,
    transfers: u64,
    symmetry: Option<u32>,
    floor: Floor,
    /// The violations that are shown, and how many there are.
    broken: Vec<Violation>,
    count: u64,
    /// What carries the first transfers over each channel with too many.
    carriers: Carriers,
    /// That the network is not the one that it is called.
    note: Option<String>,
    /// The verdict as a line, and whether it is optimal, where schedule and certificate both hold.
    verdict: Option<(String, bool)>,
    deadlock: Option<Deadlock>,
}

/// The verb.
pub(crate) fn run(arguments: &CheckArgs) -> Result<u8, Failure> {
    if Runtime::is_xml(&arguments.file) {
        return Runtime::xml(&arguments.file)?.check(arguments);
    }
    let parts = progress::Parts::default();
    let reading = format!("reading {}", arguments.file.display());
    let read = formats::schedule_json::read_watched(&arguments.file, &|done, of| parts.at(&reading, done, of));
    if read.is_err() {
        parts.finish();
    }
    let mut read = match read {
        Err(error) if formats::design_json::is_meant(&error) => return super::check_network::run(arguments),
        Err(error) if formats::timed_json::is_meant(&error) => return super::check_timed::run(arguments),
        Err(_) if Runtime::is_plan(&arguments.file) => return Runtime::plan(&arguments.file)?.check(arguments),
        read => read.map_err(output::unread_schedule)?,
    };
    if arguments.network.is_some() {
        return Err(Failure::input("--network: a schedule file has its network in it").hint("leave it out"));
    }
    if let Some(bound) = &mut read.bound {
        formats::schedule_json::attach(bound, &arguments.file).map_err(output::unread)?;
    }
    let found = Found::of(read, arguments, &parts);
    parts.finish();
    let found = found?;
    let violations = found.violations();
    let valid = violations.is_empty();
    if arguments.report.json {
        let claimed = |c: &Certificate| render::certificate(c, &c.reason(found.problem.network()));
        let (bound, certified, certificate) = match &found.floor {
            Floor::Absent => (None, false, None),
            Floor::Proved(c) => (Some(c.steps()), true, Some(render::certified(c))),
            Floor::Unchecked(c) => (Some(c.steps), false, Some(claimed(c))),
            Floor::Refused(c, _) => (None, false, Some(claimed(c))),
        };
        say_json_of(
            found.problem.network(),
            &Answer {
                valid,
                steps: found.steps,
                bound,
                certified,
                optimal: found.verdict.as_ref().is_some_and(|(_, optimal)| *optimal),
                violations,
                violation_count: found.violation_count(),
                network: found.problem.network().name(),
                collective: found.problem.collective().name(),
                chunks: found.problem.collective().chunks(),
                certificate,
                transfers: found.transfers,
                symmetry: found.symmetry,
                deadlock: found.deadlock.as_ref().map(Deadlock::json),
                note: found.note.clone(),
            },
        )?;
    } else {
        say(&found.people())?;
    }
    let free = found.deadlock.as_ref().is_none_or(Deadlock::is_free);
    Ok(if valid && free { 0 } else { failure::NO })
}

impl Floor {
    /// What the checker says of the certificate.
    fn of(read: &mut Document) -> Floor {
        let Some(certificate) = read.bound.take() else { return Floor::Absent };
        match read.claim.certify(&read.problem, certificate.clone()) {
            Ok(certified) => Floor::Proved(certified),
            Err(Refused::Unchecked { .. }) => Floor::Unchecked(certificate),
            Err(refused) => Floor::Refused(certificate, refused),
        }
    }
}

impl Found {
    fn of(mut read: Document, arguments: &CheckArgs, parts: &progress::Parts) -> Result<Self, Failure> {
        let what = format!(
            "{} transfers in {}",
            read.claim.transfer_count(),
            render::count(read.claim.steps() as u64, "step")
        );
        parts.begin(&format!("checking the bound of {what}"));
        let floor = Floor::of(&mut read);
        let what = format!("checking {what}");
        parts.begin(&what);
        let Document { problem, claim, .. } = read;
        let (steps, transfers) = (claim.steps(), claim.transfer_count());
        let symmetry = claim.orbits().map(|orbits| orbits.translations().order());
        let note = network_name::misnamed(problem.network());
        let (broken, count, verdict, deadlock, carriers) = (Vec::new(), 0, None, None, Carriers::default());
        let mut found =
            Found { problem, steps, transfers, symmetry, floor, broken, count, carriers, note, verdict, deadlock };
        let most = if arguments.all { usize::MAX } else { Rejected::KEPT };
        match verify_watched(&found.problem, claim, most, &|done, of| parts.at(&what, done as u64, of as u64)) {
            Err(rejected) => {
                (found.broken, found.count) = (rejected.violations().to_vec(), rejected.count());
                found.carriers = check_carriers::carriers(&arguments.file, &found.broken);
            }
            Ok(ceiling) => {
                found.deadlock = arguments.deadlock.then(|| Deadlock::of_schedule(&ceiling));
                if let Floor::Proved(floor) = &found.floor {
                    let verdict = Verdict::new(floor.clone(), ceiling)
                        .map_err(|e| Failure::no(format!("{e}: a fault in this program; please report it")))?;
                    found.verdict = Some((verdict.to_string(), verdict.is_optimal()));
                }
            }
        }
        Ok(found)
    }

    fn violation_count(&self) -> u64 {
        self.count + u64::from(matches!(self.floor, Floor::Refused(..)))
    }

    fn violations(&self) -> Vec<Value> {
        let network = self.problem.network();
        let told = |broken: &Violation| {
            let mut told = render::violation(broken, network);
            if let (Some(carried), Some(object)) = (self.carriers.of(broken), told.as_object_mut()) {
                object.insert("transfers".into(), carried.into());
            }
            told
        };
        let mut violations: Vec<Value> = self.broken.iter().map(told).collect();
        if let Floor::Refused(certificate, refused) = &self.floor {
            let kind = certificate.proof.kind();
            violations.push(json!({"rule": "certificate", "kind": kind, "steps": certificate.steps,
                                   "text": refused.to_string()}));
        }
        violations
    }

    fn people(&self) -> String {
        let (steps, transfers) = (self.steps, self.transfers);
        let what = self.problem.title();
        let violations = self.violation_count();
        let mut lines = match &self.verdict {
            Some((verdict, _)) => vec![verdict.clone()],
            None if violations == 0 => {
                vec![format!("{what}: {}, without a certified lower bound", render::count(steps as u64, "step"))]
            }
            None if self.broken.is_empty() => {
                vec![format!(
                    "{what}: {}, a valid schedule, but its lower bound is REFUSED",
                    render::count(steps as u64, "step")
                )]
            }
            None => vec![format!("{what}: INVALID, {}", render::count(violations, "violation"))],
        };
        lines.extend(self.broken.iter().map(|v| {
            let carried = self.carriers.text(v);
            format!("  {}: {}{carried}", v.rule(), render::sentence(v, self.problem.network()))
        }));
        let more = self.count - self.broken.len() as u64;
        if more > 0 {
            lines.push(format!("  and {more} more, shown with --all"));
        }
        if self.broken.is_empty() {
            lines
                .push(format!("  schedule: every rule holds, {transfers} transfers; {}", render::rules(&self.problem)));
        }
        if let Some(elements) = self.symmetry {
            let messages = self.problem.collective().message_count() / elements as usize;
            lines.push(format!(
                "  symmetry: {}, under a group proved to be abelian and to act freely",
                render::orbits(messages, elements)
            ));
        }
        lines.push(match &self.floor {
            Floor::Absent => "  lower bound: none in the file".into(),
            Floor::Proved(c) => {
                format!("  lower bound: {}, certified by {}", render::count(c.steps(), "step"), render::reason(c))
            }
            Floor::Unchecked(c) => {
                format!(
                    "  lower bound: {} claimed but not checked: there is no checker for `{}`",
                    render::count(c.steps, "step"),
                    c.proof.kind()
                )
            }
            Floor::Refused(c, why) => {
                format!(
                    "  lower bound: REFUSED, {} claimed by `{}`: {why}",
                    render::count(c.steps, "step"),
                    c.proof.kind()
                )
            }
        });
        lines.extend(self.note.as_ref().map(|note| format!("  note: {note}")));
        lines.extend(self.deadlock.as_ref().map(|deadlock| format!("  {}", deadlock.people())));
        lines.join("\n")
    }
}
