//! **What:** what a cut proves in time where many contribute to a chunk or many get it: what crosses early has met few contributions, what crosses late serves few destinations.
//!
//! **Rule:** let A be a set of nodes. A pair is a contributor in A (semantics `copy`: an origin) and a destination outside of one chunk. What the destination ends up with has come to it by a
//! chain of transfers that carry this contribution; of all uses of channels that leave A on this chain, the first one serves the pair. Up to it, everything stayed in A.
//!
//! Say that it begins at tick b on channel c, for a transfer that terminal z sends. Every contribution that it serves was held by z, within A, before z sent. So it serves
//! no more contributors than there are for the best z: those u for which the earliest tick at which z can hold what u has, and the latencies from z to the tail of c, come to at most b. Call that N(c, b).
//! Let the use end at tick e, and the transfer at terminal y. Every destination that it serves gets its chain from y on. So they are no more than there are for the best y: those v for which the
//! latencies from the use to y, and the time from y until v can hold it, come to at most T − e, where T is the whole time. Call that M(c, T − e). Where switches copy, a
//! transfer has several receivers, so those v are counted that any of them can reach.
//!
//! The channels of a half-duplex group count as one, of the largest bandwidth of the group, and with the most that any of them that leaves A has of N and of M.
//!
//! The pairs of some contributors and some destinations alone are counted in the same way: those far from the channels that leave A prove more by themselves where those that are near
//! can be served early, or late. N and M then count no others.
//!
//! A use serves at most N × M pairs, and takes a chunk's bytes of bandwidth × time. Both numbers grow, so at tick t bytes on channel c serve no more than N(c, t) × M(c, T − t) pairs a chunk. T ticks are too few as long as all
//! the channels that leave A, used at their bandwidths throughout, serve fewer pairs than there are.

use super::TimedProblem;
use super::profile::{Profile, most, profile};
use super::reach::{Earliest, Layers, Start, earliest_in, layers};
use crate::certify::members;
use crate::{Channel, Node, Refused};
use std::collections::HashMap;

/// Most looks at nodes and channels in searches, and at pairs of terminals for the channels that leave the set.
const MOST: u64 = 1 << 26;

/// A channel that leaves the set, or all of a half-duplex group that do.
struct Crossing {
    channel: Channel,
    bandwidth: u128,
    /// How many contributions may have met in what is at its tail.
    met: Profile,
    /// How many destinations can still be served, by the ticks that are left when its use ends.
    served: Profile,
}

/// Ticks that the set proves by its pairs: those of some contributors and some destinations, or of all.
pub(super) fn pair_cut(
    problem: &TimedProblem,
    nodes: &[Node],
    contributors: Option<&[Node]>,
    destinations: Option<&[Node]>,
) -> Result<u64, Refused> {
    let refuse = |why| Refused::NotApplicable { kind: "pair-cut", why };
    let inside = members(problem.plain(), nodes)?;
    let (network, collective) = (problem.network(), problem.collective());
    let counted = |of: Option<&[Node]>| of.map(|nodes| members(problem.plain(), nodes)).transpose();
    let (from_these, to_these) = (counted(contributors)?, counted(destinations)?);
    let is_among = |these: &Option<Vec<bool>>, v: &Node| these.as_ref().is_none_or(|these| these[v.index()]);
    // Contributors and destinations of all chunks, and the most of one.
    let (mut gives, mut gets) = (vec![false; network.node_count()], vec![false; network.node_count()]);
    let (mut pairs, mut most_gives, mut most_gets) = (0u128, 0, 0);
    for run in collective.runs() {
        let (from, to) = (collective.contributors(run.first).iter(), collective.destinations(run.first).iter());
        let from = from.filter(|v| inside[v.index()] && is_among(&from_these, v));
        let to = to.filter(|v| !inside[v.index()] && is_among(&to_these, v));
        let (count_from, count_to) = (from.clone().count() as u64, to.clone().count() as u64);
        if count_from > 0 && count_to > 0 {
            from.for_each(|v| gives[v.index()] = true);
            to.for_each(|v| gets[v.index()] = true);
            most_gives = most_gives.max(count_from);
            most_gets = most_gets.max(count_to);
            pairs += u128::from(count_from) * u128::from(count_to) * u128::from(run.messages);
        }
    }
    if pairs == 0 {
        return Ok(0);
    }
    let crosses = |c: &Channel| inside[network.from(*c).index()] && !inside[network.to(*c).index()];
    let crossing: Vec<Channel> = network.channels().filter(crosses).collect();
    // A search from every terminal, within the set and everywhere, and from every channel.
    let terminals = network.terminals().len() as u64;
    let searches = 2 * terminals + crossing.len() as u64;
    let each = network.node_count() as u64 + network.channel_count() as u64;
    let pairs_of_terminals = (crossing.len() as u64 + 1).saturating_mul(terminals.saturating_mul(terminals));
    if searches.saturating_mul(each).saturating_add(pairs_of_terminals) > MOST {
        return Err(refuse("the terminals and channels are too many to be looked at in pairs"));
    }
    let layers = layers(problem);
    let all = Reached { problem, layers: &layers, gives: &gives, gets: &gets, most: [most_gives, most_gets] };
    let crossings = shared(problem, all.crossings(&crossing, &inside));
    let overflow = || refuse("the numbers need more than 128 bits");
    let work = problem.work(pairs).ok_or_else(overflow)?;
    least(&crossings, work).ok_or_else(overflow)
}

