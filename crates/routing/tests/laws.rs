//! Laws of routings: over all families, over random fat trees, and what is known of each rule.

use kernel::{Channel, Network, Node};
use proptest::prelude::*;
use routing::{Dependencies, Kind, ROUTINGS, Routing, RoutingError};
use std::collections::BTreeMap;
use topologies::levels::{Levels, Place};
use topologies::{FAMILIES, Topology};

fn routing(spec: &str, name: &str) -> Routing {
    Routing::new(&topologies::parse(spec).unwrap(), name, None).unwrap_or_else(|e| panic!("{spec}: {e}"))
}

fn cycle(spec: &str, name: &str) -> Option<Vec<Channel>> {
    routing(spec, name).dependencies().unwrap().cycle()
}

fn small() -> impl Iterator<Item = (&'static str, Network)> {
    let small = |spec: &&str| topologies::topology(spec).unwrap().closed_forms().nodes <= 150;
    FAMILIES.iter().flat_map(|f| f.examples).copied().filter(small).map(|s| (s, topologies::parse(s).unwrap()))
}

/// Whether paths lead from every terminal to every other; where none passes through a terminal, some machines have GPUs on the way.
fn is_connected(network: &Network) -> bool {
    network.terminals().len() < 2 || design::measures::distances(network).diameter().is_some()
}

fn examples() -> impl Iterator<Item = (&'static str, Network)> {
    small().filter(|(_, network)| is_connected(network))
}

#[test]
fn where_terminals_are_on_the_way_there_is_no_way() {
    let mut met = 0;
    for (spec, network) in small().filter(|(_, network)| !is_connected(network)) {
        let shortest = Routing::new(&network, "shortest", None).unwrap();
        assert!(matches!(shortest.dependencies(), Err(RoutingError::NoWay { .. })), "{spec}");
        met += 1;
    }
    assert!(met > 5, "{met}");
}

fn has_links(network: &Network) -> bool {
    let back = |c| network.outgoing(network.to(c)).iter().any(|o| network.to(*o) == network.from(c));
    network.channels().all(back)
}

#[test]
fn up_and_down_never_go_round_in_circles() {
    let mut met = 0;
    for (spec, network) in examples().filter(|(_, network)| network.node_count() <= 110) {
        match Routing::new(&network, "up-down", None).unwrap().dependencies() {
            Ok(graph) => assert_eq!(graph.cycle(), None, "{spec}"),
            Err(RoutingError::NoWay { .. }) => assert!(!has_links(&network), "{spec}"),
            Err(error) => panic!("{spec}: {error}"),
        }
        met += usize::from(has_links(&network));
    }
    assert!(met > 60, "{met}");
}

#[test]
fn every_routing_arrives_wherever_it_applies() {
    for (spec, network) in examples().filter(|(_, network)| network.node_count() <= 100) {
        for entry in ROUTINGS.iter().filter(|entry| entry.name != "up-down") {
            let routing = match Routing::new(&network, entry.name, None) {
                Ok(routing) => routing,
                Err(error) => {
                    assert!(matches!(error, RoutingError::NotFor { .. }) && entry.needs != "any network", "{spec}");
                    continue;
                }
            };
            let graph = routing.dependencies().unwrap_or_else(|e| panic!("{spec}: {e}"));
            assert!(graph.channels() <= network.channel_count());
            if ["shortest", "dimension-order"].contains(&entry.name) {
                let pairs = network.terminals().len() * network.terminals().len().saturating_sub(1);
                let hops: usize = pairs_of(&network).map(|(a, b)| routing.path(a, b).unwrap().len()).sum();
                let mean = design::measures::distances(&network).average().unwrap_or(0.0);
                assert!((hops as f64 - mean * pairs as f64).abs() < 1e-6, "{} on {spec}: {hops} hops", entry.name);
            }
        }
    }
}

fn pairs_of(network: &Network) -> impl Iterator<Item = (Node, Node)> + '_ {
    let all = network.terminals();
    all.iter().flat_map(move |a| all.iter().filter(move |b| *b != a).map(move |b| (*a, *b)))
}

#[test]
fn dimension_order_is_free_of_deadlock_where_rows_are_not_closed() {
    for spec in ["mesh:4x4", "mesh:2x3x4", "hypercube:5", "generalized-hypercube:4,2", "torus:2x3", "torus:3x3"] {
        assert_eq!(cycle(spec, "dimension-order"), None, "{spec}");
    }
    for (spec, length) in [("torus:4x4", 4), ("torus:5x3", 5), ("torus:8x8", 8), ("ring:6", 6)] {
        assert_eq!(cycle(spec, "dimension-order").map(|c| c.len()), Some(length), "{spec}");
    }
}

