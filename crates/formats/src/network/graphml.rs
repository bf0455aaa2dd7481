//! **What:** networks in GraphML, as NetworkX, igraph, Gephi and yEd write it.
//!
//! **Parameters:** an undirected edge is a channel each way, a directed one a single channel. The keys of nodes and edges are those
//! of all graph formats (`docs/networks.md`); a `weight` is a cost elsewhere and means nothing here. Of the graph's: `name`, or the Topology Zoo's `Network`.
//!
//! **Facts:** one edge a channel is written, in order. What is lost: half_duplex. Nested graphs and hyperedges
//! are refused.
//!
//! **Source:** the GraphML primer, <http://graphml.graphdrawing.org>.

use super::about::{About, written};
use super::assembly::{Assembly, fault};
use super::carries::Carries;
use super::xml::{Places, attributes, broken};
use super::{NetworkFile, text_of};
use crate::{Place, ReadError};
use kernel::Network;
use kernel::timed::Links;
use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_predefined_entity};
use quick_xml::events::{BytesStart, Event};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// What data belong to.
enum Owner {
    Graph,
    Node(u32),
    Edge { from: u32, to: u32, directed: bool, place: Place, carries: Carries },
}

/// What a `key` stands for: for which elements, under what name, with what default.
#[derive(Default)]
struct Key {
    element: String,
    name: String,
    default: Option<String>,
}

struct Parser<'a> {
    path: &'a Path,
    assembly: Assembly,
    keys: BTreeMap<String, Key>,
    directed: bool,
    graphs: usize,
    owner: Option<Owner>,
    /// The key whose default is being read.
    key: Option<String>,
    /// The key of the data being read.
    data: Option<String>,
    /// Text since the last opening tag.
    gathered: String,
    /// Nodes that edges named before any element declared them.
    undeclared: BTreeMap<u32, Place>,
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = text_of(bytes, path)?;
    let mut reader = Reader::from_str(text);
    let mut parser = Parser {
        path,
        assembly: Assembly::default(),
        keys: BTreeMap::new(),
        directed: false,
        graphs: 0,
        owner: None,
        key: None,
        data: None,
        gathered: String::new(),
        undeclared: BTreeMap::new(),
    };
    let mut places = Places::new(text);
    let mut open = 0usize;
    loop {
        let place = places.of(reader.buffer_position());
        let wrong = |e: &dyn std::fmt::Display| fault(path, place, None, "", &e.to_string());
        match reader.read_event().map_err(|e| broken(path, text, &e, reader.error_position()))? {
            Event::Start(tag) => {
                open += 1;
                parser.open(&tag, place)?;
            }
            Event::Empty(tag) => {
                parser.open(&tag, place)?;
                parser.close(tag.local_name().as_ref(), place)?;
            }
            Event::End(tag) => {
                open = open.saturating_sub(1);
                parser.close(tag.local_name().as_ref(), place)?;
            }
            Event::Text(piece) => parser.gathered.push_str(&piece.decode().map_err(|e| wrong(&e))?),
            Event::CData(piece) => parser.gathered.push_str(&piece.decode().map_err(|e| wrong(&e))?),
            Event::GeneralRef(name) => {
                let word = name.decode().map_err(|e| wrong(&e))?;
                match name.resolve_char_ref().map_err(|e| wrong(&e))? {
                    Some(letter) => parser.gathered.push(letter),
                    None => match resolve_predefined_entity(&word) {
                        Some(letters) => parser.gathered.push_str(letters),
                        None => return Err(fault(path, place, None, &word, "an entity that is not defined")),
                    },
                }
            }
            Event::Eof if open > 0 => return Err(fault(path, place, None, "", "the file ends within an element")),
            Event::Eof => break,
            _ => {}
        }
    }
    if parser.graphs == 0 {
        return Err(fault(path, Place { line: 1, column: 1 }, None, "", "there is no element `graph`"));
    }
    if let Some((&node, &place)) = parser.undeclared.first_key_value() {
        let name = parser.assembly.name_of(node).to_owned();
        return Err(fault(path, place, None, &name, "an edge ends at a node that no element declares"));
    }
    parser.assembly.finish(path)
}

