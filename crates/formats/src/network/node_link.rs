//! **What:** networks in JSON as lists of nodes and links, as NetworkX' `node_link_data` and D3 have them.
//!
//! **Parameters:** `{"directed": false, "nodes": [{"id": "a", …}], "links": [{"source": "a", "target": "b", …}]}`; `edges` is another name of
//! `links`. An edge is a channel each way, in a directed graph a single channel. The keys of nodes and edges are those of all graph formats
//! (`docs/networks.md`).
//!
//! **Facts:** an `id` that is a list is called as Python prints a tuple, `(0, 1)`. Where nodes have no `id`s, they are their `name`s, or
//! their places in the list.
//!
//! **Source:** <https://networkx.org/documentation/stable/reference/readwrite/json_graph.html>.

use super::NetworkFile;
use super::graph::{self, Attribute, Graph, GraphEdge, GraphNode};
use crate::schedule_json::{item, parse_as, refuse};
use crate::{Fault, ReadError, file};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

#[derive(serde::Deserialize)]
struct NodeLink {
    #[serde(default)]
    directed: bool,
    #[serde(default)]
    graph: Option<Value>,
    nodes: Vec<Map<String, Value>>,
    #[serde(alias = "edges")]
    links: Vec<Map<String, Value>>,
}

/// Tells such a graph from a network of ours, whose `nodes` are a number.
#[derive(serde::Deserialize)]
struct Outline {
    #[serde(rename = "nodes")]
    _nodes: Vec<IgnoredAny>,
    #[serde(rename = "links", alias = "edges")]
    _links: Vec<IgnoredAny>,
}

/// Whether a text is such a graph.
pub(super) fn is_meant(text: &[u8]) -> bool {
    // Large files of others are not to be read twice.
    memchr::memmem::find(text, b"\"source\"").is_some() && serde_json::from_slice::<Outline>(text).is_ok()
}

pub(super) fn parse(text: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let read: NodeLink = parse_as(text, path)?;
    let wrong = |list: &str, at: usize, why: &str| refuse(path, text, &item(list, at), Fault::Syntax(why.into()));
    let name = read.graph.as_ref().and_then(|graph| graph.get("name")).and_then(Value::as_str);
    let name = name.filter(|name| !name.is_empty()).map_or_else(|| file::title(path), str::to_owned);
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut nodes = Vec::with_capacity(read.nodes.len());
    for (at, mut fields) in read.nodes.into_iter().enumerate() {
        let id = fields.remove("id").or_else(|| fields.get("name").cloned()).unwrap_or_else(|| at.into());
        let name = called(&id).ok_or_else(|| wrong("nodes", at, "its `id` is neither a text nor a number"))?;
        if places.insert(name.clone(), at).is_some() {
            return Err(wrong("nodes", at, "two nodes have this `id`"));
        }
        nodes.push(GraphNode { name, attributes: attributes(fields) });
    }
    let list = if memchr::memmem::find(text, b"\"links\"").is_some() { "links" } else { "edges" };
    let mut edges = Vec::with_capacity(read.links.len());
    for (at, mut fields) in read.links.into_iter().enumerate() {
        let mut end = |key: &str| {
            let place = fields.remove(key).as_ref().and_then(called).and_then(|name| places.get(&name).copied());
            place.ok_or_else(|| wrong(list, at, &format!("its `{key}` is not a node")))
        };
        let (from, to) = (end("source")?, end("target")?);
        // The number of an edge among parallel ones.
        fields.remove("key");
        edges.push(GraphEdge { from, to, attributes: attributes(fields) });
    }
    let read = graph::network(&Graph { name, directed: read.directed, nodes, edges });
    read.map_err(|error| ReadError { path: path.to_owned(), ..error })
}

/// What a node is called.
fn called(id: &Value) -> Option<String> {
    match id {
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(called).collect();
            Some(format!("({})", items?.join(", ")))
        }
        _ => text(id),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        _ => None,
    }
}

/// What is known of a node or an edge; what says nothing is left out.
fn attributes(fields: Map<String, Value>) -> Vec<Attribute> {
    let value = |value: &Value| match value {
        Value::Null => None,
        Value::Array(items) => items.iter().map(text).collect::<Option<Vec<_>>>().map(|items| items.join(",")),
        Value::Object(_) => Some(String::new()),
        _ => text(value),
    };
    fields.iter().filter_map(|(name, found)| Some(Attribute { name: name.clone(), value: value(found)? })).collect()
}
