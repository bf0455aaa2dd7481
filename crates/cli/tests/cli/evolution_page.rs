//! The page on evolution: its tables are those of the files of runs beside it.

use crate::pages::{docs, page, rows};
use experiments::{Cell, experiment, printed_success};
use std::collections::BTreeMap;

const METHODS: [&str; 3] = ["sga", "umda", "mboa"];

/// A run: its columns by their names.
type Run = BTreeMap<String, String>;

fn runs(name: &str) -> Vec<Run> {
    let text = std::fs::read_to_string(docs().join("measurements/evolution").join(name)).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect()
}

/// The runs whose columns have these values.
fn cell<'a>(runs: &'a [Run], wanted: &[(&str, &str)]) -> Vec<&'a Run> {
    let found: Vec<&Run> = runs.iter().filter(|run| wanted.iter().all(|(key, value)| run[*key] == *value)).collect();
    assert!(!found.is_empty(), "{wanted:?}");
    found
}

fn solved(runs: &[&Run]) -> usize {
    runs.iter().filter(|run| run["solved"] == "true").count()
}

fn mean(runs: &[&Run], key: &str) -> f64 {
    runs.iter().map(|run| run[key].parse::<f64>().unwrap()).sum::<f64>() / runs.len() as f64
}

/// Whether `12.3 k`, `1.14 M` or `0.005` is `value`, to half of its last place.
fn is(told: &str, value: f64) -> bool {
    let (digits, unit) = match told.split_once(' ') {
        Some((digits, "k")) => (digits, 1e3),
        Some((digits, "M")) => (digits, 1e6),
        _ => (told, 1.0),
    };
    let places = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let told = digits.parse::<f64>().unwrap();
    (value / unit - told).abs() <= 0.501 * 0.1_f64.powi(places as i32)
}

