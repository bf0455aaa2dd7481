//! **What:** the steps of alltoall on a product of lines (or rings), of which the longest has an even number of nodes.
//!
//! **Construction.** A message has a part along every dimension, each part in a class ([`line`](super::line)). Messages whose parts are
//! of the same tuple of classes share a block of steps, and its step follows from the slots of its parts. Messages take the
//! dimensions in one order, the *route*. So a line along dimension i is told by the ends of the parts before i, and by the
//! beginnings of the parts behind it; a step is right where every line sees parts of one slot only, since those form one tour.
//!
//! *Single classes only:* T = h/2 steps, h = L/2 of the longest size L, and step Σ slot mod T. All but the part along a line's own dimension are
//! known by one of their ends, so different slots of this part are in different steps.
//!
//! *Double classes* take rounds of T = h steps: [`block`](super::block).
//!
//! **Facts:** a tuple of c classes other than loops, m of them double, has 2^(m−1) T steps; over all tuples that is nodes·L/4.
//!
//! **On tori** the blocks of a tuple and of the tuple of all opposite directions share their steps: the one turns upwards, the other
//! downwards. What has no direction takes that of the first class that has one. Where none has, rounds go in pairs; the
//! one round of a single class of swaps has half of its swaps in each direction. That is ⌈nodes·L/8⌉.

use super::block::{Along, Block, Ends};
use super::line::{Class, Kind, Role, classes};

/// Messages of one step that take the dimensions in the same order, and on rings in the same directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch<'a> {
    /// The dimensions in the order in which messages take them.
    pub route: &'a [usize],
    /// On rings, whether messages go downwards, a dimension of the route each.
    pub downwards: &'a [bool],
    pub messages: &'a [Ends],
}

/// Takes one step; `None` ends the construction.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&[Batch<'_>]) -> Option<()>;

/// A product of lines or rings.
pub(super) struct Product {
    dimensions: Vec<Dimension>,
    route: Vec<usize>,
    longest: usize,
    slots: u32,
    /// Whether some dimension has double classes.
    has_doubles: bool,
}

struct Dimension {
    stride: u32,
    /// Whether messages have a part along it.
    is_required: bool,
    classes: Vec<Class>,
}

/// Which messages of a product are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    All,
    /// Those that have a part along the longest dimension.
    AlongLongest,
    /// Those from the first half of each even dimension, as translations make the others of them.
    Bases,
}

impl Product {
    /// Whether its steps are known: of sizes 4k + 1 there are two at most.
    pub(super) fn is_known(sizes: &[u32]) -> bool {
        sizes.iter().filter(|n| *n % 4 == 1).count() <= 2
    }

    /// The product of lines of these sizes, all above 1; `None` where more than two are 4k + 1.
    pub(super) fn new(sizes: &[u32], among: Among) -> Option<Self> {
        let longest = *sizes.iter().max()?;
        let half = longest.div_ceil(2);
        let is_double = |n: u32| n.div_ceil(2) % 2 == 1 && (n % 2 == 1 || n == longest);
        let has_doubles = sizes.iter().any(|n| is_double(*n));
        let slots = if has_doubles { half } else { half / 2 };
        let (ends, mut route): (Vec<usize>, Vec<usize>) = (0..sizes.len()).partition(|d| sizes[*d] % 4 == 1);
        if !Product::is_known(sizes) {
            return None;
        }
        route.splice(0..0, ends.first().copied());
        route.extend(ends.get(1));
        let stride = |dimension: usize| sizes[dimension + 1..].iter().product();
        let of = |&dimension: &usize| {
            let (size, by_sender) = (sizes[dimension], ends.get(1) == Some(&dimension));
            let role = if is_double(size) { Role::Double { slots, by_sender } } else { Role::Single };
            let mut classes = classes(size, role);
            if among == Among::Bases && size % 2 == 0 {
                classes.iter_mut().for_each(|class| class.parts.retain(|part| part.from < size / 2));
            }
            Dimension { stride: stride(dimension), is_required: false, classes }
        };
        let mut dimensions: Vec<Dimension> = route.iter().map(of).collect();
        let at = route.iter().position(|d| sizes[*d] == longest)?;
        dimensions[at].is_required = among == Among::AlongLongest;
        Some(Product { dimensions, longest: route[at], route, slots, has_doubles })
    }

