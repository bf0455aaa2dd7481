//! Schedules stored as orbits: what is proved of representatives is what holds of everything written down.

use kernel::orbits::{
    Generator, OrbitError, OrbitProblem, OrbitSchedule, Translations, TranslationsError, VerifiedOrbits,
    certify_orbits, verify_orbits,
};
use kernel::{
    Certificate, Channel, Claim, Collective, Message, Model, Network, NetworkData, Node, Ports, Problem, Proof,
    Rational, Refused, Rejected, Schedule, Sent, Verdict, Verified, Violation, Weights, certify, verify,
    verify_keeping,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use testing::known::ring_orbits;

/// A torus of two dimensions, with the images of its nodes under a step along each.
fn torus(a: u32, b: u32) -> (NetworkData, Vec<(u32, Vec<u32>)>) {
    let n = a * b;
    let along = |v: u32| v / b * b + (v + 1) % b;
    let across = |v: u32| (v + b) % n;
    let mut channels = Vec::new();
    for v in 0..n {
        for next in [along(v), across(v)].into_iter().filter(|w| *w != v) {
            channels.extend([(v, next), (next, v)]);
        }
    }
    let parts = NetworkData { name: format!("torus:{a}x{b}"), nodes: n, channels, ..NetworkData::default() };
    let generators = vec![(b, (0..n).map(along).collect()), (a, (0..n).map(across).collect())];
    (parts, generators.into_iter().filter(|(order, _)| *order > 1).collect())
}

/// Terminals that send into one switch and receive from another, with a wide channel between the switches that every
/// rotation leaves where it is.
fn dumbbell(n: u32, capacity: u32) -> (NetworkData, Vec<(u32, Vec<u32>)>) {
    let channels: Vec<(u32, u32)> = (0..n).flat_map(|v| [(v, n), (n + 1, v)]).chain([(n, n + 1)]).collect();
    let mut capacities = vec![1; channels.len()];
    capacities[2 * n as usize] = capacity;
    let parts = NetworkData {
        name: "dumbbell".into(),
        nodes: n + 2,
        terminals: Some((0..n).collect()),
        channels,
        capacities: Some(capacities),
        ..NetworkData::default()
    };
    (parts, vec![(n, (0..n).map(|v| (v + 1) % n).chain([n, n + 1]).collect())])
}

fn translations(parts: NetworkData, generators: Vec<(u32, Vec<u32>)>) -> Translations {
    let network = Network::new(parts).unwrap();
    let of = |(order, nodes)| Generator::of_nodes(&network, order, nodes).unwrap();
    Translations::new(&network, generators.into_iter().map(of).collect()).unwrap()
}

/// A path between two nodes that a shuffled breadth-first search finds.
fn path(network: &Network, from: Node, to: Node, shuffle: u64) -> Vec<Channel> {
    let mut came: Vec<Option<Channel>> = vec![None; network.node_count()];
    let mut queue = vec![from];
    for at in 0.. {
        let node = queue[at];
        if node == to {
            break;
        }
        let mut out = network.outgoing(node).to_vec();
        out.sort_by_key(|c| (u64::from(c.0) + 7).wrapping_mul(shuffle | 1) % 1009);
        for channel in out {
            let next = network.to(channel);
            if next != from && came[next.index()].is_none() {
                came[next.index()] = Some(channel);
                queue.push(next);
            }
        }
    }
    let mut path = Vec::new();
    let mut node = to;
    while node != from {
        let channel = came[node.index()].unwrap();
        path.push(channel);
        node = network.from(channel);
    }
    path.reverse();
    path
}

/// Every transfer of a claim, written down by applying generators one by one; messages are found by their ends.
fn written_out(problem: &OrbitProblem, claim: &OrbitSchedule) -> Vec<Vec<(Node, Node, Vec<Channel>)>> {
    let steps = claim.schedule.step_count();
    let network = problem.network();
    let mut all: Vec<(usize, Vec<Channel>)> = Vec::new();
    for (step, transfers) in claim.schedule.steps().enumerate() {
        all.extend(transfers.map(|t| (step, t.path.to_vec())));
    }
    for (generator, shift) in problem.translations().generators().iter().zip(&claim.shifts) {
        let mut images = all.clone();
        for _ in 1..generator.order {
            for (step, path) in &mut images {
                *step = (*step + *shift as usize) % steps;
                path.iter_mut().for_each(|c| *c = Channel(generator.channels[c.index()]));
            }
            all.extend(images.iter().cloned());
        }
    }
    let mut result = vec![Vec::new(); steps];
    for (step, path) in all {
        result[step].push((network.from(path[0]), network.to(path[path.len() - 1]), path));
    }
    result
}

fn plain(problem: &OrbitProblem, claim: &OrbitSchedule) -> (Problem, Schedule) {
    let whole = problem.expanded().unwrap();
    let collective = whole.collective();
    let number = |from, to| {
        let is = |m: &Message| collective.origin(*m) == from && collective.destinations(*m) == [to];
        collective.messages().find(is).unwrap()
    };
    let steps = written_out(problem, claim).into_iter();
    let steps = steps.map(|step| step.into_iter().map(|(from, to, path)| (number(from, to), path)).collect());
    let schedule = steps.collect();
    (whole, schedule)
}

fn every_violation(problem: &OrbitProblem, schedule: OrbitSchedule) -> Result<Verified, Rejected> {
    verify_keeping(problem.whole(), Claim::Orbits { problem: problem.clone(), schedule }, usize::MAX)
}

fn rules(rejected: Option<&Rejected>) -> BTreeSet<&'static str> {
    rejected.map(|r| r.violations().iter().map(Violation::rule).collect()).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The checkers for orbits and for schedules written out agree, rule by rule.
    #[test]
    fn orbits_are_right_when_everything_written_out_is(
        (a, b) in (1u32..4, 2u32..5),
        switches in prop::option::of(1u32..4),
        (rounds, multiples) in (1usize..30, prop::collection::vec(0u64..6, 2)),
        (send, receive) in (prop::option::of(1u32..3), prop::option::of(1u32..3)),
        half_duplex in any::<bool>(),
        crowded in prop::bool::weighted(0.3),
        seed in any::<u64>(),
    ) {
        let (mut parts, generators) = match switches {
            None => torus(a, b),
            Some(capacity) => dumbbell(a + b, capacity),
        };
        let each = |ports: Option<u32>| ports.map_or(Ports::All, Ports::Each);
        (parts.send_ports, parts.receive_ports) = (each(send), each(receive));
        if half_duplex && switches.is_none() {
            parts.half_duplex = (0..parts.channels.len() as u32 / 2).map(|g| vec![2 * g, 2 * g + 1]).collect();
        }
        let translations = translations(parts, generators);
        let problem = OrbitProblem::alltoall(&translations, Model::wormhole()).unwrap();
        prop_assert!(problem.is_complete());
        prop_assert_eq!(&OrbitProblem::of(&problem.expanded().unwrap(), &translations).unwrap(), &problem);
        let order = u64::from(translations.order());
        let steps = order * rounds as u64;
        let shifts: Vec<u64> =
            translations.generators().iter().zip(&multiples).map(|(g, m)| m * steps / u64::from(g.order)).collect();
        // Each representative in turn goes to the first step in which it does no harm, if there is one.
        let collective = problem.representatives().collective();
        let mut placed: Vec<Vec<(Message, Vec<Channel>)>> = vec![Vec::new(); steps as usize];
        for message in collective.messages() {
            let random = seed.rotate_left(message.0 * 5);
            let path = path(problem.network(), collective.origin(message), collective.destinations(message)[0], random);
            let fits = |step: &usize| {
                let mut tried = placed.clone();
                tried[*step].push((message, path.clone()));
                let claim = OrbitSchedule { shifts: shifts.clone(), schedule: tried.into_iter().collect() };
                let found = every_violation(&problem, claim);
                !rules(found.as_ref().err()).iter().any(|rule| *rule != "undelivered")
            };
            let at = if crowded { None } else { (0..steps as usize).find(fits) };
            placed[at.unwrap_or(random as usize % steps as usize)].push((message, path));
        }
        let claim = OrbitSchedule { shifts, schedule: placed.into_iter().collect() };
        let folded = every_violation(&problem, claim.clone());
        let (whole, schedule) = plain(&problem, &claim);
        let unfolded = verify_keeping(&whole, schedule, usize::MAX);
        prop_assert_eq!(rules(folded.as_ref().err()), rules(unfolded.as_ref().err()));
        if let Ok(verified) = folded {
            prop_assert_eq!(verified.transfer_count(), whole.collective().message_count() as u64);
            let schedule = verified.expanded().unwrap().into_owned();
            prop_assert_eq!(verified.problem(), &whole);
            prop_assert_eq!(schedule.transfer_count() as u64, verified.transfer_count());
            prop_assert_eq!(schedule.channel_uses() as u64, verified.channel_uses());
            let carried = |sent: Sent<'_>| (sent.messages().collect::<Vec<_>>(), sent.path.into_owned());
            let unfolded = verify(verified.problem(), schedule).unwrap();
            let orbits = verified.orbits().unwrap();
            for step in 0..verified.steps() {
                prop_assert!(verified.step(step).map(carried).eq(unfolded.step(step).map(carried)));
            }
            let claim_of = |problem| Claim::Orbits { problem, schedule: claim.clone() };
            prop_assert_eq!(verify(&whole, claim_of(problem.clone())).unwrap().transfer_count(), verified.transfer_count());
            let sent = Certificate { steps: 0, proof: Proof::Send { node: Node(0) } };
            let floors = [claim_of(problem.clone()).certify(&whole, sent.clone()).unwrap(), certify(&whole, sent).unwrap()];
            prop_assert_eq!(floors[0].problem(), floors[1].problem());
            for step in 0..verified.steps() {
                let wanted: BTreeSet<_> = written_out(&problem, &claim).swap_remove(step).into_iter().collect();
                let made: BTreeSet<_> = orbits.step(step).map(|s| (s.from, s.to, s.path)).collect();
                prop_assert_eq!(made, wanted);
            }
        }
    }

    /// The checkers agree as well where messages are relayed, which they may be where no element shifts time.
    #[test]
    fn relayed_orbits_are_right_when_everything_written_out_is(
        (a, b) in (1u32..4, 2u32..5),
        hops in any::<bool>(),
        (wait, crowd) in (0usize..3, 1usize..40),
        careful in any::<bool>(),
        (send, receive) in (prop::option::of(1u32..3), prop::option::of(1u32..3)),
        seed in any::<u64>(),
    ) {
        let (mut parts, generators) = torus(a, b);
        let each = |ports: Option<u32>| ports.map_or(Ports::All, Ports::Each);
        (parts.send_ports, parts.receive_ports) = (each(send), each(receive));
        let translations = translations(parts, generators);
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let problem = OrbitProblem::alltoall(&translations, model).unwrap();
        let collective = problem.representatives().collective();
        let mut placed: Vec<Vec<(Message, Vec<Channel>)>> = Vec::new();
        for message in collective.messages() {
            let random = seed.rotate_left(message.0 * 7);
            let path = path(problem.network(), collective.origin(message), collective.destinations(message)[0], random);
            let mut step = if careful { placed.len() } else { random as usize % crowd };
            for piece in path.chunks(if hops { 1 } else { 1 + (random >> 9) as usize % 2 }) {
                placed.resize(placed.len().max(step + 1), Vec::new());
                placed[step].push((message, piece.to_vec()));
                step += if careful { 1 } else { wait };
            }
        }
        let shifts = vec![0; translations.generators().len()];
        let claim = OrbitSchedule { shifts, schedule: placed.into_iter().collect() };
        let folded = every_violation(&problem, claim.clone());
        let whole = problem.expanded().unwrap();
        let mut schedule = Schedule::new();
        for step in claim.schedule.steps() {
            schedule.begin_step();
            for transfer in step {
                for element in 0..translations.order() {
                    let number = u32::try_from(problem.number(transfer.messages[0], element)).unwrap();
                    let path: Vec<_> = transfer.path.iter().map(|c| translations.image_channel(element, *c)).collect();
                    schedule.send(Message(number), &path);
                }
            }
        }
        let unfolded = verify_keeping(&whole, schedule, usize::MAX);
        prop_assert_eq!(rules(folded.as_ref().err()), rules(unfolded.as_ref().err()));
        prop_assert!(!(careful && hops) || send.is_some() || receive.is_some() || folded.is_ok());
        if let Ok(verified) = folded {
            let schedule = verified.expanded().unwrap().into_owned();
            prop_assert!(verify(verified.problem(), schedule).is_ok());
            let ends = |s: kernel::orbits::Image| (s.from, s.to, s.path);
            let orbits = verified.orbits().unwrap();
            for (from, to, path) in (0..verified.steps()).flat_map(|step| orbits.step(step).map(ends).collect::<Vec<_>>()) {
                let network = problem.network();
                prop_assert_eq!((from, to), (network.from(path[0]), network.to(path[path.len() - 1])));
            }
        }
    }

    /// Distances counted level by level, where weights are equal or nothing, are those of chains with ports that weigh nothing.
    #[test]
    fn equal_weights_prove_the_same_as_chains((a, b) in (1u32..5, 2u32..6), heavy in any::<u64>(), hops in any::<bool>()) {
        let (parts, _) = torus(a, b);
        let network = Network::new(parts).unwrap();
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let all = Collective::alltoall(network.terminals(), network.terminals());
        let weights: Weights = (0..network.channel_count()).map(|c| Rational::whole(3 * (heavy >> (c % 64) & 1))).collect();
        let nothing = vec![Rational::whole(0); network.node_count()];
        let problem = Problem::new(network, all, model).unwrap();
        let with = |proof| certify(&problem, Certificate { steps: u64::MAX, proof }).unwrap_err();
        let ports = Proof::PortLengths { weights: weights.clone(), send: nothing.clone(), receive: nothing, odd: vec![] };
        prop_assert_eq!(with(Proof::Lengths { weights }), with(ports));
    }

    /// Bounds that fold prove the same of the representatives as of everything.
    #[test]
    fn bounds_fold((a, b) in (1u32..4, 2u32..5), (x, y) in (0u64..4, 1u64..4)) {
        let (parts, generators) = torus(a, b);
        let channels = parts.channels.len();
        let translations = translations(parts, generators);
        let problem = OrbitProblem::alltoall(&translations, Model::wormhole()).unwrap();
        let whole = problem.expanded().unwrap();
        // Four channels of a node in turn: along forth and back, across forth and back.
        let weight = |c: usize| if c % 4 < 2 { Rational { numerator: x + 1, denominator: y } } else { Rational::whole(y) };
        let proofs = [
            Proof::Send { node: Node(1) },
            Proof::Receive { node: Node(0) },
            Proof::Lengths { weights: (0..channels).map(weight).collect() },
            Proof::Lengths { weights: (0..channels).map(|c| Rational::whole(if c % 4 < 2 { x } else { 0 })).collect() },
            Proof::Cut { nodes: (0..b).map(Node).collect() },
            Proof::Cut { nodes: vec![Node(0), Node(a * b - 1)] },
        ];
        for proof in proofs {
            let whole = certify(&whole, Certificate { steps: u64::MAX, proof: proof.clone() });
            let folded = certify_orbits(&problem, Certificate { steps: u64::MAX, proof });
            let differ = matches!(folded, Err(Refused::NotApplicable { .. }));
            prop_assert!(a == 1 || differ || whole.err() == folded.err());
        }
    }
}

