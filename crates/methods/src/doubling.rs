//! **What:** the method `doubling`: in each step every node calls the node that lies as far from it as any other's does from that.
//!
//! **Theory:** let a group of translations take each node to any other in one way. Where every node v calls v + g, over images of one path, and
//! each node knows of the nodes that lie at the offsets S before it, it knows of S ∪ (S + g) after. Paths of one step share no channel if no
//! class of channels (a channel and its images) is taken more often than its capacity. While S and S + g are disjoint, sums may be exchanged in the
//! place of lists, so that allreduce is doubled as well; and where a node leaves out its own contribution (it keeps it [apart](kernel::Transfer::partials)),
//! m contributions become 2m − 1, so that any number is made of halves, rounded up. Recursive doubling on hypercubes and dissemination on complete
//! networks are cases.
//!
//! **Method.** Offsets that add most, at first the lowest of them, then one at random, with restarts.
//!
//! **Loses** on networks without translations; with several ports, allreduce among numbers of nodes that do not divide into such steps.
//!
//! **Source:** dissemination: D. Hensgen, R. Finkel, U. Manber, 1988; J. Bruck et al., 1997; recursive doubling: R. Thakur, R. Rabenseifner, W. Gropp, 2005.

use kernel::orbits::Translations;
use kernel::{Channel, Message, Network, Node, Problem, Schedule, Semantics, Switching, Transfer};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use search::transform::spoken;

/// The method.
pub struct Doubling;

const NAME: &str = "doubling";

/// Most nodes.
const MOST_NODES: usize = 4096;

/// Attempts that bring nothing new after which it ends.
const IN_VAIN: u32 = 200;

impl Method for Doubling {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "combined messages, allreduce and barrier: every node calls the one at the same offset, which doubles what it knows"
    }

    fn source(&self) -> &'static str {
        "J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, Efficient algorithms for all-to-all communications, 1997; recursive doubling"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        let all = network.terminals().len() == network.node_count() && network.node_count() <= MOST_NODES;
        let told =
            problem.model().combining && collective.semantics() == Semantics::Copy && collective.message_count() > 1;
        all && !problem.model().is_slotted()
            && network.half_duplex().is_empty()
            && (told || collective.message_count() == 1 && are_sums_of_all(problem))
            && constructions::translations(network).is_some()
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let translations = constructions::translations(problem.network())?;
        let merges = problem.collective().semantics() == Semantics::Reduce;
        let calls = Calls::new(problem, &translations, merges)?;
        let mut budget = Budget::new(run, run.settings.ticks);
        let mut limit = run.incumbent.map_or(usize::MAX, |known| known.steps().saturating_sub(1));
        let goal = run.goal(floor).max(1) as usize;
        let (mut best, mut number, mut in_vain) = (None, 0, 0);
        while limit >= goal && in_vain < IN_VAIN {
            let mut random = run.settings.seed.generator(number);
            let draw = (number > 0).then_some(&mut random);
            (number, in_vain) = (number + 1, in_vain + 1);
            if let Some(steps) = calls.attempt(limit, draw, &mut budget) {
                run.progress.found(NAME, steps.len() as u64);
                (limit, in_vain) = (steps.len().saturating_sub(1), 0);
                best = Some(steps);
            }
            if budget.is_over() {
                break;
            }
        }
        let schedule = calls.schedule(&best?);
        Some(if merges { schedule } else { spoken(problem, &schedule) })
    }
}

/// Whether everybody contributes to every chunk and is to have it.
pub(crate) fn are_sums_of_all(problem: &Problem) -> bool {
    let (collective, all) = (problem.collective(), problem.network().terminals());
    let is_one = |m: Message| collective.contributors(m) == all && collective.destinations(m) == all;
    collective.semantics() == Semantics::Reduce && collective.message_count() > 0 && collective.messages().all(is_one)
}

/// A path from node 0 whose images under all translations share no channel.
struct Offset {
    to: Node,
    path: Vec<Channel>,
    classes: Vec<Taken>,
}

/// How often a path takes the channels of a class.
struct Taken {
    class: usize,
    times: u32,
}

/// What everybody sends to the node at an offset.
struct Call {
    offset: usize,
    /// Whether its own contribution is in it.
    with_own: bool,
}

/// The calls that all nodes may make at once.
struct Calls<'a> {
    network: &'a Network,
    translations: &'a Translations,
    offsets: Vec<Offset>,
    /// How often each class may be taken in a step: the capacity of its channels.
    capacities: Vec<u32>,
    /// Most calls that a node makes, or takes, in a step.
    ports: usize,
    /// Whether sums are exchanged, and not lists.
    merges: bool,
}

impl<'a> Calls<'a> {
    fn new(problem: &'a Problem, translations: &'a Translations, merges: bool) -> Option<Self> {
        let network = problem.network();
        let ports = |v: &Node| network.send_capacity(*v).min(network.receive_capacity(*v));
        let ports = network.terminals().iter().map(ports).min()?;
        let mut capacities = Vec::new();
        for channel in network.outgoing(Node(0)) {
            let class = translations.channel_orbit(*channel) as usize;
            capacities.resize(capacities.len().max(class + 1), 0);
            capacities[class] = network.capacity(*channel);
        }
        let ports = usize::try_from(ports).ok()?;
        let mut calls = Calls { network, translations, offsets: Vec::new(), capacities, ports, merges };
        calls.offsets = calls.reached(problem.model().switching == Switching::Wormhole);
        Some(calls)
    }

