//! What settings of switches realise in multistage networks, by trying all of them, and those of the reduced Latin square.

use crate::common::find;
use constructions::latin::LatinSquare;
use constructions::stage_states::{Meeting, StageStates, StageStatesError};
use constructions::switch_states::Row;
use std::collections::BTreeSet;
use topologies::stages::Stages;

fn stages(spec: &str) -> Stages {
    topologies::topology(spec).unwrap().stages().unwrap()
}

/// Where 2×2 switches take every terminal; bit s of `crossed` is the state of switch s, stage by stage.
fn sends(stages: &Stages, crossed: u64) -> Vec<u32> {
    let switches = stages.lines() / 2;
    let go = |from: u32| {
        let mut line = stages.moved(0, from);
        for stage in 0..stages.count() {
            line ^= u32::try_from(crossed >> (stage * switches + line / 2) & 1).unwrap();
            line = stages.moved(stage + 1, line);
        }
        line
    };
    (0..stages.lines()).map(go).collect()
}

/// All settings, and all that they realise: no two the same, as there is one path a pair.
fn all(spec: &str) -> BTreeSet<Vec<u32>> {
    let stages = stages(spec);
    let settings = 1u64 << (stages.count() * stages.lines() / 2);
    let all: BTreeSet<Vec<u32>> = (0..settings).map(|crossed| sends(&stages, crossed)).collect();
    assert_eq!(all.len() as u64, settings, "{spec}");
    all
}

/// Rotations and exclusive ors pass omega and flip networks; not even the identity passes a butterfly or a baseline network
/// whose outputs are numbered as they come.
#[test]
fn what_passes_in_one_step() {
    for n in [4u32, 8] {
        for family in ["omega", "flip"] {
            let all = all(&format!("{family}:{n}"));
            for k in 0..n {
                assert!(all.contains(&(0..n).map(|t| (t + k) % n).collect::<Vec<_>>()), "{family}:{n}, rotation {k}");
                assert!(all.contains(&(0..n).map(|t| t ^ k).collect::<Vec<_>>()), "{family}:{n}, exclusive or {k}");
            }
        }
        let identity: Vec<u32> = (0..n).collect();
        assert!(!all(&format!("baseline:{n}")).contains(&identity));
        assert!(!all(&format!("reverse-baseline:{n}")).contains(&identity));
    }
}

/// Turning all switches of some stages over parts the permutations into N^(N/2 − 1) Latin squares.
#[test]
fn permutations_part_into_latin_squares() {
    for (n, squares) in [(4u32, 4), (8, 512)] {
        for family in ["omega", "flip", "baseline", "reverse-baseline", "butterfly", "reverse-butterfly"] {
            let stages = stages(&format!("{family}:{n}"));
            let (switches, count) = (n / 2, stages.count());
            let first = |setting: u64| (0..count).all(|s| setting >> (s * switches) & 1 == 0);
            let turned = |row: u32| {
                let whole = |s: u32| ((1u64 << switches) - 1) << (s * switches);
                (0..count).filter(|s| row >> s & 1 == 1).map(whole).sum::<u64>()
            };
            let (mut met, mut found) = (BTreeSet::new(), 0);
            for setting in (0..1u64 << (count * switches)).filter(|setting| first(*setting)) {
                let rows: Vec<Vec<u32>> = (0..n).map(|row| sends(&stages, setting ^ turned(row))).collect();
                assert!(LatinSquare::new(rows.clone()).is_ok(), "{family}:{n}, setting {setting}");
                met.extend(rows);
                found += 1;
            }
            assert_eq!((found, met.len()), (squares, 1 << (count * switches)), "{family}:{n}");
        }
    }
}

