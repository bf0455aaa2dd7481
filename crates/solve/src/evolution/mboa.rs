//! **What:** the mixed Bayesian optimisation algorithm: a decision tree for each part of each gene tells which values it
//! should have, given those of others.
//!
//! **Theory:** a tree grows by the question ("is y = v?") that shortens the description of the parents most: the entropy
//! saved must exceed half a logarithm of the parents' number for each new value a leaf has to describe. A leaf keeps the
//! parents that reach it; a value is copied from one of them, drawn at random. A candidate begins as one of the population
//! and takes a share of its parts anew, in random order, each from its tree given all other parts as they are then; so any
//! tree may ask about any part, and only the trees of that share are learnt in a generation. Parts on which all parents agree
//! need no tree.
//!
//! **Knobs:** `depth`, `questions`, `drawn`, and those of `umda`. **Loses** time to its model, which mutation and refinement
//! hardly need.
//!
//! **Source:** the dissertation, section 7.1.2; Očenášek and Schwarz 2002. There all parts are drawn, each from the parts
//! before it in an order.

use super::colony::{Breed, tournament};
use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::space::Space;
use super::umda::{Parents, share};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// One part of a gene.
#[derive(Clone, Copy, PartialEq)]
struct Part {
    gene: u32,
    is_step: bool,
}

enum Tree {
    /// Values to copy.
    Leaf(Vec<u32>),
    /// Whether a part has the value.
    Question { of: Part, value: u32, yes: Box<Tree>, no: Box<Tree> },
}

/// The trees of one model.
pub(super) struct Trees {
    size: usize,
    depth: u32,
    questions: usize,
    drawn: f64,
    parents: Parents,
    trees: Vec<(Part, Tree)>,
}

impl Part {
    fn of(self, who: &Chromosome) -> u32 {
        let gene = self.gene as usize;
        if self.is_step { u32::from(who.step[gene]) } else { who.path[gene] }
    }

    fn of_parent(self, parents: &Parents, parent: u32) -> u32 {
        let (path, step) = parents.gene(parent as usize, self.gene as usize);
        if self.is_step { u32::from(step) } else { path }
    }

    fn number(k: usize) -> Self {
        Part { gene: (k / 2) as u32, is_step: k % 2 == 1 }
    }
}

/// Counts of the values of a part: how long it takes to describe them.
struct Counts {
    counts: Vec<u16>,
    total: u32,
}

impl Counts {
    /// Bits: the entropy, and `price` for each value after the first.
    fn description(&self, price: f64) -> f64 {
        let bits = |n: f64| n * n.log2();
        let used = self.counts.iter().filter(|&&n| n > 0);
        let (values, sum) = used.fold((0.0, 0.0), |(values, sum), &n| (values + 1.0, sum + bits(f64::from(n))));
        if self.total == 0 { 0.0 } else { bits(f64::from(self.total)) - sum + price * (values - 1.0) }
    }
}

impl Trees {
    pub fn new(knobs: &Knobs) -> Self {
        Trees {
            size: knobs.parents,
            depth: knobs.depth,
            questions: knobs.questions,
            drawn: knobs.drawn,
            parents: Parents::default(),
            trees: Vec::new(),
        }
    }

    /// The tree of a part; none where all parents agree.
    fn tree(&self, own: Part, parts: usize, rng: &mut Pcg64Mcg) -> Option<Tree> {
        let value = |parent: usize| own.of_parent(&self.parents, parent as u32);
        if (1..self.size).all(|parent| value(parent) == value(0)) {
            return None;
        }
        let mut values: Vec<u32> = (0..self.size).map(value).collect();
        values.sort_unstable();
        values.dedup();
        let codes: Vec<u16> = (0..self.size).map(|p| values.partition_point(|&v| v < value(p)) as u16).collect();
        let here = (0..self.size as u32).collect();
        Some(self.grow(own, (&codes, values.len()), parts, here, self.depth, rng))
    }

