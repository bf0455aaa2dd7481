//! Sums of groups: bounds that are reached, and what comes of odd networks.

use crate::with_ports;
use dissemination::GroupSums;
use kernel::{Collective, Model, Network, Node, Problem, Switching, verify};
use proptest::prelude::*;
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::{hypercube, odd_network, ring, solved_with, torus};

const SLOTS: Switching = Switching::Tdm { hop: 1, cyclic: true };

fn allreduce(network: Network, members: &[Node], switching: Switching) -> Problem {
    Problem::new(network, Collective::allreduce(members), Model { switching, combining: false }).unwrap()
}

/// Recursive doubling, and with groups of three where no power of two fits.
#[test]
fn groups_double_or_more_in_a_step() {
    let settings = Settings { ticks: 40_000_000, ..Settings::default() };
    for (network, switching, steps) in [
        (with_ports(&hypercube(4), 1), Switching::Wormhole, 4),
        (with_ports(&torus(3, 4), 1), Switching::Wormhole, 4),
        (with_ports(&ring(6), 1), Switching::Wormhole, 3),
        (torus(4, 4), Switching::Wormhole, 3),
        (with_ports(&torus(8, 8), 1), Switching::Wormhole, 6),
        (with_ports(&torus(8, 8), 1), SLOTS, 13),
        (with_ports(&hypercube(3), 1), SLOTS, 5),
    ] {
        let members = network.terminals().to_vec();
        let problem = allreduce(network, &members, switching);
        let found = solved_with(&GroupSums, &problem, steps, settings);
        assert!(found.steps() as u64 <= steps, "{} steps instead of {steps}", found.steps());
    }
}

#[test]
fn the_same_seed_makes_the_same_schedule() {
    let members = torus(4, 4).terminals().to_vec();
    let problem = allreduce(torus(4, 4), &members, SLOTS);
    let settings = Settings { ticks: 5_000_000, ..Settings::default() };
    let [one, other] = [(); 2].map(|()| solved_with(&GroupSums, &problem, 1, settings));
    assert_eq!(one.expanded().unwrap(), other.expanded().unwrap());
}

/// Whatever is found is valid where automorphisms move groups to groups, themselves and each other.
#[test]
fn sums_are_valid_where_groups_have_images() {
    let settings = Settings { ticks: 200_000, ..Settings::default() };
    for network in [torus(4, 2), torus(3, 4), torus(4, 6), ring(12), hypercube(4)] {
        for network in [with_ports(&network, 1), network] {
            for switching in [Switching::Wormhole, SLOTS, Switching::Tdm { hop: 2, cyclic: false }] {
                let members = network.terminals().to_vec();
                let problem = allreduce(network.clone(), &members, switching);
                solved_with(&GroupSums, &problem, 1, settings);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whatever is found is valid, also among some of the terminals, where the others store what passes them.
    #[test]
    fn sums_are_valid_on_odd_networks(parts in odd_network(7), hop in 1u32..3, cyclic: bool, slotted: bool, some: u32) {
        let network = Network::new(parts).expect("sound");
        let terminals = network.terminals();
        let chosen = |v: &Node| some & (1 << (v.0 % 32)) != 0;
        let mut members: Vec<Node> = terminals.iter().copied().filter(chosen).collect();
        if members.len() < 2 {
            members = terminals.to_vec();
        }
        let switching = if slotted { Switching::Tdm { hop, cyclic } } else { Switching::Wormhole };
        let model = Model { switching, combining: false };
        let Ok(problem) = Problem::new(network, Collective::allreduce(&members), model) else { return Ok(()) };
        if !GroupSums.applies(&problem) {
            return Ok(());
        }
        let stop = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 1_000_000, ..Settings::default() }, &Silent, &stop);
        if let Some(found) = GroupSums.solve(&problem, 1, &run) {
            prop_assert!(verify(&problem, found).is_ok());
        }
    }
}
