//! Exchanges a second of the search for networks: drawn, followed by the balls, and taken back where they are too bad.
//!
//! Compare with an earlier commit as `kernel.rs` says.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use design::graphs::anneal::{self, Start, Task};
use design::graphs::group::Group;
use design::graphs::voltage_graph::GraphShape;
use design::multiring::search::Never;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

fn bench(c: &mut Criterion) {
    for (nodes, degree, turns, least) in
        [(64, 4, 1, 4), (64, 8, 1, 2), (256, 4, 1, 5), (256, 4, 16, 5), (256, 16, 1, 3), (1024, 4, 16, 6)]
    {
        let shape = GraphShape { nodes, degree, group: Group::rotation(turns) };
        let task = || Task { start: Start::Random(shape), least, aim: Some(least), enough: (0, 0), ticks: 1 << 21 };
        let run = || anneal::run(task(), &mut Pcg64Mcg::seed_from_u64(1), &Never);
        let mut group = c.benchmark_group(format!("{nodes} nodes, degree {degree}, {turns} turns"));
        group.sample_size(10);
        group.throughput(Throughput::Elements(run().moves));
        group.bench_function("exchanges", |b| b.iter(run));
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
