//! Networks changed by hand: what follows the channels that are gone.

use kernel::{Network, NetworkData, Node, Ports};
use topologies::change::{ChangeError, half_duplex, with_ports, without_link, without_node};

fn triangle() -> Network {
    let parts = NetworkData {
        name: "triangle".into(),
        nodes: 3,
        channels: vec![(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)],
        capacities: Some(vec![1, 2, 3, 4, 5, 6]),
        ..NetworkData::default()
    };
    Network::new(parts).unwrap()
}

#[test]
fn a_failed_link_takes_its_capacities_along() {
    let damaged = without_link(&triangle(), Node(1), Node(2), false).unwrap();
    assert_eq!(damaged.data().channels, [(0, 1), (1, 0), (2, 0), (0, 2)]);
    assert_eq!(damaged.data().capacities.as_deref(), Some(&[1, 2, 5, 6][..]));
    let gone = without_link(&damaged, Node(1), Node(2), false);
    assert_eq!(gone.unwrap_err(), ChangeError::NoLink { from: "1".into(), to: "2".into() });
}

#[test]
fn a_failed_node_keeps_its_number() {
    let damaged = without_node(&triangle(), Node(1)).unwrap();
    assert_eq!((damaged.node_count(), damaged.channel_count()), (3, 2));
    assert_eq!(damaged.terminals(), [Node(0), Node(2)]);
}

#[test]
fn half_duplex_pairs_opposite_channels() {
    let half = half_duplex(&triangle()).unwrap();
    assert_eq!(half.half_duplex(), [vec![0, 1], vec![2, 3], vec![4, 5]]);
    let damaged = without_link(&half, Node(0), Node(1), true).unwrap();
    assert_eq!(damaged.half_duplex(), [vec![1, 2], vec![3, 4]]);
    assert_eq!(half_duplex(&half).unwrap(), half);
}

#[test]
fn no_ports_are_refused() {
    assert!(with_ports(&triangle(), Ports::Each(0)).is_err());
    assert_eq!(with_ports(&triangle(), Ports::Each(1)).unwrap().send_capacity(Node(1)), 1);
}
