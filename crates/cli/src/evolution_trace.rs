//! **What:** how evolution goes on, for eyes (a line beside the bar) and for programs (`--trace`, a line of JSON at a time).
//!
//! **Facts:** the rate is that of the last second or so, since evaluations are counted anew for each number of steps.

use super::failure::Failure;
use methods::Settings;
use run::Generation;
use serde_json::{Map, Number, Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

/// Over which time evaluations a second are counted.
const WINDOW: f64 = 1.0;

/// Where `--trace` goes: written line by line, so that it can be read while it grows.
pub(crate) struct Trace {
    file: BufWriter<Box<dyn Write + Send>>,
    seed: u64,
    /// The values of `--param`.
    parameters: Map<String, Value>,
}

impl Trace {
    /// Makes the file.
    pub(crate) fn create(path: &Path, settings: &Settings) -> Result<Self, Failure> {
        let refused = |e: std::io::Error| {
            Failure::input(format!("--trace: {}: {e}", path.display()))
                .hint("name a file in a folder that can be written")
        };
        let file: Box<dyn Write + Send> = match formats::is_standard_output(path) {
            true => Box::new(std::io::stdout()),
            false => Box::new(File::create(path).map_err(refused)?),
        };
        Ok(Trace { file: BufWriter::new(file), seed: settings.seed, parameters: given(settings) })
    }

    /// One line.
    pub(crate) fn write(&mut self, g: &Generation, floor: u64, rate: f64, seconds: f64) -> std::io::Result<()> {
        let line = json!({
            "method": g.method, "steps": g.steps, "floor": floor, "generation": g.generation, "evaluations": g.evaluations,
            "best": g.best, "mean": g.mean, "conflicts": g.conflicts, "late": g.late, "seconds": seconds,
            "evaluations_per_second": rate.round(), "seed": self.seed, "parameters": self.parameters,
        });
        writeln!(self.file, "{line}")?;
        self.file.flush()
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
    since: (f64, u64),
    rate: f64,
}

impl Rate {
    /// Evaluations a second, `seconds` after the beginning.
    pub(crate) fn at(&mut self, g: &Generation, seconds: f64) -> f64 {
        if g.steps != self.steps || g.evaluations < self.since.1 {
            *self = Rate { steps: g.steps, since: (seconds, g.evaluations), rate: self.rate };
        }
        let passed = seconds - self.since.0;
        let made = (g.evaluations - self.since.1) as f64;
        if passed >= WINDOW || (self.rate == 0.0 && passed > 0.0) {
            self.rate = made / passed;
        }
        if passed >= WINDOW {
            self.since = (seconds, g.evaluations);
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
    fn evaluations_are_counted_anew_for_each_number_of_steps() {
        let mut rate = Rate::default();
        rate.at(&generation(8, 100), 0.0);
        assert_eq!(rate.at(&generation(8, 1100), 0.5), 2000.0);
        assert_eq!(rate.at(&generation(8, 4100), 2.0), 2000.0);
        assert_eq!(rate.at(&generation(8, 8100), 3.0), 4000.0);
        assert_eq!(rate.at(&generation(9, 100), 3.5), 4000.0);
        assert_eq!(rate.at(&generation(9, 1100), 4.5), 1000.0);
    }
}
