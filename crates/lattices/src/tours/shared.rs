//! **What:** the steps of alltoall on a mesh of three dimensions whose longest size L is 4k + 3, with the lines of the two others shared
//! between messages across the layers and messages within them.
//!
//! **Construction.** Let z be the longest dimension, of T = (L + 1)/4 slots. Messages with parts along all of x, y and z take the steps of
//! their [product](super::product). A message with parts along x and z uses a row of x in the layer where it begins or in that
//! where it ends, as it likes. So for classes a of x, b of y and c of z there are two blocks of steps, in which every part of c is taken along
//! either with all parts of a or with all parts of b, and every layer is of use to at most one part of c in each dimension. In step
//!
//! > slot of the moving part + slot of the node's residue in the other dimension's class + slot in c (mod T)
//!
//! every line sees one tour. Of a tour of four layers, two have all their rows idle: those are free for messages within the layer
//! (job 1); of the tour of three layers one has, and another has the rows of x or of y idle (jobs 2 and 3). [`across`] tells which.
//!
//! *Double classes* of x or y count once, all single ones twice, modulo 2T. Of two opposite single classes beside a double one
//! the second comes a step earlier, as its nodes' earlier slots do.
//!
//! **Source:** ours.

use super::block::Ends;
use super::layers::{Job, Layers};
use super::line::{Class, Kind, Part, Role, classes};
use super::product::{Batch, Product, Visit};
use super::sides::Side;
use topologies::grid::Along;

/// Whether the steps are known, and as many as the floor: lines of even sizes have swaps in a class of as many slots as residues.
pub(super) fn is_known(sides: &[Side]) -> bool {
    let Some(longest) = longest(sides) else { return false };
    let size = sides[longest].size;
    let fits = |side: &Side| match side.along {
        Along::Complete => side.size <= size,
        Along::Line | Along::Ring => side.size % 2 == 1 || side.half() <= size.div_ceil(4),
    };
    sides.len() == 3 && size % 4 == 3 && sides.iter().all(fits)
}

/// The first of the longest lines.
fn longest(sides: &[Side]) -> Option<usize> {
    let is_line = |side: &&Side| !side.is(Along::Complete);
    let size = sides.iter().filter(is_line).map(|side| side.size).max()?;
    sides.iter().position(|side| is_line(&side) && side.size == size)
}

/// Every step.
pub(super) fn steps(sides: &[Side], visit: Visit<'_>) -> Option<()> {
    let z = longest(sides)?;
    let slots = sides[z].half();
    let others: Vec<usize> = (0..sides.len()).filter(|d| *d != z).collect();
    let product = Product::apart(sides, slots)?;
    let mut layers = Layers::new(sides, z, jobs(&others.iter().map(|d| sides[*d]).collect::<Vec<_>>(), slots)?);
    // The idle rows of x are spread evenly over the layers, where every single one may be needed.
    let (longer, shorter) = if sides[others[0]].size < sides[others[1]].size { (1, 0) } else { (0, 1) };
    let [x, y] = [longer, shorter].map(|d| Dimension::new(sides, others[d], slots));
    let pairs = pairs(&x, &y);
    let is_paired = |tuple: &[usize]| {
        pairs.iter().any(|pair| {
            product.moving(tuple, x.index).is_some_and(|class| pair.x.contains(&class))
                || product.moving(tuple, y.index).is_some_and(|class| pair.y.contains(&class))
        })
    };
    let count = |tuple: &[usize]| (0..sides.len()).filter(|d| product.moving(tuple, *d).is_some()).count();
    let mut of = |layers: &mut Layers, parts: usize| {
        let across = product.tuples().filter(|tuple| product.moving(tuple, z).is_some() && count(tuple) == parts);
        let mut alone = across.filter(|tuple| parts != 2 || !is_paired(tuple));
        alone.try_for_each(|tuple| product.steps(&tuple, &mut |batches| layers.step(batches, visit)))
    };
    of(&mut layers, 3)?;
    of(&mut layers, 2)?;
    let z = Dimension::new(sides, z, slots);
    let (before, behind) = ([x.index, y.index, z.index], [z.index, x.index, y.index]);
    for (at, pair) in pairs.iter().enumerate() {
        for class in z.classes[0].iter().filter(|class| class.kind != Kind::Loops) {
            for second in [false, true] {
                let across = across(class, z.size, second, at % 2 == 1);
                for [first, last] in block([&x, &y], &z, pair, &across, slots) {
                    let of = |route, messages| Batch { route, downwards: &[], messages };
                    layers.step(&[of(&before, &first), of(&behind, &last)], visit)?;
                }
            }
        }
    }
    let mut of = |layers: &mut Layers| {
        let mut alone = product.tuples().filter(|tuple| product.moving(tuple, z.index).is_some() && count(tuple) == 1);
        alone.try_for_each(|tuple| product.steps(&tuple, &mut |batches| layers.step(batches, visit)))
    };
    of(&mut layers)?;
    layers.finish(visit)
}

