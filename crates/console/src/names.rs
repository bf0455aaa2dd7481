//! **What:** the node, or the two ends of a link, that a text names: by number, by label, or by what the file calls it.
//!
//! **Facts:** a text that is the number of one node and the name of another is told of. It is the number on a network of a family, whose
//! labels are coordinates, and the name on a network of a file, whose names people know; `number:7` and `name:7` leave no doubt.

use super::failure::Failure;
use super::output;
use kernel::{Network, Node};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use topologies::nearest;

/// Most nodes whose names are compared with one that is not there.
const MOST_COMPARED: usize = 10_000;

/// The names of a network's nodes.
pub struct Names<'n> {
    network: &'n Network,
    /// The nodes of each label, and of each name of a file beside these.
    labels: HashMap<&'n str, Vec<Node>>,
    ids: HashMap<&'n str, Node>,
    /// What was told already.
    told: RefCell<BTreeSet<String>>,
}

/// The ends of `A-B` (both directions) or `A>B` (one).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Where it begins.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// Whether the channel the other way is not meant.
    pub directed: bool,
}

impl<'n> Names<'n> {
    /// The names of a network's nodes.
    #[must_use]
    pub fn new(network: &'n Network) -> Self {
        let mut labels: HashMap<&str, Vec<Node>> = HashMap::new();
        for (at, label) in network.data().labels.iter().flatten().enumerate() {
            labels.entry(label).or_default().push(Node::new(at));
        }
        let ids = network.data().ids.iter().flatten().enumerate();
        let ids = ids.map(|(at, id)| (id.as_str(), Node::new(at))).collect();
        Names { network, labels, ids, told: RefCell::default() }
    }

    /// The node that `text` names.
    pub fn node(&self, flag: &str, text: &str) -> Result<Node, Failure> {
        let text = text.trim();
        if let Some(number) = text.strip_prefix("number:") {
            return self.by_number(number).ok_or_else(|| self.unknown(flag, number));
        }
        if let Some(name) = text.strip_prefix("name:") {
            return self.by_name(flag, name)?.ok_or_else(|| self.unknown(flag, name));
        }
        let (number, name) = (self.by_number(text), self.by_name(flag, text)?);
        match (number, name) {
            (Some(number), Some(name)) if number != name => Ok(self.either(flag, text, number, name)),
            (number, name) => name.or(number).ok_or_else(|| self.unknown(flag, text)),
        }
    }

    fn by_number(&self, text: &str) -> Option<Node> {
        text.parse::<u32>().ok().map(Node).filter(|node| node.index() < self.network.node_count())
    }

    /// By label, else by the name of a file.
    fn by_name(&self, flag: &str, text: &str) -> Result<Option<Node>, Failure> {
        match self.labels.get(text).map(Vec::as_slice) {
            Some([only]) => Ok(Some(*only)),
            Some([first, second, ..]) => {
                Err(Failure::input(format!("{flag}: `{text}` is the label of nodes {first} and {second}"))
                    .hint(format!("name the node by its number, such as number:{first}")))
            }
            _ => Ok(self.ids.get(text).copied().or_else(|| self.without_blanks(text))),
        }
    }

    /// By the only label that differs in blanks alone, such as `(0, 1)` for `(0,1)`.
    fn without_blanks(&self, text: &str) -> Option<Node> {
        let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let wanted = bare(text);
        if !text.contains(',') || self.labels.len() > MOST_COMPARED {
            return None;
        }
        let mut like = self.labels.iter().filter(|(label, _)| bare(label) == wanted).map(|(_, nodes)| nodes.as_slice());
        match (like.next(), like.next()) {
            (Some([only]), None) => Some(*only),
            _ => None,
        }
    }

    /// One of two nodes that a text may mean, which is told.
    fn either(&self, flag: &str, text: &str, number: Node, name: Node) -> Node {
        // Nobody writes a number with a zero before it.
        if text.len() > 1 && text.starts_with('0') {
            return name;
        }
        let numbered = topologies::topology(self.network.name()).is_ok();
        let (taken, other, how) = match numbered {
            true => (number, name, format!("write name:{text} for node {name}, which has that label")),
            false => (name, number, format!("it is that node's name; write number:{text} for the node of this number")),
        };
        let what = format!("{flag}: `{text}` is taken as node {taken} and not as node {other}: {how}");
        if self.told.borrow_mut().insert(what.clone()) {
            output::tell(&format!("warning: {what}\n"));
        }
        taken
    }

