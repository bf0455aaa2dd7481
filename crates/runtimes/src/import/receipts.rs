//! **What:** what receivers do with what comes, so that every transfer carries what it carried in the program.
//!
//! **Facts:** where a rank needs one sum of a chunk at a time, merging and replacing are enough; where it needs several, what comes is kept apart, and transfers name
//! what they take. That is always possible: a transfer takes what came, and was there before, and no contribution twice.
//!
//! **Source:** `docs/format-extensions.md`, partial results kept apart.

use super::steps::Placed;
use super::{Part, Transcript};
use kernel::{Message, Op, Problem, Schedule, Semantics, Transfer};
use std::collections::{BTreeSet, HashMap};

/// What happens to a chunk at a rank, in the order of the steps.
#[derive(Default)]
struct Stay {
    /// Transfers that bring it, and their steps.
    comes: Vec<(usize, u32)>,
    /// Transfers that carry it on.
    goes: Vec<(usize, u32)>,
}

/// What receivers do, and what senders choose.
struct Receipts {
    ops: Vec<Op>,
    partials: Vec<Vec<u32>>,
}

/// The schedule of what was placed.
pub(super) fn written(of: &Transcript, problem: &Problem, placed: &Placed) -> Schedule {
    let count = of.sends.len();
    let mut receipts = Receipts { ops: vec![Op::Reduce; count], partials: vec![Vec::new(); count] };
    if problem.collective().semantics() == Semantics::Reduce {
        receipts.choose(of, placed);
    }
    let mut schedule = Schedule::new();
    for step in &placed.steps {
        schedule.begin_step();
        for at in step.iter().map(|at| *at as usize) {
            schedule.push(Transfer {
                messages: &[of.sends[at].message],
                path: &placed.paths[at],
                op: receipts.ops[at],
                partials: &receipts.partials[at],
            });
        }
    }
    schedule
}

impl Receipts {
    fn choose(&mut self, of: &Transcript, placed: &Placed) {
        let mut stays: HashMap<(Message, u32), Stay> = HashMap::new();
        for (step, sends) in placed.steps.iter().enumerate() {
            for at in sends {
                let sent = &of.sends[*at as usize];
                stays.entry((sent.message, sent.lane.from)).or_default().goes.push((step, *at));
                stays.entry((sent.message, sent.lane.to)).or_default().comes.push((step, *at));
            }
        }
        for ((message, rank), stay) in &stays {
            let has_own = of.collective.contributors(*message).contains(&of.nodes[*rank as usize]);
            let end = of.ends.get(&(*message, *rank));
            if !self.merged(of, stay, has_own, end) {
                self.kept_apart(of, stay, has_own, end);
            }
        }
    }

    /// Merges or replaces, where that comes to what every transfer takes; whether it does.
    fn merged(&mut self, of: &Transcript, stay: &Stay, has_own: bool, end: Option<&Vec<Part>>) -> bool {
        let mut has: BTreeSet<Part> = has_own.then_some(Part::Own).into_iter().collect();
        let mut comes = stay.comes.iter().peekable();
        let takes = stay.goes.iter().map(|(step, at)| (*step, &of.sends[*at as usize].takes));
        for (step, takes) in takes.chain(end.map(|end| (usize::MAX, end))) {
            let takes: BTreeSet<Part> = takes.iter().copied().collect();
            while let Some((_, at)) = comes.next_if(|(came, _)| *came < step) {
                let op = match (has.is_subset(&takes), has.is_disjoint(&takes)) {
                    (true, _) => Op::Reduce,
                    (false, true) => Op::Copy,
                    (false, false) => return false,
                };
                if op == Op::Copy {
                    has.clear();
                }
                self.ops[*at as usize] = op;
                has.insert(Part::Came(*at));
            }
            if has != takes {
                return false;
            }
        }
        true
    }

    fn kept_apart(&mut self, of: &Transcript, stay: &Stay, has_own: bool, end: Option<&Vec<Part>>) {
        let mut replaces = has_own && end.is_some_and(|end| !end.contains(&Part::Own));
        for (_, at) in &stay.comes {
            let is_end = end.is_some_and(|end| end.contains(&Part::Came(*at)));
            self.ops[*at as usize] = match is_end {
                false => Op::Keep,
                true if std::mem::take(&mut replaces) => Op::Copy,
                true => Op::Reduce,
            };
        }
        let numbers: HashMap<u32, u32> = stay.comes.iter().map(|(_, at)| *at).zip(1..).collect();
        for (_, at) in &stay.goes {
            let number = |part: &Part| match part {
                Part::Own => 0,
                Part::Came(by) => numbers[by],
            };
            self.partials[*at as usize] = of.sends[*at as usize].takes.iter().map(number).collect();
        }
    }
}
