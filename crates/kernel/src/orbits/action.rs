//! **What:** where the elements of an abelian group take things that its generators permute: nodes, channels, half-duplex
//! groups.
//!
//! **Idea:** elements are numbered by their exponents, the first generator's varying fastest. Of each orbit one table says
//! where every element takes its least member, the base. Since the group is abelian, what moves one member of an orbit
//! moves the base by the same element, so the tables answer every question by adding exponents.

use std::collections::BTreeMap;

/// The orders of a list of generators, and arithmetic with the numbers of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Radix {
    pub orders: Vec<u32>,
    /// Number of elements.
    pub size: u32,
    /// Whether exponents add like bits, so that numbers add by exclusive or.
    binary: bool,
}

impl Radix {
    /// `None` where there are 2^32 elements or more.
    pub(super) fn new(orders: Vec<u32>) -> Option<Self> {
        let size = orders.iter().try_fold(1u32, |size, n| size.checked_mul(*n))?;
        let binary = orders.iter().all(|n| *n == 2);
        Some(Radix { orders, size, binary })
    }

    /// The element that does what `a` and `b` do.
    #[inline]
    pub(super) fn add(&self, a: u32, b: u32) -> u32 {
        if self.binary { a ^ b } else { self.combine(a, b, |x, y, n| if x >= n - y { x - (n - y) } else { x + y }) }
    }

    /// The element that does what `a` does after `b` is undone.
    #[inline]
    pub(super) fn subtract(&self, a: u32, b: u32) -> u32 {
        if self.binary { a ^ b } else { self.combine(a, b, |x, y, n| if x >= y { x - y } else { x + (n - y) }) }
    }

    /// The number of the element that does once what the i-th generator does.
    pub(super) fn unit(&self, generator: usize) -> u32 {
        if self.orders[generator] == 1 { 0 } else { self.orders[..generator].iter().product() }
    }

    /// Whether every map takes what each element makes of something, in the order of the elements, to what the element makes
    /// of it that does one more of the map's generator.
    fn moves(&self, maps: &[&[u32]], images: &[u32]) -> bool {
        let mut scale = 1;
        for (map, &order) in maps.iter().zip(&self.orders) {
            let turn = scale * order as usize;
            for images in images.chunks_exact(turn) {
                let (next, first) = (images[scale..].iter(), images[..scale].iter());
                if !images.iter().zip(next.chain(first)).all(|(image, next)| map[*image as usize] == *next) {
                    return false;
                }
            }
            scale = turn;
        }
        true
    }

    fn combine(&self, mut a: u32, mut b: u32, digit: impl Fn(u32, u32, u32) -> u32) -> u32 {
        let (mut sum, mut scale) = (0, 1);
        for &n in &self.orders {
            sum += scale * digit(a % n, b % n, n);
            (a, b, scale) = (a / n, b / n, scale.wrapping_mul(n));
        }
        sum
    }

    /// What every element adds up to if the i-th generator counts `values[i]`, modulo `modulus`.
    pub(super) fn sums(&self, values: &[u64], modulus: u64) -> Vec<u64> {
        let mut sums = vec![0u64];
        for (&order, &value) in self.orders.iter().zip(values) {
            let known = sums.len();
            let value = u128::from(value % modulus);
            for exponent in 1..order {
                let more =
                    u64::try_from(u128::from(exponent) * value % u128::from(modulus)).expect("below the modulus");
                sums.extend_from_within(..known);
                let fresh = sums.len() - known;
                sums[fresh..].iter_mut().for_each(|s| *s = (*s + more) % modulus);
            }
        }
        sums
    }
}

/// What a group does to a number of things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Action {
    /// Where each element takes the base of each orbit, orbit by orbit.
    table: Vec<u32>,
    /// Where each thing is in the table, which says its orbit and the element that takes the base to it; where several do,
    /// the first.
    position: Vec<u32>,
    /// The elements that leave the base of an orbit where it is, of the orbits where there are several; the same for every
    /// member.
    fixing: BTreeMap<u32, Vec<u32>>,
    size: u32,
}

