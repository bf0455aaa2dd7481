//! **What:** circuits through multistage networks.

use super::free_paths::FreePaths;
use super::{Circuits, Class, Obstacle, completed, exhaustive};
use crate::stages::Stages;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of them.
pub(super) fn circuits(stages: &Stages) -> Circuits {
    let (n, d) = (stages.lines(), stages.radix());
    if n == d {
        return Circuits::new(Class::StrictlyNonBlocking, "all terminals are at one switch");
    }
    if let Some(found) = first_stage(stages) {
        return found;
    }
    if let Some(planes) = outer_planes(stages) {
        let because = format!("{d} planes behind outer switches of {d} lines, and so on inwards (Clos, Beneš)");
        return Circuits::rearrangeable(because, obstacle(stages, &planes));
    }
    exhaustive::circuits(stages).unwrap_or_else(|| {
        Circuits::new(Class::Undecided, "there are several paths a pair, and no theorem tried here decides")
    })
}

/// Two terminals at one switch that need the same output, or one that does not reach all others.
fn first_stage(stages: &Stages) -> Option<Circuits> {
    let (n, d) = (stages.lines(), stages.radix());
    let mut inputs: Vec<u32> = (0..n).filter(|t| stages.moved(0, *t) < d).collect();
    inputs.sort_by_key(|t| stages.moved(0, *t));
    // For each terminal, the outputs of the first switch that lead to it.
    let mut outputs = vec![Vec::new(); n as usize];
    for output in 0..d {
        let mut lines = vec![false; n as usize];
        lines[output as usize] = true;
        for stage in 1..=stages.count() {
            let mut next = vec![false; n as usize];
            for line in (0..n).filter(|line| lines[*line as usize]) {
                let to = stages.moved(stage, line);
                let first = to - to % d;
                let leads = if stage == stages.count() { to..to + 1 } else { first..first + d };
                leads.for_each(|out| next[out as usize] = true);
            }
            lines = next;
        }
        (0..n).filter(|t| lines[*t as usize]).for_each(|t| outputs[t as usize].push(output));
    }
    let [a, b, ..] = inputs[..] else { return None };
    if let Some(lost) = (0..n).find(|t| outputs[*t as usize].is_empty()) {
        return Some(Circuits::blocking(format!("terminal {a} has no path to {lost}"), completed(n, &[(a, lost)])));
    }
    let outputs = &outputs;
    let only = |output: u32| (0..n).filter(move |t| outputs[*t as usize] == [output]).collect::<Vec<_>>();
    (0..d).map(only).find_map(|alike| match alike[..] {
        [x, y, ..] => {
            let because = format!("terminals {a} and {b}, to {x} and to {y}, need the same output of their switch");
            Some(Circuits::blocking(because, completed(n, &[(a, x), (b, y)])))
        }
        _ => None,
    })
}

/// The plane that each line behind the first stage leads to, where the network comes apart again and again: without its outer
/// stages into planes, to each of which every outer switch has one line, down to single switches.
fn outer_planes(stages: &Stages) -> Option<Vec<usize>> {
    let (n, d) = (stages.lines(), stages.radix());
    let switches = (n / d) as usize;
    // The part that each switch of the outer stages is in, before and behind.
    let mut parts = [vec![0; switches], vec![0; switches]];
    let mut outermost = None;
    let (mut first, mut end) = (0, stages.count());
    while end - first >= 3 {
        let mut inside = Inside::new(stages, first + 1..end - 1);
        let mut planes_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut planes = [vec![Vec::new(); switches], vec![Vec::new(); switches]];
        for line in 0..n {
            planes[0][(line / d) as usize].push(inside.plane(first + 1, stages.moved(first + 1, line)));
            planes[1][(stages.moved(end - 1, line) / d) as usize].push(inside.plane(end - 2, line));
        }
        outermost.get_or_insert_with(|| planes[0].concat());
        for (part, mut planes) in parts.iter().flatten().zip(planes.into_iter().flatten()) {
            planes.sort_unstable();
            planes.dedup();
            if planes.len() != d as usize || *planes_of.entry(*part).or_insert_with(|| planes.clone()) != planes {
                return None;
            }
        }
        (first, end) = (first + 1, end - 1);
        parts =
            [first, end - 1].map(|stage| (0..n).step_by(d as usize).map(|line| inside.plane(stage, line)).collect());
    }
    let single = parts[0].iter().collect::<BTreeSet<_>>().len() == switches;
    outermost.filter(|_| end - first == 1 && single)
}

/// Which switches of some stages are connected by lines between these.
struct Inside {
    first: u32,
    radix: u32,
    switches: u32,
    parents: Vec<usize>,
}

impl Inside {
    fn new(stages: &Stages, within: std::ops::Range<u32>) -> Self {
        let switches = stages.lines() / stages.radix();
        let all = (switches * (within.end - within.start)) as usize;
        let mut inside = Inside { first: within.start, radix: stages.radix(), switches, parents: (0..all).collect() };
        for stage in within.start..within.end - 1 {
            for line in 0..stages.lines() {
                let (one, other) = (inside.plane(stage, line), inside.plane(stage + 1, stages.moved(stage + 1, line)));
                inside.parents[one] = other;
            }
        }
        inside
    }

    /// What a switch that the line touches at a stage is connected with: the number of one switch for all of them.
    fn plane(&mut self, stage: u32, line: u32) -> usize {
        root(&mut self.parents, ((stage - self.first) * self.switches + line / self.radix) as usize)
    }
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// Circuits that use all outputs of the first switch but one, and one from elsewhere that comes to the last switch by the
/// plane that this one leads to.
fn obstacle(stages: &Stages, planes: &[usize]) -> Option<Obstacle> {
    let (n, d) = (stages.lines(), stages.radix());
    let mut free = FreePaths::new(stages);
    let at_first: Vec<u32> = (0..n).filter(|t| stages.moved(0, *t) < d).collect();
    let (last, end) = (stages.count() - 1, n - d);
    let at_last = |line: u32| line >= end;
    for (from, output) in at_first.iter().zip(0..d - 1) {
        free.stand(*from, |stage, line| if stage == 0 { line == output } else { stage < last || !at_last(line) })?;
    }
    let plane = planes[(d - 1) as usize];
    let others = (0..n).filter(|t| !at_first.contains(t));
    let mut tried = others.map(|from| {
        free.stand(from, |stage, line| match stage {
            0 => planes[line as usize] == plane,
            stage => stage < last || at_last(line),
        })
    });
    tried.find_map(|to| to)?;
    let from = at_first[(d - 1) as usize];
    let to = (end..n).map(|line| stages.moved(stages.count(), line)).find(|to| free.receives_nothing(*to))?;
    free.is_refused(from, to).then(|| Obstacle { circuits: free.circuits(), from, to })
}
