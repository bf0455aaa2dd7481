//! Allgather along translated trees: the steps on small members of all families, and with few ports.

use constructions::{CONSTRUCTIONS, Claim, Construction, Control};
use graph::distances::{Way, hops};
use kernel::{Certificate, Collective, Model, Network, Node, Ports, Problem, Proof, Switching, Verified, verify};
use run::Budget;

fn construction() -> &'static Construction {
    CONSTRUCTIONS.iter().find(|c| c.name == "translated-tree").expect("it is in the registry")
}

fn allgather(network: &Network, model: Model) -> Problem {
    let all = network.terminals();
    Problem::new(network.clone(), Collective::allgather(all, all), model).unwrap()
}

fn made(problem: &Problem) -> Option<Verified> {
    let claim = construction().builder(problem)?.build(problem.network(), &Control::default())?;
    Some(match claim {
        Claim::Orbits(claim) => verify(problem, claim.folded(problem).unwrap()).unwrap(),
        // Orbits have steps, not slots.
        Claim::Plain(schedule) => {
            assert!(problem.model().is_slotted());
            verify(problem, schedule).unwrap()
        }
        Claim::Product(_) => panic!("trees are no products"),
    })
}

/// How far the farthest node is from node 0.
fn diameter(network: &Network) -> usize {
    let distances = hops(network, &[Node(0)], Way::On, |_| true, &mut Budget::unlimited());
    distances.expect("without a limit").into_iter().max().unwrap() as usize
}

/// Small members of every family that it is for.
fn members() -> Vec<String> {
    let mut all = Vec::new();
    for a in 1..10 {
        all.extend((a..10).filter(|b| a * b > 1).map(|b| format!("torus:{a}x{b}")));
        all.extend((2..5).flat_map(|b| (2..5).map(move |c| format!("torus:{}x{b}x{c}", 1 + a % 5))));
    }
    all.extend(["torus:2x40", "torus:3x50", "torus:4x31", "torus:2x2x2x3x3", "torus:7"].map(String::from));
    all.extend((1..10).map(|d| format!("hypercube:{d}")));
    all.extend((3..30).flat_map(|n| [format!("ring:{n}"), format!("ring-uni:{n}"), format!("complete:{n}")]));
    all.extend((2..5).flat_map(|k| (1..4).map(move |n| format!("generalized-hypercube:{k},{n}"))));
    for n in 5..30 {
        all.extend((2..=(n - 1) / 2).map(|a| format!("circulant:{n};±1,±{a}")));
        all.extend((2..n).step_by(3).map(|a| format!("circulant:{n};1,{a}")));
    }
    all.extend((4..14).flat_map(|n| [format!("spidergon:{}", 2 * n), format!("midimew:{}", 3 * n)]));
    all.extend(["circulant:44;±1,±5,±12", "circulant:22;1,4,9", "kring:15;1,4", "multiring:4,13"].map(String::from));
    all
}

#[test]
fn all_channels_are_busy_or_the_farthest_node_is_met() {
    for spec in members() {
        let network = topologies::parse(&spec).expect(&spec);
        let problem = allgather(&network, Model::store_and_forward());
        let degree = network.outgoing(Node(0)).len();
        let steps = (network.node_count() - 1).div_ceil(degree).max(diameter(&network));
        let verified = made(&problem).expect(&spec);
        assert_eq!(verified.steps(), steps, "{spec}");
        let received = Certificate { steps: u64::MAX, proof: Proof::Receive { node: Node(0) } };
        let refused = verified.certify(received).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("proves {} steps", (network.node_count() - 1).div_ceil(degree))),
            "{refused}"
        );
        assert_eq!(made(&allgather(&network, Model::wormhole())).expect(&spec).steps(), steps, "{spec}");
        if network.node_count() <= 64 {
            let written = verified.expanded().unwrap().into_owned();
            assert_eq!(verify(&problem, written).expect(&spec).steps(), steps, "{spec}");
        }
    }
}

