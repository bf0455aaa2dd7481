//! **What:** the engine `exchange`: allreduce and barrier by exchanges in both directions.
//!
//! **Theory.** The contributors are always divided into blocks, each member of which holds the sum of its block. In a step
//! two blocks merge when every member of each receives from some member of the other over paths free together; more
//! blocks may join the merger in the same step, each sum then going to every member once. Contributions of different blocks are
//! disjoint, so none is counted twice. On a hypercube with pairs of blocks this is recursive doubling.
//!
//! **Method.** Blocks merge in random order while paths last, step after step, with restarts.
//!
//! **When it loses.** Where blocks are far apart or few paths leave them; a reduce and a broadcast then take fewer steps.

use graph::residual::Residual;
use graph::{paths::Paths, paths::Way};
use kernel::{Channel, Node, Problem, Schedule, Semantics, Switching};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Method, Run};

/// The engine.
pub struct Exchange;

/// Restarts at most.
const ATTEMPTS: u64 = 2_000;

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
        let stepwise = !matches!(problem.model().switching, Switching::Tdm { .. });
        let one = collective.message_count() == 1 && collective.semantics() == Semantics::Reduce;
        one && stepwise
            && collective.messages().all(|m| {
                let members = collective.contributors(m);
                let ends = collective.destinations(m);
                ends.len() > 1 && ends.iter().all(|v| members.contains(v))
            })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let goal = run.goal(floor).max(1) as usize;
        let budget = run.settings.ticks / 20;
        let mut paths = Paths::new(problem, run.settings.slack);
        let mut best: Option<Schedule> = None;
        for task in 0..ATTEMPTS {
            let limit = best.as_ref().map_or(2 * problem.network().node_count(), |b| b.step_count() - 1);
            if let Some(found) = attempt(problem, run.settings.seed.generator(task), limit, &mut paths) {
                run.progress.found(self.name(), found.step_count() as u64);
                best = Some(found);
            }
            let reached = best.as_ref().is_some_and(|b| b.step_count() <= goal);
            if reached || paths.visits > budget || run.stopped() {
                break;
            }
        }
        best
    }
}

/// One schedule of at most `limit` steps.
fn attempt(problem: &Problem, mut random: Pcg64Mcg, limit: usize, paths: &mut Paths<'_>) -> Option<Schedule> {
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
            let mut open: Vec<usize> = (0..mergers.len()).filter(|m| mergers[*m].len() < most).collect();
            open.shuffle(&mut random);
            // A few tries keep an attempt quick.
            open.truncate(16);
            let mut joined = false;
            for merger in open {
                paths.turn = random.random_range(0..64);
                if let Some(taken) = join(&blocks, &block_of, &mergers[merger], at, &mut free, paths) {
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

/// Paths by which block `new` gets the sum of every block of `merger`, and all their members that of `new`.
fn join(
    blocks: &[Vec<Node>],
    block_of: &[usize],
    merger: &[usize],
    new: usize,
    free: &mut Residual<'_>,
    paths: &mut Paths<'_>,
) -> Option<Vec<Vec<Channel>>> {
    let mut taken: Vec<Vec<Channel>> = Vec::new();
    let wanted = merger.iter().flat_map(|&old| {
        let into = blocks[new].iter().map(move |&v| (v, old));
        into.chain(blocks[old].iter().map(move |&v| (v, new)))
    });
    for (receiver, from) in wanted {
        let accept = |v: Node| (block_of[v.index()] == from).then_some(());
        match paths.nearest(free, receiver, Way::Back, accept) {
            Some(((), path)) => taken.push(path.to_vec()),
            None => {
                taken.iter().for_each(|path| free.give_path(path));
                return None;
            }
        }
    }
    Some(taken)
}
