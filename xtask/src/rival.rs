//! **What:** `cargo xtask rival`: Quadrille and the published encoding of SCCL on the same machine, one after the other, as
//! a table in Markdown.
//!
//! **Method.** The instances are those of `docs/measurements/store-and-forward.md`: a transfer takes one channel and one
//! step. `quadrille solve` runs as a whole command and must print a proved optimum. Then the rival, `rival/sccl.py` on the
//! package z3-solver (installed into a virtual environment in the target folder), is *given* that optimum: once to find a
//! schedule of so many steps, and once to find that there is none of one step less, which is what proving the optimum
//! takes. Its schedules go through `verify`. Our times are wall-clock, of whole commands; the rival's are of its processor, which
//! on a busy machine is in its favour. A run that reaches the limit is not repeated.

use super::target_folder;
use kernel::{Channel, Collective, Message, Model, Network, Problem, Schedule, verify};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The rival's solver; a version, so that times compare.
const SOLVER: &str = "z3-solver==5.4.0.0";

const NETWORKS: &[&str] = &["dgx1", "ring:8", "hypercube:3", "hypercube:4", "torus:3x3", "torus:4x4", "mesh:4x4"];

/// What is asked of both, and how long.
pub(crate) struct Settings {
    /// Processor seconds for a run of the rival.
    pub seconds: u32,
    /// Runs of which the median counts.
    pub runs: usize,
    /// Chunks of a message, a table each.
    pub chunks: Vec<u32>,
}

impl Settings {
    /// From words `--seconds S`, `--runs N`, `--chunks A,B`.
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Settings { seconds: 60, runs: 3, chunks: vec![1, 3] };
        while let Some(flag) = words.next() {
            let value = words.next().ok_or_else(|| format!("{flag} needs a value"))?;
            let wrong = |_| format!("{flag} cannot be {value}");
            match flag.as_str() {
                "--seconds" => settings.seconds = value.parse().map_err(wrong)?,
                "--runs" => settings.runs = value.parse().map_err(wrong)?,
                "--chunks" => {
                    settings.chunks = value.split(',').map(str::parse).collect::<Result<_, _>>().map_err(wrong)?;
                }
                _ => return Err(format!("unknown flag {flag}; there are --seconds, --runs and --chunks")),
            }
        }
        let enough = settings.seconds > 0 && settings.runs > 0 && settings.chunks.iter().all(|k| *k > 0);
        if enough { Ok(settings) } else { Err("seconds, runs and chunks must be positive".into()) }
    }
}

/// Prints the tables.
pub(crate) fn run(root: &Path, settings: &Settings) -> Result<(), String> {
    let target = target_folder(root)?;
    let python = environment(&target.join("rival"))?;
    let mut build = Command::new(env!("CARGO"));
    succeed(build.args(["build", "--release", "--quiet", "--package", "quadrille-cli"]).current_dir(root))?;
    let quadrille = target.join("release").join("quadrille");
    for &chunks in &settings.chunks {
        println!("\n| network | collective | chunks | steps | quadrille | SCCL: a schedule | SCCL: none shorter |");
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        for collective in ["alltoall", "scatter", "broadcast", "allgather"] {
            for spec in NETWORKS {
                let (steps, seconds) = ours(&quadrille, (spec, collective, chunks), settings.runs)?;
                let problem = problem(spec, collective, chunks)?;
                let mut cells = Vec::new();
                for steps in [steps, steps - 1] {
                    cells.push(theirs(&python, root, &problem, steps, settings)?);
                }
                println!("| {spec} | {collective} | {chunks} | {steps} | {seconds:.3} s | {} |", cells.join(" | "));
            }
        }
    }
    Ok(())
}

/// The Python of a virtual environment that has the solver; made where it is missing.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("bin").join("python");
    if !python.exists() {
        succeed(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    }
    succeed(Command::new(&python).args(["-m", "pip", "install", "--quiet", SOLVER]))?;
    Ok(python)
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?} cannot be started: {error}")),
    }
}

fn problem(spec: &str, collective: &str, chunks: u32) -> Result<Problem, String> {
    let network = topologies::parse(spec).map_err(|e| e.to_string())?;
    let all = network.terminals().to_vec();
    let collective = match collective {
        "alltoall" => Collective::alltoall(&all, &all),
        "scatter" => Collective::scatter(all[0], &all),
        "broadcast" => Collective::broadcast(all[0], &all),
        _ => Collective::allgather(&all, &all),
    };
    Problem::new(network, collective.in_chunks(chunks), Model::store_and_forward()).map_err(|e| e.to_string())
}

