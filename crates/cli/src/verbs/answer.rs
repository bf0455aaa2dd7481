//! **What:** what `solve` answers: the lines for people, the document for programs, and the file.

use console::args::SolveArgs;
use console::failure::Failure;
use console::output::{self, say, say_json_of};
use console::prefixes;
use console::progress::{Recorded, Trace, given};
use console::render::table;
use console::{progress, render};
use exports::schedule_file;
use formats::schedule_json::Provenance;
use kernel::{Problem, Verdict, Verified};
use methods::{BoundReport, Outcome, Report, Settings, Stopped};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Where an answer goes, and in which form.
pub(crate) struct Output {
    /// The file to save to.
    pub file: Option<PathBuf>,
    /// Whether stdout holds a JSON document.
    pub json: bool,
    /// Whether closed forms are stored as orbits however few messages there are.
    pub orbits: bool,
    /// Whether people are told what each method did.
    pub explain: bool,
    /// Where to write how evolution goes on.
    trace: Option<PathBuf>,
    recorded: Recorded,
}

impl Output {
    /// What the arguments ask for. An unwritable place is known now, not after a long search; nothing is left behind.
    pub(crate) fn new(arguments: &SolveArgs) -> Result<Self, Failure> {
        if let Some(path) = &arguments.output {
            output::named_as(path, schedule_file(path))?;
            output::probe(path)?;
        }
        if arguments.trace.is_some() && evolution::Evolution::named(&arguments.method).is_none() {
            let names: Vec<&str> = evolution::EVOLUTION.iter().map(|e| e.name()).collect();
            return Err(Failure::input("--trace: only evolutionary methods have it")
                .hint(format!("choose one with --method {}", names.join("|"))));
        }
        let is_named = |path: &PathBuf| path.as_os_str() == "-" || exports::trace::is_named(path);
        if let Some(path) = arguments.trace.as_ref().filter(|path| !is_named(path)) {
            return Err(Failure::input(format!("--trace {}: lines of JSON are written", path.display()))
                .hint("name a file that ends in .jsonl or .jsonl.gz, or `-` for standard output"));
        }
        Ok(Output {
            file: arguments.output.clone(),
            json: arguments.report.json,
            orbits: arguments.orbits,
            explain: arguments.explain,
            trace: arguments.trace.clone(),
            recorded: Recorded(arguments.trace_every),
        })
    }

    /// The file of `--trace`, made now.
    pub(crate) fn trace(&self, settings: &Settings, problem: &Problem) -> Result<Option<Trace>, Failure> {
        self.trace.as_deref().map(|path| Trace::create(path, self.recorded, settings, problem)).transpose()
    }

    /// The name of the file, as typed.
    pub(crate) fn file_name(&self) -> Option<String> {
        self.file.as_ref().map(|path| path.display().to_string())
    }
}

/// Schedules of more messages, each counted as often as it has destinations or contributors, are stored as orbits where they are made so.
const MOST_WRITTEN_DOWN: u64 = 1 << 18;

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    pub network: &'a str,
    /// The family member that the network is isomorphic to.
    pub identity: Option<&'a str>,
    pub collective: &'a str,
    pub chunks: u32,
    pub nodes: usize,
    pub channels: usize,
    pub steps: usize,
    pub bound: u64,
    pub certified: bool,
    pub optimal: bool,
    pub method: &'a str,
    /// Why the search ended.
    pub stopped: &'a str,
    pub seconds: f64,
    pub transfers: u64,
    pub hops: u64,
    /// Where messages are combined, what the schedule costs beside its steps; see [`words`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<u64>,
    /// Elements of the group by which the schedule is stored, where it is stored as orbits.
    pub symmetry: Option<u32>,
    pub certificate: Value,
    pub seed: u64,
    /// What is not obvious about the collective.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub file: Option<String>,
    /// What each method did.
    pub methods: Vec<Value>,
    /// What was done for the lower bound.
    pub bounds: Value,
}

/// Where messages are combined: the messages of each step's longest transfer, added up. A step lasts as long as that transfer,
/// so steps count start-ups and this counts words; searches minimise steps alone. Nothing where a transfer is one message.
fn words(schedule: &Verified) -> Option<u64> {
    let longest = |step| schedule.step(step).map(|sent| sent.messages().len() as u64).max().unwrap_or(0);
    schedule.problem().model().combining.then(|| (0..schedule.steps()).map(longest).sum())
}

