//! **What:** the method `relay-matching`: messages for one destination each under store-and-forward, on networks of any size, in time nearly
//! proportional to all hops.
//!
//! **Facts.** A channel or port that all routes together use C times needs C steps, and is idle in none of them if a message
//! always waits for it. Where no message has more than one hop left, hops are the edges of a bipartite graph from senders to receivers, which
//! needs as many steps as its largest degree (D. König, 1916): each step is a matching that leaves out no node of the largest degree.
//!
//! **Method.** [Routes](routes) that spread the load come first. Then steps are filled in turn [from both ends](filling): the next one from the front
//! with first hops, the next one from the back with last hops, those of the messages with the most hops left before others, as far as the [`ranks`] of messages let them. So
//! the first and the last steps have the most to choose from, and what is left for the middle is single hops. Each step is a
//! [matching] that covers what is needed most often still.
//!
//! **Parameters.** Rounds of routing; other routes while these need too many steps, and other ranks, until the ticks are spent.
//!
//! **When it loses.** Where distances are no shorter than the steps that ports and channels need: then what counts is when
//! messages come, of which ranks are a rough rule. It combines nothing.
//!
//! **Source:** ours; list scheduling (R. L. Graham, 1966) from both ends, matchings by weights of nodes (N. S. Mendelsohn, A. L. Dulmage, 1958).

mod filling;
mod matching;
mod ranks;
mod routes;

use crate::resources::{Resources, open_messages};
use crate::restarts::Restarts;
use filling::Filling;
use kernel::{Problem, Schedule, Semantics, Switching};
use ranks::Ranks;
use routes::Routes;
use run::{Budget, Method, Run};

/// The method.
pub struct RelayMatching;

const NAME: &str = "relay-matching";

/// Larger problems would take too much memory.
const MOST_MESSAGES: usize = 1 << 22;

/// Fewer messages are left to the rounds in which all methods have a share of the ticks.
const MANY: usize = 1 << 15;

/// Rounds in which routes are changed before steps are filled anew.
const SQUEEZES: u32 = 40;

/// How often the first routes are asked for a few per cent fewer steps.
const FIRST: u32 = 4;

impl Method for RelayMatching {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "messages for one destination each, under store-and-forward: steps filled from both ends by matchings of waiting hops"
    }

    fn source(&self) -> &'static str {
        "ours; list scheduling (R. L. Graham, 1966) and matchings by weights of nodes (N. S. Mendelsohn, A. L. Dulmage, 1958)"
    }

    /// With so many messages its first look is better than what others search for.
    fn is_quick(&self, problem: &Problem) -> bool {
        problem.collective().message_count() >= MANY
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (collective, model) = (problem.collective(), problem.model());
        collective.semantics() == Semantics::Copy
            && model.switching == Switching::StoreAndForward
            && !model.combining
            && collective.message_count() <= MOST_MESSAGES
            && collective.messages().all(|m| collective.destinations(m).len() == 1)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        // Where nothing near the bound is known it takes one look, however long that is.
        let is_near = run.incumbent.is_some_and(|known| (known.steps() as u64) < floor.saturating_mul(2));
        let first = self.is_quick(problem) && !is_near;
        let (ticks, attempts) = if first { (u64::MAX, 1) } else { (run.settings.ticks, u64::MAX) };
        let mut budget = Budget::new(run, ticks);
        let open = open_messages(problem);
        let resources = Resources::new(problem, &mut budget)?;
        let goal = run.goal(floor).max(1);
        let mut routes = Routes::new(&resources, &open, run.settings.slack.is_some());
        let restarts = Restarts { name: NAME, run, floor, cost: 1, attempts, most: usize::MAX };
        let mut ranks = Ranks::new(open.len(), &mut run.settings.seed.generator(0));
        restarts.best(&mut budget, |number, limit, budget| {
            let mut random = run.settings.seed.generator(number);
            let known = limit as u64;
            // Half way to the goal may be nearer than the goal.
            let half = goal + known.saturating_sub(goal) / 2;
            if number == 0 {
                routes.spread(&mut random, budget)?;
                // The bound may be far below what can be, as long as others have not searched for better ones.
                for _ in 0..FIRST {
                    let fewer = routes.steps().saturating_sub(1 + routes.steps() / 32);
                    routes.squeeze(fewer.max(goal), SQUEEZES / 8, &mut random, budget)?;
                }
            } else if ranks.renew(&mut random) || routes.steps() > known {
                let steps = if number % 2 == 1 { goal } else { half };
                routes.squeeze(steps, SQUEEZES, &mut random, budget)?;
            }
            if routes.steps() > known {
                return None;
            }
            let next = ranks.next(&mut random);
            let filled = Filling::new(&resources, &routes, &next).fill(ranks.limit(), run, budget)?;
            ranks.take(next, &filled);
            (filled.steps.len() <= limit).then(|| filling::schedule(&resources, &open, &filled.steps))
        })
    }
}
