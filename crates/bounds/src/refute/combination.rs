//! **What:** a sum of a formula's rules that no values between 0 and 1 satisfy.
//!
//! **Idea:** a zero-sum game. One player gives every variable a value between 0 and 1, the other every rule a multiplier
//! between 0 and 1, and the first pays what the rules lack, each times its multiplier. If the second can make sure of more
//! than nothing, his multipliers are the certificate. Both move a little towards their advantage in turns, each answering to
//! where the other is heading, and the means of their moves approach best play (A. Chambolle, T. Pock, A first-order
//! primal-dual algorithm, 2011); every so often both begin again from their means, which makes that fast (D. Applegate et
//! al., PDLP, 2021). Multipliers are then rounded to whole numbers, and the rounded ones are tested in whole numbers.
//!
//! Rules and variables that play the same part are [folded](super::fold) into one.
//!
//! **Loses** where fractions of messages could be sent in fewer steps; and like all such methods it closes in slowly where
//! the rules can almost be satisfied.

use super::fold::Folding;
use super::{Reads, Refuter};
use kernel::formula::Formula;
use kernel::{Problem, Proof};
use run::Run;
use std::collections::BTreeMap;

/// The registry's entry.
pub(super) const REFUTER: Refuter = Refuter {
    name: "combination",
    about: "a weighted sum of the rules of a schedule of fewer steps that even fractional values cannot satisfy",
    source: "Farkas' lemma; primal-dual iteration (Chambolle and Pock 2011; Applegate et al. 2021)",
    refute,
};

/// What it takes up.
pub(super) const READS: Reads = Reads { largest: 1_000_000, ticks_a_literal: 1 };

/// Rounds between two looks at the means.
const ROUNDS: usize = 64;

/// Terms of the folded rules that take as long as a look at one literal while folding.
const TERMS_A_TICK: usize = 4;

/// What all rules together may lack for values to count as satisfying them: nothing can be proved then.
const SATISFIED: f64 = 1e-3;

fn refute(problem: &Problem, steps: u64, ticks: u64, run: &Run<'_>) -> Option<Proof> {
    let formula = &READS.formula(problem, steps, ticks, run)?;
    let mut spent = 0;
    let folding = Folding::new(formula, |looks| {
        spent += looks;
        !run.is_spent(spent, ticks) && !run.stopped()
    })?;
    let game = Game::new(formula, folding);
    let (mut play, mut means) = (game.start(0.5), game.start(0.0));
    let mut rounds = 0usize;
    let mut since = 0usize;
    let mut best_gap = f64::INFINITY;
    while !run.is_spent(spent, ticks) && !run.stopped() {
        game.round(&mut play);
        means.add(&play);
        rounds += 1;
        since += 1;
        spent += (game.size / TERMS_A_TICK) as u64 + 1;
        if !rounds.is_multiple_of(ROUNDS) {
            continue;
        }
        let mean = means.over(since);
        let (sure, pays) = (game.sure(&mean.multipliers), game.lacks(&mean.values));
        if sure > 0.0
            && let Some(multipliers) = game.whole(&mean.multipliers)
        {
            return Some(Proof::Combination { multipliers });
        }
        if pays < SATISFIED {
            return None;
        }
        // Begin again from the means once they have come much closer to best play.
        let gap = pays - sure;
        if gap < best_gap / 2.0 {
            best_gap = gap;
            play = mean;
            means = game.start(0.0);
            since = 0;
        }
    }
    None
}

/// Where both players are, or the sum of where they were.
struct Means {
    values: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Means {
    fn add(&mut self, play: &Means) {
        self.values.iter_mut().zip(&play.values).for_each(|(sum, x)| *sum += x);
        self.multipliers.iter_mut().zip(&play.multipliers).for_each(|(sum, x)| *sum += x);
    }

    fn over(&self, count: usize) -> Means {
        let scale = 1.0 / count.max(1) as f64;
        Means {
            values: self.values.iter().map(|x| x * scale).collect(),
            multipliers: self.multipliers.iter().map(|x| x * scale).collect(),
        }
    }
}

/// The rules as inequalities, one for each class of them, about one value for each class of variables.
struct Game {
    folding: Folding,
    /// By class of rules: what the sum over its terms is to be at least.
    rows: Vec<Row>,
    /// By class of variables: the classes of rules that one of them is in.
    columns: Vec<Vec<Term>>,
    /// Terms in all.
    size: usize,
    /// How far both move in a round: one over the largest factor by which the rules stretch anything.
    pace: f64,
}

struct Row {
    terms: Vec<Term>,
    least: i64,
}

/// How often one of a class occurs, negated occurrences counted down.
struct Term {
    class: usize,
    times: i64,
}

impl Game {
    fn new(formula: &Formula, folding: Folding) -> Self {
        let rules = formula.rules();
        let mut columns: Vec<Vec<Term>> = folding.variables.size.iter().map(|_| Vec::new()).collect();
        let mut rows = Vec::new();
        for (class, first) in folding.rules.first.iter().enumerate() {
            let rule = &rules[*first];
            let negative = rule.literals.iter().filter(|l| **l < 0).count() as i64;
            let mut times: BTreeMap<usize, i64> = BTreeMap::new();
            for literal in &rule.literals {
                let variable = folding.variables.of[literal.unsigned_abs() as usize - 1];
                *times.entry(variable as usize).or_default() += i64::from(literal.signum());
            }
            for (variable, times) in &times {
                // As many pairs seen from either side.
                let times = *times as f64 * folding.rules.size[class] / folding.variables.size[*variable];
                columns[*variable].push(Term { class, times: times.round() as i64 });
            }
            let terms = times.into_iter().map(|(class, times)| Term { class, times }).collect();
            rows.push(Row { terms, least: i64::from(rule.least) - negative });
        }
        let size = rows.iter().map(|row| row.terms.len()).sum();
        let mut game = Game { folding, rows, columns, size, pace: 1.0 };
        game.pace = 0.95 / game.norm();
        game
    }

