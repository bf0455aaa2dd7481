//! **What:** every format that networks are read from, and which of them reads a file.

use super::machine::{Machine, MachineSettings};
use super::{
    NetworkFile, adjlist, anynet, dot, edges, gml, graphml, json, msccl, nccl, node_link, nvidia_smi, sndlib, sniff,
    thesis,
};
use crate::{Fault, ReadError, file};
use std::path::Path;

/// A format that networks are read from.
pub struct Reader {
    /// Its name.
    pub name: &'static str,
    /// Endings of file names, in lower case and without the dot.
    pub endings: &'static [&'static str],
    /// One line for people.
    pub about: &'static str,
    /// Whether a text is meant for it, where several formats have the ending; what no format claims is read by the one that does not ask.
    is_meant: Option<fn(&[u8]) -> bool>,
    read: Read,
}

/// How a text becomes a network.
enum Read {
    /// It says all of it.
    Network(fn(&[u8], &Path) -> Result<NetworkFile, ReadError>),
    /// It describes a machine, of which there may be several.
    Machine(fn(&[u8], &Path) -> Result<Machine, ReadError>),
}

impl Reader {
    /// Whether a text is meant for it, as far as it asks.
    pub(super) fn claims(&self, text: &[u8]) -> bool {
        self.is_meant.is_some_and(|is_meant| is_meant(text))
    }

    /// Whether it is called so, by its name or one of its endings.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.endings.contains(&name)
    }

    fn read(&self, text: &[u8], settings: &MachineSettings, path: &Path) -> Result<NetworkFile, ReadError> {
        match self.read {
            Read::Network(read) if *settings == MachineSettings::default() => read(text, path),
            Read::Network(_) => Err(ReadError::new(path, Fault::NoMachine)),
            Read::Machine(read) => read(text, path)?.network(settings, path),
        }
    }
}

/// All formats that networks are read from.
pub const READERS: &[Reader] = &[
    Reader {
        name: "json",
        endings: &["json", "qdr"],
        about: "the `network` of a schedule file, by itself or in its document",
        is_meant: None,
        read: Read::Network(json::parse),
    },
    Reader {
        name: "graphml",
        endings: &["graphml"],
        about: "GraphML, as NetworkX and yEd write it",
        is_meant: None,
        read: Read::Network(graphml::parse),
    },
    Reader {
        name: "dot",
        endings: &["dot", "gv"],
        about: "Graphviz' language: `a -> b`, `a -- b`",
        is_meant: None,
        read: Read::Network(dot::parse),
    },
    Reader {
        name: "edges",
        endings: &["edges", "edgelist"],
        about: "one link `a b` or channel `a > b` per line, as NetworkX also writes them",
        is_meant: None,
        read: Read::Network(edges::parse),
    },
    Reader {
        name: "gml",
        endings: &["gml"],
        about: "GML, as NetworkX, Gephi and the Topology Zoo write it",
        is_meant: None,
        read: Read::Network(gml::parse),
    },
    Reader {
        name: "adjlist",
        endings: &["adjlist"],
        about: "a node and its neighbours per line, as NetworkX writes them",
        is_meant: None,
        read: Read::Network(adjlist::parse),
    },
    Reader {
        name: "node-link",
        endings: &["json"],
        about: "NetworkX' node-link data: lists `nodes` and `links` or `edges`",
        is_meant: Some(node_link::is_meant),
        read: Read::Network(node_link::parse),
    },
    Reader {
        name: "sndlib-xml",
        endings: &["xml"],
        about: "SNDlib's networks in XML",
        is_meant: Some(sndlib::is_xml),
        read: Read::Network(sndlib::parse_xml),
    },
    Reader {
        name: "sndlib",
        endings: &["txt"],
        about: "SNDlib's networks in its native format",
        is_meant: Some(sndlib::is_native),
        read: Read::Network(sndlib::parse_native),
    },
    Reader {
        name: "txt",
        endings: &["txt"],
        about: "the dissertation's input file: one node per line",
        is_meant: None,
        read: Read::Network(thesis::parse),
    },
    Reader {
        name: "anynet",
        endings: &["anynet"],
        about: "BookSim's network_file: `router 0 node 0 router 1`",
        is_meant: None,
        read: Read::Network(anynet::parse),
    },
    Reader {
        name: "nvidia-smi",
        endings: &["txt"],
        about: "what `nvidia-smi topo -m` prints: GPUs, NVLinks, NICs",
        is_meant: Some(nvidia_smi::is_meant),
        read: Read::Machine(nvidia_smi::parse),
    },
    Reader {
        name: "nccl",
        endings: &["xml"],
        about: "NCCL's topology of a machine",
        is_meant: Some(nccl::is_meant),
        read: Read::Machine(nccl::parse),
    },
    Reader {
        name: "msccl",
        endings: &["json"],
        about: "a topology of msccl-tools",
        is_meant: Some(msccl::is_meant),
        read: Read::Network(msccl::parse),
    },
];

