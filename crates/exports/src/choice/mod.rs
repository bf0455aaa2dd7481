//! **What:** what libraries can be told: which of their own algorithms to take, by size.
//!
//! **Meaning.** None of these files holds a schedule. A library knows rings, trees and exchanges of its own; each of them, as a schedule on this network, was verified and timed for several
//! sizes, and a file names the fastest for each range. A range begins at the first size that was tried at which its algorithm is the fastest, the first one at 0. Where none is as fast as the schedule
//! that was found, a note says by how much.
//!
//! **Facts:** all times are of verified schedules.

mod mpich;
mod nccl_tuner;
mod ompi_tuned;
mod ucc;

use kernel::Rational;
use kernel::timed::VerifiedTimed;

/// A library's file.
pub struct ChoiceWriter {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whether the file can hold the notes.
    pub has_comments: bool,
    algorithms: &'static [Algorithm],
    write: fn(&Choice) -> String,
}

/// The files that there are.
pub const CHOICE_WRITERS: &[ChoiceWriter] = &[nccl_tuner::WRITER, ompi_tuned::WRITER, mpich::WRITER, ucc::WRITER];

/// An algorithm of a library, and the method that does what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Algorithm {
    collective: &'static str,
    method: &'static str,
    /// What the library calls it.
    name: &'static str,
    /// Its number, where the library counts them.
    number: u32,
    /// Whether it sends segments of a size that can be told.
    is_segmented: bool,
}

const fn algorithm(collective: &'static str, method: &'static str, name: &'static str) -> Algorithm {
    Algorithm { collective, method, name, number: 0, is_segmented: false }
}

/// What was found for a size.
#[derive(Clone, Debug)]
pub struct SizeChoice<'a> {
    /// The size as nccl-tests counts it.
    pub bytes: Rational,
    /// The fastest schedule of all.
    pub fastest: &'a VerifiedTimed,
    /// The schedules of what libraries do.
    pub known: Vec<KnownSchedule<'a>>,
}

/// A schedule of what libraries do.
#[derive(Clone, Copy, Debug)]
pub struct KnownSchedule<'a> {
    /// The method that made it.
    pub method: &'a str,
    /// The schedule.
    pub schedule: &'a VerifiedTimed,
}

/// Sizes for which one algorithm is the fastest.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    /// The first of them, in bytes.
    from: u64,
    /// The last of them; `None` for all above.
    until: Option<u64>,
    algorithm: Algorithm,
    /// Bytes of a segment, where it sends segments.
    segment: Option<u64>,
}

/// What a library is to be told of a collective.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Choice {
    collective: String,
    network: String,
    ranks: usize,
    /// The smallest size that was tried, in bytes.
    least: u64,
    ranges: Vec<Range>,
    notes: Vec<String>,
}

/// Why a library cannot be told anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// It takes no choice for the collective.
    #[error("{library} has no choice of algorithms for {collective}")]
    Collective {
        /// The file.
        library: &'static str,
        /// The collective.
        collective: String,
        /// Those that it takes one for.
        known: Vec<&'static str>,
    },
    /// None of its algorithms was timed.
    #[error("none of the algorithms that {library} knows for {collective} was timed")]
    Untimed {
        /// The file.
        library: &'static str,
        /// The collective.
        collective: String,
    },
}

impl ChoiceWriter {
    /// The collectives that it takes a choice for, each once.
    fn collectives(&self) -> Vec<&'static str> {
        let mut known: Vec<&'static str> = self.algorithms.iter().map(|algorithm| algorithm.collective).collect();
        known.dedup();
        known
    }

    /// Whether it takes a choice for a collective.
    ///
    /// # Errors
    /// [`ChoiceError::Collective`] where it does not.
    pub fn takes(&self, collective: &str) -> Result<(), ChoiceError> {
        let known = self.collectives();
        match known.contains(&collective) {
            true => Ok(()),
            false => Err(ChoiceError::Collective { library: self.name, collective: collective.to_owned(), known }),
        }
    }

    /// The fastest of its algorithms for sizes that ascend, all of one collective on one network.
    ///
    /// # Errors
    /// [`ChoiceError`] where it knows none, or none was timed.
    pub fn choose(&self, sizes: &[SizeChoice<'_>]) -> Result<Choice, ChoiceError> {
        let Some(first) = sizes.first() else {
            return Err(ChoiceError::Untimed { library: self.name, collective: String::new() });
        };
        let problem = first.fastest.problem();
        let collective = problem.collective();
        self.takes(collective.name())?;
        let (mut ranges, mut notes): (Vec<Range>, Vec<String>) = (Vec::new(), Vec::new());
        for size in sizes {
            let known = self.algorithms.iter().filter(|known| known.collective == collective.name());
            let timed = known.flat_map(|algorithm| {
                let made = size.known.iter().filter(|made| made.method == algorithm.method);
                made.map(|made| (*algorithm, made.schedule))
            });
            let best = timed.min_by(|a, b| a.1.micros().total_cmp(&b.1.micros()));
            let Some((algorithm, schedule)) = best else { continue };
            notes.extend(note(size, algorithm.name, schedule));
            let segment = segment(algorithm, schedule);
            let from = size.bytes.numerator.div_ceil(size.bytes.denominator);
            match ranges.last_mut() {
                Some(last) if (last.algorithm, last.segment) == (algorithm, segment) => {}
                Some(last) => {
                    last.until = Some(from.saturating_sub(1));
                    ranges.push(Range { from, until: None, algorithm, segment });
                }
                None => ranges.push(Range { from: 0, until: None, algorithm, segment }),
            }
        }
        if ranges.is_empty() {
            return Err(ChoiceError::Untimed { library: self.name, collective: collective.name().to_owned() });
        }
        let ends = collective.messages().flat_map(|m| [collective.contributors(m), collective.destinations(m)]);
        let ranks = ends.flatten().collect::<std::collections::BTreeSet<_>>().len();
        let network =
            problem.network().name().chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect();
        let least = first.bytes.numerator.div_ceil(first.bytes.denominator);
        Ok(Choice { collective: collective.name().to_owned(), network, ranks, least, ranges, notes })
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self, choice: &Choice) -> String {
        (self.write)(choice)
    }
}

impl Choice {
    /// For each size at which none of the library's algorithms is as fast as the schedule that was found, how much longer its best one takes.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What it is and where it comes from, as lines of comments.
    fn comments(&self, more: &[&str]) -> String {
        let Choice { collective, network, ranks, notes, .. } = self;
        let head = format!(
            "quadrille: {collective} among {ranks} ranks on {network}, each algorithm timed as a verified schedule"
        );
        let lines = std::iter::once(head.as_str()).chain(more.iter().copied()).chain(notes.iter().map(String::as_str));
        lines.map(|line| format!("# {line}\n")).collect()
    }
}

fn note(size: &SizeChoice<'_>, name: &str, schedule: &VerifiedTimed) -> Option<String> {
    let (least, best) = (size.fastest.micros(), schedule.micros());
    let more = 100.0 * (best / least - 1.0);
    (best > least).then(|| {
        format!(
            "{} bytes: {name} takes {best:.3} us, {more:.1} % more than the schedule that was found ({least:.3} us)",
            size.bytes
        )
    })
}

fn segment(algorithm: Algorithm, schedule: &VerifiedTimed) -> Option<u64> {
    let problem = schedule.problem();
    let bytes = problem.units().chunk_bytes;
    let cut = algorithm.is_segmented && problem.collective().chunks() > 1;
    cut.then(|| (bytes.numerator / bytes.denominator).max(1))
}
