//! Verifying written-out schedules: channel uses a second. Alltoall on a hypercube in paths, the same hop by hop, and allgather round a ring.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Problem, Schedule, verify};

fn hypercube(d: u32) -> Network {
    let n = 1u32 << d;
    let channels = (0..n).flat_map(|v| (0..d).map(move |b| (v, v ^ (1 << b)))).collect();
    let data = NetworkData { name: format!("hypercube:{d}"), nodes: n, channels, ..NetworkData::default() };
    Network::new(data).expect("a hypercube is sound")
}

/// Each difference x is a step of its own, dimensions ascending; hop by hop, as many steps as it has dimensions.
fn alltoall(d: u32, model: Model) -> (Problem, Schedule) {
    let (n, network) = (1u32 << d, hypercube(d));
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, collective, model).expect("a hypercube is connected");
    let hop_by_hop = model == Model::store_and_forward();
    let mut schedule = Schedule::new();
    for x in 1..n {
        let dimensions: Vec<u32> = (0..d).filter(|b| x >> b & 1 == 1).collect();
        for hops in dimensions.chunks(if hop_by_hop { 1 } else { dimensions.len() }) {
            schedule.begin_step();
            for from in 0..n {
                let to = from ^ x;
                let message = Message(from * (n - 1) + to - u32::from(to > from));
                let mut at = from ^ (x & ((1 << hops[0]) - 1));
                let path: Vec<Channel> = hops
                    .iter()
                    .map(|b| {
                        let channel = Channel(at * d + b);
                        at ^= 1 << b;
                        channel
                    })
                    .collect();
                schedule.send(message, &path);
            }
        }
    }
    (problem, schedule)
}

/// In each step every node sends on what it got in the one before.
fn allgather(n: u32) -> (Problem, Schedule) {
    let channels = (0..n).map(|v| (v, (v + 1) % n)).collect();
    let data = NetworkData { name: format!("ring-uni:{n}"), nodes: n, channels, ..NetworkData::default() };
    let network = Network::new(data).expect("a ring is sound");
    let collective = Collective::allgather(network.terminals(), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).expect("a ring is connected");
    let mut schedule = Schedule::new();
    for step in 0..n - 1 {
        schedule.begin_step();
        (0..n).for_each(|v| schedule.send(Message((v + n - step) % n), &[Channel(v)]));
    }
    (problem, schedule)
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    group.sample_size(10);
    let cases = [
        ("alltoall on hypercube:6", alltoall(6, Model::wormhole())),
        ("alltoall on hypercube:11", alltoall(11, Model::wormhole())),
        ("alltoall hop by hop on hypercube:10", alltoall(10, Model::store_and_forward())),
        ("allgather on ring-uni:2048", allgather(2048)),
    ];
    for (name, (problem, schedule)) in cases {
        group.throughput(Throughput::Elements(schedule.channel_uses() as u64));
        group.bench_function(name, |b| {
            b.iter_batched(
                || schedule.clone(),
                |claim| verify(&problem, claim).expect("no two transfers of a step share a channel"),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
