//! Laws of the loom and of the engine.

use super::*;
use crate::packing::fold::Folding;
use graph::{symmetry::Ends, symmetry::free_groups};
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

/// Prices are nearly those of the linear program's dual: weighted distances over all weights prove nearly the floor.
#[test]
fn prices_prove_nearly_the_floor() {
    let cancelled = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &cancelled);
    for (spec, floor) in
        [("random-regular:16,3", 13.2), ("petersen", 5.0), ("mesh:4x4", 16.0), ("mesh:2x8", 32.0), ("ring:9", 10.0)]
    {
        let problem = built(spec);
        let (open, lanes) = (packing::open(&problem), Lanes::new(problem.network()));
        let frame = Frame::new(&problem, &lanes, (&open, Vec::new(), 12), &run).expect("nothing but lanes");
        let prices = scarcity::prices(&frame, 30.0, &run);
        let all: f64 = prices.iter().sum();
        assert!((all - prices.len() as f64).abs() < 1e-6);
        let ways =
            (0..frame.nodes as u32).map(|to| reach::reach(&frame, to, |arc| (prices[arc as usize] * 1e6) as u64));
        let far: u64 = ways.map(|ways| ways.least.iter().sum::<u64>()).sum();
        let proved = far as f64 / 1e6 / all;
        assert!(proved > 0.95 * floor && proved < floor + 1e-3, "{spec}: {proved}");
    }
}

/// What a loom and a list of openings keep up to date is what a count from nothing gives, folded or whole.
#[test]
fn what_is_kept_is_what_is_there() {
    let cancelled = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &cancelled);
    for (spec, order) in [("random-regular:16,3", 1), ("kautz:2,2", 1), ("ring:5", 1), ("ring:9", 9), ("torus:4x4", 4)]
    {
        let problem = built(spec);
        let (open, lanes) = (packing::open(&problem), Lanes::new(problem.network()));
        let (images, _) = if order > 1 { folded(&problem, &lanes, &open, order) } else { Default::default() };
        let frame = Frame::new(&problem, &lanes, (&open, images, 12), &run).expect("nothing but lanes");
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

/// What the elements of a group of this order do, one that keeps every message moving, and one message of each orbit.
fn folded(problem: &Problem, lanes: &Lanes, open: &[Message], order: usize) -> (Vec<frame::Image>, Vec<Message>) {
    let ends = Ends::new(problem, open);
    let groups = free_groups(problem, &ends, Settings::default().seed, 10_000_000);
    let group = groups.into_iter().find(|g| g.elements.len() == order).expect("there is one");
    let count = problem.collective().message_count();
    let folding = Folding::new(lanes, (&ends, open), count, group).expect("it respects messages");
    (folding.elements().map(|(map, lanes)| (map.nodes.clone(), lanes.to_vec())).collect(), folding.messages)
}

/// What is woven for one message of each orbit is a schedule of all of them.
#[test]
fn images_take_steps_of_their_own() {
    let cancelled = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &cancelled);
    for (spec, order, floor) in [("ring:9", 9, 10), ("torus:4x4", 4, 8), ("petersen", 5, 5), ("hypercube:3", 2, 4)] {
        let problem = built(spec);
        let (open, lanes) = (packing::open(&problem), Lanes::new(problem.network()));
        let (images, some) = folded(&problem, &lanes, &open, order);
        let placed = packing::first_fit(&problem, &lanes, &some, &mut run.settings.seed.generator(1), 0);
        let placed = placed.expect("there are paths");
        let frame = Frame::new(&problem, &lanes, (&open, images, layers(&placed)), &run).expect("only lanes");
        let mut weaver = Weaver::new(&frame, &run, &placed, (floor, ALONE)).expect("not too large");
        let mut last = None;
        while !weaver.settled() && weaver.ticks < 20_000_000 {
            last = weaver.round(1 << 14).or(last);
        }
        let schedule = packing::scheduled(&problem, &lanes, last.expect("something was found"));
        let steps = verify(&problem, schedule).expect("it is valid").steps();
        assert_eq!(steps, floor.next_multiple_of(order), "{spec}");
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
            PathExchange.solve(&problem, 0, &Run::new(settings, &Silent, &cancelled))
        };
        let one = steps(1);
        prop_assert_eq!(&one, &steps(2));
        if let Some(schedule) = one {
            prop_assert!(verify(&problem, schedule).is_ok());
        }
    }
}