    /// A tree for the parents that reach this place.
    fn grow(
        &self,
        own: Part,
        (codes, values): (&[u16], usize),
        parts: usize,
        here: Vec<u32>,
        depth: u32,
        rng: &mut Pcg64Mcg,
    ) -> Tree {
        let leaf = |here: Vec<u32>| Tree::Leaf(here.iter().map(|&p| own.of_parent(&self.parents, p)).collect());
        let first = codes[here[0] as usize];
        if depth == 0 || here.len() < 4 || here.iter().all(|&p| codes[p as usize] == first) {
            return leaf(here);
        }
        let price = 0.5 * (here.len() as f64).log2();
        let mut all = Counts { counts: vec![0; values], total: here.len() as u32 };
        here.iter().for_each(|&p| all.counts[usize::from(codes[p as usize])] += 1);
        let before = all.description(price);
        let tried = if self.questions == 0 { parts } else { self.questions.min(parts) };
        let mut best: Option<(f64, Part, u32)> = None;
        let mut yes = Counts { counts: vec![0; values], total: 0 };
        for k in 0..tried {
            // The other part of the same gene is always asked about.
            let of = match (k, tried == parts) {
                (_, true) => Part::number(k),
                (0, _) => Part { is_step: !own.is_step, ..own },
                _ => Part::number(rng.random_range(0..parts)),
            };
            if of == own {
                continue;
            }
            let asked = of.of_parent(&self.parents, here[rng.random_range(0..here.len())]);
            yes.counts.fill(0);
            yes.total = 0;
            for &parent in here.iter().filter(|&&p| of.of_parent(&self.parents, p) == asked) {
                yes.counts[usize::from(codes[parent as usize])] += 1;
                yes.total += 1;
            }
            if yes.total == all.total {
                continue;
            }
            let with = yes.description(price);
            yes.counts.iter_mut().zip(&all.counts).for_each(|(n, all)| *n = all - *n);
            yes.total = all.total - yes.total;
            let saved = before - with - yes.description(price);
            if saved > best.map_or(0.0, |b| b.0) {
                best = Some((saved, of, asked));
            }
        }
        let Some((_, of, value)) = best else { return leaf(here) };
        let (yes, no): (Vec<u32>, Vec<u32>) = here.into_iter().partition(|&p| of.of_parent(&self.parents, p) == value);
        let yes = Box::new(self.grow(own, (codes, values), parts, yes, depth - 1, rng));
        Tree::Question { of, value, yes, no: Box::new(self.grow(own, (codes, values), parts, no, depth - 1, rng)) }
    }
}

impl Breed for Trees {
    fn learn(&mut self, space: &Space, people: &[Chromosome], rng: &mut Pcg64Mcg) {
        self.parents.choose(space, people, self.size, rng);
        let parts = 2 * space.genes.len();
        let chosen = rand::seq::index::sample(rng, parts, share(self.drawn, parts)).into_vec();
        let mut trees = std::mem::take(&mut self.trees);
        trees.clear();
        trees.extend(chosen.into_iter().map(Part::number).filter_map(|own| Some((own, self.tree(own, parts, rng)?))));
        self.trees = trees;
    }

    fn offspring(
        &self,
        space: &Space,
        people: &[Chromosome],
        child: &mut Chromosome,
        changed: &mut Vec<u32>,
        rng: &mut Pcg64Mcg,
    ) {
        child.become_like(&people[tournament(people, rng)]);
        for (own, mut tree) in self.trees.iter().map(|(own, tree)| (own, tree)) {
            let values = loop {
                match tree {
                    Tree::Leaf(values) => break values,
                    Tree::Question { of, value, yes, no } => tree = if of.of(child) == *value { yes } else { no },
                }
            };
            let value = values[rng.random_range(0..values.len())];
            let gene = own.gene as usize;
            let (path, step) = if own.is_step { (child.path[gene], value as u16) } else { (value, child.step[gene]) };
            if child.set(space, gene, path, step) {
                changed.push(own.gene);
            }
        }
    }
}
