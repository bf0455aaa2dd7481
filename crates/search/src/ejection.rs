//! **What:** the local search by ejection chains that [`crate::Packing`] and [`crate::TimeExpanded`] share.
//!
//! **Method.** A *slot* is a resource in a step; it holds as many messages as the resource has capacity. A message takes one of
//! its *ways*, each a set of slots. A random message without a way takes the one whose present owners weigh least (ties at
//! random). Of each full slot the lightest owner is ejected, from all its slots, and it may not return at once to what it
//! lost. What a message weighs decides everything: weights that grow with the length of its shortest way suit problems
//! whose whole volume is tight, weights that grow each time it is picked suit problems with a bottleneck.
//!
//! Which ways there are and which is the cheapest is up to [`Ways`]: paths of a list in any step, or hops one after another.
//!
//! **Source:** F. Glover, Ejection chains, reference structures and alternating path methods, 1996.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// Nobody owns a place.
const NOBODY: u32 = u32::MAX;

/// Weights stay below this, so that sums over a few hundred slots stay below [`NEVER`].
pub(crate) const HEAVIEST: u32 = 1 << 20;

/// What cannot be taken costs so much.
pub(crate) const NEVER: u32 = 1 << 30;

/// Moves for which a message stays away from what it lost.
const TENURE: u64 = 1;

/// A resource in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The first of its places; it has `capacity` of them.
    pub place: u32,
    pub capacity: u32,
    /// Its number among all slots.
    pub number: u32,
}

/// What messages weigh: 10 and these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weighting {
    /// For each hop of the shortest way.
    pub per_hop: u32,
    /// For each time a message was picked.
    pub per_pick: u32,
}

/// The ways of some messages.
pub(crate) trait Ways {
    /// One of them.
    type Way;

    /// Looks that take about as long as a tick.
    const LOOKS_A_TICK: u64;

    /// The length of the shortest way of each message.
    fn lengths(&self) -> Vec<u32>;

    /// Looks that it took to list the ways.
    fn looks(&self) -> u64;

    /// The slots of a way, added to a list.
    fn slots(&self, way: &Self::Way, list: &mut Vec<Slot>);

    /// The cheapest way of a message, other than those that take what it is to `avoid`; ties are broken at random.
    fn cheapest(
        &mut self,
        message: u32,
        avoid: Option<u32>,
        owners: &mut Owners,
        random: &mut Pcg64Mcg,
    ) -> Option<Self::Way>;

    /// What a message that had this way is to avoid when it loses a slot of it.
    fn lost(&self, way: &Self::Way, slot: Slot) -> u32;

    /// Notes that a slot has other owners now.
    fn changed(&mut self, slot: Slot, owners: &Owners);
}

/// Who owns which places, and what messages weigh.
pub(crate) struct Owners {
    places: Vec<u32>,
    /// What each message weighs, and when it was last counted.
    weights: Vec<(u32, u64)>,
    counts: u64,
    /// Looks at slots so far.
    pub looks: u64,
}

impl Owners {
    /// What it costs to take a slot: nothing where there is room, else what its lightest owner weighs.
    pub(crate) fn price(&self, slot: Slot) -> u32 {
        self.of(slot).iter().map(|&owner| self.weight(owner)).min().unwrap_or(NEVER)
    }

    /// Whether a slot has no room.
    pub(crate) fn is_full(&self, slot: Slot) -> bool {
        self.of(slot).iter().all(|&owner| owner != NOBODY)
    }

    /// What those weigh who would be ejected from slots, each counted once; anything above `most` stands for more.
    pub(crate) fn weigh(&mut self, slots: impl Iterator<Item = Slot>, most: u32) -> u32 {
        self.counts += 1;
        let mut sum = 0u32;
        for slot in slots {
            self.looks += 1;
            if slot.capacity == 1 {
                let owner = self.places[slot.place as usize];
                if owner != NOBODY {
                    let (weight, counted) = &mut self.weights[owner as usize];
                    if *counted != self.counts {
                        *counted = self.counts;
                        sum = sum.saturating_add(*weight);
                    }
                }
            } else {
                sum = sum.saturating_add(self.price(slot));
            }
            if sum > most {
                break;
            }
        }
        sum
    }

    fn of(&self, slot: Slot) -> &[u32] {
        &self.places[slot.place as usize..][..slot.capacity as usize]
    }

    fn weight(&self, owner: u32) -> u32 {
        if owner == NOBODY { 0 } else { self.weights[owner as usize].0 }
    }
}

/// One search.
pub(crate) struct Search<W: Ways> {
    pub ways: W,
    owners: Owners,
    weighting: Weighting,
    chosen: Vec<Option<W::Way>>,
    /// What each message is to avoid, and until which move.
    avoided: Vec<(u32, u64)>,
    open: Vec<u32>,
    least: usize,
    moves: u64,
    slots: Vec<Slot>,
    freed: Vec<Slot>,
}

