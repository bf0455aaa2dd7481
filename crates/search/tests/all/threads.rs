//! A law of methods that use several threads: what they find is valid, and the same on any number of them.

use kernel::{Collective, Network, Node, Problem, Schedule, verify};
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// Everybody's messages for everybody, or those of some pairs of terminals.
pub(crate) fn some_or_all(network: &Network, pairs: &[(u32, u32)], all: bool) -> Collective {
    let terminals = network.terminals();
    let at = |i: u32| terminals[i as usize % terminals.len()];
    let pairs: Vec<(Node, Node)> = pairs.iter().map(|&(a, b)| (at(a), at(b))).collect();
    if all { Collective::alltoall(terminals, terminals) } else { Collective::pairs("pairs", &pairs) }
}

/// What a method finds on one thread and on two.
pub(crate) fn same_and_valid(method: &dyn Method, problem: &Problem, settings: &Settings) -> Option<Schedule> {
    let found = |threads| {
        let cancelled = AtomicBool::new(false);
        method.solve(problem, 0, &Run::new(Settings { threads, ..*settings }, &Silent, &cancelled))
    };
    let one = found(1);
    assert_eq!(one, found(2), "{} on two threads", method.name());
    if let Some(schedule) = one.clone() {
        let checked = verify(problem, schedule);
        assert!(checked.is_ok(), "{:?}", checked.err());
    }
    one
}
