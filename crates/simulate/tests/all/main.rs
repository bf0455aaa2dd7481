//! Laws of the simulator, and what is known of it without simulation.

mod conservation;
mod costs;
mod deadlock;
mod equations;
mod measure;
mod media;
mod play;
mod reductions;
mod rivals;
mod routes;
mod settings;
mod statistics;
mod timed;
mod traffic;
