//! **What:** the moves of a program, as a collective communication and its schedule that the kernel can verify.
//!
//! **Idea:** a value has an identity from where a node reads or computes it. A move that replaces carries the identity on; one that adds
//! joins that of the sum with that of the summand. Values so joined are a chunk to which the nodes where they appeared contribute; a value
//! never added is a chunk of one contributor. Those that end up with all of a chunk, having received it, are its destinations. So a broadcast
//! is a chunk with many destinations, a sum one with many contributors, and a program is a schedule of semantics `reduce`, or
//! `copy` where nothing is added.
//!
//! **Limits:** that a value is computed from others, which must have come before, is not said by a collective; the order of
//! the steps keeps it. Names say which value a chunk is.

use kernel::{
    Channel, Collective, CollectiveError, Message, Model, Network, Node, Op, Problem, ProblemError, Schedule,
    Semantics, Transfer,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a value is: of which matrix or sequence, and its indices there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueName {
    /// Such as `A`.
    pub of: &'static str,
    /// Row and column, or number and stage.
    pub at: [u32; 2],
}

impl std::fmt::Display for ValueName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{},{}]", self.of, self.at[0], self.at[1])
    }
}

/// A value where it appeared.
#[derive(Clone, Copy, Debug)]
struct Appearance {
    node: u32,
    name: ValueName,
    // The value it was joined with in a sum; itself where it leads its chunk.
    joined: u32,
}

#[derive(Clone, Copy, Debug)]
struct Crossing {
    value: u32,
    channel: Channel,
    op: Op,
}

/// Which values crossed which channels, hop by hop.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    // The value in each register; none where nothing was put.
    held: Vec<Option<u32>>,
    values: Vec<Appearance>,
    hops: Vec<Vec<Crossing>>,
    crossings: usize,
}

/// The moves of a program as a problem and a schedule of it, both claims.
pub struct Communication {
    /// Who has which value and who needs it.
    pub problem: Problem,
    /// The moves, a hop a step.
    pub schedule: Schedule,
    /// What each message is, in their order.
    pub names: Vec<ValueName>,
}

/// Most crossings that are written down.
const MOST_KEPT: usize = 1 << 23;

