//! **What:** the checkers of the kinds `combination` and `unsat`: "no schedule has so many steps less one".

use crate::{Attachment, Problem, Refused};
pub use formula::proofs::{ProofError, drat, drat_within, lrat};
use formula::{Beyond, Cnf, Formula, Literal};

/// Pairs of a message and a channel or node in a step that a formula is looked for among, whatever the certificate's size; and
/// how many more for each number of the certificate.
const PLACES: usize = 1 << 16;
const PLACES_EACH: usize = 1 << 10;

/// Literals that a certificate of kind `combination` may leave out: so many in all, and so many for each rule it has.
const LEFT_OUT: usize = 1 << 16;
const LEFT_OUT_EACH: usize = 1 << 8;

/// The formula of one step less than `steps`, of at most `literals`, for a certificate of so many `numbers`: what is made for a
/// certificate grows with it and not with what the problem might ask for.
fn fewer(
    problem: &Problem,
    steps: u64,
    kind: &'static str,
    numbers: usize,
    literals: usize,
) -> Result<Formula, Refused> {
    let refused = |why| Refused::Formula { kind, why };
    let fewer = steps.checked_sub(1).ok_or(refused(Beyond::Scope("no schedule has fewer than 0 steps")))?;
    let places = numbers.saturating_mul(PLACES_EACH).saturating_add(PLACES).min(Formula::LARGEST);
    Formula::encode_among(problem, fewer, places, literals.min(Formula::LARGEST)).map_err(refused)
}

/// Every rule is a linear inequality in its literals, a negation being one minus its variable. Their sum, each taken as
/// often as its multiplier says, must fail even where every variable takes the best value between 0 and 1.
pub(crate) fn combination(problem: &Problem, steps: u64, multipliers: &[(u32, u64)]) -> Result<u64, Refused> {
    let literals = multipliers.len().saturating_mul(LEFT_OUT_EACH).saturating_add(LEFT_OUT);
    let formula = fewer(problem, steps, "combination", multipliers.len(), literals)?;
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
    // Each rule stands in clauses of as many literals at least, or of one more than none.
    let size = claimed.size() + claimed.clauses().len();
    // What a file may lack names literals that its other clauses name too.
    let most = size.saturating_mul(2);
    let other = |difference| Refused::OtherFormula { file: formula.name.clone(), steps: steps - 1, difference };
    let short = || other(format!("it has fewer than the literals it needs, {}", claimed.size()));
    let true_one = match fewer(problem, steps, "unsat", size, most) {
        Err(Refused::Formula { why: Beyond::Size { limit }, .. }) if limit == most => return Err(short()),
        formula => formula?,
    };
    let clauses = |rules| Cnf::of_within(true_one.variables(), rules, claimed.size());
    let compared = |rules| clauses(rules).map(|expected| difference(&claimed, &expected));
    let [all, first] = [true_one.rules(), true_one.first_rules()].map(compared);
    if ![&all, &first].contains(&&Some(None)) {
        return Err(all.or(first).flatten().map_or_else(short, other));
    }
    check(&claimed, &proof_text).map_err(|why| Refused::Proof { file: proof.name.clone(), why })?;
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
