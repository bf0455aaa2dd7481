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
    /// Why the formulas of M-to-N scatter (3.11) to (3.13) are not among them, where the messages are of that kind.
    pub absent: Option<String>,
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
    let printed: Vec<Printed> = FORMULAS.iter().filter_map(said).collect();
    let has_phases = printed.iter().any(|p| p.formula.equation == "3.13");
    let absent = if has_phases { None } else { no_phases(&quantities) };
    Sayings { printed, quantities: Some(quantities), absent }
}

/// Why M-to-N scatter has no phases (3.11) to (3.13).
fn no_phases(q: &Quantities) -> Option<String> {
    if q.pattern != Pattern::Scatter {
        return None;
    }
    let zero = |letter: &'static str, width: Option<u64>| (width == Some(0)).then_some(letter);
    match q.relation {
        Relation::OneToAll | Relation::AllToOne | Relation::AllToAll => None,
        Relation::SendersWithin => Some("every terminal receives: (3.17) is said instead".into()),
        Relation::ReceiversWithin => Some("every terminal transmits: (3.15) is said instead".into()),
        Relation::Apart if q.both == 0 => Some("no node both transmits and receives (Q = 0)".into()),
        Relation::Apart => Some("some terminals neither transmit nor receive".into()),
        Relation::Overlapping => {
            let widths = [zero("b₁", q.inwards), zero("b₂", q.outwards), zero("b₀", q.within.filter(|_| q.both > 1))];
            let none: Vec<&str> = widths.into_iter().flatten().collect();
            Some(match none.is_empty() {
                true => "the bisection b₀ was not found".into(),
                false => format!("they divide by {}, which is 0", none.join(" and ")),
            })
        }
    }
}
