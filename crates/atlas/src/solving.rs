//! **What:** finding the results of the atlas anew, comparing them with what is stored, and keeping what is better. Of several processes each finds its share of the
//! entries; rank 0 checks what they found, and keeps it.

use super::shares::{Anew, Task, told};
use super::{Atlas, AtlasError, Fault, Found, Place, parallel};
use methods::Settings;
use run::Ranks;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a new result is, against what was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing valid was stored.
    New,
    /// Fewer steps, or a higher bound.
    Better,
    /// As good.
    Same,
    /// More steps or a lower bound; what was stored stays.
    Worse,
    /// No schedule was found.
    Nothing,
    /// The search was stopped before this entry's turn, or before it had found as much as is stored.
    Skipped,
}

impl Change {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Better => "better",
            Change::Same => "same",
            Change::Worse => "worse",
            Change::Nothing => "nothing",
            Change::Skipped => "skipped",
        }
    }
}

/// An entry that was solved anew.
#[derive(Debug)]
pub struct Solved<'a> {
    /// The entry.
    pub place: Place<'a>,
    /// What was stored.
    pub before: Result<Found, Fault>,
    /// What was found.
    pub found: Option<Found>,
    /// How they compare.
    pub change: Change,
}

/// Told of the work as it goes on, from any thread.
pub trait Listener: Sync {
    /// So many entries will be worked on, which took so many seconds in all when they were stored.
    fn planned(&self, entries: usize, seconds: f64) {
        let _ = (entries, seconds);
    }

    /// An entry is worked on.
    fn working(&self, name: &str) {
        let _ = name;
    }

    /// An entry is done, which took so many seconds when it was stored.
    fn done(&self, name: &str, seconds: f64) {
        let _ = (name, seconds);
    }
}

impl Listener for run::Silent {}

impl Atlas {
    /// Solves the places anew, each on one thread, `settings.threads` at a time, those that took longest first. What is
    /// better than what is stored is written back; with `renew` also what is as good, with its method and seconds.
    ///
    /// Of several `ranks` all call it, with the same arguments; those other than rank 0 come back with nothing when they have done their share.
    ///
    /// When `stop` is set, searches end with their best so far, what remains is skipped, and what was found is kept.
    ///
    /// # Errors
    /// An entry that poses no problem, or an archive that cannot be read or written.
    pub fn solve<'a>(
        &self,
        places: &[Place<'a>],
        settings: &Settings,
        renew: bool,
        stop: &AtomicBool,
        listener: &dyn Listener,
        ranks: &dyn Ranks,
    ) -> Result<Vec<Solved<'a>>, AtlasError> {
        let mut archives = self.archives(places)?;
        let before = parallel::each(places, settings.threads, |p| self.lookup(p, &archives[&p.table.stem]));
        let mut work = Vec::new();
        for (at, (place, before)) in places.iter().zip(&before).enumerate() {
            let problem = place.entry.problem(place.group, &self.folder)?;
            let seconds = before.as_ref().ok().and_then(|found| found.provenance.seconds);
            work.push(Task { at, name: &place.entry.name, problem, seconds });
        }
        // Whatever was never timed may take long, so it comes first.
        work.sort_by(|a, b| b.seconds.unwrap_or(f64::MAX).total_cmp(&a.seconds.unwrap_or(f64::MAX)));
        let own: Vec<&Task<'_>> = work.iter().skip(ranks.rank()).step_by(ranks.count()).collect();
        listener.planned(own.len(), own.iter().filter_map(|task| task.seconds).sum());
        let each = settings.clone().with_threads(1);
        let anew = |task: &Task<'_>| {
            if stop.load(Ordering::Relaxed) {
                return Anew { at: task.at, found: None, stopped: true };
            }
            listener.working(task.name);
            let found = Found::anew(&task.problem, &each, stop);
            listener.done(task.name, task.seconds.unwrap_or_default());
            Anew { at: task.at, found, stopped: stop.load(Ordering::Relaxed) }
        };
        let own = parallel::each(&own, settings.threads, |task| anew(task));
        let Some(mut found) = told(ranks, &work, own, anew) else { return Ok(Vec::new()) };
        found.sort_by_key(|found| found.at);
        let mut solved = Vec::new();
        for ((place, before), Anew { found, stopped, .. }) in places.iter().zip(before).zip(found) {
            let change = compare(&before, found.as_ref(), stopped);
            solved.push(Solved { place: *place, before, found, change });
        }
        for (stem, archive) in &mut archives {
            let orphans = self.orphans(stem, archive);
            let mut changed = !orphans.is_empty();
            orphans.iter().for_each(|name| archive.remove(name));
            for one in solved.iter().filter(|one| one.place.table.stem == *stem) {
                let Some(kept) = one.kept(renew) else { continue };
                let name = &one.place.entry.name;
                kept.put(archive, name).map_err(|source| AtlasError::NoForm { name: name.clone(), source })?;
                changed = true;
            }
            if changed {
                let folder = self.folder.join("results");
                std::fs::create_dir_all(&folder).map_err(|source| AtlasError::Io { path: folder, source })?;
                archive.write()?;
            }
        }
        Ok(solved)
    }
}

fn compare(before: &Result<Found, Fault>, found: Option<&Found>, stopped: bool) -> Change {
    match (before, found) {
        (_, None) if stopped => Change::Skipped,
        (_, None) => Change::Nothing,
        (Err(_), Some(_)) => Change::New,
        (Ok(before), Some(found)) if before.is_worse_than(found) => Change::Better,
        (Ok(before), Some(found)) if found.is_worse_than(before) && stopped => Change::Skipped,
        (Ok(before), Some(found)) if found.is_worse_than(before) => Change::Worse,
        (Ok(_), Some(_)) => Change::Same,
    }
}

impl Solved<'_> {
    /// What is to be written, where anything is.
    fn kept(&self, renew: bool) -> Option<Found> {
        let found = self.found.clone()?;
        match (self.change, &self.before) {
            (Change::New, _) => Some(found),
            (Change::Better, Ok(before)) => Some(before.clone().joined(found)),
            (Change::Same, Ok(_)) if renew => Some(found),
            _ => None,
        }
    }
}
