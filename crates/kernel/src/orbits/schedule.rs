//! **What:** the claim of a schedule of orbits, and its steps transfer by transfer.

use super::OrbitProblem;
use crate::{Channel, Message, Node, Op, Schedule};
use std::collections::BTreeMap;

/// The claim: transfers of representative messages, and how the generators shift time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrbitSchedule {
    /// Steps by which each generator shifts time; of one of order n, n times as many must be whole rounds of all steps.
    pub shifts: Vec<u64>,
    /// As many steps as the whole schedule, with the representatives' transfers.
    pub schedule: Schedule,
}

/// One transfer of a step of the whole schedule: the image of a representative's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image<'a> {
    /// The representative of its message.
    pub message: Message,
    /// The element of the group that takes the representative to the message.
    pub element: u32,
    /// Where it starts.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// The channels from the one to the other.
    pub path: Vec<Channel>,
    /// What the receiver does with it.
    pub op: Op,
    /// Which of the partial results that the sender keeps apart it carries; none where it keeps none.
    pub partials: &'a [u32],
}

/// What the elements shift time by.
#[derive(Clone, Debug)]
pub(super) struct Shifts {
    /// The shift of each element, by its number.
    pub of: Vec<u64>,
    /// The elements of each shift, both ascending.
    elements: BTreeMap<u64, Vec<u32>>,
}

impl Shifts {
    /// Whether no element shifts time.
    pub(super) fn are_none(&self) -> bool {
        self.elements.keys().all(|shift| *shift == 0)
    }

    /// Shifts modulo `steps`, which must be positive.
    pub(super) fn new(problem: &OrbitProblem, shifts: &[u64], steps: u64) -> Self {
        let of = problem.translations().radix().sums(shifts, steps);
        let mut elements: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (element, &shift) in (0u32..).zip(&of) {
            elements.entry(shift).or_default().push(element);
        }
        Shifts { of, elements }
    }
}

/// The transfers of one step of the whole schedule.
pub(super) fn step<'a>(
    problem: &'a OrbitProblem,
    schedule: &'a Schedule,
    shifts: &'a Shifts,
    step: usize,
) -> impl Iterator<Item = Image<'a>> + 'a {
    let steps = schedule.step_count();
    let translations = problem.translations();
    let network = problem.network();
    shifts.elements.iter().flat_map(move |(&shift, elements)| {
        let shift = usize::try_from(shift).expect("a shift is below the number of steps, which are in memory");
        schedule.step((step + steps - shift) % steps).flat_map(move |transfer| {
            let message = transfer.messages[0];
            // A verified transfer has a path, from whoever holds the message.
            let ends = (network.from(transfer.path[0]), network.to(transfer.path[transfer.path.len() - 1]));
            elements.iter().map(move |&element| Image {
                message,
                element,
                from: translations.image_node(element, ends.0),
                to: translations.image_node(element, ends.1),
                path: transfer.path.iter().map(|&c| translations.image_channel(element, c)).collect(),
                op: transfer.op,
                partials: transfer.partials,
            })
        })
    })
}
