//! Verified schedules meet nobody: what is predicted of them is what is simulated.

use collectives::{COLLECTIVES, Selection};
use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Rational, Verified};
use simulate::play::{Ended, Length, Mode, Parallel, Play, PlayError, Playing, Recorded};
use simulate::{Flow, Interval, NodePorts, Settings};

pub(super) fn solve(problem: &Problem) -> Option<Verified> {
    let settings = methods::Settings::default().with_ticks(4_000).with_threads(1);
    methods::solve(problem, &settings).unwrap().best.map(|best| best.schedule)
}

fn solved(network: &Network, collective: Collective, model: Model) -> Option<Verified> {
    solve(&Problem::new(network.clone(), collective, model).ok()?)
}

pub(super) fn named(spec: &str, collective: &str, model: Model) -> Verified {
    let network = topologies::parse(spec).unwrap();
    let kind = COLLECTIVES.iter().find(|kind| kind.name == collective).unwrap();
    let collective = kind.build(&Selection::of(&network)).unwrap();
    solved(&network, collective, model).unwrap()
}

pub(super) fn played(schedule: &Verified, settings: &Settings, length: Length, mode: Mode) -> (Recorded, Option<u64>) {
    let parallel = Parallel::of(schedule.problem().network()).unwrap();
    let play = Play::of(schedule, &parallel, settings, length, mode).unwrap();
    let playing = Playing {
        network: parallel.network(),
        settings: &play.settings,
        routes: &play.paths,
        until: 10_000_000,
        looks: 16,
        stop: &|| false,
    };
    (playing.run(play.script).unwrap(), play.predicted)
}

/// Settings of all kinds, with buffers that stop nothing.
fn settings(flits: u32) -> Vec<Settings> {
    let mut all: Vec<Settings> = [Flow::Wormhole, Flow::CutThrough, Flow::StoreAndForward, Flow::Circuit]
        .into_iter()
        .flat_map(|flow| [Settings::equations(flow, 2, 1, 3, flits), Settings { flow, ..Settings::default() }])
        .collect();
    all.push(Settings {
        ejection: NodePorts::All,
        injection: NodePorts::All,
        routing_delay: 3,
        interval: 2,
        ..Settings::default()
    });
    for settings in &mut all {
        settings.injection = NodePorts::All;
        settings.ejection = NodePorts::All;
        if settings.flow == Flow::Circuit {
            settings.virtual_channels = 1;
        }
        settings.buffer = settings.least_buffer(flits);
    }
    all
}

