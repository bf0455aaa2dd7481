//! **What:** the method `exchange`: allreduce and barrier by exchanges in both directions.
//!
//! **Facts.** The contributors are always divided into blocks, each member of which holds the sum of its block. In a step
//! two blocks merge when every member of each receives from some member of the other over paths free together; more
//! blocks may join the merger in the same step, each sum then going to every member once. Contributions of different blocks are
//! disjoint, so none is counted twice. On a hypercube with pairs of blocks this is recursive doubling. Where each node sends to one other in a step, blocks
//! that merge are two of one size, for each has as many senders as the other receivers; so there are 2, 4, 8, … contributors.
//!
//! **Method.** Blocks merge in random order while paths last, step after step, with restarts.
//!
//! **When it loses.** Where blocks are far apart or few paths leave them; a reduce and a broadcast then take fewer steps.

use graph::{paths::Paths, paths::Way, residual::Residual};
use kernel::{Channel, Node, Problem, Schedule, Semantics};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Method, Run};
use search::Restarts;

/// The method.
pub struct Exchange;

impl Method for Exchange {
    fn name(&self) -> &'static str {
        "exchange"
    }

    fn about(&self) -> &'static str {
        "allreduce and barrier: blocks of equal partial sums merge by exchanges in both directions"
    }

    fn source(&self) -> &'static str {
        "recursive doubling (R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, 2005)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let collective = problem.collective();
        let stepwise = !problem.model().is_slotted();
        let one = collective.message_count() == 1 && collective.semantics() == Semantics::Reduce;
        one && stepwise
            && collective.messages().all(|m| {
                let members = collective.contributors(m);
                let ends = collective.destinations(m);
                let sends_once = members.iter().all(|v| problem.network().send_capacity(*v) == 1);
                let fits = !sends_once || members.len().is_power_of_two();
                fits && ends.len() > 1 && ends.iter().all(|v| members.contains(v))
            })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let mut paths = Paths::new(problem, run.settings.slack);
        let most = 2 * problem.network().node_count();
        Restarts { name: self.name(), run, floor, cost: 1, attempts: u64::MAX, most }
            .best(&mut Budget::new(run, run.settings.ticks), |number, limit, budget| {
                attempt(problem, run.settings.seed.generator(number), limit, &mut paths, budget)
            })
    }
}

/// One schedule of at most `limit` steps.
fn attempt(
    problem: &Problem,
    mut random: Pcg64Mcg,
    limit: usize,
    paths: &mut Paths<'_>,
    budget: &mut Budget<'_>,
) -> Option<Schedule> {
    let chunk = problem.collective().messages().next()?;
    let mut blocks: Vec<Vec<Node>> = problem.collective().contributors(chunk).iter().map(|&v| vec![v]).collect();
    let mut free = Residual::new(problem.network());
    let mut block_of = vec![usize::MAX; problem.network().node_count()];
    let mut schedule = Schedule::new();
    // Joining more than two blocks in a step uses more channels; whether that pays differs from network to network.
    let most = [2, usize::MAX, 4][random.random_range(0..3)];
    while blocks.len() > 1 {
        if schedule.step_count() >= limit {
            return None;
        }
        free.clear();
        schedule.begin_step();
        blocks.shuffle(&mut random);
        // Blocks as the step began; a merger is a list of them.
        for (at, block) in blocks.iter().enumerate() {
            block.iter().for_each(|v| block_of[v.index()] = at);
        }
        let mut mergers: Vec<Vec<usize>> = Vec::new();
        for at in 0..blocks.len() {
            if !budget.spend(40 + mergers.len() as u64) {
                return None;
            }
            let mut open: Vec<usize> = (0..mergers.len()).filter(|m| mergers[*m].len() < most).collect();
            open.shuffle(&mut random);
            // A few tries keep an attempt quick.
            open.truncate(16);
            let mut joined = false;
            for merger in open {
                paths.rotation = random.random_range(0..64);
                let joining = Joining { blocks: &blocks, block_of: &block_of, merger: &mergers[merger], new: at };
                if let Some(taken) = joining.paths(&mut free, paths, budget) {
                    taken.iter().for_each(|path| schedule.send(chunk, path));
                    mergers[merger].push(at);
                    joined = true;
                    break;
                }
            }
            if !joined {
                mergers.push(vec![at]);
            }
        }
        if mergers.len() == blocks.len() {
            return None;
        }
        blocks = mergers.iter().map(|m| m.iter().flat_map(|&b| blocks[b].iter().copied()).collect()).collect();
    }
    Some(schedule)
}

/// A block that may join others in a step.
struct Joining<'a> {
    blocks: &'a [Vec<Node>],
    /// The block of each node.
    block_of: &'a [usize],
    /// Blocks that merge already.
    merger: &'a [usize],
    new: usize,
}

impl Joining<'_> {
    /// Paths by which the new block gets the sum of every block of the merger, and all their members that of the new one.
    fn paths(
        &self,
        free: &mut Residual<'_>,
        paths: &mut Paths<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Vec<Channel>>> {
        let mut taken: Vec<Vec<Channel>> = Vec::new();
        let wanted = self.merger.iter().flat_map(|&old| {
            let into = self.blocks[self.new].iter().map(move |&v| (v, old));
            into.chain(self.blocks[old].iter().map(|&v| (v, self.new)))
        });
        for (receiver, from) in wanted {
            let accept = |v: Node| (self.block_of[v.index()] == from).then_some(());
            match paths.nearest(free, receiver, Way::Back, accept, budget) {
                Some(((), path)) => taken.push(path.to_vec()),
                None => {
                    taken.iter().for_each(|path| free.give_path(path));
                    return None;
                }
            }
        }
        Some(taken)
    }
}
