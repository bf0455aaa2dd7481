//! What a claim costs the checkers is bounded by the claim: whatever it asks for is compared with what it brings before room
//! is made for it.

use kernel::{
    Attachment, Certificate, Channel, Claim, Collective, Message, Model, Network, NetworkData, Node, Problem, Proof,
    Refused, Rejected, Schedule, Semantics, Transfer, Violation, certify, verify, verify_keeping,
};

fn network(nodes: u32, channels: Vec<(u32, u32)>) -> Network {
    Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap()
}

/// One message over one channel of a network of many nodes.
fn lonely(nodes: u32, model: Model) -> Problem {
    Problem::new(network(nodes, vec![(0, 1)]), Collective::pairs("pair", &[(Node(0), Node(1))]), model).unwrap()
}

fn steps(count: usize) -> Schedule {
    let mut schedule = Schedule::new();
    (0..count).for_each(|_| schedule.begin_step());
    schedule
}

#[test]
fn a_bound_above_the_schedule_beside_it_is_refused_unseen() {
    let problem = lonely(2, Model::wormhole());
    let mut claim = steps(1);
    claim.send(Message(0), &[Channel(0)]);
    let bound = |steps| Certificate { steps, proof: Proof::Combination { multipliers: Vec::new() } };
    let refused = Claim::from(claim.clone()).certify(&problem, bound(1 << 40)).unwrap_err();
    assert_eq!(refused, Refused::AboveSchedule { claims: 1 << 40, steps: 1 });
    assert_eq!(
        refused.to_string(),
        "the certificate claims 1099511627776 steps, more than the 1 of the schedule beside it"
    );
    assert!(!matches!(Claim::from(claim).certify(&problem, bound(1)), Err(Refused::AboveSchedule { .. })));
}

#[test]
fn formulas_are_no_larger_than_their_certificates_allow() {
    let many = lonely(1 << 20, Model::wormhole());
    let combination = Proof::Combination { multipliers: vec![(0, 1)] };
    for steps in [1000, 33_554_433, u64::MAX] {
        let refused = certify(&many, Certificate { steps, proof: combination.clone() }).unwrap_err();
        assert!(matches!(refused, Refused::Formula { .. }), "{refused}");
    }
    let named = |name: &str, text: &[u8]| Attachment::holding(name, text.to_vec());
    let proof = Proof::Unsat { formula: named("f.cnf", b"p cnf 1 1\n1 0\n"), proof: named("f.lrat", b"2 0 1 0\n") };
    for (problem, steps) in [(&many, 1000), (&lonely(2, Model::wormhole()), 1000)] {
        let refused = certify(problem, Certificate { steps, proof: proof.clone() }).unwrap_err();
        assert!(matches!(refused, Refused::Formula { .. } | Refused::OtherFormula { .. }), "{refused}");
    }
}

/// Capacities are numbers too.
#[test]
fn formulas_of_wide_channels() {
    let n = 2000;
    let channels: Vec<(u32, u32)> = (1..n).map(|v| (v - 1, v)).collect();
    let capacities = Some(vec![u32::MAX; channels.len()]);
    let wide = Network::new(NetworkData { nodes: n, channels, capacities, ..NetworkData::default() }).unwrap();
    let far = Collective::pairs("pair", &[(Node(0), Node(n - 1))]);
    let problem = Problem::new(wide, far, Model::wormhole()).unwrap();
    let multipliers = vec![(0, 1)];
    let refused = certify(&problem, Certificate { steps: 11, proof: Proof::Combination { multipliers } }).unwrap_err();
    assert!(matches!(refused, Refused::Formula { .. }), "{refused}");
}

#[test]
fn the_first_violations_are_kept_and_all_counted() {
    let problem = lonely(2, Model::wormhole());
    let mut claim = steps(1);
    (0..1000).for_each(|_| claim.send(Message(7), &[Channel(0)]));
    let missing = |transfer| Violation::NoSuchMessage { step: 0, transfer, message: Message(7) };
    let rejected = verify(&problem, claim.clone()).unwrap_err();
    assert_eq!(rejected.count(), 1001);
    assert_eq!(rejected.violations(), (0..Rejected::KEPT).map(missing).collect::<Vec<_>>());
    let every = verify_keeping(&problem, claim.clone(), usize::MAX).unwrap_err();
    assert_eq!(every.violations().len(), 1001);
    assert_eq!(every.violations()[1000], Violation::Undelivered { message: Message(0), node: Node(1) });
    // One is kept even where none was asked for: a rejection has a reason.
    assert_eq!(verify_keeping(&problem, claim, 0).unwrap_err().violations(), [missing(0)]);
}

