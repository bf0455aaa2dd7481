//! **What:** threads that play the processes of a run.

use run::Ranks;
use run::ranks::Announced;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// One of several threads that play processes.
pub struct Together {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
    announced: Arc<Announced>,
}

impl Together {
    /// So many of them.
    pub fn all(count: usize) -> Vec<Together> {
        let announced = Arc::new(Announced::default());
        let one = |rank| Together { rank, to: Vec::new(), from: Vec::new(), announced: announced.clone() };
        let mut all: Vec<Together> = (0..count).map(one).collect();
        for from in 0..count {
            for to in 0..count {
                let (sender, receiver) = channel();
                all[from].to.push(sender);
                all[to].from.push(Mutex::new(receiver));
            }
        }
        all
    }
}

impl Ranks for Together {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.to.iter().zip(outgoing).for_each(|(to, bytes)| to.send(bytes).expect("still there"));
        self.from.iter().map(|from| from.lock().expect("alone").recv().expect("still there")).collect()
    }

    fn announce(&self, round: u32, position: u32) {
        self.announced.note(round, position);
    }

    fn announced(&self, round: u32) -> Option<u32> {
        self.announced.first(round)
    }
}
