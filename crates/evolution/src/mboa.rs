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
//! **Facts:** parents are bits: a value of a part is the set of parents that have it, a place in a tree the set of those that
//! reach it, and a question counts the bits that sets share. Sets are made once a generation for each part that is asked about.
//!
//! **Knobs:** `depth`, `questions`, `drawn`, and those of `umda`. **Loses** time to its model, which mutation and refinement
//! hardly need.
//!
//! **Source:** the dissertation, section 7.1.2; Očenášek and Schwarz 2002. There all parts are drawn, each from the parts
//! before it in an order.

use super::fitness::Chromosome;
use super::parameters::Knobs;
use super::population::{Child, Reproduction, tournament};
use super::space::Space;
use super::umda::{Parents, share};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// One part of a gene: path `2 gene` or step `2 gene + 1`.
type Part = u32;

/// A place in a tree.
enum Place {
    /// Values to copy: a range of `values`.
    Leaf { from: u32, to: u32 },
    /// Whether a part has the value; the next place says yes.
    Question { of: Part, value: u32, no: u32 },
}

/// The values of a part among the parents, ascending, and who has them.
struct Column {
    /// Where it begins in `values`, and in `sets` in words.
    first: u32,
    values: u32,
    sets: u32,
}

/// The trees of one model.
pub(super) struct Trees {
    size: usize,
    words: usize,
    depth: u32,
    questions: usize,
    drawn: f64,
    parents: Parents,
    /// The tree of each part that has one: where it begins in `places`.
    trees: Vec<(Part, u32)>,
    places: Vec<Place>,
    copies: Vec<u32>,
    /// The column of each part; `NONE` until asked for.
    column_of: Vec<u32>,
    columns: Vec<Column>,
    values: Vec<u32>,
    sets: Vec<u64>,
    /// `bits[n]` is n log2 n.
    bits: Vec<f64>,
}

const NONE: u32 = u32::MAX;

fn part_of(who: &Chromosome, part: Part) -> u32 {
    let gene = (part / 2) as usize;
    if part % 2 == 1 { u32::from(who.step[gene]) } else { who.path[gene] }
}

