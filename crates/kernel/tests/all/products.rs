//! Messages for all pairs of two lists are kept as the lists: what is found by arithmetic is what a list of them says.

use kernel::{
    Certificate, Collective, CollectiveError, Message, Model, Network, NetworkData, Node, Problem, ProblemError, Proof,
    Refused, Schedule, Semantics, Violation, certify, verify,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The pairs of alltoall, in the order of the messages.
fn pairs(senders: &BTreeSet<u32>, receivers: &BTreeSet<u32>, chunks: u32) -> Vec<(Node, Node)> {
    let all = senders.iter().flat_map(|&from| receivers.iter().map(move |&to| (Node(from), Node(to))));
    all.filter(|(from, to)| from != to).flat_map(|pair| (0..chunks).map(move |_| pair)).collect()
}

fn nodes(set: &BTreeSet<u32>) -> Vec<Node> {
    set.iter().map(|v| Node(*v)).collect()
}

fn ends(collective: &Collective) -> Vec<(Node, Node)> {
    let single = |m| {
        let (&[from], &[to]) = (collective.contributors(m), collective.destinations(m)) else { panic!("several") };
        assert_eq!(collective.origin(m), from);
        (from, to)
    };
    collective.messages().map(single).collect()
}

/// A network of which some ordered pairs of nodes have a channel, and some nodes are switches.
fn network(count: u32, channels: &[(u32, u32)], switches: &BTreeSet<u32>) -> Network {
    let channels = channels.iter().map(|&(a, b)| (a % count, b % count)).filter(|(a, b)| a != b).collect();
    let terminals = (0..count).filter(|v| *v == 0 || !switches.contains(v)).collect();
    Network::new(NetworkData { nodes: count, channels, terminals: Some(terminals), ..NetworkData::default() }).unwrap()
}

/// The problem of a list of pairs that is no product, since it says one of its pairs twice.
fn doubled(network: &Network, pairs: &[(Node, Node)], model: Model) -> Result<Problem, ProblemError> {
    let twice: Vec<_> = pairs.iter().chain(pairs.last()).copied().collect();
    Problem::new(network.clone(), Collective::pairs("alltoall", &twice), model)
}

proptest! {
    #[test]
    fn products_are_lists(
        senders in prop::collection::btree_set(0u32..9, 0..9),
        receivers in prop::collection::btree_set(0u32..9, 0..9),
        same in any::<bool>(),
        chunks in 1u32..4,
        swapped in any::<bool>(),
        strange in any::<prop::sample::Index>(),
    ) {
        let receivers = if same { senders.clone() } else { receivers };
        let mut expected = pairs(&senders, &receivers, chunks);
        let mut product = Collective::alltoall(&nodes(&senders), &nodes(&receivers)).in_chunks(chunks);
        let mut listed = Collective::pairs("alltoall", &expected);
        if swapped {
            (product, listed) = (product.reversed().unwrap(), listed.reversed().unwrap());
            expected.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
            prop_assert_eq!(product.reversed().unwrap().in_chunks(1), listed.reversed().unwrap().known_in_chunks(chunks).unwrap());
        }
        prop_assert_eq!(ends(&product), expected.clone());
        prop_assert_eq!(ends(&listed), expected.clone());
        prop_assert_eq!(product.message_count(), expected.len());
        let lists = product.all_pairs().unwrap();
        let set = |list: &[Node]| list.iter().map(|v| v.0).collect();
        let (mut said, mut sorted) = (pairs(&set(lists.senders), &set(lists.receivers), lists.repeats), expected.clone());
        said.sort_unstable();
        sorted.sort_unstable();
        prop_assert_eq!(said, sorted);
        let again = listed.known_in_chunks(chunks).unwrap();
        prop_assert_eq!(&again, &product);
        prop_assert_eq!(&Collective::pairs("alltoall", &expected).known_in_chunks(chunks).unwrap(), &product);
        prop_assert!(listed.known_in_chunks(chunks + 1).is_err() || expected.is_empty());
        // One message more, less or elsewhere, and it is another collective.
        if !expected.is_empty() {
            let at = strange.index(expected.len());
            let mut less = expected.clone();
            less.remove(at);
            let mut more = expected.clone();
            more.insert(at, (Node(10), Node(11)));
            for others in [less, more] {
                let other = Collective::pairs("alltoall", &others);
                prop_assert_eq!(ends(&other), others);
                prop_assert_ne!(&other, &listed);
            }
            let mut rotated = expected.clone();
            rotated.rotate_left(at);
            let other = Collective::pairs("alltoall", &rotated);
            prop_assert_eq!(other == listed, rotated == expected);
            prop_assert_eq!(listed == other, rotated == expected);
        }
    }

    /// Problems of products and of lists are refused for the same reason, and count the same at every node.
    #[test]
    fn problems_of_products(
        count in 2u32..9,
        channels in prop::collection::vec((0u32..9, 0u32..9), 0..40),
        switches in prop::collection::btree_set(0u32..9, 0..3),
        senders in prop::collection::btree_set(0u32..10, 1..5),
        receivers in prop::collection::btree_set(0u32..10, 1..5),
        inside in prop::collection::btree_set(0u32..9, 0..5),
        hops in any::<bool>(),
    ) {
        let network = network(count, &channels, &switches);
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let pairs = pairs(&senders, &receivers, 1);
        let product = Problem::new(network.clone(), Collective::alltoall(&nodes(&senders), &nodes(&receivers)), model);
        let list = doubled(&network, &pairs, model);
        prop_assert_eq!(product.as_ref().err(), list.as_ref().err());
        let (Ok(product), Ok(_)) = (product, list) else { return Ok(()) };
        for node in network.nodes() {
            prop_assert_eq!(product.must_send(node), pairs.iter().filter(|(from, _)| *from == node).count() as u64);
            prop_assert_eq!(product.must_receive(node), pairs.iter().filter(|(_, to)| *to == node).count() as u64);
        }
        let nodes: Vec<Node> = inside.iter().map(|v| Node(*v)).filter(|v| v.0 < count).collect();
        let leave = pairs.iter().filter(|(from, to)| nodes.contains(from) && !nodes.contains(to)).count() as u64;
        let crossing = network.channels().filter(|c| nodes.contains(&network.from(*c)) && !nodes.contains(&network.to(*c)));
        let proves = match network.capacity_of(crossing) {
            0 => leave,
            capacity => leave.div_ceil(capacity),
        };
        let claim = |steps| Certificate { steps, proof: Proof::Cut { nodes: nodes.clone() } };
        prop_assert!(certify(&product, claim(proves)).is_ok());
        let weak = Refused::TooWeak { claims: proves + 1, proves };
        prop_assert_eq!(certify(&product, claim(proves + 1)).unwrap_err(), weak);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Everybody's messages for everybody else are found by a division that is exact for every number of nodes and every message,
    /// also where there are more of them than numbers.
    #[test]
    fn ends_are_a_quotient_and_a_remainder(
        nodes in prop_oneof![2u32..10, (0u32..16).prop_map(|more| 65_530 + more), 2u32..200_000],
        number in any::<u32>(),
        near in 0u32..3,
    ) {
        let all: Vec<Node> = (0..nodes).map(Node).collect();
        let collective = Collective::alltoall(&all, &all);
        let row = nodes - 1;
        let last = u32::try_from(collective.message_count() - 1).unwrap_or(u32::MAX);
        let number = if last == u32::MAX { number } else { number % (last + 1) };
        let multiple = (number / row * row).saturating_sub(1).saturating_add(near);
        for message in [number, multiple.min(last), near.min(last), last - near.min(last)] {
            let (from, column) = (message / row, message % row);
            let to = column + u32::from(column >= from);
            let ends = (collective.origin(Message(message)), collective.destinations(Message(message)));
            prop_assert_eq!(ends, (Node(from), &[Node(to)][..]), "{} of {}", message, nodes);
        }
    }
}

#[test]
fn a_sender_that_does_not_reach_all() {
    // 0 and 1 each reach the switch 2, and it reaches 3 and 4; nothing leads back, so no terminal reaches all others.
    let channels = vec![(0, 2), (1, 2), (2, 3), (2, 4)];
    let fans = |channels| {
        let terminals = Some(vec![0, 1, 3, 4]);
        Network::new(NetworkData { nodes: 5, channels, terminals, ..NetworkData::default() }).unwrap()
    };
    let alltoall = Collective::alltoall(&[Node(0), Node(1)], &[Node(3), Node(4)]);
    let problem = Problem::new(fans(channels.clone()), alltoall.clone(), Model::wormhole());
    assert_eq!(problem.unwrap().must_receive(Node(4)), 2);
    let broken = fans(channels[..3].to_vec());
    let unreachable = ProblemError::Unreachable { message: Message(1), from: Node(0), to: Node(4) };
    assert_eq!(Problem::new(broken, alltoall, Model::wormhole()).unwrap_err(), unreachable);
}

/// A ring with more pairs of nodes than messages can be numbered.
fn unnumbered() -> Problem {
    let n = 1 << 17;
    let channels = (0..n).flat_map(|v| [(v, (v + 1) % n), ((v + 1) % n, v)]).collect();
    let network = Network::new(NetworkData { nodes: n, channels, ..NetworkData::default() }).unwrap();
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

#[test]
fn messages_beyond_numbers() {
    let problem = unnumbered();
    let (n, collective) = (1u64 << 17, problem.collective());
    assert!(!collective.is_numbered());
    assert_eq!(collective.message_count() as u64, n * (n - 1));
    assert_eq!((problem.must_send(Node(5)), problem.must_receive(Node(7))), (n - 1, n - 1));
    assert_eq!(problem.clone(), unnumbered());
    assert_ne!(*collective, collective.in_chunks(2));
    assert_eq!(collective.in_chunks(2).in_chunks(3), collective.in_chunks(6));
    assert_eq!(collective.in_chunks(u32::MAX).message_count(), usize::MAX);
    assert_eq!(collective.known_in_chunks(2).unwrap_err(), CollectiveError::Chunks { message: 1, chunks: 2 });
    assert_eq!(collective.semantics(), Semantics::Copy);
    let back = problem.reversed().unwrap();
    assert_eq!(back.collective().reversed().unwrap(), *collective);
    assert_eq!(
        (back.collective().origin(Message(0)), back.collective().destinations(Message(0))),
        (Node(1), &[Node(0)][..])
    );
    assert_eq!(problem.must_send(Node(0)), back.must_receive(Node(0)));
    let unnumbered = Violation::Unnumbered { messages: collective.message_count() };
    assert_eq!(verify(&problem, Schedule::new()).unwrap_err().violations(), [unnumbered]);
    let cut = Proof::Cut { nodes: (0..1 << 16).map(Node).collect() };
    assert_eq!(certify(&problem, Certificate { steps: 1 << 30, proof: cut }).unwrap().steps(), 1 << 30);
    assert!(certify(&problem, Certificate { steps: 1 << 16, proof: Proof::Send { node: Node(3) } }).is_ok());
    let why = "the messages are too many to be numbered";
    let refused = certify(&problem, Certificate { steps: 1, proof: Proof::Growth }).unwrap_err();
    assert_eq!(refused, Refused::NotApplicable { kind: "growth", why });
}

#[test]
fn wrong_ends_beyond_numbers() {
    let ring = unnumbered();
    let all = ring.network().terminals();
    let senders: Vec<Node> = (0..=1 << 17).map(Node).collect();
    let nodes = 1 << 17;
    // The sender that does not exist is the last, so its messages are beyond numbers.
    let collective = Collective::alltoall(&senders, all);
    let last = ProblemError::NoSuchNode { message: Message(u32::MAX), node: Node(1 << 17), nodes };
    assert_eq!(Problem::new(ring.network().clone(), collective, Model::wormhole()).unwrap_err(), last);
    let collective = Collective::alltoall(all, &senders);
    let first = ProblemError::NoSuchNode { message: Message((1 << 17) - 1), node: Node(1 << 17), nodes };
    assert_eq!(Problem::new(ring.network().clone(), collective, Model::wormhole()).unwrap_err(), first);
}
