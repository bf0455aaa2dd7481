//! The verbs, one a file.

pub(crate) mod answer;
pub(crate) mod atlas;
mod below_floor;
pub(crate) mod bound;
mod bound_all;
mod bound_timed;
pub(crate) mod check;
mod check_network;
mod check_timed;
pub(crate) mod compare;
pub(crate) mod compute;
mod compute_data;
pub(crate) mod cost;
pub(crate) mod design;
mod design_compose;
mod design_graph;
mod design_table;
mod dual_net_table;
pub(crate) mod embed;
pub(crate) mod experiment;
pub(crate) mod export;
mod headers;
pub(crate) mod latin;
pub(crate) mod methods;
pub(crate) mod network;
pub(crate) mod prefixes;
mod route;
mod routing;
mod settings;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod solve;
mod solve_timed;
mod stage_settings;
mod vectors;

pub(crate) use routing::routings;
