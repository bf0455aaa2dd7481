//! **What:** what [`tune`](super::tune) found for some sizes, as bytes from one process of a run to another. Claims go through the checkers again.

use super::{SizedProblem, TIMED_METHODS, TimedBest, TimedEnded, TimedReport, TunedSize, wire};
use crate::Stopped;
use kernel::Rational;
use kernel::timed::{TimedVerdict, VerifiedTimed, certify};
use run::ranks::Reader;

/// How searches end, as numbers; an interruption is heard by all.
const STOPPED: [Stopped; 3] = [Stopped::Optimal, Stopped::Exhausted, Stopped::Time];

/// The sizes that one process solved.
pub(super) struct Share {
    pub tuned: Vec<Option<TunedSize>>,
    pub stopped: Stopped,
}

fn put(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&(number as u64).to_le_bytes());
}

fn number_of(method: &str) -> usize {
    TIMED_METHODS.iter().position(|known| known.name() == method).unwrap_or(usize::MAX)
}

fn method(reader: &mut Reader<'_>) -> Option<&'static str> {
    Some(TIMED_METHODS.get(usize::try_from(reader.u64()).ok()?)?.name())
}

fn put_made(bytes: &mut Vec<u8>, made: &VerifiedTimed) {
    put(bytes, made.problem().collective().chunks() as usize);
    wire::put_claim(bytes, made);
}

impl Share {
    pub(super) fn encoded(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let stopped = STOPPED.iter().position(|stopped| *stopped == self.stopped);
        put(&mut bytes, stopped.unwrap_or(STOPPED.len() - 1));
        for (at, size) in self.tuned.iter().enumerate() {
            let Some(size) = size else { continue };
            put(&mut bytes, at);
            let TimedBest { verdict, method } = &size.best;
            put(&mut bytes, number_of(method));
            put_made(&mut bytes, verdict.ceiling());
            wire::put_certificate(&mut bytes, verdict.floor().certificate());
            put(&mut bytes, size.reports.len());
            for report in &size.reports {
                put(&mut bytes, number_of(report.method));
                bytes.extend_from_slice(&report.seconds.to_le_bytes());
                let (ended, text) = match &report.ended {
                    TimedEnded::Done | TimedEnded::Rejected(_) => (0, ""),
                    TimedEnded::CutShort => (1, ""),
                    TimedEnded::Declined(why) => (2, why.as_str()),
                };
                put(&mut bytes, ended);
                put(&mut bytes, text.len());
                bytes.extend_from_slice(text.as_bytes());
                put(&mut bytes, usize::from(report.fastest.is_some()));
                report.fastest.iter().for_each(|made| put_made(&mut bytes, made));
            }
        }
        bytes
    }

    /// What another process found of these sizes; nothing where a claim does not hold.
    pub(super) fn decoded(bytes: &[u8], sized: &SizedProblem, sizes: &[Rational]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let stopped = *STOPPED.get(usize::try_from(reader.u64()).ok()?)?;
        let mut tuned: Vec<Option<TunedSize>> = sizes.iter().map(|_| None).collect();
        while !reader.is_empty() {
            let at = usize::try_from(reader.u64()).ok()?;
            let bytes = *sizes.get(at)?;
            let sized = sized.clone().of_bytes(bytes);
            let name = method(&mut reader)?;
            let ceiling = made(&mut reader, &sized)?;
            let floor = certify(ceiling.problem(), wire::certificate(&mut reader)).ok()?;
            let verdict = TimedVerdict::new(floor, ceiling).ok()?;
            let count = reader.u64();
            let reports = (0..count).map(|_| report(&mut reader, &sized)).collect::<Option<Vec<TimedReport>>>()?;
            tuned[at] = Some(TunedSize { bytes, best: TimedBest { verdict, method: name }, made_for: bytes, reports });
        }
        Some(Share { tuned, stopped })
    }
}

fn made(reader: &mut Reader<'_>, sized: &SizedProblem) -> Option<VerifiedTimed> {
    let chunks = u32::try_from(reader.u64()).ok()?;
    let problem = sized.problem(chunks).ok()?;
    wire::claim(reader, &problem)?.verify(&problem).ok()
}

fn report(reader: &mut Reader<'_>, sized: &SizedProblem) -> Option<TimedReport> {
    let method = method(reader)?;
    let seconds = reader.f64();
    let ended = reader.u64();
    let length = usize::try_from(reader.u64()).ok()?;
    let text = String::from_utf8_lossy(reader.bytes(length)).into_owned();
    let ended = match ended {
        0 => TimedEnded::Done,
        1 => TimedEnded::CutShort,
        _ => TimedEnded::Declined(text),
    };
    let fastest = if reader.u64() > 0 { Some(made(reader, sized)?) } else { None };
    Some(TimedReport { method, fastest, seconds, ended })
}
