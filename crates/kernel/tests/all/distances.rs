//! Certificates of kinds `lengths` and `distance`: the cheapest way, over nodes that messages get past.

use crate::certificates::{proves, refused};
use kernel::{
    Certificate, Collective, Model, Network, NetworkData, Node, OddSet, Ports, Problem, Proof, Quotient, Rational,
    Refused, certify,
};

fn one(parts: &NetworkData, from: u32, to: u32, model: Model) -> Problem {
    let network = Network::new(parts.clone()).unwrap();
    Problem::new(network, Collective::pairs("pair", &[(Node(from), Node(to))]), model).unwrap()
}

fn lengths(weights: &[u64]) -> Proof {
    Proof::Lengths { weights: weights.iter().map(|w| Rational::whole(*w)).collect() }
}

/// Work and capacity of a step.
fn quotient(problem: &Problem, proof: Proof) -> (u128, u128) {
    let Quotient { work, rate } = certify(problem, Certificate { steps: 1, proof }).unwrap().quotient().unwrap();
    (work, rate)
}

#[test]
fn weights_that_differ_are_added_up() {
    let channels = vec![(0, 1), (1, 2), (2, 3), (0, 2), (3, 2)];
    let parts = NetworkData { nodes: 4, channels, ..NetworkData::default() };
    let ways = |to| one(&parts, 0, to, Model::wormhole());
    assert_eq!(quotient(&ways(1), lengths(&[1, 2, 3, 9, 5])), (1, 20));
    // The first way that is found is not the cheapest, and then it is.
    assert_eq!(quotient(&ways(2), lengths(&[1, 2, 3, 9, 5])), (3, 20));
    assert_eq!(quotient(&ways(2), lengths(&[1, 2, 3, 2, 5])), (2, 13));
    assert_eq!(quotient(&ways(3), lengths(&[4, 4, 3, 9, 5])), (11, 25));
    // A circle that weighs nothing is gone round no more than once.
    assert_eq!(quotient(&ways(3), lengths(&[1, 2, 0, 4, 0])), (3, 7));
    assert_eq!(quotient(&ways(3), lengths(&[2, 2, 0, 2, 0])), (1, 3));
}

#[test]
fn nothing_gets_past_a_switch_hop_by_hop() {
    // From node 0 to node 1 over the switch 2, or over the terminals 3 and 4.
    let channels = vec![(0, 2), (2, 1), (0, 3), (3, 4), (4, 1)];
    let parts = NetworkData { nodes: 5, channels, terminals: Some(vec![0, 1, 3, 4]), ..NetworkData::default() };
    let (through, round) = (one(&parts, 0, 1, Model::wormhole()), one(&parts, 0, 1, Model::store_and_forward()));
    assert_eq!(quotient(&through, lengths(&[1; 5])), (2, 5));
    assert_eq!(quotient(&round, lengths(&[1; 5])), (3, 5));
    assert_eq!(quotient(&through, lengths(&[1, 2, 3, 4, 5])), (3, 15));
    assert_eq!(quotient(&round, lengths(&[1, 2, 3, 4, 5])), (12, 15));
    proves(&round, Proof::Distance { from: Node(0), to: Node(1) }, 3);
    let ports = |channel: u64| Proof::PortLengths {
        weights: vec![Rational::whole(channel); 5].into(),
        send: vec![Rational::whole(1); 5],
        receive: vec![],
        odd: vec![],
    };
    // Five channels, each at a port; three hops, each from a port, or two from one.
    assert_eq!(quotient(&round, ports(1)), (6, 10));
    assert_eq!(quotient(&through, ports(1)), (3, 10));
}

#[test]
fn ports_that_weigh_nothing_carry_nothing() {
    let parts =
        NetworkData { nodes: 3, channels: vec![(0, 1), (1, 2)], send_ports: Ports::Each(1), ..NetworkData::default() };
    let with = |send: Vec<u64>| Proof::PortLengths {
        weights: vec![Rational::whole(2); 2].into(),
        send: send.into_iter().map(Rational::whole).collect(),
        receive: vec![],
        odd: vec![],
    };
    let problem = one(&parts, 0, 2, Model::wormhole());
    assert_eq!(quotient(&problem, with(vec![1, 0, 0])), (5, 5));
    assert_eq!(quotient(&problem, with(vec![0, 0, 7])), (4, 4));
    let zero = Proof::Lengths { weights: vec![Rational::whole(0); 2].into() };
    assert_eq!(refused(&problem, zero), Refused::ZeroWeights);
}

#[test]
fn weights_as_fine_as_their_numbers_allow() {
    let parts = NetworkData { nodes: 3, channels: vec![(0, 1), (1, 2)], ..NetworkData::default() };
    let problem = one(&parts, 0, 2, Model::wormhole());
    let fine = |numerator| Rational { numerator, denominator: 1 << 60 };
    let weights = vec![fine(1), fine(3)].into();
    assert_eq!(quotient(&problem, Proof::Lengths { weights }), (4, 4));
}

#[test]
fn the_weight_that_is_bad_is_named() {
    let parts = NetworkData { nodes: 4, channels: vec![(0, 1), (1, 2), (2, 3)], ..NetworkData::default() };
    let problem = one(&parts, 0, 3, Model::wormhole());
    let bad = Rational { numerator: 1, denominator: 0 };
    let weights = vec![Rational::whole(1), Rational::whole(2), bad].into();
    assert_eq!(refused(&problem, Proof::Lengths { weights }), Refused::BadWeight { channel: 2 });
    let odd = vec![OddSet { nodes: vec![Node(1)], weight: bad }];
    let weights = vec![Rational::whole(1); 3].into();
    let set = refused(&problem, Proof::PortLengths { weights, send: vec![], receive: vec![], odd });
    assert!(matches!(set, Refused::BadOddSet { set: 0, .. }), "{set}");
    // In the common unit a weight has fewer than 81 bits.
    let apart = |numerator| {
        let small = Rational { numerator: 1, denominator: 1 << 40 };
        Proof::Lengths { weights: vec![small, Rational::whole(numerator), small].into() }
    };
    assert_eq!(refused(&problem, apart(1 << 40)), Refused::BadWeight { channel: 1 });
    assert!(certify(&problem, Certificate { steps: 1, proof: apart((1 << 40) - 1) }).is_ok());
}
