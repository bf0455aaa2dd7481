//! **What:** alltoall between the routers of a D3(J, L) within a Swapped Dragonfly, by the constructions for D3(J, L): its source
//! vectors never leave it.
//!
//! ```
//! use kernel::{Collective, Model, Node, Problem};
//! use run::{Run, Settings, Silent};
//! use methods::sub_network::SubNetwork;
//! use topologies::families::swapped_dragonfly::SwappedDragonfly;
//! let d3 = SwappedDragonfly::new(3, 5)?;
//! let part = d3.part(&[0, 2], &[1, 2, 4]).expect("cabinets and drawers that exist");
//! let nodes: Vec<Node> = part.nodes.iter().map(|v| Node(*v)).collect();
//! let problem = Problem::new(d3.network(), Collective::alltoall(&nodes, &nodes), Model::store_and_forward())?;
//! let engine = SubNetwork::of(&problem).expect("a D3(2, 3)");
//! assert_eq!(engine.steps(), 11);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use constructions::find;
use kernel::{Channel, Collective, Message, Network, Node, Problem, Schedule};
use run::{Method, Run};
use std::collections::BTreeSet;
use topologies::Topology;
use topologies::families::swapped_dragonfly::{Part, SwappedDragonfly};

/// The engine's name.
pub const NAME: &str = "sub-network";

/// Schedules of more channel uses are not written down.
const MOST_USES: u64 = 1 << 24;

/// The engine for one problem.
pub struct SubNetwork {
    schedule: Schedule,
}

impl SubNetwork {
    /// The schedule for a problem; `None` where its senders and receivers are not the routers of a smaller Swapped Dragonfly, or
    /// where there is no construction for that.
    pub fn of(problem: &Problem) -> Option<Self> {
        let part = part(problem)?;
        let inner = part.inner.network();
        let spec = part.inner.spec();
        let plans = find(&spec).filter(|(_, form)| form.model() == problem.model());
        let verified = plans.filter_map(|(_, form)| form.plan(&inner)?.verified(&inner).ok());
        let best = verified.min_by_key(|schedule| schedule.steps()).filter(|s| s.channel_uses() <= MOST_USES)?;
        let (_, schedule) = best.expanded().ok()?;
        moved(&schedule, &inner, &part, problem.network()).map(|schedule| SubNetwork { schedule })
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.schedule.step_count()
    }
}

/// The part of a Swapped Dragonfly between whose routers the messages of alltoall go, where it is not the whole.
fn part(problem: &Problem) -> Option<Part> {
    let (k, m) = problem.network().name().strip_prefix("swapped-dragonfly:")?.split_once(',')?;
    let d3 = SwappedDragonfly::new(k.parse().ok()?, m.parse().ok()?).ok()?;
    let collective = problem.collective();
    let members: BTreeSet<Node> = collective.messages().map(|m| collective.origin(m)).collect();
    let members: Vec<Node> = members.into_iter().collect();
    let count = problem.network().node_count();
    if members.len() == count || members.iter().any(|v| v.index() >= count) {
        return None;
    }
    let all = |digit: usize| members.iter().map(|v| d3.router(v.0)[digit]).collect::<BTreeSet<u32>>();
    let (cabinets, drawers): (Vec<u32>, Vec<u32>) = (all(0).into_iter().collect(), all(1).into_iter().collect());
    let part = d3.part(&cabinets, &drawers)?;
    let same = part.nodes.iter().copied().eq(members.iter().map(|v| v.0));
    (same && *collective == Collective::alltoall(&members, &members)).then_some(part)
}

/// The schedule with every channel of the part in place of the inner network's. Messages keep their numbers, since the part's
/// nodes follow each other in the same order.
fn moved(schedule: &Schedule, inner: &Network, part: &Part, whole: &Network) -> Option<Schedule> {
    let image = |channel: Channel| {
        let [from, to] = [inner.from(channel), inner.to(channel)].map(|v| Node(part.nodes[v.index()]));
        if from.index() >= whole.node_count() {
            return None;
        }
        whole.outgoing(from).iter().copied().find(|c| whole.to(*c) == to)
    };
    let images: Vec<Channel> = inner.channels().map(image).collect::<Option<_>>()?;
    let mut moved = Schedule::new();
    for step in schedule.steps() {
        moved.begin_step();
        for transfer in step {
            let path: Vec<Channel> = transfer.path.iter().map(|c| images[c.index()]).collect();
            let messages: &[Message] = transfer.messages;
            messages.iter().for_each(|message| moved.send(*message, &path));
        }
    }
    Some(moved)
}

impl Method for SubNetwork {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "alltoall between the routers of a smaller Swapped Dragonfly within a larger one"
    }

    fn source(&self) -> &'static str {
        "Draper, property 2"
    }

    fn applies(&self, problem: &Problem) -> bool {
        part(problem).is_some()
    }

    fn solve(&self, _problem: &Problem, _floor: u64, _run: &Run<'_>) -> Option<Schedule> {
        Some(self.schedule.clone())
    }
}
