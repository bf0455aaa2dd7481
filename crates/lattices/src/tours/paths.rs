//! **What:** messages written down with their paths, dimension by dimension.

use super::block::Ends;
use super::product::Batch;
use super::sides::Side;
use crate::lattice::Lattice;
use construct::{Control, Hop, channel};
use kernel::{Channel, Message, Network, Schedule};
use topologies::grid::Along;

/// Writes messages down with their paths.
pub(super) struct Paths<'a> {
    lattice: &'a Lattice,
    sides: &'a [Side],
    control: &'a Control<'a>,
    /// For each node its channels, dimension by dimension: those of lines and rings upwards and downwards, of complete networks
    /// one to every node. None where there is no such channel.
    channels: Vec<Option<Channel>>,
    /// Where the channels along each dimension begin among those of a node.
    places: Vec<usize>,
    /// Channels of a node.
    width: usize,
    path: Vec<Channel>,
    pub(super) schedule: Schedule,
}

impl<'a> Paths<'a> {
    /// No steps yet; `None` where the network has other nodes.
    pub(super) fn new(
        lattice: &'a Lattice,
        sides: &'a [Side],
        network: &Network,
        control: &'a Control<'a>,
    ) -> Option<Self> {
        let nodes = lattice.nodes();
        if network.node_count() != nodes as usize || network.terminals().len() != nodes as usize {
            return None;
        }
        let (mut places, mut width) = (Vec::new(), 0);
        for side in sides {
            places.push(width);
            width += if side.is(Along::Complete) { side.size as usize } else { 2 };
        }
        let mut channels = Vec::new();
        for v in 0..nodes {
            for (d, side) in sides.iter().enumerate() {
                let to = |by| channel(network, v, Hop { to: lattice.moved(v, d, by), channel: 0 });
                match side.along {
                    Along::Complete => {
                        let here = i64::from(lattice.digit(v, d));
                        channels.extend((0..i64::from(side.size)).map(|there| to(there - here)));
                    }
                    Along::Line | Along::Ring => channels.extend([to(1), to(-1)]),
                }
            }
        }
        Some(Paths { lattice, sides, control, channels, places, width, path: Vec::new(), schedule: Schedule::new() })
    }

    /// Adds a step; `rank` is the place of a message's first node among those whose messages are numbered.
    pub(super) fn step(&mut self, batches: &[Batch<'_>], rank: impl Fn(u32) -> u32) -> Option<()> {
        let others = self.lattice.nodes() - 1;
        self.schedule.begin_step();
        for batch in batches {
            for ends in batch.messages {
                self.walk(batch, *ends)?;
                let number =
                    rank(ends.from).checked_mul(others)?.checked_add(ends.to - u32::from(ends.to > ends.from))?;
                self.schedule.send(Message(number), &self.path);
                self.control.work(1 + self.path.len())?;
            }
        }
        Some(())
    }

    /// The path of a message.
    fn walk(&mut self, batch: &Batch<'_>, Ends { from, to }: Ends) -> Option<()> {
        self.path.clear();
        let mut at = from;
        for (place, &d) in batch.route.iter().enumerate() {
            let (begin, end) = (self.lattice.digit(at, d), self.lattice.digit(to, d));
            if begin == end {
                continue;
            }
            let Side { size, along } = self.sides[d];
            let stride = self.lattice.stride(d);
            let channels = self.places[d];
            if along == Along::Complete {
                self.path.push(self.channels[at as usize * self.width + channels + end as usize]?);
                at = at - begin * stride + end * stride;
                continue;
            }
            let downwards = batch.downwards.get(place).filter(|_| along == Along::Ring);
            let (downwards, hops) = match downwards {
                None => (end < begin, begin.abs_diff(end)),
                Some(false) => (false, (end + size - begin) % size),
                Some(true) => (true, (begin + size - end) % size),
            };
            let mut digit = begin;
            for _ in 0..hops {
                self.path.push(self.channels[at as usize * self.width + channels + usize::from(downwards)]?);
                // Hundreds of millions of hops: no division.
                let next = match downwards {
                    false if digit + 1 == size => 0,
                    false => digit + 1,
                    true => digit.checked_sub(1).unwrap_or(size - 1),
                };
                at = at - digit * stride + next * stride;
                digit = next;
            }
        }
        Some(())
    }
}
