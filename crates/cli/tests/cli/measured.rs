//! The tables of pages that list steps: every row that is quick is made anew.

use crate::pages::{docs, network, page, rows};
use crate::{Answer, arguments, quadrille};
use serde_json::json;

/// The network in the first cell of a row, between backticks.
fn spec(row: &[String]) -> Option<&str> {
    row[0].strip_prefix('`')?.split('`').next().filter(|spec| spec.contains(':'))
}

fn alltoall(spec: &str, flags: &[&str]) -> Answer {
    arguments(&[&["solve", spec, "alltoall", "--json"], flags].concat())
}

#[test]
fn the_page_on_meshes_has_the_steps() {
    let mut made = 0;
    for row in rows(&page("mesh-alltoall.md")).iter().filter(|row| row.len() == 5) {
        let Some(spec) = spec(row).filter(|_| row[2].parse::<f64>().is_ok_and(|s| s <= 0.5)) else { continue };
        let answer = alltoall(spec, &[]).json(0);
        assert_eq!((answer["steps"].to_string(), &answer["optimal"]), (row[1].clone(), &json!(true)), "{row:?}");
        made += 1;
    }
    assert_eq!(made, 16);
}

/// Both tables of networks that the dissertation or a closed form has.
#[test]
fn the_measurements_of_alltoall_have_the_steps() {
    let text = std::fs::read_to_string(docs().join("measurements/alltoall.md")).unwrap();
    let mut made = 0;
    for row in rows(&text) {
        // With seven cells it is the table of published networks; searches of more than 0.03 s are not for a test.
        let Some(spec) = spec(&row).filter(|_| row.len() == 7 && row[3].parse::<f64>().is_ok_and(|s| s <= 0.03)) else {
            continue;
        };
        let answer = alltoall(spec, &[]).json(0);
        assert_eq!(format!("{}/{}", answer["steps"], answer["bound"]), row[1], "{row:?}");
        made += 1;
    }
    assert!(made >= 70, "{made}");
}

#[test]
fn the_page_on_multirings_has_the_steps() {
    let mut made = 0;
    for row in rows(&page("multirings.md")).iter().filter(|row| row.len() == 7) {
        let Some(spec) = spec(row).filter(|_| row[1].parse::<u32>().is_ok_and(|nodes| nodes <= 64)) else { continue };
        for (collective, told) in [("alltoall", &row[4]), ("allgather", &row[6])] {
            let answer = arguments(&["solve", spec, collective, "--json"]).json(0);
            assert_eq!(format!("{}/{}", answer["steps"], answer["bound"]), *told, "{spec} {collective}");
        }
        made += 1;
    }
    assert_eq!(made, 2);
}

/// Steps by prices and by colours, on networks of at most 130 routers.
#[test]
fn the_page_on_swapped_dragonflies_has_the_steps_by_method() {
    let hops = ["--switching", "store-and-forward", "--method"];
    let whole = ["--switching", "wormhole", "--method"];
    let all = rows(&page("swapped-dragonfly.md"));
    let small = |row: &&Vec<String>| row.len() > 7 && row[1].parse::<u32>().is_ok_and(|routers| routers <= 130);
    let mut made = 0;
    for row in all.iter().filter(small) {
        let columns: &[_] = match (row.len(), row[0].as_str()) {
            (9, _) => &[(5, hops, "priced-hops"), (8, whole, "priced-paths")],
            (8, name) if name.starts_with("dragonfly") => {
                &[(3, hops, "coloured-vectors"), (6, whole, "coloured-factors")]
            }
            _ => continue,
        };
        for &(column, flags, method) in columns {
            let Some(told) = row[column].strip_suffix(" opt.").or(Some(&row[column])).filter(|cell| *cell != "–")
            else {
                continue;
            };
            let answer = alltoall(&network(&row[0]), &[&flags[..], &[method]].concat()).json(0);
            assert_eq!(answer["steps"].to_string(), told, "{method} on {}", row[0]);
            made += 1;
        }
    }
    assert!(made >= 15, "{made}");
}

/// Which networks of switches block, with the reason in the same words of the field.
#[test]
fn the_page_on_fat_trees_says_what_blocks() {
    let classes = ["blocking", "rearrangeable", "strictly non-blocking", "not decided"];
    let all = rows(&page("fat-trees.md"));
    let mut made = 0;
    for row in all.iter().filter(|row| row.len() == 3 && classes.contains(&row[1].as_str())) {
        for spec in row[0].split(", ") {
            let answer = quadrille(&format!("network {} --json", spec.trim_matches('`'))).json(0);
            assert_eq!(answer["circuits"]["class"], json!(row[1]), "{spec}");
            made += 1;
        }
    }
    assert_eq!(made, 10);
}
