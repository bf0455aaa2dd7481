//! **What:** the checker from [`TimedSchedule`] to [`VerifiedTimed`].
//!
//! Transfers are looked at in the order in which they begin, and what they send arrives in the order of ticks, so that each is judged by what its
//! sender holds at its tick. What channels, half-duplex groups and ports carry is swept afterwards, each by itself (module `sweep`). A transfer
//! whose parts do not exist is reported and left out; any other broken rule is reported, and the transfer still delivers.

use super::exact::{Fraction, in_units};
use super::fault::TimedFault;
use super::paths::Tree;
use super::sweep::{Use, overloads};
use super::timeline::merges;
use super::{TimedProblem, TimedSchedule, TimedTransfer, VerifiedTimed};
use crate::holdings::{Contributions, Copies, Holders, Sending, all};
use crate::orbits::Translations;
use crate::verify::Check;
use crate::violation::Violations;
use crate::{Channel, Message, Node, Op, Rejected, Semantics, Transfer};
use std::collections::{BTreeMap, HashMap};

/// Checks every rule. Memory is proportional to the network, the messages and the channel uses.
///
/// # Errors
/// The violations: those of transfers in the order of the steps, then what is missing at the end, then what carries too much, by time; all are
/// counted, and the first [`Rejected::KEPT`] kept.
pub fn verify(problem: &TimedProblem, claim: TimedSchedule) -> Result<VerifiedTimed, Rejected> {
    verify_keeping(problem, claim, Rejected::KEPT)
}

/// As [`verify`], but keeps as many violations as `most` says.
///
/// # Errors
/// As [`verify`].
pub fn verify_keeping(problem: &TimedProblem, claim: TimedSchedule, most: usize) -> Result<VerifiedTimed, Rejected> {
    let end = replayed(problem, &claim, Bases::of(None), Violations::new(most))?;
    Ok(VerifiedTimed::new(problem.clone(), claim, end))
}

/// Where uses are counted: where they are or, of what is stored as orbits, at the bases of those.
#[derive(Clone, Copy)]
pub struct Bases<'a>(Option<&'a Translations>);

impl<'a> Bases<'a> {
    /// Those of a symmetry, where there is one.
    #[must_use]
    pub fn of(translations: Option<&'a Translations>) -> Self {
        Bases(translations)
    }

    /// The channel at which a channel's uses are counted, and how often each.
    #[inline]
    #[must_use]
    pub fn channel(&self, channel: Channel) -> (Channel, u32) {
        self.0.map_or((channel, 1), |translations| translations.base_channel(channel))
    }

    /// The same of a half-duplex group, by its position.
    #[inline]
    #[must_use]
    pub fn group(&self, group: usize) -> (usize, u32) {
        self.0.map_or((group, 1), |translations| translations.base_group(group))
    }

    /// The same of a terminal, which is counted once.
    #[inline]
    #[must_use]
    pub fn terminal(&self, node: Node) -> Node {
        self.0.map_or(node, |translations| translations.base_of(node))
    }
}

/// Replays what is written down; the tick at which it ends.
pub(super) fn replayed(
    problem: &TimedProblem,
    claim: &TimedSchedule,
    bases: Bases<'_>,
    violations: Violations,
) -> Result<u64, Rejected> {
    match problem.collective().semantics() {
        Semantics::Copy => replay::<Copies<'_>>(problem, claim, bases, violations),
        Semantics::Reduce => replay::<Contributions<'_>>(problem, claim, bases, violations),
    }
}

/// As [`replayed`], with what is held of messages of a kind.
fn replay<'a, H: Holders<'a>>(
    problem: &'a TimedProblem,
    claim: &TimedSchedule,
    bases: Bases<'a>,
    violations: Violations,
) -> Result<u64, Rejected> {
    let mut replay = Replay::<H>::new(problem, claim, bases, violations);
    let mut before = None;
    for (step, (&tick, transfers)) in claim.times().iter().zip(claim.steps()).enumerate() {
        if let Some(before) = before.replace(tick).filter(|before| *before >= tick) {
            replay.check.violations.push(TimedFault::Order { step, tick, before }.into());
        }
        replay.arrive_until(tick);
        for (at, transfer) in transfers.enumerate() {
            replay.begin((step, at), tick, &transfer);
        }
    }
    replay.arrive_until(u64::MAX);
    replay.holdings.finish(&mut replay.check.violations);
    replay.uses.check(problem, replay.scale, &mut replay.check.violations);
    replay.check.violations.none()?;
    Ok(replay.end)
}

