//! **What:** the writer: one step a line, long lists broken into lines, everything streamed.

use super::{Provenance, attachments, orbits, product};
use crate::WriteError;
use crate::binary::{self, Packed, Packing, Row};
use crate::decimal::json;
use crate::file::{Filled, Target, is_standard_output};
use crate::positions::coordinate;
use kernel::timed::Links;
use kernel::{
    Certificate, Certified, Collective, Network, Node, Op, Ports, Problem, Proof, Rational, Semantics, Sent, Slots,
    Storage, Verified,
};
use std::io::{self, Write};
use std::path::Path;

/// Writes a schedule file in the form that the schedule is stored in, binary where the name ends in `.qdr`, gzip-compressed where it ends in `.gz`, and beside
/// it the files that its certificate rests on. A bound of another problem is left out, and so is one that needs files beside what is no ordinary file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(
    schedule: &Verified,
    bound: Option<&Certified>,
    provenance: &Provenance,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    write_as(binary::is_named(path), schedule, bound, provenance, path)
}

/// As [`write()`], binary or not whatever the name.
///
/// # Errors
/// As [`write()`].
pub fn write_as(
    is_binary: bool,
    schedule: &Verified,
    bound: Option<&Certified>,
    provenance: &Provenance,
    path: &Path,
) -> Result<(), WriteError> {
    let mut certificate = certificate_of(schedule, bound).cloned();
    // Beside a pipe, a device or standard output there is no place for other files.
    if is_standard_output(path) || (path.exists() && !path.is_file()) {
        certificate = certificate.filter(|c| !matches!(c.proof, Proof::Unsat { .. }));
    }
    // All are written before the first is put in its place: an older schedule keeps its own proof until there is a new one.
    let mut files = certificate.as_mut().map(|c| attachments::write(c, path)).transpose()?.unwrap_or_default();
    files.push(Target::open(path)?.fill(|out| match is_binary {
        true => binary::write(path, out, |json| document(schedule, certificate.as_ref(), provenance, json)),
        false => document(schedule, certificate.as_ref(), provenance, &mut Json::new(out)),
    })?);
    files.into_iter().try_for_each(Filled::put)
}

/// Writes the text of a schedule file; `out` should be buffered. A bound of another problem is left out.
///
/// # Errors
/// Those of `out`.
pub fn write_to(
    schedule: &Verified,
    bound: Option<&Certified>,
    provenance: &Provenance,
    out: impl Write,
) -> io::Result<()> {
    document(schedule, certificate_of(schedule, bound), provenance, &mut Json::new(out))
}

/// Writes the schedule file of a program that computes: every message has a field `value` that says what it is, in the order of
/// `values`. The schedule is written out.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_valued(
    schedule: &Verified,
    values: Vec<String>,
    provenance: &Provenance,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    Target::open(path.as_ref())?.write(|out| {
        orbits::written_out(schedule, None, provenance, &mut Json::new(out).naming(values), &mut |_| Ok(()))
    })
}

/// The certificate of a bound, if it is one of this schedule's problem.
pub(super) fn certificate_of<'a>(schedule: &Verified, bound: Option<&'a Certified>) -> Option<&'a Certificate> {
    bound.filter(|b| b.problem() == schedule.problem()).map(Certified::certificate)
}

fn document(
    schedule: &Verified,
    bound: Option<&Certificate>,
    provenance: &Provenance,
    out: &mut Json<impl Write>,
) -> io::Result<()> {
    match schedule.storage() {
        Storage::Plain(_) => orbits::written_out(schedule, bound, provenance, out, &mut |_| Ok(())),
        Storage::Orbits(orbits) => orbits::document(orbits, bound, provenance, out),
        Storage::Product(form) => product::document(form, bound, provenance, out),
    }
}

/// Writes the object `network` by itself, and a line's end.
pub(crate) fn write_network(network: &Network, links: Option<&Links>, out: impl Write) -> io::Result<()> {
    let mut out = Json::new(out);
    out.network(network, links, "")?;
    out.text("\n")
}

/// Items of a long list on one line.
const ITEMS_A_LINE: usize = 16;

pub(crate) struct Json<W> {
    pub out: W,
    /// Where messages and steps go in the binary form.
    pub packing: Option<Packing>,
    /// What became of them.
    pub columns: Vec<Packed>,
    digits: itoa::Buffer,
    // What each message is, where that was said.
    values: Vec<String>,
}

impl<W: Write> Json<W> {
    pub(crate) fn new(out: W) -> Self {
        Json { out, packing: None, columns: Vec::new(), digits: itoa::Buffer::new(), values: Vec::new() }
    }

    /// With what each message is.
    pub(super) fn naming(self, values: Vec<String>) -> Self {
        Json { values, ..self }
    }

