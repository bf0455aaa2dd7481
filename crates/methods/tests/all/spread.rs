//! A search spread over processes, which are threads here.

use kernel::timed::{Links, TimedClaim};
use kernel::{Collective, Problem, Rational, verify};
use methods::{
    Outcome, Settings, SizedProblem, TimedBest, TimedOutcome, TimedReport, TimedSettings, Watch, serve, solve,
    solve_timed, solve_watched, tune,
};
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

/// What every process comes to.
fn together<T: Send>(count: usize, play: impl Fn(Watch<'_>) -> T + Sync) -> Vec<T> {
    let no = AtomicBool::new(false);
    let one = |ranks: Together| play(Watch { progress: &Silent, stop: &no, ranks: &ranks });
    std::thread::scope(|scope| {
        let threads: Vec<_> = Together::all(count).into_iter().map(|ranks| scope.spawn(|| one(ranks))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Some channels are wide and far, others narrow and near.
fn sized(network: &str, name: &str, bytes: u64) -> SizedProblem {
    with_links(network, name, bytes, |channel| channel / 2 % 2)
}

/// Channels of two kinds.
fn with_links(network: &str, name: &str, bytes: u64, kind: impl Fn(u64) -> u64) -> SizedProblem {
    let network = topologies::parse(network).unwrap();
    let channels = 0..network.channel_count() as u64;
    let links = Links {
        bandwidth: channels.clone().map(|c| Rational::whole(10 + 15 * kind(c))).collect(),
        latency: channels.map(|c| Rational::new(3 + 9 * kind(c), 10)).collect(),
        ..Links::default()
    };
    let collective: Collective = collectives::build(name, &network).unwrap();
    SizedProblem::new(network, links, collective, Rational::whole(bytes)).unwrap()
}

fn reported(reports: &[TimedReport]) -> Vec<(&'static str, Option<f64>, String)> {
    reports.iter().map(|of| (of.method, of.micros(), of.ended.reason())).collect()
}

fn same(shared: &TimedBest, alone: &TimedBest, what: &str) {
    assert_eq!(shared.method, alone.method, "{what}");
    let [shared, alone] = [&shared.verdict, &alone.verdict];
    assert_eq!(TimedClaim::from(shared.ceiling()), TimedClaim::from(alone.ceiling()), "{what}");
    assert_eq!(shared.floor().certificate(), alone.floor().certificate(), "{what}");
}

#[test]
fn schedules_in_time_do_not_depend_on_the_number_of_processes_and_threads() {
    for collective in ["allgather", "allreduce", "alltoall"] {
        // As many chunks as serve best are few where there are few bytes.
        for (chunks, network, bytes) in [(None, "ring:3", 300), (Some(2), "mesh:2x3", 20_000)] {
            let sized = sized(network, collective, bytes);
            let settings = TimedSettings::default().with_chunks(chunks);
            let alone = solve_timed(&sized, &settings, Watch::nobody()).unwrap();
            for (count, threads) in [(1, 3), (2, 1), (2, 2), (3, 1)] {
                let what = format!("{collective} in {chunks:?} over {count} processes of {threads} threads");
                let settings = settings.clone().with_threads(threads);
                let found = |watch: Watch<'_>| -> TimedOutcome { solve_timed(&sized, &settings, watch).unwrap() };
                for shared in together(count, found) {
                    same(shared.best.as_ref().unwrap(), alone.best.as_ref().unwrap(), &what);
                    assert_eq!(reported(&shared.reports), reported(&alone.reports), "{what}");
                }
            }
        }
    }
}

#[test]
fn schedules_in_time_are_told_as_orbits() {
    for (collective, chunks) in [("allgather", 1), ("reduce_scatter", 1), ("allreduce", 12)] {
        let sized = with_links("torus:3x4", collective, 100_000, |_| 0);
        let settings = TimedSettings::default().with_method(Some("timed-steps".into())).with_chunks(Some(chunks));
        let found = |watch: Watch<'_>| solve_timed(&sized, &settings, watch).unwrap();
        let alone = found(Watch::nobody()).best.unwrap();
        let orbits = alone.verdict.ceiling().orbits().expect("one tree and a group of 12 elements");
        assert_eq!(orbits.translations().order(), 12);
        for shared in together(2, found) {
            same(shared.best.as_ref().unwrap(), &alone, collective);
        }
    }
}

#[test]
fn sizes_are_tuned_by_all_processes() {
    let sized = sized("mesh:2x3", "allgather", 1_000);
    let sizes = [1_000, 8_000, 64_000, 512_000].map(Rational::whole);
    let settings = TimedSettings::default().with_chunks(Some(2));
    let tuned = |watch: Watch<'_>| tune(&sized, &sizes, &settings, watch).unwrap();
    let alone = tuned(Watch::nobody());
    for count in [2, 3, 5] {
        let shared = together(count, tuned).swap_remove(0);
        assert_eq!((shared.overtakings.clone(), shared.stopped), (alone.overtakings.clone(), alone.stopped));
        for (shared, alone) in shared.sizes.iter().zip(&alone.sizes) {
            same(&shared.best, &alone.best, &format!("{count} processes"));
            assert_eq!((shared.bytes, shared.made_for), (alone.bytes, alone.made_for));
            assert_eq!(reported(&shared.reports), reported(&alone.reports));
        }
        assert_eq!(shared.sizes.len(), 4);
    }
}

/// Steps could use all of the time, and trees come nearer to the bound.
#[test]
fn methods_of_time_leave_each_other_a_share() {
    let sized = with_links("dgx1", "broadcast", 1_000_000, |_| 0);
    let outcome = solve_timed(&sized, &TimedSettings::default().with_seconds(Some(3.0)), Watch::nobody()).unwrap();
    for method in ["timed-steps", "timed-trees"] {
        let report = outcome.reports.iter().find(|report| report.method == method).expect("it gets its turn");
        assert!(report.micros().is_some(), "{method}");
    }
}
