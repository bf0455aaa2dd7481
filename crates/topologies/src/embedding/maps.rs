//! **What:** maps that are written down: numbers as they are, and Gray codes.
//!
//! **Gray codes:** neighbours along a dimension of size s get codes that differ in one bit, if need be of more bits than the
//! coordinates have; dimensions stand side by side. A ring of even size closes with one bit, too: half of it takes the beginning and
//! half the end of the reflected code, whose ends mirror each other. So rings, meshes and tori of even sizes have dilation 1
//! in hypercubes that are large enough, and about that wherever neighbours differ in a bit.
//!
//! **Source:** F. Gray's reflected code; Draper for numbers as they are, from hypercubes to swapped ones and D3.

use kernel::{Network, Node};

/// A map that needs no search.
pub struct Written {
    /// Its name.
    pub name: &'static str,
    /// The host's node of each of the guest; `None` where it has no meaning. Not yet known to be a map.
    pub make: fn(&Network, &Network) -> Option<Vec<Node>>,
}

/// All of them.
pub const MAPS: &[Written] =
    &[Written { name: "numbers", make: numbers }, Written { name: "gray-codes", make: gray_codes }];

/// The i-th node is played by the i-th terminal.
fn numbers(guest: &Network, host: &Network) -> Option<Vec<Node>> {
    Some(host.terminals().get(..guest.node_count())?.to_vec())
}

/// Coordinates in Gray codes, side by side, are the number of the terminal.
fn gray_codes(guest: &Network, host: &Network) -> Option<Vec<Node>> {
    let sizes = sizes(guest);
    let bits: Vec<u32> = sizes.iter().map(|s| s.next_power_of_two().trailing_zeros()).collect();
    let terminals = host.terminals();
    if bits.iter().sum::<u32>() >= 32 || 1usize << bits.iter().sum::<u32>() > terminals.len() {
        return None;
    }
    let code = |node: u32| {
        let (mut left, mut code, mut shift) = (node, 0, 0);
        for (size, bits) in sizes.iter().zip(&bits).rev() {
            code |= along(left % size, *size, *bits) << shift;
            left /= size;
            shift += bits;
        }
        terminals[code as usize]
    };
    Some(guest.nodes().map(|v| code(v.0)).collect())
}

/// The code of coordinate x of a dimension.
fn along(x: u32, size: u32, bits: u32) -> u32 {
    let y = if x < size.div_ceil(2) { x } else { (1 << bits) - size + x };
    y ^ y >> 1
}

/// The sizes of the dimensions whose coordinates are the nodes' labels, the slowest first; one dimension where labels are none.
fn sizes(network: &Network) -> Vec<u32> {
    let whole = vec![network.data().nodes];
    let Some(labels) = &network.data().labels else { return whole };
    let coordinates = |label: &String| label.split(',').map(|x| x.trim().parse().ok()).collect::<Option<Vec<u32>>>();
    let Some(all) = labels.iter().map(coordinates).collect::<Option<Vec<_>>>() else { return whole };
    let Some(last) = all.last() else { return whole };
    let sizes: Vec<u32> = last.iter().map(|x| x.saturating_add(1)).collect();
    let number = |at: &Vec<u32>| {
        let digit = |sum: u64, (x, size): (&u32, &u32)| sum.checked_mul(u64::from(*size))?.checked_add(u64::from(*x));
        let fits = at.len() == sizes.len() && at.iter().zip(&sizes).all(|(x, size)| x < size);
        if fits { at.iter().zip(&sizes).try_fold(0, digit) } else { None }
    };
    let ordered = (0u64..).zip(&all).all(|(node, at)| number(at) == Some(node));
    if ordered { sizes } else { whole }
}
