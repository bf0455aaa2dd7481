//! **What:** what [`solve`](crate::solve) answers: floor and schedule, why it stopped, and what each method did.

use kernel::{Certified, Network, Node, Rejected, Verdict, Verified};
use run::Decline;

/// The answer to a problem: a certified lower bound, the best verified schedule if any was found, and how they came to be.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct Outcome {
    /// The certified lower bound.
    pub floor: Certified,
    /// The best schedule.
    pub best: Option<Best>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// What each method did, in the order in which they are tried.
    pub reports: Vec<Report>,
    /// What was done for the lower bound.
    pub bounds: BoundReport,
    /// The family member that the network is isomorphic to, where it is one.
    pub identity: Option<String>,
    /// Seconds of wall-clock time.
    pub seconds: f64,
}

/// A verified schedule and the method that made it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Best {
    /// The schedule.
    pub schedule: Verified,
    /// The method's name.
    pub method: &'static str,
}

impl Outcome {
    /// Floor and schedule together; `None` where no schedule was found.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let best = self.best.as_ref()?;
        let verdict = Verdict::new(self.floor.clone(), best.schedule.clone());
        Some(verdict.expect("both speak of the problem that was asked, and checkers do not contradict each other"))
    }

    /// The name of the method that made the schedule.
    #[must_use]
    pub fn method(&self) -> Option<&'static str> {
        self.best.as_ref().map(|best| best.method)
    }

    /// Number of steps of the schedule.
    #[must_use]
    pub fn steps(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.schedule.steps() as u64)
    }

    /// Whether the schedule has as many steps as the floor.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.verdict().is_some_and(|verdict| verdict.is_optimal())
    }

    /// All transfers of the schedule, step by step; none where no schedule was found.
    pub fn transfers(&self) -> impl Iterator<Item = Sent> + '_ {
        let schedules = self.best.iter().map(|best| &best.schedule);
        schedules.flat_map(|schedule| {
            let network = schedule.problem().network();
            let of_step = move |step| schedule.step(step).filter_map(move |sent| Sent::of(network, step, &sent));
            (0..schedule.steps()).flat_map(of_step)
        })
    }

    /// Methods that made schedules which the checker rejects: faults of this program.
    pub fn faults(&self) -> impl Iterator<Item = (&Report, &Rejected)> {
        self.reports.iter().filter_map(|report| match &report.ended {
            Ended::Rejected(why) => Some((report, why)),
            _ => None,
        })
    }
}

/// A transfer: what goes where in which step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// The step, from 0.
    pub step: usize,
    /// The node that sends.
    pub from: Node,
    /// The node that receives.
    pub to: Node,
    /// The numbers of the messages it carries.
    pub messages: Vec<u64>,
    /// All nodes on the way, from the sender to the receiver.
    pub path: Vec<Node>,
}

impl Sent {
    fn of(network: &Network, step: usize, transfer: &kernel::Sent<'_>) -> Option<Self> {
        let (first, last) = (*transfer.path.first()?, *transfer.path.last()?);
        let (from, to) = (network.from(first), network.to(last));
        let path = std::iter::once(from).chain(transfer.path.iter().map(|c| network.to(*c))).collect();
        Some(Sent { step, from, to, messages: transfer.messages().collect(), path })
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.verdict() {
            Some(verdict) => write!(f, "{verdict}"),
            None => {
                let problem = self.floor.problem();
                write!(f, "{}: no schedule, lower bound {}", problem.title(), self.floor.steps())
            }
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stopped {
    /// The schedule has as many steps as the floor.
    Optimal,
    /// The schedule has no more steps than the caller is content with.
    Content,
    /// Time is up.
    Time,
    /// The caller has stopped it.
    Interrupted,
    /// Every method that applies has seen all that it can see.
    Exhausted,
    /// The ticks of every method are used up.
    Ticks,
}

impl Stopped {
    /// The reason in one word, for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Optimal => "optimal",
            Stopped::Content => "steps",
            Stopped::Time => "time",
            Stopped::Interrupted => "interrupted",
            Stopped::Exhausted => "exhausted",
            Stopped::Ticks => "ticks",
        }
    }

    /// The reason in a sentence, with what would help.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Stopped::Optimal => "the schedule meets the lower bound",
            Stopped::Content => "the schedule has no more steps than --steps asks for",
            Stopped::Time => "the time is up; a longer --time may find fewer steps",
            Stopped::Interrupted => "interrupted; this is the best schedule so far",
            Stopped::Exhausted => {
                "every method that applies is exhausted; another --seed, more --slack, or --method NAME may find fewer steps"
            }
            Stopped::Ticks => "each method has used its ticks; --time SECONDS or --ticks N allows more",
        }
    }
}

/// What a method did.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct Report {
    /// Its name.
    pub method: &'static str,
    /// How many times it ran.
    pub runs: u32,
    /// Seconds that it ran in all, on whichever thread.
    pub seconds: f64,
    /// Steps of its best schedule, verified.
    pub steps: Option<u64>,
    /// How its last run ended.
    pub ended: Ended,
}

/// What was done for the lower bound.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use]
pub struct BoundReport {
    /// Seconds that finders of certificates took.
    pub finders_seconds: f64,
    /// Seconds in which refuters tried to show that no schedule has fewer steps.
    pub refuters_seconds: f64,
    /// How the last run of the refuters ended.
    pub ended: Ended,
}

/// How the last run of a method ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Ended {
    /// It had no turn, since others were good enough before.
    NotRun,
    /// It does not work under these settings.
    Declined(Decline),
    /// Its best schedule has as many steps as the lower bound, so nothing was left to find.
    MetBound,
    /// It has seen all that it can see.
    Exhausted,
    /// It used its share of ticks and could go on.
    WantsMore,
    /// It was cut short: by time, by the caller, or since another method was good enough.
    CutShort,
    /// It made a schedule that breaks rules: a fault of the method.
    Rejected(Rejected),
}

impl Report {
    /// The same once the lower bound is known: a method that made a schedule of as many steps was not exhausted.
    pub(crate) fn against(mut self, floor: u64) -> Self {
        if self.steps.is_some_and(|steps| steps <= floor) && !matches!(self.ended, Ended::Rejected(_)) {
            self.ended = Ended::MetBound;
        }
        self
    }
}

impl Ended {
    /// In a few words.
    #[must_use]
    pub fn reason(&self) -> String {
        match self {
            Ended::NotRun => "not needed".into(),
            Ended::Declined(decline) => format!("declined: {}", decline.why),
            Ended::MetBound => "met the lower bound".into(),
            Ended::Exhausted => "exhausted".into(),
            Ended::WantsMore => "used its ticks".into(),
            Ended::CutShort => "cut short".into(),
            Ended::Rejected(why) => {
                format!("made a schedule that breaks rules ({}); please report this", why.count())
            }
        }
    }
}
