//! Floors of alltoall by the linear program: written down message by message, and folded by translations.
//!
//! Compare with an earlier commit by `cargo bench -p quadrille-solve --bench floors -- --save-baseline before` there and
//! `-- --baseline before` here, on an idle machine; criterion prints the change and whether it exceeds the noise.

use criterion::{Criterion, criterion_group, criterion_main};
use kernel::orbits::{Generator, OrbitProblem, Translations};
use kernel::{Collective, Model, Problem};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use topologies::Topology;
use topologies::families::torus::Torus;

fn alltoall(spec: &str) -> Problem {
    let network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("it is connected")
}

/// A torus by the translations along its dimensions.
fn folded(sizes: [u32; 2]) -> OrbitProblem {
    let torus = Torus::new(sizes).expect("sizes in range");
    let network = torus.network();
    let generator = |(order, map)| Generator::of_nodes(&network, order, map).expect("an automorphism");
    let generators = sizes.into_iter().zip(torus.automorphisms()).map(generator).collect();
    let translations = Translations::new(&network, generators).expect("translations are free");
    OrbitProblem::alltoall(&translations, Model::wormhole()).expect("it is connected")
}

fn bench(c: &mut Criterion) {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let mut group = c.benchmark_group("floor of alltoall");
    group.sample_size(10);
    for spec in ["kautz:3,3", "mesh:8x8", "random-regular:64,3", "debruijn:2,6"] {
        let problem = alltoall(spec);
        group.bench_function(spec, |b| b.iter(|| bounds::strongest(&problem, &run)));
    }
    for sizes in [[16, 16], [64, 64]] {
        let problem = folded(sizes);
        let name = format!("torus:{}x{} folded", sizes[0], sizes[1]);
        group.bench_function(name, |b| b.iter(|| bounds::strongest_orbits(&problem, &run)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
