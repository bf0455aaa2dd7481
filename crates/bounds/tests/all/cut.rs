//! Laws of cuts: borders count what the checker counts; the cuts of meshes come out, however a network is numbered.

use super::finders::{all, collective, family, finder, found, limited, with_run};
use bounds::{Border, Wanted};
use kernel::{Certificate, Channel, Collective, Model, Network, NetworkData, Node, Problem, Proof, Refused, certify};
use proptest::prelude::*;
use run::{Budget, Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

fn alltoall(parts: NetworkData) -> Problem {
    let network = Network::new(parts).unwrap();
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

/// What the cut across the middle of the longest dimension proves.
fn middle(sizes: &[u64]) -> u64 {
    let longest = sizes.iter().max().unwrap();
    sizes.iter().product::<u64>() / longest * (longest / 2) * longest.div_ceil(2)
}

/// A grid without wrap-round links, its last dimension numbered first.
fn mesh(sizes: &[u64]) -> NetworkData {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    family(&format!("mesh:{}", sizes.join("x")))
}

/// The same network, its nodes and channels in the order of some random keys.
fn renumbered(parts: &NetworkData, keys: &[u32]) -> NetworkData {
    let order = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|at| (keys[at % keys.len()].wrapping_mul(*at as u32 + 1), *at));
        order
    };
    let mut image = vec![0; parts.nodes as usize];
    (0..).zip(order(image.len())).for_each(|(new, old)| image[old] = new);
    let node = |v: u32| image[v as usize];
    let nodes = |list: &[u32]| {
        let mut list: Vec<u32> = list.iter().map(|v| node(*v)).collect();
        list.sort_unstable();
        list
    };
    let channels = order(parts.channels.len()).into_iter().map(|c| parts.channels[c]);
    NetworkData {
        nodes: parts.nodes,
        channels: channels.map(|(a, b)| (node(a), node(b))).collect(),
        terminals: parts.terminals.as_deref().map(nodes),
        no_transit: nodes(&parts.no_transit),
        ..NetworkData::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever nodes change sides, a border has the messages and the capacity that the kernel counts.
    #[test]
    fn borders_count_what_the_kernel_counts(
        parts in limited(),
        kind in 0usize..15,
        chunks in 1u32..3,
        turns in prop::collection::vec(0usize..7, 1..20),
        shared in any::<bool>(),
    ) {
        let mut parts = parts;
        if shared && parts.channels.len() > 4 {
            // A group of more than a link, of unequal capacities.
            parts.half_duplex = vec![(0..5).collect()];
        }
        let network = Network::new(parts).unwrap();
        let collective = collective(kind, network.terminals()).in_chunks(chunks);
        let problem = Problem::new(network.clone(), collective, Model::wormhole()).unwrap();
        let mut border = Border::new(&problem);
        for turn in turns {
            border.turn(Node::new(turn % network.node_count()));
            let (inside, outside) = (border.inside().to_vec(), border.inside().iter().map(|v| !v).collect::<Vec<_>>());
            for (set, crossing) in [(inside, border.leaving()), (outside, border.entering())] {
                let leaves = |c: &Channel| set[network.from(*c).index()] && !set[network.to(*c).index()];
                prop_assert_eq!(crossing.messages, problem.must_leave(&set));
                prop_assert_eq!(crossing.capacity, network.capacity_of(network.channels().filter(leaves)));
            }
        }
    }

    /// In meshes of two and three dimensions the cut across the middle is found, under any numbers, and proves what it claims.
    #[test]
    fn meshes_have_a_cut_across_the_middle(
        sizes in prop::collection::vec(1u64..8, 2..4),
        keys in prop::collection::vec(any::<u32>(), 64),
    ) {
        prop_assume!(sizes.iter().product::<u64>() > 1);
        for parts in [mesh(&sizes), renumbered(&mesh(&sizes), &keys)] {
            let problem = alltoall(parts);
            let wanted = Wanted { floor: 0, ceiling: None };
            let claim = with_run(|run| (finder("cut").find)(&problem, wanted, &mut Budget::new(run, run.settings.ticks))).unwrap();
            prop_assert!(claim.steps >= middle(&sizes), "{} {}", claim.steps, middle(&sizes));
            let more = Certificate { steps: claim.steps + 1, proof: claim.proof.clone() };
            prop_assert!(certify(&problem, claim).is_ok());
            prop_assert!(certify(&problem, more).is_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Other numbers of nodes and channels change no step.
    #[test]
    fn other_numbers_get_the_same_steps(keys in prop::collection::vec(any::<u32>(), 64)) {
        let specs = ["mesh:5x8", "mesh:3x4x5", "torus:6x7", "torus:3x4x6", "hypercube:5", "full-tree:31", "fat-tree:8", "ring:9"];
        for parts in specs.map(family) {
            let steps = found(finder("cut"), &alltoall(parts.clone()));
            prop_assert_eq!(found(finder("cut"), &alltoall(renumbered(&parts, &keys))), steps, "{}", parts.name);
        }
    }
}

/// A column beside the middle proves less.
#[test]
fn a_cut_beside_the_middle_is_too_weak() {
    let problem = alltoall(family("mesh:4x6"));
    let columns = |count: u32| all(24).into_iter().filter(|v| v.0 % 6 < count).collect();
    let claim = |count| Certificate { steps: middle(&[4, 6]), proof: Proof::Cut { nodes: columns(count) } };
    assert!(certify(&problem, claim(3)).is_ok());
    assert_eq!(certify(&problem, claim(2)).unwrap_err(), Refused::TooWeak { claims: 36, proves: 32 });
}

/// Ticks grow about as nodes and channels, whatever the number of messages.
#[test]
fn ticks_are_about_linear() {
    let ticks = |sizes: &[u64]| {
        let never = AtomicBool::new(false);
        let run = Run::new(Settings::default(), &Silent, &never);
        let mut budget = Budget::new(&run, u64::MAX);
        let claim =
            (finder("cut").find)(&alltoall(mesh(sizes)), Wanted { floor: 0, ceiling: None }, &mut budget).unwrap();
        assert_eq!(claim.steps, middle(sizes));
        budget.spent()
    };
    let (small, large) = (ticks(&[20, 25]), ticks(&[40, 50]));
    assert!(large < 5 * small && large < 20_000_000, "{small} {large}");
}
