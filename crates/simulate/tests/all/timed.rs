//! Schedules in time take in flits the time that they say, where flits are many and routers take none; and what cannot be told in flits is refused.

use kernel::timed::{Links, TimedProblem, TimedSchedule, Timeline, Units, VerifiedTimed, verify};
use kernel::{Channel, Collective, Message, Network, NetworkData, Node, Rational, Transfer};
use rand::{RngExt, SeedableRng};
use simulate::play::{CycleTime, Ended, Mode, Needs, Play, PlayError, Playing, Recorded};
use simulate::{NodePorts, Settings};

/// Routers without delays: what is left are channels.
fn settings() -> Settings {
    Settings {
        vc_delay: 0,
        allocation_delay: 0,
        switch_delay: 0,
        injection_delay: 0,
        credit_delay: 0,
        injection: NodePorts::All,
        ejection: NodePorts::All,
        ..Settings::default()
    }
}

fn play(schedule: &VerifiedTimed, flit: Option<u32>, mode: Mode) -> Result<(Recorded, f64), PlayError> {
    let schedule = &schedule.written_out().unwrap();
    let (problem, timeline) = (schedule.problem(), Timeline::new(schedule));
    let needs = Needs::of(&timeline);
    let base = Settings { virtual_channels: needs.on_channel.max(3) + 1, ..settings() };
    let cycle_time = CycleTime::new(schedule, flit, base.virtual_channels)?;
    let settings = Settings { injection: needs.injection(problem), ..cycle_time.settings(problem, &base)? };
    let settings = Settings { buffer: settings.least_buffer(1), ..settings };
    let Play { script, paths, settings, .. } = Play::of_timed(&timeline, &cycle_time, &settings, mode)?;
    let (network, stop) = (problem.network(), &|| false);
    let playing = Playing { network, settings: &settings, routes: &paths, until: 100_000_000, looks: 16, stop };
    let recorded = playing.run(script)?;
    assert_eq!(recorded.ended, Ended::Finished);
    let micros = cycle_time.micros(problem, recorded.cycles);
    Ok((recorded, micros))
}

/// The first shortest path.
fn path(network: &Network, from: Node, to: Node) -> Vec<Channel> {
    let mut came: Vec<Option<Channel>> = vec![None; network.node_count()];
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        for channel in network.outgoing(node) {
            let next = network.to(*channel);
            if next != from && came[next.index()].is_none() {
                came[next.index()] = Some(*channel);
                open.push_back(next);
            }
        }
    }
    let mut path: Vec<Channel> =
        std::iter::successors(came[to.index()], |channel| came[network.from(*channel).index()]).collect();
    path.reverse();
    path
}

/// An alltoall whose messages go one after the other, each as soon as its channels are free.
fn alltoall(network: Network, links: Links, bytes: u64) -> VerifiedTimed {
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    let units = Units { chunk_bytes: Rational::whole(bytes), tick_us: Rational::new(1, 10_000) };
    let problem = TimedProblem::new(network.clone(), collective.clone(), false, links, units).unwrap();
    let mut free = vec![0u64; network.channel_count()];
    let mut all: Vec<(u64, Message, Vec<Channel>)> = Vec::new();
    for message in collective.messages() {
        let path = path(&network, collective.origin(message), collective.destinations(message)[0]);
        let narrow = path.iter().map(|channel| problem.bandwidth(*channel)).min().unwrap();
        let lasts = problem.duration_in_units(1, narrow).unwrap();
        let after = |hop: usize| path[..hop].iter().map(|channel| problem.latency(*channel)).sum::<u64>();
        let begin = (0..path.len()).map(|hop| free[path[hop].index()].saturating_sub(after(hop))).max().unwrap();
        (0..path.len()).for_each(|hop| free[path[hop].index()] = begin + after(hop) + lasts);
        all.push((begin, message, path));
    }
    all.sort_by_key(|(begin, ..)| *begin);
    let mut claim = TimedSchedule::default();
    for of in all.chunk_by(|a, b| a.0 == b.0) {
        claim.begin_step(of[0].0);
        of.iter().for_each(|(_, message, path)| claim.push(Transfer::new(&[*message], path), None, &[]));
    }
    verify(&problem, claim).unwrap()
}

