//! **What:** archives of results: schedules and certificates by name, without their problems, one a line.
//!
//! **Parameters:** the first line is `{"format": "quadrille-atlas/1"}`. Every other line is an object with `entry` (the
//! result's name), `form`, `schedule`, `bound` and `provenance`; the last two are those of a schedule file, and where the
//! certificate rests on other files, their texts stand in `files`, by name. `form` says how the schedule is written: `hops`
//! (every transfer, in columns) or `orbits` (alltoall by representatives). Names that end in `.gz` are gzip-compressed.
//!
//! **Facts:** a line is a claim. Who reads it brings the problem, and the checkers decide. Lines that are not put anew are
//! written back as they were, in the order of their names, so the same results give the same bytes.

mod hops;
mod orbits;

use crate::schedule_json::{Provenance, certificate, parse_as, proof, raw};
use crate::{Fault, Place, ReadError, WriteError, file};
use hops::Hops;
use kernel::{Attachment, Certificate, Claim, Problem, Proof, Verdict};
use orbits::Orbits;
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the field `format` of the first line says.
pub const FORMAT: &str = "quadrille-atlas/1";

/// The form of every transfer in columns.
const HOPS: &str = "hops";
/// The form of representatives under a group of translations.
const ORBITS: &str = "orbits";

/// Results by name.
#[derive(Clone, Debug)]
pub struct Archive {
    path: PathBuf,
    lines: BTreeMap<String, Line>,
}

#[derive(Clone, Debug)]
struct Line {
    /// Counted from 1; 0 for one that was put since the file was read.
    number: usize,
    text: String,
}

/// What a line claims of its problem.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The schedule.
    pub claim: Claim,
    /// The lower bound.
    pub bound: Certificate,
    /// How the schedule came to be.
    pub provenance: Provenance,
}

/// A result that the archive has no form for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an archive has no form for a schedule of several messages a transfer, or too large to be written down")]
pub struct NoForm;

#[derive(Deserialize)]
struct Head {
    format: String,
}

#[derive(Deserialize)]
struct Named {
    entry: String,
}

#[derive(Deserialize)]
struct Entry {
    form: String,
    schedule: Box<RawValue>,
    bound: raw::Bound,
    #[serde(default)]
    provenance: Option<Value>,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

impl Archive {
    /// An archive without a result, to be written to `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Archive { path: path.into(), lines: BTreeMap::new() }
    }