    /// Everything before the messages.
    pub(super) fn head(&mut self, format: &str, problem: &Problem) -> io::Result<()> {
        self.text("{\n  \"format\": ")?;
        self.string(format)?;
        self.text(",\n  \"network\": ")?;
        self.network(problem.network(), None, "  ")?;
        self.text(",\n  \"collective\": ")?;
        self.collective(problem.collective(), None)?;
        let model = problem.model();
        write!(self.out, ",\n  \"model\": {{\"switching\": \"{}\"", model.switching.name())?;
        if let Some(Slots { hop, cyclic }) = model.switching.slots() {
            write!(self.out, ", \"hop\": {hop}, \"cyclic\": {cyclic}")?;
        }
        write!(self.out, ", \"combining\": {}}}", model.combining)
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    pub(crate) fn number(&mut self, number: impl itoa::Integer) -> io::Result<()> {
        self.out.write_all(self.digits.format(number).as_bytes())
    }

    pub(crate) fn string(&mut self, text: &str) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, text).map_err(io::Error::from)
    }

    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = impl itoa::Integer>) -> io::Result<()> {
        self.text("[")?;
        for (at, number) in numbers.into_iter().enumerate() {
            if at > 0 {
                self.text(",")?;
            }
            self.number(number)?;
        }
        self.text("]")
    }

    pub(crate) fn nodes(&mut self, nodes: &[Node]) -> io::Result<()> {
        self.numbers(nodes.iter().map(|v| v.0))
    }

    /// A list with several items a line; a short list stays on the line it begins.
    pub(crate) fn lines<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        indent: &str,
        item: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        let count = items.len();
        self.list(items, count, indent, item)
    }

    /// As [`Json::lines`], of `count` items.
    pub(super) fn list<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        count: usize,
        indent: &str,
        mut item: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        let broken = count > ITEMS_A_LINE;
        self.text("[")?;
        for (at, one) in items.enumerate() {
            match (at, broken && at % ITEMS_A_LINE == 0) {
                (0, false) => {}
                (0, true) => write!(self.out, "\n{indent}  ")?,
                (_, true) => write!(self.out, ",\n{indent}  ")?,
                (_, false) => self.text(", ")?,
            }
            item(self, one)?;
        }
        if broken {
            write!(self.out, "\n{indent}")?;
        }
        self.text("]")
    }

    pub(crate) fn network(&mut self, network: &Network, links: Option<&Links>, indent: &str) -> io::Result<()> {
        if let Some(packing) = &mut self.packing {
            packing.network(network);
        }
        let parts = network.data();
        let deeper = format!("{indent}  ");
        let field = |out: &mut Self, name: &str| write!(out.out, ",\n{deeper}\"{name}\": ");
        write!(self.out, "{{\n{deeper}\"name\": ")?;
        self.string(&parts.name)?;
        field(self, "nodes")?;
        self.number(parts.nodes)?;
        if let Some(labels) = &parts.labels {
            field(self, "labels")?;
            self.lines(labels.iter(), &deeper, |out, label| out.string(label))?;
        }
        if let Some(positions) = &parts.positions {
            field(self, "positions")?;
            self.lines(positions.iter(), &deeper, |out, &(x, y)| {
                write!(out.out, "[{},{}]", coordinate(x), coordinate(y))
            })?;
        }
        if let Some(terminals) = &parts.terminals {
            field(self, "terminals")?;
            self.numbers(terminals.iter().copied())?;
        }
        if !parts.relays.is_empty() {
            field(self, "relays")?;
            self.numbers(parts.relays.iter().copied())?;
        }
        if !parts.no_transit.is_empty() {
            field(self, "no_transit")?;
            self.numbers(parts.no_transit.iter().copied())?;
        }
        field(self, "channels")?;
        self.lines(parts.channels.iter(), &deeper, |out, &(from, to)| out.numbers([from, to]))?;
        if let Some(capacities) = &parts.capacities {
            field(self, "capacities")?;
            self.numbers(capacities.iter().copied())?;
        }
        if !parts.half_duplex.is_empty() {
            field(self, "half_duplex")?;
            self.lines(parts.half_duplex.iter(), &deeper, |out, group| out.numbers(group.iter().copied()))?;
        }
        if let Some(links) = links {
            self.links(links, &deeper)?;
        }
        field(self, "ports")?;
        self.text("{\"send\": ")?;
        self.ports(&parts.send_ports)?;
        self.text(", \"receive\": ")?;
        self.ports(&parts.receive_ports)?;
        write!(self.out, "}}\n{indent}}}")
    }

    fn ports(&mut self, ports: &Ports) -> io::Result<()> {
        match ports {
            Ports::All => self.text("null"),
            Ports::Each(k) => self.number(*k),
            Ports::List(list) => self.lines(list.iter(), "  ", |out, ports| match ports {
                Some(ports) => out.number(*ports),
                None => out.text("null"),
            }),
        }
    }

    pub(crate) fn collective(&mut self, collective: &Collective, bytes: Option<Rational>) -> io::Result<()> {
        self.text("{\"name\": ")?;
        self.string(collective.name())?;
        self.text(match collective.semantics() {
            Semantics::Copy => ", \"semantics\": \"copy\"",
            Semantics::Reduce => ", \"semantics\": \"reduce\"",
        })?;
        if let Some(root) = collective.root() {
            write!(self.out, ", \"root\": {root}")?;
        }
        if collective.chunks() > 1 {
            write!(self.out, ", \"chunks\": {}", collective.chunks())?;
        }
        if let Some(bytes) = bytes {
            write!(self.out, ", \"bytes\": {}", json(bytes))?;
        }
        self.text("}")
    }

    pub(crate) fn messages(&mut self, collective: &Collective) -> io::Result<()> {
        if let Some(packing) = &mut self.packing {
            return packing.messages(collective);
        }
        self.text(",\n  \"messages\": ")?;
        self.lines(collective.messages(), "  ", |out, message| {
            match collective.semantics() {
                Semantics::Copy => {
                    out.text("{\"from\":")?;
                    out.number(collective.origin(message).0)?;
                }
                Semantics::Reduce => {
                    out.text("{\"contributors\":")?;
                    out.nodes(collective.contributors(message))?;
                }
            }
            out.text(",\"to\":")?;
            out.nodes(collective.destinations(message))?;
            if let Some(value) = out.values.get(message.index()).cloned() {
                out.text(",\"value\":")?;
                out.string(&value)?;
            }
            out.text("}")
        })
    }

    /// The field `steps`; `progress` is told each before it is written.
    pub(super) fn steps<'a>(
        &mut self,
        steps: impl ExactSizeIterator<Item = impl Iterator<Item = Sent<'a>>>,
        progress: &mut dyn FnMut(usize) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(packing) = &mut self.packing {
            for (at, step) in steps.enumerate() {
                progress(at)?;
                packing.begin_step()?;
                for sent in step {
                    let (messages, paths) = (sent.messages(), std::iter::once(&*sent.path));
                    packing.transfer(Row { messages, paths, op: sent.op, partials: sent.partials, rate: None })?;
                }
            }
            return Ok(());
        }
        let none = steps.len() == 0;
        self.text(",\n  \"steps\": [")?;
        for (at, step) in steps.enumerate() {
            progress(at)?;
            self.text(if at == 0 { "\n    [" } else { ",\n    [" })?;
            for (at, transfer) in step.enumerate() {
                self.text(if at == 0 { "{\"messages\":" } else { ", {\"messages\":" })?;
                self.numbers(transfer.messages())?;
                self.text(",\"path\":")?;
                self.numbers(transfer.path.iter().map(|c| c.0))?;
                match transfer.op {
                    Op::Reduce => {}
                    Op::Copy => self.text(",\"op\":\"copy\"")?,
                    Op::Keep => self.text(",\"op\":\"keep\"")?,
                }
                if !transfer.partials.is_empty() {
                    self.text(",\"partials\":")?;
                    self.numbers(transfer.partials.iter().copied())?;
                }
                self.text("}")?;
            }
            self.text("]")?;
        }
        self.text(if none { "]" } else { "\n  ]" })
    }

    /// The fields behind the steps, and the end of the document.
    pub(crate) fn end(&mut self, bound: Option<&Certificate>, provenance: &Provenance) -> io::Result<()> {
        if let Some(packing) = self.packing.take() {
            self.columns = packing.finish()?;
            write!(self.out, ",\n  \"columns\": [{}]", binary::directory(&self.columns))?;
        }
        if let Some(bound) = bound {
            self.bound(bound)?;
        }
        self.provenance(provenance)?;
        self.text("\n}\n")
    }

    fn bound(&mut self, bound: &Certificate) -> io::Result<()> {
        write!(self.out, ",\n  \"bound\": {{\"steps\": {}, \"certificate\": ", bound.steps)?;
        self.certificate(&bound.proof)?;
        self.text("}")
    }

    fn provenance(&mut self, provenance: &Provenance) -> io::Result<()> {
        self.text(",\n  \"provenance\": {\"method\": ")?;
        self.string(&provenance.method)?;
        self.text(", \"version\": ")?;
        self.string(&provenance.version)?;
        if let Some(seed) = provenance.seed {
            write!(self.out, ", \"seed\": {seed}")?;
        }
        // JSON has no infinity.
        if let Some(seconds) = provenance.seconds.filter(|s| s.is_finite()) {
            write!(self.out, ", \"seconds\": {seconds}")?;
        }
        if !provenance.parameters.is_empty() {
            let parameters = serde_json::to_string(&provenance.parameters)?;
            write!(self.out, ", \"parameters\": {parameters}")?;
        }
        self.text("}")
    }
}