#[test]
fn shortest_and_minimal_paths() {
    assert!(cycle("ring:6", "shortest").is_some());
    assert_eq!(cycle("ring:3", "shortest"), None);
    assert_eq!(cycle("complete:5", "minimal"), None);
    assert_eq!(cycle("omega:8", "minimal"), None);
    assert!(cycle("ring-uni:5", "shortest").is_some());
    // Any order of dimensions closes circles of four turns, of which two would do without.
    assert_eq!(cycle("mesh:3x3", "minimal").map(|c| c.len()), Some(4));
}

const TREES: [&str; 8] = [
    "gft:2,4,4",
    "gft:3,2,2",
    "gft:2,4,2",
    "fat-tree:16",
    "xgft:2,3,4;1,2,2",
    "xgft:4,4;2,3",
    "pgft:4,4;1,2;1,2",
    "clos:3,3,4",
];

#[test]
fn fat_trees_are_free_of_deadlock() {
    for spec in TREES {
        for name in ["up-down", "minimal", "d-mod-k", "s-mod-k"] {
            assert_eq!(cycle(spec, name), None, "{name} on {spec}");
        }
        let every = routing(spec, "up-down").dependencies().unwrap();
        let fixed = routing(spec, "d-mod-k").dependencies().unwrap();
        assert!(fixed.count() <= every.count(), "{spec}");
    }
}

/// What the rule of powers says of five parents where there are but four ports' worth of children.
#[test]
fn numbers_that_wrap_load_channels_twice() {
    let loads = |name| routing("xgft:4,3;1,5", name).shifts(&(0..12).map(Node).collect::<Vec<_>>()).unwrap();
    assert_eq!((loads("d-mod-k").largest(), loads("s-mod-k").largest()), (2, 2));
    let slimmed = routing("gft:2,4,2", "d-mod-k");
    // Switches with four children and two parents: two messages for every way up.
    assert_eq!(slimmed.shifts(slimmed.network().terminals()).unwrap().largest(), 2);
}

#[test]
fn leaving_out_terminals_costs() {
    let routing = routing("xgft:4,4,4;1,4,4", "d-mod-k");
    assert_eq!(routing.shifts(routing.network().terminals()).unwrap().largest(), 1);
    // Three of four, in an order that has nothing to do with the tree.
    let some: Vec<Node> = (0..64).filter(|t| t * 37 % 64 < 48).map(Node).collect();
    assert_eq!(some.len(), 48);
    let largest = routing.shifts(&some).unwrap().largest();
    assert!((2..=3).contains(&largest), "{largest}");
}

#[test]
fn tables_hold_the_paths() {
    for (spec, name) in [
        ("gft:2,4,4", "d-mod-k"),
        ("gft:2,4,4", "s-mod-k"),
        ("xgft:4,4;2,3", "s-mod-k"),
        ("pgft:4,4,4;1,2,4;1,2,2", "d-mod-k"),
        ("pgft:4,4;1,2;1,2", "s-mod-k"),
        ("clos:3,3,4", "s-mod-k"),
        ("torus:4x4", "dimension-order"),
        ("kautz:2,2", "shortest"),
    ] {
        let routing = routing(spec, name);
        let (network, tables) = (routing.network(), routing.tables().unwrap());
        assert_eq!(tables.classes == 1, routing.kind() == Kind::Destination, "{spec}");
        for (rank, &source) in network.terminals().iter().enumerate() {
            for (to, &destination) in network.terminals().iter().enumerate().filter(|(to, _)| *to != rank) {
                let class = tables.class_of[rank];
                let address = to * tables.classes as usize + class as usize;
                let expected = (tables.addresses[address].terminal, tables.addresses[address].class);
                assert_eq!(expected, (destination, class));
                for channel in routing.path(source, destination).unwrap() {
                    let Some(table) = tables.tables.iter().find(|t| t.node == network.from(channel)) else { continue };
                    let port = table.ports[address].unwrap();
                    assert_eq!(network.outgoing(table.node)[port as usize - 1], channel, "{name} on {spec}");
                }
            }
        }
    }
}

