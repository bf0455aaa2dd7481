//! **What:** the method `gossip`: where transfers may combine messages, evolution of who calls whom in each step; and evolution
//! of paths where there are few messages.
//!
//! **Idea.** A transfer that carries everything its sender has tells as much as any. So what has to be found is not how
//! messages travel but which nodes call which, in so few steps that everybody ends up with what is meant for them. Recursive
//! doubling is the best answer with one port on a hypercube; on other networks there need be none so regular.
//!
//! **Method.** The encoding of calls of the evolutionary engines ([`evolution`](crate)), a small population and
//! some thousand moves for each number of steps, from the floor on.
//!
//! Where transfers carry one message each, paths are evolved with the usual parameters, of all lengths and of a few channels
//! in turn.
//!
//! **When it loses.** On more than some dozen nodes, where calls are annealed (`call-annealing`) and single messages packed.
//!
//! **Source.** A. Hajnal, E. C. Milner, E. Szemerédi, A cure for the telephone disease, 1972; evolution of broadcast
//! schedules: the dissertation, chapter 6, which leaves combining to the future.

use crate::Evolution;
use kernel::{Problem, Schedule};
use run::{Method, Run, Settings};

/// The engine.
pub struct Gossip;

/// What evolution of calls is given.
const CALLS: [(&str, &str); 3] = [("population", "30"), ("generations", "400"), ("refine", "200")];

/// What evolution of short paths is given.
const SHORT: [(&str, &str); 1] = [("radius", "3")];

/// What a move of evolution takes, in ticks.
const TICKS_A_MOVE: u64 = 8;

/// Where there are more nodes or deliveries, searches of other kinds do better.
const MOST_NODES: usize = 40;
const MOST_DELIVERIES: usize = 1 << 11;

impl Method for Gossip {
    fn name(&self) -> &'static str {
        "gossip"
    }

    fn about(&self) -> &'static str {
        "few nodes: pairs that exchange in each step where transfers combine, else paths, by evolution"
    }

    fn source(&self) -> &'static str {
        "A. Hajnal, E. C. Milner, E. Szemerédi, A cure for the telephone disease, 1972"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let deliveries = || collective.messages().map(|m| collective.destinations(m).len()).sum::<usize>();
        let few = || problem.network().node_count() <= MOST_NODES && deliveries() <= MOST_DELIVERIES;
        collective.message_count() > 1 && Evolution::UMDA.applies(problem) && few()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let choices: &[&[(&str, &str)]] = if problem.model().combining { &[&CALLS] } else { &[&[], &SHORT] };
        let ticks = run.settings.ticks / TICKS_A_MOVE / choices.len() as u64;
        let mut best: Option<Schedule> = None;
        for choice in choices {
            let part = run.part(Settings { ticks, ..run.settings });
            let found = evolution(choice).solve(problem, floor, &part);
            let steps = |s: &Option<Schedule>| s.as_ref().map_or(usize::MAX, Schedule::step_count);
            if steps(&found) < steps(&best) {
                best = found;
            }
            if best.as_ref().is_some_and(|b| b.step_count() as u64 <= run.goal(floor)) || run.stopped() {
                return best;
            }
        }
        // Other random numbers may do better.
        run.note_wants_more();
        best
    }
}

fn evolution(parameters: &[(&str, &str)]) -> Evolution {
    let mut engine = Evolution::UMDA;
    for (name, value) in parameters {
        engine.parameters.set("umda", name, value).expect("within its range");
    }
    engine
}
