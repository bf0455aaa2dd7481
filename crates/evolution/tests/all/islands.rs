//! Islands spread over processes, which are threads here.

use crate::{problem, with};
use evolution::{Evolution, Generation};
use kernel::{Collective, Model, Network, NetworkData, Node, Problem, Schedule, verify};
use run::ranks::share;
use run::{Method, Progress, Run, Seed, Settings, Silent};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use testing::together::Together;
use testing::{hypercube, ring};

/// What each of `count` ranks finds.
fn spread(engine: &Evolution, problem: &Problem, floor: u64, settings: Settings, count: usize) -> Vec<Schedule> {
    let no = AtomicBool::new(false);
    let found = |ranks: &Together| {
        let run = Run::new(settings, &Silent, &no).among(ranks);
        engine.solve(problem, floor, &run).expect("some schedule")
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = Together::all(count).into_iter().map(|ranks| scope.spawn(move || found(&ranks))).collect();
        all.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn settings(threads: usize) -> Settings {
    Settings { seed: Seed(5), threads, ticks: 400_000, ..Settings::default() }
}

/// Without refinement they take longer than from one meeting to the next.
fn islands(every: &str) -> [(&str, &str); 5] {
    [("islands", "4"), ("migrate-every", every), ("population", "12"), ("generations", "150"), ("refine", "0")]
}

#[test]
fn the_answer_does_not_depend_on_how_islands_are_spread() {
    let small = islands("7");
    for (name, problem, floor) in
        [("umda", problem(&ring(6), "alltoall"), 4), ("sga", problem(&hypercube(3), "alltoall"), 4)]
    {
        let engine = with(name, &small);
        let alone = spread(&engine, &problem, floor, settings(1), 1);
        verify(&problem, alone[0].clone()).expect("every rule holds");
        for (count, threads) in [(1, 3), (2, 1), (2, 2), (3, 1), (4, 1), (6, 1)] {
            for (rank, schedule) in spread(&engine, &problem, floor, settings(threads), count).iter().enumerate() {
                assert_eq!(schedule, &alone[0], "{name}: rank {rank} of {count}");
            }
        }
    }
}

#[test]
fn migration_changes_the_answer() {
    // So the test above sees it at work.
    let problem = problem(&ring(6), "alltoall");
    let found = |every| spread(&with("umda", &islands(every)), &problem, 4, settings(1), 1);
    assert_ne!(found("7"), found("1000000"));
}

#[test]
fn one_rank_that_has_to_stop_stops_all() {
    let problem = problem(&hypercube(4), "alltoall");
    let engine = with("sga", &[("islands", "2"), ("generations", "1000000000")]);
    let stops = [AtomicBool::new(false), AtomicBool::new(false)];
    let found: Vec<Schedule> = std::thread::scope(|scope| {
        let start = |(ranks, stop): (Together, _)| {
            let (engine, problem) = (&engine, &problem);
            scope.spawn(move || {
                let unbounded = Settings { ticks: u64::MAX, ..settings(1) };
                let run = Run::new(unbounded, &Silent, stop).among(&ranks);
                engine.solve(problem, 8, &run).expect("the best so far")
            })
        };
        let threads: Vec<_> = Together::all(2).into_iter().zip(&stops).map(start).collect();
        stops[1].store(true, std::sync::atomic::Ordering::Relaxed);
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(found[0], found[1]);
    verify(&problem, found[0].clone()).expect("every rule holds");
}

/// Keeps what is told.
#[derive(Default)]
struct Told {
    candidates: Mutex<Vec<Schedule>>,
    best: Mutex<Vec<u32>>,
}

impl Progress for Told {
    fn generation(&self, generation: &Generation) {
        self.best.lock().expect("no panic").push(generation.best);
    }

    fn candidate(&self, _: &'static str, schedule: &dyn Fn() -> Schedule) {
        self.candidates.lock().expect("no panic").push(schedule());
    }
}

#[test]
fn candidates_told_on_the_way_are_right_also_for_reductions() {
    let network = ring(8);
    let t = network.terminals();
    for collective in [Collective::reduce(t[0], t), Collective::alltoall(t, t)] {
        let problem = Problem::new(network.clone(), collective, Model::wormhole()).expect("well posed");
        let (told, no) = (Told::default(), AtomicBool::new(false));
        let made = with("umda", &[("generations", "300")]).solve(&problem, 1, &Run::new(settings(1), &told, &no));
        verify(&problem, made.expect("some schedule")).expect("every rule holds");
        let candidates = told.candidates.into_inner().expect("no panic");
        assert!(!candidates.is_empty());
        candidates.into_iter().for_each(|claim| drop(verify(&problem, claim).expect("every rule holds")));
    }
}

#[test]
fn shares_are_all_items_in_order_as_evenly_as_may_be() {
    for (items, count) in [(4, 1), (4, 3), (3, 5), (10, 4)] {
        let runs: Vec<_> = (0..count).map(|rank| share(items, rank, count)).collect();
        assert_eq!(runs.iter().cloned().flatten().collect::<Vec<_>>(), (0..items).collect::<Vec<_>>());
        let sizes = || runs.iter().map(ExactSizeIterator::len);
        assert!(sizes().max() <= sizes().min().map(|least| least + 1));
    }
}

#[test]
fn capacities_and_lists_of_transfers_are_met() {
    // Five messages of a list over a channel that carries two in a step, and one the other way.
    let parts = NetworkData {
        nodes: 2,
        channels: vec![(0, 1), (1, 0)],
        capacities: Some(vec![2, 1]),
        ..NetworkData::default()
    };
    let (a, b) = (Node(0), Node(1));
    let list = Collective::pairs("alltoallv", &[(a, b), (a, b), (b, a), (a, b), (a, b), (a, b)]);
    let problem = Problem::new(Network::new(parts).expect("sound"), list, Model::wormhole()).expect("well posed");
    let no = AtomicBool::new(false);
    let run = Run::new(settings(1), &Silent, &no);
    for name in ["sga", "umda", "mboa"] {
        let engine = with(name, &[("generations", "60")]);
        let made = engine.solve(&problem, 1, &run).expect("some schedule");
        assert_eq!(verify(&problem, made).expect("every rule holds").steps(), 3, "{name}");
        let trial = engine.trial(&problem, 2, &run).expect("not refused");
        assert!(trial.schedule.is_none() && trial.last.best > 0, "{name}: {:?}", trial.last);
    }
}