/// Alltoall on a directed ring of an odd number of nodes.
fn rings(n: u32) -> (OrbitProblem, OrbitSchedule) {
    let channels = (0..n).map(|v| (v, (v + 1) % n)).collect();
    let parts = NetworkData { name: format!("ring-uni:{n}"), nodes: n, channels, ..NetworkData::default() };
    let translations = translations(parts, vec![(n, (0..n).map(|v| (v + 1) % n).collect())]);
    let problem = OrbitProblem::alltoall(&translations, Model::wormhole()).unwrap();
    (problem, ring_orbits(n, Channel))
}

#[test]
fn a_ring_at_its_floor() {
    for n in [3, 5, 7, 101] {
        let (problem, claim) = rings(n);
        let verified = verify_orbits(&problem, claim).unwrap();
        let steps = u64::from(n) * (u64::from(n) - 1) / 2;
        let proof = Proof::Lengths { weights: vec![Rational::whole(1); n as usize].into() };
        let floor = certify_orbits(&problem, Certificate { steps, proof }).unwrap();
        let verdict = Verdict::new(floor, verified).unwrap();
        assert!(verdict.is_optimal());
        assert_eq!(
            verdict.to_string(),
            format!(
                "alltoall on ring-uni:{n}: {steps} step{}, lower bound {steps}: optimal",
                if steps == 1 { "" } else { "s" }
            )
        );
    }
}

