//! Optima of alltoall that the formula of everything leaves open; whatever is found obeys the rules, and agrees with that formula
//! where it is small.

use kernel::formula::{Cnf, Formula};
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Switching, verify};
use proptest::prelude::*;
use run::{Method, Progress, Run, Seed, Settings};
use search::ExactSat;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use testing::{both_ways, full_tree, hypercube, mesh, network, odd_network, ring, solved_with, torus};

fn alltoall(network: Network) -> Problem {
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

fn petersen() -> Network {
    let outer = (0..5).map(|v| (v, (v + 1) % 5));
    let inner = (0..5).map(|v| (5 + v, 5 + (v + 2) % 5));
    network(10, both_ways(outer.chain(inner).chain((0..5).map(|v| (v, v + 5)))))
}

#[test]
fn alltoall_at_the_floor() {
    for (network, floor) in [
        (petersen(), 5),
        (hypercube(3), 4),
        (hypercube(4), 8),
        (torus(3, 3), 3),
        (torus(4, 4), 8),
        (ring(8), 8),
        (mesh(3, 4), 12),
    ] {
        let found = solved_with(&ExactSat, &alltoall(network), floor, Settings::default());
        assert_eq!(found.steps() as u64, floor);
    }
}

/// Parallel channels and capacities are places that hold several; ports and groups are places too.
#[test]
fn ports_groups_and_capacities() {
    let base = hypercube(3).data().clone();
    let one = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..base.clone() };
    let wide = NetworkData { capacities: Some(vec![2; 24]), ..base };
    for (parts, floor) in [(one, 7), (wide, 2)] {
        let problem = alltoall(Network::new(parts).unwrap());
        assert_eq!(solved_with(&ExactSat, &problem, floor, Settings::default()).steps() as u64, floor);
    }
}

/// With one port and as many slots as messages a node sends, every port is busy in every slot.
#[test]
fn slots_of_time_division() {
    for (network, floor) in [(ring(5), 4), (ring(6), 5), (torus(3, 3), 8)] {
        let parts = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..network.data().clone() };
        let network = Network::new(parts).unwrap();
        let all = Collective::alltoall(network.terminals(), network.terminals());
        let problem = Problem::new(network, all, Model::tdm()).unwrap();
        let found = solved_with(&ExactSat, &problem, floor, Settings::default());
        assert_eq!(found.steps() as u64, floor);
    }
}

/// Where messages combine, what the calls of a solution tell is a schedule.
#[test]
fn combined_messages_in_slots() {
    for (network, steps) in [(ring(6), 3), (mesh(1, 5), 4)] {
        let all = Collective::allgather(network.terminals(), network.terminals());
        let problem = Problem::new(network, all, Model { combining: true, ..Model::tdm() }).unwrap();
        let found = solved_with(&ExactSat, &problem, steps, Settings::default());
        assert_eq!(found.steps() as u64, steps);
    }
}

/// How often a method says that it works on something.
#[derive(Default)]
struct Count(AtomicUsize);

impl Progress for Count {
    fn working(&self, _: &'static str, _: u64, _: u64) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// The solver hands on its proof in large pieces: one that is larger than what is left uses it up, or numbers of steps would be
/// tried without end.
#[test]
fn few_ticks_are_used_up_by_a_few_numbers_of_steps() {
    let network = full_tree(31);
    let collective = Collective::broadcast(Node(0), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
    let (never, count) = (AtomicBool::new(false), Count::default());
    let run = Run::new(Settings { ticks: 1_500_000, ..Settings::default() }, &count, &never);
    assert!(ExactSat.solve(&problem, 3, &run).is_none_or(|found| found.step_count() == 4));
    assert!(count.0.into_inner() < 10);
}

/// The number of steps that a method works on.
#[derive(Default)]
struct Asked(AtomicU64);

impl Progress for Asked {
    fn working(&self, _: &'static str, steps: u64, _: u64) {
        self.0.store(steps, Ordering::Relaxed);
    }
}

/// Steps on whole paths, or slots of time-division.
fn switching() -> impl Strategy<Value = Switching> {
    let slots = (1u32..4, any::<bool>()).prop_map(|(hop, cyclic)| Switching::Tdm { hop, cyclic });
    prop_oneof![Just(Switching::Wormhole), slots]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Lists of paths are asked about first, so most of what is found are paths of them.
    #[test]
    fn found_schedules_obey_the_rules(parts in odd_network(5), steps in 1u64..8, switching in switching(), combining: bool) {
        let Ok(network) = Network::new(parts) else { return Ok(()) };
        let all = network.terminals().to_vec();
        let model = Model { switching, combining };
        let Ok(problem) = Problem::new(network, Collective::alltoall(&all, &all), model) else { return Ok(()) };
        let settings = Settings { seed: Seed(1), ticks: 1_000_000, ..Settings::default() };
        let (never, asked) = (AtomicBool::new(false), Asked::default());
        let run = Run::new(settings, &asked, &never);
        let Some(claim) = ExactSat.solve(&problem, steps, &run) else { return Ok(()) };
        let found = verify(&problem, claim);
        prop_assert!(found.is_ok(), "{:?}", found.err());
        let asked = asked.0.load(Ordering::Relaxed);
        prop_assert!(found.unwrap().steps() as u64 <= asked);
        // Something is found only where the formula of everything, which knows no slots, has a solution too.
        if switching.slots().is_none() && let Ok(formula) = Formula::encode_within(&problem, asked, 20_000) {
            let decided = graph::sat::decide(&Cnf::new(&formula), 20_000, &run).0;
            prop_assert!(!matches!(decided, graph::sat::Answer::None(())));
        }
    }
}
