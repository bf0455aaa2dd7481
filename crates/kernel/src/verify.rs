//! **What:** the checker from [`Claim`] to [`Verified`]: one pass over the transfers that checks every rule of the file
//! format and reports every violation; of a large schedule on all cores.
//!
//! A transfer whose parts do not exist, or whose path does not hang together, is reported and then left out; any other
//! broken rule is reported and the transfer still delivers, so that one fault does not look like many.

mod share;
mod transfer;

use crate::holdings::{Contributions, Copies, Holders, Sending};
use crate::occupancy::{Slots, Steps};
use crate::orbits::verify_orbits_keeping;
use crate::product::verify_product;
use crate::violation::Violations;
use crate::{Channel, Claim, Node, Problem, Rejected, Schedule, Semantics, Switching, Transfer, Verified, Violation};
use share::Share;
use std::collections::BTreeMap;
use std::ops::Range;
pub(crate) use transfer::Check;

/// Checks every rule in one pass over the transfers.
///
/// Memory is proportional to the network, on each core, and the messages (under time-division, to the transfers as well); of a schedule
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
    verify_watched(problem, claim, most, &|_, _| {})
}

/// Told of a check at work: how many steps of how many are done. Where several cores work, one of them tells.
pub type StepsDone<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// As [`verify_keeping`], and tells `watch` after each step of a schedule that is no product.
///
/// # Errors
/// As [`verify`].
pub fn verify_watched(
    problem: &Problem,
    claim: impl Into<Claim>,
    most: usize,
    watch: StepsDone<'_>,
) -> Result<Verified, Rejected> {
    let violations = Violations::new(most);
    match claim.into() {
        Claim::Plain(schedule) => verify_plain(problem, schedule, violations, watch),
        Claim::Orbits { problem: folded, schedule } if folded.whole() == problem => {
            verify_orbits_keeping(&folded, schedule, violations, watch)
        }
        Claim::Product(form) => verify_product(problem, form),
        Claim::Orbits { .. } => Err(Violation::OtherProblem.into()),
    }
}

fn verify_plain(
    problem: &Problem,
    schedule: Schedule,
    violations: Violations,
    watch: StepsDone<'_>,
) -> Result<Verified, Rejected> {
    if !problem.collective().is_numbered() {
        return Err(Violation::Unnumbered { messages: problem.collective().message_count() }.into());
    }
    let violations = match problem.collective().semantics() {
        Semantics::Copy => replayed::<Copies<'_>>(problem, &schedule, violations, watch),
        Semantics::Reduce => replayed::<Contributions<'_>>(problem, &schedule, violations, watch),
    };
    violations.none()?;
    Ok(Verified::plain(problem.clone(), schedule))
}

/// Replays a schedule, a large one on all cores: each checks the rules of some steps, and who holds some of the messages. Whether
/// anything is wrong at all does not depend on how they are shared; what is wrong, and in which order, is then told by one core.
fn replayed<'a, H: Holders<'a>>(
    problem: &'a Problem,
    schedule: &Schedule,
    violations: Violations,
    watch: StepsDone<'_>,
) -> Violations {
    let is_right = |share: Share| {
        let watch = if share.steps.start == 0 { watch } else { &|_, _| {} };
        replay::<H>(problem, schedule, share, Violations::new(1), watch).count() == 0
    };
    let all_right = |shares: Vec<Share>| {
        std::thread::scope(|scope| {
            let is_right = &is_right;
            let spawn = |share| std::thread::Builder::new().spawn_scoped(scope, move || is_right(share));
            let threads: Vec<_> = shares.into_iter().map(spawn).collect();
            // A share for which there is no thread is not checked.
            threads.into_iter().all(|thread| thread.is_ok_and(|thread| thread.join().is_ok_and(|right| right)))
        })
    };
    let shares = Share::of(problem, schedule);
    if shares.len() > 1 && all_right(shares) {
        return violations;
    }
    replay::<H>(problem, schedule, Share::whole(problem, schedule), violations, watch)
}

