//! **What:** the input file of the dissertation: one node a line, with what it does and its neighbours.
//!
//! **Parameters:** text behind `#` is a comment. The first line gives the number of nodes and the largest number of
//! output links of a node; every further line a node's number, its mode (`T` transmitter, `R` receiver, `B` both, `N`
//! neither: a switch) and the nodes its output links lead to.
//!
//! **Facts:** every entry of a neighbour list is one directed channel, so lists that do not answer each other make a
//! directed network, and a repeated neighbour is a parallel channel. Channels are numbered in the order of nodes, then of
//! the lists. Where some node is `T` or `R`, senders are the nodes `T` and `B`, receivers `R` and `B`. What is lost in
//! writing: name, labels, the order of channels of different nodes, no_transit, capacities, half_duplex and ports.
//!
//! **Source:** section 6.1 and Figure 6.1.

use super::assembly::fault;
use super::{NetworkFile, text_of};
use crate::schedule_json::most_nodes;
use crate::{Fault, Place, ReadError, file};
use kernel::timed::Links;
use kernel::{Network, NetworkData, Node};
use std::io::{self, Write};
use std::path::Path;

struct Row {
    mode: char,
    neighbours: Vec<u32>,
    place: Place,
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = text_of(bytes, path)?;
    let mut lines = (1..).zip(text.lines()).filter_map(|(number, whole)| {
        let line = whole.split('#').next().unwrap_or_default();
        let words: Vec<_> = line
            .split_whitespace()
            .map(|w| (w, Place { line: number, column: 1 + w.as_ptr() as usize - whole.as_ptr() as usize }))
            .collect();
        (!words.is_empty()).then_some(words)
    });
    let Some(head) = lines.next() else {
        return Err(ReadError::new(
            path,
            Fault::Syntax("no line with the numbers of nodes and of links a node".into()),
        ));
    };
    let number = |(word, place): (&str, Place), field: Option<String>, what: &str| -> Result<u32, ReadError> {
        word.parse().map_err(|_| fault(path, place, field, word, &format!("{what} is not a number")))
    };
    let [first, second] = head[..] else {
        let why = "the first line must have two numbers: nodes, and most links a node";
        return Err(fault(path, head[0].1, None, head.last().map_or("", |w| w.0), why));
    };
    let nodes = number(first, Some("nodes".into()), "the number of nodes")?;
    let limit = most_nodes(bytes.len() as u64);
    if nodes > limit {
        let too_many = Fault::TooManyNodes { nodes: nodes.into(), limit };
        return Err(ReadError { place: Some(first.1), ..ReadError::new(path, too_many) });
    }
    let most = number(second, Some("links".into()), "the largest number of links a node")?;
    let mut rows: Vec<Option<Row>> = (0..nodes).map(|_| None).collect();
    for words in lines {
        let (word, place) = words[0];
        let node = number(words[0], None, "the node's number")?;
        let field = || Some(format!("node {node}"));
        let Some(row) = rows.get_mut(node as usize) else {
            return Err(fault(path, place, None, word, &format!("nodes are numbered from 0 to below {nodes}")));
        };
        if let Some(before) = row {
            let why = format!("described a second time, after line {}", before.place.line);
            return Err(fault(path, place, field(), "", &why));
        }
        let mode = match words.get(1) {
            Some(&("T" | "t", _)) => 'T',
            Some(&("R" | "r", _)) => 'R',
            Some(&("B" | "b", _)) => 'B',
            Some(&("N" | "n", _)) => 'N',
            Some(&(other, place)) => {
                return Err(fault(path, place, field(), other, "the mode is not one of T, R, B, N"));
            }
            None => return Err(fault(path, place, field(), "", "has no mode: T, R, B or N")),
        };
        if words.len() - 2 > most as usize {
            let why = format!("has {} neighbours, the first line allows {most}", words.len() - 2);
            return Err(fault(path, words[2 + most as usize].1, field(), "", &why));
        }
        let mut neighbours = Vec::new();
        for &(word, place) in &words[2..] {
            let neighbour = number((word, place), field(), "a neighbour")?;
            if neighbour >= nodes {
                return Err(fault(
                    path,
                    place,
                    field(),
                    word,
                    &format!("neighbours are numbered from 0 to below {nodes}"),
                ));
            }
            if neighbour == node {
                return Err(fault(path, place, field(), word, "is its own neighbour"));
            }
            neighbours.push(neighbour);
        }
        *row = Some(Row { mode, neighbours, place });
    }
    finish(rows, path)
}

fn finish(rows: Vec<Option<Row>>, path: &Path) -> Result<NetworkFile, ReadError> {
    let mut channels = Vec::new();
    let mut modes = Vec::new();
    for (node, row) in (0u32..).zip(&rows) {
        let Some(row) = row else {
            let missing = Fault::Syntax("no line describes this node".into());
            return Err(ReadError { field: Some(format!("node {node}")), ..ReadError::new(path, missing) });
        };
        modes.push(row.mode);
        channels.extend(row.neighbours.iter().map(|&to| (node, to)));
    }
    let with = |wanted: &[char]| -> Vec<u32> {
        (0u32..).zip(&modes).filter(|(_, mode)| wanted.contains(mode)).map(|(node, _)| node).collect()
    };
    let parts = NetworkData {
        name: file::title(path),
        nodes: Node::new(rows.len()).0,
        terminals: modes.contains(&'N').then(|| with(&['T', 'R', 'B'])),
        channels,
        ..NetworkData::default()
    };
    let network = Network::new(parts).map_err(|e| ReadError::new(path, Fault::Network(e)))?;
    let partial = modes.contains(&'T') || modes.contains(&'R');
    let group = |wanted: &[char]| partial.then(|| with(wanted).into_iter().map(Node).collect());
    Ok(NetworkFile { senders: group(&['T', 'B']), receivers: group(&['R', 'B']), ..network.into() })
}

pub(super) fn write(network: &Network, _: Option<&Links>, out: &mut dyn Write) -> io::Result<()> {
    let title: String = network.name().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let most = network.nodes().map(|v| network.outgoing(v).len()).max().unwrap_or(0);
    writeln!(out, "# {title}\n# number of nodes, most links a node\n{} {most}", network.node_count())?;
    writeln!(out, "# node, mode (T transmitter, R receiver, B both, N switch), neighbours")?;
    for node in network.nodes() {
        write!(out, "{node} {}", if network.is_terminal(node) { 'B' } else { 'N' })?;
        for &channel in network.outgoing(node) {
            write!(out, " {}", network.to(channel))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