    /// A path to each node that can be reached without taking a class too often, over several channels where they may have them.
    fn reached(&self, longer_paths: bool) -> Vec<Offset> {
        let mut offsets: Vec<Offset> = Vec::new();
        let mut is_reached = vec![false; self.network.node_count()];
        is_reached[0] = true;
        let mut at = 0;
        let (mut from, mut path) = (Node(0), Vec::new());
        loop {
            for &channel in self.network.outgoing(from) {
                let to = self.network.to(channel);
                if is_reached[to.index()] {
                    continue;
                }
                let longer: Vec<Channel> = path.iter().copied().chain([channel]).collect();
                if let Some(classes) = self.classes(&longer) {
                    is_reached[to.index()] = true;
                    offsets.push(Offset { to, path: longer, classes });
                }
            }
            let Some(next) = offsets.get(at).filter(|_| longer_paths) else {
                return offsets;
            };
            (from, path) = (next.to, next.path.clone());
            at += 1;
        }
    }

    /// The classes that a path takes; `None` where it takes one too often.
    fn classes(&self, path: &[Channel]) -> Option<Vec<Taken>> {
        let mut classes: Vec<Taken> = Vec::new();
        for channel in path {
            let class = self.translations.channel_orbit(*channel) as usize;
            match classes.iter_mut().find(|taken| taken.class == class) {
                Some(taken) => taken.times += 1,
                None => classes.push(Taken { class, times: 1 }),
            }
        }
        let fits = |taken: &Taken| taken.times <= self.capacities[taken.class];
        classes.iter().all(fits).then_some(classes)
    }

    /// The calls of each of at most `limit` steps after which everybody knows of all.
    fn attempt(
        &self,
        limit: usize,
        mut random: Option<&mut Pcg64Mcg>,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Vec<Call>>> {
        let nodes = self.network.node_count();
        let mut known = vec![false; nodes];
        known[0] = true;
        let mut list = vec![Node(0)];
        let mut steps: Vec<Vec<Call>> = Vec::new();
        while list.len() < nodes {
            if steps.len() >= limit {
                return None;
            }
            let mut free = self.capacities.clone();
            let mut step = Vec::new();
            let with_own = !self.merges || self.ports > 1 || is_halved_to(nodes, 2 * list.len());
            let before = list[usize::from(!with_own)..].to_vec();
            while step.len() < self.ports && list.len() < nodes {
                if !budget.spend((self.offsets.len() * before.len()) as u64 / 8 + 1) {
                    return None;
                }
                let Some(best) = self.best(&before, &known, &free, random.as_deref_mut()) else { break };
                let offset = &self.offsets[best];
                offset.classes.iter().for_each(|taken| free[taken.class] -= taken.times);
                let moved = self.translations.element_of(offset.to);
                for node in &before {
                    let node = self.translations.image_node(moved, *node);
                    if !std::mem::replace(&mut known[node.index()], true) {
                        list.push(node);
                    }
                }
                step.push(Call { offset: best, with_own });
            }
            if step.is_empty() {
                return None;
            }
            steps.push(step);
        }
        Some(steps)
    }

    /// The offset that adds most and whose classes are free beside those used: of the best the first, or one at random.
    fn best(&self, before: &[Node], known: &[bool], free: &[u32], mut random: Option<&mut Pcg64Mcg>) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        let mut ties = 0;
        for (at, offset) in self.offsets.iter().enumerate() {
            if offset.classes.iter().any(|taken| taken.times > free[taken.class]) {
                continue;
            }
            let moved = self.translations.element_of(offset.to);
            let new = before.iter().filter(|v| !known[self.translations.image_node(moved, **v).index()]).count();
            if new == 0 || self.merges && new < before.len() || best.is_some_and(|(_, most)| new < most) {
                continue;
            }
            ties = if best.is_some_and(|(_, most)| new == most) { ties + 1 } else { 1 };
            if ties == 1 || random.as_deref_mut().is_some_and(|random| random.random_range(0..ties) == 0) {
                best = Some((at, new));
            }
        }
        best.map(|(at, _)| at)
    }

    /// Everybody's calls.
    fn schedule(&self, steps: &[Vec<Call>]) -> Schedule {
        let mut schedule = Schedule::new();
        for (step, calls) in (0u32..).zip(steps) {
            schedule.begin_step();
            // Without the own contribution there was one call a step.
            let others: Vec<u32> = (1..=step).collect();
            for call in calls {
                for node in self.network.nodes() {
                    let element = self.translations.element_of(node);
                    let image = |c: &Channel| self.translations.image_channel(element, *c);
                    let path: Vec<Channel> = self.offsets[call.offset].path.iter().map(image).collect();
                    let partials = if call.with_own { &[] } else { &others[..] };
                    schedule.push(Transfer { partials, ..Transfer::new(&[Message(0)], &path) });
                }
            }
        }
        schedule
    }
}

/// Whether halving a number, rounded up, again and again comes to this one.
fn is_halved_to(mut number: usize, to: usize) -> bool {
    while number > to {
        number = number.div_ceil(2);
    }
    number == to
}
