//! **What:** the rates of success that the dissertation prints: [`printed_success`].
//!
//! **Source:** the dissertation, Tables 7.1 to 7.4: hypercubes of 8 to 128 nodes, a population of 100, ten runs.

use crate::Cell;

/// A row of the tables: how many runs of a hundred succeed; 0 where the table has a dash.
struct Row {
    pattern: &'static str,
    network: &'static str,
    sga: u32,
    umda: u32,
    mboa: u32,
}

const fn row(pattern: &'static str, network: &'static str, [sga, umda, mboa]: [u32; 3]) -> Row {
    Row { pattern, network, sga, umda, mboa }
}

const ROWS: [Row; 17] = [
    row("OAS", "hypercube:3", [100, 100, 100]),
    row("OAS", "hypercube:4", [80, 100, 100]),
    row("OAS", "hypercube:5", [70, 100, 100]),
    row("OAS", "hypercube:6", [70, 100, 90]),
    row("OAS", "hypercube:7", [70, 90, 80]),
    row("AAS", "hypercube:3", [10, 100, 60]),
    row("AAS", "hypercube:4", [0, 40, 30]),
    row("AAS", "hypercube:5", [0, 10, 10]),
    row("OAB", "hypercube:3", [100, 100, 100]),
    row("OAB", "hypercube:4", [100, 100, 100]),
    row("OAB", "hypercube:5", [50, 100, 100]),
    row("OAB", "hypercube:6", [50, 90, 70]),
    row("OAB", "hypercube:7", [30, 60, 50]),
    row("AAB", "hypercube:3", [70, 100, 100]),
    row("AAB", "hypercube:4", [20, 80, 50]),
    row("AAB", "hypercube:5", [0, 40, 10]),
    row("AAB", "hypercube:6", [0, 10, 0]),
];

/// The dissertation's rate of success, in per cent, for the method, network and pattern of this cell; nothing where it prints a dash, or
/// where it has no row of these probabilities and candidates.
#[must_use]
pub fn printed_success(cell: &Cell) -> Option<u32> {
    let tables =
        (cell.population, cell.crossover, cell.mutation, cell.below) == (100, 0.9, 0.9, 0) && cell.steps.is_none();
    let row = ROWS.iter().find(|row| row.pattern == cell.pattern && row.network == cell.network)?;
    let rate = match cell.method {
        "sga" => row.sga,
        "umda" => row.umda,
        _ => row.mboa,
    };
    (tables && rate > 0).then_some(rate)
}
