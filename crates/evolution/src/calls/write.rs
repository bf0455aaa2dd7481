//! **What:** the schedule of a candidate: steps are added where messages are missing, and each call carries what its receiver
//! has not got and needs, or needs to send on.

use super::super::fitness::Chromosome;
use super::super::space::Space;
use super::refine::IdlePlace;
use super::{CallSearch, Calls};
use kernel::{Message, Schedule};
use search::emit::{self, Sent};
use search::transform::spoken;

/// The calls without those in conflict, with as many steps added as what is missing takes.
pub(in super::super) fn schedule(space: &Space, calls: &Calls, who: &Chromosome) -> Schedule {
    // The same for the same candidate, whoever asks.
    let mut rng = run::Seed(0).generator(0);
    let mut who = who.clone();
    let mut known = CallSearch::new(space, calls).begin(space, calls, &mut who, &mut rng).to_vec();
    let called = (0..who.step.len()).filter(|&gene| who.step[gene] < space.steps);
    let mut paths: Vec<(u32, u32)> = called.map(|gene| (u32::from(who.step[gene]), who.path[gene])).collect();
    for step in u32::from(space.steps).. {
        let before = known.clone();
        if calls.missing(&known) == 0 {
            break;
        }
        let mut load = vec![0u16; space.resources()];
        for (gene, &receiver) in calls.receivers.iter().enumerate() {
            let coming = &known[calls.row(receiver)];
            let place = IdlePlace { space, calls, gene, known: &before, coming, thrifty: false };
            if let Some(path) = place.best(|path| space.store.fits(path, &load), &mut rng) {
                space.store.resources(path).iter().for_each(|&r| load[r as usize] += 1);
                calls.tell(space.store.ends(path), &before, &mut known);
                paths.push((step, path));
            }
        }
        // Nobody can be told anything.
        if known == before {
            break;
        }
    }
    // Any message will do to find channels; then each call carries all that is new.
    let sent = |&(step, path): &(u32, u32)| Sent { step, message: Message(0), path: space.store.lanes(path).to_vec() };
    let calls = emit::schedule(&space.store.resources, 0, paths.iter().map(sent).collect());
    spoken(space.problem, &calls)
}
