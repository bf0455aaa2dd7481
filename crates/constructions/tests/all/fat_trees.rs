//! Fat trees: floors, and what the notes of the theses claim.

use crate::common::{Found, find};
use constructions::Control;
use constructions::partition::{Partition, Squares};
use constructions::switch_states::{Row, SwitchStates, SwitchStatesError};
use kernel::Model;
use proptest::prelude::*;
use std::collections::BTreeSet;
use topologies::levels::Levels;

/// What the channels out of subtrees, and a terminal's one port, allow at least.
fn floor(h: u32, m: u64, w: u64) -> u64 {
    let n = w * m.pow(h);
    let cut = |x: u32| {
        let below = w * m.pow(x);
        (below * (n - below)).div_ceil(w.pow(x + 1))
    };
    (0..h).map(cut).max().unwrap_or(0).max(n - 1)
}

fn levels(spec: &str) -> Levels {
    topologies::topology(spec).unwrap().levels().unwrap()
}

/// States of the top and of each level below, the leaves last.
fn states(spec: &str, row: Row, pass: u32) -> Vec<String> {
    let levels = levels(spec);
    let settings = SwitchStates::new(&levels, row, pass).unwrap();
    (levels.height() - 1..2 * levels.height() - 1).map(|stage| settings.states(stage)).collect()
}

#[test]
fn rotations_of_the_smallest_tree() {
    let printed = [
        ["0000", "0000", "0000"],
        ["1000", "1010", "1111"],
        ["1010", "1111", "0000"],
        ["1110", "0101", "1111"],
        ["1111", "0000", "0000"],
        ["0111", "1010", "1111"],
        ["0101", "1111", "0000"],
        ["0001", "0101", "1111"],
    ];
    for (k, expected) in (0u32..).zip(printed) {
        assert_eq!(states("gft:2,2,2", Row::Rotation(k), 0), expected, "rotation {k}");
    }
}

#[test]
fn rotations_of_a_slimmed_tree() {
    for (k, pass, top, middle) in [
        (3, 0, "1110", "21212121"),
        (3, 1, "0000", "03030303"),
        (7, 0, "1111", "03030303"),
        (7, 1, "1110", "21212121"),
        (13, 0, "2222", "32323232"),
        (13, 1, "2111", "10101010"),
    ] {
        let found = states("gft:2,4,2", Row::Rotation(k), pass);
        assert_eq!((found[0].as_str(), found[1].as_str()), (top, middle), "rotation {k}, pass {pass}");
    }
}

/// All trees of at most 256 terminals and four levels above the leaves: a rotation takes every terminal where it should, all passes
/// together. Of more than 64 terminals every 25th rotation is tried; all are by `cargo xtask rotations`.
#[test]
fn rotations_are_realised() {
    let mut trees = 0;
    for (h, m, w) in (1..=4u32).flat_map(|h| (2..=128u32).flat_map(move |m| (1..=128u32).map(move |w| (h, m, w)))) {
        if m.checked_pow(h).and_then(|n| n.checked_mul(w)).is_none_or(|n| n > 256) {
            continue;
        }
        let levels = levels(&format!("gft:{h},{m},{w}"));
        let n = levels.terminals();
        let passes = m.div_ceil(w).pow(h - 1);
        let (first, apart) = if n <= 64 { (0, 1) } else { (trees % 25, 25) };
        for k in (first..n).step_by(apart) {
            let mut to = vec![None; n as usize];
            for pass in 0..passes {
                let settings = SwitchStates::new(&levels, Row::Rotation(k), pass).unwrap();
                for from in 0..n {
                    if let Some(there) = settings.sends(from) {
                        assert_eq!(to[from as usize].replace(there), None, "gft:{h},{m},{w}: {from} twice");
                    }
                }
            }
            assert!((0..n).all(|t| to[t as usize] == Some((t + n - k) % n)), "gft:{h},{m},{w}, rotation {k}");
        }
        trees += 1;
    }
    assert_eq!(trees, 1296);
}

