//! One tree of shortest paths, moved by all translations of a torus, in time.

use kernel::orbits::{Generator, Translations};
use kernel::timed::{Links, TimedOrbits, TimedProblem, Units, verify};
use kernel::{Collective, Network, Node, Rational};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;
use timed::libraries::shallow;

/// A torus and its translations, one generator a dimension.
fn torus(sizes: &[u32]) -> (Network, Translations) {
    let words: Vec<String> = sizes.iter().map(u32::to_string).collect();
    let network = topologies::parse(&format!("torus:{}", words.join("x"))).unwrap();
    let nodes = network.node_count() as u32;
    let generator = |at: usize| {
        // The first dimension is that of the largest stride.
        let stride: u32 = sizes[at + 1..].iter().product();
        let next =
            |v: u32| if v / stride % sizes[at] + 1 == sizes[at] { v + stride - sizes[at] * stride } else { v + stride };
        Generator::of_nodes(&network, sizes[at], (0..nodes).map(next).collect()).unwrap()
    };
    let generators = (0..sizes.len()).map(generator).collect();
    let translations = Translations::new(&network, generators).unwrap();
    (network, translations)
}

/// The network's problem with latencies of 1000 ticks, where a chunk takes so many.
fn posed(network: &Network, collective: Collective, ticks: u64) -> TimedProblem {
    let channels = network.channel_count();
    let (bandwidth, latency) = (vec![Rational::whole(1); channels], vec![Rational::whole(1); channels]);
    let links = Links { bandwidth, latency, ..Links::default() };
    let units = Units { chunk_bytes: Rational::whole(ticks), tick_us: Rational::new(1, 1000) };
    TimedProblem::new(network.clone(), collective, false, links, units).unwrap()
}

#[test]
fn small_chunks_take_the_time_to_the_farthest_node() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    for sizes in [&[4, 6][..], &[3, 3, 3], &[9], &[2, 5], &[4, 2, 8], &[5, 7]] {
        let (network, translations) = torus(sizes);
        let (all, nodes) = (network.terminals().to_vec(), network.node_count() as u32);
        let diameter: u64 = sizes.iter().map(|size| u64::from(size / 2)).sum();
        let collectives: [(Collective, u64); 4] = [
            (Collective::allgather(&all, &all), 1),
            (Collective::reduce_scatter(&all, &all), 1),
            (Collective::allreduce(&all).in_chunks(nodes), 2),
            (Collective::allreduce(&all).in_chunks(3 * nodes), 2),
        ];
        for (collective, ways) in collectives {
            let chunks = u64::from(collective.chunks().div_ceil(nodes));
            for ticks in [1, 300] {
                let problem = posed(&network, collective.clone(), ticks);
                let orbits = TimedOrbits::of(&problem, &translations).unwrap();
                let verified = orbits.verify(shallow(&orbits, &run).unwrap()).unwrap();
                let least = ways * diameter * (1000 + ticks);
                // What all of a class does one after the other comes on top at most.
                let most = least + ways * chunks * u64::from(nodes) * ticks;
                let what = format!("{} in {chunks} chunks on {sizes:?}", collective.name());
                assert!((least..=most).contains(&verified.ticks()), "{what}: {}", verified.ticks());
                let written = verified.written_out().unwrap();
                assert_eq!(verify(&problem, written.schedule().clone()).unwrap().ticks(), verified.ticks(), "{what}");
            }
        }
    }
}

#[test]
fn classes_of_channels_are_used_alike() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let (network, translations) = torus(&[8, 8]);
    let all = network.terminals().to_vec();
    let problem = posed(&network, Collective::allgather(&all, &all), 10);
    let orbits = TimedOrbits::of(&problem, &translations).unwrap();
    let tree = shallow(&orbits, &run).unwrap();
    let mut used = [0; 4];
    let first = network.outgoing(Node(0));
    for sent in tree.steps().flatten() {
        let class = translations.channel_orbit(sent.transfer.path[0]);
        used[first.iter().position(|c| translations.channel_orbit(*c) == class).unwrap()] += 1;
    }
    used.sort_unstable();
    assert_eq!(used, [15, 16, 16, 16]);
}

#[test]
fn what_is_for_some_has_no_such_tree() {
    let stop = AtomicBool::new(false);
    let run = Run::new(Settings::default(), &Silent, &stop);
    let (network, translations) = torus(&[3, 4]);
    let all = network.terminals().to_vec();
    let tree = |collective: Collective, ticks: u64| {
        let problem = posed(&network, collective, ticks);
        shallow(&TimedOrbits::of(&problem, &translations).unwrap(), &run)
    };
    assert!(tree(Collective::alltoall(&all, &all), 10).is_none());
    // Nor has what would take 2^64 ticks.
    assert!(tree(Collective::allgather(&all, &all), 1 << 55).is_some());
    assert!(tree(Collective::allgather(&all, &all), 1 << 60).is_none());
    // A node alone has nothing to send.
    let alone = Network::from_channels(1, []).unwrap();
    let translations = Translations::new(&alone, Vec::new()).unwrap();
    let problem = posed(&alone, Collective::reduce_scatter(&[Node(0)], &[Node(0)]), 10);
    assert!(TimedOrbits::of(&problem, &translations).ok().and_then(|orbits| shallow(&orbits, &run)).is_none());
}
