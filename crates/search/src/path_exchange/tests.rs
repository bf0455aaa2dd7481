//! Laws of the loom and of the engine.

use super::*;
use super::{frame::Frame, loom::Loom, moves::Heat, openings::Openings};
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

/// Problem and run of a search, with no end.
struct Given {
    problem: Problem,
    lanes: Lanes,
    open: Vec<Message>,
}

impl Given {
    fn new(spec: &str) -> Self {
        let problem = built(spec);
        let lanes = Lanes::new(problem.network(), &mut Budget::unlimited()).expect("no end");
        Given { open: packing::open(&problem), lanes, problem }
    }

    /// What a search begins with: `some` messages placed, or nothing but twelve layers.
    fn start<'a>(&'a self, some: Option<&[Message]>, run: &'a Run<'a>) -> Start<'a> {
        let Given { problem, lanes, open } = self;
        let mut random = run.settings.seed.generator(1);
        let first_fit =
            |some| packing::first_fit(problem, lanes, some, &mut random, 0, &mut Budget::unlimited()).expect("paths");
        let placed = some.map_or_else(|| vec![(Vec::new(), 11)], first_fit);
        Start { problem, lanes, open, run, placed }
    }

    /// What the elements of a group of this order do, one that keeps every message moving, and one message of each orbit.
    fn folded(&self, order: usize) -> (Vec<frame::Image>, Vec<Message>) {
        let Given { problem, lanes, open } = self;
        let ends = Ends::new(problem, open);
        let groups = free_groups(problem, &ends, Settings::default().seed, &mut Budget::ticks(10_000_000));
        let group = groups.into_iter().find(|g| g.elements.len() == order).expect("there is one");
        let count = problem.collective().message_count();
        let folding = Folding::new(lanes, (&ends, open), count, group, &mut Budget::unlimited()).expect("respected");
        (folding.elements().map(|(map, lanes)| (map.nodes.clone(), lanes.to_vec())).collect(), folding.messages)
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
        let given = Given::new(spec);
        let mut budget = Budget::unlimited();
        let frame = Frame::new(&given.start(None, &run), Vec::new(), &mut budget).expect("nothing but lanes");
        let prices = scarcity::prices(&frame, 30.0, scarcity::MOST_LOOKS, &mut budget);
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
        let given = Given::new(spec);
        let images = if order > 1 { given.folded(order).0 } else { Vec::new() };
        let frame = Frame::new(&given.start(None, &run), images, &mut Budget::unlimited()).expect("nothing but lanes");
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

/// What is woven for one message of each orbit is a schedule of all of them.
#[test]
fn images_take_steps_of_their_own() {
    let cancelled = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &cancelled);
    for (spec, order, floor) in [("ring:9", 9, 10), ("torus:4x4", 4, 8), ("petersen", 5, 5), ("hypercube:3", 2, 4)] {
        let given = Given::new(spec);
        let (images, some) = given.folded(order);
        let start = given.start(Some(&some), &run);
        let frame = Frame::new(&start, images, &mut Budget::unlimited()).expect("only lanes");
        let mut weaver = Weaver::new(&frame, &start, floor, 1).expect("not too large");
        let mut last = None;
        while weaver.steps() > weaver.least() && weaver.spent() < 60_000_000 {
            last = weaver.round(1 << 14).or(last);
        }
        let schedule = packing::scheduled(&given.problem, &given.lanes, last.expect("something was found"));
        let steps = verify(&given.problem, schedule).expect("it is valid").steps();
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