/// Units of bandwidth in a GB/s: as fine as all rates ask for, where bandwidths can still be told so finely.
pub(super) fn rate_scale(problem: &TimedProblem, claim: &TimedSchedule) -> u64 {
    let widest = problem.network().channels().map(|c| problem.bandwidth(c)).max().unwrap_or(0);
    let fits = |scale: u64| widest.checked_mul(scale / problem.scale()).is_some();
    let rates = claim.steps().flatten().filter_map(|transfer| transfer.rate);
    rates.fold(problem.scale(), |scale, rate| {
        let wider = Fraction::of(rate).and_then(|rate| rate.widen(scale));
        wider.filter(|wider| fits(*wider)).unwrap_or(scale)
    })
}

/// What is used, and when.
#[derive(Default)]
struct Uses {
    channels: Vec<Use>,
    groups: Vec<Use>,
    sends: Vec<Use>,
    receives: Vec<Use>,
}

/// What is on its way to a node.
struct Coming<A> {
    arrival: A,
    message: Message,
    node: Node,
    op: Op,
    /// Ticks that it has to be merged for.
    merging: u64,
}

struct Replay<'a, H: Holders<'a>> {
    problem: &'a TimedProblem,
    bases: Bases<'a>,
    check: Check<'a>,
    holdings: H,
    coming: BTreeMap<u64, Vec<Coming<H::Arrival>>>,
    /// When each node that merges has merged all that came.
    merged: HashMap<Node, u64>,
    tree: Tree,
    uses: Uses,
    /// Units of bandwidth in a GB/s, all rates considered.
    scale: u64,
    end: u64,
}

impl<'a, H: Holders<'a>> Replay<'a, H> {
    fn new(problem: &'a TimedProblem, claim: &TimedSchedule, bases: Bases<'a>, violations: Violations) -> Self {
        let (plain, network) = (problem.plain(), problem.network());
        let mut holdings = H::new(problem.collective(), network.node_count(), all(problem.collective()));
        holdings.keep_partials(claim.plain(), |sent| {
            let first = sent.path.first().filter(|channel| channel.index() < network.channel_count());
            first.map(|first| network.from(*first))
        });
        Replay {
            problem,
            bases,
            check: Check::new(plain, violations),
            holdings,
            coming: BTreeMap::new(),
            merged: HashMap::new(),
            tree: Tree::default(),
            uses: Uses::default(),
            scale: rate_scale(problem, claim),
            end: 0,
        }
    }

    /// Hands over what arrives until a tick, in the order of ticks, and of one tick in the order of the schedule.
    fn arrive_until(&mut self, tick: u64) {
        while let Some(entry) = self.coming.first_entry().filter(|entry| *entry.key() <= tick) {
            let (now, coming) = entry.remove_entry();
            self.end = self.end.max(now);
            self.copy_and_reduce(now, &coming);
            for mut one in coming {
                if one.merging == 0 {
                    self.holdings.arrive(one.arrival, &mut self.check.violations);
                    continue;
                }
                // A node merges one after the other.
                let free = self.merged.entry(self.bases.terminal(one.node)).or_insert(0);
                *free = (*free).max(now).saturating_add(one.merging);
                one.merging = 0;
                self.coming.entry(*free).or_default().push(one);
            }
        }
    }

    /// What would depend on an order within a tick.
    fn copy_and_reduce(&mut self, tick: u64, coming: &[Coming<H::Arrival>]) {
        if self.problem.collective().semantics() != Semantics::Reduce || coming.iter().all(|one| one.op != Op::Copy) {
            return;
        }
        let mut ops: Vec<(Node, Message, Op)> =
            coming.iter().filter(|one| one.merging == 0).map(|one| (one.node, one.message, one.op)).collect();
        ops.sort_unstable_by_key(|(node, message, _)| (*node, *message));
        for of in ops.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let has = |op: Op| of.iter().any(|(_, _, other)| *other == op);
            if has(Op::Copy) && has(Op::Reduce) {
                let (node, message, _) = of[0];
                self.check.violations.push(TimedFault::CopyAndReduce { tick, node, message }.into());
            }
        }
    }

    fn begin(&mut self, (step, at): (usize, usize), tick: u64, transfer: &TimedTransfer<'_>) {
        let Some(rate) = self.rate((step, at), transfer) else { return };
        self.tree.fill(self.problem, transfer, (step, at), &mut self.check.violations);
        let Transfer { messages, op, .. } = transfer.transfer;
        let farthest = self.tree.receivers.iter().map(|to| to.latency).max().unwrap_or(0);
        let lasts = self.problem.duration(messages.len() as u64, in_units(rate.into(), self.scale));
        let Some(lasts) =
            lasts.filter(|lasts| lasts.checked_add(farthest).and_then(|all| all.checked_add(tick)).is_some())
        else {
            self.check.violations.push(TimedFault::TooLong { step, transfer: at }.into());
            return;
        };
        let network = self.problem.network();
        let from = network.from(transfer.transfer.path[0]);
        let during =
            |key: u32, after: u64, amount: u64| Use { key, from: tick + after, until: tick + after + lasts, amount };
        let bases = self.bases;
        let several = |times: u32| rate.saturating_mul(times.into());
        for used in &self.tree.used {
            let (channel, times) = bases.channel(used.channel);
            self.uses.channels.push(during(channel.0, used.after, several(times)));
            let groups = network.groups_of(used.channel).map(|group| bases.group(group));
            let during = |(group, times)| during(Node::new(group).0, used.after, several(times));
            self.uses.groups.extend(groups.map(during));
        }
        self.uses.sends.push(during(bases.terminal(from).0, 0, 1));
        let receives = self.tree.receivers.iter().map(|to| during(bases.terminal(to.node).0, to.latency, 1));
        self.uses.receives.extend(receives);
        let merging = if merges(self.problem, op) { self.problem.merging() } else { 0 };
        for (place, &message) in messages.iter().enumerate() {
            let partials = transfer.transfer.partials_of(place);
            for to in &self.tree.receivers {
                let sending = Sending { step, transfer: at, message, from, to: to.node, op, partials };
                match self.holdings.send(&sending) {
                    Ok(arrival) => {
                        let due = self.coming.entry(tick + to.latency + lasts).or_default();
                        due.push(Coming { arrival, message, node: to.node, op, merging });
                    }
                    // The sender is the same for all receivers.
                    Err(violation) => {
                        self.check.violations.push(*violation);
                        break;
                    }
                }
            }
        }
    }

    /// Checks a transfer by itself; its rate in units, or `None` where it makes no sense.
    fn rate(&mut self, (step, at): (usize, usize), transfer: &TimedTransfer<'_>) -> Option<u64> {
        let (from, _) = self.check.transfer((step, at), transfer.transfer)?;
        let mut slowest = transfer.transfer.path[0];
        for (number, path) in transfer.paths().enumerate() {
            if number > 0 {
                let (begins, _) = self.check.path_alone((step, at), path)?;
                if begins != from {
                    let fault = TimedFault::NoCopy { step, transfer: at, path: number, node: begins };
                    self.check.violations.push(fault.into());
                    return None;
                }
            }
            slowest =
                path.iter().copied().chain([slowest]).min_by_key(|c| self.problem.bandwidth(*c)).unwrap_or(slowest);
        }
        let widest = self.problem.bandwidth(slowest) * (self.scale / self.problem.scale());
        let Some(rate) = transfer.rate else { return Some(widest) };
        let given = Fraction::of(rate).filter(|rate| !rate.is_zero());
        let units = given.map(|given| given.scaled(self.scale));
        let fault = match units {
            None => TimedFault::NoRate { step, transfer: at },
            Some(None) => TimedFault::TooFine { step, transfer: at },
            Some(Some(units)) if units > widest => {
                let bandwidth = self.problem.links().bandwidth[slowest.index()];
                self.check
                    .violations
                    .push(TimedFault::Rate { step, transfer: at, rate, channel: slowest, bandwidth }.into());
                return Some(units);
            }
            Some(Some(units)) => return Some(units),
        };
        self.check.violations.push(fault.into());
        None
    }
}

