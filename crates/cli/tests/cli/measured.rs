//! The tables of pages that list steps: every row that is quick is made anew.

use crate::pages::{docs, network, page, rows};
use crate::{Answer, Folder, arguments, quadrille};
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
        let Some(spec) = spec(row).filter(|_| row[2].parse::<f64>().is_ok_and(|s| s <= 0.3)) else { continue };
        let answer = alltoall(spec, &[]).json(0);
        assert_eq!((answer["steps"].to_string(), &answer["optimal"]), (row[1].clone(), &json!(true)), "{row:?}");
        made += 1;
    }
    assert_eq!(made, 13);
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

/// Steps by prices and by colours, on networks of at most 130 routers, and of 100 where whole paths have prices.
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
            if method == "priced-paths" && row[1].parse::<u32>().is_ok_and(|routers| routers > 100) {
                continue;
            }
            // Constructions; their bounds, which are not compared, would take most of the time.
            let words = [&flags[..], &[method, "--ticks", "10000"]].concat();
            let answer = alltoall(&network(&row[0]), &words).json(0);
            assert_eq!(answer["steps"].to_string(), told, "{method} on {}", row[0]);
            made += 1;
        }
    }
    assert!(made >= 15, "{made}");
}

/// Total exchange with one port: start-ups and words, of networks of at most 300 nodes.
#[test]
fn the_page_on_dual_nets_has_start_ups_and_words() {
    let mut made = 0;
    for row in rows(&page("hierarchical-dual-nets.md")).iter().filter(|row| row.len() == 3 && spec(row).is_some()) {
        let columns = [&row[0], &row[1], &row[2]].map(|cell| cell.split(", ").map(|s| s.trim_matches('`')));
        let [networks, startups, words] = columns;
        for ((network, startups), words) in networks.zip(startups).zip(words) {
            let flags = [
                "--switching",
                "store-and-forward",
                "--ports",
                "one",
                "--combining",
                "--ticks",
                "1000",
                "--method",
                "total-exchange",
            ];
            let answer = alltoall(network, &flags).json(0);
            assert_eq!([&answer["steps"], &answer["words"]].map(ToString::to_string), [startups, words], "{network}");
            made += 1;
        }
    }
    assert_eq!(made, 13);
}

#[test]
fn the_page_on_costs_has_the_times() {
    let folder = Folder::new();
    let file = |name: &str| folder.path(&format!("{name}.json"));
    let flags = "--switching store-and-forward --ports one --combining --method total-exchange";
    for (spec, name) in [("rdn:hypercube:3;1", "a"), ("hypercube:7", "b"), ("torus:8x16", "c"), ("torus:4x4x8", "d")] {
        quadrille(&format!("solve {spec} alltoall {flags} -o {}", file(name))).good();
    }
    quadrille(&format!("solve hypercube:7 alltoall -o {}", file("e"))).good();
    let files = ["a", "b", "c", "d", "e"].map(file).join(" ");
    let text =
        quadrille(&format!("cost {files} --model cut-through --alpha 1000 --beta 1 --hop 10 --message 1..4K")).good();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let told = rows(&page("cost.md"));
    for size in ["1", "64", "256", "4096"] {
        let told = told.iter().find(|row| row.len() == 6 && row[0] == size).unwrap();
        let found = lines.iter().find(|line| line.len() == 7 && line[0] == size).unwrap();
        assert_eq!(told[1..], found[2..], "{size} words");
    }
    let told = told.iter().find(|row| row[0] == "start-ups, words").unwrap();
    for (name, told) in ["A", "B", "C", "D", "E"].iter().zip(&told[1..]) {
        let found = lines.iter().find(|line| line.first() == Some(name)).unwrap();
        assert_eq!(*told, found[found.len() - 2..].join(", "), "{name}");
    }
    assert!(text.contains("from 156 words per message on, e is faster than b"), "{text}");
}

/// The tables of allgather and of scatter; what takes longer than half a second there is not for a test.
#[test]
fn the_page_on_constructions_has_the_steps() {
    let mut made = 0;
    for row in rows(&page("constructions.md")) {
        let collective = match row.len() {
            6 if row[2].parse::<f64>().is_err() && row[2].ends_with('B') => "scatter",
            6 if row[3].ends_with('B') => "allgather",
            _ => continue,
        };
        let timed = &row[if collective == "scatter" { 2 } else { 3 }];
        let quick = timed.split(" s").next().unwrap().parse::<f64>().is_ok_and(|seconds| seconds <= 0.6);
        let Some(spec) = spec(&row).filter(|_| quick) else { continue };
        let answer = arguments(&["solve", spec, collective, "--json"]).json(0);
        let told = row[1].split(' ').next().unwrap().replace(',', "");
        assert_eq!((answer["steps"].to_string(), &answer["optimal"]), (told, &json!(true)), "{row:?}");
        made += 1;
    }
    assert_eq!(made, 9);
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
