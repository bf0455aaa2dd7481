//! Times of schedules against formulas, and what holds of any schedule.

use constructions::{CONSTRUCTIONS, Claim, Control, Request, applicable};
use kernel::{
    Channel, Collective, Message, Model, Network, NetworkData, Node, Ports, Problem, Schedule, Switching, Transfer,
    Verified, verify,
};
use machine::cost::{CostError, CostModel, Costs, Crossing, crossings, pipelined};
use proptest::prelude::*;
use topologies::change::with_ports;

fn exchange(spec: &str, combining: bool) -> Verified {
    let network = with_ports(&topologies::parse(spec).unwrap(), Ports::Each(1)).unwrap();
    let model = Model { switching: Switching::StoreAndForward, combining };
    let all = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, model).unwrap();
    let builder = CONSTRUCTIONS.iter().find(|c| c.name == "total-exchange").unwrap().builder(&problem).unwrap();
    let claim = builder.build(problem.network(), &Control::default()).and_then(Claim::plain).unwrap();
    verify(&problem, claim).unwrap()
}

/// Alltoall as orbits.
fn orbits(spec: &str) -> Verified {
    let network = topologies::parse(spec).unwrap();
    let request = Request::alltoall(&network, Model::wormhole());
    let (_, builder) = applicable(&request).next().unwrap();
    let claim = builder.build(&network, &Control::default()).and_then(Claim::orbits).unwrap();
    claim.verified(&network, Model::wormhole()).unwrap()
}

/// A line of nodes joined both ways, and a schedule on it.
fn line(nodes: u32, collective: Collective, model: Model, build: impl FnOnce(&mut Schedule)) -> Verified {
    let forth = (1..nodes).map(|v| (v - 1, v));
    let channels = forth.clone().chain(forth.map(|(a, b)| (b, a))).collect();
    let network = Network::new(NetworkData { name: "line".into(), nodes, channels, ..NetworkData::default() }).unwrap();
    let problem = Problem::new(network, collective, model).unwrap();
    let mut claim = Schedule::new();
    build(&mut claim);
    verify(&problem, claim).unwrap()
}

/// T = start-ups × α + words × β × m, whatever m: D start-ups and D·2^(D−1) words on hypercubes, the notes' numbers on dual-nets.
#[test]
fn combined_exchanges_cost_start_ups_and_words() {
    for (spec, start_ups, words) in [
        ("hypercube:4", 4.0, 32.0),
        ("hypercube:5", 5.0, 80.0),
        ("hdn:hypercube:2;2", 5.0, 40.0),
        ("hdn:torus:2x3;2", 7.0, 108.0),
    ] {
        let costs = Costs::of(&exchange(spec, true)).unwrap();
        for (alpha, beta, m) in [(1.0, 0.0, 9.0), (0.0, 1.0, 1.0), (100.0, 0.25, 64.0)] {
            for model in [CostModel::AlphaBeta { alpha, beta }, CostModel::PerHop { alpha, beta }] {
                assert_eq!(costs.time(&model, m), alpha * start_ups + beta * m * words, "{spec}");
            }
            let model = CostModel::CutThrough { alpha, beta, hop: 3.0 };
            assert_eq!(costs.time(&model, m), (alpha + 3.0) * start_ups + beta * m * words, "{spec}");
        }
        assert_eq!((costs.start_ups() as f64, costs.words() as f64), (start_ups, words), "{spec}");
        // Sent one by one, every word has a start-up of its own.
        let single = Costs::of(&exchange(spec, false)).unwrap();
        assert_eq!(single.time(&CostModel::AlphaBeta { alpha: 2.0, beta: 1.0 }, 10.0), words * 12.0, "{spec}");
    }
}

