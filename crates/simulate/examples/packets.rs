//! `cargo xtask packets [COUNT]`: sends so many packets (a million) through random networks under random settings, and counts that each
//! arrives once, where it should.

use kernel::{Network, NetworkData, Node};
use rand::RngExt;
use routing::Routing;
use simulate::{Allocator, End, Event, Flow, Interval, NodePorts, Settings, Simulator, TableRoutes, Trace};
use std::process::ExitCode;

/// Packets of one network.
const EACH: u64 = 10_000;

fn main() -> ExitCode {
    let count = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse::<u64>());
    let done = count.map_err(Into::into).and_then(|count| (0..count.div_ceil(EACH)).try_for_each(one));
    match done {
        Ok(()) => {
            println!("every packet arrived once");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn one(number: u64) -> Result<(), Box<dyn std::error::Error>> {
    let mut random = run::Seed(number).generator(0);
    let nodes = random.random_range(2..40u32);
    // A tree and further links, so that up-down leads everywhere without circles.
    let tree: Vec<(u32, u32)> = (1..nodes).map(|node| (node, random.random_range(0..node))).collect();
    let further =
        (0..random.random_range(0..nodes)).map(|_| (random.random_range(0..nodes), random.random_range(0..nodes)));
    let further: Vec<(u32, u32)> = further.filter(|(a, b)| a != b).collect();
    let network = Network::from_links(nodes, tree.into_iter().chain(further))?;
    let flow = [Flow::Wormhole, Flow::CutThrough, Flow::StoreAndForward, Flow::Circuit][random.random_range(0..4)];
    // Some networks have half-duplex links, and some channels of any interval.
    let links = (0..network.channel_count() as u32 / 2).filter(|_| flow != Flow::Circuit && number.is_multiple_of(3));
    let half_duplex = links.map(|link| vec![2 * link, 2 * link + 1]).collect();
    let network = Network::new(NetworkData { half_duplex, ..network.data().clone() })?;
    let interval = random.random_range(1..3);
    let mut slow = |_| Interval::ratio((100 * interval + random.random_range(0..300)).into(), 100);
    let channel_intervals = if number.is_multiple_of(2) { network.channels().map(&mut slow).collect() } else { None };
    let ports = |all: bool, each: u32| if all { NodePorts::All } else { NodePorts::Each(each) };
    let settings = Settings {
        flow,
        virtual_channels: if flow == Flow::Circuit { 1 } else { random.random_range(1..9) },
        buffer: random.random_range(1..17),
        routing_delay: random.random_range(0..4),
        vc_delay: random.random_range(0..4),
        allocation_delay: random.random_range(0..4),
        switch_delay: random.random_range(0..4),
        channel_delay: random.random_range(1..8),
        channel_delays: None,
        channel_intervals,
        merge_delay: 0,
        credit_delay: random.random_range(0..4),
        injection_delay: random.random_range(0..4),
        ejection_delay: random.random_range(0..4),
        interval,
        injection: ports(random.random(), random.random_range(1..4)),
        ejection: ports(random.random(), random.random_range(1..4)),
        allocator: if random.random() { Allocator::Islip } else { Allocator::RoundRobin },
        seed: number,
    };
    let most = if matches!(flow, Flow::CutThrough | Flow::StoreAndForward) { settings.buffer } else { 20 };
    let span = random.random_range(1..100_000u64);
    let event = |_| Event {
        cycle: random.random_range(0..span),
        source: Node(random.random_range(0..nodes)),
        destination: Node(random.random_range(0..nodes)),
        flits: random.random_range(1..=most),
    };
    let mut trace = Trace::new((0..EACH).map(event).collect());
    let routes = TableRoutes::new(&Routing::new(&network, "up-down", None)?)?;
    let mut simulator = Simulator::new(&network, &settings, &routes)?;
    let end = simulator.run(&mut trace, u64::MAX, &|| false)?;
    let mut arrived: Vec<(u64, Node)> =
        trace.deliveries().iter().map(|d| (d.packet.tag, d.packet.destination)).collect();
    arrived.sort_unstable();
    let sent = (0..).zip(trace.events()).map(|(tag, event)| (tag, event.destination));
    let is_good = end == End::Finished && simulator.under_way() == 0 && arrived.iter().copied().eq(sent);
    if is_good { Ok(()) } else { Err(format!("network {number} lost or doubled a packet: {settings:?}").into()) }
}
