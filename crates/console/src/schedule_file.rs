//! **What:** schedule files of steps and in time, checked, for the verbs that show, export, cost and replay; and which kind of schedule a file holds.

use crate::failure::Failure;
use crate::{network_name, output, render};
use formats::schedule_json::{Document, Provenance};
use formats::timed_json;
use kernel::timed::{CertifiedTimed, Size, Timeline, VerifiedTimed, WrittenOut};
use kernel::{Certified, Message, Rational, Rejected, Verified, verify};
use std::path::Path;

/// What a file claims, checked.
pub enum AnyFile {
    /// A schedule of steps.
    Steps(Checked),
    /// A schedule in time.
    Timed(CheckedTimed),
}

impl AnyFile {
    /// Reads a schedule file of either kind; its schedule must obey every rule.
    pub fn read(file: &Path) -> Result<Self, Failure> {
        match formats::schedule_json::read(file) {
            Err(error) if timed_json::is_meant(&error) => CheckedTimed::read(file).map(AnyFile::Timed),
            read => Checked::of(read.map_err(output::unread_schedule)?, file).map(AnyFile::Steps),
        }
    }
}

/// What a file claims, checked.
pub struct Checked {
    /// The schedule.
    pub schedule: Verified,
    /// Its bound, where that holds.
    pub floor: Option<Certified>,
    /// How the schedule came to be.
    pub provenance: Provenance,
}

impl Checked {
    /// Checks what was read of a file; its schedule must obey every rule.
    pub fn of(mut read: Document, file: &Path) -> Result<Self, Failure> {
        if let Some(note) = network_name::misnamed(read.problem.network()) {
            output::tell(&format!("note: {}: {note}\n", file.display()));
        }
        // A bound whose proof is missing is no bound; what is exported is the schedule.
        let attached = read.bound.as_mut().map(|bound| formats::schedule_json::attach(bound, file));
        let bound = read.bound.filter(|_| attached.is_some_and(|read| read.is_ok()));
        let floor = bound.and_then(|bound| read.claim.certify(&read.problem, bound).ok());
        let schedule = verify(&read.problem, read.claim).map_err(|rejected| invalid(file, &rejected))?;
        Ok(Checked { schedule, floor, provenance: read.provenance })
    }
}

fn invalid(file: &Path, rejected: &Rejected) -> Failure {
    Failure::no(format!("{}: {rejected}", file.display()))
        .hint("`quadrille check` prints every violation; only a valid schedule is exported")
}

/// What a file in time claims, checked.
pub struct CheckedTimed {
    /// The schedule.
    pub schedule: VerifiedTimed,
    /// Its bound, where that holds.
    pub floor: Option<CertifiedTimed>,
    /// The size of the collective, where the file tells it.
    pub bytes: Option<Rational>,
    /// How the schedule came to be.
    pub provenance: Provenance,
}

impl CheckedTimed {
    /// Reads a schedule file in time; its schedule must obey every rule.
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let read = timed_json::read(file).map_err(output::unread)?;
        let schedule = read.claim.verify(&read.problem).map_err(|rejected| invalid(file, &rejected))?;
        let floor = read.bound.and_then(|bound| schedule.certify(bound).ok());
        Ok(CheckedTimed { schedule, floor, bytes: read.bytes, provenance: read.provenance })
    }

    /// The schedule with every transfer written down.
    pub fn written_out(&self) -> Result<WrittenOut, Failure> {
        self.schedule.written_out().map_err(|error| {
            Failure::no(error).hint(
                "`quadrille check` checks schedules stored as orbits; or choose a smaller network of the same family",
            )
        })
    }

    /// How fast it is, where the file tells the size.
    pub fn speed(&self) -> Option<Speed> {
        Speed::of(&self.schedule, self.bytes)
    }

    /// The collective and its network.
    pub fn what(&self) -> String {
        let problem = self.schedule.problem();
        problem.title()
    }

    /// The same, with time and bound.
    pub fn headline(&self) -> String {
        let bound = self.floor.as_ref().map(CertifiedTimed::micros);
        format!("{}: {}", self.what(), render::time(self.schedule.micros(), bound, self.is_optimal()))
    }

    /// Whether it takes as long as its bound.
    pub fn is_optimal(&self) -> bool {
        self.floor.as_ref().is_some_and(|floor| floor.ticks() == self.schedule.ticks())
    }
}

/// How fast a schedule is, as nccl-tests tells it.
pub struct Speed {
    /// Bytes over time, in GB/s.
    pub algorithm: f64,
    /// The same times the factor of the collective.
    pub bus: f64,
}

impl Speed {
    /// `None` where the file does not say the size, or the collective has no name that sizes are known of.
    pub fn of(verified: &VerifiedTimed, bytes: Option<Rational>) -> Option<Self> {
        let float = |number: Rational| number.numerator as f64 / number.denominator as f64;
        let size = Size::of(verified.problem().collective())?;
        // A GB/s is 1000 bytes a microsecond.
        let algorithm = float(bytes?) / verified.micros() / 1000.0;
        Some(Speed { algorithm, bus: algorithm * float(size.bus) })
    }

    /// In a line.
    #[must_use]
    pub fn people(&self) -> String {
        format!("  bandwidth: {:.4} GB/s (algorithm), {:.4} GB/s (bus)", self.algorithm, self.bus)
    }
}

/// A transfer in a few words: its ends and what it carries.
pub fn transfer(timeline: &Timeline<'_>, at: usize) -> String {
    let (path, carried) = (ends(timeline, at), messages(timeline.transfers()[at].transfer.messages));
    format!("{path} with {carried}")
}

/// The ends of a transfer.
pub fn ends(timeline: &Timeline<'_>, at: usize) -> String {
    let sent = &timeline.sent()[at];
    let network = timeline.problem().network();
    let to = timeline.receivers()[sent.receivers.clone()].iter().map(|to| network.name_of(to.node));
    format!("{}→{}", network.name_of(sent.from), list(&to.collect::<Vec<_>>()))
}

/// The messages of a transfer.
pub fn messages(messages: &[Message]) -> String {
    let s = if messages.len() == 1 { "" } else { "s" };
    format!("message{s} {}", list(&messages.iter().map(Message::to_string).collect::<Vec<_>>()))
}

/// A few of many.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 4;
    match names.len().checked_sub(SHOWN) {
        Some(more @ 2..) => format!("{},… ({more} more)", names[..SHOWN].join(",")),
        _ => names.join(","),
    }
}

/// The ends of a channel, in a table.
pub fn channel(timeline: &Timeline<'_>, channel: kernel::Channel) -> String {
    render::channel(timeline.problem().network(), channel, "→")
}
