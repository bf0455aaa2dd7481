//! **What:** a problem of which one message an orbit is written down.

use super::Translations;
use super::kind::Kind;
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
    /// The problem to be folded is none of the collectives that are folded as a whole.
    #[error("the messages are not those of alltoall, allgather, reduce_scatter or allreduce between all terminals")]
    NotComplete,
    /// Only messages from an origin to others, and chunks that all terminals contribute to, not combined and not under
    /// time-division, can be folded.
    #[error(
        "only messages from one origin to other nodes, and chunks of reduce_scatter and allreduce between all terminals, not combined and \
         not under time-division, can be stored as orbits"
    )]
    Unsupported,
    /// The elements of the symmetry do not move each of the equal chunks to another one.
    #[error(
        "{chunks} equal chunks are no multiple of the {order} elements of the symmetry, of which each moves a chunk to another one"
    )]
    Chunks {
        /// Chunks of allreduce.
        chunks: u32,
        /// Elements of the group.
        order: u32,
    },
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
    kind: Kind,
}

impl OrbitProblem {
    /// Most messages that [`OrbitProblem::expanded`] writes down.
    pub const MOST_EXPANDED: u64 = 1 << 24;

    /// The problem whose messages are the images of the representatives.
    ///
    /// # Errors
    /// The first fault found, as [`OrbitError`]; of other messages than those of the collectives between all terminals there may be
    /// [`OrbitProblem::MOST_EXPANDED`], each counted as often as it has destinations.
    pub fn new(representatives: Problem, translations: Translations) -> Result<Self, OrbitError> {
        Self::new_within(representatives, translations, Self::MOST_EXPANDED)
    }

    /// As [`OrbitProblem::new`], where other messages than those of collectives between all terminals may be `most`.
    ///
    /// # Errors
    /// As [`OrbitProblem::new`].
    pub fn new_within(representatives: Problem, translations: Translations, most: u64) -> Result<Self, OrbitError> {
        check(&representatives, &translations)?;
        let kind = Kind::of(&representatives, &translations).ok_or(OrbitError::Unsupported)?;
        // Filled in when its messages are known to be few enough.
        let whole = representatives.clone();
        let mut folded = OrbitProblem { whole, representatives, translations, kind };
        let (name, messages) = (folded.representatives.collective().name(), folded.delivery_count());
        let collective = match kind.whole(name, folded.network(), folded.message_count()) {
            Some(collective) => collective,
            None if kind != Kind::Others || messages > most => return Err(OrbitError::TooMany { messages, most }),
            None => folded.written_out(),
        };
        folded.whole = Problem::known(folded.network().clone(), collective, folded.whole.model());
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

    /// The same problem folded by a symmetry: it must be alltoall, allgather, reduce_scatter or allreduce between all terminals of the
    /// network, the last in a multiple of as many chunks as the symmetry has elements. Of each orbit of terminals, the least one's
    /// messages are the representatives.
    ///
    /// # Errors
    /// Where problem and symmetry are of different networks, the messages are others, the model cannot be folded, or the
    /// representatives have more than [`OrbitProblem::MOST_EXPANDED`] ends.
    pub fn of(problem: &Problem, translations: &Translations) -> Result<Self, OrbitError> {
        let (network, collective) = (problem.network(), problem.collective());
        if network != translations.network() {
            return Err(OrbitError::OtherNetwork);
        }
        let kind = Kind::of_whole(collective, network).ok_or(OrbitError::NotComplete)?;
        let collective = kind.folded(collective, translations)?;
        let representatives = Problem::known(network.clone(), collective, problem.model());
        check(&representatives, translations)?;
        Ok(OrbitProblem { whole: problem.clone(), representatives, translations: translations.clone(), kind })
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
        self.kind == Kind::Alltoall
    }

    /// Whether the messages are those of allgather: one from each terminal to all others.
    pub fn is_allgather(&self) -> bool {
        self.kind == Kind::Allgather
    }

    /// Whether the chunks are those of reduce_scatter or allreduce between all terminals.
    pub fn is_reduction(&self) -> bool {
        matches!(self.kind, Kind::ReduceScatter | Kind::Allreduce)
    }

    /// The number of a message in [`OrbitProblem::whole`]. Of alltoall, messages are numbered by origin, then by destination; of
    /// allgather by origin, of reduce_scatter by destination; else representative by representative, and of each by the elements
    /// of the group.
    pub fn number(&self, message: Message, element: u32) -> u64 {
        self.kind.number(self, message, element)
    }

    /// Origin and destination of all messages, in the order of their numbers; of a message for several, one pair each.
    pub fn pairs(&self) -> Box<dyn Iterator<Item = (Node, Node)> + '_> {
        let collective = self.representatives.collective();
        if self.kind != Kind::Others {
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

/// Whether representatives can be folded and stand for different messages.
fn check(representatives: &Problem, translations: &Translations) -> Result<(), OrbitError> {
    if representatives.network() != translations.network() {
        return Err(OrbitError::OtherNetwork);
    }
    let (collective, model) = (representatives.collective(), representatives.model());
    if !collective.is_numbered() {
        let messages = collective.message_count() as u64;
        return Err(OrbitError::TooMany { messages, most: u32::MAX.into() });
    }
    let reduce = collective.semantics() == Semantics::Reduce;
    let to_others = |m| reduce || !collective.destinations(m).contains(&collective.origin(m));
    let all = |list: &[Node]| list == representatives.network().terminals();
    let single = collective.is_to_single();
    let from_all = |m| !reduce || all(collective.contributors(m)) && (single || all(collective.destinations(m)));
    if model.is_slotted() || model.combining || !collective.messages().all(|m| to_others(m) && from_all(m)) {
        return Err(OrbitError::Unsupported);
    }
    let pair = |m| translations.representative(collective.origin(m), collective.destinations(m)[0]);
    let class = |m| translations.nodes().class(collective.destinations(m)[0].0);
    match single {
        // All contribute to a chunk of reduce_scatter, so its destination alone tells it from others.
        true if reduce => different(collective.messages().map(|m| (class(m), m)).collect()),
        // Messages that stand in the order of their pairs are all different.
        true if collective.messages().map(pair).is_sorted_by(|a, b| a < b) => Ok(()),
        true => different(collective.messages().map(|m| (pair(m), m)).collect()),
        // Chunks for all are equal, and so many as there are images.
        false if reduce => Ok(()),
        false => different(collective.messages().map(|m| (moved_to_base(collective, translations, m), m)).collect()),
    }
}

/// A message as it is from the base of its origin's orbit: that, and its destinations, ascending.
fn moved_to_base(collective: &Collective, translations: &Translations, message: Message) -> (Node, Vec<Node>) {
    let from = collective.origin(message);
    let mut to: Vec<Node> =
        collective.destinations(message).iter().map(|to| translations.representative(from, *to).1).collect();
    to.sort_unstable();
    (translations.representative(from, from).0, to)
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
