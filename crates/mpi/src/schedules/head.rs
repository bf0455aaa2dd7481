//! **What:** what rank 0 tells all others first: whether there is anything to run, and how long they may wait.
//!
//! **Facts:** rank 0 may read and verify a large file for minutes. Meanwhile it gives a sign of life now and then, and whoever hears none ends.

use super::limit::{Limit, Pulse, SILENCE, Seconds};
use mpi::point_to_point::{Destination, Source};
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator;
use quadrille_cli::RunRequest;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

const ALIVE: i32 = 1;
const HEAD: i32 = 2;

/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(1);

/// Between two looks.
const NAP: Duration = Duration::from_millis(1);

/// What stands where an exit status would.
const GO: u64 = u64::MAX;

/// What all ranks know before they begin.
pub(super) struct Head {
    /// The exit status, where there is nothing to run.
    pub refused: Option<u8>,
    /// A number for rank 0's arguments.
    pub arguments: u64,
    /// How long they may wait.
    pub seconds: Seconds,
}

/// A number for this rank's arguments.
pub(super) fn arguments() -> u64 {
    let mut hasher = DefaultHasher::new();
    std::env::args_os().skip(1).for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

impl Head {
    fn of(asked: &Result<RunRequest, u8>) -> Self {
        let seconds = |request: &RunRequest| Seconds { all: request.seconds, silence: request.silence };
        Head {
            refused: asked.as_ref().err().copied(),
            arguments: arguments(),
            seconds: asked.as_ref().map_or(Seconds { all: 0.0, silence: 0.0 }, seconds),
        }
    }

    fn words(&self) -> [u64; 4] {
        let Seconds { all, silence } = self.seconds;
        [self.refused.map_or(GO, u64::from), self.arguments, all.to_bits(), silence.to_bits()]
    }

    fn read([status, arguments, all, silence]: [u64; 4]) -> Self {
        let seconds = Seconds { all: f64::from_bits(all), silence: f64::from_bits(silence) };
        Head { refused: (status != GO).then_some(status as u8), arguments, seconds }
    }
}

/// Limits of seconds without a sign of others.
fn silence(world: &SimpleCommunicator, silence: f64, pulse: &Pulse) -> Limit {
    Limit::begin(world.rank(), Seconds { all: f64::INFINITY, silence }, pulse.clone())
}

/// At rank 0 reads what is asked for, and tells the others. To tell one that is lost may take for ever too.
pub(super) fn ask(world: &SimpleCommunicator) -> (Head, Result<RunRequest, u8>) {
    let (processes, others) = (world.size() as usize, 1..world.size());
    let pulse = Pulse::default();
    let tell = |words: &[u64], tag: i32| {
        others.clone().for_each(|rank| {
            world.process_at_rank(rank).send_with_tag(words, tag);
            pulse.beat();
        });
    };
    let limit = silence(world, SILENCE, &pulse);
    let asked = std::thread::scope(|scope| {
        let reading = scope.spawn(|| quadrille_cli::run_request(processes));
        let mut told = Instant::now();
        while !reading.is_finished() {
            if told.elapsed() >= BEAT {
                told = Instant::now();
                tell(&[], ALIVE);
            }
            pulse.beat();
            std::thread::sleep(NAP);
        }
        reading.join().unwrap_or(Err(2))
    });
    limit.end();
    let head = Head::of(&asked);
    let limit = silence(world, asked.as_ref().map_or(SILENCE, |request| request.silence), &pulse);
    tell(&head.words(), HEAD);
    limit.end();
    (head, asked)
}

/// At another rank waits for what rank 0 tells.
pub(super) fn hear(world: &SimpleCommunicator) -> Head {
    let pulse = Pulse::default();
    let limit = silence(world, SILENCE, &pulse);
    let root = world.process_at_rank(0);
    loop {
        if let Some((message, status)) = root.immediate_matched_probe() {
            pulse.beat();
            let mut words = [0u64; 4];
            if status.tag() == HEAD {
                message.matched_receive_into(&mut words[..]);
                limit.end();
                return Head::read(words);
            }
            message.matched_receive_into(&mut words[..0]);
        }
        std::thread::sleep(NAP);
    }
}
