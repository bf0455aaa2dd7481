//! **What:** the claim of a schedule in time: a [`Schedule`] whose steps begin at ticks, with rates and further paths where transfers have any.

use crate::{Channel, Rational, Schedule, Transfer};
use ::problem::pieces::Pieces;

/// Transfers that begin at ticks. Build with [`TimedSchedule::begin_step`] and [`TimedSchedule::push`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct TimedSchedule {
    /// The tick at which each step begins.
    times: Vec<u64>,
    /// Steps of transfers, each along its first path.
    steps: Schedule,
    /// The transfers that have a rate of their own, ascending.
    rates: Vec<(usize, Rational)>,
    /// The transfers with several paths, ascending, and where the others of each end among `others`.
    branching: Vec<(usize, usize)>,
    others: Pieces<Channel>,
}

/// One transfer: messages that travel together, to one receiver or to several by way of switches that copy.
#[derive(Clone, Copy, Debug)]
pub struct TimedTransfer<'a> {
    /// What it carries, along its first path.
    pub transfer: Transfer<'a>,
    /// GB/s; the smallest bandwidth of its paths where it is absent.
    pub rate: Option<Rational>,
    others: &'a Pieces<Channel>,
    from: usize,
    until: usize,
}

impl<'a> TimedTransfer<'a> {
    /// Its paths; one but where switches copy.
    pub fn paths(&self) -> impl Iterator<Item = &'a [Channel]> + use<'a> {
        let others = self.others;
        std::iter::once(self.transfer.path).chain((self.from..self.until).map(|at| others.of(at)))
    }

    /// Whether it has several paths.
    #[must_use]
    pub fn branches(&self) -> bool {
        self.from < self.until
    }
}

impl TimedSchedule {
    /// Opens the next step, whose transfers begin at this tick.
    pub fn begin_step(&mut self, tick: u64) {
        self.times.push(tick);
        self.steps.begin_step();
    }

    /// Adds a transfer to the last step, opening one at tick 0 if there is none; `others` are its paths beside the first.
    pub fn push(&mut self, transfer: Transfer<'_>, rate: Option<Rational>, others: &[Vec<Channel>]) {
        if self.times.is_empty() {
            self.begin_step(0);
        }
        let at = self.steps.transfer_count();
        self.rates.extend(rate.map(|rate| (at, rate)));
        if !others.is_empty() {
            others.iter().for_each(|path| self.others.push(path));
            self.branching.push((at, self.others.count()));
        }
        self.steps.push(transfer);
    }

    /// The same steps at other ticks.
    ///
    /// # Errors
    /// The ticks, where they are not one a step.
    pub fn at(mut self, times: Vec<u64>) -> Result<Self, Vec<u64>> {
        if times.len() != self.times.len() {
            return Err(times);
        }
        self.times = times;
        Ok(self)
    }

    /// The tick at which each step begins.
    #[must_use]
    pub fn times(&self) -> &[u64] {
        &self.times
    }

    /// The same transfers without times, rates and further paths.
    pub fn plain(&self) -> &Schedule {
        &self.steps
    }

    /// Number of transfers.
    #[must_use]
    pub fn transfer_count(&self) -> usize {
        self.steps.transfer_count()
    }

    /// The steps, in order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = impl ExactSizeIterator<Item = TimedTransfer<'_>>> {
        let mut first = 0;
        self.steps.steps().map(move |step| {
            let begin = first;
            first += step.len();
            step.enumerate().map(move |(at, transfer)| self.timed(begin + at, transfer))
        })
    }

    fn timed<'a>(&'a self, index: usize, transfer: Transfer<'a>) -> TimedTransfer<'a> {
        let rate = self.rates.binary_search_by_key(&index, |(at, _)| *at).ok().map(|at| self.rates[at].1);
        let (from, until) = match self.branching.binary_search_by_key(&index, |(at, _)| *at) {
            Err(_) => (0, 0),
            Ok(at) => (at.checked_sub(1).map_or(0, |before| self.branching[before].1), self.branching[at].1),
        };
        TimedTransfer { transfer, rate, others: &self.others, from, until }
    }
}
