//! **What:** a problem of which one message an orbit is written down.

use super::Translations;
use crate::{Collective, Message, Model, Network, Node, Problem, ProblemError, Semantics};

/// Why representatives and a symmetry make no problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrbitError {
    /// The representatives themselves are no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The symmetry is one of another network.
    #[error("the symmetry belongs to another network")]
    OtherNetwork,
    /// The problem to be folded has not the messages of alltoall between all terminals.
    #[error("the messages are not one from every terminal to every other")]
    NotComplete,
    /// Only messages for one destination each, not combined and not under time-division, can be folded.
    #[error(
        "only messages for one destination each, not combined and not under time-division, can be stored as orbits"
    )]
    Unsupported,
    /// Two representatives stand for the same messages.
    #[error("messages {first} and {second} are images of each other")]
    SameOrbit {
        /// The one.
        first: Message,
        /// The other.
        second: Message,
    },
    /// The problem has too many messages to be written down one by one.
    #[error("{messages} messages are too many to write down one by one (at most {most})")]
    TooMany {
        /// Messages in all orbits.
        messages: u64,
        /// Most that are expanded.
        most: u64,
    },
    /// The schedule has too many channel uses to be written down one by one.
    #[error("{uses} channel uses are too many to write down one by one (at most {most})")]
    TooManyUses {
        /// Channel uses in all orbits.
        uses: u64,
        /// Most that are expanded.
        most: u64,
    },
}

/// A well-posed problem with a symmetry. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct OrbitProblem {
    whole: Problem,
    representatives: Problem,
    translations: Translations,
}

impl OrbitProblem {
    /// Most messages that [`OrbitProblem::expanded`] writes down.
    pub const MOST_EXPANDED: u64 = 1 << 24;

    /// The problem whose messages are the images of the representatives.
    ///
    /// # Errors
    /// The first fault found, as [`OrbitError`]; of other messages than those of alltoall there may be
    /// [`OrbitProblem::MOST_EXPANDED`].
    pub fn new(representatives: Problem, translations: Translations) -> Result<Self, OrbitError> {
        Self::new_within(representatives, translations, Self::MOST_EXPANDED)
    }

    /// As [`OrbitProblem::new`], where other messages than those of alltoall may be `most`.
    ///
    /// # Errors
    /// As [`OrbitProblem::new`].
    pub fn new_within(representatives: Problem, translations: Translations, most: u64) -> Result<Self, OrbitError> {
        // Filled in when the images are known to be different.
        let whole = representatives.clone();
        let mut folded = OrbitProblem { whole, representatives, translations };
        folded.check()?;
        let (network, collective) = (folded.network(), folded.representatives.collective());
        let terminals = || network.terminals().to_vec();
        let messages = folded.message_count();
        let collective = match folded.is_complete() {
            true => Collective::product_of(collective.name(), terminals(), terminals()),
            false if messages > most => return Err(OrbitError::TooMany { messages, most }),
            false => Collective::pairs(collective.name(), &folded.pairs().collect::<Vec<_>>()),
        };
        folded.whole = Problem::known(network.clone(), collective, folded.whole.model());
        Ok(folded)
    }

    /// A message from every terminal to every other: of each orbit of terminals, the least one's messages.
    ///
    /// # Errors
    /// Where the network does not connect its terminals, or the model cannot be folded.
    pub fn alltoall(translations: &Translations, model: Model) -> Result<Self, OrbitError> {
        let network = translations.network();
        let collective = Collective::alltoall(network.terminals(), network.terminals());
        Self::of(&Problem::new(network.clone(), collective, model)?, translations)
    }

    /// The same problem folded by a symmetry: it must be one of a message from every terminal of the network to every other.
    /// Of each orbit of terminals, the least one's messages are the representatives.
    ///
    /// # Errors
    /// Where problem and symmetry are of different networks, the messages are others, or the model cannot be folded.
    pub fn of(problem: &Problem, translations: &Translations) -> Result<Self, OrbitError> {
        let (network, name) = (problem.network(), problem.collective().name());
        if network != translations.network() {
            return Err(OrbitError::OtherNetwork);
        }
        let terminals = || network.terminals().to_vec();
        if *problem.collective() != Collective::product_of(name, terminals(), terminals()) {
            return Err(OrbitError::NotComplete);
        }
        let collective = Collective::product_of(name, translations.bases().collect(), terminals());
        let representatives = Problem::known(network.clone(), collective, problem.model());
        let folded = OrbitProblem { whole: problem.clone(), representatives, translations: translations.clone() };
        folded.check()?;
        Ok(folded)
    }

