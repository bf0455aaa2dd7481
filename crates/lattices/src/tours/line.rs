//! **What:** the messages of one line or ring of n nodes, in *tours* and *classes*.
//!
//! **Tours.** With h = ⌈n/2⌉ the residue of node j is j mod h. For x < y < h the tour {x, y} is the cycle x → y → x+h → y+h → x; where
//! n = 2h − 1 and y = h − 1 there is no node y+h, and it is left out: x → y → x+h → x. A tour and its reverse use every directed
//! channel of the line at most once each. On a ring the tour is one turn upwards, its reverse one turn downwards, and no part
//! is longer than half the ring. Tours are the edges of the complete graph K_h; with their reverses, the *swaps* x → x+h → x of
//! even n and the loops j → j they hold every ordered pair of nodes once.
//!
//! **Classes** hold whole tours, numbered by *slots*, so that every node sends and receives equally often in all of a class.
//!
//! * *Single*: once. For even h the slots of a class are the edges of a factor of a one-factorisation of K_h, and for even n the
//!   pairs {0, 1}, {2, 3}, …: swap of the one, loops of the other. For odd h and even n they are those of a near-one-factor of
//!   K_h, and of the residue that it misses: its swap beside the tours, its loops beside their reverses. For odd h and odd n they are
//!   the near-one-factors alone: nothing is sent or received at the residue that is missed.
//! * *Double*: twice. For odd h the slots of a class are the edges of a Hamiltonian cycle v_0 … v_{h−1} of a decomposition of K_h
//!   (Walecki): tour {v_p, v_{p+1}} in slot p, so a node of residue v_p sends and receives in slots p − 1 and p. For even n one more
//!   class holds the swaps of x in slot x and its loops in slot x + 1.
//! * *Loops*: of odd n, all of them; they are no messages along this dimension.
//! * *Apart*, of even n: the swap of x in slot x, in a single class of h slots, and the loops as of odd n.
//!
//! * *Shifts*, of a complete network: all pairs of one difference, in one slot. A difference and its opposite are directions; of an
//!   even network so are its half and none.
//!
//! Where there are more than h slots, a Hamiltonian cycle is cut open at v_0: in the tour {v_{h−1}, v_0}, what v_0 receives (or sends) goes into
//! the last slot, before slot 0, and what v_{h−1} does stays in slot h − 1.
//!
//! **Source:** ours; the decompositions are Walecki's (in É. Lucas, Récréations mathématiques II, 1883).

/// A message's part along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub from: u32,
    pub to: u32,
    pub slot: u32,
    /// In a double class, which of the two: 0 in the later slot of the node that receives it, 1 in the earlier.
    pub bit: u32,
}

/// What the slots of a class are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Single,
    Double,
    /// The double class of swaps and loops.
    Swaps,
    Loops,
}

impl Kind {
    pub(super) fn is_double(self) -> bool {
        matches!(self, Kind::Double | Kind::Swaps)
    }
}

/// Parts that may be combined with all parts of a class of another dimension.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub kind: Kind,
    /// Whether its tours are reversed; `None` where nothing in it has a direction. Classes with a direction stand in pairs that
    /// differ in it, at an even place and the next.
    pub reversed: Option<bool>,
    pub parts: Vec<Part>,
}

impl Class {
    /// The slots in which something moves, each once.
    pub(super) fn moving_slots(&self) -> Vec<u32> {
        let mut slots: Vec<u32> = self.parts.iter().filter(|part| part.from != part.to).map(|part| part.slot).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Whether it has room in so many slots of double classes; alone it takes half as many.
    pub(super) fn fits(&self, slots: u32, has_doubles: bool) -> bool {
        let last = self.parts.iter().map(|part| part.slot).max().unwrap_or(0);
        match self.kind {
            Kind::Single => last < slots.div_ceil(2) && (!has_doubles || 2 * (last + 1) <= slots),
            Kind::Double | Kind::Swaps | Kind::Loops => last < slots,
        }
    }
}

/// How a dimension takes part in a product.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Single,
    /// Of a complete network.
    Complete,
    /// With so many slots; the bits tell apart what a node receives, or `by_sender` what it sends.
    Double {
        slots: u32,
        by_sender: bool,
    },
    /// Of an even size, with swaps and loops in classes of their own; the others are single for even h, double for odd.
    Apart {
        slots: u32,
        by_sender: bool,
    },
}