/// The states of all switches in each rotation of `rls`, from the first: of every stage, 0 straight and 1 crossed.
fn rotations(n: u32) -> Vec<Vec<String>> {
    let spec = format!("butterfly-butterfly:{n}");
    let (network, stages) = (topologies::parse(&spec).unwrap(), stages(&spec));
    let found = find(&spec).find(|found| found.construction.name == "rls").unwrap();
    let verified = found.verified(&network).unwrap().unwrap();
    let schedule = verified.expanded().unwrap();
    let of = |k: u32| {
        let mut states = vec![vec![0u32; n as usize / 2]; stages.count() as usize];
        let mut sent = BTreeSet::new();
        for transfer in schedule.step(k as usize - 1) {
            let from = network.from(transfer.path[0]).0;
            let nodes: Vec<u32> = transfer.path.iter().map(|c| network.to(*c).0).collect();
            assert_eq!(nodes.last(), Some(&((from + k) % n)));
            sent.insert(from);
            let mut line = stages.moved(0, from);
            for (stage, next) in (0u32..).zip(&nodes[1..]) {
                let leaves = [line & !1, line | 1];
                let out = leaves.iter().find(|out| {
                    let there = stages.moved(stage + 1, **out);
                    let node = if stage + 1 == stages.count() { there } else { stages.switch(stage + 1, there) };
                    node == *next
                });
                let out = *out.unwrap();
                states[stage as usize][line as usize / 2] = (line ^ out) & 1;
                line = stages.moved(stage + 1, out);
            }
        }
        assert_eq!(sent.len() as u32, n, "rotation {k}");
        states.iter().map(|stage| stage.iter().map(u32::to_string).collect()).collect()
    };
    (1..n).map(of).collect()
}

#[test]
fn settings_of_eight_terminals() {
    let rotations = rotations(8);
    assert_eq!(rotations[0], ["0000", "1011", "1010", "1001", "0110"]);
    assert_eq!(rotations[1], ["0000", "1100", "1001", "0110", "0110"]);
    assert_eq!(rotations[3], ["0000", "1001", "0110", "0110", "0110"]);
}

/// States of a row are those of the construction, and none are given where two messages meet.
#[test]
fn states_of_rows() {
    let of = |spec: &str, row| StageStates::of_row(&stages(spec), row);
    for (k, states) in (1..).zip(rotations(16)) {
        let found = of("butterfly-butterfly:16", Row::Rotation(16 - k)).unwrap();
        let shown = |stage| (0..8).map(|switch| found.state(stage, switch).unwrap().to_string()).collect::<String>();
        assert_eq!((0..7).map(shown).collect::<Vec<_>>(), states, "rotation {k}");
    }
    for spec in
        ["omega:16", "flip:16", "benes:16", "butterfly-butterfly:16", "omega:16,4", "benes:16,4", "butterfly:16"]
    {
        for k in 0..16 {
            let sent = |row| of(spec, row).map(|states| (0..16).map(|t| states.sends(t)).collect::<Vec<_>>());
            assert_eq!(sent(Row::Xor(k)), Ok((0..16).map(|t| t ^ k).collect()), "{spec}, exclusive or {k}");
            assert_eq!(
                sent(Row::Rotation(k)),
                Ok((0..16).map(|t| (t + 16 - k) % 16).collect()),
                "{spec}, rotation {k}"
            );
        }
    }
    // Both enter the first switch and want its upper half.
    let met = of("baseline:8", Row::Rotation(0)).unwrap_err();
    assert_eq!(met, StageStatesError::Meeting(Meeting { first: 0, second: 1, stage: 0, line: 0 }));
    assert_eq!(of("omega:27,3", Row::Xor(1)).unwrap_err(), StageStatesError::PowerOfTwo { terminals: 27 });
    assert_eq!(of("omega:8", Row::Digits(8)).unwrap_err(), StageStatesError::Row { row: 8, terminals: 8 });
}

#[test]
fn the_first_stage_is_straight_and_the_last_never_changes() {
    let rotations = rotations(16);
    let last = &rotations[0][5..];
    for (k, states) in (1..).zip(&rotations) {
        assert_eq!((states[0].as_str(), &states[5..]), ("00000000", last), "rotation {k}");
    }
}