    /// Nothing played yet, and each value as given.
    fn start(&self, value: f64) -> Means {
        Means { values: vec![value; self.columns.len()], multipliers: vec![0.0; self.rows.len()] }
    }

    /// The largest factor by which the rules stretch a vector, by repeated application.
    fn norm(&self) -> f64 {
        let length = |vector: &[f64]| {
            let squares = vector.iter().zip(&self.folding.variables.size).map(|(x, size)| size * x * x);
            squares.sum::<f64>().sqrt()
        };
        let mut vector = vec![1.0; self.columns.len()];
        let mut norm = 1.0f64;
        for _ in 0..30 {
            let image: Vec<f64> = self.rows.iter().map(|row| sum(&row.terms, &vector)).collect();
            let back = self.back(&image);
            let stretched = length(&back);
            if stretched == 0.0 {
                break;
            }
            norm = (stretched / length(&vector)).sqrt();
            vector = back.iter().map(|x| x / stretched).collect();
        }
        // The approach is from below.
        norm * 1.05 + 1e-9
    }

    /// What each variable's value adds to the rules, each times its multiplier.
    fn back(&self, multipliers: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|terms| sum(terms, multipliers)).collect()
    }

    /// Both move once.
    fn round(&self, play: &mut Means) {
        let pull = self.back(&play.multipliers);
        let mut ahead = vec![0.0; self.columns.len()];
        for ((value, pull), ahead) in play.values.iter_mut().zip(pull).zip(&mut ahead) {
            let next = (*value + self.pace * pull).clamp(0.0, 1.0);
            *ahead = 2.0 * next - *value;
            *value = next;
        }
        for (row, times) in self.rows.iter().zip(&mut play.multipliers) {
            *times = (*times + self.pace * (row.least as f64 - sum(&row.terms, &ahead))).clamp(0.0, 1.0);
        }
    }

    /// What the second player gets with these multipliers, whatever the values.
    fn sure(&self, multipliers: &[f64]) -> f64 {
        let sizes = &self.folding.rules.size;
        let least = self.rows.iter().zip(multipliers).zip(sizes).map(|((row, times), n)| n * row.least as f64 * times);
        let most = self.back(multipliers).into_iter().zip(&self.folding.variables.size).map(|(x, n)| n * x.max(0.0));
        least.sum::<f64>() - most.sum::<f64>()
    }

    /// What the rules lack in all with these values.
    fn lacks(&self, values: &[f64]) -> f64 {
        let lack = |row: &Row| (row.least as f64 - sum(&row.terms, values)).max(0.0);
        self.rows.iter().zip(&self.folding.rules.size).map(|(row, n)| n * lack(row)).sum()
    }

    /// Whole multipliers, as small as will do, that are a proof.
    fn whole(&self, multipliers: &[f64]) -> Option<Vec<(u32, u64)>> {
        let most = multipliers.iter().copied().fold(0.0, f64::max);
        (2..24).step_by(2).map(|bits| f64::from(1u32 << bits) / most).find_map(|scale| {
            let whole: Vec<i64> = multipliers.iter().map(|x| (x * scale).round() as i64).collect();
            let (rules, variables) = (&self.folding.rules, &self.folding.variables);
            let least =
                self.rows.iter().zip(&whole).zip(&rules.size).map(|((row, n), size)| row.least * n * *size as i64);
            let sums = self.columns.iter().map(|terms| terms.iter().map(|t| t.times * whole[t.class]).sum::<i64>());
            let most = sums.zip(&variables.size).map(|(sum, size)| sum.max(0) * *size as i64);
            let proved = most.sum::<i64>() < least.sum::<i64>();
            let of_rules =
                || (0u32..).zip(&rules.of).map(|(rule, class)| (rule, whole[*class as usize].unsigned_abs()));
            proved.then(|| of_rules().filter(|(_, n)| *n > 0).collect())
        })
    }
}

fn sum(terms: &[Term], values: &[f64]) -> f64 {
    terms.iter().map(|term| term.times as f64 * values[term.class]).sum()
}