impl Uses {
    /// Reports what carries too much, in the order of ticks.
    fn check(self, problem: &TimedProblem, scale: u64, violations: &mut Violations) {
        let network = problem.network();
        let units = |channel: u32| problem.bandwidth(Channel(channel)) * (scale / problem.scale());
        let mut faults: Vec<(u64, TimedFault)> = Vec::new();
        overloads(
            self.channels,
            |channel| Some(units(channel)),
            |over| {
                let channel = Channel(over.key);
                let bandwidth = problem.links().bandwidth[channel.index()];
                let (tick, used) = (over.tick, in_units(over.used, scale));
                faults.push((tick, TimedFault::Bandwidth { tick, channel, used, bandwidth }));
            },
        );
        let shared = |group: u32| network.half_duplex()[group as usize].iter().map(|c| units(*c)).max();
        overloads(self.groups, shared, |over| {
            let (tick, used, bandwidth) = (over.tick, in_units(over.used, scale), in_units(over.limit.into(), scale));
            faults.push((tick, TimedFault::HalfDuplex { tick, group: over.key as usize, used, bandwidth }));
        });
        let count = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        overloads(
            self.sends,
            |node| network.send_ports(Node(node)).map(u64::from),
            |over| {
                let (tick, node, used, ports) = (over.tick, Node(over.key), count(over.used), over.limit);
                faults.push((tick, TimedFault::SendPorts { tick, node, used, ports }));
            },
        );
        overloads(
            self.receives,
            |node| network.receive_ports(Node(node)).map(u64::from),
            |over| {
                let (tick, node, used, ports) = (over.tick, Node(over.key), count(over.used), over.limit);
                faults.push((tick, TimedFault::ReceivePorts { tick, node, used, ports }));
            },
        );
        faults.sort_by_key(|(tick, _)| *tick);
        violations.extend(faults.into_iter().map(|(_, fault)| fault.into()));
    }
}
