//! **What:** the document as its JSON says it, before anything is checked against anything else.

use super::rationals::Rationals;
use crate::decimal::Decimal;
use kernel::{Node, Ports, Schedule};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::marker::PhantomData;

/// A whole document.
#[derive(Deserialize)]
pub(crate) struct Document {
    pub format: String,
    #[serde(deserialize_with = "object")]
    pub network: Network,
    #[serde(deserialize_with = "fields")]
    pub collective: Map<String, Value>,
    #[serde(deserialize_with = "object")]
    pub model: Model,
    #[serde(default)]
    pub generators: Option<Vec<Object<Generator>>>,
    #[serde(default)]
    pub product: Option<Object<super::product::Product>>,
    #[serde(default)]
    pub messages: Option<Messages>,
    #[serde(default, deserialize_with = "steps")]
    pub steps: Option<Schedule>,
    #[serde(default)]
    pub bound: Option<Object<Bound>>,
    #[serde(default)]
    pub provenance: Option<Value>,
}

fn steps<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Schedule>, D::Error> {
    super::steps::deserialize(from).map(Some)
}

/// A document of which only the network is wanted.
#[derive(Deserialize)]
pub(crate) struct NetworkOnly {
    #[serde(deserialize_with = "object")]
    pub network: Network,
}

/// The field `network`.
#[derive(Deserialize)]
pub(crate) struct Network {
    #[serde(default)]
    pub name: Option<String>,
    pub nodes: u64,
    #[serde(default)]
    pub labels: Option<Vec<String>>,
    #[serde(default)]
    pub positions: Option<Vec<(f64, f64)>>,
    #[serde(default)]
    pub terminals: Option<Vec<u32>>,
    #[serde(default)]
    pub relays: Option<Vec<u32>>,
    pub no_transit: Option<Vec<u32>>,
    pub channels: Vec<(u32, u32)>,
    #[serde(default)]
    pub capacities: Option<Vec<u32>>,
    #[serde(default)]
    pub half_duplex: Option<Vec<Vec<u32>>>,
    #[serde(default)]
    pub ports: Option<Object<BothPorts>>,
    #[serde(default)]
    pub bandwidth: Option<Vec<Decimal>>,
    #[serde(default)]
    pub latency: Option<Vec<Decimal>>,
    #[serde(default)]
    pub multicast: Option<Vec<u32>>,
    #[serde(default, rename = "reduce_GBps")]
    pub reduce: Option<Decimal>,
}

/// The field `network.ports`.
#[derive(Deserialize, Default)]
pub(crate) struct BothPorts {
    #[serde(default, deserialize_with = "ports")]
    pub send: Ports,
    #[serde(default, deserialize_with = "ports")]
    pub receive: Ports,
}

/// The field `model`.
#[derive(Deserialize)]
pub(crate) struct Model {
    pub switching: String,
    #[serde(default)]
    pub combining: Option<bool>,
    #[serde(default)]
    pub hop: Option<u32>,
    #[serde(default)]
    pub cyclic: Option<bool>,
}

/// An entry of the field `generators`.
#[derive(Deserialize)]
pub(crate) struct Generator {
    pub order: u32,
    #[serde(default)]
    pub shift: Option<u64>,
    pub nodes: Vec<u32>,
    #[serde(default)]
    pub channels: Option<Vec<u32>>,
}

/// The field `bound`.
#[derive(Deserialize)]
pub(crate) struct Bound {
    pub steps: u64,
    #[serde(deserialize_with = "object")]
    pub certificate: Certificate,
}

/// An entry of the field `bound.certificate.odd`.
#[derive(Deserialize)]
pub(crate) struct OddSet {
    pub nodes: Vec<u32>,
    pub weight: String,
}

/// The field `bound.certificate`, with the fields of all kinds.
#[derive(Deserialize)]
pub(crate) struct Certificate {
    pub kind: String,
    pub node: Option<u32>,
    pub nodes: Option<Vec<u32>>,
    pub contributors: Option<Vec<u32>>,
    pub destinations: Option<Vec<u32>>,
    pub weights: Option<Rationals>,
    pub multipliers: Option<Vec<(u32, u64)>>,
    pub send: Option<Rationals>,
    pub receive: Option<Rationals>,
    pub odd: Option<Vec<Object<OddSet>>>,
    pub worth: Option<Vec<(u32, u32, u64)>>,
    pub prices: Option<Vec<Vec<u64>>>,
    pub send_prices: Option<Vec<Vec<u64>>>,
    pub receive_prices: Option<Vec<Vec<u64>>>,
    pub from: Option<u32>,
    pub to: Option<u32>,
    pub formula: Option<String>,
    pub proof: Option<String>,
    pub text: Option<String>,
}

