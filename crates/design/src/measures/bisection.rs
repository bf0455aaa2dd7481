//! **What:** how many channels must be cut to part the terminals into halves, with such halves.
//!
//! **Method:** from above, simple partings improved by passes of exchanges: in a pass the best exchange of two terminals not
//! exchanged yet is made, even a bad one, and the best moment of the pass is gone back to. From below any routing: what must
//! cross from half to half, over the largest load of a channel. Where both meet, as on networks whose channels all look alike,
//! the parting is a best one. Otherwise networks without switches of up to `MOST_EXACT` nodes are searched through, node by
//! node, leaving out what cannot be better: each node left costs at least its channels to the nearer half, and halves are full
//! at some point.
//!
//! **Source:** B. Kernighan, S. Lin, "An efficient heuristic procedure for partitioning graphs" (1970).

use super::Routing;
use super::distances::one;
use kernel::{Network, Node};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// How many channels must be cut to part the terminals into halves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    /// Channels both ways between the halves (capacities counted) of the best parting found.
    pub channels: u64,
    /// No parting has fewer.
    pub at_least: u64,
    /// Whether both are equal.
    pub exact: bool,
    /// The terminals of one half of that parting, the smaller one.
    pub half: Vec<Node>,
    /// The switches on their side.
    pub switches: Vec<Node>,
}

/// Nodes up to which all partings are gone through, and steps that may take.
const MOST_EXACT: usize = 64;
const STEPS: u64 = 1_000_000;
/// Random partings to begin with, and nodes beyond which there are none and partings stay as they are.
const DRAWN: usize = 8;
const LARGE: usize = 2048;

/// The parting with fewest channels between the halves; `routing` may raise the bound from below.
pub fn bisection(network: &Network, routing: Option<&Routing>) -> Bisection {
    let terminals = network.terminals();
    let (small, large) = (terminals.len() as u64 / 2, (terminals.len() as u64).div_ceil(2));
    let crossing = (2 * small * large) as f64;
    // Whole channels; the loads are sums of fractions that are not exact.
    let at_least = routing.filter(|r| r.largest > 0.0).map_or(0, |r| (crossing / r.largest - 1e-6).ceil() as u64);
    let near = neighbours(network);
    let direct = terminals.len() == network.node_count();
    let (mut channels, mut side) = (u64::MAX, Vec::new());
    for start in starts(network) {
        let found = match direct {
            true => passes(&near, start),
            false => improve(network, start),
        };
        if found.0 < channels {
            (channels, side) = found;
        }
        if channels <= at_least {
            break;
        }
    }
    let mut exact = at_least >= channels;
    if !exact && direct && terminals.len() <= MOST_EXACT {
        let mut search = Partings::new(&near, channels);
        exact = search.run();
        if let Some(best) = search.best {
            (channels, side) = (search.least, best);
        }
    }
    let on_side = |v: &Node| side.get(v.index()) == Some(&true);
    Bisection {
        channels,
        at_least: if exact { channels } else { at_least },
        exact,
        half: terminals.iter().copied().filter(on_side).collect(),
        switches: network.nodes().filter(|v| !network.is_terminal(*v)).filter(on_side).collect(),
    }
}

/// Of every node, its neighbours and the capacity of the channels both ways.
fn neighbours(network: &Network) -> Vec<Vec<(usize, u64)>> {
    let mut near = vec![Vec::new(); network.node_count()];
    for c in network.channels().filter(|c| network.from(*c) != network.to(*c)) {
        let (from, to, capacity) = (network.from(c).index(), network.to(c).index(), u64::from(network.capacity(c)));
        near[from].push((to, capacity));
        near[to].push((from, capacity));
    }
    for row in &mut near {
        row.sort_unstable();
        row.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
    }
    near
}

fn cut(network: &Network, side: &[bool]) -> u64 {
    let cut = network.channels().filter(|&c| side[network.from(c).index()] != side[network.to(c).index()]);
    cut.map(|c| u64::from(network.capacity(c))).sum()
}

