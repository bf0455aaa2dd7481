//! Laws of all methods: what applies gives a valid schedule or none, within its ticks, heeds slack and ends when it is stopped;
//! and every method has its problem.

use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem, Switching, Verified, verify};
use methods::METHODS;
use proptest::prelude::*;
use run::{Method, ONE_LOOK, Run, Settings, Silent};
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use testing::odd_network;

const TICKS: u64 = 20_000;

fn models() -> Vec<Model> {
    let tdm = Switching::Tdm { hop: 1, cyclic: true };
    [Switching::Wormhole, Switching::StoreAndForward, tdm]
        .into_iter()
        .flat_map(|switching| [false, true].map(|combining| Model { switching, combining }))
        .collect()
}

fn collectives(network: &Network) -> Vec<Collective> {
    let t = network.terminals();
    let last = t[t.len() - 1];
    vec![
        Collective::broadcast(t[0], t),
        Collective::broadcast(last, t).in_chunks(4),
        Collective::scatter(last, t),
        Collective::gather(t[0], t),
        Collective::reduce(last, t),
        Collective::allgather(t, t),
        Collective::alltoall(t, t),
        Collective::allreduce(t),
        Collective::reduce_scatter(t, t),
        Collective::scan(t),
        Collective::pairs(
            "permutation",
            &t.iter().zip(t.iter().cycle().skip(1)).map(|(&a, &b)| (a, b)).collect::<Vec<_>>(),
        ),
        // Two groups, of the lower half of the terminals and of the upper one.
        Collective::pairs("alltoallv", &halves(t)),
    ]
}

/// Every pair of terminals of the same half.
fn halves(terminals: &[Node]) -> Vec<(Node, Node)> {
    let (lower, upper) = terminals.split_at(terminals.len() / 2);
    [lower, upper].into_iter().flat_map(|half| half.iter().flat_map(|a| half.iter().map(|b| (*a, *b)))).collect()
}

