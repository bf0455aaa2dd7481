//! Messages for several destinations: allgather and multicasts, stored as orbits and written down.

use kernel::orbits::{Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, certify_orbits, verify_orbits};
use kernel::{
    Certificate, Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, Proof, Refused, Semantics,
    Violation, certify, verify,
};

/// A ring, channel 2v from node v to the next and 2v + 1 back, and its rotation by `by` nodes.
fn ring(n: u32, by: u32) -> Translations {
    let channels = (0..n).flat_map(|v| [(v, (v + 1) % n), ((v + 1) % n, v)]).collect();
    let network = Network::new(NetworkData { nodes: n, channels, ..NetworkData::default() }).unwrap();
    let rotation = Generator::of_nodes(&network, n / by, (0..n).map(|v| (v + by) % n).collect()).unwrap();
    Translations::new(&network, vec![rotation]).unwrap()
}

type Steps = Vec<Vec<(Message, Vec<Channel>)>>;

/// The message of node 0 on its way round a ring of an odd number of nodes, both ways at once.
fn both_ways(n: u32) -> Steps {
    let on = |k: u32| (Message(0), vec![Channel(2 * k)]);
    let back = |k: u32| (Message(0), vec![Channel(2 * (n - k - 1) + 1)]);
    (0..n / 2).map(|k| vec![on(k), back(k)]).collect()
}

fn claim(steps: Steps) -> OrbitSchedule {
    OrbitSchedule { shifts: vec![0], schedule: steps.into_iter().collect() }
}

#[test]
fn one_tree_is_allgather() {
    for n in [3, 5, 9] {
        for model in [Model::store_and_forward(), Model::wormhole()] {
            let problem = OrbitProblem::allgather(&ring(n, 1), model).unwrap();
            assert!(problem.is_allgather() && problem.message_count() == u64::from(n));
            let verified = verify_orbits(&problem, claim(both_ways(n))).unwrap();
            assert_eq!(verified.steps() as u32, n / 2);
            assert_eq!(verified.transfer_count(), u64::from(n * (n - 1)));
            let all = verified.problem().network().terminals().to_vec();
            assert_eq!(*verified.problem().collective(), Collective::allgather(&all, &all));
            assert!(verify(verified.problem(), verified.expanded().unwrap()).is_ok());
            let read = OrbitProblem::new(problem.representatives().clone(), problem.translations().clone()).unwrap();
            assert_eq!(read, problem);
        }
    }
}

#[test]
fn false_trees_are_refused() {
    let problem = OrbitProblem::allgather(&ring(5, 1), Model::wormhole()).unwrap();
    let broken = |break_it: &dyn Fn(&mut Steps)| {
        let mut steps = both_ways(5);
        break_it(&mut steps);
        verify_orbits(&problem, claim(steps)).unwrap_err().violations().to_vec()
    };
    let early = broken(&|steps| {
        let moved = steps[1].remove(0);
        steps[0][0] = moved;
    });
    assert_eq!(early[0], Violation::NotHeld { step: 0, transfer: 0, node: Node(1), message: Message(0) });
    let twice = broken(&|steps| {
        let again = (Message(0), vec![Channel(0)]);
        steps[1].push(again);
    });
    assert_eq!(twice, [Violation::ChannelOverloaded { step: 1, channel: Channel(0), used: 2, capacity: 1 }]);
    let missing = broken(&|steps| drop(steps[1].pop()));
    assert_eq!(missing, [Violation::Undelivered { message: Message(0), node: Node(3) }]);
    let none = broken(&|steps| steps[0][0].0 = Message(1));
    assert!(none.contains(&Violation::NoSuchMessage { step: 0, transfer: 0, message: Message(1) }));
    // Where time is shifted nobody but the origin sends.
    let five_steps = both_ways(5).into_iter().chain(vec![Vec::new(); 3]).collect();
    let shifted = OrbitSchedule { shifts: vec![1], ..claim(five_steps) };
    let relayed = verify_orbits(&problem, shifted).unwrap_err();
    assert!(relayed.violations().iter().any(|v| matches!(v, Violation::NotHeld { step: 1, .. })));
}

