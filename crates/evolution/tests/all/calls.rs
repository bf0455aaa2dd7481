use crate::with;
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Verified, verify};
use proptest::prelude::*;
use run::{Method, Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::{hypercube, odd_network, ring, solved_with, torus};

fn combined(network: Network, collective: Collective) -> Problem {
    Problem::new(network, collective, Model { combining: true, ..Model::wormhole() }).expect("well posed")
}

fn one_port(network: &Network) -> Network {
    let parts = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..network.data().clone() };
    Network::new(parts).expect("sound")
}

fn evolved(name: &str, problem: &Problem, steps: u64, generations: &str) -> Option<Verified> {
    let engine = with(name, &[("generations", generations), ("population", "20")]);
    let no = AtomicBool::new(false);
    let run = Run::new(Settings { seed: Seed(3), ..Settings::default() }, &Silent, &no);
    let made = engine.trial(problem, steps, &run).expect("not refused").schedule?;
    Some(verify(problem, made).unwrap_or_else(|r| panic!("{:?}", r.violations())))
}

#[test]
fn recursive_doubling_is_found() {
    // One port and log2 N steps: what everybody knows must double in each, so all call and each call brings 2^s messages.
    for (network, steps) in [(hypercube(3), 3), (ring(8), 3), (hypercube(4), 4), (torus(4, 4), 4)] {
        let network = one_port(&network);
        let nodes = network.node_count();
        let problem = combined(network.clone(), Collective::allgather(network.terminals(), network.terminals()));
        for name in ["sga", "umda", "mboa"] {
            let made = evolved(name, &problem, steps, "500").unwrap_or_else(|| panic!("{name} on {nodes} nodes"));
            for (step, calls) in made.expanded().unwrap().steps().enumerate() {
                let told: Vec<usize> = calls.map(|call| call.messages.len()).collect();
                assert_eq!(told, vec![1 << step; nodes], "{name}");
            }
        }
    }
}

#[test]
fn with_all_ports_two_steps_are_enough_on_eight_nodes() {
    // Messages one by one take 3.
    let network = hypercube(3);
    let problem = combined(network.clone(), Collective::allgather(network.terminals(), network.terminals()));
    assert!(evolved("umda", &problem, 2, "500").is_some());
    assert!(evolved("umda", &problem, 1, "5").is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Whatever is combined on odd networks passes the verifier, complete or completed by more steps.
    #[test]
    fn calls_become_schedules(parts in odd_network(7), which in 0..3usize, kind in 0..7usize, refine in any::<bool>()) {
        let network = Network::new(parts).expect("sound");
        let t = network.terminals();
        if t.len() < 2 {
            return Ok(());
        }
        let pairs: Vec<(Node, Node)> = t.iter().flat_map(|&v| [(v, t[0]), (t[1], v)]).collect();
        let collective = match kind {
            0 => Collective::broadcast(t[0], t),
            1 => Collective::scatter(t[0], t),
            2 => Collective::gather(t[0], t),
            3 => Collective::allgather(t, t),
            4 => Collective::alltoall(t, t),
            5 => Collective::reduce_scatter(t, t),
            _ => Collective::pairs("alltoallv", &pairs),
        };
        let model = Model { combining: true, ..Model::wormhole() };
        let Ok(problem) = Problem::new(network, collective, model) else { return Ok(()) };
        let name = ["sga", "umda", "mboa"][which];
        let refine = if refine { "20" } else { "0" };
        let engine = with(name, &[("population", "6"), ("generations", "5"), ("refine", refine)]);
        let settings = Settings { seed: Seed(7), ticks: 5000, ..Settings::default() };
        if engine.declines(&problem, &Run::new(settings, &Silent, &AtomicBool::new(false))).is_none() && engine.applies(&problem) {
            solved_with(&engine, &problem, 1, settings);
        }
    }
}
