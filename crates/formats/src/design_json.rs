//! **What:** network files: one JSON document with a network, claims about it, what proves them, and where it comes from.
//!
//! **Facts:** `format` is `"quadrille-network/1"`, `network` as in a schedule file, so every reader of networks takes one.
//! `claims` is a list of objects with a `kind`: `degree` (`most`), `distances` (`diameter`, `sum` over ordered pairs),
//! `walks` (`hops`, `least`, and the certificate `counted`: walks from the first terminal to each), `at-most` (what was
//! wanted, `nodes`, and the certificate `prices`: pairs of weight and price) and `exhausted` (what was wanted, `nodes`).
//! Reading yields claims; [`design::claims::confirm`] is their checker.

use crate::schedule_json::{Provenance, Source, parse_as, provenance, raw, refuse, way_of, write_network};
use crate::{Fault, ReadError, WriteError, file};
use design::claims::{Claim, Confirmed};
use design::multiring::bound::{Prices, Wanted};
use kernel::Network;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// What the field `format` says.
pub const FORMAT: &str = "quadrille-network/1";

/// A network file as read.
#[derive(Clone, Debug)]
pub struct Document {
    /// The network.
    pub network: Network,
    /// What it says of it.
    pub claims: Vec<Claim>,
    /// How it came to be.
    pub provenance: Provenance,
}

/// The document as its JSON says it.
#[derive(Deserialize)]
struct Raw {
    format: String,
    network: raw::Network,
    #[serde(default)]
    claims: Vec<Said>,
    #[serde(default)]
    provenance: Option<Value>,
}

/// A claim as its JSON says it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Said {
    Degree { most: u64 },
    Distances { diameter: u64, sum: u64 },
    Walks { hops: u64, least: u64, counted: Vec<u64> },
    AtMost { wanted: Wanted, nodes: u64, prices: Vec<(u64, u64)> },
    Exhausted { wanted: Wanted, nodes: Vec<u32> },
}

impl From<Said> for Claim {
    fn from(said: Said) -> Self {
        match said {
            Said::Degree { most } => Claim::Degree { most },
            Said::Distances { diameter, sum } => Claim::Distances { diameter, sum },
            Said::Walks { hops, least, counted } => Claim::Walks { hops, least, counted },
            Said::AtMost { wanted, nodes, prices } => Claim::AtMost { wanted, nodes, prices: Prices { prices } },
            Said::Exhausted { wanted, nodes } => Claim::Exhausted { wanted, nodes },
        }
    }
}

impl From<&Claim> for Said {
    fn from(claim: &Claim) -> Self {
        match claim.clone() {
            Claim::Degree { most } => Said::Degree { most },
            Claim::Distances { diameter, sum } => Said::Distances { diameter, sum },
            Claim::Walks { hops, least, counted } => Said::Walks { hops, least, counted },
            Claim::AtMost { wanted, nodes, prices } => Said::AtMost { wanted, nodes, prices: prices.prices },
            Claim::Exhausted { wanted, nodes } => Said::Exhausted { wanted, nodes },
        }
    }
}

/// Whether a file that some reader refused says that it is of this format.
pub fn is_meant(error: &ReadError) -> bool {
    error.field.as_deref() == Some("format") && error.text.as_deref().is_some_and(|t| t.trim_matches('"') == FORMAT)
}

/// Reads a network file; `.gz` is decompressed.
///
/// # Errors
/// The first fault found, with file, line, field and offending text.
pub fn read(path: impl AsRef<Path>) -> Result<Document, ReadError> {
    let path = path.as_ref();
    parse(&file::load(path)?, path)
}

/// Reads the text of a network file; `path` is named in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Path) -> Result<Document, ReadError> {
    let raw: Raw = parse_as(text, path)?;
    if raw.format != FORMAT {
        let way = crate::schedule_json::steps_of("format");
        return Err(refuse(path, text, &way, Fault::Unknown { known: "\"quadrille-network/1\"" }));
    }
    let mut data = Source::new(text, path).network_data(raw.network, "network.")?;
    if data.name.is_empty() {
        data.name = file::title(path);
    }
    let network = Network::new(data).map_err(|e| refuse(path, text, &way_of(&e, "network."), Fault::Network(e)))?;
    let claims = raw.claims.into_iter().map(Claim::from).collect();
    Ok(Document { network, claims, provenance: raw.provenance.map(provenance).unwrap_or_default() })
}

/// Writes a network file, gzip-compressed where the name ends in `.gz`. `unchecked` are claims that nothing checks.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(
    network: &Network,
    facts: &[Confirmed],
    unchecked: &[Claim],
    provenance: &Provenance,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| write_to(network, facts, unchecked, provenance, out))
}

/// Writes the text of a network file.
///
/// # Errors
/// Those of `out`.
pub fn write_to(
    network: &Network,
    facts: &[Confirmed],
    unchecked: &[Claim],
    provenance: &Provenance,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{{\n\"format\": \"{FORMAT}\",\n\"network\": ")?;
    write_network(network, None, &mut *out)?;
    let claims: Vec<Said> = facts.iter().map(Confirmed::claim).chain(unchecked).map(Said::from).collect();
    let texts: Vec<String> = claims.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    writeln!(out, ",\n\"claims\": [\n{}\n],", texts.join(",\n"))?;
    writeln!(out, "\"provenance\": {}\n}}", json!(provenance))
}
