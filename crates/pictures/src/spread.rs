//! **What:** how messages spread in a verified schedule: who tells whom, along which path, in which step; of reductions who hands on
//! to whom, with time reversed, which is the same tree.
//!
//! **Facts:** verification has seen that nobody sends what it does not have, and that nothing is merged twice, so what reaches a node
//! first comes from a node of its tree. Under cyclic time-division a copy may be sent on in the next period.

use crate::letters::cut;
use kernel::{Channel, Message, Network, Node, Op, Semantics, Sent, Verified};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Transfers up to which the messages of a schedule are looked at together.
const MOST_TRANSFERS: u64 = 1 << 20;

/// Why a schedule is not drawn by its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSpread {
    /// No such message.
    NoMessage {
        /// The number asked for.
        number: u64,
        /// How many there are.
        count: u64,
    },
    /// It is merged on its way to somewhere and then copied on.
    MergedAndCopied {
        /// The message.
        number: u64,
    },
    /// Some transfers carry several messages.
    Combined,
    /// Too many transfers to look at all of them.
    Large {
        /// How many there are.
        transfers: u64,
    },
}

impl fmt::Display for NoSpread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSpread::NoMessage { number, count } => {
                write!(f, "there is no message {number}: there are {count}, counted from 0")
            }
            NoSpread::MergedAndCopied { number } => {
                write!(f, "message {number} is merged and then copied on, which is no tree")
            }
            NoSpread::Combined => f.write_str("some transfers carry several messages, and a gene is the path of one"),
            NoSpread::Large { transfers } => write!(f, "{transfers} transfers are too many genes for a picture"),
        }
    }
}

impl std::error::Error for NoSpread {}

/// One transfer of a message, seen from where the message begins, or where it ends if it is merged.
#[derive(Clone, Debug)]
pub(crate) struct Telling {
    /// The node that is nearer to the root.
    pub from: Node,
    pub to: Node,
    pub step: usize,
    /// The channels, as the transfer takes them.
    pub path: Vec<Channel>,
}

/// How one message spreads.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    pub root: Node,
    /// Whether it is merged on its way to the root.
    pub merges: bool,
    /// In the order in which nodes are told, from the root on.
    pub tellings: Vec<Telling>,
}

impl Spread {
    /// How message `number` spreads.
    pub(crate) fn of(schedule: &Verified, number: u64) -> Result<Self, NoSpread> {
        let count = schedule.problem().collective().message_count() as u64;
        if number >= count {
            return Err(NoSpread::NoMessage { number, count });
        }
        let mut sent = Vec::new();
        for step in 0..schedule.steps() {
            for transfer in schedule.step(step).filter(|transfer| transfer.messages().any(|m| m == number)) {
                sent.push(telling(schedule, step, &transfer, number)?);
            }
        }
        spread(schedule, number, sent)
    }

    /// How every message spreads that is sent at all.
    pub(crate) fn of_all(schedule: &Verified) -> Result<BTreeMap<u64, Spread>, NoSpread> {
        let transfers = schedule.transfer_count();
        if transfers > MOST_TRANSFERS {
            return Err(NoSpread::Large { transfers });
        }
        let mut sent: BTreeMap<u64, Vec<Telling>> = BTreeMap::new();
        for step in 0..schedule.steps() {
            for transfer in schedule.step(step) {
                let mut messages = transfer.messages();
                let (Some(number), None) = (messages.next(), messages.next()) else { return Err(NoSpread::Combined) };
                sent.entry(number).or_default().push(telling(schedule, step, &transfer, number)?);
            }
        }
        sent.into_iter().map(|(number, sent)| Ok((number, spread(schedule, number, sent)?))).collect()
    }
}

fn merges(schedule: &Verified) -> bool {
    schedule.problem().collective().semantics() == Semantics::Reduce
}

fn telling(schedule: &Verified, step: usize, sent: &Sent<'_>, number: u64) -> Result<Telling, NoSpread> {
    let (network, path) = (schedule.problem().network(), sent.path.to_vec());
    let (first, last) = (network.from(path[0]), network.to(path[path.len() - 1]));
    match merges(schedule) {
        true if sent.op != Op::Reduce || !sent.partials.is_empty() => Err(NoSpread::MergedAndCopied { number }),
        true => Ok(Telling { from: last, to: first, step, path }),
        false => Ok(Telling { from: first, to: last, step, path }),
    }
}

/// Puts transfers into the order in which they tell nodes, whatever the order of steps.
fn spread(schedule: &Verified, number: u64, mut sent: Vec<Telling>) -> Result<Spread, NoSpread> {
    let (collective, merges) = (schedule.problem().collective(), merges(schedule));
    let root = match (u32::try_from(number), merges) {
        (Ok(number), true) => match collective.destinations(Message(number)) {
            [only] => *only,
            _ => return Err(NoSpread::MergedAndCopied { number: number.into() }),
        },
        (Ok(number), false) if collective.is_numbered() => collective.origin(Message(number)),
        // Too many messages to look one up: it begins where it is first sent from.
        _ => sent.first().map_or(Node(0), |first| first.from),
    };
    if merges {
        sent.reverse();
    }
    let mut told = BTreeSet::from([root]);
    let mut tellings = Vec::with_capacity(sent.len());
    loop {
        let before = sent.len();
        // Those of one step know what was told before it.
        let mut later = Vec::new();
        for step in sent.chunk_by(|a, b| a.step == b.step) {
            let known = told.clone();
            for telling in step {
                if known.contains(&telling.from) {
                    told.insert(telling.to);
                    tellings.push(telling.clone());
                } else {
                    later.push(telling.clone());
                }
            }
        }
        sent = later;
        if sent.is_empty() || sent.len() == before {
            break;
        }
    }
    Ok(Spread { root, merges, tellings })
}

/// Letters of a node's name, beyond which only its end is shown.
const MOST_NAMED: usize = 20;

/// What a node is called, or the end of that.
pub(crate) fn name(network: &Network, node: Node) -> String {
    cut(&network.label(node), MOST_NAMED, true)
}

/// The nodes of a path, in its order.
pub(crate) fn route(network: &Network, path: &[Channel]) -> String {
    let nodes = path.first().map(|first| network.from(*first)).into_iter();
    let nodes: Vec<String> = nodes.chain(path.iter().map(|c| network.to(*c))).map(|v| network.label(v)).collect();
    // What joins names must not be in them.
    nodes.join(if nodes.iter().any(|name| name.contains('-')) { " → " } else { "-" })
}