/// Checks a share of a schedule.
fn replay<'a, H: Holders<'a>>(
    problem: &'a Problem,
    schedule: &Schedule,
    share: Share,
    violations: Violations,
    watch: StepsDone<'_>,
) -> Violations {
    let network = problem.network();
    let mut check = Check::new(problem, violations);
    let mut holders = H::new(problem.collective(), network.node_count(), share.messages);
    let exists = |channel: &&Channel| channel.index() < network.channel_count();
    holders.keep_partials(schedule, |sent| sent.path.first().filter(exists).map(|first| network.from(*first)));
    match problem.model().switching {
        Switching::Tdm { hop, cyclic } => {
            slots(&mut check, schedule, &mut holders, Slotted { hop: hop.into(), cyclic }, watch)
        }
        Switching::Wormhole | Switching::StoreAndForward => {
            steps(&mut check, schedule, &mut holders, &share.steps, watch)
        }
    }
    holders.finish(&mut check.violations);
    check.violations
}

/// The rules of the transfers and resources in `own` steps, and who holds the messages of `holders` in all of them.
fn steps<'a, H: Holders<'a>>(
    check: &mut Check<'a>,
    schedule: &Schedule,
    holders: &mut H,
    own: &Range<usize>,
    watch: StepsDone<'_>,
) {
    let mut occupancy = Steps::new(check.network());
    let mut arrivals = Vec::new();
    for step in 0..schedule.step_count() {
        let is_own = own.contains(&step);
        occupancy.begin(step);
        for (at, number) in schedule.numbers(step).enumerate() {
            let transfer = schedule.transfer(number);
            let ends = match is_own {
                true => check.transfer((step, at), transfer),
                false => check.ends_of(&transfer, holders.messages()),
            };
            let Some((from, to)) = ends else { continue };
            if is_own {
                occupancy.path(transfer.path);
                occupancy.send(from);
                occupancy.receive(to);
            }
            send(check, (step, at), transfer, (from, to), holders, |a| arrivals.push(a));
        }
        occupancy.end(&mut check.violations);
        for arrival in arrivals.drain(..) {
            holders.arrive(arrival, &mut check.violations);
        }
        watch(step + 1, schedule.step_count());
    }
}

/// Slots of time-division.
struct Slotted {
    hop: u64,
    cyclic: bool,
}

/// A message absorbed in slot s is held from slot s + 1 on; what is absorbed after the end of a cyclic period is held at the end.
fn slots<'a, H: Holders<'a>>(
    check: &mut Check<'a>,
    schedule: &Schedule,
    holders: &mut H,
    model: Slotted,
    watch: StepsDone<'_>,
) {
    let Slotted { hop, cyclic } = model;
    let period = schedule.step_count();
    let mut slots = Slots::default();
    let mut arrivals: BTreeMap<u64, Vec<H::Arrival>> = BTreeMap::new();
    for (step, transfers) in schedule.steps().enumerate() {
        let now = step as u64;
        while let Some(entry) = arrivals.first_entry().filter(|e| *e.key() < now) {
            for arrival in entry.remove() {
                holders.arrive(arrival, &mut check.violations);
            }
        }
        for (at, transfer) in transfers.enumerate() {
            let Some((from, to)) = check.transfer((step, at), transfer) else { continue };
            let ends = now + transfer.path.len() as u64 * hop;
            if !cyclic && ends >= period as u64 {
                check.violations.push(Violation::AfterPeriod { step, transfer: at, ends, period });
                continue;
            }
            let slot = |after: u64| ((now + after) % period as u64) as usize;
            for (i, &channel) in (0u64..).zip(transfer.path) {
                slots.channel(slot(i * hop), channel);
            }
            slots.send(step, from);
            slots.receive(slot(ends - now), to);
            let due = arrivals.entry(ends).or_default();
            send(check, (step, at), transfer, (from, to), holders, |a| due.push(a));
        }
        watch(step + 1, period);
    }
    for arrival in arrivals.into_values().flatten() {
        holders.arrive(arrival, &mut check.violations);
    }
    slots.check(check.network(), period, &mut check.violations);
}

/// Takes what the sender holds of the messages of `holders`, and reports what it does not.
#[inline(always)]
fn send<'a, H: Holders<'a>>(
    check: &mut Check<'a>,
    (step, at): (usize, usize),
    transfer: Transfer<'_>,
    (from, to): (Node, Node),
    holders: &H,
    mut arrives: impl FnMut(H::Arrival),
) {
    for (place, &message) in transfer.messages.iter().enumerate() {
        if !holders.messages().contains(&message.0) {
            continue;
        }
        let (op, partials) = (transfer.op, transfer.partials_of(place));
        match holders.send(&Sending { step, transfer: at, message, from, to, op, partials }) {
            Ok(arrival) => arrives(arrival),
            Err(violation) => check.violations.push(*violation),
        }
    }
}
