//! **What:** the formulas, in the order of the print: [`FORMULAS`].
//!
//! **Errata** (each with a test): (3.6), left term: with an odd number of nodes fewer than P²/2 messages cross, so it is too high on
//! `ring:5`. (3.13): the two phases may overlap, so their sum is no bound. (3.15), (3.17): messages among those that do both may
//! leave their part of the network, so `spidergon:8` with senders 4 to 7 takes 3 steps, not 4. (3.18): of one routing, not of all. The
//! example in section 3.5.5 counts the link of b₀ once and not both ways, and its ⌈35/4⌉ is 9, not 7, so τ₁ + τ₂ is 14, not 12.

use super::parties::{Pattern, Relation};
use super::quantities::Quantities;

/// A lower bound as it is printed.
#[derive(Debug)]
pub struct Formula {
    /// The number of its equation.
    pub equation: &'static str,
    /// What it says.
    pub text: &'static str,
    /// Of which collectives it is said.
    pub about: &'static str,
    value: fn(&Quantities) -> Option<u64>,
}

impl Formula {
    /// The steps that it says are needed; `None` where it is not said of such a problem, or divides by nothing.
    pub fn of(&self, quantities: &Quantities) -> Option<u64> {
        (self.value)(quantities)
    }
}

/// Every lower bound of chapter 3; (3.8) to (3.10) define the widths and phases of those that follow.
pub const FORMULAS: &[Formula] = &[
    Formula {
        equation: "3.3",
        text: "⌈log_{k+1} P⌉",
        about: "one-to-all broadcast and reduce",
        value: |q| only(q, Pattern::Broadcast, Relation::OneToAll, Some(levels(q.ports, q.terminals))),
    },
    Formula {
        equation: "3.4",
        text: "⌈(P−1)/k⌉",
        about: "one-to-all scatter and gather",
        value: |q| {
            let one = matches!(q.relation, Relation::OneToAll | Relation::AllToOne);
            if q.pattern == Pattern::Scatter && one { over(q.terminals - 1, q.ports) } else { None }
        },
    },
    Formula {
        equation: "3.5",
        text: "max(⌈(P−1)/k⌉, ⌈log_{k+1} P⌉)",
        about: "all-to-all broadcast and reduce",
        value: |q| only(q, Pattern::Broadcast, Relation::AllToAll, most(over(q.terminals - 1, q.ports), all_levels(q))),
    },
    Formula {
        equation: "3.6, left",
        text: "⌈(P²/2 + 2Δ)/B_C⌉",
        about: "all-to-all scatter and gather: the bisection",
        value: |q| only(q, Pattern::Scatter, Relation::AllToAll, over(q.terminals * q.terminals, 2 * q.bisection?)),
    },
    Formula {
        equation: "3.6, right",
        text: "⌈Σ/(P·d)⌉",
        about: "all-to-all scatter and gather: the sum of distances",
        value: |q| only(q, Pattern::Scatter, Relation::AllToAll, over(q.distances?, q.terminals * q.degree)),
    },
    Formula {
        equation: "3.7",
        text: "max(⌈log_{k+1} N⌉, ⌈M/k⌉)",
        about: "M-to-N broadcast",
        value: |q| {
            let lies = matches!(q.relation, Relation::Overlapping | Relation::Apart);
            let value = most(Some(levels(q.ports, q.receivers)), over(q.senders, q.ports));
            if q.pattern == Pattern::Broadcast && lies { value } else { None }
        },
    },
    Formula {
        equation: "3.11",
        text: "τ₁ = max(⌈(M−Q)Q/b₁⌉, ⌈Q(N−Q)/b₂⌉)",
        about: "M-to-N scatter: the first phase",
        value: |q| only(q, Pattern::Scatter, Relation::Overlapping, first_phase(q)),
    },
    Formula {
        equation: "3.12",
        text: "τ₂ = max(⌈(M−Q)(N−Q)/min(b₁, b₂)⌉, ⌈Q(Q−1)/(2b₀)⌉)",
        about: "M-to-N scatter: the second phase",
        value: |q| only(q, Pattern::Scatter, Relation::Overlapping, second_phase(q)),
    },
    Formula {
        equation: "3.13",
        text: "τ₁ + τ₂",
        about: "M-to-N scatter (MNS)",
        value: |q| only(q, Pattern::Scatter, Relation::Overlapping, Some(first_phase(q)? + second_phase(q)?)),
    },
    Formula {
        equation: "3.14",
        text: "max(⌈log_{k+1} N⌉, ⌈(P−1)/k⌉)",
        about: "broadcast from all to some (PNB)",
        value: |q| {
            let value = most(Some(levels(q.ports, q.receivers)), over(q.terminals - 1, q.ports));
            only(q, Pattern::Broadcast, Relation::ReceiversWithin, value)
        },
    },
    Formula {
        equation: "3.15",
        text: "max(⌈(P−N)N/b₁⌉, ⌈N²/(2b₀)⌉)",
        about: "scatter from all to some (PNS)",
        value: |q| {
            let outside = over((q.terminals - q.receivers) * q.receivers, q.inwards?);
            let value = most(outside, over(q.receivers * q.receivers, 2 * q.within?));
            only(q, Pattern::Scatter, Relation::ReceiversWithin, value)
        },
    },
    Formula {
        equation: "3.16",
        text: "max(⌈log_{k+1} P⌉, ⌈M/k⌉)",
        about: "broadcast from some to all (MPB)",
        value: |q| only(q, Pattern::Broadcast, Relation::SendersWithin, most(all_levels(q), over(q.senders, q.ports))),
    },
    Formula {
        equation: "3.17",
        text: "max(⌈M(P−M)/b₂⌉, ⌈M²/(2b₀)⌉), printed with b₁ for b₂",
        about: "scatter from some to all (MPS)",
        value: |q| {
            // The print's b₁ leads from the senders, who all receive, to the others, and is the b₂ of (3.8): none only transmit.
            let outside = over(q.senders * (q.terminals - q.senders), q.outwards?);
            let value = most(outside, over(q.senders * q.senders, 2 * q.within?));
            only(q, Pattern::Scatter, Relation::SendersWithin, value)
        },
    },
    Formula {
        equation: "3.18",
        text: "max λ",
        about: "any messages with one destination each: the largest load of a link, by shortest paths shared evenly",
        // Sums of fractions are not exact.
        value: |q| q.load.map(|load| (load - 1e-6).ceil() as u64),
    },
];