/// Steps that are rotations of words keep their promise, with few ports as well.
#[test]
fn hypercubes_take_a_step_for_the_rotations_of_a_word() {
    let necklaces = CONSTRUCTIONS.iter().find(|c| c.name == "necklace-tree").expect("it is in the registry");
    for d in 1u32..=14 {
        let network = topologies::parse(&format!("hypercube:{d}")).unwrap();
        let one_port = topologies::change::with_ports(&network, Ports::Each(1)).unwrap();
        let all_ports = ((1u64 << d) - 1).div_ceil(d.into());
        for (network, steps) in [(network, all_ports), (one_port, (1 << d) - 1)] {
            let problem = allgather(&network, Model::store_and_forward());
            let builder = necklaces.builder(&problem).unwrap();
            let claim = builder.build(problem.network(), &Control::default()).unwrap().orbits().unwrap();
            let verified = verify(&problem, claim.folded(&problem).unwrap()).unwrap();
            assert_eq!(verified.steps() as u64, steps, "{d}");
            assert!(builder.promise().is_none_or(|promise| promise == steps));
        }
    }
}

/// Of a link one direction is used in a step, so half as many nodes come in; where a translation turns a link round, it cannot be used.
#[test]
fn half_duplex_links_are_busy_one_way() {
    let mut met = 0;
    let few = ["uni", "multiring", ";"];
    for spec in members().into_iter().filter(|spec| !few.iter().any(|one| spec.contains(one))) {
        let network = topologies::parse(&spec).expect(&spec);
        if network.node_count() > 130 {
            continue;
        }
        let halves = topologies::change::half_duplex(&network).expect(&spec);
        let problem = allgather(&halves, Model::store_and_forward());
        let even = ["spidergon", "complete", "hypercube", "generalized-hypercube:4"];
        let is_turned = spec.contains('2') || even.iter().any(|family| spec.starts_with(family));
        let Some(verified) = made(&problem) else {
            assert!(is_turned, "{spec}");
            continue;
        };
        let degree = network.outgoing(Node(0)).len();
        let floor = (2 * (network.node_count() - 1)).div_ceil(degree);
        let proof = Proof::ReceiveAll { nodes: halves.nodes().collect() };
        let certified = verified.certify(Certificate { steps: floor as u64, proof }).expect(&spec);
        assert_eq!(certified.steps(), floor as u64, "{spec}");
        if !is_turned || spec.starts_with("hypercube") {
            assert_eq!(verified.steps(), floor.max(diameter(&network)), "{spec}");
            met += 1;
        }
    }
    assert!(met > 60, "{met}");
    for (spec, steps) in
        [("hypercube:6", 21), ("hypercube:8", 64), ("torus:8x8", 32), ("torus:5x7", 17), ("torus:20x30", 300)]
    {
        let network = topologies::change::half_duplex(&topologies::parse(spec).unwrap()).unwrap();
        assert_eq!(made(&allgather(&network, Model::wormhole())).expect(spec).steps(), steps, "{spec}");
    }
}

/// Under time-division a message is sent on some slots after it was received: with one port a slot a message all the same, and with
/// all ports that many slots more than steps, unless the farthest node is too far.
#[test]
fn slots_are_busy_under_time_division() {
    let members = members().into_iter().filter(|spec| !spec.contains(';') && !spec.starts_with("multiring"));
    for spec in members.chain(["star:4", "pancake:4", "ccc:3"].map(String::from)) {
        let whole = topologies::parse(&spec).expect(&spec);
        let count = whole.node_count();
        if count > 70 {
            continue;
        }
        let far = diameter(&whole);
        let all_ports = (count - 1).div_ceil(whole.outgoing(Node(0)).len());
        for (ports, hop, cyclic) in
            [(Ports::All, 1, true), (Ports::All, 3, false), (Ports::Each(1), 1, true), (Ports::Each(1), 2, false)]
        {
            let network = topologies::change::with_ports(&whole, ports.clone()).unwrap();
            let problem = allgather(&network, Model { switching: Switching::Tdm { hop, cyclic }, combining: false });
            let (hop, steps) = (hop as usize, made(&problem).expect(&spec).steps());
            let after = if cyclic { 0 } else { hop };
            let farthest = far + (far - 1) * hop;
            let idle = if all_ports > 1 { hop } else { 0 };
            let all_busy = if ports == Ports::All { all_ports + idle } else { count - 1 };
            assert!(steps >= farthest.max(all_ports) + after, "{spec}");
            if ports != Ports::All && hop == 1 && whole.outgoing(Node(0)).len() > 1 || all_busy > 3 * farthest {
                assert_eq!(steps, all_busy + after, "{spec}");
            }
        }
    }
    for (spec, steps) in [("torus:12x12", 37), ("torus:16x16", 65), ("hypercube:8", 33)] {
        let problem = allgather(&topologies::parse(spec).unwrap(), Model::tdm());
        assert_eq!(made(&problem).expect(spec).steps(), steps, "{spec}");
    }
}

