//! **What:** alltoall on a network of translations by packing what each difference uses of the classes of channels.
//!
//! **Idea:** nodes are the words of a lattice, and channels that move every node alike are a class. Translations by kᵢ places
//! along dimension i act and shift time by T/Rᵢ of the T steps, where kᵢ divides the size Nᵢ and Rᵢ divides Nᵢ/kᵢ. Let R be
//! the least common multiple of all Rᵢ. Then the steps split into T/R *rows* of R, and in a row each class has R places at each
//! of the bases, the nodes with digits below kᵢ: a path that starts at a base at place z uses, at the node with digits
//! xᵢ, the place z + Σ⌊xᵢ/kᵢ⌋·R/Rᵢ of the class at the node with digits xᵢ mod kᵢ. So every difference chooses, at each base, a
//! shortest path, a row and a place, and all that is needed is to pack them into few rows. For R = 1 no time is shifted,
//! and a row is a step; the larger R is, the fewer numbers of steps there are to choose from, the more bases, the more
//! there is to pack.
//!
//! **Moves:** with one base and every R the differences are packed first-fit, longest first, by the path over the least busy
//! classes. Between what that gives and what the classes have to carry, numbers of steps are tried by halving the
//! interval, each with the largest group that allows it. Before that, whole pairs of differences are packed ([`pairs`]).

use crate::complementary_pairs::{Pair, pairs};
use crate::lattice::Lattice;
use crate::rows::{Options, Packing, Rows, Use};
use construct::{Claim, Control, OrbitClaim, Transfers, generator};
use kernel::Network;
use kernel::orbits::Generator;
use num_integer::gcd;
use std::collections::{BTreeMap, VecDeque};

/// Most nodes of a network that is packed.
pub(crate) const MOST_NODES: u32 = 1 << 15;
/// Most channels of the shortest paths of all differences together.
const MOST_HOPS: u64 = 1 << 18;
/// Most shortest paths of a difference that are considered, by the numbers of their channels of each class.
const MOST_ROUTES: usize = 12;
/// Most messages, one a base and difference, of an attempt with several bases.
const MOST_ITEMS: u32 = 1 << 13;
/// Looks at places that one attempt has, for each place there is.
const TICKS_A_PLACE: u64 = 20_000;
/// Most looks at places that one attempt has.
const MOST_TICKS: u64 = 10_000_000;
/// Looks at places after which no other row length is packed first-fit.
const MOST_TICKS_FIRST_FIT: u64 = 100_000_000;

/// What is to be packed.
pub(crate) struct Packed {
    lattice: Lattice,
    /// The dimension and the number of places that each class moves a node by.
    classes: Vec<(usize, i64)>,
    /// Shortest paths of every difference but 0, as classes in the order of their channels.
    routes: Vec<Vec<Vec<usize>>>,
}

/// What acts along each dimension: translations by `turn` places, of which `ring` shift time differently.
#[derive(Clone, Debug)]
struct Symmetry {
    turns: Vec<u32>,
    rings: Vec<u32>,
    /// The product of the turns.
    bases: u32,
    /// The least common multiple of the rings.
    ring: u32,
}

