//! **What:** a network, with the bandwidths that it may have.

use crate::columns::column;
use crate::refused::{bad_input, refused};
use formats::network::NetworkFile;
use formats::network::graph::{Attribute, Graph, GraphEdge, GraphNode};
use kernel::{Node, Rational};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use quadrille_cli::embedded::{self, Given};
use std::path::PathBuf;

/// A network.
#[pyclass(frozen, module = "quadrille._quadrille")]
#[derive(Debug)]
pub(crate) struct Network(NetworkFile);

impl Network {
    /// It, and what is known beside it.
    pub(crate) fn file(&self) -> &NetworkFile {
        &self.0
    }
}

impl From<NetworkFile> for Network {
    fn from(file: NetworkFile) -> Self {
        Network(file)
    }
}

fn numbers(nodes: &[Node]) -> Vec<u32> {
    nodes.iter().map(|node| node.0).collect()
}

#[pymethods]
impl Network {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.0.network.name()
    }

    /// How many nodes it has.
    #[getter]
    fn nodes(&self) -> usize {
        self.0.network.node_count()
    }

    /// How many channels it has.
    #[getter]
    fn channels(&self) -> usize {
        self.0.network.channel_count()
    }

    /// The labels of its nodes, where it has some.
    #[getter]
    fn labels(&self) -> Option<&[String]> {
        self.0.network.data().labels.as_deref()
    }

    /// The nodes that send and receive.
    #[getter]
    fn terminals(&self) -> Vec<u32> {
        numbers(self.0.network.terminals())
    }

    /// The nodes that no path passes through.
    #[getter]
    fn no_transit(&self) -> &[u32] {
        &self.0.network.data().no_transit
    }

    /// The ends of all channels, two 32-bit numbers each.
    fn ends<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        column(py, self.0.network.data().channels.iter().flat_map(|&(from, to)| [from, to]))
    }

    /// What is known of all channels: `capacity` (32-bit), `bandwidth` and `latency` (64-bit floats, in GB/s and µs).
    fn carries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let known = PyDict::new(py);
        if let Some(capacities) = &self.0.network.data().capacities {
            known.set_item("capacity", column(py, capacities.iter().copied()))?;
        }
        let float = |number: &Rational| number.numerator as f64 / number.denominator as f64;
        if let Some(links) = &self.0.links {
            known.set_item("bandwidth", column(py, links.bandwidth.iter().map(float)))?;
            if !links.latency.is_empty() {
                known.set_item("latency", column(py, links.latency.iter().map(float)))?;
            }
        }
        Ok(known)
    }

    /// Writes it to a file, in the format of its ending.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| formats::network::write(&self.0.network, self.0.links.as_ref(), &path));
        written.map_err(|error| {
            bad_input(py, error, "name a file in a folder that exists, with an ending that networks have")
        })
    }
}

/// The network that the words of the verb `network` choose, and warnings.
#[pyfunction]
#[pyo3(signature = (words, network=None))]
pub(crate) fn choose(py: Python<'_>, words: Vec<String>, network: Option<&Network>) -> PyResult<(Network, String)> {
    let given = Given { network: network.map(|network| network.0.clone()), graph: None };
    let chosen = py.detach(|| embedded::network(&words, given));
    let (file, answer) = chosen.map_err(|refusal| refused(py, &refusal))?;
    Ok((file.into(), answer.warnings))
}

/// Names and values of attributes.
type Named = Vec<(String, String)>;

fn attributes(named: Named) -> Vec<Attribute> {
    named.into_iter().map(|(name, value)| Attribute { name, value }).collect()
}

/// The network of a graph: nodes by name, edges by the places of their ends, both with attributes as the graph formats know
/// them; and the attributes that mean nothing.
#[pyfunction]
pub(crate) fn graph(
    py: Python<'_>,
    name: String,
    directed: bool,
    nodes: Vec<(String, Named)>,
    edges: Vec<(usize, usize, Named)>,
) -> PyResult<(Network, Vec<String>)> {
    let node = |(name, named)| GraphNode { name, attributes: attributes(named) };
    let edge = |(from, to, named)| GraphEdge { from, to, attributes: attributes(named) };
    let graph = Graph {
        name,
        directed,
        nodes: nodes.into_iter().map(node).collect(),
        edges: edges.into_iter().map(edge).collect(),
    };
    match formats::network::graph::network(&graph) {
        Ok(file) => {
            let ignored = file.ignored.clone();
            Ok((file.into(), ignored))
        }
        Err(error) => Err(bad_input(py, error, "correct the graph at that node or link")),
    }
}
