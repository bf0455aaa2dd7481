//! Laws and published numbers of the engine `allgather-matching`.

use kernel::{Collective, Model, Network, NetworkData, Node, Ports, Problem};
use proptest::prelude::*;
use run::{Method, Settings};
use search::AllgatherMatching;
use testing::named::*;

fn all(network: &Network, model: Model) -> Problem {
    let collective = Collective::allgather(network.terminals(), network.terminals());
    Problem::new(network.clone(), collective, model).expect("sound")
}

/// The networks of the dissertation whose allgather meets what the least connected node can receive.
fn networks() -> Vec<(String, Network)> {
    let mut list: Vec<(String, Network)> = Vec::new();
    list.extend((3..=8).map(|d| (format!("hypercube:{d}"), hypercube(d))));
    list.extend([8, 16, 24, 32].map(|n| (format!("ring:{n}"), ring(n))));
    list.extend([8, 16, 24, 32].map(|n| (format!("ring-uni:{n}"), ring_uni(n))));
    let sides = [(3, 3), (3, 4), (4, 4), (5, 5), (4, 8), (6, 6), (7, 7), (8, 8), (9, 9), (10, 10)];
    list.extend(sides.map(|(a, b)| (format!("mesh:{a}x{b}"), grid(a, b, false))));
    list.extend(sides.map(|(a, b)| (format!("torus:{a}x{b}"), grid(a, b, true))));
    list.extend([6, 8, 12, 16, 20, 24, 28, 32, 36, 64].map(|n| (format!("spidergon:{n}"), spidergon(n))));
    list.extend([7, 15, 31, 63].map(|n| (format!("full-tree:{n}"), full_tree(n))));
    list.extend([2, 3].map(|d| (format!("kautz:{d},2"), kautz(d))));
    list.extend([("petersen".into(), petersen()), ("heawood".into(), heawood()), ("levi".into(), levi())]);
    list
}

#[test]
fn every_direct_network_reaches_its_receive_bound() {
    for (name, network) in networks() {
        for model in [Model::wormhole(), Model::store_and_forward()] {
            let problem = all(&network, model);
            let floor = count_floor(&problem);
            let found = steps(&AllgatherMatching, &problem, floor);
            assert_eq!(found, Some(floor as usize), "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn where_it_applies_it_verifies(problem in any_problem()) {
        if AllgatherMatching.applies(&problem) {
            let settings = Settings { ticks: 200_000, ..Settings::default() };
            prop_assert!(steps_with(&AllgatherMatching, &problem, 0, settings).is_some());
        }
    }
}

#[test]
fn ports_and_half_duplex_links_are_kept() {
    let torus = grid(4, 4, true);
    let with = |change: &dyn Fn(&mut NetworkData)| {
        let mut parts = torus.data().clone();
        change(&mut parts);
        all(&Network::new(parts).expect("sound"), Model::store_and_forward())
    };
    let receive = with(&|p| p.receive_ports = Ports::Each(1));
    assert_eq!(steps(&AllgatherMatching, &receive, 15), Some(15));
    let half = with(&|p| p.half_duplex = (0..p.channels.len() as u32 / 2).map(|l| vec![2 * l, 2 * l + 1]).collect());
    let found = steps(&AllgatherMatching, &half, 8).expect("it applies");
    // 16 × 15 deliveries over 32 links take 8 steps at least.
    assert!((8..=9).contains(&found), "{found}");
}

#[test]
fn few_senders_and_receivers_use_relays() {
    let network = hypercube(3);
    let collective = Collective::allgather(&[Node(0), Node(1)], &[Node(6), Node(7)]);
    let problem = Problem::new(network, collective, Model::wormhole()).expect("sound");
    let settings = Settings { ticks: 1_000_000, ..Settings::default() };
    assert!(steps_with(&AllgatherMatching, &problem, 1, settings).is_some());
}

#[test]
fn many_messages_are_not_looked_at_one_by_one() {
    // Enough of them that a receiver looks at some of each class of rarity.
    let problem = all(&grid(24, 24, true), Model::wormhole());
    assert_eq!(steps(&AllgatherMatching, &problem, 144), Some(144));
    // Of so many deliveries the first look is a whole attempt, whatever that takes; of fewer, ticks for a part of one are not spent.
    let settings = Settings { ticks: 1_000_000, ..Settings::default() };
    assert_eq!(steps_with(&AllgatherMatching, &problem, 144, settings), Some(144));
    let fewer = all(&grid(20, 20, true), Model::wormhole());
    assert_eq!(steps_with(&AllgatherMatching, &fewer, 100, settings), None);
}
