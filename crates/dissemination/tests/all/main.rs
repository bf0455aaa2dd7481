//! Laws and published tables of the searches that spread or collect messages, in one program.

mod arborescences;
mod block_rounds;
mod broadcast;
mod call_annealing;
mod chunk_trees;
mod copy_insertion;
mod core_insertion;
mod euler;
mod group_sums;
mod invariant;
mod scatter;
mod scatter_trees;
mod slack;
mod slot_gossip;
mod slot_groups;
mod slot_trees;
mod tree_sat;

use graph::distances::within_slack;
use kernel::{Network, NetworkData, Ports, Problem, verify};
use run::{Budget, Method, Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;

fn with_ports(network: &Network, ports: u32) -> Network {
    let ports = Ports::Each(ports);
    Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() }).unwrap()
}

/// Where a method applies, what it finds within its ticks is a schedule, of paths so many channels longer than the shortest at most.
fn holds(method: &dyn Method, problem: &Problem, floor: u64, ticks: u64, slack: u32) {
    if !method.applies(problem) {
        return;
    }
    let never = AtomicBool::new(false);
    let settings = Settings { seed: Seed(1), ticks, slack: Some(slack), ..Settings::default() };
    if let Some(found) = method.solve(problem, floor, &Run::new(settings, &Silent, &never)) {
        assert!(within_slack(problem, &found, Some(slack), &mut Budget::unlimited()));
        let checked = verify(problem, found);
        assert!(checked.is_ok(), "{:?}", checked.err());
    }
}
