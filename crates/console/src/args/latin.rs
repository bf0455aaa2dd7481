//! **What:** the arguments of `latin`.

use super::ReportFlags;
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(super) const LATIN: &str = "\
Examples:
  quadrille latin print cyclic 7                  a table of addition modulo 7
  quadrille latin print lls gft:2,4,2             the rows that a fat tree's switches send, by rotations
  quadrille latin print lls gft:2,2,2 --by-output
  quadrille latin print partition gft:2,2,2 --square 6
  quadrille latin print partition omega:8 --square 6 --letters
  quadrille latin check square.txt                every repeated symbol, by row and column
  quadrille latin mates xor 4                     transversals and orthogonal squares, and one of them
  quadrille latin mates square.json --json

KIND is cyclic N, xor N, digits N1,N2,… (digit-wise addition), or, on a fat tree or a multistage network, lls, rls, cls,
digits or partition NETWORK. Row k is step k of the network, and cell (k, t) is the terminal to which terminal t
sends or, with --by-output, as many papers print it, the terminal whose message t receives.
A file has one row per line, symbols 0 to n-1 or capital letters from A on, separated by blanks or commas, and comments
after #; a .json file holds a list of rows. Exit status 1: the square is not Latin, or counting did not end within --ticks.";

/// The arguments of `latin`.
#[derive(Debug, Args)]
pub struct LatinArgs {
    /// What to do with it.
    #[command(subcommand)]
    pub verb: LatinVerb,
}

/// What to do with a Latin square.
#[derive(Debug, Subcommand)]
pub enum LatinVerb {
    /// Report whether a file holds a Latin square, and what is wrong with it
    Check {
        /// A file of rows
        file: PathBuf,
        #[command(flatten)]
        report: ReportFlags,
    },
    /// Print a square of some kind
    Print {
        #[command(flatten)]
        square: SquareChoice,
        /// Let cell (k, t) be the source of the message that terminal t receives, not the destination of the one it sends
        #[arg(long)]
        by_output: bool,
        /// Print letters from A on, for squares of up to 26 symbols
        #[arg(long, conflicts_with = "json")]
        letters: bool,
        #[command(flatten)]
        report: ReportFlags,
    },
    /// Count transversals and orthogonal squares, and print one of these
    Mates {
        #[command(flatten)]
        square: SquareChoice,
        /// Stop after this many elementary moves
        #[arg(long, value_name = "N", default_value_t = 200_000_000)]
        ticks: u64,
        #[command(flatten)]
        report: ReportFlags,
    },
}

/// A Latin square.
#[derive(Debug, Args)]
pub struct SquareChoice {
    /// A kind of square, followed by its size; or a file of rows
    #[arg(value_name = "KIND|FILE")]
    pub kind: String,
    /// The number of symbols, the numbers of digits, or a network
    #[arg(value_name = "SIZE")]
    pub size: Option<String>,
    /// Which square of a partition
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub square: u128,
}
