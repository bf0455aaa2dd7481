//! **What:** the first slots of a period: what nodes tell each other until every node holds a sum that others hold, too, or that fits to those of others.
//!
//! **Method.** *Groups:* in each of some groups of nodes near each other all tell all, along paths that a satisfiability solver chooses, in as few slots as it finds.
//! *Pairs:* where ports are few, everyone exchanges what it has with a neighbour, twice or more often; the pairs are drawn until for every node there are others whose sums
//! make up what it lacks.

use super::Set;
use super::asked::{Asked, Call, Moved};
use super::formula::{Stage, SumFormula};
use super::groups::groups;
use graph::sat::Answer;
use kernel::Node;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;

/// Pairs that are drawn for each number of exchanges, and sums looked at to see whether they fit.
const DRAWS: usize = 300;
const LOOKS: usize = 2_000;

/// Ticks for a pair of nodes when groups or pairs are drawn.
const TICKS_A_PAIR: u64 = 20;

/// What is told in the first slots.
pub(super) struct Opening {
    pub calls: Vec<Call>,
    /// The slot in which everyone has heard it.
    pub ready: u32,
    /// Of each node, the sum that it has then, and in how many parts it came.
    pub holds: Vec<Set>,
    pub heard: Vec<u32>,
    /// Automorphisms that take what is told to what is told, first the identity.
    pub images: Vec<Moved>,
}

impl Opening {
    fn new(asked: &Asked<'_>) -> Self {
        let mut holds = vec![0; asked.far.len()];
        asked.terminals().for_each(|v| holds[v.index()] = asked.bit(v));
        let heard = vec![0; holds.len()];
        Opening { calls: Vec::new(), ready: 0, holds, heard, images: vec![asked.moves[0][0].clone()] }
    }

    /// The fewest slots of a period that begins so: by what is to be received, and sent, after the first slots.
    pub(super) fn least(&self, asked: &Asked<'_>) -> u32 {
        let largest = self.holds.iter().map(|sum| sum.count_ones()).max().unwrap_or(1).max(1);
        let mut least = self.ready + 1;
        let (mut calls, mut sends) = (0, 0);
        for v in asked.terminals() {
            let lacks = asked.lacks(self.holds[v.index()]).count_ones().div_ceil(largest);
            least = least.max((self.heard[v.index()] + lacks).div_ceil(asked.receives(v).max(1)));
            calls += lacks;
            sends += asked.sends(v);
        }
        least.max(self.ready + calls.div_ceil(sends.max(1)))
    }
}

/// So many groups in which all tell all in fewer than `most` slots; what it took is taken off the ticks that are left.
pub(super) fn in_groups(
    asked: &Asked<'_>,
    count: usize,
    most: u32,
    random: &mut Pcg64Mcg,
    left: &mut u64,
) -> Option<Opening> {
    let pairs = asked.terminals().count().pow(2) as u64;
    *left = left.saturating_sub(TICKS_A_PAIR * pairs * 4);
    let set = |group: &Vec<Node>| group.iter().fold(0, |set, v| set | asked.bit(*v));
    // Those that the largest group of automorphisms takes to each other.
    let symmetric = |groups: Vec<Vec<Node>>| {
        let sums: Vec<Set> = groups.iter().map(set).collect();
        let fits = |moves: &&Vec<Moved>| {
            let mut images = moves.iter().map(|moved| sums.iter().map(|sum| asked.image(*sum, moved)));
            images.all(|mut images| images.all(|image| sums.contains(&image)))
                && moves[1..].iter().all(|moved| sums.iter().all(|sum| asked.image(*sum, moved) != *sum))
        };
        Some((asked.moves.iter().find(fits)?, groups))
    };
    let drawn = groups(asked, count, random).into_iter().filter_map(symmetric);
    let (images, groups) = drawn.max_by_key(|(images, _)| images.len())?;
    let mut opening = Opening::new(asked);
    opening.images = images.clone();
    let mut together = vec![0; opening.holds.len()];
    for group in &groups {
        group.iter().for_each(|v| together[v.index()] = set(group));
    }
    let needs: Vec<Set> = together.iter().zip(&opening.holds).map(|(all, own)| all & !own).collect();
    let largest = needs.iter().map(|set| set.count_ones()).max()?;
    let slowest = asked.terminals().map(|v| asked.receives(v)).min()?.max(1);
    // The first arrives after a hop.
    for ready in asked.slots.hop.saturating_add(largest.div_ceil(slowest))..most {
        let room = asked.room(&[], ready);
        let stage = Stage {
            period: ready,
            begins: 0..ready,
            before: Some(ready),
            holds: &opening.holds,
            needs: &needs,
            room: &room,
            images: &opening.images,
        };
        let ticks = *left / 4;
        // Alone: what came in between stays apart.
        match SumFormula::new(asked, &stage)?.calls(ticks, left, |_| 1) {
            Answer::Solution(calls) => {
                opening.calls = calls;
                opening.ready = ready;
                opening.heard = needs.iter().map(|set| set.count_ones()).collect();
                opening.holds = together;
                return Some(opening);
            }
            Answer::None(()) => {}
            Answer::Open => return None,
        }
        if asked.run.stopped() {
            return None;
        }
    }
    None
}

