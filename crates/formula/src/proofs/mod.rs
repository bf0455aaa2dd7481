//! **What:** checkers of proofs that a formula has no solution.
//!
//! [`lrat`] follows the hints of an LRAT proof, each step in the time its hints take; [`drat`] finds the unit propagations
//! of a DRAT proof itself. Both go forwards, from the formula to the empty clause, and believe nothing.

mod drat;
mod lrat;

pub use drat::{drat, drat_within};
pub use lrat::lrat;

use crate::Literal;

/// Why a proof was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofError {
    /// A step is malformed or does not follow.
    #[error("line {line}: {why}")]
    Step {
        /// The line of the proof, from 1.
        line: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// To find its propagations takes more than its length is worth.
    #[error("checking it takes more than {looks} clause visits; the hints of an LRAT proof make it shorter")]
    TooLong {
        /// Looks at clauses allowed.
        looks: u64,
    },
    /// All steps follow, but none of them is the empty clause.
    #[error("it ends before the empty clause")]
    Incomplete,
}

/// Values of variables, with what was assigned since when.
struct Assignment {
    /// 1 where the variable is true, -1 where false, 0 where open.
    values: Vec<i8>,
    trail: Vec<Literal>,
}

impl Assignment {
    fn new(variables: u32) -> Self {
        Assignment { values: vec![0; variables as usize + 1], trail: Vec::new() }
    }

    /// Whether `literal` names a variable of the formula.
    fn knows(&self, literal: Literal) -> bool {
        literal != 0 && (literal.unsigned_abs() as usize) < self.values.len()
    }

    /// 1 where the literal holds, -1 where it fails, 0 where open.
    fn value(&self, literal: Literal) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal > 0 { value } else { -value }
    }

    /// Makes an open literal hold.
    fn assign(&mut self, literal: Literal) {
        self.values[literal.unsigned_abs() as usize] = if literal > 0 { 1 } else { -1 };
        self.trail.push(literal);
    }

    /// Forgets all but the first `kept` assignments.
    fn undo(&mut self, kept: usize) {
        for literal in self.trail.drain(kept..) {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
    }
}

/// The words of a line as numbers, up to its end mark 0, which must be the last word.
fn numbers<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Vec<i64>, &'static str> {
    let mut list = Vec::new();
    for word in words.by_ref() {
        match word.parse::<i64>() {
            Ok(0) => return Ok(list),
            Ok(number) => list.push(number),
            Err(_) => return Err("has a word that is no number"),
        }
    }
    Err("does not end in 0")
}

/// Numbers as literals that exist.
fn literals(numbers: &[i64], assignment: &Assignment) -> Result<Vec<Literal>, &'static str> {
    let literal = |n: &i64| Literal::try_from(*n).ok().filter(|l| *l != Literal::MIN && assignment.knows(*l));
    numbers.iter().map(|n| literal(n).ok_or("names a variable that the formula does not have")).collect()
}

/// The lines of a proof that are not empty and no comments, counted from 1.
fn lines(proof: &[u8]) -> impl Iterator<Item = (usize, Result<&str, ProofError>)> {
    let lines = proof.split(|b| *b == b'\n').enumerate().map(|(at, line)| (at + 1, line.trim_ascii()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(b"c")).map(|(line, bytes)| {
        (line, std::str::from_utf8(bytes).map_err(|_| ProofError::Step { line, why: "is no text" }))
    })
}
