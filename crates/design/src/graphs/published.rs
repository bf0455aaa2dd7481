//! **What:** what others found: the largest known networks of a degree and a diameter.
//!
//! **Facts:** the numbers are of networks that are known, so larger ones may exist, except for the `OPTIMAL` ones, which no
//! network exceeds; some of those are below the Moore bound.
//!
//! **Source:** F. Comellas, "Table of large graphs with given degree and diameter", arXiv 2406.18994 (2024), for degrees 3 to 8
//! and diameters 2 to 5, and up to 7 for degree 3.

/// Degree, then nodes for diameters from 2 upwards.
const LARGEST: &[(u32, &[u32])] = &[
    (3, &[10, 20, 38, 70, 132, 196]),
    (4, &[15, 41, 98, 364]),
    (5, &[24, 72, 212, 624]),
    (6, &[32, 111, 390, 1404]),
    (7, &[50, 168, 672, 2756]),
    (8, &[57, 253, 1100]),
];

/// Degree and diameter of those that are known to be the most.
const OPTIMAL: &[(u32, u32)] = &[(3, 2), (3, 3), (3, 4), (4, 2), (5, 2), (6, 2), (7, 2)];

/// Nodes of the largest known network of this degree and diameter, and whether it is known that none has more.
pub fn largest(degree: u32, diameter: u32) -> Option<(u32, bool)> {
    let (_, row) = LARGEST.iter().find(|(d, _)| *d == degree)?;
    let nodes = row.get(diameter.checked_sub(2)? as usize)?;
    Some((*nodes, OPTIMAL.contains(&(degree, diameter))))
}

#[cfg(test)]
mod tests {
    use super::super::most_nodes;
    use super::*;

    #[test]
    fn nothing_known_exceeds_the_moore_bound() {
        for (degree, row) in LARGEST {
            for (diameter, nodes) in (2..).zip(*row) {
                assert!(u128::from(*nodes) <= most_nodes(*degree, diameter));
                assert_eq!(largest(*degree, diameter).map(|l| l.0), Some(*nodes));
            }
            assert_eq!(largest(*degree, 1), None);
        }
        assert_eq!(largest(7, 2), Some((50, true)));
        assert_eq!(largest(3, 5), Some((70, false)));
        assert_eq!(largest(99, 2), None);
    }
}
