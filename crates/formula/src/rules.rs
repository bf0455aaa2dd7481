//! **What:** rules about variables, written down one after the other.

use super::{Cnf, Literal, Rule};

/// A formula that is being written: variables are numbered as they are asked for.
#[derive(Clone, Debug)]
pub struct Rules {
    variables: u32,
    most: u32,
    all: Vec<Rule>,
}

impl Rules {
    /// None yet, of at most so many variables.
    #[must_use]
    pub fn new(most: u32) -> Self {
        Rules { variables: 0, most, all: Vec::new() }
    }

    /// The next variable; `None` where there are too many.
    pub fn variable(&mut self) -> Option<Literal> {
        self.variables += 1;
        (self.variables <= self.most).then(|| Literal::try_from(self.variables).ok())?
    }

    /// The number of variables.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// At least one of the literals holds.
    pub fn one_of(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.all.push(Rule { least: 1, literals: literals.into_iter().collect() });
    }

    /// If the one holds, so does at least one of the others.
    pub fn implies(&mut self, one: Literal, others: impl IntoIterator<Item = Literal>) {
        self.one_of([-one].into_iter().chain(others));
    }

    /// At most so many of the literals hold.
    pub fn at_most(&mut self, most: u32, literals: Vec<Literal>) {
        let least = u32::try_from(literals.len()).unwrap_or(u32::MAX).saturating_sub(most);
        if least > 0 {
            self.all.push(Rule { least, literals: literals.into_iter().map(|l| -l).collect() });
        }
    }

    /// The formula in clauses.
    #[must_use]
    pub fn cnf(&self) -> Cnf {
        Cnf::of(self.variables, &self.all)
    }
}
