//! **What:** a first schedule: longest messages first, each in the earliest step that one of a few of its paths is free in.

use super::lanes::Lanes;
use super::routes::Routes;
use kernel::{Message, Problem};
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Which steps of a resource are full, a bit each, and how often each step is taken.
#[derive(Clone, Default)]
struct Column {
    full: Vec<u64>,
    taken: Vec<u32>,
}

/// The shortest paths of a message.
struct Choice {
    message: usize,
    length: usize,
    paths: std::ops::Range<usize>,
}

/// Looks at a lane that take about as long as a tick, and that it takes about to find a path.
const LOOKS_A_TICK: u64 = 16;
const LOOKS_A_PATH: u64 = 256;

/// Counts looks in ticks.
fn spend(budget: &mut Budget<'_>, looks: u64, counted: &mut u64) -> bool {
    let ticks = (looks - *counted) / LOOKS_A_TICK;
    *counted += ticks * LOOKS_A_TICK;
    budget.spend(ticks)
}

/// The path and step of each message, in the order of `open`; `None` where a message has no path of its own, or
/// the budget ends.
pub(crate) fn first_fit(
    problem: &Problem,
    lanes: &Lanes,
    open: &[Message],
    random: &mut Pcg64Mcg,
    slack: u32,
    budget: &mut Budget<'_>,
) -> Option<Vec<(Vec<u32>, u32)>> {
    let collective = problem.collective();
    let ends = |m: Message| (collective.origin(m), collective.destinations(m)[0]);
    // Where there is little time for each message, it has few paths to choose from.
    let looks = budget.left().saturating_mul(LOOKS_A_TICK / 2) / open.len().max(1) as u64;
    let few =
        usize::try_from(looks / LOOKS_A_PATH).unwrap_or(usize::MAX).min((1 << 23) / open.len().max(1)).clamp(1, 8);
    let mut routes = Routes::new(problem, lanes);
    let mut counted = 0;
    // Shortest paths one after the other, and where those of each message begin.
    let mut arcs: Vec<u32> = Vec::new();
    let mut choices: Vec<Choice> = Vec::with_capacity(open.len());
    let mut order: Vec<usize> = (0..open.len()).collect();
    order.sort_by_cached_key(|&i| ends(open[i]).1);
    for message in order {
        let (from, to) = ends(open[message]);
        let paths = routes.find(from, to, slack.min(1), few, random);
        if !spend(budget, routes.looks, &mut counted) {
            return None;
        }
        let (length, begin) = (paths.iter().map(Vec::len).min()?, arcs.len());
        paths.iter().filter(|path| path.len() == length).for_each(|path| arcs.extend(path));
        choices.push(Choice { message, length, paths: begin..arcs.len() });
    }
    choices.sort_by_cached_key(|choice| (std::cmp::Reverse(choice.length), choice.message));
    let mut columns = vec![Column::default(); lanes.capacity.len()];
    let mut placed = vec![(Vec::new(), 0); open.len()];
    for choice in choices {
        let mut best: Option<(u32, &[u32])> = None;
        for path in arcs[choice.paths].chunks(choice.length) {
            let mut step = u32::MAX;
            for word in 0.. {
                let mut full = 0u64;
                routes.looks += path.len() as u64;
                lanes.resources(path, |r| full |= columns[r as usize].full.get(word).copied().unwrap_or(0));
                if full != u64::MAX {
                    step = u32::try_from(word * 64).ok()? + full.trailing_ones();
                    break;
                }
            }
            if best.as_ref().is_none_or(|b| step < b.0) {
                best = Some((step, path));
            }
        }
        let (step, path) = best.filter(|_| spend(budget, routes.looks, &mut counted))?;
        let (at, word, bit) = (step as usize, step as usize / 64, step % 64);
        lanes.resources(path, |r| {
            let column = &mut columns[r as usize];
            column.taken.resize(column.taken.len().max(at + 1), 0);
            column.full.resize(column.full.len().max(word + 1), 0);
            column.taken[at] += 1;
            if column.taken[at] >= lanes.capacity[r as usize] {
                column.full[word] |= 1 << bit;
            }
        });
        placed[choice.message] = (path.to_vec(), step);
    }
    Some(placed)
}
