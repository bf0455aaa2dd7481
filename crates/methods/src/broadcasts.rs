//! **What:** broadcast of one or more messages under store-and-forward by constructions that know the network's name, as an engine
//! among the others: of those that apply the one of fewest steps.

use constructions::broadcast::{BROADCASTS, Broadcast, BroadcastForm};
use kernel::{Collective, Message, Node, Problem, Schedule, Switching};
use run::{Method, Run};

/// Deliveries beyond which no search is tried beside a schedule that is written down.
const MOST_SEARCHED: usize = 1 << 18;

/// Nodes times channels beyond which no trees are packed beside it.
const MOST_PACKED: usize = 1 << 21;

/// The engine of one construction for one problem.
pub struct Broadcasts {
    construction: &'static Broadcast,
    form: Box<dyn BroadcastForm>,
}

impl Broadcasts {
    /// The construction of that name, or the one of fewest steps, for a problem; `None` where none applies.
    pub fn of(problem: &Problem, name: Option<&str>) -> Option<Self> {
        let (root, messages) = asked(problem)?;
        let known = BROADCASTS.iter().filter(|c| name.is_none_or(|name| name == c.name)).filter_map(|construction| {
            let form = (construction.make)(problem.network().name())?;
            Some((form.steps(root, messages)?, Broadcasts { construction, form }))
        });
        known.min_by_key(|(steps, _)| *steps).map(|(_, engine)| engine)
    }

    /// Those of the engines that do not take too long beside it: of large problems the one whose work does not grow with the messages, if
    /// the network is not large, too.
    pub fn beside<'a>(problem: &Problem, engines: Vec<&'a dyn Method>) -> Vec<&'a dyn Method> {
        let (nodes, channels) = (problem.network().node_count(), problem.network().channel_count());
        if problem.collective().message_count() * nodes <= MOST_SEARCHED {
            return engines;
        }
        let packs = |e: &&dyn Method| e.name() == search::Arborescences.name() && nodes * channels <= MOST_PACKED;
        engines.into_iter().filter(packs).collect()
    }
}

/// The root and the number of messages, where all of a root's messages go to all nodes, over channels that work both ways at once
/// and as many ports as there are.
fn asked(problem: &Problem) -> Option<(Node, u32)> {
    let (network, collective) = (problem.network(), problem.collective());
    let messages = u32::try_from(collective.message_count()).ok().filter(|x| *x > 0)?;
    let root = collective.origin(Message(0));
    let free = |v: Node| network.send_ports(v).is_none() && network.receive_ports(v).is_none();
    // The broadcast below has a list of all nodes for each message, so it is only made where it may be the one.
    let whole = problem.model().switching == Switching::StoreAndForward
        && collective.messages().all(|m| collective.origin(m) == root)
        && network.half_duplex().is_empty()
        && network.nodes().all(free)
        && *collective == Collective::broadcast(root, network.terminals()).in_chunks(messages);
    whole.then_some((root, messages))
}

impl Method for Broadcasts {
    fn name(&self) -> &'static str {
        self.construction.name
    }

    fn about(&self) -> &'static str {
        self.construction.about
    }

    fn source(&self) -> &'static str {
        self.construction.source
    }

    fn applies(&self, problem: &Problem) -> bool {
        asked(problem).is_some()
    }

    fn solve(&self, problem: &Problem, _floor: u64, _run: &Run<'_>) -> Option<Schedule> {
        let (root, messages) = asked(problem)?;
        self.form.schedule(problem.network(), root, messages)
    }
}
