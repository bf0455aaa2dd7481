//! **What:** how long a chunk takes to leave its group of terminals, from where it is.

use crate::packed::exchange::costs;
use crate::packed::net::Net;
use graph::machines::Groups;
use kernel::Channel;

/// Ticks of every node until a chunk from it has got past the nearest channel that leads out of its group, on the network turned round; `u64::MAX` where none can be reached.
pub(super) fn leaving(turned: &Net<'_>, groups: &Groups) -> Vec<u64> {
    let network = &turned.network;
    let takes = |c: Channel| (turned.problem.latency(c) + turned.busy[c.index()]) as f64;
    let is_inside = |c: &Channel| groups.group(network.from(*c)) == groups.group(network.to(*c));
    let price: Vec<f64> = network.channels().map(|c| if is_inside(&c) { takes(c) } else { f64::INFINITY }).collect();
    let out = network.channels().filter(|c| !is_inside(c)).map(|c| (network.to(c), takes(c)));
    costs(turned, &price, out).into_iter().map(|ticks| ticks as u64).collect()
}
