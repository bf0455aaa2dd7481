//! **What:** networks in Graphviz' language, as Graphviz and NetworkX write it.
//!
//! **Parameters:** `a -> b` in a `digraph` is one channel; `a -- b` in a `graph` a channel each way; chains, groups
//! `{a b} -> c`, subgraphs and defaults (`node [role=switch]`) as in the language. The keys of nodes and edges are those of all
//! graph formats (`docs/networks.md`); Graphviz' own are about drawing, and others are told of. In a `strict` graph a repeated
//! edge is the same edge.
//!
//! **Facts:** one edge a channel is written, in order. What is lost: half_duplex.
//!
//! **Source:** <https://graphviz.org/doc/info/lang.html>.

use super::about::written;
use super::assembly::{Assembly, fault};
use super::carries::Carries;
use super::dot_words::{Word, is_drawing, words};
use super::{NetworkFile, text_of};
use crate::{Place, ReadError};
use kernel::Network;
use kernel::timed::Links;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Deepest nesting of subgraphs.
const DEEPEST: usize = 100;

/// Most edges: a short text of two groups can ask for very many.
const MOST_EDGES: usize = 1 << 25;

type Attributes = Vec<(String, String, Place)>;

/// Attributes that nodes and edges get unless they say otherwise, within a subgraph.
#[derive(Clone, Default)]
struct Defaults {
    node: Attributes,
    edge: Attributes,
}

struct Parser<'a> {
    path: &'a Path,
    words: Vec<(Word, Place)>,
    at: usize,
    assembly: Assembly,
    directed: bool,
    depth: usize,
    /// Edges that may still be made.
    room: usize,
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let words = words(text_of(bytes, path)?, path)?;
    let mut parser =
        Parser { path, words, at: 0, assembly: Assembly::default(), directed: false, depth: 0, room: MOST_EDGES };
    parser.graph()?;
    parser.assembly.finish(path)
}

