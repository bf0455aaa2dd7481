//! Every kind of routes brings every packet there, by as many channels as it says, and without a deadlock where it promises so.

use kernel::{Network, Node};
use simulate::{End, Event, Flow, Halt, Position, RoutesWanted, Settings, Simulator, Trace, routes_named};

/// Every terminal sends long packets to several others at once.
fn crowd(network: &Network) -> Vec<Event> {
    let terminals = network.terminals();
    let to = |at: usize, step: usize| terminals[(at + step) % terminals.len()];
    let from = |at: usize| {
        (0..terminals.len().min(9)).map(move |step| Event {
            cycle: 0,
            source: terminals[at],
            destination: to(at, step),
            flits: 13,
        })
    };
    (0..terminals.len()).flat_map(from).collect()
}

fn run(network: &Network, name: Option<&str>, vcs: u32) -> Result<Trace, Halt> {
    run_under(network, name, vcs, Flow::Wormhole)
}

fn run_under(network: &Network, name: Option<&str>, vcs: u32, flow: Flow) -> Result<Trace, Halt> {
    let wanted = RoutesWanted { name, root: None, vcs, flow, datelines: true };
    let routes = routes_named(network, &wanted).unwrap();
    let buffer = if flow == Flow::Wormhole { 3 } else { 13 };
    let settings = Settings { flow, virtual_channels: vcs.max(routes.least_vcs()), buffer, ..Settings::default() };
    let wanted = RoutesWanted { vcs: settings.virtual_channels, ..wanted };
    let routes = routes_named(network, &wanted).unwrap();
    let mut simulator = Simulator::new(network, &settings, &*routes).unwrap();
    let mut trace = Trace::new(crowd(network));
    let end = simulator.run(&mut trace, 1_000_000, &|| false)?;
    assert_eq!((end, simulator.under_way()), (End::Finished, 0));
    assert_eq!(trace.deliveries().len(), trace.events().len());
    Ok(trace)
}

/// Hops from one node to all others.
fn hops(network: &Network, from: Node) -> Vec<u32> {
    let mut far = vec![u32::MAX; network.node_count()];
    far[from.index()] = 0;
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        for to in network.outgoing(node).iter().map(|channel| network.to(*channel)) {
            if far[to.index()] == u32::MAX && (node == from || network.is_transit(node)) {
                far[to.index()] = far[node.index()] + 1;
                open.push_back(to);
            }
        }
    }
    far
}

fn is_minimal(network: &Network, trace: &Trace) -> bool {
    trace.deliveries().iter().all(|d| d.hops == hops(network, d.packet.source)[d.packet.destination.index()])
}

#[test]
fn routes_without_circles_bring_everything_there() {
    let specs = [
        "mesh:4x4",
        "torus:5x4",
        "hypercube:4",
        "ring:7",
        "petersen",
        "gft:2,4,4",
        "spidergon:8",
        "product:ring:5,mesh:3",
    ];
    for network in specs.map(|spec| topologies::parse(spec).unwrap()) {
        let passes = network.terminals().iter().any(|terminal| network.is_transit(*terminal));
        for name in [None, Some("adaptive"), Some("up-down"), passes.then_some("valiant").or(Some("up-down"))] {
            for vcs in [1, 5] {
                assert!(run(&network, name, vcs).is_ok(), "{} {name:?} {vcs}", network.name());
            }
        }
    }
}

#[test]
fn dimension_order_is_minimal_under_any_numbering() {
    for spec in ["mesh:3x4", "torus:5x3", "hypercube:3", "torus:4x4"] {
        let network = topologies::parse(spec).unwrap();
        let count = network.node_count() as u32;
        let turned = |node: u32| (node * 7 + 3) % count;
        let coprime = !count.is_multiple_of(7);
        assert!(coprime, "{spec}");
        let channels = network.channels().map(|c| (turned(network.from(c).0), turned(network.to(c).0)));
        let other = Network::from_channels(count, channels.collect::<Vec<_>>()).unwrap();
        for network in [&network, &other] {
            let trace = run(network, Some("dimension-order"), 4).unwrap();
            assert!(is_minimal(network, &trace), "{spec}");
        }
    }
}

