//! **What:** a search for maps of small dilation: exhaustive, node by node, and where that does not end, by exchanges.
//!
//! **Exhaustive:** each unplaced node keeps the set of terminals that are near enough to where its neighbours are; the node with
//! the fewest is placed next, and a set that becomes empty sends the search back. Ended without a map, it has proved that every map
//! has a larger dilation.
//!
//! **Exchanges:** from random maps, a node that is too far from a neighbour moves next to it, changing places with whoever is there,
//! if the excess over the wanted dilation does not grow by it (or sometimes if it does, a little).

use super::ticks::Ticks;
use super::{Settings, Watch};
use kernel::{Network, Node};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;

/// The parts of a search.
const EXHAUSTIVE: &str = "exhaustive search";
const EXCHANGES: &str = "exchanges";

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// No map has a smaller dilation than this; at least 1.
    pub floor: u32,
    /// A map of the smallest dilation found, and how it was found.
    pub map: Option<(Vec<Node>, &'static str)>,
}

/// Maps of a dilation below `below`, the smaller the better.
pub fn search(guest: &Network, host: &Network, below: u32, settings: &Settings, watch: Watch<'_>) -> Found {
    let sight = Sight::new(guest, host);
    let mut found = Found { floor: 1, map: None };
    let farthest = sight.far.iter().flatten().filter(|d| **d != u32::MAX).max().map_or(0, |d| *d);
    let mut below = below.min(farthest.saturating_add(1));
    let share = settings.ticks / 4;
    for dilation in 1..below {
        match Exhaustive::new(&sight, dilation, Ticks::new(EXHAUSTIVE, share, watch)).run() {
            Ended::Map(map) => {
                found.map = Some((map, EXHAUSTIVE));
                return found;
            }
            Ended::Nothing if found.floor == dilation => found.floor = dilation + 1,
            Ended::Nothing => {}
            // The larger dilations are easier to reach and harder to refute: exchanges go down from above.
            Ended::Budget => break,
        }
    }
    let mut random = Pcg64Mcg::seed_from_u64(settings.seed);
    let mut ticks = Ticks::new(EXCHANGES, settings.ticks, watch);
    while below > found.floor && !ticks.are_spent() {
        let Some(map) = exchange(&sight, below - 1, &mut ticks, &mut random) else { break };
        below = sight.dilation(&map);
        found.map = Some((map.into_iter().map(Node::new).collect(), EXCHANGES));
    }
    found
}

/// The map after exchanges of two terminals, played or free, each of which lessens the sum of all distances, until none does or ticks end.
pub(super) fn shortened(guest: &Network, host: &Network, map: &[Node], mut ticks: Ticks<'_>) -> Vec<Node> {
    let sight = Sight::new(guest, host);
    let mut map: Vec<usize> = map.iter().map(|v| v.index()).collect();
    let mut guest_at: Vec<Option<usize>> = vec![None; sight.far.len()];
    map.iter().enumerate().for_each(|(v, h)| guest_at[*h] = Some(v));
    loop {
        let mut shorter = false;
        for node in 0..map.len() {
            for &target in &sight.terminals {
                let (from, other) = (map[node], guest_at[target]);
                let degree = sight.next[node].len() + sight.before[node].len();
                ticks.spend(degree as u64 + 1);
                if ticks.are_spent() {
                    return map.into_iter().map(Node::new).collect();
                }
                if other == Some(node) {
                    continue;
                }
                // Excess over no hops at all is the distance itself.
                let cost = |map: &[usize]| sight.excess(map, node, 0) + other.map_or(0, |v| sight.excess(map, v, 0));
                let before = cost(&map);
                map[node] = target;
                other.iter().for_each(|v| map[*v] = from);
                if cost(&map) < before {
                    (guest_at[target], guest_at[from], shorter) = (Some(node), other, true);
                } else {
                    map[node] = from;
                    other.iter().for_each(|v| map[*v] = target);
                }
            }
        }
        if !shorter {
            return map.into_iter().map(Node::new).collect();
        }
    }
}

