//! **What:** a network whose channels have bandwidths and latencies, a collective, and the sizes of a message and of a tick.

use super::exact::Fraction;
use crate::{Channel, Collective, Model, Network, Node, Problem, ProblemError, Rational, Semantics};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// What the channels and nodes of a network do in time: plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// GB/s (10⁹ bytes a second), one a channel, above 0.
    pub bandwidth: Vec<Rational>,
    /// Microseconds, one a channel; empty where all are 0.
    pub latency: Vec<Rational>,
    /// Nodes that copy what passes through them.
    pub multicast: Vec<Node>,
    /// GB/s that a node merges, above 0; merging takes no time where it is absent.
    pub reduce: Option<Rational>,
}

impl Links {
    /// Checks that there is a number a channel, that those which must be above 0 are, and that nodes exist.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self, network: &Network) -> Result<(), TimedProblemError> {
        use TimedProblemError as E;
        let expected = network.channel_count();
        for (field, found, may_lack) in
            [("bandwidth", self.bandwidth.len(), false), ("latency", self.latency.len(), true)]
        {
            if found != expected && !(may_lack && found == 0) {
                return Err(E::Length { field, found, expected });
            }
        }
        for (item, bandwidth) in self.bandwidth.iter().enumerate() {
            positive(*bandwidth, "bandwidth", Some(item))?;
        }
        if let Some(item) = self.latency.iter().position(|latency| latency.denominator == 0) {
            return Err(E::NoNumber { field: "latency", item });
        }
        if let Some(rate) = self.reduce {
            positive(rate, "reduce_GBps", None)?;
        }
        let (mut seen, nodes) = (BTreeSet::new(), network.node_count());
        for node in &self.multicast {
            if node.index() >= nodes {
                return Err(E::NoSuchNode { node: node.0, nodes });
            }
            if !seen.insert(node) {
                return Err(E::Twice { node: node.0 });
            }
        }
        Ok(())
    }
}

/// What is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// Bytes of a message, or of a chunk; above 0.
    pub chunk_bytes: Rational,
    /// Microseconds of a tick; above 0.
    pub tick_us: Rational,
}

/// What keeps a network, its links, a collective and units from being a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimedProblemError {
    /// Network and collective do not fit together.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The messages are too many to be named by transfers.
    #[error("the {messages} messages are too many to be numbered")]
    Unnumbered {
        /// Messages.
        messages: usize,
    },
    /// A list has not one number a channel.
    #[error("`{field}` has {found} entries where {expected} are needed")]
    Length {
        /// The list.
        field: &'static str,
        /// Its length.
        found: usize,
        /// Channels.
        expected: usize,
    },
    /// A number that must be above 0 is 0, or has denominator 0.
    #[error("`{field}` must be above 0")]
    NotPositive {
        /// What it is of.
        field: &'static str,
        /// The channel, where it is a list.
        item: Option<usize>,
    },
    /// A number that may be 0 has denominator 0.
    #[error("`{field}` has a number with denominator 0")]
    NoNumber {
        /// The list.
        field: &'static str,
        /// The channel.
        item: usize,
    },
    /// A list names a node that does not exist.
    #[error("`multicast` names node {node}, but nodes are 0 to {last}", last = nodes - 1)]
    NoSuchNode {
        /// The node.
        node: u32,
        /// Number of nodes.
        nodes: usize,
    },
    /// A list names a node twice.
    #[error("`multicast` names node {node} twice")]
    Twice {
        /// The node.
        node: u32,
    },
    /// A number, or the numbers of a list together, need more than 64 bits.
    #[error("`{field}` is too fine, or too large, for exact arithmetic in 64 bits")]
    TooFine {
        /// What it is of.
        field: &'static str,
        /// The channel, where it is a list.
        item: Option<usize>,
    },
}

/// A well-posed problem in time. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct TimedProblem {
    inner: Arc<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    plain: Problem,
    links: Links,
    units: Units,
    /// Bandwidths as whole numbers, in GB/s over `scale`.
    bandwidth: Vec<u64>,
    scale: u64,
    /// Latencies in ticks.
    latency: Vec<u64>,
    copies: Vec<bool>,
    /// A message, in GB/s × ticks.
    work: Fraction,
    /// Ticks that merging a message takes.
    merging: u64,
    backwards: Backwards,
}

