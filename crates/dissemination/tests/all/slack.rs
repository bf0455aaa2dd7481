//! No search takes a path that is longer than the slack allows.

use dissemination::*;
use graph::distances::within_slack;
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, verify};
use proptest::prelude::*;
use run::{Budget, Method, Progress, Run, Settings, Silent};
use search::{AllgatherMatching, EdgeColouring, ExactSat, Greedy, RelayMatching, TimeExpanded};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use testing::named::*;

const METHODS: [&dyn Method; 18] = [
    &ScatterFlow,
    &EulerRing,
    &BroadcastLevels,
    &Exchange,
    &GroupSums,
    &CoreInsertion,
    &Arborescences,
    &CallAnnealing,
    &AllgatherMatching,
    &EdgeColouring,
    &Greedy,
    &ExactSat,
    &RelayMatching,
    &TimeExpanded,
    &SlotGossip,
    &SlotGroups,
    &SlotTrees,
    &TreeSat,
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn paths_stay_within_the_slack(problem in any_problem(), slack in 0u32..3) {
        let stop = AtomicBool::new(false);
        let settings = Settings { ticks: 100_000, slack: Some(slack), ..Settings::default() };
        for method in METHODS.iter().filter(|m| m.applies(&problem)) {
            let run = Run::new(settings, &Silent, &stop);
            let Some(schedule) = method.solve(&problem, 0, &run) else { continue };
            prop_assert!(within_slack(&problem, &schedule, Some(slack), &mut Budget::unlimited()), "{}", method.name());
            prop_assert!(verify(&problem, schedule).is_ok(), "{}", method.name());
        }
    }
}

/// A Kautz network of 36 nodes: with detours 12 steps suffice for a scatter, on shortest paths 13 are needed.
#[test]
fn a_scatter_on_shortest_paths() {
    let network = kautz(3);
    let node = network.terminals()[0];
    let problem = Problem::new(network.clone(), Collective::scatter(node, network.terminals()), Model::wormhole());
    let problem = problem.expect("sound");
    for method in [&Greedy as &dyn Method, &ScatterFlow] {
        let found =
            [Some(0), None].map(|slack| steps_with(method, &problem, 0, Settings { slack, ..Settings::default() }));
        assert!(found[0] >= Some(13) && found[1] >= Some(12), "{}: {found:?}", method.name());
    }
}

/// The most steps that a method has tried.
#[derive(Default)]
struct MostSteps(AtomicU64);

impl Progress for MostSteps {
    fn working(&self, _: &'static str, target: u64, _: u64) {
        self.0.fetch_max(target, Ordering::Relaxed);
    }
}

/// Formulas that are satisfied at once, but by a detour, cost ticks too: else they are tried for ever more steps.
#[test]
fn detours_use_up_the_ticks() {
    let network = Network::new(NetworkData {
        name: "detours".into(),
        nodes: 3,
        terminals: Some(vec![0, 2]),
        channels: vec![(1, 0), (0, 1), (2, 1), (1, 2), (2, 0), (0, 2), (2, 0), (2, 1)],
        send_ports: Ports::Each(1),
        ..NetworkData::default()
    });
    let scatter = Collective::scatter(Node(0), &[Node(2)]);
    let model = Model { combining: true, ..Model::wormhole() };
    let problem = Problem::new(network.expect("sound"), scatter, model).expect("well posed");
    let (stop, tried) = (AtomicBool::new(false), MostSteps::default());
    let settings = Settings { ticks: 100_000, slack: Some(0), ..Settings::default() };
    let _ = ExactSat.solve(&problem, 0, &Run::new(settings, &tried, &stop));
    assert!(tried.0.load(Ordering::Relaxed) < 50, "{:?} steps", tried.0);
}
