//! **What:** problems in time with a symmetry, and the checker of their schedules, of which one transfer an orbit is written down.
//!
//! **Meaning.** As in [`crate::orbits`], a message stands for its images under an abelian group of automorphisms that acts freely, which here respect bandwidths, latencies and
//! switches that copy as well. A transfer stands for its images, all of which begin at its tick: nothing shifts time.
//!
//! **Why representatives are enough.** Images take as long as what they are images of, so they are held at the same ticks, and before each tick node g(v) holds g(m)
//! just where v holds m. What a channel carries at a tick, its images carry then; so it is enough to look at one channel of each orbit, the base, and likewise at groups and ports. A
//! representative's use of a channel is at the base once for every element that takes the channel there. A terminal, which no element but one leaves where it
//! is, gets one image of each transfer to a node of its orbit, so what it merges one after the other is what comes to all of them, and images of what
//! arrives at one tick stand in the order of the representatives at every node. Where switches copy, a transfer may have several receivers in one orbit, whose images would
//! stand in another order at other nodes: that is refused where merging takes time.

use super::verify::{Bases, replayed};
use super::{Links, TimedProblem, TimedProblemError, TimedSchedule, TimedTransfer, Units, VerifiedTimed};
use crate::orbits::{OrbitError, OrbitProblem, Translations, TranslationsError};
use crate::violation::Violations;
use crate::{Channel, Message, Rejected, Transfer};

