//! **What:** the tasks of a round spread over the processes of a run: each a method with its own random numbers.
//!
//! **Method.** Rank 0 solves; the others [`serve`]. For every round rank 0 deals out the tasks in turn with what all of them are given: floor, share of
//! ticks, time left and the best schedule. Each rank works through its tasks in order on its own threads. Then all meet, and rank 0 gets what they found: claims, which it
//! verifies itself. A task that reaches the goal is announced at once, and those after it end.
//!
//! **Facts:** of the tasks that reach the goal the first in order counts, wherever it ran, so without a clock the answer does not depend on
//! the number of ranks. Between rounds rank 0 alone looks for bounds; only searches are spread.

use crate::canonical::Canonical;
use crate::floors::Floors;
use crate::outcome::{Best, Ended};
use crate::registry::{METHODS, Resolved};
use crate::rounds::{MethodRun, Round, Task};
use crate::{Settings, Watch};
use kernel::{Problem, Schedule, verify};
use run::ranks::Reader;
use run::{Method, Progress, Ranks, Run, wire};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The ranks of a search, as rank 0 sees them.
pub(crate) struct Spread<'a> {
    ranks: &'a dyn Ranks,
    round: AtomicU32,
    /// Steps of the best schedule that the others know.
    told: Mutex<Option<usize>>,
}

impl<'a> Spread<'a> {
    /// The search of rank 0, where there are others.
    pub(crate) fn of(ranks: &'a dyn Ranks) -> Option<Self> {
        (ranks.count() > 1).then(|| Spread { ranks, round: AtomicU32::new(0), told: Mutex::new(None) })
    }

    /// Ranks that take part.
    pub(crate) fn count(&self) -> usize {
        self.ranks.count()
    }

    /// Works through all tasks of a round; what each came to, if it was begun.
    pub(crate) fn play(&self, round: &Round<'_>, tasks: &[Task<'_>]) -> Vec<Option<MethodRun>> {
        let number = self.round.fetch_add(1, Ordering::Relaxed) + 1;
        let count = self.ranks.count();
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let best = round.best.filter(|best| *told != Some(best.schedule.steps()));
        *told = round.best.map(|best| best.schedule.steps());
        drop(told);
        let work = |rank: usize| {
            let own = dealt(tasks, rank, count).map(|position| (position, &tasks[position]));
            Work::encode(number, round, best, own)
        };
        let others = (0..count).map(|rank| if rank == 0 { Vec::new() } else { work(rank) }).collect();
        self.ranks.exchange(others);
        let own: Vec<usize> = dealt(tasks, 0, count).collect();
        let mut turns: Vec<Option<MethodRun>> = tasks.iter().map(|_| None).collect();
        let own_tasks: Vec<Task<'_>> = own.iter().map(|position| tasks[*position]).collect();
        for (position, turn) in own.iter().zip(round.here(&own_tasks, Some((self.ranks, number)))) {
            turns[*position] = turn;
        }
        let come = self.ranks.exchange(vec![Vec::new(); count]);
        for bytes in come.iter().skip(1) {
            for found in Found::decode_all(bytes) {
                let position = found.position as usize;
                if let (Some(turn), Some(task)) = (turns.get_mut(position), tasks.get(position)) {
                    // What breaks a rule is made again here, so that it can be told which.
                    *turn = if found.is_rejected {
                        round.here(&[*task], None).pop().flatten()
                    } else {
                        Some(found.turn(round))
                    };
                }
            }
        }
        turns
    }
}

impl Drop for Spread<'_> {
    /// The others go home.
    fn drop(&mut self) {
        self.ranks.exchange(vec![Vec::new(); self.ranks.count()]);
    }
}