/// All ordered pairs of `nodes` nodes, each in one class.
pub(super) fn classes(nodes: u32, role: Role) -> Vec<Class> {
    let half = nodes.div_ceil(2);
    let mut classes = match role {
        Role::Single if half.is_multiple_of(2) => factors(nodes),
        Role::Single => near_factors(nodes),
        Role::Complete => return shifts(nodes),
        Role::Double { slots, by_sender } => cycles(nodes, slots, by_sender),
        Role::Apart { .. } if half.is_multiple_of(2) => factors(nodes),
        Role::Apart { slots, by_sender } => cycles(nodes, slots, by_sender),
    };
    let is_even = nodes.is_multiple_of(2);
    match role {
        Role::Single if is_even && half.is_multiple_of(2) => classes.extend(swaps_beside_loops(half)),
        Role::Double { slots, .. } if is_even => classes.push(swaps_and_loops(half, slots)),
        Role::Apart { .. } => {
            let parts = (0..half).flat_map(|x| swap(half, x, x)).collect();
            classes.push(Class { kind: Kind::Single, reversed: None, parts });
        }
        _ => {}
    }
    if !is_even || matches!(role, Role::Apart { .. }) {
        let parts = (0..nodes).map(|v| Part { from: v, to: v, slot: 0, bit: 0 }).collect();
        classes.push(Class { kind: Kind::Loops, reversed: None, parts });
    }
    classes
}

/// The differences of a complete network, each beside its opposite.
fn shifts(nodes: u32) -> Vec<Class> {
    let class = |by: u32, kind, reversed| {
        let parts = (0..nodes).map(|v| Part { from: v, to: (v + by) % nodes, slot: 0, bit: 0 }).collect();
        Class { kind, reversed, parts }
    };
    let pairs = (1..nodes.div_ceil(2)).flat_map(|by| [(by, false), (nodes - by, true)]);
    let mut classes: Vec<Class> = pairs.map(|(by, reversed)| class(by, Kind::Single, Some(reversed))).collect();
    // The difference that is its own opposite goes with none.
    let is_even = nodes.is_multiple_of(2);
    if is_even {
        classes.push(class(nodes / 2, Kind::Single, Some(false)));
    }
    classes.push(class(0, Kind::Loops, is_even.then_some(true)));
    classes
}

/// The parts of the tour of two residues, or of its reverse.
fn tour(nodes: u32, ends: [u32; 2], reversed: bool, slot: u32) -> impl Iterator<Item = Part> {
    let half = nodes.div_ceil(2);
    let (x, y) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let mut cycle: Vec<u32> = [x, y, x + half, y + half].into_iter().filter(|v| *v < nodes).collect();
    if reversed {
        cycle.reverse();
    }
    let next = cycle.clone().into_iter().cycle().skip(1);
    cycle.into_iter().zip(next).map(move |(from, to)| Part { from, to, slot, bit: 0 })
}

/// The swap of a residue, or its loops.
fn swap(half: u32, residue: u32, slot: u32) -> [Part; 2] {
    [(residue, residue + half), (residue + half, residue)].map(|(from, to)| Part { from, to, slot, bit: 0 })
}

fn loops(half: u32, residue: u32, slot: u32) -> [Part; 2] {
    [residue, residue + half].map(|v| Part { from: v, to: v, slot, bit: 0 })
}

