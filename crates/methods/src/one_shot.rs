//! **What:** the method `one-shot`: a reduction in which everybody sends its contribution to all who are to have the result, and these
//! merge what arrives.
//!
//! **Theory:** contributions that travel [apart](kernel::Transfer::partials) are messages that are copied, so a schedule of allgather is one of
//! allreduce, in as many steps. Where messages combine, whoever hears of all contributions can receive them, so both have the same optimum.
//!
//! **Method.** The best schedule of the copies; whatever comes first of a contribution is merged.
//!
//! Under time-division it serves chunks for one node each as well: run backwards, relays could send nothing that arrives after the end of the period
//! ([`crate::Reversal`]), and direct transfers need no relays.
//!
//! **Loses** on networks of many nodes, where every contribution by itself takes far more channels than sums do, unless messages combine.
//!
//! **Source:** the one-shot allreduce of accelerator libraries (E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication:
//! theory, practice, and experience, 2007, has allreduce for short vectors by allgather).

use crate::nested::{better_but, gains, quick_best_but, told};
use kernel::{Node, Problem, Schedule, Semantics};
use run::{Method, Run};
use search::Contributions;

/// The method.
pub struct OneShot;

const NAME: &str = "one-shot";

/// Most deliveries of contributions.
const MOST_DELIVERIES: u64 = 1 << 18;

impl Method for OneShot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier as allgather, reduce_scatter in slots as alltoall: who is to have the result merges all contributions"
    }

    fn source(&self) -> &'static str {
        "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication: theory, practice, and experience, 2007"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let several = collective.messages().any(|m| collective.destinations(m).len() > 1);
        // Elsewhere reversal loses nothing, and a root receives sums in fewer slots.
        let fits = several || problem.model().is_slotted() && collective.root().is_none();
        let ends = |m| collective.contributors(m).len() as u64 * collective.destinations(m).len() as u64;
        fits && collective.semantics() == Semantics::Reduce
            && collective.messages().map(ends).sum::<u64>() <= MOST_DELIVERIES
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let shares = shares(problem)?;
        let floor = if problem.model().combining { floor } else { shares.floor(run) };
        if !gains(floor, None, run) {
            return None;
        }
        // Messages for one node each, and calls in steps, are mostly left to one search, which needs all its ticks.
        let is_search = shares.is_to_single() || problem.model().combining && !problem.model().is_slotted();
        let best = match is_search {
            true => better_but(told(&shares.problem, run), &[NAME], &shares.problem, floor, run)?,
            false => quick_best_but(&[NAME], &shares.problem, floor, run)?.schedule,
        };
        let copies = best.expanded().ok()?;
        Some(shares.contributions.merged(problem, &copies))
    }
}

/// The contributions as messages.
struct Shares {
    problem: Problem,
    contributions: Contributions,
}

fn shares(problem: &Problem) -> Option<Shares> {
    let contributions = Contributions::of(problem.collective())?;
    let copies = contributions.copies.clone();
    Some(Shares { problem: Problem::new(problem.network().clone(), copies, problem.model()).ok()?, contributions })
}

impl Shares {
    /// Whether each contribution is for one node.
    fn is_to_single(&self) -> bool {
        let collective = self.problem.collective();
        collective.messages().all(|share| collective.destinations(share).len() == 1)
    }

    /// Where messages do not combine, the fewest steps in which everybody can receive what it must and, of contributions for one node each, in which channels can carry them.
    fn floor(&self, run: &Run<'_>) -> u64 {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        if self.is_to_single() {
            let known = run.incumbent.map(|known| known.steps() as u64);
            return bounds::strongest_within(&self.problem, run, known).steps;
        }
        let mut receives = vec![0u64; network.node_count()];
        for to in collective.messages().flat_map(|share| collective.destinations(share)) {
            receives[to.index()] += 1;
        }
        let steps = |v: &Node| receives[v.index()].div_ceil(network.receive_capacity(*v).max(1));
        network.terminals().iter().map(steps).max().unwrap_or(0)
    }
}
