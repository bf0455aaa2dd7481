//! **What:** the rules that a schedule is its own image under an automorphism of the network: what a search adds to a formula to find
//! symmetric schedules, of which there are far fewer. No certificate rests on it.

use super::partials::Origin;
use super::{Course, Formula, FormulaKind, Lane, Literal, Rule};
use crate::{Channel, Message, Node, Problem};
use std::collections::{BTreeMap, HashMap};

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

impl Formula {
    /// Adds that the schedule is its own image under an automorphism of the network, given by the images of all nodes and channels, of a formula of
    /// `problem`; whether its messages can be moved so.
    pub fn fold(&mut self, problem: &Problem, nodes: &[u32], channels: &[u32]) -> bool {
        let messages = match self.kind {
            // Lanes have the number of the caller.
            FormulaKind::Calls => Some(nodes.iter().map(|v| Message(*v)).collect()),
            _ => images_of_messages(problem, nodes),
        };
        let Some(messages) = messages else { return false };
        let moved = Moved { nodes, channels, messages };
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
        for (one, other) in alike.into_iter().filter(|(one, other)| one != other) {
            self.rules.push(Rule { least: 1, literals: vec![-one, other] });
            self.rules.push(Rule { least: 1, literals: vec![one, -other] });
        }
        true
    }
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
