//! Chunks that all terminals contribute to, stored as orbits and written down.

use kernel::orbits::{Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, certify_orbits, verify_orbits};
use kernel::{
    Certificate, Channel, Collective, Message, Model, Network, NetworkData, Node, Op, Problem, Proof, Rational,
    Refused, Schedule, Semantics, Transfer, Verified, Violation, certify, verify,
};

/// A ring, channel 2v from node v to the next and 2v + 1 back, and its rotation.
fn ring(n: u32) -> Translations {
    let channels = (0..n).flat_map(|v| [(v, (v + 1) % n), ((v + 1) % n, v)]).collect();
    let network = Network::new(NetworkData { nodes: n, channels, ..NetworkData::default() }).unwrap();
    let rotation = Generator::of_nodes(&network, n, (0..n).map(|v| (v + 1) % n).collect()).unwrap();
    Translations::new(&network, vec![rotation]).unwrap()
}

fn problem(n: u32, collective: impl Fn(&[Node]) -> Collective, model: Model) -> (Problem, Translations) {
    let translations = ring(n);
    let network = translations.network().clone();
    let all = network.terminals().to_vec();
    (Problem::new(network, collective(&all), model).unwrap(), translations)
}

fn scattered(all: &[Node]) -> Collective {
    Collective::reduce_scatter(all, all)
}

/// The chunk of node 0 from both ends of a ring of an odd number of nodes to node 0.
fn merged(n: u32) -> Schedule {
    let half = n / 2;
    let mut schedule = Schedule::new();
    for k in (1..=half).rev() {
        schedule.begin_step();
        // From node n - k on to the next, and from node k back.
        schedule.send(Message(0), &[Channel(2 * (n - k))]);
        schedule.send(Message(0), &[Channel(2 * (k - 1) + 1)]);
    }
    schedule
}

/// The same, and then from node 0 to all.
fn merged_and_spread(n: u32) -> Schedule {
    let mut schedule = merged(n);
    for k in 0..n / 2 {
        schedule.begin_step();
        for channel in [2 * k, 2 * (n - k - 1) + 1] {
            schedule.push(Transfer { op: Op::Copy, ..Transfer::new(&[Message(0)], &[Channel(channel)]) });
        }
    }
    schedule
}

fn claim(schedule: Schedule) -> OrbitSchedule {
    OrbitSchedule { shifts: vec![0], schedule }
}

/// That the whole schedule, written down, is right as well.
fn written_down_is_right(verified: &Verified) {
    let written = verify(verified.problem(), verified.expanded().unwrap()).unwrap();
    assert_eq!((written.steps(), written.transfer_count()), (verified.steps(), verified.transfer_count()));
}

#[test]
fn a_tree_towards_its_root_is_reduce_scatter() {
    for n in [3, 5, 9, 1025] {
        for model in [Model::store_and_forward(), Model::wormhole()] {
            let (whole, translations) = problem(n, scattered, model);
            let folded = OrbitProblem::of(&whole, &translations).unwrap();
            assert!(folded.is_reduction() && folded.message_count() == u64::from(n) && folded.whole() == &whole);
            let again = OrbitProblem::new(folded.representatives().clone(), translations).unwrap();
            assert_eq!(again, folded);
            let verified = verify_orbits(&folded, claim(merged(n))).unwrap();
            assert_eq!((verified.steps() as u32, verified.transfer_count()), (n / 2, u64::from(n) * u64::from(n - 1)));
            if n < 100 {
                written_down_is_right(&verified);
            }
        }
    }
}

#[test]
fn a_tree_towards_its_root_and_back_is_allreduce_in_chunks() {
    for (n, parts) in [(3, 1), (5, 2), (9, 1), (1025, 1)] {
        let allreduce = |all: &[Node]| Collective::allreduce(all).in_chunks(n * parts);
        let (whole, translations) = problem(n, allreduce, Model::store_and_forward());
        let folded = OrbitProblem::of(&whole, &translations).unwrap();
        assert_eq!(folded.representatives().collective().message_count() as u32, parts);
        let again = OrbitProblem::new(folded.representatives().clone(), translations).unwrap();
        assert_eq!(again.whole(), &whole);
        let mut schedule = Schedule::new();
        for part in 0..parts {
            for step in merged_and_spread(n).steps() {
                schedule.begin_step();
                step.for_each(|transfer| schedule.push(Transfer { messages: &[Message(part)], ..transfer }));
            }
        }
        let verified = verify_orbits(&folded, claim(schedule)).unwrap();
        assert_eq!(verified.steps() as u32, 2 * parts * (n / 2));
        if n < 100 {
            written_down_is_right(&verified);
        }
        let uneven = |all: &[Node]| Collective::allreduce(all).in_chunks(n * parts + 1);
        let (uneven, translations) = problem(n, uneven, Model::wormhole());
        let refused = OrbitProblem::of(&uneven, &translations);
        assert!(matches!(refused, Err(OrbitError::Chunks { .. })), "{refused:?}");
    }
}

