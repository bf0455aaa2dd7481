//! **What:** where contributions lie while they are merged (semantics `reduce`).
//!
//! **Facts:** a rank has a value of each chunk: at first its own contribution, later what replaces it (`Op::Copy`). Of the last value of a chunk
//! that the rank is to end with, the home is its place in the output; homes of others are in scratch. What arrives to be merged is received beside
//! the value and merged into its home: at first as home = value + arrival, then as home = home + arrival, which waits until those have
//! been sent that read the home before. Partial results that a later transfer names are kept as they came.

use crate::build::{Holdings, Ready, Writer};
use crate::events::{Event, Exchanges};
use crate::layout::Layout;
use crate::{Action, Place, RankProgram};
use kernel::{Message, Op};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

type Key = (u32, Message);

/// What a rank has merged of a chunk so far.
struct Value {
    place: Place,
    /// The operation that made it; none of its own contribution.
    by: Option<u32>,
    /// Whether the place is its home, so that merging changes it.
    at_home: bool,
    /// What reads it there.
    readers: Vec<u32>,
}

/// A contribution or arrival that is kept apart.
struct Partial {
    place: Place,
    by: Option<u32>,
}

pub(crate) struct Merges {
    values: HashMap<Key, Value>,
    partials: HashMap<Key, Vec<Option<Partial>>>,
    /// How often what a rank has of a chunk is still replaced.
    replaced: HashMap<Key, u32>,
    homes: HashMap<Key, Place>,
    /// What was sent by the operation that is being written.
    sending: Vec<Key>,
}

impl Merges {
    pub(crate) fn of(exchanges: &Exchanges, layout: &Layout, ranks: &[RankProgram]) -> Self {
        let (mut apart, mut replaced) = (HashSet::new(), HashMap::new());
        for event in &exchanges.events {
            match *event {
                Event::Begin { exchange } if exchanges.chooses(exchange) => {
                    let rank = exchanges.get(exchange).from;
                    apart.extend(exchanges.messages(exchange).map(|message| (rank, message)));
                }
                Event::Held { exchange, at } if exchanges.get(exchange).op == Op::Copy => {
                    let key = (exchanges.get(exchange).to, exchanges.message(exchange, at as usize));
                    *replaced.entry(key).or_insert(0) += 1;
                }
                _ => {}
            }
        }
        let own = |(rank, message): Key| {
            layout.input(message, ranks[rank as usize].node).map(|place| Partial { place, by: None })
        };
        let partials = apart.into_iter().map(|key| (key, vec![own(key)])).collect();
        Merges { values: HashMap::new(), partials, replaced, homes: HashMap::new(), sending: Vec::new() }
    }

    /// The value of a chunk; at first the rank's own contribution, where it has one.
    fn value(&mut self, writer: &Writer, key: Key) -> Option<&mut Value> {
        match self.values.entry(key) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(unknown) => {
                let place = writer.layout.input(key.1, writer.ranks[key.0 as usize].node)?;
                Some(unknown.insert(Value { place, by: None, at_home: false, readers: Vec::new() }))
            }
        }
    }

    /// Where a chunk is merged until it is replaced.
    fn home(&mut self, writer: &mut Writer, key: Key) -> Place {
        if let Some(home) = self.homes.get(&key) {
            return *home;
        }
        let last = self.replaced.get(&key).is_none_or(|times| *times == 0);
        let output = writer.layout.output(key.1, writer.ranks[key.0 as usize].node).filter(|_| last);
        let home = output.unwrap_or_else(|| writer.scratch(key.0));
        self.homes.insert(key, home);
        home
    }

    /// From now on another value has the place of the one before.
    fn replace(&mut self, key: Key) {
        if let Some(times) = self.replaced.get_mut(&key) {
            *times -= 1;
        }
        self.homes.remove(&key);
    }
}

