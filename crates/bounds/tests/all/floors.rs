//! Floors of the complete exchange on the dissertation's networks and larger ones, against optima of the linear program that
//! were computed independently; every one of them is known to be reached by a schedule.

use bounds::strongest;
use kernel::{Collective, Model, Problem, certify};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use testing::known::CHORDAL_RINGS;

const FLOORS: &[(&str, u64)] = &[
    ("hypercube:3", 4),
    ("hypercube:4", 8),
    ("hypercube:5", 16),
    ("hypercube:6", 32),
    ("hypercube:7", 64),
    ("hypercube:8", 128),
    ("ring:8", 8),
    ("ring:16", 32),
    ("ring:24", 72),
    ("ring:32", 128),
    ("ring-uni:8", 28),
    ("ring-uni:16", 120),
    ("ring-uni:24", 276),
    ("ring-uni:32", 496),
    ("mesh:3x3", 6),
    ("mesh:3x4", 12),
    ("mesh:4x4", 16),
    ("mesh:5x5", 30),
    ("mesh:4x8", 64),
    ("mesh:6x6", 54),
    ("mesh:7x7", 84),
    ("mesh:8x8", 128),
    ("mesh:9x9", 180),
    ("mesh:10x10", 250),
    ("torus:3x3", 3),
    ("torus:3x4", 6),
    ("torus:4x4", 8),
    ("torus:5x5", 15),
    ("torus:4x8", 32),
    ("torus:6x6", 27),
    ("torus:7x7", 42),
    ("torus:8x8", 64),
    ("torus:9x9", 90),
    ("torus:10x10", 125),
    ("petersen", 5),
    ("kautz:3,2", 7),
    ("heawood", 9),
    ("levi", 28),
    ("kautz:3,3", 32),
    ("omega:8", 7),
    ("omega:16", 15),
    ("butterfly:8", 7),
    ("butterfly:16", 15),
    ("clos:2,2,4", 7),
    ("clos:3,3,4", 11),
    ("clos:4,4,4", 15),
    ("binary-tree:4", 4),
    ("binary-tree:8", 16),
    ("binary-tree:16", 64),
    ("binary-tree:32", 256),
    ("fat-tree:4", 3),
    ("fat-tree:8", 7),
    ("fat-tree:16", 15),
    ("fat-tree:32", 31),
    ("full-tree:7", 12),
    ("full-tree:15", 56),
    ("full-tree:31", 240),
    ("full-tree:63", 992),
    ("fat:2,hypercube:2", 8),
    ("fat:2,hypercube:3", 16),
    ("fat:2,hypercube:4", 32),
    ("fat:2,hypercube:5", 64),
    ("fat:2,spidergon:6", 11),
    ("fat:2,spidergon:8", 16),
    ("fat:2,spidergon:10", 24),
    ("fat:2,spidergon:12", 36),
    ("fat:2,spidergon:14", 48),
    ("fat:2,spidergon:16", 64),
    ("fat:2,spidergon:18", 80),
    ("fat:3,spidergon:4", 11),
    ("fat:3,spidergon:8", 36),
    ("fat:3,spidergon:12", 81),
    ("fat:4,spidergon:4", 16),
    ("fat:4,spidergon:6", 38),
    ("fat:4,spidergon:8", 64),
];

#[test]
fn the_complete_exchange_on_the_dissertations_networks() {
    let mut wrong = Vec::new();
    for &(spec, steps) in FLOORS.iter().chain(CHORDAL_RINGS) {
        let network = topologies::parse(spec).expect(spec);
        let exchange = Collective::alltoall(network.terminals(), network.terminals());
        let problem = Problem::new(network, exchange, Model::wormhole()).expect(spec);
        let claim = strongest(&problem, &Run::new(Settings::default(), &Silent, &AtomicBool::new(false)));
        let found = certify(&problem, claim).expect(spec).steps();
        if found != steps {
            wrong.push(format!("{spec}: {found} instead of {steps}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
