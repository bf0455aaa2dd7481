//! **What:** sets of nodes that share what they have in common, for contributions that are merged and kept.
//!
//! A set is a binary tree over words of 64 nodes: a part without nodes, a part with one word only and a part that is full
//! take no room, and a union shares the parts that lie in one of the two sets only. So a run of nodes takes logarithmic
//! room, adding a node to a kept set as well, and a copy nothing.
//!
//! **Facts:** equal sets have equal trees. The tree of so many nodes has a height that belongs to all its sets ([`Universe`]).

use crate::Node;
use std::sync::Arc;

/// Nodes of a word.
const WORD: u32 = 64;

/// A set of nodes, of one [`Universe`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum NodeSet {
    #[default]
    Empty,
    /// Nodes of the word `at` alone.
    Word { at: u32, nodes: u64 },
    /// All nodes of a part of several words.
    Full,
    /// The nodes of the lower and of the upper half of a part.
    Halves(Arc<[NodeSet; 2]>),
}

impl NodeSet {
    pub(crate) fn is_empty(&self) -> bool {
        *self == NodeSet::Empty
    }
}

/// A part of the words: `1 << height` of them, from `first` on.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: u32,
    height: u32,
}

impl Part {
    fn halves(self) -> [Part; 2] {
        let height = self.height - 1;
        [Part { height, ..self }, Part { first: self.first + (1 << height), height }]
    }

    /// The set of both halves.
    fn join(self, [lower, upper]: [NodeSet; 2]) -> NodeSet {
        let is_full = |half: &NodeSet| match half {
            NodeSet::Full => true,
            NodeSet::Word { nodes, .. } => self.height == 1 && *nodes == u64::MAX,
            NodeSet::Empty | NodeSet::Halves(_) => false,
        };
        match (lower, upper) {
            (NodeSet::Empty, NodeSet::Empty) => NodeSet::Empty,
            (word @ NodeSet::Word { .. }, NodeSet::Empty) | (NodeSet::Empty, word @ NodeSet::Word { .. }) => word,
            (lower, upper) if is_full(&lower) && is_full(&upper) => NodeSet::Full,
            (lower, upper) => NodeSet::Halves(Arc::new([lower, upper])),
        }
    }

    /// What of a set lies in each half.
    fn split(self, set: &NodeSet) -> [NodeSet; 2] {
        match set {
            NodeSet::Empty => Default::default(),
            NodeSet::Word { at, .. } if *at < self.halves()[1].first => [set.clone(), NodeSet::Empty],
            NodeSet::Word { .. } => [NodeSet::Empty, set.clone()],
            NodeSet::Full if self.height == 1 => {
                self.halves().map(|half| NodeSet::Word { at: half.first, nodes: u64::MAX })
            }
            NodeSet::Full => [NodeSet::Full, NodeSet::Full],
            NodeSet::Halves(halves) => (**halves).clone(),
        }
    }

    fn first_node(self) -> Node {
        Node(self.first * WORD)
    }
}

/// The nodes that sets are taken from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Universe {
    whole: Part,
}

impl Universe {
    /// The nodes 0 to `nodes` less one.
    pub(crate) fn new(nodes: usize) -> Self {
        let words = u32::try_from(nodes.div_ceil(WORD as usize)).expect("nodes have numbers below 2^32");
        Universe { whole: Part { first: 0, height: words.next_power_of_two().trailing_zeros() } }
    }

    /// The set of some nodes, in any order.
    pub(crate) fn set(self, nodes: &[Node]) -> NodeSet {
        let mut words: Vec<(u32, u64)> = nodes.iter().map(|v| (v.0 / WORD, 1 << (v.0 % WORD))).collect();
        if !words.is_sorted() {
            words.sort_unstable();
        }
        words.dedup_by(|next, word| {
            let same = next.0 == word.0;
            if same {
                word.1 |= next.1;
            }
            same
        });
        build(self.whole, &words)
    }