#[test]
fn few_ports_take_a_step_for_as_many_nodes() {
    for (spec, ports, steps) in [("torus:5x5", 1, 24), ("hypercube:6", 1, 63), ("ring:7", 1, 6)] {
        let network = topologies::change::with_ports(&topologies::parse(spec).unwrap(), Ports::Each(ports)).unwrap();
        assert_eq!(made(&allgather(&network, Model::store_and_forward())).expect(spec).steps(), steps, "{spec}");
    }
}

#[test]
fn large_networks_take_the_room_of_their_nodes() {
    for (spec, steps) in [("torus:40x50", 500), ("hypercube:12", 342), ("torus:12x12x12", 288), ("complete:700", 1)] {
        let network = topologies::parse(spec).unwrap();
        assert_eq!(made(&allgather(&network, Model::store_and_forward())).expect(spec).steps(), steps, "{spec}");
    }
}

#[test]
fn others_are_declined() {
    let torus = topologies::parse("torus:4x4").unwrap();
    let builds = |problem: &Problem| construction().builder(problem).is_some();
    assert!(builds(&allgather(&torus, Model::wormhole())));
    let slow = Model { switching: Switching::Tdm { hop: 1 << 20, cyclic: true }, combining: false };
    assert!(!builds(&allgather(&torus, slow)));
    let star = topologies::parse("star:7").unwrap();
    assert!(builds(&allgather(&torus, Model::tdm())) && builds(&allgather(&star, Model::tdm())));
    assert!(!builds(&allgather(&topologies::parse("torus:100x100").unwrap(), Model::tdm())));
    assert!(!builds(&allgather(&torus, Model { combining: true, ..Model::wormhole() })));
    assert!(!builds(&allgather(&topologies::parse("mesh:4x4").unwrap(), Model::wormhole())));
    let all = torus.terminals();
    let others = [
        Collective::alltoall(all, all),
        Collective::allgather(all, &all[1..]),
        Collective::allgather(all, all).in_chunks(2),
    ];
    for collective in others {
        assert!(!builds(&Problem::new(torus.clone(), collective, Model::wormhole()).unwrap()));
    }
    let mut parts = topologies::change::half_duplex(&torus).unwrap().data().clone();
    assert!(builds(&allgather(&Network::new(parts.clone()).unwrap(), Model::wormhole())));
    let strange = [&parts.half_duplex[0][..], &parts.half_duplex[1][..]].concat();
    parts.half_duplex = vec![strange];
    assert!(!builds(&allgather(&Network::new(parts).unwrap(), Model::wormhole())));
}

/// Groups that are not abelian: all trees are written down, with few ports as well.
#[test]
fn any_group_will_do() {
    for spec in ["ccc:3", "ccc:4", "ccc:5", "star:3", "star:4", "star:5", "pancake:3", "pancake:4", "pancake:5"] {
        let network = topologies::parse(spec).expect(spec);
        let degree = network.outgoing(Node(0)).len();
        let others = network.node_count() - 1;
        let steps_of = |network: &Network, model| {
            let problem = allgather(network, model);
            let claim = construction().builder(&problem).expect(spec).build(network, &Control::default()).expect(spec);
            verify(&problem, claim.plain().expect("written down")).expect(spec).steps()
        };
        for model in [Model::store_and_forward(), Model::wormhole()] {
            assert_eq!(steps_of(&network, model), others.div_ceil(degree).max(diameter(&network)), "{spec}");
        }
        let few = topologies::change::with_ports(&network, Ports::Each(1)).expect(spec);
        assert_eq!(steps_of(&few, Model::store_and_forward()), others, "{spec}");
    }
}