/// Where all passes of a row take every terminal.
fn sent(levels: &Levels, row: Row) -> Vec<u32> {
    let mut to = vec![u32::MAX; levels.terminals() as usize];
    for settings in (0..).map_while(|pass| SwitchStates::new(levels, row, pass).ok()) {
        for (from, to) in (0..).zip(&mut to) {
            if let Some(there) = settings.sends(from) {
                assert_eq!(std::mem::replace(to, there), u32::MAX, "{row:?}: {from} twice");
            }
        }
    }
    to
}

#[test]
fn rows_of_exclusive_ors_and_of_sums_are_realised() {
    let powers = ["1,2,2", "2,2,2", "3,2,2", "4,2,2", "1,4,4", "2,4,4", "3,4,4"];
    for spec in powers.into_iter().chain(["2,4,2", "2,8,4", "2,8,2", "3,4,2", "2,4,1", "3,2,1"]) {
        let levels = levels(&format!("gft:{spec}"));
        for l in 0..levels.terminals() {
            let rows = (0..levels.terminals()).map(|t| t ^ l).collect::<Vec<_>>();
            assert_eq!(sent(&levels, Row::Xor(l)), rows, "gft:{spec}, row {l}");
        }
    }
    for spec in ["2,3,3", "3,3,3", "2,5,5", "2,6,6", "1,7,7", "2,2,3", "2,3,5", "2,3,2"] {
        let levels = levels(&format!("gft:{spec}"));
        let digitwise = |t: u32, l: u32| {
            let digit = |x: usize, n: u32| n / levels.terminals_below(x - 1) % levels.children(x);
            let sum = |x: usize| (digit(x, t) + digit(x, l)) % levels.children(x) * levels.terminals_below(x - 1);
            (1..=levels.height()).map(sum).sum::<u32>()
        };
        for l in 0..levels.terminals() {
            let rows: Vec<u32> = (0..levels.terminals()).map(|t| digitwise(t, l)).collect();
            assert_eq!(sent(&levels, Row::Digits(l)), rows, "gft:{spec}, row {l}");
        }
    }
    let settings = SwitchStates::new(&levels("gft:2,3,3"), Row::Digits(14), 0).unwrap();
    // 14 = 2 + 3·(1 + 3·1), 8 = 2 + 3·(2 + 3·0): digit by digit 1 + 3·(0 + 3·1) = 10.
    assert_eq!(settings.sends(8), Some(10));
}

#[test]
fn paths_of_a_rotation() {
    let network = topologies::parse("gft:2,2,2").unwrap();
    let found = find("gft:2,2,2").find(|found| found.construction.name == "lls").unwrap();
    let verified = found.verified(&network).unwrap().unwrap();
    let (problem, schedule) = (verified.problem(), verified.expanded().unwrap());
    // Switches are labelled by level and number; terminals go up over the first and down over the last ones.
    let printed = [
        (0, 3, vec!["0:0", "1:0", "0:1"]),
        (3, 6, vec!["0:1", "1:1", "2:3", "1:3", "0:3"]),
        (6, 1, vec!["0:3", "1:2", "2:1", "1:0", "0:0"]),
    ];
    for (from, to, switches) in printed {
        let sends = |m| problem.collective().origin(m).0 == from && problem.collective().destinations(m)[0].0 == to;
        let step = schedule.steps().position(|mut step| step.any(|t| sends(t.messages[0]))).unwrap();
        assert_eq!(step, 4, "rotation 5 is the fifth that sends anything");
        let transfer = schedule.step(step).find(|t| sends(t.messages[0])).unwrap();
        let (_, inner) = transfer.path.split_last().unwrap();
        let passed: Vec<String> = inner.iter().map(|&c| network.label(network.to(c))).collect();
        assert_eq!(passed, switches, "{from} to {to}");
    }
}

#[test]
fn rows_and_passes_that_there_are_not() {
    let levels = levels("gft:2,3,3");
    let refused = |row, pass| SwitchStates::new(&levels, row, pass).unwrap_err();
    assert_eq!(refused(Row::Rotation(27), 0), SwitchStatesError::Row { row: 27, terminals: 27 });
    assert_eq!(refused(Row::Rotation(3), 1), SwitchStatesError::Pass { pass: 1, passes: 1 });
    assert_eq!(refused(Row::Xor(3), 0), SwitchStatesError::PowerOfTwo { children: 3 });
    assert!(constructions::hint("cls", "gft:2,3,3").is_some_and(|hint| hint.contains("digit-wise addition")));
    assert_eq!(constructions::hint("cls", "gft:2,4,4"), None);
}

