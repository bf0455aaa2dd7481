//! **What:** alltoall on multistage networks by steps of exclusive or, with larger switches of addition modulo d.
//!
//! **Promise:** N − 1 steps where the identity passes without conflict (omega, flip, butterfly, Benes), N where it does not
//! (baseline): the floor. With log_d N stages a channel is on the way of N of the N² pairs, and where the identity does not
//! pass, some channel is on no terminal's way to itself; N − 1 steps would leave no port free to relay what it cannot carry.
//!
//! **Construction:** take a setting of all switches. In step x every switch of stage j is turned on by digit j of x: what left
//! it on output u leaves on u + x_j modulo d. For every terminal two steps differ first at some stage, part there and never
//! meet again, so the steps are the rows of a Latin square, whichever setting one began with, of whatever wiring. Begun with
//! the setting of the identity, step 0 is not needed. Of 2·log_d N − 1 stages only the first log_d N are turned on.
//!
//! **Source:** A. Massini, All-to-all personalized communication on multistage interconnection networks, DAM 128, 2003; V. W. Liu,
//! C. Chen, R. B. Chen, J. Comb. Optim. 14, 2007. The second asks for straight switches to begin with where d > 2; that is
//! not needed.
//!
//! **Example:** `omega:16`, 15 steps

use crate::stage_paths::{digit, digits, fits, shifted, trace, uses};
use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers};
use kernel::{Certificate, Channel, Network, Node, Proof, Rational};
use topologies::stages::Stages;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "min-xor",
    about: "multistage networks: every stage's switches turned on by one digit of the step",
    source: "Massini, DAM 128, 2003; Liu, Chen, Chen, J. Comb. Optim. 14, 2007",
    promise: "N-1 where the identity passes, else N",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "omega:2",
        "omega:8",
        "omega:16",
        "omega:27,3",
        "omega:16,4",
        "omega:25,5",
        "flip:8",
        "flip:27,3",
        "butterfly:8",
        "butterfly:16",
        "butterfly:36,6",
        "reverse-butterfly:16",
        "baseline:8",
        "baseline:27,3",
        "reverse-baseline:16",
        "benes:16",
        "benes:9,3",
        "butterfly-butterfly:8",
    ],
    make: |request| {
        let stages = request.stages()?;
        (uses(&stages) <= MOST_USES && stages.count() >= digits(&stages))
            .then(|| Box::new(MinXor(stages)) as Box<dyn Builder>)
    },
};

struct MinXor(Stages);

/// What leaves on each line of each stage, for each line it enters on.
type Setting = Vec<Vec<u32>>;

impl MinXor {
    /// The setting that all steps are made from, and whether it is that of the identity.
    fn setting(&self) -> (Setting, bool) {
        let stages = &self.0;
        let straight = vec![(0..stages.lines()).collect::<Vec<u32>>(); stages.count() as usize];
        let identity = match stages.count() == digits(stages) {
            true => self.home(),
            false => Some(straight.clone()),
        };
        let holds = |setting: &Setting| (0..stages.lines()).all(|t| self.send(setting, 0, t).0 == t);
        match identity.filter(holds) {
            Some(setting) => (setting, true),
            None => (straight, false),
        }
    }

    /// The setting that takes every terminal to itself; `None` where ways collide.
    fn home(&self) -> Option<Setting> {
        let stages = &self.0;
        let mut leaves = vec![vec![u32::MAX; stages.lines() as usize]; stages.count() as usize];
        let mut taken = leaves.clone();
        for terminal in 0..stages.lines() {
            let way = |x: u32| trace(stages, terminal, |s, line| shifted(stages, line, digit(stages, x, s))).0;
            let x = (0..stages.lines()).find(|x| way(*x) == terminal)?;
            let mut collides = false;
            trace(stages, terminal, |s, line| {
                let out = shifted(stages, line, digit(stages, x, s));
                leaves[s as usize][line as usize] = out;
                collides |= std::mem::replace(&mut taken[s as usize][out as usize], line) != u32::MAX;
                out
            });
            if collides {
                return None;
            }
        }
        Some(leaves)
    }

    /// Where a terminal's message comes to in step x, and the nodes on its way.
    fn send(&self, setting: &Setting, x: u32, from: u32) -> (u32, Vec<u32>) {
        let turned = |s: u32, line: u32| shifted(&self.0, setting[s as usize][line as usize], digit(&self.0, x, s));
        trace(&self.0, from, turned)
    }
}

impl Builder for MinXor {
    fn promise(&self) -> Option<u64> {
        Some(u64::from(self.0.lines()) - u64::from(self.setting().1))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.0, network) {
            return None;
        }
        let (setting, identity) = self.setting();
        let first = u32::from(identity);
        let mut transfers = Transfers::new(network, control);
        for x in first..self.0.lines() {
            for terminal in 0..self.0.lines() {
                let (to, nodes) = self.send(&setting, x, terminal);
                if to != terminal {
                    transfers.send(u64::from(x - first), terminal, nodes)?;
                }
            }
        }
        transfers.claim(u64::from(self.0.lines() - first), Vec::new())
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        let lines = u64::from(self.0.lines());
        let own = Certificate { steps: lines - 1, proof: Proof::Send { node: Node(0) } };
        if self.setting().1 || self.0.count() > digits(&self.0) {
            return Some(own);
        }
        // A channel on no terminal's way to itself is on the way of N messages. Each of them costs two, by that channel or by
        // another terminal that receives it and sends it on, and all others one: N² in all, of which N + 1 go a step.
        let straight = vec![(0..self.0.lines()).collect::<Vec<u32>>(); self.0.count() as usize];
        let home = (0..self.0.lines()).flat_map(|t| {
            let nodes = (0..self.0.lines()).map(|x| self.send(&straight, x, t)).find(|(to, _)| *to == t);
            nodes.map(|(_, nodes)| nodes).unwrap_or_default().windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>()
        });
        let used: std::collections::BTreeSet<(u32, u32)> = home.collect();
        let free = network.channels().find(|c| !used.contains(&(network.from(*c).0, network.to(*c).0)))?;
        let counts = |c: Channel| c == free || network.is_terminal(network.from(c));
        let weights = network.channels().map(|c| Rational::whole(u64::from(counts(c)))).collect();
        Some(Certificate { steps: lines, proof: Proof::Lengths { weights } })
    }
}
