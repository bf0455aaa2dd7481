//! **What:** a schedule file as tables of all ranks, with what C asks about it.

use formats::{schedule_json, timed_json};
use program::{COLUMNS, Playable, Program, Shape, Table};
use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A loaded schedule.
pub(crate) struct Loaded {
    /// No other has it, or had it.
    pub number: u64,
    pub collective: CString,
    pub network: CString,
    pub shape: Shape,
    pub root: i32,
    pub reduces: bool,
    pub tables: Vec<Table>,
}

impl Loaded {
    /// Reads and verifies a file of steps, of orbits, or in time.
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let invalid = |rejected: &dyn std::fmt::Display| format!("{}: {rejected}", file.display());
        match schedule_json::read(file) {
            Err(error) if timed_json::is_meant(&error) => {
                let read = timed_json::read(file).map_err(|error| error.to_string())?;
                let schedule = read.claim.verify(&read.problem).map_err(|rejected| invalid(&rejected))?;
                let schedule = schedule.written_out().map_err(|error| invalid(&error))?;
                Self::of((&schedule).into())
            }
            read => {
                let read = read.map_err(|error| error.to_string())?;
                let schedule = kernel::verify(&read.problem, read.claim).map_err(|rejected| invalid(&rejected))?;
                Self::of((&schedule).into())
            }
        }
        .map_err(|error| invalid(&error))
    }

    fn of(schedule: Playable<'_>) -> Result<Self, program::ProgramError> {
        let program = Program::new(schedule)?;
        let text = |text: &str| CString::new(text.replace('\0', " ")).unwrap_or_default();
        let root = program.collective().root();
        let rank = root.and_then(|root| program.ranks().iter().position(|rank| rank.node == root));
        let layout = program.layout();
        // Where not all terminals take part, the blocks are those of the members.
        let all = layout.members().len() == program.ranks().len();
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ok(Loaded {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            collective: text(program.collective().name()),
            network: text(schedule.network().name()),
            shape: if all { layout.shape() } else { Shape::Listed },
            root: rank.map_or(-1, |rank| rank as i32),
            reduces: program.collective().semantics() == kernel::Semantics::Reduce,
            tables: program.tables_of_ranks()?,
        })
    }
}

/// One operation of a table.
pub(crate) struct Row<'t> {
    pub kind: i32,
    pub peer: i32,
    pub tag: i32,
    pub places: &'t [i32],
    pub after: &'t [i32],
}

/// The operation at a position; `None` beyond the last.
pub(crate) fn row(table: &Table, at: usize) -> Option<Row<'_>> {
    let row = table.rows.chunks_exact(COLUMNS).nth(at)?;
    let before = at.checked_sub(1).map(|before| &table.rows[before * COLUMNS..][..COLUMNS]);
    let list = |column: usize| before.map_or(0, |before| before[column]) as usize..row[column] as usize;
    Some(Row { kind: row[0], peer: row[1], tag: row[2], places: &table.places[list(3)], after: &table.after[list(4)] })
}
