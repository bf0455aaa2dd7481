//! **What:** the trees of chunks: how they grow, make room for others, and become a schedule.

use graph::paths::{Paths, Way};
use graph::residual::Residual;
use kernel::{Channel, Message, Node, Op, Problem, Schedule, Transfer};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Run};

/// Ticks that a node costs in each step that a tree grows in, beside its channels.
const A_NODE: u64 = 6;

/// Chunks that make room for others, for each chunk, before it is given up.
const MOVES: usize = 10;

/// A transfer in its step.
#[derive(Clone)]
pub(super) struct Made {
    step: usize,
    path: Vec<Channel>,
    op: Op,
}

/// The trees of the chunks that have been placed.
pub(super) struct Trees<'a, 'm> {
    problem: &'a Problem,
    /// Most steps.
    pub(super) limit: usize,
    /// All terminals, those in the middle of the network first, and how many of them are roots.
    middle: &'m [Node],
    pub(super) among: usize,
    /// Whether trees may meet in two roots that exchange what they have.
    pub(super) pairs: bool,
    paths: Paths<'a>,
    random: Pcg64Mcg,
    /// Of the steps that are used.
    free: Vec<Residual<'a>>,
    /// Of each chunk, its transfers; none where it is not placed.
    pub(super) made: Vec<Vec<Made>>,
}

impl<'a, 'm> Trees<'a, 'm> {
    /// No trees yet.
    pub(super) fn new(problem: &'a Problem, middle: &'m [Node], limit: usize, run: &Run<'_>) -> Self {
        let random = run.settings.seed.generator(0);
        let paths = Paths::new(problem, run.settings.slack);
        Trees { problem, limit, middle, among: 1, pairs: false, paths, random, free: Vec::new(), made: Vec::new() }
    }

    /// Places all chunks anew, one after the other; whether that took no more than `limit` steps.
    pub(super) fn begin(&mut self, budget: &mut Budget<'_>) -> bool {
        let collective = self.problem.collective();
        self.free.iter_mut().for_each(Residual::clear);
        self.made = collective.messages().map(|_| Vec::new()).collect();
        // What is the first for a root that was taken before is no later than that.
        let mut since = vec![0; self.problem.network().node_count()];
        collective.messages().all(|chunk| {
            let root = self.root(chunk);
            let first = &mut since[root.index()];
            while *first <= self.limit && !budget.is_over() {
                if self.place(chunk, root, *first, budget) {
                    return true;
                }
                *first += 1;
            }
            false
        })
    }

    fn root(&mut self, chunk: Message) -> Node {
        match self.problem.collective().destinations(chunk) {
            [only] => *only,
            _ => self.middle[self.random.random_range(0..self.among)],
        }
    }

    /// Whether a chunk finds trees that meet before this step: in one root, or, where that is tried, in two.
    fn place(&mut self, chunk: Message, root: Node, at: usize, budget: &mut Budget<'_>) -> bool {
        if self.pairs && self.place_at_two(chunk, root, at, budget) {
            return true;
        }
        self.made[chunk.index()] = match self.both(chunk, &[root], at, at, budget) {
            Some(made) => made,
            None => return false,
        };
        true
    }

    /// Two roots exchange what has come to them in the last step before this one, so both have all of it.
    fn place_at_two(&mut self, chunk: Message, root: Node, at: usize, budget: &mut Budget<'_>) -> bool {
        let collective = self.problem.collective();
        let Some(step) = at.checked_sub(1).filter(|step| *step < self.limit) else { return false };
        if collective.destinations(chunk).len() < 2 || !collective.contributors(chunk).contains(&root) {
            return false;
        }
        self.reach(step);
        self.paths.rotation = self.random.random_range(0..64);
        let other = |v: Node| collective.contributors(chunk).contains(&v).then_some(v);
        let found = self.paths.nearest(&mut self.free[step], root, Way::On, other, budget);
        let Some((other, there)) = found.map(|(other, path)| (other, path.to_vec())) else { return false };
        let back = |v: Node| (v == root).then_some(());
        let found = self.paths.nearest(&mut self.free[step], other, Way::On, back, budget);
        let Some(back) = found.map(|(_, path)| path.to_vec()) else {
            self.free[step].give_path(&there);
            return false;
        };
        let exchange = [there, back].map(|path| Made { step, path, op: Op::Reduce });
        match self.both(chunk, &[root, other], step, at, budget) {
            Some(mut made) => {
                made.extend(exchange);
                self.made[chunk.index()] = made;
                true
            }
            None => {
                exchange.iter().for_each(|made| self.free[step].give_path(&made.path));
                false
            }
        }
    }

