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

mod folded;
mod plan;
mod waves;

use crate::images::{self, Wanted};
use folded::Folded;
use graph::automorphisms::Group;
use graph::distances::within_slack;
use kernel::{Problem, Schedule, Semantics, Switching};
use plan::{Clock, Plan};
use rand::RngExt;
use run::{Budget, Method, Run};
use waves::Waves;

/// The method.
pub struct CopyInsertion;

const NAME: &str = "copy-insertion";

/// Groups of automorphisms under which schedules may be their own images, and most entries of the images of each.
const GROUPS: Wanted = Wanted { draws: 60, entries: 1 << 20, groups: 8, of_an_order: 2, is_kinds_first: false };
const MOST_IMAGES: usize = 1 << 22;

/// Most copies, and most places of channels and ports in steps, of a schedule, or of a part of it that stands for the rest.
const MOST_COPIES: usize = 1 << 18;
const MOST_PLACES: usize = 1 << 22;

/// Insertions, and as many for each copy, without fewer open ones before everything is begun again.
const PATIENCE: u64 = 1000;
const PATIENCE_A_COPY: u64 = 100;

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
    if messages / network.terminals().len().max(1) > MOST_COPIES / network.node_count().max(1) {
        return None;
    }
    let budget = &mut Budget::new(run, run.settings.ticks);
    // Each round draws others.
    let mut random =
        run.settings.seed.generator(0xc0b1_0000 + u64::from(run.settings.ticks.checked_ilog2().unwrap_or(0)));
    let mut all = Vec::new();
    let group = budget.within(budget.left() / 8, |part| Group::with_arcs(network, &[], part));
    let drawn = images::draw(problem, &group, &GROUPS, &mut random, run);
    let images = drawn.iter().filter_map(|generators| images::images(problem, generators, MOST_IMAGES));
    all.extend(images.filter(|images| images.len() > 1).map(|images| Folded::new(problem, Some(images))));
    all.push(Folded::new(problem, None));
    let slots = problem.model().switching.slots();
    let goal = run.goal(floor);
    // No schedule of fewer than `low` steps was found, and one of `known`.
    let (mut low, mut known) = (goal, run.incumbent.map(|known| known.steps() as u64));
    let (mut best, mut stride) = (None, 1);
    while known.is_none_or(|known| low < known) && budget.left() >= LEAST_TICKS && !budget.is_over() {
        // Halfway, or ever farther from the goal.
        let steps = known.map_or(low, |known| low.midpoint(known));
        let clock = Clock {
            steps: usize::try_from(steps).ok()?,
            hop: slots.map_or(0, |slots| slots.hop as usize),
            is_cyclic: slots.is_some_and(|slots| slots.cyclic),
            begins_before: is_turned && slots.is_some_and(|slots| slots.cyclic),
        };
        // Larger numbers of steps are not smaller.
        let small: Vec<&Folded<'_>> = all.iter().filter(|folded| is_small(folded, clock)).collect();
        if small.is_empty() {
            known = Some(steps);
            continue;
        }
        run.progress.working(NAME, steps, 0);
        let share = if known == Some(low + 1) { budget.left() } else { budget.left() / 2 };
        let found = budget.within(share, |part| {
            small.iter().enumerate().find_map(|(at, folded)| {
                let ticks = part.left() / (small.len() - at) as u64;
                let seed = random.random();
                part.within(ticks, |part| Insertion { folded, clock, seed, run }.search(part))
            })
        });
        match found {
            Some(found) => {
                run.progress.found(NAME, steps);
                (best, known) = (Some(found), Some(steps));
            }
            None => {
                low = steps + stride;
                stride *= if known.is_none() { 2 } else { 1 };
            }
        }
    }
    // Other random numbers may do better.
    if known.is_none_or(|known| known > goal) {
        run.note_wants_more();
    }
    best
}

/// Whether there is room for all copies and places.
fn is_small(folded: &Folded<'_>, clock: Clock) -> bool {
    let network = folded.problem.network();
    let copies = folded.messages.len().saturating_mul(network.node_count());
    let places = (network.channel_count() + 2 * network.node_count())
        .saturating_mul(clock.steps.saturating_mul(2).saturating_add(clock.hop));
    copies <= MOST_COPIES && places <= MOST_PLACES
}

/// With fewer ticks nothing is found.
const LEAST_TICKS: u64 = 10_000;

/// One search for a schedule of so many steps.
struct Insertion<'s, 'a> {
    folded: &'s Folded<'a>,
    clock: Clock,
    seed: u64,
    run: &'s Run<'s>,
}

impl Insertion<'_, '_> {
    /// Until everything has its way, or there is none, or the budget ends.
    fn search(&self, budget: &mut Budget<'_>) -> Option<Schedule> {
        let problem = self.folded.problem;
        if self.clock.steps == 0 {
            return None;
        }
        let mut random = run::Seed(self.seed).generator(0);
        let mut is_first = self.folded.order() > 1;
        loop {
            let mut plan = Plan::new(self.folded, self.clock);
            let mut waves = Waves::new(&plan);
            if std::mem::take(&mut is_first) {
                // Where images share channels that have no room for them, some copies have no way at all.
                let has_way = |copy: &u32| {
                    let (message, node) = plan.ends(*copy);
                    budget.spend(Waves::ticks(&plan)) && waves.way(&plan, message, node, &mut random).is_some()
                };
                if !plan.open().iter().all(has_way) {
                    return None;
                }
            }
            let (ticks, mut fewest, mut since) = (Waves::ticks(&plan), usize::MAX, 0);
            let patience = PATIENCE + PATIENCE_A_COPY * plan.open().len() as u64;
            if !budget.spend(ticks + plan.copies() as u64 / 4) {
                return None;
            }
            while since < patience {
                if plan.open().is_empty() {
                    let found = self.folded.unfold(self.clock.steps, plan.sent());
                    // Copies wait where they are cheap, not where they are near.
                    return within_slack(problem, &found, self.run.settings.slack, budget).then_some(found);
                }
                if plan.open().len() < fewest {
                    (fewest, since) = (plan.open().len(), 0);
                }
                if !budget.spend(ticks) {
                    return None;
                }
                let copy = plan.open()[random.random_range(0..plan.open().len())];
                plan.insist(copy);
                let (message, node) = plan.ends(copy);
                if let Some(legs) = waves.way(&plan, message, node, &mut random) {
                    plan.insert(message, legs);
                }
                since += 1;
            }
        }
    }
}
