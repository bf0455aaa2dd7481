//! **What:** ways through the stages of multistage networks.

use kernel::Network;
use topologies::stages::Stages;

/// Where a terminal's message comes to, and the nodes on its way, if at every stage it leaves on the line `leaves(stage,
/// line)` of the switch that it enters on `line`.
pub(crate) fn trace(stages: &Stages, from: u32, mut leaves: impl FnMut(u32, u32) -> u32) -> (u32, Vec<u32>) {
    let mut nodes = vec![from];
    let mut line = stages.moved(0, from);
    for stage in 0..stages.count() {
        nodes.push(stages.switch(stage, line));
        line = stages.moved(stage + 1, leaves(stage, line));
    }
    nodes.push(line);
    (line, nodes)
}

/// The line of a switch that is so many places further, cyclically.
pub(crate) fn shifted(stages: &Stages, line: u32, by: u32) -> u32 {
    let d = stages.radix();
    line - line % d + (line % d + by) % d
}

/// Digit `stage` of a number, the first stage's the most significant of `digits`; 0 for stages beyond.
pub(crate) fn digit(stages: &Stages, number: u32, stage: u32) -> u32 {
    let digits = digits(stages);
    if stage < digits { number / stages.radix().pow(digits - 1 - stage) % stages.radix() } else { 0 }
}

/// Digits of a line's number.
pub(crate) fn digits(stages: &Stages) -> u32 {
    stages.lines().ilog(stages.radix())
}

/// Channel uses of alltoall.
pub(crate) fn uses(stages: &Stages) -> u64 {
    u64::from(stages.lines()).pow(2).saturating_mul(u64::from(stages.count()) + 1)
}

/// Whether `network` may be that of the stages: its size.
pub(crate) fn fits(stages: &Stages, network: &Network) -> bool {
    let switches = u64::from(stages.count()) * u64::from(stages.lines() / stages.radix());
    network.node_count() as u64 == u64::from(stages.lines()) + switches
        && network.terminals().len() as u64 == u64::from(stages.lines())
}
