//! Chunks of one root, whose machines send and receive in rounds.

use crate::packed::{all, problem};
use kernel::{Collective, Node};
use run::{Run, Settings, Silent, TimedMethod};
use std::sync::atomic::AtomicBool;
use timed::TimedRotation;

/// What a switch lets through in turns ends with the rounds between machines, wherever the root is, and whichever terminals have the ways out.
#[test]
fn what_spreads_through_a_switch_keeps_up_with_the_rounds() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    // Eight machines of eight; of a pair of terminals the odd one sends to others and the even one receives, by 10 GB/s. Each has 50 GB/s to its switch, and needs 40.
    let mut channels = Vec::new();
    for terminal in 0..64u32 {
        let switch = 64 + terminal / 8;
        channels.extend([(terminal, switch, 50, 1), (switch, terminal, 50, 1)]);
        channels.push(if terminal % 2 == 0 { (72, terminal, 10, 4) } else { (terminal, 72, 10, 4) });
    }
    let (chunks, all) = (256, all(64));
    // 64 chunks of 100 ns on each rail, and two rounds more to eight machines.
    let floor = 100 * 66;
    for root in [0, 1, 2].map(Node) {
        for collective in [Collective::broadcast(root, &all), Collective::reduce(root, &all)] {
            let problem = problem(64, true, &channels, collective.in_chunks(chunks));
            let verified = TimedRotation.schedule(&problem, floor, &run).unwrap().verify(&problem).unwrap();
            assert!(verified.ticks() < 13 * floor / 12, "{} of {floor}", verified.ticks());
        }
    }
}
