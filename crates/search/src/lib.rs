//! Searches for schedules, one a module. Everything here makes claims; the checkers are the kernel's.

mod allgather;
mod arborescences;
mod broadcast;
mod copies;
mod edge_colouring;
mod euler;
mod exact_paths;
mod exact_sat;
mod exchange;
mod greedy;
mod greedy_slots;
mod packing;
mod path_exchange;
mod relays;
mod scatter;
mod schedule_repair;
mod slot_paths;
mod time_expanded;
pub mod transform;

pub use allgather::AllgatherMatching;
pub use arborescences::Arborescences;
pub use broadcast::BroadcastLevels;
pub use edge_colouring::EdgeColouring;
pub use euler::EulerRing;
pub use exact_sat::ExactSat;
pub use exchange::Exchange;
pub use greedy::Greedy;
pub use packing::Packing;
pub use path_exchange::PathExchange;
pub use scatter::ScatterFlow;
pub use schedule_repair::ScheduleRepair;
pub use slot_paths::SlotPaths;
pub use time_expanded::TimeExpanded;
