//! **What:** the engine `gossip`: where transfers may combine messages, evolution of who calls whom in each step.
//!
//! **Idea.** A transfer that carries everything its sender has tells as much as any. So what has to be found is not how
//! messages travel but which nodes call which, in so few steps that everybody ends up with what is meant for them. Recursive
//! doubling is the best answer with one port on a hypercube; on other networks there need be none so regular.
//!
//! **Method.** The encoding of calls of the evolutionary engines ([`evolution`](crate)), a small population and
//! some thousand moves for each number of steps, from the floor on.
//!
//! **When it loses.** On more than some dozen nodes with one port, where few of all calls fit together.
//!
//! **Source.** A. Hajnal, E. C. Milner, E. Szemerédi, A cure for the telephone disease, 1972; evolution of broadcast
//! schedules: the dissertation, chapter 6, which leaves combining to the future.

use crate::Evolution;
use kernel::{Problem, Schedule};
use run::{Method, Run};

/// The engine.
pub struct Gossip;

/// What evolution is given here.
const PARAMETERS: [(&str, &str); 3] = [("population", "30"), ("generations", "400"), ("refine", "200")];

impl Method for Gossip {
    fn name(&self) -> &'static str {
        "gossip"
    }

    fn about(&self) -> &'static str {
        "combining: who calls whom in each step, by evolution"
    }

    fn source(&self) -> &'static str {
        "A. Hajnal, E. C. Milner, E. Szemerédi, A cure for the telephone disease, 1972"
    }

    fn applies(&self, problem: &Problem) -> bool {
        problem.model().combining && problem.collective().message_count() > 1 && evolution().applies(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        evolution().solve(problem, floor, run)
    }
}

fn evolution() -> Evolution {
    let mut engine = Evolution::named("umda").expect("in the registry");
    for (name, value) in PARAMETERS {
        engine.parameters.set("umda", name, value).expect("within its range");
    }
    engine
}