/// The guest's neighbours, and distances between the host's terminals.
struct Sight {
    next: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    terminals: Vec<usize>,
    far: Vec<Vec<u32>>,
}

impl Sight {
    fn new(guest: &Network, host: &Network) -> Self {
        let mut next = vec![Vec::new(); guest.node_count()];
        let mut before = next.clone();
        for channel in guest.channels() {
            let (from, to) = (guest.from(channel).index(), guest.to(channel).index());
            next[from].push(to);
            before[to].push(from);
        }
        for list in next.iter_mut().chain(&mut before) {
            list.sort_unstable();
            list.dedup();
        }
        let terminals = host.terminals().iter().map(|v| v.index()).collect();
        Sight { next, before, terminals, far: host.nodes().map(|v| host.hops_from(v)).collect() }
    }

    fn dilation(&self, map: &[usize]) -> u32 {
        let ends = self.next.iter().enumerate().flat_map(|(u, list)| list.iter().map(move |v| (u, *v)));
        ends.map(|(u, v)| self.far[map[u]][map[v]]).max().unwrap_or(0)
    }

    /// By how much the channels of `node` are too long, in hops.
    fn excess(&self, map: &[usize], node: usize, dilation: u32) -> u64 {
        let over = |far: u32| u64::from(far.saturating_sub(dilation).min(1 << 20));
        let out: u64 = self.next[node].iter().map(|v| over(self.far[map[node]][map[*v]])).sum();
        let into: u64 = self.before[node].iter().map(|v| over(self.far[map[*v]][map[node]])).sum();
        out + into
    }
}

enum Ended {
    Map(Vec<Node>),
    Nothing,
    Budget,
}

type Set = Vec<u64>;

struct Exhaustive<'a> {
    sight: &'a Sight,
    /// The terminals at most the dilation away from a node, and those it is so far away from.
    onward: Vec<Set>,
    back: Vec<Set>,
    ticks: Ticks<'a>,
}

impl<'a> Exhaustive<'a> {
    fn new(sight: &'a Sight, dilation: u32, ticks: Ticks<'a>) -> Self {
        let hosts = sight.far.len();
        let mut onward = vec![vec![0u64; hosts.div_ceil(64)]; hosts];
        let mut back = onward.clone();
        for &a in &sight.terminals {
            for &b in sight.terminals.iter().filter(|b| a != **b && sight.far[a][**b] <= dilation) {
                onward[a][b / 64] |= 1 << (b % 64);
                back[b][a / 64] |= 1 << (a % 64);
            }
        }
        Exhaustive { sight, onward, back, ticks }
    }

    fn run(mut self) -> Ended {
        let guests = self.sight.next.len();
        let mut all = vec![0u64; self.onward.first().map_or(0, Vec::len)];
        self.sight.terminals.iter().for_each(|v| all[v / 64] |= 1 << (v % 64));
        let size = |set: &Set| set.iter().map(|w| w.count_ones()).sum::<u32>();
        // A node goes where at least as many are near as it has neighbours.
        let mut sets = vec![all; guests];
        for (node, set) in sets.iter_mut().enumerate() {
            for &v in &self.sight.terminals {
                let (out, into) = (self.sight.next[node].len() as u32, self.sight.before[node].len() as u32);
                if size(&self.onward[v]) < out || size(&self.back[v]) < into {
                    set[v / 64] &= !(1 << (v % 64));
                }
            }
        }
        // Depth by depth: the node placed, the sets before it, and the terminals not yet tried for it.
        let mut map = vec![None; guests];
        let mut stack: Vec<(usize, Vec<Set>, Set)> = Vec::new();
        loop {
            let open = (0..guests).filter(|v| map[*v].is_none());
            let Some(node) = open.min_by_key(|v| (size(&sets[*v]), std::cmp::Reverse(self.sight.next[*v].len())))
            else {
                return Ended::Map(map.into_iter().flatten().map(Node::new).collect());
            };
            let mut untried = sets[node].clone();
            // One step on, or back to the last node with a terminal untried.
            let mut at = node;
            loop {
                if self.ticks.are_spent() {
                    return Ended::Budget;
                }
                if let Some(word) = untried.iter().position(|w| *w != 0) {
                    let host = word * 64 + untried[word].trailing_zeros() as usize;
                    untried[word] &= untried[word] - 1;
                    if let Some(narrowed) = self.narrowed(&sets, &map, at, host) {
                        map[at] = Some(host);
                        stack.push((at, std::mem::replace(&mut sets, narrowed), untried));
                        break;
                    }
                } else {
                    let Some((last, before, rest)) = stack.pop() else { return Ended::Nothing };
                    map[last] = None;
                    (at, sets, untried) = (last, before, rest);
                }
            }
        }
    }