#[test]
fn each_rule_of_merging_is_found_broken() {
    let (whole, translations) = problem(5, scattered, Model::wormhole());
    let folded = OrbitProblem::of(&whole, &translations).unwrap();
    let broken = |claim: OrbitSchedule| verify_orbits(&folded, claim).unwrap_err().violations().to_vec();
    let mut shifted = claim(merged(5));
    shifted.shifts = vec![2];
    assert!(broken(shifted).contains(&Violation::ShiftedMerging));
    // Node 2 sends before node 3 ... and its own contribution alone: that of node 2 never comes.
    let mut early = Schedule::new();
    for step in merged(5).steps().collect::<Vec<_>>().into_iter().rev() {
        early.begin_step();
        step.for_each(|transfer| early.push(transfer));
    }
    let incomplete = broken(claim(early));
    assert!(incomplete.iter().all(|v| matches!(v, Violation::Incomplete { node: Node(0), .. })), "{incomplete:?}");
    let mut twice = merged(5);
    twice.begin_step();
    twice.send(Message(0), &[Channel(8)]);
    let counted = broken(claim(twice));
    assert!(matches!(counted[0], Violation::CountedTwice { node: Node(0), .. }), "{counted:?}");
    let mut crowded = merged(5);
    crowded.send(Message(0), &[Channel(0)]);
    assert!(broken(claim(crowded)).iter().any(|v| matches!(v, Violation::ChannelOverloaded { .. })));
}

#[test]
fn other_chunks_are_not_folded() {
    let translations = ring(5);
    let network = translations.network().clone();
    let folded = |collective| {
        let problem = Problem::new(network.clone(), collective, Model::wormhole()).unwrap();
        OrbitProblem::new(problem, translations.clone()).unwrap_err()
    };
    let all = network.terminals();
    assert_eq!(folded(Collective::reduce_scatter(&all[..3], all)), OrbitError::Unsupported);
    assert_eq!(folded(Collective::scan(all)), OrbitError::Unsupported);
    // Two chunks for nodes of one orbit.
    let two = [0, 1].map(|to| (all.to_vec(), vec![Node(to)]));
    let two = Collective::new("reduce_scatter", Semantics::Reduce, None, two).unwrap();
    assert_eq!(folded(two), OrbitError::SameOrbit { first: Message(0), second: Message(1) });
}

#[test]
fn bounds_are_those_of_the_whole() {
    let ones = |count: usize| Proof::Lengths { weights: vec![Rational::whole(1); count].into_iter().collect() };
    for n in [5, 131, 1025] {
        let allreduce = |all: &[Node]| Collective::allreduce(all).in_chunks(n);
        let (whole, translations) = problem(n, allreduce, Model::wormhole());
        let folded = OrbitProblem::of(&whole, &translations).unwrap();
        // Each of n chunks takes 2(n - 1) transfers, of 2n a step.
        let certificate = Certificate { steps: u64::from(n) - 1, proof: ones(2 * n as usize) };
        assert!(matches!(certify_orbits(&folded, certificate.clone()), Err(Refused::NotApplicable { .. })));
        let verified = verify_orbits(&folded, claim(merged_and_spread(n))).unwrap();
        assert_eq!(verified.certify(certificate.clone()).unwrap().steps(), u64::from(n) - 1);
        let bold = certify(&whole, Certificate { steps: u64::from(n), ..certificate });
        assert_eq!(bold.unwrap_err(), Refused::TooWeak { claims: n.into(), proves: u64::from(n) - 1 });
    }
}

/// A switch in the middle of leaves, channel 2v up from leaf v and 2v + 1 down to it.
fn star(leaves: u32) -> Network {
    let channels = (0..leaves).flat_map(|v| [(v, leaves), (leaves, v)]).collect();
    let terminals = Some((0..leaves).collect());
    Network::new(NetworkData { nodes: leaves + 1, channels, terminals, ..NetworkData::default() }).unwrap()
}

#[test]
fn transfers_of_many_terminals_are_counted_with_both_ends() {
    for leaves in [7, 130] {
        let network = star(leaves);
        let all = network.terminals().to_vec();
        let bound = |collective: Collective| {
            let problem = Problem::new(network.clone(), collective, Model::wormhole()).unwrap();
            let weights = vec![Rational::whole(1); 2 * leaves as usize].into_iter().collect();
            match certify(&problem, Certificate { steps: u64::MAX, proof: Proof::Lengths { weights } }) {
                Err(Refused::TooWeak { proves, .. }) => proves,
                other => panic!("{other:?}"),
            }
        };
        let n = u64::from(leaves);
        // A transfer takes a channel up and one down.
        assert_eq!(bound(Collective::allreduce(&all).in_chunks(10)), (10 * 2 * (n - 1) * 2).div_ceil(2 * n));
        assert_eq!(bound(Collective::reduce_scatter(&all, &all)), n - 1);
        assert_eq!(bound(Collective::allgather(&all, &all)), n - 1);
        assert_eq!(bound(Collective::reduce(Node(0), &all).in_chunks(10)), (10 * (n - 1) * 2).div_ceil(2 * n));
        assert_eq!(bound(Collective::broadcast(Node(0), &all).in_chunks(10)), (10 * (n - 1) * 2).div_ceil(2 * n));
    }
}