pub(crate) fn provenance(method: &str, seed: Option<u64>, seconds: f64) -> Provenance {
    Provenance {
        method: method.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        seconds: Some(seconds),
        ..Provenance::default()
    }
}

/// Of what a search under `settings` found: the values of `--param` go with it.
pub(crate) fn found_by(method: &str, settings: &Settings, seconds: f64) -> Provenance {
    Provenance { parameters: given(settings), ..provenance(method, Some(settings.seed), seconds) }
}

/// Saves and prints an outcome; the exit status.
pub(crate) fn give(outcome: &Outcome, settings: &Settings, output: &Output, seconds: f64) -> Result<u8, Failure> {
    for (report, why) in outcome.faults() {
        let count = why.count();
        let name = report.method;
        output::tell(&format!(
            "warning: {name} made a schedule that breaks rules ({count}) and was discarded; please report this\n"
        ));
    }
    let (Some(verdict), Some(method)) = (outcome.verdict(), outcome.method()) else {
        return Err(nothing(outcome, settings));
    };
    let verdict = as_stored(verdict, output.orbits, settings.seed)?;
    if let Some(path) = &output.file {
        save(path, &verdict, &found_by(method, settings, seconds))?;
    }
    let end = Ending {
        stopped: outcome.stopped,
        reports: &outcome.reports,
        bounds: &outcome.bounds,
        identity: outcome.identity.as_deref(),
    };
    report(&verdict, method, &end, settings, output, seconds).map(|()| 0)
}

/// A verdict as it is stored: written out, or as orbits where it is made so and large, or `orbits` are asked for; then a
/// symmetry of a schedule that was found written out is looked for.
pub(crate) fn as_stored(verdict: Verdict, orbits: bool, seed: u64) -> Result<Verdict, Failure> {
    let collective = verdict.problem().collective();
    let large = collective.ends() > MOST_WRITTEN_DOWN;
    if !orbits && !large {
        return verdict.expanded().map_err(Failure::no);
    }
    let found = if orbits { methods::as_orbits(verdict.ceiling(), seed) } else { None };
    match found.map(|found| Verdict::new(verdict.floor().clone(), found)) {
        Some(Ok(stored)) => Ok(stored),
        Some(Err(_)) | None => Ok(verdict),
    }
}

/// Writes the file of a verdict that came about in this way.
pub(crate) fn save(path: &std::path::Path, verdict: &Verdict, provenance: &Provenance) -> Result<(), Failure> {
    formats::schedule_json::write(verdict.ceiling(), Some(verdict.floor()), provenance, path).map_err(output::unwritten)
}

/// How a search ended.
pub(crate) struct Ending<'a> {
    pub stopped: Stopped,
    pub reports: &'a [Report],
    pub bounds: &'a BoundReport,
    pub identity: Option<&'a str>,
}

impl Ending<'_> {
    /// What each method did, for programs.
    fn methods(&self) -> Vec<Value> {
        let entry = |r: &Report| json!({"method": r.method, "runs": r.runs, "seconds": r.seconds, "steps": r.steps, "ended": r.ended.reason()});
        self.reports.iter().map(entry).collect()
    }

    /// What was done for the lower bound, for programs.
    fn bounds(&self) -> Value {
        let BoundReport { finders_seconds, refuters_seconds, ended, .. } = self.bounds;
        json!({"finders_seconds": finders_seconds, "refuters_seconds": refuters_seconds, "ended": ended.reason()})
    }

    /// The same for people.
    fn explanation(&self) -> String {
        let row = |r: &Report| {
            let steps = r.steps.map_or("no schedule".into(), |steps| render::count(steps, "step"));
            vec![
                format!("    {}", r.method),
                render::count(r.runs.into(), "run"),
                format!("{:.2} s", r.seconds),
                steps,
                r.ended.reason(),
            ]
        };
        let BoundReport { finders_seconds, refuters_seconds, ended, .. } = self.bounds;
        format!(
            "{}\n  for the lower bound: finders {finders_seconds:.2} s, refuters {refuters_seconds:.2} s ({})",
            table(&self.reports.iter().map(row).collect::<Vec<_>>()),
            ended.reason()
        )
    }
}

