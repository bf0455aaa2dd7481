//! **What:** how urgent transfers are, found by scheduling them forwards and backwards in turn.
//!
//! **Method.** At first a transfer is as urgent as the chain behind it and the work of the busiest channel of its path are long: all work or what is left of it, from the beginning or from
//! the end. The schedule found is then made backwards, what ended last first; the time that a transfer has there until all ends tells how urgent it is forwards, and so on as long as that helps: what is late
//! because of work that queues up elsewhere behind it, which no local rule sees, goes earlier the next time.
//!
//! **Source:** Li and Willis (1992), forward and backward scheduling; Valls, Ballestín and Quintanilla (2005), double justification.

use super::begun::Begun;
use super::list::{self, InStep, Order};
use super::net::{Net, Nets};
use super::others::Anew;
use super::rarest;
use super::tasks::{Task, Tasks};
use run::{ONE_LOOK, Run};

/// First schedules: whether they are made backwards, and whether work counts as it is left then, or all of it. Each helps somewhere, by several per cent.
const FIRST: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

/// Rounds that may fail to make a schedule shorter, one after the other.
const PATIENCE: u32 = 14;
/// After so many of them it goes on from the best schedule in the next of [`MANNERS`].
const TURN: u32 = 3;
/// How a schedule is made from the one before, one manner after the other.
const MANNERS: [Manner; 5] = [
    Manner { anew: Some(Anew::Away), in_step: false },
    Manner { anew: Some(Anew::Both), in_step: false },
    Manner { anew: None, in_step: true },
    Manner { anew: Some(Anew::Away), in_step: true },
    Manner { anew: None, in_step: false },
];
/// A schedule so near to the bound is good enough.
const ENOUGH: f64 = 1.0005;
const ROUNDS: u32 = 40;
/// The same where a look has to do.
const IN_A_LOOK: u32 = 4;

/// How a schedule is made from the one before.
#[derive(Clone, Copy)]
struct Manner {
    /// Which transfers of trees may be hung up anew, where nothing but trees says what waits for what.
    anew: Option<Anew>,
    /// Whether transfers begin [in step](Order::in_step).
    in_step: bool,
}

/// A schedule in one of both directions of time.
#[derive(Clone)]
struct Timed {
    tasks: Tasks,
    begun: Vec<u64>,
    /// When each transfer arrives, and the last of them.
    held: Vec<u64>,
    end: u64,
    backwards: bool,
}

impl Timed {
    fn new(nets: &Nets<'_>, tasks: Tasks, begun: Vec<u64>, backwards: bool) -> Self {
        let (tasks, begun) = match tasks.are_trees() {
            true => tasks.trimmed(begun, |one| is_of_use(nets, one, backwards)),
            false => (tasks, begun),
        };
        let held: Vec<u64> = tasks.0.iter().zip(&begun).map(|(one, tick)| tick + one.way.takes()).collect();
        let end = held.iter().copied().max().unwrap_or(0);
        Timed { tasks, begun, held, end, backwards }
    }

    /// In the direction in which time goes.
    fn forwards(self) -> Begun {
        let found = Begun { tasks: self.tasks, begun: self.begun };
        if self.backwards { found.turned() } else { found }
    }
}

/// The transfers, perhaps of trees that were hung up anew, with their beginnings; `None` where the run is stopped before there are any. Of the first
/// schedules those are made shorter that are shorter than all before them; in a look, only the last of these.
pub(super) fn begin(nets: &Nets<'_>, tasks: &Tasks, floor: u64, run: &Run<'_>) -> Option<Begun> {
    let is_a_look = run.settings.ticks == ONE_LOOK;
    let mut best: Option<Timed> = None;
    // The shortest of the first schedules, as they are.
    let mut least = u64::MAX;
    for (backwards, by_work) in FIRST {
        if best.as_ref().is_some_and(|best| best.end as f64 <= floor as f64 * super::ENOUGH) {
            break;
        }
        let mut tasks = if backwards { tasks.mirrored() } else { tasks.clone() };
        let net = nets.of(backwards);
        let urgent = if by_work { tasks.chains() } else { at_first(net, &tasks) };
        let order = Order { urgent: &urgent, by_work, in_step: InStep::None, behind: &[] };
        let Some(begun) = list::begin(net, &mut tasks, order, None, run) else { break };
        let found = Timed::new(nets, tasks, begun, backwards);
        if found.end >= least {
            continue;
        }
        least = found.end;
        let found = if is_a_look { found } else { shortened(nets, found, floor, ROUNDS, run) };
        if best.as_ref().is_none_or(|best| found.end < best.end) {
            best = Some(found);
        }
    }
    let mut best = best?;
    if best.end as f64 > floor as f64 * super::ENOUGH
        && let Some(found) = rarest_first(nets, tasks, run).filter(|found| found.end < best.end)
    {
        best = if is_a_look { found } else { shortened(nets, found, floor, ROUNDS, run) };
    }
    Some(if is_a_look { shortened(nets, best, floor, IN_A_LOOK, run) } else { best }.forwards())
}

