//! Laws of the loom and of the engine.

use super::*;
use crate::testing::*;
use crate::{Settings, Silent};
use kernel::{Collective, Model, Network, Node, Semantics, verify};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

fn built(spec: &str) -> Problem {
    let network: Network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("connected")
}

/// Floors of the linear program on networks without symmetry, and the numbers of a few with it.
#[test]
fn floors_are_reached() {
    for (spec, floor) in [("random-regular:16,3", 16), ("petersen", 5), ("heawood", 9), ("debruijn:2,4", 26)] {
        assert_eq!(solved(&Weaving, &built(spec), floor).steps() as u64, floor, "{spec}");
    }
}

/// What a loom and a list of openings keep up to date is what a count from nothing gives.
#[test]
fn what_is_kept_is_what_is_there() {
    let cancelled = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &cancelled);
    for spec in ["random-regular:16,3", "kautz:2,2", "ring:5"] {
        let problem = built(spec);
        let (open, lanes) = (packing::open(&problem), Lanes::new(problem.network()));
        let frame = Frame::new(&problem, &lanes, &open, &run).expect("nothing but lanes");
        let (mut loom, mut openings) = (Loom::new(&frame, &frame.tolls[0], 12), Openings::new(frame.pairs()));
        let (heat, mut random) = (Heat::new(200.0), run.settings.seed.generator(1));
        for turn in 0..60 {
            if let Some(pair) = loom.missing.pick(&mut random) {
                loom.mend(pair, None, Some(&openings), &mut random);
            }
            (0..20).for_each(|_| loom.stir(&heat, &mut random));
            if turn == 30 {
                loom.drop_layer();
                loom = loom.under(&frame.tolls[1]);
            }
            openings.look(&mut loom);
            loom.check();
            loom.change_all();
            let mut anew = Openings::new(frame.pairs());
            anew.look(&mut loom);
            assert_eq!(openings, anew, "{spec}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn valid_on_any_network_and_any_number_of_threads(
        parts in odd_network(8),
        pairs in prop::collection::vec((0u32..8, 0u32..8), 1..30),
        all in any::<bool>(),
    ) {
        let network = Network::new(parts).expect("sound");
        let terminals = network.terminals().to_vec();
        let at = |i: u32| terminals[i as usize % terminals.len()];
        let messages = pairs.iter().map(|&(a, b)| (vec![at(a)], vec![at(b)]));
        let some = Collective::new("pairs", Semantics::Copy, None::<Node>, messages).expect("sound");
        let collective = if all { Collective::alltoall(&terminals, &terminals) } else { some };
        let Ok(problem) = Problem::new(network, collective, Model::wormhole()) else { return Ok(()) };
        let steps = |threads| {
            let settings = Settings { threads, ticks: 400_000, ..Settings::default() };
            let cancelled = AtomicBool::new(false);
            Weaving.solve(&problem, 0, &Run::new(settings, &Silent, &cancelled))
        };
        let one = steps(1);
        prop_assert_eq!(&one, &steps(2));
        if let Some(schedule) = one {
            prop_assert!(verify(&problem, schedule).is_ok());
        }
    }
}
