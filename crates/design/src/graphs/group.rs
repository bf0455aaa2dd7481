//! **What:** finite groups that may map a network onto itself without fixing a node: products of rotations, rotations that
//! others turn round (semidirect products, among them the dihedral groups), exchanges of bits, and all these turned round
//! once more by a rotation.
//!
//! **Parameters:** `turns` m, `lifts` k, `factor` r with r^k = 1 modulo m, and `flips` t make the base: elements (x, y, z) with x
//! modulo m, y modulo k and t bits z, numbered x + m·(y + k·z); (x, y, z)(u, v, w) = (x + r^y·u, y + v, z xor w). With `top` > 1 a
//! rotation of so many turns acts on the base by an automorphism φ with φ^top = 1 that is drawn by the number `twist`:
//! (g, s)(h, t) = (g·φ^s(h), s + t).
//!
//! **Facts:** element 0 is the neutral one. Not every group has this form; quaternions have not.
//!
//! **Source:** J. Rotman, "An Introduction to the Theory of Groups" (1995), chapter 7.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A group, by its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Group {
    /// The order of the rotation.
    pub turns: u32,
    /// The order of the rotation that turns it round.
    pub lifts: u32,
    /// By what a step of the second multiplies the first.
    pub factor: u32,
    /// Independent exchanges.
    pub flips: u32,
    /// The order of the rotation that acts on all of that; 1: there is none.
    pub top: u32,
    /// Which automorphism it acts by.
    pub twist: u32,
}

/// Largest order of a group that is no rotation: its products are kept in a table.
const LARGEST: u32 = 512;
/// Largest order of all.
const MOST: u64 = 4096;

impl Group {
    /// The rotation of so many turns.
    pub fn rotation(turns: u32) -> Self {
        Group { turns, lifts: 1, factor: 1, flips: 0, top: 1, twist: 0 }
    }

    fn base_order(&self) -> u32 {
        (self.turns * self.lifts) << self.flips
    }

    /// Elements.
    pub fn order(&self) -> u32 {
        self.base_order() * self.top
    }

    /// Whether it is a rotation as it is written.
    pub fn is_rotation(&self) -> bool {
        (self.lifts, self.flips, self.top) == (1, 0, 1)
    }

    /// Whether the parameters are in range and the base is a group.
    fn has_base(&self) -> bool {
        let Group { turns, lifts, factor, flips, top, .. } = *self;
        let numbers = [turns, lifts, top].iter().all(|n| (1..=MOST as u32).contains(n)) && flips <= 12;
        let order = numbers.then(|| (u64::from(turns) * u64::from(lifts) * u64::from(top)) << flips);
        let most = if self.is_rotation() { MOST } else { u64::from(LARGEST) };
        order.is_some_and(|order| order <= most) && power(factor, lifts, turns) == 1 % turns
    }

    /// The groups of an order without a second action: the rotation, then others, most of them different.
    pub fn all(order: u32) -> Vec<Group> {
        let mut found = vec![Group::rotation(order)];
        if order > LARGEST {
            return found;
        }
        for flips in (0..=12).take_while(|t| order.is_multiple_of(1 << t)) {
            let rest = order >> flips;
            for lifts in (1..=rest).filter(|k| rest.is_multiple_of(*k)) {
                let turns = rest / lifts;
                let groups = factors(turns, lifts).into_iter();
                let groups = groups.map(|factor| Group { lifts, factor, flips, ..Group::rotation(turns) });
                found.extend(groups.filter(Group::is_plain));
            }
        }
        found
    }

    /// Whether this way of writing a group other than a rotation is the one that is kept, of those easily told apart.
    fn is_plain(&self) -> bool {
        let Group { turns, lifts, factor, flips, .. } = *self;
        match (factor == 1 % turns, lifts) {
            (true, 1) => flips > 0 && turns.is_multiple_of(2),
            // The smaller rotation divides the larger one; one of order 2 is a flip.
            (true, _) => lifts > 2 && turns.is_multiple_of(lifts),
            (false, _) => true,
        }
    }

    /// A group of this order with a second action, by chance; `None` where the dice found none.
    pub fn twisted(order: u32, random: &mut impl Rng) -> Option<Group> {
        let tops: Vec<u32> =
            (2..=8).filter(|top| order <= LARGEST && order.is_multiple_of(*top) && order / top > 2).collect();
        if tops.is_empty() {
            return None;
        }
        (0..4).find_map(|_| {
            let top = tops[random.random_range(0..tops.len())];
            let bases = Group::all(order / top);
            let base = bases[random.random_range(0..bases.len())];
            let group = Group { top, twist: random.random_range(1..1 << 16), ..base };
            Products::new(&group).is_some().then_some(group)
        })
    }
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Group { turns, lifts, factor, flips, top, .. } = *self;
        match (lifts, factor) {
            (1, _) => write!(f, "a rotation of {turns} turns")?,
            (_, 1) => write!(f, "rotations of {turns} and of {lifts} turns")?,
            (2, _) if factor == turns - 1 => write!(f, "a rotation of {turns} turns and its mirror images")?,
            _ => write!(f, "rotations of {turns} and of {lifts} turns, the second multiplying by {factor}")?,
        }
        match flips {
            0 => {}
            1 => f.write_str(", with an exchange of halves")?,
            _ => write!(f, ", with {flips} exchanges")?,
        }
        if top > 1 { write!(f, ", turned round by a rotation of {top} turns") } else { Ok(()) }
    }
}

