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
//! **Tuning:** `depth`, `questions`, `drawn`, and those of `umda`. **Loses** time to its model, which mutation and refinement
//! hardly need.
//!
//! **Source:** the dissertation, section 7.1.2; Očenášek and Schwarz 2002. There all parts are drawn, each from the parts
//! before it in an order.

use super::fitness::Chromosome;
use super::parameters::Tuning;
use super::population::{Child, Reproduction, tournament};
use super::space::Space;
use super::umda::{Parents, Part, share};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A place in a tree.
enum Place {
    /// Values to copy: a range of `copies`.
    Leaf { from: u32, to: u32 },
    /// Whether a part has the value; the next place says yes.
    Question { of: Part, value: u32, no: u32 },
}

/// A question and the bits that it saves.
struct Saving {
    bits: f64,
    of: Part,
    value: u32,
}

/// The trees of one model.
pub(super) struct Trees {
    depth: u32,
    questions: usize,
    drawn: f64,
    parents: Parents,
    /// The tree of each part that has one: where it begins in `places`.
    trees: Vec<(Part, u32)>,
    places: Vec<Place>,
    copies: Vec<u32>,
    /// Whether parents differ in a part.
    varied: Vec<bool>,
    /// Which of its values each parent has of the part that a tree is for.
    value_of: Vec<u32>,
    /// How many values that part has.
    found: usize,
    /// `bits[n]` is n log2 n.
    bits: Vec<f64>,
}

impl Trees {
    pub(crate) fn new(tuning: &Tuning) -> Self {
        Trees {
            depth: tuning.depth,
            questions: tuning.questions,
            drawn: tuning.drawn,
            parents: Parents::new(tuning),
            trees: Vec::new(),
            places: Vec::new(),
            copies: Vec::new(),
            varied: Vec::new(),
            value_of: Vec::new(),
            found: 0,
            bits: (0..=tuning.parents()).map(|n| if n < 2 { 0.0 } else { n as f64 * (n as f64).log2() }).collect(),
        }
    }

    /// The tree of a part in which parents differ.
    fn tree(&mut self, own: Part, parts: u32, rng: &mut Pcg64Mcg) {
        let column = self.parents.values(own);
        let mut values = column.to_vec();
        values.sort_unstable();
        values.dedup();
        let place = |value: &u32| values.partition_point(|v| v < value) as u32;
        self.value_of.clear();
        self.value_of.extend(column.iter().map(place));
        self.found = values.len();
        self.trees.push((own, self.places.len() as u32));
        let mut all: Vec<u32> = (0..self.value_of.len() as u32).collect();
        self.grow(own, parts, &mut all, self.depth, rng);
    }

    /// A tree for the parents that reach this place.
    fn grow(&mut self, own: Part, parts: u32, parents: &mut [u32], depth: u32, rng: &mut Pcg64Mcg) {
        let question = if depth == 0 || parents.len() < 4 { None } else { self.ask(own, parts, parents, rng) };
        let Some(Saving { of, value, .. }) = question else {
            let from = self.copies.len() as u32;
            let column = self.parents.values(own);
            self.copies.extend(parents.iter().map(|&parent| column[parent as usize]));
            self.places.push(Place::Leaf { from, to: self.copies.len() as u32 });
            return;
        };
        let column = self.parents.values(of);
        let says_no = |parent: u32| column[parent as usize] != value;
        parents.sort_unstable_by_key(|&parent| (says_no(parent), parent));
        let (yes, no) = parents.split_at_mut(parents.partition_point(|&parent| !says_no(parent)));
        let at = self.places.len();
        self.places.push(Place::Question { of, value, no: 0 });
        self.grow(own, parts, yes, depth - 1, rng);
        self.places[at] = Place::Question { of, value, no: self.places.len() as u32 };
        self.grow(own, parts, no, depth - 1, rng);
    }

