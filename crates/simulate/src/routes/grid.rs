//! **What:** dimension order on networks whose nodes have coordinates, with dateline classes on rings.
//!
//! **Method.** Coordinates are brought right one after the other, the last dimension first. On a ring the shorter way is taken; where
//! both are as long, the packet's own random number says which, so that both directions carry as much. The virtual channels of a
//! ring are two classes. A packet whose way leads over the dateline, between the last coordinate and the first, has the upper ones up to
//! there and the lower ones behind it. One that does not cross it has any, but never an upper one after a lower one. So upper channels
//! lead towards the dateline and no farther, lower ones away from it, and nothing leads from the lower to the upper: none waits for
//! itself.
//!
//! **Facts:** free of deadlock on meshes with one virtual channel, and where there are rings with two. Coordinates are found in the
//! network, whatever its numbering (crate `identify`).
//!
//! **Source:** W. J. Dally, C. L. Seitz, Deadlock-free packet routing in multiprocessor interconnection networks, IEEE Transactions on
//! Computers 36, 1987

use super::all;
use crate::packets::NONE;
use crate::source::{Choice, Position, Routes};
use identify::{Effort, Identity, identities};
use kernel::{Channel, Network, Node};
use topologies::grid::{Along, Grid};

/// A member of a family that a network is, whose nodes have coordinates.
pub(crate) struct Coordinates {
    pub(crate) identity: Identity,
    pub(crate) grid: Grid,
}

impl Coordinates {
    /// Those of the network's own name where it tells some, since a network may be several: a torus of sides 4 is a hypercube, too.
    pub(crate) fn of(network: &Network) -> Option<Self> {
        let grid = |spec: &str| topologies::topology(spec).ok().and_then(|member| member.grid());
        let mut known: Vec<Coordinates> = identities(network, Effort::default())
            .into_iter()
            .filter_map(|identity| grid(identity.spec()).map(|grid| Coordinates { identity, grid }))
            .collect();
        let own = known.iter().position(|known| known.identity.spec() == network.name()).unwrap_or(0);
        (own < known.len()).then(|| known.swap_remove(own))
    }
}

/// A dimension.
#[derive(Clone, Copy, Debug)]
struct Dimension {
    size: u32,
    along: Along,
    /// The first of its channels among those of a node.
    first: u32,
}

/// Where a channel is.
#[derive(Clone, Copy, Debug)]
struct Place {
    dimension: u32,
    is_wrap: bool,
}

/// Dimension order.
#[derive(Clone, Debug)]
pub struct DimensionOrder {
    dimensions: Vec<Dimension>,
    /// Coordinates, those of a node side by side.
    digits: Vec<u32>,
    /// Of every node and dimension the channel up and the channel down, or one to each coordinate.
    channels: Vec<u32>,
    /// Channels of a node.
    width: u32,
    /// Of every channel, its dimension and whether it crosses the dateline.
    places: Vec<Place>,
    vcs: u32,
    datelines: bool,
}

impl DimensionOrder {
    /// For a network whose nodes have coordinates; `None` for others. With datelines, where there are rings, virtual channels are divided
    /// into two classes; without, packets on rings may wait for each other for ever.
    #[must_use]
    pub fn new(network: &Network, vcs: u32, datelines: bool) -> Option<Self> {
        let Coordinates { identity, grid } = Coordinates::of(network)?;
        let mut width = 0;
        let mut dimensions = Vec::new();
        for (&size, &along) in grid.sizes().iter().zip(grid.along()) {
            dimensions.push(Dimension { size, along, first: width });
            width += if along == Along::Complete { size } else { 2 };
        }
        let has_rings = dimensions.iter().any(|dimension| dimension.along == Along::Ring && dimension.size > 2);
        let count = dimensions.len();
        let mut digits = vec![0; network.node_count() * count];
        for node in network.nodes() {
            let mut rest = identity.node(node).0;
            for (d, dimension) in dimensions.iter().enumerate().rev() {
                digits[node.index() * count + d] = rest % dimension.size;
                rest /= dimension.size;
            }
        }
        let mut order = DimensionOrder {
            channels: vec![NONE; network.node_count() * width as usize],
            places: vec![Place { dimension: NONE, is_wrap: false }; network.channel_count()],
            dimensions,
            digits,
            width,
            vcs,
            datelines: datelines && has_rings,
        };
        network.channels().for_each(|channel| order.join(network, channel));
        Some(order)
    }

