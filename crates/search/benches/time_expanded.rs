//! Searches under store-and-forward and time-division: looks a second of the local search, and whole searches.
//!
//! As in the bench `packing`: the local search is asked for fewer steps than there can be, so it spends all of a fixed budget; a
//! tick is 64 looks at the price of a hop. The whole searches end at what they reach with their seed: alltoall by ejection,
//! broadcast and allgather slot by slot, and exact search over orbits.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kernel::{Collective, Model, Network, Problem};
use run::{Method, Run, Settings, Silent};
use search::{AllgatherMatching, ExactSat, Greedy, TimeExpanded};
use std::sync::atomic::AtomicBool;

fn problem(spec: &str, collective: fn(&Network) -> Collective, model: Model) -> Problem {
    let network = topologies::parse(spec).expect("a known network");
    let collective = collective(&network);
    Problem::new(network, collective, model).expect("it is connected")
}

fn alltoall(network: &Network) -> Collective {
    Collective::alltoall(network.terminals(), network.terminals())
}

fn allgather(network: &Network) -> Collective {
    Collective::allgather(network.terminals(), network.terminals())
}

fn broadcast(network: &Network) -> Collective {
    Collective::broadcast(network.terminals()[0], network.terminals())
}

fn bench(c: &mut Criterion) {
    let stop = AtomicBool::new(false);
    let mut group = c.benchmark_group("time-expanded");
    group.sample_size(10);
    for (spec, model, beyond_reach) in
        [("random-regular:32,4", Model::store_and_forward(), 15), ("mesh:6x6", Model::tdm(), 50)]
    {
        let problem = problem(spec, alltoall, model);
        let ticks = 500_000;
        group.throughput(Throughput::Elements(64 * ticks));
        group.bench_function(spec, |b| {
            b.iter(|| {
                let run = Run::new(Settings { ticks, ..Settings::default() }, &Silent, &stop);
                TimeExpanded.solve(&problem, beyond_reach, &run)
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("whole searches");
    group.sample_size(10);
    let cases: [(&str, &dyn Method, Problem, u64); 4] = [
        ("torus:4x4 store-and-forward", &TimeExpanded, problem("torus:4x4", alltoall, Model::store_and_forward()), 8),
        ("hypercube:6 allgather tdm", &AllgatherMatching, problem("hypercube:6", allgather, Model::tdm()), 12),
        ("hypercube:6 broadcast tdm", &Greedy, problem("hypercube:6", broadcast, Model::tdm()), 4),
        ("hypercube:4 exact", &ExactSat, problem("hypercube:4", alltoall, Model::wormhole()), 8),
    ];
    for (name, engine, problem, goal) in &cases {
        group.bench_function(*name, |b| {
            b.iter(|| engine.solve(problem, *goal, &Run::new(Settings::default(), &Silent, &stop)));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