/// What both checkers say of the same proof, that of the representatives first.
fn both(problem: &OrbitProblem, proof: Proof) -> [Result<u64, Refused>; 2] {
    let claim = Certificate { steps: u64::MAX, proof };
    let said = |refused| match refused {
        Refused::TooWeak { proves, .. } => Ok(proves),
        other => Err(other),
    };
    [
        said(certify_orbits(problem, claim.clone()).unwrap_err()),
        said(certify(&problem.expanded().unwrap(), claim).unwrap_err()),
    ]
}

/// Multicasts on a ring of 6 nodes whose group takes nodes two on: from both orbits of nodes.
fn multicasts(model: Model) -> OrbitProblem {
    let translations = ring(6, 2);
    let lists = [(0, vec![1, 2]), (3, vec![4]), (2, vec![5, 3, 0])];
    let node = |list: &[u32]| list.iter().map(|v| Node(*v)).collect();
    let messages = lists.iter().map(|(from, to)| (node(&[*from]), node(to)));
    let collective = Collective::new("some", Semantics::Copy, None, messages).unwrap();
    OrbitProblem::new(Problem::new(translations.network().clone(), collective, model).unwrap(), translations).unwrap()
}

#[test]
fn bounds_of_several_destinations_fold() {
    let model = Model::store_and_forward();
    let allgather = |n, by| OrbitProblem::allgather(&ring(n, by), model).unwrap();
    for problem in [allgather(5, 1), allgather(6, 2), allgather(6, 1), multicasts(model)] {
        let nodes: Vec<Node> = problem.network().nodes().collect();
        let mut proofs = vec![Proof::Send { node: Node(9) }, Proof::Distance { from: Node(0), to: Node(9) }];
        for &node in &nodes {
            proofs.extend([Proof::Send { node }, Proof::Receive { node }]);
            proofs.extend(nodes.iter().map(|&to| Proof::Distance { from: node, to }));
        }
        for set in 0..1 << nodes.len() {
            let nodes: Vec<Node> = nodes.iter().copied().filter(|v| set >> v.0 & 1 == 1).collect();
            proofs.extend([Proof::SendAll { nodes: nodes.clone() }, Proof::ReceiveAll { nodes: nodes.clone() }]);
            proofs.push(Proof::Cut { nodes });
        }
        for proof in proofs {
            let [folded, whole] = both(&problem, proof.clone());
            assert_eq!(folded, whole, "{proof:?}");
        }
    }
    let [receive, _] = both(&allgather(5, 1), Proof::Receive { node: Node(2) });
    let [far, _] = both(&allgather(6, 1), Proof::Distance { from: Node(1), to: Node(4) });
    assert_eq!((receive, far), (Ok(2), Ok(3)));
}

#[test]
fn images_of_multicasts_are_numbered() {
    let problem = multicasts(Model::wormhole());
    assert!(!problem.is_complete() && !problem.is_allgather());
    let whole = problem.expanded().unwrap();
    let collective = whole.collective();
    assert_eq!((collective.message_count(), collective.deliveries()), (9, 18));
    let pairs = collective.messages().flat_map(|m| collective.destinations(m).iter().map(move |to| (m, *to)));
    let pairs: Vec<_> = pairs.map(|(m, to)| (collective.origin(m), to)).collect();
    assert_eq!(problem.pairs().collect::<Vec<_>>(), pairs);
    for message in problem.representatives().collective().messages() {
        for element in 0..3 {
            let image = |v: &Node| problem.translations().image_node(element, *v);
            let number = Message(u32::try_from(problem.number(message, element)).unwrap());
            let of = problem.representatives().collective();
            let to: Vec<Node> = of.destinations(message).iter().map(image).collect();
            assert_eq!(collective.destinations(number), to);
            assert_eq!(collective.origin(number), image(&of.origin(message)));
        }
    }
}

