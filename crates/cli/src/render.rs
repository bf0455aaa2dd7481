//! **What:** facts and violations as JSON and as lines of text.

use kernel::product::ProductFault;
use kernel::timed::TimedFault;
use kernel::{Certificate, Model, Problem, Slots, Violation};
use serde_json::{Map, Value};

/// A violation as an object: its `rule`, its data, and the sentence.
pub(crate) fn violation(violation: &Violation) -> Value {
    let mut object = Map::new();
    object.insert("rule".into(), violation.rule().into());
    for (name, value) in fields(violation) {
        object.insert(name.into(), value.into());
    }
    object.insert("text".into(), violation.to_string().into());
    Value::Object(object)
}

/// Makes `(name, number)` pairs of the fields named.
macro_rules! numbers {
    ($($field:ident),*) => { vec![$((stringify!($field), number(*$field))),*] };
}

/// Whatever a violation counts or names, as a number.
trait Number: Copy {
    fn as_u64(self) -> u64;
}

macro_rules! number_of {
    ($($kind:ty => $way:expr),* $(,)?) => { $(impl Number for $kind { fn as_u64(self) -> u64 { $way(self) } })* };
}

number_of! {
    usize => |n: usize| n as u64,
    u64 => |n: u64| n,
    u32 => u64::from,
    kernel::Node => |n: kernel::Node| u64::from(n.0),
    kernel::Channel => |c: kernel::Channel| u64::from(c.0),
    kernel::Message => |m: kernel::Message| u64::from(m.0),
}

fn number(value: impl Number) -> u64 {
    value.as_u64()
}

fn fields(violation: &Violation) -> Vec<(&'static str, u64)> {
    use Violation as V;
    match violation {
        V::Unnumbered { messages } => numbers!(messages),
        V::OtherProblem => Vec::new(),
        V::NoSuchMessage { step, transfer, message } => numbers!(step, transfer, message),
        V::NoSuchChannel { step, transfer, channel } => numbers!(step, transfer, channel),
        V::NoMessage { step, transfer } => numbers!(step, transfer),
        V::EmptyPath { step, transfer } => numbers!(step, transfer),
        V::Combined { step, transfer, count } => numbers!(step, transfer, count),
        V::MessageTwice { step, transfer, message } => numbers!(step, transfer, message),
        V::BrokenPath { step, transfer, position, channel, at, leaves } => {
            numbers!(step, transfer, position, channel, at, leaves)
        }
        V::ChannelTwice { step, transfer, channel } => numbers!(step, transfer, channel),
        V::BeginsAtSwitch { step, transfer, node } => numbers!(step, transfer, node),
        V::EndsAtSwitch { step, transfer, node } => numbers!(step, transfer, node),
        V::PassesThrough { step, transfer, node } => numbers!(step, transfer, node),
        V::NotOneHop { step, transfer, hops } => numbers!(step, transfer, hops),
        V::AfterPeriod { step, transfer, ends, period } => numbers!(step, transfer, ends, period),
        V::ChannelOverloaded { step, channel, used, capacity } => numbers!(step, channel, used, capacity),
        V::HalfDuplex { step, group, first, second } => numbers!(step, group, first, second),
        V::SendPorts { step, node, used, ports } => numbers!(step, node, used, ports),
        V::ReceivePorts { step, node, used, ports } => numbers!(step, node, used, ports),
        V::NotHeld { step, transfer, node, message } => numbers!(step, transfer, node, message),
        V::CountedTwice { step, transfer, node, message, contributor } => {
            numbers!(step, transfer, node, message, contributor)
        }
        V::NoSuchPartial { step, transfer, node, message, partial } => {
            numbers!(step, transfer, node, message, partial)
        }
        V::PartialsOfSeveral { step, transfer, count } => numbers!(step, transfer, count),
        V::Undelivered { message, node } => numbers!(message, node),
        V::Incomplete { message, node, contributor } => numbers!(message, node, contributor),
        V::ShiftCount { found, expected } => numbers!(found, expected),
        V::ShiftNotCyclic { generator, shift, order, steps } => numbers!(generator, shift, order, steps),
        V::Product(ProductFault::Shared { step, channel }) => numbers!(step, channel),
        V::Timed(fault) => timed(fault),
        // What is wrong with the form itself is told by its sentence.
        V::Product(_) => Vec::new(),
    }
}

/// Rates are told by the sentence.
fn timed(fault: &TimedFault) -> Vec<(&'static str, u64)> {
    use TimedFault as F;
    match fault {
        F::Order { step, tick, before } => numbers!(step, tick, before),
        F::NoRate { step, transfer } | F::TooFine { step, transfer } | F::TooLong { step, transfer } => {
            numbers!(step, transfer)
        }
        F::Rate { step, transfer, channel, .. } | F::PathsMeet { step, transfer, channel } => {
            numbers!(step, transfer, channel)
        }
        F::NoCopy { step, transfer, path, node } => numbers!(step, transfer, path, node),
        F::Bandwidth { tick, channel, .. } => numbers!(tick, channel),
        F::HalfDuplex { tick, group, .. } => numbers!(tick, group),
        F::SendPorts { tick, node, used, ports } | F::ReceivePorts { tick, node, used, ports } => {
            numbers!(tick, node, used, ports)
        }
        F::CopyAndReduce { tick, node, message } => numbers!(tick, node, message),
    }
}

/// In a few words, what a certificate rests on.
pub(crate) fn reason(problem: &Problem, certificate: &Certificate) -> String {
    format!("{}: {}", certificate.proof.kind(), certificate.reason(problem.network()))
}

/// Microseconds with as many digits as tell times of a network apart.
pub(crate) fn micros(time: f64) -> String {
    let places = if time < 10.0 {
        4
    } else if time < 1000.0 {
        3
    } else {
        1
    };
    format!("{time:.places$}")
}

/// The model in words.
pub(crate) fn model(model: Model) -> String {
    let mut switching = model.switching.name().to_owned();
    if let Some(Slots { hop, cyclic }) = model.switching.slots() {
        switching += &format!(", {hop} slot(s) a hop{}", if cyclic { ", cyclic" } else { "" });
    }
    if model.combining { format!("{switching}, combining") } else { switching }
}

/// The model in words, and what switches do.
pub(crate) fn rules(problem: &Problem) -> String {
    let model = model(problem.model());
    match problem.network().data().relays.len() {
        0 => model,
        1 => format!("{model}; a switch stores, copies and merges"),
        relays => format!("{model}; {relays} switches store, copy and merge"),
    }
}

/// How many orbits stand for all messages, and how many messages each.
pub(crate) fn orbits(count: usize, order: u32) -> String {
    match count {
        1 => format!("1 orbit of {order} messages"),
        _ => format!("{count} orbits of {order} messages each"),
    }
}
