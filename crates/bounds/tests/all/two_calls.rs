//! The finder `two-calls`: what it refutes, and what it leaves.

use crate::finders::{all, family, finder, found, problem, with_run};
use bounds::*;
use kernel::{Collective, Model, certify};
use run::{Budget, Run};

/// Nothing needs more than two calls in two steps, or in four slots; the rings and trees have too few channels for them.
#[test]
fn few_steps_have_too_few_calls() {
    let combined = |model| Model { combining: true, ..model };
    for (name, nodes, model, steps) in [
        ("mesh:3x3", 9, combined(Model::wormhole()), 3),
        ("ring:7", 7, combined(Model::wormhole()), 3),
        ("hypercube:4", 16, combined(Model::wormhole()), 3),
        ("full-tree:7", 7, combined(Model::tdm()), 5),
        ("ring:7", 7, combined(Model::tdm()), 4),
    ] {
        let problem = problem(family(name), Collective::allgather(&all(nodes), &all(nodes)), model);
        let wanted = Wanted { floor: 2, ceiling: None };
        let search =
            |run: &Run<'_>| (finder("two-calls").find)(&problem, wanted, &mut Budget::new(run, run.settings.ticks));
        let claim = with_run(search).unwrap();
        assert_eq!((claim.steps, claim.proof.kind()), (steps, "two-calls"), "{name}");
        assert_eq!(certify(&problem, claim).unwrap().steps(), steps);
    }
    // Two calls suffice among eight nodes of a cube.
    let cube = problem(family("hypercube:3"), Collective::allgather(&all(8), &all(8)), combined(Model::wormhole()));
    assert_eq!(found(finder("two-calls"), &cube), 2);
    // Four chunks have a quarter of the channels each.
    let chunks = problem(family("torus:3x3"), Collective::allreduce(&all(9)).in_chunks(4), Model::store_and_forward());
    assert_eq!(found(finder("two-calls"), &chunks), 3);
}
