//! **What:** a schedule file in time, checked, for the verbs that show, export, cost and replay; and which kind of schedule a file holds.

use super::check_timed::Speed;
use super::export::{Checked, invalid};
use crate::failure::Failure;
use crate::{output, render};
use formats::timed_json;
use kernel::timed::{CertifiedTimed, Timeline, VerifiedTimed, WrittenOut};
use kernel::{Message, Rational};
use std::path::Path;

/// What a file claims, checked.
pub(crate) enum AnyFile {
    /// A schedule of steps.
    Steps(Checked),
    /// A schedule in time.
    Timed(CheckedTimed),
}

impl AnyFile {
    /// Reads a schedule file of either kind; its schedule must obey every rule.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        match formats::schedule_json::read(file) {
            Err(error) if timed_json::is_meant(&error) => CheckedTimed::read(file).map(AnyFile::Timed),
            read => Checked::of(read.map_err(output::unread_schedule)?, file).map(AnyFile::Steps),
        }
    }
}

/// What a file in time claims, checked.
pub(crate) struct CheckedTimed {
    /// The schedule.
    pub schedule: VerifiedTimed,
    /// Its bound, where that holds.
    pub floor: Option<CertifiedTimed>,
    /// The size of the collective, where the file tells it.
    pub bytes: Option<Rational>,
    /// How the schedule came to be.
    pub provenance: formats::schedule_json::Provenance,
}

impl CheckedTimed {
    /// Reads a schedule file in time; its schedule must obey every rule.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let read = timed_json::read(file).map_err(output::unread)?;
        let schedule = read.claim.verify(&read.problem).map_err(|rejected| invalid(file, &rejected))?;
        let floor = read.bound.and_then(|bound| schedule.certify(bound).ok());
        Ok(CheckedTimed { schedule, floor, bytes: read.bytes, provenance: read.provenance })
    }

    /// The schedule with every transfer written down.
    pub(super) fn written_out(&self) -> Result<WrittenOut, Failure> {
        self.schedule.written_out().map_err(|error| {
            Failure::no(error).hint(
                "`quadrille check` checks schedules stored as orbits; or choose a smaller network of the same family",
            )
        })
    }

    /// How fast it is, where the file tells the size.
    pub(super) fn speed(&self) -> Option<Speed> {
        Speed::of(&self.schedule, self.bytes)
    }

    /// The collective and its network.
    pub(super) fn what(&self) -> String {
        let problem = self.schedule.problem();
        problem.title()
    }

    /// The same, with time and bound.
    pub(super) fn headline(&self) -> String {
        let bound = self.floor.as_ref().map(CertifiedTimed::micros);
        format!("{}: {}", self.what(), render::time(self.schedule.micros(), bound, self.is_optimal()))
    }

    /// Whether it takes as long as its bound.
    pub(super) fn is_optimal(&self) -> bool {
        self.floor.as_ref().is_some_and(|floor| floor.ticks() == self.schedule.ticks())
    }
}

/// A transfer in a few words: its ends and what it carries.
pub(super) fn transfer(timeline: &Timeline<'_>, at: usize) -> String {
    let (path, carried) = (ends(timeline, at), messages(timeline.transfers()[at].transfer.messages));
    format!("{path} with {carried}")
}

/// The ends of a transfer.
pub(super) fn ends(timeline: &Timeline<'_>, at: usize) -> String {
    let sent = &timeline.sent()[at];
    let network = timeline.problem().network();
    let to = timeline.receivers()[sent.receivers.clone()].iter().map(|to| network.name_of(to.node));
    format!("{}→{}", network.name_of(sent.from), list(&to.collect::<Vec<_>>()))
}

/// The messages of a transfer.
pub(super) fn messages(messages: &[Message]) -> String {
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
pub(super) fn channel(timeline: &Timeline<'_>, channel: kernel::Channel) -> String {
    render::channel(timeline.problem().network(), channel, "→")
}
