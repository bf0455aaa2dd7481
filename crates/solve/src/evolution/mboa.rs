//! **What:** the mixed Bayesian optimisation algorithm: a decision tree for each part of each gene tells which values it
//! should have, given those of others.
//!
//! **Theory:** variables are ordered at random, and a tree may only ask about variables before its own, so that a new
//! candidate can be drawn from the first variable to the last. A tree grows by the question ("is y = v?") that shortens the
//! description of the parents most: the entropy saved must exceed half a logarithm of the parents' number for each new
//! value a leaf has to describe. A leaf keeps the parents that reach it; a value is copied from one of them, drawn at random.
//! Parts on which all parents agree need no tree and make no question.
//!
//! **Knobs:** `depth`, `questions`, and those of `umda`. **Loses** much time to its model while parents differ a lot.
//!
//! **Source:** the dissertation, section 7.1.2; Očenášek and Schwarz 2002.

use super::colony::{Breed, select};
use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::space::Space;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// One part of a gene over which parents differ: its values, coded by small numbers.
struct Variable {
    gene: u32,
    is_step: bool,
    /// The value of each code.
    values: Vec<u32>,
    /// The code of each parent.
    codes: Vec<u8>,
}

enum Tree {
    /// Parents to copy from.
    Leaf(Vec<u8>),
    /// Whether variable `of` (a position in the order) has the code.
    Question { of: u32, code: u8, yes: Box<Tree>, no: Box<Tree> },
}

/// The trees of one model.
pub(super) struct Trees {
    size: usize,
    depth: u32,
    questions: usize,
    chosen: Vec<u32>,
    base: Option<Chromosome>,
    variables: Vec<Variable>,
    trees: Vec<Tree>,
}

/// Parents are numbered in a byte.
const MOST_PARENTS: usize = 256;

impl Trees {
    pub fn new(knobs: &Knobs) -> Self {
        let size = knobs.parents.min(MOST_PARENTS);
        let (chosen, variables, trees) = (Vec::new(), Vec::new(), Vec::new());
        Trees { size, depth: knobs.depth, questions: knobs.questions, chosen, base: None, variables, trees }
    }

    fn variable(&self, gene: usize, is_step: bool, people: &[Chromosome]) -> Option<Variable> {
        let value = |parent: u32| {
            let who = &people[parent as usize];
            if is_step { u32::from(who.step[gene]) } else { who.path[gene] }
        };
        let first = value(self.chosen[0]);
        if self.chosen.iter().all(|&parent| value(parent) == first) {
            return None;
        }
        let mut values: Vec<u32> = self.chosen.iter().map(|&parent| value(parent)).collect();
        values.sort_unstable();
        values.dedup();
        let code = |&parent: &u32| values.partition_point(|&v| v < value(parent)) as u8;
        let codes = self.chosen.iter().map(code).collect();
        Some(Variable { gene: gene as u32, is_step, values, codes })
    }

    /// A tree for the variable at `at`, for the parents that reach this place.
    fn grow(&self, at: usize, here: Vec<u8>, depth: u32, rng: &mut Pcg64Mcg) -> Tree {
        if depth == 0 || here.len() < 4 || at == 0 {
            return Tree::Leaf(here);
        }
        let own = &self.variables[at];
        let price = 0.5 * (here.len() as f64).log2();
        let before = description(own, here.iter().copied(), price);
        let tried = if self.questions == 0 { at } else { self.questions.min(at) };
        let mut best: Option<(f64, u32, u8)> = None;
        for k in 0..tried {
            let of = if tried == at { k } else { rng.random_range(0..at) };
            let other = &self.variables[of];
            let mut asked = [false; MOST_PARENTS];
            for &parent in &here {
                let code = other.codes[usize::from(parent)];
                if std::mem::replace(&mut asked[usize::from(code)], true) {
                    continue;
                }
                let says = |&p: &u8| other.codes[usize::from(p)] == code;
                let yes = description(own, here.iter().copied().filter(says), price);
                let no = description(own, here.iter().copied().filter(|p| !says(p)), price);
                let saved = before - yes - no;
                if saved > best.map_or(0.0, |b| b.0) {
                    best = Some((saved, of as u32, code));
                }
            }
        }
        let Some((_, of, code)) = best else { return Tree::Leaf(here) };
        let other = &self.variables[of as usize];
        let (yes, no): (Vec<u8>, Vec<u8>) = here.into_iter().partition(|&p| other.codes[usize::from(p)] == code);
        let yes = Box::new(self.grow(at, yes, depth - 1, rng));
        Tree::Question { of, code, yes, no: Box::new(self.grow(at, no, depth - 1, rng)) }
    }
}

/// Bits that describe the values of `own` at the parents given: their entropy, and `price` for each value after the first.
fn description(own: &Variable, parents: impl Iterator<Item = u8>, price: f64) -> f64 {
    let mut counts = [0u16; MOST_PARENTS];
    let mut total = 0u32;
    for parent in parents {
        counts[usize::from(own.codes[usize::from(parent)])] += 1;
        total += 1;
    }
    let bits = |n: f64| n * n.log2();
    let used = counts[..own.values.len()].iter().filter(|&&n| n > 0);
    let (values, sum) = used.fold((0.0, 0.0), |(values, sum), &n| (values + 1.0, sum + bits(f64::from(n))));
    if total == 0 { 0.0 } else { bits(f64::from(total)) - sum + price * (values - 1.0) }
}

impl Breed for Trees {
    fn learn(&mut self, space: &Space, people: &[Chromosome], rng: &mut Pcg64Mcg) {
        let mut chosen = std::mem::take(&mut self.chosen);
        select(people, self.size, &mut chosen, rng);
        self.chosen = chosen;
        let parts = (0..space.genes.len()).flat_map(|gene| [(gene, false), (gene, true)]);
        self.variables = parts.filter_map(|(gene, is_step)| self.variable(gene, is_step, people)).collect();
        self.variables.shuffle(rng);
        let all: Vec<u8> = (0..=u8::MAX).take(self.size).collect();
        self.trees = (0..self.variables.len()).map(|at| self.grow(at, all.clone(), self.depth, rng)).collect();
        self.base = Some(people[self.chosen[0] as usize].clone());
    }

    fn offspring(&self, space: &Space, people: &[Chromosome], child: &mut Chromosome, rng: &mut Pcg64Mcg) -> u64 {
        child.become_like(self.base.as_ref().unwrap_or(&people[0]));
        let mut drawn: Vec<u8> = Vec::with_capacity(self.variables.len());
        let mut work = 1;
        for (variable, mut tree) in self.variables.iter().zip(&self.trees) {
            let parents = loop {
                match tree {
                    Tree::Leaf(parents) => break parents,
                    Tree::Question { of, code, yes, no } => {
                        tree = if drawn[*of as usize] == *code { yes } else { no };
                    }
                }
            };
            let code = variable.codes[usize::from(parents[rng.random_range(0..parents.len())])];
            drawn.push(code);
            let (gene, value) = (variable.gene as usize, variable.values[usize::from(code)]);
            let (path, step) = match variable.is_step {
                true => (child.path[gene], value as u16),
                false => (value, child.step[gene]),
            };
            work += u64::from(child.set(space, gene, path, step));
        }
        work
    }
}
