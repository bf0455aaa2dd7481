//! Total exchange on every dual-net with nested super-nodes over some bases, up to a number of nodes: with one port start-ups and
//! words, verified, beside the sum of distances; with all ports steps, verified, beside the certified floor.
//!
//! `cargo xtask dual-nets exchange [NODES [one|all]]`, or `cargo run --release -p quadrille-constructions --example total_exchange`
//! with the same arguments: at most 2048 nodes and both tables unless told.

use constructions::total_exchange::{Reading, TotalExchange};
use constructions::{Claim, Control, Request, applicable};
use kernel::{Collective, Model, Ports, Problem, Switching, Verdict, verify};
use std::collections::BTreeSet;
use topologies::change::with_ports;
use topologies::dual_net::DualNet;

const BASES: &[&str] = &[
    "hypercube:1",
    "hypercube:2",
    "hypercube:3",
    "hypercube:4",
    "hypercube:5",
    "hypercube:6",
    "hypercube:7",
    "hypercube:8",
    "hypercube:9",
    "hypercube:10",
    "torus:2x3x5",
    "torus:2x3",
    "torus:3x4",
    "torus:3x3",
    "torus:5x5",
    "torus:4x4x4",
    "complete:3",
    "complete:5",
    "generalized-hypercube:3,2",
    "ring:5",
    "ring:8",
];

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let most: u64 = std::env::args().nth(1).map_or(Ok(2048), |n| n.parse())?;
    let (one, all) = match std::env::args().nth(2).as_deref() {
        None => (true, true),
        Some("one") => (true, false),
        Some("all") => (false, true),
        Some(other) => return Err(format!("`{other}` is neither one nor all").into()),
    };
    let networks = networks(most)?;
    if one {
        println!("| network | nodes | start-ups | words | sum of distances |\n| --- | --- | --- | --- | --- |");
        let mut optimal = 0;
        for spec in &networks {
            let (nodes, start_ups, words, least) = one_port(spec)?;
            println!("| `{spec}` | {nodes} | {start_ups} | {words} | {least} |");
            optimal += usize::from(u128::from(words) == least);
        }
        println!("\n{optimal} of {} networks at the sum of distances\n", networks.len());
    }
    if all {
        println!("| network | nodes | steps | floor |\n| --- | --- | --- | --- |");
        let mut optimal = 0;
        for spec in &networks {
            let (nodes, steps, floor) = all_ports(spec)?;
            println!("| `{spec}` | {nodes} | {steps} | {floor} |");
            optimal += usize::from(steps == floor);
        }
        println!("\n{optimal} of {} networks at the floor", networks.len());
    }
    Ok(())
}

/// The dual-nets, one of each whose super-nodes have the same sizes.
fn networks(most: u64) -> Result<Vec<String>, Failed> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for base in BASES {
        let sizes = DualNet::over(topologies::topology(base)?.as_ref()).ok_or(*base)?.sizes().to_vec();
        let dimensions = sizes.len();
        let mut open: Vec<Vec<usize>> = (0..1 << dimensions).map(|mask| vec![mask]).collect();
        while let Some(chain) = open.pop() {
            let text: Vec<String> = chain.iter().map(|mask| super_node(*mask, dimensions)).collect();
            let Ok(made) = topologies::topology(&format!("hdn:{base};{}", text.join(","))) else { continue };
            // Dimensions of one size are alike: of chains with the same sizes one is enough.
            let alike = (*base, chain.iter().map(|m| sizes_of(*m, &sizes)).collect::<Vec<_>>());
            if made.closed_forms().nodes > most || !seen.insert(alike) {
                continue;
            }
            let last = chain[chain.len() - 1];
            open.extend((0..1usize << dimensions).filter(|m| m & last == *m).map(|m| [&chain[..], &[m]].concat()));
            found.push(made.spec());
        }
    }
    Ok(found)
}

/// Nodes; verified start-ups and the words of `total-exchange`, and the sum of distances.
fn one_port(spec: &str) -> Result<(u64, usize, u64, u128), Failed> {
    let made = topologies::topology(spec)?;
    let network = with_ports(&made.network(), Ports::Each(1))?;
    let exchange = TotalExchange::of(&network, Reading::Improved).ok_or(format!("{spec}: no exchange"))?;
    let model = Model { switching: Switching::StoreAndForward, combining: true };
    let all = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, model)?;
    let claim =
        exchange.schedule(problem.network(), true, &Control::default()).ok_or(format!("{spec}: another network"))?;
    let (facts, start_ups) = (made.closed_forms(), verify(&problem, claim)?.steps());
    let least = facts.distances.ok_or(format!("{spec}: no closed form"))? / u128::from(facts.nodes);
    Ok((facts.nodes, start_ups, exchange.words(), least))
}

/// Nodes; verified steps of `all-port-exchange` and its certified floor.
fn all_ports(spec: &str) -> Result<(u64, u64, u64), Failed> {
    let (network, model, control) = (topologies::parse(spec)?, Model::store_and_forward(), Control::default());
    let request = Request::alltoall(&network, model);
    let known = applicable(&request).find(|(c, _)| c.name == "all-port-exchange");
    let (_, builder) = known.ok_or(format!("{spec}: no exchange with all ports"))?;
    let claim = builder.build(&network, &control).and_then(Claim::orbits).ok_or(format!("{spec}: no schedule"))?;
    let ceiling = claim.verified(&network, model)?;
    let claim = builder.floor(&network, &control).ok_or(format!("{spec}: no floor"))?;
    let floor = ceiling.certify(claim)?;
    let verdict = Verdict::new(floor, ceiling)?;
    Ok((network.node_count() as u64, verdict.ceiling().steps() as u64, verdict.floor().steps()))
}

fn super_node(mask: usize, dimensions: usize) -> String {
    let dims: Vec<String> = (0..dimensions).filter(|d| mask >> d & 1 == 1).map(|d| format!("d{d}")).collect();
    if dims.is_empty() { "1".into() } else { dims.join("x") }
}

fn sizes_of(mask: usize, sizes: &[u32]) -> Vec<u32> {
    let mut found: Vec<u32> = (0..sizes.len()).filter(|d| mask >> d & 1 == 1).map(|d| sizes[d]).collect();
    found.sort_unstable();
    found
}
