//! **What:** alltoall between the routers of a D3(J, L) within a Swapped Dragonfly, by the constructions for D3(J, L): its source
//! vectors never leave it.
//!
//! **Promise:** none; as many steps as the best construction for D3(J, L) takes.
//!
//! **Construction:** the part's routers follow each other in the same order as those of D3(J, L), so messages keep their numbers;
//! every channel of D3(J, L) is one of the part.
//!
//! **Source:** Draper, property 2
//!
//! **Example:** cabinets 0 and 2 and drawers 1, 2 and 4 of `swapped-dragonfly:3,5`, 11 steps
//! ```
//! use constructions::{CONSTRUCTIONS, Claim, Control};
//! use kernel::{Collective, Model, Node, Problem, verify};
//! use topologies::{Topology, families::swapped_dragonfly::SwappedDragonfly};
//! let d3 = SwappedDragonfly::new(3, 5)?;
//! let part = d3.part(&[0, 2], &[1, 2, 4]).expect("cabinets and drawers that exist");
//! let nodes: Vec<Node> = part.nodes.iter().map(|v| Node(*v)).collect();
//! let problem = Problem::new(d3.network(), Collective::alltoall(&nodes, &nodes), Model::store_and_forward())?;
//! let builder = CONSTRUCTIONS.iter().find_map(|c| c.builder(&problem)).expect("a D3(2, 3)");
//! let schedule = builder.build(problem.network(), &Control::default()).and_then(Claim::plain).expect("no one stops it");
//! assert_eq!(verify(&problem, schedule)?.steps(), 11);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::source_vectors::swapped_dragonfly;
use crate::{best, doubly_parallel, priced, vector_factors, vector_latin, vector_stream};
use construct::{Builder, Claim, Construction, Control, Pattern, PortUse, Request, Scope};
use kernel::{Channel, Model, Network, Node, Schedule, Switching};
use std::collections::BTreeSet;
use topologies::Topology;
use topologies::families::swapped_dragonfly::Part;

/// Schedules of more channel uses are not written down.
const MOST_USES: u64 = 1 << 24;

/// The constructions for the part.
const INNER: &[&Construction] = &[
    &vector_latin::CONSTRUCTION,
    &vector_stream::CONSTRUCTION,
    &doubly_parallel::PIPELINED,
    &vector_factors::CONSTRUCTION,
    &priced::HOPS,
    &priced::PATHS,
];

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "sub-network",
    about: "alltoall between the routers of a smaller Swapped Dragonfly within a larger one",
    source: "Draper, property 2",
    promise: "as the best construction for the smaller one",
    scope: Scope {
        pattern: Pattern::AlltoallWithin,
        switching: &[Switching::StoreAndForward, Switching::Wormhole],
        ports: PortUse::All,
        half_duplex: false,
    },
    is_automatic: true,
    examples: &["swapped-dragonfly:3,5"],
    make: |request| Some(Box::new(SubNetwork { part: part(request)?, model: request.model() })),
};

struct SubNetwork {
    part: Part,
    model: Model,
}

impl Builder for SubNetwork {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let inner = self.part.inner.network();
        let best = best::alltoall(INNER, &inner, self.model, control)?.schedule;
        control.check()?;
        let best = Some(best).filter(|s| s.channel_uses() <= MOST_USES)?;
        let schedule = best.expanded().ok()?;
        moved(&schedule, &inner, &self.part, network, control).map(Claim::Plain)
    }
}

/// The part of a Swapped Dragonfly between whose routers messages go, where it is not the whole.
fn part(request: &Request<'_>) -> Option<Part> {
    let (d3, members) = (swapped_dragonfly(request)?, request.senders()?);
    if members.len() == request.network()?.node_count() || !request.has_size_of_name() {
        return None;
    }
    let all = |digit: usize| members.iter().map(|v| d3.router(v.0)[digit]).collect::<BTreeSet<u32>>();
    let [cabinets, drawers] = [all(0), all(1)].map(|list| list.into_iter().collect::<Vec<u32>>());
    d3.part(&cabinets, &drawers).filter(|part| part.nodes.iter().copied().eq(members.iter().map(|v| v.0)))
}

/// The schedule with every channel of the part in place of the inner network's.
fn moved(
    schedule: &Schedule,
    inner: &Network,
    part: &Part,
    whole: &Network,
    control: &Control<'_>,
) -> Option<Schedule> {
    let image = |channel: Channel| {
        let [from, to] = [inner.from(channel), inner.to(channel)].map(|v| Node(part.nodes[v.index()]));
        whole.channel_between(from, to)
    };
    let images: Vec<Channel> = inner.channels().map(image).collect::<Option<_>>()?;
    let mut moved = Schedule::new();
    for step in schedule.steps() {
        moved.begin_step();
        for transfer in step {
            control.tick()?;
            let path: Vec<Channel> = transfer.path.iter().map(|c| images[c.index()]).collect();
            transfer.messages.iter().for_each(|message| moved.send(*message, &path));
        }
    }
    Some(moved)
}
