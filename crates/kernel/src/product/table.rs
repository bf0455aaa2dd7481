//! **What:** the checker of a product's form: the problem is alltoall among all nodes of such a product, and every message is in one
//! block.
//!
//! **Why every message is there once.** Each ordered pair of digits of a dimension is in one class, and each tuple of classes is one block; so
//! the parts of a message tell its block. Blocks of nothing but equal digits hold no message and may be left out.

use super::{ProductFault as Fault, ProductSchedule};
use crate::{Channel, Node, Problem, Switching};
use std::collections::HashSet;

/// Where the channels of a product are in its network, and how often a digit's number counts.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// What a digit of each dimension adds to the place.
    pub strides: Vec<usize>,
    /// For each dimension, the network's channels, those of one line together.
    channels: Vec<Vec<Channel>>,
    /// When each round begins, and the number of all steps behind the last.
    pub starts: Vec<u64>,
}

impl Table {
    /// Checks the form against the problem.
    pub(super) fn new(problem: &Problem, form: &ProductSchedule) -> Result<Self, Fault> {
        fits(problem)?;
        let strides = strides(problem, form)?;
        let mut channels = Vec::with_capacity(strides.len());
        for dimension in 0..form.dimensions.len() {
            paths(form, dimension)?;
            pairs(form, dimension)?;
            channels.push(lines(problem, form, &strides, dimension)?);
        }
        blocks(form)?;
        let mut starts = vec![0];
        for (number, round) in form.rounds.iter().enumerate() {
            let of = |block: &super::Block| {
                block.classes.iter().zip(&form.dimensions).map(|(c, d)| d.classes[*c].len() as u128).product::<u128>()
            };
            // The sum of as many products as there are blocks, each of at most all pairs of nodes.
            let transfers = round.blocks.iter().map(of).sum();
            if round.steps == 0 || u128::from(round.steps) > transfers {
                return Err(Fault::Steps { round: number, steps: round.steps, transfers });
            }
            starts.push(starts[number] + round.steps);
        }
        Ok(Table { strides, channels, starts })
    }

    /// The network's channel that one of a dimension is, from a place on.
    pub(super) fn channel(&self, form: &ProductSchedule, dimension: usize, place: usize, channel: u32) -> Channel {
        let (stride, side) = (self.strides[dimension], &form.dimensions[dimension]);
        let line = place / (stride * side.size as usize) * stride + place % stride;
        self.channels[dimension][line * side.channels.len() + channel as usize]
    }
}

/// Whether the problem is of the kind that products store.
fn fits(problem: &Problem) -> Result<(), Fault> {
    let (network, model) = (problem.network(), problem.model());
    if let Some(node) = network.nodes().find(|v| !network.is_terminal(*v) || !network.is_transit(*v)) {
        return Err(Fault::NoTerminal { node });
    }
    let all = network.terminals();
    let is_alltoall = problem
        .collective()
        .all_pairs()
        .is_some_and(|pairs| pairs.repeats == 1 && pairs.senders == all && pairs.receivers == all);
    let has_limits = |v| network.send_ports(v).is_some() || network.receive_ports(v).is_some();
    let is_free = network.half_duplex().is_empty() && !network.nodes().any(has_limits);
    if is_alltoall && is_free && model.switching == Switching::Wormhole { Ok(()) } else { Err(Fault::OtherModel) }
}

fn strides(problem: &Problem, form: &ProductSchedule) -> Result<Vec<usize>, Fault> {
    let nodes = problem.network().node_count();
    let mut strides = vec![0; form.dimensions.len()];
    let mut places = 1u64;
    for (stride, dimension) in strides.iter_mut().zip(&form.dimensions).rev() {
        *stride = usize::try_from(places).unwrap_or(usize::MAX);
        places = places.saturating_mul(dimension.size.into());
    }
    if places != nodes as u64 {
        return Err(Fault::Size { places, nodes });
    }
    let mut named = vec![false; nodes];
    let is_new = |v: &Node| named.get_mut(v.index()).is_some_and(|named| !std::mem::replace(named, true));
    if form.nodes.len() != nodes || !form.nodes.iter().all(is_new) {
        return Err(Fault::Nodes { nodes });
    }
    let mut order = form.order.clone();
    order.sort_unstable();
    let is_order = order.into_iter().eq(0..form.dimensions.len());
    if is_order { Ok(strides) } else { Err(Fault::Order { dimensions: form.dimensions.len() }) }
}

