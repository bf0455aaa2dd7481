//! **What:** a job shop of unit hops: in every step each move is made by one job at most, and each job makes one move at most.

use super::words::{Group, Word};
use construct::Control;
use std::collections::BinaryHeap;

/// A job makes a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub job: u32,
    pub by: u32,
}

/// What is left of a job.
struct Job<'a> {
    /// Of the moves that may be made at any time, and of the group begun.
    rest: [Group; 2],
    groups: std::slice::Iter<'a, Group>,
    hops: u32,
}

impl<'a> Job<'a> {
    fn new(word: &'a Word) -> Self {
        let hops = word.moves().map(|(_, times)| times).sum();
        let mut groups = word.groups.iter();
        Job { rest: [word.free.clone(), groups.next().cloned().unwrap_or_default()], groups, hops }
    }

    fn open(&self) -> impl Iterator<Item = u32> + '_ {
        self.rest.iter().flatten().map(|(by, _)| *by)
    }

    fn make(&mut self, by: u32) {
        if let Some((_, times)) = self.rest.iter_mut().flatten().find(|(other, _)| *other == by) {
            *times -= 1;
            self.hops -= 1;
        }
        self.rest.iter_mut().for_each(|group| group.retain(|(_, times)| *times > 0));
        if self.rest[1].is_empty() {
            self.rest[1] = self.groups.next().cloned().unwrap_or_default();
        }
    }
}

/// What the jobs do in each step: moves with most work left choose first, and take the job with most hops left.
pub(super) fn schedule(words: &[Word], loads: &[u64], control: &Control<'_>) -> Option<Vec<Vec<Hop>>> {
    let mut jobs: Vec<Job<'_>> = words.iter().map(Job::new).collect();
    let mut left = loads.to_vec();
    // Entries are made anew when a job has moved; old ones tell of more hops than it has left.
    let mut waiting: Vec<BinaryHeap<(u32, u32, u32)>> = vec![BinaryHeap::new(); loads.len()];
    let wait = |waiting: &mut Vec<BinaryHeap<_>>, job: &Job<'_>, number: u32| {
        job.open().for_each(|by| waiting[by as usize].push((job.hops, mixed(number), number)));
    };
    (0u32..).zip(&jobs).for_each(|(number, job)| wait(&mut waiting, job, number));
    let mut order: Vec<u32> = (0..).take(loads.len()).collect();
    let mut steps = Vec::new();
    while left.iter().any(|l| *l > 0) {
        order.sort_unstable_by_key(|by| (std::cmp::Reverse(left[*by as usize]), *by));
        control.work(order.len())?;
        let mut step: Vec<Hop> = Vec::new();
        for &by in &order {
            while let Some((hops, _, number)) = waiting[by as usize].pop() {
                let job = &mut jobs[number as usize];
                if job.hops == hops && job.open().any(|other| other == by) {
                    job.make(by);
                    left[by as usize] -= 1;
                    step.push(Hop { job: number, by });
                    break;
                }
            }
        }
        // Only now, so that no job moves twice in a step.
        step.iter().for_each(|hop| wait(&mut waiting, &jobs[hop.job as usize], hop.job));
        steps.push(step);
    }
    Some(steps)
}

/// Spreads neighbouring numbers, so that jobs with as many hops left are taken in no order of theirs.
fn mixed(number: u32) -> u32 {
    let number = number.wrapping_mul(0x9e37_79b9);
    (number ^ (number >> 15)).wrapping_mul(0x85eb_ca6b)
}