/// Whether some reader knows the ending of the file's name.
pub fn is_readable(path: impl AsRef<Path>) -> bool {
    let ending = file::ending(path.as_ref());
    READERS.iter().any(|reader| reader.endings.contains(&ending.as_str()))
}

/// The format that the text of a file is plainly in; what is only lines of words may be in several.
pub fn looks_like(path: impl AsRef<Path>) -> Option<&'static Reader> {
    let text = file::load(path.as_ref()).ok()?;
    sniff::likely(&text).filter(|reader| !["edges", "adjlist"].contains(&reader.name))
}

/// Reads a network in the format of the file's ending, and of its text where several formats have the ending.
///
/// # Errors
/// The first fault found, with file, line, field and offending text; or an ending that no reader knows.
pub fn read(path: impl AsRef<Path>) -> Result<NetworkFile, ReadError> {
    read_machines(path, &MachineSettings::default())
}

/// As [`read`]; of a file that describes a machine, with what it does not say.
///
/// # Errors
/// As [`read`], also where a rate is needed that is neither in the file nor given, or one is given that nothing needs.
pub fn read_machines(path: impl AsRef<Path>, settings: &MachineSettings) -> Result<NetworkFile, ReadError> {
    let path = path.as_ref();
    // What no format can be is not loaded.
    let text = if is_readable(path) { file::load(path)? } else { Vec::new() };
    parse_machines(&text, settings, path)
}

/// Where a network is read from, and in which format, where that is said.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The format by its name or one of its endings; else that of the file's ending, and of standard input that of its text.
    pub format: Option<&'a str>,
}

impl Source<'_> {
    /// Whether it is standard input.
    #[must_use]
    pub fn is_standard_input(&self) -> bool {
        file::is_standard_input(self.path)
    }
}

/// As [`read_machines`], also from standard input, and in a format that is named.
///
/// # Errors
/// As [`read_machines`], also where no format has this name, or the text of standard input is in none that is known.
pub fn read_as(source: Source<'_>, settings: &MachineSettings) -> Result<NetworkFile, ReadError> {
    let path = if source.is_standard_input() { Path::new("stdin") } else { source.path };
    let known = || READERS.iter().map(|reader| reader.name).collect::<Vec<_>>().join(", ");
    let named = |format: &str| {
        let bare = format.trim_start_matches('.').to_ascii_lowercase();
        let by_name = READERS.iter().find(|reader| reader.name == bare);
        by_name.or_else(|| READERS.iter().find(|reader| reader.endings.contains(&bare.as_str())))
    };
    let reader = match source.format {
        None if !source.is_standard_input() => return read_machines(path, settings),
        None => None,
        Some(format) => {
            let unknown = || ReadError::new(path, Fault::Format { name: format.to_owned(), known: known() });
            Some(named(format).ok_or_else(unknown)?)
        }
    };
    let text = file::load(source.path)?;
    let reader = reader.or_else(|| sniff::likely(&text));
    reader.ok_or_else(|| ReadError::new(path, Fault::NoFormat { known: known() }))?.read(&text, settings, path)
}

/// Reads the text of a network; the ending of `path` helps to choose the format, and errors name it.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    parse_machines(text, &MachineSettings::default(), path)
}

/// Reads the text of a network, as [`read_machines`].
///
/// # Errors
/// As [`read_machines`].
pub fn parse_machines(text: &[u8], settings: &MachineSettings, path: &Path) -> Result<NetworkFile, ReadError> {
    let ending = file::ending(path);
    let mut known = READERS.iter().filter(|reader| reader.endings.contains(&ending.as_str()));
    // Where all of an ending ask, the text is refused by one of them.
    let reader = known
        .clone()
        .find(|reader| reader.claims(text))
        .or_else(|| known.clone().find(|r| r.is_meant.is_none()))
        .or(known.next());
    match reader {
        Some(reader) => reader.read(text, settings, path),
        None => {
            let known = super::endings(READERS.iter().map(|reader| reader.endings));
            Err(ReadError::new(path, Fault::Ending { known }))
        }
    }
}
