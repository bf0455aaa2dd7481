//! **What:** the same collective without a schedule: what nodes send in a simple order, each packet as soon as its node may, on whatever
//! ways the routing knows.
//!
//! **Parameters:** a line each in [`RIVALS`]. Messages from one node to the same receivers travel as one packet.
//!
//! **Facts:** `binomial` and `ring` pass messages on, so they are for messages with several receivers; `dimension-order` sends what goes
//! to one coordinate together, and a node begins with a dimension when it has all that comes along those before.
//!
//! **Source:** R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19, 2005

use super::Length;
use super::script::{Order, Planned, Script, Waits};
use super::shapes::{Coordinates, Tree};
use kernel::{Collective, Message, Network, Node, Problem, Semantics};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, HashMap};

/// A way to do a collective without a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Sends { random: bool },
    Pairwise,
    Tree(Tree),
    Dimensions,
}

/// All of them.
pub const RIVALS: &[Rival] = &[
    Rival {
        name: "direct",
        about: "every node sends to all its receivers, those after it first",
        how: How::Sends { random: false },
    },
    Rival {
        name: "random",
        about: "every node sends to all its receivers, in an order at random",
        how: How::Sends { random: true },
    },
    Rival {
        name: "pairwise",
        about: "round by round with one partner, the next round when both directions are done",
        how: How::Pairwise,
    },
    Rival {
        name: "dimension-order",
        about: "one dimension after the other, what goes to the same coordinate together",
        how: How::Dimensions,
    },
    Rival {
        name: "binomial",
        about: "every message down a binomial tree of its receivers",
        how: How::Tree(Tree::Binomial),
    },
    Rival { name: "ring", about: "every message from each receiver to the next", how: How::Tree(Tree::Chain) },
];

/// Deliveries at most that are sent without a schedule.
const MOST: u64 = 1 << 24;

/// Why a collective is not done this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
#[non_exhaustive]
pub enum RivalError {
    #[error("there is no way `{name}` to do a collective without a schedule")]
    Unknown { name: String },
    #[error("{collective} merges what it sends, and only what is copied is sent without a schedule")]
    Merging { collective: String },
    #[error("{collective}: every message has one receiver, so `{name}` would be `direct`")]
    OneReceiver { collective: String, name: &'static str },
    #[error("{network}: its nodes have no coordinates that `dimension-order` could correct")]
    NoCoordinates { network: String },
    #[error("{network}: packets of unscheduled traffic would use both directions of half-duplex links at once")]
    HalfDuplex { network: String },
    #[error("{deliveries} deliveries are more than are simulated one by one ({MOST})")]
    TooLarge { deliveries: u64 },
}

impl RivalError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            RivalError::Unknown { .. } => {
                format!("known: {}", RIVALS.iter().map(|rival| rival.name).collect::<Vec<_>>().join(", "))
            }
            RivalError::Merging { .. } => "leave --against out".into(),
            RivalError::OneReceiver { .. } => "give --against direct, pairwise or random".into(),
            RivalError::NoCoordinates { .. } => "give --against direct, pairwise or random".into(),
            RivalError::HalfDuplex { .. } => "leave --against out, or give every direction a channel of its own".into(),
            RivalError::TooLarge { .. } => "take a smaller network".into(),
        }
    }
}

impl Rival {
    /// The rival of that name.
    ///
    /// # Errors
    /// A name that there is not.
    pub fn named(name: &str) -> Result<Self, RivalError> {
        let found = RIVALS.iter().find(|rival| rival.name == name);
        found.copied().ok_or_else(|| RivalError::Unknown { name: name.into() })
    }

