//! **What:** what is laid down before the solver begins: the step by which each chunk is merged, and in how many roots; and which chunks are images of others under an
//! automorphism. The less is left to choose, the sooner a solver finds it, or that there is none.

use crate::images;
use graph::automorphisms::Group;
use kernel::{Message, Problem};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use search::resources::Resources;

/// What is laid down.
pub(super) struct Plan {
    pub steps: usize,
    /// Of each chunk, where anything is.
    pub meetings: Vec<Meeting>,
    /// Where an automorphism takes each lane: the second half of the chunks takes the images of what the first half takes.
    pub image: Option<Vec<u32>>,
}

/// How a chunk comes together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Meeting {
    /// The step before which it is merged in each root.
    pub step: usize,
    /// Two roots exchange what they have in this step, where there are two that can; else there is one root.
    pub is_exchange: bool,
}

/// Kinds of plans, by turns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// All chunks meet in the middle of the time, since copying takes as long as merging.
    Middle,
    /// The same, and half of the chunks are images of the others.
    Images,
    /// They meet one after the other.
    Spaced,
    /// They meet in any steps.
    Drawn,
    /// Nothing is laid down.
    Free,
}

impl Plan {
    /// A plan of this kind.
    pub(super) fn draw(kind: Kind, chunks: usize, steps: usize, random: &mut Pcg64Mcg) -> Self {
        let is_exchange = kind != Kind::Drawn || random.random_ratio(3, 4);
        // An exchange takes a step that is neither merging nor copying. Where the middle is between two steps, half of the chunks take each of them.
        let time = steps - usize::from(is_exchange);
        let middle = |chunk: usize| (time + usize::from(2 * chunk >= chunks)) / 2;
        let mut meets: Vec<usize> = match kind {
            Kind::Free => Vec::new(),
            Kind::Middle | Kind::Images => (0..chunks).map(middle).collect(),
            // About equally far from each other, as in a pipeline.
            Kind::Spaced => {
                let span = random.random_range(0..=time / 2);
                let first = (time - span + random.random_range(0..=1)) / 2;
                (0..chunks).map(|chunk| first + span * chunk / (chunks - 1).max(1)).collect()
            }
            // Neither merging nor copying is very short.
            Kind::Drawn => (0..chunks).map(|_| random.random_range(time / 4..=time - time / 4)).collect(),
        };
        meets.sort_unstable();
        let meeting = |step: usize| Meeting { step: step.clamp(1, steps - 1), is_exchange };
        Plan { steps, meetings: meets.into_iter().map(meeting).collect(), image: None }
    }
}

/// Where an automorphism that is drawn takes each lane; `None` where it moves none, or moves the ends of chunks.
pub(super) fn image(resources: &Resources<'_>, group: &Group, random: &mut Pcg64Mcg) -> Option<Vec<u32>> {
    let moved = group.random(random);
    let at_first = images::ends(resources.problem, Message(0), |v| v.0);
    let ends = images::ends(resources.problem, Message(0), |v| moved.nodes[v.index()]);
    (!moved.is_identity() && ends == at_first).then(|| resources.images(&moved))?.map(|(lanes, _)| lanes)
}

/// Whether the second half of the chunks may be images of the first: all have the same contributors and destinations.
pub(super) fn are_alike(problem: &Problem) -> bool {
    let collective = problem.collective();
    let ends = |m: Message| (collective.contributors(m), collective.destinations(m));
    let mut all = collective.messages().map(ends);
    let is_even = collective.message_count().is_multiple_of(2);
    is_even && all.next().is_some_and(|first| all.all(|other| other == first))
}
