//! **What:** where copies lie (semantics `copy`): the first that comes to a rank goes to its output, or to scratch where the rank only passes it on;
//! what comes again is received beside it and not used, so that nothing is written while it is sent.

use crate::Place;
use crate::build::{Holdings, Ready, Writer};
use crate::events::Exchanges;
use kernel::Message;
use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct Copies {
    /// Of each rank and message, the place and the operation that received it.
    held: HashMap<(u32, Message), (Place, u32)>,
}

impl Holdings for Copies {
    fn ready(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize) -> Ready {
        let (rank, message) = (exchanges.get(exchange).from, exchanges.message(exchange, at));
        let node = writer.ranks[rank as usize].node;
        match writer.layout.input(message, node) {
            Some(place) => Ready { place, after: Vec::new() },
            None => {
                let (place, by) = self.held[&(rank, message)];
                Ready { place, after: vec![by] }
            }
        }
    }

    fn sent(&mut self, _: &Exchanges, _: u32, _: u32) {}

    fn room(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize) -> Place {
        let (rank, message) = (exchanges.get(exchange).to, exchanges.message(exchange, at));
        let known = self.held.contains_key(&(rank, message));
        let output = writer.layout.output(message, writer.ranks[rank as usize].node).filter(|_| !known);
        output.unwrap_or_else(|| writer.scratch(rank))
    }

    fn held(
        &mut self,
        _: &mut Writer,
        exchanges: &Exchanges,
        exchange: u32,
        at: usize,
        (operation, place): (u32, Place),
    ) {
        let key = (exchanges.get(exchange).to, exchanges.message(exchange, at));
        self.held.entry(key).or_insert((place, operation));
    }

    fn finish(&mut self, _: &mut Writer) {}
}