    /// What it sends; random orders come from the seed.
    ///
    /// # Errors
    /// A collective or a network that it is not for.
    pub fn script(self, problem: &Problem, length: Length, seed: u64) -> Result<Script, RivalError> {
        let (network, collective) = (problem.network(), problem.collective());
        if collective.semantics() == Semantics::Reduce {
            return Err(RivalError::Merging { collective: collective.name().into() });
        }
        if !network.half_duplex().is_empty() {
            return Err(RivalError::HalfDuplex { network: network.name().into() });
        }
        if collective.deliveries() > MOST {
            return Err(RivalError::TooLarge { deliveries: collective.deliveries() });
        }
        let mut plan = Plan::new(network, collective, length);
        match self.how {
            How::Sends { random } => plan.sends(random.then_some(seed)),
            How::Pairwise => plan.pairwise(),
            How::Tree(tree) => {
                if collective.messages().all(|message| collective.destinations(message).len() < 2) {
                    return Err(RivalError::OneReceiver { collective: collective.name().into(), name: self.name });
                }
                plan.trees(tree);
            }
            How::Dimensions => plan.dimensions(&Coordinates::of(network)?),
        }
        let Plan { packets, waits, .. } = plan;
        let waits = waits.numbered(u32::try_from(packets.len()).expect("deliveries are bounded"));
        Ok(Script::new(packets, Order::After(waits)))
    }
}

/// Who waits for whom while the packets are still being counted.
#[derive(Default)]
struct Open {
    joins: u32,
    pairs: Vec<(At, At)>,
}

/// A packet or a join.
#[derive(Clone, Copy)]
enum At {
    Packet(u32),
    Join(u32),
}

impl Open {
    fn join(&mut self) -> At {
        self.joins += 1;
        At::Join(self.joins - 1)
    }

    fn numbered(self, packets: u32) -> Waits {
        let mut waits = Waits::new(packets);
        let joins: Vec<u32> = (0..self.joins).map(|_| waits.join()).collect();
        let number = |at| match at {
            At::Packet(packet) => packet,
            At::Join(join) => joins[join as usize],
        };
        self.pairs.into_iter().for_each(|(before, after)| waits.add(number(before), number(after)));
        waits
    }
}

/// What is sent, while it is written.
struct Plan<'a> {
    collective: &'a Collective,
    length: Length,
    ranks: &'a [Node],
    rank: HashMap<Node, u32>,
    packets: Vec<Planned>,
    waits: Open,
}

impl<'a> Plan<'a> {
    fn new(network: &'a Network, collective: &'a Collective, length: Length) -> Self {
        let ranks = network.terminals();
        let rank = ranks.iter().copied().zip(0u32..).collect();
        Plan { collective, length, ranks, rank, packets: Vec::new(), waits: Open::default() }
    }

    fn push(&mut self, source: Node, destination: Node, messages: u32) -> At {
        let flits = self.length.flits(messages, self.collective.chunks());
        self.packets.push(Planned { source, destination, flits });
        At::Packet(u32::try_from(self.packets.len() - 1).expect("deliveries are bounded"))
    }

    /// How far a node's rank is behind another's, going round.
    fn behind(&self, from: Node, to: Node) -> u32 {
        let count = self.ranks.len() as u32;
        (self.rank[&to] + count - self.rank[&from]) % count
    }

    /// Messages of every node for every other, counted.
    fn pairs(&self) -> BTreeMap<(u32, u32), u32> {
        let mut pairs = BTreeMap::new();
        for message in self.collective.messages() {
            let origin = self.collective.origin(message);
            for to in self.collective.destinations(message).iter().filter(|to| **to != origin) {
                *pairs.entry((self.rank[&origin], self.behind(origin, *to))).or_insert(0) += 1;
            }
        }
        pairs
    }

    fn sends(&mut self, seed: Option<u64>) {
        let mut pairs: Vec<((u32, u32), u32)> = self.pairs().into_iter().collect();
        if let Some(seed) = seed {
            let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
            pairs.shuffle(&mut random);
            pairs.sort_by_key(|((from, _), _)| *from);
        }
        let count = self.ranks.len() as u32;
        for ((from, behind), messages) in pairs {
            self.push(self.ranks[from as usize], self.ranks[((from + behind) % count) as usize], messages);
        }
    }