#[test]
fn permutations_part_into_latin_squares() {
    let partition = Partition::new(levels("gft:2,2,2")).unwrap();
    assert_eq!(partition.squares(), Some(512));
    let mut met = BTreeSet::new();
    for square in 0..512 {
        let states = partition.representative(square);
        assert!(states.iter().all(|stage| stage[0] == 0));
        let rows: Vec<Vec<u32>> = (0..8).map(|row| partition.permutation(&states, row)).collect();
        for from in 0..8 {
            assert_eq!(rows.iter().map(|row| row[from]).collect::<BTreeSet<_>>().len(), 8, "square {square}");
        }
        met.extend(rows);
    }
    assert_eq!(met.len(), 4096);
}

/// Exclusive ors that keep a message's pass and turn its ports alike act on slimmed trees too: one terminal of each pass
/// stands for all of it, where passes are powers of two.
#[test]
fn exclusive_ors_of_slimmed_trees_are_stored_by_their_symmetry() {
    for (spec, bases) in [
        ("gft:2,4,2", 2),
        ("gft:3,4,2", 4),
        ("gft:2,8,2", 4),
        ("gft:3,8,4", 4),
        ("xgft:2,8,2;1,1,6", 8),
        ("gft:2,4,1", 4),
    ] {
        let network = topologies::parse(spec).unwrap();
        let found = find(spec).find(|found| found.construction.name == "cls").unwrap();
        let claim = found.builder.build(&network, &Control::default()).unwrap().orbits().unwrap();
        let terminals = network.terminals().len();
        assert_eq!(claim.schedule.schedule.transfer_count(), bases * (terminals - 1), "{spec}");
        let verified = claim.verified(&network, Model::wormhole()).unwrap();
        assert_eq!(Some(verified.steps() as u64), found.builder.promise(), "{spec}");
    }
}

/// Figure 5.5, which prints what comes out at each terminal.
#[test]
fn the_printed_square() {
    let partition = Partition::new(levels("gft:2,2,2")).unwrap();
    let states = partition.representative(6);
    assert_eq!(states, [[0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]]);
    let printed = ["01325467", "10234576", "23107645", "32016754", "45761023", "54670132", "67543201", "76452310"];
    for (row, printed) in (0u32..).zip(printed) {
        let permutation = partition.permutation(&states, row);
        let out = |t: u32| permutation.iter().position(|to| *to == t).unwrap().to_string();
        assert_eq!((0..8).map(out).collect::<String>(), printed, "row {row}");
    }
}

#[test]
fn multistage_networks_are_at_their_floors() {
    for (spec, steps) in [
        ("omega:8", 7),
        ("omega:16", 15),
        ("flip:16", 15),
        ("butterfly:8", 7),
        ("butterfly:16", 15),
        ("baseline:8", 8),
        ("reverse-baseline:16", 16),
        ("benes:16", 15),
        ("butterfly-butterfly:16", 15),
        ("butterfly-butterfly:9,3", 8),
        ("clos:3,3,4", 11),
        ("clos:4,4,4", 15),
        ("clos:5,3,4", 11),
        ("fat-tree:4", 3),
        ("fat-tree:8", 7),
        ("fat-tree:16", 15),
        ("fat-tree:32", 31),
        ("fat-tree:64", 63),
    ] {
        let network = topologies::parse(spec).unwrap();
        let automatic = find(spec).filter(|found| found.construction.is_automatic);
        let found = automatic.min_by_key(|found| found.builder.promise()).expect(spec);
        assert_eq!(found.builder.promise(), Some(steps), "{spec}");
        let verified = found.verified(&network).unwrap().unwrap();
        let claim = found.builder.floor(&network, &Control::default()).unwrap();
        let floor = verified.certify(claim).unwrap();
        assert_eq!((verified.steps() as u64, floor.steps()), (steps, steps), "{spec}");
    }
}