impl Holdings for Merges {
    fn ready(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize) -> Ready {
        let key = (exchanges.get(exchange).from, exchanges.message(exchange, at));
        let chosen = exchanges.partials(exchange, at);
        if chosen.is_empty() {
            self.sending.push(key);
            let value = self.value(writer, key).expect("a verified transfer carries what its sender has");
            return Ready { place: value.place, after: value.by.into_iter().collect() };
        }
        let partial = |at: &u32| {
            let kept = self.partials[&key].get(*at as usize).and_then(Option::as_ref);
            kept.expect("a verified transfer names partial results that there are")
        };
        let after: Vec<u32> = chosen.iter().filter_map(|at| partial(at).by).collect();
        let of: Vec<Place> = chosen.iter().map(|at| partial(at).place).collect();
        if let [place] = of[..] {
            return Ready { place, after };
        }
        let into = writer.scratch(key.0);
        let merge = writer.add(key.0, Action::Merge { of, into }, after);
        Ready { place: into, after: vec![merge] }
    }

    fn sent(&mut self, _: &Exchanges, _: u32, send: u32) {
        for key in self.sending.drain(..) {
            self.values.get_mut(&key).expect("it was sent from there").readers.push(send);
        }
    }

    fn room(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize) -> Place {
        let key = (exchanges.get(exchange).to, exchanges.message(exchange, at));
        if self.partials.contains_key(&key) {
            return writer.scratch(key.0);
        }
        match exchanges.get(exchange).op {
            Op::Copy => {
                self.replace(key);
                self.home(writer, key)
            }
            // The first of a chunk to which the rank contributes nothing is its value. It may not be the first to be held where what
            // comes together is not held together, and others of the chunk may come with it.
            Op::Reduce
                if !self.homes.contains_key(&key)
                    && self.value(writer, key).is_none()
                    && exchanges.is_held_at_once(exchange) =>
            {
                self.home(writer, key)
            }
            Op::Reduce | Op::Keep => writer.scratch(key.0),
        }
    }

    fn held(
        &mut self,
        writer: &mut Writer,
        exchanges: &Exchanges,
        exchange: u32,
        at: usize,
        (operation, place): (u32, Place),
    ) {
        let key = (exchanges.get(exchange).to, exchanges.message(exchange, at));
        let by = Some(operation);
        let apart = self.partials.get_mut(&key).map(|kept| kept.push(Some(Partial { place, by }))).is_some();
        let op = exchanges.get(exchange).op;
        if op == Op::Keep {
            return;
        }
        if op == Op::Copy && apart {
            self.replace(key);
        }
        let value = self.value(writer, key).map(|value| (value.place, value.by, value.at_home));
        let Some((before, made, at_home)) = value.filter(|_| op == Op::Reduce) else {
            let at_home = self.homes.get(&key) == Some(&place);
            self.values.insert(key, Value { place, by, at_home, readers: Vec::new() });
            return;
        };
        let mut after: Vec<u32> = made.into_iter().chain([operation]).collect();
        if at_home {
            after.append(&mut self.values.get_mut(&key).expect("it is merged into").readers);
        }
        let into = self.home(writer, key);
        let merge = writer.add(key.0, Action::Merge { of: vec![before, place], into }, after);
        self.values.insert(key, Value { place: into, by: Some(merge), at_home: true, readers: Vec::new() });
    }

    /// What a rank ends with and has elsewhere is copied.
    fn finish(&mut self, writer: &mut Writer) {
        let collective = writer.layout.collective().clone();
        let ranks: HashMap<_, u32> = writer.ranks.iter().zip(0..).map(|(rank, at)| (rank.node, at)).collect();
        for message in collective.messages() {
            for node in collective.destinations(message) {
                let key = (ranks[node], message);
                let to = writer.layout.output(message, *node).expect("it is one of its destinations");
                let value =
                    self.value(writer, key).expect("a verified schedule brings every chunk to its destinations");
                if value.place != to {
                    let (from, after) = (value.place, value.by.into_iter().collect());
                    writer.add(key.0, Action::Copy { from, to }, after);
                }
            }
        }
    }
}