/// What is needed to count who can be served.
struct Reached<'a> {
    problem: &'a TimedProblem,
    layers: &'a Layers,
    /// Contributors inside and destinations outside that are counted, and the most of them of one chunk.
    gives: &'a [bool],
    gets: &'a [bool],
    most: [u64; 2],
}

/// A terminal of the set, which may send what leaves it.
struct Sender {
    node: Node,
    /// The earliest ticks at which it can hold what contributors have, ascending.
    holds: Vec<u64>,
    /// Of each channel that leaves the set, the earliest tick at which what the terminal holds at first can be at its tail.
    reaches: Vec<Option<u64>>,
}

/// A terminal at which what has left the set may arrive.
struct Receiver {
    node: Node,
    /// The earliest ticks, from there on, at which destinations can hold it, ascending.
    serves: Vec<u64>,
}

impl Reached<'_> {
    fn crossings(&self, channels: &[Channel], inside: &[bool]) -> Vec<Crossing> {
        let (problem, [most_gives, most_gets]) = (self.problem, self.most);
        let (senders, receivers) = (self.senders(channels, inside), self.receivers());
        let mut behind: HashMap<(Node, u64), Profile> = HashMap::new();
        let crossing = |(at, channel): (usize, &Channel)| {
            let (head, latency) = (problem.network().to(*channel), problem.latency(*channel));
            let served = behind.entry((head, latency)).or_insert_with(|| {
                let reached = self.earliest(Start::Arriving { node: head, tick: latency }, |_| true);
                if problem.links().multicast.is_empty() {
                    let each = receivers.iter().filter_map(|y| Some((reached.held[y.node.index()]?, &y.serves[..])));
                    profile(each, most_gets)
                } else {
                    profile([(0, &self.at_destinations(&reached)[..])].into_iter(), most_gets)
                }
            });
            let met = senders.iter().filter_map(|z| Some((z.reaches[at]?, &z.holds[..])));
            Crossing {
                channel: *channel,
                bandwidth: problem.bandwidth(*channel).into(),
                met: profile(met, most_gives),
                served: served.clone(),
            }
        };
        channels.iter().enumerate().map(crossing).collect()
    }

    fn earliest(&self, start: Start, within: impl Fn(Node) -> bool) -> Earliest {
        earliest_in(self.problem, self.layers, &[start], within)
    }

    /// The terminals of the set, as they reach each other and the channels within it. Where no two contributions to a chunk can meet, they are no
    /// sooner anywhere than by chains from their contributors.
    fn senders(&self, channels: &[Channel], inside: &[bool]) -> Vec<Sender> {
        let meet = self.most[0] > 1;
        let terminals = self.problem.network().terminals().iter().copied();
        let holders = terminals.filter(|v| inside[v.index()] && (meet || self.gives[v.index()]));
        let mut senders: Vec<Sender> =
            holders.map(|node| Sender { node, holds: Vec::new(), reaches: Vec::new() }).collect();
        for at in 0..senders.len() {
            let node = senders[at].node;
            let reached = self.earliest(Start::Held { node }, |v| inside[v.index()]);
            senders[at].reaches = channels.iter().map(|c| reached.at(self.problem, *c)).collect();
            if self.gives[node.index()] {
                senders.iter_mut().for_each(|z| z.holds.extend(reached.held[z.node.index()]));
            }
        }
        senders.iter_mut().for_each(|z| z.holds.sort_unstable());
        senders
    }

    /// The terminals, as they reach destinations. Where no two of a chunk are to be served, none is sooner than by a chain from the use itself.
    fn receivers(&self) -> Vec<Receiver> {
        let several = self.most[1] > 1;
        let terminals = self.problem.network().terminals().iter().filter(|y| several || self.gets[y.index()]);
        let receiver = |node: &Node| Receiver {
            node: *node,
            serves: self.at_destinations(&self.earliest(Start::Held { node: *node }, |_| true)),
        };
        terminals.map(receiver).collect()
    }

    /// When destinations can hold it, ascending.
    fn at_destinations(&self, reached: &Earliest) -> Vec<u64> {
        let gets = self.problem.network().nodes().filter(|v| self.gets[v.index()]);
        let mut times: Vec<u64> = gets.filter_map(|v| reached.held[v.index()]).collect();
        times.sort_unstable();
        times
    }
}

