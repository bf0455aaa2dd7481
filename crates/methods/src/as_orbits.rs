//! **What:** schedules that were found written out, stored as orbits of a symmetry that they have.
//!
//! **Method.** Searches work under groups of symmetries and write out what they found, and so do constructions whose groups are no translations. So the groups of
//! the network are found again, those that move every terminal and commute, and all their cyclic parts. Under each it is looked whether every transfer of
//! the schedule goes to another one, all of a step to the same step. If steps are moved, they are put in another order, in which a generator moves
//! all of them by the same number; that is no other schedule, since then origins alone may send.
//!
//! **Facts:** what is made is a claim like any other and goes through the checker of orbits. Alltoall and allgather among all terminals have
//! such a form; reductions, chunks, slots and combined messages have none.
//!
//! **When it loses.** A search whose steps are not a multiple of the blocks that its group moves leaves some steps alone; these fit no shift.

use graph::automorphisms::Automorphism;
use graph::symmetry::{Ends, FreeGroup, free_groups};
use kernel::orbits::{Generator, OrbitProblem, OrbitSchedule, Translations, verify_orbits};
use kernel::{Channel, Collective, Message, Node, Problem, Schedule, Semantics, Transfer, Verified};
use run::{Budget, Run, Seed, Settings, Silent};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

/// Looks at channels while groups are searched for: some tenths of a second.
const LOOKS: u64 = 40_000_000;

/// Groups and parts of groups that are tried.
const TRIED: usize = 1 << 14;

/// The same schedule stored as orbits of the largest symmetry that it was found to have; `None` where it has none, or no such form. Groups are searched for by the random
/// numbers of `seed`.
#[must_use]
pub fn as_orbits(schedule: &Verified, seed: u64) -> Option<Verified> {
    let problem = schedule.problem();
    let network = problem.network();
    // What the group of one element cannot fold, none can.
    let trivial = Translations::new(network, Vec::new()).ok()?;
    let merges = problem.collective().semantics() == Semantics::Reduce;
    if merges || !schedule.is_written_down() || OrbitProblem::of(problem, &trivial).is_err() {
        return None;
    }
    let alltoall = Collective::alltoall(network.terminals(), network.terminals());
    let whole = Problem::new(network.clone(), alltoall, problem.model()).ok()?;
    let ends = Ends::new(&whole, &whole.collective().messages().collect::<Vec<_>>());
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let mut budget = Budget::new(&run, LOOKS);
    let groups = free_groups(&whole, &ends, Seed(seed), &mut budget);
    let plain = schedule.expanded().ok()?;
    let looked = Looked::new(problem, &plain)?;
    candidates(&whole, &groups).into_iter().find_map(|generators| looked.under(generators))
}

/// Generators of groups that move every terminal and commute, those of large groups first.
fn candidates(problem: &Problem, groups: &[FreeGroup]) -> Vec<Vec<Automorphism>> {
    let network = problem.network();
    let moves = |map: &Automorphism| network.terminals().iter().all(|v| map.nodes[v.index()] != v.0);
    let mut found: BTreeMap<usize, Vec<Vec<Automorphism>>> = BTreeMap::new();
    for group in groups {
        let free: Vec<&Automorphism> = group.elements.iter().filter(|map| moves(map)).collect();
        if free.len() + 1 == group.elements.len()
            && let Some(generators) = independent(&group.elements)
        {
            found.entry(group.elements.len()).or_default().push(generators);
        }
        for map in free {
            let order = map.order().and_then(|order| usize::try_from(order).ok()).unwrap_or(1);
            found.entry(order).or_default().push(vec![map.clone()]);
        }
    }
    found.into_values().rev().flatten().take(TRIED).collect()
}

/// Elements of which a group is the direct product of cyclic parts, if it commutes: an element of the highest order is always such a part.
fn independent(elements: &[Automorphism]) -> Option<Vec<Automorphism>> {
    let mut sorted: Vec<(u64, &Automorphism)> = elements.iter().filter_map(|map| Some((map.order()?, map))).collect();
    sorted.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
    let mut generators: Vec<Automorphism> = Vec::new();
    let mut made: BTreeMap<Vec<u32>, Automorphism> =
        sorted.iter().filter(|(order, _)| *order == 1).map(|(_, map)| (map.nodes.clone(), (*map).clone())).collect();
    for (order, map) in sorted {
        let mut powers = vec![map.clone()];
        while (powers.len() as u64) < order {
            powers.push(powers[powers.len() - 1].then(map));
        }
        let is_apart = powers[..powers.len() - 1].iter().all(|power| !made.contains_key(&power.nodes));
        if order == 1 || !is_apart {
            continue;
        }
        let products = made.values().flat_map(|one| powers.iter().map(|power| one.then(power)));
        made = products.map(|product| (product.nodes.clone(), product)).collect();
        generators.push(map.clone());
    }
    let commute = |one: &Automorphism, other: &Automorphism| one.then(other) == other.then(one);
    let all_commute = generators.iter().all(|one| generators.iter().all(|other| commute(one, other)));
    (all_commute && made.len() == elements.len()).then_some(generators)
}

/// A schedule, and where each of its transfers is.
struct Looked<'a> {
    problem: &'a Problem,
    plain: &'a Schedule,
    steps: HashMap<(u32, Vec<Channel>), usize>,
}

