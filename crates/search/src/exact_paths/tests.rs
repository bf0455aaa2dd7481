//! Whatever is found obeys the rules, and agrees with the formula of everything where that is small.

use crate::resources::Resources;
use kernel::formula::{Cnf, Formula};
use kernel::{Collective, Model, Network, Problem, Switching, verify};
use proptest::prelude::*;
use run::{Budget, Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::odd_network;

/// Steps on whole paths, or slots of time-division.
fn switching() -> impl Strategy<Value = Switching> {
    let slots = (1u32..4, any::<bool>()).prop_map(|(hop, cyclic)| Switching::Tdm { hop, cyclic });
    prop_oneof![Just(Switching::Wormhole), slots]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn found_schedules_obey_the_rules(parts in odd_network(5), steps in 1u64..8, switching in switching()) {
        let Ok(network) = Network::new(parts) else { return Ok(()) };
        let all = network.terminals().to_vec();
        let model = Model { switching, combining: false };
        let Ok(problem) = Problem::new(network, Collective::alltoall(&all, &all), model) else { return Ok(()) };
        let settings = Settings { seed: Seed(1), ticks: 1_000_000, ..Settings::default() };
        let stop = AtomicBool::new(false);
        let run = Run::new(settings, &Silent, &stop);
        let resources = Resources::new(&problem, &mut Budget::unlimited()).expect("no end");
        let Some(mut paths) = super::ExactPaths::new(&resources, &run) else { return Ok(()) };
        let Some(claim) = paths.find(steps, 100_000).0 else { return Ok(()) };
        let found = verify(&problem, claim);
        prop_assert!(found.is_ok(), "{:?}", found.err());
        prop_assert!(found.unwrap().steps() as u64 <= steps);
        // Something is found only where the formula of everything, which knows no slots, has a solution too.
        if switching.slots().is_none() && let Ok(formula) = Formula::encode_within(&problem, steps, 20_000) {
            let decided = graph::sat::decide(&Cnf::new(&formula), 20_000, &run).0;
            prop_assert!(!matches!(decided, graph::sat::Answer::None(())));
        }
    }
}
