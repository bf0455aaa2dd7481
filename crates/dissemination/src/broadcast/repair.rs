//! **What:** local search for levels of a broadcast in a given number of steps.
//!
//! **Method.** A step that cannot serve all its nodes has a minimum cut: behind it, too many nodes are to be informed by too few
//! channels. Moves help behind that cut: a node there is informed in another step, or changes places with one of another
//! step; best of a few such moves, none undone at once.

use super::step::StepFlow;
use super::{Broadcast, Levels};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Moves tried before the best is taken.
const SAMPLE: usize = 10;
/// Moves during which a node keeps its new level.
const TABU: u64 = 6;

/// Levels under repair: 0 for the root, then steps, and `steps + 1` for never.
pub(super) struct Repair<'a, 'p> {
    step: &'a mut StepFlow<'p>,
    /// Nodes whose level may change.
    movable: Vec<usize>,
    receivers: &'a [bool],
    steps: u32,
    levels: Vec<u32>,
    /// Nodes of each step that the flow does not serve.
    missing: Vec<u64>,
    rested: Vec<u64>,
}

impl<'a, 'p> Repair<'a, 'p> {
    /// Starts from `levels`; those later than `steps`, and receivers that are never informed, go into the last step.
    pub(super) fn new(
        broadcast: &'a Broadcast<'p>,
        step: &'a mut StepFlow<'p>,
        steps: u32,
        levels: &Levels,
        budget: &mut Budget<'_>,
    ) -> Self {
        let receivers = &broadcast.receivers[..];
        let never = steps + 1;
        let levels: Vec<u32> =
            levels.iter().zip(receivers).map(|(l, &r)| l.unwrap_or(never).min(if r { steps } else { never })).collect();
        let terminals = broadcast.problem.network().terminals().iter().map(|v| v.index());
        let movable = terminals.filter(|&v| levels[v] > 0).collect();
        let rested = vec![0; levels.len()];
        let mut this = Repair { step, movable, receivers, steps, levels, missing: Vec::new(), rested };
        this.missing = (0..=steps).map(|t| this.count_missing(t, budget)).collect();
        this
    }

    fn count_missing(&mut self, step: u32, budget: &mut Budget<'_>) -> u64 {
        if step == 0 {
            return 0;
        }
        let levels = &self.levels;
        self.step.begin(|v| levels[v] < step, |v| levels[v] == step);
        let wanted = levels.iter().filter(|level| **level == step).count() as u64;
        wanted - self.step.serve(budget)
    }

    /// Searches until all steps are served (`true`), or so many ticks of the budget are spent.
    pub(super) fn search(&mut self, rng: &mut Pcg64Mcg, ticks: u64, budget: &mut Budget<'_>) -> bool {
        let end = budget.spent().saturating_add(ticks);
        for time in 0u64.. {
            let faulty: Vec<u32> = (1..=self.steps).filter(|&t| self.missing[t as usize] > 0).collect();
            if faulty.is_empty() {
                return true;
            }
            if budget.spent() >= end || !budget.spend(1) {
                return false;
            }
            let at = faulty[rng.random_range(0..faulty.len())];
            let moves = self.moves(at, time, rng, budget);
            let mut best: Option<(i64, usize)> = None;
            let mut ties = 0;
            for (i, chosen) in moves.iter().enumerate() {
                let change = self.change(chosen, budget);
                ties = if best.is_some_and(|(b, _)| b == change) { ties + 1 } else { 1 };
                if best.is_none_or(|(b, _)| change < b || (change == b && rng.random_ratio(1, ties))) {
                    best = Some((change, i));
                }
            }
            let Some((change, i)) = best else { continue };
            // Going up a little now and then leaves hollows.
            if change <= 0 || rng.random_ratio(1, 1 + 6 * u32::try_from(change.min(1000)).unwrap_or(1000)) {
                let (first, last) = self.span(&moves[i]);
                self.apply(&moves[i]);
                for &(v, _) in &moves[i] {
                    self.rested[v] = time + TABU + rng.random_range(0..4);
                }
                for t in first..=last {
                    self.missing[t as usize] = self.count_missing(t, budget);
                }
            }
        }
        false
    }

    /// A few moves that may help step `at`, each as nodes with their other levels.
    fn moves(&mut self, at: u32, time: u64, rng: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Vec<Vec<(usize, u32)>> {
        self.count_missing(at, budget);
        let (wanting, sending) = self.step.behind_cut();
        let (levels, rested) = (&self.levels, &self.rested);
        let free = |v: usize| rested[v] <= time;
        // Demands behind the cut, and nodes there that would send if they were informed before.
        let behind: Vec<usize> = self
            .movable
            .iter()
            .copied()
            .filter(|&v| free(v) && ((levels[v] == at && wanting[v]) || (levels[v] > at && sending[v])))
            .collect();
        let mut moves = Vec::new();
        for _ in 0..4 * SAMPLE {
            if behind.is_empty() || moves.len() == SAMPLE {
                break;
            }
            let v = behind[rng.random_range(0..behind.len())];
            let level = levels[v];
            if rng.random_ratio(1, 4) {
                let latest = if self.receivers[v] { self.steps } else { self.steps + 1 };
                let to = rng.random_range(1..=latest);
                if to != level && (level == at || to < at) {
                    moves.push(vec![(v, to)]);
                }
                continue;
            }
            let w = self.movable[rng.random_range(0..self.movable.len())];
            let other = levels[w];
            let helps = other != level && free(w) && (level == at || other < at);
            if helps && (level <= self.steps || !self.receivers[w]) && (other <= self.steps || !self.receivers[v]) {
                moves.push(vec![(v, other), (w, level)]);
            }
        }
        moves
    }

    /// The first and last step that a move concerns, before it is applied.
    fn span(&self, chosen: &[(usize, u32)]) -> (u32, u32) {
        let ends = chosen.iter().flat_map(|&(v, level)| [level, self.levels[v]]);
        let (first, last) = ends.fold((u32::MAX, 0), |(a, b), l| (a.min(l), b.max(l)));
        (first, last.min(self.steps))
    }

    /// By how much the nodes missed in all steps would change.
    fn change(&mut self, chosen: &[(usize, u32)], budget: &mut Budget<'_>) -> i64 {
        let before: Vec<(usize, u32)> = chosen.iter().map(|&(v, _)| (v, self.levels[v])).collect();
        let (first, last) = self.span(chosen);
        self.apply(chosen);
        let mut change = 0;
        for t in first..=last {
            change += self.count_missing(t, budget) as i64 - self.missing[t as usize] as i64;
        }
        self.apply(&before);
        change
    }

    fn apply(&mut self, chosen: &[(usize, u32)]) {
        for &(v, level) in chosen {
            self.levels[v] = level;
        }
    }

    /// The levels found.
    pub(super) fn levels(&self) -> Levels {
        self.levels.iter().map(|&l| (l <= self.steps).then_some(l)).collect()
    }
}
