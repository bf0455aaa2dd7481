//! Candidates a second of the kernel that counts what one more length adds, and of the test that rejects most of them.
//!
//! Compare with an earlier commit by `cargo bench -p quadrille-design -- --save-baseline before` there and
//! `-- --baseline before` here, on an idle machine.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use design::multiring::search::row::{Base, Frame, Powers};

fn bench(c: &mut Criterion) {
    // Degree, nodes and σ of table 8 for k = 5, 7 and 13; all lengths but the last are 1, 3, 9 and so on.
    for (degree, nodes, wanted) in [(8, 104, 1), (12, 168, 6), (24, 417, 24)] {
        let frame = Frame { nodes, hops: 3, wanted, symmetric: true };
        let lengths: Vec<u32> = (0..degree / 2 - 1).map(|i| 1 + 7 * i).collect();
        let powers = Powers::of(&frame, &lengths);
        let mut base = Base::new(frame);
        base.set(&powers);
        base.probe(12);
        let mut group = c.benchmark_group(format!("degree {degree}, {nodes} nodes"));
        group.throughput(Throughput::Elements(u64::from(frame.largest())));
        group.bench_function("counted", |b| b.iter(|| (1..=frame.largest()).map(|s| base.missing(s)).min()));
        group.bench_function("rejected by a few looks", |b| {
            b.iter(|| (1..=frame.largest()).filter(|s| base.hopeless(*s)).count());
        });
        group.throughput(Throughput::Elements(1));
        group.bench_function("a base made ready", |b| b.iter(|| base.set(&powers)));
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
