//! Alltoall on dragonflies: every kind verified, and never below what groups and routers need.

use constructions::{CONSTRUCTIONS, Claim, Construction, Control, Request};
use kernel::{Collective, Model, Network, Ports, Problem, verify};
use proptest::prelude::*;

fn ours() -> impl Iterator<Item = &'static Construction> {
    CONSTRUCTIONS.iter().copied().filter(|c| c.name.starts_with("coloured"))
}

/// Steps, verified; at the promise where messages go hop by hop.
fn verified(construction: &Construction, spec: &str) -> u64 {
    let network = topologies::parse(spec).unwrap();
    let model = model(construction);
    let alltoall = Collective::alltoall(network.terminals(), network.terminals());
    let problem = Problem::new(network.clone(), alltoall, model).unwrap();
    let builder = construction.builder(&problem).expect(spec);
    let claim = builder.build(&network, &Control::default()).and_then(Claim::plain).expect(spec);
    let steps = verify(&problem, claim).unwrap_or_else(|e| panic!("{} on {spec}: {e}", construction.name)).steps();
    assert_eq!(builder.promise().is_some(), model == Model::store_and_forward());
    assert_eq!(steps as u64, builder.promise().unwrap_or(steps as u64), "{spec}");
    steps as u64
}

fn model(construction: &Construction) -> Model {
    Model { switching: construction.scope.switching[0], combining: false }
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
            assert!(construction.builder_for(&Request::named(spec, model(construction))).is_none(), "{spec}");
        }
        let builder = construction.builder_for(&Request::named("dragonfly:2,2", model(construction))).unwrap();
        let limited =
            topologies::change::with_ports(&topologies::parse("dragonfly:2,2").unwrap(), Ports::Each(1)).unwrap();
        let others: Vec<Network> =
            ["ring:10", "complete:10", "ring:9", "dragonfly:3,2"].map(|s| topologies::parse(s).unwrap()).into();
        for network in &others {
            assert!(builder.build(network, &Control::default()).is_none(), "{}", network.name());
        }
        assert!(construction.builder_for(&Request::alltoall(&limited, model(construction))).is_none());
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
