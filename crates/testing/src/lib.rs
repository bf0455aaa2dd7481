//! Networks built by hand, and a run, for the tests of the engines.

pub mod facts;
pub mod known;
pub mod named;
pub mod together;

use kernel::{Model, Network, NetworkData, Node, Problem, Verified, verify};
use proptest::prelude::*;
use run::{Method, Run, Seed, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// A network of these channels; all nodes are terminals.
pub fn network(nodes: u32, channels: Vec<(u32, u32)>) -> Network {
    Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).expect("sound")
}

/// A channel each way for every link.
pub fn both_ways(links: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect()
}

/// A ring of `n` nodes.
pub fn ring(n: u32) -> Network {
    network(n, both_ways((0..n).map(|v| (v, (v + 1) % n))))
}

/// A ring whose channels lead one way.
pub fn ring_uni(n: u32) -> Network {
    network(n, (0..n).map(|v| (v, (v + 1) % n)).collect())
}

/// A mesh.
pub fn mesh(rows: u32, columns: u32) -> Network {
    let right = (0..rows).flat_map(|r| (1..columns).map(move |c| (r * columns + c - 1, r * columns + c)));
    let down = (1..rows).flat_map(|r| (0..columns).map(move |c| ((r - 1) * columns + c, r * columns + c)));
    network(rows * columns, both_ways(right.chain(down)))
}

/// A torus.
pub fn torus(rows: u32, columns: u32) -> Network {
    let right = (0..rows).flat_map(|r| (0..columns).map(move |c| (r * columns + c, r * columns + (c + 1) % columns)));
    let down = (0..rows).flat_map(|r| (0..columns).map(move |c| (r * columns + c, (r + 1) % rows * columns + c)));
    network(rows * columns, both_ways(right.chain(down)))
}

/// A hypercube of `d` dimensions.
pub fn hypercube(d: u32) -> Network {
    network(1 << d, (0..1u32 << d).flat_map(|v| (0..d).map(move |i| (v, v ^ (1 << i)))).collect())
}

/// Node 0 at the root, terminals everywhere.
pub fn full_tree(n: u32) -> Network {
    network(n, both_ways((1..n).map(|v| ((v - 1) / 2, v))))
}

/// Every node of `inner` becomes a switch with `hosts` terminals, which no path passes.
pub fn with_hosts(inner: &Network, hosts: u32) -> Network {
    let switches = inner.node_count() as u32;
    let mut channels = inner.data().channels.clone();
    let terminals: Vec<u32> = (switches..switches * (hosts + 1)).collect();
    channels.extend(both_ways(terminals.iter().map(|&t| (t, (t - switches) / hosts))));
    let parts = NetworkData {
        nodes: switches * (hosts + 1),
        channels,
        no_transit: terminals.clone(),
        ..NetworkData::default()
    };
    Network::new(NetworkData { terminals: Some(terminals), ..parts }).expect("sound")
}

/// Strongly connected, as a circle of all nodes runs through it.
pub fn random_network(most: u32) -> impl Strategy<Value = NetworkData> {
    (2..=most).prop_flat_map(|n| {
        let extra = prop::collection::vec((0..n, 0..n), 0..(2 * n as usize));
        (Just(n), extra, prop::bool::ANY).prop_map(|(n, extra, two_way)| {
            let mut channels: Vec<(u32, u32)> = (0..n).map(|v| (v, (v + 1) % n)).collect();
            channels.extend(extra.into_iter().filter(|(a, b)| a != b));
            if two_way {
                channels = both_ways(channels);
            }
            NetworkData { nodes: n, channels, ..NetworkData::default() }
        })
    })
}

/// As [`random_network`], with any of switches, closed nodes, capacities, ports and half-duplex links.
pub fn odd_network(most: u32) -> impl Strategy<Value = NetworkData> {
    (random_network(most), any::<u64>()).prop_map(|(mut parts, bits)| {
        let bit = |i: u32| bits >> (i % 64) & 1 == 1;
        let n = parts.nodes;
        if bit(0) {
            // Node 0 always stays a terminal.
            parts.terminals = Some((0..n).filter(|&v| v == 0 || bit(10 + v)).collect());
        }
        if bit(1) {
            parts.no_transit = (0..n).filter(|&v| bit(20 + v) && bit(25 + v)).collect();
        }
        if bit(2) {
            parts.capacities = Some((0..parts.channels.len() as u32).map(|c| 1 + u32::from(bit(30 + c))).collect());
        }
        if bit(3) {
            parts.send_ports = kernel::Ports::Each(1 + u32::from(bit(40)));
        }
        if bit(4) {
            parts.receive_ports = kernel::Ports::Each(1 + u32::from(bit(41)));
        }
        if bit(5) && parts.channels.chunks_exact(2).all(|p| p[0] == (p[1].1, p[1].0)) {
            parts.half_duplex = (0..parts.channels.len() as u32 / 2).map(|l| vec![2 * l, 2 * l + 1]).collect();
        }
        parts
    })
}

/// Wormhole or store-and-forward.
pub fn models() -> impl Strategy<Value = Model> {
    (any::<bool>(), any::<bool>()).prop_map(|(wormhole, combining)| {
        let model = if wormhole { Model::wormhole() } else { Model::store_and_forward() };
        Model { combining, ..model }
    })
}

/// The schedule that one engine makes with `settings`, verified; `None` where it makes none.
fn made(engine: &dyn Method, problem: &Problem, floor: u64, settings: Settings) -> Option<Verified> {
    let cancelled = AtomicBool::new(false);
    let claim = engine.solve(problem, floor, &Run::new(settings, &Silent, &cancelled))?;
    let verified = verify(problem, claim).map_err(|r| format!("{}: {:?}", engine.name(), r.violations()));
    Some(verified.expect("a valid schedule"))
}

/// Runs one engine with `settings` and verifies what it makes.
pub fn solved_with(engine: &dyn Method, problem: &Problem, floor: u64, settings: Settings) -> Verified {
    assert!(engine.applies(problem), "{} does not apply", engine.name());
    made(engine, problem, floor, settings).expect("solved")
}

/// Runs one method with few ticks and verifies what it makes.
pub fn solved(engine: &dyn Method, problem: &Problem, floor: u64) -> Verified {
    let settings = Settings { seed: Seed(1), ticks: 3_000_000, ..Settings::default() };
    solved_with(engine, problem, floor, settings)
}

/// The node of that number.
pub fn node(v: usize) -> Node {
    Node::new(v)
}