fn common(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

impl Trees {
    pub(crate) fn new(knobs: &Knobs) -> Self {
        Trees {
            size: knobs.parents,
            words: knobs.parents.div_ceil(64),
            depth: knobs.depth,
            questions: knobs.questions,
            drawn: knobs.drawn,
            parents: Parents::new(knobs),
            trees: Vec::new(),
            places: Vec::new(),
            copies: Vec::new(),
            column_of: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            sets: Vec::new(),
            bits: (0..=knobs.parents).map(|n| if n < 2 { 0.0 } else { n as f64 * (n as f64).log2() }).collect(),
        }
    }

    fn value(&self, part: Part, parent: usize) -> u32 {
        let (path, step) = self.parents.gene(parent, (part / 2) as usize);
        if part % 2 == 1 { u32::from(step) } else { path }
    }

    /// The column of a part, made where nobody has asked for it yet.
    fn column(&mut self, part: Part) -> usize {
        let known = self.column_of[part as usize];
        if known != NONE {
            return known as usize;
        }
        let (first, sets) = (self.values.len(), self.sets.len());
        for parent in 0..self.size {
            let value = self.value(part, parent);
            let at = match self.values[first..].iter().position(|&v| v == value) {
                Some(at) => at,
                None => {
                    self.values.push(value);
                    self.sets.resize(self.sets.len() + self.words, 0);
                    self.values.len() - first - 1
                }
            };
            self.sets[sets + at * self.words + parent / 64] |= 1 << (parent % 64);
        }
        let values = (self.values.len() - first) as u32;
        self.columns.push(Column { first: first as u32, values, sets: sets as u32 });
        self.column_of[part as usize] = self.columns.len() as u32 - 1;
        self.columns.len() - 1
    }

    /// Who has the n-th value of a column.
    fn set(&self, column: usize, n: usize) -> &[u64] {
        let first = self.columns[column].sets as usize + n * self.words;
        &self.sets[first..first + self.words]
    }

    /// The tree of a part; none where all parents agree.
    fn tree(&mut self, own: Part, parts: u32, rng: &mut Pcg64Mcg) {
        let column = self.column(own);
        let values = self.columns[column].values as usize;
        if values < 2 {
            return;
        }
        let mut here = vec![u64::MAX; self.words];
        if !self.size.is_multiple_of(64) {
            here[self.words - 1] = (1 << (self.size % 64)) - 1;
        }
        self.trees.push((own, self.places.len() as u32));
        // The values found here; places further down have no others.
        let all: Vec<u32> = (0..values as u32).collect();
        self.grow((own, column), parts, &here, &all, self.depth, rng);
    }

    fn leaf(&mut self, column: usize, here: &[u64], found: &[u32]) {
        let from = self.copies.len() as u32;
        for &n in found {
            let value = self.values[(self.columns[column].first + n) as usize];
            let times = common(here, self.set(column, n as usize));
            self.copies.extend((0..times).map(|_| value));
        }
        self.places.push(Place::Leaf { from, to: self.copies.len() as u32 });
    }

    /// A tree for the parents that reach this place.
    fn grow(
        &mut self,
        (own, column): (Part, usize),
        parts: u32,
        here: &[u64],
        found: &[u32],
        depth: u32,
        rng: &mut Pcg64Mcg,
    ) {
        let total = common(here, here);
        let counts: Vec<(u32, u32)> =
            found.iter().map(|&n| (n, common(here, self.set(column, n as usize)))).filter(|c| c.1 > 0).collect();
        let found: Vec<u32> = counts.iter().map(|c| c.0).collect();
        if depth == 0 || total < 4 || found.len() < 2 {
            return self.leaf(column, here, &found);
        }
        let price = 0.5 * f64::from(total).log2();
        // Bits to describe values that are found `sum` = Σ n log2 n and `used` in number among `total`.
        let description = |bits: &[f64], total: u32, sum: f64, used: u32| {
            if total == 0 { 0.0 } else { bits[total as usize] - sum + price * (f64::from(used) - 1.0) }
        };
        let whole = counts.iter().map(|c| self.bits[c.1 as usize]).sum();
        let before = description(&self.bits, total, whole, counts.len() as u32);
        let all = self.questions == 0 || self.questions >= parts as usize;
        let tried = if all { parts } else { self.questions as u32 };
        let mut best: Option<(f64, Part, usize, usize)> = None;
        let mut yes = vec![0u64; self.words];
        for k in 0..tried {
            // The other part of the same gene is always asked about.
            let of = match k {
                _ if all => k,
                0 => own ^ 1,
                _ => rng.random_range(0..parts),
            };
            if of == own {
                continue;
            }
            let asked = self.column(of);
            if self.columns[asked].values < 2 {
                continue;
            }
            // The value of one of the parents here.
            let value = self.value(of, nth(here, rng.random_range(0..total)));
            let first = self.columns[asked].first as usize;
            let values = &self.values[first..first + self.columns[asked].values as usize];
            let Some(n) = values.iter().position(|&v| v == value) else { continue };
            yes.iter_mut().zip(here).zip(self.set(asked, n)).for_each(|((yes, here), set)| *yes = here & set);
            let agree = common(&yes, &yes);
            if agree == total {
                continue;
            }
            let (mut sums, mut used) = ((0.0, 0.0), (0, 0));
            for &(n, count) in &counts {
                let with = common(&yes, self.set(column, n as usize));
                let without = count - with;
                sums.0 += self.bits[with as usize];
                sums.1 += self.bits[without as usize];
                used.0 += u32::from(with > 0);
                used.1 += u32::from(without > 0);
            }
            let after =
                description(&self.bits, agree, sums.0, used.0) + description(&self.bits, total - agree, sums.1, used.1);
            if before - after > best.map_or(0.0, |b| b.0) {
                best = Some((before - after, of, asked, n));
            }
        }
        let Some((_, of, asked, n)) = best else { return self.leaf(column, here, &found) };
        let value = self.values[self.columns[asked].first as usize + n];
        let set = self.set(asked, n);
        let no: Vec<u64> = here.iter().zip(set).map(|(here, set)| here & !set).collect();
        yes.iter_mut().zip(here).zip(set).for_each(|((yes, here), set)| *yes = here & set);
        let at = self.places.len();
        self.places.push(Place::Question { of, value, no: 0 });
        self.grow((own, column), parts, &yes, &found, depth - 1, rng);
        let after = self.places.len() as u32;
        self.places[at] = Place::Question { of, value, no: after };
        self.grow((own, column), parts, &no, &found, depth - 1, rng);
    }
}

/// The number of the n-th bit that is set.
fn nth(set: &[u64], mut n: u32) -> usize {
    for (at, &word) in set.iter().enumerate() {
        let here = word.count_ones();
        if n < here {
            let mut word = word;
            (0..n).for_each(|_| word &= word - 1);
            return at * 64 + word.trailing_zeros() as usize;
        }
        n -= here;
    }
    0
}

impl Reproduction for Trees {
    fn learn(&mut self, space: &Space, candidates: &[Chromosome], rng: &mut Pcg64Mcg) {
        self.parents.choose(space, candidates, rng);
        let parts = 2 * space.genes.len();
        let chosen = rand::seq::index::sample(rng, parts, share(self.drawn, parts)).into_vec();
        self.column_of.clear();
        self.column_of.resize(parts, NONE);
        self.columns.clear();
        self.values.clear();
        self.sets.clear();
        self.trees.clear();
        self.places.clear();
        self.copies.clear();
        for own in chosen {
            self.tree(own as Part, parts as Part, rng);
        }
    }

    fn offspring(&self, space: &Space, candidates: &[Chromosome], child: &mut Child<'_>, rng: &mut Pcg64Mcg) {
        child.chromosome.become_like(&candidates[tournament(candidates, rng)]);
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
