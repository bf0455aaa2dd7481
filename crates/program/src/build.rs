//! **What:** from exchanges to operations: walks the events of a schedule in order and writes down what each rank does.

use crate::copies::Copies;
use crate::events::{Event, Exchanges, Playable, ProgramError};
use crate::layout::Layout;
use crate::merges::Merges;
use crate::{Action, Buffer, Operation, Place, Program, RankProgram};
use kernel::Semantics;

/// What is being written.
pub(crate) struct Writer {
    pub ranks: Vec<RankProgram>,
    pub layout: Layout,
}

impl Writer {
    /// Adds an operation; its number at the rank.
    pub(crate) fn add(&mut self, rank: u32, action: Action, mut after: Vec<u32>) -> u32 {
        after.sort_unstable();
        after.dedup();
        let operations = &mut self.ranks[rank as usize].operations;
        operations.push(Operation { action, after });
        u32::try_from(operations.len() - 1).expect("at most a few operations for each of 2^26 messages")
    }

    /// A place of scratch that nothing else uses.
    pub(crate) fn scratch(&mut self, rank: u32) -> Place {
        let scratch = &mut self.ranks[rank as usize].scratch;
        *scratch += 1;
        Place { buffer: Buffer::Scratch, index: *scratch - 1 }
    }
}

/// What a sender has of a message, and where.
pub(crate) struct Ready {
    pub place: Place,
    pub after: Vec<u32>,
}

/// Where what is held lies, by semantics.
pub(crate) trait Holdings {
    /// The place from which a message is sent now.
    fn ready(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize) -> Ready;
    /// An operation sends it from there.
    fn sent(&mut self, exchanges: &Exchanges, exchange: u32, send: u32);
    /// Where a message is received.
    fn room(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize) -> Place;
    /// It is held, in the place where an operation received it.
    fn held(&mut self, writer: &mut Writer, exchanges: &Exchanges, exchange: u32, at: usize, received: (u32, Place));
    /// Nothing follows.
    fn finish(&mut self, writer: &mut Writer);
}

pub(crate) fn build(schedule: Playable<'_>) -> Result<Program, ProgramError> {
    let exchanges = Exchanges::of(schedule)?;
    let layout = Layout::of(schedule.collective());
    let ranks = schedule.network().terminals().iter().map(|node| {
        let sizes = layout.sizes(*node);
        RankProgram { node: *node, input: sizes.input, output: sizes.output, scratch: 0, operations: Vec::new() }
    });
    let mut writer = Writer { ranks: ranks.collect(), layout };
    // What needs no message comes first, so that it is done while others wait.
    for rank in 0..writer.ranks.len() {
        for (from, to) in writer.layout.own(writer.ranks[rank].node) {
            writer.add(rank as u32, Action::Copy { from, to }, Vec::new());
        }
    }
    match schedule.collective().semantics() {
        Semantics::Copy => walk(&mut writer, &exchanges, &mut Copies::default()),
        Semantics::Reduce => {
            let mut merges = Merges::of(&exchanges, &writer.layout, &writer.ranks);
            walk(&mut writer, &exchanges, &mut merges);
        }
    }
    let Writer { ranks, layout } = writer;
    let transfers = exchanges.count();
    let (channels, ends) = exchanges.into_paths();
    Ok(Program { ranks, layout, transfers, channels, ends })
}

fn walk(writer: &mut Writer, exchanges: &Exchanges, holdings: &mut impl Holdings) {
    /// What was received, until all of it is held.
    struct Received {
        operation: u32,
        places: Vec<Place>,
    }
    let mut received: Vec<Option<Received>> = (0..exchanges.count()).map(|_| None).collect();
    for event in &exchanges.events {
        match *event {
            Event::Begin { exchange } => {
                let (mut places, mut after) = (Vec::new(), Vec::new());
                for at in 0..exchanges.messages(exchange).len() {
                    let ready = holdings.ready(writer, exchanges, exchange, at);
                    places.push(ready.place);
                    after.extend(ready.after);
                }
                let of = exchanges.get(exchange);
                let send = writer.add(of.from, Action::Send { to: of.to, transfer: exchange, places }, after);
                holdings.sent(exchanges, exchange, send);
            }
            Event::Held { exchange, at } => {
                let slot = &mut received[exchange as usize];
                let arrived = match slot {
                    Some(arrived) => arrived,
                    None => {
                        let count = exchanges.messages(exchange).len();
                        let places: Vec<Place> =
                            (0..count).map(|at| holdings.room(writer, exchanges, exchange, at)).collect();
                        let of = exchanges.get(exchange);
                        let action = Action::Receive { from: of.from, transfer: exchange, places: places.clone() };
                        let operation = writer.add(of.to, action, Vec::new());
                        slot.insert(Received { operation, places })
                    }
                };
                let place = (arrived.operation, arrived.places[at as usize]);
                holdings.held(writer, exchanges, exchange, at as usize, place);
                if at as usize + 1 == exchanges.messages(exchange).len() {
                    *slot = None;
                }
            }
        }
    }
    holdings.finish(writer);
}
