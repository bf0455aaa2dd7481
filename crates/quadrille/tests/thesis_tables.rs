//! The dissertation's tables, typed as a user types them: every entry must reach its optimum with a certificate where the
//! transcription knows the optimum, and alltoall the floors of the networks that are solved quickly.

use std::path::PathBuf;
use std::process::Command;

/// The repository's root, to which the tables' file names are relative.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Steps, bound and whether it is optimal, of `solve`.
fn solve(arguments: &[&str]) -> (u64, u64, bool) {
    let run = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("solve")
        .args(arguments)
        .arg("--json")
        .current_dir(root())
        .output()
        .expect("the program starts");
    assert!(run.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let number = |field: &str| found[field].as_u64().expect("a number of steps");
    (number("steps"), number("bound"), found["optimal"] == true)
}

/// Entries whose optimum lies above every bound that a certificate here can prove (broadcast on full trees and in the
/// middle of small meshes: see SHORTCOMINGS.md).
fn provable(collective: &str, network: &str) -> bool {
    collective != "broadcast" || !(network.starts_with("full-tree") || network.starts_with("mesh"))
}

#[test]
fn every_entry_of_the_tables_reaches_its_optimum() {
    let table = std::fs::read_to_string(root().join("fixtures/thesis/tables.tsv")).expect("the transcription");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [network, flags, collective, _, optimum, ..] = cells[..] else { panic!("a short row: {row}") };
        let Ok(optimum) = optimum.parse::<u64>() else { continue };
        let mut arguments = vec![network, collective];
        arguments.extend(flags.split_whitespace());
        let (steps, bound, optimal) = solve(&arguments);
        rows += 1;
        if steps != optimum || (provable(collective, network) && !optimal) {
            wrong.push(format!("{row}: {steps}/{bound}"));
        }
    }
    assert!(rows > 400, "only {rows} rows were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn alltoall_reaches_its_floor() {
    for (network, steps) in [
        ("hypercube:3", 4),
        ("hypercube:4", 8),
        ("hypercube:5", 16),
        ("torus:4x4", 8),
        ("mesh:3x3", 6),
        ("mesh:3x4", 12),
        ("mesh:4x4", 16),
        ("mesh:5x5", 30),
        ("mesh:4x8", 64),
        ("spidergon:8", 4),
        ("spidergon:12", 9),
        ("spidergon:16", 16),
        ("spidergon:20", 25),
        ("spidergon:24", 36),
        ("petersen", 5),
        ("heawood", 9),
        ("kautz:3,2", 7),
        ("ring:8", 8),
        ("ring-uni:8", 28),
        ("ring-uni:16", 120),
        ("ring-uni:24", 276),
        ("ring-uni:32", 496),
        ("fat-tree:8", 7),
        ("omega:16", 15),
        ("clos:3,3,4", 11),
    ] {
        assert_eq!(solve(&[network, "alltoall"]), (steps, steps, true), "{network}");
    }
}

#[test]
fn many_to_many_scatter_of_table_8_21() {
    for (network, senders, receivers, steps) in [
        ("hypercube:3", "0-3", "0-3", 1),
        ("hypercube:3", "0-3", "4-7", 4),
        ("hypercube:3", "0-3", "0-7", 4),
        ("hypercube:3", "0,7", "0-3", 2),
        ("spidergon:8", "4-7", "4-7", 1),
        ("spidergon:8", "1,3,5,7", "0,2,4,6", 2),
    ] {
        let found = solve(&[network, "MNS", "--senders", senders, "--receivers", receivers]);
        assert_eq!(found.0, steps, "{network} {senders} to {receivers}");
    }
}
