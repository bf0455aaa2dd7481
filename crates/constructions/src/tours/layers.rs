//! **What:** the steps of a product of lines and complete networks, also of one whose longest line has an odd size: there messages without
//! a part along it are steps of the product of all other dimensions, in each of as many layers.

use super::block::Ends;
use super::product::{Among, Batch, Product, Visit};
use super::sides::Side;
use topologies::grid::Along;

/// The number of steps, where it is known beforehand.
pub(super) fn promise(sides: &[Side]) -> Option<u64> {
    let nodes = |sides: &[Side]| sides.iter().map(|side| u64::from(side.size)).product::<u64>();
    let Some(Split { longest, others }) = split(sides) else {
        return sides.iter().map(|side| nodes(sides) / u64::from(side.size)).max();
    };
    let size = u64::from(longest.size);
    // While messages go along the longest line alone, all layers are idle; which they do where parts along all others may be loops
    // together.
    let has_loops = |side: &Side| side.size % 2 == 1 || side.is(Along::Complete);
    let idle = if others.iter().all(has_loops) { size * size / 4 } else { 0 };
    let is_line = others.len() < 2 && !others.iter().any(|side| side.is(Along::Complete));
    let fits = size % 2 == 0 || is_line || promise(&others)? <= idle;
    fits.then_some(nodes(&others).checked_mul(size * size / 4)?)
}

/// Every step.
pub(super) fn steps(sides: &[Side], visit: Visit<'_>) -> Option<()> {
    let Some(Split { longest, .. }) = split(sides) else { return complete(sides, visit) };
    if longest.size.is_multiple_of(2) {
        return Product::of_lines(sides, Among::All)?.lines(visit);
    }
    let product = Product::of_lines(sides, Among::AlongLongest)?;
    let mut layers = Layers::new(sides, product.longest())?;
    product.lines(&mut |batches| layers.step(batches, visit))?;
    layers.finish(visit)
}

/// Every step of complete networks only: differences that are alike but for a multiple of 1…1 have one step, and no two of them have
/// the same part along any dimension.
fn complete(sides: &[Side], visit: Visit<'_>) -> Option<()> {
    let route: Vec<usize> = (0..sides.len()).collect();
    let nodes: u32 = sides.iter().map(|side| side.size).product();
    let least = sides.iter().enumerate().min_by_key(|(_, side)| side.size).map(|(d, _)| d)?;
    let stride = |d: usize| sides[d + 1..].iter().map(|side| side.size).product::<u32>();
    let digit = |v: u32, d: usize| v / stride(d) % sides[d].size;
    let mut messages = Vec::new();
    // Of the differences of a step one has no part along the least dimension.
    for difference in (0..nodes).filter(|difference| digit(*difference, least) == 0) {
        messages.clear();
        for from in 0..nodes {
            let to = |by: u32| {
                let part = |d: usize| (digit(from, d) + digit(difference, d) + by) % sides[d].size * stride(d);
                route.iter().map(|d| part(*d)).sum::<u32>()
            };
            messages
                .extend((0..sides[least].size).map(|by| Ends { from, to: to(by) }).filter(|ends| ends.from != ends.to));
        }
        visit(&[Batch { route: &route, downwards: &[], messages: &messages }])?;
    }
    Some(())
}

/// The first of the longest lines, rings taken as lines, and the other dimensions.
struct Split {
    longest: Side,
    others: Vec<Side>,
}

/// `None` where there are complete networks only.
fn split(sides: &[Side]) -> Option<Split> {
    let lines = || sides.iter().enumerate().filter(|(_, side)| !side.is(Along::Complete));
    let size = lines().map(|(_, side)| side.size).max()?;
    let (at, longest) = lines().find(|(_, side)| side.size == size)?;
    Some(Split { longest: *longest, others: [&sides[..at], &sides[at + 1..]].concat() })
}

