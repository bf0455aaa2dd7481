//! Laws of identification, in one program.

mod closed_forms;
mod laws;
