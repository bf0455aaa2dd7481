//! **What:** the schedule of a candidate: steps are added where messages are missing, and each call carries what its receiver
//! has not got and needs, or needs to send on.

use super::super::fitness::Chromosome;
use super::super::space::Space;
use super::{CallSearch, Calls};
use kernel::{Message, Op, Schedule, Transfer};

/// The calls without those in conflict, with as many steps added as what is missing takes.
pub(in super::super) fn schedule(space: &Space, calls: &Calls, who: &Chromosome) -> Schedule {
    // The same for the same candidate, whoever asks.
    let mut rng = run::Seed(0).generator(0);
    let mut who = who.clone();
    let mut calls_search = CallSearch::new(space, calls);
    calls_search.begin(space, calls, &mut who, &mut rng);
    let mut steps: Vec<Vec<u32>> = Vec::new();
    for genes in who.step.chunks(calls.places().max(1)).enumerate().map(|(step, genes)| (step * calls.places(), genes))
    {
        let busy = genes.1.iter().enumerate().filter(|(_, step)| **step < space.steps);
        steps.push(busy.map(|(at, _)| who.path[genes.0 + at]).collect());
    }
    let mut known = calls_search.known[usize::from(space.steps) * calls_search.row..].to_vec();
    while calls.missing(&known) > 0 {
        let Some(step) = one_more(space, calls, &mut known) else { break };
        steps.push(step);
    }
    write(space, calls, &steps)
}

/// Paths of calls in a step of their own, each telling something new; `known` becomes what is known after it. None where
/// nobody can be told anything.
fn one_more(space: &Space, calls: &Calls, known: &mut [u64]) -> Option<Vec<u32>> {
    let before = known.to_vec();
    let mut load = vec![0u16; space.resources()];
    let mut step = Vec::new();
    for (place, &receiver) in calls.receivers.iter().enumerate() {
        let gain = |from: u32, known: &[u64]| -> (u32, u32) {
            let (told, coming) = (&before[calls.row(from)], &known[calls.row(receiver)]);
            let wants = &calls.wants[calls.row(receiver)];
            let news = told.iter().zip(coming).zip(wants).map(|((t, c), w)| ((t & !c & w), t & !c));
            news.fold((0, 0), |sum, (wanted, all)| (sum.0 + wanted.count_ones(), sum.1 + all.count_ones()))
        };
        let mut senders: Vec<((u32, u32), u32)> =
            space.distributors(place).iter().map(|&from| (gain(from, known), from)).filter(|s| s.0.1 > 0).collect();
        senders.sort_unstable_by(|a, b| b.cmp(a));
        let free = |path: &u32| {
            let resources = space.store.resources(*path).iter();
            resources.into_iter().all(|&r| load[r as usize] < space.store.capacity[r as usize])
        };
        let path = senders.iter().find_map(|&(_, from)| space.store.between(from, receiver).find(free));
        if let Some(path) = path {
            space.store.resources(path).iter().for_each(|&r| load[r as usize] += 1);
            let from = calls.row(space.store.ends(path).0);
            known[calls.row(receiver)].iter_mut().zip(&before[from]).for_each(|(to, from)| *to |= from);
            step.push(path);
        }
    }
    (!step.is_empty()).then_some(step)
}

/// The schedule of calls: each carries what its receiver has not got and needs, or needs to send on.
fn write(space: &Space, calls: &Calls, steps: &[Vec<u32>]) -> Schedule {
    let words = calls.words;
    let mut known = calls.has.clone();
    let mut loads: Vec<Vec<u64>> = Vec::new();
    for step in steps {
        let before = known.clone();
        let mut load = Vec::with_capacity(step.len() * words);
        for &path in step {
            let (from, to) = space.store.ends(path);
            for (to, from) in calls.row(to).zip(calls.row(from)) {
                load.push(before[from] & !known[to]);
                known[to] |= before[from];
            }
        }
        loads.push(load);
    }
    let mut needed = calls.wants.clone();
    for (step, load) in steps.iter().zip(&mut loads).rev() {
        for (&path, load) in step.iter().zip(load.chunks_mut(words)) {
            let (from, to) = space.store.ends(path);
            for ((load, to), from) in load.iter_mut().zip(calls.row(to)).zip(calls.row(from)) {
                *load &= needed[to];
                needed[from] |= *load;
            }
        }
    }
    let mut schedule = Schedule::new();
    for (step, load) in steps.iter().zip(&loads).filter(|(_, load)| load.iter().any(|&bits| bits != 0)) {
        schedule.begin_step();
        for (&path, load) in step.iter().zip(load.chunks(words)) {
            let mut messages = Vec::new();
            for (word, &bits) in load.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    messages.push(Message::new(word * 64 + bits.trailing_zeros() as usize));
                    bits &= bits - 1;
                }
            }
            if !messages.is_empty() {
                let channels: Vec<_> = space.store.channels(path).collect();
                schedule.push(Transfer { messages: &messages, path: &channels, op: Op::Reduce });
            }
        }
    }
    schedule
}
