//! **What:** the steps of a product of lines and complete networks, also of one whose longest line has an odd size: there messages without
//! a part along it are steps of the product of all other dimensions, in each of as many layers.

use super::block::Ends;
use super::missed;
use super::product::{Among, Batch, Product, Visit};
use super::shared;
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
    let is_deep = shared::is_known(sides) || missed::is_known(sides) || Product::has_near_factors(sides).is_some();
    let fits = size % 2 == 0 || is_line || is_deep || promise(&others)? <= idle;
    fits.then_some(nodes(&others).checked_mul(size * size / 4)?)
}

/// Every step.
pub(super) fn steps(sides: &[Side], visit: Visit<'_>) -> Option<()> {
    let Some(Split { longest, .. }) = split(sides) else { return complete(sides, visit) };
    if longest.size.is_multiple_of(2) {
        return Product::of_lines(sides, Among::All)?.lines(visit);
    }
    if shared::is_known(sides) {
        return shared::steps(sides, visit);
    }
    if missed::is_known(sides) {
        return missed::steps(sides, visit);
    }
    let product = Product::of_lines(sides, Among::AlongLongest)?;
    let mut layers = Layers::whole(sides, product.longest())?;
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

/// Steps that a layer makes whenever some dimensions are idle in it.
pub(super) struct Job {
    /// The dimensions, as those of the smaller product.
    dimensions: Vec<usize>,
    steps: Vec<Vec<Across>>,
    /// Steps that each layer has made.
    made: Vec<usize>,
}

impl Job {
    /// A job without steps, in dimensions of the smaller product.
    pub(super) fn along(dimensions: Vec<usize>) -> Self {
        Job { dimensions, steps: Vec::new(), made: Vec::new() }
    }

    /// Adds a step of the smaller product.
    pub(super) fn add(&mut self, batches: &[Batch<'_>]) {
        let of = |batch: &Batch<'_>| Across { route: batch.route.to_vec(), messages: batch.messages.to_vec() };
        self.steps.push(batches.iter().map(of).collect());
    }
}

/// The layers, and how far they are.
pub(super) struct Layers {
    /// The dimension across which they lie, its size, and the number of nodes by which they are apart.
    longest: usize,
    stride: u32,
    /// The strides of all dimensions with their sizes.
    digits: Vec<(u32, u32)>,
    /// What every layer has to do; what comes first is preferred.
    jobs: Vec<Job>,
}

impl Layers {
    pub(super) fn new(sides: &[Side], longest: usize, mut jobs: Vec<Job>) -> Self {
        let stride = |d: usize| sides[d + 1..].iter().map(|side| side.size).product::<u32>();
        let whole = |d: &mut usize| *d += usize::from(*d >= longest);
        for job in &mut jobs {
            job.made = vec![0; sides[longest].size as usize];
            job.dimensions.iter_mut().for_each(whole);
            job.steps.iter_mut().flatten().flat_map(|across| &mut across.route).for_each(whole);
        }
        let digits = (0..sides.len()).map(|d| (stride(d), sides[d].size)).collect();
        Layers { longest, stride: stride(longest), digits, jobs }
    }

    /// With all steps of the smaller product as one job.
    fn whole(sides: &[Side], longest: usize) -> Option<Self> {
        let others: Vec<Side> = (0..sides.len()).filter(|d| *d != longest).map(|d| sides[d]).collect();
        let mut job = Job::along((0..others.len()).collect());
        if !others.is_empty() {
            steps(&others, &mut |batches| {
                job.add(batches);
                Some(())
            })?;
        }
        Some(Layers::new(sides, longest, vec![job]))
    }

    fn digit(&self, node: u32, dimension: usize) -> u32 {
        let (stride, size) = self.digits[dimension];
        node / stride % size
    }

    /// Adds to a step what idle layers have still to do.
    pub(super) fn step(&mut self, batches: &[Batch<'_>], visit: Visit<'_>) -> Option<()> {
        // By layer and dimension.
        let mut busy = vec![vec![false; self.digits.len()]; self.digits[self.longest].1 as usize];
        for batch in batches {
            let at = batch.route.iter().position(|d| *d == self.longest)?;
            let (before, behind) = (&batch.route[..at], &batch.route[at + 1..]);
            for ends in batch.messages {
                for (dimensions, node) in [(before, ends.from), (behind, ends.to)] {
                    let layer = &mut busy[self.digit(node, self.longest) as usize];
                    for &d in dimensions {
                        layer[d] |= self.digit(ends.from, d) != self.digit(ends.to, d);
                    }
                }
            }
        }
        self.add(batches, busy, visit)
    }

    /// The steps that are left.
    pub(super) fn finish(&mut self, visit: Visit<'_>) -> Option<()> {
        while self.jobs.iter().any(|job| job.made.iter().any(|made| *made < job.steps.len())) {
            let busy = vec![vec![false; self.digits.len()]; self.digits[self.longest].1 as usize];
            self.add(&[], busy, visit)?;
        }
        Some(())
    }

    /// A step of `batches` and the next ones of the jobs in layers that are not busy.
    fn add(&mut self, batches: &[Batch<'_>], busy: Vec<Vec<bool>>, visit: Visit<'_>) -> Option<()> {
        let size = self.digits[self.longest].1;
        let mut added: Vec<Across> = Vec::new();
        for (layer, mut busy) in (0..).zip(busy) {
            let node = |v: u32| (v / self.stride * size + layer) * self.stride + v % self.stride;
            for job in &mut self.jobs {
                let made = &mut job.made[layer as usize];
                let Some(step) = job.steps.get(*made) else { continue };
                if job.dimensions.iter().any(|d| busy[*d]) {
                    continue;
                }
                job.dimensions.iter().for_each(|d| busy[*d] = true);
                *made += 1;
                added.extend(step.iter().map(|across| Across {
                    route: across.route.clone(),
                    messages: across.messages.iter().map(|e| Ends { from: node(e.from), to: node(e.to) }).collect(),
                }));
            }
        }
        let added = added.iter().map(|a| Batch { route: &a.route, downwards: &[], messages: &a.messages });
        visit(&batches.iter().copied().chain(added).collect::<Vec<_>>())
    }
}
