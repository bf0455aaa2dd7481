//! Verified schedules in the formats of other programs: tables, pictures and pages, headers for hardware, states of switches, programs of MPI and of
//! accelerators, traces; and the traces, plots and choices of algorithms that go with them.
//!
//! What is written is a fact ([`kernel::Verified`], [`kernel::timed::VerifiedTimed`]); [`SCHEDULE_WRITERS`] lists every format of schedules, a line each. What comes back from hardware or
//! from traces is a claim like any other file. Every output is written beside its target and renamed ([`formats::file`]).
//!
//! ```
//! use exports::table::Table;
//! use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, Schedule, verify};
//!
//! let network = Network::new(NetworkData { nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() })?;
//! let problem = Problem::new(network, Collective::broadcast(Node(0), &[Node(1)]), Model::wormhole())?;
//! let mut claim = Schedule::new();
//! claim.send(Message(0), &[Channel(0)]);
//! let mut rows = Vec::new();
//! Table::of(&verify(&problem, claim)?)?.csv(&mut rows)?;
//! assert_eq!(String::from_utf8(rows)?.lines().count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod c_names;
pub mod chakra;
pub mod choice;
pub mod csv;
mod fields;
pub mod flits;
pub mod goal;
pub mod hardware;
pub mod html;
pub mod lft;
pub mod mpi_c;
pub mod npz;
pub mod played;
pub mod plot;
mod runtimes_files;
pub mod svg;
pub mod switches;
pub mod table;
pub mod timed_table;
pub mod trace;
mod writers;

pub use writers::{InSteps, InTime, SCHEDULE_WRITERS, ScheduleWriter, WriteTimed, schedule_file};
