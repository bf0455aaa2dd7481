//! Each kind of certificate: what it proves, and that a claim of one step more is refused.

use kernel::{
    Certificate, Collective, Model, Network, NetworkData, Node, OddSet, Ports, Problem, Proof, Quotient, Rational,
    Refused, Schedule, Switching, Verdict, VerdictError, certify, verify,
};

pub(super) fn cube(d: u32) -> Network {
    let n = 1 << d;
    let channels = (0..n).flat_map(|v| (0..d).map(move |b| (v, v ^ (1 << b)))).collect();
    Network::new(NetworkData { name: format!("hypercube:{d}"), nodes: n, channels, ..NetworkData::default() }).unwrap()
}

pub(super) fn on(network: &Network, collective: Collective) -> Problem {
    Problem::new(network.clone(), collective, Model::wormhole()).unwrap()
}

/// `proof` proves `steps` and no more.
pub(super) fn proves(problem: &Problem, proof: Proof, steps: u64) {
    let claim = |steps| certify(problem, Certificate { steps, proof: proof.clone() });
    assert_eq!(claim(steps).unwrap().steps(), steps);
    assert_eq!(claim(steps + 1).unwrap_err(), Refused::TooWeak { claims: steps + 1, proves: steps });
}

pub(super) fn refused(problem: &Problem, proof: Proof) -> Refused {
    certify(problem, Certificate { steps: 1, proof }).unwrap_err()
}

#[test]
fn send_receive_and_cut() {
    let q3 = cube(3);
    let scatter = on(&q3, Collective::scatter(Node(0), q3.terminals()));
    proves(&scatter, Proof::Send { node: Node(0) }, 3);
    proves(&scatter, Proof::Receive { node: Node(5) }, 1);
    proves(&scatter, Proof::Cut { nodes: vec![Node(0)] }, 3);
    let alltoall = on(&q3, Collective::alltoall(q3.terminals(), q3.terminals()));
    proves(&alltoall, Proof::Cut { nodes: (0..4).map(Node).collect() }, 4);
    let reduce = on(&q3, Collective::reduce_scatter(q3.terminals(), q3.terminals()));
    proves(&reduce, Proof::Receive { node: Node(1) }, 1);
    proves(&reduce, Proof::Send { node: Node(1) }, 3);
}

/// Links of which each carries one transfer a step, in either direction.
fn half_duplex(nodes: u32, links: &[(u32, u32)]) -> Network {
    let channels = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let half_duplex = (0..links.len() as u32).map(|l| vec![2 * l, 2 * l + 1]).collect();
    Network::new(NetworkData { nodes, channels, half_duplex, ..NetworkData::default() }).unwrap()
}

