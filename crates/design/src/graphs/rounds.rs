//! **What:** the search for a network of so many nodes: runs of annealing from many starts, in rounds.
//!
//! **Method.** A wave begins with symmetries that nodes and degree allow (every rotation and a draw of other groups); each gets
//! a few short runs, of those of the same order the better half gets runs twice as long, and so on until one of each order is
//! left: networks of large groups are good sooner, those of small ones get better. The next wave begins with longer runs. In
//! every round there are runs, too, from planes of nearly the right size, which are good at once and then get little
//! better, and from the best network so far, with its symmetry and without. Runs have numbers and generators of random numbers of their own, so the answer depends on
//! the seed and the ticks only.

use super::anneal::{self, COLD, Candidate, Outcome, Rank, Start, Task};
use super::group::{Group, Products};
use super::voltage_graph::{GraphShape, Link, VoltageGraph};
use super::{
    GraphError, LEAST_DEGREE, MOST_DIAMETER, MOST_NODES, Progress, Settings, Watch, fitted, least, most_nodes, on,
    plane, range,
};
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Ticks of the first runs, and the factor from wave to wave.
const FIRST: u64 = 1 << 23;
const LONGER: u64 = 2;
/// Fewest runs of a round.
const RUNS: usize = 24;
/// Different networks that are kept.
const KEPT: usize = 12;
/// Groups other than rotations in a wave, and those with a second action.
const OTHERS: usize = 12;
const TWISTED: usize = 12;
/// Networks whose floors are computed in a round, and waves after which a network at the bound is judged enough.
const JUDGED: usize = 4;
const ENOUGH_WAVES: u32 = 1;

/// What runs begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arm {
    /// A random network with this symmetry.
    Symmetric(Group),
    /// The polarity network of the plane of this order, made to fit.
    Plane(u32),
    /// The best network so far.
    Best,
}

impl Arm {
    /// Of its group.
    fn order(self) -> u32 {
        match self {
            Arm::Symmetric(group) => group.order(),
            Arm::Plane(_) | Arm::Best => 1,
        }
    }
}

impl std::fmt::Display for Arm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Arm::Symmetric(group) if group.is_rotation() => write!(f, "{}", group.turns),
            Arm::Symmetric(Group { turns, lifts, flips, top, .. }) => {
                let parts = [*turns, *lifts, 1 << flips, *top].into_iter().filter(|n| *n > 1);
                write!(f, "{}", parts.map(|n| n.to_string()).collect::<Vec<_>>().join("·"))
            }
            Arm::Plane(q) => write!(f, "plane {q}"),
            Arm::Best => f.write_str("best"),
        }
    }
}

/// A network that is kept, and the floor it was judged by.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    shape: GraphShape,
    links: Vec<Link>,
    floor: Option<u64>,
}

impl Kept {
    pub(super) fn new((floor, candidate): &(Option<u64>, Candidate)) -> Self {
        let Candidate { graph, .. } = candidate;
        Kept { shape: graph.shape(), links: graph.links().to_vec(), floor: *floor }
    }

    /// Everything but the floor is taken anew.
    pub(super) fn restored(&self, least: u32) -> Option<(Option<u64>, Candidate)> {
        Some((self.floor, Candidate::measured(VoltageGraph::restore(self.shape, &self.links)?, least)?))
    }
}

/// All of a search between rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    nodes: u32,
    degree: u32,
    diameter: Option<u32>,
    judged: bool,
    seed: u64,
    wave: u32,
    round: u64,
    turn: u64,
    ticks: u64,
    moves: u64,
    arms: Vec<Arm>,
    kept: Vec<Kept>,
}

/// A search between rounds.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    least: Rank,
    /// Groups of the frames that are possible: rotations, and others.
    groups: [Vec<Group>; 2],
    left: Vec<Arm>,
    turn: u64,
    wave: u32,
    round: u64,
    ticks: u64,
    moves: u64,
    kept: Vec<(Option<u64>, Candidate)>,
}

