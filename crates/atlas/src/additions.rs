//! **What:** results of others, kept beside the atlas: schedule files of which each was verified and certified before it was added.
//!
//! **Parameters:** a folder of schedule files in binary form, one a problem; it is made when the first is added. The atlas itself stays as it is.
//!
//! **Facts:** a file is compared with what the atlas has of the same problem and with what was added before: the same network under the same numbers, the same
//! messages and model, whatever they are called. What is kept has the better schedule and the better bound of both.

use super::{Atlas, AtlasError, Change, Fault, Found, Place};
use formats::schedule_json::{self, Document, Provenance};
use kernel::{Certificate, Claim, Collective, Network, NetworkData, Problem, Verdict, verify};
use run::Silent;
use std::path::{Path, PathBuf};

/// The folder of what was added.
#[derive(Clone, Debug)]
pub struct Additions {
    folder: PathBuf,
}

/// A file that was added, and what it shows.
pub type Kept = (PathBuf, Result<Found, Fault>);

/// What became of a file.
#[derive(Debug)]
pub struct Added {
    /// How it compares with what was known.
    pub change: Change,
    /// The entry of the atlas that poses its problem.
    pub entry: Option<String>,
    /// What was known, from the atlas or added before.
    pub before: Option<Found>,
    /// What the file holds.
    pub found: Found,
    /// Where it was written, unless nothing was gained.
    pub path: Option<PathBuf>,
}

impl Additions {
    /// The additions in this folder, which need not exist.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Additions { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files, in the order of their names.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn files(&self) -> Result<Vec<PathBuf>, AtlasError> {
        if !self.folder.exists() {
            return Ok(Vec::new());
        }
        let io = |source| AtlasError::Io { path: self.folder.clone(), source };
        let listed = std::fs::read_dir(&self.folder).map_err(io)?.map(|file| file.map(|file| file.path()));
        let mut files = listed.collect::<Result<Vec<_>, _>>().map_err(io)?;
        files.retain(|path| path.extension().is_some_and(|ending| ending == "qdr"));
        files.sort();
        Ok(files)
    }

    /// What was added, verified and certified again.
    ///
    /// # Errors
    /// A folder that cannot be read. What is wrong with a file is told in its place.
    pub fn added(&self) -> Result<Vec<Kept>, AtlasError> {
        let checked = |file: PathBuf| {
            let found = Claimed::read(&file).and_then(|claimed| claimed.checked(None));
            (file, found)
        };
        Ok(self.files()?.into_iter().map(checked).collect())
    }

    /// Verifies and certifies a file, and adds it where it is new or better than what `atlas` has and what was added before.
    ///
    /// # Errors
    /// Why the file shows nothing; an atlas or a folder that cannot be read or written.
    pub fn add(&self, file: &Path, atlas: Option<&Atlas>) -> Result<Added, Fault> {
        let claimed = Claimed::read(file)?;
        let problem = &claimed.problem;
        let place = atlas.and_then(|atlas| {
            let poses = |place: &Place<'_>| place.entry.problem(place.group, atlas.folder());
            atlas.places().find(|place| poses(place).is_ok_and(|other| is_same(&other, problem)))
        });
        let stored = match (atlas, place) {
            (Some(atlas), Some(place)) => atlas.stored(&[place], 1, &Silent)?.remove(0).ok(),
            _ => None,
        };
        let own = self.own(problem)?;
        let target = own.as_ref().map(|(path, _)| path.clone());
        let known = [stored, own.map(|(_, found)| found)].into_iter().flatten();
        let before = known.filter_map(|found| carried(problem, found)).reduce(Found::joined);
        let problem = problem.clone();
        let found = claimed.checked(before.as_ref())?;
        let change = match &before {
            None => Change::New,
            Some(before) if before.is_worse_than(&found) => Change::Better,
            Some(before) if found.is_worse_than(before) => Change::Worse,
            Some(_) => Change::Same,
        };
        let mut path = None;
        if matches!(change, Change::New | Change::Better) {
            let kept = before.clone().map_or_else(|| found.clone(), |before| found.clone().joined(before));
            let target = target.map_or_else(|| self.free_name(&problem), Ok)?;
            let (ceiling, floor) = (kept.verdict.ceiling(), kept.verdict.floor());
            schedule_json::write(ceiling, Some(floor), &kept.provenance, &target).map_err(AtlasError::from)?;
            path = Some(target);
        }
        Ok(Added { change, entry: place.map(|place| place.entry.name.clone()), before, found, path })
    }

    /// What was added of a problem, and its file.
    fn own(&self, problem: &Problem) -> Result<Option<(PathBuf, Found)>, Fault> {
        for file in self.files()? {
            // What is damaged there is no reason to refuse another file; `added` tells of it.
            let Ok(claimed) = Claimed::read(&file) else { continue };
            if is_same(&claimed.problem, problem)
                && let Ok(found) = claimed.checked(None)
            {
                return Ok(Some((file, found)));
            }
        }
        Ok(None)
    }

    /// A name for the file of a problem.
    fn free_name(&self, problem: &Problem) -> Result<PathBuf, AtlasError> {
        let io = |source| AtlasError::Io { path: self.folder.clone(), source };
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let plain = |text: &str| -> String {
            text.chars().take(80).map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
        };
        let name = format!("{}-on-{}", plain(problem.collective().name()), plain(problem.network().name()));
        let numbered = (2..).map(|number| format!("{name}-{number}.qdr"));
        let mut names = std::iter::once(format!("{name}.qdr")).chain(numbered).map(|name| self.folder.join(name));
        Ok(names.find(|path| !path.exists()).expect("there is no end of numbers"))
    }
}

