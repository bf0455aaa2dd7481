//! Laws of the finders: the checker accepts what they claim and no more; enumeration of all sets agrees where a finder is
//! exact; published floors come out.

use bounds::*;
use kernel::{Certificate, Collective, Message, Model, Network, NetworkData, Node, Ports, Problem, Proof, certify};
use proptest::prelude::*;
use run::{Budget, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

pub(super) fn with_run<T>(work: impl FnOnce(&Run<'_>) -> T) -> T {
    work(&Run::new(Settings::default(), &Silent, &AtomicBool::new(false)))
}

pub(super) fn finder(name: &str) -> Finder {
    *FINDERS.iter().find(|finder| finder.name == name).unwrap()
}

/// Steps of what one finder finds from nothing.
pub(super) fn found(finder: Finder, problem: &Problem) -> u64 {
    let wanted = Wanted { floor: 0, ceiling: None };
    with_run(|run| (finder.find)(problem, wanted, &mut Budget::new(run, run.settings.ticks))).map_or(0, |c| c.steps)
}

pub(super) fn all(nodes: u32) -> Vec<Node> {
    (0..nodes).map(Node).collect()
}

pub(super) fn problem(parts: NetworkData, collective: Collective, model: Model) -> Problem {
    Problem::new(Network::new(parts).unwrap(), collective, model).unwrap()
}

/// A strongly connected digraph: a ring and more channels, some parallel.
fn digraph() -> impl Strategy<Value = NetworkData> {
    (3u32..7).prop_flat_map(|nodes| {
        let extra = prop::collection::vec((0..nodes, 1..nodes), 0..10);
        (Just(nodes), extra).prop_map(|(nodes, extra)| {
            let ring = (0..nodes).map(|v| (v, (v + 1) % nodes));
            let chords = extra.into_iter().map(|(from, step)| (from, (from + step) % nodes));
            NetworkData {
                name: "random".into(),
                nodes,
                channels: ring.chain(chords).collect(),
                ..NetworkData::default()
            }
        })
    })
}

/// As [`digraph`], with links in both directions and all that limits a step: capacities, half-duplex links, ports,
/// switches.
pub(super) fn limited() -> impl Strategy<Value = NetworkData> {
    let limits = (prop::collection::vec(1u32..4, 32), any::<bool>(), 0u32..3, any::<bool>(), any::<bool>());
    (digraph(), limits).prop_map(|(mut parts, (capacities, half, ports, wide, switches))| {
        parts.channels = parts.channels.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        if wide {
            parts.capacities = Some((0..parts.channels.len()).map(|c| capacities[c % 32]).collect());
        }
        if half {
            parts.half_duplex = (0..parts.channels.len() as u32 / 2).map(|l| vec![2 * l, 2 * l + 1]).collect();
        }
        if ports > 0 {
            parts.send_ports = Ports::Each(ports);
            parts.receive_ports = Ports::Each(3 - ports);
        }
        if switches {
            parts.terminals = Some((0..parts.nodes - 1).collect());
        }
        parts
    })
}

pub(super) fn collective(kind: usize, t: &[Node]) -> Collective {
    let (root, half) = (t[0], &t[t.len() / 2..]);
    match kind {
        0 => Collective::broadcast(root, t),
        1 => Collective::scatter(root, t),
        2 => Collective::gather(root, t),
        3 => Collective::reduce(root, t),
        4 => Collective::allgather(t, t),
        5 => Collective::reduce_scatter(t, t),
        6 => Collective::allgather(half, t),
        7 => Collective::allgather(t, half),
        8 => Collective::reduce_scatter(half, t),
        9 => Collective::alltoall(t, t),
        10 => Collective::alltoall(half, t),
        11 => Collective::allreduce(t),
        12 => Collective::scan(t),
        14 => Collective::broadcast(root, t).in_chunks(3),
        _ => Collective::exscan(t),
    }
}

/// The best cut of all sets of nodes.
fn best_set(problem: &Problem) -> u64 {
    let nodes = problem.network().node_count();
    let set = |bits: usize| (0..nodes).filter(|v| bits >> v & 1 == 1).map(Node::new).collect();
    (0..1usize << nodes).map(|bits| measure(problem, Proof::Cut { nodes: set(bits) }).steps).max().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Minimum cuts find the best of all sets for the collectives they are exact for.
    #[test]
    fn cuts_are_the_best_of_all_sets(parts in digraph(), kind in 0usize..9) {
        let problem = problem(parts.clone(), collective(kind, &all(parts.nodes)), Model::wormhole());
        prop_assert_eq!(found(finder("cut"), &problem).max(1), best_set(&problem));
    }

    /// For one root, the linear program is a flow, whose bound is that of the best set.
    #[test]
    fn lengths_of_one_root_are_its_best_cut(parts in digraph(), gathers in any::<bool>()) {
        let kind = if gathers { 2 } else { 1 };
        let problem = problem(parts.clone(), collective(kind, &all(parts.nodes)), Model::wormhole());
        prop_assert_eq!(found(finder("lengths"), &problem), best_set(&problem));
    }

    /// No set and no uniform weights surpass the linear program; grown sets are sets.
    #[test]
    fn lengths_surpass_volume_and_sets(parts in digraph(), pairs in prop::collection::vec((0u32..7, 0u32..7), 1..20)) {
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (Node(a % parts.nodes), Node(b % parts.nodes))).collect();
        let problem = problem(parts.clone(), Collective::pairs("pairs", &pairs), Model::wormhole());
        let lengths = found(finder("lengths"), &problem);
        let ones = vec![kernel::Rational::whole(1); parts.channels.len()];
        let volume = measure(&problem, Proof::Lengths { weights: ones.into() }).steps;
        prop_assert!(lengths >= volume);
        let best = best_set(&problem);
        prop_assert!(lengths >= best, "{} {}", lengths, best);
        prop_assert!(found(finder("cut"), &problem) <= best);
    }

    /// The checker accepts every claim and refuses one step more; the claim is no weaker than any finder's, and does not
    /// change.
    #[test]
    fn the_checker_agrees(parts in limited(), kind in 0usize..15, relayed in any::<bool>(), combining in any::<bool>()) {
        let network = Network::new(parts.clone()).unwrap();
        let switching = if relayed { Model::store_and_forward() } else { Model::wormhole() };
        let collective = collective(kind, network.terminals());
        let fits = Problem::new(network, collective, Model { combining, ..switching });
        prop_assume!(fits.is_ok());
        let problem = fits.unwrap();
        let claim = with_run(|run| strongest(&problem, run));
        let moves = |m: Message| {
            let (from, to) = (problem.collective().contributors(m), problem.collective().destinations(m));
            from.iter().any(|v| to.iter().any(|w| v != w))
        };
        prop_assert_eq!(claim.steps > 0, problem.collective().messages().any(moves));
        prop_assert!(certify(&problem, claim.clone()).is_ok());
        let more = Certificate { steps: claim.steps + 1, proof: claim.proof.clone() };
        prop_assert!(certify(&problem, more).is_err());
        for finder in FINDERS {
            prop_assert!(found(*finder, &problem) <= claim.steps, "{}", finder.name);
        }
        prop_assert_eq!(with_run(|run| strongest(&problem, run)), claim);
    }

    /// No verified schedule has fewer steps.
    #[test]
    fn schedules_stay_above(
        parts in limited(),
        kind in 0usize..15,
        switching in 0usize..3,
        combining in any::<bool>(),
    ) {
        let network = Network::new(parts).unwrap();
        let model = [Model::wormhole(), Model::store_and_forward(), Model::tdm()][switching];
        let collective = collective(kind, network.terminals());
        let fits = Problem::new(network, collective, Model { combining, ..model });
        prop_assume!(fits.is_ok());
        let problem = fits.unwrap();
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 5_000, ..Settings::default() }, &Silent, &never);
        let floor = strongest(&problem, &run).steps;
        if let Some(solution) = methods::best_of(&automatic(), &problem, 0, &run) {
            prop_assert!(floor <= solution.schedule.steps() as u64, "{} {}", floor, solution.method);
        }
    }

    /// Whatever sets of nodes are said to be odd, what they prove is true.
    #[test]
    fn odd_sets_prove_no_more_than_schedules_take(
        parts in limited(),
        sets in prop::collection::vec((1u32..128, 0u64..4), 1..4),
        extra in 0u64..3,
        hops in any::<bool>(),
    ) {
        let network = Network::new(parts).unwrap();
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let all = Collective::alltoall(network.terminals(), network.terminals());
        let fits = Problem::new(network.clone(), all, model);
        prop_assume!(fits.is_ok());
        let problem = fits.unwrap();
        let inside = |bits: u32, v: Node| bits >> v.0 & 1 == 1;
        let sum = |of: &dyn Fn(u32) -> bool| {
            kernel::Rational::whole(extra + sets.iter().filter(|(bits, _)| of(*bits)).map(|(_, w)| w).sum::<u64>())
        };
        let borders = |c| sum(&|bits| inside(bits, network.from(c)) != inside(bits, network.to(c)));
        let ports: Vec<_> = network.nodes().map(|v| sum(&|bits| inside(bits, v))).collect();
        let odd = sets.iter().map(|&(bits, weight)| kernel::OddSet {
            nodes: network.nodes().filter(|v| inside(bits, *v)).collect(),
            weight: kernel::Rational::whole(weight),
        });
        let weights = network.channels().map(borders).collect();
        let proof = Proof::PortLengths { weights, send: ports.clone(), receive: ports, odd: odd.collect() };
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 5_000, ..Settings::default() }, &Silent, &never);
        if let Some(solution) = methods::best_of(&automatic(), &problem, 0, &run) {
            prop_assert!(measure(&problem, proof).steps <= solution.schedule.steps() as u64);
        }
    }

    /// Whatever set a late cut names, what it proves is true.
    #[test]
    fn late_cuts_prove_no_more_than_schedules_take(
        parts in limited(),
        kind in 0usize..15,
        chunks in 1u32..5,
        sets in prop::collection::vec(1u32..128, 1..8),
        hops in any::<bool>(),
        combining in any::<bool>(),
    ) {
        let network = Network::new(parts).unwrap();
        let model = if hops { Model::store_and_forward() } else { Model::wormhole() };
        let collective = collective(kind, network.terminals());
        let collective = if kind == 14 { collective } else { collective.in_chunks(chunks) };
        let fits = Problem::new(network.clone(), collective, Model { combining, ..model });
        prop_assume!(fits.is_ok());
        let problem = fits.unwrap();
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 5_000, ..Settings::default() }, &Silent, &never);
        if let Some(solution) = methods::best_of(&automatic(), &problem, 0, &run) {
            for set in sets {
                let nodes = network.nodes().filter(|v| set >> v.0 & 1 == 1).collect();
                let proved = measure(&problem, Proof::LateCut { nodes }).steps;
                prop_assert!(proved <= solution.schedule.steps() as u64, "{} {:b}", proved, set);
            }
        }
    }

    /// A floor below what the linear program proves does not keep it from being proved.
    #[test]
    fn a_floor_below_hides_nothing(parts in limited(), relayed in any::<bool>()) {
        let network = Network::new(parts).unwrap();
        let model = if relayed { Model::store_and_forward() } else { Model::wormhole() };
        let all = Collective::alltoall(network.terminals(), network.terminals());
        let fits = Problem::new(network, all, model);
        prop_assume!(fits.is_ok());
        let problem = fits.unwrap();
        let steps = found(finder("lengths"), &problem);
        let wanted = Wanted { floor: steps.saturating_sub(1), ceiling: None };
        let again = with_run(|run| (finder("lengths").find)(&problem, wanted, &mut Budget::new(run, run.settings.ticks)));
        prop_assert_eq!(again.map_or(0, |claim| claim.steps), steps);
    }

    /// A stronger bound than the ceiling is not sought, and a bound is given all the same.
    #[test]
    fn a_ceiling_ends_the_search(parts in limited(), kind in 0usize..15, ceiling in 0u64..4) {
        let network = Network::new(parts).unwrap();
        let problem = Problem::new(network.clone(), collective(kind, network.terminals()), Model::wormhole()).unwrap();
        let full = with_run(|run| strongest(&problem, run)).steps;
        let part = with_run(|run| strongest_within(&problem, run, Some(ceiling))).steps;
        prop_assert!(part <= full && part >= full.min(ceiling));
    }
}

