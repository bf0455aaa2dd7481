//! **What:** `import`: programs of runtimes and algorithms of others as schedules of steps, checked, beside their bound.

use super::answer::{provenance, save};
use super::check_runtime::{About, Runtime};
use console::args::{ImportArgs, SwitchingChoice};
use console::failure::Failure;
use console::network;
use console::output::{self, say, say_json};
use console::problem::switching;
use console::{progress, render};
use exports::schedule_file;
use formats::{algorithm_json, read_text};
use kernel::{Model, Network, Node, Verdict, verify};
use methods::{Settings, Watch};
use run::Alone;
use runtimes::import::{ImportError, Transcript, plain_nodes};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

/// A format that is imported.
pub(crate) struct Format {
    pub name: &'static str,
    pub endings: &'static [&'static str],
    pub about: &'static str,
}

const fn format_of(name: &'static str, endings: &'static [&'static str], about: &'static str) -> Format {
    Format { name, endings, about }
}

/// All that are imported.
pub(crate) const FORMATS: [Format; 3] = [
    format_of("msccl-xml", &["xml"], "MSCCL XML that passes the check, on the links it uses or on a network"),
    format_of("mscclpp", &["json"], "MSCCL++ execution plan that passes the check"),
    format_of("msccl-algorithm", &["json"], "an algorithm of msccl-tools with its topology"),
];

/// What `--json` prints.
#[derive(Serialize)]
struct Answer<'a> {
    network: &'a str,
    collective: &'a str,
    chunks: u32,
    format: &'static str,
    steps: usize,
    bound: u64,
    certified: bool,
    optimal: bool,
    transfers: u64,
    /// Transfers of the file that nobody needs.
    left_out: usize,
    certificate: Value,
    seconds: f64,
    file: Option<String>,
}

/// What a file holds.
struct Read {
    network: Network,
    transcript: Transcript,
    format: &'static str,
}

/// The verb.
pub(crate) fn run(arguments: &ImportArgs) -> Result<u8, Failure> {
    super::solve::seconds(arguments.time)?;
    if let Some(path) = &arguments.output {
        output::named_as(path, schedule_file(path))?;
        output::probe(path)?;
    }
    if matches!(arguments.switching, Some(SwitchingChoice::Tdm)) {
        return Err(Failure::input("--switching tdm: programs of runtimes have no slots")
            .hint("choose wormhole or store-and-forward, or leave it out"));
    }
    let begun = Instant::now();
    let network = arguments.network.as_ref().map(network::load).transpose()?.map(|loaded| loaded.network);
    let Read { network, transcript, format } = read(&arguments.file, network)?;
    let file = arguments.file.display();
    let refused = |error: ImportError| Failure::input(format!("{file}: {error}")).hint(hint(&error));
    let model = arguments.switching.map(|choice| Model { switching: switching(choice), combining: false });
    let problem = transcript.problem(&network, model).map_err(refused)?;
    let claim = transcript.schedule(&problem).map_err(refused)?;
    let fault = |why: String| Failure::no(format!("{file}: {why}: a fault in this program; please report it"));
    let ceiling = verify(&problem, claim).map_err(|rejected| fault(rejected.to_string()))?;
    let mut settings = Settings::default();
    settings.seconds = arguments.time.map(|all| (all - begun.elapsed().as_secs_f64()).max(0.0));
    let searching = progress::interruptible();
    let line = progress::Line::new(settings.seconds);
    let watch = Watch { progress: &line, stop: searching.switch(), ranks: &Alone };
    let floor = methods::bound(&problem, &settings, watch);
    line.finish();
    let floor = floor.map_err(|error| super::solve::refused(&error, &problem, &settings))?;
    let verdict = Verdict::new(floor, ceiling).map_err(|error| fault(error.to_string()))?;
    if let Some(path) = &arguments.output {
        save(path, &verdict, &provenance(format, None, begun.elapsed().as_secs_f64()))?;
    }
    tell(arguments, &verdict, format, transcript.left_out, begun.elapsed().as_secs_f64())
}

