//! Seconds that large members of families take, in a random numbering: `cargo run --release -p quadrille-identify --example large`.

use identify::{Effort, identify};
use kernel::{Network, NetworkData};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::time::Instant;

fn renumbered(network: &Network) -> Result<Network, kernel::NetworkError> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let parts = network.data().clone();
    let mut nodes: Vec<u32> = (0..parts.nodes).collect();
    nodes.shuffle(&mut random);
    let image = |v: &u32| nodes[*v as usize];
    let mut channels: Vec<(u32, u32)> = parts.channels.iter().map(|(a, b)| (image(a), image(b))).collect();
    channels.shuffle(&mut random);
    let terminals = parts.terminals.map(|list| list.iter().map(image).collect());
    let no_transit = parts.no_transit.iter().map(image).collect();
    Network::new(NetworkData { name: String::new(), labels: None, channels, terminals, no_transit, ..parts })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let usual = [
        "torus:100x100",
        "torus:10x10x10x10",
        "mesh:100x100",
        "mesh:21x22x23",
        "hypercube:13",
        "generalized-hypercube:10,4",
        "ring:10000",
        "complete:1000",
        "circulant:10000;1,100,2000",
        "kring:10000;1,100",
        "midimew:10000",
        "spidergon:10000",
        "multiring:5,10000",
        "kautz:2,13",
        "kautz:3,8",
        "debruijn:2,13",
        "ccc:10",
        "dual-cube:7",
        "rdn:hypercube:3;2",
        "rdn:torus:8x9;1",
        "hdn:torus:4x5x6;6",
        "hdn:torus:4x4x4;4",
        "swapped-dragonfly:10,32",
        "swapped-hypercube:3,5",
        "dragonfly:8,16",
        "dragonfly:10,10",
        "dragonfly:14,14",
        "dragonfly:20,20",
        "dragonfly:8,16,50,2",
        "omega:1024",
        "butterfly:1024",
        "baseline:1024",
        "reverse-baseline:1024",
        "benes:512",
        "butterfly-butterfly:512",
        "omega:1024,4",
        "clos:40,40,40",
        "binary-tree:4096",
        "full-tree:8191",
        "fat-tree:1024",
        "gft:3,8,8",
        "gft:4,10,1",
        "gft:4,6,2",
        "pgft:16,16,16;1,8,8;1,2,2",
        "opened:gft:3,8,8",
        "fat:4,torus:40x40",
        "fat:2,hypercube:12",
        "random-regular:1000,3",
        "random-regular:1000,3,77",
        "random-regular:4000,6",
        "random-regular:4000,6,77",
        "amp:500",
    ];
    let specs: Vec<String> = if given.is_empty() { usual.map(String::from).to_vec() } else { given };
    for spec in specs {
        let network = topologies::parse(&spec)?;
        let other = renumbered(&network)?;
        let times = [&network, &other].map(|network| {
            let start = Instant::now();
            let found = identify(network, Effort::default());
            (start.elapsed().as_secs_f64(), found.map(|i| i.spec().to_owned()))
        });
        println!(
            "{spec:28} {:6} nodes {:8} channels  by name {:.3} s {:24} renumbered {:.3} s {}",
            network.node_count(),
            network.channel_count(),
            times[0].0,
            times[0].1.clone().unwrap_or_default(),
            times[1].0,
            times[1].1.clone().unwrap_or("-".into())
        );
    }
    Ok(())
}
