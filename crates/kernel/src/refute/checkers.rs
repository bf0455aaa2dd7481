//! **What:** the checkers of the kinds `combination` and `unsat`: "no schedule has so many steps less one".

use super::{drat, lrat};
use crate::formula::{Beyond, Cnf, Formula, Literal};
use crate::{Attachment, Problem, Refused};

/// The formula of one step less than `steps`.
fn fewer(problem: &Problem, steps: u64, kind: &'static str) -> Result<Formula, Refused> {
    let why = Beyond::Scope("no schedule has fewer than 0 steps");
    let fewer = steps.checked_sub(1).ok_or(Refused::Formula { kind, why })?;
    Formula::encode(problem, fewer).map_err(|why| Refused::Formula { kind, why })
}

/// Every rule is a linear inequality in its literals, a negation being one minus its variable. Their sum, each taken as
/// often as its multiplier says, must fail even where every variable takes the best value between 0 and 1.
pub(crate) fn combination(problem: &Problem, steps: u64, multipliers: &[(u32, u64)]) -> Result<u64, Refused> {
    let formula = fewer(problem, steps, "combination")?;
    // Each of fewer than 2^26 literals counts less than 2^64 times, so 128 bits are enough.
    let mut coefficients = vec![0i128; formula.variables() as usize + 1];
    let mut missing = 0i128;
    let mut before = None;
    for &(rule, times) in multipliers {
        let found = formula.rules().get(rule as usize).filter(|_| before.is_none_or(|b| b < rule));
        let found = found.ok_or(Refused::NoSuchRule { rule })?;
        before = Some(rule);
        let times = i128::from(times);
        missing += times * i128::from(found.least);
        for &literal in &found.literals {
            if literal < 0 {
                missing -= times;
            }
            coefficients[literal.unsigned_abs() as usize] += times * i128::from(literal.signum());
        }
    }
    let most: i128 = coefficients.iter().map(|c| (*c).max(0)).sum();
    if most < missing { Ok(steps) } else { Err(Refused::Satisfiable) }
}

/// The clauses must be those made here, and the proof must lead from them to the empty clause.
pub(crate) fn unsat(problem: &Problem, steps: u64, formula: &Attachment, proof: &Attachment) -> Result<u64, Refused> {
    let text = |file: &Attachment| file.text.clone().ok_or_else(|| Refused::NotRead { file: file.name.clone() });
    let (claimed, proof_text) = (text(formula)?, text(proof)?);
    let name = proof.name.strip_suffix(".gz").unwrap_or(&proof.name);
    let check = match name.rsplit_once('.') {
        Some((_, "lrat")) => lrat,
        Some((_, "drat")) => drat,
        _ => return Err(Refused::ProofFormat { file: proof.name.clone() }),
    };
    let claimed = Cnf::parse(&claimed).map_err(|why| Refused::Dimacs { file: formula.name.clone(), why })?;
    let true_one = Cnf::new(&fewer(problem, steps, "unsat")?);
    if let Some(difference) = difference(&claimed, &true_one) {
        return Err(Refused::OtherFormula { file: formula.name.clone(), steps: steps - 1, difference });
    }
    check(&true_one, &proof_text).map_err(|why| Refused::Proof { file: proof.name.clone(), why })?;
    Ok(steps)
}

/// The first difference between two lists of clauses.
fn difference(claimed: &Cnf, expected: &Cnf) -> Option<String> {
    let sizes = |cnf: &Cnf| (cnf.variables(), cnf.clauses().len());
    let sorted = |clause: &[Literal]| {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause
    };
    let other = claimed.clauses().zip(expected.clauses()).position(|(a, b)| a != b && sorted(a) != sorted(b));
    match other {
        Some(at) => Some(format!("clause {} is another", at + 1)),
        None if sizes(claimed) != sizes(expected) => {
            let ((variables, clauses), (right, wanted)) = (sizes(claimed), sizes(expected));
            Some(format!("{variables} variables and {clauses} clauses where {right} and {wanted} are needed"))
        }
        None => None,
    }
}
