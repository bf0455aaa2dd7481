//! **What:** groups of automorphisms of the network under which schedules may be their own images: what [`crate::invariant_sat`] looks through.

mod kinds;

use graph::automorphisms::{Automorphism, Group};
use kernel::formula::Image;
use kernel::{Message, Node, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Run};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What generates a group: an automorphism, and how many places it moves the chunks on that have the same ends.
#[derive(Clone, Debug)]
struct Generator {
    moved: Automorphism,
    shift: usize,
}

/// An element of a group.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    /// The image of each node.
    nodes: Vec<u32>,
    /// How many places it moves the chunks on that have the same ends.
    shift: usize,
}

/// How many groups are wanted.
pub(crate) struct Wanted {
    /// Automorphisms drawn, while what moves nodes in all groups so far has at most so many entries.
    pub draws: usize,
    pub entries: usize,
    /// Most groups in all.
    pub groups: usize,
    /// Most groups of one order, since the largest may leave too little choice.
    pub of_an_order: usize,
    /// Whether one of each kind comes before others like it.
    pub is_kinds_first: bool,
}

/// The elements of groups that are drawn, each with the identity first, the largest groups first; without those of more than so many entries.
pub(crate) fn groups(
    problem: &Problem,
    group: &Group,
    wanted: &Wanted,
    most: usize,
    random: &mut Pcg64Mcg,
    run: &Run<'_>,
) -> impl Iterator<Item = Vec<Image>> {
    let drawn = draw(problem, group, wanted, random, run).into_iter();
    drawn.filter_map(move |generators| images(problem, &generators, most))
}

/// Generators of groups, one or two each, the largest groups first.
fn draw(
    problem: &Problem,
    group: &Group,
    wanted: &Wanted,
    random: &mut Pcg64Mcg,
    run: &Run<'_>,
) -> Vec<Vec<Generator>> {
    let chunks = shifts(problem);
    let mut found: BTreeMap<Vec<Element>, Vec<Generator>> = BTreeMap::new();
    let mut cyclic: Vec<Generator> = Vec::new();
    for _ in 0..wanted.draws {
        let entries: usize = found.keys().map(|elements| elements.len() * problem.network().node_count()).sum();
        if run.stopped() || entries > wanted.entries {
            break;
        }
        let drawn = group.random(random);
        let shift = random.random_range(0..chunks);
        let Some(order) = drawn.order() else { continue };
        // A power of it may leave none in place where it does.
        let powers = (1..order).filter(|power| order % power == 0).map(|power| drawn.power(power));
        let free = |moved: Automorphism| {
            let one = Generator { moved, shift };
            Some((elements(problem, chunks, std::slice::from_ref(&one))?, one))
        };
        let Some((elements_of_one, one)) = powers.filter_map(free).next() else { continue };
        if found.insert(elements_of_one, vec![one.clone()]).is_none() {
            for other in &cyclic {
                let pair = vec![other.clone(), one.clone()];
                found.extend(elements(problem, chunks, &pair).map(|elements| (elements, pair)));
            }
            cyclic.push(one);
        }
    }
    let mut found = kinds::in_order(problem, found, wanted.is_kinds_first);
    let mut of_order: BTreeMap<usize, usize> = BTreeMap::new();
    found.retain(|drawn| {
        let taken = of_order.entry(drawn.order).or_insert(0);
        *taken += 1;
        *taken <= wanted.of_an_order
    });
    found.into_iter().take(wanted.groups).map(|drawn| drawn.generators).collect()
}

/// Groups of which each may be tried as often as others, the largest among them, and most entries of the images of each.
const SYMMETRIES: Wanted = Wanted { draws: 30, entries: 1 << 20, groups: 40, of_an_order: 6, is_kinds_first: true };
const MOST_IMAGES: usize = 1 << 18;

/// Entries of them that are made in a tick.
const ENTRIES_A_TICK: usize = 4;

/// Of the ticks that are left, one in so many is for finding the automorphisms.
const SHARE: u64 = 8;

/// The elements of some groups of all orders, each with the identity first; the first group is that alone.
pub(crate) fn symmetries(
    problem: &Problem,
    random: &mut Pcg64Mcg,
    run: &Run<'_>,
    budget: &mut Budget<'_>,
) -> Vec<Vec<Image>> {
    let group = budget.within(budget.left() / SHARE, |part| Group::with_arcs(problem.network(), &[], part));
    let mut all = vec![images(problem, &[], 0).expect("the identity alone is a group")];
    for made in groups(problem, &group, &SYMMETRIES, MOST_IMAGES, random, run) {
        let entries: usize = made.iter().map(|image| image.nodes.len() + image.channels.len()).sum();
        if !budget.spend(entries.div_ceil(ENTRIES_A_TICK) as u64) {
            break;
        }
        all.push(made);
    }
    all
}

