//! Files of networks. The ending of a file's name chooses the format; `.gz` behind it is gzip-compressed.
//!
//! **Facts:** nodes named by the numbers 0 to n − 1 keep their numbers and get no labels; any other names become labels
//! and the nodes are numbered in the order in which the file first names them. Where a graph gives some node a role,
//! nodes without one are terminals.
//!
//! What each format carries of a network beside nodes and channels:
//!
//! | format | name | labels | order of channels | terminals | no_transit | capacities | bandwidths, latencies | half_duplex | ports |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `json` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ |
//! | `graphml` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | – | ✓ |
//! | `dot` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | – | ✓ |
//! | `edges` | – | – | ✓ | ✓ | – | ✓ | ✓ | – | – |
//! | `gml`, `node-link` (read only) | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | – | ✓ |
//! | `adjlist`, `sndlib` (read only) | – | ✓ | ✓ | – | – | – | – | – | – |
//! | `txt` | – | – | by node | ✓ | – | – | – | – | – |
//! | `anynet` | – | – | – | ✓ | hosts | – | – | – | – |

mod about;
mod adjlist;
mod anynet;
mod assembly;
mod carries;
mod dot;
mod dot_words;
mod edges;
mod gml;
pub mod graph;
mod graphml;
mod json;
mod machine;
pub(crate) mod msccl;
mod nccl;
mod node_link;
mod nvidia_smi;
mod readers;
mod sndlib;
mod sniff;
mod thesis;
mod writers;
mod xml;

pub use carries::{multiplied, whole};
pub use json::is_schedule;
pub use machine::{MachineSettings, Wire};
pub use readers::{
    READERS, Reader, Source, is_readable, looks_like, parse, parse_machines, read, read_as, read_machines,
};
pub use writers::{WRITERS, Writer, write, write_to};

use crate::{Fault, ReadError};
use kernel::timed::Links;
use kernel::{Network, Node};
use std::path::Path;

/// A network as read, with what some formats say beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFile {
    /// The network.
    pub network: Network,
    /// Who sends, where the format says so (the dissertation's input file).
    pub senders: Option<Vec<Node>>,
    /// Who receives, where the format says so.
    pub receivers: Option<Vec<Node>>,
    /// Bandwidths and latencies, where the file has them.
    pub links: Option<Links>,
    /// Attributes of nodes and channels that nothing here reads, in order of their names.
    pub ignored: Vec<String>,
    /// Attributes that are read of nodes and links, for people; empty where a format has none of its own choice.
    pub used: &'static str,
    /// What people should know of how the file was read, in sentences.
    pub notes: Vec<String>,
}

impl From<Network> for NetworkFile {
    fn from(network: Network) -> Self {
        let (ignored, notes) = (Vec::new(), Vec::new());
        NetworkFile { network, senders: None, receivers: None, links: None, ignored, used: "", notes }
    }
}

/// The text of a file that holds text, not bytes.
pub(crate) fn text_of<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a str, ReadError> {
    // Editors of some systems begin a file with a mark.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| {
        let place = crate::Place::of(bytes, e.valid_up_to());
        let fault = Fault::Syntax("a byte that is not UTF-8 text".into());
        ReadError { place: Some(place), ..ReadError::new(path, fault) }
    })
}

/// What the graph formats call a node that may send and receive, or may not.
fn role(network: &Network, node: Node) -> &'static str {
    if network.is_terminal(node) { "terminal" } else { "switch" }
}

/// The endings of all formats, each once.
fn endings(all: impl Iterator<Item = &'static [&'static str]>) -> String {
    let mut known: Vec<String> = Vec::new();
    for ending in all.flatten().map(|ending| format!(".{ending}")) {
        if !known.contains(&ending) {
            known.push(ending);
        }
    }
    known.join(", ")
}
