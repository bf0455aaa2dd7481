//! Laws of the finders: the checker accepts what they claim and no more; enumeration of all sets agrees where a finder is
//! exact; published floors come out.

use super::*;
use kernel::{Collective, Message, Model, Network, NetworkData, Ports};
use proptest::prelude::*;
use run::{Settings, Silent};
use std::sync::atomic::AtomicBool;

fn with_run<T>(work: impl FnOnce(&Run<'_>) -> T) -> T {
    work(&Run::new(Settings::default(), &Silent, &AtomicBool::new(false)))
}

/// Steps of what one finder finds from nothing.
fn found(finder: Finder, problem: &Problem) -> u64 {
    let wanted = Wanted { floor: 0, ceiling: None };
    with_run(|run| (finder.find)(problem, wanted, run)).map_or(0, |proof| measure(problem, &proof))
}

fn all(nodes: u32) -> Vec<Node> {
    (0..nodes).map(Node).collect()
}

fn problem(parts: NetworkData, collective: Collective, model: Model) -> Problem {
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
fn limited() -> impl Strategy<Value = NetworkData> {
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

fn collective(kind: usize, t: &[Node]) -> Collective {
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
    (0..1usize << nodes).map(|bits| measure(problem, &Proof::Cut { nodes: set(bits) })).max().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Minimum cuts find the best of all sets for the collectives they are exact for.
    #[test]
    fn cuts_are_the_best_of_all_sets(parts in digraph(), kind in 0usize..9) {
        let problem = problem(parts.clone(), collective(kind, &all(parts.nodes)), Model::wormhole());
        prop_assert_eq!(found(cut::FINDER, &problem).max(1), best_set(&problem));
    }

    /// For one root, the linear program is a flow, whose bound is that of the best set.
    #[test]
    fn lengths_of_one_root_are_its_best_cut(parts in digraph(), gathers in any::<bool>()) {
        let kind = if gathers { 2 } else { 1 };
        let problem = problem(parts.clone(), collective(kind, &all(parts.nodes)), Model::wormhole());
        prop_assert_eq!(found(lengths::FINDER, &problem), best_set(&problem));
    }

    /// No set and no uniform weights surpass the linear program; grown sets are sets.
    #[test]
    fn lengths_surpass_volume_and_sets(parts in digraph(), pairs in prop::collection::vec((0u32..7, 0u32..7), 1..20)) {
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (Node(a % parts.nodes), Node(b % parts.nodes))).collect();
        let problem = problem(parts.clone(), Collective::pairs("pairs", &pairs), Model::wormhole());
        let lengths = found(lengths::FINDER, &problem);
        let ones = vec![kernel::Rational::whole(1); parts.channels.len()];
        let volume = measure(&problem, &Proof::Lengths { weights: ones.into() });
        prop_assert!(lengths >= volume);
        let best = best_set(&problem);
        prop_assert!(lengths >= best, "{} {}", lengths, best);
        prop_assert!(found(cut::FINDER, &problem) <= best);
    }

    /// The checker accepts every claim and refuses one step more; the claim is no weaker than any finder's, and does not
    /// change.
    #[test]
    fn the_door_agrees(parts in limited(), kind in 0usize..15, relayed in any::<bool>(), combining in any::<bool>()) {
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
        let run = Run::new(Settings { ticks: 20_000, ..Settings::default() }, &Silent, &never);
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
        let run = Run::new(Settings { ticks: 20_000, ..Settings::default() }, &Silent, &never);
        if let Some(solution) = methods::best_of(&automatic(), &problem, 0, &run) {
            prop_assert!(measure(&problem, &proof) <= solution.schedule.steps() as u64);
        }
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
    let cube = links(8, (0..8u32).flat_map(|v| [1, 2, 4].map(|b| (v, v ^ b))).filter(|(a, b)| a < b));
    let right = (0..9u32).filter(|v| v % 3 < 2).map(|v| (v, v + 1));
    let mesh = links(9, right.chain((0..6).map(|v| (v, v + 3))));
    let spoke = (0..5u32).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]);
    for (mut parts, floor) in [(cube, 10), (mesh, 13), (links(10, spoke), 12)] {
        parts.half_duplex = (0..parts.channels.len() as u32 / 2).map(|l| vec![2 * l, 2 * l + 1]).collect();
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

fn grid(wide: u32, high: u32, wraps: bool) -> NetworkData {
    let at = move |x: u32, y: u32| y % high * wide + x % wide;
    let places = (0..high).flat_map(|y| (0..wide).map(move |x| (x, y)));
    let right = places.clone().filter(move |p| wraps || p.0 + 1 < wide).map(move |(x, y)| (at(x, y), at(x + 1, y)));
    let up = places.filter(move |p| wraps || p.1 + 1 < high).map(move |(x, y)| (at(x, y), at(x, y + 1)));
    links(wide * high, right.chain(up))
}

fn hypercube(dimensions: u32) -> NetworkData {
    let low = |v: &(u32, u32)| v.0 < v.1;
    let nodes = 1 << dimensions;
    links(nodes, (0..nodes).flat_map(|v| (0..dimensions).map(move |d| (v, v ^ 1 << d))).filter(low))
}

fn ring(nodes: u32) -> NetworkData {
    links(nodes, (0..nodes).map(|v| (v, (v + 1) % nodes)))
}

fn spidergon(nodes: u32) -> NetworkData {
    let across = (0..nodes / 2).map(|v| (v, v + nodes / 2));
    links(nodes, (0..nodes).map(|v| (v, (v + 1) % nodes)).chain(across))
}

/// A cubic graph: a ring with a chord from every node.
fn lcf(nodes: u32, chords: &[i32]) -> NetworkData {
    let chord = |v: u32| (v as i32 + chords[v as usize % chords.len()]).rem_euclid(nodes as i32) as u32;
    let rest = (0..nodes).map(|v| (v, chord(v))).filter(|(v, w)| v < w);
    links(nodes, (0..nodes).map(|v| (v, (v + 1) % nodes)).chain(rest))
}

/// Words of three letters out of four with no letter twice in a row; a channel drops the first letter and adds one.
fn kautz_3_3() -> NetworkData {
    let words: Vec<[u32; 3]> =
        (0..64).map(|w| [w / 16, w / 4 % 4, w % 4]).filter(|w| w[0] != w[1] && w[1] != w[2]).collect();
    let place = |w: [u32; 3]| words.iter().position(|x| *x == w).map(|p| p as u32);
    let next = |w: &[u32; 3]| (0..4).filter_map(|l| place([w[1], w[2], l])).collect::<Vec<_>>();
    let channels =
        words.iter().flat_map(|w| next(w).into_iter().map(|to| (place(*w).unwrap(), to)).collect::<Vec<_>>());
    NetworkData { nodes: 36, channels: channels.collect(), ..NetworkData::default() }
}

/// A binary tree whose links widen towards the root; the leaves are the terminals.
fn fat_tree(levels: u32) -> NetworkData {
    let nodes = (2 << levels) - 1;
    let mut parts = links(nodes, (1..nodes).map(|v| (v, (v - 1) / 2)));
    let capacity = |v: u32| 1 << (levels - (v + 1).ilog2());
    parts.capacities = Some((1..nodes).flat_map(|v| [capacity(v); 2]).collect());
    parts.terminals = Some((nodes / 2..nodes).collect());
    parts
}

/// Every node becomes a switch with terminals of its own.
fn fat(mut parts: NetworkData, terminals: u32) -> NetworkData {
    let first = parts.nodes;
    parts.nodes += first * terminals;
    let to_switch = (first..parts.nodes).map(|t| (t, (t - first) / terminals));
    parts.channels.extend(to_switch.flat_map(|(t, s)| [(t, s), (s, t)]));
    parts.terminals = Some((first..parts.nodes).collect());
    parts
}

/// The floors of the complete exchange: half the nodes of a hypercube, ⌈⌊n²/4⌋/2⌉ of a ring, (n/4)² of a spidergon
/// (rounded up), and computed optima of the linear program elsewhere.
#[test]
fn floors_of_the_complete_exchange() {
    let table: Vec<(&str, NetworkData, u64)> = vec![
        ("hypercube 4", hypercube(4), 8),
        ("hypercube 6", hypercube(6), 32),
        ("ring 24", ring(24), 72),
        ("mesh 5x5", grid(5, 5, false), 30),
        ("mesh 6x6", grid(6, 6, false), 54),
        ("mesh 7x7", grid(7, 7, false), 84),
        ("torus 3x3", grid(3, 3, true), 3),
        ("torus 3x4", grid(3, 4, true), 6),
        ("torus 6x6", grid(6, 6, true), 27),
        ("torus 7x7", grid(7, 7, true), 42),
        ("heawood", lcf(14, &[5, -5]), 9),
        ("levi", lcf(30, &[-13, -9, 7, -7, 9, 13]), 28),
        ("mcgee", lcf(24, &[12, 7, -7]), 20),
        ("kautz 3 3", kautz_3_3(), 32),
        ("spidergon 20", spidergon(20), 25),
        ("spidergon 36", spidergon(36), 81),
        ("fat tree 16", fat_tree(4), 15),
        ("2-fat hypercube 3", fat(hypercube(3), 2), 16),
        ("2-fat hypercube 4", fat(hypercube(4), 2), 32),
        ("2-fat spidergon 18", fat(spidergon(18), 2), 80),
        ("3-fat spidergon 12", fat(spidergon(12), 3), 81),
        ("4-fat spidergon 6", fat(spidergon(6), 4), 38),
    ];
    for (name, parts, steps) in table {
        let network = Network::new(parts).unwrap();
        let exchange = Collective::alltoall(network.terminals(), network.terminals());
        let problem = Problem::new(network, exchange, Model::wormhole()).unwrap();
        let claim = with_run(|run| strongest(&problem, run));
        assert_eq!(claim.steps, steps, "{name}: {}", claim.proof.kind());
        assert!(certify(&problem, claim).is_ok(), "{name}");
    }
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
        (lengths::FINDER.find)(&problem, wanted, &run).map_or(0, |proof| measure(&problem, &proof))
    };
    let (small, large) = (with_ticks(50_000), with_ticks(100_000_000));
    assert!(measure(&problem, &even) < small && small <= large, "{small} {large}");
}

/// With one port, every node passes on one message a step: the sum of distances is the floor under store-and-forward,
/// while under wormhole switching each message counts once.
#[test]
fn one_port_counts_every_hop() {
    for (name, mut parts, hops) in [
        ("ring 8", links(8, (0..8).map(|v| (v, (v + 1) % 8))), 16),
        ("hypercube 4", hypercube(4), 32),
        ("torus 3 x 3", grid(3, 3, true), 12),
    ] {
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
    let whole = grid(4, 4, false);
    for link in 0..whole.channels.len() / 2 {
        let mut parts = whole.clone();
        let (a, b) = parts.channels[2 * link];
        parts.channels.drain(2 * link..2 * link + 2);
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
    for parts in [kautz_3_3(), grid(4, 3, false), fat_tree(3)] {
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

/// The methods that are tried unless one is named.
pub(crate) fn automatic() -> Vec<&'static dyn run::Method> {
    methods::METHODS.iter().copied().filter(|m| m.is_automatic()).collect()
}
