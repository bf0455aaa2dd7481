//! **What:** `cargo xtask engines`: on dual-nets, dragonflies and their kin, what the searches find beside what the constructions
//! write down, as a table in Markdown.
//!
//! **Method.** `quadrille solve` runs as a whole command, one after the other. The searches get the network as an edge list, which has
//! no name (`solve` finds most families all the same, and may answer by a construction there, too); constructions get its name, and of
//! several the best one counts. Every schedule went through `verify`, every floor through `certify`; the floor shown is the better one
//! of both runs. Seconds are wall-clock.

use super::target_folder;
use constructions::CONSTRUCTIONS;
use kernel::{Collective, Model, Node, Ports, Problem};
use std::path::{Path, PathBuf};
use std::process::Command;

const NETWORKS: &[&str] = &[
    "hdn:hypercube:3;2",
    "hdn:torus:2x3x5;3x5",
    "rdn:hypercube:1;2",
    "dual-cube:3",
    "ccc:4",
    "swapped-dragonfly:3,4",
    "swapped-dragonfly:4,4",
    "dragonfly:2,4",
    "swapped-hypercube:2,2",
];

/// Collectives with what they are told, and how they are shown.
const COLLECTIVES: &[(&str, u32, &str)] = &[
    ("alltoall", 1, "alltoall"),
    ("broadcast", 1, "broadcast"),
    ("broadcast", 32, "broadcast of 32"),
    ("allgather", 1, "allgather"),
];

/// Switching, whether nodes have one port, and how it is shown.
const MODELS: &[(&str, bool, &str)] = &[
    ("wormhole", false, "wormhole"),
    ("store-and-forward", false, "store-and-forward"),
    ("store-and-forward", true, "store-and-forward, one port"),
];

/// Prints the table; each run of the searches has so many seconds. Without a program, it is built.
pub(crate) fn run(root: &Path, seconds: f64, program: Option<PathBuf>) -> Result<(), String> {
    let quadrille = match program {
        Some(program) => program,
        None => {
            let mut build = Command::new(env!("CARGO"));
            build.args(["build", "--release", "--quiet", "--package", "quadrille-cli"]).current_dir(root);
            if !build.status().map_err(|e| e.to_string())?.success() {
                return Err("quadrille does not build".into());
            }
            target_folder(root)?.join("release").join("quadrille")
        }
    };
    let list = std::env::temp_dir().join(format!("quadrille-{}.edges", std::process::id()));
    let done = rows(&quadrille, &list, seconds);
    // It may never have been written.
    let _ = std::fs::remove_file(&list);
    done
}

fn rows(quadrille: &Path, list: &Path, seconds: f64) -> Result<(), String> {
    println!("| network | collective | model | floor | searches | constructions | fewer steps |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for spec in NETWORKS {
        let mut export = Command::new(quadrille);
        export.args(["network", spec, "-o"]).arg(list);
        let written = export.output().map_err(|e| format!("{}: {e}", quadrille.display()))?;
        if !written.status.success() {
            return Err(format!("{spec}: {}", String::from_utf8_lossy(&written.stderr)));
        }
        for &(collective, messages, what) in COLLECTIVES {
            for &(switching, one_port, model) in MODELS {
                // Ports and chunks are compared where constructions know them.
                if (one_port && collective != "alltoall") || (messages > 1 && switching == "wormhole") {
                    continue;
                }
                let asked = Asked { quadrille, collective, messages, switching, one_port, seconds };
                let ours = asked.answer(&list.display().to_string(), "auto")?;
                let written = asked.constructions(spec)?.into_iter().map(|name| asked.answer(spec, name));
                let written: Vec<Answer> = written.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
                let best = written.into_iter().min_by_key(|a| a.steps);
                let floor = ours.iter().chain(&best).map(|a| a.floor).max();
                let floor = floor.map_or_else(|| "–".into(), |f| f.to_string());
                let won = verdict(ours.as_ref(), best.as_ref());
                let cell = |a: &Option<Answer>| a.as_ref().map_or_else(|| "–".to_owned(), Answer::shown);
                println!("| `{spec}` | {what} | {model} | {floor} | {} | {} | {won} |", cell(&ours), cell(&best));
            }
        }
    }
    Ok(())
}

/// Who needs fewer steps, and by how much of the other's.
fn verdict(ours: Option<&Answer>, written: Option<&Answer>) -> String {
    match (ours, written) {
        (Some(a), Some(b)) if a.steps == b.steps => "equal".into(),
        (Some(a), Some(b)) => {
            let (who, less, more) =
                if a.steps < b.steps { ("searches", a.steps, b.steps) } else { ("constructions", b.steps, a.steps) };
            format!("{who}, by {:.1} %", 100.0 * (more - less) as f64 / more as f64)
        }
        (Some(_), None) => "searches alone".into(),
        (None, Some(_)) => "constructions alone".into(),
        (None, None) => "neither".into(),
    }
}

/// What one run is asked.
struct Asked<'a> {
    quadrille: &'a Path,
    collective: &'a str,
    messages: u32,
    switching: &'a str,
    one_port: bool,
    seconds: f64,
}

/// What it answered.
struct Answer {
    steps: u64,
    floor: u64,
    method: String,
    seconds: f64,
}

impl Answer {
    fn shown(&self) -> String {
        format!("{} ({}, {:.1} s)", self.steps, self.method, self.seconds)
    }
}

impl Asked<'_> {
    /// The constructions that apply.
    fn constructions(&self, spec: &str) -> Result<Vec<&'static str>, String> {
        let text = |e: &dyn std::fmt::Display| format!("{spec}: {e}");
        let mut network = topologies::parse(spec).map_err(|e| text(&e))?;
        if self.one_port {
            network = topologies::change::with_ports(&network, Ports::Each(1)).map_err(|e| text(&e))?;
        }
        let all = network.terminals();
        let collective = match self.collective {
            "alltoall" => Collective::alltoall(all, all),
            "broadcast" => Collective::broadcast(Node(0), all).in_chunks(self.messages),
            _ => return Ok(Vec::new()),
        };
        let hops = self.switching == "store-and-forward";
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let problem = Problem::new(network, collective, model).map_err(|e| text(&e))?;
        let applies = CONSTRUCTIONS.iter().filter(|c| c.is_automatic && c.builder(&problem).is_some());
        Ok(applies.map(|c| c.name).collect())
    }

    /// What `quadrille solve` answers; `None` where it finds no schedule, or the method does not apply.
    fn answer(&self, network: &str, method: &str) -> Result<Option<Answer>, String> {
        let (messages, seconds) = (self.messages.to_string(), self.seconds.to_string());
        let mut command = Command::new(self.quadrille);
        command.args(["solve", network, self.collective, "--switching", self.switching, "--method", method]);
        command.args(["--json", "--threads", "1", "--time", &seconds]);
        if self.messages > 1 {
            command.args(["--messages", &messages]);
        }
        if self.one_port {
            command.args(["--ports", "one"]);
        }
        let output = command.output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            return Ok(None);
        }
        let field = |name: &str| {
            let rest = text.split(&format!("\"{name}\":")).nth(1)?;
            rest.split([',', '}']).next().map(|value| value.trim().trim_matches('"').to_owned())
        };
        let number = |name: &str| field(name).and_then(|n| n.parse().ok());
        let answer = || {
            let seconds = field("seconds")?.parse().ok()?;
            Some(Answer { steps: number("steps")?, floor: number("bound")?, method: field("method")?, seconds })
        };
        answer().map(Some).ok_or_else(|| format!("{command:?}: no answer in {text}"))
    }
}
