//! Networks and problems for the tests of engines.

use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Semantics, Switching};
use proptest::prelude::*;
use run::{Method, Seed, Settings};

/// A network of links (a channel each way) between nodes that all are terminals.
pub fn links(name: &str, nodes: u32, links: impl IntoIterator<Item = (u32, u32)>) -> Network {
    let channels = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    Network::new(NetworkData { name: name.into(), nodes, channels, ..NetworkData::default() }).expect("a test network")
}

/// A ring.
pub fn ring(n: u32) -> Network {
    links("ring", n, (0..n).map(|v| (v, (v + 1) % n)))
}

/// A ring whose channels lead one way.
pub fn ring_uni(n: u32) -> Network {
    let channels = (0..n).map(|v| (v, (v + 1) % n)).collect();
    Network::new(NetworkData { name: "ring-uni".into(), nodes: n, channels, ..NetworkData::default() })
        .expect("a test network")
}

/// A hypercube.
pub fn hypercube(d: u32) -> Network {
    let pairs = (0..1u32 << d).flat_map(|v| (0..d).map(move |i| (v, v ^ (1 << i)))).filter(|(a, b)| a < b);
    links("hypercube", 1 << d, pairs)
}

/// A mesh, or a torus where `wrap`.
pub fn grid(a: u32, b: u32, wrap: bool) -> Network {
    let at = |x: u32, y: u32| (x % a) * b + y % b;
    let mut pairs = Vec::new();
    for x in 0..a {
        for y in 0..b {
            if x + 1 < a || (wrap && a > 2) {
                pairs.push((at(x, y), at(x + 1, y)));
            }
            if y + 1 < b || (wrap && b > 2) {
                pairs.push((at(x, y), at(x, y + 1)));
            }
        }
    }
    links("grid", a * b, pairs)
}

/// A ring with chords to the opposite node.
pub fn spidergon(n: u32) -> Network {
    let rim = (0..n).map(|v| (v, (v + 1) % n));
    links("spidergon", n, rim.chain((0..n / 2).map(|v| (v, v + n / 2))))
}

/// The Petersen graph.
pub fn petersen() -> Network {
    let outer = (0..5).map(|v| (v, (v + 1) % 5));
    let spokes = (0..5).map(|v| (v, v + 5));
    links("petersen", 10, outer.chain(spokes).chain((0..5).map(|v| (v + 5, (v + 2) % 5 + 5))))
}

/// The Heawood graph.
pub fn heawood() -> Network {
    let rim = (0..14).map(|v| (v, (v + 1) % 14));
    links("heawood", 14, rim.chain((0..14).step_by(2).map(|v| (v, (v + 5) % 14))))
}

/// The Tutte–Coxeter graph, the (3, 8)-cage.
pub fn levi() -> Network {
    let rim = (0..30).map(|v| (v, (v + 1) % 30));
    // LCF notation [-13, -9, 7, -7, 9, 13]^5; each chord is written at both of its ends.
    let jumps = (0..30u32).map(|v| (v, (v + [17, 21, 7, 23, 9, 13][v as usize % 6]) % 30)).filter(|(a, b)| a < b);
    links("levi", 30, rim.chain(jumps))
}

/// Kautz digraph of degree `d` with words of three letters.
pub fn kautz(d: u32) -> Network {
    let letters = 0..=d;
    let mut words = Vec::new();
    for a in letters.clone() {
        for b in letters.clone().filter(|b| *b != a) {
            words.extend(letters.clone().filter(|c| *c != b).map(|c| (a, b, c)));
        }
    }
    let mut channels = Vec::new();
    for (i, u) in (0u32..).zip(&words) {
        channels.extend((0u32..).zip(&words).filter(|(_, v)| (u.1, u.2) == (v.0, v.1)).map(|(j, _)| (i, j)));
    }
    let nodes = u32::try_from(words.len()).expect("few");
    Network::new(NetworkData { name: "kautz".into(), nodes, channels, ..NetworkData::default() })
        .expect("a test network")
}

/// Full binary tree: node v has children 2v + 1 and 2v + 2.
pub fn full_tree(n: u32) -> Network {
    links("full-tree", n, (1..n).map(|v| (v, (v - 1) / 2)))
}

/// A star: terminals 0 to n − 1 round the switch n.
pub fn star(n: u32) -> Network {
    let channels = (0..n).flat_map(|v| [(v, n), (n, v)]).collect();
    let parts = NetworkData {
        name: "star".into(),
        nodes: n + 1,
        terminals: Some((0..n).collect()),
        channels,
        ..NetworkData::default()
    };
    Network::new(parts).expect("a test network")
}

/// Runs an engine with a seed; the steps of its verified schedule.
pub fn steps(engine: &dyn Method, problem: &Problem, floor: u64) -> Option<usize> {
    steps_with(engine, problem, floor, Settings { seed: Seed(3), ..Settings::default() })
}

