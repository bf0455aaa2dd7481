//! **What:** the engine `weaving`: messages for one destination each, on networks where symmetry is of no help.
//!
//! **Idea.** Instead of placing paths, it keeps every channel of every step in use ([`loom`]): channels form strands, and a
//! strand moves the message of its ends. Where two strands of a step meet they can exchange what follows, which changes
//! the messages that are moved but wastes no channel. What counts is which messages no strand moves.
//!
//! **Moves** ([`moves`]). A missing message gets a strand in the cheapest way there is in any step; between such moves
//! strands that no message needs exchange their ends at random with others, at a low temperature, which brings about
//! openings that no single move sees.
//! A missing message weighs more the longer its way is and the more often it was missing. From a complete schedule the
//! step that matters least is taken away, and so on down to the floor. Two looms go about it with different random
//! numbers and are compared after every round, so the answer does not depend on the number of threads.
//!
//! **Knobs:** [`STIRS`], [`TEMPERATURE`], [`PICK`], [`frame::PIECE`] and the tolls of [`frame`].
//!
//! **When it loses.** It knows no ports, no half-duplex groups and no limit on the length of paths, and it does not use
//! symmetry: `packing` is better on symmetric networks, much so on large ones.
//!
//! **Source:** ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) and dynamic weights as in `packing`.

mod bag;
mod frame;
mod loom;
mod moves;

use crate::packing::{self, lanes::Lanes};
use crate::{Engine, Run};
pub(crate) use frame::Frame;
use kernel::{Message, Problem, Schedule};
use loom::Loom;
use moves::Heat;
use rand_pcg::Pcg64Mcg;

/// The engine.
pub struct Weaving;

/// Random moves between mending moves.
const STIRS: u32 = 300;
/// Of random moves, in the units of weights.
const TEMPERATURE: f64 = 24.0;
/// What the weight of a missing message grows by when it is mended.
const PICK: i32 = 1;
/// Looms: a fixed number, so that the answer does not depend on the number of threads.
const LOOMS: u64 = 2;
/// Arcs times layers at most.
const MOST_THREADS: usize = 1 << 22;
/// Which random numbers looms draw: within packing and alone they differ, so that neither repeats the other's search.
pub(crate) const WITHIN: u64 = 0;
const ALONE: u64 = 1;

impl Engine for Weaving {
    fn name(&self) -> &'static str {
        "weaving"
    }

    fn about(&self) -> &'static str {
        "messages for one destination each: exchanges the ends of paths that meet, with no channel ever idle"
    }

    fn source(&self) -> &'static str {
        "ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        crate::Packing.applies(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let (open, lanes) = (packing::open(problem), Lanes::new(problem.network()));
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let mut random = run.settings.seed.generator(u64::MAX);
        let placed = packing::first_fit(problem, &lanes, &open, &mut random, run.settings.slack.unwrap_or(0))?;
        let mut best = packing::unfolded(problem, &lanes, &open, &placed);
        run.progress.found("weaving", best.step_count() as u64);
        let Some(frame) = Frame::new(problem, &lanes, &open, run).filter(|_| run.settings.slack.is_none()) else {
            return Some(best);
        };
        let goal = usize::try_from(run.goal(floor).max(1)).ok()?;
        let Some(mut weaver) = Weaver::new(&frame, run, &placed, best.step_count(), (goal, ALONE)) else {
            return Some(best);
        };
        while !weaver.settled() && weaver.ticks < run.settings.ticks && !run.stopped() {
            if let Some(list) = weaver.round(1 << 18) {
                best = packing::scheduled(problem, &lanes, list);
                run.progress.found("weaving", best.step_count() as u64);
            }
        }
        Some(best)
    }
}

/// One loom at work.
struct Weave<'a> {
    loom: Loom<'a>,
    /// The loom when nothing was missing last.
    done: Option<Loom<'a>>,
    random: Pcg64Mcg,
    /// The layer in which a strand was made last.
    last: Option<usize>,
}

