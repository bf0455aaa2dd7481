//! **What:** schedules as bytes, from one process of a run to another.
//!
//! **Facts:** numbers of 32 bits, the least byte first. What a damaged message is read as is a claim like any other, and no longer than the message.

use crate::ranks::Reader;
use kernel::{Channel, Message, Op, Schedule, Transfer};

/// The bytes of a schedule.
#[must_use]
pub fn encode(schedule: &Schedule) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 * (schedule.channel_uses() + 4 * schedule.transfer_count()));
    let put = |bytes: &mut Vec<u8>, number: u32| bytes.extend_from_slice(&number.to_le_bytes());
    let count = |items: usize| u32::try_from(items).expect("what fits into memory in lists of 32 bits");
    for step in schedule.steps() {
        put(&mut bytes, count(step.len()));
        for Transfer { messages, path, op, partials } in step {
            let op = match op {
                Op::Reduce => 0,
                Op::Copy => 1,
                Op::Keep => 2,
            };
            for number in [op, count(messages.len()), count(path.len()), count(partials.len())] {
                put(&mut bytes, number);
            }
            messages.iter().for_each(|message| put(&mut bytes, message.0));
            path.iter().for_each(|channel| put(&mut bytes, channel.0));
            partials.iter().for_each(|partial| put(&mut bytes, *partial));
        }
    }
    bytes
}

/// The schedule of these bytes.
pub fn decode(bytes: &[u8]) -> Schedule {
    let mut reader = Reader(bytes);
    let mut schedule = Schedule::new();
    while !reader.is_empty() {
        schedule.begin_step();
        for _ in 0..reader.u32() {
            if reader.is_empty() {
                break;
            }
            let [op, messages, path, partials] = [0; 4].map(|_: u32| reader.u32());
            let op = match op {
                0 => Op::Reduce,
                1 => Op::Copy,
                _ => Op::Keep,
            };
            let mut list = |count: u32| {
                let bytes = reader.bytes((count as usize).saturating_mul(4));
                bytes.chunks_exact(4).map(|four| Reader(four).u32()).collect::<Vec<_>>()
            };
            let messages: Vec<Message> = list(messages).into_iter().map(Message).collect();
            let path: Vec<Channel> = list(path).into_iter().map(Channel).collect();
            let partials = list(partials);
            schedule.push(Transfer { messages: &messages, path: &path, op, partials: &partials });
        }
    }
    schedule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_comes_back_and_a_damaged_one_does_no_harm() {
        let mut schedule = Schedule::new();
        schedule.begin_step();
        schedule.send(Message(3), &[Channel(1), Channel(2)]);
        schedule.begin_step();
        schedule.begin_step();
        schedule.push(Transfer {
            messages: &[Message(1), Message(2)],
            path: &[Channel(9)],
            op: Op::Keep,
            partials: &[],
        });
        schedule.push(Transfer { messages: &[Message(1)], path: &[Channel(9)], op: Op::Copy, partials: &[0, 2] });
        let bytes = encode(&schedule);
        assert_eq!(decode(&bytes), schedule);
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).transfer_count() <= 3);
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] = 255;
            assert!(decode(&damaged).transfer_count() <= bytes.len());
        }
    }
}
