//! **What:** one run of simulated annealing over the networks of one size and one symmetry.
//!
//! **Moves:** the exchanges of [`VoltageGraph`]; the costs are the sum of distances, in which every hop beyond the diameter aimed at
//! counts `BEYOND` times. A move that adds costs is taken with the probability exp(−added / temperature); the temperature
//! falls by a constant factor a tick, from a share of what moves on a random network change to where hardly any loss is taken.
//!
//! A run that begins with a network rather than at random begins colder, so that it keeps most of it.
//!
//! **When it loses:** where good networks are few and have much symmetry other than this one.

use super::balls::Balls;
use super::voltage_graph::{GraphShape, VoltageGraph};
use crate::multiring::search::Stop;
use rand::{Rng, RngExt};

/// What a hop beyond the diameter aimed at costs.
const BEYOND: i64 = 3;
/// Levels of balls above the least diameter that the degree allows.
const SPARE: u32 = 8;
/// The first temperature, as a share of the mean change.
const HOT: f64 = 0.25;
/// The last temperature; two nodes that part by a hop cost 2.
pub const COLD: f64 = 0.4;
/// Exchanges that are all taken, to see how much costs change.
const WARMING: u32 = 32;
/// Moves between two looks at the clock.
const LOOK: u64 = 64;

/// Diameter and sum of distances over ordered pairs: less is better.
pub type Rank = (u32, u64);

/// A network that was found.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The network.
    pub graph: VoltageGraph,
    /// The largest distance.
    pub diameter: u32,
    /// The sum of distances over ordered pairs.
    pub sum: u64,
}

impl Candidate {
    /// What is compared: less is better.
    pub fn rank(&self) -> Rank {
        (self.diameter, self.sum)
    }
}

/// What a run begins with.
#[derive(Clone, Debug)]
pub enum Start {
    /// A random network of this size and symmetry.
    Random(GraphShape),
    /// This network, at this temperature.
    From(VoltageGraph, f64),
}

/// What a run looks for.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it begins with.
    pub start: Start,
    /// The least diameter that the degree allows.
    pub least: u32,
    /// Hops beyond this one cost more; `None`: they all cost the same, and the sum of distances alone counts.
    pub aim: Option<u32>,
    /// A network of this rank is good enough, and ends the run.
    pub enough: Rank,
    /// Ticks after which it ends.
    pub ticks: u64,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The best network whose nodes all reach each other.
    pub best: Option<Candidate>,
    /// Words read.
    pub ticks: u64,
    /// Exchanges tried.
    pub moves: u64,
}

/// Runs it.
pub fn run(task: Task, random: &mut impl Rng, stop: &dyn Stop) -> Outcome {
    let (start, heat) = match task.start {
        Start::Random(shape) => (VoltageGraph::random(shape, random), None),
        Start::From(graph, heat) => (Some(graph), Some(heat)),
    };
    let Some(mut graph) = start else { return Outcome { ticks: 1, ..Outcome::default() } };
    let GraphShape { degree, group, .. } = graph.shape();
    let turns = u64::from(group.order());
    let weigh = |k| if task.aim.is_none_or(|aim| k < aim) { 1 } else { BEYOND };
    let mut balls = Balls::of(&graph, (0..=task.least + SPARE).map(weigh).collect());
    let mut outcome = Outcome::default();
    // Where the sum alone counts it is compared first.
    let order = |(diameter, sum): Rank| if task.aim.is_some() { (u64::from(diameter), sum) } else { (sum, 0) };
    let mut rank = (u32::MAX, u64::MAX);
    let mut touched = Vec::new();
    let mut best: Option<VoltageGraph> = None;
    let (mut warming, mut swing) = (0u32, 0f64);
    while balls.ticks < task.ticks && rank > task.enough && degree > 0 {
        if outcome.moves.is_multiple_of(LOOK) && stop.stopped() {
            break;
        }
        if let Some(found) = balls.diameter().map(|d| (d, balls.sum() * turns))
            && order(found) < order(rank)
        {
            rank = found;
            best = Some(graph.clone());
            continue;
        }
        outcome.moves += 1;
        let Some(exchange) = graph.exchange(random) else {
            // Draws that never fit, as on the complete network, come to an end too.
            balls.ticks += 1;
            continue;
        };
        graph.touched(&exchange, &mut touched);
        let limit = if warming < WARMING && heat.is_none() {
            i64::MAX / 2
        } else {
            let hot = heat.unwrap_or(HOT * swing / f64::from(WARMING)).max(COLD);
            let temperature = hot * (COLD / hot).powf(balls.ticks as f64 / task.ticks as f64);
            (-temperature * (1.0 - random.random::<f64>()).ln()) as i64
        };
        match balls.follow(graph.near(), &touched, limit) {
            Some(added) if warming < WARMING => {
                warming += 1;
                swing += added.unsigned_abs() as f64;
            }
            Some(_) => {}
            None => graph.undo(&exchange),
        }
    }
    outcome.ticks = balls.ticks;
    outcome.best = best.map(|graph| Candidate { graph, diameter: rank.0, sum: rank.1 });
    outcome
}

impl Candidate {
    /// A network with its distances; `None` where they are too large or some nodes do not reach each other.
    pub fn measured(graph: VoltageGraph, least: u32) -> Option<Self> {
        let balls = Balls::of(&graph, vec![1; (least + SPARE) as usize + 1]);
        let sum = balls.sum() * u64::from(graph.shape().group.order());
        Some(Candidate { diameter: balls.diameter()?, sum, graph })
    }
}
