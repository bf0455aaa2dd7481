//! **What:** what each place of an output must hold in the end: whose contributions, and where they lay in their inputs. Whatever runs a program
//! checks its data by this, and it comes from the collective alone, not from the schedule.

use crate::{Layout, Program};
use kernel::{Node, Semantics};
use std::collections::HashMap;
use std::rc::Rc;

/// Contributions of ranks that follow each other, all at the same place of their inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The first rank.
    pub rank: u32,
    /// How many ranks.
    pub ranks: u32,
    /// The place in the input of each.
    pub index: u32,
}

/// Of one rank, by the places of its output: the contributions that are merged there, or the one that is copied. Empty where nothing comes.
pub type Sources = Vec<Rc<[Source]>>;

impl Program {
    /// What every output must hold in the end, by rank.
    #[must_use]
    pub fn sources(&self) -> Vec<Sources> {
        let (layout, collective) = (self.layout(), self.collective());
        let rank_of: HashMap<Node, u32> = self.ranks().iter().zip(0..).map(|(of, rank)| (of.node, rank)).collect();
        let nothing: Rc<[Source]> = Rc::from([]);
        let empty = |output: u32| vec![Rc::clone(&nothing); output as usize];
        let mut all: Vec<Sources> = self.ranks().iter().map(|rank| empty(rank.output)).collect();
        for message in collective.messages() {
            let from = match collective.semantics() {
                Semantics::Copy => &[collective.origin(message)][..],
                Semantics::Reduce => collective.contributors(message),
            };
            let at = |node: &Node| {
                let index = layout.input(message, *node).expect("it is one of its contributors").index;
                Source { rank: rank_of[node], ranks: 1, index }
            };
            let sources: Rc<[Source]> = joined(from.iter().map(at)).into();
            for node in collective.destinations(message) {
                let place = layout.output(message, *node).expect("it is one of its destinations");
                all[rank_of[node] as usize][place.index as usize] = Rc::clone(&sources);
            }
        }
        for (rank, sources) in (0u32..).zip(&mut all) {
            own(layout, rank, self.ranks()[rank as usize].node, sources);
        }
        all
    }
}

fn own(layout: &Layout, rank: u32, node: Node, sources: &mut Sources) {
    for (from, to) in layout.own(node) {
        sources[to.index as usize] = Rc::from([Source { rank, ranks: 1, index: from.index }]);
    }
}

/// Runs of ranks that follow each other.
fn joined(sources: impl Iterator<Item = Source>) -> Vec<Source> {
    let mut sources: Vec<Source> = sources.collect();
    sources.sort_unstable_by_key(|source| source.rank);
    let mut joined: Vec<Source> = Vec::new();
    for source in sources {
        match joined.last_mut() {
            Some(last) if last.rank + last.ranks == source.rank && last.index == source.index => last.ranks += 1,
            _ => joined.push(source),
        }
    }
    joined
}