/// What a file claims.
struct Claimed {
    problem: Problem,
    claim: Claim,
    bound: Option<Certificate>,
    provenance: Provenance,
}

impl Claimed {
    fn read(file: &Path) -> Result<Self, Fault> {
        let Document { problem, claim, mut bound, provenance, .. } = schedule_json::read(file)?;
        bound.as_mut().map_or(Ok(()), |bound| schedule_json::attach(bound, file))?;
        Ok(Claimed { problem, claim, bound, provenance })
    }

    /// The facts that it is: a schedule that obeys every rule and a bound that is proved, or, where it claims none, that of `known`.
    fn checked(self, known: Option<&Found>) -> Result<Found, Fault> {
        let Claimed { problem, claim, bound, provenance } = self;
        let proved = bound.map(|bound| claim.certify(&problem, bound));
        let ceiling = verify(&problem, claim)?;
        let floor = match (proved, known) {
            (Some(proved), _) => proved?,
            (None, Some(known)) => known.verdict.floor().clone(),
            (None, None) => return Err(Fault::NoBound),
        };
        Ok(Found { verdict: Verdict::new(floor, ceiling)?, provenance })
    }
}

/// What is known of a problem that is the same but for names, as facts of `problem`; `None` where it is too large to be written down again.
fn carried(problem: &Problem, found: Found) -> Option<Found> {
    if found.verdict.problem() == problem {
        return Some(found);
    }
    let floor = kernel::certify(problem, found.verdict.floor().certificate().clone()).ok()?;
    let ceiling = verify(problem, found.verdict.ceiling().expanded().ok()?).ok()?;
    Some(Found { verdict: Verdict::new(floor, ceiling).ok()?, provenance: found.provenance })
}

/// Whether two problems ask for the same, whatever network, nodes and collective are called.
fn is_same(one: &Problem, other: &Problem) -> bool {
    one.model() == other.model()
        && is_same_network(one.network(), other.network())
        && is_same_collective(one.collective(), other.collective())
}

fn is_same_network(one: &Network, other: &Network) -> bool {
    let nameless = |data: &NetworkData| NetworkData {
        name: String::new(),
        labels: None,
        ids: None,
        positions: None,
        ..data.clone()
    };
    let (one, other) = (one.data(), other.data());
    one.channels == other.channels && nameless(one) == nameless(other)
}

fn is_same_collective(one: &Collective, other: &Collective) -> bool {
    let ends = |collective: &Collective| (collective.semantics(), collective.message_count(), collective.chunks());
    ends(one) == ends(other)
        && one.messages().all(|message| {
            one.contributors(message) == other.contributors(message)
                && one.destinations(message) == other.destinations(message)
        })
}
