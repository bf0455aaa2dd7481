//! Candidates a second of the kernel that counts what one more piece adds: a length, or an orbit of three.
//!
//! *Counted*: what is missing is summed for each candidate. *Rejected*: it is only asked whether anything is missing, as where
//! all sets are tried. Compare with an earlier commit by `cargo bench -p quadrille-design -- --save-baseline before` there and
//! `-- --baseline before` here, on an idle machine.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use design::multiring::search::piece::{Base, Pieces};
use design::multiring::search::row::RingShape;
use design::multiring::search::units::{generators, orbits};

fn bench(c: &mut Criterion) {
    // Degree, nodes and σ of table 8 for k = 5, 7 and 13; all lengths but the last are 1, 8, 15 and so on.
    for (degree, nodes, wanted) in [(8, 104, 1), (12, 168, 6), (24, 417, 24)] {
        let shape = RingShape { nodes, hops: 3, wanted, symmetric: true };
        let count = degree / 2;
        let three = generators(&shape, 3).into_iter().find(|u| orbits(&shape, *u, 3).iter().any(|o| o.len() == 3));
        for (name, unit) in [("lengths", Some(1)), ("orbits of three", three)] {
            let Some(unit) = unit else { continue };
            let pieces = Pieces::new(shape, orbits(&shape, unit, 3), count);
            let size = if unit == 1 { 1 } else { 3 };
            let all: Vec<usize> = (0..pieces.list.len()).filter(|i| pieces.list[*i].lengths.len() == size).collect();
            let others: Vec<u32> = (0..count - size).map(|i| 1 + 7 * i as u32).collect();
            let mut base = Base::new(shape);
            base.set(&pieces, others.iter().copied());
            let mut group = c.benchmark_group(format!("degree {degree}, {nodes} nodes, {name}"));
            group.throughput(Throughput::Elements(all.len() as u64));
            group.bench_function("counted", |b| {
                b.iter(|| all.iter().map(|i| base.missing(&pieces.list[*i])).min());
            });
            group.bench_function("rejected", |b| b.iter(|| base.first(&pieces, all.iter().copied())));
            group.throughput(Throughput::Elements(1));
            group.bench_function("a base made ready", |b| b.iter(|| base.set(&pieces, others.iter().copied())));
            group.finish();
        }
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