/// As [`steps`], with settings.
pub fn steps_with(engine: &dyn Method, problem: &Problem, floor: u64, settings: Settings) -> Option<usize> {
    crate::made(engine, problem, floor, settings).map(|verified| verified.steps())
}

/// Receive and send bounds of a problem: the least steps that counting at one node proves.
pub fn count_floor(problem: &Problem) -> u64 {
    let network = problem.network();
    let at = |v: &Node| {
        let receive = problem
            .must_receive(*v)
            .checked_div(network.receive_capacity(*v))
            .map_or(0, |_| problem.must_receive(*v).div_ceil(network.receive_capacity(*v)));
        let send = problem.must_send(*v);
        let send = if network.send_capacity(*v) == 0 { 0 } else { send.div_ceil(network.send_capacity(*v)) };
        receive.max(send)
    };
    network.terminals().iter().map(at).max().unwrap_or(0)
}

/// Small connected networks of all kinds: switches, nodes that let nothing pass, capacities, half-duplex links, ports.
pub fn any_network() -> impl Strategy<Value = Network> {
    (2u32..9)
        .prop_flat_map(|n| {
            let tree = (1..n).map(|v| 0..v).collect::<Vec<_>>();
            let extra = prop::collection::vec((0..n, 0..n), 0..6);
            let ports = || prop_oneof![Just(Ports::All), (1u32..3).prop_map(Ports::Each)];
            let flags = prop::collection::vec((prop::bool::weighted(0.7), prop::bool::weighted(0.2)), n as usize);
            (Just(n), tree, extra, flags, ports(), ports(), 0u32..4, any::<bool>())
        })
        .prop_map(|(n, tree, extra, flags, send_ports, receive_ports, capacity, half)| {
            let tree: Vec<(u32, u32)> = (1..n).zip(tree).collect();
            let mut channels: Vec<(u32, u32)> = tree.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
            channels.extend(extra.into_iter().filter(|(a, b)| a != b));
            let mut terminals: Vec<u32> = (0..n).filter(|&v| flags[v as usize].0).collect();
            if terminals.is_empty() {
                terminals.push(0);
            }
            let no_transit = (0..n).filter(|&v| flags[v as usize].1).collect();
            let half_duplex = if half { (1..n).map(|v| vec![2 * v - 2, 2 * v - 1]).collect() } else { Vec::new() };
            let capacities = (capacity > 1).then(|| (0u32..).zip(&channels).map(|(i, _)| 1 + i % capacity).collect());
            Network::new(NetworkData {
                name: "random".into(),
                nodes: n,
                terminals: Some(terminals),
                no_transit,
                channels,
                capacities,
                half_duplex,
                send_ports,
                receive_ports,
                ..NetworkData::default()
            })
            .expect("made sound")
        })
}

/// A copy collective among random terminals of a network.
pub fn collective(network: &Network, kind: u32, choice: u64) -> Collective {
    let terminals = network.terminals();
    let pick = |shift: u32| -> Vec<Node> {
        let some: Vec<Node> =
            (0u32..).zip(terminals).filter(|(i, _)| choice >> ((i + shift) % 64) & 1 == 1).map(|(_, v)| *v).collect();
        if some.is_empty() { terminals.to_vec() } else { some }
    };
    let root = terminals[(choice >> 40) as usize % terminals.len()];
    match kind % 8 {
        0 => Collective::broadcast(root, &pick(0)),
        1 => Collective::scatter(root, terminals),
        2 => Collective::gather(root, terminals),
        3 => Collective::allgather(terminals, terminals),
        4 => Collective::allgather(&pick(0), &pick(9)),
        5 => Collective::alltoall(&pick(3), &pick(17)),
        6 => Collective::scan(terminals).reversed().expect("one destination a chunk"),
        _ => {
            // Messages with no, one and several destinations besides the origin.
            let messages = terminals.iter().map(|&v| (vec![v], if v.0 % 2 == 0 { pick(v.0) } else { vec![root] }));
            Collective::new("mixed", Semantics::Copy, None, messages).expect("sound")
        }
    }
}

/// Every kind of model.
pub fn any_model() -> impl Strategy<Value = Model> {
    let switching = prop_oneof![
        Just(Switching::Wormhole),
        Just(Switching::StoreAndForward),
        (1u32..3, any::<bool>()).prop_map(|(hop, cyclic)| Switching::Tdm { hop, cyclic }),
    ];
    (switching, any::<bool>()).prop_map(|(switching, combining)| Model { switching, combining })
}

/// Well-posed copy problems of all kinds.
pub fn any_problem() -> impl Strategy<Value = Problem> {
    (any_network(), any_model(), any::<u32>(), any::<u64>()).prop_filter_map(
        "well posed",
        |(network, model, kind, choice)| {
            let collective = collective(&network, kind, choice);
            Problem::new(network, collective, model).ok()
        },
    )
}