    fn pairwise(&mut self) {
        let (count, pairs) = (self.ranks.len() as u32, self.pairs());
        let mut before: Vec<Option<At>> = vec![None; count as usize];
        for round in 1..count {
            let partner = |rank: u32| if count.is_power_of_two() { rank ^ round } else { (rank + round) % count };
            let mut after: Vec<Vec<At>> = before.iter().map(|join| join.iter().copied().collect()).collect();
            for from in 0..count {
                let to = partner(from);
                let Some(messages) = pairs.get(&(from, (to + count - from) % count)) else { continue };
                let packet = self.push(self.ranks[from as usize], self.ranks[to as usize], *messages);
                self.waits.pairs.extend(before[from as usize].map(|join| (join, packet)));
                after[from as usize].push(packet);
                after[to as usize].push(packet);
            }
            for (join, waits) in before.iter_mut().zip(after) {
                let next = self.waits.join();
                self.waits.pairs.extend(waits.into_iter().map(|wait| (wait, next)));
                *join = Some(next);
            }
        }
    }

    fn trees(&mut self, tree: Tree) {
        let mut together: BTreeMap<(u32, Vec<u32>), u32> = BTreeMap::new();
        for message in self.collective.messages() {
            let origin = self.collective.origin(message);
            let to = self.collective.destinations(message).iter().filter(|to| **to != origin);
            let mut to: Vec<u32> = to.map(|to| self.behind(origin, *to)).collect();
            to.sort_unstable();
            *together.entry((self.rank[&origin], to)).or_insert(0) += 1;
        }
        let count = self.ranks.len() as u32;
        for ((origin, to), messages) in together {
            let at = |position: u32| {
                let behind = position.checked_sub(1).map_or(0, |before| to[before as usize]);
                self.ranks[((origin + behind) % count) as usize]
            };
            let sends: Vec<(u32, u32)> =
                tree.order(to.len() as u32 + 1).into_iter().map(|position| (tree.parent(position), position)).collect();
            let ends: Vec<(Node, Node)> = sends.iter().map(|(parent, position)| (at(*parent), at(*position))).collect();
            let first = u32::try_from(self.packets.len()).expect("deliveries are bounded");
            let mut packet_of = vec![None; to.len() + 1];
            for ((number, (_, position)), (source, destination)) in (first..).zip(&sends).zip(ends) {
                packet_of[*position as usize] = Some(At::Packet(number));
                self.push(source, destination, messages);
            }
            for (parent, position) in sends {
                if let (Some(before), Some(after)) = (packet_of[parent as usize], packet_of[position as usize]) {
                    self.waits.pairs.push((before, after));
                }
            }
        }
    }

    fn dimensions(&mut self, coordinates: &Coordinates) {
        /// What goes along one dimension, by its ends.
        type Along = BTreeMap<(Node, Node), Vec<Message>>;
        let mut phases: Vec<Along> = vec![BTreeMap::new(); coordinates.dimensions()];
        for message in self.collective.messages() {
            for to in self.collective.destinations(message) {
                let mut node = self.collective.origin(message);
                for d in (0..coordinates.dimensions()).rev() {
                    let next = coordinates.corrected(node, *to, d);
                    if next != node {
                        let together = phases[d].entry((node, next)).or_default();
                        // The same message for several receivers goes once.
                        if together.last() != Some(&message) {
                            together.push(message);
                        }
                    }
                    node = next;
                }
            }
        }
        let mut before: HashMap<Node, At> = HashMap::new();
        for (d, along) in phases.into_iter().enumerate().rev() {
            let mut ends: Vec<((Node, Node), u32)> =
                along.into_iter().map(|(ends, messages)| (ends, messages.len() as u32)).collect();
            ends.sort_by_key(|((from, to), _)| (*from, coordinates.behind(*from, *to, d)));
            let mut after: HashMap<Node, Vec<At>> = HashMap::new();
            for ((from, to), messages) in ends {
                let packet = self.push(from, to, messages);
                self.waits.pairs.extend(before.get(&from).map(|join| (*join, packet)));
                after.entry(to).or_default().push(packet);
            }
            for &node in self.ranks {
                let arrivals = after.remove(&node).unwrap_or_default();
                if arrivals.is_empty() {
                    continue;
                }
                let join = self.waits.join();
                self.waits
                    .pairs
                    .extend(before.get(&node).into_iter().copied().chain(arrivals).map(|wait| (wait, join)));
                before.insert(node, join);
            }
        }
    }
}