    /// Whether it divides virtual channels into two classes.
    #[must_use]
    pub fn has_datelines(&self) -> bool {
        self.datelines
    }

    fn of(&self, node: Node) -> &[u32] {
        let count = self.dimensions.len();
        &self.digits[node.index() * count..(node.index() + 1) * count]
    }

    fn join(&mut self, network: &Network, channel: Channel) {
        let (from, to) = (network.from(channel), network.to(channel));
        let (start, end) = (self.of(from), self.of(to));
        let Some(d) = (0..start.len()).find(|d| start[*d] != end[*d]) else { return };
        let Dimension { size, along, first } = self.dimensions[d];
        let (here, there) = (start[d], end[d]);
        let is_wrap = along == Along::Ring && size > 2 && here.abs_diff(there) > 1;
        self.places[channel.index()] = Place { dimension: u32::try_from(d).expect("few dimensions"), is_wrap };
        let mut places = [None, None];
        if along == Along::Complete {
            places[0] = Some(there);
        } else {
            places[0] = ((here + 1) % size == there).then_some(0);
            places[1] = ((there + 1) % size == here).then_some(1);
        }
        for place in places.into_iter().flatten() {
            let channels = &mut self.channels[from.index() * self.width as usize + (first + place) as usize];
            if *channels == NONE {
                *channels = channel.0;
            }
        }
    }

    /// The next hop of a packet: the channel, and the virtual channels that it may have among `vcs`, the lowest at bit 0.
    pub(crate) fn next(&self, at: &Position, vcs: u32) -> Option<Choice> {
        let (start, end) = (self.of(at.node), self.of(at.target));
        let d = (0..start.len()).rev().find(|d| start[*d] != end[*d])?;
        let Dimension { size, along, first } = self.dimensions[d];
        let (here, there) = (start[d], end[d]);
        let (place, crosses) = match along {
            Along::Complete => (there, false),
            Along::Line => (u32::from(there < here), false),
            Along::Ring => {
                let up = if there >= here { there - here } else { there + size - here };
                let is_up = 2 * up < size || (2 * up == size && (at.random >> (d % 32)) & 1 == 0);
                (u32::from(!is_up), if is_up { here > there } else { here < there })
            }
        };
        let channel = self.channels[at.node.index() * self.width as usize + (first + place) as usize];
        let mask = if self.datelines && along == Along::Ring && size > 2 {
            let lower = all(vcs - vcs / 2);
            if crosses {
                all(vcs) & !lower
            } else if self.is_below(at, d, lower) {
                lower
            } else {
                all(vcs)
            }
        } else {
            all(vcs)
        };
        (channel != NONE).then_some(Choice { channel: Channel(channel), vcs: mask, is_escape: false })
    }

    /// Whether a packet has passed the dateline of dimension `d`, or has had a lower virtual channel there.
    fn is_below(&self, at: &Position, d: usize, lower: u32) -> bool {
        at.arrived.is_some_and(|channel| {
            let place = self.places[channel.index()];
            place.dimension as usize == d && (place.is_wrap || (lower >> at.arrived_vc) & 1 == 1)
        })
    }
}

impl Routes for DimensionOrder {
    fn name(&self) -> String {
        if self.datelines { "dimension-order with datelines".into() } else { "dimension-order".into() }
    }

    fn least_vcs(&self) -> u32 {
        if self.datelines { 2 } else { 1 }
    }

    fn choices(&self, at: &Position, choices: &mut Vec<Choice>) {
        choices.extend(self.next(at, self.vcs));
    }
}
