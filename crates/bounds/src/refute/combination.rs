//! **What:** a sum of a formula's rules that no values between 0 and 1 satisfy.
//!
//! **Idea:** a zero-sum game. One player gives every variable a value between 0 and 1, the other every rule a multiplier
//! between 0 and 1, and the first pays what the rules lack, each times its multiplier. If the second can make sure of more
//! than nothing, his multipliers are the certificate. Both move a little towards their advantage in turns, each answering to
//! where the other is heading, and the means of their moves approach best play (A. Chambolle, T. Pock, A first-order
//! primal-dual algorithm, 2011); every so often both begin again from their means, which makes that fast (D. Applegate et
//! al., PDLP, 2021). Multipliers are then rounded to whole numbers, and the rounded ones are tested in whole numbers.
//!
//! **Loses** where fractions of messages could be sent in fewer steps; and like all such methods it closes in slowly where
//! the rules can almost be satisfied.

use super::Refuter;
use kernel::Proof;
use kernel::formula::Formula;
use run::Run;

/// The registry's entry.
pub(super) const REFUTER: Refuter = Refuter {
    name: "combination",
    about: "a weighted sum of the rules of a schedule of fewer steps that even fractional values cannot satisfy",
    source: "Farkas' lemma; primal-dual iteration (Chambolle and Pock 2011; Applegate et al. 2021)",
    largest: 200_000,
    refute,
};

/// Rounds between two looks at the means.
const ROUNDS: usize = 64;

/// What all rules together may lack for values to count as satisfying them: nothing can be proved then.
const SATISFIED: f64 = 1e-3;

fn refute(formula: &Formula, ticks: u64, run: &Run<'_>) -> Option<Proof> {
    let game = Game::new(formula);
    let mut play = Means { values: vec![0.5; game.variables], multipliers: vec![0.0; game.rules.len()] };
    let mut means = Means { values: vec![0.0; game.variables], multipliers: vec![0.0; game.rules.len()] };
    let mut rounds = 0usize;
    let mut since = 0usize;
    let mut spent = 0;
    let mut best_gap = f64::INFINITY;
    while !run.is_spent(spent, ticks) && !run.stopped() {
        game.round(&mut play);
        means.add(&play);
        rounds += 1;
        since += 1;
        spent += 4 * game.size as u64;
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
            means = Means { values: vec![0.0; game.variables], multipliers: vec![0.0; game.rules.len()] };
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

/// The rules as inequalities: the sum of `sign × value` over `terms` is at least `least`.
struct Game {
    variables: usize,
    rules: Vec<Inequality>,
    /// Terms in all.
    size: usize,
    /// How far both move in a round: one over the largest factor by which the rules stretch anything.
    pace: f64,
}

struct Inequality {
    terms: Vec<(usize, i8)>,
    least: i64,
}

impl Game {
    fn new(formula: &Formula) -> Self {
        let variables = formula.variables() as usize;
        let inequality = |rule: &kernel::formula::Rule| {
            let negative = rule.literals.iter().filter(|l| **l < 0).count() as i64;
            let terms = rule.literals.iter().map(|l| (l.unsigned_abs() as usize - 1, if *l > 0 { 1 } else { -1 }));
            Inequality { terms: terms.collect(), least: i64::from(rule.least) - negative }
        };
        let rules: Vec<Inequality> = formula.rules().iter().map(inequality).collect();
        let mut game = Game { variables, size: rules.iter().map(|r| r.terms.len()).sum(), rules, pace: 1.0 };
        game.pace = 0.95 / game.norm();
        game
    }

    /// The largest factor by which the rules stretch a vector, by repeated application.
    fn norm(&self) -> f64 {
        let mut vector = vec![1.0; self.variables];
        let mut norm = 1.0f64;
        for _ in 0..30 {
            let image: Vec<f64> = self.rules.iter().map(|r| r.sum(&vector)).collect();
            let back = self.back(&image);
            let length = back.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length == 0.0 {
                break;
            }
            let before = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            norm = (length / before).sqrt();
            vector = back.iter().map(|x| x / length).collect();
        }
        // The approach is from below.
        norm * 1.05 + 1e-9
    }

    /// What each variable's value adds to the rules, each times its multiplier.
    fn back(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.variables];
        for (rule, times) in self.rules.iter().zip(multipliers) {
            for &(variable, sign) in &rule.terms {
                sums[variable] += f64::from(sign) * times;
            }
        }
        sums
    }

    /// Both move once.
    fn round(&self, play: &mut Means) {
        let pull = self.back(&play.multipliers);
        let mut ahead = vec![0.0; self.variables];
        for ((value, pull), ahead) in play.values.iter_mut().zip(pull).zip(&mut ahead) {
            let next = (*value + self.pace * pull).clamp(0.0, 1.0);
            *ahead = 2.0 * next - *value;
            *value = next;
        }
        for (rule, times) in self.rules.iter().zip(&mut play.multipliers) {
            *times = (*times + self.pace * (rule.least as f64 - rule.sum(&ahead))).clamp(0.0, 1.0);
        }
    }

    /// What the second player gets with these multipliers, whatever the values.
    fn sure(&self, multipliers: &[f64]) -> f64 {
        let least: f64 = self.rules.iter().zip(multipliers).map(|(r, times)| r.least as f64 * times).sum();
        least - self.back(multipliers).iter().map(|x| x.max(0.0)).sum::<f64>()
    }

    /// What the rules lack in all with these values.
    fn lacks(&self, values: &[f64]) -> f64 {
        self.rules.iter().map(|r| (r.least as f64 - r.sum(values)).max(0.0)).sum()
    }

    /// Whole multipliers, as small as will do, that are a proof.
    fn whole(&self, multipliers: &[f64]) -> Option<Vec<(u32, u64)>> {
        let most = multipliers.iter().copied().fold(0.0, f64::max);
        (2..24).step_by(2).map(|bits| f64::from(1u32 << bits) / most).find_map(|scale| {
            let whole: Vec<i64> = multipliers.iter().map(|x| (x * scale).round() as i64).collect();
            let mut sums = vec![0i64; self.variables];
            let mut least = 0i64;
            for (rule, times) in self.rules.iter().zip(&whole) {
                least += rule.least * times;
                rule.terms.iter().for_each(|&(variable, sign)| sums[variable] += i64::from(sign) * times);
            }
            let proved = sums.iter().map(|x| (*x).max(0)).sum::<i64>() < least;
            let sparse = || (0u32..).zip(&whole).filter(|(_, n)| **n > 0).map(|(rule, n)| (rule, n.unsigned_abs()));
            proved.then(|| sparse().collect())
        })
    }
}

impl Inequality {
    fn sum(&self, values: &[f64]) -> f64 {
        self.terms.iter().map(|&(variable, sign)| f64::from(sign) * values[variable]).sum()
    }
}