/// Whether a dimension's channels and paths make sense.
fn paths(form: &ProductSchedule, dimension: usize) -> Result<(), Fault> {
    let side = &form.dimensions[dimension];
    let mut seen = HashSet::new();
    for (channel, ends) in side.channels.iter().enumerate() {
        if ends.0 == ends.1 || ends.0 >= side.size || ends.1 >= side.size || !seen.insert(*ends) {
            return Err(Fault::BadChannel { dimension, channel });
        }
    }
    let mut used = vec![usize::MAX; side.channels.len()];
    let parts = || side.classes.iter().enumerate().flat_map(|(c, class)| class.iter().enumerate().map(move |p| (c, p)));
    for (number, (class, (part, way))) in parts().enumerate() {
        let mut at = way.from;
        let mut is_path = way.from < side.size && (way.from != way.to || way.path.is_empty());
        for &channel in &way.path {
            let ends = side.channels.get(channel as usize).filter(|ends| ends.0 == at);
            let Some(&(_, to)) = ends else { return Err(Fault::Path { dimension, class, part }) };
            is_path &= std::mem::replace(&mut used[channel as usize], number) != number;
            at = to;
        }
        if !is_path || at != way.to {
            return Err(Fault::Path { dimension, class, part });
        }
    }
    Ok(())
}

/// Whether each ordered pair of digits is in one class.
fn pairs(form: &ProductSchedule, dimension: usize) -> Result<(), Fault> {
    let side = &form.dimensions[dimension];
    let size = u64::from(side.size);
    let pairs = size * size;
    let parts = || side.classes.iter().flatten();
    // Counted first, so that there is room for what is marked. Classes without parts would only make tuples too many to count.
    if parts().count() as u64 != pairs || side.classes.iter().any(Vec::is_empty) {
        return Err(Fault::Pairs { dimension, pairs });
    }
    let mut seen = vec![false; parts().count()];
    for part in parts() {
        let pair = usize::try_from(u64::from(part.from) * size + u64::from(part.to)).expect("as many as parts");
        if std::mem::replace(&mut seen[pair], true) {
            return Err(Fault::Pairs { dimension, pairs });
        }
    }
    Ok(())
}

/// The network's channels along a dimension, line by line.
fn lines(
    problem: &Problem,
    form: &ProductSchedule,
    strides: &[usize],
    dimension: usize,
) -> Result<Vec<Channel>, Fault> {
    let network = problem.network();
    let (side, stride) = (&form.dimensions[dimension], strides[dimension]);
    let mut channels = Vec::new();
    let size = side.size as usize;
    for line in 0..form.nodes.len() / size {
        let first = line / stride * stride * size + line % stride;
        let node = |digit: u32| form.nodes[first + digit as usize * stride];
        for ends in &side.channels {
            let (from, to) = (node(ends.0), node(ends.1));
            let found = network.channel_between(from, to);
            channels.push(found.ok_or(Fault::NoChannel { dimension, from, to })?);
        }
    }
    Ok(channels)
}

/// Whether every tuple of classes with messages is one block.
fn blocks(form: &ProductSchedule) -> Result<(), Fault> {
    let classes = || form.dimensions.iter().map(|d| d.classes.len());
    let stays = |d: usize, class: usize| form.dimensions[d].classes[class].iter().all(|part| part.from == part.to);
    let is_idle: Vec<Vec<bool>> =
        classes().enumerate().map(|(d, count)| (0..count).map(|class| stays(d, class)).collect()).collect();
    let mut seen = HashSet::new();
    let mut moving = 0u128;
    for (round, blocks) in form.rounds.iter().enumerate() {
        for (number, block) in blocks.blocks.iter().enumerate() {
            let is_whole = block.classes.len() == form.dimensions.len()
                && block.factors.len() == form.dimensions.len()
                && block.classes.iter().zip(classes()).all(|(class, count)| *class < count);
            if !is_whole {
                return Err(Fault::Block { round, block: number });
            }
            if !seen.insert(&block.classes) {
                return Err(Fault::BlockTwice { round, block: number });
            }
            moving += u128::from(block.classes.iter().zip(&is_idle).any(|(class, idle)| !idle[*class]));
        }
    }
    let product = |mut counts: Box<dyn Iterator<Item = usize> + '_>| {
        counts.try_fold(1u128, |product, count| product.checked_mul(count as u128)).unwrap_or(u128::MAX)
    };
    let idle = product(Box::new(is_idle.iter().map(|idle| idle.iter().filter(|idle| **idle).count())));
    let missing = product(Box::new(classes())) - idle - moving;
    if missing == 0 { Ok(()) } else { Err(Fault::Missing { missing }) }
}
