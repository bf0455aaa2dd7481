//! A search spread over processes, which are threads here.

use kernel::{Problem, verify};
use methods::{Outcome, Settings, Watch, serve, solve, solve_watched};
use run::{Ranks, Silent};
use std::sync::atomic::AtomicBool;
use testing::together::Together;

fn spread(problem: &Problem, settings: &Settings, count: usize) -> Outcome {
    let no = AtomicBool::new(false);
    let play = |ranks: &Together| {
        let watch = Watch { progress: &Silent, stop: &no, ranks };
        match ranks.rank() {
            0 => Some(solve_watched(problem, settings, watch).unwrap()),
            _ => {
                serve(problem, settings, watch);
                None
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = Together::all(count).into_iter().map(|ranks| scope.spawn(|| play(&{ ranks })));
        let all: Vec<_> = threads.collect();
        all.into_iter().filter_map(|thread| thread.join().unwrap()).next().unwrap()
    })
}

fn problem(network: &str, collective: &str) -> Problem {
    let network = topologies::parse(network).unwrap();
    let collective = collectives::find(collective).unwrap().build(&collectives::Selection::of(&network)).unwrap();
    Problem::new(network, collective, kernel::Model::wormhole()).unwrap()
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_processes() {
    for (network, collective, draws) in [
        ("kautz:2,2", "alltoall", 1),
        ("random-regular:10,3,4", "allgather", 2),
        ("ring:5", "allreduce", 1),
        ("torus:4x4", "alltoall", 1),
        ("mesh:3x4", "scatter", 3),
    ] {
        let problem = problem(network, collective);
        let settings = Settings::default().with_ticks(30_000).with_draws(draws).with_seed(3);
        let alone = solve(&problem, &settings).unwrap();
        for count in [1, 2, 3, 5] {
            let shared = spread(&problem, &settings, count);
            let what = format!("{collective} on {network} over {count} processes");
            assert_eq!((shared.steps(), shared.method()), (alone.steps(), alone.method()), "{what}");
            assert_eq!(shared.floor.steps(), alone.floor.steps(), "{what}");
            let claims = [&shared, &alone].map(|outcome| outcome.best.as_ref().unwrap().schedule.expanded().unwrap());
            assert_eq!(claims[0], claims[1], "{what}");
            verify(&problem, claims[0].clone().into_owned()).unwrap();
        }
    }
}

#[test]
fn draws_find_no_less() {
    let problem = problem("random-regular:12,3,2", "alltoall");
    let found = |draws| {
        let settings = Settings::default().with_ticks(20_000).with_method("packing").with_draws(draws);
        solve(&problem, &settings).unwrap()
    };
    let (one, many) = (found(1), found(4));
    assert!(many.steps() <= one.steps());
    let runs = |outcome: &Outcome| outcome.reports.iter().map(|report| report.runs).sum::<u32>();
    assert!(runs(&many) > runs(&one) || many.is_optimal());
}