impl<W: Ways> Search<W> {
    /// A search of messages none of which has a way yet, in slots of so many places together.
    pub(crate) fn new(ways: W, places: usize, weighting: Weighting, random: &mut Pcg64Mcg) -> Self {
        let lengths = ways.lengths();
        let weight = |&length: &u32| 10u32.saturating_add(weighting.per_hop.saturating_mul(length)).min(HEAVIEST);
        let owners = Owners {
            places: vec![NOBODY; places],
            weights: lengths.iter().map(|length| (weight(length), 0)).collect(),
            counts: 0,
            looks: ways.looks(),
        };
        // Messages are first placed in a random order, those of long ways before the others.
        let mut keyed: Vec<(u32, u32, u32)> =
            (0..).zip(&lengths).map(|(message, &length)| (length, random.random(), message)).collect();
        keyed.sort_unstable();
        Search {
            ways,
            owners,
            weighting,
            chosen: lengths.iter().map(|_| None).collect(),
            avoided: vec![(NOBODY, 0); lengths.len()],
            open: keyed.into_iter().map(|(.., message)| message).collect(),
            least: usize::MAX,
            moves: 0,
            slots: Vec::new(),
            freed: Vec::new(),
        }
    }

    /// Ticks spent so far.
    pub(crate) fn ticks(&self) -> u64 {
        self.owners.looks / W::LOOKS_A_TICK
    }

    /// The fewest messages without a way so far; beyond measure before every message had its turn.
    pub(crate) fn least(&self) -> usize {
        self.least
    }

    /// The way of each message that has one.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (usize, &W::Way)> {
        self.chosen.iter().enumerate().filter_map(|(message, way)| Some((message, way.as_ref()?)))
    }

    /// Moves until all messages have ways (true), `ticks` are spent or `stop` says so; `stop` is asked now and then and told how
    /// many messages have none.
    pub(crate) fn run(&mut self, ticks: u64, random: &mut Pcg64Mcg, mut stop: impl FnMut(usize) -> bool) -> bool {
        let mut first = self.open.len();
        let mut asked = 0;
        while !self.open.is_empty() {
            if self.ticks() > ticks {
                return false;
            }
            if self.owners.looks > asked + (W::LOOKS_A_TICK << 12) {
                asked = self.owners.looks;
                if stop(self.open.len()) {
                    return false;
                }
            }
            let at = if first > 0 {
                first -= 1;
                first.min(self.open.len() - 1)
            } else {
                random.random_range(0..self.open.len())
            };
            let message = self.open.swap_remove(at);
            self.place(message, random);
            if first == 0 {
                self.least = self.least.min(self.open.len());
            }
        }
        true
    }

    fn place(&mut self, message: u32, random: &mut Pcg64Mcg) {
        self.moves += 1;
        let weight = &mut self.owners.weights[message as usize].0;
        *weight = weight.saturating_add(self.weighting.per_pick).min(HEAVIEST);
        let (avoided, until) = self.avoided[message as usize];
        let avoid = (self.moves <= until).then_some(avoided);
        match self.ways.cheapest(message, avoid, &mut self.owners, random) {
            Some(way) => self.insert(message, way),
            None => self.open.push(message),
        }
    }

    fn insert(&mut self, message: u32, way: W::Way) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        self.ways.slots(&way, &mut slots);
        for &slot in &slots {
            let places = slot.place..slot.place + slot.capacity;
            // No way takes a slot more often than it has places, so one is not the message's own.
            let others = places.filter(|&place| self.owners.places[place as usize] != message);
            let lightest = others.min_by_key(|&place| self.owners.weight(self.owners.places[place as usize]));
            let Some(place) = lightest else { continue };
            let owner = self.owners.places[place as usize];
            if owner != NOBODY {
                self.eject(owner, slot);
            }
            self.owners.places[place as usize] = message;
            self.ways.changed(slot, &self.owners);
        }
        self.slots = slots;
        self.chosen[message as usize] = Some(way);
    }

    fn eject(&mut self, message: u32, lost: Slot) {
        let Some(way) = self.chosen[message as usize].take() else { return };
        let mut slots = std::mem::take(&mut self.freed);
        slots.clear();
        self.ways.slots(&way, &mut slots);
        for &slot in &slots {
            let places = &mut self.owners.places[slot.place as usize..][..slot.capacity as usize];
            if let Some(owner) = places.iter_mut().find(|owner| **owner == message) {
                *owner = NOBODY;
                self.ways.changed(slot, &self.owners);
            }
        }
        self.freed = slots;
        self.avoided[message as usize] = (self.ways.lost(&way, lost), self.moves + TENURE);
        self.open.push(message);
    }
}