/// Reads the file, and checks it where it is a program.
fn read(file: &Path, network: Option<Network>) -> Result<Read, Failure> {
    let program = if Runtime::is_xml(file) {
        Runtime::xml(file)?
    } else if Runtime::is_plan(file) {
        Runtime::plan(file)?
    } else {
        return read_algorithm(file, network);
    };
    let findings = program.report().findings;
    if let Some(first) = findings.first() {
        let line = if first.line > 0 { format!("{}:", first.line) } else { String::new() };
        return Err(Failure::no(format!("{}:{line} {first}", file.display()))
            .hint("`quadrille check` prints every violation; only a program that passes the check is imported"));
    }
    let About { name, gpus, format, .. } = program.about();
    let plain = plain_nodes(gpus);
    let nodes: &[Node] = network.as_ref().map_or(&plain, |network| network.terminals());
    let refused = |error: ImportError| Failure::input(format!("{}: {error}", file.display())).hint(hint(&error));
    if let Some(network) = network.as_ref().filter(|network| network.terminals().len() != gpus) {
        let (network, terminals) = (network.name().into(), network.terminals().len());
        return Err(refused(ImportError::Ranks { ranks: gpus, network, terminals }));
    }
    let transcript = program.transcript(nodes).map_err(refused)?;
    let network = network.unwrap_or_else(|| transcript.implied_network(&format!("links of {name}")));
    Ok(Read { network, transcript, format })
}

fn read_algorithm(file: &Path, network: Option<Network>) -> Result<Read, Failure> {
    let text = read_text(file).map_err(output::unread)?;
    if !algorithm_json::is_meant(text.as_bytes()) {
        return Err(Failure::input(format!("{}: no program or algorithm that is imported", file.display())).hint(
            "MSCCL XML ends in .xml; MSCCL++ plans and algorithms of msccl-tools are JSON; a schedule file needs no import",
        ));
    }
    let nodes = network.as_ref().map(|network| network.terminals());
    let read = algorithm_json::parse(text.as_bytes(), file, nodes).map_err(output::unread)?;
    Ok(Read { network: network.unwrap_or(read.network), transcript: read.transcript, format: "msccl-algorithm" })
}

fn hint(error: &ImportError) -> &'static str {
    match error {
        ImportError::Ranks { .. } => "choose a network whose terminals are the GPUs, or leave --network out",
        ImportError::NoPath { way: "channel", .. } => {
            "with --switching wormhole messages pass through nodes; or choose a network with that channel"
        }
        ImportError::NoPath { .. } | ImportError::Problem(_) => {
            "choose a network with the links that the file uses, or leave --network out"
        }
        _ => "docs/msccl.md describes what is imported",
    }
}

fn tell(
    arguments: &ImportArgs,
    verdict: &Verdict,
    format: &'static str,
    left_out: usize,
    seconds: f64,
) -> Result<u8, Failure> {
    let problem = verdict.problem();
    let schedule = verdict.ceiling();
    let file = arguments.output.as_ref().map(|path| path.display().to_string());
    if arguments.report.json {
        say_json(&Answer {
            network: problem.network().name(),
            collective: problem.collective().name(),
            chunks: problem.collective().chunks(),
            format,
            steps: schedule.steps(),
            bound: verdict.floor().steps(),
            certified: true,
            optimal: verdict.is_optimal(),
            transfers: schedule.transfer_count(),
            left_out,
            certificate: render::certified(verdict.floor()),
            seconds,
            file,
        })?;
        return Ok(0);
    }
    let mut lines = vec![
        format!("{verdict} ({format}, {seconds:.2} s)"),
        format!("  {}", render::rules(problem)),
        format!("  {} transfers over {} hops", schedule.transfer_count(), schedule.channel_uses()),
    ];
    if left_out > 0 {
        lines.push(format!(
            "  {} left out: no rank ends with what was carried",
            render::count(left_out as u64, "transfer")
        ));
    }
    lines.push(format!("  lower bound by {}", render::reason(verdict.floor())));
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n")).map(|()| 0)
}
