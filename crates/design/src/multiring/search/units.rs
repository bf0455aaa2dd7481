//! **What:** units modulo N: to multiply all lengths by one is to number the nodes anew, so σ stays the same.
//!
//! **Facts:** where lengths go both ways a unit and its opposite do the same, and units are named by the smaller.

use super::row::RingShape;
use num_integer::gcd;

/// The units from 2 on that generate a group of 2 to `most` elements, one for each group.
pub fn generators(shape: &RingShape, most: usize) -> Vec<u32> {
    let nodes = shape.nodes as u32;
    let mut found = Vec::new();
    for unit in (2..=shape.largest()).filter(|u| gcd(*u, nodes) == 1) {
        let group = powers(shape, unit, most);
        let Some(group) = group.filter(|g| g.len() > 1) else { continue };
        // The least of all elements that generate the same group names it.
        let order = group.len() as u32;
        let first = (1..order).filter(|k| gcd(*k, order) == 1).map(|k| group[k as usize]).min();
        if first == Some(unit) {
            found.push(unit);
        }
    }
    found
}

/// 1, `unit` and its powers, if there are at most so many.
fn powers(shape: &RingShape, unit: u32, most: usize) -> Option<Vec<u32>> {
    let mut group = vec![1];
    loop {
        let last = group[group.len() - 1];
        let next = shape.fold(u64::from(last) * u64::from(unit));
        if next == 1 {
            return Some(group);
        }
        if group.len() == most {
            return None;
        }
        group.push(next);
    }
}

/// The orbits of all lengths under the group of a unit, of at most `most` elements each.
pub fn orbits(shape: &RingShape, unit: u32, most: usize) -> Vec<Vec<u32>> {
    let mut seen = vec![false; shape.nodes];
    let mut found = Vec::new();
    for length in 1..=shape.largest() {
        if seen[length as usize] {
            continue;
        }
        let mut orbit = Vec::new();
        let mut at = length;
        while !std::mem::replace(&mut seen[at as usize], true) {
            orbit.push(at);
            at = shape.fold(u64::from(at) * u64::from(unit));
        }
        if orbit.len() <= most {
            found.push(orbit);
        }
    }
    found
}

/// The inverse of each unit, as a name; 0 for others.
pub fn inverses(shape: &RingShape) -> Vec<u32> {
    let mut inverse = vec![0; shape.largest() as usize + 1];
    let units: Vec<u32> = (1..=shape.largest()).filter(|u| gcd(*u, shape.nodes as u32) == 1).collect();
    for &unit in &units {
        if inverse[unit as usize] == 0 {
            let (mut at, mut before) = (unit, 1);
            // The last power before 1 is the inverse.
            while at != 1 {
                before = at;
                at = shape.fold(u64::from(at) * u64::from(unit));
            }
            inverse[unit as usize] = before;
            inverse[before as usize] = unit;
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_and_inverses(nodes in 3usize..200, symmetric: bool) {
            let shape = RingShape { nodes, hops: 3, wanted: 1, symmetric };
            let inverse = inverses(&shape);
            for unit in (1..=shape.largest()).filter(|u| gcd(*u, nodes as u32) == 1) {
                prop_assert_eq!(shape.fold(u64::from(unit) * u64::from(inverse[unit as usize])), 1);
            }
            for unit in generators(&shape, 6) {
                let orbits = orbits(&shape, unit, 6);
                prop_assert!(orbits.iter().any(|o| o[0] == 1 && o.len() > 1 && o.contains(&unit)));
                let mut all: Vec<u32> = orbits.concat();
                all.sort_unstable();
                prop_assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
    }
}