#[test]
fn several_nodes_share_half_duplex_links() {
    let ring = half_duplex(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    let all: Vec<Node> = ring.nodes().collect();
    let allgather = on(&ring, Collective::allgather(ring.terminals(), ring.terminals()));
    // Alone a node receives four messages by two links; together five nodes receive twenty by five.
    proves(&allgather, Proof::Receive { node: Node(0) }, 2);
    proves(&allgather, Proof::ReceiveAll { nodes: vec![Node(0)] }, 2);
    proves(&allgather, Proof::ReceiveAll { nodes: vec![Node(0), Node(1)] }, 3);
    proves(&allgather, Proof::ReceiveAll { nodes: all.clone() }, 4);
    // All messages leave their origins, which sends each only once.
    proves(&allgather, Proof::SendAll { nodes: all.clone() }, 1);
    let reduce_scatter = on(&ring, Collective::reduce_scatter(ring.terminals(), ring.terminals()));
    proves(&reduce_scatter, Proof::SendAll { nodes: all.clone() }, 4);
    proves(&reduce_scatter, Proof::ReceiveAll { nodes: all.clone() }, 1);
    let combined = Model { combining: true, ..Model::wormhole() };
    let combined = Problem::new(ring.clone(), Collective::allgather(&all, &all), combined).unwrap();
    proves(&combined, Proof::ReceiveAll { nodes: all.clone() }, 1);
    // Full-duplex links carry twice as much, and one port each as much as there are nodes.
    let full = Network::new(NetworkData { half_duplex: vec![], ..ring.data().clone() }).unwrap();
    proves(&on(&full, Collective::allgather(&all, &all)), Proof::ReceiveAll { nodes: all.clone() }, 2);
    let ports = Network::new(NetworkData { receive_ports: Ports::Each(1), ..full.data().clone() }).unwrap();
    proves(&on(&ports, Collective::allgather(&all, &all)), Proof::ReceiveAll { nodes: all.clone() }, 4);
    let twice = Proof::ReceiveAll { nodes: vec![Node(1), Node(1)] };
    assert_eq!(refused(&allgather, twice), Refused::NodeTwice { node: Node(1) });
    assert_eq!(refused(&allgather, Proof::SendAll { nodes: vec![Node(5)] }), Refused::NoSuchNode { node: Node(5) });
}

#[test]
fn one_port_counts_messages() {
    let mut parts = cube(3).data().clone();
    parts.send_ports = Ports::Each(1);
    let network = Network::new(parts).unwrap();
    let scatter = on(&network, Collective::scatter(Node(0), network.terminals()));
    proves(&scatter, Proof::Send { node: Node(0) }, 7);
    proves(&on(&network, Collective::broadcast(Node(0), network.terminals())), Proof::Growth, 3);
}

#[test]
fn combining_counts_nothing_twice() {
    let q3 = cube(3);
    let model = Model { combining: true, ..Model::wormhole() };
    let gather = Problem::new(q3.clone(), Collective::gather(Node(0), q3.terminals()), model).unwrap();
    proves(&gather, Proof::Receive { node: Node(0) }, 1);
    let weights = vec![Rational::whole(1); q3.channel_count()].into();
    assert!(matches!(refused(&gather, Proof::Lengths { weights }), Refused::NotApplicable { .. }));
}

#[test]
fn lengths_prove_the_volume_bound() {
    let q4 = cube(4);
    let alltoall = on(&q4, Collective::alltoall(q4.terminals(), q4.terminals()));
    let even =
        |n, d| Proof::Lengths { weights: vec![Rational { numerator: n, denominator: d }; q4.channel_count()].into() };
    proves(&alltoall, even(1, 1), 8);
    proves(&alltoall, even(3, 7), 8);
    let certified = certify(&alltoall, Certificate { steps: 8, proof: even(3, 7) }).unwrap();
    // All pairs together are 512 hops apart, and there are 64 channels.
    assert_eq!(certified.quotient(), Some(Quotient { work: 512, rate: 64 }));
    assert_eq!(refused(&alltoall, even(0, 1)), Refused::ZeroWeights);
    assert_eq!(refused(&alltoall, even(1, 0)), Refused::BadWeight { channel: 0 });
    let short = Proof::Lengths { weights: vec![Rational::whole(1)].into() };
    assert_eq!(refused(&alltoall, short), Refused::WeightCount { found: 1, expected: 64 });
    let allgather = on(&q4, Collective::allgather(q4.terminals(), q4.terminals()));
    // As many trees of fifteen channels.
    proves(&allgather, even(1, 1), 4);
}

#[test]
fn half_duplex_halves_what_lengths_may_use() {
    let mut parts = cube(3).data().clone();
    let back = |c: usize| parts.channels.iter().position(|e| *e == (parts.channels[c].1, parts.channels[c].0)).unwrap();
    let pairs: Vec<Vec<u32>> =
        (0..24).map(|c| (c, back(c))).filter(|(a, b)| a < b).map(|(a, b)| vec![a as u32, b as u32]).collect();
    parts.half_duplex = pairs;
    let network = Network::new(parts).unwrap();
    let alltoall = on(&network, Collective::alltoall(network.terminals(), network.terminals()));
    proves(&alltoall, Proof::Lengths { weights: vec![Rational::whole(1); 24].into() }, 8);
}

#[test]
fn the_first_slots_are_for_origins() {
    let allgather = |network: &Network| Collective::allgather(network.terminals(), network.terminals());
    let slots = |d, hop, cyclic| {
        let network = cube(d);
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        Problem::new(network.clone(), allgather(&network), model).unwrap()
    };
    // 65280 arrivals over 2048 channels, of which in the first two slots each can be used once for an arrival alone.
    proves(&slots(8, 1, true), Proof::Start, 33);
    // The last slots carry nothing that arrives in time.
    proves(&slots(8, 1, false), Proof::Start, 34);
    proves(&slots(8, 3, false), Proof::Start, 37);
    // Fewer slots than are spoken of.
    proves(&slots(3, 5, true), Proof::Start, 3);
    let wormhole = on(&cube(3), allgather(&cube(3)));
    assert!(matches!(refused(&wormhole, Proof::Start), Refused::NotApplicable { .. }));
}

#[test]
fn the_last_slots_are_for_destinations() {
    let slots = |d, hop, cyclic, collective: fn(&[Node]) -> Collective| {
        let network = cube(d);
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        Problem::new(network.clone(), collective(network.terminals()), model).unwrap()
    };
    let scattered: fn(&[Node]) -> Collective = |all| Collective::reduce_scatter(all, all);
    // As allgather run backwards: 240 contributions over 64 channels, of which in the last two slots each can be used once for one alone.
    proves(&slots(4, 1, true, scattered), Proof::Start, 5);
    proves(&slots(8, 1, true, scattered), Proof::Start, 33);
    proves(&slots(8, 3, false, scattered), Proof::Start, 37);
    proves(&slots(3, 5, true, scattered), Proof::Start, 3);
    // To one node: as many contributions, of which its four neighbours' two slots may come last.
    proves(&slots(4, 1, true, |all| Collective::reduce(all[0], all).in_chunks(16)), Proof::Start, 5);
    let everywhere = slots(3, 1, true, Collective::allreduce);
    assert!(matches!(refused(&everywhere, Proof::Start), Refused::NotApplicable { .. }));
}

#[test]
fn short_periods_are_for_direct_transfers() {
    let even = |network: &Network| Proof::Direct { weights: vec![Rational::whole(1); network.channel_count()].into() };
    let slots = |network: &Network, hop, cyclic, collective: fn(&[Node]) -> Collective| {
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        Problem::new(network.clone(), collective(network.terminals()), model).unwrap()
    };
    let (q3, q4) = (cube(3), cube(4));
    // Everybody hears of the others over 3·1 + 3·2 + 1·3 = 12 channels, and 3 lead to it: 4 slots, if there are no others.
    for collective in [Collective::allreduce, Collective::barrier, |all: &[Node]| Collective::allgather(all, all)] {
        for (hop, direct) in [(1, 3), (2, 4), (3, 4), (9, 4)] {
            proves(&slots(&q3, hop, true, collective), even(&q3), direct);
            proves(&slots(&q3, hop, false, collective), even(&q3), direct + u64::from(hop));
        }
    }
    // Half as much where all hear of those before them, and with combining no more for several chunks.
    proves(&slots(&q4, 9, true, Collective::scan), even(&q4), 4);
    let chunks = slots(&q3, 9, true, |all| Collective::allreduce(all).in_chunks(2));
    proves(&chunks, even(&q3), 8);
    let combined = Model { combining: true, ..chunks.model() };
    proves(&Problem::new(q3.clone(), chunks.collective().clone(), combined).unwrap(), even(&q3), 4);
    let wormhole = on(&q3, Collective::allreduce(q3.terminals()));
    assert!(matches!(refused(&wormhole, even(&q3)), Refused::NotApplicable { kind: "direct", .. }));
    assert!(matches!(refused(&chunks, even(&q4)), Refused::WeightCount { .. }));
}

/// Links of which one direction is busy in a step, and one port.
fn narrow(nodes: u32, links: &[(u32, u32)]) -> Network {
    let parts = NetworkData {
        name: "narrow".into(),
        nodes,
        channels: links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect(),
        half_duplex: (0..links.len() as u32).map(|l| vec![2 * l, 2 * l + 1]).collect(),
        send_ports: Ports::Each(1),
        receive_ports: Ports::Each(1),
        ..NetworkData::default()
    };
    Network::new(parts).unwrap()
}

#[test]
fn an_odd_number_of_places_is_never_filled() {
    let links: Vec<(u32, u32)> =
        (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]).collect();
    let petersen = narrow(10, &links);
    let alltoall = Collective::alltoall(petersen.terminals(), petersen.terminals());
    let problem = |model| Problem::new(petersen.clone(), alltoall.clone(), model).unwrap();
    let proof = |channel: u64, ports: u64, sets: &[&[u32]], weight: u64| Proof::PortLengths {
        weights: vec![Rational::whole(channel); 30].into(),
        send: vec![Rational::whole(ports); 10],
        receive: vec![Rational { numerator: 2 * ports, denominator: 2 }; 10],
        odd: sets
            .iter()
            .map(|nodes| OddSet { nodes: nodes.iter().copied().map(Node).collect(), weight: Rational::whole(weight) })
            .collect(),
    };
    let single: Vec<[u32; 1]> = (0..10).map(|v| [v]).collect();
    let each: Vec<&[u32]> = single.iter().map(|v| v.as_slice()).collect();
    // A node has three links and two ports, of which four are busy at most. All messages take 150 links, each at two nodes,
    // and 180 ports: 480 over 40. Without the sets there would be 50.
    proves(&problem(Model::wormhole()), proof(2, 1, &each, 1), 12);
    proves(&problem(Model::wormhole()), proof(2, 1, &[], 1), 10);
    proves(&problem(Model::store_and_forward()), proof(2, 1, &each, 1), 15);
    // Three nodes in a row have five links to others and six ports.
    proves(&problem(Model::wormhole()), proof(1, 1, &[&[0, 1, 2]], 1), 10);
    let refuse = |proof| refused(&problem(Model::wormhole()), proof);
    let set = |proof| match refuse(proof) {
        Refused::BadOddSet { set, why } => (set, why),
        other => panic!("{other}"),
    };
    let heavy_channel = "and those before it weigh more than a channel of their borders";
    let heavy_port = "and those before it weigh more than a port of theirs";
    assert_eq!(set(proof(1, 1, &[&[0], &[0, 1]], 1)), (1, heavy_port));
    assert_eq!(set(proof(2, 2, &[&[0], &[2, 3]], 1)), (1, "can be filled: it has an even number of places"));
    assert_eq!(set(proof(1, 2, &[&[0], &[1]], 1)), (1, heavy_channel));
    assert_eq!(set(proof(2, 0, &[&[0]], 1)), (0, heavy_port));
    assert_eq!(set(proof(2, 2, &[&[], &[0]], 1)), (0, "can be filled: it has an even number of places"));
    assert_eq!(refuse(proof(2, 2, &[&[3, 3]], 1)), Refused::NodeTwice { node: Node(3) });
    assert_eq!(refuse(proof(2, 2, &[&[10]], 1)), Refused::NoSuchNode { node: Node(10) });
    assert!(matches!(refused(&problem(Model::tdm()), proof(2, 1, &each, 1)), Refused::NotApplicable { .. }));
}

