//! **What:** every format that networks are written to, and what each has a place for.

use super::{anynet, dot, edges, graphml, json, thesis};
use crate::{WriteError, file};
use kernel::timed::Links;
use kernel::{Network, Ports};
use pictures::palette::LIGHT;
use pictures::svg::Ends;
use std::io::{self, Write};
use std::path::Path;

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
    write: fn(&Network, Option<&Links>, &mut dyn Write) -> io::Result<()>,
}

impl Writer {
    /// Of what a network may have beside nodes, channels and terminals, what the format holds.
    pub fn holds(&self) -> impl Iterator<Item = &'static str> {
        self.holds.iter().map(|part| part.name())
    }
}

/// What a network may have that changes its schedules, and that not every format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    NoTransit,
    Relays,
    Capacities,
    HalfDuplex,
    Ports,
    Bandwidths,
    CopyingSwitches,
    Merging,
}

impl Part {
    const ALL: &'static [Part] = &[
        Part::NoTransit,
        Part::Relays,
        Part::Capacities,
        Part::HalfDuplex,
        Part::Ports,
        Part::Bandwidths,
        Part::CopyingSwitches,
        Part::Merging,
    ];

    fn name(self) -> &'static str {
        match self {
            Part::NoTransit => "nodes without transit",
            Part::Relays => "switches that store",
            Part::Capacities => "capacities",
            Part::HalfDuplex => "half-duplex groups",
            Part::Ports => "ports",
            Part::Bandwidths => "bandwidths",
            Part::CopyingSwitches => "switches that copy",
            Part::Merging => "rate of merging",
        }
    }

    /// Whether a network has it.
    fn is_in(self, network: &Network, links: Option<&Links>) -> bool {
        let data = network.data();
        match self {
            Part::NoTransit => !data.no_transit.is_empty(),
            Part::Relays => !data.relays.is_empty(),
            Part::Capacities => data.capacities.iter().flatten().any(|c| *c != 1),
            Part::HalfDuplex => !data.half_duplex.is_empty(),
            Part::Ports => [&data.send_ports, &data.receive_ports].iter().any(|ports| **ports != Ports::All),
            Part::Bandwidths => links.is_some(),
            Part::CopyingSwitches => links.is_some_and(|links| !links.multicast.is_empty()),
            Part::Merging => links.is_some_and(|links| links.reduce.is_some()),
        }
    }
}

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
        about: "GraphML, one edge per channel",
        holds: &[Part::NoTransit, Part::Capacities, Part::Ports, Part::Bandwidths],
        write: graphml::write,
    },
    Writer {
        name: "dot",
        endings: &["dot", "gv"],
        about: "Graphviz' language, one edge per channel",
        holds: &[Part::NoTransit, Part::Capacities, Part::Ports, Part::Bandwidths],
        write: dot::write,
    },
    Writer {
        name: "edges",
        endings: &["edges"],
        about: "one link or channel per line",
        holds: &[Part::Capacities, Part::Bandwidths],
        write: edges::write,
    },
    Writer {
        name: "txt",
        endings: &["txt"],
        about: "the dissertation's input file",
        // It counts steps, where the rest of them means nothing.
        holds: &[Part::Bandwidths, Part::CopyingSwitches, Part::Merging],
        write: thesis::write,
    },
    Writer {
        name: "anynet",
        endings: &["anynet"],
        about: "BookSim's network_file: routers, nodes and links both ways",
        holds: &[Part::NoTransit],
        write: anynet::write,
    },
    Writer {
        name: "svg",
        endings: crate::PICTURE_ENDINGS,
        about: "a picture of nodes and links",
        // A picture is nobody's input, so it may leave things out.
        holds: Part::ALL,
        write: |network, _, out| pictures::svg::network(network, Ends::default(), None, &LIGHT, out),
    },
];

/// Writes a network, and what its channels do in time, in the format of the file's ending.
///
/// # Errors
/// Where the system refuses, no writer knows the ending, or the format has no place for a part of the network; nothing of a half-written file stays behind.
pub fn write(network: &Network, links: Option<&Links>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    let ending = file::ending(path);
    match WRITERS.iter().find(|w| w.endings.contains(&ending.as_str())) {
        Some(writer) => {
            let lost = Part::ALL.iter().filter(|part| !writer.holds.contains(part) && part.is_in(network, links));
            let lost: Vec<&str> = lost.map(|part| part.name()).collect();
            if !lost.is_empty() {
                let why = format!("a .{ending} file has no place for the network's {}", lost.join(" and "));
                return Err(unfit(path, why));
            }
            file::save(path, |out| (writer.write)(network, links, out))
        }
        None => {
            let known = super::endings(WRITERS.iter().map(|writer| writer.endings));
            Err(unfit(path, format!("no format has the ending of this name; known endings: {known}")))
        }
    }
}

fn unfit(path: &Path, why: String) -> WriteError {
    WriteError { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidInput, why) }
}

/// Writes a network, and what its channels do in time, to `out` in the format of that name, such as `dot`.
///
/// # Errors
/// Those of `out`, or an unknown name.
pub fn write_to(network: &Network, links: Option<&Links>, format: &str, out: &mut dyn Write) -> io::Result<()> {
    match WRITERS.iter().find(|w| w.name == format) {
        Some(writer) => (writer.write)(network, links, out),
        None => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("no format is called `{format}`"))),
    }
}