/// A schedule in which nodes get their chunks from anywhere near, the rarest first; `None` where that cannot be made.
fn rarest_first(nets: &Nets<'_>, tasks: &Tasks, run: &Run<'_>) -> Option<Timed> {
    let backwards = tasks.0.iter().all(|one| one.inwards);
    let mirrored = backwards.then(|| tasks.mirrored());
    let found = rarest::begun(nets, mirrored.as_ref().unwrap_or(tasks), backwards, run)?;
    Some(Timed::new(nets, found.tasks, found.begun, backwards))
}

/// A schedule made shorter for as long as that helps.
pub(super) fn shorter(nets: &Nets<'_>, found: Begun, floor: u64, run: &Run<'_>) -> Begun {
    shortened(nets, Timed::new(nets, found.tasks, found.begun, false), floor, ROUNDS, run).forwards()
}

/// A schedule made shorter for as long as that helps, forwards and backwards in turn.
fn shortened(nets: &Nets<'_>, mut best: Timed, floor: u64, rounds: u32, run: &Run<'_>) -> Timed {
    let mut last = best.clone();
    let mut failed = 0;
    let mut manners = MANNERS.into_iter().cycle().skip(1);
    let mut manner = MANNERS[0];
    for _ in 0..rounds {
        if failed > PATIENCE || best.end as f64 <= floor as f64 * ENOUGH {
            break;
        }
        // The other way round, a transfer arrives as long before the end as it begins here, and is urgent if that is long.
        let before: Vec<u64> = last.begun.iter().map(|tick| last.end - tick).collect();
        let mut tasks = last.tasks.mirrored();
        let before = manner.anew.filter(|_| last.tasks.are_trees()).map(|anew| (anew, &before[..]));
        let in_step = if manner.in_step { InStep::All } else { InStep::None };
        let order = Order { in_step, ..Order::fixed(&last.held) };
        let Some(begun) = list::begin(nets.of(!last.backwards), &mut tasks, order, before, run) else { break };
        last = Timed::new(nets, tasks, begun, !last.backwards);
        if last.end < best.end {
            (best, failed) = (last.clone(), 0);
            continue;
        }
        failed += 1;
        if failed.is_multiple_of(TURN) {
            last = best.clone();
            manner = manners.next().unwrap_or(manner);
        }
    }
    best
}

/// Whether the outer end of a transfer adds to the chunk, or is to have it, and does not only pass it on.
pub(super) fn is_of_use(nets: &Nets<'_>, one: &Task, backwards: bool) -> bool {
    let net = nets.of(backwards);
    let (first, last) = (one.way.path[0], one.way.path[one.way.path.len() - 1]);
    let end = if one.inwards { net.network.from(first) } else { net.network.to(last) };
    let collective = net.problem.collective();
    let nodes = match one.inwards != backwards {
        true => collective.contributors(one.message),
        false => collective.destinations(one.message),
    };
    nodes.contains(&end)
}

fn at_first(net: &Net<'_>, tasks: &Tasks) -> Vec<u64> {
    let mut work = vec![0; net.network.channel_count()];
    let of = |at: usize| tasks.0[at].way.path.iter();
    (0..tasks.0.len()).flat_map(of).for_each(|c| work[c.index()] += net.busy[c.index()]);
    let busiest = |at: usize| of(at).map(|c| work[c.index()]).max().unwrap_or(0);
    tasks.chains().into_iter().enumerate().map(|(at, chain)| chain + busiest(at)).collect()
}
