//! **What:** the checker from [`Claim`] to [`Verified`]: one pass over the transfers that checks every rule of the file
//! format and reports every violation.
//!
//! A transfer whose parts do not exist, or whose path does not hang together, is reported and then left out; any other
//! broken rule is reported and the transfer still delivers, so that one fault does not look like many.

use crate::holdings::{Arrival, Holdings, Sending};
use crate::occupancy::{Slots, Steps};
use crate::orbits::verify_orbits_keeping;
use crate::product::verify_product;
use crate::violation::Violations;
use crate::{
    Channel, Claim, Model, Network, Node, Problem, Rejected, Schedule, Switching, Transfer, Verified, Violation,
};
use std::collections::BTreeMap;

/// Checks every rule in one pass over the transfers.
///
/// Memory is proportional to the network and the messages (under time-division, to the transfers as well); of a schedule
/// stored as orbits, to the network and the representatives; of one stored as a product, to the network and its blocks, and the first fault
/// of such a one is the only one told.
///
/// # Errors
/// The violations, in the order of the steps: all are counted, and the first [`Rejected::KEPT`] kept.
///
/// # Example
/// ```
/// use kernel::{Channel, Collective, Message, Model, Network, Node, NetworkData, Problem, Schedule, verify};
/// let ring = NetworkData { name: "ring-uni:3".into(), nodes: 3, channels: vec![(0, 1), (1, 2), (2, 0)], ..NetworkData::default() };
/// let network = Network::new(ring)?;
/// let broadcast = Collective::broadcast(Node(0), network.terminals());
/// let problem = Problem::new(network, broadcast, Model::wormhole())?;
/// let mut claim = Schedule::new();
/// claim.begin_step();
/// claim.send(Message(0), &[Channel(0)]);
/// claim.begin_step();
/// claim.send(Message(0), &[Channel(1)]);
/// assert_eq!(verify(&problem, claim)?.steps(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify(problem: &Problem, claim: impl Into<Claim>) -> Result<Verified, Rejected> {
    verify_keeping(problem, claim, Rejected::KEPT)
}

/// As [`verify`], but keeps as many violations as `most` says.
///
/// # Errors
/// As [`verify`].
pub fn verify_keeping(problem: &Problem, claim: impl Into<Claim>, most: usize) -> Result<Verified, Rejected> {
    let violations = Violations::new(most);
    match claim.into() {
        Claim::Plain(schedule) => verify_plain(problem, schedule, violations),
        Claim::Orbits { problem: folded, schedule } if folded.whole() == problem => {
            verify_orbits_keeping(&folded, schedule, violations)
        }
        Claim::Product(form) => verify_product(problem, form),
        Claim::Orbits { .. } => Err(Violation::OtherProblem.into()),
    }
}

fn verify_plain(problem: &Problem, schedule: Schedule, violations: Violations) -> Result<Verified, Rejected> {
    if !problem.collective().is_numbered() {
        return Err(Violation::Unnumbered { messages: problem.collective().message_count() }.into());
    }
    let mut check = Check::new(problem, violations);
    let network = problem.network();
    let mut holdings = Holdings::new(problem.collective(), network.node_count());
    let exists = |channel: &&Channel| channel.index() < network.channel_count();
    holdings.keep_partials(&schedule, |sent| sent.path.first().filter(exists).map(|first| network.from(*first)));
    match problem.model().switching {
        Switching::Tdm { hop, cyclic } => check.slots(&schedule, &mut holdings, u64::from(hop), cyclic),
        Switching::Wormhole | Switching::StoreAndForward => check.steps(&schedule, &mut holdings),
    }
    holdings.finish(&mut check.violations);
    check.violations.none()?;
    Ok(Verified::plain(problem.clone(), schedule))
}