/// The classes of a one-factorisation of K_h, h even, by the round robin: one residue stays, the others turn.
fn factors(nodes: u32) -> Vec<Class> {
    let half = nodes / 2 + nodes % 2;
    let turn = half - 1;
    let mut classes = Vec::new();
    for round in 0..turn {
        let edges = |slot: u32| match slot {
            0 => [turn, round],
            _ => [(round + slot) % turn, (round + turn - slot) % turn],
        };
        for reversed in [false, true] {
            let parts = (0..half / 2).flat_map(|slot| tour(nodes, edges(slot), reversed, slot)).collect();
            classes.push(Class { kind: Kind::Single, reversed: Some(reversed), parts });
        }
    }
    classes
}

/// The two classes of swaps of some residues and loops of the others, h even.
fn swaps_beside_loops(half: u32) -> impl Iterator<Item = Class> {
    [false, true].into_iter().map(move |other| {
        let of = |slot: u32| (2 * slot + u32::from(other), 2 * slot + u32::from(!other));
        let parts = |slot: u32| swap(half, of(slot).0, slot).into_iter().chain(loops(half, of(slot).1, slot));
        Class { kind: Kind::Single, reversed: Some(other), parts: (0..half / 2).flat_map(parts).collect() }
    })
}

/// The classes of near-one-factors of K_h, h odd.
fn near_factors(nodes: u32) -> Vec<Class> {
    let half = nodes.div_ceil(2);
    // Slot 0 is that of the missed residue, where it has two nodes.
    let first = u32::from(nodes.is_multiple_of(2));
    let mut classes = Vec::new();
    for missed in 0..half {
        for reversed in [false, true] {
            let alone = if reversed { loops(half, missed, 0) } else { swap(half, missed, 0) };
            let edges = (1..half.div_ceil(2)).map(|by| (by, [(missed + by) % half, (missed + half - by) % half]));
            let tours = edges.flat_map(|(by, ends)| tour(nodes, ends, reversed, by - 1 + first));
            let parts = alone.into_iter().filter(|_| first == 1).chain(tours).collect();
            classes.push(Class { kind: Kind::Single, reversed: Some(reversed), parts });
        }
    }
    classes
}

/// The classes of a Hamiltonian decomposition of K_h, h odd.
fn cycles(nodes: u32, slots: u32, by_sender: bool) -> Vec<Class> {
    let half = nodes.div_ceil(2);
    let mut classes = Vec::new();
    for turn in 0..half / 2 {
        let cycle = hamiltonian(half, turn);
        let mut index = vec![0; cycle.len()];
        (0..).zip(&cycle).for_each(|(at, &residue)| index[residue as usize] = at);
        let mut place = |part: Part| {
            let of = index[(if by_sender { part.from } else { part.to } % half) as usize];
            let slot = if part.slot == half - 1 && of == 0 { slots - 1 } else { part.slot };
            // The later of the slots p − 1 and p of residue v_p.
            let is_later = slot == of;
            Part { slot, bit: u32::from(is_later == by_sender), ..part }
        };
        for reversed in [false, true] {
            let ends = |slot: u32| [cycle[slot as usize], cycle[((slot + 1) % half) as usize]];
            let parts = (0..half).flat_map(|slot| tour(nodes, ends(slot), reversed, slot)).map(&mut place).collect();
            classes.push(Class { kind: Kind::Double, reversed: Some(reversed), parts });
        }
    }
    classes
}

/// The double class of swaps and loops, h odd.
fn swaps_and_loops(half: u32, slots: u32) -> Class {
    let swaps = (0..half).flat_map(|x| swap(half, x, x)).map(|part| Part { bit: 1, ..part });
    let parts = swaps.chain((0..half).flat_map(|x| loops(half, x, (x + 1) % slots))).collect();
    Class { kind: Kind::Swaps, reversed: None, parts }
}

/// A cycle of Walecki's decomposition of K_h, h odd: one residue, and a zigzag through all others, turned.
fn hamiltonian(half: u32, turn: u32) -> Vec<u32> {
    let others = half - 1;
    let zigzag = (0..others).map(|at| if at % 2 == 1 { at.div_ceil(2) } else { others - at / 2 });
    std::iter::once(others).chain(zigzag.map(|residue| (residue + turn) % others)).collect()
}