/// Networks of half-duplex links and one port whose nodes cannot use all of both, with the floors known by enumeration of
/// all inequalities of even subgraphs, and reached.
#[test]
fn half_duplex_links_and_one_port() {
    for (spec, floor) in [("hypercube:3", 10), ("mesh:3x3", 13), ("petersen", 12)] {
        let network = topologies::change::half_duplex(&topologies::parse(spec).unwrap()).unwrap();
        let mut parts = network.data().clone();
        (parts.send_ports, parts.receive_ports) = (Ports::Each(1), Ports::Each(1));
        let everybody = all(parts.nodes);
        let problem = problem(parts, Collective::alltoall(&everybody, &everybody), Model::wormhole());
        let claim = with_run(|run| strongest(&problem, run));
        assert_eq!(claim.steps, floor);
        assert!(certify(&problem, claim).is_ok());
    }
}

#[test]
fn nothing_to_move_takes_no_step() {
    let parts = NetworkData { name: "one".into(), nodes: 1, ..NetworkData::default() };
    let problem = problem(parts, Collective::alltoall(&all(1), &all(1)), Model::wormhole());
    let claim = with_run(|run| strongest(&problem, run));
    assert_eq!(claim.steps, 0);
    assert!(certify(&problem, claim).is_ok());
}

