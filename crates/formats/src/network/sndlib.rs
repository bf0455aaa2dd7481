//! **What:** the network design problems of SNDlib: nodes with coordinates and links, in XML and in its native format.
//!
//! **Facts:** a link is a channel each way. What is installed on it before any design counts as its bandwidth where the file says that the unit is
//! Mbit/s and all links have some. Demands, modules and costs are no part of a network.
//!
//! **Source:** S. Orlowski, M. Pióro, A. Tomaszewski, R. Wessäly, SNDlib 1.0 (Networks, 2010); <https://sndlib.put.poznan.pl>.

use super::assembly::{Assembly, fault};
use super::carries::Carries;
use super::xml::{Places, attributes, broken};
use super::{NetworkFile, text_of};
use crate::units::{RATES, with_unit};
use crate::{Place, ReadError};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::path::Path;

/// How a file in the native format begins.
const NATIVE: &[u8] = b"?SNDlib native format";

/// Whether a text is such a file in XML.
pub(super) fn is_xml(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[..bytes.len().min(1 << 16)], b"<networkStructure").is_some()
}

/// Whether a text is such a file in the native format.
pub(super) fn is_native(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(NATIVE)
}

/// A link as it is read.
struct Open {
    name: String,
    place: Place,
    source: Option<u32>,
    target: Option<u32>,
    installed: Option<String>,
}

/// The XML format.
pub(super) fn parse_xml(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = text_of(bytes, path)?;
    let (mut reader, mut places) = (Reader::from_str(text), Places::new(text));
    let mut assembly = Assembly::default();
    let mut open: Vec<String> = Vec::new();
    let (mut node, mut link, mut said): (Option<u32>, Option<Open>, String) = (None, None, String::new());
    let mut links: Vec<Open> = Vec::new();
    let mut megabits = false;
    loop {
        let place = places.of(reader.buffer_position());
        match reader.read_event().map_err(|e| broken(path, text, &e, reader.error_position()))? {
            Event::Start(tag) => {
                let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
                let id = || -> Result<String, ReadError> {
                    let missing = || fault(path, place, None, &name, "an element without the attribute `id`");
                    attributes(&tag, path, place)?.remove("id").ok_or_else(missing)
                };
                match (open.last().map(String::as_str), name.as_str()) {
                    (Some("nodes"), "node") => node = Some(assembly.node(&id()?).0),
                    (Some("links"), "link") => {
                        link = Some(Open { name: id()?, place, source: None, target: None, installed: None });
                    }
                    _ => {}
                }
                said.clear();
                open.push(name);
            }
            Event::Text(piece) => {
                said.push_str(&piece.decode().map_err(|e| fault(path, place, None, "", &e.to_string()))?)
            }
            Event::End(_) => {
                let name = open.pop().unwrap_or_default();
                let inside = open.last().map_or("", String::as_str);
                let value = said.trim();
                match (inside, name.as_str(), &mut link) {
                    ("coordinates", "x" | "y", None) => {
                        if let Some(node) = node {
                            assembly.about[node as usize]
                                .attribute(&name, value)
                                .map_err(|why| fault(path, place, None, value, why))?;
                        }
                    }
                    ("nodes", "node", _) => node = None,
                    ("link", "source" | "target", Some(link)) => {
                        let (node, new) = assembly.node(value);
                        if new {
                            let field = Some(format!("link {}", link.name));
                            return Err(fault(path, place, field, value, "it ends at a node that is not there"));
                        }
                        *(if name == "source" { &mut link.source } else { &mut link.target }) = Some(node);
                    }
                    ("preInstalledModule", "capacity", Some(link)) => link.installed = Some(value.to_owned()),
                    ("links", "link", _) => links.extend(link.take()),
                    ("meta", "unit", _) => megabits = value == "MBITPERSEC",
                    _ => {}
                }
                said.clear();
            }
            Event::Eof if !open.is_empty() => {
                return Err(fault(path, place, None, "", "the file ends within an element"));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    for Open { name, place, source, target, installed } in links {
        let (Some(from), Some(to)) = (source, target) else {
            return Err(fault(path, place, Some(format!("link {name}")), "", "a link without two ends"));
        };
        let speed = installed.filter(|_| megabits).and_then(|rate| with_unit(&format!("{rate}Mb/s"), RATES));
        let carries = Carries { speed: speed.filter(|rate| rate.numerator > 0), ..Carries::default() };
        assembly.link(from, to, carries, place);
    }
    assembly.finish(path)
}

/// The native format, of which the sections `NODES ( id ( x y ) … )` and `LINKS ( id ( a b ) … )` are read.
pub(super) fn parse_native(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = text_of(bytes, path)?;
    let mut assembly = Assembly::default();
    let mut section = "";
    for (number, whole) in (1..).zip(text.lines()) {
        let line = whole.split('#').next().unwrap_or_default();
        if line.starts_with('?') {
            continue;
        }
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || "()".contains(c)).filter(|w| !w.is_empty()).collect();
        let place = Place { line: number, column: 1 + line.len() - line.trim_start().len() };
        match (section, &words[..], line.trim()) {
            (_, [], ")") => section = "",
            (_, [], _) => {}
            ("", [name], _) if line.contains('(') => section = name,
            ("NODES", [id, x, y], _) => {
                let about = assembly.node(id).0 as usize;
                for (key, value) in [("x", x), ("y", y)] {
                    assembly.about[about].attribute(key, value).map_err(|why| fault(path, place, None, value, why))?;
                }
            }
            ("LINKS", [id, from, to, ..], _) => {
                let ends = [*from, *to].map(|name| (name, assembly.node(name)));
                if let Some((name, _)) = ends.iter().find(|(_, (_, new))| *new) {
                    let field = Some(format!("link {id}"));
                    return Err(fault(path, place, field, name, "it ends at a node that is not there"));
                }
                assembly.link(ends[0].1.0, ends[1].1.0, Carries::default(), place);
            }
            ("NODES" | "LINKS", ..) => {
                return Err(fault(
                    path,
                    place,
                    Some(section.into()),
                    line.trim(),
                    "a line that is neither a node nor a link",
                ));
            }
            _ => {}
        }
    }
    assembly.finish(path)
}
