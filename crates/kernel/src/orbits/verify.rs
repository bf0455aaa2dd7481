//! **What:** the checker from [`OrbitSchedule`] to [`Verified`].
//!
//! **Why representatives are enough.** Every use of a resource (a channel, a port, a half-duplex group) in the whole
//! schedule is an image of a use by a representative, and every slot (resource, step) is an image of a slot of its orbit's
//! base. Images of slots are used by the images of their users, so it is enough to look at the bases in all steps. A use of
//! resource r in step t by a representative has as images at the base of r's orbit those under the elements that take r
//! there: g⁻¹ followed by any element that leaves the base where it is, g being the one that takes the base to r. Each
//! moves t by its shift.
//!
//! Where no element shifts time, a step can be looked at by itself, and who holds a representative's message tells who holds
//! its images, however many destinations it has: before each step node g(v) holds g(m) just where v holds m. At first
//! origins alone hold anything. In a step, the transfers of g(m) are the images under g of those of m, since different
//! representatives and different elements make different messages; so what gives m to v gives g(m) to g(v). Thus all transfers are
//! by nodes that hold what they send if those of the representatives are, and all destinations of g(m), which are the images of
//! m's, have it in the end if those of m have. Of chunks that are merged it is the same with the contributions to m that v has, whose
//! images are those to g(m) that g(v) has: unions of images are images of unions, and what is counted twice has counted twice
//! images. Where time is shifted, origins alone may send, who hold their messages in all steps, and nothing is merged.

use super::action::Action;
use super::schedule::{Shifts, step};
use super::{Image, OrbitError, OrbitProblem, OrbitSchedule};
use crate::holdings::{Contributions, Copies, Holders, Sending, all};
use crate::verify::Check;
use crate::violation::Violations;
use crate::{Channel, Message, Node, Rejected, Schedule, Semantics, Transfer, Verified, Violation};

/// A schedule of orbits that obeys every rule of its problem: a form of [`Verified`].
#[derive(Clone, Debug)]
pub struct VerifiedOrbits {
    problem: OrbitProblem,
    schedule: OrbitSchedule,
    shifts: Shifts,
}

impl VerifiedOrbits {
    /// Most channel uses that [`Verified::expanded`] writes down.
    pub const MOST_USES: u64 = 1 << 26;

    /// The problem it solves.
    pub fn problem(&self) -> &OrbitProblem {
        &self.problem
    }

    /// The representatives' transfers and the shifts.
    pub fn schedule(&self) -> &OrbitSchedule {
        &self.schedule
    }

    /// So many images of each of some things.
    pub(crate) fn times(&self, count: usize) -> u64 {
        count as u64 * u64::from(self.problem.translations().order())
    }

    /// The transfers of one step of the whole schedule, made as they are asked for.
    pub fn step(&self, index: usize) -> impl Iterator<Item = Image<'_>> + '_ {
        step(&self.problem, &self.schedule.schedule, &self.shifts, index)
    }

    pub(crate) fn expanded(&self) -> Result<Schedule, OrbitError> {
        let uses = self.times(self.schedule.schedule.channel_uses());
        if uses > Self::MOST_USES {
            return Err(OrbitError::TooManyUses { uses, most: Self::MOST_USES });
        }
        let _plain = self.problem.expanded()?;
        let mut schedule = Schedule::new();
        for index in 0..self.schedule.schedule.step_count() {
            schedule.begin_step();
            for sent in self.step(index) {
                let number = u32::try_from(self.problem.number(sent.message, sent.element));
                let message = Message(number.expect("an expanded problem has fewer messages"));
                let Image { path, op, partials, .. } = &sent;
                schedule.push(Transfer { messages: &[message], path, op: *op, partials });
            }
        }
        Ok(schedule)
    }
}

/// How often orbits of resources of one kind are used at their bases in the step at hand.
#[derive(Default)]
struct Counts {
    used: Vec<u32>,
    /// The orbits used.
    touched: Vec<u32>,
}

impl Counts {
    #[inline]
    fn add(&mut self, class: u32, times: u32) {
        let class_index = class as usize;
        if class_index >= self.used.len() {
            self.used.resize(class_index + 1, 0);
        }
        if self.used[class_index] == 0 {
            self.touched.push(class);
        }
        self.used[class_index] = self.used[class_index].saturating_add(times);
    }

    /// Tells the orbits used more often than `most` allows, ascending, and forgets all uses.
    fn end(&mut self, most: impl Fn(u32) -> u32, mut excess: impl FnMut(u32, u32, u32)) {
        let mut beyond: Vec<(u32, u32, u32)> = Vec::new();
        for class in self.touched.drain(..) {
            let used = std::mem::take(&mut self.used[class as usize]);
            let most = most(class);
            if used > most {
                beyond.push((class, used, most));
            }
        }
        beyond.sort_unstable();
        beyond.into_iter().for_each(|(class, used, most)| excess(class, used, most));
    }
}

