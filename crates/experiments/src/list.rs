//! **What:** which cells the experiments have: [`EXPERIMENTS`].

use crate::Cell;
use evolution::{Linkage, Rules, Selection, Survival, Ties};

/// An experiment.
#[derive(Debug)]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// What it finds out.
    pub about: &'static str,
    /// Where the dissertation has it.
    pub source: &'static str,
    /// Runs a cell at the dissertation's scale.
    pub full_runs: u64,
    /// Whether a run ends where fewer conflicts are impossible.
    pub settles: bool,
    /// Its cells.
    pub cells: fn() -> Vec<Cell>,
}

/// Every experiment.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "scalability",
        about: "runs without conflicts, and candidates until then, on hypercubes of 8 to 128 nodes",
        source: "Tables 7.1 to 7.4, Figures 7.6 and 7.7",
        full_runs: 10,
        settles: false,
        cells: scalability,
    },
    Experiment {
        name: "beyond",
        about: "the same where the dissertation prints no success",
        source: "Tables 7.1 to 7.4",
        full_runs: 10,
        settles: false,
        cells: beyond,
    },
    Experiment {
        name: "population",
        about: "conflicts left one step below the lower bound, by population and probabilities, the technique as printed",
        source: "section 7.2, Figures 7.1 to 7.4",
        full_runs: 30,
        settles: true,
        cells: population,
    },
    Experiment {
        name: "speed",
        about: "candidates a second, by population, with and without refinement",
        source: "Figure 7.5",
        full_runs: 30,
        settles: false,
        cells: speed,
    },
    Experiment {
        name: "networks",
        about: "umda on other networks",
        source: "Table 8.23",
        full_runs: 5,
        settles: false,
        cells: networks,
    },
    Experiment {
        name: "trees",
        about: "allgather on binary trees whose nodes are all terminals, umda",
        source: "Table 8.14",
        full_runs: 10,
        settles: false,
        cells: || each(&["umda"], &["full-tree:7", "full-tree:15", "full-tree:31", "full-tree:63"], &["AAB"]),
    },
    Experiment {
        name: "printed",
        about: "runs without conflicts, the technique as printed beside that with refinement",
        source: "Tables 7.1 to 7.4",
        full_runs: 10,
        settles: false,
        cells: printed,
    },
    Experiment {
        name: "rules",
        about: "the technique as printed under other rules of a generation, one changed at a time",
        source: "section 7.1, Tables 7.1 to 7.4",
        full_runs: 10,
        settles: false,
        cells: rules,
    },
];

/// The name of an experiment whose cells the user chooses.
pub const OWN: &str = "own";

/// The experiment of that name.
#[must_use]
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name)
}

const METHODS: [&str; 3] = ["sga", "umda", "mboa"];
const PATTERNS: [&str; 4] = ["OAS", "AAS", "OAB", "AAB"];
const PROBABILITIES: [f64; 5] = [0.0, 0.2, 0.5, 0.7, 0.9];
const POPULATIONS: [u32; 3] = [50, 100, 150];
const CUBES: [&str; 5] = ["hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6", "hypercube:7"];
const SMALL: [&str; 6] = ["hypercube:3", "hypercube:4", "ring:8", "spidergon:8", "kautz:3,2", "mesh:4x4"];
const OTHERS: [&str; 10] = [
    "ring:8",
    "ring-uni:8",
    "spidergon:8",
    "petersen",
    "kautz:3,2",
    "heawood",
    "spidergon:16",
    "levi",
    "hypercube:5",
    "kautz:3,3",
];

