//! All tests from outside of the crate, in one program: it is linked once and runs them side by side.

mod certificates;
mod clauses;
mod counting;
mod distances;
mod folded;
mod formulas;
mod holders;
mod late_cuts;
mod multicasts;
mod orbits;
mod problems;
mod product_form;
mod products;
mod proof_lines;
mod proofs;
mod reach;
mod reductions;
mod schedules;
mod shared;
mod sizes;
mod slots;
mod spreading;
mod symmetry;
mod timed;
mod verdicts;
mod violations;