impl Search {
    /// A search that has not begun.
    ///
    /// # Errors
    /// Numbers out of range, or more nodes than the diameter allows.
    pub fn new(settings: Settings) -> Result<Self, GraphError> {
        let Settings { nodes, degree, .. } = settings;
        range("number of nodes", nodes, LEAST_DEGREE + 1, MOST_NODES)?;
        range("degree", degree, LEAST_DEGREE, nodes - 1)?;
        if let Some(diameter) = settings.diameter {
            range("diameter", diameter, 1, MOST_DIAMETER)?;
            let most = most_nodes(degree, diameter);
            if u128::from(nodes) > most {
                return Err(GraphError::Moore { degree, diameter, most });
            }
        }
        let orders = (1..=nodes).filter(|order| nodes.is_multiple_of(*order));
        let possible = |group: &Group| GraphShape { nodes, degree, group: *group }.possible();
        let groups = orders.flat_map(Group::all).filter(possible).partition(Group::is_rotation);
        let mut search = Search {
            settings,
            least: least(nodes, degree),
            groups: groups.into(),
            left: Vec::new(),
            turn: FIRST,
            wave: 0,
            round: 0,
            ticks: 0,
            moves: 0,
            kept: Vec::new(),
        };
        search.left = search.arms();
        Ok(search)
    }

    /// Goes on where a search ended.
    ///
    /// # Errors
    /// Numbers out of range, or a state of another search, or one that was tampered with.
    pub fn resume(settings: Settings, state: &State) -> Result<Self, GraphError> {
        let mut search = Search::new(settings)?;
        let Settings { nodes, degree, diameter, judged, seed, .. } = settings;
        if (state.nodes, state.degree, state.diameter, state.judged, state.seed)
            != (nodes, degree, diameter, judged, seed)
        {
            return Err(GraphError::Checkpoint("it is of another search"));
        }
        let wrong = GraphError::Checkpoint("its networks are not of this search");
        let kept: Option<Vec<_>> = state.kept.iter().map(|kept| kept.restored(search.least.0)).collect();
        search.kept = kept.ok_or(wrong)?;
        let fits = |c: &Candidate| (c.graph.shape().nodes, c.graph.shape().degree) == (nodes, degree);
        if !search.kept.iter().all(|(_, c)| fits(c)) {
            return Err(wrong);
        }
        let sound = |arm: &Arm| match arm {
            Arm::Symmetric(group) => {
                Products::new(group).is_some() && GraphShape { nodes, degree, group: *group }.possible()
            }
            Arm::Plane(_) | Arm::Best => false,
        };
        if state.arms.is_empty() || !state.arms.iter().all(sound) || state.wave > 32 {
            return Err(GraphError::Checkpoint("what it works on is not of this search"));
        }
        search.left.clone_from(&state.arms);
        (search.wave, search.round, search.turn) = (state.wave, state.round, state.turn.max(1));
        (search.ticks, search.moves) = (state.ticks, state.moves);
        Ok(search)
    }

    /// What [`Search::resume`] goes on from.
    pub fn state(&self) -> State {
        let Settings { nodes, degree, diameter, judged, seed, .. } = self.settings;
        let Search { wave, round, turn, ticks, moves, .. } = *self;
        let (arms, kept) = (self.left.clone(), self.kept.iter().map(Kept::new).collect());
        State { nodes, degree, diameter, judged, seed, wave, round, turn, ticks, moves, arms, kept }
    }