    /// The question that saves most, if any does.
    fn ask(&self, own: Part, parts: u32, parents: &[u32], rng: &mut Pcg64Mcg) -> Option<Saving> {
        // How many parents have each value, of all and of those that say yes.
        let (mut here, mut yes) = (vec![0u32; self.found], vec![0u32; self.found]);
        parents.iter().for_each(|&parent| here[self.value_of[parent as usize] as usize] += 1);
        let present: u32 = here.iter().map(|&count| u32::from(count > 0)).sum();
        if present < 2 {
            return None;
        }
        let total = parents.len();
        let price = 0.5 * (total as f64).log2();
        // Bits to describe the values of some parents, by what those cost that have the same and how many values there are.
        let description = |parents: usize, sum: f64, used: u32| {
            if parents == 0 { 0.0 } else { self.bits[parents] - sum + price * (f64::from(used) - 1.0) }
        };
        let sum: f64 = here.iter().map(|&count| self.bits[count as usize]).sum();
        let before = description(total, sum, present);
        let all = self.questions == 0 || self.questions >= parts as usize;
        let tried = if all { parts } else { self.questions as u32 };
        let mut best: Option<Saving> = None;
        for k in 0..tried {
            // The other part of the same gene is always asked about.
            let of = match k {
                _ if all => k,
                0 => own ^ 1,
                _ => rng.random_range(0..parts),
            };
            if of == own || !self.varied[of as usize] {
                continue;
            }
            // The value of one of the parents here.
            let column = self.parents.values(of);
            let value = column[parents[rng.random_range(0..total)] as usize];
            yes.fill(0);
            let (mut agree, mut sums, mut used) = (0, (0.0, sum), (0, present));
            for &parent in parents.iter().filter(|&&parent| column[parent as usize] == value) {
                let own = self.value_of[parent as usize] as usize;
                let (with, without) = (yes[own] as usize, (here[own] - yes[own]) as usize);
                sums.0 += self.bits[with + 1] - self.bits[with];
                sums.1 += self.bits[without - 1] - self.bits[without];
                used.0 += u32::from(with == 0);
                used.1 -= u32::from(without == 1);
                yes[own] += 1;
                agree += 1;
            }
            if agree == total {
                continue;
            }
            let after = description(agree, sums.0, used.0) + description(total - agree, sums.1, used.1);
            if before - after > best.as_ref().map_or(0.0, |best| best.bits) {
                best = Some(Saving { bits: before - after, of, value });
            }
        }
        best
    }
}

impl Reproduction for Trees {
    fn learn(&mut self, space: &Space, candidates: &[Chromosome], rng: &mut Pcg64Mcg) {
        self.parents.choose(candidates, rng);
        let parts = 2 * space.genes.len();
        let chosen = rand::seq::index::sample(rng, parts, share(self.drawn, parts)).into_vec();
        let differ = |column: &[u32]| column.iter().any(|value| *value != column[0]);
        self.varied.clear();
        self.varied.extend((0..parts as Part).map(|part| differ(self.parents.values(part))));
        self.trees.clear();
        self.places.clear();
        self.copies.clear();
        for own in chosen {
            if self.varied[own] {
                self.tree(own as Part, parts as Part, rng);
            }
        }
    }

    fn offspring(&self, space: &Space, candidates: &[Chromosome], child: &mut Child<'_>, rng: &mut Pcg64Mcg) {
        child.chromosome.become_like(&candidates[tournament(candidates, rng)]);
        let part_of = |who: &Chromosome, part: Part| {
            let gene = (part / 2) as usize;
            if part % 2 == 1 { u32::from(who.step[gene]) } else { who.path[gene] }
        };
        for &(own, root) in &self.trees {
            let mut at = root as usize;
            let copies = loop {
                match self.places[at] {
                    Place::Leaf { from, to } => break &self.copies[from as usize..to as usize],
                    Place::Question { of, value, no } => {
                        at = if part_of(child.chromosome, of) == value { at + 1 } else { no as usize };
                    }
                }
            };
            let value = copies[rng.random_range(0..copies.len())];
            let gene = (own / 2) as usize;
            let (path, step) = if own % 2 == 1 {
                (child.chromosome.path[gene], value as u16)
            } else {
                (value, child.chromosome.step[gene])
            };
            child.set(space, gene, path, step);
        }
    }
}
