//! **What:** checks a proof in the text form of DRAT.
//!
//! A line `literals 0` adds a clause that follows by unit propagation (with all its literals false, clauses with one open
//! literal force that literal, until some clause has none), or whose resolvents on its first literal with every clause all
//! do. Lines `d literals 0`, deletions, are read and not followed: more clauses make no such step wrong that is accepted
//! here, as resolvents with all clauses ever seen are asked for.
//!
//! **Source:** N. Wetzler, M. J. H. Heule, W. A. Hunt, DRAT-trim: efficient checking and trimming using expressive clausal
//! proofs, 2014. Propagation watches two literals of each clause (M. W. Moskewicz et al., Chaff, 2001).

use super::{Assignment, ProofError, lines, literals, numbers};
use crate::{Cnf, Literal};

/// Looks at clauses that any proof may take, and that each byte of proof and each literal of the formula adds: some hundred
/// thousand for a line of usual length.
const LOOKS: u64 = 1 << 24;
const LOOKS_EACH: u64 = 1 << 12;

/// Checks that `proof` derives the empty clause from `formula`, in time bounded by the size of both.
///
/// # Errors
/// The first step that does not follow.
pub fn drat(formula: &Cnf, proof: &[u8]) -> Result<(), ProofError> {
    let size = (proof.len() + formula.size()) as u64;
    drat_within(formula, proof, size.saturating_mul(LOOKS_EACH).saturating_add(LOOKS))
}

/// As [`drat`], with so many looks at clauses.
///
/// # Errors
/// As [`drat`].
pub fn drat_within(formula: &Cnf, proof: &[u8], most: u64) -> Result<(), ProofError> {
    let assignment = Assignment::new(formula.variables());
    let watches = vec![Vec::new(); 2 * assignment.values.len()];
    let mut state = State { clauses: Vec::new(), watches, assignment, next: 0, looks: 0, most };
    for clause in formula.clauses() {
        if !state.add(clause.to_vec()) {
            return Ok(());
        }
    }
    for (line, text) in lines(proof) {
        let mut words = text?.split_ascii_whitespace().peekable();
        let deletes = words.next_if_eq(&"d").is_some();
        let wrong = |why| ProofError::Step { line, why };
        let clause = numbers(&mut words).and_then(|n| literals(&n, &state.assignment)).map_err(wrong)?;
        if words.next().is_some() {
            return Err(wrong("has words after its end"));
        }
        if deletes {
            continue;
        }
        let follows = state.follows(&clause);
        if state.looks > most {
            return Err(ProofError::TooLong { looks: most });
        }
        if !follows {
            return Err(wrong("does not follow by unit propagation"));
        }
        if !state.add(clause) {
            return Ok(());
        }
    }
    Err(ProofError::Incomplete)
}

struct State {
    /// Each with two watched literals in front, unless it is shorter.
    clauses: Vec<Vec<Literal>>,
    /// Clauses by watched literal.
    watches: Vec<Vec<usize>>,
    assignment: Assignment,
    /// The first assignment that is not propagated yet.
    next: usize,
    /// Clauses looked at so far, and at most.
    looks: u64,
    most: u64,
}

/// The position of a literal in a table of all.
fn index(literal: Literal) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

impl State {
    /// Adds a clause for good; `false` where a contradiction follows.
    fn add(&mut self, mut clause: Vec<Literal>) -> bool {
        clause.sort_unstable();
        clause.dedup();
        // What holds or is open goes in front, to be watched.
        clause.sort_by_key(|l| self.assignment.value(*l) < 0);
        let open = clause.iter().filter(|l| self.assignment.value(**l) >= 0).count();
        if clause.len() > 1 {
            for &literal in &clause[..2] {
                self.watches[index(literal)].push(self.clauses.len());
            }
        }
        let first = clause.first().copied();
        self.clauses.push(clause);
        match (open, first) {
            (0, _) | (_, None) => false,
            (1, Some(unit)) if self.assignment.value(unit) == 0 => {
                self.assignment.assign(unit);
                self.propagate()
            }
            _ => true,
        }
    }

    /// Assigns what clauses with one open literal force; `false` where some clause fails.
    fn propagate(&mut self) -> bool {
        while let Some(&holds) = self.assignment.trail.get(self.next) {
            self.next += 1;
            let fails = -holds;
            let mut watching = std::mem::take(&mut self.watches[index(fails)]);
            let mut kept = 0;
            let mut sound = true;
            let mut at = 0;
            while at < watching.len() {
                let id = watching[at];
                self.looks += 1;
                at += 1;
                let clause = &mut self.clauses[id];
                if clause[0] == fails {
                    clause.swap(0, 1);
                }
                let other = clause[0];
                if self.assignment.value(other) <= 0
                    && let Some(free) = (2..clause.len()).find(|i| self.assignment.value(clause[*i]) >= 0)
                {
                    clause.swap(1, free);
                    self.watches[index(clause[1])].push(id);
                    continue;
                }
                watching[kept] = id;
                kept += 1;
                match self.assignment.value(other) {
                    0 => self.assignment.assign(other),
                    1 => {}
                    _ => {
                        sound = false;
                        break;
                    }
                }
            }
            watching.drain(kept..at);
            self.watches[index(fails)] = watching;
            if !sound {
                return false;
            }
        }
        true
    }

    /// Assigns the negations of `literals` and propagates; `false` where that contradicts itself.
    fn deny(&mut self, literals: &[Literal]) -> bool {
        for &literal in literals {
            match self.assignment.value(literal) {
                0 => self.assignment.assign(-literal),
                1 => return false,
                _ => {}
            }
        }
        self.propagate()
    }

    fn undo(&mut self, kept: usize) {
        self.assignment.undo(kept);
        self.next = kept;
    }

    /// Whether a clause follows, or its resolvents on its first literal all do.
    fn follows(&mut self, clause: &[Literal]) -> bool {
        let base = self.assignment.trail.len();
        let follows = !self.deny(clause) || clause.first().is_some_and(|&pivot| self.resolvents_follow(pivot));
        self.undo(base);
        follows
    }

    fn resolvents_follow(&mut self, pivot: Literal) -> bool {
        let base = self.assignment.trail.len();
        self.looks += self.clauses.len() as u64;
        (0..self.clauses.len()).filter(|c| self.clauses[*c].contains(&-pivot)).collect::<Vec<_>>().into_iter().all(
            |c| {
                let rest: Vec<Literal> = self.clauses[c].iter().copied().filter(|l| *l != -pivot).collect();
                let contradicts = !self.deny(&rest);
                self.undo(base);
                contradicts && self.looks <= self.most
            },
        )
    }
}
