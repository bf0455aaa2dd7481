//! **What:** proofs of bounds of time as the field `certificate` has them, written and read: a kind of proof is a line in each direction.

use crate::schedule_json::{Json, Source, item, raw};
use crate::{Fault, ReadError};
use kernel::Node;
use kernel::timed::{TimedCertificate, TimedProof};
use serde::Deserialize;
use serde_json::Value;
use std::io::{self, Write};

/// The kinds that are read.
const KINDS: &str = "latency, late-cut, pair-cut, lengths, argument";

/// The field `bound`.
#[derive(Deserialize)]
pub(super) struct Bound {
    ticks: u64,
    #[serde(deserialize_with = "raw::object")]
    certificate: raw::Certificate,
}

/// The object `certificate` of the file format.
pub fn proof(proof: &TimedProof) -> Value {
    let mut text = Vec::new();
    Json::new(&mut text).timed_proof(proof).expect("memory takes all that is written");
    serde_json::from_slice(&text).expect("the writer writes JSON")
}

impl<W: Write> Json<W> {
    /// Writes the field `bound`.
    pub(super) fn timed_bound(&mut self, bound: &TimedCertificate) -> io::Result<()> {
        write!(self.out, ",\n  \"bound\": {{\"ticks\": {}, \"certificate\": ", bound.ticks)?;
        self.timed_proof(&bound.proof)?;
        self.text("}")
    }

    fn timed_proof(&mut self, proof: &TimedProof) -> io::Result<()> {
        write!(self.out, "{{\"kind\": \"{}\"", proof.kind())?;
        match proof {
            TimedProof::Latency { from, to } => write!(self.out, ", \"from\": {from}, \"to\": {to}")?,
            TimedProof::LateCut { nodes } => self.named_nodes("nodes", nodes)?,
            TimedProof::PairCut { nodes, contributors, destinations } => {
                self.named_nodes("nodes", nodes)?;
                for (name, nodes) in [("contributors", contributors), ("destinations", destinations)] {
                    nodes.iter().try_for_each(|nodes| self.named_nodes(name, nodes))?;
                }
            }
            TimedProof::Lengths { weights } => {
                self.text(", \"weights\": ")?;
                self.lines(weights.iter(), "  ", |out, weight| write!(out.out, "\"{weight}\""))?;
            }
            TimedProof::Argument { text } => {
                self.text(", \"text\": ")?;
                self.string(text)?;
            }
        }
        self.text("}")
    }

    /// A further field, with a list of nodes.
    fn named_nodes(&mut self, name: &str, nodes: &[Node]) -> io::Result<()> {
        write!(self.out, ", \"{name}\": ")?;
        self.nodes(nodes)
    }
}

impl Source<'_> {
    /// The certificate of a bound of time.
    pub(super) fn timed_certificate(&self, bound: Bound) -> Result<TimedCertificate, ReadError> {
        let raw = bound.certificate;
        let missing = |field| self.at("bound.certificate", Fault::Missing(field));
        let node = |node: Option<u32>, field| node.map(Node).ok_or_else(|| missing(field));
        let nodes = |list: Option<Vec<u32>>| list.map(|list| list.into_iter().map(Node).collect());
        let proof = match raw.kind.as_str() {
            "latency" => TimedProof::Latency { from: node(raw.from, "from")?, to: node(raw.to, "to")? },
            "late-cut" => TimedProof::LateCut { nodes: nodes(raw.nodes).ok_or_else(|| missing("nodes"))? },
            "pair-cut" => TimedProof::PairCut {
                nodes: nodes(raw.nodes).ok_or_else(|| missing("nodes"))?,
                contributors: nodes(raw.contributors),
                destinations: nodes(raw.destinations),
            },
            "lengths" => {
                let weights = raw.weights.ok_or_else(|| missing("weights"))?;
                if let Some(at) = weights.bad {
                    return Err(self.refuse(&item("bound.certificate.weights", at), Fault::Rational));
                }
                TimedProof::Lengths { weights: weights.list }
            }
            "argument" => TimedProof::Argument { text: raw.text.ok_or_else(|| missing("text"))? },
            _ => return Err(self.at("bound.certificate.kind", Fault::Unknown { known: KINDS })),
        };
        Ok(TimedCertificate { ticks: bound.ticks, proof })
    }
}
