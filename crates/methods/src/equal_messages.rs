//! **What:** the method `equal-messages`: where transfers may carry several messages, those of the same ends travel together, as one.
//!
//! **Theory:** whatever a transfer carries of them costs one transfer, so a schedule of one message of each kind is one of any number, in as
//! many steps: counts and chunks are for nothing.
//!
//! **Loses** nothing in steps, but transfers are as long as the largest count.
//!
//! **Source:** folklore.

use crate::nested::quick_best_but;
use kernel::{Collective, Message, Problem, Schedule, Transfer};
use run::{Method, Run};

/// The method.
pub struct EqualMessages;

const NAME: &str = "equal-messages";

impl Method for EqualMessages {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "where messages combine: those with the same origin and destinations as one"
    }

    fn source(&self) -> &'static str {
        "folklore"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        problem.model().combining
            && collective.is_numbered()
            && collective.messages().skip(1).any(|m| is_as_before(collective, m))
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let collective = problem.collective();
        let mut runs: Vec<Vec<Message>> = Vec::new();
        for m in collective.messages() {
            match runs.last_mut().filter(|_| is_as_before(collective, m)) {
                Some(run) => run.push(m),
                None => runs.push(vec![m]),
            }
        }
        let ends = |m: Message| (collective.contributors(m).to_vec(), collective.destinations(m).to_vec());
        let firsts = runs.iter().map(|run| ends(run[0]));
        let single = Collective::new(collective.name(), collective.semantics(), collective.root(), firsts).ok()?;
        let single = Problem::new(problem.network().clone(), single, problem.model()).ok()?;
        let best = quick_best_but(&[NAME], &single, floor, run)?;
        let mut all = Schedule::new();
        for step in best.schedule.expanded().ok()?.steps() {
            all.begin_step();
            for transfer in step {
                let (mut messages, mut partials) = (Vec::new(), Vec::new());
                for (at, message) in transfer.messages.iter().enumerate() {
                    for each in &runs[message.index()] {
                        messages.push(*each);
                        partials.extend_from_slice(transfer.partials_of(at));
                    }
                }
                all.push(Transfer { messages: &messages, partials: &partials, ..transfer });
            }
        }
        Some(all)
    }
}

/// Whether a message that is not the first has the ends of the one before it.
fn is_as_before(collective: &Collective, m: Message) -> bool {
    let before = m.0.checked_sub(1).map(Message);
    before.is_some_and(|before| {
        collective.contributors(m) == collective.contributors(before)
            && collective.destinations(m) == collective.destinations(before)
    })
}
