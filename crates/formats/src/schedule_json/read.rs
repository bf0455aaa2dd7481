//! **What:** the reader: from text to a well-posed problem and claims about it.

use super::faults::{explain, find_string, steps_of};
use super::{Document, FORMAT, ORBITS, PRODUCT, Provenance, Step, most_nodes, most_orbits, raw, refuse};
use crate::binary::{self, Columns, Opened};
use crate::error::shortened;
use crate::network::text_of;
use crate::positions::millionths;
use crate::{BytesRead, Fault, Place, ReadError, file, timed_json};
use kernel::orbits::{Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, TranslationsError};
use kernel::{
    Certificate, Claim, Collective, CollectiveError, Model, Network, NetworkData, NetworkError, Node, Problem,
    ProblemError, Semantics, Switching,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::Path;

/// Reads a schedule file; `.gz` is decompressed.
///
/// # Errors
/// The first fault found, with file, line, field and offending text.
pub fn read(path: impl AsRef<Path>) -> Result<Document, ReadError> {
    read_watched(path.as_ref(), &|_, _| {})
}

/// As [`read`], and tells `watch` how far it is in a file in JSON.
///
/// # Errors
/// As [`read`].
pub fn read_watched(path: &Path, watch: BytesRead<'_>) -> Result<Document, ReadError> {
    // A file that is right is read without room for its text; what is wrong with another is looked for in the text.
    let read = file::stream(path, watch).and_then(|file::Stream { text, size }| {
        let raw::Object(raw) = serde_json::from_reader(text).ok()?;
        document(raw, &Source { text: &[], path, size: size.get() }, None).ok()
    });
    read.map_or_else(|| parse(&file::load(path)?, path), Ok)
}

/// Reads the text of a schedule file; `path` is named in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Path) -> Result<Document, ReadError> {
    if binary::is_packed(text) {
        let Opened { header, columns } = binary::open(text, path)?;
        return parse_with(&header, path, Some(columns)).map_err(binary::nowhere);
    }
    parse_with(text, path, None)
}

/// Reads a text; of the binary form the header, with its columns.
fn parse_with(text: &[u8], path: &Path, columns: Option<Columns<'_>>) -> Result<Document, ReadError> {
    // The parser does not look at what it ignores.
    if text_of(text, path)?.trim_start().bytes().next().is_some_and(|byte| byte != b'{') {
        let fault = Fault::Syntax("is no schedule file: one in JSON begins with `{`".into());
        let found = Some(shortened(&String::from_utf8_lossy(&text[..text.len().min(LINE)])));
        return Err(ReadError { place: Some(Place::of(text, 0)), text: found, ..ReadError::new(path, fault) });
    }
    let raw: raw::Document = parse_as(text, path).map_err(|error| {
        // A file of another format breaks the rules of this one anywhere; say the true reason.
        if timed_json::is_timed(text) {
            return Source::new(text, path).at("model.switching", Fault::Timed);
        }
        match find_string(text, &steps_of("format")) {
            Some(format) if ![FORMAT, ORBITS, PRODUCT].contains(&&*format) => {
                Source::new(text, path).at("format", UNKNOWN)
            }
            _ => error,
        }
    })?;
    let size = columns.as_ref().map_or(text.len() as u64, |columns| columns.size);
    document(raw, &Source::new(text, path).worth(size), columns)
}

/// Bytes at the beginning of a file that are shown.
const LINE: usize = 400;

const UNKNOWN: Fault = Fault::Unknown {
    known: "\"quadrille-schedule/1\", \"quadrille-schedule/1+orbits/1\", \"quadrille-schedule/1+product/1\"",
};