fn links(network: &Network, bandwidths: &[Rational], latencies: &[Rational], seed: u64) -> Links {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let mut one = |of: &[Rational]| of[random.random_range(0..of.len())];
    let bandwidth = network.channels().map(|_| one(bandwidths)).collect();
    let latency = network.channels().map(|_| one(latencies)).collect();
    Links { bandwidth, latency, ..Links::default() }
}

#[test]
fn long_messages_take_the_time_of_their_schedule() {
    let whole = Rational::whole;
    let (equal, unequal) = (vec![whole(25)], vec![whole(25), Rational::new(25, 2), whole(10), Rational::new(217, 10)]);
    let latencies = [Rational::whole(0), Rational::new(1, 20), Rational::new(7, 100)];
    for (number, spec) in ["mesh:3x3", "ring:5", "fat-tree:4", "kautz:2,2"].into_iter().enumerate() {
        let network = topologies::parse(spec).unwrap();
        for (bandwidths, most) in [(&equal, 1.02), (&unequal, 1.03)] {
            let links = links(&network, bandwidths, &latencies, number as u64);
            let at = |bytes: u64, flit: u32| {
                let schedule = alltoall(network.clone(), links.clone(), bytes);
                let (recorded, micros) = play(&schedule, Some(flit), Mode::Timed).unwrap();
                assert_eq!(recorded.arrived, schedule.transfer_count());
                micros / schedule.micros()
            };
            let (short, long) = (at(500, 64), at(32_768, 64));
            assert!((0.99..most).contains(&long), "{spec}: {long}, with {} bandwidths", bandwidths.len());
            assert!(long < short, "{spec}: {long} {short}");
        }
    }
}

#[test]
fn a_transfer_alone_takes_its_latencies_and_its_narrowest_channel() {
    let line = topologies::parse("mesh:4").unwrap();
    let bandwidth = line.channels().map(|c| Rational::whole(if line.from(c) == Node(1) { 10 } else { 25 })).collect();
    let latency = vec![Rational::new(64, 1000); 6];
    let collective = Collective::scatter(Node(0), &[Node(3)]);
    let units = Units { chunk_bytes: Rational::whole(1600), tick_us: Rational::new(1, 1000) };
    let links = Links { bandwidth, latency, ..Links::default() };
    let problem = TimedProblem::new(line.clone(), collective, false, links, units).unwrap();
    let mut claim = TimedSchedule::default();
    claim.begin_step(50);
    claim.push(Transfer::new(&[Message(0)], &path(&line, Node(0), Node(3))), None, &[]);
    let schedule = verify(&problem, claim).unwrap();
    // 0.05 µs, three latencies of 0.064 µs, and 1600 bytes at 10 GB/s.
    assert_eq!(schedule.ticks(), 50 + 3 * 64 + 160);
    // A cycle is 16 bytes at 25 GB/s: 0.64 ns. The last of 100 flits is behind the first by 99 times 2.5 cycles.
    let begin = 50_000u64.div_ceil(640);
    for mode in [Mode::Timed, Mode::Asynchronous] {
        let (recorded, _) = play(&schedule, Some(16), mode).unwrap();
        let begin = if mode == Mode::Timed { begin } else { 0 };
        let expected = begin + 3 * 100 + 99 * 5 / 2;
        assert!(recorded.cycles.abs_diff(expected) <= 3, "{} {expected}", recorded.cycles);
        assert_eq!((recorded.flits, recorded.blocked), (100, 0));
    }
}

#[test]
fn transfers_share_a_channel_at_their_rates() {
    let pair = Network::from_links(2, [(0, 1)]).unwrap();
    let (out, back) = (pair.outgoing(Node(0))[0], pair.outgoing(Node(1))[0]);
    let collective = Collective::new(
        "pair",
        kernel::Semantics::Copy,
        None,
        [(vec![Node(0)], vec![Node(1)]), (vec![Node(0)], vec![Node(1)]), (vec![Node(1)], vec![Node(0)])],
    )
    .unwrap();
    let units = Units { chunk_bytes: Rational::whole(64_000), tick_us: Rational::new(1, 1000) };
    let links = Links { bandwidth: vec![Rational::whole(16); 2], ..Links::default() };
    let problem = TimedProblem::new(pair, collective, false, links, units).unwrap();
    let mut claim = TimedSchedule::default();
    claim.begin_step(0);
    claim.push(Transfer::new(&[Message(0)], &[out]), Some(Rational::whole(4)), &[]);
    claim.push(Transfer::new(&[Message(1)], &[out]), Some(Rational::whole(12)), &[]);
    claim.push(Transfer::new(&[Message(2)], &[back]), None, &[]);
    let schedule = verify(&problem, claim).unwrap();
    let (_, micros) = play(&schedule, Some(64), Mode::Timed).unwrap();
    // The slow one takes 16 µs at its rate, and would take 8 if they shared the channel as they can.
    assert!((micros / 16.0 - 1.0).abs() < 0.01, "{micros}");
}

