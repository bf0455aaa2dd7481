//! **What:** what a cut proves in time: what must cross, over the bandwidth that crosses, with the latencies before and behind.
//!
//! **Rule:** let A be a set of nodes, and X the messages (of semantics `reduce`: chunks) with an origin in A and a destination outside. Of each look at what its
//! origins in A gave to it, and at the use of a channel that leaves A by which that first comes out: of all uses the one that ends first, on one path the
//! first one. Before, it was in A only. So the use of channel c begins no earlier than the earliest tick at which a message from such an
//! origin can be at its tail, by chains of transfers within A. If all these uses end by tick U, then X messages went over the
//! channels, each at no more than its bandwidth and from that tick on; so U is at least the least number for which that is enough. Some message has its
//! first use end at U or later, and so have all uses by which it leaves A. Whatever a destination outside gets of it came out of A a last time, over some channel of
//! all that leave A: when the use ends its last bytes have that channel's latency before them and then, outside A, the latencies of the path, and transfers of their own if
//! they are held on the way. The schedule takes U and the least of these times, to the farthest destination of the message for which that is least.
//!
//! Where chunks are merged for one destination each, a schedule run backwards copies messages on the network turned round, in as many ticks, and what leaves the
//! complement of A there proves as much here.

use super::TimedProblem;
use super::reach::{Start, earliest};
use crate::certify::members;
use crate::{Channel, MessageRun, Node, Refused};
use std::collections::HashMap;

/// Ticks that the set proves.
pub(super) fn late_cut(problem: &TimedProblem, nodes: &[Node]) -> Result<u64, Refused> {
    let inside = members(problem.plain(), nodes)?;
    let ticks = proves(problem, &inside)?;
    let Some(backwards) = problem.backwards() else { return Ok(ticks) };
    let outside: Vec<bool> = inside.iter().map(|inside| !inside).collect();
    Ok(ticks.max(proves(backwards, &outside)?))
}

/// What leaves the set that a flag of each node says.
fn proves(problem: &TimedProblem, inside: &[bool]) -> Result<u64, Refused> {
    let (network, collective) = (problem.network(), problem.collective());
    let outside = |v: &Node| !inside[v.index()];
    let leaves = |run: &MessageRun| {
        let (from, to) = (collective.contributors(run.first), collective.destinations(run.first));
        from.iter().any(|v| !outside(v)) && to.iter().any(outside)
    };
    let leaving: Vec<MessageRun> = collective.runs().filter(leaves).collect();
    let mut gives = vec![false; network.node_count()];
    leaving.iter().flat_map(|run| collective.contributors(run.first)).for_each(|v| gives[v.index()] = true);
    let origins = network.nodes().filter(|v| gives[v.index()] && !outside(v));
    let starts: Vec<Start> = origins.map(|node| Start::Held { node }).collect();
    let near = earliest(problem, &starts, |v| inside[v.index()]);
    let crosses = |c: &Channel| !outside(&network.from(*c)) && outside(&network.to(*c));
    let crossing: Vec<Channel> = network.channels().filter(crosses).collect();
    let arriving = crossing.iter().map(|c| Start::Arriving { node: network.to(*c), tick: problem.latency(*c) });
    let behind = earliest(problem, &arriving.collect::<Vec<_>>(), |v| !inside[v.index()]);
    let way = |run: &MessageRun| {
        let to = collective.destinations(run.first).iter().filter(|v| outside(v));
        to.filter_map(|v| behind.held[v.index()]).max().unwrap_or(0)
    };
    let Some(way) = leaving.iter().map(way).min() else { return Ok(0) };
    let ready: Vec<(u64, Channel)> = crossing.into_iter().filter_map(|c| Some((near.at(problem, c)?, c))).collect();
    let too_fine = Refused::NotApplicable { kind: "late-cut", why: "the numbers need more than 128 bits" };
    let messages: u64 = leaving.iter().map(|run| run.messages).sum();
    let work = problem.work(messages.into()).ok_or_else(|| too_fine.clone())?;
    let last = last(problem, work, ready).ok_or_else(|| too_fine.clone())?;
    last.checked_add(way).ok_or(too_fine)
}

/// The first tick by which so much work can be done by channels that are ready from these ticks on.
fn last(problem: &TimedProblem, work: u128, mut ready: Vec<(u64, Channel)>) -> Option<u64> {
    ready.sort_unstable();
    let (mut rate, mut shares) = (0u128, HashMap::new());
    let mut left = work;
    for (at, &(tick, channel)) in ready.iter().enumerate() {
        rate += more(problem, channel, &mut shares);
        let lasts = ready.get(at + 1).map(|(next, _)| u128::from(next - tick));
        if let Some(done) = lasts.map(|lasts| rate.saturating_mul(lasts)).filter(|done| *done < left) {
            left -= done;
            continue;
        }
        return tick.checked_add(u64::try_from(left.div_ceil(rate)).ok()?);
    }
    None
}

/// What a channel adds to the bandwidth of those before it; channels of a half-duplex group share the largest bandwidth of the group.
fn more(problem: &TimedProblem, channel: Channel, shares: &mut HashMap<usize, u128>) -> u128 {
    let (network, bandwidth) = (problem.network(), u128::from(problem.bandwidth(channel)));
    let Some(group) = network.groups_of(channel).next() else { return bandwidth };
    let of_group = network.half_duplex()[group].iter().map(|c| problem.bandwidth(Channel(*c))).max();
    let most = u128::from(of_group.unwrap_or(0));
    let used = shares.entry(group).or_insert(0);
    let more = bandwidth.min(most - *used);
    *used += more;
    more
}
