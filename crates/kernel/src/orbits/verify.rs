//! **What:** the door from [`OrbitSchedule`] to [`VerifiedOrbits`].
//!
//! **Why representatives are enough.** Every use of a resource (a channel, a port, a half-duplex group) in the whole
//! schedule is an image of a use by a representative, and every slot (resource, step) is an image of a slot of its orbit's
//! base. Images of slots are used by the images of their users, so it is enough to look at the bases in all steps. A use of
//! resource r in step t by a representative has as images at the base of r's orbit those under the elements that take r
//! there: g⁻¹ followed by any element that leaves the base where it is, g being the one that takes the base to r. Each
//! moves t by its shift.
//!
//! Where no element shifts time, a step can be looked at by itself, and who holds a representative's message tells who holds
//! its images.

use super::action::Action;
use super::schedule::{Shifts, step};
use super::{OrbitError, OrbitProblem, OrbitSchedule, Sent};
use crate::holdings::{Arrival, Holdings};
use crate::verify::Check;
use crate::{Channel, Message, Node, Problem, Rejected, Schedule, Violation};

/// A schedule of orbits that obeys every rule of its problem.
#[derive(Clone, Debug)]
pub struct VerifiedOrbits {
    problem: OrbitProblem,
    schedule: OrbitSchedule,
    shifts: Shifts,
}

impl VerifiedOrbits {
    /// Most channel uses that [`VerifiedOrbits::expanded`] writes down.
    pub const MOST_USES: u64 = 1 << 26;

    /// The problem it solves.
    pub fn problem(&self) -> &OrbitProblem {
        &self.problem
    }

    /// The representatives' transfers and the shifts.
    pub fn schedule(&self) -> &OrbitSchedule {
        &self.schedule
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.schedule.schedule.step_count()
    }

    /// Number of transfers in all orbits.
    pub fn transfer_count(&self) -> u64 {
        self.schedule.schedule.transfer_count() as u64 * u64::from(self.problem.translations().order())
    }

    /// Number of channel uses in all orbits.
    pub fn channel_uses(&self) -> u64 {
        self.schedule.schedule.channel_uses() as u64 * u64::from(self.problem.translations().order())
    }

    /// The transfers of one step of the whole schedule, made as they are asked for.
    pub fn step(&self, index: usize) -> impl Iterator<Item = Sent> + '_ {
        step(&self.problem, &self.schedule.schedule, &self.shifts, index)
    }

    /// The claim of the same schedule with every transfer written down, for the problem with every message written down.
    ///
    /// # Errors
    /// Where there are too many messages or channel uses to write down.
    pub fn expanded(&self) -> Result<(Problem, Schedule), OrbitError> {
        let uses = self.channel_uses();
        if uses > Self::MOST_USES {
            return Err(OrbitError::TooManyUses { uses, most: Self::MOST_USES });
        }
        let problem = self.problem.expanded()?;
        let mut schedule = Schedule::new();
        for index in 0..self.steps() {
            schedule.begin_step();
            for sent in self.step(index) {
                let number = u32::try_from(self.problem.number(sent.message, sent.element));
                schedule.send(Message(number.expect("an expanded problem has fewer messages")), &sent.path);
            }
        }
        Ok((problem, schedule))
    }
}

/// What is used at the bases of orbits.
struct Uses<'a> {
    problem: &'a OrbitProblem,
    shifts: &'a Shifts,
    steps: u64,
    /// Step and base, and for half-duplex groups the busy channel.
    channels: Vec<(u64, Channel)>,
    send: Vec<(u64, Node)>,
    receive: Vec<(u64, Node)>,
    groups: Vec<(u64, u32, Channel)>,
}

impl<'a> Uses<'a> {
    /// The base of a thing's orbit, the elements that take the thing there, and the steps to which they move `step`.
    fn at_base(&self, action: &'a Action, thing: u32, step: u64) -> (u32, impl Iterator<Item = (u32, u64)> + use<'a>) {
        let (radix, shifts, steps) = (self.problem.translations().radix(), self.shifts, self.steps);
        let class = action.class[thing as usize];
        let back = radix.subtract(0, action.element[thing as usize]);
        let moves = action.fixing[class as usize].iter().map(move |&still| {
            let element = radix.add(back, still);
            (element, (step + shifts.of[element as usize]) % steps)
        });
        (action.base(class), moves)
    }

