//! **What:** the rows of both tables, and how a schedule makes them.

use super::{Head, Kind};
use kernel::{Channel, Network, Node, Verified};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use simulate::play::{Parallel, PlayError, Transfers};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{Error, ErrorKind, Result};

/// A channel at a router, by its place among those that enter, or leave; of one that carries several transfers in a step which of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Unit {
    pub port: u32,
    pub unit: u32,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            0 => self.port.fmt(f),
            unit => write!(f, "{}.{unit}", self.port),
        }
    }
}

/// A port of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Port {
    /// To or from the node itself.
    Local,
    /// A channel.
    Channel(Unit),
}

impl Port {
    /// Which unit of its channel; 0 for the node itself.
    pub(crate) fn unit(self) -> u32 {
        if let Port::Channel(Unit { unit, .. }) = self { unit } else { 0 }
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Port::Local => f.write_str("local"),
            Port::Channel(unit) => unit.fmt(f),
        }
    }
}

impl std::str::FromStr for Port {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        if text == "local" {
            return Ok(Port::Local);
        }
        let (port, unit) = text.split_once('.').unwrap_or((text, "0"));
        let number = |text: &str| text.parse().map_err(|_| ());
        Ok(Port::Channel(Unit { port: number(port)?, unit: number(unit)? }))
    }
}

impl Serialize for Port {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Port::Channel(Unit { port, unit: 0 }) => port.serialize(serializer),
            named => serializer.collect_str(named),
        }
    }
}

impl<'de> Deserialize<'de> for Port {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Said {
            Channel(u32),
            Word(String),
        }
        match Said::deserialize(deserializer)? {
            Said::Channel(port) => Ok(Port::Channel(Unit { port, unit: 0 })),
            Said::Word(word) => {
                word.parse().map_err(|()| serde::de::Error::custom(format!("`{word}` is neither a port nor `local`")))
            }
        }
    }
}

/// The header of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Route {
    pub step: u32,
    pub node: u32,
    pub to: u32,
    pub messages: u32,
    pub ports: Vec<u32>,
}

/// A turn of a router; of those that do not begin at the node itself, `messages` says nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Turn {
    pub step: u32,
    pub node: u32,
    pub input: Port,
    pub output: Port,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub messages: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    Routes(Vec<Route>),
    Turns(Vec<Turn>),
}

/// The place of every channel among those that leave a node, and among those that enter one.
pub(super) struct Places {
    outputs: Vec<u32>,
    pub inputs: Vec<u32>,
}

impl Places {
    pub(super) fn of(network: &Network) -> Self {
        let mut places = Places { outputs: vec![0; network.channel_count()], inputs: vec![0; network.channel_count()] };
        for node in network.nodes() {
            let set = |list: &mut Vec<u32>, channels: &[Channel]| {
                (0u32..).zip(channels).for_each(|(at, channel)| list[channel.index()] = at);
            };
            set(&mut places.outputs, network.outgoing(node));
            set(&mut places.inputs, network.incoming(node));
        }
        places
    }
}

impl Rows {
    /// # Errors
    /// Two transfers that a slot table cannot tell apart.
    pub(super) fn of(schedule: &Verified, head: &Head) -> Result<Self> {
        match head.kind {
            Kind::SourceRoutes => Ok(Rows::Routes(routes(schedule))),
            Kind::SlotTables => turns(schedule, head).map(Rows::Turns),
        }
    }
}

fn routes(schedule: &Verified) -> Vec<Route> {
    let network = schedule.problem().network();
    let places = Places::of(network);
    let mut routes = Vec::new();
    for (step, number) in (0..schedule.steps()).zip(0u32..) {
        for sent in schedule.step(step) {
            let [Some(first), Some(last)] = [sent.path.first(), sent.path.last()] else { continue };
            routes.push(Route {
                step: number,
                node: network.from(*first).0,
                to: network.to(*last).0,
                messages: count(sent.messages().len()),
                ports: sent.path.iter().map(|channel| places.outputs[channel.index()]).collect(),
            });
        }
    }
    routes
}

fn turns(schedule: &Verified, head: &Head) -> Result<Vec<Turn>> {
    let network = schedule.problem().network();
    let places = Places::of(network);
    let mut turns = Vec::new();
    let mut units = units(schedule)?.into_iter();
    for (step, number) in (0..schedule.steps()).zip(0u32..) {
        for sent in schedule.step(step) {
            let units = units.next().unwrap_or_default();
            let Some(first) = sent.path.first() else { continue };
            let (mut node, mut input, mut messages) = (network.from(*first), Port::Local, count(sent.messages().len()));
            for (at, channel) in (0u32..).zip(sent.path.iter()) {
                let unit = units.get(at as usize).copied().unwrap_or(0);
                let on = |port| Port::Channel(Unit { port, unit });
                let output = on(places.outputs[channel.index()]);
                turns.push(Turn { step: head.slot(number, at), node: node.0, input, output, messages });
                (node, input, messages) = (network.to(*channel), on(places.inputs[channel.index()]), 0);
            }
            let step = head.slot(number, count(sent.path.len()));
            turns.push(Turn { step, node: node.0, input, output: Port::Local, messages });
        }
    }
    turns.sort_unstable();
    told_apart(&turns, network)?;
    Ok(turns)
}

/// Which of the transfers of a channel in a step each is, by transfer and hop; none where channels carry one.
pub(crate) fn units(schedule: &Verified) -> Result<Vec<Vec<u32>>> {
    let network = schedule.problem().network();
    let refused = |error: PlayError| Error::new(ErrorKind::InvalidData, error.to_string());
    if network.channels().all(|channel| network.capacity(channel) == 1) {
        return Ok(Vec::new());
    }
    let parallel = Parallel::of(network).map_err(refused)?;
    let unit =
        |copy: &Channel| parallel.copies(parallel.base(*copy)).position(|channel| channel == *copy).map_or(0, count);
    let paths = parallel.paths(&Transfers::of(schedule).map_err(refused)?);
    Ok(paths.iter().map(|path| path.iter().map(unit).collect()).collect())
}

fn count(length: usize) -> u32 {
    u32::try_from(length).expect("messages and hops have 32-bit numbers")
}

/// Refuses ports that are used twice in a step.
fn told_apart(turns: &[Turn], network: &Network) -> Result<()> {
    let mut seen = HashSet::new();
    for turn in turns {
        for (is_input, port) in [(true, turn.input), (false, turn.output)] {
            if port != Port::Local && !seen.insert((turn.step, turn.node, is_input, port)) {
                let end = if is_input { "input" } else { "output" };
                let node = network.label(Node(turn.node));
                let why = format!(
                    "in step {} two transfers take {end} {port} of node {node}, whose turns a slot table cannot tell apart; source-routes holds them",
                    turn.step
                );
                return Err(Error::new(ErrorKind::InvalidData, why));
            }
        }
    }
    Ok(())
}

impl Head {
    /// The slot of the turn into the channel `at` of a path that begins in `step`.
    pub(super) fn slot(&self, step: u32, at: u32) -> u32 {
        let Some(slots) = self.slots else { return step };
        let slot = step.saturating_add(at.saturating_mul(slots.hop));
        if slots.cyclic { slot % self.steps.max(1) } else { slot }
    }
}

/// The turns by step, node and input port; those from a node itself are the beginnings.
pub(super) type ByInput<'a> = HashMap<(u32, u32, Unit), &'a Turn>;
