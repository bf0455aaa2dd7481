//! **What:** the collectives between all terminals whose messages are found from their numbers, and how those are folded.

use super::{OrbitError, OrbitProblem, Translations};
use crate::{Collective, Message, Network, Node, Problem, Semantics};

/// Which collective between all terminals of a network the messages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A message from each to each other.
    Alltoall,
    /// One message from each to all others.
    Allgather,
    /// A chunk for each, to which all contribute.
    ReduceScatter,
    /// Equal chunks for all, to which all contribute: as many of them as there are images of the representatives.
    Allreduce,
    /// Some other messages, with one origin each.
    Others,
}

impl Kind {
    /// Which one the images of representatives are, which are known to be different or, if they are chunks to merge, to be for one
    /// terminal or for all and from all; `None` where chunks for one each are not for all of them.
    pub(super) fn of(representatives: &Problem, translations: &Translations) -> Option<Self> {
        let collective = representatives.collective();
        let terminals = representatives.network().terminals();
        let (count, order) = (terminals.len() as u64, u64::from(translations.order()));
        let messages = (collective.message_count() as u64).saturating_mul(order);
        let deliveries = collective.deliveries().saturating_mul(order);
        if collective.semantics() == Semantics::Reduce {
            return match collective.is_to_single() {
                true if messages == count => Some(Kind::ReduceScatter),
                true => None,
                false => Some(Kind::Allreduce),
            };
        }
        // Messages are different and no terminal receives one of its own, so it is enough to count.
        Some(match messages {
            _ if collective.is_to_single() && messages == count * (count - 1) => Kind::Alltoall,
            _ if messages == count && deliveries == count * (count - 1) => Kind::Allgather,
            _ => Kind::Others,
        })
    }

    /// Which one a collective of all terminals is; `None` where it is none of these.
    pub(super) fn of_whole(collective: &Collective, network: &Network) -> Option<Self> {
        let (name, terminals) = (collective.name(), || network.terminals().to_vec());
        let is_reduction = collective.semantics() == Semantics::Reduce && collective.root().is_none();
        if *collective == Collective::product_of(name, terminals(), terminals()) {
            Some(Kind::Alltoall)
        } else if collective.is_allgather(network.terminals()) {
            Some(Kind::Allgather)
        } else if is_reduction
            && collective.chunks() == 1
            && *collective == Collective::reduce_scatter_of(name, terminals())
        {
            Some(Kind::ReduceScatter)
        } else if is_reduction && *collective == Self::allreduce(name, network, collective.chunks()) {
            Some(Kind::Allreduce)
        } else {
            None
        }
    }

    /// The collective of all terminals, where its messages are found from their numbers; of allreduce in so many chunks.
    pub(super) fn whole(self, name: &str, network: &Network, chunks: u64) -> Option<Collective> {
        let terminals = || network.terminals().to_vec();
        match self {
            Kind::Alltoall => Some(Collective::product_of(name, terminals(), terminals())),
            Kind::Allgather => Some(Collective::allgather_of(name, terminals())),
            Kind::ReduceScatter => Some(Collective::reduce_scatter_of(name, terminals())),
            Kind::Allreduce => Some(Self::allreduce(name, network, u32::try_from(chunks).ok()?)),
            Kind::Others => None,
        }
    }

    fn allreduce(name: &str, network: &Network, chunks: u32) -> Collective {
        Collective::allreduce_of(name, network.terminals().to_vec()).in_chunks(chunks)
    }

    /// One message an orbit: of each orbit of terminals, those of the least one.
    pub(super) fn folded(self, whole: &Collective, translations: &Translations) -> Result<Collective, OrbitError> {
        let (name, network) = (whole.name(), translations.network());
        let terminals = || network.terminals().to_vec();
        let bases: Vec<Node> = translations.bases().collect();
        let listed = |each: usize| match bases.len() as u64 * each as u64 {
            messages if messages > OrbitProblem::MOST_EXPANDED => {
                Err(OrbitError::TooMany { messages, most: OrbitProblem::MOST_EXPANDED })
            }
            _ => Ok(()),
        };
        match self {
            Kind::Alltoall => Ok(Collective::product_of(name, bases, terminals())),
            Kind::Allgather => {
                listed(network.terminals().len() - 1)?;
                let others = |from: &Node| network.terminals().iter().copied().filter(|to| to != from).collect();
                let messages = bases.iter().map(|from| (vec![*from], others(from)));
                Ok(Collective::sound(name, Semantics::Copy, None, messages))
            }
            Kind::ReduceScatter => {
                listed(network.terminals().len())?;
                let chunks = bases.iter().map(|to| (terminals(), vec![*to]));
                Ok(Collective::sound(name, Semantics::Reduce, None, chunks))
            }
            Kind::Allreduce => {
                let (chunks, order) = (whole.chunks(), translations.order());
                if !chunks.is_multiple_of(order) {
                    return Err(OrbitError::Chunks { chunks, order });
                }
                Ok(Self::allreduce(name, network, chunks / order))
            }
            Kind::Others => Err(OrbitError::NotComplete),
        }
    }

    /// The number of an image in the whole collective. Of alltoall, messages are numbered by origin, then by destination; of allgather by
    /// origin, of reduce_scatter by destination; else representative by representative, and of each by the elements of the group.
    pub(super) fn number(self, problem: &OrbitProblem, message: Message, element: u32) -> u64 {
        let collective = problem.representatives().collective();
        let image = |v| problem.translations().image_node(element, v);
        let terminals = problem.network().terminals();
        let rank = |v: Node| terminals.partition_point(|t| *t < v) as u64;
        let from = || image(collective.origin(message));
        let to = || image(collective.destinations(message)[0]);
        match self {
            Kind::Alltoall => {
                let (from, to) = (from(), to());
                rank(from) * (terminals.len() as u64 - 1) + rank(to) - u64::from(to > from)
            }
            Kind::Allgather => rank(from()),
            Kind::ReduceScatter => rank(to()),
            Kind::Allreduce | Kind::Others => {
                message.0 as u64 * u64::from(problem.translations().order()) + u64::from(element)
            }
        }
    }
}