/// What `break_it` makes of a schedule that is right.
fn broken(break_it: impl FnOnce(&mut OrbitSchedule)) -> Vec<Violation> {
    let (problem, mut claim) = rings(5);
    break_it(&mut claim);
    verify_orbits(&problem, claim).unwrap_err().violations().to_vec()
}

#[test]
fn each_rule_of_orbits_is_found_broken() {
    assert_eq!(broken(|c| c.shifts.clear()), [Violation::ShiftCount { found: 0, expected: 1 }]);
    let uneven = Violation::ShiftNotCyclic { generator: 0, shift: 3, order: 5, steps: 10 };
    assert_eq!(broken(|c| c.shifts = vec![3]), [uneven]);
    let nobody = Violation::Undelivered { message: Message(3), node: Node(4) };
    let emptied = |c: &mut OrbitSchedule| {
        let kept = |t: &kernel::Transfer<'_>| t.messages[0] != Message(3);
        let steps = c.schedule.steps().map(|s| s.filter(kept).map(|t| (t.messages[0], t.path.to_vec())).collect());
        c.schedule = steps.collect();
    };
    assert_eq!(broken(emptied), [nobody]);
    // Without shifts, five images of a path of two channels use every channel twice in its step.
    let still = broken(|c| c.shifts = vec![0]);
    assert!(still.iter().all(|v| matches!(v, Violation::ChannelOverloaded { channel: Channel(0), used: 2.., .. })));
    assert!(!still.is_empty());
    let relayed = |c: &mut OrbitSchedule| {
        c.schedule.begin_step();
        (0..4).for_each(|_| c.schedule.begin_step());
        c.schedule.send(Message(0), &[Channel(1)]);
        c.shifts = vec![3];
    };
    assert!(broken(relayed).iter().any(|v| matches!(v, Violation::NotHeld { node: Node(1), message: Message(0), .. })));
}

