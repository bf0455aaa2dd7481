//! **What:** the registry of collectives by name, and the making of one from roots, senders, receivers, groups, counts, pairs or
//! a graph of processes.
//!
//! **Parameters:** a [`Selection`] says which nodes take part. Whatever it leaves open is taken from the network: all
//! terminals send and receive, the first sender is the root, and neighbours are the network's own.
//!
//! **Facts:** a collective with one sender becomes its many-to-many form as soon as several senders are given: a
//! broadcast of several senders is an allgather among them, a scatter an alltoall. Several groups, or several roots, make one
//! collective of the messages of each.
//!
//! **Source:** names and meanings are those of the Message Passing Interface (MPI). The abbreviations are the
//! dissertation's (sections 3.2 to 3.5). It does not define AAR and AAG in words, but its Table 3.1 gives AAR the bound of
//! AAB and AAG the bound of AAS: each is the other's dual, the same schedule run backwards. The dual of allgather is
//! reduce_scatter (every node ends with its own reduction over all), and alltoall is its own dual.
//!
//! **Example:**
//! ```
//! use collectives::Selection;
//! use kernel::Node;
//! let petersen = topologies::parse("petersen").unwrap();
//! assert_eq!(collectives::build("alltoall", &petersen)?.message_count(), 90);
//! let some = Selection::of(&petersen).with_senders([Node(0), Node(3)]).with_receivers([Node(1), Node(2)]);
//! let mns = collectives::find("MNS").expect("an abbreviation of alltoall").build(&some)?;
//! assert_eq!((mns.name(), mns.message_count()), ("alltoall", 4));
//! # Ok::<(), collectives::SelectionError>(())
//! ```

mod counts;
mod error;
pub mod groups;
mod neighbours;
pub mod permutations;
mod registry;
mod selection;

pub use error::SelectionError;
pub use registry::COLLECTIVES;
pub use selection::Selection;

use kernel::{Collective, Message, Network, Semantics};

/// Most origins and destinations a collective may list in all, so that a slip of the keyboard does not fill the memory.
pub const LARGEST: u64 = 1 << 27;

/// Most equal chunks of one message that are not written down.
const MOST_EQUAL: u32 = 1 << 20;

type Build = fn(&Selection<'_>) -> Result<Collective, SelectionError>;

/// A collective known by name.
pub struct Kind {
    /// Its name: MPI's.
    pub name: &'static str,
    /// Other names, in any mixture of upper and lower case.
    pub also: &'static [&'static str],
    /// What it does, in one line.
    pub about: &'static str,
    /// The parameters it takes.
    pub parameters: &'static [&'static str],
    /// Whether nodes keep copies or merge contributions.
    pub semantics: Semantics,
    /// Where it is defined.
    pub source: &'static str,
    make: Build,
}

