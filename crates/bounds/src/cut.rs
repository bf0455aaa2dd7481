//! **What:** a set of nodes that more messages must leave than its outgoing channels carry in a few steps.
//!
//! **Idea:** a message with an origin inside a set and a destination outside leaves it at least once. Sets are looked for in two
//! ways:
//!
//! - the parts of orders of the nodes, each from the first node up to some other, and what a local search makes of the best of them
//!   ([`orders`]): for any network and any messages, in time about linear in both;
//! - minimum cuts, where what must leave adds up over nodes, as it does when one end of the messages is fixed ([`minimum`]).
//!
//! **Loses** nothing for scatter, gather, allgather and reduce_scatter of all terminals while ticks last; for messages
//! between many pairs the best set is hard to find, and `lengths` surpasses sets where these are not the best.

mod border;
mod ends;
mod minimum;
mod orders;

pub use border::{Border, Crossing};
pub(super) use minimum::spread;

use super::{Finder, Wanted, is_unicast, measure};
use kernel::{Certificate, Message, Problem, Proof};
use run::Budget;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "cut",
    about: "the most that must leave a set of nodes, over the capacity of its outgoing channels",
    source: "Ford and Fulkerson 1956; Edmonds 1973 (branchings); Fiedler 1973 (orders)",
    find,
};

/// Most ticks for orders.
const SWEEPING: u64 = 1 << 24;

/// The best set found, its nodes ascending.
pub(super) fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let collective = problem.collective();
    if problem.model().combining || collective.message_count() == 0 {
        return None;
    }
    let limit = SWEEPING.min(budget.left() / 2);
    let set = budget.within(limit, |part| orders::best(problem, wanted, part));
    let swept = set.map(|nodes| measure(problem, Proof::Cut { nodes }));
    let floor = wanted.floor.max(swept.as_ref().map_or(0, |claim| claim.steps));
    let first = Message(0);
    let one_origin = || collective.messages().all(|m| collective.origin(m) == collective.origin(first));
    let one_receiver =
        || collective.messages().all(|m| collective.destinations(m)[0] == collective.destinations(first)[0]);
    if wanted.reached(floor) || (is_unicast(problem) && !one_origin() && !one_receiver()) {
        return swept;
    }
    minimum::find(problem, Wanted { floor, ..wanted }, budget).or(swept)
}