    /// Reads an archive; what its lines claim is looked at when it is asked for.
    ///
    /// # Errors
    /// A file that cannot be read, is of another format, or has a line without a name or a name twice.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let bytes = file::load(path)?;
        Self::of_text(bytes, path)
    }

    /// As [`Archive::read`], of the bytes of a file; `path` is where it would stand.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub fn of_text(bytes: Vec<u8>, path: &Path) -> Result<Self, ReadError> {
        let text =
            String::from_utf8(bytes).map_err(|e| ReadError::new(path, Fault::Syntax(format!("is no text: {e}"))))?;
        let mut archive = Archive::new(path);
        let mut lines = (1..).zip(text.lines());
        let head: Option<Head> = lines.next().and_then(|(_, line)| serde_json::from_str(line).ok());
        if head.is_none_or(|head| head.format != FORMAT) {
            let place = Some(Place { line: 1, column: 1 });
            return Err(ReadError {
                place,
                field: Some("format".into()),
                ..ReadError::new(path, Fault::Unknown { known: FORMAT })
            });
        }
        for (number, line) in lines {
            let named: Named = parse_as(line.as_bytes(), path).map_err(|e| archive.at(number, None, e))?;
            let text = line.to_owned();
            if archive.lines.insert(named.entry.clone(), Line { number, text }).is_some() {
                let twice = ReadError::new(path, Fault::Syntax("stands there twice".into()));
                return Err(archive.at(number, Some(&named.entry), twice));
            }
        }
        Ok(archive)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the results, ascending.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }

    /// What the result of that name claims of `problem`; `None` where there is none.
    ///
    /// # Errors
    /// A line that breaks the format or does not fit the problem at all.
    pub fn claim(&self, name: &str, problem: &Problem) -> Option<Result<Stored, ReadError>> {
        let line = self.lines.get(name)?;
        Some(self.parse(&line.text, problem).map_err(|error| self.at(line.number, Some(name), error)))
    }

    fn parse(&self, line: &str, problem: &Problem) -> Result<Stored, ReadError> {
        let (path, text) = (self.path.as_path(), line.as_bytes());
        let raw: Entry = parse_as(text, path)?;
        let wrong = |error| ReadError { field: Some("schedule".into()), ..error };
        let columns = raw.schedule.get().as_bytes();
        let claim = match raw.form.as_str() {
            HOPS => parse_as::<Hops>(columns, path).map_err(wrong)?.schedule(problem).map(Claim::from),
            ORBITS => parse_as::<Orbits>(columns, path).map_err(wrong)?.claim(problem),
            _ => {
                let error = ReadError::new(path, Fault::Unknown { known: "hops, orbits" });
                return Err(ReadError { field: Some("form".into()), text: Some(raw.form), ..error });
            }
        };
        let claim = claim.map_err(|why| wrong(ReadError::new(path, Fault::Syntax(why))))?;
        let mut bound = certificate(raw.bound, text, path)?;
        if let Proof::Unsat { formula, proof } = &mut bound.proof {
            for file in [formula, proof] {
                file.text = raw.files.get(&file.name).map(|text| text.as_bytes().into());
            }
        }
        let provenance = raw.provenance.map(crate::schedule_json::provenance).unwrap_or_default();
        Ok(Stored { claim, bound, provenance })
    }

    /// The error with the line of the file and the result's name in place of what a single line knows.
    fn at(&self, number: usize, name: Option<&str>, error: ReadError) -> ReadError {
        let place = (number > 0).then_some(Place { line: number, column: 1 });
        let field = match (name, error.field) {
            (Some(name), Some(field)) => Some(format!("{name}: {field}")),
            (Some(name), None) => Some(name.to_owned()),
            (None, field) => field,
        };
        ReadError { place, field, ..error }
    }

    /// Puts a result in, in place of one of the same name; one of alltoall that is stored as orbits by its representatives, unless
    /// its generators treat parallel channels in a way of their own.
    ///
    /// # Errors
    /// [`NoForm`] for a schedule whose transfers carry several messages, or that is too large to be written down.
    pub fn put(&mut self, name: &str, verdict: &Verdict, provenance: &Provenance) -> Result<(), NoForm> {
        let (ceiling, floor) = (verdict.ceiling(), verdict.floor().certificate());
        if let Some(orbits) = ceiling.orbits().and_then(Orbits::of) {
            self.insert(name, ORBITS, &json!(orbits), floor, provenance);
            return Ok(());
        }
        let schedule = ceiling.expanded().map_err(|_| NoForm)?;
        let hops = Hops::of(verdict.problem(), &schedule).ok_or(NoForm)?;
        self.insert(name, HOPS, &json!(hops), floor, provenance);
        Ok(())
    }

    fn insert(&mut self, name: &str, form: &str, schedule: &Value, bound: &Certificate, provenance: &Provenance) {
        let mut line = json!({
            "entry": name,
            "form": form,
            "schedule": schedule,
            "bound": {"steps": bound.steps, "certificate": proof(&bound.proof)},
            "provenance": provenance,
        });
        if let Proof::Unsat { formula, proof } = &bound.proof {
            let text = |file: &Attachment| {
                let bytes = file.text.as_deref().unwrap_or_default();
                (file.name.clone(), Value::from(String::from_utf8_lossy(bytes)))
            };
            line["files"] = [formula, proof].map(text).into_iter().collect();
        }
        self.lines.insert(name.to_owned(), Line { number: 0, text: line.to_string() });
    }

    /// Takes a result out.
    pub fn remove(&mut self, name: &str) {
        self.lines.remove(name);
    }

    /// Writes all results to the archive's file.
    ///
    /// # Errors
    /// Where the system refuses; an existing file is left unchanged.
    pub fn write(&self) -> Result<(), WriteError> {
        file::save(&self.path, |out| self.write_to(out))
    }

    /// Writes all results.
    ///
    /// # Errors
    /// Where the writer refuses.
    pub fn write_to(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        writeln!(out, "{}", json!({"format": FORMAT}))?;
        self.lines.values().try_for_each(|line| writeln!(out, "{}", line.text))
    }
}