#[test]
fn ports_count_hop_by_hop_where_every_hop_is_a_transfer() {
    let mut parts = cube(3).data().clone();
    parts.send_ports = Ports::Each(1);
    let network = Network::new(parts).unwrap();
    let alltoall = Collective::alltoall(network.terminals(), network.terminals());
    let problem = |model| Problem::new(network.clone(), alltoall.clone(), model).unwrap();
    let proof = |channel: u64, send: &[u64], receive: &[u64]| Proof::PortLengths {
        weights: vec![Rational::whole(channel); 24].into(),
        send: send.iter().map(|w| Rational::whole(*w)).collect(),
        receive: receive.iter().map(|w| Rational { numerator: *w, denominator: 2 }).collect(),
        odd: vec![],
    };
    // Every node sends one message a step, and 12 hops must leave it; in one transfer each, 7.
    proves(&problem(Model::store_and_forward()), proof(0, &[1; 8], &[]), 12);
    proves(&problem(Model::wormhole()), proof(0, &[1; 8], &[]), 7);
    proves(&problem(Model::tdm()), proof(0, &[1; 8], &[]), 7);
    // 12 hops and 7 transfers a node over 3 channels and a port.
    proves(&problem(Model::wormhole()), proof(1, &[1; 8], &[]), 5);
    // A node receives up to three: 96 hops of 1/2 over 8 × 3/2.
    proves(&problem(Model::store_and_forward()), proof(0, &[], &[1; 8]), 4);
    let refuse = |proof| refused(&problem(Model::wormhole()), proof);
    assert_eq!(refuse(proof(0, &[1; 7], &[])), Refused::PortWeightCount { found: 7, expected: 8 });
    assert_eq!(refuse(proof(0, &[0; 8], &[])), Refused::ZeroWeights);
    let mut bad = vec![Rational::whole(1); 8];
    bad[3].denominator = 0;
    let proof =
        Proof::PortLengths { weights: vec![Rational::whole(1); 24].into(), send: bad, receive: vec![], odd: vec![] };
    assert_eq!(refuse(proof), Refused::BadPortWeight { node: 3 });
}

