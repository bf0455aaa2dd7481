//! **What:** a formula's rules as clauses, written and read as DIMACS.
//!
//! A rule "at least `n − f` of `n` literals" becomes: one clause where `f = n − 1`; units where `f = 0`; a clause for each
//! pair where `f = 1` and `n ≤ 6`; else a sequential counter (C. Sinz, Towards an optimal CNF encoding of Boolean
//! cardinality constraints, 2005), whose variables `s(i, j)`, "at least `j + 1` of the first `i + 1` literals fail", come
//! after all before, row by row. Counters lose no solution: their values follow from the literals'.

use super::{Formula, Literal, Rule};
use std::io::{self, Write};

/// Clauses over variables `1` to [`Cnf::variables`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    variables: u32,
    /// All clauses one after the other.
    literals: Vec<Literal>,
    /// Where each clause ends.
    ends: Vec<usize>,
}

/// What is wrong with a DIMACS text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct DimacsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub why: &'static str,
}

impl Cnf {
    /// The clauses of a formula.
    pub fn new(formula: &Formula) -> Self {
        Self::of(formula.variables(), formula.rules())
    }

    /// The clauses of rules over variables `1` to `variables`; `None` where they have more than `most` literals.
    pub fn of_within(variables: u32, rules: &[Rule], most: usize) -> Option<Self> {
        let mut cnf = Cnf { variables, ..Cnf::default() };
        for rule in rules {
            // A counter has a variable for most pairs of a literal and a number that may fail, in a clause at least.
            let fail = rule.literals.len().saturating_sub(rule.least as usize);
            let room = most - cnf.literals.len();
            if (rule.literals.len() - fail).saturating_mul(fail) > room {
                return None;
            }
            cnf.rule(rule);
            if cnf.literals.len() > most {
                return None;
            }
        }
        Some(cnf)
    }

    /// Number of literals of all clauses together.
    pub fn size(&self) -> usize {
        self.literals.len()
    }

    /// The clauses of any rules over variables `1` to `variables`.
    pub fn of(variables: u32, rules: &[Rule]) -> Self {
        let mut cnf = Cnf { variables, ..Cnf::default() };
        for rule in rules {
            cnf.rule(rule);
        }
        cnf
    }

    /// Number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The clauses, in order.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Literal]> {
        self.ends.iter().enumerate().map(|(at, end)| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.literals[start..*end]
        })
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.literals.extend(literals);
        self.ends.push(self.literals.len());
    }

    fn variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::try_from(self.variables).unwrap_or(Literal::MAX)
    }

    fn rule(&mut self, rule: &Rule) {
        let literals = &rule.literals;
        let n = literals.len();
        match n.checked_sub(rule.least as usize) {
            // More are asked for than there are.
            None => self.clause([]),
            Some(fail) if fail == n => {}
            Some(0) => literals.iter().for_each(|&l| self.clause([l])),
            Some(fail) if fail == n - 1 => self.clause(literals.iter().copied()),
            Some(1) if n <= 6 => {
                for (i, &a) in literals.iter().enumerate() {
                    literals[i + 1..].iter().for_each(|&b| self.clause([a, b]));
                }
            }
            Some(fail) => self.counter(literals, fail),
        }
    }

    /// At most `fail` of the literals fail, by a sequential counter.
    fn counter(&mut self, literals: &[Literal], fail: usize) {
        let mut before: Vec<Literal> = Vec::new();
        for (i, &literal) in literals.iter().enumerate() {
            if let Some(&full) = before.get(fail - 1) {
                self.clause([literal, -full]);
            }
            if i + 1 == literals.len() {
                break;
            }
            // Of the first i + 1 literals, at most i + 1 fail.
            let row: Vec<Literal> = (0..fail.min(i + 1)).map(|_| self.variable()).collect();
            for (j, &count) in row.iter().enumerate() {
                if let Some(&same) = before.get(j) {
                    self.clause([-same, count]);
                }
                match j.checked_sub(1) {
                    None => self.clause([literal, count]),
                    Some(less) => self.clause([literal, -before[less], count]),
                }
            }
            before = row;
        }
    }

    /// Writes the clauses as DIMACS; `out` should be buffered.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "p cnf {} {}", self.variables, self.ends.len())?;
        for clause in self.clauses() {
            for literal in clause {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }

    /// Reads DIMACS: comments, the line `p cnf`, clauses that end in 0.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &[u8]) -> Result<Self, DimacsError> {
        let mut cnf = Cnf::default();
        let mut clauses: Option<usize> = None;
        let mut lines = 0;
        for (at, line) in text.split(|b| *b == b'\n').enumerate() {
            lines = at + 1;
            let wrong = |why| DimacsError { line: lines, why };
            let line = std::str::from_utf8(line).map_err(|_| wrong("is no text"))?.trim();
            if line.is_empty() || line.starts_with('c') {
                continue;
            }
            if let Some(head) = line.strip_prefix('p') {
                let numbers: Vec<&str> = head.split_whitespace().collect();
                let ["cnf", variables, count] = numbers[..] else { return Err(wrong("is no line `p cnf`")) };
                let number = |word: &str| word.parse::<u32>().map_err(|_| wrong("is no line `p cnf`"));
                cnf.variables = number(variables)?;
                if clauses.replace(number(count)? as usize).is_some() {
                    return Err(wrong("is a second line `p cnf`"));
                }
                continue;
            }
            if clauses.is_none() {
                return Err(wrong("comes before the line `p cnf`"));
            }
            for word in line.split_whitespace() {
                let literal: Literal = word.parse().map_err(|_| wrong("has a word that is no literal"))?;
                match literal {
                    0 => cnf.ends.push(cnf.literals.len()),
                    _ if literal.unsigned_abs() > cnf.variables => {
                        return Err(wrong("names a variable that does not exist"));
                    }
                    _ => cnf.literals.push(literal),
                }
            }
        }
        let open = cnf.ends.last().copied().unwrap_or(0) != cnf.literals.len();
        if open || clauses != Some(cnf.ends.len()) {
            return Err(DimacsError { line: lines, why: "ends before all clauses were told" });
        }
        Ok(cnf)
    }
}
