//! The pages on computing, Swapped Dragonflies, dual-nets and multirings: their tables are what the program says. Tables of steps alone are in
//! `measured`, examples of all pages in `book`.

use crate::{Answer, arguments, quadrille};
use std::path::{Path, PathBuf};

pub(crate) fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

pub(crate) fn page(name: &str) -> String {
    std::fs::read_to_string(docs().join(name)).unwrap()
}

/// The rows of a page's tables, cell by cell.
pub(crate) fn rows(page: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")).map(cells).collect()
}

/// A network as the pages on Swapped Dragonflies write it.
pub(crate) fn network(text: &str) -> String {
    let bare = text
        .replace(", ", ",")
        .replace(['(', ')'], ":")
        .replace("D3", "swapped-dragonfly")
        .replace("SBH", "swapped-hypercube");
    bare.trim_end_matches(':').to_owned()
}

/// `37 on D3(9, 3), 25 on D3(5, 3) with 6 × 6`, as hops, network and size.
fn measured(cell: &str) -> Vec<(u64, String, Option<String>)> {
    let parts = cell.replace("), ", ")|").replace(" times", "");
    let one = |part: &str| {
        let (hops, rest) = part.split_once(" on ")?;
        let (on, size) = rest.split_once(" with ").map_or((rest, None), |(on, size)| (on, size.split(' ').next()));
        let on = if on.starts_with("torus") { on.to_owned() } else { network(on) };
        Some((hops.trim().parse().ok()?, on, size.map(str::to_owned)))
    };
    parts.split('|').filter_map(one).collect()
}

#[test]
fn the_page_on_computing_has_the_hops_that_programs_take() {
    let programs: [(&str, &[&str]); 12] = [
        ("row times matrix, n = bLM", &["vector-matrix"]),
        ("the same in place (`--home`)", &["vector-matrix --home"]),
        ("matrix product, n = LM", &["matrix-product"]),
        ("the same, batched", &["matrix-product --batched"]),
        ("in blocks of b × b, n = bLM", &["matrix-product"]),
        ("in blocks, batched", &["matrix-product --batched"]),
        ("Cannon's product, n = bq", &["matrix-product"]),
        ("ascend: Fourier transform, prefix sums", &["fft", "prefix-sums"]),
        ("descend: Fourier transform (`--descend`), merging", &["fft --descend", "merge"]),
        ("the same, all items begin and end at home", &["fft --home", "merge --home"]),
        ("circular convolution", &["convolution"]),
        ("sorting", &["sort"]),
    ];
    let all = rows(&page("computing.md"));
    for (label, commands) in programs {
        let row = all.iter().find(|row| row[0] == label).unwrap_or_else(|| panic!("no row {label}"));
        let cells = measured(&row[3]);
        assert!(!cells.is_empty(), "{label}: {}", row[3]);
        for (hops, network, size) in cells {
            for command in commands {
                let size = size.as_ref().map(|size| format!(" --size {size}")).unwrap_or_default();
                let answer = quadrille(&format!("compute {command} {network}{size} --json")).json(0);
                assert_eq!(answer["hops"], hops, "{label}: {command} {network}");
            }
        }
    }
    // The plain hypercube beside the swapped one.
    let beside: Vec<_> = all.iter().filter(|row| row[0].starts_with("SBH(") && row[0].contains("hypercube:")).collect();
    assert_eq!(beside.len(), 3);
    for row in beside {
        let (swapped, plain) = row[0].split_once("), ").unwrap();
        let swapped = network(&format!("{swapped})"));
        let ways = [
            plain.to_owned(),
            swapped.clone(),
            format!("{swapped} --emulate shortest"),
            format!("{swapped} --emulate uniform"),
        ];
        for (way, hops) in ways.iter().zip(&row[1..]) {
            for program in ["fft", "prefix-sums"] {
                let answer = quadrille(&format!("compute {program} {way} --json")).json(0);
                assert_eq!(answer["hops"].to_string(), *hops, "{program} {way}");
            }
        }
    }
}