/// A copy sent in slot s is sent on in slot s + hop + 1 at the earliest: with hop 1, 1, 5, 9 and then 29 hold it.
#[test]
fn growth_under_time_division() {
    let q4 = cube(4);
    for (hop, cyclic, expected) in [(1, true, 3), (1, false, 4), (2, true, 4), (3, true, 4), (3, false, 7)] {
        let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
        let broadcast = Collective::broadcast(Node(0), q4.terminals());
        proves(&Problem::new(q4.clone(), broadcast, model).unwrap(), Proof::Growth, expected);
    }
}

#[test]
fn growth_of_copies_and_of_contributions() {
    for (d, expected) in [(3, 2), (4, 2), (5, 2), (6, 3), (7, 3), (8, 3), (9, 3)] {
        let cube = cube(d);
        proves(&on(&cube, Collective::broadcast(Node(0), cube.terminals())), Proof::Growth, expected);
        proves(&on(&cube, Collective::reduce(Node(0), cube.terminals())), Proof::Growth, expected);
    }
    // The root of a star sends to all at once; a leaf sends to the hub first.
    let channels = (1..8).flat_map(|v| [(0, v), (v, 0)]).collect();
    let star = Network::new(NetworkData { name: "star".into(), nodes: 8, channels, ..NetworkData::default() }).unwrap();
    proves(&on(&star, Collective::broadcast(Node(0), star.terminals())), Proof::Growth, 1);
    proves(&on(&star, Collective::broadcast(Node(3), star.terminals())), Proof::Growth, 2);
}