/// Factors r with r^lifts = 1 modulo `turns`, one of those that have the same powers.
fn factors(turns: u32, lifts: u32) -> Vec<u32> {
    let mut kept: Vec<(u32, Vec<u32>)> = Vec::new();
    for factor in 1..turns.max(2) {
        let factor = factor % turns;
        if power(factor, lifts, turns) != 1 % turns {
            continue;
        }
        let mut powers: Vec<u32> = (0..lifts).map(|y| power(factor, y, turns)).collect();
        powers.sort_unstable();
        if kept.iter().all(|(_, known)| *known != powers) {
            kept.push((factor, powers));
        }
    }
    kept.into_iter().map(|(factor, _)| factor).collect()
}

fn power(base: u32, exponent: u32, modulus: u32) -> u32 {
    let modulus = u64::from(modulus.max(1));
    (0..exponent).fold(1 % modulus, |all, _| all * u64::from(base) % modulus) as u32
}

/// The products of a group.
#[derive(Clone, Debug)]
pub struct Products {
    order: u32,
    /// Row after row; a rotation needs none.
    table: Option<Arc<[u16]>>,
    involutions: Arc<[u32]>,
}

impl Products {
    /// The products of a group; `None` where the parameters are not those of one.
    pub fn new(group: &Group) -> Option<Self> {
        group.has_base().then_some(())?;
        let order = group.order();
        if group.is_rotation() {
            let half = if order.is_multiple_of(2) { vec![order / 2] } else { Vec::new() };
            return Some(Products { order, table: None, involutions: half.into() });
        }
        let mut table = base(group);
        if group.top > 1 {
            let action = action(group, &table)?;
            let size = group.base_order();
            let product = |a: u32, b: u32| {
                let turned = action[(a / size) as usize][(b % size) as usize];
                let below = table[((a % size) * size + turned) as usize];
                below + (size * ((a / size + b / size) % group.top)) as u16
            };
            table = (0..order * order).map(|at| product(at / order, at % order)).collect();
        }
        let involutions = (1..order).filter(|a| table[(a * order + a) as usize] == 0).collect();
        Some(Products { order, table: Some(table.into()), involutions })
    }

    /// a · b.
    pub fn times(&self, a: u32, b: u32) -> u32 {
        match &self.table {
            Some(table) => u32::from(table[(a * self.order + b) as usize]),
            None => (a + b) % self.order,
        }
    }

    /// The elements other than the neutral one that are their own inverses.
    pub fn involutions(&self) -> &[u32] {
        &self.involutions
    }
}

/// The products of the base.
fn base(group: &Group) -> Vec<u16> {
    let Group { turns, lifts, factor, .. } = *group;
    let order = group.base_order();
    let powers: Vec<u32> = (0..lifts).map(|y| power(factor, y, turns)).collect();
    let split = |a: u32| (a % turns, a / turns % lifts, a / turns / lifts);
    let product = |a: u32, b: u32| {
        let ((x, y, z), (u, v, w)) = (split(a), split(b));
        ((x + powers[y as usize] * u) % turns + turns * ((y + v) % lifts + lifts * (z ^ w))) as u16
    };
    (0..order * order).map(|at| product(at / order, at % order)).collect()
}

/// Draws of an automorphism before that is given up.
const DRAWS: usize = 200;

/// What each turn of the second action makes of each element of the base; `None` where no automorphism but the trivial one
/// was drawn.
fn action(group: &Group, table: &[u16]) -> Option<Vec<Vec<u32>>> {
    let mut random = Pcg64Mcg::seed_from_u64(u64::from(group.twist));
    let once = (0..DRAWS).find_map(|_| {
        let drawn = automorphism(group, table, &mut random)?;
        // Of its powers the first whose order divides that of the rotation.
        let mut all = vec![drawn.clone()];
        while let Some(last) = all.last().filter(|last| !is_trivial(last)) {
            all.push(last.iter().map(|g| drawn[*g as usize]).collect());
        }
        let step = all.len() / common(all.len(), group.top as usize);
        let power = all.swap_remove(step - 1);
        (!is_trivial(&power)).then_some(power)
    })?;
    let next = |before: &Vec<u32>| Some(before.iter().map(|g| once[*g as usize]).collect());
    let identity: Vec<u32> = (0..group.base_order()).collect();
    Some(std::iter::successors(Some(identity), next).take(group.top as usize).collect())
}

