//! **What:** proofs of bounds as the field `certificate` has them, written and read: a kind of proof is a line in each direction.

use super::attachments::is_plain;
use super::faults::steps_of;
use super::rationals::{Rationals, rational};
use super::read::{Source, item};
use super::write::Json;
use super::{Step, raw};
use crate::{Fault, ReadError};
use kernel::two_calls::{CallPrices, Worth};
use kernel::{Attachment, Certificate, Node, OddSet, Proof, Rational, StepPrices};
use serde_json::Value;
use std::io::{self, Write};

/// The kinds that are read.
const KINDS: &str = "send, receive, cut, late-cut, lengths, articulation, growth, start, direct, two-calls, late-lengths, distance, combination, unsat, argument";

/// The object `certificate` of the file format.
pub fn proof(proof: &Proof) -> Value {
    let mut text = Vec::new();
    Json::new(&mut text).certificate(proof).expect("memory takes all that is written");
    serde_json::from_slice(&text).expect("the writer writes JSON")
}

impl<W: Write> Json<W> {
    /// Writes the object `certificate`.
    pub(super) fn certificate(&mut self, proof: &Proof) -> io::Result<()> {
        write!(self.out, "{{\"kind\": \"{}\"", proof.kind())?;
        match proof {
            Proof::Send { node } | Proof::Receive { node } | Proof::Articulation { node } => {
                write!(self.out, ", \"node\": {node}")?
            }
            Proof::SendAll { nodes }
            | Proof::ReceiveAll { nodes }
            | Proof::Cut { nodes }
            | Proof::LateCut { nodes } => {
                self.text(", \"nodes\": ")?;
                self.nodes(nodes)?;
            }
            Proof::Lengths { weights } | Proof::Direct { weights } => {
                self.text(", \"weights\": ")?;
                self.lines(weights.iter(), "  ", |out, weight| write!(out.out, "\"{weight}\""))?;
            }
            Proof::PortLengths { weights, send, receive, odd } => {
                self.text(", \"weights\": ")?;
                self.lines(weights.iter(), "  ", |out, weight| write!(out.out, "\"{weight}\""))?;
                for (name, list) in [("send", send), ("receive", receive)] {
                    if !list.is_empty() {
                        write!(self.out, ", \"{name}\": ")?;
                        self.lines(list.iter(), "  ", |out, weight| write!(out.out, "\"{weight}\""))?;
                    }
                }
                if !odd.is_empty() {
                    self.text(", \"odd\": ")?;
                    self.lines(odd.iter(), "  ", |out, set| {
                        out.text("{\"nodes\": ")?;
                        out.nodes(&set.nodes)?;
                        write!(out.out, ", \"weight\": \"{}\"}}", set.weight)
                    })?;
                }
            }
            Proof::TwoCalls { prices } => {
                self.text(", \"worth\": ")?;
                self.lines(prices.worth.iter(), "  ", |out, Worth { from, to, weight }| {
                    write!(out.out, "[{from},{to},{weight}]")
                })?;
                self.prices(&prices.steps)?;
            }
            Proof::LateLengths { prices } => self.prices(prices)?,
            Proof::Growth | Proof::Start => {}
            Proof::Distance { from, to } => write!(self.out, ", \"from\": {from}, \"to\": {to}")?,
            Proof::Combination { multipliers } => {
                self.text(", \"multipliers\": ")?;
                self.lines(multipliers.iter(), "  ", |out, (rule, times)| write!(out.out, "[{rule},{times}]"))?;
            }
            Proof::Unsat { formula, proof } => {
                self.text(", \"formula\": ")?;
                self.string(&formula.name)?;
                self.text(", \"proof\": ")?;
                self.string(&proof.name)?;
            }
            Proof::Argument { text } => {
                self.text(", \"text\": ")?;
                self.string(text)?;
            }
        }
        self.text("}")
    }

    /// Writes prices of channels, and of ports where there are any.
    fn prices(&mut self, prices: &StepPrices) -> io::Result<()> {
        let ports = [("send_prices", &prices.send), ("receive_prices", &prices.receive)];
        let ports = ports.into_iter().filter(|(_, lists)| !lists.is_empty());
        for (name, lists) in [("prices", &prices.channels)].into_iter().chain(ports) {
            write!(self.out, ", \"{name}\": ")?;
            self.lines(lists.iter(), "  ", |out, list| write!(out.out, "{}", Value::from(list.as_slice())))?;
        }
        Ok(())
    }
}

