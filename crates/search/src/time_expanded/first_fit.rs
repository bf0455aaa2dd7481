//! **What:** a first schedule: messages of the longest ways first, each with the earliest arrival that free slots allow.

use super::ways::Ways;
use crate::packing::lanes::Lanes;
use kernel::Message;
use run::Budget;

/// Which steps of a resource are full, and how often each is taken.
#[derive(Clone, Default)]
struct Column {
    full: Vec<bool>,
    taken: Vec<u32>,
}

/// The hops `(step, message, lane)` of all messages, whose ways are in the order of `open`.
/// `None` where the budget ends.
pub(super) fn first_fit(
    lanes: &Lanes,
    ways: &Ways,
    open: &[Message],
    budget: &mut Budget<'_>,
) -> Option<Vec<(u32, Message, u32)>> {
    let mut columns = vec![Column::default(); lanes.capacity.len()];
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(ways.length(i)), i));
    let mut list = Vec::new();
    // Of each place, the step in which the message may leave, and the hop by which it came.
    let mut reached: Vec<(usize, u32, u32)> = Vec::new();
    for i in order {
        let places = ways.of(i);
        if !budget.spend(columns[0].full.len() as u64 + places.len() as u64) {
            return None;
        }
        reached.clear();
        reached.push((0, 0, 0));
        for place in places.start + 1..places.end {
            let arrivals = ways.hops_to(place).iter().map(|&(from, lane)| {
                let mut step = reached[from as usize].0;
                let full = |step: usize| {
                    let mut full = false;
                    lanes.resources(&[lane], |r| full |= columns[r as usize].full.get(step) == Some(&true));
                    full
                };
                while full(step) {
                    step += 1;
                }
                (step + 1, from, lane)
            });
            reached.push(arrivals.min().expect("a hop leads to every place but the first"));
        }
        let mut at = reached.len() - 1;
        while at > 0 {
            let (after, from, lane) = reached[at];
            list.push(((after - 1) as u32, open[i], lane));
            lanes.resources(&[lane], |r| {
                let column = &mut columns[r as usize];
                column.taken.resize(column.taken.len().max(after), 0);
                column.full.resize(column.taken.len(), false);
                column.taken[after - 1] += 1;
                column.full[after - 1] = column.taken[after - 1] >= lanes.capacity[r as usize];
            });
            at = from as usize;
        }
    }
    Some(list)
}
