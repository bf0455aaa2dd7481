//! Alltoall by tours on every mesh and torus of one to four dimensions up to a number of nodes, and on products of lines, rings and
//! complete networks: built, verified and compared with the floor, which is certified.
//!
//! `cargo xtask tours [NODES [DIMENSIONS]]`, or `cargo run --release -p quadrille-constructions --example tours` with the same arguments: 1100
//! nodes unless told, products of a third as many; with dimensions, meshes and tori of so many alone. It prints a line for each number of dimensions or kind of product, and every member that is not at its floor.

use constructions::{Builder, CONSTRUCTIONS, Control};
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

/// Products of one dimension of each.
const PRODUCTS: &[&[&str]] = &[
    &["ring", "mesh"],
    &["complete", "mesh"],
    &["complete", "ring"],
    &["complete", "complete"],
    &["ring", "mesh", "complete"],
    &["ring", "mesh", "mesh"],
    &["ring", "ring", "mesh"],
];

fn main() -> Result<(), Failed> {
    let nodes = std::env::args().nth(1).map_or(Ok(1100), |text| text.parse())?;
    let only: Option<usize> = std::env::args().nth(2).map(|text| text.parse()).transpose()?;
    for family in ["mesh", "torus"] {
        for dimensions in only.map_or(1..=4, |only| only..=only) {
            let mut all = Vec::new();
            sizes(dimensions, nodes, &mut Vec::new(), &mut all);
            let specs: Vec<String> = all.iter().map(|sizes| format!("{family}:{}", joined(sizes, "x"))).collect();
            report(&format!("{family}, {dimensions} dimensions"), &members(&specs)?);
        }
    }
    for kinds in PRODUCTS.iter().filter(|_| only.is_none()) {
        let mut specs = vec![(1, "product:".to_owned())];
        for (at, kind) in kinds.iter().enumerate() {
            // Twos are lines, and rings of three are complete.
            let least = match *kind {
                "ring" => 4,
                "complete" => 3,
                _ => 2,
            };
            let longer = |(count, spec): &(u64, String)| {
                let comma = if at > 0 { "," } else { "" };
                let of = |n: u64| (count * n, format!("{spec}{comma}{kind}:{n}"));
                (least..=nodes / 3 / count).map(of).collect::<Vec<_>>()
            };
            specs = specs.iter().flat_map(longer).collect();
        }
        let specs: Vec<String> = specs.into_iter().map(|(_, spec)| spec).collect();
        report(&kinds.join(" times "), &members(&specs)?);
    }
    Ok(())
}

fn report(what: &str, count: &Count) {
    let Count { members, at_floor, messages, above } = count;
    println!("{what}: {members} verified, {at_floor} at the floor, {messages} messages");
    above.iter().for_each(|member| println!("  {member}"));
}

fn joined(sizes: &[u64], separator: &str) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(separator)
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

/// Builds and verifies the members that a method applies to, on all cores.
fn members(specs: &[String]) -> Result<Count, Failed> {
    let (next, count) = (AtomicUsize::new(0), Mutex::new(Count::default()));
    let work = || -> Result<(), Failed> {
        while let Some(spec) = specs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(made) = member(spec).map_err(|e| format!("{spec}: {e}"))? else { continue };
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

fn member(spec: &str) -> Result<Option<Made>, Failed> {
    let network = topologies::parse(spec)?;
    let all = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, Model::wormhole())?;
    let methods = ["mesh-tours", "torus-products", "generalized-hypercube"];
    let mut constructions = CONSTRUCTIONS.iter().filter(|c| methods.contains(&c.name));
    let Some(builder) = constructions.find_map(|c| c.builder(&problem)) else { return Ok(None) };
    let builder: &dyn Builder = &*builder;
    let control = Control::default();
    let claim = builder.build(problem.network(), &control).ok_or("nothing was built")?;
    let verified = verify(&problem, claim.of(&problem)?)?;
    let steps = verified.steps() as u64;
    if builder.promise().is_some_and(|promised| promised != steps) {
        return Err("the promise is not kept".into());
    }
    let floor = match builder.floor(problem.network(), &control) {
        Some(floor) => verified.certify(floor)?.steps(),
        // A promise is the floor of complete networks.
        None => builder.promise().ok_or("no bound is known")?,
    };
    Ok(Some(Made { steps, floor, messages: problem.collective().message_count() as u64 }))
}
