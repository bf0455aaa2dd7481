//! **What:** the messages between ranks: what the search exchanges, signs of life, and who has finished.
//!
//! **Facts:** only one thread speaks MPI. It receives whatever comes, at any time, so that every send soon ends; it never
//! waits for a certain rank. A sign of life goes out every [`BEAT`], however long a generation takes.

use crate::watch::Watch;
use mpi::datatype::Equivalence;
use mpi::point_to_point::{Destination, Source};
use mpi::request::{self, Request};
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator;
use run::Ranks;
use run::ranks::{Announced, Reader};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Between two signs of life.
const BEAT: Duration = Duration::from_millis(250);

/// Between two looks for messages: short beside a meeting of islands, long beside a look.
const NAP: Duration = Duration::from_micros(200);

const DATA: i32 = 1;
const ALIVE: i32 = 2;
const DONE: i32 = 3;
const WINNER: i32 = 4;

/// What the search asks the thread that speaks MPI for.
pub(crate) enum Command {
    /// To meet all others.
    Exchange(Exchange),
    /// To tell them of a task that is done: its round and position.
    Announce(u32, u32),
}

/// An exchange that the search asks for, and where the answer goes.
pub(crate) struct Exchange {
    outgoing: Vec<Vec<u8>>,
    answer: Sender<Vec<Vec<u8>>>,
}

/// Where the search hands in what it exchanges.
pub(crate) struct Counter {
    /// This process.
    pub rank: usize,
    /// All of them.
    pub count: usize,
    /// To the thread that speaks MPI.
    pub commands: Sender<Command>,
    /// What others have announced.
    pub announced: Arc<Announced>,
}

impl Ranks for Counter {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (answer, answered) = channel();
        let handed_in = self.commands.send(Command::Exchange(Exchange { outgoing, answer })).is_ok();
        match answered.recv() {
            Ok(incoming) if handed_in => incoming,
            // The office ends after the search, or the process with it.
            _ => loop {
                std::thread::park();
            },
        }
    }

    fn announce(&self, round: u32, position: u32) {
        self.announced.note(round, position);
        // Where nobody speaks MPI any more, nobody listens either.
        let _ = self.commands.send(Command::Announce(round, position));
    }

    fn announced(&self, round: u32) -> Option<u32> {
        self.announced.first(round)
    }
}

/// What the main thread does.
pub(crate) struct Office<'a> {
    /// All ranks.
    pub world: &'a SimpleCommunicator,
    /// What the search asks for.
    pub commands: &'a Receiver<Command>,
    /// What others have announced.
    pub announced: &'a Announced,
    /// Who is alive.
    pub watch: &'a Watch,
    /// What has come from each rank and was not asked for yet.
    pub inbox: Vec<VecDeque<Vec<u8>>>,
}

impl Office<'_> {
    /// Until every rank has finished.
    pub(crate) fn serve(mut self) {
        let (mut beat, mut told) = (Instant::now(), false);
        loop {
            self.look(&mut beat);
            match self.commands.try_recv() {
                Ok(Command::Exchange(exchange)) => self.exchange(exchange, &mut beat),
                Ok(Command::Announce(round, position)) => {
                    let bytes: Vec<u8> = [round, position].iter().flat_map(|number| number.to_le_bytes()).collect();
                    self.tell_all(WINNER, &bytes);
                }
                Err(_) if self.watch.has_finished() && !told => {
                    told = true;
                    self.tell_all(DONE, &[0]);
                    self.watch.told();
                }
                Err(_) if told && self.watch.all_done() => return,
                Err(_) => std::thread::sleep(NAP),
            }
        }
    }

    /// Sends what the search gives, and waits until something has come from every rank.
    fn exchange(&mut self, Exchange { outgoing, answer }: Exchange, beat: &mut Instant) {
        let own = self.watch.rank;
        request::scope(|scope| {
            let mut sending: Vec<Request<'_, [u8], _>> = Vec::new();
            for (rank, bytes) in outgoing.iter().enumerate().filter(|(rank, _)| *rank != own) {
                let to = self.world.process_at_rank(rank as i32);
                sending.push(to.immediate_send_with_tag(scope, &bytes[..], DATA));
            }
            while !sending.is_empty() || (0..self.inbox.len()).any(|rank| rank != own && self.inbox[rank].is_empty()) {
                sending = sending.into_iter().filter_map(|request| request.test().err()).collect();
                let missing = (0..self.inbox.len()).filter(|&rank| rank != own && self.inbox[rank].is_empty());
                self.watch.waits_for(missing);
                self.look(beat);
                std::thread::sleep(NAP);
            }
        });
        self.watch.waits_for(std::iter::empty());
        let mut outgoing = outgoing;
        let own_news = std::mem::take(&mut outgoing[own]);
        let mut incoming: Vec<Vec<u8>> =
            self.inbox.iter_mut().map(|inbox| inbox.pop_front().unwrap_or_default()).collect();
        incoming[own] = own_news;
        // Nobody waits for it only where the process is about to end.
        let _ = answer.send(incoming);
    }

    /// Receives whatever has come; gives a sign of life when it is time.
    fn look(&mut self, beat: &mut Instant) {
        while let Some((message, status)) = self.world.any_process().immediate_matched_probe() {
            let rank = status.source_rank() as usize;
            let mut bytes = vec![0u8; status.count(u8::equivalent_datatype()) as usize];
            message.matched_receive_into(&mut bytes[..]);
            self.watch.heard(rank);
            match status.tag() {
                DATA => {
                    self.inbox[rank].push_back(bytes);
                    self.watch.came(rank);
                }
                DONE => self.watch.done(rank),
                WINNER => {
                    let mut reader = Reader(&bytes);
                    self.announced.note(reader.u32(), reader.u32());
                }
                _ => {}
            }
        }
        if beat.elapsed() >= BEAT {
            *beat = Instant::now();
            self.tell_all(ALIVE, &[0]);
        }
    }

    /// A few bytes to every rank that has not finished; so few that they are on their way at once.
    fn tell_all(&self, tag: i32, bytes: &[u8]) {
        let ranks = 0..self.inbox.len();
        for rank in ranks.filter(|&rank| rank != self.watch.rank && (tag == DONE || !self.watch.is_done(rank))) {
            self.world.process_at_rank(rank as i32).send_with_tag(bytes, tag);
        }
    }
}
