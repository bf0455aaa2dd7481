//! Maps of networks onto networks: published ones, proved ones, and what holds of any.

use proptest::prelude::*;
use topologies::embedding::{Embedding, EmbeddingError, Settings, embed, maps::MAPS};

fn found(guest: &str, host: &str) -> Embedding {
    let [guest, host] = [guest, host].map(|spec| topologies::parse(spec).unwrap());
    embed(&guest, &host, &Settings { ticks: 3_000_000, ..Settings::default() }).unwrap()
}

#[test]
fn hypercubes_onto_swapped_ones() {
    for (k, m) in [(0, 2), (1, 1), (1, 2), (2, 2), (3, 1), (1, 3)] {
        let guest = topologies::parse(&format!("hypercube:{}", k + 2 * m)).unwrap();
        let hosts = [format!("swapped-hypercube:{k},{m}"), format!("swapped-dragonfly:{},{}", 1 << k, 1 << m)];
        for (at, spec) in hosts.iter().enumerate() {
            let host = topologies::parse(spec).unwrap();
            let map = (MAPS[0].make)(&guest, &host).unwrap();
            let played = Embedding::of(&guest, &host, map, "numbers").unwrap();
            // With arithmetic instead of bits there are shorter ways on D3, so its average is at most that.
            let average = 2.0 - 0.5f64.powi(m);
            assert!(played.dilation <= 3 && played.expansion == 1.0, "{spec}: {played:?}");
            assert!(played.average < average + 1e-9, "{spec}: {}", played.average);
            assert!(at == 1 || (played.average - average).abs() < 1e-9, "{spec}: {}", played.average);
        }
    }
}

#[test]
fn gray_codes_in_hypercubes() {
    for (guest, d) in
        [("ring:8", 3), ("ring:6", 3), ("ring:10", 4), ("mesh:3x5", 5), ("torus:4x8", 5), ("torus:6x4x2", 6)]
    {
        let found = found(guest, &format!("hypercube:{d}"));
        assert_eq!((found.dilation, found.dilation_floor), (1, 1), "{guest}");
    }
}

#[test]
fn small_cases_are_proved() {
    // An odd ring is no part of a network without odd circles; Petersen's has no circle of all ten nodes, but one of nine.
    for (guest, host, dilation) in [
        ("ring:5", "hypercube:3", 2),
        ("ring:10", "petersen", 2),
        ("ring:9", "petersen", 1),
        ("complete:4", "ring:4", 2),
        ("hypercube:2", "spidergon:8", 1),
    ] {
        let found = found(guest, host);
        assert_eq!((found.dilation, found.dilation_floor), (dilation, dilation), "{guest} in {host}");
    }
}

#[test]
fn what_cannot_be_embedded() {
    let [ring, tree, cube] = ["ring:9", "fat-tree:16", "hypercube:3"].map(|spec| topologies::parse(spec).unwrap());
    let settings = Settings::default();
    assert!(matches!(embed(&ring, &cube, &settings), Err(EmbeddingError::TooFew { nodes: 9, terminals: 8, .. })));
    assert!(matches!(embed(&tree, &cube, &settings), Err(EmbeddingError::Switches { .. })));
    assert!(Embedding::of(&cube, &cube, vec![kernel::Node(0); 8], "twice").is_none());
    // Terminals of a tree are joined by paths through switches.
    let played = embed(&cube, &tree, &Settings { ticks: 200_000, ..settings }).unwrap();
    assert!(played.dilation >= 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Paths lead from image to image, and what is proved is not above what is found.
    #[test]
    fn paths_join_images(n in 3u32..9, seed in 0u64..50) {
        let [guest, host] =
            [format!("ring:{n}"), format!("random-regular:10,3,{seed}")].map(|spec| topologies::parse(&spec).unwrap());
        let found = embed(&guest, &host, &Settings { ticks: 200_000, seed, only: None }).unwrap();
        prop_assert!(found.dilation_floor <= found.dilation && found.average <= f64::from(found.dilation));
        for (channel, path) in guest.channels().zip(&found.paths) {
            let ends = [guest.from(channel), guest.to(channel)].map(|v| found.map[v.index()]);
            prop_assert!(!path.is_empty() && path.len() <= found.dilation as usize);
            prop_assert_eq!([host.from(path[0]), host.to(path[path.len() - 1])], ends);
            prop_assert!(path.windows(2).all(|pair| host.to(pair[0]) == host.from(pair[1])));
        }
        let mut images = found.map.clone();
        images.sort_unstable();
        images.dedup();
        prop_assert_eq!(images.len(), n as usize);
    }
}
