//! The Swapped Dragonfly's properties of source vectors, on networks as built, channel by channel.

use kernel::{Channel, Network, Node};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use topologies::Topology;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::families::swapped_hypercube::SwappedHypercube;
use topologies::source_vector::{HeaderError, Port, Router, Synchronised, Vector};

fn routers(d3: SwappedDragonfly) -> Vec<Router> {
    (0..d3.network().node_count() as u32).map(|v| d3.router(v)).collect()
}

fn vectors(k: u32, m: u32) -> impl Iterator<Item = Vector> {
    (0..k).flat_map(move |g| (0..m).flat_map(move |a| (0..m).map(move |b| Vector { global: g, first: a, last: b })))
}

/// The channel of the network that a port of a router is; `None` where the port leads nowhere.
fn channel(d3: SwappedDragonfly, network: &Network, from: Router, port: Port) -> Option<Channel> {
    let (from, to) = (d3.node(from), d3.node(port.leads(d3, from)));
    let leads = |c: &&Channel| network.to(**c).0 == to;
    (from != to).then(|| *network.outgoing(Node(from)).iter().find(leads).expect("a port is a channel"))
}

/// How often each channel is used at most in a hop where all routers send by these ports at once.
fn load(d3: SwappedDragonfly, network: &Network, headers: &[Vec<Port>]) -> u32 {
    let mut most = 0;
    let all = routers(d3);
    let mut at: Vec<Vec<Router>> = headers.iter().map(|_| all.clone()).collect();
    for hop in 0..headers[0].len() {
        let mut used = vec![0u32; network.channel_count()];
        for (header, places) in headers.iter().zip(&mut at) {
            for place in places {
                if let Some(c) = channel(d3, network, *place, header[hop]) {
                    used[c.index()] += 1;
                    most = most.max(used[c.index()]);
                }
                *place = header[hop].leads(d3, *place);
            }
        }
    }
    most
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Property 1: one header for all routers is a permutation without conflict.
    #[test]
    fn all_routers_send_by_one_vector((k, m) in (1u32..5, 2u32..6)) {
        let d3 = SwappedDragonfly::new(k, m).unwrap();
        let network = d3.network();
        for vector in vectors(k, m) {
            prop_assert!(load(d3, &network, &[vector.ports().to_vec()]) <= 1);
            let reached: BTreeSet<Router> = routers(d3).into_iter().map(|r| vector.leads(d3, r)).collect();
            prop_assert_eq!(reached.len(), network.node_count());
        }
        for from in routers(d3) {
            let reached: BTreeSet<Router> = vectors(k, m).map(|v| v.leads(d3, from)).collect();
            prop_assert_eq!(reached.len(), network.node_count());
            prop_assert!(routers(d3).iter().all(|to| Vector::between(d3, from, *to).leads(d3, from) == *to));
        }
    }

    /// Property 2: a set of cabinets with a set of drawers and places is a smaller network of the family.
    #[test]
    fn subsets_are_smaller_ones((k, m) in (1u32..5, 2u32..6), pick in any::<u64>()) {
        let d3 = SwappedDragonfly::new(k, m).unwrap();
        let chosen = |n: u32, at: u32| (0..n).filter(|i| pick >> (i + at) & 1 == 1).collect::<Vec<u32>>();
        let (cabinets, drawers) = (chosen(k, 0), chosen(m, 32));
        prop_assume!(!cabinets.is_empty() && drawers.len() >= 2);
        let part = d3.part(&cabinets, &drawers).unwrap();
        prop_assert_eq!((part.inner.cabinets(), part.inner.drawers()), (cabinets.len() as u32, drawers.len() as u32));
        let (whole, inner) = (d3.network(), part.inner.network());
        let inside = |v: Node| part.nodes.contains(&v.0);
        let kept: BTreeSet<(u32, u32)> = whole.channels().map(|c| (whole.from(c), whole.to(c)))
            .filter(|(a, b)| inside(*a) && inside(*b)).map(|(a, b)| (a.0, b.0)).collect();
        let image = |v: Node| part.nodes[v.index()];
        let wanted: BTreeSet<(u32, u32)> = inner.channels().map(|c| (image(inner.from(c)), image(inner.to(c)))).collect();
        prop_assert_eq!(kept, wanted);
        for from in &part.nodes {
            for to in &part.nodes {
                let walk = Vector::between(d3, d3.router(*from), d3.router(*to)).walk(d3, d3.router(*from));
                prop_assert!(walk.iter().all(|r| part.nodes.contains(&d3.node(*r))));
            }
        }
    }

    /// Property 3, and that it is exact: two headers for all routers conflict where a port is used by both.
    #[test]
    fn two_vectors_conflict_exactly_where_they_share_a_port((k, m) in (1u32..4, 2u32..5)) {
        let d3 = SwappedDragonfly::new(k, m).unwrap();
        let network = d3.network();
        for one in vectors(k, m) {
            for other in vectors(k, m).filter(|v| *v > one) {
                let shared = one.global == other.global
                    || (one.first == other.first && one.first != 0)
                    || (one.last == other.last && one.last != 0);
                let both = [one.ports().to_vec(), other.ports().to_vec()];
                prop_assert_eq!(load(d3, &network, &both) > 1, shared, "{} {}", one, other);
            }
        }
    }

    /// Property 4, with the sums of distances and the least eccentricities that are closed forms.
    #[test]
    fn sizes((k, m) in (1u32..7, 2u32..7)) {
        let forms = SwappedDragonfly::new(k, m).unwrap().closed_forms();
        prop_assert_eq!(forms.nodes, u64::from(k * m * m));
        let found = design::measures::distances(&SwappedDragonfly::new(k, m).unwrap().network());
        prop_assert_eq!(found.diameter(), forms.diameter);
        let pairs = (forms.nodes * (forms.nodes - 1)) as f64;
        prop_assert!((found.average().unwrap() * pairs - forms.distances.unwrap() as f64).abs() < 1e-3);
    }

    /// Four hops of a synchronised header are a translation, and no two messages of one header meet.
    #[test]
    fn synchronised_headers_translate((k, m) in (1u32..4, 2u32..5)) {
        let d3 = SwappedDragonfly::new(k, m).unwrap();
        let network = d3.network();
        for vector in vectors(k, m) {
            let header = Synchronised { hops: 4, vector };
            for [c, d, p] in routers(d3) {
                let walk = header.walk(d3, [c, d, p]);
                let moved = [(c + vector.global) % k, (d + vector.first) % m, (p + vector.last) % m];
                prop_assert_eq!(walk.last().copied(), Some(moved));
                prop_assert_eq!(Synchronised { hops: 3, vector }.walk(d3, [c, d, p]), vector.walk(d3, [c, d, p]));
            }
            prop_assert!(load(d3, &network, &[header.ports().collect()]) <= 1);
        }
    }
}