fn each(methods: &[&'static str], networks: &[&'static str], patterns: &[&'static str]) -> Vec<Cell> {
    let places = networks.iter().flat_map(|network| patterns.iter().map(move |pattern| (*network, *pattern)));
    places
        .flat_map(|(network, pattern)| methods.iter().map(move |method| Cell::usual(method, network, pattern)))
        .collect()
}

/// One step below the floor on 16 nodes, which compares settings.
fn benchmarks() -> impl Iterator<Item = Cell> {
    let both = |method: &&'static str| ["AAS", "AAB"].map(|pattern| Cell::usual(method, "hypercube:4", pattern));
    METHODS.iter().flat_map(both).map(|cell| Cell { below: 1, ..cell }).collect::<Vec<_>>().into_iter()
}

fn scalability() -> Vec<Cell> {
    [
        each(&METHODS, &CUBES, &["OAS", "OAB"]),
        each(&METHODS, &CUBES[..3], &["AAS"]),
        each(&METHODS, &CUBES[..4], &["AAB"]),
    ]
    .concat()
}

fn beyond() -> Vec<Cell> {
    [each(&METHODS, &["hypercube:6"], &["AAS"]), each(&METHODS, &["hypercube:7"], &["AAB"])].concat()
}

fn networks() -> Vec<Cell> {
    let mut cells = each(&["umda"], &OTHERS, &PATTERNS);
    // Its shortest paths alone do not reach these floors.
    let tight = |cell: &&mut Cell| cell.network == "kautz:3,3" && cell.pattern.ends_with('S');
    cells.iter_mut().filter(tight).for_each(|cell| cell.slack = 1);
    cells
}

/// The technique as the dissertation has it: no refinement, all genes from the model.
fn as_printed(cell: Cell) -> Cell {
    Cell { refine: 0, drawn: 1.0, ..cell }
}

/// Small networks, the technique as printed and then with refinement.
fn printed() -> Vec<Cell> {
    let mut cells = each(&METHODS, &SMALL, &PATTERNS);
    cells.extend(large_kautz());
    cells.into_iter().flat_map(|cell| [as_printed(cell.clone()), cell]).collect()
}

/// One-to-all patterns that not every run solves.
fn large_kautz() -> Vec<Cell> {
    let mut cells = each(&METHODS, &["kautz:3,3"], &["OAS", "OAB"]);
    // Its shortest paths alone do not reach this floor.
    cells.iter_mut().filter(|cell| cell.pattern == "OAS").for_each(|cell| cell.slack = 1);
    cells
}

/// What some runs fail at, by every rule alone and by all.
fn rules() -> Vec<Cell> {
    let usual = Rules::USUAL;
    let best = Rules { survival: Survival::Best, ..usual };
    let older = Rules { ties: Ties::Older, ..usual };
    let both = Rules { ties: Ties::Older, ..best };
    let roulette = Rules { selection: Selection::Roulette, ..usual };
    let cells = [
        each(&METHODS, &["hypercube:3", "ring:8"], &["AAS"]),
        each(&METHODS, &["hypercube:4"], &["AAS", "AAB"]),
        each(&METHODS, &["mesh:4x4"], &["AAB"]),
        large_kautz(),
    ];
    let of = |cell: &Cell| {
        let cell = as_printed(cell.clone());
        let all = [usual, best, older, both].map(|rules| Cell { rules, ..cell.clone() });
        let only = [roulette, Rules { selection: Selection::Roulette, ..both }, Rules::GALIB]
            .map(|rules| Cell { rules, ..cell.clone() });
        let crossed = [0.0, 0.5].map(|crossover| Cell { crossover, ..cell.clone() });
        // Nothing is crossed, and nothing drawn by roulette, where there is a model.
        let only = only.into_iter().chain(crossed).filter(|cell| cell.method == "sga");
        // Genes of messages with many receivers are drawn whole anyway.
        let whole =
            [usual, best].map(|rules| Cell { rules: Rules { linkage: Linkage::Genes, ..rules }, ..cell.clone() });
        let whole = whole.into_iter().filter(|cell| cell.method == "umda" && cell.pattern.ends_with('S'));
        all.into_iter().chain(only).chain(whole).collect::<Vec<_>>()
    };
    cells.concat().iter().flat_map(of).collect()
}

/// The printed technique by population and probabilities.
fn population() -> Vec<Cell> {
    let mut cells = Vec::new();
    for plain in benchmarks().map(as_printed) {
        for (population, mutation) in POPULATIONS.into_iter().flat_map(|n| PROBABILITIES.map(|m| (n, m))) {
            let crossed = if plain.method == "sga" { &PROBABILITIES[..] } else { &[0.9] };
            cells.extend(crossed.iter().map(|&crossover| Cell { population, mutation, crossover, ..plain.clone() }));
        }
    }
    cells
}

fn speed() -> Vec<Cell> {
    let variants = [(100, 0.01), (0, 0.01), (0, 1.0)];
    let all = benchmarks().flat_map(|cell| variants.map(|(refine, drawn)| Cell { refine, drawn, ..cell.clone() }));
    // Nothing is drawn from a model in `sga`.
    let all = all.filter(|cell| cell.method != "sga" || cell.drawn < 1.0);
    all.flat_map(|cell| POPULATIONS.map(|population| Cell { population, ..cell.clone() })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_cells_as_wanted() {
        let counts: Vec<usize> = EXPERIMENTS.iter().map(|experiment| (experiment.cells)().len()).collect();
        assert_eq!(counts, [51, 6, 210, 48, 40, 4, 156, 127]);
        let full: u64 = EXPERIMENTS.iter().zip(&counts).map(|(e, cells)| e.full_runs * *cells as u64).sum();
        assert_eq!(full, 510 + 60 + 6300 + 1440 + 200 + 40 + 1560 + 1270);
        for cell in EXPERIMENTS.iter().flat_map(|experiment| (experiment.cells)()) {
            assert!(cell.problem().is_ok(), "{cell:?}");
        }
    }
}