/// Why there are no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoAction {
    /// They would be beyond memory.
    TooLarge,
    /// The maps do not commute, or have other orders.
    Disorder,
}

impl Action {
    /// The tables of the maps of `count` things, the i-th of order `orders[i]`.
    ///
    /// **What is proved:** every map takes the base's image under an element to the image under the next element, for every
    /// orbit, element and map. So each map moves all things as a unit of the exponents does: maps commute and have those
    /// orders.
    pub(super) fn new(radix: &Radix, maps: &[&[u32]], count: usize) -> Result<Self, NoAction> {
        const NOWHERE: u32 = u32::MAX;
        let size = radix.size as usize;
        let mut action =
            Action { table: Vec::new(), position: vec![NOWHERE; count], fixing: BTreeMap::new(), size: radix.size };
        for base in 0..count {
            if action.position[base] != NOWHERE {
                continue;
            }
            let first = action.table.len();
            if first + size > MOST_ENTRIES {
                return Err(NoAction::TooLarge);
            }
            action.table.push(u32::try_from(base).expect("ids are 32 bits wide"));
            for (map, &order) in maps.iter().zip(&radix.orders) {
                let known = action.table.len() - first;
                for _ in 1..order {
                    let last = action.table.len() - known;
                    for at in last..last + known {
                        action.table.push(map[action.table[at] as usize]);
                    }
                }
            }
            let images = &action.table[first..];
            if !radix.moves(maps, images) {
                return Err(NoAction::Disorder);
            }
            for (position, &image) in (first..).zip(images) {
                if action.position[image as usize] == NOWHERE {
                    action.position[image as usize] = u32::try_from(position).expect("below the most entries");
                }
            }
            let still = (0u32..).zip(images).filter(|(_, image)| **image as usize == base).map(|(element, _)| element);
            if still.clone().nth(1).is_some() {
                let class = u32::try_from(first / size).expect("below the most entries");
                action.fixing.insert(class, still.collect());
            }
        }
        Ok(action)
    }

    /// Number of orbits.
    pub(super) fn classes(&self) -> u32 {
        u32::try_from(self.table.len() / self.size as usize).expect("no more orbits than things, which have 32-bit ids")
    }

    /// The orbit of a thing.
    #[inline]
    pub(super) fn class(&self, thing: u32) -> u32 {
        self.position[thing as usize] / self.size
    }

    /// The element that takes the base of its orbit to a thing; where several do, the first.
    #[inline]
    pub(super) fn element(&self, thing: u32) -> u32 {
        self.position[thing as usize] % self.size
    }

    /// The elements that leave an orbit's members where they are.
    #[inline]
    pub(super) fn fixing(&self, class: u32) -> &[u32] {
        // Of free actions nothing need be looked up.
        let several = if self.fixing.is_empty() { None } else { self.fixing.get(&class) };
        several.map_or(&[0], Vec::as_slice)
    }

    /// The least member of a thing's orbit, and how many elements leave it where it is.
    pub(super) fn counted(&self, thing: u32) -> (u32, u32) {
        let class = self.class(thing);
        let fixing = self.fixing(class).len();
        (self.base(class), u32::try_from(fixing).expect("no more elements than have 32-bit numbers"))
    }

    /// The least member of an orbit.
    pub(super) fn base(&self, class: u32) -> u32 {
        self.base_under(class, 0)
    }

    /// Where `element` takes the base of an orbit.
    #[inline]
    pub(super) fn base_under(&self, class: u32, element: u32) -> u32 {
        self.table[(class * self.size + element) as usize]
    }

    /// Where `element` takes a thing.
    #[inline]
    pub(super) fn image(&self, radix: &Radix, element: u32, thing: u32) -> u32 {
        let position = self.position[thing as usize];
        let own = position % self.size;
        self.table[(position - own + radix.add(own, element)) as usize]
    }
}

/// Most entries of the tables of one action: 1 GiB.
const MOST_ENTRIES: usize = 1 << 28;
