//! What certificates of kind `late-lengths` prove, and what they do not.

use crate::certificates::{proves, refused};
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Proof, Refused, Semantics, StepPrices};

/// A line of 4 nodes, 0 – 1 – 2 – 3, with channels 0 → 1, 1 → 2, 2 → 3 and then back.
fn line(ports: Ports) -> Network {
    let channels = vec![(0, 1), (1, 2), (2, 3), (1, 0), (2, 1), (3, 2)];
    let data =
        NetworkData { nodes: 4, channels, send_ports: ports.clone(), receive_ports: ports, ..NetworkData::default() };
    Network::new(data).unwrap()
}

/// Messages from the one node to the other.
fn told(network: &Network, pairs: &[(u32, u32)], model: Model) -> Problem {
    let messages = pairs.iter().map(|(from, to)| (vec![Node(*from)], vec![Node(*to)]));
    let collective = Collective::new("told", Semantics::Copy, None, messages).unwrap();
    Problem::new(network.clone(), collective, model).unwrap()
}

fn of_channels(channels: &[[u64; 6]]) -> Proof {
    let channels = channels.iter().map(|prices| prices.to_vec()).collect();
    Proof::LateLengths { prices: StepPrices { channels, ..StepPrices::default() } }
}

const NOTHING: Refused = Refused::TooWeak { claims: 1, proves: 0 };

#[test]
fn the_first_steps_do_not_serve_what_comes_later() {
    let line = line(Ports::All);
    // Two messages cross the middle, and it cannot be crossed in the first step nor in the last one.
    let problem = told(&line, &[(0, 3), (0, 3)], Model::store_and_forward());
    let middle = |steps: usize| {
        let mut prices = vec![[0; 6]; steps];
        (1..steps - 1).for_each(|step| prices[step][1] = 1);
        of_channels(&prices)
    };
    proves(&problem, middle(3), 4);
    assert_eq!(refused(&problem, middle(4)), NOTHING);
    // The same prices in all steps count the middle in the first step and the last one.
    assert_eq!(refused(&problem, of_channels(&[[0, 1, 0, 0, 0, 0]; 3])), NOTHING);
    // There is no way in two steps, and none in no step.
    proves(&problem, of_channels(&[[0; 6]; 2]), 3);
    proves(&problem, of_channels(&[]), 1);
}

#[test]
fn ports_have_prices_of_their_own() {
    // Node 1 receives one message and has one for each side, which it sends one after the other.
    let narrow = line(Ports::Each(1));
    let problem = told(&narrow, &[(1, 0), (1, 2)], Model::store_and_forward());
    let of_node = |step: &[u64]| step.iter().map(|price| vec![0, *price, 0, 0]).collect::<Vec<_>>();
    let free = |steps: usize| vec![vec![0; 6]; steps];
    let send = |prices: &[u64]| Proof::LateLengths {
        prices: StepPrices { channels: free(prices.len()), send: of_node(prices), receive: Vec::new() },
    };
    proves(&problem, send(&[1]), 2);
    assert_eq!(refused(&problem, send(&[1, 1])), NOTHING);
    let into = told(&narrow, &[(0, 1), (2, 1)], Model::store_and_forward());
    let receive =
        Proof::LateLengths { prices: StepPrices { channels: free(1), send: Vec::new(), receive: of_node(&[1]) } };
    proves(&into, receive.clone(), 2);
    assert_eq!(refused(&problem, receive), NOTHING);
}

#[test]
fn half_duplex_links_cost_one_of_their_channels() {
    let data = NetworkData {
        nodes: 2,
        channels: vec![(0, 1), (1, 0)],
        half_duplex: vec![vec![0, 1]],
        ..NetworkData::default()
    };
    let link = Network::new(data).unwrap();
    let problem = told(&link, &[(0, 1), (1, 0)], Model::store_and_forward());
    let prices = StepPrices { channels: vec![vec![1, 1]], ..StepPrices::default() };
    proves(&problem, Proof::LateLengths { prices }, 2);
}

#[test]
fn it_is_for_messages_that_move_alone() {
    let line = line(Ports::All);
    let stored = Model::store_and_forward();
    let is_misfit = |problem: &Problem, proof: Proof| {
        matches!(refused(problem, proof), Refused::NotApplicable { kind: "late-lengths", .. })
    };
    let one = of_channels(&[[1; 6]]);
    for model in [Model::wormhole(), Model::tdm(), Model { combining: true, ..stored }] {
        assert!(is_misfit(&told(&line, &[(0, 3)], model), one.clone()));
    }
    for collective in [Collective::broadcast(Node(0), line.terminals()), Collective::reduce(Node(0), line.terminals())]
    {
        assert!(is_misfit(&Problem::new(line.clone(), collective, stored).unwrap(), one.clone()));
    }
    let problem = told(&line, &[(0, 3)], stored);
    let with = |change: &dyn Fn(&mut StepPrices)| {
        let mut prices =
            StepPrices { channels: vec![vec![1; 6]; 3], send: vec![vec![1; 4]; 3], receive: vec![vec![1; 4]; 3] };
        change(&mut prices);
        Proof::LateLengths { prices }
    };
    assert_eq!(refused(&problem, with(&|_| ())), NOTHING);
    assert!(is_misfit(&problem, with(&|prices| prices.channels[1].truncate(3))));
    assert!(is_misfit(&problem, with(&|prices| prices.send.truncate(1))));
    assert!(is_misfit(&problem, with(&|prices| prices.receive[0].push(0))));
    assert!(is_misfit(&problem, with(&|prices| prices.receive[0][0] = 1 << 32)));
    // Too many looks: 4032 channels, 66 steps and 64 destinations.
    let pairs = (0..64).flat_map(|a| (0..64).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let large = Network::from_channels(64, pairs).unwrap();
    let all = Collective::alltoall(large.terminals(), large.terminals());
    let prices = StepPrices { channels: vec![vec![0; 4032]; 66], ..StepPrices::default() };
    assert!(is_misfit(&Problem::new(large, all, stored).unwrap(), Proof::LateLengths { prices }));
    // Nodes without a channel are looked at as well.
    let mut parts = line.data().clone();
    parts.nodes = 1 << 20;
    let sparse = told(&Network::new(parts).unwrap(), &[(0, 3)], stored);
    assert!(is_misfit(&sparse, of_channels(&[[0; 6]; 17])));
}
