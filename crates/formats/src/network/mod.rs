//! Files of networks. The ending of a file's name chooses the format; `.gz` behind it is gzip-compressed.
//!
//! **Facts:** nodes named by the numbers 0 to n − 1 keep their numbers and get no labels; any other names become labels
//! and the nodes are numbered in the order in which the file first names them. Where a graph gives some node a role,
//! nodes without one are terminals.
//!
//! What each format carries of a network beside nodes and channels:
//!
//! | format | name | labels | order of channels | terminals | no_transit | capacities | half_duplex | ports |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `json` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ |
//! | `graphml` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | – | – |
//! | `dot` | ✓ | ✓ | ✓ | ✓ | ✓ | ✓ | – | – |
//! | `edges` | – | – | ✓ | ✓ | – | ✓ | – | – |
//! | `txt` | – | – | by node | ✓ | – | – | – | – |

mod assembly;
mod dot;
mod dot_words;
mod edges;
mod graphml;
mod json;
mod thesis;

use crate::{Fault, ReadError, WriteError, file};
use kernel::timed::Links;
use kernel::{Network, Node, Ports};
use std::io::{self, Write};
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
}

impl From<Network> for NetworkFile {
    fn from(network: Network) -> Self {
        NetworkFile { network, senders: None, receivers: None, links: None }
    }
}

/// A format that networks are read from.
pub struct Reader {
    /// Its name.
    pub name: &'static str,
    /// Endings of file names, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
    read: fn(&[u8], &Path) -> Result<NetworkFile, ReadError>,
}

/// A format that networks are written to.
pub struct Writer {
    /// Its name.
    pub name: &'static str,
    /// Endings of file names, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
    /// Of what a network may have beside nodes, channels and terminals, what it holds.
    holds: &'static [Part],
    write: fn(&Network, &mut dyn Write) -> io::Result<()>,
}

/// What a network may have that changes its schedules, and that not every format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    NoTransit,
    Relays,
    Capacities,
    HalfDuplex,
    Ports,
}

impl Part {
    const ALL: &'static [Part] = &[Part::NoTransit, Part::Relays, Part::Capacities, Part::HalfDuplex, Part::Ports];

    fn name(self) -> &'static str {
        match self {
            Part::NoTransit => "nodes without transit",
            Part::Relays => "switches that store",
            Part::Capacities => "capacities",
            Part::HalfDuplex => "half-duplex groups",
            Part::Ports => "ports",
        }
    }

    /// Whether a network has it.
    fn is_in(self, network: &Network) -> bool {
        let data = network.data();
        match self {
            Part::NoTransit => !data.no_transit.is_empty(),
            Part::Relays => !data.relays.is_empty(),
            Part::Capacities => data.capacities.iter().flatten().any(|c| *c != 1),
            Part::HalfDuplex => !data.half_duplex.is_empty(),
            Part::Ports => [&data.send_ports, &data.receive_ports].iter().any(|ports| **ports != Ports::All),
        }
    }
}

/// All formats that networks are read from.
pub const READERS: &[Reader] = &[
    Reader {
        name: "json",
        endings: &["json"],
        about: "the `network` of a schedule file, by itself or in its document",
        read: json::parse,
    },
    Reader {
        name: "graphml",
        endings: &["graphml"],
        about: "GraphML, as NetworkX and yEd write it",
        read: graphml::parse,
    },
    Reader { name: "dot", endings: &["dot", "gv"], about: "Graphviz' language: `a -> b`, `a -- b`", read: dot::parse },
    Reader {
        name: "edges",
        endings: &["edges"],
        about: "one link `a b` or channel `a > b` a line",
        read: edges::parse,
    },
    Reader {
        name: "txt",
        endings: &["txt"],
        about: "the dissertation's input file: one node a line",
        read: thesis::parse,
    },
];

/// All formats that networks are written to.
pub const WRITERS: &[Writer] = &[
    Writer {
        name: "json",
        endings: &["json"],
        about: "the `network` of a schedule file, by itself",
        holds: Part::ALL,
        write: json::write,
    },
    Writer {
        name: "graphml",
        endings: &["graphml"],
        about: "GraphML, one edge a channel",
        holds: &[Part::NoTransit, Part::Capacities],
        write: graphml::write,
    },
    Writer {
        name: "dot",
        endings: &["dot", "gv"],
        about: "Graphviz' language, one edge a channel",
        holds: &[Part::NoTransit, Part::Capacities],
        write: dot::write,
    },
    Writer {
        name: "edges",
        endings: &["edges"],
        about: "one link or channel a line",
        holds: &[Part::Capacities],
        write: edges::write,
    },
    Writer { name: "txt", endings: &["txt"], about: "the dissertation's input file", holds: &[], write: thesis::write },
    Writer {
        name: "svg",
        endings: &["svg"],
        about: "a picture of nodes and links",
        // A picture is nobody's input, so it may leave things out.
        holds: Part::ALL,
        write: crate::svg::network,
    },
];

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

/// Whether some reader knows the ending of the file's name.
pub fn is_readable(path: impl AsRef<Path>) -> bool {
    reader(path.as_ref()).is_some()
}

fn reader(path: &Path) -> Option<&'static Reader> {
    let ending = file::ending(path);
    READERS.iter().find(|r| r.endings.contains(&ending.as_str()))
}

/// Reads a network in the format of the file's ending.
///
/// # Errors
/// The first fault found, with file, line, field and offending text; or an ending that no reader knows.
pub fn read(path: impl AsRef<Path>) -> Result<NetworkFile, ReadError> {
    let path = path.as_ref();
    match reader(path) {
        Some(reader) => (reader.read)(&file::load(path)?, path),
        None => {
            let known: Vec<_> = READERS.iter().flat_map(|r| r.endings).map(|e| format!(".{e}")).collect();
            Err(ReadError::new(path, Fault::Ending { known: known.join(", ") }))
        }
    }
}

/// Reads the text of a network; the ending of `path` chooses the format, and errors name it.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    match reader(path) {
        Some(reader) => (reader.read)(text, path),
        None => read(path),
    }
}

/// Writes a network in the format of the file's ending.
///
/// # Errors
/// Where the system refuses, no writer knows the ending, or the format has no place for a part of the network; nothing of a half-written file stays behind.
pub fn write(network: &Network, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    let ending = file::ending(path);
    match WRITERS.iter().find(|w| w.endings.contains(&ending.as_str())) {
        Some(writer) => {
            let lost = Part::ALL.iter().filter(|part| !writer.holds.contains(part) && part.is_in(network));
            let lost: Vec<&str> = lost.map(|part| part.name()).collect();
            if !lost.is_empty() {
                let why = format!("a .{ending} file has no place for the network's {}", lost.join(" and "));
                return Err(unfit(path, why));
            }
            file::save(path, |out| (writer.write)(network, out))
        }
        None => {
            let known: Vec<_> = WRITERS.iter().flat_map(|w| w.endings).map(|e| format!(".{e}")).collect();
            Err(unfit(path, format!("no format has the ending of this name; known endings: {}", known.join(", "))))
        }
    }
}

fn unfit(path: &Path, why: String) -> WriteError {
    WriteError { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidInput, why) }
}

/// Writes a network to `out` in the format of that name, such as `dot`.
///
/// # Errors
/// Those of `out`, or an unknown name.
pub fn write_to(network: &Network, format: &str, out: &mut dyn Write) -> io::Result<()> {
    match WRITERS.iter().find(|w| w.name == format) {
        Some(writer) => (writer.write)(network, out),
        None => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("no format is called `{format}`"))),
    }
}
