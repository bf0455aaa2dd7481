//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod all_ports;
mod common;
mod cosets;
mod dragonflies;
mod fat_trees;
mod latin;
mod laws;
mod multistage;
mod product_form;
mod swapped_dragonflies;
mod swapped_trees;
mod total_exchange;
mod tours;
mod translated_trees;
