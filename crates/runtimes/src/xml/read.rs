//! **What:** reads MSCCL XML: elements in their order, attributes of the right type. Whether they fit together is for the check.

use super::{Algorithm, Block, Gpu, Kind, Step};
use crate::threads::Buffer;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;

/// A file that is no MSCCL XML.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {element}: {text}")]
pub struct ReadXml {
    /// The line.
    pub line: usize,
    /// The element and attribute.
    pub element: String,
    /// What is wrong.
    pub text: String,
}

struct Element {
    name: String,
    line: usize,
    attributes: HashMap<String, String>,
}

impl Element {
    fn fault(&self, attribute: &str, text: String) -> ReadXml {
        ReadXml { line: self.line, element: format!("{} {attribute}", self.name), text }
    }

    fn text(&self, attribute: &str) -> Result<&str, ReadXml> {
        let found = self.attributes.get(attribute).map(String::as_str);
        found.ok_or_else(|| self.fault(attribute, "is missing".into()))
    }

    fn number<T: std::str::FromStr>(&self, attribute: &str) -> Result<T, ReadXml> {
        let text = self.text(attribute)?;
        text.trim().parse().map_err(|_| self.fault(attribute, format!("is no number that fits here (found `{text}`)")))
    }

    /// A number, or nothing for -1.
    fn or_none(&self, attribute: &str) -> Result<Option<u32>, ReadXml> {
        if self.text(attribute)?.trim() == "-1" { Ok(None) } else { self.number(attribute).map(Some) }
    }

    fn flag(&self, attribute: &str) -> Result<bool, ReadXml> {
        match self.text(attribute)?.trim() {
            "0" => Ok(false),
            "1" => Ok(true),
            other => Err(self.fault(attribute, format!("is neither 0 nor 1 (found `{other}`)"))),
        }
    }

    fn place(&self, buffer: &str, offset: &str) -> Result<(Buffer, u32), ReadXml> {
        let text = self.text(buffer)?;
        let found = Buffer::of(text.trim());
        let of = found.ok_or_else(|| self.fault(buffer, format!("is none of i, o and s (found `{text}`)")))?;
        // Offsets that a step does not use may be -1.
        Ok((of, self.or_none(offset)?.unwrap_or(u32::MAX)))
    }
}

/// Reads a file.
///
/// # Errors
/// The first thing that is no MSCCL XML, with its line.
pub fn read(text: &str) -> Result<Algorithm, ReadXml> {
    let mut reader = quick_xml::Reader::from_str(text);
    let mut lines = Lines { text, offset: 0, line: 1 };
    let mut found = Algorithm::default();
    let mut open: Vec<String> = Vec::new();
    let mut begun = false;
    loop {
        let line = lines.at(reader.buffer_position() as usize);
        let fault = |text: String| ReadXml { line, element: "XML".into(), text };
        let event = reader.read_event().map_err(|error| fault(error.to_string()))?;
        let (start, empty) = match &event {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let element = element(start, line)?;
        let parent = open.last().map(String::as_str);
        match (parent, element.name.as_str()) {
            (None, "algo") if !begun => (found, begun) = (algorithm(&element)?, true),
            (Some("algo"), "gpu") => found.gpus.push(gpu(&element)?),
            (Some("gpu"), "tb") => found.gpus.last_mut().expect("its parent is open").blocks.push(block(&element)?),
            (Some("tb"), "step") => {
                let blocks = &mut found.gpus.last_mut().expect("its parent is open").blocks;
                let steps = &mut blocks.last_mut().expect("its parent is open").steps;
                let step = step(&element, steps.len())?;
                steps.push(step);
            }
            (parent, name) => {
                let at = parent.map_or("at the top".to_owned(), |parent| format!("in `{parent}`"));
                return Err(
                    element.fault("", format!("`{name}` {at} is not a part of MSCCL XML (algo > gpu > tb > step)"))
                );
            }
        }
        if !empty {
            open.push(element.name);
        }
    }
    match (begun, open.last()) {
        (false, _) => Err(ReadXml { line: 1, element: "XML".into(), text: "has no element `algo`".into() }),
        (true, Some(name)) => {
            Err(ReadXml { line: lines.at(text.len()), element: name.clone(), text: "is not closed".into() })
        }
        (true, None) => Ok(found),
    }
}

/// Lines of positions that ascend.
struct Lines<'t> {
    text: &'t str,
    offset: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of what follows blanks at a position.
    fn at(&mut self, position: usize) -> usize {
        let rest = &self.text.as_bytes()[position.min(self.text.len())..];
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let end = (position + blanks).min(self.text.len());
        let passed = &self.text.as_bytes()[self.offset.min(end)..end];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.offset = end.max(self.offset);
        self.line
    }
}