/// The problem and the claims of a document.
fn document(raw: raw::Document, source: &Source<'_>, columns: Option<Columns<'_>>) -> Result<Document, ReadError> {
    let orbits = match raw.format.as_str() {
        FORMAT => false,
        ORBITS => true,
        PRODUCT => return product(raw, source),
        _ => return Err(source.at("format", UNKNOWN)),
    };
    let missing = |field| source.at("format", Fault::Missing(field));
    let network = source.network(raw.network)?;
    let mut columns = columns;
    let messages = match &mut columns {
        Some(columns) => columns.messages()?,
        None => raw.messages.ok_or_else(|| missing("messages"))?,
    };
    let (collective, parameters) = source.collective(raw.collective, &messages, network.data().nodes)?;
    drop(messages);
    let model = source.model(&raw.model)?;
    let steps = match columns {
        Some(columns) => columns.steps(&network, &collective)?,
        None => raw.steps.ok_or_else(|| missing("steps"))?,
    };
    let problem = Problem::new(network, collective, model).map_err(|error| source.problem(error))?;
    let bound = raw.bound.map(|raw::Object(bound)| source.certificate(bound)).transpose()?;
    let provenance = raw.provenance.map(provenance).unwrap_or_default();
    if !orbits {
        return Ok(Document { problem, claim: steps.into(), bound, provenance, parameters });
    }
    let generators = raw.generators.ok_or_else(|| missing("generators"))?;
    let shifts = generators.iter().map(|raw::Object(g)| g.shift.unwrap_or(0)).collect();
    let folded = source.folded(problem, generators)?;
    let schedule = OrbitSchedule { shifts, schedule: steps };
    let (problem, claim) = (folded.whole().clone(), Claim::Orbits { problem: folded, schedule });
    Ok(Document { problem, claim, bound, provenance, parameters })
}

/// A document of alltoall among all nodes, stored as a product.
fn product(raw: raw::Document, source: &Source<'_>) -> Result<Document, ReadError> {
    let Some(raw::Object(form)) = raw.product else { return Err(source.at("format", Fault::Missing("product"))) };
    let network = source.network(raw.network)?;
    let (named, parameters) = source.collective(raw.collective, &raw::Messages::default(), network.data().nodes)?;
    if named.name() != "alltoall" || named.semantics() != Semantics::Copy {
        return Err(source.at("collective.name", Fault::Unknown { known: "\"alltoall\", of semantics \"copy\"" }));
    }
    let (nodes, collective) = (network.data().nodes, Collective::alltoall(network.terminals(), network.terminals()));
    let model = source.model(&raw.model)?;
    let problem = Problem::new(network, collective, model).map_err(|error| source.problem(error))?;
    let bound = raw.bound.map(|raw::Object(bound)| source.certificate(bound)).transpose()?;
    let provenance = raw.provenance.map(provenance).unwrap_or_default();
    Ok(Document { problem, claim: form.claim(nodes).into(), bound, provenance, parameters })
}

/// What is known of the provenance; nothing rests on it, so nothing in it is an error.
pub(crate) fn provenance(fields: Value) -> Provenance {
    let word = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
    Provenance {
        method: word("method"),
        version: word("version"),
        seed: fields["seed"].as_u64(),
        seconds: fields["seconds"].as_f64(),
        parameters: fields["parameters"].as_object().cloned().unwrap_or_default(),
    }
}

/// Reads JSON as a `T`.
///
/// # Errors
/// Text that is no JSON or no `T`, with its place and the field.
pub fn parse_as<T: DeserializeOwned>(text: &[u8], path: &Path) -> Result<T, ReadError> {
    let read = serde_json::from_slice(text).map(|raw::Object(value)| value);
    read.map_err(|error| explain::<raw::Object<T>>(path, text, &error))
}

/// The certificate of a field `bound` in `text`.
pub(crate) fn certificate(bound: raw::Bound, text: &[u8], path: &Path) -> Result<Certificate, ReadError> {
    Source::new(text, path).certificate(bound)
}

/// Where in a `network` object an error of the kernel lies.
pub(crate) fn way_of(error: &NetworkError, prefix: &str) -> Vec<Step> {
    let whole = |field: &str| steps_of(&format!("{prefix}{field}"));
    match error {
        NetworkError::NoNodes => whole("nodes"),
        NetworkError::NoTerminals => whole("terminals"),
        NetworkError::NoSuchRelay { .. } => whole("relays"),
        NetworkError::NoSuchEnd { channel, .. } | NetworkError::Loop { channel, .. } => {
            item(&format!("{prefix}channels"), *channel as usize)
        }
        NetworkError::NoSuchNode { field, .. }
        | NetworkError::Twice { field, .. }
        | NetworkError::Length { field, .. } => whole(field),
        NetworkError::Zero { field, item: at } => item(&format!("{prefix}{field}"), *at as usize),
        NetworkError::NoSuchChannel { group, .. } => item(&format!("{prefix}half_duplex"), *group),
    }
}

