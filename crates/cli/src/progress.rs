//! **What:** what a search shows while it works: one line on stderr, where stderr is a terminal; and Ctrl-C.

use super::embedded;
use super::evolution_trace;
pub(crate) use super::evolution_trace::Trace;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use run::Generation;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Searches at work, which end by themselves with their best once they are interrupted.
static SEARCHES: AtomicUsize = AtomicUsize::new(0);

/// From here on Ctrl-C and SIGTERM end the program at once, after what is half written is taken away; during a search the
/// first of them ends the search.
pub(crate) fn listen() {
    // Without a handler they still end the program, only less cleanly: no reason not to work.
    let _ = ctrlc::set_handler(|| {
        let searching = SEARCHES.load(Ordering::Relaxed) > 0;
        if INTERRUPTED.swap(true, Ordering::Relaxed) || !searching {
            formats::abandon();
            std::process::exit(130);
        }
    });
}

/// As long as this is there, the first Ctrl-C turns a switch on; the second ends the program.
#[must_use]
pub struct Interruptible {
    /// The switch of an embedding program, which listens to Ctrl-C itself.
    own: Option<Arc<AtomicBool>>,
}

impl Interruptible {
    /// The switch.
    pub fn switch(&self) -> &AtomicBool {
        self.own.as_deref().unwrap_or(&INTERRUPTED)
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        if self.own.is_none() {
            SEARCHES.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// The beginning of a search that ends with its best when it is interrupted.
pub fn interruptible() -> Interruptible {
    let own = embedded::stop();
    if own.is_none() {
        listen();
        SEARCHES.fetch_add(1, Ordering::Relaxed);
    }
    Interruptible { own }
}

/// Whether the user has interrupted.
pub(crate) fn interrupted() -> bool {
    embedded::stop().as_deref().unwrap_or(&INTERRUPTED).load(Ordering::Relaxed)
}

/// The line of progress.
pub(crate) struct Line {
    bar: ProgressBar,
    floor: AtomicU64,
    ends: Option<Instant>,
    begun: Instant,
    state: Mutex<State>,
    rate: Mutex<evolution_trace::Rate>,
    trace: Option<Mutex<Trace>>,
}

#[derive(Clone, Copy, Default)]
struct State {
    method: &'static str,
    best: Option<u64>,
    target: u64,
    open: u64,
}

impl Line {
    /// A line for a search that may take so many seconds.
    pub(crate) fn new(seconds: Option<f64>) -> Self {
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let bar = if std::io::stderr().is_terminal() {
            // The bar fills with the time that is given.
            let length = limit.map(|limit| limit.as_millis() as u64);
            let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
            let form = if length.is_some() {
                "{spinner} {bar:20} {elapsed} {wide_msg}"
            } else {
                "{spinner} {elapsed} {wide_msg}"
            };
            if let Ok(style) = ProgressStyle::with_template(form) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        let ends = limit.and_then(|limit| Instant::now().checked_add(limit));
        let floor = AtomicU64::new(0);
        Line { bar, floor, ends, begun: Instant::now(), state: Mutex::default(), rate: Mutex::default(), trace: None }
    }

    /// The same, which also writes a trace.
    pub(crate) fn traced(self, trace: Option<Trace>) -> Self {
        Line { trace: trace.map(Mutex::new), ..self }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = match self.state.lock() {
            Ok(state) => state,
            Err(poisoned) => poisoned.into_inner(),
        };
        change(&mut state);
        let mut text = format!(
            "{}  best {}, lower bound {}",
            state.method,
            text_of(state.best),
            self.floor.load(Ordering::Relaxed)
        );
        if state.target > 0 {
            text.push_str(&format!("  trying {} steps, {} transfers open", state.target, state.open));
        }
        if let Some(left) = self.left() {
            text.push_str(&format!("  {} s left", left.as_secs()));
        }
        drop(state);
        self.show(text);
    }

    fn left(&self) -> Option<Duration> {
        self.ends.map(|ends| ends.saturating_duration_since(Instant::now()))
    }

    fn show(&self, text: String) {
        self.bar.set_position(self.begun.elapsed().as_millis() as u64);
        self.bar.set_message(text);
    }
}

/// The bar of a run over many entries: how many are done, which one is worked on, how long it may still take.
pub(crate) struct Bar {
    bar: ProgressBar,
    entries: AtomicUsize,
    done: AtomicUsize,
}

impl Bar {
    /// A bar; it shows nothing where stderr is no terminal.
    pub(crate) fn new() -> Self {
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
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The share of an entry in the bar's length: its milliseconds when it was stored, and one for being there.
    fn share(seconds: f64) -> u64 {
        // A cast of a float stops at the ends of the range.
        (seconds * 1000.0) as u64 + 1
    }
}

impl atlas::Listener for Bar {
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

impl run::Progress for Line {
    fn generation(&self, generation: &Generation) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = match self.rate.lock() {
            Ok(mut rate) => rate.at(generation, seconds),
            Err(_) => 0.0,
        };
        if let Some(trace) = &self.trace
            && let Ok(mut trace) = trace.lock()
        {
            // A full disk ends the trace, not the search.
            let _ = trace.write(generation, self.floor.load(Ordering::Relaxed), rate, seconds);
        }
        let found = self.state.lock().ok().and_then(|state| state.best);
        self.show(evolution_trace::text(generation, self.floor.load(Ordering::Relaxed), found, rate, self.left()));
    }

    fn floor(&self, floor: &kernel::Certified) {
        self.floor.store(floor.steps(), Ordering::Relaxed);
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
pub(crate) struct Count {
    bar: ProgressBar,
}

impl Count {
    /// A bar for so many `things`.
    pub(crate) fn new(length: usize, things: &str) -> Self {
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
    pub(crate) fn reached(&self, position: usize) {
        self.bar.set_position(position as u64);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
