//! **What:** a satisfiability solver's proof that a formula has no solution.
//!
//! **Idea:** the formula's clauses go to the solver, and the clauses it learns are the proof, each with the earlier ones it
//! follows from (LRAT), so that checking takes about as long as reading.
//!
//! **Loses** where the reason is a count of many alike (so many paths through so few channels): there the proofs grow
//! exponentially, and a combination of the rules is a line.

use super::{Reads, Refuter};
use graph::{sat::Answer, sat::prove};
use kernel::formula::Cnf;
use kernel::{Attachment, Problem, Proof};
use run::Run;

/// The registry's entry.
pub(super) const REFUTER: Refuter = Refuter {
    name: "unsat",
    about: "a satisfiability solver's proof that no schedule of fewer steps exists",
    source: "LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017); solver varisat",
    refute,
};

/// What it takes up.
pub(super) const READS: Reads = Reads { largest: 500_000, ticks_a_literal: TICKS_A_LITERAL };

/// Of the ticks, one in so many is a byte of proof: that is about how much longer the solver takes for it.
const TICKS_A_BYTE: u64 = 25;

/// Ticks until the solver has a literal of the formula and has seen what follows from it at once.
const TICKS_A_LITERAL: u64 = 100;

fn refute(problem: &Problem, steps: u64, ticks: u64, run: &Run<'_>) -> Option<Proof> {
    let formula = &READS.formula(problem, steps, ticks, run)?;
    let literals: u64 = formula.rules().iter().map(|rule| rule.literals.len() as u64).sum();
    let ticks = ticks.saturating_sub(literals * TICKS_A_LITERAL);
    if run.is_spent(TICKS_A_BYTE, ticks) {
        return None;
    }
    let cnf = Cnf::new(formula);
    let (answer, spent) = prove(&cnf, ticks / TICKS_A_BYTE, run);
    let Answer::None(proof) = answer else {
        run.is_spent(spent, ticks / TICKS_A_BYTE);
        return None;
    };
    let mut clauses = Vec::new();
    cnf.write(&mut clauses).ok()?;
    Some(Proof::Unsat {
        formula: Attachment::holding("formula.cnf", clauses),
        proof: Attachment::holding("proof.lrat", proof),
    })
}
