//! **What:** the colour of each sender: its rank among all nodes from which transfers of the schedule begin, so that as few senders as there
//! are colours have different ones, whatever their numbers.

use kernel::{Node, Storage, Verified};

/// The rank of every node among the senders of a schedule; what sends nothing has none.
pub(crate) struct Senders {
    ranks: Vec<Option<usize>>,
    count: usize,
}

impl Senders {
    pub(crate) fn of(schedule: &Verified) -> Self {
        let network = schedule.problem().network();
        let mut sends = vec![false; network.node_count()];
        match schedule.storage() {
            Storage::Plain(_) => {
                let transfers = (0..schedule.steps()).flat_map(|step| schedule.step(step));
                transfers.for_each(|sent| sends[network.from(sent.path[0]).index()] = true);
            }
            // What one node does all its images do.
            _ => network.members().iter().for_each(|v| sends[v.index()] = true),
        }
        let mut count = 0;
        let mut rank = |sends: bool| {
            count += usize::from(sends);
            sends.then(|| count - 1)
        };
        Senders { ranks: sends.into_iter().map(&mut rank).collect(), count }
    }

    /// How many nodes send.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The rank of a node, 0 where it sends nothing.
    pub(crate) fn rank(&self, node: Node) -> usize {
        self.ranks.get(node.index()).copied().flatten().unwrap_or(0)
    }
}