#[test]
fn hops_and_words_are_traded_within_a_step() {
    // In one step a short path with three messages and a long one with one.
    let pairs = [(0, 1), (0, 1), (0, 1), (1, 3)].map(|(a, b)| (Node(a), Node(b)));
    let model = Model { switching: Switching::Wormhole, combining: true };
    let schedule = line(4, Collective::pairs("alltoallv", &pairs), model, |claim| {
        claim.push(Transfer::new(&[Message(0), Message(1), Message(2)], &[Channel(0)]));
        claim.send(Message(3), &[Channel(1), Channel(2)]);
    });
    let costs = Costs::of(&schedule).unwrap();
    let per_hop = CostModel::PerHop { alpha: 10.0, beta: 1.0 };
    assert_eq!(costs.time(&per_hop, 1.0), 22.0);
    assert_eq!(costs.time(&per_hop, 100.0), 310.0);
    assert_eq!(costs.time(&CostModel::AlphaBeta { alpha: 10.0, beta: 1.0 }, 1.0), 13.0);
}

/// LogGP by hand: o + (k−1)G + L + o for one; a second one waits for the larger of g and the first.
#[test]
fn loggp_by_hand() {
    let model = CostModel::LogGp { latency: 5.0, overhead: 2.0, gap: 4.0, word_gap: 0.5 };
    let pair = |count: usize| vec![(Node(1), Node(0)), (Node(1), Node(2))][..count].to_vec();
    let one =
        line(3, Collective::pairs("alltoallv", &pair(1)), Model::wormhole(), |c| c.send(Message(0), &[Channel(2)]));
    assert_eq!(Costs::of(&one).unwrap().time(&model, 1.0), 9.0);
    assert_eq!(Costs::of(&one).unwrap().time(&model, 21.0), 19.0);
    let two = line(3, Collective::pairs("alltoallv", &pair(2)), Model::wormhole(), |c| {
        c.send(Message(0), &[Channel(2)]);
        c.send(Message(1), &[Channel(1)]);
    });
    // The second begins after g = 4, or after o + (k−1)G = 12.
    assert_eq!(Costs::of(&two).unwrap().time(&model, 1.0), 13.0);
    assert_eq!(Costs::of(&two).unwrap().time(&model, 21.0), 31.0);
    // Both to one receiver: the later arrival waits for the earlier one's gap.
    let meet = [(Node(0), Node(1)), (Node(2), Node(1))];
    let meet = line(3, Collective::pairs("alltoallv", &meet), Model::wormhole(), |c| {
        c.send(Message(0), &[Channel(0)]);
        c.send(Message(1), &[Channel(3)]);
    });
    assert_eq!(Costs::of(&meet).unwrap().time(&model, 1.0), 13.0);
}

#[test]
fn pipelined_transfers_wait_for_what_they_need_alone() {
    // Node 0 sends two messages to node 1, then node 2 sends one to node 3: in two steps, or in none but its own.
    let pairs = [(0, 1), (0, 1), (2, 3)].map(|(a, b)| (Node(a), Node(b)));
    let schedule = line(4, Collective::pairs("alltoallv", &pairs), Model::wormhole(), |claim| {
        claim.send(Message(0), &[Channel(0)]);
        claim.begin_step();
        claim.send(Message(1), &[Channel(0)]);
        claim.begin_step();
        claim.send(Message(2), &[Channel(2)]);
    });
    let model = CostModel::AlphaBeta { alpha: 1.0, beta: 1.0 };
    assert_eq!(Costs::of(&schedule).unwrap().time(&model, 4.0), 15.0);
    assert_eq!(pipelined(&schedule, &model, 4.0), Ok(10.0));
    let loggp = CostModel::LogGp { latency: 1.0, overhead: 1.0, gap: 1.0, word_gap: 1.0 };
    assert_eq!(pipelined(&schedule, &loggp, 4.0), Err(CostError::Pipelined));
}

#[test]
fn slots_of_time_division_are_refused() {
    let pairs = [(Node(0), Node(1))];
    let schedule = line(2, Collective::pairs("alltoallv", &pairs), Model::tdm(), |c| {
        c.send(Message(0), &[Channel(0)]);
        c.begin_step();
    });
    assert_eq!(Costs::of(&schedule).unwrap_err(), CostError::Slots);
    let model = CostModel::AlphaBeta { alpha: 1.0, beta: 1.0 };
    assert_eq!(pipelined(&schedule, &model, 4.0), Err(CostError::Slots));
}

