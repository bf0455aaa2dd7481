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
    /// The problem to be folded has not the messages of alltoall or allgather between all terminals.
    #[error("the messages are not those of alltoall or allgather between all terminals")]
    NotComplete,
    /// Only messages from an origin to others, not combined and not under time-division, can be folded.
    #[error(
        "only messages from one origin to other nodes, not combined and not under time-division, can be stored as orbits"
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
        /// Messages in all orbits, each as often as it has destinations.
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
    /// The first fault found, as [`OrbitError`]; of other messages than those of alltoall and allgather there may be
    /// [`OrbitProblem::MOST_EXPANDED`], each counted as often as it has destinations.
    pub fn new(representatives: Problem, translations: Translations) -> Result<Self, OrbitError> {
        Self::new_within(representatives, translations, Self::MOST_EXPANDED)
    }

    /// As [`OrbitProblem::new`], where other messages than those of alltoall and allgather may be `most`.
    ///
    /// # Errors
    /// As [`OrbitProblem::new`].
    pub fn new_within(representatives: Problem, translations: Translations, most: u64) -> Result<Self, OrbitError> {
        // Filled in when the images are known to be different.
        let whole = representatives.clone();
        let mut folded = OrbitProblem { whole, representatives, translations };
        folded.check()?;
        let (network, collective) = (folded.network(), folded.representatives.collective());
        let (name, messages) = (collective.name(), folded.delivery_count());
        let terminals = || network.terminals().to_vec();
        let collective = match folded.is_complete() {
            true => Collective::product_of(name, terminals(), terminals()),
            false if folded.is_allgather() => Collective::allgather_of(name, terminals()),
            false if messages > most => return Err(OrbitError::TooMany { messages, most }),
            false => folded.written_out(),
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

    /// One message from every terminal to all others: of each orbit of terminals, the least one's message.
    ///
    /// # Errors
    /// As [`OrbitProblem::of`], and where the network does not connect its terminals.
    pub fn allgather(translations: &Translations, model: Model) -> Result<Self, OrbitError> {
        let network = translations.network();
        let collective = Collective::allgather(network.terminals(), network.terminals());
        Self::of(&Problem::new(network.clone(), collective, model)?, translations)
    }

    /// The same problem folded by a symmetry: it must be alltoall or allgather between all terminals of the network.
    /// Of each orbit of terminals, the least one's messages are the representatives.
    ///
    /// # Errors
    /// Where problem and symmetry are of different networks, the messages are others, the model cannot be folded, or the
    /// representatives of allgather have more than [`OrbitProblem::MOST_EXPANDED`] destinations.
    pub fn of(problem: &Problem, translations: &Translations) -> Result<Self, OrbitError> {
        let (network, name) = (problem.network(), problem.collective().name());
        if network != translations.network() {
            return Err(OrbitError::OtherNetwork);
        }
        let terminals = || network.terminals().to_vec();
        let bases: Vec<Node> = translations.bases().collect();
        let collective = if *problem.collective() == Collective::product_of(name, terminals(), terminals()) {
            Collective::product_of(name, bases, terminals())
        } else if problem.collective().is_allgather(network.terminals()) {
            let destinations = bases.len() as u64 * (network.terminals().len() as u64 - 1);
            if destinations > Self::MOST_EXPANDED {
                return Err(OrbitError::TooMany { messages: destinations, most: Self::MOST_EXPANDED });
            }
            let others = |from: &Node| network.terminals().iter().copied().filter(|to| to != from).collect();
            Collective::sound(name, Semantics::Copy, None, bases.iter().map(|from| (vec![*from], others(from))))
        } else {
            return Err(OrbitError::NotComplete);
        };
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
        let to_others = |m| !collective.destinations(m).contains(&collective.origin(m));
        if collective.semantics() != Semantics::Copy
            || model.is_slotted()
            || model.combining
            || !collective.messages().all(to_others)
        {
            return Err(OrbitError::Unsupported);
        }
        let pair = |m| translations.representative(collective.origin(m), collective.destinations(m)[0]);
        // Messages that stand in the order of their pairs are all different.
        match collective.is_to_single() {
            true if collective.messages().map(pair).is_sorted_by(|a, b| a < b) => Ok(()),
            true => different(collective.messages().map(|m| (pair(m), m)).collect()),
            false => different(collective.messages().map(|m| (self.moved_to_base(m), m)).collect()),
        }
    }

    /// A message as it is from the base of its origin's orbit: that, and its destinations, ascending.
    fn moved_to_base(&self, message: Message) -> (Node, Vec<Node>) {
        let (collective, translations) = (self.representatives.collective(), &self.translations);
        let from = collective.origin(message);
        let mut to: Vec<Node> =
            collective.destinations(message).iter().map(|to| translations.representative(from, *to).1).collect();
        to.sort_unstable();
        (translations.representative(from, from).0, to)
    }

    /// All messages, written down.
    fn written_out(&self) -> Collective {
        let collective = self.representatives.collective();
        if collective.is_to_single() {
            return Collective::pairs(collective.name(), &self.pairs().collect::<Vec<_>>());
        }
        let images = collective.messages().flat_map(|m| (0..self.translations.order()).map(move |e| (m, e)));
        let image = |(message, element)| {
            let of = |v: &Node| self.translations.image_node(element, *v);
            (vec![of(&collective.origin(message))], collective.destinations(message).iter().map(of).collect())
        };
        Collective::new(collective.name(), Semantics::Copy, None, images.map(image))
            .expect("images of different destinations are different")
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

    /// Number of messages in all orbits, each as often as it has destinations.
    fn delivery_count(&self) -> u64 {
        self.representatives.collective().deliveries().saturating_mul(u64::from(self.translations.order()))
    }

    /// Whether the messages are those of alltoall: every ordered pair of different terminals, once.
    pub fn is_complete(&self) -> bool {
        // The orbits are different, so it is enough to count.
        let terminals = self.network().terminals().len() as u64;
        self.representatives.collective().is_to_single() && self.message_count() == terminals * (terminals - 1)
    }

    /// Whether the messages are those of allgather: one from each terminal to all others.
    pub fn is_allgather(&self) -> bool {
        // No message has more destinations than there are other terminals, and of messages for all others different ones have
        // different origins, so it is enough to count.
        let terminals = self.network().terminals().len() as u64;
        self.message_count() == terminals && self.delivery_count() == terminals * (terminals - 1)
    }

    /// The number of a message in [`OrbitProblem::whole`]. Of alltoall and allgather, messages are numbered by origin, then by
    /// destination; else representative by representative, and of each by the elements of the group.
    pub fn number(&self, message: Message, element: u32) -> u64 {
        let collective = self.representatives.collective();
        let image = |v| self.translations.image_node(element, v);
        let terminals = self.network().terminals();
        let rank = |v: Node| terminals.partition_point(|t| *t < v) as u64;
        let from = || image(collective.origin(message));
        if self.is_complete() {
            let (from, to) = (from(), image(collective.destinations(message)[0]));
            return rank(from) * (terminals.len() as u64 - 1) + rank(to) - u64::from(to > from);
        }
        if self.is_allgather() {
            return rank(from());
        }
        message.0 as u64 * u64::from(self.translations.order()) + u64::from(element)
    }

    /// Origin and destination of all messages, in the order of their numbers; of a message for several, one pair each.
    pub fn pairs(&self) -> Box<dyn Iterator<Item = (Node, Node)> + '_> {
        let collective = self.representatives.collective();
        if self.is_complete() || self.is_allgather() {
            let terminals = self.network().terminals();
            let of = move |from: Node| terminals.iter().filter(move |to| **to != from).map(move |&to| (from, to));
            return Box::new(terminals.iter().flat_map(move |&from| of(from)));
        }
        let images = move |m: Message| {
            (0..self.translations.order()).flat_map(move |e| {
                let image = move |v| self.translations.image_node(e, v);
                let from = image(collective.origin(m));
                collective.destinations(m).iter().map(move |to| (from, image(*to)))
            })
        };
        Box::new(collective.messages().flat_map(images))
    }

    /// The problem with all messages, where they are few enough to be looked at one by one.
    ///
    /// # Errors
    /// Where there are more than [`OrbitProblem::MOST_EXPANDED`] messages, each counted as often as it has destinations.
    pub fn expanded(&self) -> Result<Problem, OrbitError> {
        let messages = self.delivery_count();
        if messages > Self::MOST_EXPANDED {
            return Err(OrbitError::TooMany { messages, most: Self::MOST_EXPANDED });
        }
        Ok(self.whole.clone())
    }
}

/// Whether no two messages are alike, each with what it is known by.
fn different<T: Ord>(mut messages: Vec<(T, Message)>) -> Result<(), OrbitError> {
    messages.sort_unstable();
    let same = messages.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| (w[0].1, w[1].1));
    match same.min_by_key(|(_, second)| *second) {
        Some((first, second)) => Err(OrbitError::SameOrbit { first, second }),
        None => Ok(()),
    }
}
