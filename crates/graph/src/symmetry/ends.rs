//! **What:** messages by their ends, so that a symmetry's image of a message is found at once.

use crate::{automorphisms::Automorphism, isomorphism::LabelledArc};
use kernel::{Message, Node, Problem};

/// Messages by their ends.
pub struct Ends {
    /// Origin and destination, sorted.
    pairs: Vec<(Node, Node)>,
    /// Where the messages of each pair begin in `messages`.
    starts: Vec<u32>,
    messages: Vec<Message>,
    /// The place of each message in `messages`, and its pair.
    places: Vec<(u32, u32)>,
    nodes: usize,
    /// Pairs by both ends, where that is not too large.
    table: Vec<u32>,
    /// Whether every terminal sends to every other once.
    all_pairs: bool,
}

impl Ends {
    /// `messages` that each have one origin and one other destination.
    pub fn new(problem: &Problem, messages: &[Message]) -> Self {
        let collective = problem.collective();
        let ends = |m: Message| (collective.origin(m), collective.destinations(m)[0]);
        let mut list: Vec<((Node, Node), Message)> = messages.iter().map(|&m| (ends(m), m)).collect();
        list.sort_unstable();
        let nodes = problem.network().node_count();
        let mut result = Ends {
            pairs: Vec::new(),
            starts: Vec::new(),
            messages: Vec::with_capacity(list.len()),
            places: vec![(0, 0); collective.message_count()],
            nodes,
            table: if nodes <= 1 << 11 { vec![u32::MAX; nodes * nodes] } else { Vec::new() },
            all_pairs: false,
        };
        for ((from, to), message) in list {
            let at = u32::try_from(result.messages.len()).expect("messages have 32-bit numbers");
            if result.pairs.last() != Some(&(from, to)) {
                let pair = u32::try_from(result.pairs.len()).expect("no more pairs than messages");
                if let Some(entry) = result.table.get_mut(from.index() * nodes + to.index()) {
                    *entry = pair;
                }
                result.pairs.push((from, to));
                result.starts.push(at);
            }
            let pair = u32::try_from(result.pairs.len() - 1).expect("no more pairs than messages");
            result.places[message.index()] = (at, pair);
            result.messages.push(message);
        }
        result.starts.push(u32::try_from(result.messages.len()).expect("messages have 32-bit numbers"));
        let t = problem.network().terminals().len();
        result.all_pairs = result.pairs.len() == t * t.saturating_sub(1) && messages.len() == result.pairs.len();
        result
    }

    /// Different pairs of ends.
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    fn pair(&self, from: u32, to: u32) -> Option<usize> {
        if self.table.is_empty() {
            return self.pairs.binary_search(&(Node(from), Node(to))).ok();
        }
        Some(self.table[from as usize * self.nodes + to as usize]).filter(|p| *p != u32::MAX).map(|p| p as usize)
    }

    /// Where `map` takes `message`, one of those this was made from; `None` where the set of messages changes.
    pub fn image(&self, map: &Automorphism, message: Message) -> Option<Message> {
        let (place, pair) = self.places[message.index()];
        let (from, to) = self.pairs[pair as usize];
        let other = self.pair(map.nodes[from.index()], map.nodes[to.index()])?;
        let of = |pair: usize| (self.starts[pair], self.starts[pair + 1]);
        let ((first, last), (start, end)) = (of(pair as usize), of(other));
        (last - first == end - start).then(|| self.messages[(start + place - first) as usize])
    }

    /// What a symmetry of the network must also respect: arcs between nodes, with labels.
    pub(super) fn arcs(&self) -> Vec<LabelledArc> {
        if self.all_pairs {
            // Every map of terminals respects these.
            return Vec::new();
        }
        self.messages
            .iter()
            .map(|m| self.pairs[self.places[m.index()].1 as usize])
            .map(|(from, to)| LabelledArc { from: from.0, to: to.0, label: 0 })
            .collect()
    }

    /// Whether `map` leaves some message in place.
    pub(super) fn fixes_one(&self, map: &Automorphism) -> bool {
        let fixed = |v: Node| map.nodes[v.index()] == v.0;
        if map.nodes.iter().enumerate().filter(|&(v, &w)| v == w as usize).nth(1).is_none() {
            return false;
        }
        self.pairs.iter().any(|&(a, b)| fixed(a) && fixed(b))
    }
}
