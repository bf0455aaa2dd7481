//! What the tests of constructions share.

use constructions::{Builder, CONSTRUCTIONS, Claim, ClaimError, Construction, Control, Pattern, PortUse, Request};
use kernel::Verified;
use kernel::{Collective, Model, Network, Node, Ports, Problem};
use topologies::families::swapped_dragonfly::SwappedDragonfly;

/// A construction that applies.
pub(crate) struct Found {
    pub construction: &'static Construction,
    pub builder: Box<dyn Builder>,
    pub model: Model,
}

impl Found {
    /// What it builds, verified; `None` where it builds nothing.
    pub(crate) fn verified(&self, network: &Network) -> Option<Result<Verified, ClaimError>> {
        let claim = self.builder.build(network, &Control::default())?;
        Some(claim.orbits().expect("alltoall as orbits").verified(network, self.model))
    }
}

/// The constructions of alltoall as orbits that apply to a network of that name, under either switching, in their order.
#[allow(dead_code, reason = "not all tests use it")]
pub(crate) fn find(spec: &str) -> impl Iterator<Item = Found> {
    CONSTRUCTIONS.iter().flat_map(move |construction| {
        let of = |switching| {
            let model = Model { switching, combining: false };
            let builder = construction.builder_for(&Request::named(spec, model))?;
            Some(Found { construction, builder, model })
        };
        let orbits = construction.scope.ports == PortUse::Any;
        construction.scope.switching.iter().copied().filter(|_| orbits).filter_map(of).collect::<Vec<_>>()
    })
}

/// The problems that an example of a construction stands for.
#[allow(dead_code, reason = "not all tests use it")]
pub(crate) fn examples(construction: &Construction, spec: &str) -> Vec<Problem> {
    let mut network = topologies::parse(spec).expect(spec);
    if construction.scope.ports == PortUse::One {
        network = topologies::change::with_ports(&network, Ports::Each(1)).expect(spec);
    }
    let all = network.terminals();
    let collective = match construction.scope.pattern {
        Pattern::Alltoall => Collective::alltoall(all, all),
        Pattern::Allgather => Collective::allgather(all, all),
        // Of one message, or of a stream of them.
        Pattern::Broadcast => {
            let broadcast = Collective::broadcast(Node(1), all);
            let applies = |c: &Collective| {
                let model = Model { switching: construction.scope.switching[0], combining: false };
                Problem::new(network.clone(), c.clone(), model).is_ok_and(|p| construction.builder(&p).is_some())
            };
            if applies(&broadcast) { broadcast } else { broadcast.in_chunks(9) }
        }
        Pattern::AlltoallWithin => {
            let (k, m) = spec.split_once(':').and_then(|(_, rest)| rest.split_once(',')).expect(spec);
            let d3 = SwappedDragonfly::new(k.parse().expect(spec), m.parse().expect(spec)).expect(spec);
            let drawers: Vec<u32> = (1..d3.drawers()).collect();
            let part = d3.part(&[0, d3.cabinets() - 1], &drawers).expect(spec);
            let nodes: Vec<Node> = part.nodes.into_iter().map(Node).collect();
            Collective::alltoall(&nodes, &nodes)
        }
    };
    let combinings = if construction.scope.ports == PortUse::One { vec![false, true] } else { vec![false] };
    let models = construction.scope.switching.iter().copied();
    let models =
        models.flat_map(|s| combinings.iter().map(move |combining| Model { switching: s, combining: *combining }));
    models.map(|model| Problem::new(network.clone(), collective.clone(), model).expect(spec)).collect()
}

/// The number of steps of a claim that the kernel has verified.
#[allow(dead_code, reason = "not all tests use it")]
pub(crate) fn verified(problem: &Problem, claim: Claim) -> Result<u64, String> {
    let claim = claim.of(problem).map_err(|e| e.to_string())?;
    kernel::verify(problem, claim).map(|v| v.steps() as u64).map_err(|e| e.to_string())
}
