//! Proofs by hand, right and wrong, of formulas by hand.

use kernel::formula::Cnf;
use kernel::refute::{ProofError, drat, drat_within, lrat};

fn cnf(text: &str) -> Cnf {
    Cnf::parse(text.as_bytes()).unwrap()
}

/// All eight signs over three variables less one literal: the smallest formula that needs several steps.
const THREE: &str = "p cnf 3 6\n1 2 0\n-1 2 0\n1 -2 3 0\n-1 -2 3 0\n1 -2 -3 0\n-1 -2 -3 0\n";

fn step(line: usize, why: &'static str) -> ProofError {
    ProofError::Step { line, why }
}

#[test]
fn lrat_accepts_what_follows_and_nothing_else() {
    let three = cnf(THREE);
    let check = |proof: &str| lrat(&three, proof.as_bytes());
    assert_eq!(check("7 2 0 1 2 0\n8 3 0 7 3 4 0\n8 d 3 4 0\n9 0 7 8 5 6 0\n"), Ok(()));
    assert_eq!(check("7 2 0 1 2 0\n8 3 0 7 3 4 0\n"), Err(ProofError::Incomplete));
    assert_eq!(check(""), Err(ProofError::Incomplete));
    // The second step lacks a hint; the hints of the third are in an order that leaves two literals open.
    assert_eq!(check("7 2 0 1 2 0\n8 3 0 7 3 0\n"), Err(step(2, "does not follow from its hints")));
    assert_eq!(check("7 2 0 1 2 0\n8 0 5 7 0\n"), Err(step(2, "has a hint that leaves more than one literal")));
    assert_eq!(check("7 2 0 1 99 0\n"), Err(step(1, "has a hint that names no clause")));
    assert_eq!(check("7 d 1 0\n8 2 0 1 2 0\n"), Err(step(2, "has a hint that names no clause")));
    assert_eq!(check("7 d 9 0\n"), Err(step(1, "takes out a clause that is not there")));
    assert_eq!(check("1 2 0 1 2 0\n"), Err(step(1, "uses a clause's number again")));
    assert_eq!(check("7 4 0 1 0\n"), Err(step(1, "names a variable that the formula does not have")));
    assert_eq!(check("7 2 0 1 2\n"), Err(step(1, "does not end in 0")));
    assert_eq!(check("7 2 0 1 2 0 3\n"), Err(step(1, "has words after its end")));
    assert_eq!(check("7 x 0\n"), Err(step(1, "has a word that is no number")));
    assert_eq!(check("x\n"), Err(step(1, "does not begin with a clause's number")));
    assert_eq!(check("7 2 0 1 -2 0\n"), Err(step(1, "has negative hints, which are not followed: give it as DRAT")));
    assert_eq!(lrat(&three, b"7 \xff 0"), Err(step(1, "is no text")));
}

#[test]
fn drat_accepts_what_follows_and_nothing_else() {
    let three = cnf(THREE);
    let check = |proof: &str| drat(&three, proof.as_bytes());
    assert_eq!(check("c by hand\n2 0\nd 1 2 0\n3 0\n0\n"), Ok(()));
    // Once 2 holds, propagation of the rest needs no more than 3.
    assert_eq!(check("2 0\n0\n"), Err(step(2, "does not follow by unit propagation")));
    assert_eq!(check("0\n"), Err(step(1, "does not follow by unit propagation")));
    assert_eq!(check("2 0\n"), Err(ProofError::Incomplete));
    assert_eq!(check("4 0\n"), Err(step(1, "names a variable that the formula does not have")));
    assert_eq!(check("2\n"), Err(step(1, "does not end in 0")));
    assert_eq!(check("2 0 3\n"), Err(step(1, "has words after its end")));
}

#[test]
fn drat_takes_clauses_that_keep_solutions() {
    // Neither follows, but no clause has 3, and the one resolvent of "3 or not 1" on 3 always holds.
    let open = cnf("p cnf 3 2\n1 2 0\n-3 1 0\n");
    assert_eq!(drat(&open, b"-3 0\n"), Err(ProofError::Incomplete));
    assert_eq!(drat(&open, b"3 -1 0\n"), Err(ProofError::Incomplete));
    // On its other literal the resolvent with "1 or 2" does not follow; and "3" has the resolvent "1".
    assert_eq!(drat(&open, b"-1 3 0\n"), Err(step(1, "does not follow by unit propagation")));
    assert_eq!(drat(&open, b"3 0\n"), Err(step(1, "does not follow by unit propagation")));
}

#[test]
fn contradictions_in_the_formula_need_no_proof() {
    let empty = cnf("p cnf 1 1\n0\n");
    assert_eq!((lrat(&empty, b""), drat(&empty, b"")), (Ok(()), Ok(())));
    let units = cnf("p cnf 1 2\n1 0\n-1 0\n");
    assert_eq!((lrat(&units, b"3 0 1 2 0"), drat(&units, b"")), (Ok(()), Ok(())));
}

/// A chain of implications that every step of the proof goes along, and a step whose resolvents all do.
#[test]
fn drat_is_followed_so_far_only() {
    let n = 50;
    let chain: String = (1..n).map(|v| format!("-{v} {} 0\n", v + 1)).collect();
    let others: String = (1..n).map(|v| format!("-{n} -{v} 0\n")).collect();
    let formula = cnf(&format!("p cnf {n} {}\n{chain}{others}", 2 * (n - 1)));
    let proof = format!("-1 0\n{n} 0\n0\n");
    let looks = |most| drat_within(&formula, proof.as_bytes(), most);
    assert_eq!(looks(10), Err(ProofError::TooLong { looks: 10 }));
    // It is wrong in the end, however long it is followed.
    assert_eq!(looks(1 << 20), drat(&formula, proof.as_bytes()));
    assert!(!matches!(drat(&formula, proof.as_bytes()), Ok(()) | Err(ProofError::TooLong { .. })));
}

#[test]
fn each_look_at_a_clause_counts() {
    let n = 50;
    // 49 clauses are looked at, of which each follows from the one before.
    let chain: String = (1..n).map(|v| format!("-{v} {} 0\n", v + 1)).collect();
    let chain = cnf(&format!("p cnf {n} {n}\n{chain}-{n} -1 0\n"));
    assert_eq!(drat_within(&chain, b"-1 0\n", 10), Err(ProofError::TooLong { looks: 10 }));
    assert_eq!(drat_within(&chain, b"-1 0\n", 1000), Err(ProofError::Incomplete));
    // Nothing follows, but each clause is looked at for a resolvent.
    let apart: String = (1..n).map(|v| format!("{v} {} 0\n", v + 1)).collect();
    let apart = cnf(&format!("p cnf {} {}\n{apart}", n + 1, n - 1));
    let new = format!("{} 0\n", n + 1);
    assert_eq!(drat_within(&apart, new.as_bytes(), 10), Err(ProofError::TooLong { looks: 10 }));
    assert_eq!(drat_within(&apart, new.as_bytes(), 1000), Err(ProofError::Incomplete));
}
