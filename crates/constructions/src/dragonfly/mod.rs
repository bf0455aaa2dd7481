//! **What:** alltoall on dragonflies that join every two groups by one link, maximal or partly populated, hop by hop or whole
//! paths in a step.
//!
//! **Idea:** colour the global channels with K colours, K the most global channels of a router, so that neither two that leave a router
//! nor two that arrive at one are alike; since channels join a router that sends and one that receives, K colours suffice
//! (König). Now a colour is what port γ is on a Swapped Dragonfly: a source vector (γ; π, δ) takes the message of every router by local port π
//! to another, by that one's channel of colour γ, if it has one, to another group, and there by local port δ on. In each hop
//! all routers send by one port, and no two meet, so every list of vectors that is free of conflicts on D3(K, M) is so here.
//! A message between groups has one vector; messages within a group cross one local channel, and have steps of their own.
//!
//! **Source:** ours; D. König 1916 for the colours.

mod hops;
mod whole;

pub(crate) use hops::CONSTRUCTION as HOPS;
pub(crate) use whole::CONSTRUCTION as WHOLE;

use construct::{MOST_USES, Request, numbers};
use kernel::{Channel, Message, Network};
use std::collections::BTreeSet;
use topologies::families::swapped_dragonfly::SwappedDragonfly;

/// The Swapped Dragonfly of as many routers a group and global channels a router at most, of a dragonfly whose groups are joined by
/// one link a pair; `None` of another network, or where there are too many messages to write down.
fn swapped(request: &Request<'_>) -> Option<SwappedDragonfly> {
    let rest = numbers(request.parameters_of(&["dragonfly"])?, ',')?;
    let (k, m) = (u64::from(*rest.first()?), u64::from(*rest.get(1)?));
    let groups = rest.get(2).map_or(k.checked_mul(m)? + 1, |g| u64::from(*g));
    let colours = match rest.get(3) {
        None => k.min(groups.checked_sub(1)?),
        Some(1) => groups.checked_sub(1)?.div_ceil(m),
        Some(_) => return None,
    };
    let messages = groups.checked_mul(m)?.checked_pow(2)?;
    if rest.len() > 4 || messages.checked_mul(3)? > MOST_USES {
        return None;
    }
    SwappedDragonfly::new(u32::try_from(colours).ok()?, u32::try_from(m).ok()?).ok()
}

/// A dragonfly's channels by local port and by colour.
struct ColouredDragonfly<'a> {
    network: &'a Network,
    routers: usize,
    colours: usize,
    /// Of each router and colour, the channel that leaves it and the router it leads to.
    leaves: Vec<Option<(Channel, usize)>>,
    /// Of each router and local port x > 0, the channel to the router of its group that is x on.
    local: Vec<Channel>,
}

impl<'a> ColouredDragonfly<'a> {
    /// The channels of a network with groups of `routers` routers each and one channel each way between every two, in `colours`
    /// colours; `None` where there is no such thing.
    fn new(network: &'a Network, routers: usize, colours: usize) -> Option<Self> {
        let nodes = network.node_count();
        if !nodes.is_multiple_of(routers) || network.terminals().len() != nodes {
            return None;
        }
        let mut local = vec![None; nodes * routers];
        let mut global = Vec::new();
        for channel in network.channels() {
            let (from, to) = (network.from(channel).index(), network.to(channel).index());
            if from / routers == to / routers {
                local[from * routers + (to + routers - from) % routers] = Some(channel);
            } else {
                global.push((from, to, channel));
            }
        }
        let pair = |&(from, to, _): &(usize, usize, Channel)| (from / routers, to / routers);
        let pairs: BTreeSet<(usize, usize)> = global.iter().map(pair).collect();
        let groups = nodes / routers;
        if global.len() != pairs.len() || pairs.len() != groups * groups.saturating_sub(1) {
            return None;
        }
        let mut leaves = vec![None; nodes * colours];
        for (&(from, to, channel), colour) in global.iter().zip(colouring(nodes, colours, &global)?) {
            leaves[from * colours + colour] = Some((channel, to));
        }
        // Port 0 leads nowhere; its place is never asked for.
        let local = local.into_iter().enumerate().map(|(at, c)| c.or((at % routers == 0).then_some(Channel(0))));
        Some(ColouredDragonfly { network, routers, colours, leaves, local: local.collect::<Option<_>>()? })
    }

    fn nodes(&self) -> usize {
        self.network.node_count()
    }

    /// The router of the same group that is `by` on.
    fn moved(&self, router: usize, by: usize) -> usize {
        let first = router - router % self.routers;
        first + (router + by) % self.routers
    }

    /// The channel by local port `port` > 0.
    fn local(&self, router: usize, port: usize) -> Channel {
        self.local[router * self.routers + port]
    }

    /// The global channel of a colour, and where it leads.
    fn leaves(&self, router: usize, colour: usize) -> Option<(Channel, usize)> {
        self.leaves[router * self.colours + colour]
    }

    fn message(&self, from: usize, to: usize) -> Message {
        Message::new(from * (self.nodes() - 1) + to - usize::from(to > from))
    }
}

/// A colour for each channel, different for those that leave or that arrive at the same node; `None` where some node has more
/// than `colours` of either.
///
/// A channel takes a colour that is free where it leaves; where that is taken at its end, the path of channels from there that have this
/// colour and one that is free there, in turn, changes both.
fn colouring(nodes: usize, colours: usize, channels: &[(usize, usize, Channel)]) -> Option<Vec<usize>> {
    // Nodes as senders and, behind them, as receivers; by node and colour the channel.
    let mut at: Vec<Option<usize>> = vec![None; 2 * nodes * colours];
    let mut of = vec![0; channels.len()];
    let ends = |channel: usize| [channels[channel].0, nodes + channels[channel].1];
    for channel in 0..channels.len() {
        let [from, to] = ends(channel);
        let free = |at: &[Option<usize>], v: usize| (0..colours).find(|c| at[v * colours + c].is_none());
        let (ours, theirs) = (free(&at, from)?, free(&at, to)?);
        let mut path = Vec::new();
        let (mut end, mut colour) = (to, ours);
        while let Some(next) = at[end * colours + colour] {
            path.push(next);
            let [a, b] = ends(next);
            (end, colour) = (if end == a { b } else { a }, ours + theirs - colour);
        }
        for &turned in &path {
            ends(turned).into_iter().for_each(|v| at[v * colours + of[turned]] = None);
        }
        for &turned in &path {
            of[turned] = ours + theirs - of[turned];
        }
        of[channel] = ours;
        for coloured in path.into_iter().chain([channel]) {
            ends(coloured).into_iter().for_each(|v| at[v * colours + of[coloured]] = Some(coloured));
        }
    }
    Some(of)
}