/// All messages of an origin, or of a receiver, count together, which bounds schedules that combine them.
#[test]
fn growth_of_what_is_combined() {
    let one = |network: Network| {
        let ports = Ports::Each(1);
        Network::new(NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() }).unwrap()
    };
    for d in 1..6 {
        let cube = one(cube(d));
        let t = cube.terminals();
        for collective in [Collective::scatter(t[1], t), Collective::gather(t[1], t), Collective::alltoall(t, t)] {
            let model = Model { combining: true, ..Model::wormhole() };
            proves(&Problem::new(cube.clone(), collective, model).unwrap(), Proof::Growth, u64::from(d));
        }
    }
    // Five messages to one receiver are one thing to tell, but leave one after the other unless they are combined.
    let q3 = one(cube(3));
    let pairs = Collective::pairs("alltoallv", &[(Node(0), Node(7)); 5]);
    proves(&on(&q3, pairs.clone()), Proof::Growth, 5);
    let combining = Model { combining: true, ..Model::wormhole() };
    proves(&Problem::new(q3, pairs, combining).unwrap(), Proof::Growth, 1);
}

#[test]
fn the_last_of_many_messages_leaves_late() {
    let one = Ports::Each(1);
    let q3 = cube(3);
    let q3 = Network::new(NetworkData { send_ports: one.clone(), receive_ports: one, ..q3.data().clone() }).unwrap();
    let all = q3.terminals();
    // The fourth chunk leaves a node in the fourth step at the earliest, and is told to seven others in three.
    for collective in [Collective::broadcast(all[0], all), Collective::reduce(all[0], all), Collective::allreduce(all)]
    {
        proves(&on(&q3, collective.in_chunks(4)), Proof::Growth, 6);
    }
    let stored = |collective: Collective| Problem::new(q3.clone(), collective, Model::store_and_forward()).unwrap();
    let far = Proof::Distance { from: Node(0), to: Node(7) };
    proves(&stored(Collective::allreduce(all).in_chunks(4)), far.clone(), 6);
    proves(&stored(Collective::alltoall(all, all)), far, 3);
}

