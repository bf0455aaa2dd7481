//! **What:** the formula of schedules that are their own images under automorphisms of the network, which is as many times smaller as these move a node
//! to other places, and has far fewer solutions to look through. No certificate rests on it.

use super::partials::Origin;
use super::{Course, Formula, FormulaKind, Lane, Literal, Rule};
use crate::{Channel, Message, Node, Problem};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A lane among those of all steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    step: usize,
    course: Option<Course>,
    message: Message,
    origin: Node,
    channel: Channel,
    /// Which of the lanes that are alike.
    copy: usize,
}

/// Where an automorphism moves what a formula speaks of.
struct Moved<'a> {
    nodes: &'a [u32],
    channels: &'a [u32],
    messages: Vec<Message>,
}

/// Images of all nodes and all channels.
#[derive(Clone, Copy, Debug)]
pub struct Images<'a> {
    /// The image of each node.
    pub nodes: &'a [u32],
    /// The image of each channel.
    pub channels: &'a [u32],
}

impl Formula {
    /// The formula of schedules that are their own images under automorphisms of the network, of a formula of `problem`: what is alike is said once, by one
    /// variable. `None` where the messages cannot be moved so.
    pub fn folded(&self, problem: &Problem, generators: &[Images<'_>]) -> Option<Formula> {
        let mut classes = Classes::new(self.variables);
        for &Images { nodes, channels } in generators {
            let messages = match self.kind {
                // Lanes have the number of the caller.
                FormulaKind::Calls => nodes.iter().map(|v| Message(*v)).collect(),
                _ => images_of_messages(problem, nodes)?,
            };
            for (one, other) in self.alike(&Moved { nodes, channels, messages }) {
                classes.join(one, other);
            }
        }
        let mut folded = Formula {
            kind: self.kind,
            steps: self.steps,
            variables: self.variables,
            rules: Vec::new(),
            lanes: self.lanes.clone(),
            timed: self.timed.clone(),
            hop: self.hop,
            keeps: self.keeps.clone(),
            choices: self.choices.clone(),
        };
        let mut free = vec![true; self.variables as usize + 1];
        folded.each_choice(|literal| free[literal.unsigned_abs() as usize] = false);
        classes.join_defined_alike(&self.rules, &free);
        classes.settle();
        folded.each_choice(|literal| *literal = classes.of(*literal));
        let mut known = HashSet::new();
        let mut literals = Vec::new();
        for rule in &self.rules {
            literals.clear();
            literals.extend(rule.literals.iter().map(|literal| classes.of(*literal)));
            literals.sort_unstable();
            if rule.least == 1 {
                literals.dedup();
            }
            // Should two rules have the same digest, a solution breaks one, and is no schedule.
            if known.insert(digest(rule.least.into(), literals.iter().map(|l| i64::from(*l)))) {
                folded.rules.push(Rule { least: rule.least, literals: literals.clone() });
            }
        }
        Some(folded)
    }

    /// The literals of what a schedule is made of, and those of their images.
    fn alike(&self, moved: &Moved<'_>) -> Vec<(Literal, Literal)> {
        let mut alike: Vec<(Literal, Literal)> = Vec::new();
        for (step, lanes) in self.lanes.iter().enumerate() {
            let lanes: Vec<(usize, Option<Course>, &Lane)> = lanes.iter().map(|lane| (step, None, lane)).collect();
            moved.lanes(&lanes, &mut alike);
        }
        let timed: Vec<_> = self.timed.iter().map(|at| (at.slot, Some(at.course), &at.lane)).collect();
        moved.lanes(&timed, &mut alike);
        for keeps in &self.keeps {
            let image = |(message, node): &(Message, Node)| keeps.get(&(moved.message(*message), moved.node(*node)));
            alike.extend(keeps.iter().filter_map(|(at, literal)| Some((*literal, *image(at)?))));
        }
        let mut choices = BTreeMap::new();
        for choice in &self.choices {
            for (origin, literal) in &choice.of {
                choices.insert((choice.message, choice.node, choice.transfer, *origin), *literal);
            }
        }
        for (&(message, node, transfer, origin), &literal) in &choices {
            let transfer = transfer.map(|(origin, to)| (moved.origin(origin), moved.node(to)));
            let image = (moved.message(message), moved.node(node), transfer, moved.origin(origin));
            alike.extend(choices.get(&image).map(|image| (literal, *image)));
        }
        alike
    }

    /// Does so with all literals of what a schedule is made of.
    fn each_choice(&mut self, mut with: impl FnMut(&mut Literal)) {
        let lanes = self.lanes.iter_mut().flatten().chain(self.timed.iter_mut().map(|at| &mut at.lane));
        for lane in lanes {
            let goes_on = lane.after.iter_mut().map(|(_, goes_on)| goes_on);
            let all = std::iter::once(&mut lane.busy).chain(&mut lane.begins).chain(&mut lane.ends).chain(goes_on);
            all.for_each(&mut with);
        }
        self.keeps.iter_mut().flat_map(BTreeMap::values_mut).for_each(&mut with);
        let choices = self.choices.iter_mut().flat_map(|choice| choice.of.iter_mut().map(|(_, literal)| literal));
        choices.for_each(with);
    }
}

/// Which variables are alike: the first of each class stands for it.
struct Classes {
    first: Vec<Literal>,
}

impl Classes {
    fn new(variables: u32) -> Self {
        Classes { first: (0..).take(variables as usize + 1).collect() }
    }

