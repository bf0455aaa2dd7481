//! **What:** a satisfiability solver with a budget: clauses in; a solution, a proof that there is none, or neither out.
//!
//! The solver is the library `varisat`. It has no switch to stop it, but it reports every clause it learns, to a writer of
//! its proof or to a processor of its checked proof, and ends when those refuse; so the budget is counted in bytes of proof
//! there, and clock and user are asked there. It is deterministic.

use kernel::formula::Cnf;
use run::Run;
use std::collections::HashMap;
use std::io::{self, Write};
use varisat::checker::{CheckedProofStep, CheckerData, ProofProcessor};
use varisat::{ExtendFormula, Lit, ProofFormat, Solver};

/// What became of a set of clauses.
pub enum Answer<P, S = Vec<bool>> {
    /// They have this solution: values of the variables in order.
    Solution(S),
    /// They have none.
    None(P),
    /// The budget was used up, or the run stopped.
    Open,
}

/// Searches for a solution; `budget` is in bytes of the proof that is not kept. Also tells how many were spent.
pub fn decide(cnf: &Cnf, budget: u64, run: &Run<'_>) -> (Answer<()>, u64) {
    let mut meter = Meter { left: budget, run };
    let mut solver = Solver::new();
    solver.write_proof(&mut meter, ProofFormat::Drat);
    let answer = answer(&mut solver, cnf, run);
    drop(solver);
    (told(answer, run), budget - meter.left)
}

/// As [`decide`], with a proof in the text form of LRAT of at most `budget` bytes.
pub fn prove(cnf: &Cnf, budget: u64, run: &Run<'_>) -> (Answer<Vec<u8>>, u64) {
    let mut writer = Lrat {
        meter: Meter { left: budget, run },
        text: Vec::new(),
        ids: HashMap::new(),
        given: 0,
        last: cnf.clauses().len() as u64,
    };
    let mut solver = Solver::new();
    solver.add_proof_processor(&mut writer);
    let answer = told(answer(&mut solver, cnf, run), run);
    drop(solver);
    let spent = budget - writer.meter.left;
    let answer = match answer {
        Answer::Solution(values) => Answer::Solution(values),
        Answer::None(()) => Answer::None(writer.text),
        Answer::Open => Answer::Open,
    };
    (answer, spent)
}

/// Clauses between two looks at the clock.
const BETWEEN_LOOKS: usize = 4096;

/// Tells the run where a question was left open for want of ticks.
fn told(answer: Answer<()>, run: &Run<'_>) -> Answer<()> {
    if matches!(answer, Answer::Open) && !run.stopped() {
        run.note_wants_more();
    }
    answer
}

fn answer(solver: &mut Solver<'_>, cnf: &Cnf, run: &Run<'_>) -> Answer<()> {
    for _ in 0..cnf.variables() {
        solver.new_var();
    }
    let mut clause: Vec<Lit> = Vec::new();
    for (number, literals) in cnf.clauses().enumerate() {
        if number % BETWEEN_LOOKS == 0 && run.stopped() {
            return Answer::Open;
        }
        clause.clear();
        clause.extend(literals.iter().map(|&l| Lit::from_dimacs(l as isize)));
        solver.add_clause(&clause);
    }
    match solver.solve() {
        Ok(false) => Answer::None(()),
        Err(_) => Answer::Open,
        Ok(true) => {
            let mut values = vec![false; cnf.variables() as usize];
            for literal in solver.model().into_iter().flatten().filter(|l| l.is_positive()) {
                values[literal.var().index()] = true;
            }
            Answer::Solution(values)
        }
    }
}

/// Counts bytes, and refuses them when too many have come or the run has stopped.
struct Meter<'a> {
    left: u64,
    run: &'a Run<'a>,
}

impl Meter<'_> {
    fn spend(&mut self, bytes: usize) -> io::Result<()> {
        let left = self.left.checked_sub(bytes as u64);
        // Many bytes may come at once: what they exceed is used up.
        self.left = left.unwrap_or(0);
        match left {
            Some(_) if !self.run.stopped() => Ok(()),
            _ => Err(io::Error::from(io::ErrorKind::QuotaExceeded)),
        }
    }
}

impl Write for Meter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.spend(bytes.len()).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the steps of a proof as the solver's own checker reports them.
struct Lrat<'a> {
    meter: Meter<'a>,
    text: Vec<u8>,
    /// Numbers in the text by the checker's numbers.
    ids: HashMap<u64, u64>,
    /// Clauses of the formula seen so far.
    given: u64,
    /// The last number in the text.
    last: u64,
}

impl Lrat<'_> {
    fn id(&self, of: u64) -> io::Result<u64> {
        self.ids.get(&of).copied().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
    }
}

impl ProofProcessor for Lrat<'_> {
    fn process_step(&mut self, step: &CheckedProofStep<'_>, data: CheckerData<'_, '_>) -> Result<(), anyhow::Error> {
        let before = self.text.len();
        match step {
            CheckedProofStep::AddClause { id, .. }
            | CheckedProofStep::DuplicatedClause { id, .. }
            | CheckedProofStep::TautologicalClause { id, .. } => {
                self.given += 1;
                self.ids.insert(*id, self.given);
            }
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.last += 1;
                self.ids.insert(*id, self.last);
                write!(self.text, "{} ", self.last)?;
                for literal in *clause {
                    let var = data.user_from_proof_var(literal.var()).unwrap_or(literal.var());
                    write!(self.text, "{} ", var.lit(literal.is_positive()).to_dimacs())?;
                }
                self.text.extend_from_slice(b"0 ");
                for hint in *propagations {
                    let hint = self.id(*hint)?;
                    write!(self.text, "{hint} ")?;
                }
                self.text.extend_from_slice(b"0\n");
            }
            CheckedProofStep::DeleteClause { id, .. }
            | CheckedProofStep::DeleteAtClause { id, keep_as_redundant: false, .. } => {
                let (last, old) = (self.last, self.id(*id)?);
                writeln!(self.text, "{last} d {old} 0")?;
            }
            // Nothing that adds or takes out a clause.
            _ => {}
        }
        self.meter.spend(self.text.len() - before)?;
        Ok(())
    }
}
