//! **What:** the arguments of `run`.

use super::ReportFlags;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const RUN: &str = "\
Examples:
  mpirun -n 16 quadrille-mpi run torus.json --bytes 1M
  mpirun -n 4 quadrille-mpi run torus.json --bytes 64K --map block --type f64 --iterations 1000 --json

Every terminal of the network is an MPI rank; with --map several terminals share a rank, and what goes between them is copied in memory.
Transfers begin as soon as what they send is there, and wait for no step. --bytes counts as nccl-tests does: the vector of broadcast, reduce and allreduce, the whole output of
allgather and gather, one rank's whole input of scatter, alltoall and reduce_scatter; of other collectives every message.
All data is checked at every rank before and after the iterations, and the MPI library's own collective is timed beside. Rank 0 alone reads the file.";

/// What messages are made of; in this order in the engine's `type_of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ElementChoice {
    /// Whole numbers of 8 bits
    I8,
    /// The same without sign
    U8,
    /// Of 32 bits
    I32,
    /// Without sign
    U32,
    /// Of 64 bits
    I64,
    /// Without sign
    U64,
    /// Floating-point numbers of 32 bits
    F32,
    /// Of 64 bits
    F64,
}

/// Which terminals share a rank.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SharingChoice {
    /// Neighbours by number
    Block,
    /// In turn
    RoundRobin,
}

/// The arguments of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// A schedule file, .json, .json.gz or .qdr: of steps, of orbits, or in time
    pub file: PathBuf,
    /// The size of the collective; units are K M G and Ki Mi Gi
    #[arg(long, value_name = "SIZE")]
    pub bytes: String,
    /// What messages are made of
    #[arg(long = "type", value_enum, default_value = "f32")]
    pub element: ElementChoice,
    /// Times that it is run and timed
    #[arg(long, value_name = "K", default_value_t = 20)]
    pub iterations: u32,
    /// Times that it is run before that
    #[arg(long, value_name = "W", default_value_t = 5)]
    pub warmup: u32,
    /// Let terminals share ranks, where there are fewer ranks
    #[arg(long, value_enum)]
    pub map: Option<SharingChoice>,
    /// Leave the data unchecked
    #[arg(long)]
    pub no_check: bool,
    /// End with an error after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, allow_negative_numbers = true)]
    pub time: f64,
    /// End with an error where a rank has waited for others for so many seconds and nothing has come: one of them is lost
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, allow_negative_numbers = true)]
    pub silence: f64,
    #[command(flatten)]
    pub report: ReportFlags,
}
