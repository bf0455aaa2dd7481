//! **What:** the schedule of trees and the messages that each delivers.

use super::shares::{Item, Shares};
use kernel::{Channel, Message, Schedule, Switching};
use run::Budget;

/// A message with its path, in the order of the tree that delivers it.
struct Sent {
    tree: u32,
    message: Message,
    path: std::ops::Range<usize>,
}

/// Every tree delivers a message a step, those of the longest paths first. `None` where the budget ends.
pub(super) fn schedule(shares: &Shares<'_>, budget: &mut Budget<'_>) -> Option<Schedule> {
    let ground = shares.ground;
    let mut channels: Vec<Channel> = Vec::new();
    let mut sent = Vec::with_capacity(shares.items.len());
    for item in &shares.items {
        let begin = channels.len();
        push_path(shares, item, &mut channels);
        if !budget.spend(2 + 2 * (channels.len() - begin) as u64) {
            return None;
        }
        let tree = shares.forest.tree_of(ground, item.by);
        sent.push(Sent { tree, message: item.message, path: begin..channels.len() });
    }
    sent.sort_by_key(|sent| (sent.tree, std::cmp::Reverse(sent.path.len())));
    match ground.problem.model().switching {
        Switching::StoreAndForward => pipelined(shares, &sent, &channels, budget),
        Switching::Wormhole | Switching::Tdm { .. } => whole_paths(shares, &sent, &channels, budget),
    }
}

/// Adds the channels from the root to the node of `item`.
fn push_path(shares: &Shares<'_>, item: &Item, channels: &mut Vec<Channel>) {
    let network = shares.ground.problem.network();
    let begin = channels.len();
    channels.push(item.by);
    let mut node = network.from(item.by);
    while node != shares.ground.demand.root {
        let channel = shares.forest.parent[node.index()];
        channels.push(channel);
        node = network.from(channel);
    }
    channels[begin..].reverse();
}

/// Every message in one step. Where the root has fewer ports than trees, trees begin one after the other and go on from the last
/// step to the first, so that steps have equally many messages, up to one.
fn whole_paths(shares: &Shares<'_>, sent: &[Sent], channels: &[Channel], budget: &mut Budget<'_>) -> Option<Schedule> {
    let ground = shares.ground;
    let ports = ground.problem.network().send_ports(ground.demand.root).map_or(usize::MAX, |ports| ports as usize);
    let steps = shares.most() as usize;
    let mut first = vec![0; steps + 1];
    let mut step_of = Vec::with_capacity(sent.len());
    let (mut place, mut tree) = (0, None);
    for (position, sent) in sent.iter().enumerate() {
        if tree != Some(sent.tree) {
            tree = Some(sent.tree);
            place = if ports < shares.sizes.len() { position } else { 0 };
        }
        step_of.push(place % steps);
        first[place % steps + 1] += 1;
        place += 1;
    }
    for step in 0..steps {
        first[step + 1] += first[step];
    }
    let mut order = vec![0; sent.len()];
    let mut next = first.clone();
    for (position, &step) in step_of.iter().enumerate() {
        order[next[step]] = position;
        next[step] += 1;
    }
    let mut schedule = Schedule::new();
    for step in 0..steps {
        schedule.begin_step();
        for &position in &order[first[step]..first[step + 1]] {
            let Sent { message, path, .. } = &sent[position];
            if !budget.spend(2 + path.len() as u64) {
                return None;
            }
            schedule.send(*message, &channels[path.clone()]);
        }
    }
    Some(schedule)
}

/// Every message a channel a step from when it leaves the root.
fn pipelined(shares: &Shares<'_>, sent: &[Sent], channels: &[Channel], budget: &mut Budget<'_>) -> Option<Schedule> {
    let trees: Vec<&[Sent]> = sent.chunk_by(|a, b| a.tree == b.tree).collect();
    let ends = |tree: &&[Sent]| tree.iter().enumerate().map(|(leaves, sent)| leaves + sent.path.len()).max();
    let steps = trees.iter().filter_map(ends).max().unwrap_or(0);
    let longest: Vec<usize> = trees.iter().map(|tree| tree.first().map_or(0, |sent| sent.path.len())).collect();
    debug_assert_eq!(sent.len(), shares.items.len());
    let mut schedule = Schedule::new();
    for step in 0..steps {
        schedule.begin_step();
        for (tree, longest) in trees.iter().zip(&longest) {
            let moving = (step + 1).saturating_sub(*longest)..(step + 1).min(tree.len());
            if !budget.spend(1 + 2 * moving.len() as u64) {
                return None;
            }
            for leaves in moving {
                let Sent { message, path, .. } = &tree[leaves];
                if let Some(channel) = path.clone().nth(step - leaves) {
                    schedule.send(*message, &[channels[channel]]);
                }
            }
        }
    }
    Some(schedule)
}
