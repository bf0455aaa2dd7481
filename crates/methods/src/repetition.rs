//! **What:** the method `repetition`: messages in several equal chunks, as the schedule of one chunk after another.
//!
//! **Theory:** k times the steps of one chunk. Where that schedule keeps all ports or channels busy all the time, which is so of
//! ring passes with one port and of most of alltoall, nothing is lost by it.
//!
//! **Loses** where chunks can follow each other through the network at once, as in broadcasts.
//!
//! **Source:** folklore.

use crate::nested::{bound, gains, quick_best_but};
use kernel::{Collective, Message, Problem, Schedule, Transfer};
use run::{Method, Run};

/// The method.
pub struct Repetition;

const NAME: &str = "repetition";

impl Method for Repetition {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "messages in chunks: the schedule of one chunk, repeated for the others"
    }

    fn source(&self) -> &'static str {
        "folklore"
    }

    fn applies(&self, problem: &Problem) -> bool {
        // Slots of one period wrap round at its end, so periods are not simply put together.
        problem.collective().chunks() > 1 && !problem.model().is_slotted()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let chunks = problem.collective().chunks();
        let single = single(problem)?;
        let floor = bound(&single, run).max(floor.div_ceil(u64::from(chunks)));
        if !gains(floor * u64::from(chunks), None, run) {
            return None;
        }
        let best = quick_best_but(&[NAME], &single, floor, run)?;
        let once = best.schedule.expanded().ok()?;
        let mut all = Schedule::new();
        for chunk in 0..chunks {
            for step in once.steps() {
                all.begin_step();
                for transfer in step {
                    let messages: Vec<Message> =
                        transfer.messages.iter().map(|m| Message(m.0 * chunks + chunk)).collect();
                    all.push(Transfer { messages: &messages, ..transfer });
                }
            }
        }
        Some(all)
    }
}

/// The problem of the first chunk of each message.
pub(crate) fn single(problem: &Problem) -> Option<Problem> {
    let collective = problem.collective();
    let firsts = collective.messages().step_by(collective.chunks() as usize);
    let messages = firsts.map(|m| (collective.contributors(m).to_vec(), collective.destinations(m).to_vec()));
    let single = Collective::new(collective.name(), collective.semantics(), collective.root(), messages).ok()?;
    Problem::new(problem.network().clone(), single, problem.model()).ok()
}
