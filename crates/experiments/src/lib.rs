//! The dissertation's experiments with evolution: [`EXPERIMENTS`], and [`conduct`], which runs one of these or one of the user's own.
//!
//! An experiment is a list of [cells](Cell), each a method, a problem and parameters. Every run of a cell is a [`Record`], a line of a file; a
//! run that has its line is not run again, so an interrupted experiment goes on where it was. Pictures are drawn from the lines.
//! Whatever a record calls solved went through `verify`.
//!
//! **Source:** the dissertation: Tables 7.1 to 7.4 and Figures 7.6 and 7.7 (`scalability`; `beyond`: where it prints no
//! success), Figures 7.1 to 7.4 (`population`), Figure 7.5 (`speed`), Table 8.23 (`networks`), Table 8.14 (`trees`). Its tables of success
//! are also what `printed` and `rules` are compared with, on small networks: the technique as printed, and under other rules of a generation.

mod cell;
mod conduct;
mod error;
mod least;
mod list;
mod measure;
mod plots;
mod printed;
mod record;
mod summary;

pub use cell::Cell;
pub use conduct::{Conducted, Options, Told, conduct};
pub use error::ExperimentError;
pub use least::least_conflicts;
pub use list::{EXPERIMENTS, Experiment, OWN, experiment};
pub use measure::Limit;
pub use printed::printed_success;
pub use record::Record;
pub use summary::{Reached, Statistic, Summary, csv, summaries};
