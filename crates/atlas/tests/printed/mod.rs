//! The dissertation's formulas against its own tables, and our certificates against the optima of the atlas.

use crate::atlas;
use bounds::printed::printed;
use design::measures::bisection;
use kernel::{Problem, certify};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// What the formulas of one problem, one routing's loads left out, say together.
fn said(problem: &Problem) -> Option<u64> {
    let all = printed(problem, &|network| Some(bisection(network, None).channels)).printed;
    all.iter().filter(|p| !["3.11", "3.12", "3.18"].contains(&p.formula.equation)).map(|p| p.steps).max()
}

#[test]
fn no_certificate_exceeds_a_known_optimum() {
    let atlas = atlas();
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings { ticks: 300_000, ..Settings::default() }, &Silent, &stop);
    let mut seen = 0;
    for place in atlas.places() {
        let Some(optimum) = place.entry.optimum else { continue };
        let problem = place.entry.problem(place.group, atlas.folder()).unwrap();
        if problem.network().node_count() > 24 {
            continue;
        }
        for found in bounds::each(&problem, &run, u64::MAX) {
            let certified = certify(&problem, found.certificate).unwrap();
            assert!(
                certified.steps() <= optimum,
                "{}: {} by {}",
                place.entry.name,
                certified.steps(),
                found.finder.name
            );
            seen += 1;
        }
    }
    assert!(seen > 400, "{seen}");
}

/// Where a table prints another bound than the formulas give: the entry, the formulas' value and the table's.
const DIFFERENT: &[(&str, u64, u64)] = &[
    ("hypercube-16/alltoall", 8, 9),
    ("torus-3x3/alltoall", 3, 4),
    ("torus-3x3/allgather", 2, 3),
    ("hypercube-8-m-to-n/lower-base-to-all/allgather", 2, 3),
    ("hypercube-8-m-to-n/diagonal-to-the-lower-base/allgather", 1, 2),
    ("spidergon-8-m-to-n/left-half-to-right-half/allgather", 2, 3),
    ("spidergon-8-m-to-n/left-half-to-all/alltoall", 4, 3),
    ("spidergon-8-m-to-n/left-half-to-all/allgather", 2, 3),
];

#[test]
fn the_tables_print_what_the_formulas_say() {
    let atlas = atlas();
    let (mut same, mut different) = (0, Vec::new());
    for place in atlas.places().filter(|place| place.table.bounds && !place.group.stand_in) {
        let entry = place.entry;
        let problem = entry.problem(place.group, atlas.folder()).unwrap();
        let network = problem.network();
        let degrees = || network.nodes().map(|v| network.outgoing(v).len());
        // The formulas are those of networks of one degree without switches.
        if network.node_count() > 32 || degrees().min() != degrees().max() {
            continue;
        }
        let (Some(table), Some(formulas)) = (entry.printed, said(&problem)) else { continue };
        match table.bound.unwrap_or(table.reached) {
            bound if bound == formulas => same += 1,
            bound => different.push((entry.name.clone(), formulas, bound)),
        }
    }
    let expected: Vec<_> = DIFFERENT.iter().map(|(name, ours, theirs)| (name.to_string(), *ours, *theirs)).collect();
    assert_eq!((different, same), (expected, 118));
}
