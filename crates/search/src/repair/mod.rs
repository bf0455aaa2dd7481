//! **What:** messages for one destination each, inserted into the steps of a schedule of which most is left.
//!
//! **Method.** A fault breaks few paths. Of a schedule for the whole network everything that the damaged one still has stays
//! where it is ([`remaining`]), and only the messages whose paths are gone are placed anew: by a first fit into the free slots, and
//! then, in fewer steps, by ejection chains ([`crate::ejection`]) that begin with what is left.
//!
//! **When it loses.** Where steps must be filled to the last channel: small problems are better packed with symmetries.
//!
//! **Source:** F. Glover, Ejection chains, reference structures and alternating path methods, 1996.

use crate::ejection::{Search, Weighting};
use crate::emit::{self, Sent};
use crate::first_fit::FirstFit;
use crate::packing::PathWays;
use crate::path_lists::{Limits, PathLists};
use crate::quotient::{OrbitQuotient, QuotientSteps};
use crate::resources::{Resources, open_messages};
use graph::symmetry::{Ends, FreeGroup};
use kernel::{Channel, Message, Network, Node, Problem, Schedule, Semantics, Switching};
use rand_pcg::Pcg64Mcg;
use run::{Budget, Run};
use std::collections::BTreeMap;

/// Larger problems are left to other engines.
const MOST_MESSAGES: usize = 1 << 22;
/// Channels that paths may be longer than the shortest.
const DETOUR: u32 = 2;
/// What each of them costs.
const DETOUR_PRICE: u32 = 13;
/// Paths of all messages together, about, and of one at least and at most.
const PATHS: usize = 1 << 20;
const FEWEST: usize = 4;
const MOST: usize = 24;
/// Of the ticks that are left, an attempt at a number of steps has one in so many.
const ATTEMPTS: u64 = 4;

/// Whether a schedule of such a problem can be repaired.
pub fn suits(problem: &Problem) -> bool {
    let collective = problem.collective();
    collective.semantics() == Semantics::Copy
        && problem.model().switching == Switching::Wormhole
        && collective.message_count() <= MOST_MESSAGES
        && collective.messages().all(|m| collective.destinations(m).len() == 1)
        && are_pairs(problem.network())
}

/// Whether half-duplex groups are pairs of opposite channels, so that a path never takes a group twice.
fn are_pairs(network: &Network) -> bool {
    network.half_duplex().iter().all(|group| match group[..] {
        [a, b] => {
            let (a, b) = (Channel(a), Channel(b));
            (network.from(a), network.to(a)) == (network.to(b), network.from(b))
        }
        _ => group.len() < 2,
    })
}

/// Those transfers of a schedule for the problem `whole` that the network of `problem` still has: nodes are the same, channels
/// are told by their ends, messages by origin and destination.
pub fn remaining(problem: &Problem, whole: &Problem, schedule: &Schedule) -> Schedule {
    let channels = same_channels(whole.network(), problem.network());
    let mut messages: BTreeMap<(Node, Node), Vec<Message>> = BTreeMap::new();
    let ends = |p: &Problem, m: Message| match p.collective().destinations(m) {
        &[to] => Some((p.collective().origin(m), to)),
        _ => None,
    };
    for message in problem.collective().messages() {
        if let Some(ends) = ends(problem, message) {
            messages.entry(ends).or_default().push(message);
        }
    }
    let mut part = Schedule::new();
    for step in schedule.steps() {
        part.begin_step();
        for transfer in step {
            let &[message] = transfer.messages else { continue };
            let path: Option<Vec<Channel>> = transfer.path.iter().map(|c| channels[c.index()]).collect();
            let mut same = || messages.get_mut(&ends(whole, message)?)?.pop();
            if let Some((path, message)) = path.and_then(|path| Some((path, same()?))) {
                part.send(message, &path);
            }
        }
    }
    part
}

/// Which channel of another network each is: the k-th of those between the same nodes.
fn same_channels(from: &Network, to: &Network) -> Vec<Option<Channel>> {
    let mut between: BTreeMap<(Node, Node), Vec<Channel>> = BTreeMap::new();
    for channel in to.channels() {
        between.entry((to.from(channel), to.to(channel))).or_default().push(channel);
    }
    between.values_mut().for_each(|list| list.reverse());
    from.channels().map(|c| between.get_mut(&(from.from(c), from.to(c)))?.pop()).collect()
}