    fn unknown(&self, flag: &str, text: &str) -> Failure {
        let (network, last) = (self.network.name(), self.network.node_count() - 1);
        if text.parse::<u64>().is_ok() {
            let named = if self.labels.is_empty() { "" } else { ", and have labels" };
            return Failure::input(format!("{flag}: {network} has no node {text}"))
                .hint(format!("its nodes are 0 to {last}{named}"));
        }
        let wrong = Failure::input(format!("{flag}: `{text}` is not a node of {network}"));
        let known = self.labels.keys().chain(self.ids.keys()).copied();
        let mut known: Vec<&str> = known.take(MOST_COMPARED).collect();
        known.sort_unstable();
        match nearest(text, known.into_iter()) {
            Some(near) => wrong.hint(format!(
                "did you mean `{near}`? a node is named by its number, 0 to {last}, or by its label where it has one"
            )),
            None => wrong.hint(format!("name a node by its number, 0 to {last}, or by its label where it has one")),
        }
    }

    /// As [`Names::node`], but only a terminal.
    pub fn terminal(&self, flag: &str, text: &str) -> Result<Node, Failure> {
        let node = self.node(flag, text)?;
        if self.network.is_terminal(node) {
            return Ok(node);
        }
        let (name, network) = (self.network.label(node), self.network.name());
        let called = self.network.name_of(node);
        // What has failed is told in the name of the network, and has no channels left.
        let has_failed = self.network.outgoing(node).is_empty()
            && network.split(" without ").skip(1).any(|gone| gone == called || gone == format!("({name})"));
        let terminals = format!("its terminals are {}", super::lists::named(self.network, self.network.terminals()));
        if has_failed {
            return Err(Failure::input(format!("{flag}: node {called} has failed, so it neither sends nor receives"))
                .hint(terminals));
        }
        let name = if name == node.to_string() { String::new() } else { format!(" ({name})") };
        Err(Failure::input(format!(
            "{flag}: node {node} of {network} is a switch{name}, which neither sends nor receives"
        ))
        .hint(terminals))
    }

    /// The ends of `A-B` or `A>B`; names may hold these marks. Of several ways to read it that is meant which names a link.
    pub fn ends(&self, flag: &str, text: &str) -> Result<Ends, Failure> {
        let parted = |mark: char, directed: bool| text.match_indices(mark).map(move |(at, _)| (at, directed));
        let mut first = None;
        let mut found: Vec<Ends> = Vec::new();
        for (at, directed) in parted('>', true).chain(parted('-', false)) {
            let both = self.node(flag, &text[..at]).and_then(|from| Ok((from, self.node(flag, &text[at + 1..])?)));
            match both {
                Ok((from, to)) => found.push(Ends { from, to, directed }),
                Err(error) => first = first.or(Some(error)),
            }
        }
        let joins = |ends: &&Ends| {
            let goes = |a, b| self.network.outgoing(a).iter().any(|c| self.network.to(*c) == b);
            goes(ends.from, ends.to) || (!ends.directed && goes(ends.to, ends.from))
        };
        let links: Vec<&Ends> = found.iter().filter(joins).collect();
        match (&links[..], &found[..]) {
            ([one], _) => Ok(**one),
            ([], [one, ..]) => Ok(*one),
            ([one, other, ..], _) => {
                let [one, other] = [one, other].map(|e| [e.from, e.to].map(|v| self.network.name_of(v)).join(" and "));
                Err(Failure::input(format!("{flag}: `{text}` may be the link of {one}, or that of {other}"))
                    .hint("name the nodes by their numbers, such as 3-7"))
            }
            ([], []) => Err(first.unwrap_or_else(|| {
                Failure::input(format!("{flag}: `{text}` is not a link"))
                    .hint("write A-B for both directions, or A>B (in quotes) for one")
            })),
        }
    }
}
