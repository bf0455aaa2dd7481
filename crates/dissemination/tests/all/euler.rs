//! Laws and published numbers of the method `euler-ring`.

use dissemination::EulerRing;
use kernel::{Collective, Model, Network, Node, Problem};
use proptest::prelude::*;
use testing::*;

fn problem(network: &Network, collective: Collective) -> Problem {
    Problem::new(network.clone(), collective, Model::wormhole()).expect("reachable")
}

proptest! {
    /// Broadcast takes the logarithm of the members, on every network of links.
    #[test]
    fn broadcast_halves(parts in random_network(12), some in 1u32..4096) {
        let mut parts = parts;
        let turned: Vec<(u32, u32)> = parts.channels.iter().map(|&(a, b)| (b, a)).collect();
        parts.channels.extend(turned);
        let network = Network::new(parts).expect("sound");
        let members: Vec<Node> = network.nodes().filter(|v| some >> v.0 & 1 == 1 || v.0 == 0).collect();
        if members.len() > 1 {
            let found = solved(&EulerRing, &problem(&network, Collective::broadcast(node(0), &members)), 0);
            prop_assert_eq!(found.steps(), members.len().next_power_of_two().trailing_zeros() as usize);
        }
    }
}

#[test]
fn allgather_meets_what_a_one_port_terminal_must_receive() {
    for (network, published) in [
        (with_hosts(&hypercube(2), 2), 7),
        (with_hosts(&hypercube(4), 2), 31),
        (with_hosts(&ring(6), 4), 23),
        (ring_uni(16), 15),
    ] {
        let all = network.terminals();
        let found = solved(&EulerRing, &problem(&network, Collective::allgather(all, all)), 0);
        assert_eq!(found.steps(), published);
    }
}
