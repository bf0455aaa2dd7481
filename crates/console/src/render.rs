//! **What:** facts and violations as JSON and as lines of text.

use kernel::product::ProductFault;
use kernel::timed::{TimedCertificate, TimedFault, TimedProblem};
use kernel::{Certificate, Certified, Channel, Model, Network, Problem, Slots, Switching, Violation, Within};
use serde_json::{Map, Value, json};

/// The two ends of a channel with an arrow between them.
pub fn channel(network: &Network, channel: Channel, arrow: &str) -> String {
    let [from, to] = [network.from(channel), network.to(channel)].map(|node| network.name_of(node));
    format!("{from}{arrow}{to}")
}

/// A violation as an object: its `rule`, its data, and the sentence.
pub fn violation(violation: &Violation, network: &Network) -> Value {
    let mut object = Map::new();
    object.insert("rule".into(), violation.rule().into());
    for (name, value) in fields(violation) {
        object.insert(name.into(), value.into());
    }
    let channel = fields(violation).into_iter().find(|(name, _)| *name == "channel");
    let channel =
        channel.and_then(|(_, number)| usize::try_from(number).ok()).filter(|at| *at < network.channel_count());
    if let Some(channel) = channel.map(Channel::new) {
        object.insert("from".into(), network.from(channel).0.into());
        object.insert("to".into(), network.to(channel).0.into());
    }
    object.insert("text".into(), sentence(violation, network).into());
    Value::Object(object)
}

