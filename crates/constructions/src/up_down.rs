//! **What:** routes in networks of levels that any permutation of a certain kind takes without conflict, and the schedules of
//! alltoall that a Latin square of such permutations makes.
//!
//! **Theory.** A message goes up by ports that its source's digits choose: from level x it takes port d·pₓ + e, d being the
//! digit that counts the child it came through and e the parallel channel it came by. Where ports suffice, messages of one subtree never
//! share a channel on the way up, since the channel tells the source. On the way down the same roots and parallel channels tell
//! the lowest digits of the source; a permutation in which these tell those of the destination, at every level, therefore
//! passes without conflict: rotations, and additions digit by digit. Where ports do not suffice, messages whose ports are
//! out of range wait for a later pass: every level takes as many passes as it has ports' worth of children. A message turns at
//! the lowest common ancestor, which leaves out channels of the route over the top.

use construct::{Claim, Control, Hop, MOST_USES, Transfers, generator};
use kernel::orbits::Generator;
use kernel::{Certificate, Network, Node, Proof, Rational};
use topologies::levels::{Levels, Place};

/// The way up from one source.
pub(crate) struct UpPath {
    /// The pass in which it sends.
    pub pass: u32,
    /// Its up-port at each level below the top.
    pub ports: Vec<u32>,
}

/// Passes that a permutation takes.
pub(crate) fn passes(levels: &Levels) -> u64 {
    (1..levels.height()).map(|x| u64::from(passes_at(levels, x))).product()
}

/// Passes that the ports of a level make necessary.
pub(crate) fn passes_at(levels: &Levels, level: usize) -> u32 {
    (levels.children(level) * levels.cables(level)).div_ceil(levels.up_ports(level))
}

/// The way up that a source's digits choose.
pub(crate) fn up_path(levels: &Levels, source: u32) -> UpPath {
    let (mut pass, mut scale, mut rest) = (0, 1, source);
    let mut ports = vec![0];
    for level in 1..levels.height() {
        let digit = rest % levels.children(level);
        rest /= levels.children(level);
        let cable = ports[level - 1] / levels.parents(level);
        let port = digit * levels.cables(level) + cable;
        pass += scale * (port / levels.up_ports(level));
        scale *= passes_at(levels, level);
        ports.push(port % levels.up_ports(level));
    }
    UpPath { pass, ports }
}

/// The hops from a source: up by `ports`, and down to `to` by the same roots.
pub(crate) fn up_down_path(levels: &Levels, ports: &[u32], from: u32, to: u32) -> Vec<Hop> {
    let meets = |x: &usize| from / levels.terminals_below(*x) == to / levels.terminals_below(*x);
    let top = match levels.is_opened() {
        true => levels.height(),
        false => (0..=levels.height()).find(meets).unwrap_or(levels.height()),
    };
    let mut place = Place { level: 0, subtree: from, root: 0, down: false };
    let mut up = Vec::with_capacity(2 * top);
    let mut roots = vec![place];
    for &port in &ports[..top] {
        let channel = port / levels.parents(place.level + 1);
        place = levels.parent(place, port);
        up.push(Hop { to: levels.node(place), channel });
        roots.push(place);
    }
    let down = (0..top).rev().map(|level| {
        let mut place = roots[level];
        (place.subtree, place.down) = (to / levels.terminals_below(level), levels.is_opened());
        Hop { to: levels.node(place), channel: up[level].channel }
    });
    let down: Vec<Hop> = down.collect();
    up.extend(down);
    up
}

/// Whether all messages of alltoall can be written down.
pub(crate) fn few_enough(levels: &Levels) -> bool {
    let n = u64::from(levels.terminals());
    n.checked_mul(n)
        .and_then(|pairs| pairs.checked_mul(2 * levels.height() as u64))
        .is_some_and(|uses| uses <= MOST_USES)
}

/// Whether `network` may be that of the levels: its size.
pub(crate) fn fits(levels: &Levels, network: &Network) -> bool {
    let switches: u64 = (1..=levels.height()).map(|x| levels.nodes_of(x)).sum();
    let again: u64 = (1..levels.height()).map(|x| levels.nodes_of(x)).sum();
    let nodes = u64::from(levels.terminals()) + switches + if levels.is_opened() { again } else { 0 };
    network.node_count() as u64 == nodes && network.terminals().len() as u64 == u64::from(levels.terminals())
}