impl<'a> Looked<'a> {
    /// `None` where a transfer is there twice, which leaves open which of them is meant, or carries several messages.
    fn new(problem: &'a Problem, plain: &'a Schedule) -> Option<Self> {
        let mut steps = HashMap::new();
        for (step, transfers) in plain.steps().enumerate() {
            for transfer in transfers {
                let &[message] = transfer.messages else { return None };
                if steps.insert((message.0, transfer.path.to_vec()), step).is_some() {
                    return None;
                }
            }
        }
        Some(Looked { problem, plain, steps })
    }

    /// The schedule under these generators, if it has their symmetry.
    fn under(&self, generators: Vec<Automorphism>) -> Option<Verified> {
        let moved: Vec<Vec<usize>> = generators.iter().map(|map| self.moved_steps(map)).collect::<Option<_>>()?;
        let order = StepOrder::of(&moved)?;
        let claims = generators.into_iter().map(|map| {
            let order = u32::try_from(map.order()?).ok()?;
            Some(Generator { order, nodes: map.nodes, channels: map.channels })
        });
        let translations = Translations::new(self.problem.network(), claims.collect::<Option<_>>()?).ok()?;
        let orbits = OrbitProblem::of(self.problem, &translations).ok()?;
        let representatives = orbits.representatives().collective();
        let own: HashMap<u64, Message> = representatives.messages().map(|m| (orbits.number(m, 0), m)).collect();
        let mut schedule = Schedule::new();
        for step in order.steps {
            schedule.begin_step();
            for transfer in self.plain.step(step) {
                if let Some(message) = own.get(&transfer.messages[0].0.into()) {
                    schedule.push(Transfer { messages: &[*message], ..transfer });
                }
            }
        }
        verify_orbits(&orbits, OrbitSchedule { shifts: order.shifts, schedule }).ok()
    }

    /// The step to which a symmetry takes each step; `None` where some transfer does not go to another, or two of a step go to different steps.
    fn moved_steps(&self, map: &Automorphism) -> Option<Vec<usize>> {
        let mut moved = Vec::with_capacity(self.plain.step_count());
        for (step, transfers) in self.plain.steps().enumerate() {
            let mut to = None;
            for transfer in transfers {
                let path = transfer.path.iter().map(|channel| Channel(map.channels[channel.index()])).collect();
                let there = *self.steps.get(&(self.image(map, transfer.messages[0])?, path))?;
                if *to.get_or_insert(there) != there {
                    return None;
                }
            }
            moved.push(to.unwrap_or(step));
        }
        Some(moved)
    }

    /// The number of a message's image. Messages are numbered by origin, and those for one node each then by destination.
    fn image(&self, map: &Automorphism, message: Message) -> Option<u32> {
        let collective = self.problem.collective();
        let terminals = self.problem.network().terminals();
        let rank = |node: Node| terminals.binary_search(&Node(map.nodes[node.index()])).ok();
        let from = rank(collective.origin(message))?;
        if collective.message_count() == terminals.len() {
            return u32::try_from(from).ok();
        }
        let to = rank(collective.destinations(message)[0])?;
        u32::try_from(from * (terminals.len() - 1) + to - usize::from(to > from)).ok()
    }
}

/// An order of the steps in which each generator moves all of them by the same number.
struct StepOrder {
    /// Which step comes at each place.
    steps: Vec<usize>,
    /// By how much each generator moves.
    shifts: Vec<u64>,
}

impl StepOrder {
    /// The order for generators that move steps so; `None` where there is none.
    fn of(moved: &[Vec<usize>]) -> Option<Self> {
        let count = moved.first()?.len();
        let identity: Vec<usize> = (0..count).collect();
        if moved.iter().all(|to| *to == identity) {
            return Some(StepOrder { steps: identity, shifts: vec![0; moved.len()] });
        }
        // What the generators do to steps together: by the steps' images, how to get there.
        let mut all = vec![identity.clone()];
        let mut at = 0;
        while at < all.len() {
            for to in moved {
                let next: Vec<usize> = all[at].iter().map(|step| to[*step]).collect();
                if !all.contains(&next) {
                    all.push(next);
                }
            }
            at += 1;
            if all.len() > count {
                return None;
            }
        }
        let powers = |one: &Vec<usize>| {
            let mut powers = vec![identity.clone()];
            while powers.len() <= count {
                let next: Vec<usize> = powers[powers.len() - 1].iter().map(|step| one[*step]).collect();
                if next == identity {
                    break;
                }
                powers.push(next);
            }
            powers
        };
        // One that makes all others, and leaves no step where it is.
        let powers = all.iter().map(powers).find(|powers| powers.len() == all.len())?;
        let leaves_none = |power: &Vec<usize>| power.iter().enumerate().all(|(step, to)| step != *to);
        if !powers[1..].iter().all(leaves_none) {
            return None;
        }
        let mut seen = vec![false; count];
        let mut firsts = Vec::new();
        for step in 0..count {
            if !seen[step] {
                firsts.push(step);
                powers.iter().for_each(|power| seen[power[step]] = true);
            }
        }
        let steps = powers.iter().flat_map(|power| firsts.iter().map(|first| power[*first])).collect();
        let exponent = |to: &Vec<usize>| powers.iter().position(|power| power == to);
        let shift = |to| Some(exponent(to)? as u64 * firsts.len() as u64);
        Some(StepOrder { steps, shifts: moved.iter().map(shift).collect::<Option<_>>()? })
    }
}