/// Partings to begin with: by number, by distance from a few terminals, and at random.
fn starts(network: &Network) -> Vec<Vec<bool>> {
    let terminals = network.terminals();
    let part = |order: Vec<Node>| {
        let mut side = vec![false; network.node_count()];
        order[..terminals.len() / 2].iter().for_each(|t| side[t.index()] = true);
        settle(network, &mut side);
        side
    };
    let mut found = vec![part(terminals.to_vec())];
    for &from in terminals.iter().step_by(terminals.len().div_ceil(8).max(1)) {
        let far = one(network, from, &vec![true; network.node_count()]);
        let mut order = terminals.to_vec();
        order.sort_by_key(|t| far[t.index()]);
        found.push(part(order));
    }
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..if terminals.len() > LARGE { 0 } else { DRAWN } {
        let mut order = terminals.to_vec();
        order.shuffle(&mut random);
        found.push(part(order));
    }
    found
}

/// Puts every switch on the side to which more of its channels lead, a few times over.
fn settle(network: &Network, side: &mut [bool]) {
    for _ in 0..8 {
        for node in network.nodes().filter(|v| !network.is_terminal(*v)) {
            let around = network.outgoing(node).iter().map(|c| network.to(*c));
            let around = around.chain(network.incoming(node).iter().map(|c| network.from(*c)));
            let (mut there, mut all) = (0, 0);
            for next in around {
                there += usize::from(side[next.index()]);
                all += 1;
            }
            if 2 * there != all {
                side[node.index()] = 2 * there > all;
            }
        }
    }
}

/// With switches: exchanges terminals of the two sides as long as that helps; large networks stay as they are.
fn improve(network: &Network, mut side: Vec<bool>) -> (u64, Vec<bool>) {
    let mut best = cut(network, &side);
    let terminals = network.terminals();
    if terminals.len().saturating_pow(2).saturating_mul(network.channel_count()) > 10_000_000 {
        return (best, side);
    }
    loop {
        let before = best;
        for (i, a) in terminals.iter().enumerate() {
            for b in &terminals[i + 1..] {
                if side[a.index()] == side[b.index()] {
                    continue;
                }
                let mut tried = side.clone();
                tried.swap(a.index(), b.index());
                settle(network, &mut tried);
                let found = cut(network, &tried);
                if found < best {
                    (best, side) = (found, tried);
                }
            }
        }
        if best == before {
            return (best, side);
        }
    }
}

/// Without switches: passes of exchanges as long as they help.
fn passes(near: &[Vec<(usize, u64)>], mut side: Vec<bool>) -> (u64, Vec<bool>) {
    let crossing =
        |side: &[bool], v: usize| near[v].iter().filter(|(u, _)| side[*u] != side[v]).map(|n| n.1).sum::<u64>();
    let mut best: u64 = (0..near.len()).map(|v| crossing(&side, v)).sum::<u64>() / 2;
    while near.len() <= LARGE {
        // What moving a node alone would save.
        let save = |v: usize| 2 * crossing(&side, v) as i64 - near[v].iter().map(|n| n.1 as i64).sum::<i64>();
        let mut gains: Vec<i64> = (0..near.len()).map(save).collect();
        let (mut moved, mut free) = (side.clone(), vec![true; near.len()]);
        let (mut now, mut least, mut at) = (best as i64, best as i64, side.clone());
        for _ in 0..near.len() / 2 {
            let mut pick = |of: bool, beside: Option<usize>| {
                let shared = |v: usize| beside.map_or(0, |a| weight(near, a, v));
                let open = (0..near.len()).filter(|v| free[*v] && moved[*v] == of);
                let found = open.max_by_key(|v| (gains[*v] - 2 * shared(*v) as i64, std::cmp::Reverse(*v)))?;
                let gain = gains[found] - 2 * shared(found) as i64;
                free[found] = false;
                Some((found, gain))
            };
            let Some((a, first)) = pick(true, None) else { break };
            let Some((b, second)) = pick(false, Some(a)) else { break };
            now -= first + second;
            for v in [a, b] {
                for &(u, capacity) in &near[v] {
                    gains[u] += if moved[u] == moved[v] { 2 } else { -2 } * capacity as i64;
                }
                moved[v] = !moved[v];
            }
            if now < least {
                least = now;
                at.clone_from(&moved);
            }
        }
        if least >= best as i64 {
            break;
        }
        (best, side) = (least as u64, at);
    }
    (best, side)
}

fn weight(near: &[Vec<(usize, u64)>], a: usize, b: usize) -> u64 {
    near[a].binary_search_by_key(&b, |n| n.0).map_or(0, |place| near[a][place].1)
}

