//! **What:** the transfers of a verified schedule of any kind as exchanges between two ranks, and the order in which they begin and arrive.
//!
//! **Facts:** what arrives is held before what begins at the same time. In steps what is sent in step s arrives before step s + 1; under
//! time-division before the slot after the last of its path; in time it is held from its tick on, after merging where merging takes time.

use kernel::timed::{Timeline, WrittenOut};
use kernel::{Channel, Collective, Message, Network, Node, Op, Switching, Verified};
use std::collections::HashMap;
use std::ops::Range;

/// Most messages that transfers carry together, and most channels that they use, of a schedule that is written down as a program.
const MOST: usize = 1 << 26;

/// Why a schedule has no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// There is no room for it.
    #[error(
        "the transfers carry over {most} messages, or use over {most} channels: too many to write down what every rank does"
    )]
    TooLarge {
        /// As many are written down.
        most: usize,
    },
    /// An operation waits for what does not come before it.
    #[error("rank {rank}: operation {operation} waits for one after it, or is of a transfer that does not exist")]
    OutOfOrder {
        /// The rank.
        rank: u32,
        /// Its operation.
        operation: u32,
    },
}

impl ProgramError {
    pub(crate) fn too_large() -> Self {
        ProgramError::TooLarge { most: MOST }
    }
}

/// A verified schedule of steps or in time.
#[derive(Clone, Copy, Debug)]
pub enum Playable<'a> {
    /// Of steps.
    Steps(&'a Verified),
    /// In time.
    Timed(&'a WrittenOut),
}

impl<'a> From<&'a Verified> for Playable<'a> {
    fn from(schedule: &'a Verified) -> Self {
        Playable::Steps(schedule)
    }
}

impl<'a> From<&'a WrittenOut> for Playable<'a> {
    fn from(schedule: &'a WrittenOut) -> Self {
        Playable::Timed(schedule)
    }
}

impl<'a> Playable<'a> {
    /// What it does.
    pub fn collective(self) -> &'a Collective {
        match self {
            Playable::Steps(schedule) => schedule.problem().collective(),
            Playable::Timed(schedule) => schedule.problem().collective(),
        }
    }

    /// Where it does it.
    pub fn network(self) -> &'a Network {
        match self {
            Playable::Steps(schedule) => schedule.problem().network(),
            Playable::Timed(schedule) => schedule.problem().network(),
        }
    }
}

/// A transfer to one receiver.
pub(crate) struct Exchange {
    pub from: u32,
    pub to: u32,
    pub op: Op,
    /// Among the messages of all exchanges, and when each is held.
    carried: Range<usize>,
    partials: Range<usize>,
    path: Range<usize>,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The receiver holds a message of the exchange, by its position there.
    Held { exchange: u32, at: u32 },
    /// The exchange begins.
    Begin { exchange: u32 },
}

/// All exchanges, numbered by when they begin, and all events in order.
pub(crate) struct Exchanges {
    all: Vec<Exchange>,
    carried: Vec<(Message, u64)>,
    partials: Vec<u32>,
    pub events: Vec<Event>,
    rank_of: HashMap<Node, u32>,
    begins: Vec<u64>,
    channels: Vec<Channel>,
}

impl Exchanges {
    /// # Errors
    /// Where there are too many.
    pub(crate) fn of(schedule: Playable<'_>) -> Result<Self, ProgramError> {
        let ranks = schedule.network().terminals().iter().zip(0u32..);
        let mut exchanges = Exchanges {
            all: Vec::new(),
            carried: Vec::new(),
            partials: Vec::new(),
            events: Vec::new(),
            rank_of: ranks.map(|(node, rank)| (*node, rank)).collect(),
            begins: Vec::new(),
            channels: Vec::new(),
        };
        match schedule {
            Playable::Steps(verified) => exchanges.steps(verified)?,
            Playable::Timed(verified) => exchanges.timed(&Timeline::new(verified))?,
        }
        exchanges.sort();
        Ok(exchanges)
    }

    /// Steps begin at odd ticks, and what they bring is held at the even ones between.
    fn steps(&mut self, schedule: &Verified) -> Result<(), ProgramError> {
        let network = schedule.problem().network();
        for step in 0..schedule.steps() {
            for sent in schedule.step(step) {
                let lasts = match schedule.problem().model().switching {
                    Switching::Wormhole | Switching::StoreAndForward => 0,
                    Switching::Tdm { hop, .. } => sent.path.len() as u64 * u64::from(hop),
                };
                let held = 2 * (step as u64 + lasts + 1);
                let messages = sent.messages().map(|message| (message, held));
                self.push(network, &sent.path, 2 * step as u64 + 1, messages, (sent.op, sent.partials))?;
            }
        }
        Ok(())
    }