/// What stands in braces: a list of values, in the order of the fields, is not taken for it.
pub(crate) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        object(from).map(Object)
    }
}

pub(crate) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    struct Wanted<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Wanted<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }
    from.deserialize_map(Wanted(PhantomData))
}

/// The fields of an object, each there once.
pub(crate) fn fields<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    struct Wanted;
    impl<'de> Visitor<'de> for Wanted {
        type Value = Map<String, Value>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut fields = Map::new();
            while let Some((name, value)) = map.next_entry::<String, Value>()? {
                if fields.insert(name.clone(), value).is_some() {
                    return Err(A::Error::custom(format!("duplicate field `{name}`")));
                }
            }
            Ok(fields)
        }
    }
    from.deserialize_map(Wanted)
}

fn ports<'de, D: Deserializer<'de>>(from: D) -> Result<Ports, D::Error> {
    struct Wanted;
    impl<'de> Visitor<'de> for Wanted {
        type Value = Ports;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("null, a number of ports, or a list of one number or null a node")
        }

        fn visit_unit<E: Error>(self) -> Result<Ports, E> {
            Ok(Ports::All)
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Ports, E> {
            let number =
                u32::try_from(number).map_err(|_| E::custom(format!("{number} ports are more than 2^32 - 1")))?;
            Ok(Ports::Each(number))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Ports, A::Error> {
            let mut ports = Vec::new();
            while let Some(number) = list.next_element()? {
                ports.push(number);
            }
            Ok(Ports::List(ports))
        }
    }
    from.deserialize_any(Wanted)
}

/// The field `messages`, flat: a million messages in a handful of allocations.
#[derive(Default)]
pub(crate) struct Messages {
    ends: Vec<(usize, usize)>,
    origins: Vec<Node>,
    destinations: Vec<Node>,
    /// The first message with a field that only semantics `copy` (`from`) or `reduce` (`contributors`) has.
    pub first_from: Option<usize>,
    /// As `first_from`.
    pub first_contributors: Option<usize>,
}

impl Messages {
    /// Number of messages.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a message, whose semantics are not said.
    pub(crate) fn push(&mut self, from: &[Node], to: &[Node]) {
        self.origins.extend_from_slice(from);
        self.destinations.extend_from_slice(to);
        self.ends.push((self.origins.len(), self.destinations.len()));
    }

    /// Origins and destinations of each message.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (Vec<Node>, Vec<Node>)> + '_ {
        (0..self.len()).map(|at| {
            let start = at.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
            let end = self.ends[at];
            (self.origins[start.0..end.0].to_vec(), self.destinations[start.1..end.1].to_vec())
        })
    }
}

#[derive(Deserialize)]
struct OneMessage {
    from: Option<u32>,
    contributors: Option<Vec<u32>>,
    to: Vec<u32>,
}

impl<'de> Deserialize<'de> for Messages {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Messages;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of messages")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Messages, A::Error> {
                let mut all = Messages::default();
                while let Some(Object(one)) = list.next_element::<Object<OneMessage>>()? {
                    let at = all.len();
                    match (one.from, one.contributors) {
                        (Some(node), None) => {
                            all.first_from.get_or_insert(at);
                            all.origins.push(Node(node));
                        }
                        (None, Some(nodes)) => {
                            all.first_contributors.get_or_insert(at);
                            all.origins.extend(nodes.into_iter().map(Node));
                        }
                        _ => {
                            return Err(A::Error::custom(format!(
                                "message {at} needs `from` or `contributors`, one of the two"
                            )));
                        }
                    }
                    all.destinations.extend(one.to.into_iter().map(Node));
                    all.ends.push((all.origins.len(), all.destinations.len()));
                }
                Ok(all)
            }
        }
        from.deserialize_seq(Wanted)
    }
}
