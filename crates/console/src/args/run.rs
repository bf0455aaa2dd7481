//! **What:** the arguments of `run`.

use super::ReportFlags;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const RUN: &str = "\
Examples:
  mpirun -n 16 quadrille-mpi run torus.json --bytes 1M
  mpirun -n 4 quadrille-mpi run torus.json --bytes 64K --map block --type f64 --iterations 1000 --json

Every terminal of the network is an MPI rank; with --map several terminals share a rank, and messages between them are copied in memory.
Transfers begin as soon as the data they send is available, without waiting for steps. --bytes counts as nccl-tests does: the vector of broadcast, reduce and allreduce, the whole output of
allgather and gather, one rank's whole input of scatter, alltoall and reduce_scatter; for other collectives each message.
All data is checked at every rank before and after the iterations, and the MPI library's own collective is timed as well. Only rank 0 reads the file.";

/// What messages are made of; in this order in the engine's `type_of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ElementChoice {
    /// Signed integers of 8 bits
    I8,
    /// Unsigned integers of 8 bits
    U8,
    /// Signed integers of 32 bits
    I32,
    /// Unsigned integers of 32 bits
    U32,
    /// Signed integers of 64 bits
    I64,
    /// Unsigned integers of 64 bits
    U64,
    /// Floating-point numbers of 32 bits
    F32,
    /// Floating-point numbers of 64 bits
    F64,
}

impl ElementChoice {
    /// All of them in order.
    pub const ALL: [ElementChoice; 8] = [
        ElementChoice::I8,
        ElementChoice::U8,
        ElementChoice::I32,
        ElementChoice::U32,
        ElementChoice::I64,
        ElementChoice::U64,
        ElementChoice::F32,
        ElementChoice::F64,
    ];

    /// Bytes of one.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            ElementChoice::I8 | ElementChoice::U8 => 1,
            ElementChoice::I32 | ElementChoice::U32 | ElementChoice::F32 => 4,
            ElementChoice::I64 | ElementChoice::U64 | ElementChoice::F64 => 8,
        }
    }
}

/// Which terminals share a rank.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SharingChoice {
    /// Consecutive terminals share a rank
    Block,
    /// Terminals go to the ranks in turn
    RoundRobin,
}

/// The arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// A schedule file, .json, .json.gz or .qdr: of steps, of orbits, or in time
    pub file: PathBuf,
    /// The size of the collective; units are K M G and Ki Mi Gi
    #[arg(long, value_name = "SIZE")]
    pub bytes: String,
    /// The type of the elements of messages
    #[arg(long = "type", value_enum, default_value = "f32")]
    pub element: ElementChoice,
    /// Number of timed runs
    #[arg(long, value_name = "K", default_value_t = 20)]
    pub iterations: u32,
    /// Number of untimed runs before them
    #[arg(long, value_name = "W", default_value_t = 5)]
    pub warmup: u32,
    /// Let terminals share ranks if there are fewer ranks than terminals
    #[arg(long, value_enum)]
    pub map: Option<SharingChoice>,
    /// Do not check the data
    #[arg(long)]
    pub no_check: bool,
    /// Fail after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, default_value_t = 600.0, allow_negative_numbers = true)]
    pub time: f64,
    /// Fail if a rank that waits for others receives nothing for this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, default_value_t = 30.0, allow_negative_numbers = true)]
    pub silence: f64,
    #[command(flatten)]
    pub report: ReportFlags,
}