/// Orbits of resources that are used at their bases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Channel(u32),
    /// A half-duplex group and its busy channel.
    Group(u32, Channel),
    Send(u32),
    Receive(u32),
}

/// What is used at the bases of orbits in one step.
struct Tally<'a> {
    problem: &'a OrbitProblem,
    channels: Counts,
    send: Counts,
    receive: Counts,
    groups: Vec<(u32, Channel)>,
}

impl<'a> Tally<'a> {
    fn new(problem: &'a OrbitProblem) -> Self {
        let (channels, send, receive) = Default::default();
        Tally { problem, channels, send, receive, groups: Vec::new() }
    }

    #[inline]
    fn add(&mut self, used: Use, times: u32) {
        match used {
            Use::Channel(class) => self.channels.add(class, times),
            Use::Group(class, channel) => self.groups.push((class, channel)),
            Use::Send(class) => self.send.add(class, times),
            Use::Receive(class) => self.receive.add(class, times),
        }
    }

    /// Reports what is used too often in this step, and forgets all uses.
    fn end(&mut self, step: usize, violations: &mut Violations) {
        let (network, translations) = (self.problem.network(), self.problem.translations());
        let channel = |class| Channel(translations.channels().base(class));
        self.channels.end(
            |class| network.capacity(channel(class)),
            |class, used, capacity| {
                violations.push(Violation::ChannelOverloaded { step, channel: channel(class), used, capacity });
            },
        );
        self.groups.sort_unstable();
        self.groups.dedup();
        for pair in self.groups.windows(2).filter(|w| w[0].0 == w[1].0) {
            let (group, first) = (translations.groups().base(pair[0].0) as usize, pair[0].1);
            violations.push(Violation::HalfDuplex { step, group, first, second: pair[1].1 });
        }
        self.groups.clear();
        let node = |class| Node(translations.nodes().base(class));
        self.send.end(
            |class| network.send_ports(node(class)).unwrap_or(u32::MAX),
            |class, used, ports| violations.push(Violation::SendPorts { step, node: node(class), used, ports }),
        );
        self.receive.end(
            |class| network.receive_ports(node(class)).unwrap_or(u32::MAX),
            |class, used, ports| violations.push(Violation::ReceivePorts { step, node: node(class), used, ports }),
        );
    }
}

/// The uses of a whole schedule: counted at once where no element shifts time, else put down with their steps.
struct Uses<'a> {
    problem: &'a OrbitProblem,
    shifts: &'a Shifts,
    steps: u64,
    now: Tally<'a>,
    shifted: Option<Vec<(u64, Use)>>,
}

impl<'a> Uses<'a> {
    fn new(problem: &'a OrbitProblem, shifts: &'a Shifts, steps: u64) -> Self {
        let shifted = if shifts.are_none() { None } else { Some(Vec::new()) };
        Uses { problem, shifts, steps, now: Tally::new(problem), shifted }
    }

    /// Puts down the uses of a thing's base by the images of who uses the thing.
    #[inline]
    fn put(&mut self, action: &Action, thing: u32, step: u64, used: impl Fn(u32) -> Use) {
        let class = action.class(thing);
        let fixing = action.fixing(class);
        let Some(shifted) = &mut self.shifted else {
            return self.now.add(used(class), u32::try_from(fixing.len()).unwrap_or(u32::MAX));
        };
        let radix = self.problem.translations().radix();
        let back = radix.subtract(0, action.element(thing));
        let moves = fixing.iter().map(|&still| self.shifts.of[radix.add(back, still) as usize]);
        shifted.extend(moves.map(|shift| ((step + shift) % self.steps, used(class))));
    }

    /// As [`Uses::put`], of a half-duplex group, whose busy channel moves as well.
    fn put_group(&mut self, group: u32, step: u64, busy: Channel) {
        let translations = self.problem.translations();
        let (action, radix) = (translations.groups(), translations.radix());
        let class = action.class(group);
        let back = radix.subtract(0, action.element(group));
        for &still in action.fixing(class) {
            let element = radix.add(back, still);
            let used = Use::Group(class, translations.image_channel(element, busy));
            match &mut self.shifted {
                None => self.now.add(used, 1),
                Some(shifted) => shifted.push(((step + self.shifts.of[element as usize]) % self.steps, used)),
            }
        }
    }

    fn add(&mut self, step: usize, path: &[Channel], (from, to): (Node, Node)) {
        let problem = self.problem;
        let (translations, network, step) = (problem.translations(), problem.network(), step as u64);
        for &channel in path {
            self.put(translations.channels(), channel.0, step, Use::Channel);
            for group in network.groups_of(channel) {
                let group = u32::try_from(group).expect("a group's number was read from a 32-bit one");
                self.put_group(group, step, channel);
            }
        }
        if network.send_ports(from).is_some() {
            self.put(translations.nodes(), from.0, step, Use::Send);
        }
        if network.receive_ports(to).is_some() {
            self.put(translations.nodes(), to.0, step, Use::Receive);
        }
    }

