//! **What:** the table of collectives: names, parameters, sources, and how each is made from a selection.

use super::counts::{self, Whose, counted};
use super::{Kind, Selection, SelectionError, neighbours};
use kernel::{Collective, Node, Semantics};

const MPI: &str = "MPI 4.1, chapter 6";
const NEIGHBOURS: &str = "MPI 4.1, chapter 8";
const ONE: &[&str] = &["root", "roots", "senders", "receivers", "groups"];
const MANY: &[&str] = &["senders", "receivers", "groups"];
const ONE_COUNTED: &[&str] = &["counts", "root", "roots", "senders", "receivers", "groups"];
const MANY_COUNTED: &[&str] = &["counts", "senders", "receivers", "groups"];

/// Every collective.
pub const COLLECTIVES: &[Kind] = &[
    Kind {
        name: "broadcast",
        also: &["OAB", "bcast", "multicast"],
        about: "one message from the root to every receiver",
        parameters: ONE,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.3.1",
        make: |s| {
            Ok(match s.root_sends()? {
                Some(root) => Collective::broadcast(root, &s.receivers()),
                None => Collective::allgather(&s.senders(), &s.receivers()),
            })
        },
    },
    Kind {
        name: "scatter",
        also: &["OAS"],
        about: "a message of its own from the root to every receiver",
        parameters: ONE,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.3.2",
        make: scatter,
    },
    Kind {
        name: "gather",
        also: &["AOG"],
        about: "a message of its own from every sender to the root",
        parameters: ONE,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.3.2",
        make: gather,
    },
    Kind {
        name: "reduce",
        also: &["AOR"],
        about: "the contributions of all senders merged at the root",
        parameters: ONE,
        semantics: Semantics::Reduce,
        source: "MPI 4.1, chapter 6; thesis 3.3.1",
        make: |s| match s.root_receives()? {
            Some(root) => Ok(Collective::reduce(root, &s.senders())),
            None => merged("reduce", s),
        },
    },
    Kind {
        name: "allgather",
        also: &["AAB", "MNB"],
        about: "one message from every sender to every receiver",
        parameters: MANY,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.4.1, 3.5",
        make: |s| Ok(Collective::allgather(&s.senders(), &s.receivers())),
    },
    Kind {
        name: "alltoall",
        also: &["AAS", "AAG", "MNS"],
        about: "a message of its own from every sender to every receiver",
        parameters: MANY,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.4.2, 3.5",
        make: |s| Ok(Collective::alltoall(&s.senders(), &s.receivers())),
    },
    Kind {
        name: "allreduce",
        also: &[],
        about: "the contributions of all members merged and given to all",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| {
            if s.senders.is_some() && s.receivers.is_some() {
                return merged("allreduce", s);
            }
            Ok(Collective::allreduce(&s.members()))
        },
    },
    Kind {
        name: "reduce_scatter",
        also: &["AAR"],
        about: "a chunk for every receiver, merged from the contributions of all senders",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: "MPI 4.1, chapter 6; thesis Table 3.1",
        make: |s| Ok(Collective::reduce_scatter(&s.senders(), &s.receivers())),
    },
    Kind {
        name: "barrier",
        also: &[],
        about: "no node leaves before all have arrived: an allreduce of an empty message",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| Ok(Collective::barrier(&s.members())),
    },
    Kind {
        name: "scan",
        also: &[],
        about: "the i-th member receives the contributions of members 0 to i",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| Ok(Collective::scan(&s.members())),
    },
    Kind {
        name: "exscan",
        also: &[],
        about: "the i-th member receives the contributions of members 0 to i-1",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| Ok(Collective::exscan(&s.members())),
    },
    Kind {
        name: "allgatherv",
        also: &[],
        about: "a number of messages of its own from every sender, each to every receiver",
        parameters: MANY_COUNTED,
        semantics: Semantics::Copy,
        source: MPI,
        make: |s| counted("allgatherv", Whose::Senders, &Collective::allgather(&s.senders(), &s.receivers()), s),
    },
    Kind {
        name: "gatherv",
        also: &[],
        about: "a number of messages of its own from every sender to the root",
        parameters: ONE_COUNTED,
        semantics: Semantics::Copy,
        source: MPI,
        make: |s| counted("gatherv", Whose::Senders, &gather(s)?, s),
    },
    Kind {
        name: "scatterv",
        also: &[],
        about: "a number of messages of its own from the root to every receiver",
        parameters: ONE_COUNTED,
        semantics: Semantics::Copy,
        source: MPI,
        make: |s| counted("scatterv", Whose::Receivers, &scatter(s)?, s),
    },
    Kind {
        name: "reduce_scatterv",
        also: &[],
        about: "a number of chunks of its own for every receiver, merged from the contributions of all senders",
        parameters: MANY_COUNTED,
        semantics: Semantics::Reduce,
        source: "MPI 4.1, chapter 6, where it is MPI_Reduce_scatter",
        make: |s| {
            counted("reduce_scatterv", Whose::Receivers, &Collective::reduce_scatter(&s.senders(), &s.receivers()), s)
        },
    },
    Kind {
        name: "alltoallv",
        also: &["alltoallw"],
        about: "any number of messages for any pair of nodes, from a file of pairs or a matrix of counts",
        parameters: &["pairs", "counts"],
        semantics: Semantics::Copy,
        source: MPI,
        make: |s| match (&s.pairs, &s.counts) {
            (Some(_), Some(_)) => Err(SelectionError::PairsAndCounts),
            (None, Some(_)) => Ok(Collective::pairs("alltoallv", &counts::pairs("alltoallv", s)?)),
            (_, None) => Ok(Collective::pairs("alltoallv", s.pairs("alltoallv")?)),
        },
    },
    Kind {
        name: "neighbor_allgather",
        also: &["neighbour_allgather"],
        about: "one message from every node to all of its neighbours, in the network or in a graph of processes",
        parameters: &["graph"],
        semantics: Semantics::Copy,
        source: NEIGHBOURS,
        make: |s| {
            let pairs = neighbours::pairs(s)?;
            let to_all = |of: &[(Node, Node)]| (vec![of[0].0], of.iter().map(|(_, to)| *to).collect());
            Ok(Collective::new(
                "neighbor_allgather",
                Semantics::Copy,
                None,
                pairs.chunk_by(|a, b| a.0 == b.0).map(to_all),
            )?)
        },
    },
    Kind {
        name: "neighbor_alltoall",
        also: &["neighbour_alltoall"],
        about: "a message of its own from every node to each of its neighbours, in the network or in a graph of processes",
        parameters: &["graph"],
        semantics: Semantics::Copy,
        source: NEIGHBOURS,
        make: |s| Ok(Collective::pairs("neighbor_alltoall", &neighbours::pairs(s)?)),
    },
    Kind {
        name: "permutation",
        also: &[],
        about: "every node sends at most one message and receives at most one, from a file of pairs",
        parameters: &["pairs"],
        semantics: Semantics::Copy,
        source: "thesis 3.2",
        make: |s| {
            let pairs = s.pairs("permutation")?;
            let ends =
                [("sends", pairs.iter().map(|p| p.0).collect()), ("receives", pairs.iter().map(|p| p.1).collect())];
            for (does, mut nodes) in ends as [(&'static str, Vec<Node>); 2] {
                nodes.sort_unstable();
                if let Some(twice) = nodes.windows(2).find(|w| w[0] == w[1]) {
                    return Err(SelectionError::NotPermutation { node: twice[0], does });
                }
            }
            Ok(Collective::pairs("permutation", pairs))
        },
    },
];

fn scatter(selection: &Selection<'_>) -> Result<Collective, SelectionError> {
    Ok(match selection.root_sends()? {
        Some(root) => Collective::scatter(root, &selection.receivers()),
        None => Collective::alltoall(&selection.senders(), &selection.receivers()),
    })
}

fn gather(selection: &Selection<'_>) -> Result<Collective, SelectionError> {
    Ok(match selection.root_receives()? {
        Some(root) => Collective::gather(root, &selection.senders()),
        None => Collective::alltoall(&selection.senders(), &selection.receivers()),
    })
}

/// One chunk of all senders for several receivers.
fn merged(name: &str, selection: &Selection<'_>) -> Result<Collective, SelectionError> {
    Ok(Collective::new(name, Semantics::Reduce, None, [(selection.senders(), selection.receivers())])?)
}