/// The problem backwards in time, found when it is first asked for; that it has been makes no difference.
#[derive(Clone, Debug, Default)]
struct Backwards(OnceLock<Option<TimedProblem>>);

impl PartialEq for Backwards {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Backwards {}

impl TimedProblem {
    /// Checks that every demand is reachable over paths of any length, and that numbers are there, positive and not too fine.
    ///
    /// # Errors
    /// The first fault found, as [`TimedProblemError`].
    pub fn new(
        network: Network,
        collective: Collective,
        combining: bool,
        links: Links,
        units: Units,
    ) -> Result<Self, TimedProblemError> {
        use TimedProblemError as E;
        links.check(&network)?;
        let (bandwidth, scale) = bandwidths(&links)?;
        let tick = positive(units.tick_us, "tick_us", None)?;
        let chunk = positive(units.chunk_bytes, "chunk_bytes", None)?;
        // A GB/s is 1000 bytes a microsecond.
        let thousand = Fraction::new(1000, 1);
        let work = thousand.and_then(|thousand| chunk.over(tick)?.over(thousand));
        let work = work.ok_or(E::TooFine { field: "chunk_bytes", item: None })?;
        let latency = latencies(&links, network.channel_count(), tick)?;
        let mut copies = vec![false; network.node_count()];
        for node in &links.multicast {
            copies[node.index()] = true;
        }
        if !collective.is_numbered() {
            return Err(E::Unnumbered { messages: collective.message_count() });
        }
        let merging = match links.reduce {
            None => 0,
            Some(rate) => duration(work, 1, positive(rate, "reduce_GBps", None)?)
                .ok_or(E::TooFine { field: "reduce_GBps", item: None })?,
        };
        let model = Model { combining, ..Model::wormhole() };
        let plain = Problem::new(network, collective, model)?;
        let inner = Inner {
            plain,
            links,
            units,
            bandwidth,
            scale,
            latency,
            copies,
            work,
            merging,
            backwards: Backwards::default(),
        };
        Ok(TimedProblem { inner: Arc::new(inner) })
    }

    /// What a schedule run backwards is one of, where chunks are merged for one destination each: messages that are copied on the network turned round.
    pub(super) fn backwards(&self) -> Option<&Self> {
        let found = || Some(self.with_messages_of(self.plain().reversed()?));
        let is_merged = self.collective().semantics() == Semantics::Reduce;
        self.inner.backwards.0.get_or_init(|| if is_merged { found() } else { None }).as_ref()
    }

    /// The same links and units for other messages on the same network, as it is or turned round, which need no look at.
    pub(super) fn with_messages_of(&self, plain: Problem) -> Self {
        let inner = Inner { plain, backwards: Backwards::default(), ..(*self.inner).clone() };
        TimedProblem { inner: Arc::new(inner) }
    }

    /// Network, collective, and whether transfers combine; its steps mean nothing here.
    pub fn plain(&self) -> &Problem {
        &self.inner.plain
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.plain().network()
    }

    /// What people call it: `reduce in 8 chunks on mesh:4x4`.
    #[must_use]
    pub fn title(&self) -> String {
        self.plain().title()
    }

    /// The collective.
    pub fn collective(&self) -> &Collective {
        self.plain().collective()
    }

    /// The numbers it was posed with.
    pub fn links(&self) -> &Links {
        &self.inner.links
    }

    /// What is counted in.
    pub fn units(&self) -> Units {
        self.inner.units
    }

    /// What a channel carries, in units of GB/s over [`TimedProblem::scale`].
    #[inline]
    pub fn bandwidth(&self, channel: Channel) -> u64 {
        self.inner.bandwidth[channel.index()]
    }

    /// How many units of bandwidth a GB/s has: the least number that makes all bandwidths whole.
    pub fn scale(&self) -> u64 {
        self.inner.scale
    }