#[test]
fn what_may_not_be_had() {
    let torus = topologies::parse("torus:4x4").unwrap();
    let refused = |network: &Network, name, root| Routing::new(network, name, root).err().unwrap();
    let unknown = refused(&torus, "d-mod-q", None);
    assert!(unknown.hint().contains("did you mean `d-mod-k`") && unknown.hint().contains("up-down"));
    assert!(matches!(refused(&torus, "d-mod-k", None), RoutingError::NotFor { .. }));
    assert_eq!(refused(&torus, "shortest", Some(Node(1))), RoutingError::NoRoot { routing: "shortest" });
    assert!(matches!(refused(&torus, "up-down", Some(Node(16))), RoutingError::Root { .. }));
    let tree = topologies::parse("gft:2,2,2").unwrap();
    assert!(matches!(refused(&tree, "up-down", Some(Node(3))), RoutingError::Root { .. }));
    let damaged = topologies::change::without_link(&tree, Node(8), Node(12), false).unwrap();
    assert!(matches!(refused(&damaged, "d-mod-k", None), RoutingError::NotFor { .. }));
    assert_eq!(Routing::new(&damaged, "up-down", None).unwrap().dependencies().unwrap().cycle(), None);
    let adaptive = Routing::new(&torus, "minimal", None).unwrap();
    assert!(matches!(adaptive.shifts(torus.terminals()), Err(RoutingError::Choice { .. })));
    assert!(matches!(adaptive.tables(), Err(RoutingError::Choice { .. })));
}

#[test]
fn roots_change_the_way_but_not_the_freedom() {
    let torus = topologies::parse("torus:4x4").unwrap();
    let graph = |root| Routing::new(&torus, "up-down", root).unwrap().dependencies().unwrap();
    for root in [0, 5, 15] {
        assert_eq!(graph(Some(Node(root))).cycle(), None);
    }
    assert_ne!(graph(None).after(Channel(0)), graph(Some(Node(15))).after(Channel(0)));
}

/// The largest load of a channel of the way up over all shifts, where a message from level l takes port ⌊d / w⌋ modulo their
/// number and w is what `divisor` makes of l.
fn heaviest_climb(spec: &str, divisor: impl Fn(&Levels, usize) -> u32) -> u32 {
    let levels = topologies::topology(spec).unwrap().levels().unwrap();
    let n = levels.terminals();
    let load = |k: u32| {
        let mut load = BTreeMap::new();
        for from in 0..n {
            let to = (from + k) % n;
            let mut place = Place { level: 0, subtree: from, root: 0, down: false };
            while to / levels.terminals_below(place.level) != place.subtree {
                let port = to / divisor(&levels, place.level) % levels.up_ports(place.level);
                *load.entry((levels.node(place), port)).or_insert(0) += 1;
                place = levels.parent(place, port);
            }
        }
        load.into_values().max().unwrap()
    };
    (1..n).map(load).max().unwrap()
}

const WHOLE_TREES: [&str; 7] = [
    "pgft:4,4;1,2;1,2",
    "pgft:4,4;1,4;1,1",
    "pgft:4,4,4;1,2,4;1,2,2",
    "pgft:8,4;1,2;1,4",
    "pgft:4,4,2;1,2,4;1,2,2",
    "pgft:2,2,2;1,1,2;1,2,2",
    "pgft:6,3;1,3;1,2",
];

#[test]
fn shifts_are_free_of_conflict() {
    for spec in WHOLE_TREES {
        let routing = routing(spec, "d-mod-k");
        let network = routing.network();
        let n = network.terminals().len() as u32;
        for k in 1..n {
            let mut load = vec![0; network.channel_count()];
            for from in 0..n {
                let path = routing.path(Node(from), Node((from + k) % n)).unwrap();
                path.iter().for_each(|c| load[c.index()] += 1);
            }
            assert_eq!(load.iter().max(), Some(&1), "{spec}, shift {k}");
        }
        assert_eq!(heaviest_climb(spec, |levels, level| levels.roots(level)), 1, "{spec}");
    }
}

