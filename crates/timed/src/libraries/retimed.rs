//! **What:** a schedule of one size as one of another size: the same transfers, in the same order on every channel and at every port, begun as early as that allows.
//!
//! **Method.** A transfer waits for what brought its chunk to its sender, and for the beginnings of those that had its channels and ports before it, or for none of those where the order is
//! left to the machine of this module, which does the rest. Of what is stored as orbits representatives wait for representatives, since their images wait for each other's.
//! **Loses:** schedules with rates of their own or switches that copy, and those whose merging takes time, are not played.

use super::machine::play;
use super::program::{Send, Takes, Written};
use kernel::timed::{Bases, TimedClaim, TimedOrbits, TimedProblem, VerifiedTimed};
use kernel::{Channel, Message, Node, Semantics};
use run::Run;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What transfers use one after the other, or so many at a time.
#[derive(PartialEq, Eq, Hash)]
enum Limited {
    Channel(Channel),
    Group(usize),
    Sending(Node),
    Receiving(Node),
}

/// The order in which transfers begin on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnChannels {
    /// That of the schedule.
    AsBefore,
    /// First come, first served.
    AsTheyCome,
}

/// The transfers of `schedule` on a problem that differs from its own in bytes and ticks alone; `None` where they cannot be played, or the run is stopped.
/// A claim: whoever calls verifies it.
#[must_use]
pub fn retimed(
    schedule: &VerifiedTimed,
    problem: &TimedProblem,
    order: OnChannels,
    run: &Run<'_>,
) -> Option<TimedClaim> {
    let old = schedule.problem();
    if (old.network(), old.collective()) != (problem.network(), problem.collective()) || problem.merging() > 0 {
        return None;
    }
    let orbits = match schedule.orbits() {
        None => None,
        Some(orbits) => Some(orbits.of_other_links(problem)?),
    };
    let bases = Bases::of(orbits.as_ref().map(TimedOrbits::translations));
    let representatives = orbits.as_ref().map_or(problem, TimedOrbits::representatives);
    let schedule = play(representatives, bases, &written(schedule, representatives, bases, order)?, run)?;
    Some(TimedClaim { schedule, orbits })
}

fn written(schedule: &VerifiedTimed, problem: &TimedProblem, bases: Bases<'_>, order: OnChannels) -> Option<Written> {
    let claim = schedule.stored();
    let old = schedule.orbits().map_or(schedule.problem(), TimedOrbits::representatives);
    let (network, collective) = (problem.network(), problem.collective());
    let merges = collective.semantics() == Semantics::Reduce;
    let mut sends: Vec<Send> = Vec::with_capacity(claim.transfer_count());
    // By tick, what arrives then; by node and message, what brought it.
    let mut coming: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    let mut brought: HashMap<(Node, Message), Vec<usize>> = HashMap::new();
    let mut last: HashMap<Limited, usize> = HashMap::new();
    for (&tick, step) in claim.times().iter().zip(claim.steps()) {
        while let Some(entry) = coming.first_entry().filter(|entry| *entry.key() <= tick) {
            for at in entry.remove() {
                let Send { messages, path, .. } = &sends[at];
                let to = network.to(path[path.len() - 1]);
                for &message in messages {
                    let by = brought.entry((to, message)).or_default();
                    if merges || by.is_empty() {
                        by.push(at);
                    }
                }
            }
        }
        for sent in step {
            if sent.branches() || sent.rate.is_some() {
                return None;
            }
            let (path, messages) = (sent.transfer.path, sent.transfer.messages);
            let at = sends.len();
            let (from, to) = (network.from(path[0]), network.to(path[path.len() - 1]));
            let shared = path.iter().flat_map(|c| network.groups_of(*c)).map(|g| Limited::Group(bases.group(g).0));
            let ports = [
                network.send_ports(from).map(|_| Limited::Sending(bases.terminal(from))),
                network.receive_ports(to).map(|_| Limited::Receiving(bases.terminal(to))),
            ];
            let channels = path.iter().map(|c| Limited::Channel(bases.channel(*c).0));
            let used = channels.chain(shared).chain(ports.into_iter().flatten());
            let used = used.filter(|_| order == OnChannels::AsBefore);
            let before = used.filter_map(|limited| last.insert(limited, at)).filter(|before| *before != at);
            let after = before.collect::<BTreeSet<usize>>().into_iter().collect();
            let needs = |message: &Message| match !merges && collective.origin(*message) == from {
                true => None,
                false => brought.get(&(from, *message)),
            };
            let waits: BTreeSet<usize> = messages.iter().filter_map(needs).flatten().copied().collect();
            let waits = waits.into_iter().collect();
            let rate = path.iter().map(|c| old.bandwidth(*c)).min()?;
            let lasts = old.duration_in_units(messages.len() as u64, rate)?;
            let latency: u64 = path.iter().map(|c| old.latency(*c)).sum();
            coming.entry(tick + lasts + latency).or_default().push(at);
            let takes = match sent.transfer.partials {
                [] => Takes::Merged,
                partials => Takes::Numbered(partials.to_vec()),
            };
            // Every transfer has a gate of its own number.
            let (messages, path) = (messages.to_vec(), path.to_vec());
            sends.push(Send { messages, path, op: sent.transfer.op, takes, after, waits, tells: vec![at] });
        }
    }
    Some(Written { gates: sends.len(), sends })
}
