//! **What:** what a page knows of a schedule, as flat lists of numbers.

use super::MOST_USES;
use super::floor::Bound;
use crate::Layout;
use crate::items::{Item, Loads, items, loads, slots, title};
use crate::roles::{Role, roles};
use crate::senders::Senders;
use kernel::{Certified, Network, Node, Op, Semantics, Sent as Transfer, Verified};
use serde::Serialize;
use std::collections::BTreeMap;

/// One schedule. Lists of lists are stored as their lengths and one flat list.
#[derive(Serialize)]
pub(super) struct Page {
    title: String,
    network: Net,
    /// The part of each node; absent where all terminals send and receive, or where a root is named.
    roles: Option<Vec<Role>>,
    /// The rank of each node among the senders, for its colour.
    ranks: Vec<usize>,
    /// How many nodes send.
    senders: usize,
    /// `step`, or `slot` under time-division.
    word: &'static str,
    /// Slots a hop takes, and whether slots wrap round; absent but under time-division.
    tdm: Option<(u32, bool)>,
    collective: String,
    model: String,
    reduce: bool,
    messages: Messages,
    /// Steps of the whole schedule; the lists may hold fewer.
    steps: usize,
    transfers: u64,
    uses: u64,
    sent: Sent,
    floor: Option<Bound>,
    optimal: bool,
}

/// A network as it is drawn.
#[derive(Serialize)]
pub(super) struct Net {
    name: String,
    /// How it was laid out.
    layout: &'static str,
    width: i64,
    height: i64,
    radius: f64,
    /// Positions in tenths of a pixel.
    xy: Vec<i64>,
    switches: Vec<u32>,
    /// One a node, where they differ from the numbers.
    labels: Option<Vec<String>>,
    /// The names as they stand in the picture, which may be shorter, and of each: node, x, y and size, the last three in tenths.
    names: Vec<String>,
    named: Vec<i64>,
    /// Links that have failed, a curve each.
    failed: Vec<i64>,
    /// Nodes drawn again: node, x, y.
    again: Vec<i64>,
    from: Vec<u32>,
    to: Vec<u32>,
    capacities: Option<Vec<u32>>,
    /// Curves a channel, and six numbers a curve, in tenths of a pixel.
    curves: Vec<usize>,
    wires: Vec<i64>,
}

#[derive(Serialize)]
struct Messages {
    /// How many there are, of which the lists may hold fewer.
    count: u64,
    /// Their numbers, ascending; absent where the lists hold all.
    numbers: Option<Vec<u64>>,
    from_counts: Vec<usize>,
    from: Vec<u32>,
    to_counts: Vec<usize>,
    to: Vec<u32>,
    /// Of each node, how many messages that are not in the lists start there.
    held: Option<Vec<u64>>,
    /// And how many of them must end there.
    wanted: Option<Vec<u64>>,
}

#[derive(Serialize)]
struct Sent {
    /// Transfers a step.
    steps: Vec<usize>,
    /// Messages a transfer; absent where it is always one.
    message_counts: Option<Vec<usize>>,
    /// Positions in the list of messages.
    messages: Vec<usize>,
    hops: Vec<usize>,
    path: Vec<u32>,
    /// Positions of the transfers that replace instead of merge.
    copies: Vec<usize>,
    /// Positions of those that are kept apart.
    kept: Vec<usize>,
    /// Of the transfers that choose among what is kept apart, their position: what they choose.
    partials: BTreeMap<usize, Vec<u32>>,
}

impl Page {
    pub(super) fn new(schedule: &Verified, floor: Option<&Certified>) -> Self {
        let (model, collective) = (schedule.problem().model(), schedule.problem().collective());
        let switching = if model.is_slotted() { "time-division" } else { model.switching.name() };
        let combining = if model.combining { ", combining" } else { "" };
        let network = schedule.problem().network();
        let roles = roles(schedule.problem());
        let differ = network.nodes().zip(&roles).any(|(v, role)| network.is_member(v) && *role != Role::Both);
        let senders = Senders::of(schedule);
        let steps = as_many_as_fit(schedule);
        let items = items(schedule, steps.len());
        Page {
            title: title(schedule),
            network: net(network),
            roles: differ.then_some(roles),
            ranks: network.nodes().map(|v| senders.rank(v)).collect(),
            senders: senders.count(),
            word: if slots(schedule).is_some() { "slot" } else { "step" },
            tdm: slots(schedule).map(|slots| (slots.hop, slots.cyclic)),
            collective: collective.name().to_owned(),
            model: format!("{switching}{combining}"),
            reduce: collective.semantics() == Semantics::Reduce,
            sent: sent(&steps, &items),
            messages: messages(schedule, &items),
            steps: schedule.steps(),
            transfers: schedule.transfer_count(),
            uses: schedule.channel_uses(),
            floor: floor.map(Bound::new),
            optimal: floor.is_some_and(|floor| floor.is_met_by(schedule)),
        }
    }
}

