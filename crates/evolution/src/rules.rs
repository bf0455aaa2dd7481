//! **What:** the rules of a generation that the dissertation leaves open: who stays, which of two equals is better, and how a
//! tournament draws.
//!
//! **Theory:** section 7.1 says that the worst two thirds of a population are replaced by its children. Taken at its word, a
//! child stays for a generation, however bad it is ([`Survival::Children`]). GAlib, the library of the dissertation's `sga`,
//! adds the children to the population and removes as many of the worst of all ([`Survival::Best`]), sorts by a quicksort that
//! keeps no order of equals ([`Ties::Either`]), and its tournaments draw by roulette ([`Selection::Roulette`]).
//!
//! **Source:** the dissertation, section 7.1.1; M. Wall, GAlib 2.4 (`GASteadyStateGA::step`, `GAPopulation::sort`,
//! `GATournamentSelector::select`, `GALinearScaling::evaluate`).

use super::fitness::Chromosome;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::fmt;

/// Who stays when children were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Survival {
    /// All children, in the place of the worst of the population.
    #[default]
    Children,
    /// The best of population and children together.
    Best,
}

/// Which of two candidates of equal fitness counts as better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The newer one, so that a population drifts over plateaus.
    #[default]
    Newer,
    /// The older one, so that only better children spread.
    Older,
    /// Either, by chance, as where a sort keeps no order of equals.
    Either,
}

/// How the two of a tournament are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Each candidate as likely as any other.
    #[default]
    Uniform,
    /// By roulette over linearly scaled fitness: the better, the likelier; in `sga` only.
    Roulette,
}

/// What of a gene `umda` draws from one parent, where messages have one receiver each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    /// Path and step from parents of their own, as one histogram for each has it.
    #[default]
    Parts,
    /// Both from the same parent.
    Genes,
}

/// The rules of a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Who stays.
    pub survival: Survival,
    /// Which of two equals is better.
    pub ties: Ties,
    /// How tournaments draw.
    pub selection: Selection,
    /// What is drawn together.
    pub linkage: Linkage,
}

impl Rules {
    /// The rules that the methods use where nothing else is said.
    pub const USUAL: Rules = Rules {
        survival: Survival::Children,
        ties: Ties::Newer,
        selection: Selection::Uniform,
        linkage: Linkage::Parts,
    };

    /// Those of GAlib, with which the dissertation's `sga` was made.
    pub const GALIB: Rules =
        Rules { survival: Survival::Best, ties: Ties::Either, selection: Selection::Roulette, ..Rules::USUAL };

    /// Orders a population and its children and leaves the best in `candidates`; `children` becomes the memory of the next.
    pub(super) fn replace(self, candidates: &mut Vec<Chromosome>, children: &mut Vec<Chromosome>, rng: &mut Pcg64Mcg) {
        let (size, born) = (candidates.len(), children.len());
        match self.survival {
            // Sorted as it is, its end has the worst.
            Survival::Children => candidates[size - born..].swap_with_slice(children),
            Survival::Best => candidates.append(children),
        }
        match self.ties {
            Ties::Newer => candidates.rotate_right(born),
            Ties::Older => {}
            Ties::Either => candidates.shuffle(rng),
        }
        candidates.sort_by_key(Chromosome::fitness);
        if self.survival == Survival::Best {
            *children = candidates.split_off(size);
        }
    }
}

impl fmt::Display for Rules {
    /// What differs from the usual rules, or `usual`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.survival == Survival::Best).then_some("best"),
            (self.ties == Ties::Older).then_some("older"),
            (self.ties == Ties::Either).then_some("either"),
            (self.selection == Selection::Roulette).then_some("roulette"),
            (self.linkage == Linkage::Genes).then_some("whole"),
        ];
        let other: Vec<&str> = parts.into_iter().flatten().collect();
        f.write_str(if other.is_empty() { "usual".to_owned() } else { other.join("+") }.as_str())
    }
}

/// How much likelier than the mean the worst fitness is scaled to, of which shares are then taken from the other end.
const SCALING: f64 = 1.2;

/// Shares of a roulette, summed up; empty where draws are uniform.
#[derive(Debug, Default)]
pub(super) struct Roulette {
    sums: Vec<f64>,
}

impl Roulette {
    /// Shares for a population.
    pub(super) fn set(&mut self, candidates: &[Chromosome]) {
        let fitness = |who: &Chromosome| f64::from(who.fitness());
        let mean = candidates.iter().map(fitness).sum::<f64>() / candidates.len() as f64;
        let (least, most) = candidates.iter().map(fitness).fold((f64::MAX, 0.0), |(a, b), x| (x.min(a), x.max(b)));
        // A line through the mean that takes the largest to 1.2 times the mean, or the least to 0 where it would be below.
        let (slope, base) = if most == least {
            (0.0, mean)
        } else if least > (SCALING * mean - most) / (SCALING - 1.0) {
            let slope = (SCALING - 1.0) * mean / (most - mean);
            (slope, mean * (most - SCALING * mean) / (most - mean))
        } else {
            let slope = mean / (mean - least);
            (slope, -least * slope)
        };
        let scaled = |x: f64| (slope * x + base).max(0.0);
        let both = scaled(least) + scaled(most);
        self.sums.clear();
        let mut sum = 0.0;
        self.sums.extend(candidates.iter().map(|who| {
            sum += both - scaled(fitness(who));
            sum
        }));
    }

    /// The better of two drawn, in a sorted population.
    pub(super) fn tournament(&self, candidates: &[Chromosome], rng: &mut Pcg64Mcg) -> usize {
        let Some(&all) = self.sums.last().filter(|&&all| all > 0.0) else {
            return super::population::tournament(candidates, rng);
        };
        let mut draw = || {
            let at = rng.random_range(0.0..all);
            self.sums.partition_point(|&sum| sum <= at).min(candidates.len() - 1)
        };
        draw().min(draw())
    }
}