impl Parser<'_> {
    fn look(&self) -> &Word {
        &self.words[self.at].0
    }

    fn place(&self) -> Place {
        self.words[self.at].1
    }

    fn next(&mut self) -> Word {
        let word = self.look().clone();
        // The end stays the end.
        self.at = (self.at + 1).min(self.words.len() - 1);
        word
    }

    fn wrong<T>(&self, why: &str) -> Result<T, ReadError> {
        Err(fault(self.path, self.place(), None, &self.look().to_string(), why))
    }

    fn take(&mut self, sign: char) -> bool {
        let there = *self.look() == Word::Sign(sign);
        if there {
            self.next();
        }
        there
    }

    fn need(&mut self, sign: char) -> Result<(), ReadError> {
        if self.take(sign) { Ok(()) } else { self.wrong(&format!("expected `{sign}`")) }
    }

    /// Takes one of the language's own words, of any case.
    fn keyword(&mut self, keyword: &str) -> bool {
        let there = matches!(self.look(), Word::Name { text, bare: true } if text.eq_ignore_ascii_case(keyword));
        if there {
            self.next();
        }
        there
    }

    fn name(&mut self, what: &str) -> Result<String, ReadError> {
        const KEYWORDS: [&str; 6] = ["strict", "graph", "digraph", "subgraph", "node", "edge"];
        match self.look() {
            Word::Name { text, bare: true } if KEYWORDS.iter().any(|k| k.eq_ignore_ascii_case(text)) => {
                self.wrong(&format!("expected {what}; this word of the language needs quotes to be one"))
            }
            Word::Name { .. } => {
                let Word::Name { mut text, .. } = self.next() else { return Ok(String::new()) };
                while self.take('+') {
                    match self.next() {
                        Word::Name { text: more, bare: false } => text.push_str(&more),
                        _ => return self.wrong("expected a quoted text after `+`"),
                    }
                }
                Ok(text)
            }
            _ => self.wrong(&format!("expected {what}")),
        }
    }

    fn graph(&mut self) -> Result<(), ReadError> {
        if self.keyword("strict") {
            self.assembly.without_repetition();
        }
        self.directed = self.keyword("digraph");
        if !self.directed && !self.keyword("graph") {
            return self.wrong("expected `graph` or `digraph`");
        }
        if matches!(self.look(), Word::Name { .. }) {
            self.assembly.name = self.name("a title")?;
        }
        self.statements(&Defaults::default())?;
        if *self.look() == Word::End { Ok(()) } else { self.wrong("expected nothing after the graph") }
    }

    /// Statements in braces; gives the nodes they name.
    fn statements(&mut self, outer: &Defaults) -> Result<BTreeSet<u32>, ReadError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.wrong("subgraphs are nested too deep");
        }
        self.need('{')?;
        let mut defaults = outer.clone();
        let mut named = BTreeSet::new();
        while !self.take('}') {
            if *self.look() == Word::End {
                return self.wrong("expected a statement or `}`");
            }
            self.statement(&mut defaults, &mut named)?;
            self.take(';');
        }
        self.depth -= 1;
        Ok(named)
    }

    fn statement(&mut self, defaults: &mut Defaults, named: &mut BTreeSet<u32>) -> Result<(), ReadError> {
        if self.keyword("graph") {
            self.attributes()?;
            return Ok(());
        }
        if self.keyword("node") {
            defaults.node.extend(self.attributes()?);
            return Ok(());
        }
        if self.keyword("edge") {
            defaults.edge.extend(self.attributes()?);
            return Ok(());
        }
        if matches!(self.look(), Word::Name { .. })
            && self.words.get(self.at + 1).is_some_and(|w| w.0 == Word::Sign('='))
        {
            self.at += 2;
            self.name("a value")?;
            return Ok(());
        }
        let alone = matches!(self.look(), Word::Name { .. });
        let mut ends = vec![(self.end(defaults, named)?, self.place())];
        while let Word::Edge { directed } = *self.look() {
            if directed != self.directed {
                return self.wrong(if directed { "a `graph` has edges `--`" } else { "a `digraph` has edges `->`" });
            }
            self.next();
            let place = self.place();
            ends.push((self.end(defaults, named)?, place));
        }
        let own = if *self.look() == Word::Sign('[') { self.attributes()? } else { Vec::new() };
        if let [(nodes, _)] = &ends[..] {
            if alone {
                for &node in nodes {
                    self.describe(node, &own)?;
                }
            }
            return Ok(());
        }
        let carries = self.carries(&[&defaults.edge, &own])?;
        for pair in ends.windows(2) {
            let place = pair[1].1;
            self.room = self.room.saturating_sub(pair[0].0.len().saturating_mul(pair[1].0.len()));
            if self.room == 0 {
                return Err(fault(self.path, place, None, "", "groups of nodes make too many edges"));
            }
            for &from in &pair[0].0 {
                for &to in &pair[1].0 {
                    match self.directed {
                        true => self.assembly.channel(from, to, carries, place),
                        false => self.assembly.link(from, to, carries, place),
                    }
                }
            }
        }
        Ok(())
    }

    /// What an edge may end at: a node, or all nodes of a subgraph.
    fn end(&mut self, defaults: &Defaults, named: &mut BTreeSet<u32>) -> Result<BTreeSet<u32>, ReadError> {
        let subgraph = self.keyword("subgraph");
        if subgraph && matches!(self.look(), Word::Name { .. }) {
            self.name("a title")?;
        }
        if subgraph || *self.look() == Word::Sign('{') {
            let nodes = self.statements(defaults)?;
            named.extend(&nodes);
            return Ok(nodes);
        }
        let name = self.name("a node, an edge or an attribute")?;
        // A port is where on the node's picture an edge ends.
        while self.take(':') {
            self.name("a port")?;
        }
        let (node, new) = self.assembly.node(&name);
        if new {
            self.describe(node, &defaults.node)?;
        }
        named.insert(node);
        Ok(BTreeSet::from([node]))
    }

    fn describe(&mut self, node: u32, attributes: &Attributes) -> Result<(), ReadError> {
        for (name, value, place) in attributes {
            let field = || Some(format!("node {}", self.assembly.name_of(node)));
            let wrong = |why| fault(self.path, *place, field(), value, why);
            let mut about = self.assembly.about[node as usize].clone();
            let known = about.attribute(name, value).map_err(wrong)?;
            self.assembly.about[node as usize] = about;
            if !known && !is_drawing(name) {
                self.assembly.ignore(name);
            }
        }
        Ok(())
    }

    /// What edges with these attributes carry; of several of a name the last counts.
    fn carries(&mut self, attributes: &[&Attributes]) -> Result<Carries, ReadError> {
        let mut carries = Carries::default();
        for (name, value, place) in attributes.iter().copied().flatten() {
            let known = carries.attribute(name, value);
            if !known.map_err(|why| fault(self.path, *place, None, value, why))? && !is_drawing(name) {
                self.assembly.ignore(name);
            }
        }
        Ok(carries)
    }

    fn attributes(&mut self) -> Result<Attributes, ReadError> {
        let mut found = Vec::new();
        self.need('[')?;
        loop {
            while !self.take(']') {
                let name = self.name("an attribute or `]`")?;
                let mut place = self.place();
                // An attribute without a value is true.
                let mut value = "true".to_owned();
                if self.take('=') {
                    place = self.place();
                    value = self.name("a value")?;
                }
                found.push((name, value, place));
                if !self.take(',') {
                    self.take(';');
                }
            }
            if !self.take('[') {
                return Ok(found);
            }
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

pub(super) fn write(network: &Network, links: Option<&Links>, out: &mut dyn Write) -> io::Result<()> {
    let parts = network.data();
    writeln!(out, "digraph {} {{", quoted(&parts.name))?;
    for node in network.nodes() {
        let mut attributes = Vec::new();
        if parts.labels.is_some() {
            attributes.push(format!("label={}", quoted(&network.label(node))));
        }
        if parts.terminals.is_some() {
            attributes.push(format!("role={}", super::role(network, node)));
            if !network.is_terminal(node) {
                attributes.push("shape=box".into());
            }
        }
        if !network.is_transit(node) {
            attributes.push("transit=false".into());
        }
        attributes.extend(written(network, node).into_iter().map(|(key, value)| format!("{key}={value}")));
        match attributes.is_empty() {
            true => writeln!(out, "  {node};")?,
            false => writeln!(out, "  {node} [{}];", attributes.join(", "))?,
        }
    }
    for channel in network.channels() {
        write!(out, "  {} -> {}", network.from(channel), network.to(channel))?;
        let carries = Carries::of(network, links, channel);
        // A fraction is no number of the language and needs quotes.
        let word = |(name, value): (_, String)| match value.contains('/') {
            true => format!("{name}={}", quoted(&value)),
            false => format!("{name}={value}"),
        };
        let words: Vec<String> = carries.written().map(word).collect();
        match words.is_empty() {
            true => writeln!(out, ";")?,
            false => writeln!(out, " [{}];", words.join(", "))?,
        }
    }
    writeln!(out, "}}")
}
