//! **What:** the cores of all chunks and the steps in which they exchange; also such that automorphisms of the network move chunks and their cores to each other.

use super::cores::Core;
use super::look::Cores;
use kernel::formula::Image;
use kernel::{Channel, Network, Node};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// Cores that fit nowhere, one after the other, before others are chosen.
const DRAWS: usize = 32;

/// A transfer of an exchange.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exchange {
    pub step: usize,
    pub chunk: usize,
    pub channel: Channel,
}

impl Exchange {
    /// Those of a chunk whose core begins in a step.
    pub(super) fn all(chunk: usize, start: u64, core: &Core, network: &Network) -> impl Iterator<Item = Exchange> {
        let sent = core.exchange(network).into_iter();
        sent.map(move |one| Exchange { step: start as usize + one.round, chunk, channel: one.channel })
    }

    pub(super) fn moved(&self, image: &Image) -> Exchange {
        let channel = Channel(image.channels[self.channel.index()]);
        Exchange { step: self.step, chunk: image.messages[self.chunk].index(), channel }
    }
}

/// The core of a chunk and the step in which its exchange begins.
pub(super) struct Meeting {
    pub core: Core,
    pub start: u64,
}

/// Which cores are drawn.
pub(super) struct Drawn {
    /// Where they may begin.
    pub near: Vec<Node>,
    /// Rounds of their exchange, and how often more they are doubled into several.
    pub rounds: usize,
    pub further: usize,
}

impl Cores<'_> {
    /// Cores that share no node, in any order.
    pub(super) fn cores(&self, drawn: &Drawn, random: &mut Pcg64Mcg, budget: &mut Budget<'_>) -> Option<Vec<Core>> {
        let (network, Drawn { near, rounds, further }) = (self.problem.network(), drawn);
        let mut cores = Core::draw(near, self.members, network, *rounds, *further, random, budget)?;
        cores.shuffle(random);
        Some(cores)
    }

    /// Where these elements move the core of a chunk, each chunk's to one; none where they move it, or its exchange, to several.
    pub(super) fn moved(&self, chunk: usize, core: &Core, images: &[Image]) -> Option<BTreeMap<usize, Core>> {
        let network = self.problem.network();
        let sent: BTreeSet<Exchange> = Exchange::all(chunk, 0, core, network).collect();
        let mut of_chunk: BTreeMap<usize, Core> = BTreeMap::new();
        for image in images {
            let nodes: Vec<Node> = core.nodes.iter().map(|v| Node(image.nodes[v.index()])).collect();
            let to = image.messages[chunk].index();
            let other = of_chunk.entry(to).or_insert_with(|| Core { nodes: nodes.clone() });
            let is_same = nodes.iter().all(|v| other.nodes.contains(v))
                && Exchange::all(to, 0, other, network).collect::<BTreeSet<_>>()
                    == sent.iter().map(|one| one.moved(image)).collect();
            if !is_same {
                return None;
            }
        }
        Some(of_chunk)
    }

    /// A core and a step for each chunk; the first of the cores is for the first chunk.
    pub(super) fn meetings(
        &self,
        drawn: &Drawn,
        mut cores: Vec<Core>,
        steps: u64,
        images: &[Image],
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<Meeting>> {
        let rounds = drawn.rounds as u64;
        let mut meetings: Vec<Option<Meeting>> = (0..self.chunks).map(|_| None).collect();
        // One of the chunks that are moved to each other.
        let first = |chunk: &usize| images.iter().all(|image| image.messages[*chunk].index() >= *chunk);
        let mut chunks: Vec<usize> = (0..self.chunks).rev().filter(first).collect();
        let apart = chunks.len() as u64 - 1;
        let mut places: Vec<u64> = (0..=apart).collect();
        places.shuffle(random);
        let mut taken: BTreeSet<(Node, u64)> = BTreeSet::new();
        let wide: f64 = random.random_range(0.0..1.0);
        let mut failed = 0;
        while !chunks.is_empty() {
            if failed > DRAWS || !budget.spend(1) {
                return None;
            }
            failed += 1;
            if failed > 1 || cores.is_empty() {
                let Some(drawn) = self.cores(drawn, random, budget) else { continue };
                cores = drawn;
            }
            for core in std::mem::take(&mut cores) {
                let Some((&chunk, at)) = chunks.last().zip(places.last()) else { break };
                let least = core.far(self.problem, self.members, budget)?.max(self.grown(1 << rounds));
                let Some(slack) = steps.checked_sub(2 * least + rounds) else { break };
                // As long before the middle as after it, and the more chunks the farther apart.
                let width = (wide * slack as f64) as u64;
                let even = if apart == 0 { width / 2 } else { (2 * at * width + apart) / (2 * apart) };
                let start = least + (slack - width) / 2 + even;
                let Some(of_chunk) = self.moved(chunk, &core, images) else { continue };
                let rounds = start..start + rounds;
                let busy = of_chunk.values().flat_map(|core| &core.nodes);
                let all: Vec<(Node, u64)> = busy.flat_map(|v| rounds.clone().map(|step| (*v, step))).collect();
                let mut distinct = BTreeSet::new();
                if all.iter().any(|place| taken.contains(place) || !distinct.insert(*place)) {
                    continue;
                }
                taken.extend(all);
                failed = 0;
                chunks.pop();
                places.pop();
                for (chunk, core) in of_chunk {
                    meetings[chunk] = Some(Meeting { core, start });
                }
            }
        }
        meetings.into_iter().collect()
    }
}
