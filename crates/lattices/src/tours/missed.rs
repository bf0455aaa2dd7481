//! **What:** the steps of alltoall on some meshes of three dimensions with an odd longest size L, where the loops of another dimension
//! leave lines idle that other messages can use.
//!
//! **Construction.** Let z be the longest dimension, y the other of B nodes, and x the third. If B = 4j + 2, the classes b of y are near-one-factors
//! of K_h, half of them with the swap of the residue v that they miss, half with its loops, in slot 0. For other B ≤ (L − 1)/2, the loops
//! are a class by themselves, those of v in slot v. Loops are messages (a, 0, c) at v, and leave lines of y
//! idle in the steps of their slot. The lines of x and z at v and those idle lines of y take other messages instead: (a, v → w, 0)
//! along x and then y, and (0, w → v, c) along y and then z, where {v, w} is in a class b′ of y. That is the tour {v, w} on each of these lines of y. For
//! swaps it is (a, swap, 0) and (0, loops, c), for loops the other way round. So a and c are done with b′ when all v have come. The [trades](Missed::trade) give each a every b′
//! with one c, so nothing is left within the layers but messages along y alone. The messages (a, 0, c) take steps of their own, instead of
//! those (0, b′, c) that are done.
//!
//! *Odd B*: the tour of three nodes v → u → v+h → v has a part that begins and ends at v. With z it is left out, and loops take its place; it goes
//! with the loops of b′ instead.
//!
//! **Source:** ours.

use super::block::{Along as Chosen, Block, Ends};
use super::layers::{Job, Layers};
use super::line::{Class, Kind, Part, Role, classes};
use super::product::{Batch, Visit};
use super::sides::Side;
use topologies::grid::Along;

/// The three dimensions.
#[derive(Clone, Copy)]
struct Axes {
    x: usize,
    y: usize,
    z: usize,
}

impl Axes {
    fn of(sides: &[Side]) -> Option<Self> {
        let is_line = |d: &usize| !sides[*d].is(Along::Complete);
        let size = (0..sides.len()).filter(is_line).map(|d| sides[d].size).max()?;
        let z = (0..sides.len()).find(|d| is_line(d) && sides[*d].size == size)?;
        let others: Vec<usize> = (0..sides.len()).filter(|d| *d != z).collect();
        let &[one, other] = &others[..] else { return None };
        let fits = |d: usize| match size % 4 {
            // Another of the same size; where there is none, all others fit into near-one-factors of this one.
            1 => is_line(&d) && sides[d].size == size,
            3 if !is_line(&d) => sides[d].size <= size,
            3 => sides[d].size % 2 == 1 || sides[d].half() <= size.div_ceil(4),
            _ => false,
        };
        let misses = |d: usize| match sides[d].size % 4 {
            _ if !is_line(&d) => false,
            2 => true,
            0 | 3 => size % 4 == 1 && sides[d].half() <= size / 4,
            _ => false,
        };
        let (x, y) = [(one, other), (other, one)].into_iter().find(|(x, y)| fits(*x) && misses(*y))?;
        Some(Axes { x, y, z })
    }
}

/// Whether the steps are known, and as many as the floor.
pub(super) fn is_known(sides: &[Side]) -> bool {
    Axes::of(sides).is_some()
}

/// Every step.
pub(super) fn steps(sides: &[Side], visit: Visit<'_>) -> Option<()> {
    let missed = Missed::new(sides)?;
    let mut layers = Layers::new(sides, missed.axes.z, vec![missed.job()]);
    missed.all(&mut |batches| layers.step(batches, visit))?;
    layers.finish(visit)
}

/// Classes with their places: a double one has two.
fn placed(classes: &[Class]) -> impl Iterator<Item = (u32, &Class)> {
    let mut next = 0;
    classes.iter().map(move |class| {
        let place = next;
        next += if class.kind.is_double() { 2 } else { 1 };
        (place, class)
    })
}

