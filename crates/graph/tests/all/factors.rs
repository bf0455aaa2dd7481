//! Prime factors of networks: what they are made of, and that they make the network.

use graph::factors::{Factor, factors};
use kernel::{Network, NetworkData};
use proptest::prelude::*;
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;
use run::Budget;
use std::collections::BTreeSet;
use topologies::parse;

fn found(network: &Network) -> Vec<Factor> {
    factors(network, &mut Budget::unlimited()).unwrap()
}

/// The network with its nodes and channels in another order.
fn shuffled(network: &Network, seed: u64) -> Network {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut images: Vec<u32> = (0..network.data().nodes).collect();
    images.shuffle(&mut rng);
    let image = |(a, b): (u32, u32)| (images[a as usize], images[b as usize]);
    let mut channels: Vec<(u32, u32)> = network.data().channels.iter().copied().map(image).collect();
    channels.shuffle(&mut rng);
    Network::new(NetworkData { nodes: network.data().nodes, channels, ..NetworkData::default() }).unwrap()
}

/// Channels of the product of what was found, by the digits of their ends.
fn is_product(network: &Network, factors: &[Factor]) -> bool {
    let digits = |v: u32| factors.iter().map(|f| f.digits[v as usize]).collect::<Vec<_>>();
    let nodes: BTreeSet<Vec<u32>> = (0..network.data().nodes).map(digits).collect();
    let expected: usize = factors.iter().map(|f| network.node_count() / f.nodes as usize * f.channels.len()).sum();
    let sound = network.data().channels.iter().all(|&(a, b)| {
        let (a, b) = (digits(a), digits(b));
        let mut differ = (0..factors.len()).filter(|&f| a[f] != b[f]);
        let one = differ.next().unwrap();
        differ.next().is_none() && factors[one].channels.contains(&(a[one], b[one]))
    });
    nodes.len() == network.node_count() && expected == network.channel_count() && sound
}

#[test]
fn known_products() {
    for (spec, sizes) in [
        ("torus:5x7", vec![5, 7]),
        ("torus:4x4", vec![2, 2, 2, 2]),
        ("mesh:4x3x6", vec![3, 4, 6]),
        ("hypercube:5", vec![2, 2, 2, 2, 2]),
        ("generalized-hypercube:4,3", vec![4, 4, 4]),
        ("product:petersen,mesh:3", vec![3, 10]),
        ("product:star:4,complete:3,ring:5", vec![3, 5, 24]),
        ("product:full-tree:7,ring:8", vec![7, 8]),
        ("product:kautz:2,2,ring-uni:5", vec![5, 6]),
        ("petersen", vec![10]),
        ("ring:8", vec![8]),
        ("complete:6", vec![6]),
        ("full-tree:15", vec![15]),
        ("spidergon:12", vec![12]),
        ("ccc:3", vec![24]),
        ("mesh:1", vec![]),
    ] {
        let network = shuffled(&parse(spec).unwrap(), 5);
        let factors = found(&network);
        let mut found: Vec<u32> = factors.iter().map(|f| f.nodes).collect();
        found.sort_unstable();
        assert_eq!(found, sizes, "{spec}");
        assert!(spec == "mesh:1" || is_product(&network, &factors), "{spec}");
    }
}

#[test]
fn what_has_no_factors() {
    for spec in ["kautz:2,3", "debruijn:2,3", "fat-tree:8"] {
        let network = parse(spec).unwrap();
        assert!(found(&network).len() < 2, "{spec}");
    }
    let apart = Network::new(NetworkData {
        nodes: 4,
        channels: vec![(0, 1), (1, 0), (2, 3), (3, 2)],
        ..NetworkData::default()
    });
    assert!(found(&apart.unwrap()).is_empty());
    let doubled = [(0, 1), (1, 0), (0, 1), (1, 0)].to_vec();
    let doubled = Network::new(NetworkData { nodes: 2, channels: doubled, ..NetworkData::default() });
    assert!(found(&doubled.unwrap()).is_empty());
    assert!(factors(&parse("torus:20x20").unwrap(), &mut Budget::ticks(1000)).is_err());
}

/// A connected network of links: a tree and some more.
fn connected() -> impl Strategy<Value = Vec<(u32, u32)>> {
    (2u32..6).prop_flat_map(|nodes| {
        let parents = (1..nodes).map(|v| (0..v).prop_map(move |parent| (parent, v))).collect::<Vec<_>>();
        let more = prop::collection::vec((0..nodes, 0..nodes), 0..4);
        (parents, more).prop_map(|(tree, more)| {
            let links = tree.into_iter().chain(more).filter(|(a, b)| a != b);
            let links: BTreeSet<(u32, u32)> = links.map(|(a, b)| (a.min(b), a.max(b))).collect();
            links.into_iter().collect()
        })
    })
}

proptest! {
    /// The product of two networks comes apart into two factors at least, and these make it.
    #[test]
    fn products_come_apart(one in connected(), other in connected(), seed in 0u64..1000) {
        let size = |links: &[(u32, u32)]| links.iter().map(|l| l.1 + 1).max().unwrap();
        let (a, b) = (size(&one), size(&other));
        let first = one.iter().flat_map(|&(x, y)| (0..b).map(move |z| (x * b + z, y * b + z)));
        let second = other.iter().flat_map(|&(x, y)| (0..a).map(move |z| (z * b + x, z * b + y)));
        let channels = first.chain(second).flat_map(|(x, y)| [(x, y), (y, x)]).collect();
        let network = Network::new(NetworkData { nodes: a * b, channels, ..NetworkData::default() }).unwrap();
        let network = shuffled(&network, seed);
        let factors = found(&network);
        prop_assert!(factors.len() >= 2);
        prop_assert!(is_product(&network, &factors));
    }
}
