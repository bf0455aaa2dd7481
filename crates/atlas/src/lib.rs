//! **What:** the atlas: published tables of problems, with the best schedule and bound known for each, stored as claims.
//!
//! **Parameters:** a folder of tables (TOML, see [`instances`]) and a folder `results` in it with an archive a table
//! (`NAME.jsonl.gz`, see [`formats::archive`]).
//!
//! **Facts:** an entry's network and collective are built from the table, so an archive holds schedules and certificates
//! alone. Nothing stored is believed: [`Atlas::stored`] has every line checked.
//!
//! **Example:**
//! ```
//! use atlas::Atlas;
//! let atlas = Atlas::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../atlas"))?;
//! let chosen = atlas.select(&["petersen-10".into()])?;
//! assert_eq!(chosen.len(), 4);
//! let found = atlas.stored(&chosen, 1, &run::Silent)?;
//! assert_eq!(found[1].as_ref().unwrap().verdict.to_string(), "alltoall on petersen: 5 steps, lower bound 5: optimal");
//! # Ok::<(), atlas::AtlasError>(())
//! ```

mod additions;
pub mod instances;
mod page;
mod parallel;
mod results;
mod rows;
mod select;
mod shares;
mod solving;

pub use additions::{Added, Additions, Kept};
pub use page::page;
pub use results::{Fault, Found};
pub use rows::{Rows, rows};
pub use solving::{Change, Listener, Solved};

use formats::archive::Archive;
use formats::{ReadError, WriteError};
use instances::{Entry, Group, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Tables of problems, and where their results are.
#[derive(Clone, Debug)]
pub struct Atlas {
    folder: PathBuf,
    tables: Vec<Table>,
}

/// An entry, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Its table.
    pub table: &'a Table,
    /// Its network.
    pub group: &'a Group,
    /// The entry.
    pub entry: &'a Entry,
}

/// Why an atlas cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// A file or folder that cannot be read.
    #[error("{}: cannot be read: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A folder without tables.
    #[error("{}: no table (.toml) in this folder", .path.display())]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// A table that breaks the rules of its format.
    #[error("{}:{line}: {why}", .path.display())]
    Table {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// Two entries of one name.
    #[error("two entries are named {name}")]
    Twice {
        /// The name.
        name: String,
    },
    /// An entry that poses no problem.
    #[error("{name}: {why}")]
    Entry {
        /// The entry.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// A name that nothing in the atlas has.
    #[error("`{name}` is not an entry, network or table of the atlas")]
    Unknown {
        /// The name.
        name: String,
        /// The name most like it.
        nearest: Option<String>,
    },
    /// A result of an entry that no table has.
    #[error("{}: `{name}` is not an entry of the table", .path.display())]
    Orphan {
        /// The archive.
        path: PathBuf,
        /// The result's name.
        name: String,
    },
    /// An archive that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An archive that cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A result that no archive has a form for.
    #[error("{name}: {source}")]
    NoForm {
        /// The entry.
        name: String,
        /// Why.
        source: formats::archive::NoForm,
    },
}

impl Atlas {
    /// Reads the tables of `folder`, in the order of their names.
    ///
    /// # Errors
    /// [`AtlasError`] for a folder without tables, a table that cannot be read, or a name that stands twice.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, AtlasError> {
        let folder = folder.into();
        let io = |source| AtlasError::Io { path: folder.clone(), source };
        let mut paths = Vec::new();
        for file in std::fs::read_dir(&folder).map_err(io)? {
            paths.push(file.map_err(io)?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|e| e == "toml"));
        paths.sort();
        let tables = paths.iter().map(|path| Table::read(path)).collect::<Result<Vec<_>, _>>()?;
        if tables.is_empty() {
            return Err(AtlasError::NoTables { path: folder });
        }
        let atlas = Atlas { folder, tables };
        let mut names = BTreeSet::new();
        if let Some(twice) = atlas.places().find(|place| !names.insert(&place.entry.name)) {
            return Err(AtlasError::Twice { name: twice.entry.name.clone() });
        }
        Ok(atlas)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The tables.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// All entries, in the order of the tables.
    pub fn places(&self) -> impl Iterator<Item = Place<'_>> {
        self.tables.iter().flat_map(|table| {
            let groups = table.networks.iter();
            groups.flat_map(move |group| group.cases.iter().map(move |entry| Place { table, group, entry }))
        })
    }

    /// The archive of a table's results; an empty one where there is no file.
    fn archive(&self, table: &Table) -> Result<Archive, AtlasError> {
        let path = self.folder.join("results").join(format!("{}.jsonl.gz", table.stem));
        if path.exists() { Ok(Archive::read(path)?) } else { Ok(Archive::new(path)) }
    }

    /// The archives of the tables that the places stand in, by the tables' stems.
    fn archives(&self, places: &[Place<'_>]) -> Result<BTreeMap<String, Archive>, AtlasError> {
        let chosen: BTreeSet<&str> = places.iter().map(|place| place.table.stem.as_str()).collect();
        let tables = self.tables.iter().filter(|table| chosen.contains(table.stem.as_str()));
        tables.map(|table| Ok((table.stem.clone(), self.archive(table)?))).collect()
    }

    /// The names in an archive that are no entries of its table.
    fn orphans(&self, stem: &str, archive: &Archive) -> Vec<String> {
        let own = self.places().filter(|place| place.table.stem == stem);
        let names: BTreeSet<&str> = own.map(|place| place.entry.name.as_str()).collect();
        archive.names().filter(|name| !names.contains(name)).map(str::to_owned).collect()
    }

    /// What is stored for each of the places, verified and certified, on so many threads; `listener` hears how far it is, by entries.
    ///
    /// # Errors
    /// An archive that cannot be read. What is wrong with single results is told in their places.
    pub fn stored(
        &self,
        places: &[Place<'_>],
        threads: usize,
        listener: &dyn Listener,
    ) -> Result<Vec<Result<Found, Fault>>, AtlasError> {
        let archives = self.archives(places)?;
        for (stem, archive) in &archives {
            if let Some(name) = self.orphans(stem, archive).pop() {
                return Err(AtlasError::Orphan { path: archive.path().into(), name });
            }
        }
        listener.planned(places.len(), 0.0);
        Ok(parallel::each(places, threads, |place| {
            listener.working(&place.entry.name);
            let found = self.lookup(place, &archives[&place.table.stem]);
            listener.done(&place.entry.name, 0.0);
            found
        }))
    }

    /// What `archive` holds for the place.
    fn lookup(&self, place: &Place<'_>, archive: &Archive) -> Result<Found, Fault> {
        let problem = place.entry.problem(place.group, &self.folder)?;
        let found = Found::stored(archive, &place.entry.name, &problem)?;
        match place.entry.optimum {
            Some(optimum) if found.ceiling() < optimum || found.floor() > optimum => {
                let (ceiling, floor) = (found.ceiling(), found.floor());
                Err(Fault::Optimum { optimum, ceiling, floor })
            }
            _ => Ok(found),
        }
    }
}