/// The numbers of places by which chunks may be moved on: those of the chunks with the same ends, where there are equally many of all.
fn shifts(problem: &Problem) -> usize {
    let alike = alike(problem);
    let chunks = alike.values().next().map_or(1, Vec::len);
    match !problem.model().combining && alike.values().all(|of_ends| of_ends.len() == chunks) {
        true => chunks,
        false => 1,
    }
}

/// Each element of the group that is generated; none where another than the identity leaves a chunk and a terminal in place, or all nodes.
fn elements(problem: &Problem, chunks: usize, generators: &[Generator]) -> Option<Vec<Element>> {
    let network = problem.network();
    let identity = Element { nodes: network.nodes().map(|v| v.0).collect(), shift: 0 };
    let most = network.terminals().len() * chunks;
    let mut known = BTreeSet::from([identity.clone()]);
    let mut queue = vec![identity.clone()];
    while let Some(element) = queue.pop() {
        for generator in generators {
            let next = Element {
                nodes: element.nodes.iter().map(|v| generator.moved.nodes[*v as usize]).collect(),
                shift: (element.shift + generator.shift) % chunks,
            };
            if known.contains(&next) {
                continue;
            }
            let leaves = |v: &Node| next.nodes[v.index()] == v.0;
            // What leaves none in place has no more elements.
            if next.nodes == identity.nodes
                || next.shift == 0 && network.terminals().iter().any(leaves)
                || known.len() == most
            {
                return None;
            }
            known.insert(next.clone());
            queue.push(next);
        }
    }
    Some(known.into_iter().collect())
}

/// All elements of the group that is generated, the identity first; none where the messages cannot be moved so, or with more than so many entries.
fn images(problem: &Problem, generators: &[Generator], most: usize) -> Option<Vec<Image>> {
    let (network, collective) = (problem.network(), problem.collective());
    let alike = alike(problem);
    let generators: Vec<(&Automorphism, Vec<Message>)> = generators
        .iter()
        .map(|generator| Some((&generator.moved, of_messages(problem, &alike, generator)?)))
        .collect::<Option<_>>()?;
    let identity = Image {
        nodes: network.nodes().map(|v| v.0).collect(),
        channels: network.channels().map(|c| c.0).collect(),
        messages: collective.messages().collect(),
        delay: 0,
    };
    let mut known = BTreeSet::from([(identity.nodes.clone(), identity.messages.clone())]);
    let mut all = vec![identity];
    let entries = network.node_count() + network.channel_count() + collective.message_count();
    let mut at = 0;
    while at < all.len() {
        for (moved, messages) in &generators {
            let image = &all[at];
            let next = Image {
                nodes: image.nodes.iter().map(|v| moved.nodes[*v as usize]).collect(),
                channels: image.channels.iter().map(|c| moved.channels[*c as usize]).collect(),
                messages: image.messages.iter().map(|m| messages[m.index()]).collect(),
                delay: 0,
            };
            if known.insert((next.nodes.clone(), next.messages.clone())) {
                all.push(next);
            }
            if all.len() * entries > most {
                return None;
            }
        }
        at += 1;
    }
    Some(all)
}

/// Contributors and destinations.
pub(crate) type Ends = (Vec<u32>, Vec<u32>);

/// The ends of a message, where each node is moved to another.
pub(crate) fn ends(problem: &Problem, message: Message, image: impl Fn(Node) -> u32) -> Ends {
    let collective = problem.collective();
    let sorted = |nodes: &[Node]| {
        let mut moved: Vec<u32> = nodes.iter().map(|v| image(*v)).collect();
        moved.sort_unstable();
        moved
    };
    (sorted(collective.contributors(message)), sorted(collective.destinations(message)))
}

/// The messages, or chunks, of the same ends.
fn alike(problem: &Problem) -> HashMap<Ends, Vec<Message>> {
    let mut alike: HashMap<Ends, Vec<Message>> = HashMap::new();
    for message in problem.collective().messages() {
        alike.entry(ends(problem, message, |v| v.0)).or_default().push(message);
    }
    alike
}

/// The message that has the images of each message's ends; of several in the order of their numbers, but moved on.
fn of_messages(problem: &Problem, alike: &HashMap<Ends, Vec<Message>>, generator: &Generator) -> Option<Vec<Message>> {
    let mut images: Vec<Message> = problem.collective().messages().collect();
    for same in alike.values() {
        let moved = ends(problem, *same.first()?, |v| generator.moved.nodes[v.index()]);
        let others = alike.get(&moved).filter(|others| others.len() == same.len())?;
        for (at, message) in same.iter().enumerate() {
            images[message.index()] = others[(at + generator.shift) % others.len()];
        }
    }
    Some(images)
}