    fn timed(&mut self, timeline: &Timeline<'_>) -> Result<(), ProgramError> {
        let network = timeline.problem().network();
        for (sent, transfer) in timeline.sent().iter().zip(timeline.transfers()) {
            for receiver in sent.receivers.clone() {
                let held = timeline.held()[sent.held.clone()].iter().filter(|held| held.receiver == receiver);
                let messages = held.map(|held| (u64::from(held.message.0), held.tick));
                let before = |at: &usize| timeline.uses()[*at].before;
                let last = Some(timeline.receivers()[receiver].last);
                let mut path: Vec<Channel> =
                    std::iter::successors(last, before).map(|at| timeline.uses()[at].channel).collect();
                path.reverse();
                let what = (transfer.transfer.op, transfer.transfer.partials);
                self.push(network, &path, sent.begin, messages, what)?;
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        network: &Network,
        path: &[Channel],
        begin: u64,
        messages: impl Iterator<Item = (u64, u64)>,
        (op, partials): (Op, &[u32]),
    ) -> Result<(), ProgramError> {
        let (from, to) = (network.from(path[0]), network.to(path[path.len() - 1]));
        let (carried, chosen, channels) = (self.carried.len(), self.partials.len(), self.channels.len());
        for (message, held) in messages {
            let message = u32::try_from(message).map_err(|_| ProgramError::too_large())?;
            self.carried.push((Message(message), held));
        }
        self.channels.extend_from_slice(path);
        if self.carried.len().max(self.channels.len()) > MOST {
            return Err(ProgramError::too_large());
        }
        self.partials.extend_from_slice(partials);
        let (carried, partials) = (carried..self.carried.len(), chosen..self.partials.len());
        let path = channels..self.channels.len();
        self.all.push(Exchange { from: self.rank_of[&from], to: self.rank_of[&to], op, carried, partials, path });
        self.begins.push(begin);
        Ok(())
    }

    /// Steps stand in order of their beginnings in every kind of schedule, so the numbers do.
    fn sort(&mut self) {
        let mut order: Vec<(u64, bool, Event)> = Vec::with_capacity(self.all.len() + self.carried.len());
        for (exchange, (of, begin)) in (0u32..).zip(self.all.iter().zip(&self.begins)) {
            order.push((*begin, true, Event::Begin { exchange }));
            let held = self.carried[of.carried.clone()].iter();
            order.extend((0u32..).zip(held).map(|(at, (_, tick))| (*tick, false, Event::Held { exchange, at })));
        }
        // Stable: what is alike keeps the order of the schedule.
        order.sort_by_key(|(tick, begins, _)| (*tick, *begins));
        self.events = order.into_iter().map(|(_, _, event)| event).collect();
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.all.len()).expect("each carries a message, and those are fewer than 2^26")
    }

    pub(crate) fn get(&self, exchange: u32) -> &Exchange {
        &self.all[exchange as usize]
    }

    /// The paths of all, and where each ends.
    pub(crate) fn into_paths(self) -> (Vec<Channel>, Vec<usize>) {
        (self.channels, self.all.iter().map(|of| of.path.end).collect())
    }

    /// The message at a position of it.
    pub(crate) fn message(&self, exchange: u32, at: usize) -> Message {
        self.carried[self.get(exchange).carried.start + at].0
    }

    /// What it carries.
    pub(crate) fn messages(&self, exchange: u32) -> impl ExactSizeIterator<Item = Message> + '_ {
        self.carried[self.get(exchange).carried.clone()].iter().map(|(message, _)| *message)
    }

    /// Whether all that it carries is held at once.
    pub(crate) fn is_held_at_once(&self, exchange: u32) -> bool {
        let carried = &self.carried[self.get(exchange).carried.clone()];
        carried.iter().all(|(_, tick)| *tick == carried[0].1)
    }

    /// The partial results that its sender chooses of the message at a position of it.
    pub(crate) fn partials(&self, exchange: u32, at: usize) -> &[u32] {
        let of = self.get(exchange);
        let each = of.partials.len() / of.carried.len();
        &self.partials[of.partials.start + at * each..][..each]
    }

    /// Whether its sender chooses among partial results.
    pub(crate) fn chooses(&self, exchange: u32) -> bool {
        !self.get(exchange).partials.is_empty()
    }
}
