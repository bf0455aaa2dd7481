//! Filled soon.
