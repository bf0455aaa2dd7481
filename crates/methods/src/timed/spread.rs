//! **What:** a search for schedules in time on several processes, which all take the same way.
//!
//! **Method.** Every process goes through the same methods and numbers of chunks and knows all that was found. What comes next is tried ahead, a number of chunks (or a method) by each; then all tell
//! each other what came of it, and take it in order as one process would. What a process would not have tried is thrown away. Bounds, and whether time is up, are told by one and heard by all.
//!
//! **Facts:** so without a clock the answer is that of one process. Claims from others go through the checkers.

use super::TimedEnded;
use super::search::{Attempt, Search};
use super::{SizedError, wire};
use kernel::timed::{CertifiedTimed, TimedProblem, TimedVerdict, certify};
use run::ranks::Reader;
use run::{Run, TimedMethod};

/// A method and a number of chunks.
pub(super) type Task = (&'static dyn TimedMethod, u32);

const UNPOSED: u8 = 0;
const DONE: u8 = 1;
const CUT_SHORT: u8 = 2;
const MADE: u8 = 3;
const REJECTED: u8 = 4;

impl Search<'_> {
    /// Processes that share the search.
    pub(super) fn count(&self) -> usize {
        self.run.ranks.count()
    }

    /// Numbers of chunks, or methods, that are tried at once: one a thread of every process.
    pub(super) fn at_once(&self) -> usize {
        self.count() * self.run.settings.threads.max(1)
    }

    /// What all processes tell all, where there are several.
    fn tell(&self, own: Vec<u8>) -> Vec<Vec<u8>> {
        self.run.ranks.exchange(vec![own; self.count()])
    }

    /// Whether any process is to stop.
    pub(super) fn stops(&self, own: bool) -> bool {
        if self.count() == 1 {
            return own;
        }
        self.tell(vec![u8::from(own)]).iter().any(|told| told.first() == Some(&1))
    }

    /// The bound of a number of chunks, the same at all.
    pub(super) fn floor(&mut self, chunks: u32) -> Result<CertifiedTimed, SizedError> {
        if self.count() == 1 {
            return self.own_floor(chunks);
        }
        if let Some(floor) = self.shared.get(&chunks) {
            return Ok(floor.clone());
        }
        let problem = self.sized.problem(chunks)?;
        let floor = self.agreed(&problem, |search| search.own_floor(chunks))?;
        self.shared.insert(chunks, floor.clone());
        Ok(floor)
    }

    /// The bound that the first process has found, at all.
    pub(super) fn agreed(
        &mut self,
        problem: &TimedProblem,
        own: impl Fn(&mut Self) -> Result<CertifiedTimed, SizedError>,
    ) -> Result<CertifiedTimed, SizedError> {
        if self.count() == 1 {
            return own(self);
        }
        let mut bytes = Vec::new();
        if self.run.ranks.rank() == 0 {
            wire::put_certificate(&mut bytes, own(self)?.certificate());
        }
        let told = self.tell(bytes);
        match certify(problem, wire::certificate(&mut Reader(&told[0]))) {
            Ok(floor) => Ok(floor),
            Err(_) => own(self),
        }
    }

    /// Tries all tasks, of which there are no more than threads of all processes.
    pub(super) fn round(&mut self, tasks: &[Task], run: &Run<'_>) -> Vec<Result<Attempt, SizedError>> {
        if self.count() == 1 {
            return self.attempts(tasks, run);
        }
        // Of tasks that are as many as processes, each has one.
        let (rank, count) = (run.ranks.rank(), self.count());
        let own: Vec<Task> = tasks.iter().copied().skip(rank).step_by(count).collect();
        let mut bytes = Vec::new();
        for attempt in self.attempts(&own, run) {
            let one = encoded(&attempt);
            bytes.extend((one.len() as u64).to_le_bytes());
            bytes.extend(one);
        }
        let told = self.tell(bytes);
        let mut told: Vec<Reader<'_>> = told.iter().map(|bytes| Reader(bytes)).collect();
        let mut all = Vec::new();
        for (at, task) in tasks.iter().enumerate() {
            let told = &mut told[at % count];
            let length = usize::try_from(told.u64()).unwrap_or(usize::MAX).min(told.0.len());
            let attempt = match self.decoded(task.1, told.bytes(length)) {
                Some(attempt) => attempt,
                // What breaks a rule is made again here, so that it can be told which.
                None => self.attempts(&[*task], run).pop().expect("what comes of one task"),
            };
            all.push(attempt);
        }
        for verdict in all.iter().flatten().filter_map(|attempt| attempt.verdict.as_ref()) {
            let floor = verdict.floor().clone();
            self.shared.entry(floor.problem().collective().chunks()).or_insert(floor);
        }
        all
    }

    fn decoded(&self, chunks: u32, bytes: &[u8]) -> Option<Result<Attempt, SizedError>> {
        let mut reader = Reader(bytes);
        let attempt = |ended, verdict, seconds| Some(Ok(Attempt { ended, verdict, seconds }));
        match reader.u8() {
            UNPOSED => self.sized.problem(chunks).err().map(Err),
            DONE => attempt(TimedEnded::Done, None, 0.0),
            CUT_SHORT => attempt(TimedEnded::CutShort, None, 0.0),
            MADE => {
                let problem = self.sized.problem(chunks).ok()?;
                let seconds = reader.f64();
                let floor = certify(&problem, wire::certificate(&mut reader)).ok()?;
                let ceiling = wire::claim(&mut reader, &problem)?.verify(&problem).ok()?;
                let verdict = TimedVerdict::new(floor, ceiling).ok()?;
                attempt(TimedEnded::Done, Some(verdict), seconds)
            }
            _ => None,
        }
    }
}

fn encoded(of: &Result<Attempt, SizedError>) -> Vec<u8> {
    let Ok(attempt) = of else { return vec![UNPOSED] };
    match (&attempt.verdict, &attempt.ended) {
        (Some(verdict), _) => {
            let mut bytes = vec![MADE];
            bytes.extend(attempt.seconds.to_le_bytes());
            wire::put_certificate(&mut bytes, verdict.floor().certificate());
            wire::put_claim(&mut bytes, verdict.ceiling());
            bytes
        }
        (None, TimedEnded::Done | TimedEnded::Declined(_)) => vec![DONE],
        (None, TimedEnded::CutShort) => vec![CUT_SHORT],
        (None, TimedEnded::Rejected(_)) => vec![REJECTED],
    }
}