/// So many exchanges of everyone with a neighbour, after which there are for every node others whose sums make up what it lacks.
pub(super) fn in_pairs(
    asked: &Asked<'_>,
    exchanges: u32,
    moves: &[Vec<Moved>],
    random: &mut Pcg64Mcg,
    left: &mut u64,
) -> Option<Opening> {
    let pairs = asked.terminals().count().pow(2) as u64;
    (0..DRAWS).find_map(|_| {
        if asked.run.is_spent(TICKS_A_PAIR * pairs, *left) {
            return None;
        }
        *left = left.saturating_sub(TICKS_A_PAIR * pairs);
        let mut opening = Opening::new(asked);
        opening.images = moves[random.random_range(0..moves.len())].clone();
        for exchange in 0..exchanges {
            let others = matching(asked, &opening.images, random)?;
            let slot = opening.ready;
            let before = opening.holds.clone();
            for (from, lane, to) in others {
                if before[from.index()] & before[to.index()] != 0 {
                    return None;
                }
                opening.holds[to.index()] |= before[from.index()];
                opening.heard[to.index()] += 1;
                opening.calls.push(Call { from, slot, path: vec![lane], partials: exchange + 1 });
            }
            opening.ready += asked.slots.hop + 1;
        }
        let stays = |moved: &Moved| opening.holds.iter().any(|sum| *sum != 0 && asked.image(*sum, moved) == *sum);
        if opening.images[1..].iter().any(stays) {
            return None;
        }
        let mut looks = LOOKS;
        let fit = asked.terminals().all(|v| {
            let holds = opening.holds[v.index()];
            fits(&opening.holds, asked.lacks(holds), &mut looks)
        });
        fit.then_some(opening)
    })
}

/// A neighbour for everyone, who is its neighbour as well, by the lane that leads there; of images the images. Those with fewest left choose first.
fn matching(asked: &Asked<'_>, images: &[Moved], random: &mut Pcg64Mcg) -> Option<Vec<(Node, u32, Node)>> {
    let resources = asked.resources;
    let lane = |from: Node, to: Node| {
        let lanes = &resources.out[from.index()];
        lanes.iter().copied().find(|lane| resources.ends[*lane as usize].1 == to)
    };
    // The images of a pair, unless a node would be in two of them.
    let of = |one: Node, other: Node| {
        let mut all: BTreeMap<Node, Node> = BTreeMap::new();
        for moved in images {
            let [one, other] = [one, other].map(|v| Node(moved.nodes[v.index()]));
            for (from, to) in [(one, other), (other, one)] {
                if all.insert(from, to).is_some_and(|before| before != to) {
                    return None;
                }
            }
        }
        Some(all)
    };
    let mut free: Vec<Node> = asked.terminals().collect();
    free.shuffle(random);
    let mut pairs = Vec::new();
    while !free.is_empty() {
        let others = |v: Node| {
            let out = resources.out[v.index()].iter().map(|lane| resources.ends[*lane as usize].1);
            let fits = |to: &Node| free.contains(to) && lane(*to, v).is_some() && of(v, *to).is_some();
            out.filter(fits).collect::<Vec<Node>>()
        };
        let one = *free.iter().min_by_key(|v| others(**v).len())?;
        let others = others(one);
        if others.is_empty() {
            return None;
        }
        let taken = of(one, others[random.random_range(0..others.len())])?;
        for (&from, &to) in &taken {
            pairs.push((from, lane(from, to)?, to));
        }
        free.retain(|v| !taken.contains_key(v));
    }
    Some(pairs)
}

/// Whether some of the sums make up what a node lacks, each contribution once.
fn fits(sums: &[Set], lacks: Set, looks: &mut usize) -> bool {
    let first = lacks & lacks.wrapping_neg();
    first == 0
        || sums.iter().any(|sum| {
            *looks = looks.saturating_sub(1);
            *looks > 0 && sum & first != 0 && sum & !lacks == 0 && fits(sums, lacks & !sum, looks)
        })
}
