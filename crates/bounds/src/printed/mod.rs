//! **What:** the lower bounds that the dissertation prints, as it prints them: [`FORMULAS`], and what they say of a problem.
//!
//! None of them is a fact. Some hold always, some only on the networks that they were made for, and some on none: what they say is
//! shown beside certified bounds, and compared with them, and nothing else may rest on it.
//!
//! **Parameters:** k is the most ports, and d the largest degree, of any terminal, with which a bound of networks of one degree
//! is weakest on others; Δ, the messages that cross the bisection twice, is 0. Widths count channels both ways.
//!
//! **Where they are said of:** wormhole switching, messages that travel alone, channels that do not share a link, and one message for each
//! pair, or for all. Store-and-forward allows less, so they are shown there, too.
//!
//! **Source:** J. Jaroš, "Evolutionary design of collective communications on wormhole networks", chapter 3.

mod formulas;
mod loads;
mod parties;
mod quantities;

pub use formulas::{FORMULAS, Formula};
pub use parties::{Parties, Pattern, Relation};
pub use quantities::Quantities;

use kernel::{Network, Problem, Semantics};

/// What a formula says of a problem: a claim that nothing checks.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// The formula.
    pub formula: &'static Formula,
    /// The steps that it says are needed.
    pub steps: u64,
}

/// The formulas that are said of a problem, with what they are made of.
#[derive(Clone, Debug, Default)]
pub struct Sayings {
    /// In the order of the print.
    pub printed: Vec<Printed>,
    /// What they are made of; `None` where none is said of this collective.
    pub quantities: Option<Quantities>,
}

/// What the dissertation's formulas say of `problem`; `bisect` gives the width of a network's bisection, in channels both ways.
pub fn printed(problem: &Problem, bisect: &dyn Fn(&Network) -> Option<u64>) -> Sayings {
    let model = problem.model();
    if model.combining || model.is_slotted() || !problem.network().half_duplex().is_empty() {
        return Sayings::default();
    }
    // What is merged on its way is the same run backwards.
    let forwards = match problem.collective().semantics() {
        Semantics::Copy => Some(problem.clone()),
        Semantics::Reduce => problem.reversed(),
    };
    let Some(quantities) = forwards.and_then(|problem| Quantities::of(&problem, bisect)) else {
        return Sayings::default();
    };
    let said = |formula: &'static Formula| Some(Printed { formula, steps: formula.of(&quantities)? });
    Sayings { printed: FORMULAS.iter().filter_map(said).collect(), quantities: Some(quantities) }
}
