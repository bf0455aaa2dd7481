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

use super::schedule::{Shifts, step};
use super::uses::Uses;
use super::{Image, OrbitError, OrbitProblem, OrbitSchedule};
use crate::holdings::{Contributions, Copies, Holders, Sending, all};
use crate::verify::Check;
use crate::violation::Violations;
use crate::{Channel, Message, Rejected, Schedule, Semantics, StepsDone, Transfer, Verified, Violation};

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

/// Checks every rule on representatives. Violations name steps and transfers of the representatives' schedule, and of
/// overloaded resources the base of the orbit.
///
/// # Errors
/// The violations: all are counted, and the first [`Rejected::KEPT`] kept.
pub fn verify_orbits(problem: &OrbitProblem, claim: OrbitSchedule) -> Result<Verified, Rejected> {
    verify_orbits_keeping(problem, claim, Violations::new(Rejected::KEPT), &|_, _| {})
}

/// As [`verify_orbits`], into `violations`; `watch` is told of each step.
pub(crate) fn verify_orbits_keeping(
    problem: &OrbitProblem,
    claim: OrbitSchedule,
    mut violations: Violations,
    watch: StepsDone<'_>,
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
        Semantics::Copy => replay::<Copies<'_>>(problem, &claim.schedule, &shifts, violations, watch),
        Semantics::Reduce => replay::<Contributions<'_>>(problem, &claim.schedule, &shifts, violations, watch),
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
    watch: StepsDone<'_>,
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
        watch(step + 1, schedule.step_count());
    }
    let mut violations = check.violations;
    uses.end(&mut violations);
    holdings.finish(&mut violations);
    violations
}
