//! Laws of the engines `composition` and `exchange`.

use dissemination::Exchange;
use kernel::{Collective, Model, Problem};
use methods::Composition;
use proptest::prelude::*;
use run::{Method, Settings};
use testing::named::*;

#[test]
fn allreduce_takes_a_reduce_and_a_broadcast() {
    // Broadcasts take ceil(log2 8) = 3 steps on a one-port star, and 2 on an all-port hypercube of 8 nodes.
    for (network, optimum) in [(star(8), 6), (hypercube(3), 4)] {
        for make in [Collective::allreduce, Collective::barrier] {
            let problem = Problem::new(network.clone(), make(network.terminals()), Model::wormhole()).expect("sound");
            assert_eq!(steps(&Composition, &problem, 1), Some(optimum));
        }
    }
}

#[test]
fn roots_are_in_the_middle_hop_by_hop_as_well() {
    // Of 13 nodes in a line, all between the ends have two neighbours, and the one in the middle has six hops to either end.
    let network = grid(1, 13, false);
    let allreduce = Collective::allreduce(network.terminals());
    let problem = Problem::new(network, allreduce, Model::store_and_forward()).expect("sound");
    assert_eq!(steps(&Composition, &problem, 1), Some(12));
    // So many that some stand for all: from the root of a tree of depth 10, and not from one of its leaves.
    let network = full_tree(2047);
    let allreduce = Collective::allreduce(network.terminals());
    let problem = Problem::new(network, allreduce, Model::store_and_forward()).expect("sound");
    let settings = Settings { ticks: 3_000_000, ..Settings::default() };
    assert!(steps_with(&Composition, &problem, 20, settings).expect("a schedule") <= 24);
}

#[test]
fn exchanges_halve_the_steps_where_blocks_pair() {
    // No less than a broadcast: with k channels into a node, sums grow (k + 1)-fold a step at most.
    for (network, most) in [(hypercube(2), 2), (hypercube(3), 3), (hypercube(4), 4), (ring(4), 2)] {
        let problem = Problem::new(network.clone(), Collective::allreduce(network.terminals()), Model::wormhole());
        let found = steps(&Exchange, &problem.expect("sound"), most as u64).expect("hypercubes pair");
        assert!(found <= most, "{} nodes: {found}", network.node_count());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, ..ProptestConfig::default() })]

    #[test]
    fn where_it_applies_it_verifies(network in any_network(), model in any_model()) {
        let collective = Collective::allreduce(network.terminals());
        if let Ok(problem) = Problem::new(network, collective, model)
            && Composition.applies(&problem)
        {
            let settings = run::Settings { ticks: 300_000, ..run::Settings::default() };
            prop_assert!(steps_with(&Composition, &problem, 1, settings).is_some());
        }
    }

    #[test]
    fn exchanges_verify_where_they_come_out(network in any_network(), model in any_model()) {
        let collective = Collective::allreduce(network.terminals());
        if let Ok(problem) = Problem::new(network, collective, model)
            && Exchange.applies(&problem)
        {
            let settings = run::Settings { ticks: 300_000, ..run::Settings::default() };
            let found = steps_with(&Exchange, &problem, 1, settings);
            prop_assert!(found.is_none_or(|s| s >= 1));
        }
    }
}