/// A message that is handed round a ring by nodes far from those that had it last: who holds it is looked up, not searched for.
#[test]
fn copies_far_and_wide() {
    let n = 4000;
    let spokes = (1..n).flat_map(|v| [(0, v), (v, 0)]).collect();
    let problem =
        Problem::new(network(n, spokes), Collective::pairs("pair", &[(Node(0), Node(n - 1))]), Model::wormhole())
            .unwrap();
    let mut claim = steps(1);
    let out = |v: u32| Channel(2 * (v - 1));
    (1..n - 1).for_each(|v| claim.send(Message(0), &[out(v)]));
    claim.begin_step();
    (1..n - 1).for_each(|v| claim.send(Message(0), &[Channel(out(v).0 + 1)]));
    claim.begin_step();
    claim.send(Message(0), &[out(n - 1)]);
    assert_eq!(verify(&problem, claim.clone()).unwrap().steps(), 3);
    // The receiver has nothing to send before the last step is over.
    claim.send(Message(0), &[Channel(out(n - 1).0 + 1)]);
    let not_held = Violation::NotHeld { step: 2, transfer: 1, node: Node(n - 1), message: Message(0) };
    assert_eq!(verify(&problem, claim).unwrap_err().violations(), [not_held]);
}

/// A chunk whose contributions are gathered one by one, by nodes in scattered order, and merged with every second one at last.
#[test]
fn contributions_of_many_nodes() {
    let n = 20_000u32;
    let scattered: Vec<u32> = (0..n).map(|i| i * 7_919 % n).collect();
    let line: Vec<(u32, u32)> = scattered.windows(2).map(|w| (w[0], w[1])).collect();
    let last = scattered[n as usize - 1];
    let all: Vec<Node> = (0..n).map(Node).collect();
    let chunk = [(all, vec![Node(last)])];
    let collective = Collective::new("reduce", Semantics::Reduce, Some(Node(last)), chunk).unwrap();
    let problem = Problem::new(network(n, line), collective, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    for channel in 0..n - 1 {
        claim.begin_step();
        claim.push(Transfer::new(&[Message(0)], &[Channel(channel)]));
    }
    assert_eq!(verify(&problem, claim.clone()).unwrap().steps(), n as usize - 1);
    claim.begin_step();
    claim.push(Transfer::new(&[Message(0)], &[Channel(n - 2)]));
    let twice = verify(&problem, claim).unwrap_err();
    assert!(matches!(twice.violations(), [Violation::CountedTwice { contributor: Node(0), .. }]), "{twice}");
}

#[test]
fn a_longer_certificate_may_ask_for_more() {
    let refused = |problem: &Problem, rules: u32| {
        let proof = Proof::Combination { multipliers: (0..rules).map(|rule| (rule, 1)).collect() };
        certify(problem, Certificate { steps: 2, proof }).unwrap_err()
    };
    // Twice as many places as are free, and more literals than are.
    let places = lonely(1 << 17, Model::wormhole());
    let pairs = vec![(Node(0), Node(1)); 1 << 13];
    let literals = Collective::pairs("pairs", &pairs);
    let literals = Problem::new(network(2, vec![(0, 1)]), literals, Model::wormhole()).unwrap();
    for problem in [&places, &literals] {
        assert!(matches!(refused(problem, 1), Refused::Formula { .. }));
        assert!(!matches!(refused(problem, 256), Refused::Formula { .. }));
    }
}

#[test]
fn destinations_that_are_too_many_are_not_looked_at() {
    let lengths = |n: u32| {
        let ring = network(n, (0..n).map(|v| (v, (v + 1) % n)).collect());
        let allgather = Collective::allgather(ring.terminals(), ring.terminals());
        let problem = Problem::new(ring, allgather, Model::wormhole()).unwrap();
        assert!(certify(&problem, Certificate { steps: 1, proof: Proof::Growth }).is_ok());
        certify(&problem, Certificate { steps: 1, proof: Proof::Lengths { weights: Vec::new().into() } }).unwrap_err()
    };
    let many = "the destinations of all messages are too many to be looked at";
    assert_eq!(lengths(1 << 17), Refused::NotApplicable { kind: "lengths", why: many });
    assert_ne!(lengths(1 << 11), Refused::NotApplicable { kind: "lengths", why: many });
}