/// Several looms that work down from a schedule.
pub(crate) struct Weaver<'a> {
    run: &'a Run<'a>,
    goal: usize,
    weaves: Vec<Weave<'a>>,
    /// Steps of the best schedule so far.
    steps: usize,
    heat: Heat,
    pub ticks: u64,
}

impl<'a> Weaver<'a> {
    /// Begins with a schedule of `steps` steps, given by the lanes and the step of every message; `None` where that
    /// would be too large.
    pub fn new(
        frame: &'a Frame,
        run: &'a Run<'a>,
        placed: &[(Vec<u32>, u32)],
        steps: usize,
        (goal, stream): (usize, u64),
    ) -> Option<Self> {
        if frame.ends.len().checked_mul(steps)? > MOST_THREADS {
            return None;
        }
        let mut loom = Loom::new(frame, steps);
        loom.lay(placed.iter().map(|(path, step)| (*step as usize, path.as_slice())));
        let weave = |number| Weave {
            loom: loom.clone(),
            done: None,
            random: run.settings.seed.generator(u64::MAX / 2 - LOOMS * stream - number),
            last: None,
        };
        let weaves = (0..LOOMS).map(weave).collect();
        Some(Weaver { run, goal, weaves, steps, heat: Heat::new(TEMPERATURE), ticks: 0 })
    }

    /// Whether the goal is reached.
    pub fn settled(&self) -> bool {
        self.steps <= self.goal
    }

    /// Works on for `ticks` a loom; the layer, message and lanes of all messages, where steps were saved.
    pub fn round(&mut self, ticks: u64) -> Option<Vec<(u32, Message, Vec<u32>)>> {
        let (heat, goal, run) = (&self.heat, self.goal, self.run);
        let work = |weave: &mut Weave<'a>| weave.work(ticks, heat, goal, run);
        self.ticks += match run.settings.threads {
            0 | 1 => self.weaves.iter_mut().map(work).sum::<u64>(),
            _ => std::thread::scope(|scope| {
                let threads: Vec<_> = self.weaves.iter_mut().map(|weave| scope.spawn(|| work(weave))).collect();
                threads.into_iter().map(|thread| thread.join().expect("a loom does not panic")).sum()
            }),
        };
        // Looms that fell behind go on from the one that leads.
        let far = |weave: &Weave<'_>| (weave.loom.layers, weave.loom.missing.len());
        let leader = self.weaves.iter().min_by_key(|weave| far(weave))?.loom.clone();
        for weave in self.weaves.iter_mut().filter(|weave| weave.loom.layers > leader.layers) {
            weave.loom = leader.clone();
        }
        run.progress.working("weaving", leader.layers as u64, leader.missing.len() as u64);
        let done = self.weaves.iter().filter_map(|weave| weave.done.as_ref());
        let best = done.min_by_key(|loom| loom.layers).filter(|loom| loom.layers < self.steps)?;
        self.steps = best.layers;
        Some(best.paths())
    }
}

impl Weave<'_> {
    /// Works on for about `ticks`; returns those it took.
    fn work(&mut self, ticks: u64, heat: &Heat, goal: usize, run: &Run<'_>) -> u64 {
        let (mut looks, mut asked) = (0, 0);
        while looks < 16 * ticks {
            let Some(pair) = self.loom.missing.pick(&mut self.random) else {
                self.done = Some(self.loom.clone());
                if self.loom.layers <= goal {
                    break;
                }
                self.loom.drop_layer();
                continue;
            };
            if looks >= asked {
                asked = looks + (1 << 16);
                if run.stopped() {
                    break;
                }
            }
            let weight = &mut self.loom.weights[pair as usize];
            *weight = weight.saturating_add(PICK);
            let (seen, layer) = self.loom.mend(pair, self.last, &mut self.random);
            self.last = layer;
            for _ in 0..STIRS {
                self.loom.stir(heat, &mut self.random);
            }
            looks += seen + u64::from(STIRS) + 16;
        }
        looks / 16
    }
}

#[cfg(test)]
mod tests;
