//! **What:** tables for hardware: what nodes or routers must hold to play a schedule.
//!
//! **Parameters:** *source routes* have a row for every transfer: the step, the node that sends, the one that receives, how many messages
//! travel together, and the output port of every node on the path. *Slot tables* have a row for every turn of a router: the step, the node,
//! the input port and the output port; `local` is the node itself, and rows from there say how many messages travel together. Output
//! port i of a node is the i-th of the channels that leave it, input port i the i-th of those that enter it, in the order of their numbers.
//! Files are CSV (`.csv`, with `# name: value` lines before the table), JSON (`.json`) or a header for C (`.h`). Which neighbour is behind a port
//! is said of every node in comments, `# node 3 mem2: outputs 0 -> r1`, in JSON in `nodes`; readers pass over it.
//!
//! **Facts:** steps count from 0. Under time-division a step is a slot, a router's turn is in the slot in which the path leaves it, and that
//! into the last node in the slot in which it is absorbed; in a cyclic period slots are counted round. Both tables hold paths and how much
//! travels, not which messages, and not what becomes of them. In slot tables a channel that carries several transfers in a step has a row for each unit of its capacity: `3` is
//! the first of port 3, and `3.1` the second.

mod claim;
mod csv;
mod header;
mod header_names;
mod header_read;
mod header_tokens;
mod json;
pub(crate) mod ports;
mod rows;

pub(crate) use rows::{Port, Unit, units};

use crate::c_names::CNames;
use formats::{Fault, ReadError, WriteError, file};
use kernel::{Network, Slots, Verified};
use simulate::play::Transfers;
use std::path::Path;

/// Steps of a table at most.
const MOST_STEPS: u32 = 1 << 24;

/// Steps in which nothing happens at most.
const MOST_IDLE: u32 = 1 << 16;

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The headers of packets.
    SourceRoutes,
    /// The turns of routers.
    SlotTables,
}

impl Kind {
    /// Its name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::SourceRoutes => "source-routes",
            Kind::SlotTables => "slot-tables",
        }
    }

    /// Its name within those of a header for C.
    fn in_c(self) -> &'static str {
        match self {
            Kind::SourceRoutes => "source",
            Kind::SlotTables => "slot",
        }
    }

    /// What the line or field `format` says.
    fn format(self) -> &'static str {
        match self {
            Kind::SourceRoutes => "quadrille-source-routes/1",
            Kind::SlotTables => "quadrille-slot-tables/1",
        }
    }

    /// Whether its rows name input ports.
    fn has_inputs(self) -> bool {
        self == Kind::SlotTables
    }

    fn named(format: &str) -> Option<Self> {
        [Kind::SourceRoutes, Kind::SlotTables].into_iter().find(|kind| kind.format() == format)
    }
}

/// A table that was read: transfers whose paths follow the network. Whether they share channels is seen when it runs.
#[derive(Clone, Debug)]
pub struct HardwareTable {
    /// What it was.
    pub kind: Kind,
    /// The name of the network that it was made for.
    pub network: String,
    /// Chunks of a message of the collective.
    pub chunks: u32,
    /// Its transfers, by steps.
    pub transfers: Transfers,
}

/// What a table says before its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    kind: Kind,
    network: String,
    steps: u32,
    chunks: u32,
    slots: Option<Slots>,
}

impl Head {
    fn of(schedule: &Verified, kind: Kind) -> std::io::Result<Self> {
        let problem = schedule.problem();
        let steps = u32::try_from(schedule.steps()).ok().filter(|steps| *steps <= MOST_STEPS);
        let large = || std::io::Error::new(std::io::ErrorKind::FileTooLarge, format!("over {MOST_STEPS} steps"));
        Ok(Head {
            kind,
            network: problem.network().name().replace(['\n', '\r'], " "),
            steps: steps.ok_or_else(large)?,
            chunks: problem.collective().chunks(),
            slots: problem.model().switching.slots(),
        })
    }
}

/// Writes the table of a schedule: JSON where the file's name ends so, a header for C where it ends in `.h`, else CSV.
///
/// # Errors
/// Where the system refuses, and what a table cannot hold; nothing of a half-written file stays behind.
pub fn write(schedule: &Verified, kind: Kind, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    let refused = |source| WriteError { path: path.to_owned(), source };
    file::all_fits(schedule).map_err(refused)?;
    let head = Head::of(schedule, kind).map_err(refused)?;
    let rows = rows::Rows::of(schedule, &head).map_err(refused)?;
    let ending = file::ending(path);
    let network = schedule.problem().network();
    file::save(path, |out| match ending.as_str() {
        "json" => json::write(&head, &rows, network, out),
        "h" => header::write(&head, &rows, network, &CNames::of(path, kind.in_c()), out),
        _ => csv::write(&head, &rows, network, out),
    })
}

impl HardwareTable {
    /// Reads a table for a network.
    ///
    /// # Errors
    /// A file that cannot be read, and rows that are no paths of the network, with their place.
    pub fn read(path: impl AsRef<Path>, network: &Network) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let (head, rows) = match file::ending(path).as_str() {
            "json" => json::read(path)?,
            "csv" => csv::read(path)?,
            "h" => header_read::read(path)?,
            _ => return Err(ReadError::new(path, Fault::Ending { known: ".csv, .json, .h".into() })),
        };
        claim::table(&head, &rows, network, path)
    }
}
