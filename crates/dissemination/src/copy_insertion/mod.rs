//! **What:** the method `copy-insertion`: copies of messages, under store-and-forward or time-division, one inserted after the other at the expense of those in its way.
//!
//! **Method.** For a number of steps, a copy that is wanted and has no way yet takes the one that costs least ([`waves`]): over free channels, waiting at
//! nodes that have the message or will have it, and through whatever is in its way, at the price of how often that was looked for before, with all that
//! comes from it. What was in the way is taken out and wanted again. So what is hard to place becomes dear, and is gone around. All this is done for the schedule as it
//! is, and for schedules that are their own images under groups of automorphisms of the network, where a copy stands for all its images ([`folded`]).
//! Half of the ticks are for a number of steps halfway between the goal and what is known, half of the rest for one halfway between these and
//! what was found, and so on.
//!
//! Slots that are run backwards afterwards may wrap round in another way: what an origin sends before the period may arrive in it, since it is, backwards, what arrives
//! after the period where the chunk ends.
//!
//! **When it loses.** On large networks without symmetry, where one look for a way takes as long as other methods take for a hundred copies.
//!
//! **Source:** ejection with penalties as in Y. Nagata, O. Bräysy, A powerful route minimization heuristic, 2009; the way of a copy as in
//! rip-up-and-reroute of the routing of circuits.

mod attempt;
mod clock;
mod fewest;
mod folded;
mod plan;
mod waves;

use crate::images::{self, Wanted};
pub(crate) use attempt::{Patience, Search};
pub(crate) use clock::Clock;
pub(crate) use fewest::fewest;
pub(crate) use folded::Folded;
use graph::automorphisms::Group;
use graph::distances::within_slack;
use kernel::{Problem, Schedule, Semantics, Switching};
pub(crate) use plan::{Begun, Leg};
use run::{Budget, Method, Run};

/// The method.
pub struct CopyInsertion;

const NAME: &str = "copy-insertion";

/// Groups of automorphisms under which schedules may be their own images, and most entries of the images of each.
const GROUPS: Wanted = Wanted { draws: 60, entries: 1 << 20, groups: 8, of_an_order: 2, is_kinds_first: false };
const MOST_IMAGES: usize = 1 << 22;

const PATIENCE: Patience = Patience { least: 1000, a_copy: 100 };

impl Method for CopyInsertion {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "store-and-forward and time-division: inserts copies one by one, at the expense of those in the way; alone or with their images"
    }

    fn source(&self) -> &'static str {
        "ours; ejection with penalties (Y. Nagata, O. Bräysy, 2009)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let several = || collective.messages().any(|m| collective.destinations(m).len() > 1);
        // Under store-and-forward, of one root, and one by one, others do as well in less time.
        collective.semantics() == Semantics::Copy
            && (collective.root().is_none() || problem.model().is_slotted())
            && problem.model().switching != Switching::Wormhole
            && !problem.model().combining
            && problem.network().half_duplex().is_empty()
            && collective.is_numbered()
            && (problem.model().is_slotted() || several())
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        insert(problem, false, floor, run)
    }
}

/// As [`CopyInsertion`], of a schedule that is valid once it is run backwards ([`search::transform::reverse_slots`]): under time-division, what an origin
/// sends before the period may arrive in it and be sent on, and nothing arrives after it.
pub fn reversible_insertion(problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    CopyInsertion.applies(problem).then(|| insert(problem, true, floor, run)).flatten()
}

fn insert(problem: &Problem, is_turned: bool, floor: u64, run: &Run<'_>) -> Option<Schedule> {
    let (network, messages) = (problem.network(), problem.collective().message_count());
    // No group has more elements than there are terminals.
    if messages / network.terminals().len().max(1) > attempt::MOST_COPIES / network.node_count().max(1) {
        return None;
    }
    let budget = &mut Budget::new(run, run.settings.ticks);
    // Each round draws others.
    let mut random =
        run.settings.seed.generator(0xc0b1_0000 + u64::from(run.settings.ticks.checked_ilog2().unwrap_or(0)));
    let mut all = Vec::new();
    let group = budget.within(budget.left() / 8, |part| Group::with_arcs(network, &[], part));
    let images = images::groups(problem, &group, &GROUPS, MOST_IMAGES, &mut random, run);
    all.extend(images.filter(|images| images.len() > 1).map(|images| Folded::new(problem, Some(images))));
    all.push(Folded::new(problem, None));
    let goal = run.goal(floor);
    let known = run.incumbent.map(|known| known.steps() as u64);
    let begun = Begun::default();
    let found = fewest(goal, known, budget, |steps, part| {
        let mut clock = Clock::new(problem, usize::try_from(steps).ok()?);
        clock.begins_before = is_turned && clock.horizon > clock.steps;
        run.progress.working(NAME, steps, 0);
        all.iter().enumerate().find_map(|(at, folded)| {
            let ticks = part.left() / (all.len() - at) as u64;
            let search =
                Search { folded, clock, begun: &begun, patience: PATIENCE, attempts: usize::MAX, looked_at: 1 };
            let sent = part.within(ticks, |part| search.run(&mut random, part))?;
            let found = folded.unfold(clock.steps, sent);
            // Copies wait where they are cheap, not where they are near.
            let is_short = within_slack(problem, &found, run.settings.slack, part);
            is_short.then(|| run.progress.found(NAME, steps)).map(|()| found)
        })
    });
    // Other random numbers may do better.
    if found.as_ref().map(|found| found.0).or(known).is_none_or(|steps| steps > goal) {
        run.note_wants_more();
    }
    Some(found?.1)
}