/// The network with its layout.
pub(super) fn net(network: &Network) -> Net {
    let layout = Layout::new(network);
    let tenth = |x: f64| (10.0 * x).round() as i64;
    let labelled = network.data().labels.is_some();
    let capacities: Vec<u32> = network.channels().map(|c| network.capacity(c)).collect();
    Net {
        name: network.name().to_owned(),
        layout: layout.kind,
        width: layout.size.0.ceil() as i64,
        height: layout.size.1.ceil() as i64,
        radius: layout.radius,
        xy: layout.points.iter().flat_map(|p| [tenth(p.0), tenth(p.1)]).collect(),
        switches: network.nodes().filter(|v| !network.is_member(*v)).map(|v| v.0).collect(),
        labels: labelled.then(|| network.nodes().map(|v| network.label(v)).collect()),
        names: layout.names.iter().map(|name| name.text.clone()).collect(),
        named: layout
            .names
            .iter()
            .flat_map(|name| [i64::from(name.node), tenth(name.at.0), tenth(name.at.1), tenth(name.size)])
            .collect(),
        failed: layout.failed.iter().flat_map(|lost| lost.curve).flat_map(|p| [tenth(p.0), tenth(p.1)]).collect(),
        again: layout.again.iter().flat_map(|(v, p)| [i64::from(*v), tenth(p.0), tenth(p.1)]).collect(),
        from: network.channels().map(|c| network.from(c).0).collect(),
        to: network.channels().map(|c| network.to(c).0).collect(),
        capacities: capacities.iter().any(|c| *c != 1).then_some(capacities),
        curves: layout.wires.iter().map(Vec::len).collect(),
        wires: layout.wires.iter().flatten().flatten().flat_map(|p| [tenth(p.0), tenth(p.1)]).collect(),
    }
}

fn messages(schedule: &Verified, items: &[Item]) -> Messages {
    let lengths = |of: fn(&Item) -> &Vec<Node>| items.iter().map(|i| of(i).len()).collect();
    let flat = |of: fn(&Item) -> &Vec<Node>| items.iter().flat_map(of).map(|v| v.0).collect();
    let count = schedule.problem().collective().message_count() as u64;
    let all = items.len() as u64 == count;
    let unlisted = loads(schedule).filter(|_| !all).map(|Loads { mut starts, mut ends }| {
        for item in items {
            item.from.iter().for_each(|v| starts[v.index()] -= 1);
            item.to.iter().for_each(|v| ends[v.index()] -= 1);
        }
        (starts, ends)
    });
    let (held, wanted) = unlisted.unzip();
    Messages {
        count,
        numbers: (!all).then(|| items.iter().map(|i| i.number).collect()),
        from_counts: lengths(|i| &i.from),
        from: flat(|i| &i.from),
        to_counts: lengths(|i| &i.to),
        to: flat(|i| &i.to),
        held,
        wanted,
    }
}

/// The first steps: at least one, however large.
fn as_many_as_fit(schedule: &Verified) -> Vec<Vec<Transfer<'_>>> {
    let mut uses = 0;
    let mut steps = Vec::new();
    for number in 0..schedule.steps() {
        let step: Vec<_> = schedule.step(number).collect();
        uses += step.iter().map(|t| t.path.len()).sum::<usize>();
        if uses > MOST_USES && !steps.is_empty() {
            break;
        }
        steps.push(step);
    }
    steps
}

fn sent(steps: &[Vec<Transfer<'_>>], items: &[Item]) -> Sent {
    let transfers = || steps.iter().flatten();
    let place = |number: u64| items.partition_point(|i| i.number < number);
    let counts: Vec<usize> = transfers().map(|t| t.messages().len()).collect();
    let with = |op| transfers().enumerate().filter(|(_, t)| t.op == op).map(|(at, _)| at).collect();
    let choosing = transfers().enumerate().filter(|(_, t)| !t.partials.is_empty());
    Sent {
        steps: steps.iter().map(Vec::len).collect(),
        message_counts: counts.iter().any(|c| *c != 1).then_some(counts),
        messages: transfers().flat_map(|t| t.messages()).map(place).collect(),
        hops: transfers().map(|t| t.path.len()).collect(),
        path: transfers().flat_map(|t| t.path.iter()).map(|c| c.0).collect(),
        copies: with(Op::Copy),
        kept: with(Op::Keep),
        partials: choosing.map(|(at, t)| (at, t.partials.to_vec())).collect(),
    }
}