/// Those of a half-duplex group as one.
fn shared(problem: &TimedProblem, crossings: Vec<Crossing>) -> Vec<Crossing> {
    let network = problem.network();
    let mut at: HashMap<usize, usize> = HashMap::new();
    let mut all: Vec<Crossing> = Vec::with_capacity(crossings.len());
    for mut one in crossings {
        let Some(group) = network.groups_of(one.channel).next() else {
            all.push(one);
            continue;
        };
        if let Some(known) = at.get(&group).map(|at| &mut all[*at]) {
            known.met = most([&known.met, &one.met]);
            known.served = most([&known.served, &one.served]);
            continue;
        }
        at.insert(group, all.len());
        let bandwidths = network.half_duplex()[group].iter().map(|c| problem.bandwidth(Channel(*c)));
        one.bandwidth = bandwidths.max().map_or(one.bandwidth, u128::from);
        all.push(one);
    }
    all
}

/// The least number of ticks in which channels can do so much, in units of bandwidth × ticks × pairs; `None` where that does not fit.
fn least(crossings: &[Crossing], work: u128) -> Option<u64> {
    let is_enough = |ticks: u64| {
        let all = crossings.iter().try_fold(0u128, |all, one| all.checked_add(one.does(ticks)?));
        all.map(|all| all >= work)
    };
    let mut enough = 1u64;
    while !is_enough(enough)? {
        enough = enough.checked_mul(2)?;
    }
    let mut too_few = enough / 2;
    while enough - too_few > 1 {
        let half = too_few + (enough - too_few) / 2;
        if is_enough(half)? { enough = half } else { too_few = half }
    }
    Some(enough)
}

impl Crossing {
    /// Bandwidth × ticks × pairs in so many ticks.
    fn does(&self, ticks: u64) -> Option<u128> {
        // From one tick on so many have met; up to another, so many can still be served. Each is looked at once.
        let (mut all, mut begin) = (0u128, 0);
        let mut served = self.served.iter().rev().peekable();
        for (at, (first, met)) in self.met.iter().enumerate() {
            let until = self.met.get(at + 1).map_or(ticks, |next| next.0).min(ticks);
            begin = begin.max(*first);
            while let Some((left, number)) = served.peek() {
                let last = ticks.saturating_sub(*left);
                let end = last.min(until);
                if end > begin {
                    let done = u128::from(end - begin).checked_mul(self.bandwidth)?;
                    all = all.checked_add(done.checked_mul(u128::from(*met) * u128::from(*number))?)?;
                    begin = end;
                }
                if last > until {
                    break;
                }
                served.next();
            }
        }
        Some(all)
    }
}