#[test]
fn headers_of_the_paper() {
    let d3 = SwappedDragonfly::new(3, 4).unwrap();
    let vector = Vector { global: 2, first: 1, last: 3 };
    let four = Synchronised { hops: 4, vector }.walk(d3, [0, 1, 2]);
    assert_eq!(four, [[0, 1, 2], [2, 2, 1], [2, 2, 2], [2, 2, 1]]);
    let three = Synchronised { hops: 3, vector }.walk(d3, [0, 1, 2]);
    assert_eq!(three, [[0, 1, 2], [0, 1, 3], [2, 3, 1], [2, 3, 0]]);
}

#[test]
fn routes_go_by_source_vectors() {
    let d3 = SwappedDragonfly::new(3, 4).unwrap();
    let network = d3.network();
    let route = |from: Router, to: Router| d3.route(&network, Node(d3.node(from)), Node(d3.node(to))).unwrap();
    let far = route([0, 1, 2], [2, 3, 0]);
    assert_eq!((far.rule.as_str(), far.hops(), far.shortest), ("source vector (2; 1, 3)", 3, true));
    // Within a drawer a vector takes two hops where one would do, and to a router's like two global ones would.
    assert_eq!((route([0, 1, 2], [0, 1, 0]).hops(), route([0, 1, 2], [0, 1, 0]).shortest), (2, false));
    assert_eq!((route([0, 1, 2], [1, 1, 2]).hops(), route([0, 1, 2], [1, 1, 2]).shortest), (3, false));
}

#[test]
fn headers_are_read() {
    let d3 = SwappedDragonfly::new(3, 4).unwrap();
    let vector = Vector { global: 2, first: 1, last: 3 };
    for text in ["2;1,3", "(2; 1, 3)", "2,1,3"] {
        assert_eq!(Vector::parse(d3, text), Ok(vector), "{text}");
    }
    assert_eq!(Vector::parse(d3, &vector.to_string()), Ok(vector));
    for text in ["", "2;1", "2;1,3,4", "a;1,3", "-1;1,3"] {
        assert!(matches!(Vector::parse(d3, text), Err(HeaderError::Form { .. })), "{text}");
    }
    for (text, name) in [("3;0,0", 'γ'), ("0;4,0", 'π'), ("0;0,99999999999", 'δ')] {
        match Vector::parse(d3, text) {
            Err(HeaderError::Range { name: found, .. }) => assert_eq!(found, name),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn parts_that_are_none() {
    let d3 = SwappedDragonfly::new(3, 4).unwrap();
    for (cabinets, drawers) in
        [(&[][..], &[0, 1][..]), (&[3], &[0, 1]), (&[0], &[0]), (&[0, 0], &[0, 1]), (&[0], &[1, 4])]
    {
        assert!(d3.part(cabinets, drawers).is_none(), "{cabinets:?} {drawers:?}");
    }
}

/// The emulated hypercube: a bit of the place takes a hop, of the cabinet two, of the drawer three, or fewer where a swap leads
/// nowhere.
#[test]
fn swapped_hypercubes_emulate_a_hypercube_with_dilation_three() {
    for (k, m) in [(0, 2), (1, 2), (2, 1), (2, 2), (1, 3)] {
        let sbh = SwappedHypercube::new(k, m).unwrap();
        let network = sbh.network();
        let joined = |a: u32, b: u32| a == b || network.outgoing(Node(a)).iter().any(|c| network.to(*c).0 == b);
        let mut lengths = BTreeMap::new();
        for v in 0..network.node_count() as u32 {
            for bit in 0..k + 2 * m {
                let flipped = v ^ 1 << bit;
                let walk = match bit {
                    b if b < m => vec![v, flipped],
                    b if b < 2 * m => {
                        vec![v, sbh.swapped(v), sbh.swapped(v) ^ 1 << (b - m), flipped]
                    }
                    _ => vec![v, sbh.swapped(v) ^ 1 << bit, flipped],
                };
                assert!(walk.windows(2).all(|w| joined(w[0], w[1])), "{walk:?} in {}", network.name());
                let hops = walk.windows(2).filter(|w| w[0] != w[1]).count();
                *lengths.entry(hops).or_insert(0) += 1;
            }
        }
        // Of one bit, a drawer's bit always has a swap that leads nowhere.
        assert_eq!(lengths.keys().max(), Some(if m == 1 { &2 } else { &3 }), "{lengths:?}");
        // On average 2 − 2^−m hops.
        let hops: usize = lengths.iter().map(|(length, count)| length * count).sum();
        assert_eq!(hops << m, lengths.values().sum::<usize>() * ((2 << m) - 1), "{lengths:?}");
    }
}