#[test]
fn each_fault_of_generators_is_found() {
    let (parts, _) = torus(1, 4);
    let network = Network::new(parts.clone()).unwrap();
    let rotation = Generator::of_nodes(&network, 4, vec![1, 2, 3, 0]).unwrap();
    let with = |change: &dyn Fn(&mut Generator)| {
        let mut generator = rotation.clone();
        change(&mut generator);
        Translations::new(&network, vec![generator]).unwrap_err()
    };
    use TranslationsError as E;
    assert_eq!(with(&|g| g.nodes.truncate(3)), E::Length { generator: 0, what: "nodes", found: 3, expected: 4 });
    assert_eq!(with(&|g| g.nodes[0] = 2), E::NoPermutation { generator: 0, what: "nodes", image: 2 });
    assert_eq!(
        with(&|g| g.channels.swap(0, 1)),
        E::Ends {
            generator: 0,
            channel: Channel(0),
            image: rotation.channels.iter().map(|c| Channel(*c)).nth(1).unwrap()
        }
    );
    assert_eq!(with(&|g| g.order = 2), E::Order { generator: 0, order: 2 });
    assert_eq!(with(&|g| g.order = 0), E::Order { generator: 0, order: 0 });
    assert_eq!(with(&|g| g.order = 8), E::NotFree { node: Node(0) });
    let mirror = Generator::of_nodes(&network, 2, vec![0, 3, 2, 1]).unwrap();
    assert_eq!(Translations::new(&network, vec![mirror.clone()]).unwrap_err(), E::NotFree { node: Node(0) });
    let swap = Generator::of_nodes(&network, 2, vec![1, 0, 3, 2]).unwrap();
    let both = Translations::new(&network, vec![rotation.clone(), swap]).unwrap_err();
    assert_eq!(both, E::NotCommuting { first: 0, second: 1 });
    let unlike = |change: &dyn Fn(&mut NetworkData)| {
        let mut parts = parts.clone();
        change(&mut parts);
        let network = Network::new(parts).unwrap();
        Translations::new(&network, vec![rotation.clone()]).unwrap_err()
    };
    let differs = |what, id, image, property| E::Unlike { generator: 0, what, id, image, property };
    assert_eq!(unlike(&|p| p.terminals = Some(vec![0, 1, 2])), differs("node", 2, 3, "role"));
    assert_eq!(unlike(&|p| p.no_transit = vec![0]), differs("node", 0, 1, "transit"));
    assert_eq!(
        unlike(&|p| p.send_ports = Ports::List([1, 1, 1, 2].map(Some).into())),
        differs("node", 2, 3, "send ports")
    );
    assert_eq!(
        unlike(&|p| p.receive_ports = Ports::List([2, 1, 1, 1].map(Some).into())),
        differs("node", 0, 1, "receive ports")
    );
    let wide = unlike(&|p| p.capacities = Some((0..8).map(|c| if c == 7 { 2 } else { 1 }).collect()));
    assert!(matches!(wide, E::Unlike { what: "channel", property: "capacity", .. }));
    let half = unlike(&|p| p.half_duplex = vec![vec![0, 1]]);
    assert!(matches!(half, E::Unlike { what: "half-duplex group", .. }), "{half:?}");
    assert_eq!(unlike(&|p| p.half_duplex = vec![vec![0, 1], vec![1, 2]]), E::OverlappingGroups);
}

