//! Latin squares: what is none, counts that are known, and the squares of the fat trees.

use constructions::latin::kinds::{KINDS, KindError, square};
use constructions::latin::mates::{mates, transversals};
use constructions::latin::{Fault, LatinSquare, NotLatin};
use proptest::prelude::*;

fn made(kind: &str, size: &str) -> LatinSquare {
    square(kind, size, 0).unwrap_or_else(|e| panic!("{kind} {size}: {e}"))
}

/// McKay, McLeod and Wanless list the transversals of cyclic squares; those of even order have none.
#[test]
fn transversals_that_are_known() {
    for (n, count) in [(1, 1), (3, 3), (5, 15), (7, 133), (9, 2025), (11, 37851)] {
        assert_eq!(transversals(&made("cyclic", &n.to_string()), u64::MAX), Some(count), "order {n}");
    }
    for n in [2, 4, 6, 8] {
        assert_eq!(transversals(&made("cyclic", &n.to_string()), u64::MAX), Some(0), "order {n}");
    }
    for (n, count) in [(2, 0), (4, 8), (8, 384)] {
        assert_eq!(transversals(&made("xor", &n.to_string()), u64::MAX), Some(count), "order {n}");
    }
    assert_eq!(transversals(&made("digits", "3,3"), u64::MAX), Some(2241));
    assert_eq!(transversals(&made("cyclic", "9"), 1000), None);
}

#[test]
fn mates_that_are_known() {
    let count = |kind, size| {
        let square = made(kind, size);
        let found = mates(&square, u64::MAX).unwrap();
        assert!(found.complete);
        assert_eq!(found.first.is_some(), found.mates > 0);
        assert!(found.first.is_none_or(|mate| mate.is_orthogonal(&square) && square.is_orthogonal(&mate)));
        found.mates
    };
    assert_eq!(count("cyclic", "3"), 1);
    assert_eq!(count("xor", "4"), 2);
    assert_eq!(count("cyclic", "4"), 0);
    assert_eq!(count("cyclic", "5"), 3);
    assert_eq!(count("cyclic", "6"), 0);
    assert_eq!(count("cyclic", "7"), 635);
    let some = mates(&made("xor", "8"), 100_000).unwrap();
    assert!(!some.complete);
}

#[test]
fn squares_of_fat_trees_are_those_of_their_groups() {
    let rotated = |n: u32| (0..n).map(|k| (0..n).map(|t| (t + n - k) % n).collect()).collect();
    for (tree, n) in [("gft:2,2,2", 8), ("gft:2,4,2", 32), ("gft:2,3,3", 27), ("gft:3,3,2", 54), ("clos:3,3,4", 12)] {
        assert_eq!(made("lls", tree), LatinSquare::new(rotated(n)).unwrap(), "{tree}");
    }
    for tree in ["gft:2,2,2", "gft:2,4,2", "gft:3,4,2"] {
        let square = made("cls", tree);
        assert_eq!(square, made("xor", &square.order().to_string()), "{tree}");
    }
    assert_eq!(made("digits", "gft:2,3,3"), made("digits", "3,3,3"));
    assert_eq!(made("digits", "gft:2,3,2"), made("digits", "2,3,3"));
    assert_eq!(made("cyclic", "6"), made("digits", "6"));
    assert_eq!(made("xor", "16"), made("digits", "2,2,2,2"));
    // Figure 5.5: its rows, read from output to input.
    let sixth = square("partition", "gft:2,2,2", 6).unwrap();
    let out = |row: &[u32], to: u32| row.iter().position(|t| *t == to).unwrap().to_string();
    let printed: Vec<String> = sixth.rows().map(|row| (0..8).map(|t| out(row, t)).collect()).collect();
    assert_eq!(printed[..2], ["01325467", "10234576"]);
}

/// Rotations one way, the other way, and read by outputs; on trees and through stages, where they pass.
#[test]
fn left_and_right_squares() {
    for (network, n) in [("gft:2,2,2", 8), ("gft:2,4,2", 32), ("omega:8", 8), ("omega:27,3", 27), ("flip:16", 16)] {
        let (left, right) = (made("lls", network), made("rls", network));
        assert_eq!(right, made("cyclic", &n.to_string()), "{network}");
        // Figure 4.1: row k begins k, k + 1, k + 2, …, since it says what comes to each output.
        assert_eq!(left.by_output(), right, "{network}");
        assert_eq!(left.by_output().by_output(), left, "{network}");
    }
    for network in ["butterfly-butterfly:8", "butterfly-butterfly:32", "benes:16"] {
        let n = made("rls", network).order();
        assert_eq!(made("rls", network), made("cyclic", &n.to_string()), "{network}");
    }
    assert_eq!(made("cls", "omega:16"), made("xor", "16"));
    assert_eq!(made("digits", "omega:27,3"), made("digits", "3,3,3"));
}

