//! The dissertation's many-to-many patterns (its Table 8.21), at the optimum of each, and networks with switches.

use kernel::{Collective, Model, Network, Node, Problem};
use proptest::prelude::*;
use run::Method;
use search::Greedy;
use testing::named::*;

fn nodes(list: &[u32]) -> Vec<Node> {
    list.iter().copied().map(Node).collect()
}

#[test]
fn table_8_21_broadcasts_reach_their_optimum() {
    let (cube, gon) = (hypercube(3), spidergon(8));
    let all = [0, 1, 2, 3, 4, 5, 6, 7];
    let (lower, upper) = (&all[..4], &all[4..]);
    let left = [0, 7, 6, 5];
    let right = [1, 2, 3, 4];
    type Case<'a> = (&'a str, &'a Network, &'a [u32], &'a [u32], usize);
    let cases: [Case<'_>; 7] = [
        ("hypercube-8 within the base", &cube, lower, lower, 1),
        ("hypercube-8 between the bases", &cube, lower, upper, 2),
        ("hypercube-8 lower base to all", &cube, lower, &all, 2),
        ("spidergon-8 within the left half", &gon, &left, &left, 1),
        ("spidergon-8 left half to right half", &gon, &left, &right, 2),
        ("spidergon-8 left half to all", &gon, &left, &all, 2),
        ("spidergon-8 odd to even", &gon, &[1, 3, 5, 7], &[0, 2, 4, 6], 2),
    ];
    for (name, network, from, to, optimum) in cases {
        let collective = Collective::allgather(&nodes(from), &nodes(to));
        let problem = Problem::new(network.clone(), collective, Model::wormhole()).expect("sound");
        assert_eq!(steps(&Greedy, &problem, optimum as u64), Some(optimum), "{name}");
    }
}

#[test]
fn a_star_meets_its_receive_bound() {
    for n in [4, 8, 12] {
        let network = star(n);
        let collective = Collective::allgather(network.terminals(), network.terminals());
        let problem = Problem::new(network, collective, Model::wormhole()).expect("sound");
        let found = steps(&Greedy, &problem, u64::from(n) - 1).expect("it applies");
        assert!(found <= n as usize, "{n}: {found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn where_it_applies_it_verifies(problem in any_problem()) {
        if Greedy.applies(&problem) {
            // Transfers that carry several messages beat the count.
            let floor = if problem.model().combining { 0 } else { count_floor(&problem) };
            let settings = run::Settings { ticks: 200_000, ..run::Settings::default() };
            let found = steps_with(&Greedy, &problem, floor, settings);
            prop_assert!(found.is_some_and(|s| s as u64 >= floor));
        }
    }
}