/// Messages of a step of the smaller product, in the dimensions of the whole one.
struct Across {
    route: Vec<usize>,
    messages: Vec<Ends>,
}

/// The layers, and how far they are.
struct Layers {
    /// The dimension across which they lie, its size, and the number of nodes by which they are apart.
    longest: usize,
    stride: u32,
    /// The strides of all dimensions with their sizes.
    digits: Vec<(u32, u32)>,
    /// The steps of the smaller product.
    steps: Vec<Vec<Across>>,
    /// Steps that each layer has made.
    made: Vec<usize>,
}

impl Layers {
    fn new(sides: &[Side], longest: usize) -> Option<Self> {
        let stride = |d: usize| sides[d + 1..].iter().map(|side| side.size).product::<u32>();
        let others: Vec<Side> = (0..sides.len()).filter(|d| *d != longest).map(|d| sides[d]).collect();
        let mut across = Vec::new();
        if !others.is_empty() {
            let whole = |d: &usize| d + usize::from(*d >= longest);
            steps(&others, &mut |batches| {
                let of = |batch: &Batch<'_>| Across {
                    route: batch.route.iter().map(whole).collect(),
                    messages: batch.messages.to_vec(),
                };
                across.push(batches.iter().map(of).collect());
                Some(())
            })?;
        }
        let digits = (0..sides.len()).map(|d| (stride(d), sides[d].size)).collect();
        let made = vec![0; sides[longest].size as usize];
        Some(Layers { longest, stride: stride(longest), digits, steps: across, made })
    }

    fn digit(&self, node: u32, dimension: usize) -> u32 {
        let (stride, size) = self.digits[dimension];
        node / stride % size
    }

    /// Adds to a step what idle layers have still to do.
    fn step(&mut self, batches: &[Batch<'_>], visit: Visit<'_>) -> Option<()> {
        let mut busy = vec![false; self.made.len()];
        for batch in batches {
            let at = batch.route.iter().position(|d| *d == self.longest)?;
            let (before, behind) = (&batch.route[..at], &batch.route[at + 1..]);
            for ends in batch.messages {
                let moves = |d: &usize| self.digit(ends.from, *d) != self.digit(ends.to, *d);
                let (first, second) = (before.iter().any(moves), behind.iter().any(moves));
                busy[self.digit(ends.from, self.longest) as usize] |= first;
                busy[self.digit(ends.to, self.longest) as usize] |= second;
            }
        }
        let idle: Vec<u32> = (0..).zip(&busy).filter(|(_, busy)| !**busy).map(|(layer, _)| layer).collect();
        self.add(batches, &idle, visit)
    }

    /// The steps that are left.
    fn finish(&mut self, visit: Visit<'_>) -> Option<()> {
        let all: Vec<u32> = (0..).zip(&self.made).map(|(layer, _)| layer).collect();
        while self.made.iter().any(|made| *made < self.steps.len()) {
            self.add(&[], &all, visit)?;
        }
        Some(())
    }

    /// A step of `batches` and the next one of the smaller product in some layers.
    fn add(&mut self, batches: &[Batch<'_>], layers: &[u32], visit: Visit<'_>) -> Option<()> {
        let size = self.digits[self.longest].1;
        let mut added: Vec<Across> = Vec::new();
        for &layer in layers {
            let made = &mut self.made[layer as usize];
            let Some(step) = self.steps.get(*made) else { continue };
            *made += 1;
            let node = |v: u32| (v / self.stride * size + layer) * self.stride + v % self.stride;
            added.extend(step.iter().map(|across| Across {
                route: across.route.clone(),
                messages: across.messages.iter().map(|e| Ends { from: node(e.from), to: node(e.to) }).collect(),
            }));
        }
        let added = added.iter().map(|a| Batch { route: &a.route, downwards: &[], messages: &a.messages });
        visit(&batches.iter().copied().chain(added).collect::<Vec<_>>())
    }
}
