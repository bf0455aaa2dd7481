//! What permutations networks pass at once, and what the witnesses are worth.

use kernel::{Channel, Network, Node};
use proptest::prelude::*;
use std::collections::BTreeSet;
use topologies::circuits::{self, Circuits, Class};

fn known(spec: &str) -> Circuits {
    circuits::of(topologies::topology(spec).unwrap().as_ref()).unwrap_or_else(|| panic!("{spec} has no switches"))
}

/// Whether circuits stand as they say, and leave no path: by a search over free channels that knows no family.
fn holds(spec: &str, found: &Circuits) {
    let network = topologies::parse(spec).unwrap();
    let obstacle = found.obstacle.as_ref().unwrap_or_else(|| panic!("{spec}: {}", found.because));
    let mut free: BTreeSet<Channel> = network.channels().collect();
    let (mut sends, mut receives) = (BTreeSet::from([obstacle.from]), BTreeSet::from([obstacle.to]));
    for nodes in &obstacle.circuits {
        assert!(sends.insert(nodes[0]) && receives.insert(*nodes.last().unwrap()), "{spec}");
        for ends in nodes.windows(2) {
            let between =
                network.outgoing(Node(ends[0])).iter().find(|c| network.to(**c).0 == ends[1] && free.contains(c));
            let between = *between.unwrap_or_else(|| panic!("{spec}: no free channel from {} to {}", ends[0], ends[1]));
            free.remove(&between);
        }
        let inner = &nodes[1..nodes.len() - 1];
        assert!(inner.iter().all(|v| !network.is_terminal(Node(*v))), "{spec}");
    }
    // In trees that are not opened switches of a lower level have lower numbers.
    let folded = topologies::topology(spec).unwrap().levels().is_some_and(|levels| !levels.is_opened());
    assert!(!leads(&network, &free, folded, obstacle.from, obstacle.to), "{spec}");
    // Without them there is a path.
    assert!(leads(&network, &network.channels().collect(), folded, obstacle.from, obstacle.to), "{spec}");
}

/// Whether free channels lead from one terminal to the other, in folded trees up and then down.
fn leads(network: &Network, free: &BTreeSet<Channel>, folded: bool, from: u32, to: u32) -> bool {
    let (mut met, mut open) = (BTreeSet::new(), vec![(Node(from), false)]);
    while let Some((node, down)) = open.pop() {
        for channel in network.outgoing(node).iter().filter(|c| free.contains(c)) {
            let next = network.to(*channel);
            if down && next > node {
                continue;
            }
            if next.0 == to {
                return true;
            }
            let state = (next, folded && (down || next < node));
            if !network.is_terminal(next) && met.insert(state) {
                open.push(state);
            }
        }
    }
    false
}

/// All that the settings of 2×2 switches realise.
fn realised(spec: &str) -> BTreeSet<Vec<u32>> {
    let stages = topologies::topology(spec).unwrap().stages().unwrap();
    let count = stages.lines();
    // Who is on each line, after one stage after the other. What differs by the switches of the next stage alone leads to the same.
    let moved = |stage, on: &[u32]| {
        let mut next = on.to_vec();
        (0..count).for_each(|line| next[stages.moved(stage, line) as usize] = on[line as usize]);
        next
    };
    let mut all = BTreeSet::from([moved(0, &(0..count).collect::<Vec<u32>>())]);
    for stage in 1..=stages.count() {
        let ordered = |mut on: Vec<u32>| {
            on.chunks_mut(2).for_each(<[u32]>::sort_unstable);
            on
        };
        let set = |on: &[u32], setting: u32| {
            let at = |line: u32| on[(line ^ (setting >> (line / 2) & 1)) as usize];
            moved(stage, &(0..count).map(at).collect::<Vec<u32>>())
        };
        let before: BTreeSet<Vec<u32>> = all.into_iter().map(ordered).collect();
        all = before.iter().flat_map(|on| (0..1 << (count / 2)).map(move |setting| set(on, setting))).collect();
    }
    let to = |on: &Vec<u32>| (0..count).map(|from| on.iter().position(|at| *at == from).unwrap() as u32).collect();
    all.iter().map(to).collect()
}

#[test]
fn one_path_a_pair_blocks() {
    for family in ["omega", "flip", "baseline", "reverse-baseline", "butterfly", "reverse-butterfly"] {
        assert_eq!(known(&format!("{family}:2")).class, Class::StrictlyNonBlocking);
        for n in [4, 8] {
            let spec = format!("{family}:{n}");
            let found = known(&spec);
            assert_eq!(found.class, Class::Blocking, "{spec}");
            let permutation = found.permutation.unwrap();
            assert_eq!(permutation.iter().collect::<BTreeSet<_>>().len(), n, "{spec}");
            assert!(!realised(&spec).contains(&permutation), "{spec}: {permutation:?}");
        }
        assert_eq!(known(&format!("{family}:64,4")).class, Class::Blocking);
    }
}

