//! Constructions that need more than one port make nothing where there is one, or something that keeps the rules.

use constructions::{CONSTRUCTIONS, Pattern};
use kernel::{Collective, Model, Ports, Problem, verify};
use methods::METHODS;
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

#[test]
fn with_one_port_no_construction_breaks_a_rule() {
    let (never, mut applied) = (AtomicBool::new(false), 0);
    let alltoall = CONSTRUCTIONS.iter().filter(|c| c.scope.pattern == Pattern::Alltoall);
    for construction in alltoall {
        let method = METHODS.iter().find(|method| method.name() == construction.name).unwrap();
        for spec in construction.examples {
            let network = topologies::change::with_ports(&topologies::parse(spec).unwrap(), Ports::Each(1)).unwrap();
            if network.terminals().len() > 64 {
                continue;
            }
            for switching in construction.scope.switching.iter().copied() {
                let all = network.terminals();
                let model = Model { switching, combining: false };
                let Ok(problem) = Problem::new(network.clone(), Collective::alltoall(all, all), model) else {
                    continue;
                };
                let run = Run::new(Settings::default(), &Silent, &never);
                if !method.applies(&problem) {
                    continue;
                }
                let Some(claim) = method.claim(&problem, 0, &run) else { continue };
                verify(&problem, claim).unwrap_or_else(|e| panic!("{} on {spec}: {e}", construction.name));
                applied += 1;
            }
        }
    }
    assert!(applied > 10, "{applied}");
}