    /// The sets after `node` has been placed; `None` where one is empty.
    fn narrowed(&mut self, sets: &[Set], map: &[Option<usize>], node: usize, host: usize) -> Option<Vec<Set>> {
        let mut sets = sets.to_vec();
        self.ticks.spend((sets.len() * sets[node].len()) as u64 / 8 + 1);
        let placed = |v: usize| v == node || map[v].is_some();
        for (v, set) in sets.iter_mut().enumerate().filter(|(v, _)| !placed(*v)) {
            set[host / 64] &= !(1 << (host % 64));
            let near = [(&self.sight.next[node], &self.onward[host]), (&self.sight.before[node], &self.back[host])];
            for (list, ball) in near {
                if list.binary_search(&v).is_ok() {
                    set.iter_mut().zip(ball).for_each(|(word, near)| *word &= near);
                }
            }
            if set.iter().all(|word| *word == 0) {
                return None;
            }
        }
        Some(sets)
    }
}

/// A map of at most that dilation, by exchanges.
fn exchange(sight: &Sight, dilation: u32, ticks: &mut Ticks<'_>, random: &mut Pcg64Mcg) -> Option<Vec<usize>> {
    let guests = sight.next.len();
    let patience = 400 * guests as u64;
    while !ticks.are_spent() {
        let mut places = sight.terminals.clone();
        places.shuffle(random);
        let mut map = places[..guests].to_vec();
        let mut guest_at = vec![None; sight.far.len()];
        map.iter().enumerate().for_each(|(v, host)| guest_at[*host] = Some(v));
        let mut total: u64 = (0..guests).map(|v| sight.excess(&map, v, dilation)).sum();
        let (mut best, mut idle) = (total, 0);
        while total > 0 && idle < patience && !ticks.are_spent() {
            ticks.spend(1);
            idle += 1;
            let node = random.random_range(0..guests);
            let here = sight.excess(&map, node, dilation);
            if here == 0 {
                continue;
            }
            // Next to a neighbour, most often.
            let beside = sight.next[node]
                .iter()
                .chain(&sight.before[node])
                .nth(random.random_range(0..sight.next[node].len() + sight.before[node].len()));
            let target = match beside {
                Some(&other) => {
                    let near: Vec<usize> =
                        sight.terminals.iter().copied().filter(|h| sight.far[map[other]][*h] <= dilation).collect();
                    ticks.spend(sight.terminals.len() as u64 / 8);
                    near[random.random_range(0..near.len())]
                }
                None => continue,
            };
            let (from, other) = (map[node], guest_at[target]);
            if other == Some(node) {
                continue;
            }
            let cost = |map: &[usize]| {
                let mine = sight.excess(map, node, dilation);
                mine + other.map_or(0, |v| sight.excess(map, v, dilation))
            };
            let before = cost(&map);
            map[node] = target;
            if let Some(other) = other {
                map[other] = from;
            }
            let after = cost(&map);
            let worse = after.saturating_sub(before);
            if worse == 0 || worse <= 2 && random.random_range(0..40) == 0 {
                (guest_at[target], guest_at[from]) = (Some(node), other);
                total = (0..guests).map(|v| sight.excess(&map, v, dilation)).sum();
                ticks.spend(guests as u64 / 8);
                if total < best {
                    (best, idle) = (total, 0);
                }
            } else {
                map[node] = from;
                if let Some(other) = other {
                    map[other] = target;
                }
            }
        }
        if total == 0 {
            return Some(map);
        }
    }
    None
}
