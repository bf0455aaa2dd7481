//! What is counted on the way: paths, and the fitness.

use crate::{problem, trial, with};
use run::{Method, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::mesh;

#[test]
fn path_counts_are_those_printed() {
    // The dissertation, section 6.1: all pairs of the 4×4 mesh. As many paths may be stored, and no fewer.
    let problem = problem(&mesh(4, 4), "alltoall");
    for (slack, printed) in [(0, 744), (2, 2784)] {
        let settings = Settings { slack: Some(slack), ..Settings::default() };
        // As many a pair as there may be: none are drawn instead.
        let declined = |most: usize| {
            with("umda", &[("paths", &most.to_string()), ("sample", "1000000")])
                .declines(&problem, &Run::new(settings, &Silent, &AtomicBool::new(false)))
        };
        assert_eq!(declined(printed), None);
        assert!(
            declined(printed - 1).is_some_and(|refused| refused.why.contains(&format!("more than {}", printed - 1)))
        );
    }
}

/// The engines themselves assert it of a child of every generation, and that none has conflicts after refinement: there they
/// have become late. In fewer steps than are needed, no generation is the last.
#[test]
fn a_fitness_kept_up_to_date_is_the_fitness_counted_anew() {
    for (collective, steps) in [("allgather", 2), ("alltoall", 5), ("broadcast", 1), ("scatter", 1)] {
        for name in ["sga", "umda", "mboa"] {
            for refine in ["0", "20"] {
                let engine = with(
                    name,
                    &[("generations", "300"), ("population", "12"), ("mutation", "0.9"), ("refine", refine)],
                );
                assert!(
                    trial(&engine, &problem(&mesh(3, 3), collective), steps).schedule.is_none(),
                    "{name} {collective}"
                );
            }
        }
    }
}
