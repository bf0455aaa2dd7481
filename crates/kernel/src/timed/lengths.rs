//! **What:** what weighted distances prove in time.
//!
//! **Rule:** give every channel a weight. Every transfer of a message uses each channel of its path for as much bandwidth × time as the message has bytes, several
//! messages for as much more. So the messages need the weighted distances of all of them (lightest trees where they have several destinations or
//! contributors: the theory of `crate::lengths`, which counts transfers and not steps), times their bytes. A channel c gives no more than its weight ×
//! its bandwidth × the ticks in which it can be of use: none before anything can be at its tail, and none so late that the last bytes
//! come to no terminal by the end. T ticks are too few while the sum over all channels is below what is needed. The channels of a half-duplex group
//! give no more than its largest weight × its largest bandwidth, in the ticks in which any of them can be of use.

use super::TimedProblem;
use super::reach::{Start, earliest, to_a_terminal};
use crate::lengths::{Tolls, needed};
use crate::{Channel, Model, Node, Problem, Refused, Weights};
use std::collections::BTreeSet;

/// Something that can be of use for all but so many ticks, and what it gives in each.
struct Gives {
    idle: u64,
    rate: u128,
}

/// Ticks that the weights prove.
pub(super) fn lengths(problem: &TimedProblem, weights: &Weights) -> Result<u64, Refused> {
    let refuse = |why| Refused::NotApplicable { kind: "lengths", why };
    let collective = problem.collective();
    if !problem.links().multicast.is_empty() && collective.messages().any(|m| collective.destinations(m).len() > 1) {
        return Err(refuse("switches that copy serve several destinations at once"));
    }
    // Messages that share a transfer take as long as they do one after the other.
    let apart = Model { combining: false, ..problem.plain().model() };
    let apart = Problem::known(problem.network().clone(), collective.clone(), apart);
    let (total, weights) = needed(&apart, &Tolls::channels(weights))?;
    if weights.iter().all(|weight| *weight == 0) {
        return Err(Refused::ZeroWeights);
    }
    let overflow = || refuse("the numbers need more than 128 bits");
    let work = problem.work(total).ok_or_else(overflow)?;
    if work == 0 {
        return Ok(0);
    }
    let mut gives = gives(problem, &weights).ok_or_else(overflow)?;
    gives.sort_unstable_by_key(|one| one.idle);
    let mut rate = 0u128;
    let mut left = work;
    for (at, one) in gives.iter().enumerate() {
        rate = rate.checked_add(one.rate).ok_or_else(overflow)?;
        let lasts = gives.get(at + 1).map(|next| u128::from(next.idle - one.idle));
        if let Some(done) = lasts.map(|lasts| rate.saturating_mul(lasts)).filter(|done| *done < left) {
            left -= done;
            continue;
        }
        let ticks = u64::try_from(left.div_ceil(rate)).map_err(|_| overflow())?;
        return one.idle.checked_add(ticks).ok_or_else(overflow);
    }
    Err(Refused::ZeroWeights)
}

/// What every channel that weighs something gives, of half-duplex groups all together; `None` where that does not fit.
fn gives(problem: &TimedProblem, weights: &[u128]) -> Option<Vec<Gives>> {
    let (network, collective) = (problem.network(), problem.collective());
    let origins: BTreeSet<Node> =
        collective.runs().flat_map(|run| collective.contributors(run.first)).copied().collect();
    let starts: Vec<Start> = origins.into_iter().map(|node| Start::Held { node }).collect();
    let (before, behind) = (earliest(problem, &starts, |_| true), to_a_terminal(problem));
    // Ticks in which a channel is of no use; none at all if it never is.
    let idle = |c: Channel| {
        let behind = behind[network.to(c).index()]?.saturating_add(problem.latency(c));
        Some(before.at(problem, c)?.saturating_add(behind))
    };
    let mut all = Vec::new();
    let mut groups: Vec<Option<(u64, u128)>> = vec![None; network.half_duplex().len()];
    for channel in network.channels().filter(|c| weights[c.index()] > 0) {
        let (Some(idle), weight) = (idle(channel), weights[channel.index()]) else { continue };
        match network.groups_of(channel).next() {
            None => all.push(Gives { idle, rate: weight.checked_mul(problem.bandwidth(channel).into())? }),
            Some(group) => {
                let (least, most) = groups[group].unwrap_or((idle, weight));
                groups[group] = Some((least.min(idle), most.max(weight)));
            }
        }
    }
    for (group, found) in groups.into_iter().enumerate() {
        let Some((idle, weight)) = found else { continue };
        let widest = network.half_duplex()[group].iter().map(|c| problem.bandwidth(Channel(*c))).max()?;
        all.push(Gives { idle, rate: weight.checked_mul(widest.into())? });
    }
    Some(all)
}
