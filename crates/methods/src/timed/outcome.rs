//! **What:** what [`solve_timed`](super::solve_timed) answers.

use crate::Stopped;
use kernel::Rejected;
use kernel::timed::{CertifiedTimed, TimedVerdict, VerifiedTimed};

/// The fastest schedule that was found, with a bound, and what each method did.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct TimedOutcome {
    /// The fastest; `None` where time was up before there was one.
    pub best: Option<TimedBest>,
    /// The certified bound of the fastest one's number of chunks, or of one chunk where there is none.
    pub floor: CertifiedTimed,
    /// What each method did.
    pub reports: Vec<TimedReport>,
    /// Why it ended.
    pub stopped: Stopped,
    /// Seconds of wall-clock time.
    pub seconds: f64,
}

/// A schedule with its bound, and the method that made it.
#[derive(Clone, Debug)]
#[must_use]
pub struct TimedBest {
    /// Bound and schedule, of the same number of chunks.
    pub verdict: TimedVerdict,
    /// The method's name.
    pub method: &'static str,
}

/// What a method did.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct TimedReport {
    /// Its name.
    pub method: &'static str,
    /// Its fastest schedule.
    pub fastest: Option<VerifiedTimed>,
    /// Seconds that it ran in all.
    pub seconds: f64,
    /// How it ended.
    pub ended: TimedEnded,
}

impl TimedReport {
    /// The microseconds of its fastest schedule.
    #[must_use]
    pub fn micros(&self) -> Option<f64> {
        self.fastest.as_ref().map(VerifiedTimed::micros)
    }

    /// The chunks a message of its fastest schedule.
    #[must_use]
    pub fn chunks(&self) -> Option<u32> {
        self.fastest.as_ref().map(|fastest| fastest.problem().collective().chunks())
    }
}

/// How a method ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum TimedEnded {
    /// It works on other problems.
    Declined(String),
    /// It made what it can make.
    Done,
    /// There was no time, or no need.
    CutShort,
    /// It made a schedule that breaks rules: a fault of the method.
    Rejected(Rejected),
}

impl TimedEnded {
    /// In a few words.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            TimedEnded::Declined(why) => format!("declined: {why}"),
            TimedEnded::Done => "done".into(),
            TimedEnded::CutShort => "cut short".into(),
            TimedEnded::Rejected(why) => {
                format!("made a schedule that breaks rules ({}); please report this", why.count())
            }
        }
    }
}