#[test]
fn the_page_on_computing_has_the_maps_that_are_found() {
    let (mut names, mut tried) = (String::new(), 0);
    let mut known: Option<(String, serde_json::Value)> = None;
    for row in rows(&page("computing.md")).into_iter().filter(|row| row.len() == 6) {
        if !row[0].is_empty() {
            names = row[0].replace(", ", " ");
        }
        let Ok(average) = row[4].parse::<f64>() else { continue };
        let (by, only) = match row[1].as_str() {
            "–" => ("dilation", " --method numbers"),
            "all" => ("dilation", ""),
            measures => (measures.split(", ").next().unwrap(), ""),
        };
        // Fewer ticks than usual find the same maps there.
        let ticks = match names.split(' ').nth(1) {
            Some("swapped-dragonfly:4,4") => " --ticks 3000000",
            Some("swapped-hypercube:2,2") => " --ticks 12000000",
            _ => "",
        };
        let command = format!("embed {names}{only}{ticks} --json");
        if known.as_ref().is_none_or(|(asked, _)| *asked != command) {
            known = Some((command.clone(), quadrille(&command).json(0)));
        }
        let (answer, found) = known.as_ref().map(|(_, answer)| (answer, &answer["best"][by])).unwrap();
        let dilation = row[3].strip_suffix(", the least").unwrap_or(&row[3]);
        assert_eq!(
            (found["dilation"].to_string(), found["congestion"].to_string()),
            (dilation.into(), row[5].clone()),
            "{row:?}"
        );
        assert!((found["average_dilation"].as_f64().unwrap() - average).abs() < 5e-4, "{row:?}");
        assert!(row[3] == dilation || found["dilation"] == answer["dilation_floor"], "{row:?}");
        assert!(row[2].starts_with("numbers") || found["method"] == row[2], "{row:?}");
        tried += 1;
    }
    assert_eq!(tried, 12);
}

/// Steps and floor of a streamed broadcast.
fn streamed(network: &str, messages: &str, method: &str) -> [String; 2] {
    let line = format!(
        "solve {network} broadcast --messages {messages} --switching store-and-forward --method {method} --json"
    );
    let answer = quadrille(&line).json(0);
    ["steps", "bound"].map(|key| answer[key].to_string())
}

#[test]
fn the_pages_have_the_steps_of_streamed_broadcasts() {
    let all = rows(&page("computing.md"));
    let is_broadcast = |row: &&Vec<String>| row.len() == 5 && row[0].contains(':') && row[1].parse::<u32>().is_ok();
    let rows: Vec<_> = all.iter().filter(is_broadcast).filter(|row| !row[0].starts_with("SBH")).collect();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let floor = row[4].strip_suffix(", optimal").unwrap_or(&row[4]);
        let root = row[0].replace(" (root 1)", " --root 1");
        assert_eq!(streamed(&root, &row[1], "arborescences"), [row[3].clone(), floor.to_owned()], "{row:?}");
        assert_eq!(row[4] != floor, row[3] == floor, "{row:?}");
    }
    let mut found = 0;
    for row in self::rows(&page("swapped-dragonfly.md")).iter().filter(|row| row.len() == 3 && row[0].contains("-tree"))
    {
        // A construction; its bound, which is not on the page, would take most of the time.
        let method = format!("{} --ticks 1000", row[0].split('`').nth(1).unwrap());
        assert_eq!(streamed("swapped-dragonfly:3,4 --root 1", "30", &method)[0], row[2], "{row:?}");
        found += 1;
    }
    assert_eq!(found, 3);
}

#[test]
fn the_page_on_dual_nets_has_the_steps_with_all_ports() {
    let all = rows(&page("hierarchical-dual-nets.md"));
    let rows: Vec<_> =
        all.iter().filter(|row| row.len() == 5 && row[1].parse().is_ok_and(|nodes: u32| nodes <= 300)).collect();
    assert!(rows.len() >= 8, "{rows:?}");
    for row in rows {
        let network = row[0].trim_matches('`');
        let problem = format!("solve {network} alltoall --switching store-and-forward");
        let one = quadrille(&format!("{problem} --ports one --method total-exchange --ticks 1000 --json")).json(0);
        let all = quadrille(&format!("{problem} --method all-port-exchange --json")).json(0);
        let told = [&one["steps"], &all["steps"], &all["bound"]].map(ToString::to_string);
        assert_eq!(told[..], row[2..5], "{row:?}");
    }
}

#[test]
fn the_page_on_dual_nets_has_the_tables() {
    let page = page("hierarchical-dual-nets.md");
    for table in [1, 2, 4] {
        let text = quadrille(&format!("design dual-net table {table}")).good();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(lines.len() > 4);
        for line in lines {
            assert!(page.contains(line), "table {table}: {line}");
        }
    }
    assert_eq!(quadrille("design dual-net table 4 --json").json(0)["rows"][1][1], "285");
    // Table 3 takes more than a minute: it is a file of measurements, of which a test takes a small network again.
    let kept = std::fs::read_to_string(docs().join("measurements/dual-nets-table-3.md")).unwrap();
    let kept: Vec<&str> = kept.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(kept.len(), 10);
    assert!(kept.iter().all(|line| page.contains(line)));
    let small = ["hdn:torus:2x3x5;3"];
    let measured = arguments(&[&["compare"], &small[..], &["--json"]].concat()).json(0);
    for (spec, found) in small.iter().zip(measured.as_array().unwrap()) {
        let line = kept.iter().find(|line| line.contains(&format!("`{spec}`"))).unwrap();
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let number = |at: usize| cells[at].parse::<f64>().unwrap();
        assert_eq!(
            (found["diameter"].to_string(), found["degree"]["max"].to_string()),
            (cells[2].into(), cells[5].into())
        );
        assert!((found["cost_ratio"].as_f64().unwrap() - number(6)).abs() < 5e-4, "{spec}");
        assert!((found["average_distance"].as_f64().unwrap() - number(7)).abs() < 5e-5, "{spec}");
    }
    quadrille("design dual-net table 5").fails(2, "no table 5", "1 to 4");
}

