//! What messages for several nodes, and chunks, cost at least by weighted distances: lightest trees, and bounds of them.

use super::certificates::{cube, on, proves, refused};
use kernel::{
    Certificate, Collective, Model, Network, NetworkData, Node, OddSet, Ports, Problem, Proof, Rational, Refused,
    certify,
};
use proptest::prelude::*;

#[test]
fn lightest_trees_are_counted() {
    let ones = |n| Proof::Lengths { weights: vec![Rational::whole(1); n].into() };
    let ring = NetworkData { nodes: 4, channels: vec![(0, 1), (1, 2), (2, 3), (3, 0)], ..NetworkData::default() };
    let ring = Network::new(ring).unwrap();
    let all = ring.terminals();
    // Three transfers a message; a chunk of all for all takes six, and one for some as many as it has ends besides the first to know.
    proves(&on(&ring, Collective::allgather(all, all)), ones(4), 3);
    proves(&on(&ring, Collective::reduce_scatter(all, all)), ones(4), 3);
    proves(&on(&ring, Collective::allreduce(all).in_chunks(8)), ones(4), 12);
    proves(&on(&ring, Collective::allreduce(&all[..2]).in_chunks(8)), ones(4), 4);
    // A message for 2 and 3 alone passes 1 on its way from 0, or comes by it: three channels, where the ways into 2 and 3 are two.
    let line = NetworkData {
        nodes: 4,
        channels: vec![(0, 1), (1, 2), (2, 3), (1, 0), (2, 1), (3, 2)],
        ..NetworkData::default()
    };
    let line = Network::new(line).unwrap();
    let some = Collective::broadcast(line.terminals()[0], &line.terminals()[2..]).in_chunks(6);
    proves(&on(&line, some), ones(6), 3);
    // Nothing but the channel from 3 to 0 counts: every message of 1, 2 and 3 crosses it, and so does every result.
    let last = Proof::Lengths { weights: [0, 0, 0, 1].map(Rational::whole).to_vec().into() };
    proves(&on(&ring, Collective::allgather(all, all)), last.clone(), 3);
    proves(&on(&ring, Collective::allreduce(all)), last, 1);
    // With one port each, what hears of leaves of a star must send.
    let star = NetworkData {
        nodes: 4,
        channels: vec![(0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)],
        send_ports: Ports::Each(1),
        receive_ports: Ports::Each(1),
        ..NetworkData::default()
    };
    let star = Network::new(star).unwrap();
    let port = [1, 0, 0, 0].map(Rational::whole).to_vec();
    let hub = Proof::PortLengths {
        weights: vec![Rational::whole(0); 6].into(),
        send: port,
        receive: Vec::new(),
        odd: Vec::new(),
    };
    let stored = |collective| Problem::new(star.clone(), collective, Model::store_and_forward()).unwrap();
    proves(&stored(Collective::allgather(star.terminals(), star.terminals())), hub, 9);
    let combining = Model { combining: true, ..Model::wormhole() };
    let combined = Problem::new(ring.clone(), Collective::allgather(all, all), combining).unwrap();
    assert!(matches!(refused(&combined, ones(4)), Refused::NotApplicable { .. }));
    let Proof::Lengths { weights } = ones(4) else { unreachable!() };
    let odd = vec![OddSet { nodes: vec![Node(0)], weight: Rational::whole(1) }];
    let odd = Proof::PortLengths { weights, send: Vec::new(), receive: Vec::new(), odd };
    assert!(matches!(refused(&on(&ring, Collective::allgather(all, all)), odd), Refused::NotApplicable { .. }));
    let large = cube(7);
    // Of many terminals transfers are counted without looking for trees: 254 a chunk, of 896 a step.
    let chunks = on(&large, Collective::allreduce(large.terminals()).in_chunks(128));
    proves(&chunks, ones(large.channel_count()), 37);
}

