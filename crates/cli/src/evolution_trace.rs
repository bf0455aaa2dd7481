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
pub(crate) struct Recorded(pub Option<u64>);

impl Recorded {
    /// Generations between two that are recorded, after this one.
    fn step(self, generation: u64) -> u64 {
        let decade = || std::iter::successors(Some(1), |step: &u64| step.checked_mul(10));
        let large = || decade().find(|step| generation < step.saturating_mul(ALL_UP_TO));
        self.0.or_else(large).unwrap_or(1).max(1)
    }

    fn next(self, generation: u64) -> u64 {
        let step = self.step(generation);
        (generation - generation % step).saturating_add(step)
    }

    fn has(self, generation: u64) -> bool {
        generation.is_multiple_of(self.step(generation))
    }
}

/// A line that is written unless a later one of the same number of steps is.
struct Pending {
    steps: u64,
    line: Value,
}

/// Where `--trace` goes: written line by line, so that it can be read while it grows.
pub(crate) struct Trace {
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
    pub(crate) fn create(
        path: &Path,
        recorded: Recorded,
        settings: &Settings,
        problem: &Problem,
    ) -> Result<Self, Failure> {
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
    pub(crate) fn after(&self, generation: u64) -> u64 {
        self.recorded.next(generation)
    }

    /// One line, where it is to be recorded and tells something new; the last of each number of steps is kept.
    pub(crate) fn write(&mut self, g: &Generation, floor: u64, rate: f64, seconds: f64) -> std::io::Result<()> {
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
pub(crate) fn given(settings: &Settings) -> Map<String, Value> {
    let value = |text: &str| serde_json::from_str::<Number>(text).map_or_else(|_| text.into(), Value::Number);
    settings.parameters.iter().map(|p| (p.name.clone(), value(&p.value))).collect()
}

/// Evaluations a second.
#[derive(Default)]
pub(crate) struct Rate {
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
    pub(crate) fn at(&mut self, g: &Generation, seconds: f64) -> f64 {
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
pub(crate) fn text(g: &Generation, floor: u64, found: Option<u64>, rate: f64, left: Option<Duration>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn generation(steps: u64, evaluations: u64) -> Generation {
        Generation { method: "umda", steps, generation: 200, evaluations, best: 9, mean: 12.25, conflicts: 7, late: 2 }
    }

    #[test]
    fn the_line_says_all_of_it() {
        let left = Some(Duration::from_millis(4500));
        let line = text(&generation(8, 0), 7, Some(10), 321_000.0, left);
        for part in
            ["umda", "8 steps, lower bound 7 (has 10)", "best 9: 7 conflicts, 2 late", "321k evaluations/s", "4 s left"]
        {
            assert!(line.contains(part), "`{part}` is not in: {line}");
        }
        assert!(!text(&generation(8, 0), 7, None, 0.0, None).contains("left"));
    }

    #[test]
    fn fewer_and_fewer_generations_are_recorded() {
        let usual = Recorded(None);
        assert_eq!([0, 7, 999, 1000, 1234, 99_999].map(|g| usual.next(g)), [1, 8, 1000, 1010, 1240, 100_000]);
        assert_eq!([7, 1000, 1005, 20_050, 20_100].map(|g| usual.has(g)), [true, true, false, false, true]);
        let fifty = Recorded(Some(50));
        assert_eq!((fifty.next(0), fifty.next(60), fifty.has(5000), fifty.has(70)), (50, 100, true, false));
    }

    #[test]
    fn evaluations_are_counted_anew_for_each_number_of_steps() {
        let mut rate = Rate::default();
        rate.at(&generation(8, 100), 0.0);
        assert_eq!(rate.at(&generation(8, 300), 0.1), 2000.0);
        // It goes on before a second has passed.
        assert_eq!(rate.at(&generation(8, 350), 0.125), 2000.0);
        assert_eq!(rate.at(&generation(8, 400), 0.2), 1500.0);
        assert_eq!(rate.at(&generation(8, 1100), 0.5), 2000.0);
        assert_eq!(rate.at(&generation(8, 4100), 2.0), 2000.0);
        assert_eq!(rate.at(&generation(8, 8100), 3.0), 4000.0);
        assert_eq!(rate.at(&generation(9, 100), 3.5), 4000.0);
        assert_eq!(rate.at(&generation(9, 1100), 4.5), 1000.0);
    }
}