/// A violation as a sentence, with the names of the nodes in it where they have some, and with the ends of its channels.
pub fn sentence(violation: &Violation, network: &Network) -> String {
    let mut text = violation.to_string();
    let names = network.names().unwrap_or_default();
    let mut told: Vec<String> = Vec::new();
    for (field, number) in fields(violation) {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        let name = match field {
            "node" | "at" | "leaves" | "contributor" => names.get(at).map(|name| format!("node {number} is {name}")),
            "channel" | "first" | "second" if at < network.channel_count() => {
                Some(format!("channel {number} is {}", channel(network, Channel::new(at), "→")))
            }
            _ => None,
        };
        told.extend(name.filter(|name| !told.contains(name)));
    }
    if !told.is_empty() {
        text.push_str(&format!(" ({})", told.join(", ")));
    }
    text
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
        V::PartialsOfSeveral { step, transfer, count, partials } => numbers!(step, transfer, count, partials),
        V::Undelivered { message, node } => numbers!(message, node),
        V::Incomplete { message, node, contributor } => numbers!(message, node, contributor),
        V::ShiftCount { found, expected } => numbers!(found, expected),
        V::ShiftNotCyclic { generator, shift, order, steps } => numbers!(generator, shift, order, steps),
        V::Product(ProductFault::Shared { step, channel }) => numbers!(step, channel),
        V::Timed(fault) => timed(fault),
        // What is wrong with the form itself is told by its sentence.
        V::Product(_) | V::ShiftedMerging => Vec::new(),
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

/// In a sentence, what a bound rests on, and where that is proved.
pub fn reason(certified: &Certified) -> String {
    let kind = certified.certificate().proof.kind();
    format!("{kind}: {} ({PROOFS}#{kind})", certified.reason())
}

/// The same of a certificate of time.
pub fn timed_reason(problem: &TimedProblem, certificate: &TimedCertificate) -> String {
    format!("{}: {} ({PROOFS}#{TIMED})", certificate.proof.kind(), certificate.reason(problem))
}

/// The page that proves what certificates prove, with a section a kind, and its section on time.
const PROOFS: &str = "docs/certificates.md";
const TIMED: &str = "bounds-of-time";

/// A bound for programs.
pub fn certified(bound: &Certified) -> Value {
    certificate(bound.certificate(), &bound.reason())
}

/// A certificate for programs: its kind, what it rests on, and where that is proved.
pub fn certificate(certificate: &Certificate, reason: &str) -> Value {
    let kind = certificate.proof.kind();
    json!({"kind": kind, "steps": certificate.steps, "reason": reason, "section": format!("{PROOFS}#{kind}")})
}

/// The same of a certificate of time.
pub fn timed_certificate(problem: &TimedProblem, certificate: &TimedCertificate) -> Value {
    let (kind, reason) = (certificate.proof.kind(), certificate.reason(problem));
    json!({"kind": kind, "ticks": certificate.ticks, "reason": reason, "section": format!("{PROOFS}#{TIMED}")})
}

/// A certificate with all that its proof says.
pub fn whole(mut short: Value, proof: &Value) -> Value {
    if let (Value::Object(short), Value::Object(proof)) = (&mut short, proof) {
        short.extend(proof.clone());
    }
    short
}

/// A count of things, such as `1 step` or `8 steps`.
pub fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// What people are told of a time and its bound: `1.2 µs, lower bound 1.1 µs: within 9.1 % of optimal`.
pub fn time(taken: f64, bound: Option<f64>, optimal: bool) -> String {
    let taken_micros = micros(taken);
    match bound {
        None => format!("{taken_micros} µs, without a lower bound"),
        Some(bound) if optimal => format!("{taken_micros} µs, lower bound {} µs: optimal", micros(bound)),
        Some(bound) if bound > 0.0 => {
            let gap = Within(100.0 * (taken - bound) / bound);
            format!("{taken_micros} µs, lower bound {} µs: {gap}", micros(bound))
        }
        Some(bound) => format!("{taken_micros} µs, lower bound {} µs", micros(bound)),
    }
}

/// What is said where no channel has a latency and a time is so short that it would matter.
pub fn without_latency(problem: &TimedProblem, micros: f64) -> Option<String> {
    let none = problem.links().latency.iter().all(|latency| latency.numerator == 0);
    (none && micros < SHORT)
        .then(|| "  no channel has a latency, which matters in times this short; --latency 1us adds one".into())
}

/// Microseconds; latencies are about one.
const SHORT: f64 = 100.0;

/// Microseconds with as many digits as tell times of a network apart.
pub fn micros(time: f64) -> String {
    let places = if time < 10.0 {
        4
    } else if time < 1000.0 {
        3
    } else {
        1
    };
    format!("{time:.places$}")
}

/// The model in a word or two.
pub fn model(model: Model) -> String {
    let mut switching = model.switching.name().to_owned();
    if let Some(Slots { hop, cyclic }) = model.switching.slots() {
        switching += &format!(", {} a hop{}", count(hop.into(), "slot"), if cyclic { ", cyclic" } else { "" });
    }
    if model.combining { format!("{switching}, combining") } else { switching }
}

/// The model, with what it means for a step.
fn meaning(model: Model) -> String {
    let means = match model.switching {
        Switching::Wormhole => "a path of any length takes one step",
        Switching::StoreAndForward => "a message crosses one channel per step",
        Switching::Tdm { .. } => {
            "steps are the slots of a repeating period, and a message crosses its path in successive slots"
        }
    };
    let combined = if model.combining { ", and a transfer carries any number of messages" } else { "" };
    format!("{}: {means}{combined}", self::model(model))
}

/// The model with what it means, and what switches do.
pub fn rules(problem: &Problem) -> String {
    let model = meaning(problem.model());
    match problem.network().data().relays.len() {
        0 => model,
        1 => format!("{model}; a switch stores, copies and merges"),
        relays => format!("{model}; {relays} switches store, copy and merge"),
    }
}

/// How many orbits stand for all messages, and how many messages each.
pub fn orbits(count: usize, order: u32) -> String {
    match count {
        1 => format!("1 orbit of {order} messages"),
        _ => format!("{count} orbits of {order} messages each"),
    }
}

/// Six significant digits.
pub fn short(time: f64) -> String {
    if time != 0.0 && !(1e-4..1e15).contains(&time) {
        return format!("{time:.5e}");
    }
    let whole = if time < 1.0 { 1 } else { time.log10() as usize + 1 };
    let text = format!("{time:.*}", 6usize.saturating_sub(whole));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Columns of text, each as wide as its widest entry.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(text, &width)| format!("{text:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Letters of a line of a list, where standard output is no terminal.
const WIDEST: usize = 100;

/// The same, with lines that end where those of the terminal end.
pub fn short_lines(rows: &[Vec<String>]) -> String {
    let terminal = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    let widest = terminal.map_or(WIDEST, |width| width.max(20));
    let cut = |line: &str| match line.chars().count() > widest {
        true => line.chars().take(widest - 1).chain(['…']).collect(),
        false => line.to_owned(),
    };
    table(rows).lines().map(cut).collect::<Vec<String>>().join("\n")
}
