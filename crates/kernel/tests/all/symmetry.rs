//! Symmetries of networks: which are the same, which do not commute, and where their elements take things.

use kernel::orbits::{Generator, Translations, TranslationsError};
use kernel::{Channel, Network, NetworkData, Node};

/// A ring with two channels from each node v to the next, 2v and 2v + 1, each its own half-duplex group.
fn double(n: u32, name: &str) -> Network {
    let parts = NetworkData {
        name: name.into(),
        nodes: n,
        channels: (0..n).flat_map(|v| [(v, (v + 1) % n); 2]).collect(),
        half_duplex: (0..2 * n).map(|c| vec![c]).collect(),
        ..NetworkData::default()
    };
    Network::new(parts).unwrap()
}

fn rotation(n: u32, by: u32) -> Vec<u32> {
    (0..n).map(|v| (v + by) % n).collect()
}

fn of(network: &Network, generators: Vec<Generator>) -> Translations {
    Translations::new(network, generators).unwrap()
}

#[test]
fn symmetries_are_the_same_where_all_their_parts_are() {
    let network = double(4, "double");
    let along = |by| Generator::of_nodes(&network, 4, rotation(4, by)).unwrap();
    let one = of(&network, vec![along(1)]);
    assert_eq!(one, one.clone());
    assert_eq!(one, of(&network, vec![along(1)]));
    let renamed = double(4, "renamed");
    assert_ne!(one, of(&renamed, vec![along(1)]));
    assert_ne!(one, of(&network, vec![along(3)]));
    let nothing = Generator::of_nodes(&network, 1, rotation(4, 0)).unwrap();
    assert_ne!(one, of(&network, vec![along(1), nothing]));
    // The same nodes, but parallel channels change places in every step.
    let mut crossed = along(1);
    crossed.channels.iter_mut().for_each(|c| *c ^= 1);
    assert_ne!(one, of(&network, vec![crossed]));
}

#[test]
fn elements_take_bases_to_all_members() {
    let network = double(5, "double");
    let translations = of(&network, vec![Generator::of_nodes(&network, 5, rotation(5, 1)).unwrap()]);
    for node in network.nodes() {
        assert_eq!(translations.image_node(translations.element_of(node), Node(0)), node);
    }
    for channel in network.channels() {
        assert_eq!(translations.channel_orbit(channel), channel.0 % 2);
        assert_eq!(translations.group_orbit(channel.index()), channel.0 % 2);
    }
    assert_eq!(translations.image_channel(2, Channel(9)), Channel(3));
}

#[test]
fn a_pair_and_the_one_that_stands_for_it_are_images() {
    // The channels of a cube, and of a ring, with the orders of its generators: 2, 2 and 2, or 6.
    let cube: Vec<Vec<u32>> = (0..3).map(|b| (0..8).map(|v| v ^ (1 << b)).collect()).collect();
    let channels = (0..8).flat_map(|v| (0..3).map(move |b| (v, v ^ (1 << b)))).collect();
    let cube_network = Network::new(NetworkData { nodes: 8, channels, ..NetworkData::default() }).unwrap();
    for (network, order, maps) in [(cube_network, 2, cube), (double(6, "double"), 6, vec![rotation(6, 1)])] {
        let generators = maps.into_iter().map(|map| Generator::of_nodes(&network, order, map).unwrap());
        let translations = of(&network, generators.collect());
        for (from, to) in network.nodes().flat_map(|a| network.nodes().map(move |b| (a, b))) {
            let (base, there) = translations.representative(from, to);
            let element = translations.element_of(from);
            assert_eq!(base, Node(0));
            assert_eq!((translations.image_node(element, base), translations.image_node(element, there)), (from, to));
        }
    }
}

#[test]
fn a_generator_has_an_image_for_each_node() {
    let network = double(4, "double");
    assert_eq!(Generator::of_nodes(&network, 4, rotation(4, 1)[..3].to_vec()), None);
    assert_eq!(Generator::of_nodes(&network, 4, vec![1, 2, 3, 4]), None);
    assert_eq!(Generator::of_nodes(&network, 4, vec![1, 2, 3, 0, 4]), None);
}

#[test]
fn nodes_may_commute_where_channels_do_not_and_channels_where_nodes_do_not() {
    let network = double(4, "double");
    let along = Generator::of_nodes(&network, 4, rotation(4, 1)).unwrap();
    // Two parallel channels change places, and no others.
    let mut swap = Generator::of_nodes(&network, 2, rotation(4, 0)).unwrap();
    swap.channels.swap(0, 1);
    let strays = |network: &Network, generators| Translations::new(network, generators).unwrap_err();
    let not = |first, second| TranslationsError::NotCommuting { first, second };
    assert_eq!(strays(&network, vec![along.clone(), swap.clone()]), not(0, 1));
    assert_eq!(strays(&network, vec![swap, along]), not(0, 1));
    let apart = Network::new(NetworkData { nodes: 6, ..NetworkData::default() }).unwrap();
    let moves = |order, nodes: [u32; 6]| Generator { order, nodes: nodes.to_vec(), channels: vec![] };
    let (pair, turn) = (moves(2, [0, 1, 2, 3, 5, 4]), moves(3, [1, 2, 0, 3, 4, 5]));
    let flip = moves(2, [1, 0, 2, 3, 4, 5]);
    assert_eq!(strays(&apart, vec![turn.clone(), flip.clone()]), not(0, 1));
    assert_eq!(strays(&apart, vec![pair, turn, flip]), not(1, 2));
}
