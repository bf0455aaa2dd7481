//! **What:** "trees for all chunks exist within so many steps", as rules.
//!
//! **Rules.** For each chunk: every contributor is a root or sends once what it has merged, to a node that has not sent yet; a relay sends if something has come to it,
//! and only then. There is one root, or there are two that exchange what they have. Merging is over before some step. From then on a root
//! that is alone has all, as have two roots after their exchange and whoever has received a copy; only those send copies, to nodes that have not all. In
//! the end every destination has all. In each step channels, groups and ports have room for what all chunks send.
//!
//! Chunks with the same ends may be exchanged, so of two in a row the first is merged no later. Where a [`Plan`] says in which step a chunk comes together, there are only the
//! variables of what may be sent before and after that; where it has an image, rules are only those of half of the chunks, and whatever a transfer takes, its image takes as well.

use super::MOST_VARIABLES;
use super::chunk::Chunk;
use super::plan::Plan;
use kernel::formula::{Literal, Rules};
use kernel::{Message, Op, Schedule, Transfer};
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use search::emit::{self, Sent};
use search::resources::Resources;
use std::collections::BTreeMap;

/// The formula of a number of steps.
pub(super) struct TreeFormula<'a> {
    pub(super) resources: &'a Resources<'a>,
    pub(super) steps: usize,
    pub(super) rules: Rules,
    /// Of each resource and step, what takes it.
    takers: BTreeMap<(u32, usize), Vec<Literal>>,
    possible: Vec<Possible>,
    /// Where lanes are taken for the second half of the chunks, and how many are in a half.
    image: Option<(&'a [u32], usize)>,
}

/// A transfer that may take place.
pub(super) struct Possible {
    pub literal: Literal,
    pub chunk: Message,
    pub step: usize,
    pub lane: u32,
    pub op: Op,
}

impl<'a> TreeFormula<'a> {
    /// `None` where it would be too large. The random numbers give the order of lanes, in which the solver looks at them at first.
    pub(super) fn new(resources: &'a Resources<'a>, plan: &'a Plan, random: &mut Pcg64Mcg) -> Option<Self> {
        let (takers, possible) = Default::default();
        let problem = resources.problem;
        let chunks = problem.collective().message_count();
        let image = plan.image.as_ref().map(|lanes| (&lanes[..], chunks / 2));
        let rules = Rules::new(MOST_VARIABLES);
        let mut formula = TreeFormula { resources, steps: plan.steps, rules, takers, possible, image };
        let is_between_terminals = |lane: &u32| {
            let (from, to) = resources.ends[*lane as usize];
            problem.network().is_terminal(from) && problem.network().is_terminal(to)
        };
        let mut lanes: Vec<u32> = (0u32..).take(resources.ends.len()).filter(is_between_terminals).collect();
        lanes.shuffle(random);
        let mut before: Option<Chunk> = None;
        for message in problem.collective().messages().take(image.map_or(chunks, |(_, half)| half)) {
            let meeting = plan.meetings.get(message.index()).copied();
            let chunk = Chunk::new(&mut formula, message, &lanes, meeting)?;
            chunk.merge(&mut formula)?;
            chunk.copy(&mut formula)?;
            if let Some(before) = before.filter(|before| meeting.is_none() && before.has_ends_of(&chunk)) {
                before
                    .over
                    .iter()
                    .zip(&chunk.over)
                    .for_each(|(first, second)| formula.rules.implies(*second, [*first]));
            }
            before = Some(chunk);
        }
        for ((resource, _), literals) in std::mem::take(&mut formula.takers) {
            formula.rules.at_most(resources.capacity[resource as usize], literals);
        }
        Some(formula)
    }

    /// The schedule that values describe.
    pub(super) fn decode(&self, values: &[bool]) -> Schedule {
        let holds = |sent: &&Possible| usize::try_from(sent.literal - 1).is_ok_and(|at| values[at]);
        // Of each that takes place, its chunk, its lane and what it does, and the same of its image.
        let mut all: Vec<(Message, u32, &Possible)> = Vec::new();
        for sent in self.possible.iter().filter(holds) {
            all.push((sent.chunk, sent.lane, sent));
            if let Some((lanes, half)) = self.image {
                all.push((Message::new(sent.chunk.index() + half), lanes[sent.lane as usize], sent));
            }
        }
        let numbered = all.iter().enumerate().map(|(number, (_, lane, sent))| Sent {
            step: u32::try_from(sent.step).expect("fewer steps than variables"),
            message: Message::new(number),
            path: vec![*lane],
        });
        let raw = emit::schedule(self.resources, 0, numbered.collect());
        let mut schedule = Schedule::new();
        for step in raw.steps() {
            schedule.begin_step();
            for transfer in step {
                let (chunk, _, sent) = all[transfer.messages[0].index()];
                schedule.push(Transfer { op: sent.op, ..Transfer::new(&[chunk], transfer.path) });
            }
        }
        schedule
    }

    /// A transfer becomes possible.
    pub(super) fn allow(&mut self, sent: Possible) {
        let (resources, step) = (self.resources, sent.step);
        let image = self.image.map(|(lanes, _)| lanes[sent.lane as usize]);
        for lane in [sent.lane].into_iter().chain(image) {
            resources.taken_by(&[lane], |r| self.takers.entry((r, step)).or_default().push(sent.literal));
        }
        self.possible.push(sent);
    }
}
