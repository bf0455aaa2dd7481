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
//! A use serves at most N × M pairs, and takes a chunk's bytes of bandwidth × time. Both numbers grow, so at tick t bytes on channel c serve no more than N(c, t) × M(c, T − t) pairs a chunk. T ticks are too few as long as all
//! the channels that leave A, used at their bandwidths throughout, serve fewer pairs than there are.

use super::TimedProblem;
use super::reach::{Earliest, Layers, Start, earliest_in, layers};
use crate::certify::members;
use crate::{Channel, Message, Node, Refused};
use std::collections::HashMap;

/// Most looks at nodes and channels in searches, and at pairs of terminals for the channels that leave the set.
const MOST: u64 = 1 << 26;

/// From each of these ticks on, how many can be served; ascending in both.
type Profile = Vec<(u64, u64)>;

/// A channel that leaves the set.
struct Crossing {
    bandwidth: u128,
    /// How many contributions may have met in what is at its tail.
    met: Profile,
    /// How many destinations can still be served, by the ticks that are left when its use ends.
    served: Profile,
}

/// Ticks that the set proves.
pub(super) fn pair_cut(problem: &TimedProblem, nodes: &[Node]) -> Result<u64, Refused> {
    let refuse = |why| Refused::NotApplicable { kind: "pair-cut", why };
    let inside = members(problem.plain(), nodes)?;
    let (network, collective) = (problem.network(), problem.collective());
    let is_inside = |v: &&Node| inside[v.index()];
    // Contributors and destinations of all chunks, and the most of one.
    let (mut gives, mut gets) = (vec![false; network.node_count()], vec![false; network.node_count()]);
    let (mut pairs, mut most_gives, mut most_gets) = (0u128, 0, 0);
    let mut counted: Option<(Message, [u64; 2])> = None;
    for message in collective.messages() {
        let (from, to) = (collective.contributors(message), collective.destinations(message));
        // Chunks of a message have the same ends, which are looked at once.
        let known = counted.filter(|(m, _)| collective.contributors(*m) == from && collective.destinations(*m) == to);
        let numbers = known.map_or_else(
            || {
                let (from, to) = (from.iter().filter(is_inside), to.iter().filter(|v| !is_inside(v)));
                let numbers = [from.clone().count() as u64, to.clone().count() as u64];
                if !numbers.contains(&0) {
                    from.for_each(|v| gives[v.index()] = true);
                    to.for_each(|v| gets[v.index()] = true);
                    most_gives = most_gives.max(numbers[0]);
                    most_gets = most_gets.max(numbers[1]);
                }
                numbers
            },
            |(_, numbers)| numbers,
        );
        counted = Some((message, numbers));
        pairs += u128::from(numbers[0]) * u128::from(numbers[1]);
    }
    if pairs == 0 {
        return Ok(0);
    }
    let crosses = |c: &Channel| inside[network.from(*c).index()] && !inside[network.to(*c).index()];
    let crossing: Vec<Channel> = network.channels().filter(crosses).collect();
    if crossing.iter().any(|c| network.groups_of(*c).next().is_some()) {
        return Err(refuse("channels that leave the set share half-duplex links"));
    }
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
    let crossings = all.crossings(&crossing, &inside);
    let overflow = || refuse("the numbers need more than 128 bits");
    let work = problem.work(pairs).ok_or_else(overflow)?;
    least(&crossings, work).ok_or_else(overflow)
}

/// What is needed to count who can be served.
struct Reached<'a> {
    problem: &'a TimedProblem,
    layers: &'a Layers,
    /// Contributors inside and destinations outside, and the most of them of one chunk.
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

/// The most that any of several reach by each tick, but no more than some number: each begins at a tick of its own, and reaches one more after each of its times.
fn profile<'a>(each: impl Iterator<Item = (u64, &'a [u64])>, most: u64) -> Profile {
    let mut earliest: Vec<u64> = Vec::new();
    for (begins, times) in each {
        for (at, time) in times.iter().take(usize::try_from(most).unwrap_or(usize::MAX)).enumerate() {
            let tick = begins.saturating_add(*time);
            match earliest.get_mut(at) {
                Some(known) => *known = tick.min(*known),
                None => earliest.push(tick),
            }
        }
    }
    // Whoever reaches more has reached fewer by then.
    for at in (1..earliest.len()).rev() {
        earliest[at - 1] = earliest[at - 1].min(earliest[at]);
    }
    let mut profile = Profile::new();
    for (at, tick) in earliest.into_iter().enumerate() {
        match profile.last_mut() {
            Some(last) if last.0 == tick => last.1 = at as u64 + 1,
            _ => profile.push((tick, at as u64 + 1)),
        }
    }
    profile
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
