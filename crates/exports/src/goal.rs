//! **What:** GOAL, the text that LogGOPSim (`txt2bin`) and ATLAHS read: sends, receives and computations of every rank, with what they wait for.
//!
//! **Parameters:** a rank is a terminal, in ascending order. Operations are labelled `o0`, `o1`, …; a transfer has one tag at both ends. `nic` and
//! `cpu` are the channel by which a transfer leaves its node, or reaches it, counted among the node's channels, so that all ports work at once; beyond
//! 256 channels they begin at 0 again. `calc` is
//! the time of merging in nanoseconds, 0 where the network tells no rate.
//!
//! **Facts:** what is lost: paths between first and last channel, bandwidths, latencies and times. LogGOPSim has one gap for all of them.
//! Copies within a rank take no time and are left out, as nothing waits for them.
//!
//! **Source:** T. Hoefler, C. Siebert, A. Lumsdaine, Group Operation Assembly Language (ICPP 2009); the grammar of LogGOPSim's `txt2bin`.

use crate::played::Played;
use formats::{WriteError, file};
use program::Action;
use std::io::{self, Write};
use std::path::Path;

/// Interfaces that a rank can name.
const NICS: usize = 256;

/// Writes a file.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(played: &Played<'_>, path: &Path) -> Result<(), WriteError> {
    file::save(path, |out| write_to(played, out))
}

fn write_to(played: &Played<'_>, out: &mut dyn Write) -> io::Result<()> {
    let program = &played.program;
    writeln!(out, "num_ranks {}", program.ranks().len())?;
    for (rank, of) in program.ranks().iter().enumerate() {
        writeln!(out, "\nrank {rank} {{")?;
        for (at, operation) in of.operations.iter().enumerate() {
            match &operation.action {
                Action::Send { to, transfer, places } => {
                    let first = program.path(*transfer).first();
                    let nic = first.and_then(|first| played.network.outgoing(of.node).iter().position(|c| c == first));
                    let (bytes, nic) = (played.bytes(places.len()), nic.unwrap_or(0) % NICS);
                    writeln!(out, "o{at}: send {bytes}b to {to} tag {transfer} cpu {nic} nic {nic}")?;
                }
                Action::Receive { from, transfer, places } => {
                    let last = program.path(*transfer).last();
                    let nic = last.and_then(|last| played.network.incoming(of.node).iter().position(|c| c == last));
                    let (bytes, nic) = (played.bytes(places.len()), nic.unwrap_or(0) % NICS);
                    writeln!(out, "o{at}: recv {bytes}b from {from} tag {transfer} cpu {nic} nic {nic}")?;
                }
                Action::Merge { of, .. } => {
                    writeln!(out, "o{at}: calc {} cpu 0", played.merging_ns(of.len() - 1))?;
                }
                Action::Copy { .. } => continue,
            }
            for before in &operation.after {
                writeln!(out, "o{at} requires o{before}")?;
            }
        }
        writeln!(out, "}}")?;
    }
    Ok(())
}
