//! Copies inserted at the expense of others: bounds that are reached, and slots that may be run backwards.

use crate::with_ports;
use dissemination::{CopyInsertion, reversible_insertion};
use kernel::{Collective, Model, Network, Node, Problem, Switching, verify};
use proptest::prelude::*;
use run::{Run, Seed, Settings, Silent};
use search::transform::reverse_slots;
use std::sync::atomic::AtomicBool;
use testing::{hypercube, mesh, odd_network, ring, solved_with, torus};

fn allgather(network: Network, switching: Switching) -> Problem {
    let terminals = network.terminals().to_vec();
    let collective = Collective::allgather(&terminals, &terminals);
    Problem::new(network, collective, Model { switching, combining: false }).unwrap()
}

/// Each is the lower bound: what a node, or all nodes together, receive, with the slots in which no copy has come yet.
#[test]
fn allgather_at_its_bounds() {
    let slots = Switching::Tdm { hop: 1, cyclic: true };
    for (network, switching, steps) in [
        (hypercube(4), slots, 5),
        (torus(4, 4), slots, 5),
        (mesh(4, 4), slots, 8),
        (with_ports(&hypercube(3), 1), slots, 7),
        (mesh(3, 3), Switching::StoreAndForward, 4),
        (with_ports(&ring(7), 1), Switching::StoreAndForward, 6),
    ] {
        let problem = allgather(network, switching);
        let settings = Settings { seed: Seed(4), ticks: 100_000_000, ..Settings::default() };
        assert_eq!(solved_with(&CopyInsertion, &problem, steps, settings).steps() as u64, steps);
    }
}

#[test]
fn the_same_seed_makes_the_same_schedule() {
    let problem = allgather(torus(3, 3), Switching::Tdm { hop: 1, cyclic: true });
    let [one, other] = [(); 2].map(|()| solved_with(&CopyInsertion, &problem, 3, Settings::default()));
    assert_eq!(one.expanded().unwrap(), other.expanded().unwrap());
}

/// A root with one port receives the sums of four groups, of which those far away arrive after the period.
#[test]
fn a_reduction_through_one_port_wraps_round_at_its_root() {
    let network = with_ports(&mesh(4, 4), 1);
    let reduced = Collective::reduce(Node(0), network.terminals());
    let model = Model { switching: Switching::Tdm { hop: 1, cyclic: true }, combining: false };
    let reduced = Problem::new(network, reduced, model).unwrap();
    let copied = reduced.reversed().unwrap();
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings { ticks: 20_000_000, ..Settings::default() }, &Silent, &stop);
    let found = reversible_insertion(&copied, 5, &run).unwrap();
    assert_eq!(verify(&reduced, reverse_slots(&copied, &found, 1)).unwrap().steps(), 5);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Run backwards, contributions that arrive after the end of a period are merged where the chunk ends, and nowhere else.
    #[test]
    fn slots_that_are_run_backwards_are_valid(parts in odd_network(6), hop in 1u32..3, cyclic: bool) {
        let network = Network::new(parts).expect("sound");
        let terminals = network.terminals().to_vec();
        let chunks = Collective::reduce_scatter(&terminals, &terminals);
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        let Ok(reduced) = Problem::new(network, chunks, model) else { return Ok(()) };
        let copied = reduced.reversed().expect("chunks with one destination each");
        let stop = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 400_000, ..Settings::default() }, &Silent, &stop);
        let Some(found) = reversible_insertion(&copied, 1, &run) else { return Ok(()) };
        prop_assert!(verify(&reduced, reverse_slots(&copied, &found, hop)).is_ok());
    }
}
