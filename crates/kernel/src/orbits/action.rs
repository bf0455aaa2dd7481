//! **What:** where the elements of an abelian group take things that its generators permute: nodes, channels, half-duplex
//! groups.
//!
//! **Idea:** elements are numbered by their exponents, the first generator's varying fastest. Of each orbit one table says
//! where every element takes its least member, the base. Since the group is abelian, what moves one member of an orbit
//! moves the base by the same element, so the tables answer every question by adding exponents.

/// The orders of a list of generators, and arithmetic with the numbers of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Radix {
    orders: Vec<u32>,
    /// Number of elements.
    pub size: u32,
    /// Whether exponents add like bits, so that numbers add by exclusive or.
    binary: bool,
}

impl Radix {
    /// `None` where there are 2^32 elements or more.
    pub fn new(orders: Vec<u32>) -> Option<Self> {
        let size = orders.iter().try_fold(1u32, |size, n| size.checked_mul(*n))?;
        let binary = orders.iter().all(|n| *n == 2);
        Some(Radix { orders, size, binary })
    }

    /// The element that does what `a` and `b` do.
    #[inline]
    pub fn add(&self, a: u32, b: u32) -> u32 {
        if self.binary { a ^ b } else { self.combine(a, b, |x, y, n| if x >= n - y { x - (n - y) } else { x + y }) }
    }

    /// The element that does what `a` does after `b` is undone.
    #[inline]
    pub fn subtract(&self, a: u32, b: u32) -> u32 {
        if self.binary { a ^ b } else { self.combine(a, b, |x, y, n| if x >= y { x - y } else { x + (n - y) }) }
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
    pub fn sums(&self, values: &[u64], modulus: u64) -> Vec<u64> {
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

/// What a group does to `count` things.
#[derive(Clone, Debug)]
pub(super) struct Action {
    /// The orbit of each thing.
    pub class: Vec<u32>,
    /// The element that takes the base of its orbit to each thing; where several do, the first.
    pub element: Vec<u32>,
    /// Where each element takes the base of each orbit, orbit by orbit.
    table: Vec<u32>,
    /// The elements that leave the base of each orbit where it is; the same for every member.
    pub fixing: Vec<Vec<u32>>,
    size: usize,
}

impl Action {
    /// The tables of commuting permutations `maps`, the i-th of order `orders[i]`; `None` where they would be beyond
    /// memory.
    pub fn new(radix: &Radix, maps: &[&[u32]], count: usize) -> Option<Self> {
        const NOWHERE: u32 = u32::MAX;
        let size = radix.size as usize;
        let mut action = Action {
            class: vec![NOWHERE; count],
            element: vec![0; count],
            table: Vec::new(),
            fixing: Vec::new(),
            size,
        };
        for base in 0..count {
            if action.class[base] != NOWHERE {
                continue;
            }
            if action.table.len() + size > MOST_ENTRIES {
                return None;
            }
            let class = u32::try_from(action.fixing.len()).expect("no more orbits than things, which have 32-bit ids");
            let first = action.table.len();
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
            let mut fixing = Vec::new();
            for (element, &image) in (0u32..).zip(&action.table[first..]) {
                if image as usize == base {
                    fixing.push(element);
                }
                if action.class[image as usize] == NOWHERE {
                    action.class[image as usize] = class;
                    action.element[image as usize] = element;
                }
            }
            action.fixing.push(fixing);
        }
        Some(action)
    }

    /// Number of orbits.
    pub fn classes(&self) -> usize {
        self.fixing.len()
    }

    /// The least member of an orbit.
    pub fn base(&self, class: u32) -> u32 {
        self.table[class as usize * self.size]
    }

    /// Where `element` takes the base of an orbit.
    #[inline]
    pub fn base_under(&self, class: u32, element: u32) -> u32 {
        self.table[class as usize * self.size + element as usize]
    }

    /// Where `element` takes a thing.
    #[inline]
    pub fn image(&self, radix: &Radix, element: u32, thing: u32) -> u32 {
        let thing = thing as usize;
        self.base_under(self.class[thing], radix.add(self.element[thing], element))
    }
}

/// Most entries of the tables of one action: 1 GiB.
const MOST_ENTRIES: usize = 1 << 28;