    fn add(&mut self, step: usize, path: &[Channel], (from, to): (Node, Node)) {
        let (translations, network, step) = (self.problem.translations(), self.problem.network(), step as u64);
        for &channel in path {
            let (base, moves) = self.at_base(translations.channels(), channel.0, step);
            self.channels.extend(moves.map(|(_, step)| (step, Channel(base))));
            for group in network.groups_of(channel) {
                let group = u32::try_from(group).expect("a group's number was read from a 32-bit one");
                let (base, moves) = self.at_base(translations.groups(), group, step);
                self.groups.extend(moves.map(|(e, step)| (step, base, translations.image_channel(e, channel))));
            }
        }
        if network.send_ports(from).is_some() {
            let (base, moves) = self.at_base(translations.nodes(), from.0, step);
            self.send.extend(moves.map(|(_, step)| (step, Node(base))));
        }
        if network.receive_ports(to).is_some() {
            let (base, moves) = self.at_base(translations.nodes(), to.0, step);
            self.receive.extend(moves.map(|(_, step)| (step, Node(base))));
        }
    }

    /// Reports what is used too often, and forgets all uses.
    fn check(&mut self, violations: &mut Vec<Violation>) {
        let network = self.problem.network();
        let number = |step: u64| usize::try_from(step).expect("a step's number was an index");
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        self.channels.sort_unstable();
        for same in self.channels.chunk_by(|a, b| a == b) {
            let (step, channel) = same[0];
            let (used, capacity) = (count(same.len()), network.capacity(channel));
            if used > capacity {
                violations.push(Violation::ChannelOverloaded { step: number(step), channel, used, capacity });
            }
        }
        self.groups.sort_unstable();
        self.groups.dedup();
        for pair in self.groups.windows(2).filter(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
            let (step, group, first) = pair[0];
            let (step, group) = (number(step), group as usize);
            violations.push(Violation::HalfDuplex { step, group, first, second: pair[1].2 });
        }
        self.send.sort_unstable();
        for same in self.send.chunk_by(|a, b| a == b) {
            let ((step, node), used) = (same[0], count(same.len()));
            if let Some(ports) = network.send_ports(node).filter(|ports| used > *ports) {
                violations.push(Violation::SendPorts { step: number(step), node, used, ports });
            }
        }
        self.receive.sort_unstable();
        for same in self.receive.chunk_by(|a, b| a == b) {
            let ((step, node), used) = (same[0], count(same.len()));
            if let Some(ports) = network.receive_ports(node).filter(|ports| used > *ports) {
                violations.push(Violation::ReceivePorts { step: number(step), node, used, ports });
            }
        }
        self.channels.clear();
        self.groups.clear();
        self.send.clear();
        self.receive.clear();
    }
}

/// Checks every rule on representatives. Violations name steps and transfers of the representatives' schedule, and of
/// overloaded resources the base of the orbit.
///
/// # Errors
/// Every violation found.
pub fn verify_orbits(problem: &OrbitProblem, claim: OrbitSchedule) -> Result<VerifiedOrbits, Rejected> {
    let steps = claim.schedule.step_count() as u64;
    let mut violations = Vec::new();
    let generators = problem.translations().generators();
    if claim.shifts.len() != generators.len() {
        let (found, expected) = (claim.shifts.len(), generators.len());
        violations.push(Violation::ShiftCount { found, expected });
    }
    for (generator, (&shift, order)) in claim.shifts.iter().zip(generators.iter().map(|g| g.order)).enumerate() {
        if steps > 0 && u128::from(shift) * u128::from(order) % u128::from(steps) != 0 {
            violations.push(Violation::ShiftNotCyclic { generator, shift, order, steps });
        }
    }
    if let Some(rejected) = Rejected::new(std::mem::take(&mut violations)) {
        return Err(rejected);
    }
    let shifts = Shifts::new(problem, &claim.shifts, steps.max(1));
    let mut uses = Uses {
        problem,
        shifts: &shifts,
        steps: steps.max(1),
        channels: Vec::new(),
        send: Vec::new(),
        receive: Vec::new(),
        groups: Vec::new(),
    };
    let collective = problem.representatives().collective();
    let relayed = shifts.are_none();
    let mut holdings = Holdings::new(collective, problem.network().node_count());
    let mut arrivals: Vec<Arrival> = Vec::new();
    let mut check = Check::new(problem.representatives());
    for (step, transfers) in claim.schedule.steps().enumerate() {
        for (at, transfer) in transfers.enumerate() {
            let Some((from, to)) = check.transfer((step, at), transfer) else { continue };
            uses.add(step, transfer.path, (from, to));
            for &message in transfer.messages {
                let holds = relayed || collective.origin(message) == from;
                match holdings.send((step, at), message, (from, to), transfer.op).filter(|_| holds) {
                    Some(arrival) => arrivals.push(arrival),
                    None => check.violations.push(Violation::NotHeld { step, transfer: at, node: from, message }),
                }
            }
        }
        if relayed {
            uses.check(&mut check.violations);
        }
        for arrival in arrivals.drain(..) {
            holdings.arrive(arrival, &mut check.violations);
        }
    }
    violations = check.violations;
    uses.check(&mut violations);
    holdings.finish(&mut violations);
    match Rejected::new(violations) {
        Some(rejected) => Err(rejected),
        None => Ok(VerifiedOrbits { problem: problem.clone(), schedule: claim, shifts }),
    }
}
