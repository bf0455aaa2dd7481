//! Laws of schedules in time and formulas of the literature, in one program.

mod libraries;
mod packed;
mod shallow;
mod streams;
