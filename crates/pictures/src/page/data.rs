//! **What:** what a page knows of a schedule, as flat lists of numbers.

use super::MOST_USES;
use super::floor::Floor;
use crate::Layout;
use kernel::{Certified, Network, Node, Op, Semantics, Switching, Verdict, Verified};
use serde::Serialize;

/// One schedule. Lists of lists are stored as their lengths and one flat list.
#[derive(Serialize)]
pub(super) struct Page {
    title: String,
    network: Net,
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
    transfers: usize,
    uses: usize,
    sent: Sent,
    floor: Option<Floor>,
    optimal: bool,
}

#[derive(Serialize)]
struct Net {
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
    from_counts: Vec<usize>,
    from: Vec<u32>,
    to_counts: Vec<usize>,
    to: Vec<u32>,
}

#[derive(Serialize)]
struct Sent {
    /// Transfers a step.
    steps: Vec<usize>,
    /// Messages a transfer; absent where it is always one.
    message_counts: Option<Vec<usize>>,
    messages: Vec<u32>,
    hops: Vec<usize>,
    path: Vec<u32>,
    /// Positions of the transfers that replace instead of merge.
    copies: Vec<usize>,
}

impl Page {
    pub fn new(schedule: &Verified, floor: Option<&Certified>) -> Self {
        let problem = schedule.problem();
        let tdm = match problem.model().switching {
            Switching::Tdm { hop, cyclic } => Some((hop, cyclic)),
            _ => None,
        };
        let switching = match problem.model().switching {
            Switching::Wormhole => "wormhole",
            Switching::StoreAndForward => "store-and-forward",
            Switching::Tdm { .. } => "time-division",
        };
        let combining = if problem.model().combining { ", combining" } else { "" };
        let verdict = floor.and_then(|f| Verdict::new(f.clone(), schedule.clone()).ok());
        Page {
            title: format!("{} on {}", problem.collective().name(), problem.network().name()),
            network: net(problem.network()),
            word: if tdm.is_some() { "slot" } else { "step" },
            tdm,
            collective: problem.collective().name().to_owned(),
            model: format!("{switching}{combining}"),
            reduce: problem.collective().semantics() == Semantics::Reduce,
            messages: messages(schedule),
            steps: schedule.steps(),
            transfers: schedule.schedule().transfer_count(),
            uses: schedule.schedule().channel_uses(),
            sent: sent(schedule),
            floor: floor.map(Floor::new),
            optimal: verdict.is_some_and(|v| v.is_optimal()),
        }
    }
}

fn net(network: &Network) -> Net {
    let layout = Layout::new(network);
    let tenth = |x: f64| (10.0 * x).round() as i64;
    let labelled = network.parts().labels.is_some();
    let capacities: Vec<u32> = network.channels().map(|c| network.capacity(c)).collect();
    Net {
        name: network.name().to_owned(),
        layout: layout.kind,
        width: layout.size.0.ceil() as i64,
        height: layout.size.1.ceil() as i64,
        radius: layout.radius,
        xy: layout.points.iter().flat_map(|p| [tenth(p.0), tenth(p.1)]).collect(),
        switches: network.nodes().filter(|v| !network.is_terminal(*v)).map(|v| v.0).collect(),
        labels: labelled.then(|| network.nodes().map(|v| network.label(v)).collect()),
        again: layout.again.iter().flat_map(|(v, p)| [i64::from(*v), tenth(p.0), tenth(p.1)]).collect(),
        from: network.channels().map(|c| network.from(c).0).collect(),
        to: network.channels().map(|c| network.to(c).0).collect(),
        capacities: capacities.iter().any(|c| *c != 1).then_some(capacities),
        curves: layout.wires.iter().map(Vec::len).collect(),
        wires: layout.wires.iter().flatten().flatten().flat_map(|p| [tenth(p.0), tenth(p.1)]).collect(),
    }
}

fn messages(schedule: &Verified) -> Messages {
    let collective = schedule.problem().collective();
    let flat = |of: &dyn Fn(kernel::Message) -> Vec<Node>| {
        let lists: Vec<Vec<Node>> = collective.messages().map(of).collect();
        (lists.iter().map(Vec::len).collect(), lists.iter().flatten().map(|v| v.0).collect())
    };
    let (from_counts, from) = flat(&|m| collective.contributors(m).to_vec());
    let (to_counts, to) = flat(&|m| collective.destinations(m).to_vec());
    Messages { from_counts, from, to_counts, to }
}

fn sent(schedule: &Verified) -> Sent {
    let (mut steps, mut counts, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    let (mut hops, mut path, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..schedule.steps() {
        let more: usize = schedule.schedule().step(number).map(|t| t.path.len()).sum();
        // At least one step, however large.
        if path.len() + more > MOST_USES && !steps.is_empty() {
            break;
        }
        let step = schedule.schedule().step(number);
        steps.push(step.len());
        for transfer in step {
            if transfer.op == Op::Copy {
                copies.push(counts.len());
            }
            counts.push(transfer.messages.len());
            messages.extend(transfer.messages.iter().map(|m| m.0));
            hops.push(transfer.path.len());
            path.extend(transfer.path.iter().map(|c| c.0));
        }
    }
    let several = counts.iter().any(|c| *c != 1);
    Sent { steps, message_counts: several.then_some(counts), messages, hops, path, copies }
}
