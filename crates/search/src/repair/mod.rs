//! **What:** messages for one destination each, inserted into the steps of a schedule of which most is left.
//!
//! **Method.** A fault breaks few paths. Of a schedule for the whole network everything that the damaged one still has stays
//! where it is ([`remaining`]), and only the messages whose paths are gone are inserted anew, by ejection chains. No symmetry
//! is needed.
//!
//! **When it loses.** Where steps must be filled to the last channel and there is no schedule to begin with: small problems are
//! better packed with symmetries.
//!
//! **Source:** F. Glover, Ejection chains, reference structures and alternating path methods, 1996.

mod random_paths;
mod reachable;
mod search;
mod step_table;

use crate::resources::Resources;
use kernel::{Channel, Message, Network, Node, Problem, Schedule, Semantics, Switching};
use run::{Budget, Run};
use search::Search;
use std::collections::BTreeMap;

/// Problems on larger networks are left to other methods: distances between all nodes are kept.
const MOST_NODES: usize = 1 << 12;
/// Larger problems are left to other methods.
const MOST_MESSAGES: usize = 1 << 22;
/// Whether a schedule of such a problem can be repaired.
pub fn suits(problem: &Problem) -> bool {
    let collective = problem.collective();
    collective.semantics() == Semantics::Copy
        && problem.model().switching == Switching::Wormhole
        && problem.network().node_count() <= MOST_NODES
        && collective.message_count() <= MOST_MESSAGES
        && collective.messages().all(|m| collective.destinations(m).len() == 1)
        && are_pairs(problem.network())
}

/// Whether half-duplex groups are pairs of opposite channels, so that a path never takes a group twice.
fn are_pairs(network: &Network) -> bool {
    network.half_duplex().iter().all(|group| match group[..] {
        [a, b] => {
            let (a, b) = (Channel(a), Channel(b));
            (network.from(a), network.to(a)) == (network.to(b), network.from(b))
        }
        _ => group.len() < 2,
    })
}

/// Those transfers of a schedule for the problem `whole` that the network of `problem` still has: nodes are the same, channels
/// are told by their ends, messages by origin and destination.
pub fn remaining(problem: &Problem, whole: &Problem, schedule: &Schedule) -> Schedule {
    let channels = same_channels(whole.network(), problem.network());
    let mut messages: BTreeMap<(Node, Node), Vec<Message>> = BTreeMap::new();
    let ends = |p: &Problem, m: Message| match p.collective().destinations(m) {
        &[to] => Some((p.collective().origin(m), to)),
        _ => None,
    };
    for message in problem.collective().messages() {
        if let Some(ends) = ends(problem, message) {
            messages.entry(ends).or_default().push(message);
        }
    }
    let mut part = Schedule::new();
    for step in schedule.steps() {
        part.begin_step();
        for transfer in step {
            let &[message] = transfer.messages else { continue };
            let path: Option<Vec<Channel>> = transfer.path.iter().map(|c| channels[c.index()]).collect();
            let mut same = || messages.get_mut(&ends(whole, message)?)?.pop();
            if let Some((path, message)) = path.and_then(|path| Some((path, same()?))) {
                part.send(message, &path);
            }
        }
    }
    part
}

/// Which channel of another network each is: the k-th of those between the same nodes.
fn same_channels(from: &Network, to: &Network) -> Vec<Option<Channel>> {
    let mut between: BTreeMap<(Node, Node), Vec<Channel>> = BTreeMap::new();
    for channel in to.channels() {
        between.entry((to.from(channel), to.to(channel))).or_default().push(channel);
    }
    between.values_mut().for_each(|list| list.reverse());
    from.channels().map(|c| between.get_mut(&(from.from(c), from.to(c)))?.pop()).collect()
}

/// A schedule that begins with the transfers of `part`, for whoever is called `name`. `None` where a message has no path, or the
/// run is stopped before there is one.
pub fn completed(
    name: &'static str,
    problem: &Problem,
    part: &Schedule,
    floor: u64,
    run: &Run<'_>,
) -> Option<Schedule> {
    let resources = Resources::new(problem, &mut Budget::new(run, u64::MAX))?;
    let goal = usize::try_from(run.goal(floor).max(1)).ok()?;
    Search::new(name, &resources, part, goal, run)?.down_to(goal)
}