#[test]
fn distance_needs_store_and_forward() {
    let q3 = cube(3);
    let wormhole = on(&q3, Collective::broadcast(Node(0), q3.terminals()));
    let far = Proof::Distance { from: Node(0), to: Node(7) };
    assert!(matches!(refused(&wormhole, far.clone()), Refused::NotApplicable { .. }));
    let p = Problem::new(q3, wormhole.collective().clone(), Model::store_and_forward()).unwrap();
    proves(&p, far, 3);
    assert!(matches!(refused(&p, Proof::Distance { from: Node(1), to: Node(7) }), Refused::NotApplicable { .. }));
}

#[test]
fn a_late_cut_counts_the_way_to_it_and_behind_it() {
    // A line of four nodes, two channels wide at its end, and a ring.
    let line = NetworkData { nodes: 4, channels: vec![(0, 1), (1, 2), (2, 3), (2, 3)], ..NetworkData::default() };
    let line = Network::new(line).unwrap();
    let stream = |network: &Network, messages| {
        let collective = Collective::broadcast(Node(0), network.terminals()).in_chunks(messages);
        Problem::new(network.clone(), collective, Model::store_and_forward()).unwrap()
    };
    let late = |nodes: std::ops::Range<u32>| Proof::LateCut { nodes: nodes.map(Node).collect() };
    for messages in [1, 2, 7] {
        let p = stream(&line, messages);
        proves(&p, late(0..1), u64::from(messages) + 2);
        proves(&p, late(0..2), u64::from(messages) + 2);
        proves(&p, late(0..3), 2 + u64::from(messages.div_ceil(2)));
        proves(&p, late(0..4), 0);
        proves(&p, late(3..4), 0);
    }
    let ring = NetworkData {
        nodes: 5,
        channels: (0..5).flat_map(|v| [(v, (v + 1) % 5), ((v + 1) % 5, v)]).collect(),
        ..NetworkData::default()
    };
    let ring = Network::new(ring).unwrap();
    // Five messages leave the root two at a time, the last in step 3, and the far side is one hop on.
    proves(&stream(&ring, 5), late(0..1), 4);
    // The channels into node 2 are ready after 1 and 2 steps.
    proves(&stream(&ring, 4), Proof::LateCut { nodes: [0, 1, 3, 4].map(Node).to_vec() }, 4);
    // A port counts.
    let one = Network::new(NetworkData { send_ports: Ports::Each(1), ..ring.data().clone() }).unwrap();
    proves(&stream(&one, 5), late(0..1), 7);
    assert_eq!(
        refused(&stream(&ring, 5), Proof::LateCut { nodes: vec![Node(9)] }),
        Refused::NoSuchNode { node: Node(9) }
    );
}

#[test]
fn nodes_must_exist_once() {
    let q3 = cube(3);
    let p = on(&q3, Collective::broadcast(Node(0), q3.terminals()));
    assert_eq!(refused(&p, Proof::Send { node: Node(8) }), Refused::NoSuchNode { node: Node(8) });
    assert_eq!(refused(&p, Proof::Cut { nodes: vec![Node(1), Node(1)] }), Refused::NodeTwice { node: Node(1) });
}

