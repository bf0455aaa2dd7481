//! Schedules in time.

mod certificates;
mod merging;
mod orbits;
mod problems;
mod rules;
mod sound;

use kernel::timed::{Links, TimedFault, TimedProblem, TimedSchedule, Units, verify};
use kernel::{Channel, Collective, Message, Network, NetworkData, Node, Op, Rational, Transfer, Violation};

pub(super) fn rational(numerator: u64, denominator: u64) -> Rational {
    Rational { numerator, denominator }
}

/// A network with a link (bandwidth in GB/s, latency in ticks) a channel.
pub(super) struct World {
    pub network: NetworkData,
    pub links: Vec<(u64, u64)>,
    pub multicast: Vec<Node>,
    pub reduce: Option<Rational>,
    pub combining: bool,
}

impl World {
    /// All nodes are terminals; channels `(from, to, bandwidth, latency)`.
    pub(super) fn new(nodes: u32, channels: &[(u32, u32, u64, u64)]) -> Self {
        let network =
            NetworkData { nodes, channels: channels.iter().map(|c| (c.0, c.1)).collect(), ..NetworkData::default() };
        let links = channels.iter().map(|c| (c.2, c.3)).collect();
        World { network, links, multicast: Vec::new(), reduce: None, combining: false }
    }

    pub(super) fn links(&self) -> Links {
        Links {
            bandwidth: self.links.iter().map(|(bandwidth, _)| Rational::whole(*bandwidth)).collect(),
            latency: self.links.iter().map(|(_, latency)| rational(*latency, 1000)).collect(),
            multicast: self.multicast.clone(),
            reduce: self.reduce,
        }
    }

    /// Messages of 100 bytes and ticks of a nanosecond: at 1 GB/s a message takes 100 ticks.
    pub(super) fn problem(&self, collective: Collective) -> TimedProblem {
        let network = Network::new(self.network.clone()).unwrap();
        TimedProblem::new(network, collective, self.combining, self.links(), hundred()).unwrap()
    }
}

pub(super) fn hundred() -> Units {
    Units { chunk_bytes: Rational::whole(100), tick_us: rational(1, 1000) }
}

/// One transfer of a test.
#[derive(Clone, Default)]
pub(super) struct One {
    pub messages: Vec<u32>,
    pub paths: Vec<Vec<u32>>,
    pub rate: Option<Rational>,
    pub op: Op,
}

pub(super) fn one(message: u32, path: &[u32]) -> One {
    One { messages: vec![message], paths: vec![path.to_vec()], ..One::default() }
}

/// Transfers, each of which begins at its tick; those of one tick follow each other.
pub(super) fn claim(transfers: &[(u64, One)]) -> TimedSchedule {
    let mut claim = TimedSchedule::default();
    let mut last = None;
    for (tick, one) in transfers {
        if last.replace(*tick) != Some(*tick) {
            claim.begin_step(*tick);
        }
        let messages: Vec<Message> = one.messages.iter().copied().map(Message).collect();
        let paths: Vec<Vec<Channel>> =
            one.paths.iter().map(|path| path.iter().copied().map(Channel).collect()).collect();
        let transfer = Transfer { op: one.op, ..Transfer::new(&messages, &paths[0]) };
        claim.push(transfer, one.rate, &paths[1..]);
    }
    claim
}

pub(super) fn ticks(problem: &TimedProblem, transfers: &[(u64, One)]) -> u64 {
    verify(problem, claim(transfers)).unwrap().ticks()
}

pub(super) fn broken(problem: &TimedProblem, transfers: &[(u64, One)]) -> Vec<Violation> {
    verify(problem, claim(transfers)).unwrap_err().violations().to_vec()
}

pub(super) fn pairs(list: &[(u32, u32)]) -> Collective {
    Collective::pairs("permutation", &list.iter().map(|&(a, b)| (Node(a), Node(b))).collect::<Vec<_>>())
}

pub(super) fn fault(fault: TimedFault) -> Vec<Violation> {
    vec![fault.into()]
}
