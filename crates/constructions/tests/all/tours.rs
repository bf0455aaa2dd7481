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

/// The floor where the longest size is 4k + 1 and longer than all others, and of most in three dimensions.
#[test]
fn deep_meshes_of_odd_longest_size_are_at_the_floor() {
    let deep = sizes(3, 7, 260).chain(sizes(3, 11, 100)).chain(sizes(4, 5, 260));
    let mut met = 0;
    for mut sizes in deep {
        let spec = name("mesh", &sizes);
        sizes.sort_unstable();
        let (longest, others) = sizes.split_last().unwrap();
        let (alone, twice) = (!others.contains(longest), others.iter().filter(|n| *n % 4 == 1).count());
        let fits = |n: u64| if longest % 4 == 3 { n % 2 == 1 || 2 * n <= longest + 1 } else { n == *longest };
        let is_known = match others {
            _ if longest % 2 == 0 => false,
            _ if longest % 4 == 1 && alone => twice <= 2,
            &[a, b] => longest % 4 == 3 && fits(a) && fits(b) || fits(a) && b % 4 == 2 || fits(b) && a % 4 == 2,
            _ => false,
        };
        if !is_known {
            continue;
        }
        let floor = others.iter().product::<u64>() * (longest * longest / 4);
        assert_eq!(steps("mesh-tours", &spec), (Some(floor), floor), "{spec}");
        met += 1;
    }
    assert!(met > 60, "{met}");
    for (spec, floor) in [
        ("mesh:7x7x7", 588),
        ("mesh:5x7x7", 420),
        ("mesh:5x6x9", 600),
        ("mesh:6x9x9", 1080),
        ("mesh:9x3x9", 540),
        ("mesh:4x9x9", 720),
    ] {
        assert_eq!(steps("mesh-tours", spec), (Some(floor), floor), "{spec}");
    }
}

/// Where the longest size is odd otherwise, what goes across it may be left over, at most the smaller mesh's steps.
#[test]
fn other_deep_meshes_of_odd_longest_size() {
    for (spec, promise, most) in [
        ("mesh:3x5x5", None, 90 + 18),
        ("mesh:6x6x7", None, 432 + 54),
        ("mesh:3x3x3x3", None, 54 + 18),
        ("mesh:2x2x2x9", Some(160), 160),
    ] {
        let (promised, steps) = steps("mesh-tours", spec);
        assert_eq!(promised, promise, "{spec}");
        assert!(steps <= most, "{spec}: {steps}");
    }
}

/// The floor of the narrowest dimension of a product: of a ring, of a line and of complete networks.
fn floor(rings: &[u64], lines: &[u64], complete: &[u64]) -> u64 {
    let nodes: u64 = [rings, lines, complete].concat().iter().product();
    let rings = rings.iter().map(|n| (nodes * (n * n / 4)).div_ceil(2 * n));
    let lines = lines.iter().map(|n| (nodes * (n * n / 4)).div_ceil(*n));
    rings.chain(lines).chain(complete.iter().map(|n| nodes / n)).max().unwrap()
}

fn product(rings: &[u64], lines: &[u64], complete: &[u64]) -> String {
    let of =
        |family: &'static str, sizes: &[u64]| sizes.iter().map(move |n| format!("{family}:{n}")).collect::<Vec<_>>();
    format!("product:{}", [of("ring", rings), of("mesh", lines), of("complete", complete)].concat().join(","))
}

/// Cylinders whose narrowest dimension has an even size, where lines are no longer than half the ring, or as long as it.
#[test]
fn cylinders_are_at_the_floor() {
    let mut met = 0;
    for (ring, line) in (3u64..=16).flat_map(|ring| (2u64..=12).map(move |line| (ring, line))) {
        // A line of two beside an odd ring is left to other constructions.
        if ring * line > 140 || line == 2 && ring % 2 == 1 {
            continue;
        }
        let (spec, floor) = (product(&[ring], &[line], &[]), floor(&[ring], &[line], &[]));
        let name = if line >= ring { "mesh-tours" } else { "torus-products" };
        let (promise, steps) = steps(name, &spec);
        assert!(
            promise.is_none_or(|promise| promise == steps && steps == floor),
            "{spec}: {promise:?} {steps}/{floor}"
        );
        let is_even = if 2 * line >= ring { line % 2 == 0 } else { ring % 2 == 0 };
        // A line of 4k + 1 nodes needs two slots more than twice its residues.
        let is_roomy = line % 4 != 1 || line >= ring || ring >= 2 * line + 6;
        if is_even && is_roomy || line >= ring {
            assert_eq!(steps, floor, "{spec}");
            met += 1;
        }
        assert!(steps <= 2 * floor, "{spec}: {steps}/{floor}");
    }
    assert!(met > 60, "{met}");
}

#[test]
fn products_with_complete_networks_are_at_the_floor() {
    for (rings, lines, complete) in [
        (vec![], vec![6], vec![5]),
        (vec![], vec![5], vec![4]),
        (vec![], vec![3], vec![9]),
        (vec![], vec![4, 6], vec![3]),
        (vec![], vec![7], vec![3, 4]),
        (vec![], vec![7, 7], vec![4]),
        (vec![], vec![5, 7], vec![6]),
        (vec![], vec![6, 7], vec![4]),
        (vec![], vec![5], vec![7, 3]),
        (vec![], vec![3, 5], vec![3]),
        (vec![8], vec![], vec![3]),
        (vec![6], vec![], vec![4]),
        (vec![6, 6], vec![], vec![4]),
        (vec![10], vec![4], vec![3]),
        (vec![8], vec![4], vec![2, 3]),
        (vec![4, 6], vec![2], vec![]),
        (vec![4, 8], vec![2, 3], vec![]),
        (vec![8, 5], vec![4], vec![]),
        (vec![12], vec![6, 4], vec![]),
        (vec![4], vec![4], vec![6]),
    ] {
        let (spec, floor) = (product(&rings, &lines, &complete), floor(&rings, &lines, &complete));
        let longest = |sizes: &[u64]| sizes.iter().max().copied().unwrap_or(0);
        let name = if longest(&lines) >= longest(&rings) { "mesh-tours" } else { "torus-products" };
        assert_eq!(steps(name, &spec).1, floor, "{spec}");
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