#[test]
fn every_routing_of_the_registry_can_be_simulated() {
    for entry in routing::ROUTINGS {
        for spec in ["mesh:3x3", "gft:2,4,4", "xgft:4,4;1,4"] {
            let network = topologies::parse(spec).unwrap();
            let wanted =
                RoutesWanted { name: Some(entry.name), root: None, vcs: 4, flow: Flow::Wormhole, datelines: true };
            // What is not for this network says so.
            if routes_named(&network, &wanted).is_ok() {
                let trace = run(&network, Some(entry.name), 4).unwrap();
                assert!(entry.name == "up-down" || is_minimal(&network, &trace), "{} {spec}", entry.name);
            }
        }
    }
}

#[test]
fn an_escape_is_left_where_packets_are_kept_whole() {
    for spec in ["torus:6x5", "mesh:5x5", "hypercube:4", "petersen"] {
        let network = topologies::parse(spec).unwrap();
        for flow in [Flow::CutThrough, Flow::StoreAndForward] {
            let trace = run_under(&network, Some("adaptive"), 1, flow).unwrap();
            assert!(spec == "petersen" || is_minimal(&network, &trace), "{spec} {flow:?}");
        }
    }
    // One that came on the escape may have all others again, but not under wormhole switching, nor where the escape goes round.
    let ways = |spec: &str, flow| {
        let network = topologies::parse(spec).unwrap();
        let wanted = RoutesWanted { name: Some("adaptive"), root: None, vcs: 4, flow, datelines: true };
        let routes = routes_named(&network, &wanted).unwrap();
        let channel = *network.outgoing(Node(0)).first().unwrap();
        let node = network.to(channel);
        let far = hops(&network, node);
        let target = network.nodes().max_by_key(|to| far[to.index()]).unwrap();
        let at = Position {
            node,
            target,
            is_via: false,
            source: Node(0),
            tag: 0,
            hops: 1,
            random: 0,
            arrived: Some(channel),
            arrived_vc: 0,
        };
        let mut choices = Vec::new();
        routes.choices(&at, &mut choices);
        choices.iter().filter(|choice| !choice.is_escape).count()
    };
    assert!(ways("mesh:4x4", Flow::CutThrough) > 0 && ways("torus:5x5", Flow::StoreAndForward) > 0);
    // The one way that is left under wormhole switching is the escape.
    assert_eq!((ways("mesh:4x4", Flow::Wormhole), ways("petersen", Flow::CutThrough)), (1, 1));
}

#[test]
fn valiant_visits_a_node_between() {
    let network = topologies::parse("mesh:5x5").unwrap();
    let trace = run(&network, Some("valiant"), 4).unwrap();
    let least: u32 =
        trace.deliveries().iter().map(|d| hops(&network, d.packet.source)[d.packet.destination.index()]).sum();
    let taken: u32 = trace.deliveries().iter().map(|d| d.hops).sum();
    assert!(taken > least + least / 2, "{taken} {least}");
}

#[test]
fn routes_that_need_more_virtual_channels_are_refused() {
    let network = topologies::parse("torus:5x5").unwrap();
    for (name, least) in [("dimension-order", 2), ("adaptive", 3), ("valiant", 4)] {
        let wanted = RoutesWanted { name: Some(name), root: None, vcs: 1, flow: Flow::Wormhole, datelines: true };
        let routes = routes_named(&network, &wanted).unwrap();
        let settings = Settings { virtual_channels: 1, ..Settings::default() };
        let error = Simulator::new(&network, &settings, &*routes).err().unwrap();
        assert!(error.to_string().ends_with(&format!("needs {least} virtual channels, but there are 1")), "{error}");
    }
}