    /// Checks a step of which all uses are known, which they are only where no element shifts time.
    fn end_step(&mut self, step: usize, violations: &mut Violations) {
        if self.shifted.is_none() {
            self.now.end(step, violations);
        }
    }

    /// Checks what was put down for steps still to come.
    fn end(mut self, violations: &mut Violations) {
        let mut shifted = self.shifted.unwrap_or_default();
        shifted.sort_unstable();
        for uses in shifted.chunk_by(|a, b| a.0 == b.0) {
            uses.iter().for_each(|(_, used)| self.now.add(*used, 1));
            self.now.end(usize::try_from(uses[0].0).expect("a step's number was an index"), violations);
        }
    }
}

/// Checks every rule on representatives. Violations name steps and transfers of the representatives' schedule, and of
/// overloaded resources the base of the orbit.
///
/// # Errors
/// The violations: all are counted, and the first [`Rejected::KEPT`] kept.
pub fn verify_orbits(problem: &OrbitProblem, claim: OrbitSchedule) -> Result<Verified, Rejected> {
    verify_orbits_keeping(problem, claim, Violations::new(Rejected::KEPT))
}

/// As [`verify_orbits`], into `violations`.
pub(crate) fn verify_orbits_keeping(
    problem: &OrbitProblem,
    claim: OrbitSchedule,
    mut violations: Violations,
) -> Result<Verified, Rejected> {
    let steps = claim.schedule.step_count() as u64;
    let orders = problem.translations().orders();
    if claim.shifts.len() != orders.len() {
        let (found, expected) = (claim.shifts.len(), orders.len());
        violations.push(Violation::ShiftCount { found, expected });
    }
    for (generator, (&shift, &order)) in claim.shifts.iter().zip(orders).enumerate() {
        if steps > 0 && u128::from(shift) * u128::from(order) % u128::from(steps) != 0 {
            violations.push(Violation::ShiftNotCyclic { generator, shift, order, steps });
        }
    }
    let semantics = problem.representatives().collective().semantics();
    if semantics == Semantics::Reduce && claim.shifts.iter().any(|shift| *shift != 0) {
        violations.push(Violation::ShiftedMerging);
    }
    let violations = violations.none()?;
    let shifts = Shifts::new(problem, &claim.shifts, steps.max(1));
    let violations = match semantics {
        Semantics::Copy => replay::<Copies<'_>>(problem, &claim.schedule, &shifts, violations),
        Semantics::Reduce => replay::<Contributions<'_>>(problem, &claim.schedule, &shifts, violations),
    };
    violations.none()?;
    Ok(VerifiedOrbits { problem: problem.clone(), schedule: claim, shifts }.into())
}

/// Checks the rules of the transfers and resources, and who holds what.
fn replay<'a, H: Holders<'a>>(
    problem: &'a OrbitProblem,
    schedule: &Schedule,
    shifts: &Shifts,
    violations: Violations,
) -> Violations {
    let mut uses = Uses::new(problem, shifts, (schedule.step_count() as u64).max(1));
    let (network, collective) = (problem.network(), problem.representatives().collective());
    let relayed = shifts.are_none();
    let mut holdings = H::new(collective, network.node_count(), all(collective));
    let exists = |channel: &&Channel| channel.index() < network.channel_count();
    holdings.keep_partials(schedule, |sent| sent.path.first().filter(exists).map(|first| network.from(*first)));
    let mut arrivals = Vec::new();
    let mut check = Check::new(problem.representatives(), violations);
    for (step, transfers) in schedule.steps().enumerate() {
        for (at, transfer) in transfers.enumerate() {
            let Some((from, to)) = check.transfer((step, at), transfer) else { continue };
            uses.add(step, transfer.path, (from, to));
            for &message in transfer.messages {
                let holds = relayed || collective.origin(message) == from;
                let (op, partials) = (transfer.op, transfer.partials);
                let sending = Sending { step, transfer: at, message, from, to, op, partials };
                match holdings.send(&sending) {
                    Ok(arrival) if holds => arrivals.push(arrival),
                    Ok(_) => check.violations.push(*sending.not_held()),
                    Err(violation) => check.violations.push(*violation),
                }
            }
        }
        uses.end_step(step, &mut check.violations);
        for arrival in arrivals.drain(..) {
            holdings.arrive(arrival, &mut check.violations);
        }
    }
    let mut violations = check.violations;
    uses.end(&mut violations);
    holdings.finish(&mut violations);
    violations
}