/// Why representatives, a symmetry and links make no problem in time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimedOrbitError {
    /// They make no problem of steps.
    #[error(transparent)]
    Orbits(#[from] OrbitError),
    /// The links or units are none of the network.
    #[error(transparent)]
    Timed(#[from] TimedProblemError),
    /// The symmetry does not respect the links.
    #[error(transparent)]
    Translations(#[from] TranslationsError),
    /// What a switch copies to several nodes would be merged in another order at each.
    #[error("where switches copy and merging takes time, chunks that are merged cannot be stored as orbits")]
    CopiesMerged,
}

/// A well-posed problem in time with a symmetry. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct TimedOrbits {
    whole: TimedProblem,
    representatives: TimedProblem,
    folded: OrbitProblem,
}

impl TimedOrbits {
    /// Most channel uses that [`VerifiedTimed::written_out`] writes down.
    pub const MOST_USES: u64 = 1 << 22;

    /// A problem whose messages are the images of some, under paths of any length and without combining.
    ///
    /// # Errors
    /// Links that do not fit the network, or that the symmetry does not respect.
    pub fn new(folded: OrbitProblem, links: Links, units: Units) -> Result<Self, TimedOrbitError> {
        let whole = folded.whole();
        let whole = TimedProblem::new(whole.network().clone(), whole.collective().clone(), false, links, units)?;
        Self::joined(whole, folded)
    }

    /// The same messages and symmetry, with the links and units of another problem; `None` where that is of other messages, or the symmetry does not respect its links.
    #[must_use]
    pub fn of_other_links(&self, problem: &TimedProblem) -> Option<Self> {
        let (own, other) = (self.whole.plain(), problem.plain());
        let same =
            (own.network(), own.collective(), own.model()) == (other.network(), other.collective(), other.model());
        same.then(|| Self::joined(problem.clone(), self.folded.clone()).ok()).flatten()
    }

    /// A problem folded by a symmetry of its network.
    ///
    /// # Errors
    /// Where it is no problem that can be folded, or the symmetry does not respect the links.
    pub fn of(problem: &TimedProblem, translations: &Translations) -> Result<Self, TimedOrbitError> {
        Self::joined(problem.clone(), OrbitProblem::of(problem.plain(), translations)?)
    }

    fn joined(whole: TimedProblem, folded: OrbitProblem) -> Result<Self, TimedOrbitError> {
        if whole.merging() > 0 && !whole.links().multicast.is_empty() && folded.is_reduction() {
            return Err(TimedOrbitError::CopiesMerged);
        }
        respected(&whole, folded.translations())?;
        let representatives = whole.with_messages_of(folded.representatives().clone());
        Ok(TimedOrbits { whole, representatives, folded })
    }

    /// The problem with all messages.
    pub fn whole(&self) -> &TimedProblem {
        &self.whole
    }

    /// The problem of the representatives alone.
    pub fn representatives(&self) -> &TimedProblem {
        &self.representatives
    }

    /// The symmetry.
    pub fn translations(&self) -> &Translations {
        self.folded.translations()
    }

    /// Checks every rule on representatives. Violations name transfers of the representatives, and what is overloaded at the base of its orbit.
    ///
    /// # Errors
    /// As [`verify_keeping`](super::verify_keeping).
    pub fn verify_keeping(&self, claim: TimedSchedule, most: usize) -> Result<VerifiedTimed, Rejected> {
        let bases = Bases::of(Some(self.translations()));
        let ticks = replayed(&self.representatives, &claim, bases, Violations::new(most))?;
        Ok(VerifiedTimed::of_orbits(self.clone(), claim, ticks))
    }

    /// As [`TimedOrbits::verify_keeping`], keeping as many violations as usual.
    ///
    /// # Errors
    /// As [`verify`](super::verify).
    pub fn verify(&self, claim: TimedSchedule) -> Result<VerifiedTimed, Rejected> {
        self.verify_keeping(claim, Rejected::KEPT)
    }

    /// All transfers, where that is not too much.
    pub(super) fn written_out(&self, claim: &TimedSchedule) -> Result<TimedSchedule, OrbitError> {
        let order = self.translations().order();
        let channels = claim.steps().flatten().flat_map(|transfer| transfer.paths()).map(|path| path.len() as u64);
        let uses = channels.sum::<u64>().saturating_mul(order.into());
        if uses > Self::MOST_USES {
            return Err(OrbitError::TooManyUses { uses, most: Self::MOST_USES });
        }
        let _written = self.folded.expanded()?;
        let mut all = TimedSchedule::default();
        for (tick, step) in claim.times().iter().zip(claim.steps()) {
            all.begin_step(*tick);
            for transfer in step {
                (0..order).for_each(|element| self.push_image(&mut all, &transfer, element));
            }
        }
        Ok(all)
    }

    fn push_image(&self, all: &mut TimedSchedule, sent: &TimedTransfer<'_>, element: u32) {
        let image = |path: &[Channel]| -> Vec<Channel> {
            path.iter().map(|c| self.translations().image_channel(element, *c)).collect()
        };
        let Transfer { messages, op, partials, .. } = sent.transfer;
        let number = |m: &Message| u32::try_from(self.folded.number(*m, element)).map(Message);
        let messages: Result<Vec<Message>, _> = messages.iter().map(number).collect();
        let messages = messages.expect("a problem in time has no more messages than numbers");
        let paths: Vec<Vec<Channel>> = sent.paths().map(image).collect();
        all.push(Transfer { messages: &messages, path: &paths[0], op, partials }, sent.rate, &paths[1..]);
    }
}

/// Whether the generators take channels and switches to others that are as fast and copy as well.
fn respected(problem: &TimedProblem, translations: &Translations) -> Result<(), TranslationsError> {
    let (network, links) = (problem.network(), problem.links());
    for generator in 0..translations.orders().len() {
        let element = translations.unit(generator);
        let unlike = |what, id, image, property| TranslationsError::Unlike { generator, what, id, image, property };
        for channel in network.channels() {
            let image = translations.image_channel(element, channel);
            for (list, property) in [(&links.bandwidth, "bandwidth"), (&links.latency, "latency")] {
                // No latencies are none.
                if list.get(channel.index()) != list.get(image.index()) {
                    return Err(unlike("channel", channel.0, image.0, property));
                }
            }
        }
        let mut moved = links.multicast.iter().map(|node| (node, translations.image_node(element, *node)));
        if let Some((node, image)) = moved.find(|(_, image)| !problem.copies(*image)) {
            return Err(unlike("node", node.0, image.0, "copying"));
        }
    }
    Ok(())
}
