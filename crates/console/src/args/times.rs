//! **What:** the arguments of `cost` and `compute`.

use super::ReportFlags;
use super::known::output_file;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const COST: &str = "\
Examples:
  quadrille cost hdn.json torus.json --alpha 1000 --beta 1
  quadrille cost hdn.json torus.json --model per-hop --alpha 50 --beta 0.5 --message 1..64K -o times.svg
  quadrille cost torus.json --model loggp --latency 5 --overhead 2 --gap 4 --word-gap 0.01 --message 1K --json
  quadrille cost timed.json                           a schedule in time: its critical path and channel use

Times are in the unit of the costs. Steps are synchronised: each takes as long as its longest transfer. A transfer of w
words over h channels takes A + B w (alpha-beta), h (A + B w) (per-hop), A + H h + B w (cut-through).";

pub(super) const COMPUTE: &str = "\
Examples:
  quadrille compute matrix-product swapped-dragonfly:9,3
  quadrille compute matrix-product swapped-dragonfly:9,3 --batched --size 36 --json
  quadrille compute vector-matrix swapped-dragonfly:16,3
  quadrille compute fft swapped-hypercube:3,3
  quadrille compute fft swapped-hypercube:3,3 --descend
  quadrille compute prefix-sums swapped-hypercube:2,4 --home
  quadrille compute sort swapped-hypercube:1,3
  quadrille compute fft hypercube:9                                    the plain hypercube, for comparison
  quadrille compute matrix-product swapped-dragonfly:9,3 --data x.npy --data a.npy --result product.npy
  quadrille compute vector-matrix swapped-dragonfly:4,3 --data row.csv --data a.csv --result product.csv -o moves.json

--data takes a file for each input, in the order of the product; matrices that do not fill the network are padded with
zeros. -o writes every move as a schedule file for `check`, `show` and `export`: the `value` of each message says
which number it is, sums are chunks with several contributors, and a step is a hop.

A hop moves at most one value over a channel; local computation costs nothing. Exit status 1: two values shared a channel, or the
numbers are wrong.";

/// What a transfer costs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum CostChoice {
    /// A start-up and a time per word
    AlphaBeta,
    /// The same, paid on every channel of the path
    PerHop,
    /// A start-up, a time per channel for the head, and a time per word
    CutThrough,
    /// Latency, overhead, and gaps between messages and between words
    Loggp,
}

/// The arguments of `cost`.
#[derive(Debug, Args)]
pub struct CostArgs {
    /// Schedule files, .json, .json.gz or .qdr; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The cost of a transfer, for schedules of steps [default: alpha-beta]
    #[arg(long, value_enum)]
    pub model: Option<CostChoice>,
    /// The cost of a start-up
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub alpha: Option<f64>,
    /// The cost of a word
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub beta: Option<f64>,
    /// The time of the head over one channel
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub hop: Option<f64>,
    /// LogGP: the network's latency
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub latency: Option<f64>,
    /// LogGP: the time that a message takes its sender, and again its receiver
    #[arg(long, value_name = "O", allow_negative_numbers = true)]
    pub overhead: Option<f64>,
    /// LogGP: the gap between messages of one node
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub gap: Option<f64>,
    /// LogGP: the gap between words of one message
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub word_gap: Option<f64>,
    /// Words per message: a number, a list, or a range, in powers of two from its start; K, M and G are powers of 1024
    /// [default: 1..1M]
    #[arg(long, value_name = "FROM..TO|LIST")]
    pub message: Option<String>,
    /// Let every transfer begin as soon as it can, not when its step begins
    #[arg(long)]
    pub pipelined: bool,
    /// Draw the times
    #[arg(short, value_name = "PLOT.svg", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Draw on a dark background
    #[arg(long, requires = "output")]
    pub dark: bool,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// A program of `compute`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ProgramChoice {
    /// The product of two matrices, on swapped-dragonfly:K,M (its largest part with a square number of cabinets), or by Cannon's algorithm on torus:QxQ
    MatrixProduct,
    /// The product of a row and a matrix, on swapped-dragonfly:K,M
    VectorMatrix,
    /// A discrete Fourier transform, on swapped-hypercube:K,M or hypercube:D
    Fft,
    /// The sums of the numbers up to each node, on the networks of fft
    PrefixSums,
    /// A circular convolution: two transforms by descend, one back by ascend, on the networks of fft
    Convolution,
    /// Merging two sorted runs (a bitonic merge, a descend), on the networks of fft
    Merge,
    /// Sorting numbers (a descend for each length of runs), on the networks of fft
    Sort,
}

impl ProgramChoice {
    /// Its name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// How a swapped hypercube emulates a plain one.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EmulationChoice {
    /// The shortest paths, 1 to 3 hops per bit: 2(K + 2M) hops for all
    Shortest,
    /// Four hops per bit, those of a synchronising header
    Uniform,
}

/// The arguments of `compute`.
#[derive(Debug, Args)]
pub struct ComputeArgs {
    /// The computation
    #[arg(value_enum)]
    pub program: ProgramChoice,
    /// The network it runs on
    pub network: String,
    /// Rows of the matrix, a multiple of ⌊√K⌋·M, or of Q on a torus [default: the least that holds the data, or one number per router]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Multiply as many rows at once as possible without sharing channels
    #[arg(long)]
    pub batched: bool,
    /// Let every item begin and end at the node of its number (vector-matrix: the product ends where the row began)
    #[arg(long)]
    pub home: bool,
    /// On swapped-hypercube:K,M: run the plain hypercube's program, items at home, instead of letting items move
    #[arg(long, value_enum)]
    pub emulate: Option<EmulationChoice>,
    /// Join bits from the highest to the lowest: input in order, output in the order of reversed bits (fft)
    #[arg(long)]
    pub descend: bool,
    /// Read the numbers from this file, .csv or .npy; one file for each input [default: random numbers]
    #[arg(long, value_name = "FILE")]
    pub data: Vec<PathBuf>,
    /// Write the result, .csv or .npy
    #[arg(long, value_name = "FILE")]
    pub result: Option<PathBuf>,
    /// Write the moves as a schedule file
    #[arg(short, value_name = "FILE.json[.gz]", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub report: ReportFlags,
}
