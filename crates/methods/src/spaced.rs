//! **What:** a schedule of store-and-forward as one of time-division, each transfer in the first slot that changes nothing of what it carries.
//!
//! **Theory:** what is sent in slot s is there from slot s + hop + 1. A transfer x of step i from u to v carries the same as before if all that came to
//! u in earlier steps is there (t(x) ≥ t(y) + hop + 1 for each such y), and nothing of later or the same steps: t(x) ≤ t(y) + hop for
//! y into u of step i or later, the first of which only pushes y back. Parts of a message that come to u in one step come in one slot. All t only rise while they are pushed, and behind all slots taken so far there is always room, so this ends.

use graph::residual::Residual;
use kernel::{Message, Network, Node, Schedule, Slots, Transfer};
use std::collections::HashMap;
use std::hash::Hash;

/// What is known of a node while steps are placed one after the other.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// The slot after that in which the last transfer came here.
    came: usize,
    /// The slot from which all that came is there.
    held: usize,
    /// The last slot in which it sent.
    sent: usize,
}

/// The transfers of the schedule, which have paths of one channel, in slots.
pub(crate) fn in_slots(network: &Network, schedule: &Schedule, slots: Slots) -> Schedule {
    let hop = slots.hop as usize;
    let mut seen = vec![Seen::default(); network.node_count()];
    let mut free: Vec<Residual<'_>> = Vec::new();
    let mut placed: Vec<(usize, Transfer<'_>)> = Vec::new();
    for transfers in schedule.steps() {
        let transfers: Vec<Transfer<'_>> = transfers.collect();
        let ends: Vec<[Node; 2]> = transfers.iter().map(|of| ends(network, of)).collect();
        let earliest = |[from, to]: &[Node; 2]| {
            let (from, to) = (seen[from.index()], seen[to.index()]);
            from.held.max(to.came).max(to.sent.saturating_sub(hop))
        };
        let mut at: Vec<usize> = ends.iter().map(earliest).collect();
        loop {
            push(&transfers, &ends, hop, &mut at);
            let fits = transfers.iter().enumerate().find(|(number, of)| {
                free.resize_with(free.len().max(at[*number] + 1), || Residual::new(network));
                !free[at[*number]].try_take(of.path)
            });
            let Some((late, _)) = fits else { break };
            (0..late).for_each(|number| free[at[number]].give_path(transfers[number].path));
            at[late] += 1;
        }
        for ((of, [from, to]), slot) in transfers.into_iter().zip(&ends).zip(&at) {
            seen[from.index()].sent = seen[from.index()].sent.max(*slot);
            let to = &mut seen[to.index()];
            (to.came, to.held) = (to.came.max(slot + 1), to.held.max(slot + hop + 1));
            placed.push((*slot, of));
        }
    }
    // Without wrap-round the last are to arrive within the period.
    let count = if slots.cyclic { free.len() } else { free.len() + hop };
    placed.sort_by_key(|(slot, _)| *slot);
    let mut made = Schedule::new();
    let mut rest = placed.into_iter().peekable();
    for slot in 0..count {
        made.begin_step();
        while let Some((_, of)) = rest.next_if(|(at, _)| *at == slot) {
            made.push(of);
        }
    }
    made
}

fn ends(network: &Network, of: &Transfer<'_>) -> [Node; 2] {
    let [channel] = of.path else { unreachable!("under store-and-forward a path has one channel") };
    [network.from(*channel), network.to(*channel)]
}

/// Pushes back what would come to a sender of the same step too early, or before another part of the same message: of two parts the one may
/// hold all that is there already, and replaces it, with the other beside it or after it but not before it.
fn push(transfers: &[Transfer<'_>], ends: &[[Node; 2]], hop: usize, at: &mut [usize]) {
    let mut pushed = true;
    while std::mem::take(&mut pushed) {
        let (mut sent, mut merged): (HashMap<Node, usize>, HashMap<(Node, Message), usize>) = Default::default();
        for ((of, [from, to]), slot) in transfers.iter().zip(ends).zip(&*at) {
            latest(&mut sent, *from, *slot);
            of.messages.iter().for_each(|message| latest(&mut merged, (*to, *message), *slot));
        }
        for ((of, [_, to]), slot) in transfers.iter().zip(ends).zip(&mut *at) {
            let parts = of.messages.iter().filter_map(|message| merged.get(&(*to, *message)).copied());
            let earliest = parts.chain(sent.get(to).map(|last| last.saturating_sub(hop))).max().unwrap_or_default();
            pushed |= *slot < earliest;
            *slot = earliest.max(*slot);
        }
    }
}

fn latest<K: Eq + Hash>(of: &mut HashMap<K, usize>, key: K, slot: usize) {
    let last = of.entry(key).or_default();
    *last = (*last).max(slot);
}