fn links(nodes: u32, links: impl IntoIterator<Item = (u32, u32)>) -> NetworkData {
    let channels = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    NetworkData { nodes, channels, ..NetworkData::default() }
}

/// The network of a family.
pub(super) fn family(spec: &str) -> NetworkData {
    topologies::parse(spec).unwrap().data().clone()
}

/// McGee's graph: a ring with a chord from every node.
#[test]
fn a_cubic_graph_that_is_no_family() {
    let chord = |v: u32| (v as i32 + [12, 7, -7][v as usize % 3]).rem_euclid(24) as u32;
    let chords = (0..24).map(|v| (v, chord(v))).filter(|(v, w)| v < w);
    let parts = links(24, (0..24).map(|v| (v, (v + 1) % 24)).chain(chords));
    let problem = problem(parts, Collective::alltoall(&all(24), &all(24)), Model::wormhole());
    assert_eq!(with_run(|run| strongest(&problem, run)).steps, 20);
}

/// With a budget too small for linear programs, the bound lies between that of even weights and the optimum.
#[test]
fn a_small_budget_gives_a_bound_between() {
    // A ring with chords of growing length: no symmetry.
    let chords = (0..24).map(|v| (v, (v + 2 + v * v % 19) % 48));
    let parts = links(48, (0..48).map(|v| (v, (v + 1) % 48)).chain(chords));
    let even = Proof::Lengths { weights: vec![kernel::Rational::whole(1); parts.channels.len()].into() };
    let problem = problem(parts, Collective::alltoall(&all(48), &all(48)), Model::wormhole());
    let wanted = Wanted { floor: 0, ceiling: None };
    let with_ticks = |ticks| {
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks, ..Settings::default() }, &Silent, &never);
        (finder("lengths").find)(&problem, wanted, &mut Budget::new(&run, ticks)).map_or(0, |claim| claim.steps)
    };
    let (small, large) = (with_ticks(50_000), with_ticks(100_000_000));
    assert!(measure(&problem, even).steps < small && small <= large, "{small} {large}");
}