fn is_trivial(map: &[u32]) -> bool {
    (0..).zip(map).all(|(at, to)| at == *to)
}

fn common(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common(b, a % b) }
}

/// Random images of the generators, where they make an automorphism.
fn automorphism(group: &Group, table: &[u16], random: &mut impl Rng) -> Option<Vec<u32>> {
    let Group { turns, lifts, flips, .. } = *group;
    let order = group.base_order();
    let times = |a: u32, b: u32| u32::from(table[(a * order + b) as usize]);
    let fold = |g: u32, n: u32| (0..n).fold(0, |all, _| times(all, g));
    let mut image = |of: u32| (0..32).map(|_| random.random_range(0..order)).find(|g| fold(*g, of) == 0);
    let (first, second) = (image(turns)?, image(lifts)?);
    let bits: Option<Vec<u32>> = (0..flips).map(|_| image(2)).collect();
    let bits = bits?;
    let map: Vec<u32> = (0..order)
        .map(|g| {
            let (x, y, z) = (g % turns, g / turns % lifts, g / turns / lifts);
            let of_bits = (0..).zip(&bits).filter(|(bit, _)| z >> bit & 1 == 1).map(|(_, image)| *image);
            of_bits.fold(times(fold(first, x), fold(second, y)), times)
        })
        .collect();
    let mut met = vec![false; order as usize];
    let bijective = map.iter().all(|to| !std::mem::replace(&mut met[*to as usize], true));
    let generators = [1 % turns, turns % order].into_iter().chain((0..flips).map(|bit| (turns * lifts) << bit));
    let mut generators = generators.filter(|g| *g < order);
    let keeps = |s: u32| (0..order).all(|g| map[times(g, s) as usize] == times(map[g as usize], map[s as usize]));
    (bijective && generators.all(keeps)).then_some(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn is_a_group(group: &Group) {
        let (order, products) = (group.order(), Products::new(group).unwrap());
        for a in 0..order {
            assert_eq!((products.times(a, 0), products.times(0, a)), (a, a));
            let row: BTreeSet<u32> = (0..order).map(|b| products.times(a, b)).collect();
            assert_eq!(row, (0..order).collect());
            for b in 0..order {
                let c = (a * 7 + b * 3 + 1) % order;
                let (ab, bc) = (products.times(a, b), products.times(b, c));
                assert_eq!(products.times(ab, c), products.times(a, bc), "{group:?}");
            }
        }
        let own: Vec<u32> = (1..order).filter(|a| products.times(*a, *a) == 0).collect();
        assert_eq!(own, products.involutions());
    }

    #[test]
    fn products_are_those_of_groups() {
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let mut twisted = 0;
        for order in (1..=40).chain([42, 48, 56, 64]) {
            let groups = Group::all(order);
            assert_eq!(groups.iter().collect::<BTreeSet<_>>().len(), groups.len());
            for group in groups {
                assert_eq!(group.order(), order);
                is_a_group(&group);
            }
            if let Some(group) = Group::twisted(order, &mut random) {
                assert_eq!(group.order(), order);
                is_a_group(&group);
                twisted += 1;
            }
        }
        assert!(twisted > 20, "{twisted}");
    }

    #[test]
    fn small_groups_are_all_there() {
        // Of order 8: Z8, Z4×Z2, Z2×Z2×Z2 and the dihedral one; the quaternions have not this form.
        let told = |groups: Vec<Group>| -> BTreeSet<(usize, bool)> {
            let tell = |group: &Group| {
                let (order, products) = (group.order(), Products::new(group).unwrap());
                let alike = (0..order).all(|a| (0..order).all(|b| products.times(a, b) == products.times(b, a)));
                (products.involutions().len(), alike)
            };
            groups.iter().map(tell).collect()
        };
        assert_eq!(told(Group::all(8)), [(1, true), (3, true), (7, true), (5, false)].into());
        assert_eq!(Group::all(15), [Group::rotation(15)]);
        assert!(Group::all(21).contains(&Group { lifts: 3, factor: 2, ..Group::rotation(7) }));
        // The alternating group of order 12 has three involutions and is found with a second action only.
        let mut random = Pcg64Mcg::seed_from_u64(1);
        let others = (0..40).filter_map(|_| Group::twisted(12, &mut random)).collect();
        assert!(told(others).contains(&(3, false)) && !told(Group::all(12)).contains(&(3, false)));
    }

    #[test]
    fn what_is_no_group_is_refused() {
        let four = Group::rotation(4);
        for wrong in [
            Group { lifts: 2, factor: 2, ..four },
            Group { turns: 0, ..four },
            Group { flips: 40, ..four },
            Group { turns: 5000, ..four },
            Group { lifts: u32::MAX, turns: u32::MAX, ..four },
            Group { turns: 1, top: 4, twist: 1, ..four },
        ] {
            assert!(Products::new(&wrong).is_none(), "{wrong:?}");
        }
    }
}
