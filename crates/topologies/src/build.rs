//! **What:** helpers that turn lists of ends into networks.

use kernel::{Network, NetworkData};

/// A direct network with the channels as given.
pub(crate) fn directed(name: String, nodes: u32, channels: Vec<(u32, u32)>) -> Network {
    sound(NetworkData { name, nodes, channels, ..NetworkData::default() })
}

/// A direct network of links: each pair gives a channel each way, sorted by their ends.
pub(crate) fn links(name: String, nodes: u32, links: impl IntoIterator<Item = (u32, u32)>) -> Network {
    directed(name, nodes, both_ways(links))
}

/// As [`links`], with a label a node.
pub(crate) fn labelled(name: String, labels: Vec<String>, links: impl IntoIterator<Item = (u32, u32)>) -> Network {
    let nodes = u32::try_from(labels.len()).expect("sizes are checked before building");
    sound(NetworkData { name, nodes, labels: Some(labels), channels: both_ways(links), ..NetworkData::default() })
}

/// An indirect network: nodes 0 to `terminals` − 1 are terminals that paths do not pass, the rest are switches.
pub(crate) fn indirect(
    name: String,
    terminals: u32,
    labels: Option<Vec<String>>,
    nodes: u32,
    mut channels: Vec<(u32, u32)>,
) -> Network {
    channels.sort_unstable();
    let hosts: Vec<u32> = (0..terminals).collect();
    sound(NetworkData {
        name,
        nodes,
        labels,
        terminals: Some(hosts.clone()),
        no_transit: hosts,
        channels,
        ..NetworkData::default()
    })
}

/// As [`indirect`], with terminals that let paths pass.
pub(crate) fn relayed(name: String, terminals: u32, labels: Vec<String>, mut channels: Vec<(u32, u32)>) -> Network {
    channels.sort_unstable();
    let nodes = u32::try_from(labels.len()).expect("sizes are checked before building");
    let terminals = Some((0..terminals).collect());
    sound(NetworkData { name, nodes, labels: Some(labels), terminals, channels, ..NetworkData::default() })
}

/// A channel each way for every link, sorted by ends.
pub(crate) fn both_ways(links: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut channels: Vec<_> = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    channels.sort_unstable();
    channels
}

fn sound(parts: NetworkData) -> Network {
    Network::new(parts).expect("families name existing, distinct ends")
}

/// Mixed-radix digits of `node`, most significant first.
pub(crate) fn digits(mut node: u32, radices: &[u32]) -> Vec<u32> {
    let mut digits = vec![0; radices.len()];
    for (digit, radix) in digits.iter_mut().zip(radices).rev() {
        *digit = node % radix;
        node /= radix;
    }
    digits
}

/// The node of mixed-radix `digits`, most significant first.
pub(crate) fn node_of(digits: &[u32], radices: &[u32]) -> u32 {
    digits.iter().zip(radices).fold(0, |node, (digit, radix)| node * radix + digit)
}

/// Labels such as `1,3` of all nodes.
pub(crate) fn coordinates(radices: &[u32]) -> Vec<String> {
    let nodes: u32 = radices.iter().product();
    let join = |node| digits(node, radices).iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    (0..nodes).map(join).collect()
}

/// Names of switches after the first `terminals` nodes: terminals by number, switches by letters A, B, … Z, AA, …
pub(crate) fn lettered(terminals: u32, switches: u32) -> Vec<String> {
    let letters = |mut i: u32| {
        let mut name = Vec::new();
        loop {
            name.push(char::from(b'A' + u8::try_from(i % 26).expect("below 26")));
            match i / 26 {
                0 => break,
                more => i = more - 1,
            }
        }
        name.iter().rev().collect::<String>()
    };
    (0..terminals).map(|t| t.to_string()).chain((0..switches).map(letters)).collect()
}

/// The product of sizes, if it stays below 2³⁰.
pub(crate) fn product(sizes: &[u32]) -> Option<u32> {
    sizes.iter().try_fold(1u32, |p, s| p.checked_mul(*s)).filter(|p| *p < 1 << 30)
}

/// A direct network with labels and channels as given.
pub(crate) fn directed_labelled(name: String, labels: Vec<String>, channels: Vec<(u32, u32)>) -> Network {
    let nodes = u32::try_from(labels.len()).expect("sizes are checked before building");
    sound(NetworkData { name, nodes, labels: Some(labels), channels, ..NetworkData::default() })
}
