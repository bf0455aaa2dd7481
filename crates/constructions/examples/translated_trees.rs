//! Allgather along translated trees on all tori, hypercubes and circulants up to some size: built, verified, and compared with
//! max(⌈(nodes − 1) / channels of a node⌉, diameter).
//!
//! `cargo xtask trees`, or `cargo run --release -p quadrille-constructions --example translated_trees`. It prints a line for each
//! family, and every member that takes more steps.

use constructions::{CONSTRUCTIONS, Claim, Control};
use graph::distances::{Way, hops};
use kernel::{Collective, Model, Node, Problem, verify};
use run::Budget;

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let flat = (2..=24).flat_map(|a| (a..=24).map(move |b| format!("torus:{a}x{b}")));
    let thin = (2..=6).flat_map(|a| (25..=300).step_by(11).map(move |b| format!("torus:{a}x{b}")));
    let deep = (2..=9).flat_map(|a| (a..=9).flat_map(move |b| (b..=9).map(move |c| format!("torus:{a}x{b}x{c}"))));
    let of_four = (5..=80).flat_map(|n| (2..=(n - 1) / 2).map(move |a| format!("circulant:{n};±1,±{a}")));
    let of_six = (7..=44).flat_map(|n| {
        let lengths = move |a| (a + 1..=(n - 1) / 2).map(move |b| format!("circulant:{n};±1,±{a},±{b}"));
        (2..=(n - 1) / 2).flat_map(lengths)
    });
    let directed = (4..=24).flat_map(|n| (2..n).map(move |a| format!("circulant:{n};1,{a}")));
    row("tori of two dimensions up to 24x24", flat)?;
    row("thin tori up to 6x300", thin)?;
    row("tori of three dimensions up to 9x9x9", deep)?;
    row("hypercubes of 2 to 13 dimensions", (2..=13).map(|d| format!("hypercube:{d}")))?;
    row("circulants N;±1,±a up to 80", of_four)?;
    row("circulants N;±1,±a,±b up to 44", of_six)?;
    row("directed circulants N;1,a up to 24", directed)
}

/// Builds and verifies all members of a family.
fn row(title: &str, specs: impl Iterator<Item = String>) -> Result<(), Failed> {
    let (mut members, mut above) = (0, Vec::new());
    for spec in specs {
        let (steps, least) = member(&spec).map_err(|e| format!("{spec}: {e}"))?;
        members += 1;
        if steps != least {
            above.push(format!("  {spec} {steps}/{least}"));
        }
    }
    println!("{title}: {members} verified, {} with more steps", above.len());
    above.iter().for_each(|member| println!("{member}"));
    Ok(())
}

/// The steps of a member, and those that it would take at least hop by hop.
fn member(spec: &str) -> Result<(usize, usize), Failed> {
    let network = topologies::parse(spec)?;
    let all = Collective::allgather(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, Model::store_and_forward())?;
    let construction = CONSTRUCTIONS.iter().find(|c| c.name == "translated-tree").ok_or("no such construction")?;
    let builder = construction.builder(&problem).ok_or("it does not apply")?;
    let claim =
        builder.build(problem.network(), &Control::default()).and_then(Claim::orbits).ok_or("nothing was built")?;
    let steps = verify(&problem, claim.folded(&problem)?)?.steps();
    let network = problem.network();
    let degree = network.outgoing(Node(0)).len();
    let distances = hops(network, &[Node(0)], Way::On, |_| true, &mut Budget::unlimited()).ok_or("out of budget")?;
    let farthest = distances.into_iter().max().unwrap_or(0) as usize;
    Ok((steps, (network.node_count() - 1).div_ceil(degree).max(farthest)))
}
