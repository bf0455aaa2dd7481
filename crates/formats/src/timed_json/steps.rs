//! **What:** the field `steps` of schedules in time, read transfer by transfer straight into a [`TimedSchedule`].

use crate::decimal::Decimal;
use crate::schedule_json::OpName;
use crate::schedule_json::raw::Object;
use kernel::timed::TimedSchedule;
use kernel::{Channel, Message, Transfer};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;

/// A transfer as its JSON says it.
#[derive(Deserialize)]
struct OneTransfer {
    messages: Vec<u32>,
    #[serde(default)]
    path: Option<Vec<u32>>,
    #[serde(default)]
    paths: Option<Vec<Vec<u32>>>,
    #[serde(default)]
    rate: Option<Decimal>,
    #[serde(default)]
    op: Option<OpName>,
    #[serde(default)]
    partials: Option<Vec<u32>>,
}

/// Steps whose times are not known yet.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimedSchedule>, D::Error> {
    let mut schedule = TimedSchedule::default();
    from.deserialize_seq(Steps(&mut schedule))?;
    Ok(Some(schedule))
}

struct Steps<'a>(&'a mut TimedSchedule);

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

struct Step<'a>(&'a mut TimedSchedule);

impl<'de> DeserializeSeed<'de> for Step<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.0.begin_step(0);
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Step<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a step: a list of transfers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(Object(one)) = list.next_element::<Object<OneTransfer>>()? {
            push(self.0, one).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

fn push(schedule: &mut TimedSchedule, one: OneTransfer) -> Result<(), &'static str> {
    let mut paths = match (one.path, one.paths) {
        (Some(path), None) => vec![path],
        (None, Some(paths)) if !paths.is_empty() => paths,
        _ => return Err("a transfer needs `path`, or `paths` of at least one; one of the two"),
    }
    .into_iter()
    .map(|path| path.into_iter().map(Channel).collect::<Vec<Channel>>());
    let messages: Vec<Message> = one.messages.into_iter().map(Message).collect();
    let first = paths.next().unwrap_or_default();
    let others: Vec<Vec<Channel>> = paths.collect();
    let (op, partials) = (one.op.map(Into::into).unwrap_or_default(), one.partials.unwrap_or_default());
    let transfer = Transfer { messages: &messages, path: &first, op, partials: &partials };
    schedule.push(transfer, one.rate.map(|Decimal(rate)| rate), &others);
    Ok(())
}