#[test]
fn schedules_by_barrier_and_by_time_block_nothing_and_take_what_is_predicted() {
    let combining = |model: Model| Model { combining: true, ..model };
    let mut count = 0;
    for spec in ["ring:5", "fat-tree:4"] {
        let network = topologies::parse(spec).unwrap();
        for kind in COLLECTIVES {
            if kind.parameters.contains(&"pairs") {
                continue;
            }
            let Ok(collective) = kind.build(&Selection::of(&network)) else { continue };
            for (model, chunks) in
                [(Model::wormhole(), 1), (combining(Model::store_and_forward()), 2), (Model::tdm(), 1)]
            {
                let Some(schedule) = solved(&network, collective.in_chunks(chunks), model) else { continue };
                for (settings, mode) in settings(24)
                    .iter()
                    .zip([Mode::Barrier { pause: 0 }, Mode::Timed, Mode::Barrier { pause: 7 }].iter().cycle())
                {
                    let mode = if model.is_slotted() { Mode::Timed } else { *mode };
                    if model.is_slotted() && settings.flow == Flow::Circuit {
                        continue;
                    }
                    let (recorded, predicted) = played(
                        &schedule,
                        settings,
                        Length::Bytes { head: 1, message: Rational::whole(24), flit: 8 },
                        mode,
                    );
                    let what = format!("{} on {spec} under {model:?}, {settings:?}, {mode:?}", kind.name);
                    assert_eq!(recorded.ended, Ended::Finished, "{what}");
                    assert_eq!(recorded.arrived, schedule.transfer_count(), "{what}");
                    if let Some(predicted) = predicted {
                        assert_eq!(
                            (recorded.blocked, recorded.held_back, recorded.cycles),
                            (0, 0, predicted),
                            "{what}"
                        );
                        count += 1;
                    }
                }
            }
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn channels_of_several_transfers_and_half_duplex_links_are_as_the_schedule_has_them() {
    let ring: Vec<(u32, u32)> = (0..6).flat_map(|v| [(v, (v + 1) % 6), ((v + 1) % 6, v)]).collect();
    let capacities = NetworkData {
        name: "wide ring".into(),
        nodes: 6,
        capacities: Some(vec![3; ring.len()]),
        channels: ring.clone(),
        ..NetworkData::default()
    };
    let halves = (0..6).map(|link| vec![2 * link, 2 * link + 1]).collect();
    let half = NetworkData {
        name: "half-duplex ring".into(),
        nodes: 6,
        half_duplex: halves,
        channels: ring,
        ..NetworkData::default()
    };
    let one = NetworkData { send_ports: Ports::Each(1), receive_ports: Ports::Each(1), ..half.clone() };
    for data in [capacities, half, one] {
        let network = Network::new(data).unwrap();
        for model in [Model::wormhole(), Model::store_and_forward(), Model::tdm()] {
            let schedule =
                solved(&network, Collective::alltoall(network.terminals(), network.terminals()), model).unwrap();
            let settings = &settings(9)[1];
            let (recorded, predicted) = played(&schedule, settings, Length::Flits(9), Mode::Timed);
            let what = format!("{} under {model:?}", network.name());
            assert_eq!((recorded.blocked, Some(recorded.cycles)), (0, predicted), "{what}");
            assert_eq!(recorded.carried.iter().sum::<u64>(), 9 * schedule.channel_uses(), "{what}");
        }
    }
}

#[test]
fn schedules_on_slow_links_take_what_is_predicted() {
    let schedule = named("mesh:3x3", "alltoall", Model::wormhole());
    let channels = schedule.problem().network().channel_count() as u32;
    let mut count = 0;
    for settings in settings(16) {
        let intervals = (0..channels).map(|channel| settings.interval + [0, 0, 2, 1, 0, 2][channel as usize % 6]);
        let channel_intervals = Some(intervals.map(Interval::cycles).collect());
        let settings = Settings { channel_intervals, ..settings };
        if !settings.never_waits(16) {
            continue;
        }
        count += 1;
        for mode in [Mode::Barrier { pause: 5 }, Mode::Timed] {
            let (recorded, predicted) = played(&schedule, &settings, Length::Flits(16), mode);
            assert_eq!((recorded.blocked, Some(recorded.cycles)), (0, predicted), "{settings:?}, {mode:?}");
        }
    }
    assert!(count > 3, "{count}");
}

#[test]
fn asynchronously_every_transfer_waits_for_what_it_carries() {
    for (spec, collective) in [("mesh:3x3", "broadcast"), ("hypercube:3", "allgather"), ("ring:5", "allreduce")] {
        let schedule = named(spec, collective, Model::store_and_forward());
        let settings = Settings { injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() };
        let (waiting, _) = played(&schedule, &settings, Length::Flits(16), Mode::Barrier { pause: 0 });
        let (free, predicted) = played(&schedule, &settings, Length::Flits(16), Mode::Asynchronous);
        assert_eq!((free.ended.clone(), free.arrived, predicted), (Ended::Finished, waiting.arrived, None), "{spec}");
        assert!(free.cycles <= waiting.cycles, "{spec}: {} after {}", free.cycles, waiting.cycles);
        // Who is farthest from a source of what it needs has it after as many hops at the earliest.
        assert!(free.cycles >= 2 * (2 + 4 + 15), "{spec}");
    }
}

#[test]
fn tables_have_no_dependencies_and_slots_no_barriers() {
    let schedule = named("ring:4", "alltoall", Model::tdm());
    let parallel = Parallel::of(schedule.problem().network()).unwrap();
    let of = |settings: &Settings, mode| Play::of(&schedule, &parallel, settings, Length::Flits(4), mode).map(|_| ());
    assert_eq!(of(&Settings::default(), Mode::Barrier { pause: 0 }), Err(PlayError::Slots));
    let circuits = Settings { flow: Flow::Circuit, virtual_channels: 1, ..Settings::default() };
    assert_eq!(of(&circuits, Mode::Timed), Err(PlayError::SlotCircuits));
    let uneven = Settings { channel_delays: Some(vec![1; 8]), ..Settings::default() };
    assert_eq!(of(&uneven, Mode::Timed), Err(PlayError::SlotDelays));
    let long = Settings { flow: Flow::CutThrough, buffer: 3, ..Settings::default() };
    assert!(matches!(of(&long, Mode::Timed), Err(PlayError::Settings(_))));
    let transfers = simulate::play::Transfers::of(&schedule).unwrap();
    let table =
        Play::of_transfers(&transfers, &parallel, &Settings::default(), Length::Flits(4), (Mode::Asynchronous, 1));
    assert_eq!(table.map(|_| ()), Err(PlayError::NoDependencies));
    let half = NetworkData {
        half_duplex: vec![vec![0, 1]],
        nodes: 2,
        channels: vec![(0, 1), (1, 0)],
        ..NetworkData::default()
    };
    let half = Network::new(half).unwrap();
    let schedule = solved(&half, Collective::alltoall(half.terminals(), half.terminals()), Model::wormhole()).unwrap();
    let parallel = Parallel::of(&half).unwrap();
    // Asynchronously both directions may be asked for at once, and wait for each other; circuits would hold them.
    let of = |settings: &Settings| {
        Play::of(&schedule, &parallel, settings, Length::Flits(4), Mode::Asynchronous).map(|_| ())
    };
    assert_eq!(of(&Settings::default()), Ok(()));
    assert!(matches!(of(&circuits), Err(PlayError::Settings(_))));
}

#[test]
fn looks_are_evenly_apart_and_add_up_however_long_it_takes() {
    let schedule = named("mesh:3x3", "alltoall", Model::wormhole());
    let settings = Settings { injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() };
    let (recorded, _) = played(&schedule, &settings, Length::Flits(50), Mode::Barrier { pause: 3 });
    let frames = &recorded.frames;
    assert!(frames.every() > 1 && frames.count() <= 16);
    assert!(frames.every() * frames.count() as u64 + frames.every() > recorded.cycles);
    for channel in schedule.problem().network().channels() {
        let carried: u64 = (0..frames.count()).map(|look| u64::from(frames.carried(look, channel))).sum();
        assert_eq!(carried, recorded.carried[channel.index()]);
    }
    assert!((0..frames.count()).any(|look| frames.in_buffers(look) > 0));
    assert!(recorded.step_ends.len() == schedule.steps() && recorded.step_ends.is_sorted());
}

#[test]
fn a_path_that_comes_through_its_receiver_ends_there() {
    let line = topologies::parse("mesh:3").unwrap();
    let between =
        |from: u32, to: u32| line.channels().find(|c| (line.from(*c).0, line.to(*c).0) == (from, to)).unwrap();
    let path = [between(0, 1), between(1, 2), between(2, 1)];
    let scatter = Collective::scatter(Node(0), &[Node(1)]);
    let problem = Problem::new(line.clone(), scatter, Model::wormhole()).unwrap();
    let mut claim = kernel::Schedule::new();
    claim.send(kernel::Message(0), &path);
    let schedule = kernel::verify(&problem, claim).unwrap();
    let settings = Settings { injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() };
    let (recorded, predicted) = played(&schedule, &settings, Length::Flits(5), Mode::Barrier { pause: 0 });
    assert_eq!((recorded.cycles, predicted), (2 + 4 + 4, Some(2 + 4 + 4)));
    assert_eq!(recorded.carried.iter().sum::<u64>(), 5);
}
