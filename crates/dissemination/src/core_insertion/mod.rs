//! **What:** the method `core-insertion`: allreduce and barrier in chunks, through one port; each chunk is merged into a core of few nodes, exchanged there, and copied to all.
//!
//! **Theory.** Sums that are merged on their way to a core are copies from it, with time reversed. So both are inserted into one plan, those backwards and
//! these forwards, chunks beside each other, and what is in the way of one is taken out, whichever it is.
//!
//! A core of m nodes takes log m steps and m log m transfers, where n nodes less take 2 (n - m) beside it: larger cores end sooner and send more.
//!
//! **Method.** For a number of steps: the sizes of cores that may do, cores drawn as products of pairs, steps in which they exchange, as many at a time
//! as ports allow; then [insertion](crate::CopyInsertion). Where automorphisms of the network move the core of a chunk to itself, they may also move chunks to chunks, and then
//! only one of the transfers that these move to each other is inserted.
//!
//! **When it loses.** Where chunks are many, so that there are many copies to insert, and where contributions should meet at other nodes than copies come from.
//! With one chunk or several ports others find as good sooner, so it declines.
//!
//! **Source:** R. Rabenseifner, Optimization of collective reduction operations, 2004, for cores; ours in how the rest is found.

mod cores;
mod look;
mod meetings;

use crate::images;
use crate::spreading::rate;
use cores::Core;
use graph::distances::within_slack;
use kernel::formula::Image;
use kernel::{Problem, Schedule, Semantics};
use look::Cores;
use run::{Budget, Method, Run};

/// The method.
pub struct CoreInsertion;

const NAME: &str = "core-insertion";

/// Chunks times nodes are fewer: with more, a search gets nowhere in the time in which others find as good.
const MOST_COPIES: usize = 1 << 10;

/// The most ticks of a run, for each node and each other: on small networks it soon finds what it finds.
const A_PAIR: u64 = 4_000;

/// Ticks of drawing cores.
const TICKS_A_DRAW: u64 = 100;

impl Method for CoreInsertion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier in chunks through one port: each merged into a core, exchanged there, and copied to all"
    }

    fn source(&self) -> &'static str {
        "ours; R. Rabenseifner, Optimization of collective reduction operations, 2004"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let Some(first) = collective.messages().next() else { return false };
        let members = collective.contributors(first);
        collective.semantics() == Semantics::Reduce
            && members.len() > 1
            && collective.message_count() > 1
            && rate(problem.network(), members) == 1
            && collective.message_count() * problem.network().node_count() < MOST_COPIES
            && !problem.model().is_slotted()
            && !problem.model().combining
            && problem.network().half_duplex().is_empty()
            && collective
                .messages()
                .all(|m| collective.contributors(m) == members && collective.destinations(m) == members)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let collective = problem.collective();
        let pairs = (problem.network().node_count() as u64).pow(2);
        let budget = &mut Budget::new(run, run.settings.ticks.min(A_PAIR * pairs));
        let mut random =
            run.settings.seed.generator(0xc07e_0000 + u64::from(run.settings.ticks.checked_ilog2().unwrap_or(0)));
        let members = collective.contributors(collective.messages().next()?);
        let network = problem.network();
        let chunks = collective.message_count();
        let mut far = Vec::new();
        for &node in members {
            far.push(Core { nodes: vec![node] }.far(problem, members, budget)?);
        }
        let known = run.incumbent.map(|known| known.steps() as u64);
        // A member that is left in place would have to send several chunks at once, or none.
        let moves_all = |image: &Image| members.iter().all(|v| image.nodes[v.index()] != v.0);
        let mut symmetries = images::symmetries(problem, &mut random, run, budget);
        symmetries.retain(|images| images[1..].iter().all(moves_all));
        let search = Cores { problem, members, far: &far, chunks, symmetries: &symmetries };
        let goal = run.goal(floor).max(1);
        let mut look = |steps: u64, part: &mut Budget<'_>| {
            run.progress.working(NAME, steps, 0);
            let found = search.look(steps, &mut random, part);
            found.filter(|found| within_slack(problem, found, run.settings.slack, part))
        };
        // Halfway between what failed and what was found, and in the end again and again a step less than what was found: other cores may do.
        let (mut known, mut best) = (known, None);
        let mut low = search.likely().max(goal);
        let (mut unknown, mut stride) = (low + low / 2, 1);
        // As many as if one node after the other were served, with some to spare.
        let most = (4 * chunks * network.node_count()) as u64;
        while known.map_or(unknown <= most, |known| known > goal) && budget.spend(TICKS_A_DRAW) {
            let steps = known.map_or(unknown, |known| low.min(known - 1).midpoint(known - 1).max(goal));
            match look(steps, budget) {
                Some(found) => {
                    run.progress.found(NAME, steps);
                    (known, best) = (Some(steps), Some(found));
                }
                None => {
                    low = steps + 1;
                    if known.is_none() {
                        unknown += stride;
                        stride *= 2;
                    }
                }
            }
        }
        if known.is_none_or(|known| known > goal) {
            run.note_wants_more();
        }
        best
    }
}