#[test]
fn nodes_merge_as_long_as_the_schedule_has_it() {
    let star = Network::from_links(4, [(0, 1), (0, 2), (0, 3)]).unwrap();
    let all = star.terminals().to_vec();
    let into: Vec<Channel> = star.incoming(Node(0)).to_vec();
    let units = Units { chunk_bytes: Rational::whole(10_000), tick_us: Rational::new(1, 1000) };
    let links = Links { bandwidth: vec![Rational::whole(10); 6], reduce: Some(Rational::whole(5)), ..Links::default() };
    let reduce = Collective::reduce(Node(0), &all);
    let problem = TimedProblem::new(star, reduce, false, links, units).unwrap();
    let mut claim = TimedSchedule::default();
    claim.begin_step(0);
    into.iter().for_each(|channel| claim.push(Transfer::new(&[Message(0)], &[*channel]), None, &[]));
    let schedule = verify(&problem, claim).unwrap();
    // 1 µs on the channels, and 2 µs for each of three contributions.
    assert_eq!(schedule.micros(), 7.0);
    let (recorded, micros) = play(&schedule, Some(10), Mode::Timed).unwrap();
    assert!((micros / 7.0 - 1.0).abs() < 0.01 && recorded.blocked == 0, "{micros}");
}

#[test]
fn what_flits_and_cycles_cannot_tell_is_refused() {
    let pair = Network::from_links(2, [(0, 1)]).unwrap();
    let links = |bandwidth: [u64; 2], latency: u64| Links {
        bandwidth: bandwidth.map(Rational::whole).to_vec(),
        latency: vec![Rational::whole(latency); 2],
        ..Links::default()
    };
    let of = |links: Links, flit, mode| play(&alltoall(pair.clone(), links, 1000), flit, mode).map(|_| ()).unwrap_err();
    let barrier = Mode::Barrier { pause: 0 };
    assert_eq!(of(links([1, 1], 0), None, barrier), PlayError::NoSteps);
    assert!(matches!(of(links([1, 1], 100), Some(1), Mode::Timed), PlayError::Latency { cycles: 100_000, .. }));
    assert_eq!(of(links([1, 1 << 40], 0), Some(16), Mode::Timed), PlayError::TooFine);
    // Where nothing is said flits are as large as the latency asks for.
    assert!(play(&alltoall(pair.clone(), links([1, 1], 100), 1000), None, Mode::Timed).is_ok());
    // A switch that copies.
    let data = NetworkData {
        nodes: 4,
        terminals: Some(vec![0, 1, 2]),
        channels: vec![(0, 3), (3, 1), (3, 2)],
        ..NetworkData::default()
    };
    let copying = Links { bandwidth: vec![Rational::whole(1); 3], multicast: vec![Node(3)], ..Links::default() };
    let units = Units { chunk_bytes: Rational::whole(1000), tick_us: Rational::new(1, 1000) };
    let network = Network::new(data).unwrap();
    let broadcast = Collective::broadcast(Node(0), network.terminals());
    let problem = TimedProblem::new(network, broadcast, false, copying, units).unwrap();
    let mut claim = TimedSchedule::default();
    claim.begin_step(0);
    let other = vec![Channel(0), Channel(2)];
    claim.push(Transfer::new(&[Message(0)], &[Channel(0), Channel(1)]), None, &[other]);
    let schedule = verify(&problem, claim).unwrap();
    assert_eq!(play(&schedule, None, Mode::Timed).map(|_| ()), Err(PlayError::Copies { transfer: 0 }));
}
