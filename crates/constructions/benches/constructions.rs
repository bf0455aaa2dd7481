//! Making and checking closed forms: networks, plans, and the way through the doors, by channel uses a second of the whole
//! schedule.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn bench(c: &mut Criterion) {
    for spec in ["hypercube:10", "hypercube:11", "hypercube:12", "torus:16x16", "torus:21x21"] {
        let network = topologies::parse(spec).expect("families build their members");
        let (_, form) = constructions::find(spec).next().expect("it has a closed form");
        let plan = form.plan(&network).expect("it is the network of the specification");
        let uses = plan.clone().verified(&network).expect("closed forms are right").channel_uses();
        let mut group = c.benchmark_group(spec);
        group.sample_size(10).throughput(Throughput::Elements(uses));
        group.bench_function("construct", |b| b.iter(|| form.plan(black_box(&network))));
        group.bench_function("check", |b| {
            b.iter_batched(|| plan.clone(), |plan| plan.verified(&network), BatchSize::LargeInput);
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