fn only(q: &Quantities, pattern: Pattern, relation: Relation, value: Option<u64>) -> Option<u64> {
    if q.pattern == pattern && q.relation == relation { value } else { None }
}

/// ⌈log_{k+1} n⌉: steps in which one message reaches `nodes`, its origin among them.
fn levels(ports: u64, nodes: u64) -> u64 {
    let reached = |n: &u64| Some(n.saturating_mul(ports + 1));
    if ports == 0 { 0 } else { std::iter::successors(Some(1), reached).take_while(|n| *n < nodes).count() as u64 }
}

fn all_levels(q: &Quantities) -> Option<u64> {
    Some(levels(q.ports, q.terminals))
}

/// What nothing is divided by is nothing.
fn over(messages: u64, width: u64) -> Option<u64> {
    match (messages, width) {
        (0, _) => Some(0),
        (_, 0) => None,
        _ => Some(messages.div_ceil(width)),
    }
}

fn most(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    Some(one?.max(other?))
}

fn first_phase(q: &Quantities) -> Option<u64> {
    most(over((q.senders - q.both) * q.both, q.inwards?), over(q.both * (q.receivers - q.both), q.outwards?))
}

fn second_phase(q: &Quantities) -> Option<u64> {
    let across = over((q.senders - q.both) * (q.receivers - q.both), q.inwards?.min(q.outwards?));
    most(across, over(q.both * (q.both - 1), 2 * q.within?))
}
