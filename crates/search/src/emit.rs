//! **What:** turns messages on lanes into a schedule on channels, in steps or in slots of time-division.

use crate::resources::Resources;
use kernel::{Channel, Message, Schedule, Switching};
use std::collections::BTreeMap;

/// A message on a path of lanes that begins in a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sent {
    /// The step in which it begins.
    pub step: u32,
    /// What is sent.
    pub message: Message,
    /// The lanes it takes, in order.
    pub path: Vec<u32>,
}

/// The schedule of all that is sent, with a channel of each lane, in at least so many steps.
pub fn schedule(resources: &Resources<'_>, steps: u32, mut list: Vec<Sent>) -> Schedule {
    list.sort_unstable();
    let steps = list.last().map_or(0, |last| last.step + 1).max(steps);
    // Under time-division a path takes a lane every so many slots, round the period; else all in one step.
    let hop = match resources.problem.model().switching {
        Switching::Tdm { hop, .. } => u64::from(hop),
        Switching::Wormhole | Switching::StoreAndForward => 0,
    };
    let slot = |step: u32, hops: u64| (u64::from(step) + hops * hop) % u64::from(steps);
    // Transfers in each slot on lanes of several channels.
    let mut used: BTreeMap<(u32, u64), u32> = BTreeMap::new();
    let mut channel = |lane: u32, slot: u64| -> Channel {
        let channels = &resources.channels[lane as usize];
        if channels.len() > 1 {
            let taken = used.entry((lane, slot)).or_default();
            let mut before = *taken;
            *taken += 1;
            for &channel in channels {
                match before.checked_sub(resources.problem.network().capacity(channel)) {
                    Some(rest) => before = rest,
                    None => return channel,
                }
            }
        }
        channels[0]
    };
    let mut schedule = Schedule::new();
    let mut channels = Vec::new();
    let mut next = list.into_iter().peekable();
    for step in 0..steps {
        schedule.begin_step();
        while let Some(sent) = next.next_if(|sent| sent.step == step) {
            channels.clear();
            channels.extend((0..).zip(&sent.path).map(|(hops, &lane)| channel(lane, slot(step, hops))));
            schedule.send(sent.message, &channels);
        }
    }
    schedule
}
