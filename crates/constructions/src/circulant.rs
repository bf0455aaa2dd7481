//! **What:** alltoall on networks that rotations by one node leave as they are: circulants, k-rings, midimews, multirings,
//! spidergons.
//!
//! **Promise:** none. Small networks and spidergons usually come out at the floor; others above it, since only shortest paths
//! are taken and shifts of time allow only some numbers of steps.
//!
//! **Construction:** channels of one length are a class. Rotations by k places act, and the rotation by k shifts time by T/R of
//! the T steps, where k divides the number n of nodes and R divides n/k. Then the steps split into T/R *rows* of R, and in a row
//! each class has R places at each of the nodes 0 to k − 1: a path that starts there at place z uses, at node v, the
//! place z + ⌊v/k⌋ of the class at node v mod k. So every difference chooses, at each of the k nodes, a shortest path, a row
//! and a place, and all that is needed is to pack them into few rows. For R = 1 no time is shifted, and a row is a step;
//! the larger R is, the fewer numbers of steps there are to choose from, the larger k, the more there is to pack.
//! For k = 1 and every R the differences are packed first-fit, longest first, by the path over the least busy classes.
//! Between what that gives and what the classes have to carry, numbers of steps are tried by halving the interval, with
//! what does not fit ejecting what is lighter.
//!
//! **Source:** packing classes of generators; Monakhova and others on multirings; the ejection after the engine `packing`.
//!
//! **Example:** `circulant:13;±1,±5`

use crate::Plan;
use crate::draft::{Draft, generator};
use crate::registry::{Construction, Form, MOST_USES};
use crate::rows::{Options, Packing, Rows, Use};
use kernel::{Network, Node};

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "circulant",
    about: "differences packed into rows of the classes of channels of one length",
    source: "packing classes of generators",
    promise: "no promised number of",
    examples: &[
        "circulant:8;1,3",
        "circulant:16;±1,±4",
        "circulant:64;±1,±8",
        "kring:8;1,3",
        "kring:15;1,4",
        "midimew:8",
        "midimew:24",
        "multiring:4,13",
        "multiring:5,25",
        "spidergon:8",
        "spidergon:20",
    ],
    make: |family, _| {
        let known = ["circulant", "kring", "midimew", "multiring", "spidergon"].contains(&family);
        known.then(|| Box::new(Circulant) as Box<dyn Form>)
    },
};

/// Most shortest paths of a difference that are considered, by the numbers of their channels of each length.
const MOST_ROUTES: usize = 12;
/// Most messages, one a base and difference, of an attempt with k above 1.
const MOST_ITEMS: u32 = 1 << 14;
/// Looks at places that one attempt has, for each place there is.
const TICKS_A_PLACE: u64 = 50_000;
/// Most looks at places that one attempt has.
const MOST_TICKS: u64 = 40_000_000;

struct Circulant;

impl Form for Circulant {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn plan(&self, network: &Network) -> Option<Plan> {
        let n = u32::try_from(network.node_count()).ok().filter(|n| *n > 1)?;
        generator(network, n, |v| (v + 1) % n)?;
        if network.terminals().len() != n as usize {
            return None;
        }
        let mut lengths: Vec<u32> = network.outgoing(Node(0)).iter().map(|c| network.to(*c).0).collect();
        lengths.dedup();
        let routes = routes(n, &lengths)?;
        let differences = Differences { n, lengths, routes };
        let (symmetry, rows, packing) = differences.pack()?;
        let Symmetry { turn, ring } = symmetry;
        let steps = u64::from(ring) * rows as u64;
        let mut draft = Draft::new(network);
        for (base, packed) in (0..turn).zip(packing.chunks(n as usize - 1)) {
            for (paths, placed) in differences.routes.iter().zip(packed) {
                let walk = differences.walk(base, &paths[placed.option]);
                let step = u64::from((ring - placed.place) % ring) * rows as u64 + placed.row as u64;
                draft.send(step, base, walk)?;
            }
        }
        draft.plan(steps, vec![(generator(network, n / turn, |v| (v + turn) % n)?, rows as u64 % steps)])
    }
}

/// What acts: rotations by `turn` nodes, of which `ring` shift time differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Symmetry {
    turn: u32,
    ring: u32,
}

