//! **What:** simulated annealing on a layout that works down from a schedule, one step after the other.
//!
//! **Method.** Repairs and bouts of random moves take turns. The longer it takes with so many steps, the more random moves lie
//! between repairs: it is as if the layout cooled down in between. Once nothing is missing, the steps that matter least are taken
//! away, fewer at a time the nearer the goal is.

use super::layout::StepLayout;
use super::moves::Temperature;
use crate::emit::Sent;
use rand_pcg::Pcg64Mcg;
use run::Run;

/// Repairs between two bouts of random moves.
const BOUT: u64 = 8;
/// Random moves a repair, in hundredths of the slots that no message needs, or of a quarter of the messages where these are
/// fewer: at first, and at most.
const FIRST: u64 = 10;
const MOST: u64 = 1000;
/// So many more hundredths once ten times as many repairs were made as a step has messages.
const MORE: u64 = 20;
/// As long as there are no more repairs than so many for each message that was lost with a step, there are no random moves.
const EASY: u64 = 2;
/// Steps are taken away one by one, but for this part of those above the goal where they are more.
const FEWER: usize = 16;
/// Of random moves, in the units of weights.
const TEMPERATURE: f64 = 24.0;
/// What the weight of a missing message grows by when it is placed.
const PICK: i32 = 1;
/// Looks that a tick pays for, one where random moves count as much.
const LOOKS_A_TICK: u64 = 2;

/// A search that works down from a schedule.
pub(super) struct Annealing<'a> {
    run: &'a Run<'a>,
    /// Steps of the layout to end with.
    goal: usize,
    layout: StepLayout<'a>,
    temperature: Temperature,
    random: Pcg64Mcg,
    /// The step in which a path was made last.
    last: Option<usize>,
    /// The number of steps at the last repair, and the repairs with so many.
    level: usize,
    repairs: u64,
    /// Messages that were missing when it began with so many.
    lost: u64,
    /// Looks so far.
    looks: u64,
}

impl<'a> Annealing<'a> {
    /// Begins with a layout; looks for a schedule of `goal` steps.
    pub(super) fn new(layout: StepLayout<'a>, goal: usize, run: &'a Run<'a>) -> Self {
        let level = layout.steps;
        let random = run.settings.seed.generator(u64::MAX / 2);
        let temperature = Temperature::new(TEMPERATURE);
        Annealing { run, goal, layout, temperature, random, last: None, level, repairs: 0, lost: 0, looks: 0 }
    }

    /// Ticks spent so far.
    pub(super) fn spent(&self) -> u64 {
        self.looks / LOOKS_A_TICK
    }

    /// Whether nothing is missing in as few steps as are wanted.
    pub(super) fn is_done(&self) -> bool {
        self.layout.missing.len() == 0 && self.layout.steps <= self.goal
    }

    /// Goes on for about so many ticks; what is sent in the fewest steps in which nothing was missing meanwhile.
    pub(super) fn go_on(&mut self, ticks: u64) -> Option<Vec<Sent>> {
        let end = self.looks + LOOKS_A_TICK * ticks;
        let (mut asked, mut best) = (self.looks, None);
        while self.looks < end {
            let Some(pair) = self.layout.missing.pick(&mut self.random) else {
                best = Some(self.layout.clone());
                if self.layout.steps <= self.goal {
                    break;
                }
                self.looks += (self.layout.steps * self.layout.network.ends.len()) as u64 / 8;
                let more = self.layout.steps - self.goal;
                self.layout.drop_steps(more.div_ceil(FEWER));
                debug_assert!(self.layout.is_sound(), "a step was taken away");
                self.lost = self.layout.missing.len() as u64;
                continue;
            };
            if self.looks >= asked {
                asked = self.looks + (1 << 16);
                if self.run.stopped() {
                    break;
                }
            }
            let weight = &mut self.layout.weights[pair as usize];
            *weight = weight.saturating_add(PICK);
            let (looks, step) = self.layout.repair(pair, self.last, &mut self.random);
            self.looks += looks + 16;
            if self.layout.steps != self.level {
                (self.level, self.repairs) = (self.layout.steps, 0);
            }
            self.last = step;
            self.repairs += 1;
            if self.repairs > EASY * self.lost && self.repairs.is_multiple_of(BOUT) {
                self.random_moves();
            }
        }
        self.run.progress.working("path-exchange", self.layout.steps as u64, self.layout.missing.len() as u64);
        best.map(|layout| layout.sent())
    }

    /// Random moves for the repairs since the last ones.
    fn random_moves(&mut self) {
        let pairs = self.layout.network.messages.len();
        let messages = (pairs / self.layout.steps.max(1)).max(1) as u64;
        let share = (FIRST + MORE * self.repairs / (10 * messages)).min(MOST);
        let moves = BOUT * self.layout.loose.len().min(pairs / 4) as u64 * share / 100;
        for number in 0..moves {
            if number % (1 << 14) == 1 && self.run.stopped() {
                break;
            }
            self.layout.random_move(&self.temperature, &mut self.random);
        }
        self.looks += moves;
        debug_assert!(self.layout.is_sound(), "paths were exchanged");
    }
}
