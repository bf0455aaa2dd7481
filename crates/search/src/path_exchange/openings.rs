//! **What:** which messages could get a strand for nothing: where one or two strands that no message needs lead from a node to another.
//!
//! A mend may take the strand of such a message, since the message gets another at once: so a mend sees two moves ahead,
//! where all but the first cost nothing. Layers are looked at anew only where they changed.

use super::frame::NONE;
use super::loom::Loom;

/// Hops an opening may be longer than the shortest way.
const LONGER: u16 = 2;

#[derive(Clone)]
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) struct Openings {
    /// By layer: the pairs.
    pairs: Vec<Vec<u32>>,
    /// By pair: the number of layers, and the exclusive or of these.
    layers: Vec<(u32, u32)>,
}

impl Openings {
    pub fn new(pairs: usize) -> Self {
        Openings { pairs: Vec::new(), layers: vec![(0, 0); pairs] }
    }

    /// Looks at the layers that changed; how many arcs it looked at.
    pub fn look(&mut self, loom: &mut Loom<'_>) -> u64 {
        let arcs = loom.frame.ends.len();
        let mut looks = 0;
        for at in (loom.layers..self.pairs.len()).rev() {
            self.forget(at);
        }
        self.pairs.resize(loom.layers, Vec::new());
        for at in loom.changed() {
            self.forget(at);
            let layer = u32::try_from(at).unwrap_or(NONE);
            let base = loom.base(at);
            let mut found = std::mem::take(&mut self.pairs[at]);
            for arc in 0..u32::try_from(arcs).unwrap_or(NONE) {
                if loom.loose.has(Loom::number(base, arc)) {
                    follow(loom, base, loom.frame.ends[arc as usize].0, (arc, 1, false), &mut looks, &mut found);
                }
            }
            found.sort_unstable();
            found.dedup();
            for pair in &found {
                let seen = &mut self.layers[*pair as usize];
                *seen = (seen.0 + 1, seen.1 ^ layer);
            }
            looks += arcs as u64 / 16;
            self.pairs[at] = found;
        }
        looks
    }

    fn forget(&mut self, at: usize) {
        let layer = u32::try_from(at).unwrap_or(NONE);
        for pair in self.pairs[at].drain(..) {
            let seen = &mut self.layers[pair as usize];
            *seen = (seen.0 - 1, seen.1 ^ layer);
        }
    }

    /// Whether there is one in another layer than this.
    pub fn elsewhere(&self, pair: u32, layer: u32) -> bool {
        let (count, layers) = self.layers[pair as usize];
        count > 1 || (count == 1 && layers != layer)
    }
}

/// Goes on from an arc that is `hops` from the origin.
fn follow(
    loom: &Loom<'_>,
    base: usize,
    origin: u32,
    (arc, hops, turned): (u32, u16, bool),
    looks: &mut u64,
    found: &mut Vec<u32>,
) {
    *looks += 1;
    let frame = loom.frame;
    let node = frame.ends[arc as usize].1;
    if node == origin || hops > frame.distance(origin, node) + LONGER {
        return;
    }
    found.push(frame.pair(origin, node));
    if !frame.passes[node as usize] {
        return;
    }
    let next = loom.thread(base, arc).next;
    for &ahead in &frame.out[node as usize] {
        if (ahead == next || !turned) && loom.loose.has(Loom::number(base, ahead)) {
            follow(loom, base, origin, (ahead, hops + 1, turned || ahead != next), looks, found);
        }
    }
}
