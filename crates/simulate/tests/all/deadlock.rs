//! Messages that wait for each other for ever are found, and there are none where the theory says so.

use kernel::{Network, Node};
use routing::Routing;
use simulate::{DimensionOrder, End, Event, Flow, Halt, Settings, Simulator, TableRoutes, Trace};

/// Every node sends long messages half way round in both dimensions.
fn heavy(network: &Network, side: u32) -> Trace {
    let half = side / 2;
    let to = |node: u32| (node / side + half) % side * side + (node + half) % side;
    let events = network.terminals().iter().flat_map(|source| {
        (0..8).map(move |cycle| Event { cycle, source: *source, destination: Node(to(source.0)), flits: 20 })
    });
    Trace::new(events.collect())
}

fn run(spec: &str, side: u32, datelines: bool, settings: &Settings) -> Result<End, Halt> {
    let network = topologies::parse(spec).unwrap();
    let routes = DimensionOrder::new(&network, settings.virtual_channels, datelines).unwrap();
    let mut simulator = Simulator::new(&network, settings, &routes).unwrap();
    let end = simulator.run(&mut heavy(&network, side), 1_000_000, &|| false);
    assert_eq!(simulator.under_way() == 0, end.is_ok());
    end
}

#[test]
fn a_torus_without_datelines_deadlocks_in_a_ring() {
    let torus = topologies::parse("torus:6x6").unwrap();
    for flow in [Flow::Wormhole, Flow::Circuit] {
        let settings = Settings { virtual_channels: 1, buffer: 4, flow, ..Settings::default() };
        let Err(Halt::Deadlock(deadlock)) = run("torus:6x6", 6, false, &settings) else { panic!("a deadlock") };
        // Every channel of the circle leads to where the next one starts.
        let channels: Vec<_> = deadlock.circle.iter().map(|held| held.channel).collect();
        for (before, after) in channels.iter().zip(channels.iter().cycle().skip(1)) {
            assert_eq!(torus.to(*before), torus.from(*after), "{deadlock}");
        }
        assert!(channels.len() >= 4 && deadlock.stuck >= channels.len(), "{deadlock}");
    }
}

#[test]
fn datelines_keep_a_torus_free_of_deadlock() {
    for virtual_channels in [2, 3, 4] {
        let settings = Settings { virtual_channels, buffer: 2, ..Settings::default() };
        assert_eq!(run("torus:6x6", 6, true, &settings), Ok(End::Finished));
        assert_eq!(run("torus:5x5", 5, true, &settings), Ok(End::Finished));
    }
}

#[test]
fn dimension_order_on_a_mesh_needs_one_virtual_channel() {
    for flow in [Flow::Wormhole, Flow::Circuit] {
        let settings = Settings { virtual_channels: 1, buffer: 1, flow, ..Settings::default() };
        assert_eq!(run("mesh:6x6", 6, false, &settings), Ok(End::Finished));
    }
}

#[test]
fn a_part_that_waits_for_ever_is_found_while_others_move() {
    // Two rings beside each other: messages deadlock on the first, and go on for ever on the second.
    let ring = |first: u32| (0..4).map(move |k| (first + k, first + (k + 1) % 4));
    let network = Network::from_channels(8, ring(0).chain(ring(4))).unwrap();
    let routes = TableRoutes::new(&Routing::new(&network, "shortest", None).unwrap()).unwrap();
    let settings = Settings { virtual_channels: 1, buffer: 2, ..Settings::default() };
    let waiting = (0..4).map(|k| Event { cycle: 0, source: Node(k), destination: Node((k + 3) % 4), flits: 30 });
    let moving = (0..100_000).map(|k| Event { cycle: 3 * k, source: Node(4), destination: Node(5), flits: 1 });
    let mut simulator = Simulator::new(&network, &settings, &routes).unwrap();
    let end = simulator.run(&mut Trace::new(waiting.chain(moving).collect()), 1_000_000, &|| false);
    let Err(Halt::Deadlock(deadlock)) = end else { panic!("{end:?}") };
    assert_eq!(deadlock.circle.len(), 4, "{deadlock}");
    assert!(deadlock.cycle < 20_000);
}
