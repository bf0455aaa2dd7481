//! **What:** alltoall on networks of levels with fewer ways up than down: slimmed fat trees, whole or opened, and Clos networks with
//! fewer middle switches than inputs.
//!
//! **Promise:** none. The floor is what must cross the borders of the subtrees of some height over the channels that do. On opened trees a
//! schedule at the floor always exists (proof in docs/fat-trees.md), on others one is nearly always found, else one of some steps more.
//!
//! **Construction:** the largest subtrees below the top do the same, each towards the next, so one of them is looked at. Each message
//! takes a slot, which is a step and a root of the top, and so all channels of its path. Messages over the top go first, in the order of
//! `order`, as many in every step, which spreads them over all borders; then those that turn lower fill the channels left. For
//! what finds none free, others make way (`colouring`). If that does not come to an end, further beginnings are tried, with more steps.
//!
//! **Source:** ours; that colours are steps and planes is the thought of V. E. Beneš, 1962
//!
//! **Example:** `gft:5,3,2`, 1641 steps

mod colouring;
mod slots;

use crate::up_down::{few_enough, fits, passes};
use colouring::Colouring;
use construct::{Builder, Claim, Construction, Control, Hop, Scope, Transfers, generator};
use kernel::orbits::Generator;
use kernel::{Certificate, Network};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use slots::{Item, Slots};
use std::collections::HashMap;
use topologies::levels::{Levels, Place};

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "tree-colouring",
    about: "slimmed fat trees, whole or opened, and Clos networks: paths coloured with steps and roots of the top",
    source: "ours",
    promise: "none",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "gft:2,3,2",
        "gft:2,4,2",
        "gft:3,3,2",
        "gft:4,2,1",
        "xgft:4,4;1,2",
        "xgft:5,2,4,3;1,2,2,3",
        "xgft:3,4,2;1,1,3",
        "xgft:4,3;2,1",
        "pgft:4,4;1,1;1,2",
        "pgft:3,2,3;1,2,1;1,1,2",
        "pgft:4,3;1,2;2,1",
        "opened:gft:2,4,2",
        "opened:xgft:4,3,2,3;1,2,2,1",
        "clos:2,3,4",
        "clos:3,5,4",
    ],
    make: |request| {
        let levels = request.topology()?.levels()?;
        let several = levels.up_ports(0) > 1;
        (few_enough(&levels) && (several || passes(&levels) > 1))
            .then(|| Box::new(Tree::new(levels)) as Box<dyn Builder>)
    },
};

struct Tree {
    levels: Levels,
    /// The lowest height whose switches' subtrees hold all terminals.
    top: usize,
}

/// Steps more than the floor that the beginnings have, one after the other.
const MORE_STEPS: [u64; 14] = [0, 0, 0, 0, 1, 1, 2, 4, 8, 16, 32, 64, 128, 256];
/// Moves of each at most, and their number times the words of bits that a look for a slot goes through.
const MOST_MOVES: u64 = 20_000;
const MOST_WORDS: u64 = 1 << 23;

impl Tree {
    fn new(levels: Levels) -> Self {
        let height = levels.height();
        let top = (1..=height).rev().find(|x| levels.is_opened() || levels.children(*x) > 1).unwrap_or(height);
        Tree { levels, top }
    }

    /// Whether messages between two terminals of one subtree below the top turn there.
    fn turns(&self, from: u32, to: u32) -> usize {
        let meets = |x: &usize| from / self.levels.terminals_below(*x) == to / self.levels.terminals_below(*x);
        if self.levels.is_opened() { self.top } else { (0..self.top).find(meets).unwrap_or(self.top) }
    }

    /// The steps that the fullest border asks for.
    fn floor(&self) -> u64 {
        (0..self.top).map(|height| crate::up_down::floor_at(&self.levels, height)).max().unwrap_or(0)
    }

    /// Terminals of a subtree below the top, such that any of them in a row share each smaller subtree's channels out evenly: the digit
    /// of the largest changes first. `whole` lets those change first whose subtrees have as many channels a terminal as their children.
    fn order(&self, whole: bool) -> Vec<u32> {
        let levels = &self.levels;
        let channels = |x: usize| u64::from(levels.roots(x)) * u64::from(levels.up_ports(x));
        let is_whole = |x: &usize| whole && channels(*x) >= channels(*x - 1) * u64::from(levels.children(*x));
        let slimmed = (1..self.top).rev().filter(|x| !is_whole(x));
        let digits: Vec<usize> = (1..self.top).filter(is_whole).chain(slimmed).collect();
        let place = |mut number: u32| {
            let mut terminal = 0;
            for &x in &digits {
                terminal += number % levels.children(x) * levels.terminals_below(x - 1);
                number /= levels.children(x);
            }
            terminal
        };
        (0..levels.terminals_below(self.top - 1)).map(place).collect()
    }