/// Prints a verdict.
pub(crate) fn report(
    verdict: &Verdict,
    method: &str,
    end: &Ending<'_>,
    settings: &Settings,
    output: &Output,
    seconds: f64,
) -> Result<(), Failure> {
    let problem = verdict.problem();
    let (network, schedule) = (problem.network(), verdict.ceiling());
    let symmetry = schedule.orbits().map(|orbits| orbits.problem());
    if output.json {
        return say_json_of(
            network,
            &Document {
                network: network.name(),
                identity: end.identity,
                collective: problem.collective().name(),
                chunks: problem.collective().chunks(),
                nodes: network.node_count(),
                channels: network.channel_count(),
                steps: verdict.ceiling().steps(),
                bound: verdict.floor().steps(),
                certified: true,
                optimal: verdict.is_optimal(),
                method,
                stopped: end.stopped.name(),
                seconds,
                transfers: schedule.transfer_count(),
                hops: schedule.channel_uses(),
                words: words(schedule),
                symmetry: symmetry.map(|orbits| orbits.translations().order()),
                certificate: render::certified(verdict.floor()),
                seed: settings.seed,
                note: prefixes::note(problem),
                file: output.file_name(),
                methods: end.methods(),
                bounds: end.bounds(),
            },
        );
    }
    let mut text = format!(
        "{verdict} ({method}, {seconds:.2} s)\n  {} nodes, {} channels; {}\n  {} transfers over {} hops{}\n  lower bound by {}",
        network.node_count(),
        network.channel_count(),
        render::rules(problem),
        schedule.transfer_count(),
        schedule.channel_uses(),
        symmetry.map_or(String::new(), |orbits| {
            let (count, order) = (orbits.representatives().collective().message_count(), orbits.translations().order());
            format!("\n  stored as {}", render::orbits(count, order))
        }),
        render::reason(verdict.floor()),
    );
    if let Some(slack) = settings.slack.filter(|_| !verdict.is_optimal()) {
        text.push_str(&format!(
            "\n  the lower bound holds for paths of any length; with paths at most {} longer than the shortest, fewer steps may be impossible",
            render::count(slack.into(), "channel")
        ));
    }
    if let chunks @ 2.. = problem.collective().chunks() {
        let each = verdict.ceiling().steps() as f64 / f64::from(chunks);
        text.push_str(&format!("\n  {each:.2} steps per chunk"));
    }
    if let Some(words) = words(schedule) {
        text.push_str(&format!(
            "\n  steps were minimised, whatever transfers carry: the longest transfers of all steps add up to {words} messages"
        ));
    }
    if let Some(note) = prefixes::note(problem) {
        text.push_str(&format!("\n  {note}"));
    }
    if let Some(identity) = end.identity.filter(|identity| *identity != network.name()) {
        text.push_str(&format!("\n  the network is {identity} with its nodes numbered differently"));
    }
    if end.stopped != Stopped::Optimal || output.explain {
        text.push_str(&format!("\n  stopped: {}", end.stopped.reason()));
    }
    if output.explain {
        text.push_str(&format!("\n  methods in the order in which they are tried:\n{}", end.explanation()));
    }
    if let Some(file) = output.file_name() {
        text.push_str(&format!("\n  saved to {file}"));
        let certificate = verdict.floor().certificate();
        if let [formula, proof] = &formats::schedule_json::names_beside(certificate, Path::new(&file))[..]
            && Path::new(&file).is_file()
        {
            text.push_str(&format!(", with the proof of its bound in {formula} and {proof}"));
        }
    }
    if let Some(wanted) = settings.steps.filter(|&n| (verdict.ceiling().steps() as u64) > n) {
        let bound = verdict.floor().steps();
        let why = if wanted < bound { format!(": the lower bound is {bound}") } else { String::new() };
        output::tell(&format!("warning: --steps {wanted} was not reached{why}\n"));
    }
    if progress::interrupted() {
        output::tell("warning: interrupted; this is the best schedule so far\n");
    }
    say(&text)
}

/// Why there is no schedule.
pub(crate) fn nothing(outcome: &Outcome, settings: &Settings) -> Failure {
    let problem = outcome.floor.problem();
    let what = problem.title();
    match (outcome.stopped, settings.seconds) {
        (Stopped::Interrupted, _) => Failure::no(format!("{what}: interrupted before a schedule was found")),
        (Stopped::Time, Some(seconds)) => {
            Failure::no(format!("{what}: no schedule found in {seconds} s")).hint("allow more with --time SECONDS")
        }
        (stopped, _) => Failure::no(format!("{what}: no schedule found; {}", stopped.reason()))
            .hint("--explain shows what each method did; allow more with --time SECONDS or --ticks N"),
    }
}
