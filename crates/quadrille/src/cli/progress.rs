//! **What:** what a search shows while it works: one line on stderr, where stderr is a terminal; and Ctrl-C.

use super::failure::Failure;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use solve::evolution::Generation;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The switch that the first Ctrl-C turns on; the second ends the program at once.
pub fn interruptible() -> &'static AtomicBool {
    // Without a handler Ctrl-C still ends the program, only without saving: no reason not to search.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    &INTERRUPTED
}

/// Whether the user has interrupted.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The line of progress.
pub struct Line {
    bar: ProgressBar,
    floor: u64,
    ends: Option<Instant>,
    begun: Instant,
    state: Mutex<State>,
    trace: Option<Mutex<Trace>>,
}

/// Where `--trace` goes: a line of JSON at a time, so that it can be read while it grows.
pub struct Trace {
    file: BufWriter<File>,
}

impl Trace {
    /// Makes the file.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let refused = |e: std::io::Error| {
            Failure::input(format!("--trace: {}: {e}", path.display()))
                .hint("name a file in a folder that can be written")
        };
        Ok(Trace { file: BufWriter::new(File::create(path).map_err(refused)?) })
    }

    fn write(&mut self, g: &Generation, floor: u64, seconds: f64) -> std::io::Result<()> {
        let rate = if seconds > 0.0 { g.evaluations as f64 / seconds } else { 0.0 };
        let line = serde_json::json!({
            "method": g.method, "steps": g.steps, "floor": floor, "generation": g.generation, "evaluations": g.evaluations,
            "best": g.best, "mean": g.mean, "conflicts": g.conflicts, "late": g.late, "seconds": seconds,
            "evaluations_per_second": rate.round(),
        });
        writeln!(self.file, "{line}")?;
        self.file.flush()
    }
}

#[derive(Clone, Copy, Default)]
struct State {
    method: &'static str,
    best: Option<u64>,
    target: u64,
    open: u64,
}

impl Line {
    /// A line for a search towards `floor` steps that may take so many seconds.
    pub fn new(floor: u64, seconds: Option<f64>) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let ends = limit.and_then(|limit| Instant::now().checked_add(limit));
        Line { bar, floor, ends, begun: Instant::now(), state: Mutex::default(), trace: None }
    }

    /// The same, which also writes a trace.
    pub fn traced(self, trace: Option<Trace>) -> Self {
        Line { trace: trace.map(Mutex::new), ..self }
    }

    /// Takes the line away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = match self.state.lock() {
            Ok(state) => state,
            Err(poisoned) => poisoned.into_inner(),
        };
        change(&mut state);
        let left = self.ends.map(|ends| ends.saturating_duration_since(Instant::now()).as_secs());
        let mut text = format!("{}  best {}/{}", state.method, text_of(state.best), self.floor);
        if state.target > 0 {
            text.push_str(&format!("  trying {} steps, {} transfers open", state.target, state.open));
        }
        if let Some(left) = left {
            text.push_str(&format!("  {left} s left"));
        }
        self.bar.set_message(text);
    }
}

/// The bar of a run over many entries: how many are done, which one is worked on, how long it may still take.
pub struct Bar {
    bar: ProgressBar,
    entries: AtomicUsize,
    done: AtomicUsize,
}

impl Bar {
    /// A bar; it shows nothing where stderr is no terminal.
    pub fn new() -> Self {
        let bar = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {elapsed} (left: {eta}) {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        Bar { bar, entries: AtomicUsize::new(0), done: AtomicUsize::new(0) }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The share of an entry in the bar's length: its milliseconds when it was stored, and one for being there.
    fn share(seconds: f64) -> u64 {
        // A cast of a float stops at the ends of the range.
        (seconds * 1000.0) as u64 + 1
    }
}

impl quadrille::atlas::Listener for Bar {
    fn planned(&self, entries: usize, seconds: f64) {
        self.entries.store(entries, Ordering::Relaxed);
        self.bar.set_length(Bar::share(seconds) + entries as u64);
    }

    fn working(&self, name: &str) {
        let (done, entries) = (self.done.load(Ordering::Relaxed), self.entries.load(Ordering::Relaxed));
        self.bar.set_message(format!("{done}/{entries} done, at {name}"));
    }

    fn done(&self, _: &str, seconds: f64) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(Bar::share(seconds));
    }
}

fn text_of(best: Option<u64>) -> String {
    best.map_or("–".into(), |steps| steps.to_string())
}

impl solve::Progress for Line {
    fn generation(&self, generation: &Generation) {
        let seconds = self.begun.elapsed().as_secs_f64();
        if let Some(trace) = &self.trace
            && let Ok(mut trace) = trace.lock()
        {
            // A full disk ends the trace, not the search.
            let _ = trace.write(generation, self.floor, seconds);
        }
        let rate = generation.evaluations as f64 / seconds.max(1e-3);
        let left = self.ends.map(|ends| ends.saturating_duration_since(Instant::now()).as_secs());
        let left = left.map_or(String::new(), |left| format!("  {left} s left"));
        self.bar.set_message(format!(
            "{}  {} steps (floor {})  generation {}  {} conflicts, {} late  mean {:.1}  {:.0}k evaluations/s{left}",
            generation.method,
            generation.steps,
            self.floor,
            generation.generation,
            generation.conflicts,
            generation.late,
            generation.mean,
            rate / 1000.0,
        ));
    }

    fn working(&self, method: &'static str, target: u64, open: u64) {
        self.update(|state| *state = State { method, target, open, best: state.best });
    }

    fn found(&self, method: &'static str, steps: u64) {
        self.update(|state| {
            let best = state.best.map_or(steps, |best| best.min(steps));
            *state = State { method, best: Some(best), target: 0, open: 0 };
        });
    }
}

/// A bar for work of a known length.
pub struct Count {
    bar: ProgressBar,
}

impl Count {
    /// A bar for so many `things`.
    pub fn new(length: usize, things: &str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Count { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {things}, {{eta}} left"))
        {
            bar.set_style(style);
        }
        Count { bar }
    }

    /// So many are done.
    pub fn reached(&self, position: usize) {
        self.bar.set_position(position as u64);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
