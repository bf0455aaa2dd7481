//! What is counted on the way: paths, and the fitness.

use crate::{Evolution, fitness, heuristics, mutation, preprocess, refine};
use kernel::{Collective, Model, Problem};
use run::{Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::mesh;

#[test]
fn path_counts_are_those_printed() {
    // The dissertation, section 6.1: all pairs of the 4×4 mesh.
    let mesh = mesh(4, 4);
    let alltoall = Collective::alltoall(mesh.terminals(), mesh.terminals());
    let problem = Problem::new(mesh, alltoall, Model::wormhole()).expect("well posed");
    let tuning = Evolution::UMDA.parameters.tuning();
    let count = |slack: u32| {
        let terminals = problem.network().terminals();
        let pairs: Vec<_> =
            terminals.iter().flat_map(|&a| terminals.iter().filter(move |b| **b != a).map(move |&b| (a, b))).collect();
        let store = preprocess::PathStore::new(&problem, pairs.clone(), &tuning, slack, &mut Seed(1).generator(0))
            .expect("few");
        pairs.iter().map(|(a, b)| store.between(a.0, b.0).len()).sum::<usize>()
    };
    assert_eq!(count(0), 744);
    assert_eq!(count(2), 2784);
}

#[test]
fn a_fitness_kept_up_to_date_is_the_fitness_counted_anew() {
    let mesh = mesh(3, 3);
    let allgather = Collective::allgather(mesh.terminals(), mesh.terminals());
    let problem = Problem::new(mesh, allgather, Model::wormhole()).expect("well posed");
    let no = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &no);
    let mut space = Evolution::named("sga").expect("known").space(&problem, &run).expect("small");
    space.steps = 3;
    let mut rng = Seed(3).generator(0);
    let mut who = heuristics::first(&space, &mut rng);
    let mut ejection = refine::EjectionSearch::new(&space);
    for turn in 0..500 {
        if turn % 5 == 4 {
            ejection.refine(&space, &mut who, turn / 20, &mut rng);
            assert_eq!(who.conflicts, 0, "what is in conflict has become late");
        } else {
            mutation::mutate(&space, &mut who, &mut rng);
        }
        let mut again = fitness::Chromosome::new(&space);
        for gene in 0..space.genes.len() {
            again.set(&space, gene, who.path[gene], who.step[gene]);
        }
        assert_eq!((again.conflicts, again.late, again.overload), (who.conflicts, who.late, who.overload));
        for message in 0..9 {
            assert!(heuristics::sound(&space, &who, message));
        }
    }
}