impl Parser<'_> {
    fn open(&mut self, tag: &BytesStart<'_>, place: Place) -> Result<(), ReadError> {
        self.gathered.clear();
        let mut attributes = attributes(tag, self.path, place)?;
        let path = self.path;
        let mut need = |name: &str| {
            let missing = || fault(path, place, None, "", &format!("an element without the attribute `{name}`"));
            attributes.remove(name).ok_or_else(missing)
        };
        match tag.local_name().as_ref() {
            b"graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(fault(path, place, None, "", "a second graph, or a graph within a node"));
                }
                self.directed = match need("edgedefault")?.as_str() {
                    "directed" => true,
                    "undirected" => false,
                    other => {
                        let why = "`edgedefault` is neither directed nor undirected";
                        return Err(fault(path, place, None, other, why));
                    }
                };
                self.assembly.name = attributes.remove("id").unwrap_or_default();
                self.owner = Some(Owner::Graph);
            }
            b"node" => {
                let id = need("id")?;
                let (node, _) = self.assembly.node(&id);
                self.undeclared.remove(&node);
                let mut about = About::default();
                for key in self.keys.values().filter(|k| matches!(k.element.as_str(), "node" | "all")) {
                    if let Some(value) = &key.default {
                        about.attribute(&key.name, value).map_err(|why| fault(path, place, None, value, why))?;
                    }
                }
                self.assembly.about[node as usize] = about;
                self.owner = Some(Owner::Node(node));
            }
            b"edge" => {
                let (from, to) = (need("source")?, need("target")?);
                let directed = match attributes.get("directed").map(String::as_str) {
                    None => self.directed,
                    Some("true" | "1") => true,
                    Some("false" | "0") => false,
                    Some(other) => return Err(fault(path, place, None, other, "`directed` is neither true nor false")),
                };
                let mut carries = Carries::default();
                for key in self.keys.values().filter(|k| matches!(k.element.as_str(), "edge" | "all")) {
                    if let Some(value) = &key.default {
                        carries.attribute(&key.name, value).map_err(|why| fault(path, place, None, value, why))?;
                    }
                }
                let [from, to] = [from, to].map(|name| {
                    let (node, new) = self.assembly.node(&name);
                    if new {
                        self.undeclared.insert(node, place);
                    }
                    node
                });
                self.owner = Some(Owner::Edge { from, to, directed, place, carries });
            }
            b"hyperedge" => return Err(fault(path, place, None, "", "hyperedges are not links")),
            b"key" => {
                let id = need("id")?;
                let element = attributes.remove("for").unwrap_or_else(|| "all".into());
                let name = attributes.remove("attr.name").unwrap_or_default();
                self.keys.insert(id.clone(), Key { element, name, default: None });
                self.key = Some(id);
            }
            b"data" => self.data = Some(need("key")?),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &[u8], place: Place) -> Result<(), ReadError> {
        match name {
            b"default" => {
                if let Some(key) = self.key.as_ref().and_then(|id| self.keys.get_mut(id)) {
                    key.default = Some(std::mem::take(&mut self.gathered));
                }
            }
            b"key" => self.key = None,
            b"data" => {
                let value = std::mem::take(&mut self.gathered);
                let id = self.data.take().unwrap_or_default();
                // Without its `key`, the identifier is the best name there is.
                let name = self.keys.get(&id).map_or(id.clone(), |k| k.name.clone());
                self.take(&name, &value, place)?;
            }
            b"NodeLabel" => {
                // yEd keeps labels in elements of its own within the data.
                let value = std::mem::take(&mut self.gathered);
                self.take("label", value.trim(), place)?;
            }
            b"node" => self.owner = None,
            b"edge" => {
                if let Some(Owner::Edge { from, to, directed, place, carries }) = self.owner.take() {
                    match directed {
                        true => self.assembly.channel(from, to, carries, place),
                        false => self.assembly.link(from, to, carries, place),
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A value of the element at hand.
    fn take(&mut self, name: &str, value: &str, place: Place) -> Result<(), ReadError> {
        let wrong = |why| fault(self.path, place, None, value, why);
        let known = match &mut self.owner {
            Some(Owner::Graph) | None => {
                if matches!(name, "name" | "Network") {
                    self.assembly.name = value.to_owned();
                }
                true
            }
            Some(Owner::Node(node)) => self.assembly.about[*node as usize].attribute(name, value).map_err(wrong)?,
            Some(Owner::Edge { carries, .. }) => carries.attribute(name, value).map_err(wrong)?,
        };
        // yEd writes pictures into data without a name, and labels as elements of their own.
        if !known && name != "label" {
            self.assembly.ignore(name);
        }
        Ok(())
    }
}

pub(super) fn write(network: &Network, links: Option<&Links>, out: &mut dyn Write) -> io::Result<()> {
    let parts = network.data();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
    let carries = |channel| Carries::of(network, links, channel);
    // A fraction is a text to whoever reads doubles.
    let mut texts = network.channels().flat_map(|channel| carries(channel).written().collect::<Vec<_>>());
    let number = if texts.any(|(_, value)| value.contains('/')) { "string" } else { "double" };
    let mut keys = vec![
        ("name", "graph", "string"),
        ("label", "node", "string"),
        ("role", "node", "string"),
        ("transit", "node", "boolean"),
        ("capacity", "edge", "int"),
    ];
    let ports = [("ports", "node", "int"), ("send_ports", "node", "int"), ("receive_ports", "node", "int")];
    let places = [("x", "node", "double"), ("y", "node", "double")];
    let used: Vec<&str> = network.nodes().flat_map(|v| written(network, v)).map(|(key, _)| key).collect();
    keys.extend(ports.into_iter().chain(places).filter(|(key, ..)| used.contains(key)));
    if links.is_some() {
        keys.extend([("bandwidth", "edge", number), ("latency", "edge", number)]);
    }
    for (id, element, kind) in keys {
        writeln!(out, "  <key id=\"{id}\" for=\"{element}\" attr.name=\"{id}\" attr.type=\"{kind}\"/>")?;
    }
    writeln!(out, "  <graph edgedefault=\"directed\">\n    <data key=\"name\">{}</data>", escape(&parts.name))?;
    for node in network.nodes() {
        write!(out, "    <node id=\"{node}\">")?;
        if parts.labels.is_some() {
            write!(out, "<data key=\"label\">{}</data>", escape(network.label(node)))?;
        }
        if parts.terminals.is_some() {
            write!(out, "<data key=\"role\">{}</data>", super::role(network, node))?;
        }
        if !network.is_transit(node) {
            write!(out, "<data key=\"transit\">false</data>")?;
        }
        for (key, value) in written(network, node) {
            write!(out, "<data key=\"{key}\">{value}</data>")?;
        }
        writeln!(out, "</node>")?;
    }
    for channel in network.channels() {
        let (from, to) = (network.from(channel), network.to(channel));
        write!(out, "    <edge source=\"{from}\" target=\"{to}\"")?;
        let data = carries(channel).written().map(|(key, value)| format!("<data key=\"{key}\">{value}</data>"));
        let data: String = data.collect();
        match data.is_empty() {
            true => writeln!(out, "/>")?,
            false => writeln!(out, ">{data}</edge>")?,
        }
    }
    writeln!(out, "  </graph>\n</graphml>")
}
