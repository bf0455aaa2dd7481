//! **What:** as many nodes as possible of a degree and a diameter.
//!
//! **Method.** First a ladder: every next rung has a few more nodes, while short searches succeed. Then windows: all numbers
//! of nodes just above the best are searched, the largest first, and a success moves the window; after a window without one
//! searches get twice as long. It ends at the Moore bound, or with the ticks.

use super::anneal::Candidate;
use super::rounds::Search;
use super::{GraphError, LEAST_DEGREE, MOST_DIAMETER, MOST_NODES, Settings, Watch, most_nodes, on, range};

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

/// A climb between searches.
struct Climb<'a, W> {
    wanted: Settings,
    diameter: u32,
    watch: &'a W,
    best: Option<Candidate>,
    work: (u64, u64),
}

/// Looks for a network of most nodes. `wanted` gives degree, diameter, seed and ticks; its number of nodes is not looked at.
/// `None` where it was stopped before anything was found.
///
/// # Errors
/// Numbers out of range.
pub fn largest<W: Watch>(
    wanted: Settings,
    diameter: u32,
    threads: usize,
    watch: &W,
) -> Result<Option<Largest>, GraphError> {
    range("degree", wanted.degree, LEAST_DEGREE, MOST_NODES - 1)?;
    range("diameter", diameter, 1, MOST_DIAMETER)?;
    let at_most = most_nodes(wanted.degree, diameter);
    let most = u32::try_from(at_most).unwrap_or(MOST_NODES).min(MOST_NODES);
    let mut climb = Climb { wanted, diameter, watch, best: None, work: (0, 0) };
    on(threads, || climb.run(most))?;
    let work = climb.work;
    Ok(climb.best.map(|best| Largest { best, at_most, work }))
}

impl<W: Watch> Climb<'_, W> {
    fn ended(&self) -> bool {
        self.work.0 >= self.wanted.ticks || self.watch.stopped()
    }

    fn size(&self) -> u32 {
        self.best.as_ref().map_or(0, |b| b.graph.frame().nodes)
    }

    fn run(&mut self, most: u32) -> Result<(), GraphError> {
        let mut nodes = self.wanted.degree + 1;
        while !self.ended() && self.look(nodes, FIRST)? && nodes < most {
            nodes = (nodes + nodes.div_ceil(8)).min(most);
        }
        let mut ticks = FIRST;
        while !self.ended() && self.size() < most {
            let best = self.size().max(self.wanted.degree);
            let window = (best / 8).clamp(4, 24);
            let mut found = false;
            for nodes in (best + 1..=(best + window).min(most)).rev() {
                if self.ended() || found {
                    break;
                }
                found = self.look(nodes, ticks)?;
            }
            if !found {
                ticks = ticks.saturating_mul(2);
            }
        }
        Ok(())
    }

    /// Whether a network of so many nodes is found within so many ticks.
    fn look(&mut self, nodes: u32, ticks: u64) -> Result<bool, GraphError> {
        let ticks = ticks.min(self.wanted.ticks.saturating_sub(self.work.0).max(1));
        let mut search = Search::new(Settings { nodes, diameter: Some(self.diameter), ticks, ..self.wanted })?;
        let found = search.run(self.watch).and_then(|all| all.into_iter().next());
        let found = found.filter(|best| best.diameter <= self.diameter);
        self.work = (self.work.0 + search.work().0.max(1), self.work.1 + search.work().1);
        let success = found.is_some();
        self.best = found.or(self.best.take());
        Ok(success)
    }
}