/// The classes of all dimensions.
struct Missed {
    axes: Axes,
    sides: Vec<Side>,
    /// Steps of a round with double classes, twice those without.
    slots: u32,
    x: Vec<Class>,
    /// Near-one-factors, or factors, the swaps of even sizes and the loops.
    y: Vec<Class>,
    /// The same with loops instead of parts between nodes of one residue, and the other way round.
    others: Vec<Class>,
    z: Vec<Class>,
}

impl Missed {
    fn new(sides: &[Side]) -> Option<Self> {
        let axes = Axes::of(sides)?;
        let slots = sides[axes.z].half();
        let role = |d: usize, by_sender| match sides[d].size % 4 {
            _ if sides[d].is(Along::Complete) => Role::Complete,
            3 => Role::Single,
            1 => Role::Double { slots, by_sender },
            _ => Role::Apart { slots, by_sender },
        };
        let moving = |size, role| {
            let mut classes = classes(size, role);
            classes.retain(|class| class.kind != Kind::Loops);
            classes
        };
        let [x, z] = [(axes.x, false), (axes.z, true)].map(|(d, by_sender)| moving(sides[d].size, role(d, by_sender)));
        let (size, half) = (sides[axes.y].size, sides[axes.y].half());
        let y = if size % 4 == 2 {
            moving(size, Role::Single)
        } else {
            let mut classes = moving(size, role(axes.y, false));
            let parts = (0..size).map(|v| Part { from: v, to: v, slot: v % half, bit: 0 }).collect();
            classes.push(Class { kind: Kind::Single, reversed: None, parts });
            classes
        };
        let other = |part: &Part| {
            let swapped = (part.from + half) % (2 * half);
            match part.from == part.to {
                true if swapped < size => Part { to: swapped, ..*part },
                false if part.from % half == part.to % half => Part { from: part.to, ..*part },
                _ => *part,
            }
        };
        let of = |class: &Class| Class { parts: class.parts.iter().map(other).collect(), ..class.clone() };
        let others = y.iter().map(of).collect();
        Some(Missed { axes, sides: sides.to_vec(), slots, x, y, others, z })
    }

    /// The loops of a dimension.
    fn loops(&self, d: usize) -> Class {
        let parts = (0..self.sides[d].size).map(|v| Part { from: v, to: v, slot: 0, bit: 0 }).collect();
        Class { kind: Kind::Loops, reversed: None, parts }
    }

    /// The number of nodes by which neighbours along a dimension are apart, on the mesh or in a layer.
    fn stride(&self, d: usize, is_layer: bool) -> u32 {
        let behind = (d + 1..self.sides.len()).filter(|other| !is_layer || *other != self.axes.z);
        behind.map(|other| self.sides[other].size).product()
    }

    /// What every layer has still to do: messages along y alone.
    fn job(&self) -> Job {
        let Axes { x, y, z } = self.axes;
        let at = y - usize::from(y > z);
        let mut job = Job::along(vec![at]);
        let x0 = self.loops(x);
        for b in &self.y {
            let parts = vec![Chosen::new(&x0, self.stride(x, true)), Chosen::new(b, self.stride(y, true))];
            let mut steps = Vec::new();
            Block::new(parts, self.slots.div_ceil(2)).fill(0, &mut steps);
            let moving = steps.iter().filter(|messages| !messages.is_empty());
            moving.for_each(|messages| job.add(&[Batch { route: &[at], downwards: &[], messages }]));
        }
        job
    }