/// The squares of a network hold every permutation of its states once, counted by distinct rows.
#[test]
fn all_squares_of_small_networks_part_their_permutations() {
    for (network, squares) in [
        ("gft:2,2,1", 2),
        ("gft:1,4,2", 32),
        ("gft:1,3,2", 12),
        ("gft:2,3,1", 9),
        ("gft:1,2,3", 12),
        ("gft:3,2,1", 16),
        ("omega:4", 4),
        ("omega:8", 512),
        ("omega:9,3", 81),
        ("baseline:8", 512),
    ] {
        let family = topologies::topology(network).unwrap();
        let found = constructions::partition::squares_of(family.as_ref()).unwrap();
        assert_eq!(found.squares(), Some(squares), "{network}");
        let mut met = std::collections::BTreeSet::new();
        for number in 0..squares {
            let latin = square("partition", network, number).unwrap_or_else(|e| panic!("{network} {number}: {e}"));
            met.extend(latin.rows().map(<[u32]>::to_vec));
        }
        assert_eq!(met.len() as u128, squares * u128::from(family.closed_forms().terminals), "{network}");
    }
}

#[test]
fn what_is_no_square_says_why() {
    let faults = |rows: &[&[u32]]| {
        let NotLatin { faults } = LatinSquare::new(rows.iter().map(|r| r.to_vec()).collect()).unwrap_err();
        faults
    };
    assert_eq!(faults(&[]), [Fault::Empty]);
    assert_eq!(faults(&[&[0, 1], &[1]]), [Fault::Length { row: 1, found: 1, rows: 2 }]);
    assert_eq!(faults(&[&[0, 2], &[1, 0]]), [Fault::Symbol { row: 0, column: 1, symbol: 2, order: 2 }]);
    assert_eq!(
        faults(&[&[0, 1], &[0, 1]]),
        [
            Fault::Column { column: 0, symbol: 0, first: 0, second: 1 },
            Fault::Column { column: 1, symbol: 1, first: 0, second: 1 }
        ]
    );
    assert_eq!(faults(&[&[0, 0], &[1, 1]])[0], Fault::Row { row: 0, symbol: 0, first: 0, second: 1 });
}

#[test]
fn kinds_that_do_not_fit() {
    let refused = |kind, size, number| square(kind, size, number).unwrap_err();
    assert!(matches!(refused("magic", "4", 0), KindError::Unknown { .. }));
    assert!(matches!(refused("cyclic", "0", 0), KindError::Size { .. }));
    assert!(matches!(refused("cyclic", "4096", 0), KindError::Large { symbols: 4096 }));
    assert!(matches!(refused("digits", "3,x", 0), KindError::Size { .. }));
    assert!(matches!(refused("digits", "4294967295,4294967295,4294967295", 0), KindError::Large { .. }));
    assert!(matches!(refused("xor", "6", 0), KindError::PowerOfTwo { symbols: 6 }));
    assert!(matches!(refused("cyclic", "6", 1), KindError::OneSquare { kind: "cyclic" }));
    assert!(matches!(refused("lls", "ring:6", 0), KindError::NoSwitches { .. }));
    assert!(matches!(refused("lls", "gft:2,2", 0), KindError::Network(_)));
    assert!(matches!(refused("cls", "gft:2,3,3", 0), KindError::SwitchStates(_)));
    assert!(matches!(refused("partition", "pgft:4,4;1,2;1,2", 0), KindError::NoPartition { .. }));
    assert!(matches!(refused("partition", "benes:8", 0), KindError::NoPartition { .. }));
    assert!(matches!(refused("partition", "ring:6", 0), KindError::NoSwitches { .. }));
    assert!(matches!(refused("partition", "omega:4", 4), KindError::Square { squares: 4, .. }));
    assert!(matches!(refused("lls", "baseline:8", 0), KindError::StageStates { row: 0, .. }));
    assert!(matches!(refused("partition", "gft:2,2,2", 512), KindError::Square { squares: 512, .. }));
}

proptest! {
    /// A square whose rows, columns and symbols change places is Latin still, with as many transversals and mates; one
    /// whose cells change is not.
    #[test]
    fn isotopic_squares_are_alike(kind in 0..3usize, rows in Just((0..4u32).collect::<Vec<_>>()).prop_shuffle(),
        columns in Just((0..4u32).collect::<Vec<_>>()).prop_shuffle(), symbols in Just((0..4u32).collect::<Vec<_>>()).prop_shuffle(),
        cell in (0..4usize, 0..4usize, 1..4u32)) {
        let square = made(KINDS[kind].name, ["4", "4", "2,2"][kind]);
        let moved = |row: &u32| columns.iter().map(|c| symbols[square.at(*row as usize, *c as usize) as usize]).collect();
        let changed: Vec<Vec<u32>> = rows.iter().map(moved).collect();
        let other = LatinSquare::new(changed.clone()).unwrap();
        let (a, b) = (mates(&square, u64::MAX).unwrap(), mates(&other, u64::MAX).unwrap());
        prop_assert_eq!((a.transversals, a.mates), (b.transversals, b.mates));
        let mut spoilt = changed;
        spoilt[cell.0][cell.1] = (spoilt[cell.0][cell.1] + cell.2) % 4;
        prop_assert_eq!(LatinSquare::new(spoilt).unwrap_err().faults.len(), 2);
    }
}
