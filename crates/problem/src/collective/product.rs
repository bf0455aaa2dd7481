//! **What:** one message from every sender to every receiver but itself, kept as the two lists: a message's ends are found
//! from its number.
//!
//! **Idea:** messages stand in rows, a row a node of the outer list and a column a node of the inner one. Where both lists are
//! the same, every row leaves its own node out, so row and column are a quotient and a remainder; else where each row
//! starts is written down.

use super::Collective;
use super::divisor::Divisor;
use crate::Node;

/// The messages of a collective that are all pairs of two lists of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllPairs<'a> {
    /// The nodes that messages come from, ascending.
    pub senders: &'a [Node],
    /// The nodes that messages are for, ascending.
    pub receivers: &'a [Node],
    /// Equal messages from each sender to each receiver but itself.
    pub repeats: u32,
}

impl Collective {
    /// The two lists, where the messages are known to be all their pairs: they can be counted without a look at each.
    pub fn all_pairs(&self) -> Option<AllPairs<'_>> {
        let of = |product| AllPairs {
            senders: Product::senders(product),
            receivers: product.receivers(),
            repeats: product.repeats,
        };
        self.product().map(of)
    }
}

/// A message for each pair of a node of one list and another of a second.
#[derive(Clone, Debug)]
pub struct Product {
    /// The nodes that messages are sorted by first, ascending; each has a message.
    outer: Vec<Node>,
    /// The nodes at the other ends, ascending; each has a message.
    inner: Vec<Node>,
    rows: Rows,
    /// Equal messages of each pair, which follow each other.
    repeats: u32,
    /// Whether the inner nodes are the senders.
    backwards: bool,
}

/// Where the pairs of each outer node are.
#[derive(Clone, Debug)]
enum Rows {
    /// Both lists are the same, so a row has one pair less than there are columns.
    Square(Divisor),
    /// Found by a search.
    Listed(Vec<Row>),
}

/// The pairs of one outer node.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Pairs before it.
    start: u64,
    /// The column of the outer node itself; the number of columns where it has none.
    own: usize,
}

impl Product {
    /// Both lists ascending, without repetitions.
    pub fn new(mut senders: Vec<Node>, mut receivers: Vec<Node>) -> Self {
        // Whoever has no partner but itself has no message.
        if let [only] = receivers[..] {
            senders.retain(|v| *v != only);
        }
        if let [only] = senders[..] {
            receivers.retain(|v| *v != only);
        }
        if senders.is_empty() || receivers.is_empty() {
            (senders, receivers) = (Vec::new(), Vec::new());
        }
        let rows = match senders == receivers {
            true => Rows::Square(Divisor::new(Node::new(senders.len()).0.saturating_sub(1))),
            false => Rows::Listed(rows(&senders, &receivers)),
        };
        Product { outer: senders, inner: receivers, rows, repeats: 1, backwards: false }
    }

    /// The product whose messages, in order, go from `origins` to `destinations`.
    pub fn of_lists(origins: &[Node], destinations: &[Node]) -> Option<Self> {
        let ends = || origins.iter().zip(destinations);
        let first = ends().next()?;
        let repeats = ends().take_while(|ends| *ends == first).count();
        let mut senders = origins.to_vec();
        senders.dedup();
        if !senders.is_sorted() {
            return None;
        }
        // Only the first sender may lack a message for a receiver, itself, and the second has one for it.
        let two = origins.chunk_by(|a, b| a == b).take(2).map(<[Node]>::len).sum::<usize>();
        let product =
            Self::new(senders, super::named::distinct(&destinations[..two])).repeated(u32::try_from(repeats).ok()?);
        let same = product.count() == origins.len() as u64
            && (0..).zip(ends()).all(|(message, ends)| product.ends(message) == ends);
        same.then_some(product)
    }

    /// Every message so many times.
    pub fn repeated(self, times: u32) -> Self {
        Product { repeats: self.repeats.saturating_mul(times), ..self }
    }

    /// The same messages in the same order, with origins and destinations exchanged.
    pub fn reversed(self) -> Self {
        Product { backwards: !self.backwards, ..self }
    }

    /// Equal messages of each pair, which follow each other.
    pub fn repeats(&self) -> u32 {
        self.repeats
    }

    /// The nodes that messages come from, ascending.
    pub fn senders(&self) -> &[Node] {
        if self.backwards { &self.inner } else { &self.outer }
    }

    /// The nodes that messages are for, ascending.
    pub fn receivers(&self) -> &[Node] {
        if self.backwards { &self.outer } else { &self.inner }
    }

    /// Number of messages.
    pub fn count(&self) -> u64 {
        self.outer.len().checked_sub(1).map_or(0, |last| {
            let row = self.row(last);
            // The last row's columns, but its own.
            self.repeated_by(row.start + self.inner.len() as u64 - u64::from(row.own < self.inner.len()))
        })
    }

