//! Packing and exchanging paths for alltoall: looks a second of the local searches, and whole searches that symmetry makes small.
//!
//! The local search is asked for fewer steps than there can be, so it spends all of a fixed budget; a tick is 16 looks at a
//! slot, and criterion prints looks a second. PathExchange takes three ticks for 16 looks at an arc or random exchanges tried, so
//! of these there are a third of what criterion prints. The symmetric searches end at the floor; their seed fixes what they
//! do, so times compare as long as the search itself is unchanged, and tell little across changes of its choices.
//!
//! Compare with an earlier commit by `cargo bench -p quadrille-search --bench packing -- --save-baseline before` there and
//! `-- --baseline before` here, on an idle machine; criterion prints the change and whether it exceeds the noise.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kernel::{Collective, Model, Problem};
use run::{Method, Run, Settings, Silent};
use search::{Packing, PathExchange};
use std::sync::atomic::AtomicBool;

fn alltoall(spec: &str) -> Problem {
    let network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("it is connected")
}

fn bench(c: &mut Criterion) {
    let stop = AtomicBool::new(false);
    let mut group = c.benchmark_group("local search");
    group.sample_size(10);
    for (spec, beyond_reach) in [("random-regular:32,4", 15), ("mesh:8x8", 120)] {
        let problem = alltoall(spec);
        let ticks = 2_000_000;
        group.throughput(Throughput::Elements(16 * ticks));
        group.bench_function(spec, |b| {
            b.iter(|| {
                let run = Run::new(Settings { ticks, ..Settings::default() }, &Silent, &stop);
                Packing.solve(&problem, beyond_reach, &run)
            });
        });
        group.bench_function(format!("path exchange {spec}"), |b| {
            b.iter(|| {
                let run = Run::new(Settings { ticks, ..Settings::default() }, &Silent, &stop);
                PathExchange.solve(&problem, beyond_reach, &run)
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("symmetric search");
    group.sample_size(10);
    for (spec, floor) in [("hypercube:6", 32), ("torus:8x8", 64), ("kautz:3,3", 32), ("fat-tree:32", 31)] {
        let problem = alltoall(spec);
        group.bench_function(spec, |b| {
            b.iter(|| Packing.solve(&problem, floor, &Run::new(Settings::default(), &Silent, &stop)));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
