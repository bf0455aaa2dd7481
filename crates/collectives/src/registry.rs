//! **What:** the table of collectives: names, parameters, sources, and how each is made from a selection.

use super::{Kind, Selection, SelectionError};
use kernel::{Collective, Node, Semantics};

const MPI: &str = "MPI 4.1, chapter 6";
const ONE: &[&str] = &["root", "senders", "receivers"];
const MANY: &[&str] = &["senders", "receivers"];
const PAIRS: &[&str] = &["pairs"];

/// Every collective.
pub const COLLECTIVES: &[Kind] = &[
    Kind {
        name: "broadcast",
        also: &["OAB", "bcast", "multicast"],
        about: "the root's one message to every receiver",
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
        make: |s| {
            Ok(match s.root_sends()? {
                Some(root) => Collective::scatter(root, &s.receivers()),
                None => Collective::alltoall(&s.senders(), &s.receivers()),
            })
        },
    },
    Kind {
        name: "gather",
        also: &["AOG"],
        about: "a message of its own from every sender to the root",
        parameters: ONE,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.3.2",
        make: |s| {
            Ok(match s.root_receives()? {
                Some(root) => Collective::gather(root, &s.senders()),
                None => Collective::alltoall(&s.senders(), &s.receivers()),
            })
        },
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
        about: "every sender's one message to every receiver",
        parameters: MANY,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.4.1, 3.5",
        make: |s| {
            s.no_root("allgather")?;
            Ok(Collective::allgather(&s.senders(), &s.receivers()))
        },
    },
    Kind {
        name: "alltoall",
        also: &["AAS", "AAG", "MNS"],
        about: "a message of its own from every sender to every receiver",
        parameters: MANY,
        semantics: Semantics::Copy,
        source: "MPI 4.1, chapter 6; thesis 3.4.2, 3.5",
        make: |s| {
            s.no_root("alltoall")?;
            Ok(Collective::alltoall(&s.senders(), &s.receivers()))
        },
    },
    Kind {
        name: "allreduce",
        also: &[],
        about: "the contributions of all members merged and given to all",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| {
            s.no_root("allreduce")?;
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
        make: |s| {
            s.no_root("reduce_scatter")?;
            Ok(Collective::reduce_scatter(&s.senders(), &s.receivers()))
        },
    },
    Kind {
        name: "barrier",
        also: &[],
        about: "nobody leaves before all have arrived: an allreduce of an empty message",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| {
            s.no_root("barrier")?;
            Ok(Collective::barrier(&s.members()))
        },
    },
    Kind {
        name: "scan",
        also: &[],
        about: "the i-th member receives the contributions of members 0 to i",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| {
            s.no_root("scan")?;
            Ok(Collective::scan(&s.members()))
        },
    },
    Kind {
        name: "exscan",
        also: &[],
        about: "the i-th member receives the contributions of members 0 to i-1",
        parameters: MANY,
        semantics: Semantics::Reduce,
        source: MPI,
        make: |s| {
            s.no_root("exscan")?;
            Ok(Collective::exscan(&s.members()))
        },
    },
    Kind {
        name: "alltoallv",
        also: &[],
        about: "any number of messages for any pair of nodes, from a file of pairs",
        parameters: PAIRS,
        semantics: Semantics::Copy,
        source: MPI,
        make: |s| Ok(Collective::pairs("alltoallv", s.pairs("alltoallv")?)),
    },
    Kind {
        name: "permutation",
        also: &[],
        about: "every node sends at most one message and receives at most one, from a file of pairs",
        parameters: PAIRS,
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

/// One chunk of all senders for several receivers.
fn merged(name: &str, selection: &Selection<'_>) -> Result<Collective, SelectionError> {
    Ok(Collective::new(name, Semantics::Reduce, None, [(selection.senders(), selection.receivers())])?)
}
