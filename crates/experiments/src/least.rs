//! **What:** conflicts that no candidate without late deliveries avoids.

use kernel::{Certificate, Problem, Proof, Rational, Semantics};

/// Uses of channels beyond what `steps` steps carry: uses along shortest paths, where messages have one destination each; for
/// copies of messages a channel a delivery, which may come from a neighbour. `None` where messages are merged.
#[must_use]
pub fn least_conflicts(problem: &Problem, steps: u64) -> Option<u64> {
    let (network, collective) = (problem.network(), problem.collective());
    if collective.semantics() != Semantics::Copy || !network.half_duplex().is_empty() {
        return None;
    }
    let single = collective.messages().all(|m| collective.destinations(m).len() == 1);
    let uses = if single {
        let proof = Proof::Lengths { weights: vec![Rational::whole(1); network.channel_count()].into() };
        // One step is always needed, so the certificate holds and tells its quotient.
        kernel::certify(problem, Certificate { steps: 1, proof }).ok()?.quotient()?.work
    } else {
        u128::from(collective.deliveries())
    };
    let carried = u128::from(steps) * u128::from(network.capacity_of(network.channels()));
    u64::try_from(uses.saturating_sub(carried)).ok()
}
