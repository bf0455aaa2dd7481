//! **What:** what a caller may ask of [`solve`](crate::solve), and who is told while it works.

use run::{Alone, Progress, Ranks, Seed, Silent};
use std::sync::atomic::AtomicBool;

/// Ticks that each method may use where neither they nor seconds are limited: some seconds each.
const USUAL_TICKS: u64 = 100_000_000;

/// More ticks than any search lives to see, and few enough to be multiplied.
const UNLIMITED_TICKS: u64 = 1 << 48;

/// What a caller may ask for. Begin with [`Settings::default`] or [`Settings::seconds`].
///
/// ```
/// use methods::Settings;
/// let settings = Settings::seconds(5.0).with_seed(7).with_threads(2);
/// assert_eq!((settings.seed, settings.threads), (7, 2));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Settings {
    /// Where random choices start from; the same seed gives the same answer, on any number of threads.
    pub seed: u64,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Stop after so many seconds of wall clock; `None` for no limit.
    pub seconds: Option<f64>,
    /// Stop each method after so many elementary moves; `None` for a usual number, or for no limit where seconds are limited.
    pub ticks: Option<u64>,
    /// Channels a path may be longer than the shortest; `None` leaves it to the method (`Some(0)`: minimal routing).
    pub slack: Option<u32>,
    /// Be content with this number of steps.
    pub steps: Option<u64>,
    /// How often each method that draws random numbers runs in a round, each time with others; `None` for once, or, where processes share
    /// the search and seconds are limited, for as often as occupies all of them.
    pub draws: Option<u32>,
    /// The name of the only method to try; `None` for all that apply.
    pub method: Option<String>,
    /// Parameters of that method, as names and values.
    pub parameters: Vec<Parameter>,
}

/// The value of a parameter of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value, as typed.
    pub value: String,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            threads: 1,
            seconds: None,
            ticks: None,
            slack: None,
            steps: None,
            draws: None,
            method: None,
            parameters: Vec::new(),
        }
    }
}

impl Settings {
    /// A limit of wall clock, and the usual settings besides.
    pub fn seconds(seconds: f64) -> Self {
        Settings { seconds: Some(seconds), ..Settings::default() }
    }

    /// The same, with random choices that start from `seed`.
    pub fn with_seed(self, seed: u64) -> Self {
        Settings { seed, ..self }
    }

    /// The same, on so many threads.
    pub fn with_threads(self, threads: usize) -> Self {
        Settings { threads: threads.max(1), ..self }
    }

    /// The same, with a limit of elementary moves for each method: an answer that does not depend on the machine's speed.
    pub fn with_ticks(self, ticks: u64) -> Self {
        Settings { ticks: Some(ticks), ..self }
    }

    /// The same, with paths at most so many channels longer than the shortest.
    pub fn with_slack(self, slack: u32) -> Self {
        Settings { slack: Some(slack), ..self }
    }

    /// The same, content with so many steps.
    pub fn with_steps(self, steps: u64) -> Self {
        Settings { steps: Some(steps), ..self }
    }

    /// The same, with methods that draw random numbers run so often in each round.
    pub fn with_draws(self, draws: u32) -> Self {
        Settings { draws: Some(draws.max(1)), ..self }
    }

    /// The same, by the method of that name alone.
    pub fn with_method(self, name: impl Into<String>) -> Self {
        Settings { method: Some(name.into()), ..self }
    }

    /// Ticks that each method may use in all.
    pub(crate) fn most_ticks(&self) -> u64 {
        self.ticks.unwrap_or(if self.seconds.is_some() { UNLIMITED_TICKS } else { USUAL_TICKS })
    }

    /// What a run of one method is given.
    pub(crate) fn of_a_run(&self) -> run::Settings {
        run::Settings {
            seed: Seed(self.seed),
            threads: self.threads.max(1),
            seconds: self.seconds,
            ticks: self.most_ticks(),
            slack: self.slack,
            steps: self.steps,
        }
    }
}

/// Who is told while [`solve`](crate::solve) works, and who may stop it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Told now and then, from any thread.
    pub progress: &'a dyn Progress,
    /// Set it to end the search with the best so far; heard within a fraction of a second.
    pub stop: &'a AtomicBool,
    /// The processes that share the search.
    pub ranks: &'a dyn Ranks,
}

impl Watch<'static> {
    /// Nobody is told, and nobody stops it.
    #[must_use]
    pub fn nobody() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Watch { progress: &Silent, stop: &NEVER, ranks: &Alone }
    }
}
