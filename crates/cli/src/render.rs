//! **What:** facts and violations as JSON and as lines of text.

use kernel::{Certificate, Model, Problem, Proof, Switching, Violation};
use serde_json::{Map, Value};

/// A violation as an object: its `rule`, its data, and the sentence.
pub fn violation(violation: &Violation) -> Value {
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
        V::Undelivered { message, node } => numbers!(message, node),
        V::Incomplete { message, node, contributor } => numbers!(message, node, contributor),
        V::ShiftCount { found, expected } => numbers!(found, expected),
        V::ShiftNotCyclic { generator, shift, order, steps } => numbers!(generator, shift, order, steps),
    }
}

/// How many nodes a set has, and the word that stands for them.
fn set_of(nodes: &[kernel::Node]) -> (String, &'static str) {
    if let [_] = nodes { ("1 node".into(), "it") } else { (format!("{} nodes", nodes.len()), "them") }
}

/// In a few words, what a certificate rests on.
pub fn reason(problem: &Problem, certificate: &Certificate) -> String {
    let name = |node: &kernel::Node| {
        let label = problem.network().label(*node);
        if label == node.to_string() { format!("node {node}") } else { format!("node {node} ({label})") }
    };
    match &certificate.proof {
        Proof::Send { node } => format!("send: what {} must send, over what it sends in a step", name(node)),
        Proof::Receive { node } => {
            format!("receive: what {} must receive, over what it receives in a step", name(node))
        }
        Proof::Cut { nodes } => {
            let (set, them) = set_of(nodes);
            format!("cut: what must leave {set}, over the channels that leave {them}")
        }
        Proof::LateCut { nodes } => {
            let (set, them) = set_of(nodes);
            format!(
                "late-cut: what must leave {set}, over the channels that leave {them}, with the steps to and from these"
            )
        }
        Proof::Lengths { .. } => "lengths: the weighted distances of all messages, over the weighted capacity".into(),
        Proof::PortLengths { odd, .. } if !odd.is_empty() => {
            let why = "the weighted distances of all messages, over the weighted capacity";
            format!("lengths: {why}, of which {} odd nodes cannot use all", odd.len())
        }
        Proof::PortLengths { .. } => {
            "lengths: the weighted distances of all messages, over the weighted capacity of channels and ports".into()
        }
        Proof::Growth => "growth: how fast the copies of one message can multiply".into(),
        Proof::Start => "start: all arrivals over all channels, with what the first slots cannot use".into(),
        Proof::Distance { from, to } => {
            format!("distance: a message from {} to {}, a channel a step", name(from), name(to))
        }
        Proof::Combination { multipliers } => {
            format!("combination: {} rules of the formula of fewer steps contradict each other", multipliers.len())
        }
        Proof::Unsat { .. } => "unsat: the formula of fewer steps has no solution, with a proof".into(),
        Proof::Argument { .. } => "argument: a proof in words".into(),
    }
}

/// The model in words.
pub fn model(model: Model) -> String {
    let switching = match model.switching {
        Switching::Wormhole => "wormhole".to_owned(),
        Switching::StoreAndForward => "store-and-forward".to_owned(),
        Switching::Tdm { hop, cyclic } => format!("tdm, {hop} slot(s) a hop{}", if cyclic { ", cyclic" } else { "" }),
    };
    if model.combining { format!("{switching}, combining") } else { switching }
}
