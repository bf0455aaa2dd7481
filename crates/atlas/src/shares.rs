//! **What:** what several processes found anew, told to rank 0 as an archive, whose claims go through the checkers.

use super::Found;
use formats::archive::Archive;
use kernel::Problem;
use run::Ranks;
use run::ranks::{Reader, gather};
use std::path::Path;

/// An entry to be found anew, by its place.
pub(super) struct Task<'a> {
    pub at: usize,
    pub name: &'a str,
    pub problem: Problem,
    /// Seconds that it took before.
    pub seconds: Option<f64>,
}

/// What was found.
pub(super) struct Anew {
    pub at: usize,
    pub found: Option<Found>,
    /// Whether the search was stopped.
    pub stopped: bool,
}

/// Where an archive that is never written stands.
const NOWHERE: &str = "told.jsonl";

/// What all ranks found, at rank 0. What no archive has a form for, and what does not hold, is found `anew`.
pub(super) fn told(
    ranks: &dyn Ranks,
    work: &[Task<'_>],
    own: Vec<Anew>,
    anew: impl Fn(&Task<'_>) -> Anew,
) -> Option<Vec<Anew>> {
    if ranks.count() == 1 {
        return Some(own);
    }
    let bytes = if ranks.rank() == 0 { Vec::new() } else { encoded(work, &own) };
    let told = gather(ranks, bytes);
    if ranks.rank() > 0 {
        return None;
    }
    let mut all = own;
    for (rank, bytes) in told.iter().enumerate().skip(1) {
        let mut decoded = decoded(work, bytes);
        for task in work.iter().skip(rank).step_by(ranks.count()) {
            let found = decoded.iter().position(|found| found.at == task.at).map(|at| decoded.swap_remove(at));
            all.push(found.unwrap_or_else(|| anew(task)));
        }
    }
    Some(all)
}

fn encoded(work: &[Task<'_>], own: &[Anew]) -> Vec<u8> {
    let mut archive = Archive::new(NOWHERE);
    let mut flags = Vec::new();
    for anew in own {
        let Some(task) = work.iter().find(|task| task.at == anew.at) else { continue };
        if let Some(found) = &anew.found
            && found.put(&mut archive, task.name).is_err()
        {
            continue;
        }
        flags.push((anew.at, u8::from(anew.found.is_some()) | u8::from(anew.stopped) << 1));
    }
    let mut bytes = (flags.len() as u64).to_le_bytes().to_vec();
    for (at, flags) in flags {
        bytes.extend_from_slice(&(at as u64).to_le_bytes());
        bytes.push(flags);
    }
    archive.write_to(&mut bytes).expect("memory takes all");
    bytes
}

fn decoded(work: &[Task<'_>], bytes: &[u8]) -> Vec<Anew> {
    let mut reader = Reader(bytes);
    let count = reader.u64();
    let flags: Vec<(u64, u8)> =
        (0..count).map_while(|_| (!reader.is_empty()).then(|| (reader.u64(), reader.u8()))).collect();
    let Ok(archive) = Archive::of_text(reader.0.to_vec(), Path::new(NOWHERE)) else { return Vec::new() };
    let anew = |(at, flags): &(u64, u8)| {
        let task = work.iter().find(|task| task.at as u64 == *at)?;
        let found = match flags & 1 {
            0 => None,
            _ => Some(Found::stored(&archive, task.name, &task.problem).ok()?),
        };
        Some(Anew { at: task.at, found, stopped: flags & 2 > 0 })
    };
    flags.iter().filter_map(anew).collect()
}
