//! Laws of the layout and of the engine.

use super::*;
use kernel::{Collective, Model, Network, Node, Semantics, verify};
use proptest::prelude::*;
use run::{Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::*;

fn built(spec: &str) -> Problem {
    let network: Network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("connected")
}

/// Floors of the linear program on networks without symmetry, and the numbers of a few with it.
#[test]
fn floors_are_reached() {
    for (spec, floor) in [("random-regular:16,3", 14), ("petersen", 5), ("heawood", 9), ("debruijn:2,4", 26)] {
        assert_eq!(solved(&PathExchange, &built(spec), floor).steps() as u64, floor, "{spec}");
    }
}

/// What a search stands on.
struct Given {
    problem: Problem,
    open: Vec<Message>,
}

impl Given {
    fn new(spec: &str) -> Self {
        let problem = built(spec);
        Given { open: open_messages(&problem), problem }
    }

    fn network(&self) -> ArcNetwork {
        let mut budget = Budget::unlimited();
        let resources = Resources::new(&self.problem, &mut budget).expect("no end");
        ArcNetwork::new(&resources, &self.open, &mut budget).expect("paths")
    }
}

/// Prices are nearly those of the linear program's dual: weighted distances over all weights prove nearly the floor.
#[test]
fn prices_prove_nearly_the_floor() {
    for (spec, floor) in
        [("random-regular:16,3", 13.2), ("petersen", 5.0), ("mesh:4x4", 16.0), ("mesh:2x8", 32.0), ("ring:9", 10.0)]
    {
        let network = Given::new(spec).network();
        let prices = congestion::prices(&network, congestion::MOST_LOOKS, &mut Budget::unlimited());
        let all: f64 = prices.iter().sum();
        assert!((all - prices.len() as f64).abs() < 1e-6);
        let ways = (0..network.nodes as u32)
            .map(|to| cheapest::cheapest_ways(&network, to, |arc| (prices[arc as usize] * 1e6) as u64));
        let far: u64 = ways.map(|ways| ways.least.iter().sum::<u64>()).sum();
        let proved = far as f64 / 1e6 / all;
        assert!(proved > 0.95 * floor && proved < floor + 1e-3, "{spec}: {proved}");
    }
}

/// What a layout keeps up to date is what a count from nothing gives.
#[test]
fn what_is_kept_is_what_is_there() {
    for spec in ["random-regular:16,3", "kautz:2,2", "ring:5", "torus:4x4"] {
        let network = Given::new(spec).network();
        let prices = ArcPrices::new(&network, &mut Budget::unlimited()).expect("no end");
        let mut layout = StepLayout::new(&network, &prices, 12);
        let (temperature, mut random) = (moves::Temperature::new(200.0), Settings::default().seed.generator(1));
        for turn in 0..60 {
            if let Some(pair) = layout.missing.pick(&mut random) {
                layout.repair(pair, None, &mut random);
            }
            (0..20).for_each(|_| layout.random_move(&temperature, &mut random));
            if turn == 30 {
                layout.drop_steps(1 + turn % 2);
            }
            layout.check();
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
        if !PathExchange.applies(&problem) {
            return Ok(());
        }
        let steps = |threads| {
            let settings = Settings { threads, ticks: 400_000, ..Settings::default() };
            let cancelled = AtomicBool::new(false);
            PathExchange.solve(&problem, 0, &Run::new(settings, &Silent, &cancelled))
        };
        let one = steps(1);
        prop_assert_eq!(&one, &steps(2));
        if let Some(schedule) = one {
            prop_assert!(verify(&problem, schedule).is_ok());
        }
    }
}
