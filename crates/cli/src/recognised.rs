//! **What:** the name of a network whose nodes are numbered otherwise: a unique cage, or a family's network.
//!
//! **Method:** families with as many nodes are compared by their numbers of channels and their distances; what is left is joined
//! with the network to one of twice the nodes, and an automorphism that takes a node of one to a node of the other shows that
//! they are the same. A search for automorphisms that ends early shows nothing, and then there is no name.

use design::graphs::known::known;
use design::measures;
use graph::automorphisms::Group;
use kernel::{Network, Parts};

/// Nodes beyond which no families are looked for, and looks at a channel a comparison may take.
const MOST_NODES: usize = 512;
/// The same for cages: a search from every node for the shortest cycle.
const MOST_OF_CAGES: usize = 4096;
const TICKS: u64 = 20_000_000;

/// Families that have a network of so many nodes, or may have.
fn specs(nodes: u32) -> Vec<String> {
    let mut all: Vec<String> = ["petersen", "heawood", "levi", "hoffman-singleton"].map(str::to_owned).into();
    all.extend(["complete", "ring", "spidergon", "midimew"].map(|family| format!("{family}:{nodes}")));
    if nodes.is_power_of_two() {
        all.push(format!("hypercube:{}", nodes.ilog2()));
    }
    let divisors = |n: u32| (2..n).filter(move |a| n.is_multiple_of(*a));
    for a in divisors(nodes) {
        let rest = nodes / a;
        if a <= rest {
            all.extend(["torus", "mesh"].map(|family| format!("{family}:{a}x{rest}")));
        }
        let three = divisors(rest).filter(|b| a <= *b && *b <= rest / b);
        all.extend(three.map(|b| format!("torus:{a}x{b}x{}", rest / b)));
        let exponent = nodes.ilog(a);
        if a > 2 && a.checked_pow(exponent) == Some(nodes) {
            all.push(format!("generalized-hypercube:{a},{exponent}"));
            all.push(format!("generalized-hypercube:{exponent},{a}"));
        }
    }
    all.extend((2..9).flat_map(|n| [format!("ccc:{n}"), format!("dual-cube:{n}")]));
    all
}

/// The network's name, where it has one.
pub fn name(network: &Network) -> Option<String> {
    let cage = if network.node_count() > MOST_OF_CAGES { None } else { known(network) };
    cage.or_else(|| family(network))
}

/// The same, where it says more than the network's own.
pub fn besides(network: &Network) -> Option<String> {
    name(network).filter(|name| name != network.name())
}

fn family(network: &Network) -> Option<String> {
    let nodes = network.node_count();
    let terminals = network.terminals().len() == nodes && network.nodes().all(|v| network.is_transit(v));
    if nodes > MOST_NODES || !terminals {
        return None;
    }
    // A network made by a family's name has it already.
    if topologies::parse(network.name()).is_ok_and(|family| family == *network) {
        return Some(network.name().to_owned());
    }
    let distances = measures::distances(network);
    if distances.apart > 0 {
        return None;
    }
    specs(u32::try_from(nodes).ok()?).into_iter().find(|spec| {
        topologies::parse(spec).is_ok_and(|family| {
            family.node_count() == nodes
                && family.channel_count() == network.channel_count()
                && measures::distances(&family) == distances
                && same(network, &family)
        })
    })
}

/// Whether an automorphism of both side by side takes a node of one to a node of the other.
fn same(one: &Network, other: &Network) -> bool {
    let nodes = one.node_count() as u32;
    let ends = |network: &Network, by: u32| {
        let ends = network.channels().map(|c| (network.from(c).0 + by, network.to(c).0 + by));
        ends.collect::<Vec<_>>()
    };
    let channels = [ends(one, 0), ends(other, nodes)].concat();
    let Ok(both) = Network::new(Parts { nodes: 2 * nodes, channels, ..Parts::default() }) else { return false };
    let orbits = Group::new(&both, TICKS).orbits();
    orbits[nodes as usize..].contains(&orbits[0])
}
