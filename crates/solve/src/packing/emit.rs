//! **What:** turns messages on lanes into a schedule on channels.

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