#[test]
fn faults_of_multicasts_are_found() {
    let translations = ring(6, 2);
    let folded = |lists: &[(u32, &[u32])], model: Model, most: u64| {
        let node = |list: &[u32]| list.iter().map(|v| Node(*v)).collect::<Vec<_>>();
        let messages = lists.iter().map(|(from, to)| (node(&[*from]), node(to)));
        let collective = Collective::new("some", Semantics::Copy, None, messages).unwrap();
        let problem = Problem::new(translations.network().clone(), collective, model).unwrap();
        OrbitProblem::new_within(problem, translations.clone(), most).map(|_| ())
    };
    let same = folded(&[(0, &[1, 2]), (0, &[1]), (2, &[4, 3])], Model::wormhole(), 99);
    assert_eq!(same, Err(OrbitError::SameOrbit { first: Message(0), second: Message(2) }));
    let many: &[(u32, &[u32])] = &[(0, &[1, 2]), (0, &[1])];
    assert_eq!(folded(many, Model::wormhole(), 9), Ok(()));
    assert_eq!(folded(many, Model::wormhole(), 8), Err(OrbitError::TooMany { messages: 9, most: 8 }));
    let combining = Model { combining: true, ..Model::wormhole() };
    assert_eq!(folded(many, combining, 9), Err(OrbitError::Unsupported));
    assert_eq!(folded(&[(0, &[1, 0])], Model::wormhole(), 99), Err(OrbitError::Unsupported));
    // Both orbits of allgather are never too many.
    let all: &[(u32, &[u32])] = &[(0, &[1, 2, 3, 4, 5]), (3, &[5, 0, 1, 4, 2])];
    assert_eq!(folded(all, Model::wormhole(), 0), Ok(()));
}

#[test]
fn many_members_are_stored_once() {
    let n = 1100u32;
    let network = ring(n, 1).network().clone();
    let all = network.terminals();
    let short = Collective::allgather(all, all);
    let others = |from: Node| all.iter().copied().filter(|to| *to != from).collect::<Vec<_>>();
    let listed = Collective::new("allgather", Semantics::Copy, None, all.iter().map(|v| (vec![*v], others(*v))));
    let listed = listed.unwrap();
    assert!(short == listed && short == Collective::allgather(all, all));
    assert_eq!(listed, short);
    assert_ne!(short, Collective::allgather(all, &all[1..]));
    assert_ne!(Collective::allgather(&all[1..], &all[1..]), listed);
    assert_eq!(short.deliveries(), u64::from(n) * u64::from(n - 1));
    let mut to = short.destinations(Message(7)).to_vec();
    assert_eq!((short.origin(Message(7)), to[0]), (Node(7), Node(8)));
    to.sort_unstable();
    assert_eq!(to, others(Node(7)));
    assert_eq!(short.in_chunks(2), listed.in_chunks(2));
    let problem = |collective| Problem::new(network.clone(), collective, Model::store_and_forward()).unwrap();
    let (short, listed) = (problem(short), problem(listed));
    let inside: Vec<bool> = (0..n).map(|v| v % 3 == 0).collect();
    let counts = |p: &Problem| {
        let all = vec![true; n as usize];
        [p.must_send(Node(3)), p.must_receive(Node(3)), p.must_leave(&inside), p.must_leave(&all)]
    };
    assert_eq!(counts(&short), counts(&listed));
    let grown = |p: &Problem| certify(p, Certificate { steps: u64::MAX, proof: Proof::Growth }).unwrap_err();
    assert_eq!(grown(&short), grown(&listed));
    let part = Network::new(NetworkData { nodes: n, channels: vec![(0, 1)], ..NetworkData::default() }).unwrap();
    assert!(Problem::new(part, short.collective().clone(), Model::wormhole()).is_err());
    let few = Network::new(NetworkData { nodes: 4, channels: vec![(0, 1)], ..NetworkData::default() }).unwrap();
    assert!(Problem::new(few, short.collective().clone(), Model::wormhole()).is_err());
}

/// Of two halves of a ring the destinations of one are too many to be written down, of eight parts they are not.
#[test]
fn representatives_of_a_large_allgather() {
    let n = 8194;
    let half = OrbitProblem::allgather(&ring(n, n / 2), Model::wormhole()).unwrap_err();
    let messages = u64::from(n / 2) * u64::from(n - 1);
    assert_eq!(half, OrbitError::TooMany { messages, most: OrbitProblem::MOST_EXPANDED });
    assert!(OrbitProblem::allgather(&ring(1 << 12, 1 << 9), Model::wormhole()).unwrap().is_allgather());
}

#[test]
fn who_is_no_member_sends_and_receives_nothing() {
    let n = 1100u32;
    let network = ring(n, 1).network().clone();
    let members = &network.terminals()[1..];
    let problem = Problem::new(network.clone(), Collective::allgather(members, members), Model::wormhole()).unwrap();
    let counts = |v| (problem.must_send(Node(v)), problem.must_receive(Node(v)));
    assert_eq!(counts(0), (0, 0));
    assert_eq!(counts(1), (1, u64::from(n) - 2));
}
