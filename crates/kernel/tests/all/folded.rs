//! Schedules stored as orbits, by numbers: what a claim counts, and what its symmetry moves.

use kernel::orbits::{Generator, OrbitProblem, OrbitSchedule, Translations, certify_orbits, verify_orbits};
use kernel::{
    Certificate, Channel, Claim, Collective, Message, Model, Network, NetworkData, Node, Problem, Proof, Rational,
    Schedule, Violation,
};

/// A ring with channels both ways, 2v from node v to the next and 2v + 1 back, of which one is busy in a step, and its
/// rotation.
fn ring(n: u32) -> (Network, Translations) {
    let parts = NetworkData {
        nodes: n,
        channels: (0..n).flat_map(|v| [(v, (v + 1) % n), ((v + 1) % n, v)]).collect(),
        half_duplex: (0..n).map(|v| vec![2 * v, 2 * v + 1]).collect(),
        ..NetworkData::default()
    };
    let network = Network::new(parts).unwrap();
    let rotation = Generator::of_nodes(&network, n, (0..n).map(|v| (v + 1) % n).collect()).unwrap();
    let translations = Translations::new(&network, vec![rotation]).unwrap();
    (network, translations)
}

/// The message from node 0 to node 1 in the first of three steps and that to node 2 in another, and a step on a node on.
fn in_turn(step: usize) -> (OrbitProblem, OrbitSchedule) {
    let problem = OrbitProblem::alltoall(&ring(3).1, Model::wormhole()).unwrap();
    let mut steps = vec![Vec::new(); 3];
    steps[0].push((Message(0), vec![Channel(0)]));
    steps[step].push((Message(1), vec![Channel(5)]));
    (problem, OrbitSchedule { shifts: vec![1], schedule: steps.into_iter().collect() })
}

#[test]
fn a_group_that_time_moves_round_is_busy_once() {
    for (step, right) in [(0, true), (1, true), (2, false)] {
        let (problem, schedule) = in_turn(step);
        let verified = verify_orbits(&problem, schedule);
        let busy = Violation::HalfDuplex { step: 0, group: 0, first: Channel(0), second: Channel(1) };
        assert_eq!(verified.as_ref().err().map(|r| r.violations().to_vec()), (!right).then(|| vec![busy]));
    }
}

#[test]
fn shifts_count_modulo_the_steps() {
    for (step, shift) in [(0, 4), (1, u64::MAX - 2), (1, (1 << 63) - 7)] {
        let (problem, mut schedule) = in_turn(step);
        schedule.shifts = vec![shift];
        assert_eq!(shift % 3, 1);
        assert!(verify_orbits(&problem, schedule).is_ok(), "{shift}");
    }
}

#[test]
fn a_claim_counts_all_images() {
    let (problem, schedule) = in_turn(0);
    let plain = Claim::Plain(schedule.schedule.clone());
    assert_eq!((plain.steps(), plain.transfer_count()), (3, 2));
    let folded = Claim::Orbits { problem, schedule };
    assert_eq!((folded.steps(), folded.transfer_count()), (3, 6));
}

#[test]
fn a_bound_is_of_the_problem_it_is_asked_for() {
    let (problem, schedule) = in_turn(0);
    let network = problem.network().clone();
    let scatter = Collective::scatter(Node(0), network.terminals());
    let other = Problem::new(network, scatter, Model::wormhole()).unwrap();
    let sent = Certificate { steps: 1, proof: Proof::Receive { node: Node(1) } };
    let whole = problem.whole().clone();
    let claim = Claim::Orbits { problem, schedule };
    assert_eq!(*claim.certify(&other, sent.clone()).unwrap().problem(), other);
    assert_eq!(*claim.certify(&whole, sent).unwrap().problem(), whole);
}

#[test]
fn no_steps_deliver_nothing() {
    let (problem, _) = in_turn(0);
    let empty = OrbitSchedule { shifts: vec![1], schedule: Schedule::new() };
    let nobody = |m: u32| Violation::Undelivered { message: Message(m), node: Node(m + 1) };
    assert_eq!(verify_orbits(&problem, empty).unwrap_err().violations(), [nobody(0), nobody(1)]);
}

#[test]
fn weights_may_be_written_in_two_ways() {
    let (problem, _) = in_turn(0);
    let half = |n: u64| Rational { numerator: n, denominator: 2 * n };
    let proof = |weight: &dyn Fn(u64) -> Rational| Proof::Lengths { weights: (0..6).map(weight).collect() };
    let check = |proof| certify_orbits(&problem, Certificate { steps: 1, proof });
    assert!(check(proof(&|c| half(1 + c / 2))).is_ok());
    assert!(check(proof(&|c| Rational { numerator: 1 + c / 2, denominator: 2 })).is_err());
}

#[test]
fn images_are_numbered_message_by_message() {
    let (network, translations) = ring(5);
    let pairs = Collective::pairs("pairs", &[(Node(0), Node(1)), (Node(0), Node(3))]);
    let problem = Problem::new(network, pairs, Model::wormhole()).unwrap();
    let some = OrbitProblem::new(problem, translations.clone()).unwrap();
    let expected: Vec<_> = [1, 3].iter().flat_map(|d| (0..5).map(move |e| (Node(e), Node((e + d) % 5)))).collect();
    assert_eq!(some.pairs().collect::<Vec<_>>(), expected);
    let all = OrbitProblem::alltoall(&translations, Model::wormhole()).unwrap();
    let complete: Vec<_> =
        (0..5).flat_map(|a| (0..5).map(move |b| (Node(a), Node(b)))).filter(|(a, b)| a != b).collect();
    assert_eq!(all.pairs().collect::<Vec<_>>(), complete);
    for problem in [some, all] {
        let pairs: Vec<_> = problem.pairs().collect();
        let collective = problem.representatives().collective();
        for message in collective.messages() {
            for element in 0..5 {
                let image = |v| problem.translations().image_node(element, v);
                let pair = (image(collective.origin(message)), image(collective.destinations(message)[0]));
                assert_eq!(pairs[problem.number(message, element) as usize], pair);
            }
        }
    }
}
