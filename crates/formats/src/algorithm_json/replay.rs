//! **What:** replays the steps of a file: what each rank has of each address, and so what each send carries.

use super::collective::{Asked, Ranks};
use super::{Send, Source, Step};
use crate::ReadError;
use kernel::{Message, Node};
use runtimes::import::{End, Lane, Part, Transcript};
use std::collections::{BTreeMap, HashMap};

/// What a rank has of a part of an address.
#[derive(Clone, Default)]
struct Held {
    contributors: Ranks,
    /// What it came from.
    of: Vec<Part>,
}

/// A part of an address at a rank.
type Place = (u32, u32);

struct Replay<'a> {
    asked: &'a Asked,
    held: HashMap<Place, Held>,
    lanes: Vec<Lane>,
    /// What each send carries.
    takes: Vec<Vec<Part>>,
    connections: BTreeMap<(u32, u32), u32>,
}

/// What ranks send each other.
pub(super) fn transcript(
    asked: &Asked,
    steps: &[Step],
    nodes: &[Node],
    source: &Source<'_>,
) -> Result<Transcript, ReadError> {
    let (held, lanes, takes) = (HashMap::new(), Vec::new(), Vec::new());
    let mut replay = Replay { asked, held, lanes, takes, connections: BTreeMap::new() };
    for (at, step) in steps.iter().enumerate() {
        replay.step(at, step, source)?;
    }
    let ends = replay.ends(source)?;
    if ends.is_empty() {
        return Err(
            source.wrong_field("collective.chunks", "no rank is to end with anything that it has not had itself")
        );
    }
    Ok(Transcript::of_lanes(
        asked.collective(nodes),
        nodes,
        &replay.lanes,
        |lane| replay.takes[lane as usize].clone(),
        ends,
    ))
}

impl Replay<'_> {
    /// What a rank has, or had at first.
    fn held(&self, address: u32, rank: u32) -> Held {
        let own = || {
            let origins = self.asked.origins.get(&(address / self.asked.parts));
            let has = origins.is_some_and(|origins| origins.contains(&rank));
            if has { Held { contributors: [rank].into(), of: vec![Part::Own] } } else { Held::default() }
        };
        self.held.get(&(address, rank)).cloned().unwrap_or_else(own)
    }

    fn step(&mut self, at: usize, step: &Step, source: &Source<'_>) -> Result<(), ReadError> {
        let list = format!("steps[{at}].sends");
        // All take what was there when the step began.
        let mut coming: Vec<(Place, u32, Ranks)> = Vec::new();
        for (number, Send(address, from, to)) in step.sends.iter().copied().enumerate() {
            let wrong = |why: String| source.wrong(&list, number, why);
            if from.max(to) >= self.asked.ranks || from == to {
                return Err(wrong(format!("goes from rank {from} to rank {to}, of {} ranks", self.asked.ranks)));
            }
            if !self.asked.origins.contains_key(&(address / self.asked.parts)) {
                return Err(wrong(format!("address {address} is that of no chunk")));
            }
            let Held { contributors, of } = self.held(address, from);
            if of.is_empty() {
                return Err(wrong(format!("rank {from} has nothing of address {address} yet")));
            }
            let next = self.connections.len() as u32;
            let connection = *self.connections.entry((from, to)).or_insert(next);
            coming.push(((address, to), self.lanes.len() as u32, contributors));
            self.lanes.push(Lane { from, to, connection });
            self.takes.push(of);
        }
        for ((address, to), lane, contributors) in coming {
            let mut here = self.held(address, to);
            if contributors.is_subset(&here.contributors) {
                continue;
            }
            if !contributors.is_disjoint(&here.contributors) {
                if !contributors.is_superset(&here.contributors) {
                    let both: Vec<u32> = contributors.intersection(&here.contributors).copied().collect();
                    let why =
                        format!("would count contributions of ranks {both:?} to address {address} twice at rank {to}");
                    return Err(source.wrong_field(&format!("steps[{at}]"), why));
                }
                here = Held::default();
            }
            here.contributors.extend(contributors);
            here.of.push(Part::Came(lane));
            self.held.insert((address, to), here);
        }
        Ok(())
    }

    /// What every rank ends with of what it is to end with.
    fn ends(&self, source: &Source<'_>) -> Result<Vec<End>, ReadError> {
        let mut ends = Vec::new();
        for (address, goals) in &self.asked.goals {
            for goal in goals {
                for (rank, part) in
                    goal.receivers.iter().flat_map(|rank| (0..self.asked.parts).map(move |p| (*rank, p)))
                {
                    let whole = address * self.asked.parts + part;
                    let Held { contributors, of } = self.held(whole, rank);
                    if contributors != goal.contributors {
                        let list = |ranks: &Ranks| ranks.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
                        let why = format!(
                            "rank {rank} ends with the contributions of ranks [{}] to address {whole}, where the collective says [{}]",
                            list(&contributors),
                            list(&goal.contributors)
                        );
                        return Err(source.wrong_field("steps", why));
                    }
                    let message: Message = goal.message(part);
                    ends.push(End { message, rank, of });
                }
            }
        }
        Ok(ends)
    }
}