    /// The latency of a channel, rounded up to ticks.
    #[inline]
    pub fn latency(&self, channel: Channel) -> u64 {
        self.inner.latency[channel.index()]
    }

    /// Whether a node copies what passes through it.
    pub fn copies(&self, node: Node) -> bool {
        self.inner.copies[node.index()]
    }

    /// Ticks that a node takes to merge what comes of a chunk.
    pub fn merging(&self) -> u64 {
        self.inner.merging
    }

    /// Ticks that so many messages take at a rate in GB/s, rounded up; `None` where they are 2⁶⁴ or more, or the rate is 0 or too fine.
    pub fn duration(&self, messages: u64, rate: Rational) -> Option<u64> {
        duration(self.inner.work, messages, Fraction::of(rate)?)
    }

    /// As [`TimedProblem::duration`], at a rate that is reduced already.
    pub(super) fn duration_at(&self, messages: u64, rate: Fraction) -> Option<u64> {
        duration(self.inner.work, messages, rate)
    }

    /// As [`TimedProblem::duration`], at a rate in [units](TimedProblem::scale).
    pub fn duration_in_units(&self, messages: u64, rate: u64) -> Option<u64> {
        duration(self.inner.work, messages, Fraction::new(rate.into(), self.scale().into())?)
    }

    /// So many messages in units of bandwidth × ticks, rounded up; `None` where that does not fit.
    pub fn work(&self, messages: u128) -> Option<u128> {
        let scaled = self.inner.work.times(Fraction::new(self.scale().into(), 1)?)?;
        Some(scaled.times(Fraction::new(messages, 1)?)?.ceil())
    }

    /// So many ticks in microseconds.
    #[must_use]
    pub fn micros(&self, ticks: u64) -> f64 {
        let Rational { numerator, denominator } = self.units().tick_us;
        ticks as f64 * numerator as f64 / denominator as f64
    }
}

fn duration(work: Fraction, messages: u64, rate: Fraction) -> Option<u64> {
    u64::try_from(work.times(Fraction::new(messages.into(), 1)?)?.over(rate)?.ceil()).ok()
}

/// Bandwidths in a common unit, and how many of them a GB/s is.
fn bandwidths(links: &Links) -> Result<(Vec<u64>, u64), TimedProblemError> {
    use TimedProblemError as E;
    const FIELD: &str = "bandwidth";
    let mut scale = 1u64;
    let too_fine = |item| E::TooFine { field: FIELD, item: Some(item) };
    for (item, bandwidth) in links.bandwidth.iter().enumerate() {
        scale = positive(*bandwidth, FIELD, Some(item))?.widen(scale).ok_or_else(|| too_fine(item))?;
    }
    let whole = |(item, bandwidth): (usize, &Rational)| {
        Fraction::of(*bandwidth).and_then(|bandwidth| bandwidth.scaled(scale)).ok_or_else(|| too_fine(item))
    };
    Ok((links.bandwidth.iter().enumerate().map(whole).collect::<Result<_, E>>()?, scale))
}

/// Latencies in ticks, rounded up.
fn latencies(links: &Links, channels: usize, tick: Fraction) -> Result<Vec<u64>, TimedProblemError> {
    use TimedProblemError as E;
    const FIELD: &str = "latency";
    if links.latency.is_empty() {
        return Ok(vec![0; channels]);
    }
    let ticks = |(item, latency): (usize, &Rational)| {
        let latency = Fraction::of(*latency).ok_or(E::NoNumber { field: FIELD, item })?;
        let ticks = latency.over(tick).and_then(|ticks| u64::try_from(ticks.ceil()).ok());
        ticks.ok_or(E::TooFine { field: FIELD, item: Some(item) })
    };
    links.latency.iter().enumerate().map(ticks).collect()
}

fn positive(number: Rational, field: &'static str, item: Option<usize>) -> Result<Fraction, TimedProblemError> {
    let fraction = Fraction::of(number).filter(|fraction| !fraction.is_zero());
    fraction.ok_or(TimedProblemError::NotPositive { field, item })
}
