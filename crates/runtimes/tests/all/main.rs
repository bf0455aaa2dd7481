//! Laws of programs of runtimes, in one program.

mod xml;
mod xml_rules;

use collectives::{COLLECTIVES, Selection};
use kernel::{Model, Problem};
use methods::{Settings, solve};
use program::Program;

/// Small networks.
const NETWORKS: [&str; 5] = ["ring:4", "dgx1", "hypercube:3", "fat-tree:4", "complete:3"];

/// The program of every collective on every network, in so many chunks.
fn programs(chunks: u32) -> Vec<(String, Program)> {
    let mut programs = Vec::new();
    for name in NETWORKS {
        let network = topologies::parse(name).unwrap();
        for kind in COLLECTIVES {
            let Ok(collective) = kind.build(&Selection::of(&network)) else { continue };
            let Ok(problem) = Problem::new(network.clone(), collective.in_chunks(chunks), Model::wormhole()) else {
                continue;
            };
            let settings = Settings::default().with_ticks(2_000).with_threads(1);
            let Some(best) = solve(&problem, &settings).unwrap().best else { continue };
            programs.push((format!("{} on {name} in {chunks}", kind.name), Program::new(&best.schedule).unwrap()));
        }
    }
    assert!(programs.len() > 40, "only {} programs", programs.len());
    programs
}

/// The program of a collective on a network.
fn program(network: &str, collective: &str, chunks: u32) -> Program {
    let network = topologies::parse(network).unwrap();
    let kind = COLLECTIVES.iter().find(|kind| kind.name == collective).unwrap();
    let collective = kind.build(&Selection::of(&network)).unwrap().in_chunks(chunks);
    let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
    let settings = Settings::default().with_ticks(2_000).with_threads(1);
    Program::new(&solve(&problem, &settings).unwrap().best.unwrap().schedule).unwrap()
}
