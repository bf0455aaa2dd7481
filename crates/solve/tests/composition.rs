//! Laws of the engine `composition`.

mod common;

use common::*;
use kernel::{Collective, Model, Problem};
use proptest::prelude::*;
use solve::{Composition, Engine};

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn where_it_applies_it_verifies(network in any_network(), model in any_model()) {
        let collective = Collective::allreduce(network.terminals());
        if let Ok(problem) = Problem::new(network, collective, model)
            && Composition.applies(&problem)
        {
            let settings = solve::Settings { ticks: 10_000, ..solve::Settings::default() };
            prop_assert!(steps_with(&Composition, &problem, 1, settings).is_some());
        }
    }
}