/// In two slots nobody sends on what it received, and direct transfers take three.
#[test]
fn what_nobody_can_send_on_comes_directly() {
    for collective in [Collective::allreduce, Collective::barrier, Collective::scan, Collective::exscan] {
        let parts = family("torus:3x3");
        let problem = problem(parts, collective(&all(9)), Model::tdm());
        let never = AtomicBool::new(false);
        let run = Run::new(Settings { ticks: 3_000_000, ..Settings::default() }, &Silent, &never);
        let floor = strongest(&problem, &run);
        assert_eq!((floor.steps, floor.proof.kind()), (3, "direct"));
    }
}

/// With one port, every node passes on one message a step: the sum of distances is the floor under store-and-forward,
/// while under wormhole switching each message counts once.
#[test]
fn one_port_counts_every_hop() {
    for (name, hops) in [("ring:8", 16), ("hypercube:4", 32), ("torus:3x3", 12)] {
        let mut parts = family(name);
        parts.send_ports = kernel::Ports::Each(1);
        parts.receive_ports = kernel::Ports::Each(1);
        let n = parts.nodes;
        let exchange = |model| problem(parts.clone(), Collective::alltoall(&all(n), &all(n)), model);
        let floor = |model| with_run(|run| strongest(&exchange(model), run)).steps;
        assert_eq!(floor(Model::store_and_forward()), hops, "{name}");
        assert!(floor(Model::wormhole()) < hops, "{name}");
    }
}