pub(crate) fn item(list: &str, at: usize) -> Vec<Step> {
    let mut way = steps_of(list);
    way.push(Step::Item(at));
    way
}

/// The text at hand, for errors.
pub(crate) struct Source<'a> {
    text: &'a [u8],
    path: &'a Path,
    /// The bytes there were, whether they are at hand or not.
    size: u64,
}

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a [u8], path: &'a Path) -> Self {
        Source { text, path, size: text.len() as u64 }
    }

    /// The header of a file that is worth so many bytes of text.
    pub(crate) fn worth(self, size: u64) -> Self {
        Source { size, ..self }
    }
}

impl Source<'_> {
    pub(crate) fn at(&self, field: &str, fault: Fault) -> ReadError {
        self.refuse(&steps_of(field), fault)
    }

    pub(crate) fn refuse(&self, way: &[Step], fault: Fault) -> ReadError {
        refuse(self.path, self.text, way, fault)
    }

    /// The plain data of a network; `prefix` is where the network stands in the document (`network.`, or nothing).
    pub(crate) fn network_data(&self, raw: raw::Network, prefix: &str) -> Result<NetworkData, ReadError> {
        let limit = most_nodes(self.size);
        let nodes = u32::try_from(raw.nodes)
            .ok()
            .filter(|n| *n <= limit)
            .ok_or_else(|| self.at(&format!("{prefix}nodes"), Fault::TooManyNodes { nodes: raw.nodes, limit }))?;
        let ports = raw.ports.map(|raw::Object(ports)| ports).unwrap_or_default();
        Ok(NetworkData {
            name: raw.name.unwrap_or_default(),
            nodes,
            labels: raw.labels,
            ids: None,
            positions: raw
                .positions
                .map(|list| list.into_iter().map(|(x, y)| (millionths(x), millionths(y))).collect()),
            terminals: raw.terminals,
            relays: raw.relays.unwrap_or_default(),
            no_transit: raw.no_transit.unwrap_or_default(),
            channels: raw.channels,
            capacities: raw.capacities,
            half_duplex: raw.half_duplex.unwrap_or_default(),
            send_ports: ports.send,
            receive_ports: ports.receive,
        })
    }

    pub(crate) fn network(&self, raw: raw::Network) -> Result<Network, ReadError> {
        let parts = self.network_data(raw, "network.")?;
        Network::new(parts).map_err(|e| self.refuse(&way_of(&e, "network."), Fault::Network(e)))
    }

    pub(crate) fn problem(&self, error: ProblemError) -> ReadError {
        let way = match &error {
            ProblemError::NoSuchNode { message, .. }
            | ProblemError::Switch { message, .. }
            | ProblemError::Unreachable { message, .. } => item("messages", message.index()),
            ProblemError::ZeroHop => steps_of("model.hop"),
        };
        self.refuse(&way, Fault::Problem(error))
    }

    /// Representatives with their symmetry.
    pub(crate) fn folded(
        &self,
        representatives: Problem,
        generators: Vec<raw::Object<raw::Generator>>,
    ) -> Result<OrbitProblem, ReadError> {
        let translations = self.translations(representatives.network(), generators)?;
        let most = most_orbits(self.size);
        OrbitProblem::new_within(representatives, translations, most).map_err(|error| match error {
            OrbitError::SameOrbit { second, .. } => self.refuse(&item("messages", second.index()), Fault::Orbit(error)),
            OrbitError::TooMany { .. } => self.at("messages", Fault::Orbit(error)),
            error => self.at("generators", Fault::Orbit(error)),
        })
    }

    fn translations(
        &self,
        network: &Network,
        raw: Vec<raw::Object<raw::Generator>>,
    ) -> Result<Translations, ReadError> {
        let mut generators = Vec::with_capacity(raw.len());
        for (at, raw::Object(raw)) in raw.into_iter().enumerate() {
            generators.push(match raw.channels {
                Some(channels) => Generator { order: raw.order, nodes: raw.nodes, channels },
                None => Generator::of_nodes(network, raw.order, raw.nodes).ok_or_else(|| {
                    let why = "takes some channel's ends to nodes that no such channel joins".into();
                    self.refuse(&item("generators", at), Fault::Syntax(why))
                })?,
            });
        }
        Translations::new(network, generators).map_err(|error| self.no_symmetry(error))
    }

    /// What keeps generators from being a symmetry, where it lies.
    pub(crate) fn no_symmetry(&self, error: TranslationsError) -> ReadError {
        use TranslationsError as E;
        match error {
            E::Length { generator, .. }
            | E::NoPermutation { generator, .. }
            | E::Ends { generator, .. }
            | E::Unlike { generator, .. }
            | E::Order { generator, .. }
            | E::NotCommuting { second: generator, .. } => {
                self.refuse(&item("generators", generator), Fault::Translations(error))
            }
            E::OverlappingGroups | E::NotFree { .. } | E::TooLarge => self.at("generators", Fault::Translations(error)),
        }
    }

    pub(crate) fn collective(
        &self,
        mut fields: Map<String, Value>,
        messages: &raw::Messages,
        nodes: u32,
    ) -> Result<(Collective, Map<String, Value>), ReadError> {
        const SEMANTICS: &str = "\"copy\", \"reduce\"";
        let name = match fields.remove("name") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(name)) => name,
            Some(_) => return Err(self.at("collective.name", Fault::Syntax("is not a string".into()))),
        };
        let semantics = match fields.remove("semantics") {
            None => return Err(self.at("collective", Fault::Missing("semantics"))),
            Some(Value::String(word)) if word == "copy" => Semantics::Copy,
            Some(Value::String(word)) if word == "reduce" => Semantics::Reduce,
            Some(_) => return Err(self.at("collective.semantics", Fault::Unknown { known: SEMANTICS })),
        };
        let root = match fields.remove("root") {
            None | Some(Value::Null) => None,
            Some(value) => match value.as_u64().and_then(|root| u32::try_from(root).ok()) {
                Some(root) => Some(Node(root)),
                None => return Err(self.at("collective.root", Fault::Syntax("is not a node's number".into()))),
            },
        };
        if root.is_some_and(|root| root.0 >= nodes) {
            let why = format!("is not a node; nodes are 0 to {}", nodes - 1);
            return Err(self.at("collective.root", Fault::Syntax(why)));
        }
        let chunks = match fields.remove("chunks") {
            None | Some(Value::Null) => 1,
            Some(value) => match value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0) {
                Some(chunks) => chunks,
                None => return Err(self.at("collective.chunks", Fault::Syntax("is not a number of chunks".into()))),
            },
        };
        let (foreign, missing) = match semantics {
            Semantics::Copy => (messages.first_contributors, "from"),
            Semantics::Reduce => (messages.first_from, "contributors"),
        };
        if let Some(at) = foreign {
            return Err(refuse(self.path, self.text, &item("messages", at), Fault::Missing(missing)));
        }
        let collective = Collective::new(name, semantics, root, messages.lists());
        let collective = collective.and_then(|c| c.known_in_chunks(chunks)).map_err(|error| {
            let (CollectiveError::NoDestination { message }
            | CollectiveError::NoContributor { message }
            | CollectiveError::Origins { message, .. }
            | CollectiveError::Chunks { message, .. }
            | CollectiveError::Twice { message, .. }) = &error;
            let way = item("messages", *message as usize);
            self.refuse(&way, Fault::Collective(error))
        })?;
        Ok((collective, fields))
    }

    fn model(&self, raw: &raw::Model) -> Result<Model, ReadError> {
        let switching = match raw.switching.as_str() {
            "wormhole" => Switching::Wormhole,
            "store-and-forward" => Switching::StoreAndForward,
            timed_json::SWITCHING => return Err(self.at("model.switching", Fault::Timed)),
            "tdm" => Switching::Tdm { hop: raw.hop.unwrap_or(1), cyclic: raw.cyclic.unwrap_or(false) },
            _ => {
                let known = "\"wormhole\", \"store-and-forward\", \"tdm\"";
                return Err(self.at("model.switching", Fault::Unknown { known }));
            }
        };
        Ok(Model { switching, combining: raw.combining.unwrap_or(false) })
    }
}
