//! Tours on meshes and tori: the floor at every size.

use crate::common::{find, verified};
use constructions::{CONSTRUCTIONS, Construction, Control};
use kernel::{Collective, Model, Problem};

fn construction(name: &str) -> &'static Construction {
    CONSTRUCTIONS.iter().find(|c| c.name == name).expect("it is in the list")
}

/// Builds alltoall by a construction, and gives its promise and its steps.
fn steps(name: &str, spec: &str) -> (Option<u64>, u64) {
    let network = topologies::parse(spec).unwrap();
    let all = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, Model::wormhole()).unwrap();
    let builder = construction(name).builder(&problem).unwrap_or_else(|| panic!("{name} applies to {spec}"));
    let claim = builder.build(problem.network(), &Control::default()).expect(spec);
    (builder.promise(), verified(&problem, claim).unwrap_or_else(|e| panic!("{spec}: {e}")))
}

fn name(family: &str, sizes: &[u64]) -> String {
    format!("{family}:{}", sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x"))
}

/// All sizes from 2 to `most` in so many dimensions, of at most so many nodes.
fn sizes(dimensions: u32, most: u64, nodes: u64) -> impl Iterator<Item = Vec<u64>> {
    let count = most - 1;
    let of = move |number: u64| (0..dimensions).map(move |d| 2 + number / count.pow(d) % count).collect::<Vec<_>>();
    (0..count.pow(dimensions)).map(of).filter(move |sizes| sizes.iter().product::<u64>() <= nodes)
}

#[test]
fn meshes_are_at_the_floor() {
    let flat = sizes(2, 13, 120).chain(sizes(1, 20, 20));
    let deep = sizes(3, 6, 110).chain(sizes(4, 4, 64)).filter(|sizes| {
        sizes.iter().max().is_some_and(|n| n % 2 == 0) && sizes.iter().filter(|n| *n % 4 == 1).count() <= 2
    });
    for sizes in flat.chain(deep) {
        let longest = *sizes.iter().max().unwrap();
        let floor = sizes.iter().product::<u64>() / longest * (longest * longest / 4);
        let spec = name("mesh", &sizes);
        assert_eq!(steps("mesh-tours", &spec), (Some(floor), floor), "{spec}");
    }
}

#[test]
fn tori_of_even_longest_size_are_at_the_floor() {
    let all = sizes(2, 14, 140).chain(sizes(3, 8, 140)).chain(sizes(4, 4, 70));
    for sizes in all.filter(|sizes| sizes.iter().max().is_some_and(|n| n % 2 == 0 && *n > 2)) {
        if sizes.iter().filter(|n| *n % 4 == 1).count() > 2 {
            continue;
        }
        let floor = (sizes.iter().product::<u64>() * sizes.iter().max().unwrap()).div_ceil(8);
        let spec = name("torus", &sizes);
        assert_eq!(steps("torus-products", &spec), (Some(floor), floor), "{spec}");
    }
}

/// Where the longest size is odd, what goes across it may be left over, at most the smaller mesh's steps.
#[test]
fn deep_meshes_of_odd_longest_size() {
    for (spec, promise, most) in [
        ("mesh:3x3x9", Some(180), 180),
        ("mesh:2x3x5", None, 36 + 4),
        ("mesh:3x3x3", None, 18 + 6),
        ("mesh:3x4x7", None, 144 + 12),
    ] {
        let (promised, steps) = steps("mesh-tours", spec);
        assert_eq!(promised, promise, "{spec}");
        assert!(steps <= most, "{spec}: {steps}");
    }
}

#[test]
fn what_is_not_known_is_declined() {
    for spec in ["torus:5x7", "torus:2x2", "torus:4x5x5x5"] {
        assert!(find(spec).all(|found| found.construction.name != "torus-products"), "{spec}");
    }
    let network = topologies::parse("mesh:5x5x5").unwrap();
    let all = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network, all, Model::wormhole()).unwrap();
    assert!(construction("mesh-tours").builder(&problem).is_none());
}
