//! **What:** the module `quadrille._quadrille`, on which the package `quadrille` for Python stands.
//!
//! It holds what Python cannot do: networks, verified schedules, and the verbs of the command line, which run without the
//! interpreter's lock and end on Ctrl-C. How keywords become words, and what users see, is in `python/quadrille`.

mod columns;
mod network;
mod refused;
mod schedule;
mod verbs;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _quadrille {
    #[pymodule_export]
    use super::network::{Network, choose, graph};
    #[pymodule_export]
    use super::schedule::{Schedule, load};
    #[pymodule_export]
    use super::verbs::{ask, main, solve};
}
