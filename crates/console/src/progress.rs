//! **What:** what a search shows while it works: one line on stderr, where stderr is a terminal; and Ctrl-C.

mod bars;

use super::evolution_trace;
pub use super::evolution_trace::{Recorded, Trace, given};
use super::{call, output, render};
pub use bars::{Bar, Count, Parts, during};
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
pub fn listen() {
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
    let own = call::stop();
    if own.is_none() {
        listen();
        SEARCHES.fetch_add(1, Ordering::Relaxed);
    }
    Interruptible { own }
}

/// Whether the user has interrupted.
pub fn interrupted() -> bool {
    call::stop().as_deref().unwrap_or(&INTERRUPTED).load(Ordering::Relaxed)
}

/// A bar on stderr, where that is a terminal and progress is wanted.
pub fn bar(length: Option<u64>, form: &str) -> ProgressBar {
    if output::is_quiet() || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
    shape(&bar, form);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn shape(bar: &ProgressBar, form: &str) {
    if let Ok(style) = ProgressStyle::with_template(form) {
        bar.set_style(style);
    }
}

/// Lines of progress for `--verbose`, at most one a second.
#[derive(Default)]
pub struct Lines {
    last: Mutex<Option<Instant>>,
}

/// From one line to the next.
const PAUSE: Duration = Duration::from_secs(1);

impl Lines {
    /// Says a line, unless another one was said just before.
    pub fn say(&self, bar: &ProgressBar, text: &str) {
        self.say_with(bar, || text.to_owned());
    }

    /// The same for a line that is made only where it is said.
    fn say_with(&self, bar: &ProgressBar, text: impl FnOnce() -> String) {
        if !output::is_verbose() {
            return;
        }
        let Ok(mut last) = self.last.lock() else { return };
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            bar.suspend(|| output::tell(&format!("{}\n", text())));
        }
    }
}

/// The line of progress.
pub struct Line {
    bar: ProgressBar,
    lines: Lines,
    /// Of several problems, how many are done, and all.
    part: Mutex<Option<(usize, usize)>>,
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
    pub fn new(seconds: Option<f64>) -> Self {
        let limit = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        // The bar fills with the time that is given.
        let length = limit.map(|limit| limit.as_millis() as u64);
        let form =
            if length.is_some() { "{spinner} {bar:20} {elapsed} {wide_msg}" } else { "{spinner} {elapsed} {wide_msg}" };
        let bar = bar(length, form);
        let ends = limit.and_then(|limit| Instant::now().checked_add(limit));
        let floor = AtomicU64::new(0);
        Line {
            bar,
            lines: Lines::default(),
            part: Mutex::default(),
            floor,
            ends,
            begun: Instant::now(),
            state: Mutex::default(),
            rate: Mutex::default(),
            trace: None,
        }
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
        let at_work = if state.method.is_empty() { "bounds" } else { state.method };
        let mut text =
            format!("{at_work}  best {}, lower bound {}", text_of(state.best), self.floor.load(Ordering::Relaxed));
        if state.target > 0 {
            text.push_str(&format!("  trying {} steps, {} transfers open", state.target, state.open));
        }
        drop(state);
        text.push_str(&self.time());
        self.show(text);
    }

    fn left(&self) -> Option<Duration> {
        self.ends.map(|ends| ends.saturating_duration_since(Instant::now()))
    }

    /// How long it may still take, in words; how long it took where nobody knows.
    fn time(&self) -> String {
        match self.left() {
            Some(left) => format!("  {} s left", left.as_secs()),
            None => format!("  {} s", self.begun.elapsed().as_secs()),
        }
    }

    fn show(&self, text: String) {
        self.bar.set_position(self.begun.elapsed().as_millis() as u64);
        self.lines.say(&self.bar, &text);
        self.bar.set_message(text);
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

    fn told_after(&self, generation: u64) -> u64 {
        let trace = self.trace.as_ref().and_then(|trace| trace.lock().ok());
        trace.map_or(generation + 100, |trace| trace.after(generation))
    }

    fn floor(&self, floor: &kernel::Certified) {
        self.floor.store(floor.steps(), Ordering::Relaxed);
        self.update(|_| {});
    }

    fn in_time(&self, state: &run::InTime) {
        let part = self.part.lock().ok().and_then(|part| *part);
        let part = part.map_or(String::new(), |(done, all)| format!("size {} of {all}  ", done + 1));
        let chunks = render::count(state.chunks.into(), "chunk");
        let best = state.best.map_or("–".into(), |best| format!("{} µs", render::micros(best)));
        let bound = render::micros(state.bound);
        self.show(format!("{part}{} in {chunks}  best {best}, lower bound {bound} µs{}", state.method, self.time()));
    }

    fn done(&self, done: usize, all: usize) {
        if let Ok(mut part) = self.part.lock() {
            *part = Some((done, all));
        }
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
