//! **What:** turns messages on lanes into a schedule on channels, in steps or in slots of time-division.

use super::lanes::Lanes;
use kernel::{Channel, Message, Schedule};

/// A schedule of messages and paths, sorted by steps, with a channel of each lane.
pub(crate) fn schedule<P: AsRef<[u32]>>(
    lanes: &Lanes,
    capacity: impl Fn(Channel) -> u32,
    list: Vec<(u32, Message, P)>,
) -> Schedule {
    let mut schedule = Schedule::new();
    let mut used = vec![0u32; lanes.channels.len()];
    let mut channels = Vec::new();
    for (step, message, path) in list {
        while schedule.step_count() <= step as usize {
            schedule.begin_step();
            used.fill(0);
        }
        channels.clear();
        for &lane in path.as_ref() {
            let list = &lanes.channels[lane as usize];
            let mut left = used[lane as usize];
            used[lane as usize] += 1;
            let free = |c: &&Channel| match left.checked_sub(capacity(**c)) {
                None => true,
                Some(rest) => {
                    left = rest;
                    false
                }
            };
            channels.push(*list.iter().find(free).unwrap_or(&list[0]));
        }
        schedule.send(message, &channels);
    }
    schedule
}

/// As [`schedule`], where a path takes a lane every `hop` slots, round a period of so many.
pub(crate) fn slots<P: AsRef<[u32]>>(
    lanes: &Lanes,
    capacity: impl Fn(Channel) -> u32,
    (hop, period): (u32, u32),
    list: Vec<(u32, Message, P)>,
) -> Schedule {
    let (hop, period) = (hop as usize, period as usize);
    let mut used = vec![0u32; lanes.channels.len() * period];
    let mut schedule = Schedule::new();
    let mut next = list.into_iter().peekable();
    for slot in 0..period {
        schedule.begin_step();
        while let Some((_, message, path)) = next.next_if(|(s, ..)| *s as usize == slot) {
            let channel = |(i, &lane): (usize, &u32)| {
                let used = &mut used[lane as usize * period + (slot + i * hop) % period];
                let mut before = *used;
                *used += 1;
                let free = |c: &&Channel| match before.checked_sub(capacity(**c)) {
                    None => true,
                    Some(rest) => {
                        before = rest;
                        false
                    }
                };
                let channels = &lanes.channels[lane as usize];
                *channels.iter().find(free).unwrap_or(&channels[0])
            };
            let channels: Vec<Channel> = path.as_ref().iter().enumerate().map(channel).collect();
            schedule.send(message, &channels);
        }
    }
    schedule
}