/// The positions of a rank's tasks: each draw begins with the next rank, so that slow methods do not all fall to one.
fn dealt(tasks: &[Task<'_>], rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    let turn = move |task: &&Task<'_>| (task.player + task.draw as usize) % ranks == rank;
    tasks.iter().filter(turn).map(|task| task.position)
}

/// What a rank is to do in a round.
struct Work {
    round: u32,
    number: u32,
    floor: u64,
    share: u64,
    seconds: Option<f64>,
    /// Position, method and draw of each task.
    tasks: Vec<(u32, u16, u32)>,
    /// The best schedule, where it is new, and the method that found it.
    best: Option<(u16, Schedule)>,
}

/// The number of a method that every rank knows it by.
fn number_of(name: &str) -> Option<u16> {
    METHODS.iter().position(|method| method.name() == name).and_then(|at| u16::try_from(at).ok())
}

impl Work {
    fn encode<'t>(
        number: u32,
        round: &Round<'_>,
        best: Option<&Best>,
        tasks: impl Iterator<Item = (usize, &'t Task<'t>)>,
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&number.to_le_bytes());
        bytes.extend_from_slice(&round.number.to_le_bytes());
        bytes.extend_from_slice(&round.floor.to_le_bytes());
        bytes.extend_from_slice(&round.share.to_le_bytes());
        bytes.extend_from_slice(&round.run.seconds_left().unwrap_or(f64::INFINITY).to_le_bytes());
        let tasks: Vec<(usize, u16, u32)> =
            tasks.filter_map(|(position, task)| Some((position, number_of(task.method.name())?, task.draw))).collect();
        bytes.extend_from_slice(&(tasks.len() as u32).to_le_bytes());
        for (position, method, draw) in tasks {
            bytes.extend_from_slice(&(position as u32).to_le_bytes());
            bytes.extend_from_slice(&method.to_le_bytes());
            bytes.extend_from_slice(&draw.to_le_bytes());
        }
        // What is stored as orbits is not written down for a search to begin with.
        if let Some(best) = best.filter(|best| best.schedule.is_written_down())
            && let Ok(schedule) = best.schedule.expanded()
            && let Some(method) = number_of(best.method)
        {
            bytes.extend_from_slice(&method.to_le_bytes());
            bytes.extend_from_slice(&wire::encode(&schedule));
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Self {
        let mut reader = Reader(bytes);
        let (round, number) = (reader.u32(), reader.u32());
        let (floor, share, seconds) = (reader.u64(), reader.u64(), reader.f64());
        let count = reader.u32();
        let mut tasks = Vec::new();
        for _ in 0..count {
            if reader.is_empty() {
                break;
            }
            tasks.push((reader.u32(), reader.u16(), reader.u32()));
        }
        let best = (!reader.is_empty()).then(|| (reader.u16(), wire::decode(reader.0)));
        Work { round, number, floor, share, seconds: Some(seconds).filter(|s| s.is_finite()), tasks, best }
    }
}

/// What a task of another rank came to.
struct Found {
    position: u32,
    wants_more: bool,
    cut_short: bool,
    seconds: f64,
    steps: Option<u64>,
    /// Where it is of use.
    schedule: Option<Schedule>,
    /// Whether it broke a rule.
    is_rejected: bool,
}

impl Found {
    fn encode(position: u32, turn: &MethodRun, known: Option<usize>, bytes: &mut Vec<u8>) {
        let claim = turn.claim.as_ref();
        let useful = claim.filter(|claim| known.is_none_or(|known| claim.steps() < known));
        let schedule = useful.and_then(|claim| claim.expanded().ok()).map(|schedule| wire::encode(&schedule));
        let flags = match turn.ended {
            Ended::WantsMore => 1,
            Ended::CutShort => 2,
            _ => 0,
        };
        bytes.extend_from_slice(&position.to_le_bytes());
        let is_rejected = matches!(turn.ended, Ended::Rejected(_));
        bytes.push(flags | u8::from(schedule.is_some()) << 2 | u8::from(is_rejected) << 3);
        bytes.extend_from_slice(&turn.seconds.to_le_bytes());
        bytes.extend_from_slice(&claim.map_or(u64::MAX, |claim| claim.steps() as u64).to_le_bytes());
        let schedule = schedule.unwrap_or_default();
        bytes.extend_from_slice(&(schedule.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&schedule);
    }

    fn decode_all(bytes: &[u8]) -> Vec<Self> {
        let (mut reader, mut all) = (Reader(bytes), Vec::new());
        while !reader.is_empty() {
            let (position, flags, seconds, steps) = (reader.u32(), reader.u8(), reader.f64(), reader.u64());
            let length = usize::try_from(reader.u64()).unwrap_or(usize::MAX);
            let schedule = wire::decode(reader.bytes(length));
            all.push(Found {
                position,
                wants_more: flags & 1 > 0,
                cut_short: flags & 2 > 0,
                seconds,
                steps: Some(steps).filter(|steps| *steps < u64::MAX),
                schedule: (flags & 4 > 0).then_some(schedule),
                is_rejected: flags & 8 > 0,
            });
        }
        all
    }

    fn turn(self, round: &Round<'_>) -> MethodRun {
        let ended = match () {
            () if self.cut_short => Ended::CutShort,
            () if self.wants_more => Ended::WantsMore,
            () => Ended::Exhausted,
        };
        let Found { seconds, steps, .. } = self;
        match self.schedule.map(|claim| verify(round.problem, claim)).transpose() {
            Ok(claim) => MethodRun { claim, ended, seconds, steps },
            Err(why) => MethodRun { claim: None, ended: Ended::Rejected(why), seconds, steps: None },
        }
    }
}

/// Works for rank 0, which [solves](crate::solve_watched) the same problem with the same settings, until that has an answer.
pub fn serve(problem: &Problem, settings: &Settings, watch: Watch<'_>) {
    if Resolved::new(settings).is_err() {
        // Rank 0 says so.
        return;
    }
    let canonical = Canonical::of(problem, &|| watch.stop.load(Ordering::Relaxed));
    let canonical = canonical.filter(|canonical| !canonical.is_same(problem));
    let work = canonical.as_ref().map_or(problem, Canonical::problem);
    let pool = run::race::pool(settings.threads);
    let mut best: Option<Best> = None;
    let mut floors = Floors::new(problem, canonical.as_ref());
    floors.look(&Run::new(settings.of_a_run(), watch.progress, watch.stop));
    watch.progress.floor(&floors.certified(None));
    loop {
        let told = watch.ranks.exchange(vec![Vec::new(); watch.ranks.count()]);
        if told[0].is_empty() {
            return;
        }
        let Work { round: number_of_all, number, floor, share, seconds, tasks, best: new } = Work::decode(&told[0]);
        if let Some((method, claim)) = new
            && let (Ok(schedule), Some(method)) = (verify(work, claim), METHODS.get(method as usize))
        {
            let new = Best { schedule, method: method.name() };
            keep(&new, canonical.as_ref(), watch.progress);
            best = Some(new);
        }
        let run_settings = run::Settings { seconds, ..settings.of_a_run() };
        let run = Run::new(run_settings, watch.progress, watch.stop);
        let canonical = canonical.as_ref();
        let spread = None;
        let (best, pool) = (best.as_ref(), pool.as_ref());
        let round = Round { problem: work, canonical, floor, best, run: &run, pool, number, share, draws: 1, spread };
        let known = |(position, method, draw): &(u32, u16, u32)| {
            let method: &'static dyn Method = *METHODS.get(*method as usize)?;
            Some(Task { player: 0, position: *position as usize, method, draw: *draw })
        };
        let tasks: Vec<Task<'_>> = tasks.iter().filter_map(known).collect();
        let turns = round.here(&tasks, Some((watch.ranks, number_of_all)));
        let mut bytes = Vec::new();
        let steps = best.map(|best| best.schedule.steps());
        for (task, turn) in tasks.iter().zip(&turns) {
            if let Some(turn) = turn {
                Found::encode(task.position as u32, turn, steps, &mut bytes);
            }
        }
        let mut outgoing = vec![Vec::new(); watch.ranks.count()];
        outgoing[0] = bytes;
        watch.ranks.exchange(outgoing);
    }
}

/// Tells the best schedule, so that it is known should other ranks be lost.
pub(crate) fn keep(best: &Best, canonical: Option<&Canonical>, progress: &dyn Progress) {
    let Ok(written) = best.schedule.expanded() else { return };
    let back = || canonical.map_or_else(|| written.clone().into_owned(), |canonical| canonical.schedule_back(&written));
    progress.candidate(best.method, &back);
}