#[test]
fn the_page_on_dual_nets_has_the_words_that_are_sent() {
    let all = rows(&page("hierarchical-dual-nets.md"));
    let rows: Vec<_> = all.iter().filter(|row| row.len() == 7 && row[1].parse::<u32>().is_ok()).collect();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let words = |method: &str| {
            let problem =
                ["solve", row[0].trim_matches('`'), "alltoall", "--switching", "store-and-forward", "--ports", "one"];
            let answer: Answer =
                arguments(&[&problem[..], &["--combining", "--method", method, "--ticks", "1000", "--json"]].concat());
            answer.json(0)["words"].to_string()
        };
        assert_eq!(
            (words("total-exchange-printed"), words("total-exchange")),
            (row[4].clone(), row[5].clone()),
            "{row:?}"
        );
        let network = quadrille(&format!("network {} --json", row[0].trim_matches('`'))).json(0);
        let (nodes, average) = (network["nodes"].as_f64().unwrap(), network["average_distance"].as_f64().unwrap());
        assert_eq!(format!("{:.0}", average * (nodes - 1.0)), row[6], "{row:?}");
    }
}

/// Which rows of a table are counted.
type Fits = fn(&str) -> bool;

/// How many cells are equal, larger and smaller, and what tables 5 and 8 say.
#[test]
fn the_page_on_multirings_counts_the_cells() {
    let page = page("multirings.md");
    let all = rows(&page);
    let table = |number: &str| quadrille(&format!("design multiring table {number} --json")).json(0);
    let cells = |number: &str, fits: Fits| {
        let table = table(number);
        let rows = table["rows"].as_array().unwrap().iter().filter(|row| fits(row["row"].as_str().unwrap()));
        rows.flat_map(|row| row["cells"].as_array().unwrap().clone())
            .filter(|cell| !cell["paper"].is_null())
            .collect::<Vec<_>>()
    };
    let rules: [(&str, &str, Fits); 7] = [
        ("2", "2", |_| true),
        ("3", "3", |_| true),
        ("4", "4", |_| true),
        ("5", "5", |_| true),
        ("8, full", "8", |row| row.ends_with("full")),
        ("8, any lengths", "8", |row| row.ends_with("any lengths")),
        ("6, 7", "6", |_| true),
    ];
    for (label, number, fits) in rules {
        let row = all.iter().find(|row| row[0] == label && row.len() == 5).unwrap_or_else(|| panic!("no row {label}"));
        let mut found = cells(number, fits);
        if label == "6, 7" {
            found.extend(cells("7", fits));
        }
        let equal = found.iter().filter(|cell| cell["paper"] == cell["ours"]).count();
        assert_eq!((row[2].clone(), row[3].clone()), (found.len().to_string(), equal.to_string()), "{row:?}");
        let less = found.iter().filter(|cell| cell["ours"].as_u64() < cell["paper"].as_u64()).count();
        let larger = format!("{} larger here", found.len() - equal - less);
        let said = if less > 0 { format!("{larger}, {less} smaller") } else { larger };
        assert!(!["5", "8, any lengths"].contains(&label) || row[4] == said, "{row:?}: {said}");
    }
    // Table 5, a row a degree: `112`, `138 (135)`, `13 p`.
    let five = table("5");
    for row in five["rows"].as_array().unwrap() {
        let label = row["row"].as_str().unwrap();
        let line =
            all.iter().find(|line| line.len() == 4 && line[0] == label).unwrap_or_else(|| panic!("no row {label}"));
        for (cell, said) in row["cells"].as_array().unwrap().iter().zip(&line[1..]) {
            let ours = cell["ours"].to_string();
            assert!(said.split([' ', ',']).next() == Some(&ours), "degree {label}: {said}, not {ours}");
            let printed = format!("({})", cell["paper"]);
            assert_eq!(said.contains(&printed), cell["ours"] != cell["paper"], "degree {label}: {said}");
        }
    }
    assert_eq!(five["rows"][0]["cells"][1]["optimal"], true, "8 nodes of degree 4 with two walks are proved");
    for (number, words) in [("6", "8 of table 6, up to 1.76 times"), ("7", "9 of table 7, up to 2.40 times")] {
        let found = cells(number, |_| true);
        let times: Vec<f64> = found.iter().filter_map(|cell| cell["times_the_machine"].as_f64()).collect();
        let most = times.iter().copied().fold(0.0, f64::max);
        let said = format!("{} of table {number}, up to {most:.2} times", times.len());
        assert!(said == words && page.replace('\n', " ").contains(words), "{said}");
    }
}