    /// The literal that stands for one.
    fn of(&self, literal: Literal) -> Literal {
        let mut variable = literal.abs();
        while self.first[variable as usize] != variable {
            variable = self.first[variable as usize];
        }
        variable * literal.signum()
    }

    /// Makes later looks short.
    fn settle(&mut self) {
        for variable in 0..self.first.len() {
            self.first[variable] = self.first[self.first[variable] as usize];
        }
    }

    fn join(&mut self, one: Literal, other: Literal) {
        let (one, other) = (self.of(one), self.of(other));
        self.first[one.max(other) as usize] = one.min(other);
    }

    /// Joins the free variables of which the rules say the same, when they are made: the rules in which no later variable is.
    fn join_defined_alike(&mut self, rules: &[Rule], free: &[bool]) {
        let mut rules_of: Vec<Vec<u32>> = vec![Vec::new(); self.first.len()];
        for (at, rule) in (0..).zip(rules) {
            let last = rule.literals.iter().map(|literal| literal.unsigned_abs()).max();
            rules_of[last.unwrap_or(0) as usize].push(at);
        }
        let mut known = HashMap::new();
        let (mut said, mut literals) = (Vec::new(), Vec::new());
        for (variable, of_it) in (0..).zip(&rules_of) {
            if !free[variable as usize] || of_it.is_empty() {
                continue;
            }
            said.clear();
            for &at in of_it {
                let rule = &rules[at as usize];
                literals.clear();
                // Its own place is taken by a number that no literal has.
                let itself = |literal: Literal| match literal.abs() == variable {
                    true => i64::from(literal.signum()) << 32,
                    false => i64::from(self.of(literal)),
                };
                literals.extend(rule.literals.iter().map(|literal| itself(*literal)));
                literals.sort_unstable();
                said.push(digest(rule.least.into(), literals.iter().copied()));
            }
            said.sort_unstable();
            let definition = digest(0, said.iter().map(|digest| *digest as i64));
            self.first[variable as usize] = *known.entry(definition).or_insert(variable);
        }
    }
}

/// A number that hardly two lists have in common.
fn digest(first: u64, numbers: impl Iterator<Item = i64>) -> u64 {
    numbers.fold(first ^ 0x9e37_79b9_7f4a_7c15, |digest, number| {
        let mixed = (digest.rotate_left(5) ^ number as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 32)
    })
}

/// The message that has the images of each message's ends; of several chunks that are alike in the order of their numbers.
fn images_of_messages(problem: &Problem, nodes: &[u32]) -> Option<Vec<Message>> {
    let collective = problem.collective();
    let ends = |message, moved: bool| {
        let image = |v: &Node| if moved { nodes[v.index()] } else { v.0 };
        let mut from: Vec<u32> = collective.contributors(message).iter().map(image).collect();
        let mut to: Vec<u32> = collective.destinations(message).iter().map(image).collect();
        from.sort_unstable();
        to.sort_unstable();
        (from, to)
    };
    let mut of_ends: HashMap<_, Vec<Message>> = HashMap::new();
    for message in collective.messages() {
        of_ends.entry(ends(message, false)).or_default().push(message);
    }
    let mut taken: HashMap<_, usize> = HashMap::new();
    let image = |message| {
        let ends = ends(message, true);
        let all = of_ends.get(&ends)?;
        let next = taken.entry(ends).or_insert(0);
        *next += 1;
        all.get(*next - 1).copied()
    };
    collective.messages().map(image).collect()
}

impl Moved<'_> {
    fn node(&self, node: Node) -> Node {
        Node(self.nodes[node.index()])
    }

    fn message(&self, message: Message) -> Message {
        self.messages[message.index()]
    }

    fn origin(&self, origin: Origin) -> Origin {
        match origin {
            Origin::Own => Origin::Own,
            Origin::Sent { step, by, arrives } => Origin::Sent { step, by: self.node(by), arrives },
        }
    }

    fn place(&self, place: Place) -> Place {
        let (origin, channel) = (self.node(place.origin), Channel(self.channels[place.channel.index()]));
        Place { origin, channel, message: self.message(place.message), ..place }
    }

    /// The literals of lanes, which go on with others of the same list, and those of their images.
    fn lanes(&self, lanes: &[(usize, Option<Course>, &Lane)], alike: &mut Vec<(Literal, Literal)>) {
        let mut at: HashMap<Place, usize> = HashMap::new();
        let mut places = Vec::with_capacity(lanes.len());
        for (index, &(step, course, &Lane { message, origin, channel, .. })) in lanes.iter().enumerate() {
            let mut place = Place { step, course, message, origin, channel, copy: 0 };
            while at.contains_key(&place) {
                place.copy += 1;
            }
            at.insert(place, index);
            places.push(place);
        }
        let images: Vec<Option<usize>> = places.iter().map(|place| at.get(&self.place(*place)).copied()).collect();
        for (&(.., lane), image) in lanes.iter().zip(&images) {
            let Some(image) = *image else { continue };
            let (.., other) = lanes[image];
            alike.push((lane.busy, other.busy));
            alike.extend(lane.begins.zip(other.begins));
            alike.extend(lane.ends.zip(other.ends));
            for (before, goes_on) in &lane.after {
                let same = other.after.iter().find(|(at, _)| Some(*at) == images[*before]);
                alike.extend(same.map(|(_, other)| (*goes_on, *other)));
            }
        }
    }
}