#[test]
fn successes_are_those_of_the_runs() {
    let runs = runs("scalability.tsv");
    let cells = (experiment("scalability").unwrap().cells)();
    let dimensions = |nodes: &str| nodes.parse::<u32>().unwrap().ilog2();
    let mut compared = 0;
    for row in rows(&page("evolution.md")).iter().filter(|row| row.len() == 6 && row[3].contains(" of ")) {
        let network = format!("hypercube:{}", dimensions(&row[1]));
        for (at, (method, told)) in METHODS.iter().zip(&row[3..]).enumerate() {
            let cell = cell(&runs, &[("method", method), ("network", &network), ("pattern", &row[0])]);
            let parts: Vec<&str> = told.split(", ").collect();
            assert_eq!(parts[0], format!("{} of {}", solved(&cell), cell.len()), "{method}: {row:?}");
            let done: Vec<&Run> = cell.into_iter().filter(|run| run["solved"] == "true").collect();
            assert!(is(parts[1], mean(&done, "evaluations")), "{method}: {row:?}");
            assert!(is(parts[2].trim_end_matches(" s"), mean(&done, "seconds")), "{method}: {row:?}");
            let own = |c: &&Cell| (c.method, &c.network, &c.pattern) == (*method, &network, &row[0]);
            let rate =
                printed_success(cells.iter().find(own).unwrap()).map_or("–".into(), |rate| format!("{rate} %"));
            assert_eq!(row[2].split(", ").nth(at), Some(rate.as_str()), "{method}: {row:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 51);
}

#[test]
fn the_technique_as_printed_is_that_of_the_runs() {
    let runs = runs("printed.tsv");
    let mut compared = 0;
    for row in rows(&page("evolution.md")).iter().filter(|row| row.len() == 6 && row[5].matches(" k").count() == 3) {
        let network = row[0].trim_end_matches(", slack 1");
        for (at, method) in METHODS.iter().enumerate() {
            let of = |refine| {
                cell(&runs, &[("method", method), ("network", network), ("pattern", &row[1]), ("refine", refine)])
            };
            let (printed, refined) = (of("0"), of("100"));
            let parts: Vec<&str> = row[2 + at].split(", ").collect();
            assert_eq!(parts[0], solved(&printed).to_string(), "{method}: {row:?}");
            assert!(is(parts[1], mean(&printed, "evaluations")), "{method}: {row:?}");
            assert!(is(parts[2], mean(&printed, "best")), "{method}: {row:?}");
            assert_eq!(solved(&refined), 10);
            assert!(is(row[5].split(", ").nth(at).unwrap(), mean(&refined, "evaluations")), "{method}: {row:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 24);
}

#[test]
fn rules_of_a_generation_have_the_successes_of_the_runs() {
    let runs = runs("rules.tsv");
    let all = rows(&page("evolution.md"));
    let head = all.iter().find(|row| row.len() == 9 && row[1] == "rules").unwrap();
    let mut compared = 0;
    for row in all.iter().filter(|row| row.len() == 9 && METHODS.contains(&row[0].as_str())) {
        let (rules, crossover) = row[1].split_once(", crossover ").unwrap_or((&row[1], "0.9"));
        let rules = rules.trim_end_matches(" (GAlib)");
        let mut sum = 0;
        for (label, told) in head[2..8].iter().zip(&row[2..8]) {
            let (network, pattern) = label.split_once(' ').unwrap();
            let of = |rules| {
                let wanted = [("method", &row[0][..]), ("network", network), ("pattern", pattern), ("rules", rules)];
                runs.iter()
                    .filter(|run| run["crossover"] == crossover && wanted.iter().all(|(k, v)| run[*k] == *v))
                    .collect::<Vec<_>>()
            };
            // With several receivers genes are whole anyway, and those runs are not made twice.
            let alone = if rules == "whole" { "usual" } else { rules.trim_end_matches("+whole") };
            let found = [rules, alone].map(of).into_iter().find(|runs| !runs.is_empty()).unwrap_or_default();
            assert_eq!(found.len(), 10, "{label}: {row:?}");
            assert_eq!(solved(&found).to_string(), *told, "{label}: {row:?}");
            sum += solved(&found);
        }
        assert_eq!(sum.to_string(), row[8], "{row:?}");
        compared += 1;
    }
    assert_eq!(compared, 19);
}

#[test]
fn seconds_on_other_networks_are_those_of_the_runs() {
    let runs = runs("networks.tsv");
    let mut compared = 0;
    for row in rows(&page("evolution.md")).iter().filter(|row| row.len() == 7 && row[3].contains(" of ")) {
        for (pattern, told) in ["OAS", "AAS", "OAB", "AAB"].iter().zip(&row[3..]) {
            let cell = cell(&runs, &[("network", &row[0]), ("pattern", pattern)]);
            let parts: Vec<&str> = told.split(", ").collect();
            assert_eq!(parts[0], format!("{} of {}", solved(&cell), cell.len()), "{pattern}: {row:?}");
            let seconds = parts.get(1).map(|seconds| seconds.trim_end_matches(" s"));
            assert!(seconds.is_none_or(|seconds| is(seconds, mean(&cell, "seconds"))), "{pattern}: {row:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 40);
}

#[test]
fn trees_are_those_of_the_runs() {
    let runs = runs("trees.tsv");
    let mut compared = 0;
    for row in rows(&page("evolution.md")).iter().filter(|row| row.len() == 4 && row[0].starts_with("full-tree:")) {
        let cell = cell(&runs, &[("network", &row[0]), ("steps", &row[2])]);
        let parts: Vec<&str> = row[3].split(", ").collect();
        assert_eq!(parts[0], format!("{} of {}", solved(&cell), cell.len()), "{row:?}");
        assert!(is(parts[1], mean(&cell, "evaluations")), "{row:?}");
        assert!(is(parts[2].trim_end_matches(" s"), mean(&cell, "seconds")), "{row:?}");
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[test]
fn speeds_and_conflicts_are_those_of_the_runs() {
    let (speed, population) = (runs("speed.tsv"), runs("population.tsv"));
    let of = |row: &[String]| METHODS.contains(&row[1].as_str()) && ["AAS", "AAB"].contains(&row[0].as_str());
    let all = rows(&page("evolution.md"));
    let (mut speeds, mut conflicts) = (0, 0);
    for row in all.iter().filter(|row| row.len() == 7 && of(row)) {
        for (size, told) in ["50", "100", "150"].iter().zip(&row[4..]) {
            let wanted = [("pattern", &row[0][..]), ("method", &row[1]), ("refine", &row[2]), ("population", size)];
            let cell = cell(&speed, &wanted);
            let drawn = cell.into_iter().filter(|run| row[3].is_empty() || run["drawn"] == row[3]).collect::<Vec<_>>();
            assert!(is(told, mean(&drawn, "evaluations") / mean(&drawn, "seconds")), "{size}: {row:?}");
            speeds += 1;
        }
    }
    for row in all.iter().filter(|row| row.len() == 9 && of(row)) {
        for (mutation, told) in ["0", "0.2", "0.5", "0.7", "0.9"].iter().zip(&row[4..]) {
            let wanted = [("pattern", &row[0][..]), ("method", &row[1]), ("population", &row[2])];
            let cell = cell(&population, &[&wanted[..], &[("crossover", &row[3]), ("mutation", mutation)]].concat());
            assert!(is(told, mean(&cell, "best")), "{mutation}: {row:?}");
            conflicts += 1;
        }
    }
    assert_eq!((speeds, conflicts), (48, 210));
}
