//! **What:** which transfers of a file use a channel in a step in which it has too many.
//!
//! **Facts:** the checker counts transfers and keeps none of them, and takes the schedule; so the file is read again where it is one that can be
//! read twice, has its transfers written down, and all channels of a path are used in the transfer's own step.

use formats::schedule_json::Document;
use kernel::{Channel, Claim, Violation};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Transfers that are told of each channel.
const MOST: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    step: usize,
    channel: Channel,
}

/// Positions in their step of the first transfers over each channel.
#[derive(Default)]
pub(super) struct Carriers(BTreeMap<Use, Vec<usize>>);

impl Carriers {
    /// The positions, where they are known.
    pub(super) fn of(&self, violation: &Violation) -> Option<Vec<usize>> {
        self.0.get(&overloaded(violation)?).cloned()
    }

    /// The same for people, after the sentence of the violation.
    pub(super) fn text(&self, violation: &Violation) -> String {
        let Violation::ChannelOverloaded { used, .. } = violation else { return String::new() };
        let Some(positions) = self.of(violation) else { return String::new() };
        let more = if positions.len() < *used as usize { ", …" } else { "" };
        let list: Vec<String> = positions.iter().map(ToString::to_string).collect();
        format!(": transfers {}{more} of the step", list.join(", "))
    }
}

fn overloaded(violation: &Violation) -> Option<Use> {
    match violation {
        Violation::ChannelOverloaded { step, channel, .. } => Some(Use { step: *step, channel: *channel }),
        _ => None,
    }
}

/// Those of a file's violations.
pub(super) fn carriers(file: &Path, broken: &[Violation]) -> Carriers {
    let wanted: BTreeSet<Use> = broken.iter().filter_map(overloaded).collect();
    let mut found = Carriers::default();
    if wanted.is_empty() || !(file.is_file() || formats::is_kept(file)) {
        return found;
    }
    let Ok(Document { problem, claim: Claim::Plain(schedule), .. }) = formats::schedule_json::read(file) else {
        return found;
    };
    if problem.model().is_slotted() {
        return found;
    }
    let steps: BTreeSet<usize> = wanted.iter().map(|one| one.step).collect();
    for step in steps.into_iter().filter(|step| *step < schedule.step_count()) {
        for (position, transfer) in schedule.step(step).enumerate() {
            for channel in transfer.path {
                let one = Use { step, channel: *channel };
                if wanted.contains(&one) {
                    let positions = found.0.entry(one).or_default();
                    if positions.len() < MOST {
                        positions.push(position);
                    }
                }
            }
        }
    }
    found
}