#[test]
fn a_divisor_that_counts_cables_is_not() {
    let cables = |levels: &Levels, level: usize| (1..=level).map(|x| levels.parents(x) * levels.cables(x)).product();
    let loads = WHOLE_TREES.map(|spec| heaviest_climb(spec, cables));
    assert!(loads.iter().any(|load| *load > 1), "{loads:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// As many ports up as down at every level: no shift loads a channel twice.
    #[test]
    fn constant_bisection_has_no_conflict(
        sizes in proptest::collection::vec((1..4u32, 1..4u32, 1..4u32), 1..4),
        first in 2..6u32,
        by_source in any::<bool>(),
    ) {
        // A switch has M·P ports down and W·P' up: choose W and P' of the next level so that they agree.
        let (mut children, mut parents, mut cables) = (vec![first], vec![1], vec![1]);
        for (m, w, _) in sizes {
            let ports = children.last().unwrap() * cables.last().unwrap();
            let w = if ports % w == 0 { w } else { 1 };
            parents.push(w);
            cables.push(ports / w);
            children.push(m);
        }
        prop_assume!(children.iter().product::<u32>() <= 160);
        let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let spec = format!("pgft:{};{};{}", list(&children), list(&parents), list(&cables));
        let routing = routing(&spec, if by_source { "s-mod-k" } else { "d-mod-k" });
        let shifts = routing.shifts(routing.network().terminals()).unwrap();
        prop_assert!(shifts.loads.iter().all(|load| *load == 1), "{}: {:?}", spec, shifts.counts());
        prop_assert_eq!(routing.dependencies().unwrap().cycle(), None);
    }

    /// A cycle is found if and only if there is one, and it is a shortest.
    #[test]
    fn cycles_are_cycles(turns in proptest::collection::vec((0..30u32, 0..30u32), 0..60)) {
        let network = topologies::families::complete::Complete::new(6).unwrap().network();
        let mut graph = Dependencies::new(&network);
        let turns: Vec<(Channel, Channel)> = turns.iter().filter(|(a, b)| a != b).map(|(a, b)| (Channel(*a), Channel(*b))).collect();
        for (a, b) in &turns {
            graph.path(&[*a, *b]);
        }
        // Walks of each length between each two channels, until one closes.
        let mut walks = vec![vec![false; 30]; 30];
        turns.iter().for_each(|(a, b)| walks[a.index()][b.index()] = true);
        let step = walks.clone();
        let mut shortest = None;
        for length in 1..=30 {
            if (0..30).any(|c| walks[c][c]) {
                shortest = Some(length);
                break;
            }
            let longer = |row: &Vec<bool>| (0..30).map(|to| (0..30).any(|via| row[via] && step[via][to])).collect();
            walks = walks.iter().map(longer).collect();
        }
        let found = graph.cycle();
        prop_assert_eq!(found.as_ref().map(Vec::len), shortest);
        if let Some(cycle) = found {
            for (at, channel) in cycle.iter().enumerate() {
                prop_assert!(graph.after(*channel).contains(&cycle[(at + 1) % cycle.len()]));
            }
        }
    }
}

/// The load of the busiest channel when every terminal sends to every other by the first path of up-down, and the hops of all.
fn first_paths(network: &Network, root: Option<Node>) -> (usize, usize) {
    let routing = Routing::new(network, "up-down", root).unwrap();
    let mut load = vec![0; network.channel_count()];
    for (a, b) in pairs_of(network) {
        routing.path(a, b).unwrap().iter().for_each(|channel| load[channel.index()] += 1);
    }
    (load.iter().copied().max().unwrap_or(0), load.iter().sum())
}

/// Whoever follows one path only takes a short one: on a mesh whose root is a corner all shortest paths go up first, then down.
#[test]
fn the_first_path_of_up_down_is_a_shortest_one_that_it_allows() {
    let mesh = topologies::parse("mesh:6x6").unwrap();
    let shortest = (design::measures::distances(&mesh).average().unwrap() * 36.0 * 35.0).round();
    assert_eq!(first_paths(&mesh, Some(Node(0))).1 as f64, shortest);
}

#[test]
fn the_root_is_one_that_loads_channels_little() {
    for spec in ["mesh:6x6", "torus:4x6", "random-regular:32,3", "petersen"] {
        let network = topologies::parse(spec).unwrap();
        let root = Routing::new(&network, "up-down", None).unwrap().root().unwrap();
        assert_eq!(first_paths(&network, None), first_paths(&network, Some(root)), "{spec}");
        let best = network.nodes().map(|root| first_paths(&network, Some(root)).0).min();
        assert_eq!(Some(first_paths(&network, None).0), best, "{spec}");
    }
    let tree = topologies::parse("gft:2,2,2").unwrap();
    assert_eq!(Routing::new(&tree, "up-down", None).unwrap().root(), None);
    assert_eq!(Routing::new(&tree, "up-down", Some(Node(12))).unwrap().root(), Some(Node(12)));
    // Too many nodes to try them all: the middle of a path.
    let path = topologies::parse("mesh:1x1501").unwrap();
    assert_eq!(Routing::new(&path, "up-down", None).unwrap().root(), Some(Node(750)));
}
