//! The checker of claims: what is true passes, and whatever is changed about it is refused with what is true.

use design::claims::{Claim, Refused, confirm, confirm_at_length, walks_from};
use design::multiring::bound::{self, Wanted};
use kernel::{Network, Node};
use proptest::prelude::*;

fn network(spec: &str) -> Network {
    topologies::parse(spec).unwrap()
}

fn walks(network: &Network, hops: u64, least: u64) -> Claim {
    Claim::Walks { hops, least, counted: walks_from(network, Node(0), hops).unwrap() }
}

#[test]
fn walks_are_counted_from_everywhere() {
    for (spec, hops, least) in [("multiring:4,27", 3, 2), ("petersen", 2, 1), ("circulant:25;±1,±2,±5,±10", 3, 20)]
    {
        let network = network(spec);
        assert!(confirm(&network, walks(&network, hops, least)).is_ok(), "{spec}");
        let what = "the fewest walks";
        assert_eq!(
            confirm(&network, walks(&network, hops, least + 1)),
            Err(Refused::Differs { what, found: least, claimed: least + 1 })
        );
    }
    // A mesh looks different from every node: the least is not the first one's.
    let mesh = network("mesh:3x3");
    let from_corner = *walks_from(&mesh, Node(0), 4).unwrap().iter().min().unwrap();
    let least = (1..9).map(|v| *walks_from(&mesh, Node(v), 4).unwrap().iter().min().unwrap()).min().unwrap();
    assert!(confirm(&mesh, walks(&mesh, 4, least.min(from_corner))).is_ok());
}

#[test]
fn other_claims() {
    let petersen = network("petersen");
    assert!(confirm(&petersen, Claim::Degree { most: 3 }).is_ok());
    assert!(confirm(&petersen, Claim::Degree { most: 4 }).is_err());
    assert!(confirm(&petersen, Claim::Distances { diameter: 2, sum: 150 }).is_ok());
    assert!(confirm(&petersen, Claim::Distances { diameter: 2, sum: 149 }).is_err());
    let wanted = Wanted { degree: 12, hops: 3, parallelism: 6, symmetric: true };
    let prices = bound::prices(&wanted);
    assert!(confirm(&petersen, Claim::AtMost { wanted, nodes: 257, prices: prices.clone() }).is_ok());
    assert!(confirm(&petersen, Claim::AtMost { wanted, nodes: 256, prices: prices.clone() }).is_err());
    let harder = Wanted { hops: 4, ..wanted };
    assert_eq!(confirm(&petersen, Claim::AtMost { wanted: harder, nodes: 257, prices }), Err(Refused::Prices));
}

#[test]
fn that_nothing_exists_is_tried_again() {
    let any = network("petersen");
    let claim = |degree, hops, parallelism, nodes: &[u32]| {
        let wanted = Wanted { degree, hops, parallelism, symmetric: true };
        Claim::Exhausted { wanted, nodes: nodes.to_vec() }
    };
    // Table 8 for k = 5: 63 nodes have 5 walks of three hops, 64 to 81 have not.
    let above: Vec<u32> = (64..=81).collect();
    assert!(confirm(&any, claim(8, 3, 5, &above)).is_ok());
    let Err(Refused::Exists { nodes: 63, spec }) = confirm(&any, claim(8, 3, 5, &[64, 63])) else { unreachable!() };
    let Claim::Walks { least, .. } = walks(&network(&spec), 3, 5) else { unreachable!() };
    assert!(confirm(&network(&spec), walks(&network(&spec), 3, least)).is_ok());
    // Of table 5 everything is little work, so length makes no difference.
    assert!(confirm_at_length(&any, claim(6, 2, 1, &[22])).is_ok());
    assert!(confirm_at_length(&any, claim(6, 2, 1, &[21])).is_err());
    // What would take minutes is left open unless it is asked for.
    let many: Vec<u32> = (169..=257).collect();
    let Err(Refused::Unchecked { sets }) = confirm(&any, claim(12, 3, 6, &many)) else { unreachable!() };
    assert!(sets > 1e9);
    assert_eq!(confirm(&any, claim(7, 3, 6, &[100])), Err(Refused::TooLong));
    assert_eq!(confirm(&any, claim(8, 3, 6, &[1])), Err(Refused::TooLong));
}

proptest! {
    #[test]
    fn a_changed_count_is_refused(at in 0usize..27, by in 1u64..9) {
        let network = network("multiring:4,27");
        let Claim::Walks { hops, least, mut counted } = walks(&network, 3, 2) else { unreachable!() };
        counted[at] += by;
        let claimed = counted[at];
        let refused = confirm(&network, Claim::Walks { hops, least, counted });
        prop_assert_eq!(refused, Err(Refused::Counted { position: at, found: claimed - by, claimed }));
    }
}
