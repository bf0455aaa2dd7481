//! Making and checking closed forms: networks, claims, and the way through the checkers, by channel uses a second of the whole
//! schedule.

use constructions::{Claim, Control, Request, applicable};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kernel::Model;
use std::hint::black_box;

fn bench(c: &mut Criterion) {
    for spec in ["hypercube:10", "hypercube:11", "hypercube:12", "torus:16x16", "torus:21x21"] {
        let network = topologies::parse(spec).expect("families build their members");
        let request = Request::alltoall(&network, Model::wormhole());
        let (_, builder) = applicable(&request).next().expect("it has a closed form");
        let build = || builder.build(black_box(&network), &Control::default()).and_then(Claim::orbits);
        let claim = build().expect("it is the network of the specification");
        let uses = claim.clone().verified(&network, Model::wormhole()).expect("closed forms are right").channel_uses();
        let mut group = c.benchmark_group(spec);
        group.sample_size(10).throughput(Throughput::Elements(uses));
        group.bench_function("construct", |b| b.iter(build));
        group.bench_function("check", |b| {
            b.iter_batched(
                || claim.clone(),
                |claim| claim.verified(&network, Model::wormhole()),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
