//! What certificates of kind `two-calls` prove, and what they do not.

use crate::certificates::{on, proves, refused};
use kernel::two_calls::{CallPrices, Worth};
use kernel::{
    Collective, Model, Network, NetworkData, Node, Ports, Problem, Proof, Refused, Semantics, StepPrices, Switching,
};

/// Links between all pairs that are so, with so many ports for sending and receiving.
fn linked(nodes: u32, ports: Option<u32>, is_link: impl Fn(u32, u32) -> bool) -> Network {
    let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b)));
    let channels = pairs.filter(|(a, b)| a != b && is_link(*a, *b)).collect();
    let ports = ports.map_or(Ports::All, Ports::Each);
    let data =
        NetworkData { nodes, channels, send_ports: ports.clone(), receive_ports: ports, ..NetworkData::default() };
    Network::new(data).unwrap()
}

fn ring(nodes: u32) -> Network {
    linked(nodes, None, |a, b| (a + 1) % nodes == b || (b + 1) % nodes == a)
}

fn complete(nodes: u32, ports: Option<u32>) -> Network {
    linked(nodes, ports, |_, _| true)
}

/// What hearing is worth by the nodes' numbers, and one price for all channels, for all send ports and for all receive ports in each step.
fn even(network: &Network, worth: impl Fn(u32, u32) -> u64, channels: &[u64], send: &[u64], receive: &[u64]) -> Proof {
    let nodes = network.node_count() as u32;
    let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).filter(|(a, b)| a != b);
    let lists = |prices: &[u64], count: usize| prices.iter().map(|price| vec![*price; count]).collect();
    let worth = pairs.map(|(a, b)| Worth { from: Node(a), to: Node(b), weight: worth(a, b) });
    let prices = CallPrices {
        worth: worth.collect(),
        steps: StepPrices {
            channels: lists(channels, network.channel_count()),
            send: lists(send, network.node_count()),
            receive: lists(receive, network.node_count()),
        },
    };
    Proof::TwoCalls { prices }
}

fn gossip(network: &Network, switching: Switching) -> Problem {
    let collective = Collective::allreduce(network.terminals());
    Problem::new(network.clone(), collective, Model { switching, combining: false }).unwrap()
}

#[test]
fn two_steps_on_a_ring_are_too_few() {
    let ring = ring(7);
    let by_distance = |a: u32, b: u32| [82, 91, 100][(a.abs_diff(b).min(7 - a.abs_diff(b)) - 1) as usize];
    let combined = Model { combining: true, ..Model::wormhole() };
    let allgather = Collective::allgather(ring.terminals(), ring.terminals());
    let combined = Problem::new(ring.clone(), allgather.clone(), combined).unwrap();
    // All 42 pairs are worth 3822, the channels of two steps 28 · 84. The best of a node are calls over two channels from both sides and
    // over one to both: 8 pairs, worth 710, for 6 channels. 3822 − 7 · 206 > 2352.
    for problem in [&combined, &gossip(&ring, Switching::Wormhole)] {
        proves(problem, even(&ring, by_distance, &[84, 84], &[], &[]), 3);
        // Cheaper channels are worth more to each node than they are less to all.
        assert_eq!(
            refused(problem, even(&ring, by_distance, &[60, 60], &[], &[])),
            Refused::TooWeak { claims: 1, proves: 0 }
        );
    }
    // Hop by hop the same is as far from being possible.
    proves(&gossip(&ring, Switching::StoreAndForward), even(&ring, by_distance, &[84, 84], &[], &[]), 3);
    // In three steps something may be told twice on its way.
    let three = even(&ring, by_distance, &[84; 3], &[], &[]);
    assert!(matches!(refused(&combined, three), Refused::NotApplicable { kind: "two-calls", .. }));
}

#[test]
fn ports_limit_what_meets() {
    // Through one port a node joins two nodes with itself and another: three pairs of twenty.
    let free = |network: &Network| even(network, |_, _| 1, &[0, 0], &[], &[]);
    let (narrow, wide) = (complete(5, Some(1)), complete(5, None));
    proves(&gossip(&narrow, Switching::Wormhole), free(&narrow), 3);
    assert_eq!(refused(&gossip(&wide, Switching::Wormhole), free(&wide)), Refused::TooWeak { claims: 1, proves: 0 });
    // Of four nodes, each with three pairs, all twelve could be heard.
    let four = complete(4, Some(1));
    assert_eq!(refused(&gossip(&four, Switching::Wormhole), free(&four)), Refused::TooWeak { claims: 1, proves: 0 });
}