    /// Every step of messages with a part along z, and of those that come with them.
    fn all(&self, visit: Visit<'_>) -> Option<()> {
        let (x0, y0) = (self.loops(self.axes.x), self.loops(self.axes.y));
        for (column, c) in placed(&self.z) {
            let mut is_done = vec![false; self.y.len()];
            for (row, a) in placed(&self.x) {
                let trade = |bits| self.trade((a, row), (c, column), bits);
                self.y.iter().try_for_each(|b| self.block([a, b, c], Some(&trade), &|_| true, visit))?;
                // Bits that differ, or not, are a round where both classes are double.
                self.block([a, &y0, c], None, &|round| trade((0, round)).is_some(), visit)?;
                let traded = [(0, 0), (0, 1), (1, 0), (1, 1)].map(trade);
                traded.into_iter().flatten().for_each(|class| is_done[class] = true);
            }
            let left = self.others.iter().zip(is_done).filter(|(_, is_done)| !is_done);
            left.map(|(b, _)| b).try_for_each(|b| self.block([&x0, b, c], None, &|_| true, visit))?;
        }
        Some(())
    }

    /// With which class of y parts of these bits are traded: pairs of classes, or double ones, of x and z trade with a pair of y. Classes come
    /// with their places, of which a double one has two.
    fn trade(&self, (a, row): (&Class, u32), (c, column): (&Class, u32), (own, other): (u32, u32)) -> Option<usize> {
        let place = |class: &Class, at: u32, bit: u32| if class.kind.is_double() { at + bit } else { at };
        let (row, column) = (place(a, row, own), place(c, column, other));
        let pair = (row / 2 + column / 2) % (self.sides[self.axes.z].size / 2);
        usize::try_from(2 * pair + (row + column) % 2).ok().filter(|class| *class < self.y.len())
    }

    /// The steps of a tuple of classes, with trades in the place of loops at a residue of y.
    fn block(
        &self,
        [a, b, c]: [&Class; 3],
        trade: Option<&dyn Fn((u32, u32)) -> Option<usize>>,
        takes: &dyn Fn(u32) -> bool,
        visit: Visit<'_>,
    ) -> Option<()> {
        let Axes { x, y, z } = self.axes;
        let is_double = [a, b, c].iter().any(|class| class.kind.is_double());
        let slots = if is_double { self.slots } else { self.slots.div_ceil(2) };
        let [sx, sy, sz] = [x, y, z].map(|d| self.stride(d, false));
        let block = Block::new(vec![Chosen::new(a, sx), Chosen::new(b, sy), Chosen::new(c, sz)], slots);
        let digit = |node: u32, d: usize, stride: u32| node / stride % self.sides[d].size;
        let bit = |class: &Class, from: u32, to: u32| {
            class.parts.iter().find(|part| part.from == from && part.to == to).map_or(0, |part| part.bit)
        };
        let (mut steps, mut step) = (Vec::new(), Vec::new());
        for round in (0..block.rounds()).filter(|round| takes(*round)) {
            block.fill(round, &mut steps);
            for messages in &steps {
                step.clear();
                for ends in messages {
                    let [xs, ys, zs] =
                        [(x, sx), (y, sy), (z, sz)].map(|(d, s)| (digit(ends.from, d, s), digit(ends.to, d, s)));
                    let traded = trade.filter(|_| ys.0 == ys.1);
                    let Some(class) = traded.and_then(|of| of((bit(a, xs.0, xs.1), bit(c, zs.0, zs.1)))) else {
                        step.push(*ends);
                        continue;
                    };
                    let node = |x: u32, part: u32, z: u32| x * sx + part * sy + z * sz;
                    // This line of x goes on along y, and this line of z comes from there.
                    let out = self.y[class].parts.iter().filter(|part| part.from == ys.0);
                    step.extend(out.map(|p| Ends { from: node(xs.0, p.from, zs.0), to: node(xs.1, p.to, zs.0) }));
                    let into = self.others[class].parts.iter().filter(|part| part.to == ys.0);
                    step.extend(into.map(|p| Ends { from: node(xs.1, p.from, zs.0), to: node(xs.1, p.to, zs.1) }));
                }
                visit(&[Batch { route: &[x, y, z], downwards: &[], messages: &step }])?;
            }
        }
        Some(())
    }
}
