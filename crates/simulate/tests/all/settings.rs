//! Settings that make no sense are refused, with the reason and what to do; delays add up as the page on simulation says.

use kernel::{Network, NetworkData, Node};
use proptest::prelude::*;
use simulate::{DimensionOrder, Event, Flow, Interval, NodePorts, Settings, SettingsError, Simulator, Trace};

fn refused(settings: &Settings) -> SettingsError {
    settings.check(4).err().unwrap()
}

#[test]
fn what_is_out_of_range_is_refused() {
    let vcs = |virtual_channels| refused(&Settings { virtual_channels, ..Settings::default() }).to_string();
    assert_eq!(vcs(0), "the number of virtual channels is 0, but it must be from 1 to 32");
    assert_eq!(vcs(33), "the number of virtual channels is 33, but it must be from 1 to 32");
    let delays = Settings { channel_delays: Some(vec![1, 1]), ..Settings::default() };
    assert_eq!(refused(&delays).to_string(), "there are 2 channel delays for 4 channels");
    let circuit = refused(&Settings { flow: Flow::Circuit, ..Settings::default() });
    assert!(circuit.to_string().contains("a circuit holds whole channels") && circuit.hint() == "use --vcs 1");
    for settings in [
        Settings { buffer: 0, ..Settings::default() },
        Settings { channel_delay: 0, ..Settings::default() },
        Settings { channel_delays: Some(vec![1, 0, 1, 1]), ..Settings::default() },
        Settings { interval: 0, ..Settings::default() },
        Settings { interval: 2, channel_intervals: Some(vec![Interval::cycles(1); 4]), ..Settings::default() },
        Settings { routing_delay: 5000, ..Settings::default() },
        Settings { injection: NodePorts::Each(0), ..Settings::default() },
    ] {
        assert!(matches!(refused(&settings), SettingsError::Range { .. }), "{settings:?}");
    }
}

#[test]
fn a_packet_must_fit_where_it_is_kept_whole() {
    for flow in [Flow::CutThrough, Flow::StoreAndForward] {
        let settings = Settings { flow, buffer: 8, ..Settings::default() };
        assert_eq!(settings.check_length(8), Ok(()));
        let error = settings.check_length(9).err().unwrap();
        assert!(error.to_string().starts_with("a packet of 9 flits does not fit into a buffer of 8"), "{error}");
        assert!(error.hint().contains("--buffer 9"));
    }
    assert_eq!(Settings::default().check_length(9), Ok(()));
    assert!(Settings::default().check_length(0).is_err());
}

#[test]
fn networks_that_are_not_modelled_are_refused() {
    let data = NetworkData { nodes: 2, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() };
    let refused = |data: NetworkData| {
        let network = Network::new(data).unwrap();
        let routes = DimensionOrder::new(&network, 4, true).unwrap();
        Simulator::new(&network, &Settings::default(), &routes).err().unwrap().to_string()
    };
    let fat = refused(NetworkData { capacities: Some(vec![2, 2]), ..data.clone() });
    assert!(fat.contains("channels that carry several packets at once cannot be simulated"), "{fat}");
    let half = Network::new(NetworkData { half_duplex: vec![vec![0, 1]], ..data }).unwrap();
    let circuits = Settings { flow: Flow::Circuit, virtual_channels: 1, ..Settings::default() };
    let error = circuits.check_unscheduled(&half).err().unwrap();
    assert!(error.to_string().contains("circuits on half-duplex links"), "{error}");
    assert_eq!(Settings::default().check_unscheduled(&half), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn delays_of_all_stages_add_up(
        delays in proptest::array::uniform7(0u32..6), wires in proptest::collection::vec(1u32..9, 6), hops in 0u32..4, flits in 1u32..20,
    ) {
        let line = topologies::parse("mesh:4").unwrap();
        let settings = Settings {
            routing_delay: delays[0],
            vc_delay: delays[1],
            allocation_delay: delays[2],
            switch_delay: delays[3],
            injection_delay: delays[4],
            ejection_delay: delays[5],
            credit_delay: delays[6],
            buffer: 64,
            channel_delays: Some(wires.clone()),
            ..Settings::default()
        };
        let routes = DimensionOrder::new(&line, 4, true).unwrap();
        let mut trace = Trace::new(vec![Event { cycle: 3, source: Node(0), destination: Node(hops), flits }]);
        Simulator::new(&line, &settings, &routes).unwrap().run(&mut trace, 100_000, &|| false).unwrap();
        let taken = (0..hops).map(|node| line.outgoing(Node(node)).iter().find(|c| line.to(**c) == Node(node + 1)).unwrap());
        let wires: u32 = taken.map(|channel| wires[channel.index()]).sum();
        let router: u32 = delays[..4].iter().sum();
        let expected = delays[4] + (hops + 1) * router + wires + delays[5] + flits - 1;
        prop_assert_eq!(trace.deliveries()[0].latency(), u64::from(expected));
    }
}