/// Alltoall by the rows of a Latin square, all but that of the identity: `row(k, source)` is the destination of a source in
/// row k, and row 0 the identity.
pub(crate) fn square(
    network: &Network,
    levels: &Levels,
    control: &Control<'_>,
    row: impl Fn(u32, u32) -> u32,
) -> Option<Claim> {
    if !few_enough(levels) || !fits(levels, network) {
        return None;
    }
    let passes = passes(levels);
    let mut transfers = Transfers::new(network, control);
    for source in 0..levels.terminals() {
        let UpPath { pass, ports } = up_path(levels, source);
        for k in 1..levels.terminals() {
            let step = u64::from(k - 1) * passes + u64::from(pass);
            transfers.send_by(step, source, source, up_down_path(levels, &ports, source, row(k, source)))?;
        }
    }
    transfers.claim(u64::from(levels.terminals() - 1) * passes, Vec::new())
}

/// As [`square`], where automorphisms carry the routes of some terminals to those of all others: `images` are what they do to
/// a digit, with their orders, for each level. They do the same to the ports that the digit chooses, and leave passes and all
/// others alone. `bases` are the first terminals of their orbits, in order.
pub(crate) fn square_of_orbits(
    network: &Network,
    levels: &Levels,
    control: &Control<'_>,
    images: impl Fn(usize) -> Vec<(u32, Box<dyn Fn(u32) -> u32>)>,
    bases: impl Iterator<Item = u32>,
    row: impl Fn(u32, u32) -> u32,
) -> Option<Claim> {
    if !fits(levels, network) {
        return None;
    }
    let mut symmetry = Vec::new();
    for level in 1..=levels.height() {
        for (order, digit) in images(level) {
            symmetry.push((moved(network, levels, level, order, &*digit)?, 0));
        }
    }
    let passes = passes(levels);
    let mut transfers = Transfers::new(network, control);
    for (orbit, base) in (0u32..).zip(bases) {
        let UpPath { pass, ports } = up_path(levels, base);
        for k in 1..levels.terminals() {
            let step = u64::from(k - 1) * passes + u64::from(pass);
            transfers.send_by(step, orbit, base, up_down_path(levels, &ports, base, row(k, base)))?;
        }
    }
    transfers.claim(u64::from(levels.terminals() - 1) * passes, symmetry)
}

/// Whether one terminal stands for all: one pass, and no parallel links.
pub(crate) fn has_automorphisms(levels: &Levels) -> bool {
    passes(levels) == 1 && (1..=levels.height()).all(|x| levels.cables(x) == 1)
}

/// The automorphism that moves one digit of the terminals and, alike, the ports that it chooses.
fn moved(network: &Network, levels: &Levels, at: usize, order: u32, digit: &dyn Fn(u32) -> u32) -> Option<Generator> {
    let of = levels.children(at);
    let image = |number: u32, scale: u32, of: u32, image: &dyn Fn(u32) -> u32| {
        let digit = number / scale % of;
        number - digit * scale + image(digit) * scale
    };
    let mut nodes = vec![0; network.node_count()];
    for place in levels.all() {
        let mut there = place;
        if place.level < at {
            let scale = levels.terminals_below(at - 1) / levels.terminals_below(place.level);
            there.subtree = image(place.subtree, scale, of, digit);
        } else if place.level > at {
            let scale = levels.roots(place.level) / levels.roots(at + 1);
            let port = |port| if port < of { digit(port) } else { port };
            there.root = image(place.root, scale, levels.parents(at + 1), &port);
        }
        nodes[levels.node(place) as usize] = levels.node(there);
    }
    generator(network, order, |node| nodes[node as usize])
}

/// Steps that it takes to bring over a subtree's border, out of its roots, what alltoall asks for: all that leaves it, of an opened
/// tree all that its terminals send.
pub(crate) fn floor_at(levels: &Levels, height: usize) -> u64 {
    let (n, below) = (u64::from(levels.terminals()), u64::from(levels.terminals_below(height)));
    let stays = if levels.is_opened() { 1 } else { below };
    let channels = u64::from(levels.roots(height)) * u64::from(levels.up_ports(height));
    (below * (n - stays)).div_ceil(channels)
}

/// What a terminal must send, or what must leave all subtrees of some height over all channels out of them, if that is more.
pub(crate) fn floor(network: &Network, levels: &Levels) -> Certificate {
    let mut best = (floor_at(levels, 0), 0);
    for height in 1..levels.height() {
        best = best.max((floor_at(levels, height), height));
    }
    let (steps, height) = best;
    if height == 0 {
        return Certificate { steps, proof: Proof::Send { node: Node(0) } };
    }
    let first = levels.node(Place { level: height, subtree: 0, root: 0, down: false });
    let nodes = u32::try_from(levels.nodes_of(height)).expect("sizes are checked before anything is built");
    let out =
        |channel| (first..first + nodes).contains(&network.from(channel).0) && network.to(channel).0 >= first + nodes;
    let weights = network.channels().map(|channel| Rational::whole(u64::from(out(channel)))).collect();
    Certificate { steps, proof: Proof::Lengths { weights } }
}
