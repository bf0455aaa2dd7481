//! **What:** the field `steps`, read transfer by transfer straight into a [`Schedule`].

use kernel::{Channel, Message, Op, Schedule, Transfer};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Schedule, D::Error> {
    let mut filling = Filling::default();
    from.deserialize_seq(Steps(&mut filling))?;
    Ok(filling.schedule)
}

/// The schedule so far, and room for the transfer at hand.
#[derive(Default)]
struct Filling {
    schedule: Schedule,
    messages: Vec<Message>,
    path: Vec<Channel>,
    partials: Vec<u32>,
}

struct Steps<'a>(&'a mut Filling);

impl<'de> Visitor<'de> for Steps<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of steps")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(Step(self.0))?.is_some() {}
        Ok(())
    }
}

struct Step<'a>(&'a mut Filling);

impl<'de> DeserializeSeed<'de> for Step<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.0.schedule.begin_step();
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Step<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a step: a list of transfers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(OneTransfer(self.0))?.is_some() {}
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Messages,
    Path,
    Op,
    Partials,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OpName {
    Reduce,
    Copy,
    Keep,
}

impl From<OpName> for Op {
    fn from(name: OpName) -> Self {
        match name {
            OpName::Reduce => Op::Reduce,
            OpName::Copy => Op::Copy,
            OpName::Keep => Op::Keep,
        }
    }
}

struct OneTransfer<'a>(&'a mut Filling);

impl<'de> DeserializeSeed<'de> for OneTransfer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OneTransfer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a transfer with `messages` and `path`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Filling { schedule, messages, path, partials } = self.0;
        messages.clear();
        path.clear();
        partials.clear();
        let (mut has_messages, mut has_path, mut has_partials, mut op) = (false, false, false, None);
        while let Some(field) = map.next_key()? {
            match field {
                Field::Messages if has_messages => return Err(A::Error::duplicate_field("messages")),
                Field::Path if has_path => return Err(A::Error::duplicate_field("path")),
                Field::Partials if has_partials => return Err(A::Error::duplicate_field("partials")),
                Field::Op if op.is_some() => return Err(A::Error::duplicate_field("op")),
                Field::Messages => {
                    map.next_value_seed(Numbers(|id| messages.push(Message(id))))?;
                    has_messages = true;
                }
                Field::Path => {
                    map.next_value_seed(Numbers(|id| path.push(Channel(id))))?;
                    has_path = true;
                }
                Field::Partials => {
                    partials.extend(map.next_value::<Option<Vec<u32>>>()?.unwrap_or_default());
                    has_partials = true;
                }
                Field::Op => op = Some(map.next_value::<OpName>()?.into()),
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if !has_messages {
            return Err(A::Error::missing_field("messages"));
        }
        if !has_path {
            return Err(A::Error::missing_field("path"));
        }
        schedule.push(Transfer { messages, path, op: op.unwrap_or_default(), partials });
        Ok(())
    }
}

/// A list of identifiers, each handed on as it is read.
struct Numbers<F>(F);

impl<'de, F: FnMut(u32)> DeserializeSeed<'de> for Numbers<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(u32)> Visitor<'de> for Numbers<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(id) = list.next_element()? {
            self.0(id);
        }
        Ok(())
    }
}