    /// Whether representatives can be folded and stand for different messages.
    fn check(&self) -> Result<(), OrbitError> {
        let (representatives, translations) = (&self.representatives, &self.translations);
        if representatives.network() != translations.network() {
            return Err(OrbitError::OtherNetwork);
        }
        let (collective, model) = (representatives.collective(), representatives.model());
        if !collective.is_numbered() {
            let messages = collective.message_count() as u64;
            return Err(OrbitError::TooMany { messages, most: u32::MAX.into() });
        }
        let single = |m| collective.destinations(m).len() == 1 && collective.destinations(m)[0] != collective.origin(m);
        if collective.semantics() != Semantics::Copy
            || model.is_slotted()
            || model.combining
            || !collective.messages().all(single)
        {
            return Err(OrbitError::Unsupported);
        }
        let pair = |m| translations.representative(collective.origin(m), collective.destinations(m)[0]);
        // Messages that stand in the order of their pairs are all different.
        if !collective.messages().map(pair).is_sorted_by(|a, b| a < b) {
            let mut pairs: Vec<((Node, Node), Message)> = collective.messages().map(|m| (pair(m), m)).collect();
            pairs.sort_unstable();
            let same = pairs.windows(2).filter(|w| w[0].0 == w[1].0);
            if let Some((first, second)) = same.map(|w| (w[0].1, w[1].1)).min_by_key(|(_, second)| *second) {
                return Err(OrbitError::SameOrbit { first, second });
            }
        }
        Ok(())
    }

    /// The problem with all messages.
    pub fn whole(&self) -> &Problem {
        &self.whole
    }

    /// The problem of the representatives alone.
    pub fn representatives(&self) -> &Problem {
        &self.representatives
    }

    /// The symmetry.
    pub fn translations(&self) -> &Translations {
        &self.translations
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.representatives.network()
    }

    /// Number of messages in all orbits: no image of a message is itself.
    pub fn message_count(&self) -> u64 {
        self.representatives.collective().message_count() as u64 * u64::from(self.translations.order())
    }

    /// Whether the messages are those of alltoall: every ordered pair of different terminals, once.
    pub fn is_complete(&self) -> bool {
        // The orbits are different, so it is enough to count.
        let terminals = self.network().terminals().len() as u64;
        self.message_count() == terminals * (terminals - 1)
    }

    /// The number of a message in [`OrbitProblem::whole`]. Of alltoall, messages are numbered by origin, then by
    /// destination; else representative by representative, and of each by the elements of the group.
    pub fn number(&self, message: Message, element: u32) -> u64 {
        if !self.is_complete() {
            return message.0 as u64 * u64::from(self.translations.order()) + u64::from(element);
        }
        let collective = self.representatives.collective();
        let image = |v| self.translations.image_node(element, v);
        let (from, to) = (image(collective.origin(message)), image(collective.destinations(message)[0]));
        let terminals = self.network().terminals();
        let rank = |v: Node| terminals.partition_point(|t| *t < v) as u64;
        rank(from) * (terminals.len() as u64 - 1) + rank(to) - u64::from(to > from)
    }

    /// All messages, origin and destination, in the order of their numbers.
    pub fn pairs(&self) -> Box<dyn Iterator<Item = (Node, Node)> + '_> {
        let collective = self.representatives.collective();
        if self.is_complete() {
            let terminals = self.network().terminals();
            let of = move |from: Node| terminals.iter().filter(move |to| **to != from).map(move |&to| (from, to));
            return Box::new(terminals.iter().flat_map(move |&from| of(from)));
        }
        let images = move |m: Message| {
            let image = move |e, v| self.translations.image_node(e, v);
            (0..self.translations.order())
                .map(move |e| (image(e, collective.origin(m)), image(e, collective.destinations(m)[0])))
        };
        Box::new(collective.messages().flat_map(images))
    }

    /// The problem with all messages, where they are few enough to be looked at one by one.
    ///
    /// # Errors
    /// Where there are more than [`OrbitProblem::MOST_EXPANDED`] messages.
    pub fn expanded(&self) -> Result<Problem, OrbitError> {
        let messages = self.message_count();
        if messages > Self::MOST_EXPANDED {
            return Err(OrbitError::TooMany { messages, most: Self::MOST_EXPANDED });
        }
        Ok(self.whole.clone())
    }
}
