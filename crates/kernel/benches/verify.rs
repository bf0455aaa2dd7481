//! Verifying alltoall on a hypercube: channel uses a second. Each difference x is a step of its own, dimensions ascending.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Problem, Schedule, verify};

fn alltoall(d: u32) -> (Problem, Schedule) {
    let n = 1u32 << d;
    let channels = (0..n).flat_map(|v| (0..d).map(move |b| (v, v ^ (1 << b)))).collect();
    let parts = NetworkData { name: format!("hypercube:{d}"), nodes: n, channels, ..NetworkData::default() };
    let network = Network::new(parts).expect("a hypercube is sound");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).expect("a hypercube is connected");
    let mut schedule = Schedule::new();
    for x in 1..n {
        schedule.begin_step();
        for from in 0..n {
            let to = from ^ x;
            let message = Message(from * (n - 1) + to - u32::from(to > from));
            let mut at = from;
            let path: Vec<_> = (0..d)
                .filter(|b| x >> b & 1 == 1)
                .map(|b| {
                    let channel = Channel(at * d + b);
                    at ^= 1 << b;
                    channel
                })
                .collect();
            schedule.send(message, &path);
        }
    }
    (problem, schedule)
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify alltoall");
    group.sample_size(10);
    for d in [6, 10] {
        let (problem, schedule) = alltoall(d);
        group.throughput(Throughput::Elements(schedule.channel_uses() as u64));
        group.bench_function(format!("hypercube:{d}"), |b| {
            b.iter_batched(
                || schedule.clone(),
                |claim| verify(&problem, claim).expect("steps of one difference do not collide"),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