#[test]
fn words_are_not_certified() {
    let q3 = cube(3);
    let p = on(&q3, Collective::broadcast(Node(0), q3.terminals()));
    assert_eq!(refused(&p, Proof::Argument { text: "trust me".into() }), Refused::Unchecked { kind: "argument" });
}

#[test]
fn a_verdict_joins_floor_and_ceiling_of_one_problem() {
    let q1 = cube(1);
    let p = on(&q1, Collective::broadcast(Node(0), q1.terminals()));
    let claim: Schedule = [vec![(kernel::Message(0), vec![kernel::Channel(0)])]].into_iter().collect();
    let ceiling = verify(&p, claim).unwrap();
    let floor = certify(&p, Certificate { steps: 1, proof: Proof::Growth }).unwrap();
    let verdict = Verdict::new(floor.clone(), ceiling.clone()).unwrap();
    assert_eq!(verdict.to_string(), "broadcast on hypercube:1: 1 step, lower bound 1: optimal");
    let other = on(&q1, Collective::broadcast(Node(1), q1.terminals()));
    let foreign = certify(&other, Certificate { steps: 1, proof: Proof::Growth }).unwrap();
    assert_eq!(Verdict::new(foreign, ceiling).unwrap_err(), VerdictError::DifferentProblems);
}

/// One port a node, store-and-forward.
fn stored_one_port(nodes: u32, links: &[(u32, u32)]) -> Network {
    let channels = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    let one = Ports::Each(1);
    let parts = NetworkData { nodes, channels, send_ports: one.clone(), receive_ports: one, ..NetworkData::default() };
    Network::new(parts).unwrap()
}

#[test]
fn what_passes_a_node_comes_to_it_first() {
    let stored =
        |network: &Network, collective| Problem::new(network.clone(), collective, Model::store_and_forward()).unwrap();
    let at = |node| Proof::Articulation { node: Node(node) };
    // Over two leaves: three passages of each chunk, of which the first needs two transfers.
    let tree = stored_one_port(7, &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]);
    let all = tree.terminals().to_vec();
    proves(&stored(&tree, Collective::allreduce(&all).in_chunks(4)), at(1), 14);
    proves(&stored(&tree, Collective::allreduce(&all)), at(1), 5);
    // Without a leaf the rest stays together, and each chunk passes it once.
    proves(&stored(&tree, Collective::allreduce(&all).in_chunks(4)), at(3), 4);
    // The middle of a line of three: one message each way, one of its own for two.
    let line = stored_one_port(3, &[(0, 1), (1, 2)]);
    let ends = line.terminals().to_vec();
    proves(&stored(&line, Collective::allgather(&ends, &ends)), at(1), 4);
    proves(&stored(&line, Collective::reduce_scatter(&ends, &ends)), at(1), 4);
    proves(&stored(&line, Collective::alltoall(&ends, &ends)), at(1), 4);
    // Only under store-and-forward, and where a transfer carries one message.
    let refuses = |model| {
        let problem = Problem::new(line.clone(), Collective::allgather(&ends, &ends), model).unwrap();
        matches!(refused(&problem, at(1)), Refused::NotApplicable { kind: "articulation", .. })
    };
    assert!(refuses(Model::wormhole()) && refuses(Model::tdm()));
    assert!(refuses(Model { combining: true, ..Model::store_and_forward() }));
    // A short file may ask for very many messages.
    let ring = stored_one_port(5000, &(0..5000).map(|v| (v, (v + 1) % 5000)).collect::<Vec<_>>());
    let many = stored(&ring, Collective::allgather(ring.terminals(), ring.terminals()));
    assert!(matches!(refused(&many, at(0)), Refused::NotApplicable { kind: "articulation", .. }));
    let nowhere = refused(&stored(&line, Collective::allgather(&ends, &ends)), at(3));
    assert!(matches!(nowhere, Refused::NoSuchNode { .. }));
}
