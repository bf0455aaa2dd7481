//! Broadcast of many messages by one root, written down hop by hop under store-and-forward: the registry [`BROADCASTS`].
//!
//! ```
//! use constructions::broadcast::BROADCASTS;
//! use kernel::Node;
//! let spec = "swapped-dragonfly:3,4";
//! let steps = |c: &constructions::broadcast::Broadcast| (c.make)(spec).and_then(|form| form.steps(Node(0), 30));
//! let all: Vec<_> = BROADCASTS.iter().map(|c| (c.name, steps(c))).collect();
//! assert_eq!(all, [("streamed-trees", Some(14)), ("chained-trees", Some(24)), ("shallow-tree", Some(32))]);
//! ```

mod swapped_trees;

use kernel::{Network, Node, Schedule};

/// A way to broadcast on one network.
pub trait BroadcastForm: Sync {
    /// Steps for so many messages from a root; `None` where it does not apply to that root or so many messages.
    fn steps(&self, root: Node, messages: u32) -> Option<u64>;

    /// The schedule, a claim; message i is the i-th. `None` where [`BroadcastForm::steps`] is, or where the network is not that
    /// of the specification.
    fn schedule(&self, network: &Network, root: Node, messages: u32) -> Option<Schedule>;
}

/// A construction of such schedules.
pub struct Broadcast {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The number of steps for X messages.
    pub promise: &'static str,
    /// The form for a specification; `None` where it does not apply.
    pub make: fn(&str) -> Option<Box<dyn BroadcastForm>>,
}

/// Every construction of broadcasts.
pub const BROADCASTS: &[&Broadcast] = &[&swapped_trees::STREAMED, &swapped_trees::CHAINED, &swapped_trees::SHALLOW];