#[test]
fn each_fault_of_an_orbit_problem_is_found() {
    let (parts, generators) = torus(1, 4);
    let translations = translations(parts, generators);
    let network = translations.network().clone();
    let pairs = |list: &[(u32, u32)]| {
        let list: Vec<(Node, Node)> = list.iter().map(|&(a, b)| (Node(a), Node(b))).collect();
        Collective::pairs("pairs", &list)
    };
    let folded = |collective, model| {
        let problem = Problem::new(network.clone(), collective, model).unwrap();
        OrbitProblem::new(problem, translations.clone())
    };
    let some = folded(pairs(&[(0, 1), (0, 2)]), Model::wormhole()).unwrap();
    assert_eq!((some.message_count(), some.is_complete()), (8, false));
    assert_eq!(some.expanded().unwrap().collective().message_count(), 8);
    let same = folded(pairs(&[(0, 1), (2, 3)]), Model::wormhole()).unwrap_err();
    assert_eq!(same, OrbitError::SameOrbit { first: Message(0), second: Message(1) });
    assert_eq!(folded(pairs(&[(0, 1)]), Model::tdm()).unwrap_err(), OrbitError::Unsupported);
    let merged = Collective::scan(network.terminals());
    assert_eq!(folded(merged, Model::wormhole()).unwrap_err(), OrbitError::Unsupported);
    let other = Network::new(torus(1, 5).0).unwrap();
    let problem =
        Problem::new(other.clone(), Collective::alltoall(other.terminals(), other.terminals()), Model::wormhole());
    let problem = problem.unwrap();
    assert_eq!(OrbitProblem::of(&problem, &translations).unwrap_err(), OrbitError::OtherNetwork);
    assert_eq!(OrbitProblem::new(problem, translations.clone()).unwrap_err(), OrbitError::OtherNetwork);
    let of =
        |collective, model| OrbitProblem::of(&Problem::new(network.clone(), collective, model).unwrap(), &translations);
    let all = network.terminals();
    for other in [Collective::alltoall(all, &all[1..]), Collective::alltoall(all, all).in_chunks(2)] {
        assert_eq!(of(other, Model::wormhole()).unwrap_err(), OrbitError::NotComplete);
    }
    assert_eq!(of(Collective::alltoall(all, all), Model::tdm()).unwrap_err(), OrbitError::Unsupported);
    let large: Vec<u32> = (0..1 << 13).map(|v| (v + 1) % (1 << 13)).collect();
    let channels = (0..1 << 13).map(|v| (v, large[v as usize])).collect();
    let ring = Network::new(NetworkData { nodes: 1 << 13, channels, ..NetworkData::default() }).unwrap();
    let generator = Generator::of_nodes(&ring, 1 << 13, large).unwrap();
    let whole = OrbitProblem::alltoall(&Translations::new(&ring, vec![generator]).unwrap(), Model::wormhole()).unwrap();
    let messages = (1 << 13) * ((1 << 13) - 1);
    assert_eq!(whole.expanded().unwrap_err(), OrbitError::TooMany { messages, most: OrbitProblem::MOST_EXPANDED });
}

