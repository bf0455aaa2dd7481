//! Floors that no other certificate reaches, and that refuters and schedules never contradict each other.

use super::finders::automatic;
use bounds::{REFUTERS, raise};
use kernel::{Collective, Model, Network, Problem, Semantics, Switching, certify, verify};
use proptest::prelude::*;
use run::{Method, Run, Settings, Silent};
use search::ExactSat;
use std::sync::atomic::AtomicBool;
use testing::{full_tree, mesh, models, node, odd_network, ring_uni};

fn with_run<T>(ticks: u64, work: impl FnOnce(&Run<'_>) -> T) -> T {
    work(&Run::new(Settings { ticks, ..Settings::default() }, &Silent, &AtomicBool::new(false)))
}

fn broadcast(network: Network, root: usize) -> Problem {
    let collective = Collective::broadcast(node(root), network.terminals());
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

#[test]
fn broadcasts_that_growth_does_not_bound() {
    for (network, root, floor, steps, kind) in [
        (mesh(5, 5), 12, 2, 3, "combination"),
        (mesh(5, 5), 6, 2, 3, "combination"),
        (full_tree(15), 7, 2, 3, "combination"),
        (full_tree(31), 0, 3, 4, "unsat"),
        (full_tree(63), 31, 3, 5, "unsat"),
    ] {
        let problem = broadcast(network, root);
        let claim = with_run(100_000_000, |run| raise(REFUTERS, &problem, floor, steps, run)).expect("refuted");
        assert_eq!((claim.steps, claim.proof.kind()), (steps, kind));
        assert!(certify(&problem, claim).is_ok());
    }
}

/// Formulas of some 100,000 literals, in which classes of rules that play the same part are some hundred.
#[test]
fn symmetric_formulas_are_refuted_by_their_classes() {
    let tree = topologies::change::with_storing_switches(&topologies::parse("fat-tree:8").unwrap());
    let leaves: Vec<_> = tree.nodes().take(8).collect();
    let alltoall = Problem::new(tree, Collective::alltoall(&leaves, &leaves), Model::store_and_forward()).unwrap();
    let combination = *REFUTERS.iter().find(|refuter| refuter.name == "combination").unwrap();
    let claim = with_run(20_000_000, |run| raise(&[combination], &alltoall, 9, 12, run)).expect("refuted");
    assert_eq!((claim.steps, claim.proof.kind()), (10, "combination"));
    assert!(certify(&alltoall, claim).is_ok());
}

#[test]
fn nothing_is_raised_above_a_schedule() {
    let problem = broadcast(mesh(5, 5), 12);
    assert_eq!(with_run(10_000_000, |run| raise(REFUTERS, &problem, 3, 4, run)), None);
    assert_eq!(with_run(10_000_000, |run| raise(REFUTERS, &problem, 3, 3, run)), None);
}

#[test]
fn a_reduce_is_bounded_as_its_reversal() {
    let mesh = mesh(5, 5);
    let collective = Collective::reduce(node(12), mesh.terminals());
    let reduce = Problem::new(mesh, collective, Model::wormhole()).unwrap();
    assert_eq!(with_run(100_000_000, |run| raise(REFUTERS, &reduce, 2, 3, run)).map(|c| c.steps), Some(3));
}

/// Under time-division what is merged or combined is bounded by who can know of whom: on a one-way ring of five nodes by twice what growth says.
#[test]
fn what_is_merged_or_combined_in_slots_is_bounded_by_calls() {
    let slots = |network: Network, combining, floor, steps| {
        let all = network.terminals().to_vec();
        let collective = if combining { Collective::allgather(&all, &all) } else { Collective::allreduce(&all) };
        let problem = Problem::new(network, collective, Model { combining, ..Model::tdm() }).unwrap();
        let claim = with_run(100_000_000, |run| raise(REFUTERS, &problem, floor, steps + 1, run)).expect("refuted");
        assert_eq!((claim.steps, claim.proof.kind()), (steps, "unsat"));
        assert!(certify(&problem, claim).is_ok());
    };
    slots(ring_uni(5), false, 3, 6);
    slots(ring_uni(5), true, 3, 6);
    slots(mesh(1, 5), false, 3, 4);
}

/// All models, time-division as well.
fn all_models() -> impl Strategy<Value = Model> {
    let slots = (1u32..3, any::<bool>(), any::<bool>())
        .prop_map(|(hop, cyclic, combining)| Model { switching: Switching::Tdm { hop, cyclic }, combining });
    prop_oneof![2 => models(), 1 => slots]
}

fn small() -> impl Strategy<Value = Problem> {
    (odd_network(5), all_models(), 0u32..7).prop_filter_map("well posed", |(parts, model, kind)| {
        let network = Network::new(parts).ok()?;
        let all = network.terminals().to_vec();
        let collective = match kind {
            0 => Collective::broadcast(all[0], &all),
            1 => Collective::scatter(all[0], &all),
            2 => Collective::allgather(&all, &all),
            3 => Collective::gather(all[0], &all),
            4 => Collective::allreduce(&all),
            5 => Collective::reduce_scatter(&all, &all),
            _ => Collective::alltoall(&all[..all.len().min(3)], &all),
        };
        Problem::new(network, collective, model).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// No engine makes a schedule of fewer steps than are refuted, and one message is decided either way where ports are not limited.
    #[test]
    fn schedules_and_refutations_do_not_overlap(problem in small()) {
        let (network, one) = (problem.network(), problem.collective().message_count() == 1);
        // What several nodes are to have may take more steps than calls do, and paths may not go round as the formula has it.
        // Where ports are few the reason is a count, and a proof by clauses can be of any length.
        let ports = network.nodes().any(|v| network.send_ports(v).or(network.receive_ports(v)).is_some());
        let decides = one && problem.collective().semantics() == Semantics::Copy && !problem.model().is_slotted() && !ports;
        let ticks = if decides { 400_000_000 } else { 1_000_000 };
        if !ExactSat.applies(&problem) {
            return Ok(());
        }
        let Some(claim) = with_run(ticks, |run| ExactSat.solve(&problem, 0, run)) else { return Ok(()) };
        let optimum = verify(&problem, claim).expect("what satisfies the formula is a schedule").steps() as u64;
        let floor = with_run(ticks, |run| raise(REFUTERS, &problem, 0, optimum + 1, run));
        let proved = floor.as_ref().map_or(0, |f| f.steps);
        prop_assert!(proved <= optimum);
        if decides {
            prop_assert_eq!(proved, optimum, "so small a problem is decided");
        }
        if let Some(floor) = floor {
            prop_assert!(certify(&problem, floor).is_ok());
        }
        let found = with_run(ticks, |run| methods::best_of(&automatic(), &problem, optimum, run)).expect("some engine applies");
        prop_assert!(found.schedule.steps() as u64 >= proved);
    }
}