impl Source<'_> {
    /// The certificate of a bound.
    pub(super) fn certificate(&self, bound: raw::Bound) -> Result<Certificate, ReadError> {
        let raw = bound.certificate;
        let missing = |field| self.at("bound.certificate", Fault::Missing(field));
        let node = |node: Option<u32>, field| node.map(Node).ok_or_else(|| missing(field));
        let text = |text: Option<String>, field| text.ok_or_else(|| missing(field));
        let list = |read: Rationals, field| match read.bad {
            None => Ok(read.list),
            Some(at) => Err(self.refuse(&item(&format!("bound.certificate.{field}"), at), Fault::Rational)),
        };
        let proof = match raw.kind.as_str() {
            kind @ ("send" | "receive") => match (raw.node, raw.nodes) {
                (None, Some(nodes)) => {
                    let nodes = nodes.into_iter().map(Node).collect();
                    if kind == "send" { Proof::SendAll { nodes } } else { Proof::ReceiveAll { nodes } }
                }
                (one, _) => {
                    let node = node(one, "node")?;
                    if kind == "send" { Proof::Send { node } } else { Proof::Receive { node } }
                }
            },
            kind @ ("cut" | "late-cut") => {
                let nodes = raw.nodes.ok_or_else(|| missing("nodes"))?.into_iter().map(Node).collect();
                if kind == "cut" { Proof::Cut { nodes } } else { Proof::LateCut { nodes } }
            }
            "lengths" => {
                let weights = list(raw.weights.ok_or_else(|| missing("weights"))?, "weights")?;
                let send: Vec<Rational> = list(raw.send.unwrap_or_default(), "send")?.iter().collect();
                let receive: Vec<Rational> = list(raw.receive.unwrap_or_default(), "receive")?.iter().collect();
                let set = |(at, raw::Object(set)): (usize, raw::Object<raw::OddSet>)| {
                    let weight = rational(&set.weight).ok_or_else(|| {
                        let mut way = item("bound.certificate.odd", at);
                        way.push(Step::Field("weight".into()));
                        self.refuse(&way, Fault::Rational)
                    })?;
                    Ok(OddSet { nodes: set.nodes.into_iter().map(Node).collect(), weight })
                };
                let odd = raw.odd.unwrap_or_default().into_iter().enumerate().map(set);
                let odd = odd.collect::<Result<Vec<OddSet>, ReadError>>()?;
                match send.is_empty() && receive.is_empty() && odd.is_empty() {
                    true => Proof::Lengths { weights },
                    false => Proof::PortLengths { weights, send, receive, odd },
                }
            }
            "direct" => Proof::Direct { weights: list(raw.weights.ok_or_else(|| missing("weights"))?, "weights")? },
            kind @ ("two-calls" | "late-lengths") => {
                let steps = StepPrices {
                    channels: raw.prices.ok_or_else(|| missing("prices"))?,
                    send: raw.send_prices.unwrap_or_default(),
                    receive: raw.receive_prices.unwrap_or_default(),
                };
                if kind == "late-lengths" {
                    Proof::LateLengths { prices: steps }
                } else {
                    let worth = raw.worth.ok_or_else(|| missing("worth"))?.into_iter();
                    let worth = worth.map(|(from, to, weight)| Worth { from: Node(from), to: Node(to), weight });
                    Proof::TwoCalls { prices: CallPrices { worth: worth.collect(), steps } }
                }
            }
            "articulation" => Proof::Articulation { node: node(raw.node, "node")? },
            "growth" => Proof::Growth,
            "start" => Proof::Start,
            "distance" => Proof::Distance { from: node(raw.from, "from")?, to: node(raw.to, "to")? },
            "combination" => Proof::Combination { multipliers: raw.multipliers.ok_or_else(|| missing("multipliers"))? },
            "unsat" => {
                let file = |name: Option<String>, field: &'static str| {
                    let name = text(name, field)?;
                    if is_plain(&name) {
                        return Ok(Attachment::named(name));
                    }
                    let way = steps_of(&format!("bound.certificate.{field}"));
                    Err(self.refuse(&way, Fault::Elsewhere))
                };
                Proof::Unsat { formula: file(raw.formula, "formula")?, proof: file(raw.proof, "proof")? }
            }
            "argument" => Proof::Argument { text: text(raw.text, "text")? },
            _ => return Err(self.at("bound.certificate.kind", Fault::Unknown { known: KINDS })),
        };
        Ok(Certificate { steps: bound.steps, proof })
    }
}
