//! **What:** counts of messages as people type them: `3,1,0,2`, a file of numbers, lines of names with numbers, or a matrix with names.
//!
//! **Parameters:** a file holds numbers alone, in the order of the nodes; or a line `name count` for each node; or, of a matrix, a first line
//! of names and then a line for each sender, with or without its name before the counts. A node that is not named has counts of 0.

use super::failure::Failure;
use super::lists::{Row, rows};
use super::names::Names;
use kernel::{Network, Node};
use std::collections::BTreeMap;
use std::path::Path;

const FORMS: &str = "--counts takes whole numbers such as 3,1,0,2, a file of them, or one with names: lines `name count`, or a matrix below a line of names";

/// The counts of a list or a file.
pub(crate) fn counts(network: &Network, text: &str) -> Result<Vec<u32>, Failure> {
    let path = Path::new(text);
    if !path.is_file() {
        return text.split(',').map(|word| number("--counts", word.trim())).collect();
    }
    let rows = rows(path)?;
    let file = File { network, names: Names::new(network), place: path.display().to_string() };
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    if first.words.iter().all(|word| word.parse::<u32>().is_ok()) {
        return rows.iter().flat_map(|row| row.words.iter().map(|word| number(&file.at(row), word))).collect();
    }
    let pairs = |row: &Row| row.words.len() == 2 && row.words[1].parse::<u32>().is_ok();
    if rows.iter().all(pairs) { file.one_each(&rows) } else { file.matrix(first, &rows[1..]) }
}

fn number(place: &str, word: &str) -> Result<u32, Failure> {
    word.parse().map_err(|_| Failure::input(format!("{place}: `{word}` is not a number of messages")).hint(FORMS))
}

struct File<'n> {
    network: &'n Network,
    names: Names<'n>,
    place: String,
}

impl File<'_> {
    fn at(&self, row: &Row) -> String {
        format!("{}:{}", self.place, row.line)
    }

    /// Notes a value, of which a node has one.
    fn once<T>(&self, all: &mut BTreeMap<Node, T>, row: &Row, node: Node, value: T) -> Result<(), Failure> {
        match all.insert(node, value) {
            None => Ok(()),
            Some(_) => {
                let name = self.network.name_of(node);
                Err(Failure::input(format!("{}: node {name} stands there twice", self.at(row)))
                    .hint("name each node once"))
            }
        }
    }

    /// Lines `name count`.
    fn one_each(&self, rows: &[Row]) -> Result<Vec<u32>, Failure> {
        let mut all = BTreeMap::new();
        for row in rows {
            let node = self.names.terminal(&self.at(row), &row.words[0])?;
            self.once(&mut all, row, node, number(&self.at(row), &row.words[1])?)?;
        }
        Ok(all.into_values().collect())
    }

    /// A line of names, and one of counts for each sender.
    fn matrix(&self, head: &Row, rows: &[Row]) -> Result<Vec<u32>, Failure> {
        let mut columns = BTreeMap::new();
        for (at, word) in head.words.iter().enumerate() {
            let node = self.names.terminal(&self.at(head), word)?;
            self.once(&mut columns, head, node, at)?;
        }
        let order: Vec<Node> =
            head.words.iter().map(|word| self.names.terminal(&self.at(head), word)).collect::<Result<_, _>>()?;
        let mut senders = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            let (node, counts) = match row.words.len().checked_sub(order.len()) {
                Some(1) => (self.names.terminal(&self.at(row), &row.words[0])?, &row.words[1..]),
                Some(0) if at < order.len() => (order[at], &row.words[..]),
                _ => {
                    let (found, needed) = (row.words.len(), order.len());
                    return Err(Failure::input(format!("{}: {found} words where {needed} counts are needed", self.at(row)))
                        .hint("a line has a count for each node that the first line names, and may have the sender's name before them"));
                }
            };
            let counts: Vec<u32> = counts.iter().map(|word| number(&self.at(row), word)).collect::<Result<_, _>>()?;
            self.once(&mut senders, row, node, counts)?;
        }
        let members = self.network.members();
        let count = |from: &Node, to: &Node| {
            let column = columns.get(to)?;
            senders.get(from).map(|counts| counts[*column])
        };
        Ok(members.iter().flat_map(|from| members.iter().map(move |to| count(from, to).unwrap_or(0))).collect())
    }
}
