//! Specifications, optima and schedules that the tests of several crates share.

use kernel::orbits::OrbitSchedule;
use kernel::{Channel, Message};

/// Rings with chords by specification, with the least steps of alltoall under wormhole switching: proved and reached.
pub const CHORDAL_RINGS: &[(&str, u64)] = &[
    ("kring:8;1,3", 3),
    ("midimew:8", 3),
    ("spidergon:6", 3),
    ("spidergon:8", 4),
    ("spidergon:12", 9),
    ("spidergon:16", 16),
    ("spidergon:20", 25),
    ("spidergon:24", 36),
    ("spidergon:28", 49),
    ("spidergon:32", 64),
    ("spidergon:36", 81),
    ("spidergon:64", 256),
];

/// The super-nodes of a dual-net's levels over a base of so many dimensions, as a specification has them. Bit d of a level's mask
/// says whether dimension d stays; each super-node lies within the one before.
pub fn nested_super_nodes(dimensions: usize, masks: &[u32]) -> String {
    let mut kept = u32::MAX;
    let supers = masks.iter().map(|mask| {
        kept &= mask;
        let dims: Vec<String> = (0..dimensions).filter(|d| kept >> d & 1 == 1).map(|d| format!("d{d}")).collect();
        if dims.is_empty() { "1".into() } else { dims.join("x") }
    });
    supers.collect::<Vec<String>>().join(",")
}

/// Alltoall on a directed ring of an odd number of nodes under its rotation: differences d and n − d fill one row of slots.
/// `channel(v)` leads from node v to the next.
pub fn ring_orbits(n: u32, channel: impl Fn(u32) -> Channel) -> OrbitSchedule {
    let rows = (n - 1) / 2;
    let steps = n * rows;
    let mut placed: Vec<Vec<(Message, Vec<Channel>)>> = vec![Vec::new(); steps as usize];
    for d in 1..n {
        let (row, start) = if d <= rows { (d - 1, 0) } else { (n - d - 1, n - d) };
        // The path starts at node 0, so it is moved to where its arc of the row begins by starting later.
        let step = (row + steps - start * rows) % steps;
        placed[step as usize].push((Message(d - 1), (0..d).map(&channel).collect()));
    }
    OrbitSchedule { shifts: vec![u64::from(rows)], schedule: placed.into_iter().collect() }
}
