//! Alltoall on dragonflies: every kind verified, and never below what groups and routers need.

use constructions::{HOP_CONSTRUCTIONS, HopConstruction};
use kernel::{Collective, Model, Network, Ports, Problem, Switching, verify};
use proptest::prelude::*;

fn ours() -> impl Iterator<Item = &'static HopConstruction> {
    HOP_CONSTRUCTIONS.iter().copied().filter(|c| c.name.starts_with("coloured"))
}

/// Steps, verified; at the promise where messages go hop by hop.
fn verified(construction: &HopConstruction, spec: &str) -> u64 {
    let form = (construction.make)(spec).expect(spec);
    let network = topologies::parse(spec).unwrap();
    let model = Model { switching: construction.switching, combining: false };
    let alltoall = Collective::alltoall(network.terminals(), network.terminals());
    let claim = form.schedule(&network, false).expect(spec);
    let problem = Problem::new(network, alltoall, model).unwrap();
    let steps = verify(&problem, claim).unwrap_or_else(|e| panic!("{} on {spec}: {e}", construction.name)).steps();
    if construction.switching == Switching::StoreAndForward {
        assert_eq!(steps as u64, form.steps(false), "{spec}");
    }
    steps as u64
}

#[test]
fn every_example_is_verified() {
    for construction in ours() {
        for spec in construction.examples {
            verified(construction, spec);
        }
    }
}

/// Between two groups M² messages cross one channel; hop by hop two more steps are enough where 2K ≤ M.
#[test]
fn one_channel_between_groups_is_kept_busy() {
    let [hops, whole] = ours().collect::<Vec<_>>()[..] else { panic!("there are two") };
    for (spec, needed) in [("dragonfly:1,2", 4), ("dragonfly:1,4", 16), ("dragonfly:2,4", 16), ("dragonfly:2,5,7", 25)]
    {
        assert_eq!(verified(hops, spec), needed + 2, "{spec}");
    }
    // All but the last two steps of D3(1, 4), with room for the messages within groups.
    assert_eq!(verified(hops, "dragonfly:3,4,5,1"), 18);
    for (spec, most) in [("dragonfly:1,4", 20), ("dragonfly:2,4", 22), ("dragonfly:4,4", 36), ("dragonfly:4,8", 73)] {
        let steps = verified(whole, spec);
        assert!(steps <= most, "{spec}: {steps}");
    }
}

#[test]
fn other_networks_have_none() {
    for construction in ours() {
        for spec in
            ["ring:8", "swapped-dragonfly:2,2", "dragonfly:2,4,5,2", "dragonfly:2,1", "dragonfly:64,64", "dragonfly:2"]
        {
            assert!((construction.make)(spec).is_none(), "{spec}");
        }
        let form = (construction.make)("dragonfly:2,2").unwrap();
        let limited =
            topologies::change::with_ports(&topologies::parse("dragonfly:2,2").unwrap(), Ports::Each(1)).unwrap();
        let others: Vec<Network> =
            ["ring:10", "complete:10", "ring:9", "dragonfly:3,2"].map(|s| topologies::parse(s).unwrap()).into();
        for network in others.iter().chain([&limited]) {
            assert!(form.schedule(network, false).is_none(), "{}", network.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_size((k, m) in (1u32..5, 2u32..6), part in 0.0..1.0, dealt: bool) {
        let groups = 2 + (part * f64::from(k * m)) as u32;
        let groups = groups.min(k * m + 1);
        let spec = format!("dragonfly:{k},{m},{groups}{}", if dealt { ",1" } else { "" });
        for construction in ours() {
            prop_assert!(verified(construction, &spec) >= u64::from(m * m), "{}", spec);
        }
    }
}
