//! **What:** checks a proof in the text form of LRAT.
//!
//! A line `id literals 0 hints 0` adds a clause: with all its literals false, the clauses named by the hints, in order,
//! each leave one literal open, which must hold, until one leaves none. A line `id d ids 0` takes clauses out. The clauses of
//! the formula have the ids from 1.
//!
//! **Left out:** steps with negative hints (resolution asymmetric tautologies); such proofs can be given as DRAT.
//!
//! **Source:** L. Cruz-Filipe, M. J. H. Heule, W. A. Hunt, M. Kaufmann, P. Schneider-Kamp, Efficient certified RAT
//! verification, 2017.

use super::{Assignment, ProofError, lines, literals, numbers};
use crate::{Cnf, Literal};
use std::collections::HashMap;

/// Checks that `proof` derives the empty clause from `formula`.
///
/// # Errors
/// The first step that does not follow.
pub fn lrat(formula: &Cnf, proof: &[u8]) -> Result<(), ProofError> {
    let mut state = State { clauses: HashMap::new(), assignment: Assignment::new(formula.variables()) };
    for (id, clause) in (1u64..).zip(formula.clauses()) {
        if clause.is_empty() {
            return Ok(());
        }
        state.clauses.insert(id, clause.into());
    }
    for (line, text) in lines(proof) {
        let done = state.step(text?).map_err(|why| ProofError::Step { line, why })?;
        if done {
            return Ok(());
        }
    }
    Err(ProofError::Incomplete)
}

struct State {
    clauses: HashMap<u64, Box<[Literal]>>,
    assignment: Assignment,
}

impl State {
    /// Follows one line; whether it is the empty clause.
    fn step(&mut self, line: &str) -> Result<bool, &'static str> {
        let mut words = line.split_ascii_whitespace().peekable();
        let id = words.next().and_then(|w| w.parse::<u64>().ok()).ok_or("does not begin with a clause's number")?;
        if words.next_if_eq(&"d").is_some() {
            let old = numbers(&mut words)?;
            if words.next().is_some() {
                return Err("has words after its end");
            }
            for old in old {
                let old = u64::try_from(old).ok().and_then(|old| self.clauses.remove(&old));
                old.ok_or("takes out a clause that is not there")?;
            }
            return Ok(false);
        }
        let clause = literals(&numbers(&mut words)?, &self.assignment)?;
        let hints = numbers(&mut words)?;
        if words.next().is_some() {
            return Err("has words after its end");
        }
        self.follows(&clause, &hints)?;
        if clause.is_empty() {
            return Ok(true);
        }
        match self.clauses.insert(id, clause.into()) {
            None => Ok(false),
            Some(_) => Err("uses a clause's number again"),
        }
    }

    /// Whether the hints lead from the negated clause to a contradiction.
    fn follows(&mut self, clause: &[Literal], hints: &[i64]) -> Result<(), &'static str> {
        let found = self.propagate(clause, hints);
        self.assignment.undo(0);
        found
    }

    fn propagate(&mut self, clause: &[Literal], hints: &[i64]) -> Result<(), &'static str> {
        let assignment = &mut self.assignment;
        for &literal in clause {
            match assignment.value(literal) {
                0 => assignment.assign(-literal),
                // The literal twice, or with its negation: then the clause always holds.
                -1 => {}
                _ => return Ok(()),
            }
        }
        for &hint in hints {
            let hint =
                u64::try_from(hint).map_err(|_| "has negative hints, which are not followed: give it as DRAT")?;
            let reason = self.clauses.get(&hint).ok_or("has a hint that names no clause")?;
            let mut open = None;
            for &literal in reason {
                match (assignment.value(literal), open) {
                    (-1, _) => {}
                    (0, None) => open = Some(literal),
                    (0, Some(other)) if other == literal => {}
                    _ => return Err("has a hint that leaves more than one literal"),
                }
            }
            match open {
                None => return Ok(()),
                Some(literal) => assignment.assign(literal),
            }
        }
        Err("does not follow from its hints")
    }
}