#[test]
fn chunks_have_calls_of_their_own() {
    let torus = linked(9, None, |a, b| {
        let (row, column) = ((a / 3).abs_diff(b / 3), (a % 3).abs_diff(b % 3));
        row.min(3 - row) + column.min(3 - column) == 1
    });
    // A node with a calls to it and b from it joins (a + 1)(b + 1) − 1 pairs, no more than 3(a + b) where neither is above 4.
    let proof = even(&torus, |_, _| 1, &[3, 3], &[], &[]);
    let stored = |chunks, combining| {
        let collective = Collective::allreduce(torus.terminals()).in_chunks(chunks);
        let model = Model { combining, ..Model::store_and_forward() };
        Problem::new(torus.clone(), collective, model).unwrap()
    };
    // Each chunk is worth 72; 36 channels in two steps cost 216.
    proves(&stored(4, false), proof.clone(), 3);
    for (chunks, combining) in [(3, false), (1, false), (4, true)] {
        assert_eq!(refused(&stored(chunks, combining), proof.clone()), Refused::TooWeak { claims: 1, proves: 0 });
    }
}

#[test]
fn slots_tell_early_calls_from_late_ones() {
    let slots = |network: &Network, cyclic| gossip(network, Switching::Tdm { hop: 1, cyclic });
    let (five, six) = (complete(5, Some(1)), complete(6, Some(1)));
    let prices = |network: &Network, send: &[u64]| even(network, |_, _| 1, &vec![0; send.len()], send, &[]);
    // In two slots nothing is sent on: ten calls for twenty pairs.
    proves(&slots(&five, true), prices(&five, &[1, 1]), 3);
    // In three, what comes in the first slot is told in the last: four pairs for the calls of a node, of five others.
    proves(&slots(&six, true), prices(&six, &[1, 1, 2]), 4);
    assert_eq!(refused(&slots(&five, true), prices(&five, &[1, 1, 2])), Refused::TooWeak { claims: 1, proves: 0 });
    // Without wrap-round the last slot is of no use, and costs nothing.
    proves(&slots(&five, false), prices(&five, &[1, 1, 0]), 4);
    assert_eq!(refused(&slots(&five, true), prices(&five, &[1, 1, 0])), Refused::TooWeak { claims: 1, proves: 0 });
    let five = vec![1; 5];
    assert!(matches!(refused(&slots(&six, true), prices(&six, &five)), Refused::NotApplicable { .. }));
}

#[test]
fn what_comes_over_two_channels_is_told_a_slot_later() {
    // From node 0 by way of a switch to node 2, which tells node 3.
    let data = NetworkData {
        nodes: 4,
        channels: vec![(0, 1), (1, 2), (2, 3)],
        terminals: Some(vec![0, 2, 3]),
        ..NetworkData::default()
    };
    let network = Network::new(NetworkData { no_transit: vec![2], ..data }).unwrap();
    let told = Collective::new("told", Semantics::Copy, None, [(vec![Node(0)], vec![Node(3)])]).unwrap();
    let problem = Problem::new(network.clone(), told, Model::tdm()).unwrap();
    let free = |slots: usize| even(&network, |a, b| u64::from((a, b) == (0, 3)), &vec![0; slots], &[], &[]);
    proves(&problem, free(3), 4);
    assert_eq!(refused(&problem, free(4)), Refused::TooWeak { claims: 1, proves: 0 });
}

#[test]
fn prices_are_of_the_network_and_small() {
    let ring = ring(5);
    let problem = on(&ring, Collective::allgather(ring.terminals(), ring.terminals()));
    let with = |change: &dyn Fn(&mut CallPrices)| {
        let Proof::TwoCalls { mut prices } = even(&ring, |_, _| 1, &[1, 1], &[1, 1], &[1, 1]) else { unreachable!() };
        change(&mut prices);
        refused(&problem, Proof::TwoCalls { prices })
    };
    let is_misfit = |refused: Refused| matches!(refused, Refused::NotApplicable { kind: "two-calls", .. });
    assert_eq!(with(&|_| ()), Refused::TooWeak { claims: 1, proves: 0 });
    assert!(is_misfit(with(&|prices| prices.steps.channels.clear())));
    assert!(is_misfit(with(&|prices| prices.steps.channels[1].truncate(3))));
    assert!(is_misfit(with(&|prices| prices.steps.send.truncate(1))));
    assert!(is_misfit(with(&|prices| prices.steps.receive[0].push(0))));
    assert!(is_misfit(with(&|prices| prices.steps.receive[0][0] = 1 << 32)));
    assert!(is_misfit(with(&|prices| prices.worth[3].weight = 1 << 32)));
    assert_eq!(with(&|prices| prices.worth[3].to = Node(5)), Refused::NoSuchNode { node: Node(5) });
    // Too many ways to call a node from 29 others.
    let large = complete(30, None);
    assert!(is_misfit(refused(&gossip(&large, Switching::Wormhole), even(&large, |_, _| 1, &[0, 0], &[], &[]))));
}
