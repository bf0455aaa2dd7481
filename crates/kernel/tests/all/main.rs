//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod certificates;
mod formulas;
mod holders;
mod late_cuts;
mod orbits;
mod problems;
mod products;
mod proofs;
mod reach;
mod reductions;
mod schedules;
mod sizes;
mod slots;
mod spreading;
mod verdicts;
mod violations;