/// All partings that may have fewer channels between the halves than those known.
struct Partings<'a> {
    near: &'a [Vec<(usize, u64)>],
    /// The nodes in the order in which they get their sides, each with many neighbours before it.
    order: Vec<usize>,
    sides: Vec<Option<bool>>,
    /// Capacities of channels to each side, a node.
    to: Vec<[u64; 2]>,
    /// Nodes each side may still get.
    room: [usize; 2],
    least: u64,
    best: Option<Vec<bool>>,
    steps: u64,
}

impl<'a> Partings<'a> {
    fn new(near: &'a [Vec<(usize, u64)>], known: u64) -> Self {
        let nodes = near.len();
        let mut order: Vec<usize> = Vec::with_capacity(nodes);
        let mut tied = vec![0; nodes];
        while order.len() < nodes {
            let next = (0..nodes).filter(|v| !order.contains(v)).max_by_key(|v| (tied[*v], std::cmp::Reverse(*v)));
            let Some(next) = next else { break };
            near[next].iter().for_each(|(u, capacity)| tied[*u] += capacity);
            order.push(next);
        }
        let room = [nodes.div_ceil(2), nodes / 2];
        Partings {
            near,
            order,
            sides: vec![None; nodes],
            to: vec![[0; 2]; nodes],
            room,
            least: known,
            best: None,
            steps: 0,
        }
    }

    /// Goes through them; whether to the end.
    fn run(&mut self) -> bool {
        self.go(0, 0)
    }

    fn go(&mut self, at: usize, cut: u64) -> bool {
        self.steps += 1;
        if self.steps > STEPS {
            return false;
        }
        let Some(&node) = self.order.get(at) else {
            self.least = cut;
            self.best = Some(self.sides.iter().map(|side| *side == Some(true)).collect());
            return true;
        };
        if cut + self.rest(at) >= self.least {
            return true;
        }
        // Halves of the same size may be exchanged.
        let alike = at == 0 && self.room[0] == self.room[1];
        let cheaper = usize::from(self.to[node][1] > self.to[node][0]);
        for side in [cheaper, 1 - cheaper].into_iter().take(if alike { 1 } else { 2 }) {
            if self.room[side] == 0 {
                continue;
            }
            self.put(node, side);
            let ended = self.go(at + 1, cut + self.to[node][1 - side]);
            self.take(node, side);
            if !ended {
                return false;
            }
        }
        true
    }

    fn put(&mut self, node: usize, side: usize) {
        self.sides[node] = Some(side == 1);
        self.room[side] -= 1;
        self.near[node].iter().for_each(|(u, capacity)| self.to[*u][side] += capacity);
    }

    fn take(&mut self, node: usize, side: usize) {
        self.sides[node] = None;
        self.room[side] += 1;
        self.near[node].iter().for_each(|(u, capacity)| self.to[*u][side] -= capacity);
    }

    /// What the nodes from `at` on cost at least, by their channels to those before.
    fn rest(&self, at: usize) -> u64 {
        let left = &self.order[at..];
        let mut cost = 0;
        let mut more = [Vec::new(), Vec::new()];
        for &v in left {
            let [to_first, to_second] = self.to[v];
            cost += to_first.min(to_second);
            // A node is cheapest on the side it has more channels to; elsewhere it costs the difference more.
            more[usize::from(to_second > to_first)].push(to_first.abs_diff(to_second));
        }
        for (side, more) in more.iter_mut().enumerate() {
            if let Some(over) = more.len().checked_sub(self.room[side]).filter(|over| *over > 0) {
                more.sort_unstable();
                cost += more[..over].iter().sum::<u64>();
            }
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::NetworkData;
    use proptest::prelude::*;
    use rand::RngExt;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn no_parting_has_fewer_channels(nodes in 2u32..13, share in 0.1f64..0.9, seed: u64) {
            let mut random = Pcg64Mcg::seed_from_u64(seed);
            let pairs = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b)));
            let channels = pairs.filter(|(a, b)| a != b && random.random_bool(share)).collect();
            let network = Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap();
            let found = bisection(&network, None);
            let halves = (0u32..1 << nodes).filter(|m| m.count_ones() == nodes / 2);
            let least = halves.map(|m| cut(&network, &(0..nodes).map(|v| m >> v & 1 == 1).collect::<Vec<_>>())).min();
            prop_assert!(found.exact);
            prop_assert_eq!(Some(found.channels), least);
            let mut side = vec![false; nodes as usize];
            found.half.iter().for_each(|v| side[v.index()] = true);
            prop_assert_eq!((cut(&network, &side), found.half.len() as u32), (found.channels, nodes / 2));
        }
    }
}
