//! **What:** `compare` of schedule files: what each takes, what is proved of it, and how much of the network it uses, side by side.

use super::compare::{Lines, side_by_side};
use console::args::{CompareArgs, NetworkText};
use console::failure::Failure;
use console::output::{say, say_json};
use console::progress;
use console::render::{self, micros};
use console::schedule_file::Checked;
use console::schedule_file::{AnyFile, CheckedTimed};
use kernel::timed::{CertifiedTimed, Timeline};
use kernel::{Problem, Within};
use machine::timed::usage::Usages;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The measures of a schedule: the same for steps and for time, as far as they make sense.
struct Measures {
    collective: String,
    chunks: u32,
    network: String,
    model: String,
    method: String,
    steps: Option<usize>,
    micros: Option<f64>,
    /// The lower bound, in steps or in microseconds.
    bound: Option<f64>,
    optimal: bool,
    /// Algorithm and bus bandwidth, in GB/s.
    bandwidth: Option<[f64; 2]>,
    transfers: u64,
    /// What channels carry of all that they could, from 0 to 1.
    used: Option<f64>,
}

/// The files, where every operand is a schedule file.
pub(super) fn files(arguments: &CompareArgs) -> Option<Vec<PathBuf>> {
    let file =
        |text: &NetworkText| Some(text.path().to_owned()).filter(|path| path.is_file() && formats::is_schedule(path));
    arguments.networks.iter().map(file).collect()
}

/// The verb for schedule files.
pub(super) fn run(arguments: &CompareArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    if arguments.weight.is_some() {
        return Err(Failure::input(
            "--weight: the files are schedules, and the weight is for the cost ratio of networks",
        )
        .hint("leave it out; `quadrille network FILE` measures the network of a schedule"));
    }
    let count = progress::Count::new(files.len(), "schedules");
    let measured = files.iter().enumerate().map(|(at, file)| {
        count.at(at, &file.display().to_string());
        Ok(match AnyFile::read(file)? {
            AnyFile::Steps(read) => Measures::of(&read),
            AnyFile::Timed(read) => Measures::timed(&read),
        })
    });
    let measured = measured.collect::<Result<Vec<_>, Failure>>();
    count.finish();
    let measured = measured?;
    if arguments.report.json {
        let documents =
            measured.iter().zip(files).map(|(measures, file)| measures.document(&file.display().to_string()));
        return say_json(&documents.collect::<Vec<Value>>()).map(|()| 0);
    }
    let names = files.iter().map(|file| file.display().to_string()).collect();
    say(&side_by_side(names, &measured.iter().map(Measures::lines).collect::<Vec<_>>())).map(|()| 0)
}

impl Measures {
    fn of(read: &Checked) -> Self {
        let (schedule, problem) = (&read.schedule, read.schedule.problem());
        let network = problem.network();
        let capacity: f64 = network.channels().map(|channel| f64::from(network.capacity(channel))).sum();
        let most = capacity * schedule.steps() as f64;
        Measures {
            steps: Some(schedule.steps()),
            bound: read.floor.as_ref().map(|floor| floor.steps() as f64),
            optimal: read.floor.as_ref().is_some_and(|floor| floor.steps() == schedule.steps() as u64),
            transfers: schedule.transfer_count(),
            used: Some(if most > 0.0 { schedule.channel_uses() as f64 / most } else { 0.0 }),
            ..Measures::posed(problem, render::model(problem.model()), &read.provenance.method)
        }
    }

    fn timed(read: &CheckedTimed) -> Self {
        let (schedule, problem) = (&read.schedule, read.schedule.problem());
        // What is stored as orbits and too large to be written out has no usage of channels here.
        let written = schedule.written_out().ok();
        Measures {
            micros: Some(schedule.micros()),
            bound: read.floor.as_ref().map(CertifiedTimed::micros),
            optimal: read.is_optimal(),
            bandwidth: read.speed().map(|speed| [speed.algorithm, speed.bus]),
            transfers: schedule.transfer_count(),
            used: written.as_ref().map(|written| Usages::of(&Timeline::new(written)).average),
            ..Measures::posed(problem.plain(), "in time".into(), &read.provenance.method)
        }
    }

    /// What the problem says, and nothing of the schedule.
    fn posed(problem: &Problem, model: String, method: &str) -> Self {
        let (network, collective) = (problem.network(), problem.collective());
        Measures {
            collective: collective.name().to_owned(),
            chunks: collective.chunks(),
            network: network.name().to_owned(),
            model,
            method: method.to_owned(),
            steps: None,
            micros: None,
            bound: None,
            optimal: false,
            bandwidth: None,
            transfers: 0,
            used: None,
        }
    }

    /// Above the bound, in per cent.
    fn gap(&self) -> Option<f64> {
        let taken = self.micros.or(self.steps.map(|steps| steps as f64))?;
        self.bound.filter(|bound| *bound > 0.0).map(|bound| 100.0 * (taken - bound) / bound)
    }

    /// Names and values, the same names in the same order for all.
    fn lines(&self) -> Lines {
        let bandwidth = |at: usize| self.bandwidth.map(|both| format!("{:.4} GB/s", both[at]));
        let bound = self.bound.map(|bound| match self.micros {
            Some(_) => format!("{} µs", micros(bound)),
            None => bound.to_string(),
        });
        let verdict = match self.gap() {
            _ if self.optimal => Some("optimal".to_owned()),
            gap => gap.map(|gap| Within(gap).to_string()),
        };
        vec![
            ("collective", Some(self.collective.clone())),
            ("chunks", Some(self.chunks.to_string())),
            ("network", Some(self.network.clone())),
            ("model", Some(self.model.clone())),
            ("method", Some(self.method.clone()).filter(|method| !method.is_empty())),
            ("steps", self.steps.map(|steps| steps.to_string())),
            ("time", self.micros.map(|time| format!("{} µs", micros(time)))),
            ("lower bound", bound),
            ("verdict", verdict),
            ("algorithm bandwidth", bandwidth(0)),
            ("bus bandwidth", bandwidth(1)),
            ("transfers", Some(self.transfers.to_string())),
            ("channels used", self.used.map(|used| format!("{:.1} %", 100.0 * used))),
        ]
    }

    fn document(&self, name: &str) -> Value {
        json!({
            "name": name, "collective": self.collective, "chunks": self.chunks, "network": self.network, "model": self.model,
            "method": self.method, "steps": self.steps, "time_us": self.micros,
            "bound": self.bound.filter(|_| self.steps.is_some()).map(|bound| bound as u64), "bound_us": self.bound.filter(|_| self.micros.is_some()),
            "optimal": self.optimal, "algbw_GBps": self.bandwidth.map(|both| both[0]), "busbw_GBps": self.bandwidth.map(|both| both[1]),
            "transfers": self.transfers, "used": self.used,
        })
    }
}