    /// Number of messages from a node.
    pub fn count_from(&self, node: Node) -> u64 {
        self.count_of(node, self.senders(), self.receivers())
    }

    /// Number of messages to a node.
    pub fn count_to(&self, node: Node) -> u64 {
        self.count_of(node, self.receivers(), self.senders())
    }

    fn count_of(&self, node: Node, own: &[Node], others: &[Node]) -> u64 {
        let is_in = |list: &[Node]| list.binary_search(&node).is_ok();
        if is_in(own) { self.repeated_by(others.len() as u64 - u64::from(is_in(others))) } else { 0 }
    }

    /// Number of messages from the nodes of a set to others.
    pub fn count_leaving(&self, inside: &[bool]) -> u64 {
        let within = |list: &[Node]| list.iter().filter(|v| inside[v.index()]).count() as u64;
        self.repeated_by(within(self.senders()) * (self.receivers().len() as u64 - within(self.receivers())))
    }

    fn repeated_by(&self, pairs: u64) -> u64 {
        pairs.saturating_mul(u64::from(self.repeats))
    }

    /// The origin and the destination of a message.
    #[inline(always)]
    pub fn ends(&self, message: u32) -> (&Node, &Node) {
        let pair = if self.repeats == 1 { message } else { message / self.repeats };
        let (row, place, own) = match &self.rows {
            Rows::Square(length) => {
                let (row, place) = length.divide(pair);
                (row as usize, place as usize, row as usize)
            }
            Rows::Listed(rows) => listed(rows, pair),
        };
        let (outer, inner) = (&self.outer[row], &self.inner[place + usize::from(place >= own)]);
        if self.backwards { (inner, outer) } else { (outer, inner) }
    }

    fn row(&self, at: usize) -> Row {
        match &self.rows {
            Rows::Square(_) => Row { start: at as u64 * (self.inner.len() as u64 - 1), own: at },
            Rows::Listed(rows) => rows[at],
        }
    }

    /// The first message with such a node at an end, and that node.
    pub fn first_with(&self, bad: impl Fn(&Node) -> bool) -> Option<(u64, Node)> {
        if let Some(0) = self.outer.iter().position(&bad) {
            let (from, to) = self.ends(0);
            return Some((0, if bad(from) { *from } else { *to }));
        }
        // The first row has a message for every bad column, since its own node is none.
        let first = |node: &Node, row: Node, column: Node| {
            let (from, to) = if self.backwards { (column, row) } else { (row, column) };
            Some((self.number(from, to)?, *node))
        };
        match (self.inner.iter().find(|v| bad(v)), self.outer.iter().find(|v| bad(v))) {
            (Some(column), _) => first(column, self.outer[0], *column),
            (None, Some(row)) => first(row, *row, *self.inner.iter().find(|v| *v != row)?),
            (None, None) => None,
        }
    }

    /// The number of the first of the messages from one node to another.
    pub fn number(&self, from: Node, to: Node) -> Option<u64> {
        let (outer, inner) = if self.backwards { (to, from) } else { (from, to) };
        let row = self.row(self.outer.binary_search(&outer).ok()?);
        let column = self.inner.binary_search(&inner).ok().filter(|column| *column != row.own)?;
        Some(self.repeated_by(row.start + column as u64 - u64::from(column > row.own)))
    }
}

impl PartialEq for Product {
    /// Whether both are the same messages in the same order.
    fn eq(&self, other: &Self) -> bool {
        // Sorted by the other end, messages stand in another order, but where there are few rows or columns.
        let same_order = || {
            let pair = |at: u32| at.saturating_mul(self.repeats);
            let pairs = u32::try_from(self.count() / u64::from(self.repeats)).unwrap_or(u32::MAX);
            (0..pairs).all(|at| self.ends(pair(at)) == other.ends(pair(at)))
        };
        self.repeats == other.repeats
            && self.senders() == other.senders()
            && self.receivers() == other.receivers()
            && (self.backwards == other.backwards || same_order())
    }
}

impl Eq for Product {}

/// The row of a pair, its place in it, and the column of the row's own node.
fn listed(rows: &[Row], pair: u32) -> (usize, usize, usize) {
    let row = rows.partition_point(|row| row.start <= u64::from(pair)) - 1;
    let place = u64::from(pair) - rows[row].start;
    (row, usize::try_from(place).expect("a place in a list in memory"), rows[row].own)
}

fn rows(outer: &[Node], inner: &[Node]) -> Vec<Row> {
    let mut start = 0;
    let row = |node: &Node| {
        let own = inner.binary_search(node).unwrap_or(inner.len());
        let row = Row { start, own };
        start += inner.len() as u64 - u64::from(own < inner.len());
        row
    };
    outer.iter().map(row).collect()
}
