//! **What:** the steps of a mesh, also of one whose longest size is odd: there messages without a part along that dimension are steps
//! of the mesh of all other dimensions, in each of as many layers.

use super::block::Ends;
use super::product::{Among, Batch, Product, Visit};

/// The number of steps, where it is known beforehand.
pub(super) fn promise(sizes: &[u32]) -> Option<u64> {
    let (longest, others) = split(sizes)?;
    let (size, across) = (u64::from(sizes[longest]), others.iter().map(|n| u64::from(*n)).product::<u64>());
    // While messages go along the longest dimension alone, all layers are idle; which they do where all sizes are odd.
    let idle = if others.iter().all(|n| n % 2 == 1) { size * size / 4 } else { 0 };
    let fits = size % 2 == 0 || others.len() < 2 || promise(&others)? <= idle;
    fits.then_some(across.checked_mul(size * size / 4)?)
}

/// Every step.
pub(super) fn steps(sizes: &[u32], visit: Visit<'_>) -> Option<()> {
    let product = Product::new(sizes, Among::All)?;
    if sizes[product.longest()].is_multiple_of(2) {
        return product.lines(visit);
    }
    let product = Product::new(sizes, Among::AlongLongest)?;
    let mut layers = Layers::new(sizes, product.longest())?;
    product.lines(&mut |batches| layers.step(batches, visit))?;
    layers.finish(visit)
}

/// The first of the longest dimensions, and the sizes of the others.
fn split(sizes: &[u32]) -> Option<(usize, Vec<u32>)> {
    let longest = sizes.iter().max()?;
    let at = sizes.iter().position(|n| n == longest)?;
    let others = sizes[..at].iter().chain(&sizes[at + 1..]).copied().collect();
    Some((at, others))
}

/// Messages of a step of the smaller mesh, in the dimensions of the whole one.
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
    /// The steps of the smaller mesh.
    steps: Vec<Vec<Across>>,
    /// Steps that each layer has made.
    made: Vec<usize>,
}

impl Layers {
    fn new(sizes: &[u32], longest: usize) -> Option<Self> {
        let stride = |d: usize| sizes[d + 1..].iter().product::<u32>();
        let others: Vec<u32> = (0..sizes.len()).filter(|d| *d != longest).map(|d| sizes[d]).collect();
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
        let digits = (0..sizes.len()).map(|d| (stride(d), sizes[d])).collect();
        Some(Layers { longest, stride: stride(longest), digits, steps: across, made: vec![0; sizes[longest] as usize] })
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

    /// A step of `batches` and the next one of the smaller mesh in some layers.
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
