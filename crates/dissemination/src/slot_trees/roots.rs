//! **What:** roots for the contributions to each chunk, and who contributes to which of them.

use super::Part;
use graph::distances::{Way, distances};
use kernel::{Message, Node, Problem};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Draws for each chunk, of which the one is taken in which nobody is far from a root: any number up to this.
const MOST_DRAWS: usize = 8;

/// How often roots move to the middle of those who are nearest to them.
const MOVES: usize = 2;

/// Draws roots.
pub(super) struct Roots<'a> {
    problem: &'a Problem,
    /// From each terminal, how far it is to every node.
    far: Vec<Vec<u32>>,
}

impl<'a> Roots<'a> {
    /// `None` where the budget ends.
    pub(super) fn new(problem: &'a Problem, budget: &mut Budget<'_>) -> Option<Self> {
        let mut far = vec![Vec::new(); problem.network().node_count()];
        for &node in problem.network().terminals() {
            let distances = distances(problem, node, Way::On, budget)?;
            // Where no transfer leads over relays, paths are no longer than this.
            let most = u32::try_from(far.len()).unwrap_or(u32::MAX);
            far[node.index()] = distances.into_iter().map(|far| far.min(most)).collect();
        }
        Some(Roots { problem, far })
    }

    /// Most roots of a chunk: one for each two contributors of the chunk that has the most.
    pub(super) fn most(&self) -> usize {
        let collective = self.problem.collective();
        collective.messages().map(|m| collective.contributors(m).len()).max().unwrap_or(1) / 2
    }

    /// Draws so many roots, or as many as there are contributors, for each chunk; `None` where the budget ends.
    pub(super) fn draw(&self, count: usize, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for chunk in self.problem.collective().messages() {
            let contributors = self.problem.collective().contributors(chunk);
            let draws = random.random_range(1..=MOST_DRAWS);
            let work = draws * contributors.len() * (count + contributors.len() / count) * (MOVES + 1);
            budget.take(work as u64).ok()?;
            let far = |parts: &Vec<Part>| parts.iter().map(|part| part.radius).max();
            let drawn = (0..draws).map(|_| self.of_chunk(chunk, count.min(contributors.len()), random));
            parts.extend(drawn.min_by_key(far).into_iter().flatten());
        }
        Some(parts)
    }

    fn of_chunk(&self, chunk: Message, count: usize, random: &mut Pcg64Mcg) -> Vec<Part> {
        let mut order: Vec<Node> = self.problem.collective().contributors(chunk).to_vec();
        order.shuffle(random);
        let mut roots = vec![order[0]];
        while roots.len() < count {
            let near = |v: &&Node| roots.iter().map(|root| self.between(**v, *root)).min();
            roots.extend(order.iter().filter(|v| !roots.contains(v)).max_by_key(near).copied());
        }
        let mut members = self.nearest(&order, &roots);
        for _ in 0..random.random_range(0..=MOVES) {
            for (root, members) in roots.iter_mut().zip(&members) {
                let sum =
                    |v: &&Node| members.iter().map(|from| u64::from(self.between(**v, *from)).pow(2)).sum::<u64>();
                *root = members.iter().min_by_key(sum).copied().unwrap_or(*root);
            }
            members = self.nearest(&order, &roots);
        }
        let part = |(root, members): (Node, Vec<Node>)| {
            let radius = members.iter().map(|v| self.far[v.index()][root.index()]).max().unwrap_or(0);
            Part { chunk, root, members, radius }
        };
        roots.into_iter().zip(members).map(part).collect()
    }

    /// The farther of the two ways.
    fn between(&self, one: Node, other: Node) -> u32 {
        self.far[one.index()][other.index()].max(self.far[other.index()][one.index()])
    }

    /// Of each root, itself and those that it is the nearest to; of equals, that of the fewest.
    fn nearest(&self, order: &[Node], roots: &[Node]) -> Vec<Vec<Node>> {
        let mut members: Vec<Vec<Node>> = roots.iter().map(|root| vec![*root]).collect();
        for node in order.iter().filter(|v| !roots.contains(v)) {
            let near = |at: &usize| (self.far[node.index()][roots[*at].index()], members[*at].len());
            if let Some(at) = (0..roots.len()).min_by_key(near) {
                members[at].push(*node);
            }
        }
        members
    }
}