    /// Trees to the roots whose transfers end before one step, and from them that begin with another; nothing is taken where there are not both.
    fn both(
        &mut self,
        chunk: Message,
        roots: &[Node],
        ends: usize,
        begins: usize,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Made>> {
        let mut merged = self.grow(chunk, roots, ends, Op::Reduce, budget)?;
        let Some(copied) = self.grow(chunk, roots, begins, Op::Copy, budget) else {
            merged.iter().for_each(|made| self.free[made.step].give_path(&made.path));
            return None;
        };
        merged.extend(copied);
        Some(merged)
    }

    /// Makes sure that there is this step.
    fn reach(&mut self, step: usize) {
        while self.free.len() <= step {
            self.free.push(Residual::new(self.problem.network()));
        }
    }

    /// Takes a chunk's trees away.
    fn remove(&mut self, chunk: Message) {
        for made in std::mem::take(&mut self.made[chunk.index()]) {
            self.free[made.step].give_path(&made.path);
        }
    }

    /// Of these transfers, places anew what does not end within `limit` steps, and what has to make room for it; whether that came to an end.
    pub(super) fn shorten(&mut self, known: &[Vec<Made>], budget: &mut Budget<'_>) -> bool {
        let chunks = known.len();
        self.made = known.to_vec();
        self.free.iter_mut().for_each(Residual::clear);
        for made in known.iter().flatten() {
            self.free[made.step].try_take(&made.path);
        }
        self.among = self.middle.len();
        let late = |made: &Vec<Made>| made.iter().any(|made| made.step >= self.limit);
        let mut waiting: Vec<Message> =
            self.problem.collective().messages().filter(|m| late(&self.made[m.index()])).collect();
        waiting.iter().for_each(|chunk| self.remove(*chunk));
        let mut moves = MOVES * chunks;
        while let Some(chunk) = waiting.pop() {
            let root = self.root(chunk);
            let begin = self.random.random_range(0..self.limit);
            let fits = (0..self.limit).any(|at| self.place(chunk, root, (begin + at) % self.limit, budget));
            if fits {
                continue;
            }
            if moves == 0 || budget.is_over() {
                return false;
            }
            moves -= 1;
            waiting.push(chunk);
            let other = Message::new(self.random.random_range(0..chunks));
            if !waiting.contains(&other) {
                self.remove(other);
                waiting.insert(0, other);
            }
        }
        true
    }

    /// What is placed.
    pub(super) fn schedule(&self) -> Schedule {
        let mut all: Vec<(Message, &Made)> = Vec::new();
        for (chunk, made) in self.problem.collective().messages().zip(&self.made) {
            all.extend(made.iter().map(|made| (chunk, made)));
        }
        all.sort_by_key(|(_, made)| made.step);
        let mut schedule = Schedule::new();
        for (chunk, made) in all {
            while schedule.step_count() <= made.step {
                schedule.begin_step();
            }
            schedule.push(Transfer { op: made.op, ..Transfer::new(&[chunk], &made.path) });
        }
        schedule
    }

    /// Trees to the roots whose transfers end before step `at` (`Op::Reduce`), or from them whose transfers begin with that (`Op::Copy`); what it takes is
    /// no longer free. Nothing is taken where there are none.
    fn grow(
        &mut self,
        chunk: Message,
        roots: &[Node],
        at: usize,
        op: Op,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Made>> {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let wanted = if op == Op::Reduce { collective.contributors(chunk) } else { collective.destinations(chunk) };
        let mut is_wanted = vec![false; network.node_count()];
        wanted.iter().for_each(|v| is_wanted[v.index()] = true);
        let mut left: Vec<Node> = network.terminals().iter().copied().filter(|v| !roots.contains(v)).collect();
        left.shuffle(&mut self.random);
        // Relays only take what those that have to be in the tree leave.
        left.sort_by_key(|v| !is_wanted[v.index()]);
        let mut missing = left.iter().filter(|v| is_wanted[v.index()]).count();
        let mut inside = vec![false; network.node_count()];
        roots.iter().for_each(|root| inside[root.index()] = true);
        let (way, mut tree) = (if op == Op::Reduce { Way::On } else { Way::Back }, Vec::new());
        let mut steps = 0;
        while missing > 0 {
            let step = if op == Op::Reduce { at.checked_sub(steps + 1) } else { Some(at + steps) };
            let goes_on = budget.spend(A_NODE * left.len() as u64);
            let Some(step) = step.filter(|step| *step < self.limit && goes_on) else {
                tree.iter().for_each(|made: &Made| self.free[made.step].give_path(&made.path));
                return None;
            };
            self.reach(step);
            let joined = tree.len();
            self.paths.rotation = self.random.random_range(0..64);
            left.retain(|&node| {
                let near = |v: Node| inside[v.index()].then_some(());
                let path = self.paths.nearest(&mut self.free[step], node, way, near, budget);
                let Some((_, path)) = path else { return true };
                tree.push(Made { step, path: path.to_vec(), op });
                missing -= usize::from(is_wanted[node.index()]);
                false
            });
            for made in &tree[joined..] {
                inside[self.outer(made).index()] = true;
            }
            steps += 1;
        }
        self.prune(&mut tree, &is_wanted);
        Some(tree)
    }

    /// The end of a transfer that is farther from the root.
    fn outer(&self, made: &Made) -> Node {
        let network = self.problem.network();
        match made.op {
            Op::Copy => network.to(made.path[made.path.len() - 1]),
            _ => network.from(made.path[0]),
        }
    }

    /// Gives back what leads to no node that is wanted.
    fn prune(&mut self, tree: &mut Vec<Made>, is_wanted: &[bool]) {
        let network = self.problem.network();
        let mut needed = is_wanted.to_vec();
        let mut kept = Vec::new();
        // Those that joined later hang on those that joined before.
        for made in tree.drain(..).rev() {
            if !needed[self.outer(&made).index()] {
                self.free[made.step].give_path(&made.path);
                continue;
            }
            let inner = match made.op {
                Op::Copy => network.from(made.path[0]),
                _ => network.to(made.path[made.path.len() - 1]),
            };
            needed[inner.index()] = true;
            kept.push(made);
        }
        *tree = kept;
    }
}
