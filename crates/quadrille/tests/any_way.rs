//! Through the library: a network by name, and the same network out of a file of any format, get the same floor and steps.

use quadrille::formats::network::{WRITERS, parse, write_to};
use quadrille::{Collective, Model, Network, Problem, Settings, solve};
use std::collections::BTreeMap;
use std::path::Path;

/// Members of more nodes take too long under all formats.
const MOST_NODES: usize = 16;

fn answer(network: &Network, collective: fn(&Network) -> Collective) -> (u64, Option<u64>) {
    let problem = Problem::new(network.clone(), collective(network), Model::wormhole()).expect("connected");
    let outcome = solve(&problem, &Settings::default().with_ticks(30_000)).expect("some method applies");
    (outcome.floor.steps(), outcome.steps())
}

/// Whether a format kept what a schedule depends on.
fn is_whole(network: &Network, back: &Network) -> bool {
    let counts = |n: &Network| (n.node_count(), n.channel_count(), n.terminals().len());
    let ports = |n: &Network| (n.data().send_ports.clone(), n.data().receive_ports.clone(), n.data().half_duplex.len());
    let transit = |n: &Network| n.nodes().filter(|v| n.is_transit(*v)).count();
    (counts(network), ports(network), transit(network)) == (counts(back), ports(back), transit(back))
}

#[test]
fn by_name_and_from_every_format() {
    let collectives: [fn(&Network) -> Collective; 2] = [
        |n| Collective::scatter(n.terminals()[0], n.terminals()),
        |n| Collective::alltoall(n.terminals(), n.terminals()),
    ];
    let mut tried = BTreeMap::new();
    for family in quadrille::topologies::FAMILIES {
        let members = family.examples.iter().filter_map(|spec| quadrille::network(spec).ok());
        for network in members.filter(|n| n.node_count() <= MOST_NODES).take(2) {
            let expected = collectives.map(|collective| answer(&network, collective));
            // Of formats that give the same network, to the order of its channels and its name, one is enough.
            let mut solved = vec![network.data().clone()];
            for writer in WRITERS.iter().filter(|writer| writer.name != "svg") {
                let mut text = Vec::new();
                // BookSim has no channels one way and no parallel ones.
                let refused = write_to(&network, None, writer.name, &mut text).is_err();
                assert!(!refused || writer.name == "anynet", "{} as {}", network.name(), writer.name);
                if refused {
                    continue;
                }
                let title = format!("network.{}", writer.name);
                let Ok(back) = parse(&text, Path::new(&title)) else { continue };
                if !is_whole(&network, &back.network) {
                    continue;
                }
                *tried.entry(writer.name).or_insert(0) += 1;
                if solved.contains(back.network.data()) {
                    continue;
                }
                solved.push(back.network.data().clone());
                let found = collectives.map(|collective| answer(&back.network, collective));
                assert_eq!(found, expected, "{} out of {}", network.name(), writer.name);
            }
        }
    }
    let least = |format: &str| tried.get(format).copied().unwrap_or(0);
    assert!(least("json") > 40 && ["graphml", "dot", "edges", "txt"].iter().all(|f| least(f) > 20), "{tried:?}");
}