/// What every layer has to do: in both dimensions, and in one.
fn jobs(others: &[Side], slots: u32) -> Option<Vec<Job>> {
    let product = Product::apart(others, slots)?;
    let mut jobs = [vec![0, 1], vec![0], vec![1]].map(Job::along);
    for tuple in product.tuples() {
        let job = match [0, 1].map(|d| product.moving(&tuple, d).is_some()) {
            [true, true] => 0,
            [true, false] => 1,
            _ => 2,
        };
        product.steps(&tuple, &mut |batches| {
            jobs[job].add(batches);
            Some(())
        })?;
    }
    Some(jobs.into())
}

/// A dimension and its classes.
struct Dimension {
    index: usize,
    size: u32,
    stride: u32,
    /// With bits and slots that are right for receivers, and for senders.
    classes: [Vec<Class>; 2],
}

impl Dimension {
    fn new(sides: &[Side], index: usize, slots: u32) -> Self {
        let side = sides[index];
        let role = |by_sender| match side.size % 4 {
            _ if side.is(Along::Complete) => Role::Complete,
            3 => Role::Single,
            1 => Role::Double { slots, by_sender },
            _ => Role::Apart { slots, by_sender },
        };
        let stride = sides[index + 1..].iter().map(|side| side.size).product();
        let classes = [false, true].map(|by_sender| classes(side.size, role(by_sender)));
        Dimension { index, size: side.size, stride, classes }
    }

    /// A double class, a single one and its opposite, or one that has no opposite: swaps, or half of a complete network.
    fn groups(&self) -> Vec<Vec<usize>> {
        let classes = &self.classes[0];
        let moving = classes.iter().enumerate().filter(|(_, class)| class.kind != Kind::Loops);
        let group = |(at, class): (usize, &Class)| match (class.kind, class.reversed) {
            (Kind::Single, Some(true)) => None,
            (Kind::Single, Some(false)) if classes[at + 1].kind != Kind::Loops => Some(vec![at, at + 1]),
            _ => Some(vec![at]),
        };
        moving.filter_map(group).collect()
    }

    fn is_double(&self, class: usize) -> bool {
        self.classes[0][class].kind.is_double()
    }

    /// The slot of each node in a class; of a double one the later.
    fn places(&self, class: usize) -> Vec<u32> {
        let mut places = vec![0; self.size as usize];
        let later = self.classes[0][class].parts.iter().filter(|part| part.bit == 0);
        later.for_each(|part| places[part.to as usize] = part.slot);
        places
    }
}

/// Classes of x and of y that share steps: a double one counts as two.
struct Pair {
    x: Vec<usize>,
    y: Vec<usize>,
}

fn pairs(x: &Dimension, y: &Dimension) -> Vec<Pair> {
    let is_swaps = |of: &Dimension, group: &[usize]| group.len() == 1 && !of.is_double(group[0]);
    let split = |of: &Dimension| of.groups().into_iter().partition::<Vec<_>, _>(|group| is_swaps(of, group));
    let ((swaps_of_x, of_x), (swaps_of_y, of_y)) = (split(x), split(y));
    let mut pairs = Vec::new();
    let count = of_x.len().min(of_y.len());
    for (x, y) in of_x.iter().zip(&of_y) {
        if x.len() == 2 && y.len() == 2 {
            pairs.extend([0, 1].map(|at| Pair { x: vec![x[at]], y: vec![y[at]] }));
        } else {
            pairs.push(Pair { x: x.clone(), y: y.clone() });
        }
    }
    // Swaps go with swaps, or with a single class that is left.
    let rest = |swaps: &[Vec<usize>], of: &[Vec<usize>]| {
        let left = of[count..].first().filter(|group| group.len() == 2);
        swaps.first().or(left).map(|group| vec![group[0]])
    };
    if !swaps_of_x.is_empty() || !swaps_of_y.is_empty() {
        let both = rest(&swaps_of_x, &of_x).zip(rest(&swaps_of_y, &of_y));
        pairs.extend(both.map(|(x, y)| Pair { x, y }));
    }
    pairs
}

