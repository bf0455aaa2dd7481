//! LRAT and DRAT proofs by hand: each follows only for the reason it gives.

use kernel::formula::Cnf;
use kernel::refute::{ProofError, drat, lrat};

fn cnf(text: &str) -> Cnf {
    Cnf::parse(text.as_bytes()).unwrap()
}

/// Has no solution, and needs several steps.
const THREE: &str = "p cnf 3 6\n1 2 0\n-1 2 0\n1 -2 3 0\n-1 -2 3 0\n1 -2 -3 0\n-1 -2 -3 0\n";

#[test]
fn a_literal_said_twice_is_said_once() {
    let three = cnf(THREE);
    let why = "does not follow from its hints";
    for proof in ["7 3 3 0 0\n", "7 3 3 0 1 0\n"] {
        assert!(matches!(lrat(&three, proof.as_bytes()), Err(ProofError::Step { line: 1, .. })), "{proof}");
    }
    assert_eq!(lrat(&three, b"7 2 2 0 0\n"), Err(ProofError::Step { line: 1, why }));
    assert_eq!(lrat(&three, b"7 2 2 0 1 2 0\n8 3 0 7 3 4 0\n9 0 7 8 5 6 0\n"), Ok(()));
    assert_eq!(lrat(&cnf("p cnf 1 2\n1 1 0\n-1 0\n"), b"3 0 1 2 0\n"), Ok(()));
    // With its negation it always holds.
    assert_eq!(lrat(&three, b"7 3 -3 0 0\n"), Err(ProofError::Incomplete));
}

#[test]
fn units_are_found_wherever_they_stand() {
    // Each clause has one literal left when it comes, the last or the first of it.
    for text in [
        "p cnf 3 4\n1 0\n-1 2 0\n-2 3 0\n-2 -3 0\n",
        "p cnf 3 4\n-1 0\n2 1 0\n-2 3 0\n-2 -3 0\n",
        "p cnf 3 4\n3 0\n-3 -2 0\n2 -1 0\n2 1 0\n",
        "p cnf 4 5\n1 0\n2 0\n-1 -2 3 0\n-3 4 0\n-3 -4 0\n",
    ] {
        assert_eq!(drat(&cnf(text), b""), Ok(()), "{text}");
    }
}

#[test]
fn what_was_used_once_may_be_used_again() {
    let three = cnf(THREE);
    assert_eq!(drat(&three, b"2 3 0\n2 0\n3 0\n0\n"), Ok(()));
    assert_eq!(drat(&three, b"2 3 0\n2 -3 0\n2 1 0\n2 0\n-2 3 0\n0\n"), Ok(()));
}