impl Packed {
    /// `None` where the classes do not reach all nodes, or where there is too much to pack.
    pub(crate) fn new(lattice: Lattice, classes: Vec<(usize, i64)>) -> Option<Self> {
        if lattice.nodes() > MOST_NODES {
            return None;
        }
        let mut distance = vec![u32::MAX; lattice.nodes() as usize];
        distance[0] = 0;
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            for &(dimension, by) in &classes {
                let next = lattice.moved(at, dimension, by);
                if distance[next as usize] == u32::MAX {
                    distance[next as usize] = distance[at as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        // Unreached nodes are far enough to end it here.
        let uses: u64 = distance.iter().map(|d| u64::from(*d)).sum();
        if uses > MOST_HOPS || distance.len() < 2 {
            return None;
        }
        let mut packed = Packed { lattice, classes, routes: Vec::new() };
        packed.routes = (1..packed.lattice.nodes()).map(|to| packed.shortest(&distance, to)).collect();
        Some(packed)
    }

    /// The schedule; `None` where the network is another.
    pub(crate) fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let lattice = &self.lattice;
        if network.terminals().len() != lattice.nodes() as usize {
            return None;
        }
        // Refuses other networks before anything is packed.
        lattice.translations(network)?;
        let count = |claim: &OrbitClaim| claim.schedule.schedule.step_count() as u64;
        let paired = self.paired(network, control);
        if let Some(claim) = paired.as_ref().filter(|claim| count(claim) == self.least()) {
            return Some(Claim::Orbits(claim.clone()));
        }
        let alone = self.alone(network, control);
        paired.into_iter().chain(alone).min_by_key(count).map(Claim::Orbits)
    }

    /// The schedule of differences packed one by one.
    fn alone(&self, network: &Network, control: &Control<'_>) -> Option<OrbitClaim> {
        let lattice = &self.lattice;
        let (symmetry, rows, packing) = self.pack(control)?;
        let steps = u64::from(symmetry.ring) * rows as u64;
        let bases: Vec<u32> = (0..lattice.nodes()).filter(|v| self.base(&symmetry, *v) == *v).collect();
        let mut transfers = Transfers::new(network, control);
        for ((rank, base), packed) in (0u32..).zip(bases).zip(packing.chunks(self.routes.len())) {
            for (paths, placed) in self.routes.iter().zip(packed) {
                let step = u64::from((symmetry.ring - placed.place) % symmetry.ring) * rows as u64 + placed.row as u64;
                transfers.send(step, rank, self.walk(base, &paths[placed.option]))?;
            }
        }
        transfers.claim(steps, self.acting(network, &symmetry, steps)?)?.orbits()
    }

    /// What acts, with the steps it shifts time by.
    fn acting(&self, network: &Network, symmetry: &Symmetry, steps: u64) -> Option<Vec<(Generator, u64)>> {
        let generator = |d: usize| {
            let turn = symmetry.turns[d];
            let moved = |v| self.lattice.moved(v, d, turn.into());
            let shift = steps / u64::from(symmetry.rings[d]);
            Some((generator(network, self.lattice.sizes()[d] / turn, moved)?, shift % steps))
        };
        (0..symmetry.turns.len()).map(generator).collect()
    }

    /// The schedule of pairs that use whole circles, if those fill the fewest steps that a symmetry allows.
    fn paired(&self, network: &Network, control: &Control<'_>) -> Option<OrbitClaim> {
        let least = self.least();
        let rows = |s: &Symmetry| least.div_ceil(s.ring.into());
        let mut symmetries = self.symmetries();
        symmetries.retain(|s| s.bases == 1);
        symmetries.sort_by_key(|s| (rows(s) * u64::from(s.ring), s.ring));
        let symmetry = symmetries.first()?;
        let steps = rows(symmetry) * u64::from(symmetry.ring);
        let (pairs, left) = pairs(&self.routes, &self.circles(symmetry));
        // Few pairs are no help.
        if pairs.len() < left.len() {
            return None;
        }
        let whole = |pair: &Pair| self.uses(symmetry, 0, &pair.paths.concat());
        let of_pair = |pair: &Pair| -> Option<Options> { Some(vec![(0, whole(pair)?), (1, whole(&pair.turned())?)]) };
        let mut items: Vec<Options> = pairs.iter().map(of_pair).collect::<Option<_>>()?;
        let alone = |&d: &usize| {
            let uses = |(at, path): (usize, &Vec<usize>)| Some((at, self.uses(symmetry, 0, path)?));
            self.routes[d].iter().enumerate().filter_map(uses).collect::<Options>()
        };
        items.extend(left.iter().map(alone));
        let stride = |pair: &Pair| if symmetry.ring.is_multiple_of(pair.arc) { pair.arc } else { 1 };
        // An arc as long as those of the pairs is laid as they are.
        let long =
            |&d: &usize| pairs.last().filter(|p| self.routes[d][0] == [self.routes[d][0][0]].repeat(p.arc as usize));
        let strides = pairs.iter().map(stride).chain(left.iter().map(|d| long(d).map_or(1, stride))).collect();
        let number = usize::try_from(rows(symmetry)).ok()?;
        let mut packing = Rows::new(symmetry.ring, self.classes.len(), &items).with_strides(strides);
        let packing = packing.within(number, 2 * MOST_TICKS, control)?;
        let mut transfers = Transfers::new(network, control);
        let mut send = |path: &[usize], row: usize, place: u32| {
            let place = (symmetry.ring - place % symmetry.ring) % symmetry.ring;
            let step = u64::from(place) * number as u64 + row as u64;
            transfers.send(step, 0, self.walk(0, path))
        };
        for (at, placed) in packing.iter().enumerate() {
            if let Some(pair) = pairs.get(at) {
                let pair = if placed.option == 0 { pair.clone() } else { pair.turned() };
                send(&pair.paths[0], placed.row, placed.place)?;
                let end = self.walk(0, &pair.paths[0]).last()?;
                send(&pair.paths[1], placed.row, placed.place + self.place(symmetry, end))?;
            } else {
                send(&self.routes[left[at - pairs.len()]][placed.option], placed.row, placed.place)?;
            }
        }
        transfers.claim(steps, self.acting(network, symmetry, steps)?)?.orbits()
    }

    /// The place that a path from node 0 at place 0 has come to at a node.
    fn place(&self, symmetry: &Symmetry, node: u32) -> u32 {
        let along = |(d, &ring): (usize, &u32)| self.lattice.digit(node, d) % ring * (symmetry.ring / ring);
        symmetry.rings.iter().enumerate().map(along).fold(0, |sum, place| (sum + place) % symmetry.ring)
    }

    /// Of each class, how many of its channels in a row come back to the same place.
    fn circles(&self, symmetry: &Symmetry) -> Vec<u32> {
        let length = |&(dimension, by): &(usize, i64)| {
            let place = self.place(symmetry, self.lattice.moved(0, dimension, by));
            symmetry.ring / gcd(symmetry.ring, place)
        };
        self.classes.iter().map(length).collect()
    }

    /// Some shortest paths to a node, their classes ascending or descending.
    fn shortest(&self, distance: &[u32], to: u32) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        self.descend(distance, to, 0, &mut Vec::new(), &mut found);
        // The same channels in the reverse order meet other gaps.
        let reversed: Vec<Vec<usize>> = found.iter().map(|path| path.iter().rev().copied().collect()).collect();
        found.extend(reversed.into_iter().filter(|path| path.first() != path.last()));
        found
    }

    /// Adds the shortest paths to `rest` that begin with `path` and go on with classes from `from` on.
    fn descend(&self, distance: &[u32], rest: u32, from: usize, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        if rest == 0 {
            found.push(path.clone());
        }
        for class in from..self.classes.len() {
            let (dimension, by) = self.classes[class];
            let next = self.lattice.moved(rest, dimension, -by);
            if found.len() < MOST_ROUTES && distance[next as usize] < distance[rest as usize] {
                path.push(class);
                self.descend(distance, next, class, path, found);
                path.pop();
            }
        }
    }

    /// The nodes of a path.
    fn walk(&self, base: u32, path: &[usize]) -> impl Iterator<Item = u32> {
        let mut at = base;
        std::iter::once(base).chain(path.iter().map(move |&class| {
            let (dimension, by) = self.classes[class];
            at = self.lattice.moved(at, dimension, by);
            at
        }))
    }

    /// The base that translations take to a node.
    fn base(&self, symmetry: &Symmetry, node: u32) -> u32 {
        (0..symmetry.turns.len()).fold(node, |v, d| {
            let digit = self.lattice.digit(v, d);
            self.lattice.moved(v, d, i64::from(digit % symmetry.turns[d]) - i64::from(digit))
        })
    }

    /// What the classes have to carry at least, on shortest paths.
    fn least(&self) -> u64 {
        let hops: u64 = self.routes.iter().map(|paths| paths[0].len() as u64).sum();
        let forced = |class: usize| {
            let of = |path: &Vec<usize>| path.iter().filter(|c| **c == class).count() as u64;
            self.routes.iter().map(|paths| paths.iter().map(of).min().unwrap_or(0)).sum::<u64>()
        };
        (0..self.classes.len()).map(forced).fold(hops.div_ceil(self.classes.len() as u64), u64::max)
    }

    /// The symmetry, the number of rows, and where each message of each base goes: as few steps as were found.
    fn pack(&self, control: &Control<'_>) -> Option<(Symmetry, usize, Packing)> {
        let least = self.least();
        let symmetries = self.symmetries();
        let mut best: Option<(u64, Symmetry, Packing)> = None;
        let mut ticks = 0;
        for symmetry in symmetries.iter().filter(|s| s.bases == 1) {
            if ticks > MOST_TICKS_FIRST_FIT {
                break;
            }
            control.check()?;
            let options = self.options(symmetry)?;
            let mut rows = Rows::new(symmetry.ring, self.classes.len(), &options);
            let packing = rows.first_fit(usize::try_from(least.div_ceil(symmetry.ring.into())).ok()?, control)?;
            ticks += rows.ticks();
            let steps = rows.count() as u64 * u64::from(symmetry.ring);
            if best.as_ref().is_none_or(|(fewest, ..)| steps < *fewest) {
                best = Some((steps, symmetry.clone(), packing));
            }
        }
        let most = best.as_ref().map_or(2 * least + u64::from(self.lattice.nodes()), |(steps, ..)| *steps);
        let mut tries = BTreeMap::new();
        for symmetry in &symmetries {
            let wide = u64::from(symmetry.ring);
            for rows in least.div_ceil(wide)..most.div_ceil(wide) {
                tries.entry(rows * wide).or_insert(symmetry);
            }
        }
        let tries: Vec<(u64, &Symmetry)> = tries.into_iter().collect();
        // The least first, then the middle of what is left.
        let (mut low, mut high) = (0, tries.len());
        while low < high {
            let middle = if low == 0 { 0 } else { low.midpoint(high) };
            let (steps, symmetry) = tries[middle];
            control.check()?;
            match self.attempt(symmetry, steps, control) {
                Some(packing) => {
                    best = Some((steps, symmetry.clone(), packing));
                    high = middle;
                }
                None => low = middle + 1,
            }
        }
        let (steps, symmetry, packing) = best?;
        let rows = usize::try_from(steps / u64::from(symmetry.ring)).ok()?;
        Some((symmetry, rows, packing))
    }

    fn attempt(&self, symmetry: &Symmetry, steps: u64, control: &Control<'_>) -> Option<Packing> {
        let classes = self.classes.len() * symmetry.bases as usize;
        let rows = usize::try_from(steps / u64::from(symmetry.ring)).ok()?;
        let ticks = (TICKS_A_PLACE * steps * classes as u64).min(MOST_TICKS);
        Rows::new(symmetry.ring, classes, &self.options(symmetry)?).within(rows, ticks, control)
    }

    /// The symmetries under which every difference has a path that does not meet its images; fewest bases first, then the
    /// shortest rows.
    fn symmetries(&self) -> Vec<Symmetry> {
        let divisors = |n: u32| (1..=n).filter(move |d| n.is_multiple_of(*d));
        let mut all = vec![Symmetry { turns: Vec::new(), rings: Vec::new(), bases: 1, ring: 1 }];
        for &size in self.lattice.sizes() {
            let longer = |s: &Symmetry| {
                let s = s.clone();
                divisors(size).flat_map(move |turn| {
                    let s = s.clone();
                    divisors(size / turn).map(move |ring| Symmetry {
                        turns: [&s.turns[..], &[turn]].concat(),
                        rings: [&s.rings[..], &[ring]].concat(),
                        bases: s.bases * turn,
                        ring: s.ring / gcd(s.ring, ring) * ring,
                    })
                })
            };
            all = all.iter().flat_map(longer).collect();
            all.retain(|s| s.bases == 1 || s.bases <= MOST_ITEMS / (self.lattice.nodes() - 1));
        }
        all.sort_by_key(|s| (s.bases, s.ring));
        all.retain(|s| self.routes.iter().rev().all(|paths| paths.iter().any(|path| self.uses(s, 0, path).is_some())));
        all
    }

    /// What a path uses of a row; `None` where it meets an image of itself.
    fn uses(&self, symmetry: &Symmetry, base: u32, path: &[usize]) -> Option<Vec<Use>> {
        let part = |(class, at): (&usize, u32)| {
            let (mut rank, mut place) = (0, 0);
            for (d, (&turn, &ring)) in symmetry.turns.iter().zip(&symmetry.rings).enumerate() {
                let digit = self.lattice.digit(at, d);
                rank = rank * turn + digit % turn;
                place += digit / turn % ring * (symmetry.ring / ring);
            }
            Use { class: class * symmetry.bases as usize + rank as usize, place: place % symmetry.ring }
        };
        let uses: Vec<Use> = path.iter().zip(self.walk(base, path)).map(part).collect();
        let mut sorted = uses.clone();
        sorted.sort_unstable();
        sorted.windows(2).all(|w| w[0] != w[1]).then_some(uses)
    }

    /// What each message can use of a row, base by base.
    fn options(&self, symmetry: &Symmetry) -> Option<Vec<Options>> {
        let of = |base: u32, paths: &Vec<Vec<usize>>| {
            let uses = |(at, path): (usize, &Vec<usize>)| Some((at, self.uses(symmetry, base, path)?));
            let list: Options = paths.iter().enumerate().filter_map(uses).collect();
            (!list.is_empty()).then_some(list)
        };
        let bases = (0..self.lattice.nodes()).filter(|v| self.base(symmetry, *v) == *v);
        bases.flat_map(|base| self.routes.iter().map(move |paths| of(base, paths))).collect()
    }
}