    /// The arms that the wave begins with.
    fn arms(&self) -> Vec<Arm> {
        let seed = self.settings.seed;
        let mut random = Pcg64Mcg::seed_from_u64(seed ^ u64::from(self.wave).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let [rotations, others] = &self.groups;
        let mut drawn = others.iter().copied().sample(&mut random, OTHERS);
        let orders: Vec<u32> = rotations.iter().map(Group::order).collect();
        let mut twisted = || Group::twisted(orders.iter().copied().choose(&mut random)?, &mut random);
        drawn.extend((0..2 * TWISTED).filter_map(|_| twisted()).take(TWISTED));
        drawn.sort_unstable();
        drawn.dedup();
        rotations.iter().copied().chain(drawn).map(Arm::Symmetric).collect()
    }

    /// The least diameter and sum of distances over ordered pairs that the degree allows.
    pub fn least(&self) -> Rank {
        self.least
    }

    /// Words read and exchanges tried so far.
    pub fn work(&self) -> (u64, u64) {
        (self.ticks, self.moves)
    }

    /// A network at least this good ends a run.
    fn enough(&self) -> Rank {
        self.settings.diameter.map_or(self.least, |diameter| (diameter, u64::MAX))
    }

    /// Whether the best network is as good as any can be, or as was asked for. Where networks are judged by floors, other
    /// networks of that kind are looked at for a while.
    pub fn done(&self) -> bool {
        let met = self.kept.iter().any(|(_, best)| best.rank() <= self.enough());
        met && (!self.settings.judged || self.wave >= ENOUGH_WAVES)
    }

    /// As [`Search::run`], on so many threads.
    pub fn run_on<W: Watch>(&mut self, threads: usize, watch: &W) -> Option<Vec<Candidate>> {
        on(threads, || self.run(watch))
    }

    /// Searches until there is nothing better, the ticks are used up or `watch` stops it; the best networks, best first.
    pub fn run<W: Watch>(&mut self, watch: &W) -> Option<Vec<Candidate>> {
        while !self.done() && self.ticks < self.settings.ticks && !watch.stopped() {
            self.play(watch);
            watch.progress(&self.progress());
        }
        (!self.kept.is_empty()).then(|| self.kept.iter().map(|(_, candidate)| candidate.clone()).collect())
    }

    fn progress(&self) -> Progress {
        Progress {
            nodes: self.settings.nodes,
            best: self.kept.first().map(|(_, best)| best.rank()),
            floor: self.kept.first().and_then(|(floor, _)| *floor),
            least: self.least,
            ticks: self.ticks,
            moves: self.moves,
            doing: self.left.iter().take(6).map(Arm::to_string).collect::<Vec<_>>().join(" "),
            state: super::Checkpoint::Nodes(self.state()),
        }
    }

    /// What a run begins with; `None` where it did not come out.
    fn start(&self, arm: Arm, number: u64, random: &mut impl Rng) -> Option<Start> {
        let Settings { nodes, degree, .. } = self.settings;
        let heat = COLD * f64::from(1u32 << (1 + number % 4));
        match arm {
            Arm::Symmetric(group) => Some(Start::Random(GraphShape { nodes, degree, group })),
            Arm::Plane(q) => Some(Start::From(fitted::fitted(&plane::links(q)?, nodes, degree, random)?, heat)),
            Arm::Best => {
                let graph = &self.kept.first()?.1.graph;
                if number.is_multiple_of(2) {
                    return Some(Start::From(graph.clone(), heat));
                }
                let links: Vec<(u32, u32)> = graph.channels().into_iter().filter(|(a, b)| a < b).collect();
                Some(Start::From(VoltageGraph::plain(nodes, degree, &links)?, heat))
            }
        }
    }

    /// One round.
    fn play<W: Watch>(&mut self, watch: &W) {
        let Settings { seed, diameter, ticks, judged, .. } = self.settings;
        let Settings { nodes, degree, .. } = self.settings;
        let mut arms = self.left.clone();
        arms.extend(plane::near(nodes, degree).into_iter().map(Arm::Plane));
        if !self.kept.is_empty() {
            arms.push(Arm::Best);
        }
        let copies = RUNS.div_ceil(arms.len());
        let runs = (copies * arms.len()) as u64;
        let each = self.turn.min((ticks - self.ticks).div_ceil(runs));
        let (least, enough, round) = (self.least.0, self.enough(), self.round);
        // Some runs try to have a hop less than the best.
        let reached = self.kept.iter().map(|(_, best)| best.diameter).min();
        let usual = |kind: u64| match reached {
            None => least + (kind % 2) as u32,
            Some(reached) if kind.is_multiple_of(4) => least.max(reached - 1),
            Some(reached) => reached,
        };
        let outcomes: Vec<Outcome> = (0..runs)
            .into_par_iter()
            .map(|number| {
                let lane = seed ^ (round << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut random = Pcg64Mcg::seed_from_u64(lane);
                // Runs of an arm differ from each other, and arms with one run do from round to round.
                let kind = number + round;
                let aim = match diameter {
                    _ if judged && kind.is_multiple_of(2) => None,
                    Some(diameter) => Some(diameter),
                    None => Some(usual(kind)),
                };
                let start = self.start(arms[number as usize / copies], kind, &mut random);
                let Some(start) = start else { return Outcome { ticks: 1, ..Outcome::default() } };
                anneal::run(Task { start, least, aim, enough, ticks: each }, &mut random, watch)
            })
            .collect();
        self.round += 1;
        self.ticks += outcomes.iter().map(|o| o.ticks).sum::<u64>();
        self.moves += outcomes.iter().map(|o| o.moves).sum::<u64>();
        let rank = |o: &Outcome| o.best.as_ref().map_or((u32::MAX, u64::MAX), Candidate::rank);
        let scores = self.left.iter().zip(outcomes.chunks(copies));
        let mut scores: Vec<(Rank, Arm)> =
            scores.map(|(arm, chunk)| (chunk.iter().map(rank).min().unwrap_or((u32::MAX, u64::MAX)), *arm)).collect();
        scores.sort_by_key(|(rank, _)| *rank);
        self.keep(outcomes.into_iter().filter_map(|o| o.best).collect(), watch);
        let mut better: Vec<(u32, Vec<Arm>)> = Vec::new();
        for (_, arm) in scores {
            match better.iter_mut().find(|(order, _)| *order == arm.order()) {
                Some((_, arms)) => arms.push(arm),
                None => better.push((arm.order(), vec![arm])),
            }
        }
        if better.iter().all(|(_, arms)| arms.len() == 1) {
            self.wave += 1;
            self.left = self.arms();
            self.turn = FIRST.saturating_mul(LONGER.saturating_pow(self.wave));
        } else {
            better.iter_mut().for_each(|(_, arms)| arms.truncate(arms.len().div_ceil(2)));
            self.left = better.into_iter().flat_map(|(_, arms)| arms).collect();
            self.turn = self.turn.saturating_mul(2);
        }
    }

    /// Keeps the best, judged by their floors where that is asked for.
    fn keep<W: Watch>(&mut self, mut found: Vec<Candidate>, watch: &W) {
        let judged = self.settings.judged;
        // By the sum first where floors count: most floors grow with it.
        let order = |c: &Candidate| if judged { (c.sum, u64::from(c.diameter)) } else { (c.diameter.into(), c.sum) };
        found.sort_by_key(order);
        found.dedup_by_key(|c| (c.rank(), c.graph.shape().group));
        if judged {
            let known = |c: &Candidate| (self.kept.iter()).any(|(_, k)| k.graph.channels() == c.graph.channels());
            found.retain(|c| !known(c));
            found.truncate(JUDGED);
        }
        let floors: Vec<Option<u64>> =
            found.par_iter().map(|c| judged.then(|| watch.floor(&c.network())).flatten()).collect();
        self.kept.extend(floors.into_iter().zip(found));
        // Of equals, those without short cycles first: they leave most other ways where a link fails.
        let girth = |c: &Candidate| Reverse(crate::measures::girth(&c.network(), false));
        self.kept.sort_by_cached_key(|(floor, c)| {
            (
                floor.unwrap_or(u64::MAX),
                order(c),
                girth(c),
                Reverse(c.graph.shape().group.order()),
                c.graph.shape().group,
            )
        });
        self.kept.dedup_by_key(|(_, c)| (c.rank(), c.graph.shape().group));
        self.kept.truncate(KEPT);
    }
}
