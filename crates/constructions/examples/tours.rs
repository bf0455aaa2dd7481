//! Alltoall by tours on every mesh and torus of one to four dimensions up to a number of nodes: built, verified and compared with
//! the floor, which is certified.
//!
//! `cargo xtask tours [NODES]`, or `cargo run --release -p quadrille-constructions --example tours` with the same argument: 1100
//! nodes unless told. It prints a line for each number of dimensions, and every member that is not at its floor.

use constructions::{Builder, CONSTRUCTIONS, Claim, Control};
use kernel::{Collective, Model, Problem, verify};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

type Failed = Box<dyn std::error::Error + Send + Sync>;

/// What came of some members.
#[derive(Default)]
struct Count {
    members: usize,
    at_floor: usize,
    messages: u64,
    above: Vec<String>,
}

fn main() -> Result<(), Failed> {
    let nodes = std::env::args().nth(1).map_or(Ok(1100), |text| text.parse())?;
    for (method, family) in [("mesh-tours", "mesh"), ("torus-products", "torus")] {
        for dimensions in 1..=4 {
            let mut all = Vec::new();
            sizes(dimensions, nodes, &mut Vec::new(), &mut all);
            let count = members(method, family, &all)?;
            let Count { members, at_floor, messages, .. } = count;
            println!(
                "{family}, {dimensions} dimensions: {members} verified, {at_floor} at the floor, {messages} messages"
            );
            count.above.iter().for_each(|member| println!("  {member}"));
        }
    }
    Ok(())
}

/// All ascending sizes above 1 of so many dimensions with at most so many nodes.
fn sizes(dimensions: usize, nodes: u64, chosen: &mut Vec<u64>, all: &mut Vec<Vec<u64>>) {
    if chosen.len() == dimensions {
        all.push(chosen.clone());
        return;
    }
    let left = u32::try_from(dimensions - chosen.len()).expect("four dimensions at most");
    for size in chosen.last().copied().unwrap_or(2).. {
        if size.pow(left) > nodes {
            return;
        }
        chosen.push(size);
        sizes(dimensions, nodes / size, chosen, all);
        chosen.pop();
    }
}

/// Builds and verifies the members that the method applies to, on all cores.
fn members(method: &str, family: &str, all: &[Vec<u64>]) -> Result<Count, Failed> {
    let (next, count) = (AtomicUsize::new(0), Mutex::new(Count::default()));
    let work = || -> Result<(), Failed> {
        while let Some(sizes) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
            let spec = format!("{family}:{}", texts.join("x"));
            let Some(made) = member(method, &spec).map_err(|e| format!("{spec}: {e}"))? else { continue };
            let mut count = count.lock().map_err(|_| "a thread failed")?;
            count.members += 1;
            count.messages += made.messages;
            if made.steps == made.floor {
                count.at_floor += 1;
            } else {
                count.above.push(format!("{spec} {}/{}", made.steps, made.floor));
            }
        }
        Ok(())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread failed")?)
    })?;
    Ok(count.into_inner().map_err(|_| "a thread failed")?)
}

/// What was made of one member.
struct Made {
    steps: u64,
    floor: u64,
    messages: u64,
}

fn member(method: &str, spec: &str) -> Result<Option<Made>, Failed> {
    let network = topologies::parse(spec)?;
    let all = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, Model::wormhole())?;
    let construction = CONSTRUCTIONS.iter().find(|c| c.name == method).ok_or("no such construction")?;
    let Some(builder) = construction.builder(&problem) else { return Ok(None) };
    let builder: &dyn Builder = &*builder;
    let control = Control::default();
    let claim = match builder.build(problem.network(), &control).ok_or("nothing was built")? {
        Claim::Plain(schedule) => kernel::Claim::Plain(schedule),
        Claim::Orbits(orbits) => orbits.folded(&problem)?,
    };
    let verified = verify(&problem, claim)?;
    let steps = verified.steps() as u64;
    if builder.promise().is_some_and(|promised| promised != steps) {
        return Err("the promise is not kept".into());
    }
    let floor = builder.floor(problem.network(), &control).ok_or("no bound is known")?;
    let floor = verified.certify(floor)?.steps();
    Ok(Some(Made { steps, floor, messages: problem.collective().message_count() as u64 }))
}