/// A mesh of 4 x 4 that lost a link: 16 steps still suffice fractionally unless the link crossed a middle.
#[test]
fn floors_of_a_mesh_without_a_link() {
    let whole = family("mesh:4x4");
    for (a, b) in whole.channels.iter().copied().filter(|(a, b)| a < b) {
        let mut parts = whole.clone();
        parts.channels.retain(|c| *c != (a, b) && *c != (b, a));
        let problem = problem(parts, Collective::alltoall(&all(16), &all(16)), Model::wormhole());
        let middle = (a % 4 == 1 && b % 4 == 2) || (a / 4 == 1 && b / 4 == 2);
        assert_eq!(with_run(|run| strongest(&problem, run)).steps, if middle { 22 } else { 16 }, "link {a} {b}");
    }
}

/// A Kautz network of 12 nodes and degree 3 needs 8 steps whichever channel it lost, one more than when whole.
#[test]
fn floors_of_a_kautz_network_without_a_channel() {
    let words: Vec<(u32, u32)> = (0..16).map(|w| (w / 4, w % 4)).filter(|w| w.0 != w.1).collect();
    let follows = |(a, b): (usize, usize)| (words[a].1 == words[b].0).then_some((a as u32, b as u32));
    let channels: Vec<_> = (0..144).filter_map(|pair| follows((pair / 12, pair % 12))).collect();
    assert_eq!(channels.len(), 36);
    for lost in 0..=36 {
        let kept = channels.iter().enumerate().filter(|(c, _)| *c != lost).map(|(_, ends)| *ends).collect();
        let parts = NetworkData { nodes: 12, channels: kept, ..NetworkData::default() };
        let problem = problem(parts, Collective::alltoall(&all(12), &all(12)), Model::wormhole());
        assert_eq!(with_run(|run| strongest(&problem, run)).steps, if lost == 36 { 7 } else { 8 }, "channel {lost}");
    }
}

/// Reversing time and channels does not change what holds for gathers.
#[test]
fn a_reduce_is_bounded_like_the_broadcast_on_the_reversal() {
    for parts in ["kautz:3,3", "mesh:3x4", "fat-tree:8"].map(family) {
        let network = Network::new(parts).unwrap();
        let (t, back) = (network.terminals().to_vec(), network.reversed());
        let steps = |network: &Network, collective| {
            let problem = Problem::new(network.clone(), collective, Model::wormhole()).unwrap();
            with_run(|run| strongest(&problem, run)).steps
        };
        assert_eq!(steps(&network, Collective::reduce(t[0], &t)), steps(&back, Collective::broadcast(t[0], &t)));
        assert_eq!(steps(&network, Collective::reduce_scatter(&t, &t)), steps(&back, Collective::allgather(&t, &t)));
        assert_eq!(steps(&network, Collective::gather(t[0], &t)), steps(&back, Collective::scatter(t[0], &t)));
    }
}

