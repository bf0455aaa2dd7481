//! Channels that are slower than others, that share a medium, and that stand beside each other carry what they should.

use kernel::{Channel, Network, NetworkData, Node};
use simulate::play::{OnParallel, Parallel};
use simulate::{
    DimensionOrder, Event, Experiment, Flow, Interval, Limits, NodePorts, Pattern, Point, Routes, Settings, Simulator,
    TableRoutes, Trace,
};

/// A link, and what both of its ends carry if they send all that they can.
fn full(data: NetworkData, settings: Settings) -> Point {
    let network = Network::new(data).unwrap();
    let parallel = Parallel::of(&network).unwrap();
    let routes = TableRoutes::new(&routing::Routing::new(&network, "shortest", None).unwrap()).unwrap();
    let on_parallel = OnParallel { parallel: &parallel, routes: &routes };
    let routes: &dyn Routes = &on_parallel;
    let experiment = Experiment {
        network: parallel.network(),
        settings: &parallel.settings(&settings),
        routes,
        pattern: &Pattern::weighted(&[vec![0.0, 1.0], vec![1.0, 0.0]], 2).unwrap(),
        lengths: &[4],
        burst: None,
        limits: Limits { window: 2000, warm: 4, batches: 2 },
    };
    let ports = parallel.network().outgoing(Node(1)).len() as f64;
    experiment.point(ports, 1, &|| false).unwrap()
}

fn link() -> NetworkData {
    NetworkData { nodes: 2, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() }
}

fn settings() -> Settings {
    Settings { injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() }
}

#[test]
fn both_directions_of_a_half_duplex_link_share_it_evenly() {
    let point = full(NetworkData { half_duplex: vec![vec![0, 1]], ..link() }, settings());
    assert!(point.is_saturated && (point.loads.iter().sum::<f64>() - 1.0).abs() < 0.01, "{:?}", point.loads);
    assert!((point.loads[0] - 0.5).abs() < 0.01, "{:?}", point.loads);
    let free = full(link(), settings());
    assert!(free.loads.iter().all(|load| *load > 0.98), "{:?}", free.loads);
    // A bus of four channels: each gets a quarter.
    let bus = NetworkData { nodes: 2, channels: vec![(0, 1), (0, 1), (1, 0), (1, 0)], ..NetworkData::default() };
    let point = full(NetworkData { half_duplex: vec![vec![0, 1, 2, 3]], ..bus }, settings());
    assert!((point.loads.iter().sum::<f64>() - 1.0).abs() < 0.02, "{:?}", point.loads);
    assert!((point.loads[2] + point.loads[3] - 0.5).abs() < 0.05, "{:?}", point.loads);
}

#[test]
fn a_channel_of_capacity_three_carries_up_to_three_flits_a_cycle() {
    let point = full(NetworkData { capacities: Some(vec![3, 3]), ..link() }, settings());
    let parallel =
        Parallel::of(&Network::new(NetworkData { capacities: Some(vec![3, 3]), ..link() }).unwrap()).unwrap();
    let loads = parallel.by_channel(&point.loads);
    // Of three inputs and three outputs an allocator of one iteration leaves some idle.
    assert!(loads.iter().all(|load| *load > 2.2), "{loads:?}");
    // Half-duplex, each of the channels beside each other by itself.
    let half = NetworkData { capacities: Some(vec![2, 2]), half_duplex: vec![vec![0, 1]], ..link() };
    let point = full(half, settings());
    assert!((point.loads.iter().sum::<f64>() - 2.0).abs() < 0.05, "{:?}", point.loads);
}

#[test]
fn slow_channels_move_a_flit_every_so_many_cycles() {
    for (numerator, denominator) in [(3, 1), (5, 2), (4, 3), (1001, 1000)] {
        let interval = Interval::ratio(numerator, denominator).unwrap();
        let slow = Settings { channel_intervals: Some(vec![interval, Interval::cycles(1)]), ..settings() };
        let point = full(link(), slow.clone());
        let expected = denominator as f64 / numerator as f64;
        assert!((point.loads[0] - expected).abs() < 0.02 && point.loads[1] > 0.98, "{interval}: {:?}", point.loads);
        // A packet alone takes what is known before; on the way its flits wait before the slow channel.
        let line = topologies::parse("mesh:4").unwrap();
        let routes = DimensionOrder::new(&line, 4, true).unwrap();
        for flow in [Flow::Wormhole, Flow::StoreAndForward] {
            let intervals: Vec<Interval> =
                (0..6).map(|channel| if channel % 4 < 2 { interval } else { Interval::cycles(1) }).collect();
            let settings = Settings { flow, buffer: 200, channel_intervals: Some(intervals), ..settings() };
            let mut trace = Trace::new(vec![Event { cycle: 0, source: Node(0), destination: Node(3), flits: 120 }]);
            Simulator::new(&line, &settings, &routes).unwrap().run(&mut trace, 100_000, &|| false).unwrap();
            let path: Vec<Channel> = (0..3)
                .map(|node| *line.outgoing(Node(node)).iter().find(|c| line.to(**c) == Node(node + 1)).unwrap())
                .collect();
            let (taken, alone) = (trace.deliveries()[0].latency(), settings.alone(&path, 120));
            let slack = if denominator == 1 { 0 } else { 3 };
            assert!(taken <= alone && taken + slack >= alone, "{interval} {flow:?}: {taken} {alone}");
        }
    }
    assert_eq!((Interval::ratio(1, 0), Interval::ratio(1 << 40, 1)), (None, None));
}