impl Kind {
    /// The collective among the selected nodes.
    ///
    /// # Errors
    /// [`SelectionError`] where the selection does not fit, or leaves nothing to send.
    pub fn build(&self, selection: &Selection<'_>) -> Result<Collective, SelectionError> {
        let given = [
            ("root", selection.root.is_some()),
            ("roots", selection.roots.is_some()),
            ("senders", selection.senders.is_some()),
            ("receivers", selection.receivers.is_some()),
            ("groups", selection.groups.is_some()),
            ("counts", selection.counts.is_some()),
            ("pairs", selection.pairs.is_some()),
            ("graph", selection.graph.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).try_for_each(|(parameter, _)| self.takes(parameter))?;
        let parts = selection.parts()?;
        let collective = match &parts[..] {
            [part] => self.part(part)?,
            _ => self.joined(&parts)?,
        };
        if collective.message_count() == 0 { Err(SelectionError::NoMessages) } else { Ok(collective) }
    }

    /// Whether the collective has this parameter.
    ///
    /// # Errors
    /// [`SelectionError::NoRoot`] or [`SelectionError::TakesNo`] where it has not.
    pub fn takes(&self, parameter: &'static str) -> Result<(), SelectionError> {
        match parameter {
            _ if self.parameters.contains(&parameter) => Ok(()),
            "root" => Err(SelectionError::NoRoot { name: self.name }),
            what => Err(SelectionError::TakesNo { name: self.name, what }),
        }
    }

    /// The collective of one group with one root.
    fn part(&self, selection: &Selection<'_>) -> Result<Collective, SelectionError> {
        let entries = selection.senders().len() as u64 * selection.receivers().len() as u64;
        let quadratic = self.parameters.contains(&"senders") && !self.parameters.contains(&"root");
        // Alltoall is kept as two lists of nodes, whatever the number of its messages, and allgather and reduce_scatter of all to all as one.
        let one_list = ["allgather", "reduce_scatter"].contains(&self.name);
        let same = || one_list && selection.senders() == selection.receivers();
        let short = ["barrier", "allreduce", "alltoall"].contains(&self.name) || same();
        if quadratic && !short && entries > LARGEST {
            return Err(SelectionError::TooLarge { entries });
        }
        (self.make)(selection)
    }

    /// The messages of all parts, those of one part behind those of another.
    fn joined(&self, parts: &[Selection<'_>]) -> Result<Collective, SelectionError> {
        let mut messages = Vec::new();
        let mut total = 0;
        for part in parts {
            let collective = self.part(part)?;
            total += entries(&collective);
            if total > LARGEST {
                return Err(SelectionError::TooLarge { entries: total });
            }
            let ends = |m| (collective.contributors(m).to_vec(), collective.destinations(m).to_vec());
            messages.extend(collective.messages().map(ends));
        }
        Ok(Collective::new(self.name, self.semantics, None, messages)?)
    }
}

/// Origins and destinations that a collective lists when written out; at least [`LARGEST`] where it has more messages than that.
fn entries(collective: &Collective) -> u64 {
    let count = collective.message_count() as u64;
    if count > LARGEST {
        return count;
    }
    if collective.members().is_some() {
        return collective.ends();
    }
    let ends = |m| collective.contributors(m).len().max(collective.destinations(m).len()) as u64;
    collective.messages().map(ends).sum()
}

/// `collective` with every message cut into `chunks` equal chunks (at least 1), each a message of its own.
///
/// # Errors
/// [`SelectionError::TooManyChunks`] where they would not fit into memory.
pub fn in_chunks(collective: &Collective, chunks: u32) -> Result<Collective, SelectionError> {
    if chunks == 1 {
        return Ok(collective.clone());
    }
    let entries = entries(collective).saturating_mul(u64::from(chunks));
    // Equal chunks for all who contribute are not written down.
    let is_short =
        chunks <= MOST_EQUAL && collective.semantics() == Semantics::Reduce && collective.message_count() == 1 && {
            let message = Message(0);
            collective.contributors(message) == collective.destinations(message)
        };
    if entries > LARGEST && !is_short {
        return Err(SelectionError::TooManyChunks { chunks, entries });
    }
    Ok(collective.in_chunks(chunks))
}

/// The collective of that name or abbreviation between all terminals of a network.
///
/// # Errors
/// [`SelectionError`] where there is no such collective, or where it needs pairs.
pub fn build(name: &str, network: &Network) -> Result<Collective, SelectionError> {
    let kind = find(name).ok_or_else(|| SelectionError::Unknown { name: name.to_owned() })?;
    kind.build(&Selection::of(network))
}

/// The collective of that name or abbreviation, in whatever spelling: `reduce_scatter`, `reduce-scatter`, `ReduceScatter`,
/// `MPI_Reduce_scatter`, `ncclReduceScatter`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Kind> {
    let plain = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let wanted = plain(name);
    let bare = wanted.strip_prefix("mpi").or_else(|| wanted.strip_prefix("nccl")).unwrap_or(&wanted);
    let called = |k: &&Kind| std::iter::once(k.name).chain(k.also.iter().copied()).any(|own| plain(own) == bare);
    COLLECTIVES.iter().find(called)
}