/// The rules that a transfer obeys by itself, and what was broken so far.
pub(crate) struct Check<'a> {
    problem: &'a Problem,
    network: &'a Network,
    model: Model,
    /// The transfer that last used each channel, counted from 1, of those with paths of several; filled when there is one.
    path_of: Vec<usize>,
    transfers: usize,
    /// Sorted copy of a transfer's messages, to find repetitions.
    carried: Vec<crate::Message>,
    pub violations: Violations,
}

impl<'a> Check<'a> {
    pub(crate) fn new(problem: &'a Problem, violations: Violations) -> Self {
        Check {
            problem,
            network: problem.network(),
            model: problem.model(),
            path_of: Vec::new(),
            transfers: 0,
            carried: Vec::new(),
            violations,
        }
    }
}

impl Check<'_> {
    fn steps(&mut self, schedule: &Schedule, holdings: &mut Holdings<'_>) {
        let mut occupancy = Steps::new(self.network);
        let mut arrivals: Vec<Arrival> = Vec::new();
        for (step, transfers) in schedule.steps().enumerate() {
            occupancy.begin(step);
            for (at, transfer) in transfers.enumerate() {
                let Some((from, to)) = self.transfer((step, at), transfer) else { continue };
                for &channel in transfer.path {
                    occupancy.channel(channel);
                }
                occupancy.send(from);
                occupancy.receive(to);
                self.send((step, at), transfer, (from, to), holdings, |a| arrivals.push(a));
            }
            occupancy.end(&mut self.violations);
            for arrival in arrivals.drain(..) {
                holdings.arrive(arrival, &mut self.violations);
            }
        }
    }

    /// Slots of time-division. A message absorbed in slot s is held from slot s + 1 on; what is absorbed after the end of
    /// a cyclic period is held at the end.
    fn slots(&mut self, schedule: &Schedule, holdings: &mut Holdings<'_>, hop: u64, cyclic: bool) {
        let period = schedule.step_count();
        let mut slots = Slots::default();
        let mut arrivals: BTreeMap<u64, Vec<Arrival>> = BTreeMap::new();
        for (step, transfers) in schedule.steps().enumerate() {
            let now = step as u64;
            while let Some(entry) = arrivals.first_entry().filter(|e| *e.key() < now) {
                for arrival in entry.remove() {
                    holdings.arrive(arrival, &mut self.violations);
                }
            }
            for (at, transfer) in transfers.enumerate() {
                let Some((from, to)) = self.transfer((step, at), transfer) else { continue };
                let ends = now + transfer.path.len() as u64 * hop;
                if !cyclic && ends >= period as u64 {
                    self.violations.push(Violation::AfterPeriod { step, transfer: at, ends, period });
                    continue;
                }
                let slot = |after: u64| ((now + after) % period as u64) as usize;
                for (i, &channel) in (0u64..).zip(transfer.path) {
                    slots.channel(slot(i * hop), channel);
                }
                slots.send(step, from);
                slots.receive(slot(ends - now), to);
                let due = arrivals.entry(ends).or_default();
                self.send((step, at), transfer, (from, to), holdings, |a| due.push(a));
            }
        }
        for arrival in arrivals.into_values().flatten() {
            holdings.arrive(arrival, &mut self.violations);
        }
        slots.check(self.network, period, &mut self.violations);
    }

    /// Takes what the sender holds, and reports what it does not.
    #[inline]
    fn send(
        &mut self,
        (step, at): (usize, usize),
        transfer: Transfer<'_>,
        (from, to): (Node, Node),
        holdings: &Holdings<'_>,
        mut arrives: impl FnMut(Arrival),
    ) {
        let Transfer { messages, op, partials, .. } = transfer;
        if !partials.is_empty() && messages.len() > 1 {
            let count = messages.len();
            self.violations.push(Violation::PartialsOfSeveral { step, transfer: at, count });
        }
        for &message in messages {
            match holdings.send(&Sending { step, transfer: at, message, from, to, op, partials }) {
                Ok(arrival) => arrives(arrival),
                Err(violation) => self.violations.push(violation),
            }
        }
    }

    /// Checks a transfer by itself; its sender and receiver, or `None` where it makes no sense.
    #[inline]
    pub(crate) fn transfer(&mut self, place: (usize, usize), claim: Transfer<'_>) -> Option<(Node, Node)> {
        let carried = self.messages(place, claim.messages);
        let path = self.channels(place, claim.path)?;
        if carried { self.path(place, path) } else { None }
    }

    /// Checks a path by itself, as a transfer's; its ends, or `None` where it makes no sense.
    pub(crate) fn path_alone(&mut self, place: (usize, usize), path: &[Channel]) -> Option<(Node, Node)> {
        self.channels(place, path).and_then(|path| self.path(place, path))
    }

    /// The channels of a path, if there are some and all exist.
    #[inline]
    fn channels<'b>(&mut self, (step, transfer): (usize, usize), path: &'b [Channel]) -> Option<&'b [Channel]> {
        if path.is_empty() {
            self.violations.push(Violation::EmptyPath { step, transfer });
            return None;
        }
        if let Some(&channel) = path.iter().find(|c| c.index() >= self.network.channel_count()) {
            self.violations.push(Violation::NoSuchChannel { step, transfer, channel });
            return None;
        }
        Some(path)
    }

    #[inline]
    fn path(&mut self, (step, transfer): (usize, usize), path: &[Channel]) -> Option<(Node, Node)> {
        if self.model.switching == Switching::StoreAndForward && path.len() != 1 {
            self.violations.push(Violation::NotOneHop { step, transfer, hops: path.len() });
        }
        let several = path.len() > 1;
        if several && self.path_of.is_empty() {
            self.path_of = vec![0; self.network.channel_count()];
        }
        self.transfers += 1;
        let from = self.network.from(path[0]);
        let mut at = from;
        for (position, &channel) in path.iter().enumerate() {
            let leaves = self.network.from(channel);
            if leaves != at {
                self.violations.push(Violation::BrokenPath { step, transfer, position, channel, at, leaves });
                return None;
            }
            if position > 0 && !self.network.is_transit(at) {
                self.violations.push(Violation::PassesThrough { step, transfer, node: at });
            }
            if several && std::mem::replace(&mut self.path_of[channel.index()], self.transfers) == self.transfers {
                self.violations.push(Violation::ChannelTwice { step, transfer, channel });
            }
            at = self.network.to(channel);
        }
        if !self.network.is_terminal(from) {
            self.violations.push(Violation::BeginsAtSwitch { step, transfer, node: from });
        }
        if !self.network.is_terminal(at) {
            self.violations.push(Violation::EndsAtSwitch { step, transfer, node: at });
        }
        Some((from, at))
    }

    /// Checks what a transfer carries; whether it is something that exists.
    #[inline]
    fn messages(&mut self, (step, transfer): (usize, usize), messages: &[crate::Message]) -> bool {
        let count = self.problem.collective().message_count();
        match messages {
            [] => {
                self.violations.push(Violation::NoMessage { step, transfer });
                false
            }
            &[message] if message.index() < count => true,
            _ => {
                let before = self.violations.count();
                let missing = messages.iter().filter(|m| m.index() >= count);
                self.violations.extend(missing.map(|&message| Violation::NoSuchMessage { step, transfer, message }));
                let all_exist = self.violations.count() == before;
                if messages.len() > 1 && !self.model.combining {
                    self.violations.push(Violation::Combined { step, transfer, count: messages.len() });
                }
                self.carried.clear();
                self.carried.extend_from_slice(messages);
                self.carried.sort_unstable();
                let twice = self.carried.windows(2).find(|w| w[0] == w[1]).map(|w| w[0]);
                self.violations.extend(twice.map(|message| Violation::MessageTwice { step, transfer, message }));
                all_exist
            }
        }
    }
}