/// The proved optimum, and the median of the seconds of whole commands.
fn ours(quadrille: &Path, (spec, collective, chunks): (&str, &str, u32), runs: usize) -> Result<(u64, f64), String> {
    let mut times = Vec::new();
    let mut steps = 0;
    for _ in 0..runs {
        let begun = Instant::now();
        let mut command = Command::new(quadrille);
        command.args(["solve", spec, collective, "--switching", "store-and-forward", "--json", "--threads", "1"]);
        let output = command.args(["--chunks", &chunks.to_string()]).output().map_err(|e| e.to_string())?;
        times.push(begun.elapsed().as_secs_f64());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = text.split("\"steps\":").nth(1).and_then(|rest| rest.split(',').next()?.parse().ok());
        steps = told.filter(|_| text.contains("\"optimal\":true")).ok_or_else(|| format!("no optimum: {text}"))?;
    }
    Ok((steps, median(times)))
}

/// What the rival says about schedules of `steps` steps.
fn theirs(python: &Path, root: &Path, problem: &Problem, steps: u64, settings: &Settings) -> Result<String, String> {
    let instance = instance(problem, steps);
    let mut times = Vec::new();
    let mut answer = String::new();
    for _ in 0..settings.runs {
        let mut child = Command::new(python)
            .arg(root.join("xtask/rival/sccl.py"))
            .arg(settings.seconds.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", python.display()))?;
        child.stdin.take().expect("it was asked for").write_all(instance.as_bytes()).map_err(|e| e.to_string())?;
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        if output.status.code().is_none() {
            return Ok(format!("no answer in {} s", settings.seconds));
        }
        answer = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = answer.lines().find_map(|line| line.strip_prefix("seconds ")?.parse::<f64>().ok());
        times.push(told.ok_or_else(|| format!("the rival failed: {}", output.status))?);
    }
    let seconds = median(times);
    match answer.lines().next() {
        Some("unsat") => Ok(format!("none, {seconds:.2} s")),
        Some("sat") => {
            let found = verify(problem, schedule(problem, &answer, steps)?).map_err(|e| e.to_string())?;
            Ok(format!("{} steps, {seconds:.2} s", found.steps()))
        }
        _ => Err(format!("the rival says neither: {answer}")),
    }
}

/// The instance as the rival reads it; parallel channels are one of larger bandwidth.
fn instance(problem: &Problem, steps: u64) -> String {
    let (network, collective) = (problem.network(), problem.collective());
    let mut text = format!("steps {steps}\nnodes {}\n", network.node_count());
    let ends = |c: Channel| (network.from(c), network.to(c));
    let mut pairs: Vec<_> = network.channels().map(ends).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for (from, to) in pairs {
        let between = network.channels().filter(|c| ends(*c) == (from, to));
        let bandwidth: u32 = between.map(|c| network.capacity(c)).sum();
        text += &format!("channel {from} {to} {bandwidth}\n");
    }
    for message in collective.messages() {
        let to: Vec<String> = collective.destinations(message).iter().map(ToString::to_string).collect();
        text += &format!("message {} {}\n", collective.origin(message), to.join(" "));
    }
    text
}

/// The rival's sends as a schedule; sends between two nodes take the channels between them in turn.
fn schedule(problem: &Problem, answer: &str, steps: u64) -> Result<Schedule, String> {
    let network: &Network = problem.network();
    let mut sends = Vec::new();
    for line in answer.lines().filter_map(|line| line.strip_prefix("send ")) {
        let numbers: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
        let Ok([step, message, from, to]) = numbers.as_deref() else { return Err(format!("no send: {line}")) };
        sends.push((*step, *from, *to, *message));
    }
    sends.sort_unstable();
    let mut schedule = Schedule::new();
    for step in 1..=steps {
        schedule.begin_step();
        let mut used = vec![0; network.channel_count()];
        for &(_, from, to, message) in sends.iter().filter(|s| u64::from(s.0) == step) {
            let ends = |c: &Channel| (network.from(*c).0, network.to(*c).0) == (from, to);
            let free = |c: &Channel| ends(c) && used[c.index()] < network.capacity(*c);
            // Where none is free, the verifier will say so.
            let channel = network.channels().find(free).or_else(|| network.channels().find(ends));
            let channel = channel.ok_or_else(|| format!("no channel from {from} to {to}"))?;
            used[channel.index()] += 1;
            schedule.send(Message(message), &[channel]);
        }
    }
    Ok(schedule)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
