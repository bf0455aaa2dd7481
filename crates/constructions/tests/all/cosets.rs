//! Broadcast to a chain of subgroups: in how many steps, from any root.

use crate::common::verified;
use constructions::{CONSTRUCTIONS, Control};
use kernel::{Collective, Model, Node, Problem};

/// Steps of the broadcast from a root; `None` where the construction does not apply.
fn steps(spec: &str, root: u32) -> Option<u64> {
    let network = topologies::parse(spec).expect(spec);
    let construction = CONSTRUCTIONS.iter().find(|c| c.name == "coset-broadcast").expect("in the registry");
    let collective = Collective::broadcast(Node(root), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).expect(spec);
    let claim = construction.builder(&problem)?.build(problem.network(), &Control::default()).expect(spec);
    Some(verified(&problem, claim).unwrap_or_else(|e| panic!("{spec}: {e}")))
}

/// A reduction is a broadcast run backwards, and is known by what it does.
#[test]
fn reductions_are_known() {
    let network = topologies::parse("torus:5x5").expect("a torus");
    let construction = CONSTRUCTIONS.iter().find(|c| c.name == "coset-broadcast").expect("in the registry");
    let collective = Collective::reduce(Node(3), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).expect("a reduction");
    assert!(construction.builder(&problem).is_none());
    let backwards = problem.reversed().expect("a broadcast");
    let claim = construction.builder(&backwards).expect("applies").build(backwards.network(), &Control::default());
    assert_eq!(verified(&backwards, claim.expect("a torus")), Ok(2));
}

#[test]
fn hypercubes_take_a_step_for_as_many_dimensions_as_channels_tell_apart() {
    for dimensions in 1..=15u32 {
        let expected = dimensions.div_ceil((dimensions + 1).ilog2());
        let root = (1u32 << dimensions) / 3;
        assert_eq!(steps(&format!("hypercube:{dimensions}"), root), Some(u64::from(expected)), "{dimensions}");
    }
}

/// On tori whose sizes have no larger prime than 5, each step multiplies the informed by the product of some primes.
#[test]
fn tori_of_small_primes_are_informed() {
    let smooth =
        |n: u32| [2, 3, 5].into_iter().fold(n, |n, p| (0..5).fold(n, |n, _| if n % p == 0 { n / p } else { n })) == 1;
    let (mut met, mut all) = (0, 0);
    for a in (3..=25).filter(|a| smooth(*a)) {
        for b in (a..=25).filter(|b| smooth(*b)) {
            let found = steps(&format!("torus:{a}x{b}"), a * b - 1).expect("applies");
            let floor = (0..).find(|t| 5u32.pow(*t) >= a * b).expect("some power");
            all += 1;
            met += u32::from(found == u64::from(floor));
            assert!((floor..=floor + 2).contains(&(found as u32)), "torus:{a}x{b}: {found}, {floor}");
        }
    }
    assert_eq!((met, all), (58, 105));
    assert_eq!(steps("torus:125x125", 7), Some(6));
    // A prime that no step can bring in.
    assert_eq!(steps("torus:7x7", 0), None);
}
