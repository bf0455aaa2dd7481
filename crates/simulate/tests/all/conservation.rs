//! Every packet that is sent arrives, once, where it should, over random networks and settings.

use kernel::{Network, NetworkData, Node};
use proptest::prelude::*;
use routing::Routing;
use simulate::{Allocator, End, Event, Flow, Interval, NodePorts, Settings, Simulator, TableRoutes, Trace};

fn settings() -> impl Strategy<Value = Settings> {
    let ports = prop_oneof![(1u32..3).prop_map(NodePorts::Each), Just(NodePorts::All)];
    let flow =
        prop_oneof![Just(Flow::Wormhole), Just(Flow::CutThrough), Just(Flow::StoreAndForward), Just(Flow::Circuit)];
    let allocator = prop_oneof![Just(Allocator::Islip), Just(Allocator::RoundRobin)];
    let delays = proptest::array::uniform8(0u32..4);
    (flow, allocator, delays, ports.clone(), ports, 1u32..6, 1u32..10, 1u32..3).prop_map(
        |(flow, allocator, delays, injection, ejection, vcs, buffer, interval)| Settings {
            flow,
            allocator,
            virtual_channels: if flow == Flow::Circuit { 1 } else { vcs },
            buffer,
            interval,
            routing_delay: delays[0],
            vc_delay: delays[1],
            allocation_delay: delays[2],
            switch_delay: delays[3],
            channel_delay: delays[4] + 1,
            credit_delay: delays[5],
            injection_delay: delays[6],
            ejection_delay: delays[7],
            injection,
            ejection,
            ..Settings::default()
        },
    )
}

/// Packets all at once and over time, of different lengths, some to their own source.
fn events(network: &Network, settings: &Settings, seeds: &[(u32, u32, u32, u64)]) -> Vec<Event> {
    let terminals = network.terminals();
    let most = if settings.flow == Flow::Wormhole || settings.flow == Flow::Circuit { 12 } else { settings.buffer };
    let node = |seed: u32| terminals[seed as usize % terminals.len()];
    let event = |&(source, destination, flits, cycle): &(u32, u32, u32, u64)| Event {
        cycle,
        source: node(source),
        destination: node(destination),
        flits: 1 + flits % most,
    };
    seeds.iter().map(event).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_packet_arrives_once(
        links in proptest::collection::vec((0u32..12, 0u32..12), 0..16),
        settings in settings(),
        seeds in proptest::collection::vec((0u32..100, 0u32..100, 0u32..100, 0u64..200), 1..200),
        slow in proptest::option::of(proptest::collection::vec(0u32..300, 54)),
        is_half in proptest::bool::ANY,
    ) {
        // A tree and further links: up-down is free of deadlock on it, whatever the settings.
        let tree = (1u32..12).map(|node| (node, node / 2));
        let further = links.into_iter().filter(|(a, b)| a != b);
        let network = Network::from_links(12, tree.chain(further)).unwrap();
        // Some links are half-duplex, some slower than others by any fraction.
        let half = is_half && settings.flow != Flow::Circuit;
        let pairs = (0..network.channel_count() as u32 / 2).filter(|pair| half && pair % 3 != 0);
        let half_duplex = pairs.map(|pair| vec![2 * pair, 2 * pair + 1]).collect();
        let network = Network::new(NetworkData { half_duplex, ..network.data().clone() }).unwrap();
        let interval = |hundredths: u32| Interval::ratio((100 * settings.interval + hundredths).into(), 100).unwrap();
        let of = |channel: kernel::Channel| slow.as_ref().map(|slow| interval(slow[channel.index()]));
        let channel_intervals = network.channels().map(of).collect();
        let settings = Settings { channel_intervals, ..settings };
        let routes = TableRoutes::new(&Routing::new(&network, "up-down", None).unwrap()).unwrap();
        let mut trace = Trace::new(events(&network, &settings, &seeds));
        let mut simulator = Simulator::new(&network, &settings, &routes).unwrap();
        let end = simulator.run(&mut trace, 1_000_000, &|| false).unwrap();
        prop_assert_eq!(end, End::Finished);
        prop_assert_eq!(simulator.under_way(), 0);
        let mut arrived: Vec<(u64, Node)> = trace.deliveries().iter().map(|d| (d.packet.tag, d.packet.destination)).collect();
        arrived.sort_unstable();
        let sent: Vec<(u64, Node)> = (0..).zip(trace.events()).map(|(tag, event)| (tag, event.destination)).collect();
        prop_assert_eq!(arrived, sent);
        // Flits that channels carried are those of the packets, hop by hop, and every credit has come back.
        let carried: u64 = network.channels().map(|channel| simulator.carried(channel)).sum();
        let hops: u64 = trace.deliveries().iter().map(|d| u64::from(d.hops) * u64::from(d.packet.flits)).sum();
        prop_assert_eq!(carried, hops);
        for channel in network.channels() {
            prop_assert_eq!(simulator.held_vcs(channel), 0);
            for vc in 0..settings.virtual_channels {
                prop_assert_eq!(simulator.buffer(channel, vc).flits, 0);
                prop_assert_eq!(simulator.credits(channel, vc), settings.buffer);
            }
        }
    }
}
