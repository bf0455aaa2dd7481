//! **What:** how evolution goes on, for eyes (a line beside the bar) and for programs (`--trace`, a line of JSON at a time).
//!
//! **Facts:** the rate is that of the last second or so, since evaluations are counted anew for each number of steps. A trace has every
//! generation of the first thousand, then every tenth, beyond ten thousand every hundredth, and so on, so it stays small.

use super::failure::Failure;
use kernel::Problem;
use methods::Settings;
use run::Generation;
use serde_json::{Map, Number, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Over which time evaluations a second are counted.
const WINDOW: f64 = 1.0;

/// Generations of which all are recorded, where nothing is said.
const ALL_UP_TO: u64 = 1000;

/// Between samples of the rate.
const SAMPLE: f64 = 0.05;

/// Which generations are recorded: every so many; without a number fewer and fewer.
#[derive(Clone, Copy)]
pub struct Recorded(pub Option<u64>);

impl Recorded {
    /// Generations between two that are recorded, after this one.
    fn step(self, generation: u64) -> u64 {
        let decade = || std::iter::successors(Some(1), |step: &u64| step.checked_mul(10));
        let large = || decade().find(|step| generation < step.saturating_mul(ALL_UP_TO));
        self.0.or_else(large).unwrap_or(1).max(1)
    }

    /// The next generation that is recorded.
    #[must_use]
    pub fn next(self, generation: u64) -> u64 {
        let step = self.step(generation);
        (generation - generation % step).saturating_add(step)
    }

    /// Whether this generation is recorded.
    #[must_use]
    pub fn has(self, generation: u64) -> bool {
        generation.is_multiple_of(self.step(generation))
    }
}

/// A line that is written unless a later one of the same number of steps is.
struct Pending {
    steps: u64,
    line: Value,
}

/// Where `--trace` goes: written line by line, so that it can be read while it grows.
pub struct Trace {
    file: Box<dyn Write + Send>,
    recorded: Recorded,
    /// Evaluations of the last line of each number of steps.
    written: BTreeMap<u64, u64>,
    pending: Option<Pending>,
    network: String,
    collective: String,
    seed: u64,
    /// The values of `--param`.
    parameters: Map<String, Value>,
}

impl Trace {
    /// Makes the file.
    pub fn create(path: &Path, recorded: Recorded, settings: &Settings, problem: &Problem) -> Result<Self, Failure> {
        let refused = |e: std::io::Error| {
            Failure::input(format!("--trace: {}: {e}", path.display()))
                .hint("name a file in a folder that can be written")
        };
        Ok(Trace {
            file: exports::trace::create(path).map_err(refused)?,
            recorded,
            written: BTreeMap::new(),
            pending: None,
            network: problem.network().name().to_owned(),
            collective: problem.collective().name().to_owned(),
            seed: settings.seed,
            parameters: given(settings),
        })
    }

    /// The next generation to record.
    pub fn after(&self, generation: u64) -> u64 {
        self.recorded.next(generation)
    }

    /// One line, where it is to be recorded and tells something new; the last of each number of steps is kept.
    pub fn write(&mut self, g: &Generation, floor: u64, rate: f64, seconds: f64) -> std::io::Result<()> {
        if self.pending.as_ref().is_some_and(|pending| pending.steps != g.steps) {
            self.settle()?;
        }
        let before = self.written.get(&g.steps).copied();
        if before.is_some_and(|evaluations| g.evaluations <= evaluations) {
            return Ok(());
        }
        let line = self.line(g, floor, rate, seconds);
        self.pending = Some(Pending { steps: g.steps, line });
        if before.is_none() || g.best == 0 || self.recorded.has(g.generation) {
            self.written.insert(g.steps, g.evaluations);
            return self.settle();
        }
        Ok(())
    }

    fn settle(&mut self) -> std::io::Result<()> {
        let Some(Pending { line, .. }) = self.pending.take() else { return Ok(()) };
        writeln!(self.file, "{line}")?;
        self.file.flush()
    }

    fn line(&self, g: &Generation, floor: u64, rate: f64, seconds: f64) -> Value {
        json!({
            "network": self.network, "collective": self.collective,
            "method": g.method, "steps": g.steps, "floor": floor, "generation": g.generation, "evaluations": g.evaluations,
            "best": g.best, "mean": g.mean, "conflicts": g.conflicts, "late": g.late, "seconds": seconds,
            "evaluations_per_second": rate.round(), "seed": self.seed, "parameters": self.parameters,
        })
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        // A full disk ends the trace, not the search.
        let _ = self.settle();
    }
}

/// The values of `--param`: numbers where they are.
pub fn given(settings: &Settings) -> Map<String, Value> {
    let value = |text: &str| serde_json::from_str::<Number>(text).map_or_else(|_| text.into(), Value::Number);
    settings.parameters.iter().map(|p| (p.name.clone(), value(&p.value))).collect()
}

/// Evaluations a second.
#[derive(Default)]
pub struct Rate {
    steps: u64,
    /// Of the last second or so, the oldest first; that may be older.
    samples: VecDeque<Sample>,
    rate: f64,
}

#[derive(Clone, Copy)]
struct Sample {
    seconds: f64,
    evaluations: u64,
}

impl Rate {
    /// Evaluations a second, `seconds` after the beginning.
    pub fn at(&mut self, g: &Generation, seconds: f64) -> f64 {
        let now = Sample { seconds, evaluations: g.evaluations };
        if g.steps != self.steps || self.samples.back().is_some_and(|last| g.evaluations < last.evaluations) {
            self.steps = g.steps;
            self.samples.clear();
        }
        while self.samples.get(1).is_some_and(|second| seconds - second.seconds >= WINDOW) {
            self.samples.pop_front();
        }
        if let Some(first) = self.samples.front().filter(|first| seconds > first.seconds) {
            self.rate = (g.evaluations - first.evaluations) as f64 / (seconds - first.seconds);
        }
        if self.samples.back().is_none_or(|last| seconds - last.seconds >= SAMPLE) {
            self.samples.push_back(now);
        }
        self.rate
    }
}

/// What the bar says of a generation.
pub fn text(g: &Generation, floor: u64, found: Option<u64>, rate: f64, left: Option<Duration>) -> String {
    let found = found.map_or(String::new(), |steps| format!(" (has {steps})"));
    let left = left.map_or(String::new(), |left| format!("  {} s left", left.as_secs()));
    // What matters most comes first, since a narrow terminal cuts the rest off.
    format!(
        "{}  {} steps, lower bound {floor}{found}  best {}: {} conflicts, {} late  {:.0}k evaluations/s{left}  generation {}, mean {:.1}",
        g.method,
        g.steps,
        g.best,
        g.conflicts,
        g.late,
        rate / 1000.0,
        g.generation,
        g.mean,
    )
}
