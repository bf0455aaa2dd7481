//! Laws of programs of runtimes, in one program.

mod import;
mod plan;
mod plan_rules;
mod xml;
mod xml_rules;

use collectives::{COLLECTIVES, Selection};
use kernel::{Model, Problem, Verified};
use methods::{Settings, solve};
use program::Program;
use std::sync::OnceLock;

/// Small networks.
const NETWORKS: [&str; 4] = ["ring:4", "dgx1", "hypercube:3", "fat-tree:4"];

/// A schedule and what each rank does in it.
struct Played {
    what: String,
    schedule: Verified,
    program: Program,
}

/// A schedule of every collective on every network, in one chunk and in two by turns.
fn programs() -> &'static [Played] {
    static PROGRAMS: OnceLock<Vec<Played>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let mut programs = Vec::new();
        for name in NETWORKS {
            let network = topologies::parse(name).unwrap();
            for (at, kind) in COLLECTIVES.iter().enumerate() {
                let Ok(collective) = kind.build(&Selection::of(&network)) else { continue };
                let chunks = 1 + (at as u32 + network.node_count() as u32) % 2;
                let problem = Problem::new(network.clone(), collective.in_chunks(chunks), Model::wormhole());
                let Ok(problem) = problem else { continue };
                let settings = Settings::default().with_ticks(500).with_threads(1);
                let Some(best) = solve(&problem, &settings).unwrap().best else { continue };
                let what = format!("{} on {name} in {chunks}", kind.name);
                let program = Program::new(&best.schedule).unwrap();
                programs.push(Played { what, schedule: best.schedule, program });
            }
        }
        assert!(programs.len() > 25, "only {} programs", programs.len());
        programs
    })
}

/// Here they are made once for all formats, although each test may be a process of its own.
#[test]
fn of_every_collective() {
    import::of_every_collective();
    plan::of_every_collective();
    xml::of_every_collective();
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
