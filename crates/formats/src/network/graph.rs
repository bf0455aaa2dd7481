//! **What:** a graph that a program has in memory, with the attributes that the graph formats know.
//!
//! **Parameters:** nodes and edges carry attributes by name, as text: those that `graphml` reads, with the same meaning.
//!
//! **Facts:** nodes are numbered as those of a file: by their names where these are 0 to n − 1, else in the order of the list. Errors name
//! the node or the link instead of a line.

use super::NetworkFile;
use super::assembly::Assembly;
use super::carries::Carries;
use crate::{Fault, Place, ReadError};
use std::path::Path;

/// An attribute of a node or an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value, as a file would have it.
    pub value: String,
}

/// A node by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Its name.
    pub name: String,
    /// What is known of it.
    pub attributes: Vec<Attribute>,
}

/// An edge between two nodes by their places in the list of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What is known of it.
    pub attributes: Vec<Attribute>,
}

/// A graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its name.
    pub name: String,
    /// Whether an edge is a single channel; else it is a channel each way.
    pub directed: bool,
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
}

/// The network that a graph is.
///
/// # Errors
/// Two nodes of one name, an edge without its ends, an attribute that is known with a value that is not, and what no network has.
pub fn network(graph: &Graph) -> Result<NetworkFile, ReadError> {
    let path = Path::new(&graph.name);
    let wrong = |field: String, text: &str, why: &str| ReadError {
        field: Some(field),
        text: (!text.is_empty()).then(|| crate::error::shortened(text)),
        ..ReadError::new(path, Fault::Syntax(why.into()))
    };
    let mut assembly = Assembly::default();
    assembly.name.clone_from(&graph.name);
    for node in &graph.nodes {
        let field = || format!("node {}", node.name);
        let (number, new) = assembly.node(&node.name);
        if !new {
            return Err(wrong(field(), "", "two nodes have this name"));
        }
        for Attribute { name, value } in &node.attributes {
            let about = &mut assembly.about[number as usize];
            if !about.attribute(name, value).map_err(|why| wrong(field(), value, why))? {
                assembly.ignore(name);
            }
        }
    }
    let none = Place { line: 0, column: 0 };
    for (at, edge) in graph.edges.iter().enumerate() {
        let (Some(from), Some(to)) = (graph.nodes.get(edge.from), graph.nodes.get(edge.to)) else {
            return Err(wrong(format!("edge {at}"), "", "it ends at a node that is not there"));
        };
        let field = || format!("link {} {}", from.name, to.name);
        let mut carries = Carries::default();
        for Attribute { name, value } in &edge.attributes {
            if !carries.attribute(name, value).map_err(|why| wrong(field(), value, why))? {
                assembly.ignore(name);
            }
        }
        let (from, to) = (kernel::Node::new(edge.from).0, kernel::Node::new(edge.to).0);
        match graph.directed {
            true => assembly.channel(from, to, carries, none),
            false => assembly.link(from, to, carries, none),
        }
    }
    assembly.finish(path).map_err(|error| ReadError { place: None, ..error })
}