    /// The messages of one subtree below the top: those over the top in the order in which they take their turns, then the others,
    /// those first that turn highest.
    fn items(&self, whole: bool, random: &mut Pcg64Mcg) -> Items {
        let order = self.order(whole);
        let (n, others) = (order.len(), self.levels.children(self.top));
        let (top, mut items) = (u8::try_from(self.top).expect("levels are few"), Vec::new());
        for diagonal in 0..n {
            for further in 0..others {
                for at in 0..n {
                    let ends = [order[at], order[(at + diagonal) % n]];
                    if further > 0 || self.levels.is_opened() && diagonal > 0 {
                        items.push(Item { ends, further, turns: top });
                    }
                }
            }
        }
        let over = items.len();
        if !self.levels.is_opened() {
            let pairs = (0..n as u32).flat_map(|a| (0..n as u32).map(move |b| [a, b])).filter(|[a, b]| a != b);
            let turns = |[a, b]: [u32; 2]| u8::try_from(self.turns(a, b)).expect("levels are few");
            items.extend(pairs.map(|ends| Item { ends, further: 0, turns: turns(ends) }));
            items[over..].shuffle(random);
            items[over..].sort_by_key(|item| std::cmp::Reverse(item.turns));
        }
        Items { items, over }
    }

    /// Gives every message a slot; `Some(None)` where moves end before that.
    fn coloured(&self, steps: u64, attempt: usize, control: &Control<'_>) -> Option<Option<Slotted>> {
        let seed = control.seed.wrapping_add(attempt as u64);
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let Items { items, over } = self.items(attempt % 2 == 1, &mut random);
        let slots = Slots::new(&self.levels, self.top, usize::try_from(steps).ok()?)?;
        let moves = MOST_MOVES.min(MOST_WORDS / slots.words() as u64);
        let mut colouring = Colouring::new(slots, &items, attempt % 3 != 1, random, control);
        for at in 0..items.len() {
            let step = (at < over).then(|| (at as u64 * steps / over as u64) as usize);
            colouring.begin(u32::try_from(at).ok()?, step)?;
        }
        let slots = colouring.finish(moves)?.then(|| colouring.slots().to_vec());
        Some(slots.map(|slots| Slotted { items, slots }))
    }

    /// The channels of a message's path: up to where it turns, and down.
    fn path(&self, item: Item, slot: u32, cables: &mut Cables) -> Vec<Hop> {
        let (levels, turns) = (&self.levels, usize::from(item.turns));
        let n = levels.terminals_below(self.top - 1);
        let [from, to] = [item.ends[0], item.ends[1] + item.further * n];
        let root = |x: usize| slot % levels.roots(self.top) / (levels.roots(self.top) / levels.roots(x));
        // Parents all the way to the top of what is opened.
        let node = |level: usize, end: u32, down: bool| {
            let subtree = end / levels.terminals_below(level);
            levels.node(Place { level, subtree, root: root(level), down: down && levels.is_opened() })
        };
        let mut cable = |side: usize, level: usize| {
            let key = (
                slot / (levels.roots(self.top) / levels.roots(level + 1)),
                side,
                level,
                item.ends[side] / levels.terminals_below(level),
            );
            let next = cables.entry(key).or_insert(0);
            *next += 1;
            *next - 1
        };
        let mut path = Vec::with_capacity(2 * turns);
        for level in 0..turns {
            path.push(Hop { to: node(level + 1, from, false), channel: cable(0, level) });
        }
        for level in (0..turns).rev() {
            path.push(Hop { to: node(level, to, true), channel: cable(1, level) });
        }
        path
    }

    /// What moves every subtree below the top to the next.
    fn shift(&self, network: &Network) -> Option<Generator> {
        let levels = &self.levels;
        let mut images = vec![0; network.node_count()];
        for place in levels.all() {
            let mut there = place;
            if place.level < self.top {
                let by = levels.terminals_below(self.top - 1) / levels.terminals_below(place.level);
                there.subtree = (place.subtree + by) % (levels.terminals() / levels.terminals_below(place.level));
            }
            images[levels.node(place) as usize] = levels.node(there);
        }
        generator(network, levels.children(self.top), |node| images[node as usize])
    }
}

/// Messages; the first `over` go over the top.
struct Items {
    items: Vec<Item>,
    over: usize,
}

/// Messages and the slot of each.
struct Slotted {
    items: Vec<Item>,
    slots: Vec<u32>,
}

/// How many messages have taken parallel channels: of a bundle in a step, on a side, at a level, of a subtree.
type Cables = HashMap<(u32, usize, usize, u32), u32>;

impl Builder for Tree {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if !fits(&self.levels, network) {
            return None;
        }
        for (attempt, more) in MORE_STEPS.into_iter().enumerate() {
            let steps = self.floor() + more;
            let Some(Slotted { items, slots }) = self.coloured(steps, attempt, control)? else { continue };
            let mut transfers = Transfers::new(network, control);
            let (mut cables, in_step) = (Cables::new(), self.levels.roots(self.top));
            for (item, slot) in items.into_iter().zip(slots) {
                let [from, _] = item.ends;
                transfers.send_by(u64::from(slot / in_step), from, from, self.path(item, slot, &mut cables))?;
            }
            let symmetry =
                if self.levels.children(self.top) > 1 { vec![(self.shift(network)?, 0)] } else { Vec::new() };
            return transfers.claim(steps, symmetry);
        }
        None
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        Some(crate::up_down::floor(network, &self.levels))
    }
}
