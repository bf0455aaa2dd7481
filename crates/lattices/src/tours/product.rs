//! **What:** the steps of alltoall on a product of lines, rings and complete networks.
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
//! *Complete networks* have a class of one slot for each difference, whose channels are all different.
//!
//! **Facts:** a tuple of c classes other than loops, m of them double, has 2^(m−1) T steps; over all tuples that is nodes·L/4 where the longest
//! dimension is a line of even L, and rings are taken as lines.
//!
//! **On rings** the blocks of a tuple and of the tuple of all opposite directions share their steps: the one turns upwards, the other
//! downwards. What has no direction takes that of the first class that has one. Where none has, rounds go in pairs; the
//! one round of a single class of swaps has half of its swaps in each direction. With rings of N nodes that is ⌈nodes·N/8⌉.
//!
//! *Lines beside rings* ([`shift`](super::shift)): both tuples want the same line, so the opposite one comes some steps later. A line of L nodes then
//! takes twice its slots: T ≥ L/2 without double classes, ⌈nodes·L/4⌉ in all where lines are longer than half of all rings.

use super::block::{Along, Block, Ends};
use super::line::{Class, Kind, Role, classes};
use super::shift::shift;
use super::sides::Side;
use topologies::grid::Along as Joined;

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

/// A product of lines, rings and complete networks.
pub(super) struct Product {
    dimensions: Vec<Dimension>,
    route: Vec<usize>,
    longest: usize,
    /// Steps of a round of blocks with double classes; half of it, rounded up, are those of blocks without.
    slots: u32,
}

struct Dimension {
    side: Side,
    stride: u32,
    /// Whether messages have a part along it.
    is_required: bool,
    classes: Vec<Class>,
}

/// Which messages of a product are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    All,
    /// Those that have a part along the longest line.
    AlongLongest,
    /// One of those that translations along complete networks, and by half of even rings, make of each other.
    Bases,
}

/// Most slots above the fewest that are tried beside rings.
const MORE_SLOTS: u32 = 4;

/// In what classes a line or ring is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Single,
    Double,
    /// An even size like an odd one, with swaps and loops in classes of their own.
    Apart,
}

/// The longest size of lines and rings.
fn longest(sides: &[Side]) -> Option<u32> {
    sides.iter().filter(|side| !side.is(Joined::Complete)).map(|side| side.size).max()
}

impl Form {
    fn of(is_double: bool) -> Self {
        if is_double { Form::Double } else { Form::Single }
    }

    /// Whether the bits of its double classes are right for receivers only, or for senders only.
    fn is_one_sided(self, side: Side) -> bool {
        let is_odd = !side.half().is_multiple_of(2);
        is_odd && (self == Form::Apart || self == Form::Double && side.size % 2 == 1)
    }
}

impl Product {
    /// Whether its steps are known, with rings taken as lines: of sizes 4k + 1 there are two at most besides the longest.
    pub(super) fn is_known(sides: &[Side]) -> bool {
        let twice = sides.iter().filter(|side| side.is_odd_twice()).count();
        twice <= 2 + usize::from(Product::has_near_factors(sides).is_some())
    }

    /// The longest size, if it is 4k + 1 and in classes of near-one-factors.
    pub(super) fn has_near_factors(sides: &[Side]) -> Option<u32> {
        let longest = longest(sides)?;
        let is_alone = sides.iter().filter(|side| side.size == longest && !side.is(Joined::Complete)).count() == 1;
        let is_deep = sides.len() > 2 || sides.iter().any(|side| side.is(Joined::Complete));
        (longest % 4 == 1 && is_alone && is_deep).then_some(longest)
    }

    /// The product with rings taken as lines; `None` where its steps are not known.
    pub(super) fn of_lines(sides: &[Side], among: Among) -> Option<Self> {
        let longest = longest(sides)?;
        let near = Product::has_near_factors(sides).filter(|_| among == Among::AlongLongest);
        let form = |side: Side| {
            let is_single = side.half().is_multiple_of(2) || near == Some(side.size);
            Form::of(!is_single && (side.size % 2 == 1 || side.size == longest))
        };
        let slots = longest.div_ceil(2) - u32::from(near.is_some());
        let mut product = Product::new(sides, slots, form, among)?;
        let at = product.route.iter().position(|d| sides[*d].size == longest && !sides[*d].is(Joined::Complete))?;
        product.dimensions[at].is_required = among == Among::AlongLongest;
        product.longest = product.route[at];
        Some(product)
    }

    /// The product with rings taken as lines and all swaps apart, in so many slots.
    pub(super) fn apart(sides: &[Side], slots: u32) -> Option<Self> {
        let form = |side: Side| match side.size.is_multiple_of(2) {
            true => Form::Apart,
            false => Form::of(!side.half().is_multiple_of(2)),
        };
        Product::new(sides, slots, form, Among::All)
    }

    /// The product with rings used in both directions, in as few slots as the shifts of all blocks allow; `None` where its steps
    /// are not known.
    pub(super) fn of_rings(sides: &[Side], among: Among) -> Option<Self> {
        let fewest = Product::fewest_slots(sides)?;
        (fewest..=fewest + MORE_SLOTS).find_map(|slots| {
            let form = |side: Side| match side.along {
                Joined::Ring => {
                    Form::of(!side.half().is_multiple_of(2) && (side.size % 2 == 1 || side.half() == slots))
                }
                Joined::Line => Form::of(side.is_odd_twice()),
                Joined::Complete => Form::Single,
            };
            let product = Product::new(sides, slots, form, among)?;
            let fits = product.tuples().all(|tuple| product.shift(&tuple).is_some());
            fits.then_some(product)
        })
    }