#[test]
fn two_networks_in_a_row() {
    for spec in ["benes:4", "benes:8", "butterfly-butterfly:4"] {
        let found = known(spec);
        assert_eq!(found.class, Class::Rearrangeable, "{spec}: {}", found.because);
        let n: usize = spec.rsplit(':').next().unwrap().parse().unwrap();
        assert_eq!(realised(spec).len(), (1..=n).product::<usize>(), "{spec}");
        holds(spec, &found);
    }
    for spec in ["benes:16", "benes:64", "benes:9,3", "benes:27,3", "benes:256,4", "butterfly-butterfly:9,3"] {
        let found = known(spec);
        assert_eq!(found.class, Class::Rearrangeable, "{spec}: {}", found.because);
        holds(spec, &found);
    }
    assert_eq!(known("butterfly-butterfly:16").class, Class::Undecided);
    assert_eq!(known("benes:4096").class, Class::Rearrangeable);
}

#[test]
fn clos_networks() {
    for middle in 1..=8 {
        let spec = format!("clos:{middle},3,4");
        let found = known(&spec);
        let class = match middle {
            ..3 => Class::Blocking,
            3..5 => Class::Rearrangeable,
            _ => Class::StrictlyNonBlocking,
        };
        assert_eq!(found.class, class, "{spec}: {}", found.because);
        if class == Class::Rearrangeable {
            holds(&spec, &found);
        }
    }
    for spec in ["clos:2,2,2", "clos:4,3,2", "clos:8,6,3"] {
        holds(spec, &known(spec));
    }
    // One terminal a leaf, or one leaf.
    assert_eq!(known("clos:1,1,2").class, Class::StrictlyNonBlocking);
    assert_eq!(known("clos:5,3,1").class, Class::StrictlyNonBlocking);
}

#[test]
fn fat_trees() {
    for (spec, class) in [
        ("gft:2,2,2", Class::Rearrangeable),
        ("gft:3,4,4", Class::Rearrangeable),
        ("opened:gft:2,2,2", Class::Rearrangeable),
        ("pgft:4,4;1,2;1,2", Class::Rearrangeable),
        ("gft:2,4,2", Class::Blocking),
        ("gft:3,4,2", Class::Blocking),
        ("opened:gft:2,4,2", Class::Blocking),
        ("clos:2,3,2", Class::Blocking),
        // Two leaves: what one sends away goes to the other.
        ("xgft:3,2;1,3", Class::StrictlyNonBlocking),
        ("xgft:3,4;1,5", Class::StrictlyNonBlocking),
        ("xgft:2,2,4;1,3,3", Class::StrictlyNonBlocking),
        ("xgft:2,4,4;1,3,4", Class::AtLeastRearrangeable),
        ("xgft:4;1", Class::StrictlyNonBlocking),
        ("xgft:4,4,4;1,8,2", Class::Undecided),
    ] {
        let found = known(spec);
        assert_eq!(found.class, class, "{spec}: {}", found.because);
        if class == Class::Rearrangeable {
            holds(spec, &found);
        }
    }
    // More leave the subtree than channels do, whatever the way they take.
    let tree = known("gft:2,4,2").permutation.unwrap();
    let leaves = |t: u32| t < 8 && tree[t as usize] >= 8;
    assert_eq!(((0..32).filter(|t| leaves(*t)).count(), tree.iter().collect::<BTreeSet<_>>().len()), (8, 32));
    assert!(circuits::of(topologies::topology("torus:4x4").unwrap().as_ref()).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// Whatever the levels: obstacles leave no path, and blocking permutations leave a subtree of too few channels.
    #[test]
    fn levels_of_all_kinds(sizes in prop::collection::vec((1..5u32, 1..7u32, 1..3u32), 1..4), opened in any::<bool>()) {
        let list = |of: fn(&(u32, u32, u32)) -> u32, first: Option<u32>| {
            let rest = sizes.iter().skip(usize::from(first.is_some())).map(of);
            first.into_iter().chain(rest).map(|n| n.to_string()).collect::<Vec<_>>().join(",")
        };
        prop_assume!(sizes.iter().map(|s| s.0).product::<u32>() > 1);
        let tree = format!("pgft:{};{};{}", list(|s| s.0, None), list(|s| s.1, Some(1)), list(|s| s.2, Some(1)));
        let spec = if opened { format!("opened:{tree}") } else { tree };
        let found = known(&spec);
        if found.obstacle.is_some() {
            holds(&spec, &found);
        }
        if let Some(to) = &found.permutation {
            prop_assert_eq!(to.iter().collect::<BTreeSet<_>>().len(), to.len(), "{}", spec);
        }
    }
}