#[test]
fn chunks_are_shares_of_a_message() {
    let collective = Collective::pairs("alltoallv", &[(Node(0), Node(1))]).in_chunks(4);
    let schedule = line(2, collective, Model::wormhole(), |claim| {
        for m in 0..4 {
            claim.begin_step();
            claim.send(Message(m), &[Channel(0)]);
        }
    });
    let costs = Costs::of(&schedule).unwrap();
    assert_eq!(costs.time(&CostModel::AlphaBeta { alpha: 1.0, beta: 1.0 }, 100.0), 104.0);
}

#[test]
fn orbits_cost_what_they_stand_for() {
    for spec in ["hypercube:4", "torus:4x4", "torus:5x5", "ring:9", "torus:4x6"] {
        let orbits = orbits(spec);
        let claim = orbits.expanded().unwrap().into_owned();
        let plain = Costs::of(&verify(orbits.problem(), claim).unwrap()).unwrap();
        let folded = Costs::of(&orbits).unwrap();
        for model in [
            CostModel::PerHop { alpha: 3.0, beta: 1.0 },
            CostModel::LogGp { latency: 5.0, overhead: 1.0, gap: 2.0, word_gap: 0.5 },
        ] {
            assert_eq!(plain.time(&model, 7.0), folded.time(&model, 7.0), "{spec}");
        }
    }
    // Too many to write down: a path of every orbit is enough, but not for LogGP.
    let costs = Costs::of(&orbits("hypercube:13")).unwrap();
    assert_eq!(costs.time(&CostModel::AlphaBeta { alpha: 1.0, beta: 1.0 }, 1.0), 8192.0);
    assert!(costs.answers(&CostModel::LogGp { latency: 1.0, overhead: 1.0, gap: 1.0, word_gap: 1.0 }).is_err());
}

#[test]
fn crossings_are_the_least_whole_numbers() {
    let curves = [(0.0, 1.0), (50.0, 0.5), (1000.0, 0.1)];
    let time = |curve: usize, m: u64| curves[curve].0 + curves[curve].1 * m as f64;
    let found = crossings(3, (1, 1 << 20), time);
    let wanted = [Crossing { message: 101, before: 0, after: 1 }, Crossing { message: 2376, before: 1, after: 2 }];
    assert_eq!(found, wanted);
    assert_eq!(crossings(1, (1, 1 << 20), time), []);
    assert_eq!(crossings(3, (5, 5), time), []);
}

fn costs() -> impl Strategy<Value = CostModel> {
    prop_oneof![
        (0u32..100, 0u32..100).prop_map(|(a, b)| CostModel::AlphaBeta { alpha: a.into(), beta: b.into() }),
        (0u32..100, 0u32..100).prop_map(|(a, b)| CostModel::PerHop { alpha: a.into(), beta: b.into() }),
        (0u32..100, 0u32..100, 0u32..9).prop_map(|(a, b, h)| CostModel::CutThrough {
            alpha: a.into(),
            beta: b.into(),
            hop: h.into()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// More words never take less time, and steps that do not wait never take more.
    #[test]
    fn time_grows_and_pipelining_helps(at in 0usize..4, combining: bool, model in costs(), m in 1u32..1000) {
        let spec = ["hypercube:3", "torus:3x3", "hdn:hypercube:1;1", "mesh:2x3"][at];
        let schedule = exchange(spec, combining);
        let costs = Costs::of(&schedule).unwrap();
        let (time, more) = (costs.time(&model, m.into()), costs.time(&model, f64::from(m) + 1.0));
        prop_assert!(more >= time);
        let apart = pipelined(&schedule, &model, m.into()).unwrap();
        prop_assert!(apart <= time * (1.0 + 1e-9), "{apart} is more than {time}");
    }
}