/// Under store-and-forward, the far end of a line is as many steps away as channels; wormhole switching gets there at
/// once.
#[test]
fn distance_counts_only_where_messages_stop_at_every_node() {
    let line = || links(6, (0..5).map(|v| (v, v + 1)));
    let ends = Collective::pairs("ends", &[(Node(0), Node(5))]);
    let relayed = problem(line(), ends.clone(), Model::store_and_forward());
    let claim = with_run(|run| strongest(&relayed, run));
    assert_eq!((claim.steps, claim.proof), (5, Proof::Distance { from: Node(0), to: Node(5) }));
    assert_eq!(with_run(|run| strongest(&problem(line(), ends, Model::wormhole()), run)).steps, 1);
}

/// A half-duplex link carries one message a step whichever way, so an exchange over it takes two.
#[test]
fn half_duplex_links_count_once() {
    let mut parts = links(2, [(0, 1)]);
    parts.half_duplex = vec![vec![0, 1]];
    let claim = |parts| {
        let problem = problem(parts, Collective::alltoall(&all(2), &all(2)), Model::wormhole());
        with_run(|run| strongest(&problem, run)).steps
    };
    assert_eq!(claim(parts.clone()), 2);
    parts.half_duplex.clear();
    assert_eq!(claim(parts), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// What fewer ticks prove, more ticks prove as well.
    #[test]
    fn more_ticks_never_weaken_a_bound(parts in limited(), kind in 0usize..15, ticks in 1u64..2_000_000, times in 2u64..50) {
        let network = Network::new(parts).unwrap();
        let problem = Problem::new(network.clone(), collective(kind, network.terminals()), Model::wormhole()).unwrap();
        let never = AtomicBool::new(false);
        let with = |ticks| strongest(&problem, &Run::new(Settings { ticks, ..Settings::default() }, &Silent, &never)).steps;
        prop_assert!(with(ticks) <= with(ticks * times));
    }
}

/// Where a cut proves what a routing along trees loads, nothing more is tried; a step less, and the weights prove it again.
#[test]
fn lengths_end_at_once_where_nothing_is_left_to_prove() {
    let exchange = |spec| {
        let parts = family(spec);
        let everybody = all(parts.nodes);
        problem(parts, Collective::alltoall(&everybody, &everybody), Model::wormhole())
    };
    let above = |problem: &Problem, floor| {
        with_run(|run| {
            let mut budget = Budget::new(run, run.settings.ticks);
            let wanted = Wanted { floor, ceiling: None };
            let claim = (finder("lengths").find)(problem, wanted, &mut budget);
            (claim.map(|claim| claim.steps), budget.spent())
        })
    };
    for (spec, floor) in [("mesh:12x13", 504), ("mesh:9x12", 324), ("mesh:4x5x6", 180)] {
        let (steps, ticks) = above(&exchange(spec), floor);
        assert!(steps.is_none() && ticks < 10_000, "{spec}: {steps:?} {ticks}");
    }
    assert_eq!(above(&exchange("mesh:4x6"), 35).0, Some(36));
}

/// Whoever is asked once the run has stopped looks at little.
#[test]
fn a_stopped_run_is_noticed() {
    let problem = problem(family("hypercube:6"), Collective::alltoall(&all(64), &all(64)), Model::wormhole());
    let stopped = AtomicBool::new(true);
    let run = Run::new(Settings::default(), &Silent, &stopped);
    for finder in FINDERS {
        let mut budget = Budget::new(&run, u64::MAX);
        let _ = (finder.find)(&problem, Wanted { floor: 0, ceiling: None }, &mut budget);
        assert!(budget.spent() < 20_000, "{}: {}", finder.name, budget.spent());
    }
}

/// The methods that are tried unless one is named.
pub(super) fn automatic() -> Vec<&'static dyn run::Method> {
    methods::METHODS.iter().copied().filter(|m| m.is_automatic()).collect()
}
