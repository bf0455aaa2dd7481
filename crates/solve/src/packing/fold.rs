//! **What:** messages and slots folded by a group: what one message of each orbit takes when its images go along.
//!
//! A slot is a resource in a step. A group element moves resources and may also shift steps, cyclically. For a resource r
//! that is the image of r₀ under an element of shift σ, the slot (r, t) falls together with (r₀, t − σ); where elements
//! that fix r₀ shift by multiples of e, steps fall together modulo e. Elements that fix a slot take it once each, so a
//! resource that w elements fix without a shift offers capacity / w.

use super::lanes::Lanes;
use crate::automorphisms::gcd;
use crate::symmetry::{Abelian, Ends};
use kernel::{Message, Problem};

/// Where the slots of a resource are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Use {
    /// The first slot of the orbit.
    pub start: u32,
    /// The step at which this resource's slots begin within the period.
    pub offset: u32,
    /// Steps after which slots repeat.
    pub period: u32,
    /// Messages a slot holds; 0 where the resource cannot be used.
    pub capacity: u32,
}

/// One element of the group.
pub(crate) struct Element {
    pub lanes: Vec<u32>,
    pub messages: Vec<Message>,
    pub shift: u32,
}

/// Messages and slots of a schedule of some number of steps, folded.
pub(crate) struct Fold {
    pub steps: u32,
    pub elements: Vec<Element>,
    /// One message of each orbit.
    pub messages: Vec<Message>,
    /// By resource.
    pub uses: Vec<Use>,
    /// Places in all slots together.
    pub places: usize,
}

impl Fold {
    /// Folds by `group`, its i-th factor shifting steps by `steps / shifts[i]`; `None` where the group does not respect
    /// messages or resources.
    pub fn new(
        (problem, lanes): (&Problem, &Lanes),
        (ends, open): (&Ends, &[Message]),
        (group, shifts): (&Abelian, &[u64]),
        steps: u32,
    ) -> Option<Self> {
        let count = problem.collective().message_count();
        let resources = lanes.capacity.len();
        let mut elements = Vec::with_capacity(group.elements.len());
        // Of every resource, the least element of its orbit and the shift from there, as elements are met.
        let mut from: Vec<Option<(u32, u32)>> = vec![None; resources];
        let mut maps = Vec::with_capacity(group.elements.len());
        for (map, powers) in &group.elements {
            let shift =
                powers.iter().zip(shifts).map(|(p, d)| p * (u64::from(steps) / d)).sum::<u64>() % u64::from(steps);
            let shift = u32::try_from(shift).expect("less than the steps");
            let (lane_images, resource_images) = lanes.images(map)?;
            elements.push(Element { lanes: lane_images, messages: ends.images(map, count)?, shift });
            maps.push((resource_images, shift));
        }
        let mut uses = vec![Use::default(); resources];
        let mut places = 0usize;
        for r in 0..resources {
            if from[r].is_some() {
                continue;
            }
            let (mut period, mut still) = (u64::from(steps), 0u32);
            let first = u32::try_from(places).ok()?;
            for (map, shift) in &maps {
                let image = map[r] as usize;
                from[image].get_or_insert((first, *shift));
                if image == r {
                    period = gcd(period, u64::from(*shift));
                    still += u32::from(*shift == 0);
                }
            }
            let period = u32::try_from(period).expect("divides the steps");
            let most = u32::try_from(open.len()).unwrap_or(u32::MAX);
            let capacity = (lanes.capacity[r] / still).min(most);
            for (map, _) in &maps {
                let image = map[r] as usize;
                let (start, shift) = from[image].expect("set above");
                let offset = (period - shift % period) % period;
                uses[image] = Use { start, offset, period, capacity };
            }
            places += period as usize * capacity as usize;
        }
        let mut seen = vec![false; count];
        let mut messages = Vec::new();
        for &m in open {
            if seen[m.index()] {
                continue;
            }
            messages.push(m);
            for element in &elements {
                if std::mem::replace(&mut seen[element.messages[m.index()].index()], true) {
                    return None;
                }
            }
        }
        (places < 1 << 31).then_some(Fold { steps, elements, messages, uses, places })
    }

    /// Whether `path` and its images are disjoint.
    pub fn admits(&self, lanes: &Lanes, path: &[u32]) -> bool {
        let mut taken: Vec<(u32, u32, u32)> = Vec::new();
        lanes.resources(path, |r| {
            let used = self.uses[r as usize];
            taken.push((used.start, used.offset, used.capacity));
        });
        taken.sort_unstable();
        let fits = |same: &[(u32, u32, u32)]| same.len() <= same[0].2 as usize;
        taken.iter().all(|t| t.2 > 0) && taken.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).all(fits)
    }
}