    /// The first of the longest dimensions in the route.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Every step of the product of lines.
    pub(super) fn lines(&self, visit: Visit<'_>) -> Option<()> {
        let mut messages = Vec::new();
        for tuple in self.tuples() {
            let block = self.block(&tuple);
            for round in 0..block.rounds() {
                block.fill(round, &mut messages);
                for step in &messages {
                    visit(&[Batch { route: &self.route, downwards: &[], messages: step }])?;
                }
            }
        }
        Some(())
    }

    /// Every step of the product of rings.
    pub(super) fn rings(&self, visit: Visit<'_>) -> Option<()> {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for tuple in self.tuples() {
            let first = tuple.iter().enumerate().find_map(|(d, &class)| self.dimensions[d].classes[class].reversed);
            let (this, other) = (self.block(&tuple), self.block(&self.opposite(&tuple)));
            let (upwards, downwards) = (self.directions(&tuple, false), self.directions(&tuple, true));
            // A tuple and its opposite have their blocks together.
            let rounds = match first {
                Some(true) => continue,
                Some(false) => (0..this.rounds()).map(|round| (round, round)).collect(),
                None if this.rounds() > 1 => (0..this.rounds() / 2).map(|k| (2 * k, 2 * k + 1)).collect(),
                None => Vec::new(),
            };
            let mut steps = |up: &[Vec<Ends>], down: &[Vec<Ends>]| {
                let batch = |downwards, messages| Batch { route: &self.route, downwards, messages };
                (0..up.len()).try_for_each(|at| {
                    let up = batch(&upwards, &up[at]);
                    match down.get(at) {
                        Some(messages) => visit(&[up, batch(&downwards, messages)]),
                        None => visit(&[up]),
                    }
                })
            };
            for (one, another) in &rounds {
                this.fill(*one, &mut up);
                other.fill(*another, &mut down);
                steps(&up, &down)?;
            }
            if rounds.is_empty() {
                this.fill(0, &mut up);
                let (up, down) = up.split_at(up.len().div_ceil(2));
                steps(up, down)?;
            }
        }
        Some(())
    }

    /// The tuples of classes that hold messages.
    fn tuples(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let mut next = Some(vec![0; self.dimensions.len()]);
        let all = std::iter::from_fn(move || {
            let tuple = next.take()?;
            let mut after = tuple.clone();
            for (class, dimension) in after.iter_mut().zip(&self.dimensions).rev() {
                *class += 1;
                if *class < dimension.classes.len() {
                    next = Some(after);
                    break;
                }
                *class = 0;
            }
            Some(tuple)
        });
        all.filter(|tuple| {
            let moves = |class: &Class| class.kind != Kind::Loops;
            let is_as_required = self.of(tuple).zip(&self.dimensions).all(|(class, d)| moves(class) || !d.is_required);
            is_as_required && self.of(tuple).any(moves)
        })
    }

    fn block(&self, tuple: &[usize]) -> Block<'_> {
        let of = self.dimensions.iter().zip(tuple);
        let parts: Vec<Along<'_>> = of.map(|(d, class)| Along::new(&d.classes[*class], d.stride)).collect();
        let has_doubles = parts.iter().any(|p| p.class.kind.is_double());
        let slots = if self.has_doubles && !has_doubles { self.slots / 2 } else { self.slots };
        Block::new(parts, slots)
    }

    fn of<'a>(&'a self, tuple: &'a [usize]) -> impl Iterator<Item = &'a Class> + Clone {
        self.dimensions.iter().zip(tuple).map(|(dimension, class)| &dimension.classes[*class])
    }

    fn opposite(&self, tuple: &[usize]) -> Vec<usize> {
        let of = |(class, &index): (&Class, &usize)| if class.reversed.is_some() { index ^ 1 } else { index };
        self.of(tuple).zip(tuple).map(of).collect()
    }

    /// Which dimensions a tuple, or its opposite, goes downwards.
    fn directions(&self, tuple: &[usize], opposite: bool) -> Vec<bool> {
        let first = self.of(tuple).find_map(|class| class.reversed).unwrap_or(false);
        self.of(tuple).map(|class| class.reversed.unwrap_or(first) != opposite).collect()
    }
}
