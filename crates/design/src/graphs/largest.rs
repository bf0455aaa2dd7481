//! **What:** as many nodes as possible of a degree and a diameter.
//!
//! **Method.** First a ladder: every next rung has a few more nodes, while short searches succeed. Then windows: all numbers
//! of nodes just above the best are searched, the largest first, and a success moves the window; after a window without one
//! searches get twice as long. It ends at the Moore bound, or with the ticks.

use super::anneal::Candidate;
use super::rounds::{Kept, Search};
use super::{
    Checkpoint, GraphError, LEAST_DEGREE, MOST_DIAMETER, MOST_NODES, Progress, Settings, Watch, least, most_nodes, on,
    range,
};
use crate::multiring::search::Stop;
use kernel::Network;
use serde::{Deserialize, Serialize};

/// Ticks of a first search.
const FIRST: u64 = 1 << 24;

/// What came of it.
#[derive(Clone, Debug)]
pub struct Largest {
    /// The network.
    pub best: Candidate,
    /// No network has more nodes.
    pub at_most: u128,
    /// Words read and exchanges tried.
    pub work: (u64, u64),
}

/// All of a climb between searches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Climbed {
    degree: u32,
    diameter: u32,
    seed: u64,
    work: (u64, u64),
    /// Ticks of a search, and the number of nodes that is looked at next; none: a new window begins.
    turn: u64,
    next: Option<u32>,
    /// Whether the ladder is over.
    over: bool,
    best: Option<Kept>,
}

/// A climb between searches.
#[derive(Clone, Debug)]
pub struct Climb {
    wanted: Settings,
    diameter: u32,
    most: u32,
    turn: u64,
    next: Option<u32>,
    over: bool,
    best: Option<Candidate>,
    work: (u64, u64),
}

/// Stops as another does, and keeps to itself what a search within a climb shows.
struct Quiet<'a, W>(&'a W);

impl<W: Watch> Stop for Quiet<'_, W> {
    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

impl<W: Watch> Watch for Quiet<'_, W> {
    fn progress(&self, _: &Progress) {}

    fn floor(&self, network: &Network) -> Option<u64> {
        self.0.floor(network)
    }
}

impl Climb {
    /// A climb that has not begun. `wanted` gives degree, seed and ticks; its number of nodes is not looked at.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn new(wanted: Settings, diameter: u32) -> Result<Self, GraphError> {
        range("degree", wanted.degree, LEAST_DEGREE, MOST_NODES - 1)?;
        range("diameter", diameter, 1, MOST_DIAMETER)?;
        let most = u32::try_from(most_nodes(wanted.degree, diameter)).unwrap_or(MOST_NODES).min(MOST_NODES);
        let next = Some((wanted.degree + 1).min(most));
        Ok(Climb { wanted, diameter, most, turn: FIRST, next, over: false, best: None, work: (0, 0) })
    }

    /// Goes on where a climb ended.
    ///
    /// # Errors
    /// Numbers out of range, or a state of another climb, or one that was tampered with.
    pub fn resume(wanted: Settings, diameter: u32, state: &Climbed) -> Result<Self, GraphError> {
        let mut climb = Climb::new(wanted, diameter)?;
        if (state.degree, state.diameter, state.seed) != (wanted.degree, diameter, wanted.seed) {
            return Err(GraphError::Checkpoint("it is of another search"));
        }
        let wrong = GraphError::Checkpoint("its network is not of this search");
        climb.best = match &state.best {
            Some(kept) => Some(kept.restored(MOST_DIAMETER).ok_or(wrong)?.1),
            None => None,
        };
        if climb.best.as_ref().is_some_and(|b| b.diameter > diameter || b.graph.shape().degree != wanted.degree) {
            return Err(wrong);
        }
        let possible = |nodes: &u32| (wanted.degree + 1..=climb.most).contains(nodes);
        if !state.next.iter().all(possible) {
            return Err(GraphError::Checkpoint("what it works on is not of this search"));
        }
        (climb.turn, climb.next, climb.over, climb.work) = (state.turn.max(1), state.next, state.over, state.work);
        Ok(climb)
    }

    /// What [`Climb::resume`] goes on from.
    pub fn state(&self) -> Climbed {
        let Climb { diameter, turn, next, over, work, .. } = *self;
        let best = self.best.clone().map(|best| Kept::new(&(None, best)));
        Climbed { degree: self.wanted.degree, diameter, seed: self.wanted.seed, work, turn, next, over, best }
    }

    /// Climbs on so many threads until there is nothing better, the ticks are used up or `watch` stops it; `None` where that
    /// was before anything was found.
    ///
    /// # Errors
    /// None: numbers were checked before.
    pub fn run_on<W: Watch>(&mut self, threads: usize, watch: &W) -> Result<Option<Largest>, GraphError> {
        on(threads, || {
            while self.work.0 < self.wanted.ticks && !watch.stopped() && self.size() < self.most {
                self.step(watch)?;
            }
            let at_most = most_nodes(self.wanted.degree, self.diameter);
            Ok(self.best.clone().map(|best| Largest { best, at_most, work: self.work }))
        })
    }

    /// Words read and exchanges tried so far.
    pub fn work(&self) -> (u64, u64) {
        self.work
    }

    fn size(&self) -> u32 {
        self.best.as_ref().map_or(0, |b| b.graph.shape().nodes)
    }

    /// One search.
    fn step<W: Watch>(&mut self, watch: &W) -> Result<(), GraphError> {
        let lowest = self.size().max(self.wanted.degree) + 1;
        let highest = (lowest - 1 + ((lowest - 1) / 8).clamp(4, 24)).min(self.most);
        let nodes = self.next.unwrap_or(highest);
        let ticks = self.turn.min(self.wanted.ticks.saturating_sub(self.work.0).max(1));
        let settings = Settings { nodes, diameter: Some(self.diameter), judged: false, ticks, ..self.wanted };
        let mut search = Search::new(settings)?;
        let found = search.run(&Quiet(watch)).and_then(|all| all.into_iter().next());
        let found = found.filter(|best| best.diameter <= self.diameter);
        self.work = (self.work.0 + search.work().0.max(1), self.work.1 + search.work().1);
        if found.is_none() && watch.stopped() {
            // This one was cut short: it is looked at again.
            self.next = Some(nodes);
            return Ok(());
        }
        self.next = match (&found, self.over) {
            (Some(_), false) => Some((nodes + nodes.div_ceil(8)).min(self.most)),
            (Some(_), true) => None,
            (None, false) => {
                self.over = true;
                None
            }
            (None, true) if nodes > lowest => Some(nodes - 1),
            (None, true) => {
                self.turn = self.turn.saturating_mul(2);
                None
            }
        };
        self.best = found.or(self.best.take());
        watch.progress(&self.progress(nodes));
        Ok(())
    }

    fn progress(&self, nodes: u32) -> Progress {
        Progress {
            nodes: self.size(),
            best: self.best.as_ref().map(Candidate::rank),
            floor: None,
            least: least(self.size().max(self.wanted.degree + 1), self.wanted.degree),
            ticks: self.work.0,
            moves: self.work.1,
            doing: format!("{nodes} nodes tried last"),
            state: Checkpoint::Largest(self.state()),
        }
    }
}
