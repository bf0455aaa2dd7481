//! Groups under which every message moves.

use graph::automorphisms::Automorphism;
use graph::symmetry::{Ends, free_groups};
use kernel::{Collective, Message, Model, Problem};
use run::{Budget, Seed};

fn alltoall(spec: &str) -> (Problem, Ends) {
    let network = topologies::parse(spec).expect("a known network");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).expect("connected");
    let messages: Vec<Message> = problem.collective().messages().collect();
    let ends = Ends::new(&problem, &messages);
    (problem, ends)
}

/// Translations, and on Kautz networks even exchanges of letters, keep every message moving.
#[test]
fn large_groups_are_found() {
    for (spec, order) in [("torus:7x7", 49), ("hypercube:5", 32), ("kautz:3,3", 12), ("ring:9", 9), ("fat-tree:16", 16)]
    {
        let (problem, ends) = alltoall(spec);
        let groups = free_groups(&problem, &ends, Seed(1), &mut Budget::ticks(40_000_000));
        assert!(groups.iter().any(|g| g.elements.len() == order), "{spec}");
    }
}

#[test]
fn groups_are_closed_and_time_shifts_respect_them() {
    for spec in ["kautz:3,2", "torus:4x4", "heawood", "mesh:4x4", "fat:2,ring:4"] {
        let (problem, ends) = alltoall(spec);
        for group in free_groups(&problem, &ends, Seed(2), &mut Budget::ticks(4_000_000)) {
            let place = |map: &Automorphism| group.elements.iter().position(|e| e.nodes == map.nodes);
            assert!(group.elements[0].is_identity());
            for element in &group.elements[1..] {
                assert!(problem.collective().messages().all(|m| ends.image(element, m) != Some(m)), "{spec}");
            }
            for shift in group.shifts(8, 16) {
                for (a, &one) in group.elements.iter().zip(&shift.shifts) {
                    for (b, &other) in group.elements.iter().zip(&shift.shifts) {
                        let product = place(&a.then(b)).expect("closed");
                        assert_eq!(shift.shifts[product], (one + other) % shift.blocks, "{spec}");
                    }
                }
            }
        }
    }
}