/// Moves that cannot be written down; but for their number a fault of the program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsound {
    /// More than are written down.
    #[error("{crossings} values cross a channel, more than are written down ({MOST_KEPT})")]
    TooMany {
        /// How many there are.
        crossings: usize,
    },
    /// Chunks that cannot be.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// A problem that cannot be.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl Moves {
    pub(super) fn new(registers: usize) -> Self {
        Moves { held: vec![None; registers], ..Moves::default() }
    }

    pub(super) fn appears(&mut self, register: usize, node: u32, name: ValueName) {
        let value = u32::try_from(self.values.len()).expect("programs make fewer values than 2^32");
        self.values.push(Appearance { node, name, joined: value });
        self.held[register] = Some(value);
    }

    pub(super) fn cleared(&mut self, register: usize) {
        self.held[register] = None;
    }

    /// Moves of one hop: from one register to another, over a channel where they are of two nodes.
    pub(super) fn hop(&mut self, op: Op, moves: impl Iterator<Item = (usize, usize, Option<Channel>)>) {
        let came: Vec<(Option<u32>, usize, Option<Channel>)> =
            moves.map(|(from, to, channel)| (self.held[from], to, channel)).collect();
        let mut crossings = Vec::new();
        for (value, to, channel) in came {
            if let (Some(value), Some(channel)) = (value, channel) {
                crossings.push(Crossing { value, channel, op });
            }
            match (op, self.held[to], value) {
                (Op::Reduce, Some(sum), Some(value)) => self.join(sum, value),
                (Op::Reduce, _, None) => {}
                _ => self.held[to] = value,
            }
        }
        // Beyond the most that are kept the rest is counted alone.
        self.crossings += crossings.len();
        self.hops.push(if self.crossings <= MOST_KEPT { crossings } else { Vec::new() });
    }

    fn leader(&self, mut value: u32) -> u32 {
        while self.values[value as usize].joined != value {
            value = self.values[value as usize].joined;
        }
        value
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.values[a.max(b) as usize].joined = a.min(b);
    }

    /// The moves of two programs that run one after the other.
    pub(super) fn in_turn(first: Option<Moves>, later: Option<Moves>) -> Option<Moves> {
        match (first, later) {
            (Some(mut moves), Some(later)) => {
                moves.append(later);
                Some(moves)
            }
            (first, later) => first.or(later),
        }
    }

    fn append(&mut self, later: Moves) {
        let shift = u32::try_from(self.values.len()).expect("programs make fewer values than 2^32");
        self.values.extend(later.values.into_iter().map(|v| Appearance { joined: v.joined + shift, ..v }));
        let shifted = |hop: Vec<Crossing>| hop.into_iter().map(|c| Crossing { value: c.value + shift, ..c }).collect();
        self.hops.extend(later.hops.into_iter().map(shifted));
        self.crossings += later.crossings;
    }

    /// The moves as a collective of this name on the network that they were made on, and its schedule under store-and-forward.
    ///
    /// # Errors
    /// [`Unsound`] where there are too many or they are none; the schedule is a claim.
    pub fn communication(&self, network: &Network, name: &str) -> Result<Communication, Unsound> {
        if self.crossings > MOST_KEPT {
            return Err(Unsound::TooMany { crossings: self.crossings });
        }
        // Chunks that cross a channel, by their leading values, which are numbered as they first move.
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut leaders = Vec::new();
        for crossing in self.hops.iter().flatten() {
            let leader = self.leader(crossing.value);
            numbers.entry(leader).or_insert_with(|| {
                leaders.push(leader);
                u32::try_from(leaders.len() - 1).expect("as many as values at most")
            });
        }
        let mut contributors = vec![Vec::new(); leaders.len()];
        for (value, appearance) in (0u32..).zip(&self.values) {
            if let Some(number) = numbers.get(&self.leader(value)) {
                contributors[*number as usize].push(Node(appearance.node));
            }
        }
        let adds = contributors.iter().any(|c| c.len() > 1);
        let semantics = if adds { Semantics::Reduce } else { Semantics::Copy };
        let mut schedule = Schedule::new();
        // How many contributions each node has of a chunk, and who received any.
        let mut parts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for (chunk, nodes) in (0u32..).zip(&contributors) {
            parts.extend(nodes.iter().map(|node| ((chunk, node.0), 1)));
        }
        let mut receivers: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); leaders.len()];
        for hop in &self.hops {
            schedule.begin_step();
            let mut came = Vec::with_capacity(hop.len());
            for &Crossing { value, channel, op } in hop {
                let chunk = numbers[&self.leader(value)];
                let (from, to) = (network.from(channel).0, network.to(channel).0);
                came.push((chunk, to, op, parts.get(&(chunk, from)).copied().unwrap_or(0)));
                receivers[chunk as usize].insert(to);
                let op = if adds { op } else { Op::default() };
                schedule.push(Transfer { op, ..Transfer::new(&[Message(chunk)], &[channel]) });
            }
            for (chunk, to, op, count) in came {
                let held = parts.entry((chunk, to)).or_insert(0);
                *held = if op == Op::Reduce { *held + count } else { count };
            }
        }
        let messages: Vec<(Vec<Node>, Vec<Node>)> = (0u32..)
            .zip(contributors)
            .zip(receivers)
            .map(|((chunk, from), came)| {
                let has_all = |node: &u32| parts.get(&(chunk, *node)) == Some(&from.len());
                let to = came.into_iter().filter(has_all).map(Node).collect();
                (from, to)
            })
            .collect();
        let collective = Collective::new(name, semantics, None, messages)?;
        let problem = Problem::new(network.clone(), collective, Model::store_and_forward())?;
        let names = leaders.into_iter().map(|leader| self.values[leader as usize].name).collect();
        Ok(Communication { problem, schedule, names })
    }
}
