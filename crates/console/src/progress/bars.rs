//! **What:** bars for work that is counted, in one part or in several, and for work whose length nobody knows.

use super::{Lines, bar, shape};
use crate::output;
use indicatif::ProgressBar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bar of a run over many entries: how many are done, which one is worked on, how long it may still take.
pub struct Bar {
    bar: ProgressBar,
    lines: Lines,
    entries: AtomicUsize,
    done: AtomicUsize,
}

impl Default for Bar {
    /// A bar; it shows nothing where stderr is no terminal.
    fn default() -> Self {
        let bar = bar(Some(0), "{bar:30} {elapsed} (left: {eta}) {wide_msg}");
        Bar { bar, lines: Lines::default(), entries: AtomicUsize::new(0), done: AtomicUsize::new(0) }
    }
}

impl Bar {
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

impl atlas::Listener for Bar {
    fn planned(&self, entries: usize, seconds: f64) {
        self.entries.store(entries, Ordering::Relaxed);
        self.bar.set_length(Bar::share(seconds) + entries as u64);
    }

    fn working(&self, name: &str) {
        let (done, entries) = (self.done.load(Ordering::Relaxed), self.entries.load(Ordering::Relaxed));
        let text = format!("{done}/{entries} done, at {name}");
        self.lines.say(&self.bar, &text);
        self.bar.set_message(text);
    }

    fn done(&self, _: &str, seconds: f64) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(Bar::share(seconds));
    }
}

/// A bar for work of a known length.
pub struct Count {
    bar: ProgressBar,
    lines: Lines,
    length: usize,
    things: String,
}

impl Count {
    /// A bar for so many `things`.
    pub fn new(length: usize, things: &str) -> Self {
        let form = format!("{{bar:30}} {{pos}}/{{len}} {things}, {{eta}} left  {{wide_msg}}");
        Count { bar: bar(Some(length as u64), &form), lines: Lines::default(), length, things: things.to_owned() }
    }

    /// So many are done.
    pub fn reached(&self, position: usize) {
        self.bar.set_position(position as u64);
        self.lines.say_with(&self.bar, || format!("{position} of {} {} done", self.length, self.things));
    }

    /// So many are done, and this one is worked on.
    pub fn at(&self, position: usize, name: &str) {
        self.bar.set_position(position as u64);
        self.bar.set_message(name.to_owned());
        self.lines.say(&self.bar, &format!("{position} of {} {} done, at {name}", self.length, self.things));
    }

    /// Tells something that stays, above the bar.
    pub fn tell(&self, text: &str) {
        self.bar.suspend(|| output::tell(text));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for work of several parts one after the other, each of a length of its own or of one that nobody knows.
pub struct Parts {
    bar: ProgressBar,
    lines: Lines,
    /// The part, and the form of its bar.
    part: Mutex<(String, &'static str)>,
}

impl Default for Parts {
    fn default() -> Self {
        Parts { bar: bar(None, Self::KNOWN), lines: Lines::default(), part: Mutex::default() }
    }
}

impl Parts {
    const KNOWN: &str = "{bar:20} {percent:>3} %, {eta} left  {wide_msg}";
    const UNKNOWN: &str = "{spinner} {elapsed}  {wide_msg}";

    /// A part begins whose length nobody knows.
    pub fn begin(&self, part: &str) {
        self.change(part, Self::UNKNOWN);
        self.lines.say(&self.bar, part);
    }

    /// The next part, whose time is its own.
    fn change(&self, part: &str, form: &'static str) {
        if let Ok(mut last) = self.part.lock()
            && (last.0 != part || last.1 != form)
        {
            *last = (part.to_owned(), form);
            self.bar.reset();
            shape(&self.bar, form);
            self.bar.set_message(part.to_owned());
        }
    }

    /// So much of a part is done.
    pub fn at(&self, part: &str, done: u64, of: u64) {
        self.change(part, Self::KNOWN);
        self.bar.set_length(of);
        self.bar.set_position(done);
        self.lines.say_with(&self.bar, || format!("{} % of {part}", done.saturating_mul(100) / of.max(1)));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Work whose length nobody knows, with a line that tells what it is.
pub fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let parts = Parts::default();
    parts.begin(what);
    let done = work();
    parts.finish();
    done
}