#[test]
fn orbits_of_another_problem_are_refused() {
    let (problem, schedule) = rings(5);
    let network = problem.network().clone();
    let model = Model::store_and_forward();
    let other = Problem::new(network.clone(), problem.whole().collective().clone(), model).unwrap();
    let claim = Claim::Orbits { problem, schedule };
    assert_eq!(claim.orbits().unwrap().network(), &network);
    assert_eq!(verify(&other, claim).unwrap_err().violations(), [Violation::OtherProblem]);
}

#[test]
fn a_schedule_of_many_channel_uses_is_not_written_down() {
    let (problem, claim) = rings(513);
    let verified = verify_orbits(&problem, claim).unwrap();
    let uses = 513 * 513 * 256;
    assert_eq!(verified.channel_uses(), uses);
    let refused = verified.expanded().unwrap_err();
    assert_eq!(refused, OrbitError::TooManyUses { uses, most: VerifiedOrbits::MOST_USES });
}

#[test]
fn certificates_that_do_not_fold_are_refused() {
    let (problem, _) = rings(5);
    let refused = |proof| certify_orbits(&problem, Certificate { steps: 1, proof }).unwrap_err();
    assert!(matches!(refused(Proof::Growth), Refused::NotApplicable { kind: "growth", .. }));
    assert_eq!(refused(Proof::Send { node: Node(5) }), Refused::NoSuchNode { node: Node(5) });
    let weights = (0..5).map(Rational::whole).collect();
    assert!(matches!(refused(Proof::Lengths { weights }), Refused::NotApplicable { kind: "lengths", .. }));
    let few = Proof::Lengths { weights: vec![Rational::whole(1); 4].into() };
    assert_eq!(refused(few), Refused::WeightCount { found: 4, expected: 5 });
}
