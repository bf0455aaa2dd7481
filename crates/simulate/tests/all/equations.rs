//! Equations 2.3 to 2.6 of the dissertation: the latency of one message without contention.

use kernel::Node;
use proptest::prelude::*;
use simulate::{DimensionOrder, Event, Flow, Settings, Simulator, Trace};

/// The latency of one message of a header and `data` flits over `hops` channels, as simulated.
fn simulated(settings: &Settings, hops: u32, data: u32) -> u64 {
    let mesh = topologies::parse("mesh:9").unwrap();
    let routes = DimensionOrder::new(&mesh, settings.virtual_channels, false).unwrap();
    let event = Event { cycle: 7, source: Node(0), destination: Node(hops), flits: data + 1 };
    let mut trace = Trace::new(vec![event]);
    let mut simulator = Simulator::new(&mesh, settings, &routes).unwrap();
    simulator.run(&mut trace, 1_000_000, &|| false).unwrap();
    assert_eq!(trace.deliveries()[0].hops, hops);
    assert_eq!(simulator.blocked(), 0);
    trace.deliveries()[0].latency()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn latencies_without_contention_are_those_of_the_equations(
        (routing, switching, wire) in (0u32..9, 0u32..9, 1u32..9), hops in 1u32..9, data in 1u32..40,
    ) {
        let equations = |flow| Settings::equations(flow, routing, switching, wire, data + 1);
        let (r, s, w) = (u64::from(routing), u64::from(switching), u64::from(wire));
        let (h, m) = (u64::from(hops), u64::from(data));
        let circuit = h * (r + 2 * (s + w)) + w * m;
        prop_assert_eq!(simulated(&equations(Flow::Circuit), hops, data), circuit);
        let whole = h * (r + (s + w) * (m + 1));
        prop_assert_eq!(simulated(&equations(Flow::StoreAndForward), hops, data), whole);
        let cut = h * (r + s + w) + s.max(w) * m;
        prop_assert_eq!(simulated(&equations(Flow::CutThrough), hops, data), cut);
        prop_assert_eq!(simulated(&equations(Flow::Wormhole), hops, data), cut);
    }
}
