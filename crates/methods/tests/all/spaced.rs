//! Steps of store-and-forward as slots: recursive doubling takes hop + 1 slots a dimension, and whatever the network, what comes out is valid.

use kernel::{Collective, Model, Network, NetworkData, Ports, Problem, Switching, verify};
use methods::StricterModel;
use proptest::prelude::*;
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// Steps of the schedule of allreduce in slots, verified; `None` where the method does not apply or finds none.
fn slots(network: Network, chunks: u32, hop: u32, cyclic: bool) -> Option<usize> {
    let allreduce = Collective::allreduce(network.terminals()).in_chunks(chunks);
    let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
    let problem = Problem::new(network, allreduce, model).ok().filter(|p| StricterModel.applies(p))?;
    let never = AtomicBool::new(false);
    let run = Run::new(Settings { ticks: 200_000, ..Settings::default() }, &Silent, &never);
    let claim = StricterModel.solve(&problem, 0, &run)?;
    Some(verify(&problem, claim).unwrap_or_else(|r| panic!("{:?}", r.violations())).steps())
}

#[test]
fn recursive_doubling_takes_hop_and_one_slots_a_dimension() {
    for (hop, cyclic, expected) in [(1, true, 7), (1, false, 8), (3, true, 13)] {
        let mut cube = topologies::topology("hypercube:4").unwrap().network().data().clone();
        (cube.send_ports, cube.receive_ports) = (Ports::Each(1), Ports::Each(1));
        assert_eq!(slots(Network::new(cube).unwrap(), 1, hop, cyclic), Some(expected), "{hop} {cyclic}");
    }
}

/// Of two parts of a message that come in one step the one replaces what is there and the other joins it: in different slots they would clash.
#[test]
fn parts_that_come_in_one_step_come_in_one_slot() {
    let channels = vec![(0, 1), (1, 2), (2, 0), (1, 0)];
    let network =
        Network::new(NetworkData { nodes: 3, channels, send_ports: Ports::Each(2), ..NetworkData::default() }).unwrap();
    assert_eq!(slots(network, 2, 1, false), Some(6));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_comes_out_is_valid(parts in testing::odd_network(7), chunks in 1u32..4, hop in 1u32..4, cyclic: bool) {
        if let Ok(network) = Network::new(parts) {
            slots(network, chunks, hop, cyclic);
        }
    }
}