#[test]
fn generalised_fat_trees_up_to_220_terminals_are_at_their_floors() {
    let sizes = (1..=7u32).flat_map(|h| (2..=110u64).flat_map(move |m| (1..=110u64).map(move |w| (h, m, w))));
    let mut trees = 0;
    for (h, m, w) in sizes {
        if m.checked_pow(h).and_then(|n| n.checked_mul(w)).is_none_or(|n| n > 220) {
            continue;
        }
        let spec = format!("gft:{h},{m},{w}");
        let network = topologies::parse(&spec).unwrap();
        // One after the other, as they are tried.
        let reaches = |found: &Found| found.builder.promise().is_none_or(|promised| promised == floor(h, m, w));
        let made = find(&spec).filter(reaches).map(|found| {
            let verified = found.verified(&network).expect(&spec).unwrap_or_else(|e| panic!("{spec}: {e}"));
            (found, verified)
        });
        let at_floor = made.filter(|(_, verified)| verified.steps() as u64 == floor(h, m, w)).take(1);
        let (found, verified) = at_floor.last().unwrap_or_else(|| panic!("{spec}: above its floor"));
        let claim = found.builder.floor(&network, &Control::default()).expect(&spec);
        let certified = verified.certify(claim).unwrap_or_else(|e| panic!("{spec}: {e}"));
        assert_eq!(certified.steps(), floor(h, m, w), "{spec}");
        trees += 1;
    }
    assert_eq!(trees, 1082);
}

/// Every path of these passes the top, so there is a schedule at the floor; the others are as tight at two heights or have several channels
/// a terminal.
#[test]
fn paths_are_coloured_at_the_floor() {
    for (spec, steps) in [
        ("opened:gft:2,4,2", 62),
        ("opened:gft:3,2,1", 28),
        ("opened:xgft:4,3,2,3;1,2,2,1", 426),
        ("clos:3,5,4", 32),
        ("clos:2,3,4", 17),
        ("xgft:5,2,4,3;1,2,2,3", 288),
        ("xgft:4,8;1,3", 38),
        ("xgft:4,3;2,1", 16),
        ("pgft:4,3;1,2;2,1", 16),
    ] {
        let network = topologies::parse(spec).unwrap();
        let found = find(spec).find(|found| found.construction.name == "tree-colouring").expect(spec);
        let verified = found.verified(&network).expect(spec).unwrap_or_else(|e| panic!("{spec}: {e}"));
        let claim = found.builder.floor(&network, &Control::default()).expect(spec);
        let floor = verified.certify(claim).unwrap_or_else(|e| panic!("{spec}: {e}"));
        assert_eq!((verified.steps() as u64, floor.steps()), (steps, steps), "{spec}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the levels, what is made is right, and no better than the floor.
    #[test]
    fn levels_of_all_kinds(
        sizes in proptest::collection::vec((2..6u32, 1..6u32), 2..5),
        channels in 1..3u32,
        opened: bool,
    ) {
        let children: Vec<u32> = sizes.iter().map(|(m, _)| *m).collect();
        let parents = std::iter::once(channels).chain(sizes[1..].iter().map(|(_, w)| *w));
        prop_assume!(children.iter().product::<u32>() <= 80);
        let list = |numbers: Vec<u32>| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let whole = if opened { "opened:" } else { "" };
        let spec = format!("{whole}xgft:{};{}", list(children), list(parents.collect()));
        let network = topologies::parse(&spec).unwrap();
        for found in find(&spec) {
            let verified = found.verified(&network).expect("a schedule");
            let name = found.construction.name;
            prop_assert!(verified.is_ok(), "{name} on {spec}");
            let steps = verified.unwrap().steps() as u64;
            let floor = found.builder.floor(&network, &Control::default());
            prop_assert!(floor.is_none_or(|floor| floor.steps <= steps), "{name} on {spec}");
            prop_assert_eq!(found.builder.promise().unwrap_or(steps), steps);
        }
    }
}