fn element(start: &BytesStart<'_>, line: usize) -> Result<Element, ReadXml> {
    let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
    let mut attributes = HashMap::new();
    for attribute in start.attributes() {
        let fault = |text: String| ReadXml { line, element: name.clone(), text };
        let attribute = attribute.map_err(|error| fault(error.to_string()))?;
        let value = attribute.unescape_value().map_err(|error| fault(error.to_string()))?;
        attributes.insert(String::from_utf8_lossy(attribute.key.as_ref()).into_owned(), value.into_owned());
    }
    Ok(Element { name, line, attributes })
}

fn algorithm(of: &Element) -> Result<Algorithm, ReadXml> {
    let optional = |name: &str| of.attributes.contains_key(name);
    Ok(Algorithm {
        name: of.text("name")?.to_owned(),
        collective: of.text("coll")?.to_owned(),
        protocol: of.text("proto")?.to_owned(),
        ranks: of.number("ngpus")?,
        channels: of.number("nchannels")?,
        chunks: of.number("nchunksperloop")?,
        in_place: of.flag("inplace")?,
        out_of_place: if optional("outofplace") { Some(of.flag("outofplace")?) } else { None },
        bytes: match optional("minBytes") || optional("maxBytes") {
            true => Some((of.number("minBytes")?, of.number("maxBytes")?)),
            false => None,
        },
        gpus: Vec::new(),
    })
}

fn gpu(of: &Element) -> Result<Gpu, ReadXml> {
    let sizes = [of.number("i_chunks")?, of.number("o_chunks")?, of.number("s_chunks")?];
    Ok(Gpu { id: of.number("id")?, sizes, blocks: Vec::new(), line: of.line })
}

fn block(of: &Element) -> Result<Block, ReadXml> {
    let (send, receive) = (of.or_none("send")?, of.or_none("recv")?);
    Ok(Block { id: of.number("id")?, send, receive, channel: of.number("chan")?, steps: Vec::new(), line: of.line })
}

fn step(of: &Element, number: usize) -> Result<Step, ReadXml> {
    if of.number::<usize>("s")? != number {
        return Err(of.fault("s", format!("steps are numbered one after the other; this one is {number}")));
    }
    let word = of.text("type")?.trim();
    let kind = Kind::ALL.into_iter().find(|kind| kind.word == word).ok_or_else(|| {
        let known = Kind::ALL.map(|kind| kind.word).join(", ");
        of.fault("type", format!("`{word}` is none of the steps that are checked ({known})"))
    })?;
    let after = match (of.or_none("depid")?, of.or_none("deps")?) {
        (Some(block), Some(step)) => Some((block, step)),
        (None, _) => None,
        (Some(_), None) => return Err(of.fault("deps", "is -1 where depid names a thread block".into())),
    };
    Ok(Step {
        kind,
        source: of.place("srcbuf", "srcoff")?,
        target: of.place("dstbuf", "dstoff")?,
        count: of.number("cnt")?,
        after,
        awaited: of.flag("hasdep")?,
        line: of.line,
    })
}