    /// Steps of a round of blocks with double classes.
    pub(super) fn slots(&self) -> u32 {
        self.slots
    }

    /// The fewest slots with rings used in both directions: what rings need, and twice what lines need.
    fn fewest_slots(sides: &[Side]) -> Option<u32> {
        let of = |side: &Side| match side.along {
            Joined::Line => 2 * side.half(),
            Joined::Ring => side.half(),
            Joined::Complete => 1,
        };
        sides.iter().map(of).max()
    }

    fn new(sides: &[Side], slots: u32, form: impl Fn(Side) -> Form, among: Among) -> Option<Self> {
        let form = |side: Side| if side.is(Joined::Complete) { Form::Single } else { form(side) };
        let has_doubles = sides.iter().any(|side| form(*side) == Form::Double);
        let (ends, mut route): (Vec<usize>, Vec<usize>) =
            (0..sides.len()).partition(|d| form(sides[*d]).is_one_sided(sides[*d]));
        if ends.len() > 2 {
            return None;
        }
        route.splice(0..0, ends.first().copied());
        route.extend(ends.get(1));
        let of = |&dimension: &usize| {
            let side = sides[dimension];
            let by_sender = ends.get(1) == Some(&dimension);
            let role = match form(side) {
                _ if side.is(Joined::Complete) => Role::Complete,
                Form::Single => Role::Single,
                Form::Double => Role::Double { slots, by_sender },
                Form::Apart => Role::Apart { slots, by_sender },
            };
            let mut classes = classes(side.size, role);
            let bases = if among == Among::Bases { side.bases() } else { side.size };
            classes.iter_mut().for_each(|class| class.parts.retain(|part| part.from < bases));
            let stride = sides[dimension + 1..].iter().map(|side| side.size).product();
            Dimension { side, stride, is_required: false, classes }
        };
        let dimensions: Vec<Dimension> = route.iter().map(of).collect();
        let fits =
            |d: &Dimension| d.side.is(Joined::Line) || d.classes.iter().all(|class| class.fits(slots, has_doubles));
        dimensions.iter().all(fits).then(|| Product { longest: route[0], route, dimensions, slots })
    }

    /// The order in which messages take the dimensions.
    pub(super) fn route(&self) -> &[usize] {
        &self.route
    }

    /// The classes of each dimension of the route.
    pub(super) fn classes(&self) -> Vec<&[Class]> {
        self.dimensions.iter().map(|dimension| &dimension.classes[..]).collect()
    }

    /// The first of the longest lines in the route.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Every step of the product of lines.
    pub(super) fn lines(&self, visit: Visit<'_>) -> Option<()> {
        self.tuples().try_for_each(|tuple| self.steps(&tuple, visit))
    }

    /// The steps of a tuple on lines.
    pub(super) fn steps(&self, tuple: &[usize], visit: Visit<'_>) -> Option<()> {
        let (block, mut messages) = (self.block(tuple), Vec::new());
        for round in 0..block.rounds() {
            block.fill(round, &mut messages);
            for step in &messages {
                visit(&[Batch { route: &self.route, downwards: &[], messages: step }])?;
            }
        }
        Some(())
    }

    /// The class of a dimension in a tuple, if it moves anything.
    pub(super) fn moving(&self, tuple: &[usize], dimension: usize) -> Option<usize> {
        let at = self.route.iter().position(|d| *d == dimension)?;
        Some(tuple[at]).filter(|class| self.dimensions[at].classes[*class].kind != Kind::Loops)
    }

    /// Every step of the product of rings.
    pub(super) fn rings(&self, visit: Visit<'_>) -> Option<()> {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for tuple in self.tuples() {
            let first = tuple.iter().enumerate().find_map(|(d, &class)| self.dimensions[d].classes[class].reversed);
            let (this, other) = (self.block(&tuple), self.block(&self.opposite(&tuple)));
            let (upwards, downwards) = (self.directions(&tuple, false), self.directions(&tuple, true));
            let later = self.shift(&tuple)?;
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
                down.rotate_right(later as usize);
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

    /// How many steps later the opposite of a tuple has to come, on rings; `None` where no number will do.
    fn shift(&self, tuple: &[usize]) -> Option<u32> {
        let opposite = self.opposite(tuple);
        // Rings are used in the other direction, and opposite differences of complete networks have other channels.
        let pairs = self.of(tuple).zip(self.of(&opposite)).zip(&self.dimensions);
        let lines = pairs.filter(|(_, dimension)| dimension.side.is(Joined::Line));
        let shared: Vec<(&Class, &Class)> = lines.map(|(classes, _)| classes).collect();
        let slots = self.steps_of_a_round(self.of(tuple));
        shift(&shared, slots, self.of(tuple).any(|class| class.kind.is_double()))
    }

    /// The tuples of classes that hold messages.
    pub(super) fn tuples(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
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

    pub(super) fn block(&self, tuple: &[usize]) -> Block<'_> {
        let of = self.dimensions.iter().zip(tuple);
        let parts: Vec<Along<'_>> = of.map(|(d, class)| Along::new(&d.classes[*class], d.stride)).collect();
        Block::new(parts, self.steps_of_a_round(self.of(tuple)))
    }

    fn steps_of_a_round<'a>(&self, mut classes: impl Iterator<Item = &'a Class>) -> u32 {
        if classes.any(|class| class.kind.is_double()) { self.slots } else { self.slots.div_ceil(2) }
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
