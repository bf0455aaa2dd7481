//! **What:** alltoall on complete binary trees, whether all nodes are terminals or the leaves alone.
//!
//! **Promise:** s(n−s) steps, n terminals in all and s of them below a child of the root: the floor, what the channel above
//! that child has to carry. N²/4 on `binary-tree:N`, (n²−1)/4 on `full-tree:n`.
//!
//! **Construction:** let A and B be the subtrees below the root, their terminals numbered alike, and a step a pair (x, y).
//! In it A's terminal x sends to B's y, and B's x to A's y; where the root is a terminal, y has one value more, for
//! exchanging with it: x sends to it and receives from it. So one terminal leaves each half in a step, x, and one arrives,
//! y, and within A = A₀ ∪ A₁ ∪ {its root} there is room: A₀ sends to A₁ where x is in A₁ and y in A₀, the other way round
//! where they are exchanged, and both exchange with A's root where x, or y, is that root. Where x and y are in A₁, all of A₀
//! is idle, and has steps enough to do the same within itself.
//!
//! **Source:** ours; that the floor is met on every tree is a theorem of Gargano, Hell and Perennes, J. Graph Theory 38,
//! 2001.
//!
//! **Example:** `full-tree:63`, 992 steps

use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers, number};
use kernel::Network;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "tree",
    about: "halves exchange; where one quarter exchanges with the other half, the next is idle",
    source: "the bound is met on every tree: Gargano, Hell and Perennes, J. Graph Theory 38, 2001",
    promise: "s(n-s), s terminals below a child of the root",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "full-tree:3",
        "full-tree:7",
        "full-tree:15",
        "full-tree:31",
        "full-tree:63",
        "binary-tree:2",
        "binary-tree:4",
        "binary-tree:8",
        "binary-tree:32",
    ],
    make: |request| {
        let terminals = number(request.parameters_of(&["full-tree", "binary-tree"])?)?;
        let inner = request.parameters_of(&["full-tree"]).is_some();
        let leaves = if inner { terminals.checked_add(1)? / 2 } else { terminals };
        if terminals < 2 || !leaves.is_power_of_two() || (inner && terminals % 2 == 0) {
            return None;
        }
        let (n, depth) = (u64::from(terminals), u64::from(terminals.ilog2()));
        (n.checked_pow(2)?.checked_mul(2 * depth)? <= MOST_USES)
            .then(|| Box::new(Tree { terminals, inner }) as Box<dyn Builder>)
    },
};

struct Tree {
    terminals: u32,
    /// Whether nodes above the leaves are terminals too.
    inner: bool,
}

impl Tree {
    /// The terminals at and below a node of the heap, those of its left half first, itself last.
    fn listed(&self, heap: u32, leaves: u32, into: &mut Vec<u32>) {
        if leaves > 1 {
            self.listed(2 * heap + 1, leaves / 2, into);
            self.listed(2 * heap + 2, leaves / 2, into);
        }
        if self.inner || leaves == 1 {
            into.push(heap);
        }
    }

    /// The node's number of a place in the heap.
    fn node(&self, heap: u32) -> u32 {
        let n = self.terminals;
        match self.inner {
            true => heap,
            false if heap >= n - 1 => heap - (n - 1),
            false => heap + n,
        }
    }

    /// The number of steps.
    fn steps(&self) -> u64 {
        let half = u64::from(self.terminals / 2);
        half * (u64::from(self.terminals) - half)
    }
}

impl Builder for Tree {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let leaves = if self.inner { self.terminals.div_ceil(2) } else { self.terminals };
        let mut nodes = Vec::new();
        self.listed(0, leaves, &mut nodes);
        let steps: Vec<u64> = (0..self.steps()).collect();
        let mut sender = Sender { tree: self, transfers: Transfers::new(network, control) };
        sender.within(&nodes, &steps)?;
        sender.transfers.claim(self.steps(), Vec::new())
    }
}

struct Sender<'a> {
    tree: &'a Tree,
    transfers: Transfers<'a>,
}

impl Sender<'_> {
    /// All messages between the terminals of a subtree, in steps in which it is idle.
    fn within(&mut self, nodes: &[u32], steps: &[u64]) -> Option<()> {
        let half = nodes.len() / 2;
        if half == 0 {
            return Some(());
        }
        let ((first, rest), wide) = (nodes.split_at(half), nodes.len() - half);
        let (second, root) = rest.split_at(half);
        let step = |x: usize, y: usize| steps[x * wide + y];
        for x in 0..half {
            for y in 0..half {
                self.send(step(x, y), first[x], second[y])?;
                self.send(step(x, y), second[x], first[y])?;
            }
            for &root in root {
                self.both(step(x, half), step(x, half), first[x], root)?;
                self.both(step(x, half), step(x, half), second[x], root)?;
            }
        }
        for side in [first, second] {
            let quarter = half / 2;
            let (left, rest) = side.split_at(quarter);
            let (right, root) = rest.split_at(quarter);
            for i in 0..quarter {
                for (j, &right) in right.iter().enumerate() {
                    self.both(step(quarter + i, j), step(j, quarter + i), left[i], right)?;
                }
                for &root in root {
                    self.both(step(half - 1, i), step(i, half - 1), left[i], root)?;
                    self.both(step(half - 1, i), step(i, half - 1), right[i], root)?;
                }
            }
            let square =
                |from: usize| (from..from + quarter).flat_map(move |x| (from..from + quarter).map(move |y| step(x, y)));
            let (idle_left, idle_right): (Vec<u64>, Vec<u64>) = (square(quarter).collect(), square(0).collect());
            self.within(left, &idle_left)?;
            self.within(right, &idle_right)?;
        }
        Some(())
    }

    fn both(&mut self, there: u64, back: u64, a: u32, b: u32) -> Option<()> {
        self.send(there, a, b)?;
        self.send(back, b, a)
    }

    /// Sends from one place of the heap to another, up to their common root and down.
    fn send(&mut self, step: u64, from: u32, to: u32) -> Option<()> {
        let (mut up, mut down) = (vec![from], vec![to]);
        let (mut a, mut b) = (from, to);
        while a != b {
            if a > b {
                a = (a - 1) / 2;
                up.push(a);
            } else {
                b = (b - 1) / 2;
                down.push(b);
            }
        }
        down.pop();
        let walk = up.into_iter().chain(down.into_iter().rev()).map(|heap| self.tree.node(heap));
        self.transfers.send(step, self.tree.node(from), walk)
    }
}