/// Shortest paths of every difference but 0, as classes in the order of their channels.
fn routes(n: u32, lengths: &[u32]) -> Option<Vec<Vec<Vec<usize>>>> {
    let mut distance = vec![u32::MAX; n as usize];
    distance[0] = 0;
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        for length in lengths {
            let next = (at + length) % n;
            if distance[next as usize] == u32::MAX {
                distance[next as usize] = distance[at as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    // Unreached nodes are far enough to end it here.
    let uses: u64 = distance.iter().map(|d| u64::from(*d)).sum();
    if uses > MOST_USES / (2 * MOST_ROUTES as u64) {
        return None;
    }
    let of = |difference: u32| {
        let mut found = Vec::new();
        descend(n, lengths, &distance, difference, 0, &mut Vec::new(), &mut found);
        // The same channels in the reverse order meet other gaps.
        let reversed: Vec<Vec<usize>> = found.iter().map(|path| path.iter().rev().copied().collect()).collect();
        found.extend(reversed.into_iter().filter(|path| path.first() != path.last()));
        found
    };
    Some((1..n).map(of).collect())
}

/// Adds the shortest paths to `rest` that begin with `path` and go on with classes from `from` on.
fn descend(
    n: u32,
    lengths: &[u32],
    distance: &[u32],
    rest: u32,
    from: usize,
    path: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if rest == 0 {
        found.push(path.clone());
    }
    for class in from..lengths.len() {
        let next = (rest + n - lengths[class]) % n;
        if found.len() < MOST_ROUTES && distance[next as usize] < distance[rest as usize] {
            path.push(class);
            descend(n, lengths, distance, next, class, path, found);
            path.pop();
        }
    }
}

/// What is to be packed.
struct Differences {
    n: u32,
    lengths: Vec<u32>,
    routes: Vec<Vec<Vec<usize>>>,
}

impl Differences {
    /// The nodes of a path.
    fn walk(&self, base: u32, path: &[usize]) -> impl Iterator<Item = u32> {
        let mut at = base;
        std::iter::once(base).chain(path.iter().map(move |&class| {
            at = (at + self.lengths[class]) % self.n;
            at
        }))
    }

    /// What the classes have to carry at least, on shortest paths.
    fn least(&self) -> u64 {
        let hops: u64 = self.routes.iter().map(|paths| paths[0].len() as u64).sum();
        let forced = |class: usize| {
            let of = |path: &Vec<usize>| path.iter().filter(|c| **c == class).count() as u64;
            self.routes.iter().map(|paths| paths.iter().map(of).min().unwrap_or(0)).sum::<u64>()
        };
        (0..self.lengths.len()).map(forced).fold(hops.div_ceil(self.lengths.len() as u64), u64::max)
    }

    /// The symmetry, the number of rows, and where each message of each base goes: as few steps as were found.
    fn pack(&self) -> Option<(Symmetry, usize, Packing)> {
        let least = self.least();
        let mut best: Option<(u64, Symmetry, Packing)> = None;
        for ring in (1..=self.n).filter(|ring| self.n.is_multiple_of(*ring)) {
            let symmetry = Symmetry { turn: 1, ring };
            let Some(options) = self.options(symmetry) else { continue };
            let mut rows = Rows::new(ring, self.lengths.len(), &options);
            let packing = rows.first_fit(usize::try_from(least.div_ceil(ring.into())).ok()?);
            let steps = rows.count() as u64 * u64::from(ring);
            if best.as_ref().is_none_or(|(fewest, ..)| steps < *fewest) {
                best = Some((steps, symmetry, packing));
            }
        }
        // Numbers of steps to try, each with the largest group that allows it.
        let mut tries = std::collections::BTreeMap::new();
        let most = best.as_ref().map_or(2 * least + u64::from(self.n), |(steps, ..)| *steps);
        for turn in (1..=self.n).filter(|turn| self.n.is_multiple_of(*turn)) {
            if turn > 1 && turn * (self.n - 1) > MOST_ITEMS {
                break;
            }
            for ring in (1..=self.n / turn).rev().filter(|ring| (self.n / turn).is_multiple_of(*ring)) {
                let symmetry = Symmetry { turn, ring };
                if self.options(symmetry).is_some() {
                    let wide = u64::from(ring);
                    (least.div_ceil(wide)..most.div_ceil(wide)).for_each(|rows| {
                        tries.entry(rows * wide).or_insert(symmetry);
                    });
                }
            }
        }
        let tries: Vec<(u64, Symmetry)> = tries.into_iter().collect();
        // The least first, then the middle of what is left.
        let (mut low, mut high) = (0, tries.len());
        while low < high {
            let middle = if low == 0 { 0 } else { low.midpoint(high) };
            let (steps, symmetry) = tries[middle];
            match self.attempt(symmetry, steps) {
                Some(packing) => {
                    best = Some((steps, symmetry, packing));
                    high = middle;
                }
                None => low = middle + 1,
            }
        }
        let (steps, symmetry, packing) = best?;
        Some((symmetry, usize::try_from(steps / u64::from(symmetry.ring)).ok()?, packing))
    }

    fn attempt(&self, symmetry: Symmetry, steps: u64) -> Option<Packing> {
        let classes = self.lengths.len() * symmetry.turn as usize;
        let rows = usize::try_from(steps / u64::from(symmetry.ring)).ok()?;
        let ticks = (TICKS_A_PLACE * steps * classes as u64).min(MOST_TICKS);
        Rows::new(symmetry.ring, classes, &self.options(symmetry)?).within(rows, ticks)
    }

    /// What each path uses of a row, base by base; without those that meet themselves. `None` where a difference has no
    /// other.
    fn options(&self, symmetry: Symmetry) -> Option<Vec<Options>> {
        let Symmetry { turn, ring } = symmetry;
        let uses = |base: u32, path: &Vec<usize>| {
            let part = |(class, at): (&usize, u32)| Use {
                class: *class * turn as usize + (at % turn) as usize,
                place: at / turn % ring,
            };
            let uses: Vec<Use> = path.iter().zip(self.walk(base, path)).map(part).collect();
            let mut sorted = uses.clone();
            sorted.sort_unstable();
            sorted.windows(2).all(|w| w[0] != w[1]).then_some(uses)
        };
        let of = |base: u32, paths: &Vec<Vec<usize>>| {
            let list: Vec<_> =
                paths.iter().enumerate().filter_map(|(at, path)| Some((at, uses(base, path)?))).collect();
            (!list.is_empty()).then_some(list)
        };
        (0..turn).flat_map(|base| self.routes.iter().map(move |paths| of(base, paths))).collect()
    }
}
