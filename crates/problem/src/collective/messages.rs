//! **What:** the messages of a collective: lists of their ends, all pairs of two lists of nodes, one from each of many
//! nodes to all others, or chunks that many nodes contribute to.

use super::allgather::Allgather;
use super::product::Product;
use super::reduction::{Reduction, Whom};
use crate::pieces::Pieces;
use crate::{Message, Node};
use std::slice::from_ref;

#[derive(Clone, Debug)]
pub(super) enum Messages {
    /// Any.
    List { origins: Pieces<Node>, destinations: Pieces<Node> },
    /// One for every pair.
    Product(Product),
    /// One from each to all others.
    Allgather(Allgather),
    /// Chunks to which all members contribute, for each or for all of them.
    Reduction(Reduction),
}

impl Messages {
    /// A message an origin and a list of destinations; all pairs are recognised.
    pub(super) fn new(origins: Pieces<Node>, destinations: Pieces<Node>) -> Self {
        let product = match origins.are_single() && destinations.are_single() {
            true => Product::of_lists(origins.items(), destinations.items()),
            false => None,
        };
        product.map_or(Messages::List { origins, destinations }, Messages::Product)
    }

    pub(super) fn product(&self) -> Option<&Product> {
        match self {
            Messages::Product(product) => Some(product),
            _ => None,
        }
    }

    pub(super) fn as_allgather(&self) -> Option<&Allgather> {
        match self {
            Messages::Allgather(allgather) => Some(allgather),
            _ => None,
        }
    }

    pub(super) fn as_reduction(&self) -> Option<&Reduction> {
        match self {
            Messages::Reduction(reduction) => Some(reduction),
            _ => None,
        }
    }

    /// Whether every message has one destination.
    pub(super) fn are_to_single(&self) -> bool {
        match self {
            Messages::List { destinations, .. } => destinations.are_single(),
            Messages::Product(_) => true,
            Messages::Allgather(_) => false,
            Messages::Reduction(reduction) => reduction.whom() == Whom::Each,
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Messages::List { origins, .. } => origins.count(),
            Messages::Product(product) => usize::try_from(product.count()).unwrap_or(usize::MAX),
            Messages::Allgather(allgather) => allgather.count(),
            Messages::Reduction(reduction) => reduction.count(),
        }
    }

    /// Destinations of all messages together.
    pub(super) fn deliveries(&self) -> u64 {
        match self {
            Messages::List { destinations, .. } => destinations.items().len() as u64,
            Messages::Product(product) => product.count(),
            Messages::Allgather(allgather) => allgather.count() as u64 * (allgather.count() as u64 - 1),
            Messages::Reduction(reduction) => reduction.deliveries(),
        }
    }

    /// Contributors of all messages together.
    pub(super) fn contributions(&self) -> u64 {
        match self {
            Messages::List { origins, .. } => origins.items().len() as u64,
            Messages::Product(product) => product.count(),
            Messages::Allgather(allgather) => allgather.count() as u64,
            Messages::Reduction(all) => all.count() as u64 * all.members().len() as u64,
        }
    }

    #[inline(always)]
    pub(super) fn contributors(&self, message: Message) -> &[Node] {
        match self {
            Messages::List { origins, .. } => origins.of(message.index()),
            Messages::Product(product) => from_ref(product.ends(message.0).0),
            Messages::Allgather(allgather) => from_ref(allgather.origin(message)),
            Messages::Reduction(reduction) => reduction.members(),
        }
    }

    #[inline(always)]
    pub(super) fn destinations(&self, message: Message) -> &[Node] {
        match self {
            Messages::List { destinations, .. } => destinations.of(message.index()),
            Messages::Product(product) => from_ref(product.ends(message.0).1),
            Messages::Allgather(allgather) => allgather.destinations(message),
            Messages::Reduction(reduction) => reduction.destinations(message),
        }
    }

    /// Every message so many times, the copies of one following each other.
    pub(super) fn repeated(&self, times: u32) -> Self {
        match self {
            Messages::List { origins, destinations }
                if origins.count() == 1 && Reduction::is_large(origins.items(), times) && origins == destinations =>
            {
                Messages::Reduction(Reduction::new(origins.items().to_vec(), Whom::All).repeated(times))
            }
            Messages::List { origins, destinations } => {
                Messages::List { origins: origins.repeated(times), destinations: destinations.repeated(times) }
            }
            Messages::Product(product) => Messages::Product(product.clone().repeated(times)),
            Messages::Allgather(allgather) => {
                let (mut origins, mut destinations) = (Pieces::default(), Pieces::default());
                for (from, to) in allgather.listed() {
                    origins.push(&[from]);
                    destinations.push(&to);
                }
                Messages::List { origins, destinations }.repeated(times)
            }
            Messages::Reduction(reduction) => Messages::Reduction(reduction.clone().repeated(times)),
        }
    }
}

impl PartialEq for Messages {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Messages::Product(one), Messages::Product(other)) => one == other,
            (Messages::Allgather(one), Messages::Allgather(other)) => one == other,
            (Messages::Reduction(one), Messages::Reduction(other)) => one == other,
            (Messages::Allgather(allgather), other) | (other, Messages::Allgather(allgather)) => allgather.is(other),
            (
                Messages::List { origins, destinations },
                Messages::List { origins: other_origins, destinations: other_destinations },
            ) => origins == other_origins && destinations == other_destinations,
            // A list of all pairs is recognised, but not where they are sorted by destination.
            _ => {
                let alike =
                    |m| self.contributors(m) == other.contributors(m) && self.destinations(m) == other.destinations(m);
                self.count() == other.count() && (0..Message::new(self.count()).0).map(Message).all(alike)
            }
        }
    }
}

impl Eq for Messages {}