/// A part across the layers, and what goes with it.
struct Across {
    part: Part,
    /// Whether it is parts of y, not of x.
    is_y: bool,
    /// Whether they are in the layer where it ends.
    is_behind: bool,
}

/// What goes with each part of a class: in a dimension of a layer at most one. With the second block the other dimension does.
fn across(class: &Class, size: u32, second: bool, is_odd: bool) -> Vec<Across> {
    let half = size.div_ceil(2);
    let middle = half - 1;
    let partner = |part: &Part| {
        let mut of_slot = class.parts.iter().filter(|other| other.slot == part.slot);
        of_slot.find(|other| other.from == middle).map(|other| other.to % half)
    };
    let of = |part: &Part| {
        let (is_y, is_behind) = match partner(part) {
            // In the layers of one residue all parts that end there go with x, those that begin there with y.
            None => {
                let (from, to) = (part.from % half, part.to % half);
                let is_behind = (to > from) != second;
                (!is_behind, is_behind)
            }
            Some(low) => three(class.reversed == Some(true), [low, middle, low + half], *part, second, is_odd),
        };
        Across { part: *part, is_y, is_behind }
    };
    class.parts.iter().map(of).collect()
}

/// Whether a part of the tour of three layers goes with y, and whether in the layer where it ends.
fn three(reversed: bool, [low, middle, high]: [u32; 3], part: Part, second: bool, is_odd: bool) -> (bool, bool) {
    let is = |from, to| part.from == from && part.to == to;
    if !reversed {
        // The middle layer is free, and one of the others has x idle in one block, y in the other.
        return match () {
            () if is(low, middle) => (!second, false),
            () if is(middle, high) => (second, true),
            () if is_odd => (!second, false),
            () => (second, true),
        };
    }
    // The lower layer is free, then the upper one; the upper has one dimension idle, then the lower the other.
    match () {
        () if is(low, high) => (is_odd != second, !second),
        () if is(middle, low) => (second, false),
        () => (!second, true),
    }
}

/// The steps of a pair, one block of both: messages with the parts along x or y first, and last.
fn block(of: [&Dimension; 2], z: &Dimension, pair: &Pair, across: &[Across], slots: u32) -> Vec<[Vec<Ends>; 2]> {
    let groups = [&pair.x, &pair.y];
    let is_double = [0, 1].map(|d| of[d].is_double(groups[d][0]));
    let single = if is_double == [false; 2] { 1 } else { 2 };
    let factors = is_double.map(|is_double| if is_double { 1 } else { single });
    let places = [0, 1].map(|d| of[d].places(groups[d][0]));
    let count = slots / 2 * single;
    let mut steps = vec![[Vec::new(), Vec::new()]; count as usize];
    for Across { part, is_y, is_behind } in across {
        let (moving, resting) = (usize::from(*is_y), usize::from(!*is_y));
        for (earlier, &class) in (0..).zip(groups[moving]) {
            for own in &of[moving].classes[usize::from(*is_behind)][class].parts {
                for (v, place) in (0..).zip(&places[resting]) {
                    let sum = single * part.slot + factors[moving] * own.slot + factors[resting] * place;
                    let step = (sum + count - earlier) % count;
                    let node = |z_at, at| z_at * z.stride + at * of[moving].stride + v * of[resting].stride;
                    let ends = Ends { from: node(part.from, own.from), to: node(part.to, own.to) };
                    steps[step as usize][usize::from(*is_behind)].push(ends);
                }
            }
        }
    }
    steps
}
