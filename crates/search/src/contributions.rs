//! **What:** the contributions to a reduction as messages that are copied to all who are to have the result.
//!
//! **Theory:** what is kept [apart](kernel::Transfer::partials) travels as a message does, so a schedule of these copies is one of the reduction.

use kernel::{Collective, Message, Node, Semantics};

/// The contributions as messages.
pub struct Contributions {
    /// One message a contribution, to all destinations of its chunk but its own node.
    pub copies: Collective,
    /// The chunk that each is a contribution to.
    pub chunk_of: Vec<Message>,
}

impl Contributions {
    /// Those of a collective of semantics `reduce`; `None` where there are none, or too many to be numbered.
    #[must_use]
    pub fn of(collective: &Collective) -> Option<Self> {
        let (mut copies, mut chunk_of) = (Vec::new(), Vec::new());
        for message in collective.messages() {
            for &from in collective.contributors(message) {
                let to: Vec<Node> = collective.destinations(message).iter().copied().filter(|to| *to != from).collect();
                if !to.is_empty() {
                    copies.push((vec![from], to));
                    chunk_of.push(message);
                }
            }
        }
        let copies = Collective::new("allgather", Semantics::Copy, None, copies).ok()?;
        Some(Contributions { copies, chunk_of })
    }
}