/// A schedule that begins with the transfers of `part`, for whoever is called `name`. `None` where a message has no path, or the
/// run is stopped before there is one.
pub fn completed(
    name: &'static str,
    problem: &Problem,
    part: &Schedule,
    floor: u64,
    run: &Run<'_>,
) -> Option<Schedule> {
    let open = open_messages(problem);
    let mut unlimited = Budget::new(run, u64::MAX);
    let resources = Resources::new(problem, &mut unlimited)?;
    let mut random = run.settings.seed.generator(0x1_5e27);
    let (filled, kept) = kept(&resources, &open, part);
    let missing: Vec<Message> =
        open.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(message, _)| *message).collect();
    let new = filled.paths(&missing, run.settings.slack.unwrap_or(DETOUR), &mut random, &mut unlimited)?;
    let all = kept.iter().flatten().cloned().chain(new).collect();
    let mut best = emit::schedule(&resources, 0, all).without_empty_steps();
    run.progress.found(name, best.step_count() as u64);
    let goal = u32::try_from(run.goal(floor).max(1)).ok()?;
    let mut ceiling = u32::try_from(best.step_count()).ok()?;
    if ceiling <= goal {
        return Some(best);
    }
    let mut insertion = Insertion::new(name, &resources, open, kept, run, random)?;
    // The goal itself, then by bisection the least number of steps at which an attempt succeeds.
    let (mut low, mut steps) = (goal, goal);
    while low < ceiling && !insertion.is_exhausted() {
        match insertion.attempt(steps) {
            Some(found) => (best, ceiling) = (found, steps),
            None => low = steps + 1,
        }
        steps = low + (ceiling - low) / 2;
    }
    Some(best)
}

/// The steps as `part` fills them, and what it sends of each message.
fn kept<'a>(resources: &'a Resources<'a>, open: &[Message], part: &Schedule) -> (FirstFit<'a>, Vec<Option<Sent>>) {
    let mut at = vec![usize::MAX; resources.problem.collective().message_count()];
    open.iter().enumerate().for_each(|(position, message)| at[message.index()] = position);
    let mut filled = FirstFit::new(resources);
    let mut kept: Vec<Option<Sent>> = vec![None; open.len()];
    for (step, transfers) in (0u32..).zip(part.steps()) {
        for transfer in transfers {
            let message = transfer.messages[0];
            let path: Vec<u32> = transfer.path.iter().map(|c| resources.lane(*c)).collect();
            if let Some(kept) = kept.get_mut(at[message.index()])
                && filled.earliest(&path, step) == step
            {
                filled.take(&path, step);
                *kept = Some(Sent { step, message, path });
            }
        }
    }
    (filled, kept)
}

/// Attempts to insert what is missing, with fewer steps.
struct Insertion<'a> {
    name: &'static str,
    resources: &'a Resources<'a>,
    run: &'a Run<'a>,
    ends: Ends,
    /// The group that leaves everything in place.
    trivial: OrbitQuotient,
    /// The step of each message that has a place.
    steps: Vec<Option<u32>>,
    lists: PathLists,
    random: Pcg64Mcg,
    ticks: u64,
}

impl<'a> Insertion<'a> {
    fn new(
        name: &'static str,
        resources: &'a Resources<'a>,
        open: Vec<Message>,
        kept: Vec<Option<Sent>>,
        run: &'a Run<'a>,
        mut random: Pcg64Mcg,
    ) -> Option<Self> {
        let mut budget = Budget::new(run, u64::MAX);
        let ends = Ends::new(resources.problem, &open);
        let group = FreeGroup::trivial(resources.problem);
        let trivial = OrbitQuotient::new(resources, &ends, &open, group, &mut budget)?;
        let steps = kept.iter().map(|sent| sent.as_ref().map(|sent| sent.step)).collect();
        let known: Vec<Option<Vec<u32>>> = kept.into_iter().map(|sent| sent.map(|sent| sent.path)).collect();
        let most = (PATHS / open.len()).clamp(FEWEST, MOST);
        let limits = Limits { slack: run.settings.slack.unwrap_or(DETOUR), most };
        let lists = PathLists::new(resources, &open, &known, limits, &mut random, &mut budget)?;
        Some(Insertion { name, resources, run, ends, trivial, steps, lists, random, ticks: 0 })
    }

    fn is_exhausted(&self) -> bool {
        self.run.is_spent(self.ticks, self.run.settings.ticks) || self.run.stopped()
    }

    /// Looks for a schedule of so many steps.
    fn attempt(&mut self, steps: u32) -> Option<Schedule> {
        let ticks = (self.run.settings.ticks - self.ticks).div_ceil(ATTEMPTS);
        let divided = QuotientSteps::new(&self.trivial, &self.trivial.no_shift(), steps)?;
        let weighting = Weighting { per_hop: 3, per_pick: 3 };
        let ways = PathWays::new(&divided, &self.lists, DETOUR_PRICE, &mut Budget::new(self.run, u64::MAX))?;
        let stay = (0u32..)
            .zip(&self.steps)
            .filter_map(|(i, step)| Some((i, ways.first_path(i, (*step).filter(|s| *s < steps)?))));
        let stay: Vec<_> = stay.collect();
        let mut search = Search::new(ways, divided.places, weighting, &mut self.random);
        search.begin(stay.into_iter());
        let done = search.run(ticks, &mut self.random, |open| {
            self.run.progress.working(self.name, u64::from(steps), open as u64);
            self.run.stopped()
        });
        self.ticks += search.ticks();
        let placed = search.chosen().map(|(message, way)| (message, search.ways.placement(way)));
        let found = done.then(|| emit::schedule(self.resources, 0, divided.expanded(&self.ends, placed)))?;
        self.run.progress.found(self.name, found.step_count() as u64);
        Some(found)
    }
}

#[cfg(test)]
mod tests;
