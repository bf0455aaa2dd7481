//! When a schedule meets a bound, and what is told of bounds and of broken rules.

use crate::violations::{pairs, problem, ring, undelivered};
use kernel::{
    Certificate, Certified, Channel, Message, Model, Node, OddSet, Problem, Proof, Quotient, Rational, Schedule,
    Verified, Violation, certify, verify,
};

/// A message over one channel, in so many steps.
fn over_one_channel(problem: &Problem, steps: usize) -> Verified {
    let mut claim = Schedule::new();
    (0..steps).for_each(|_| claim.begin_step());
    claim.send(Message(0), &[Channel(0)]);
    verify(problem, claim).unwrap()
}

fn certified(problem: &Problem, steps: u64, proof: Proof) -> Certified {
    certify(problem, Certificate { steps, proof }).unwrap()
}

#[test]
fn a_bound_is_met_by_as_many_steps_of_the_same_problem() {
    let one = problem(ring(3), pairs(&[(0, 1)]), Model::wormhole());
    let other = problem(ring(4), pairs(&[(0, 1)]), Model::wormhole());
    let floor = certified(&one, 1, Proof::Growth);
    assert!(floor.is_met_by(&over_one_channel(&one, 1)));
    assert!(!floor.is_met_by(&over_one_channel(&one, 2)));
    assert!(!floor.is_met_by(&over_one_channel(&other, 1)));
    assert!(!floor.is_met_by(&over_one_channel(&other, 2)));
}

#[test]
fn a_quotient_is_told_where_the_bound_is_one() {
    let p = problem(ring(3), pairs(&[(0, 2)]), Model::wormhole());
    let (even, ports) = (vec![Rational::whole(2); 3], vec![Rational::whole(1); 3]);
    let lengths = Proof::Lengths { weights: even.clone().into() };
    assert_eq!(certified(&p, 1, lengths).quotient(), Some(Quotient { work: 2, rate: 3 }));
    let odd: Vec<OddSet> = Vec::new();
    let with_ports = Proof::PortLengths { weights: even.into(), send: ports.clone(), receive: ports, odd };
    // A path of two channels that weigh 2, and a port at each end; three channels and six ports.
    assert_eq!(certified(&p, 1, with_ports).quotient(), Some(Quotient { work: 6, rate: 12 }));
    assert_eq!(certified(&p, 1, Proof::Growth).quotient(), None);
    // Two messages leave node 0 over one channel: a claim of one step is less than that.
    let p = problem(ring(3), pairs(&[(0, 1), (0, 2)]), Model::wormhole());
    let cut = || Proof::Cut { nodes: vec![Node(0)] };
    let (whole, less) = (certified(&p, 2, cut()), certified(&p, 1, cut()));
    assert_eq!((whole.quotient(), whole.equation()), (less.quotient(), Some(Quotient { work: 2, rate: 1 })));
    assert!(whole.reason().ends_with(": ⌈2/1⌉ = 2") && less.equation().is_none() && !less.reason().contains('⌈'));
}

#[test]
fn rules_have_names() {
    let named = [
        (undelivered(0, 1), "undelivered"),
        (Violation::OtherProblem, "other-problem"),
        (Violation::NoMessage { step: 0, transfer: 0 }, "no-message"),
        (Violation::SendPorts { step: 0, node: Node(0), used: 2, ports: 1 }, "send-ports"),
    ];
    for (violation, name) in named {
        assert_eq!(violation.rule(), name);
    }
}

/// Nobody is promised less than the gap is.
#[test]
fn gaps_are_rounded_up() {
    for (steps, bound, told) in
        [(6, 5, "20.0"), (8, 7, "14.3"), (4, 3, "33.4"), (5, 3, "66.7"), (4001, 4000, "0.1"), (1001, 1000, "0.1")]
    {
        let gap = 100.0 * f64::from(steps - bound) / f64::from(bound);
        assert_eq!(kernel::Within(gap).to_string(), format!("within {told} % of optimal"));
    }
}
