//! Laws of the method `one-shot`.

use kernel::{Collective, Model, Network, NetworkData, Ports, Problem};
use methods::OneShot;
use proptest::prelude::*;
use run::{Method, Settings};
use testing::named::*;

fn one_port(network: &Network) -> Network {
    let parts = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..network.data().clone() };
    Network::new(parts).expect("only its ports differ")
}

/// In slots everybody sends each chunk to whom it is for, in as many slots as there are others.
#[test]
fn chunks_for_one_node_each_need_no_relays_in_slots() {
    let settings = Settings { ticks: 800_000, ..Settings::default() };
    for (network, others) in [(grid(3, 3, true), 8), (grid(3, 3, false), 8), (petersen(), 9), (spidergon(10), 9)] {
        let network = one_port(&network);
        let scattered = Collective::reduce_scatter(network.terminals(), network.terminals());
        let problem = Problem::new(network, scattered, Model::tdm()).expect("sound");
        assert_eq!(steps_with(&OneShot, &problem, others, settings), Some(others as usize));
    }
}

#[test]
fn elsewhere_reversal_loses_nothing() {
    let network = petersen();
    let scattered = Collective::reduce_scatter(network.terminals(), network.terminals());
    for model in [Model::wormhole(), Model::store_and_forward()] {
        assert!(!OneShot.applies(&Problem::new(network.clone(), scattered.clone(), model).expect("sound")));
    }
    let rooted = Collective::reduce(network.terminals()[0], network.terminals());
    assert!(!OneShot.applies(&Problem::new(network, rooted, Model::tdm()).expect("sound")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// What is found is verified on the way.
    #[test]
    fn where_it_applies_it_verifies(network in any_network(), model in any_model(), chunks in 1u32..3) {
        let scattered = Collective::reduce_scatter(network.terminals(), network.terminals()).in_chunks(chunks);
        if let Ok(problem) = Problem::new(network, scattered, model)
            && OneShot.applies(&problem)
        {
            steps_with(&OneShot, &problem, 1, Settings { ticks: 50_000, ..Settings::default() });
        }
    }
}
