//! Bounds of problems with a symmetry.

use kernel::orbits::{Generator, OrbitProblem, Translations, certify_orbits};
use kernel::{Collective, Model, Network, Ports, Problem};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// The family's own automorphisms as translations, on a network that may have been changed.
fn translations(spec: &str, network: &Network) -> Translations {
    let maps = topologies::topology(spec).unwrap().automorphisms();
    let order = |map: &[u32]| {
        let mut at = map[0];
        let mut order = 1;
        while at != 0 {
            at = map[at as usize];
            order += 1;
        }
        order
    };
    let generators = maps.into_iter().filter(|m| m[0] != 0);
    let generators = generators.map(|m| Generator::of_nodes(network, order(&m), m).unwrap()).collect();
    Translations::new(network, generators).unwrap()
}

/// Floors of everything written down and of representatives are the same.
#[test]
fn floors_do_not_depend_on_folding() {
    let cancelled = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &cancelled);
    let one = |n: &Network| topologies::change::with_ports(n, Ports::Each(1)).unwrap();
    let half = |n: &Network| topologies::change::half_duplex(n).unwrap();
    let same = |n: &Network| n.clone();
    for spec in
        ["torus:4x4", "torus:3x5", "torus:2x3x4", "torus:4x8", "ring:9", "ring-uni:6", "hypercube:4", "complete:7"]
    {
        for change in [&same as &dyn Fn(&Network) -> Network, &one, &half] {
            let network = change(&topologies::parse(spec).unwrap());
            let folded = OrbitProblem::alltoall(&translations(spec, &network), Model::wormhole()).unwrap();
            let everyone = Collective::alltoall(network.terminals(), network.terminals());
            let whole = Problem::new(network, everyone, Model::wormhole()).unwrap();
            assert_eq!(folded.expanded().unwrap(), whole, "{spec}");
            let floor = bounds::strongest(&whole, &run);
            let claim = bounds::strongest_orbits(&folded, &run);
            let proved = certify_orbits(&folded, claim).unwrap();
            assert_eq!(proved.steps(), floor.steps, "{spec}: {:?}", floor.proof.kind());
        }
    }
}