    /// Whether a node is in a set.
    pub(crate) fn has(self, set: &NodeSet, node: Node) -> bool {
        let (mut part, mut set) = (self.whole, set);
        loop {
            match set {
                NodeSet::Empty => return false,
                NodeSet::Full => return true,
                NodeSet::Word { at, nodes } => return *at == node.0 / WORD && nodes >> (node.0 % WORD) & 1 == 1,
                NodeSet::Halves(halves) => {
                    let [_, upper] = part.halves();
                    let half = usize::from(node.0 / WORD >= upper.first);
                    (part, set) = (part.halves()[half], &halves[half]);
                }
            }
        }
    }

    /// The union of two sets, and the first node they have in common.
    pub(crate) fn union(self, a: &NodeSet, b: &NodeSet) -> (NodeSet, Option<Node>) {
        let mut common = None;
        (union(self.whole, a, b, &mut common), common)
    }

    /// The first node of `all` that is not in `set`.
    pub(crate) fn first_missing(self, all: &NodeSet, set: &NodeSet) -> Option<Node> {
        missing(self.whole, all, set)
    }
}

/// The set of words, each of which stands there once, ascending.
fn build(part: Part, words: &[(u32, u64)]) -> NodeSet {
    match words {
        [] => NodeSet::Empty,
        &[(at, nodes)] => NodeSet::Word { at, nodes },
        _ => {
            let [lower, upper] = part.halves();
            let (low, high) = words.split_at(words.partition_point(|(at, _)| *at < upper.first));
            part.join([build(lower, low), build(upper, high)])
        }
    }
}

fn first(part: Part, set: &NodeSet) -> Option<Node> {
    match set {
        NodeSet::Empty => None,
        NodeSet::Full => Some(part.first_node()),
        NodeSet::Word { at, nodes } => Some(Node(at * WORD + nodes.trailing_zeros())),
        NodeSet::Halves(halves) => {
            let [lower, upper] = part.halves();
            first(lower, &halves[0]).or_else(|| first(upper, &halves[1]))
        }
    }
}

fn union(part: Part, a: &NodeSet, b: &NodeSet, common: &mut Option<Node>) -> NodeSet {
    match (a, b) {
        (NodeSet::Empty, other) | (other, NodeSet::Empty) => other.clone(),
        (NodeSet::Full, other) | (other, NodeSet::Full) => {
            *common = common.or_else(|| first(part, other));
            NodeSet::Full
        }
        (NodeSet::Word { at, nodes }, NodeSet::Word { at: other, nodes: more }) if at == other => {
            let both = NodeSet::Word { at: *at, nodes: nodes & more };
            if nodes & more != 0 {
                *common = common.or_else(|| first(part, &both));
            }
            NodeSet::Word { at: *at, nodes: nodes | more }
        }
        (NodeSet::Halves(one), NodeSet::Halves(other)) if Arc::ptr_eq(one, other) => {
            *common = common.or_else(|| first(part, a));
            a.clone()
        }
        _ => {
            let ([a_low, a_high], [b_low, b_high]) = (part.split(a), part.split(b));
            let [lower, upper] = part.halves();
            let low = union(lower, &a_low, &b_low, common);
            part.join([low, union(upper, &a_high, &b_high, common)])
        }
    }
}

fn missing(part: Part, all: &NodeSet, set: &NodeSet) -> Option<Node> {
    match (all, set) {
        (NodeSet::Empty, _) | (_, NodeSet::Full) => None,
        (_, NodeSet::Empty) => first(part, all),
        (NodeSet::Word { at, nodes }, NodeSet::Word { at: other, nodes: held }) => {
            let missing = if at == other { nodes & !held } else { *nodes };
            (missing != 0).then(|| Node(at * WORD + missing.trailing_zeros()))
        }
        (NodeSet::Halves(one), NodeSet::Halves(other)) if Arc::ptr_eq(one, other) => None,
        _ => {
            let ([all_low, all_high], [low, high]) = (part.split(all), part.split(set));
            let [lower, upper] = part.halves();
            missing(lower, &all_low, &low).or_else(|| missing(upper, &all_high, &high))
        }
    }
}