/// The weight of the lightest tree from a root, by all choices of a way into every other node.
fn lightest_tree(count: usize, root: usize, cost: &dyn Fn(usize, usize) -> u64) -> u64 {
    let choices = count.pow(count as u32);
    let weight = |choice: usize| {
        let before: Vec<usize> = (0..count).map(|v| choice / count.pow(v as u32) % count).collect();
        let mut total = 0;
        for v in (0..count).filter(|v| *v != root) {
            let mut at = v;
            (0..count).for_each(|_| at = if at == root { root } else { before[at] });
            if at != root || before[v] == v {
                return None;
            }
            total += cost(before[v], v);
        }
        Some(total)
    };
    (0..choices).filter_map(weight).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    /// A message for some nodes of a complete network costs no more than the lightest tree by way of any others, and no less than the ways into each.
    #[test]
    fn trees_to_some_are_bounded(count in 4usize..6, fewer in 1usize..3, weights in prop::collection::vec(0u64..9, 20)) {
        let ends: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
        let channels = ends.iter().map(|(a, b)| (*a as u32, *b as u32)).collect();
        let network = Network::new(NetworkData { nodes: count as u32, channels, ..NetworkData::default() }).unwrap();
        let weights = &weights[..ends.len()];
        let total: u64 = weights.iter().sum();
        prop_assume!(total > 0);
        let cost = |a: usize, b: usize| weights[ends.iter().position(|e| *e == (a, b)).unwrap()];
        // For the last nodes, by way of those before them.
        let first = count - (count - 1 - fewer).max(2);
        let all = network.terminals();
        let turned = |a: usize, b: usize| cost(b, a);
        let both: [(_, &dyn Fn(usize, usize) -> u64); 2] = [
            (Collective::broadcast(all[0], &all[first..]), &cost),
            (Collective::reduce(all[0], &all[first..]), &turned),
        ];
        for (collective, cost) in both {
            let of_set = |set: usize| {
                let relays = (1..first).filter(|v| set >> v & 1 == 1);
                let nodes: Vec<usize> = std::iter::once(0).chain(relays).chain(first..count).collect();
                lightest_tree(nodes.len(), 0, &|a, b| cost(nodes[a], nodes[b]))
            };
            let most = (0..1 << first).map(of_set).min().unwrap();
            let into = |v: usize| (0..count).filter(|u| *u != v).map(|u| cost(u, v)).min().unwrap();
            let least: u64 = (first..count).map(into).sum();
            let collective = collective.in_chunks(total as u32);
            let stored = Problem::new(network.clone(), collective, Model::store_and_forward()).unwrap();
            let proof = Proof::Lengths { weights: weights.iter().map(|w| Rational::whole(*w)).collect::<Vec<_>>().into() };
            let why = certify(&stored, Certificate { steps: most + 1, proof }).unwrap_err();
            let Refused::TooWeak { proves, .. } = why else { panic!("{why:?}") };
            prop_assert!(least <= proves && proves <= most, "{least} {proves} {most}");
        }
    }

    /// Under store-and-forward every way between two nodes of a complete network is its channel.
    #[test]
    fn trees_are_the_lightest(count in 2usize..5, root in 0usize..5, weights in prop::collection::vec(1u64..9, 12)) {
        let root = root % count;
        let ends: Vec<(usize, usize)> =
            (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
        let channels = ends.iter().map(|(a, b)| (*a as u32, *b as u32)).collect();
        let network = Network::new(NetworkData { nodes: count as u32, channels, ..NetworkData::default() }).unwrap();
        let all = network.terminals();
        let weights = &weights[..ends.len()];
        let cost = |a: usize, b: usize| weights[ends.iter().position(|e| *e == (a, b)).unwrap()];
        let turned = |a: usize, b: usize| cost(b, a);
        let total: u64 = weights.iter().sum();
        let proof = Proof::Lengths { weights: weights.iter().map(|w| Rational::whole(*w)).collect::<Vec<_>>().into() };
        let into = |v: usize| (0..count).filter(|u| *u != v).map(|u| cost(u, v)).min().unwrap();
        let first = |v: usize| lightest_tree(count, v, &turned) + (0..count).filter(|w| *w != v).map(into).sum::<u64>();
        for (collective, weight) in [
            (Collective::broadcast(all[root], all), lightest_tree(count, root, &cost)),
            (Collective::reduce(all[root], all), lightest_tree(count, root, &turned)),
            (Collective::allreduce(all), (0..count).map(first).min().unwrap()),
        ] {
            // So many chunks that nothing is lost by rounding up.
            let stored = Problem::new(network.clone(), collective.in_chunks(total as u32), Model::store_and_forward()).unwrap();
            let claim = certify(&stored, Certificate { steps: weight, proof: proof.clone() });
            prop_assert!(claim.is_ok());
            let more = certify(&stored, Certificate { steps: weight + 1, proof: proof.clone() });
            prop_assert_eq!(more.unwrap_err(), Refused::TooWeak { claims: weight + 1, proves: weight });
        }
    }
}