/// Channels on a shortest path, by the rules of the model.
fn distance(problem: &Problem, from: Node, to: Node) -> usize {
    let network = problem.network();
    let mut at = vec![usize::MAX; network.node_count()];
    at[from.index()] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node != from && !problem.path_passes(node) {
            continue;
        }
        for &channel in network.outgoing(node) {
            let next = network.to(channel);
            if at[next.index()] == usize::MAX {
                at[next.index()] = at[node.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    at[to.index()]
}

/// Runs a method; what it makes is valid, or it makes nothing.
fn run(method: &dyn Method, problem: &Problem, settings: Settings) -> Option<Verified> {
    run_until(method, problem, settings, None, usize::MAX)
}

/// The same, from a schedule that is known, until it has asked so many times whether it has to stop.
fn run_until(
    method: &dyn Method,
    problem: &Problem,
    settings: Settings,
    known: Option<&Verified>,
    asked: usize,
) -> Option<Verified> {
    if !method.applies(problem)
        || method.declines(problem, &Run::new(settings, &Silent, &AtomicBool::new(false))).is_some()
    {
        return None;
    }
    let (stop, questions) = (AtomicBool::new(false), AtomicUsize::new(0));
    let is_over = || questions.fetch_add(1, Ordering::Relaxed) >= asked;
    let claim = method.solve(problem, 1, &Run::new(settings, &Silent, &stop).starting_from(known).unless(&is_over))?;
    let checked = verify(problem, claim);
    let violations =
        |e: kernel::Rejected| format!("{} on {}: {:?}", method.name(), problem.network().name(), e.violations());
    Some(checked.map_err(violations).expect("a valid schedule"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn what_applies_is_valid_and_heeds_the_flags(
        parts in odd_network(6), slack in 0u32..2, which in 0usize..66, asked in 0usize..40,
    ) {
        let network = Network::new(parts).expect("sound");
        let (model, all) = (models()[which % 6], collectives(&network));
        for collective in [all[which / 6].clone(), all[(which / 6 + 5) % 11].clone()] {
                let Ok(problem) = Problem::new(network.clone(), collective, model) else { continue };
                for method in METHODS {
                    let usual = Settings { ticks: TICKS, ..Settings::default() };
                    let known = run(*method, &problem, usual);
                    run_until(*method, &problem, usual, None, 0);
                    // Whatever it is doing when it is told, it ends.
                    let endless = Settings { ticks: u64::MAX, ..usual };
                    run_until(*method, &problem, endless, known.as_ref(), asked);
                    let slack_only = Settings { slack: Some(slack), ..usual };
                    let Some(found) = run(*method, &problem, slack_only) else { continue };
                    for transfer in found.expanded().expect("few messages").steps().flatten() {
                        let (from, to) = (network.from(transfer.path[0]), network.to(transfer.path[transfer.path.len() - 1]));
                        let most = distance(&problem, from, to) + slack as usize;
                        prop_assert!(transfer.path.len() <= most, "{}: {} channels from {from} to {to}, at most {most}",
                            method.name(), transfer.path.len());
                    }
                }
        }
    }
}

fn with_one_port(network: &Network) -> Network {
    let one = Ports::Each(1);
    Network::new(NetworkData { send_ports: one.clone(), receive_ports: one, ..network.data().clone() }).expect("sound")
}

#[test]
fn every_method_has_its_problem() {
    // Some have problems of their own, and would have to make nothing of all the others first.
    let own = [
        ("sub-network", part_of_a_dragonfly()),
        ("schedule-repair", damaged_torus()),
        ("chunk-images", chunks_on_a_cube()),
        ("invariant-sat", allreduce_in_slots()),
        ("slot-gossip", allreduce_in_slots()),
        ("slot-groups", allreduce_in_slots()),
        ("tree-sat", allreduce_in_chunks()),
        ("core-insertion", allreduce_in_chunks()),
        ("step-by-step", many_messages()),
    ];
    for (name, problem) in &own {
        let method = methods::method(name).expect("of the list");
        // With more, `step-by-step` begins anew for as long as there are ticks.
        let ticks = if *name == "step-by-step" { ONE_LOOK } else { 1_000_000_000 };
        let found = run(method, problem, Settings { ticks, ..Settings::default() });
        assert!(found.is_some(), "{name} makes nothing");
    }
    let mut idle: BTreeSet<&str> = METHODS.iter().map(|m| m.name()).collect();
    idle.retain(|name| own.iter().all(|(own, _)| own != name));
    let specs = ["ring:6", "hypercube:3", "mesh:3x3", "fat:2,ring:4", "full-tree:7"];
    let examples = constructions::CONSTRUCTIONS.iter().flat_map(|c| c.examples.iter().take(2).copied());
    let specs: BTreeSet<&str> = specs.into_iter().chain(examples).collect();
    for spec in specs {
        let Ok(network) = topologies::parse(spec) else { continue };
        if network.node_count() > 100 {
            continue;
        }
        for network in [network.clone(), with_one_port(&network)] {
            for model in models() {
                for collective in collectives(&network) {
                    let Ok(problem) = Problem::new(network.clone(), collective, model) else { continue };
                    idle.retain(|name| {
                        let method = methods::method(name).expect("of the list");
                        run(method, &problem, Settings { ticks: TICKS, ..Settings::default() }).is_none()
                    });
                }
            }
        }
    }
    assert!(idle.is_empty(), "no problem for {idle:?}");
}

/// Alltoall in so many chunks that there are 20,160 messages.
fn many_messages() -> Problem {
    let network = topologies::parse("torus:4x4").expect("a family");
    let all = network.terminals();
    let alltoall = Collective::alltoall(all, all).in_chunks(84);
    Problem::new(network.clone(), alltoall, Model::wormhole()).expect("connected")
}

/// Alltoall between the routers of a D3(2, 3) within a D3(3, 5).
fn part_of_a_dragonfly() -> Problem {
    let whole = topologies::families::swapped_dragonfly::SwappedDragonfly::new(3, 5).expect("valid");
    let part = whole.part(&[0, 2], &[1, 2, 4]).expect("cabinets and drawers that exist");
    let nodes: Vec<Node> = part.nodes.iter().map(|v| Node(*v)).collect();
    let network = topologies::Topology::network(&whole);
    Problem::new(network, Collective::alltoall(&nodes, &nodes), Model::store_and_forward()).expect("well posed")
}

fn chunks_on_a_cube() -> Problem {
    let cube = with_one_port(&topologies::parse("hypercube:3").expect("a family"));
    let broadcast = Collective::broadcast(Node(0), cube.terminals()).in_chunks(3);
    Problem::new(cube, broadcast, Model::store_and_forward()).expect("well posed")
}

fn allreduce_in_slots() -> Problem {
    let ring = topologies::parse("ring:6").expect("a family");
    let slots = Model { switching: Switching::Tdm { hop: 1, cyclic: true }, combining: false };
    let allreduce = Collective::allreduce(ring.terminals());
    Problem::new(ring, allreduce, slots).expect("well posed")
}

fn allreduce_in_chunks() -> Problem {
    let ring = with_one_port(&topologies::parse("ring:7").expect("a family"));
    let allreduce = Collective::allreduce(ring.terminals()).in_chunks(4);
    Problem::new(ring, allreduce, Model::store_and_forward()).expect("well posed")
}

fn damaged_torus() -> Problem {
    let whole = topologies::parse("torus:6x6").expect("a family");
    let network = topologies::change::without_link(&whole, Node(0), Node(1), false).expect("a link");
    let all = network.terminals().to_vec();
    Problem::new(network, Collective::alltoall(&all, &all), Model::wormhole()).expect("well posed")
}
