//! `design`, `compare`, and `check` of network files.

use super::{Folder, quadrille};
use serde_json::json;

#[test]
fn a_search_writes_a_file_that_checks() {
    let folder = Folder::new();
    let file = folder.path("found.json");
    let line = "design multiring --degree 8 --diameter 3 --parallelism 8 --symmetric";
    let answer = quadrille(&format!("{line} -o {file} --json")).json(0);
    assert_eq!((answer["nodes"].as_u64(), answer["optimal"].as_bool()), (Some(48), Some(true)));
    let checked = quadrille(&format!("check {file} --json")).json(0);
    let states: Vec<&str> =
        checked["claims"].as_array().unwrap().iter().map(|c| c["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["confirmed"; 4]);
    assert!(quadrille(&format!("check {file}")).good().contains("at least 8 walks"));
    // The network of such a file is a network.
    let network = quadrille(&format!("network {file} --json")).json(0);
    assert_eq!(network["nodes"], 48);
    // What is changed is refused.
    let text = std::fs::read_to_string(&file).unwrap();
    let more = folder.write("more.json", &text.replacen("\"least\":8", "\"least\":9", 1));
    let refused = quadrille(&format!("check {more} --json")).json(1);
    assert_eq!(refused["claims"][1]["reason"], "the fewest walks is 8, not 9");
    assert!(quadrille(&format!("check {more}")).out.contains("INVALID"));
    // That no lengths exist for 49 nodes and more is tried again, and for 48 is refused.
    assert!(text.contains("\"nodes\":[49,"), "{text}");
    let too_many = folder.write("too-many.json", &text.replacen("\"nodes\":[49,", "\"nodes\":[48,", 1));
    let refused = quadrille(&format!("check {too_many} --json")).json(1);
    assert!(refused["claims"][3]["reason"].as_str().is_some_and(|r| r.contains("there is such a network of 48 nodes")));
    let without = folder.write("without.json", &text.replacen("\"claims\"", "\"claimed\"", 1));
    assert!(quadrille(&format!("check {without}")).good().contains("48 nodes"));
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let folder = Folder::new();
    let (kept, file) = (folder.path("kept.json"), folder.path("found.json"));
    let line = format!("design multiring --degree 12 --diameter 3 --parallelism 6 --symmetric --checkpoint {kept}");
    let first = quadrille(&format!("{line} --ticks 1000000 --json")).json(0);
    let second = quadrille(&format!("{line} --ticks 20000000 -o {file} --json")).json(0);
    let straight = "design multiring --degree 12 --diameter 3 --parallelism 6 --symmetric --ticks 20000000 --json";
    assert_eq!(quadrille(straight).json(0)["lengths"], second["lengths"]);
    assert!(second["nodes"].as_u64() >= first["nodes"].as_u64());
    assert!(second["at_most"].as_u64() >= second["nodes"].as_u64());
    quadrille(&format!("{line} --seed 2")).fails(2, "does not fit", "another checkpoint");
    folder.write("kept.json", "{}");
    quadrille(&line).fails(2, "kept.json", "not there yet");
}

#[test]
fn a_search_that_is_killed_goes_on() {
    let folder = Folder::new();
    let (kept, lone) =
        (folder.path("kept.json"), "design multiring --degree 12 --diameter 3 --parallelism 6 --symmetric");
    let line = format!("{lone} --ticks 8000000 --json");
    let arguments = format!("{line} --checkpoint {kept}");
    let mut job = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(arguments.split_whitespace())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // It is written when the first look begins, and later on every few seconds.
    while !std::path::Path::new(&kept).exists() && job.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let _ = job.kill();
    job.wait().unwrap();
    let (on, straight) = (quadrille(&arguments).json(0), quadrille(&line).json(0));
    assert_eq!((&on["lengths"], &on["ticks"]), (&straight["lengths"], &straight["ticks"]));
}

#[test]
fn what_is_not_there_is_said() {
    quadrille("design multiring --degree 7 --diameter 3 --parallelism 1 --symmetric").fails(2, "odd", "even degree");
    quadrille("design multiring --degree 8 --diameter 3").fails(2, "--parallelism", "quadrille");
    quadrille("design multiring --degree 4 --diameter 2 --parallelism 40 --symmetric").fails(
        1,
        "counting",
        "fewer walks",
    );
    let nine = "design multiring --degree 4 --diameter 2 --parallelism 2 --symmetric --nodes 9";
    quadrille(nine).fails(1, "all sets of lengths were tried", "--nodes");
    quadrille("design multiring table 1").fails(2, "no table 1", "2 to 8");
}

#[test]
fn tables_print_both_rules() {
    let text = quadrille("design multiring table 4").good();
    assert!(text.contains("largest"), "{text}");
    let table = quadrille("design multiring table 4 --json").json(0);
    let cell = &table["rows"][0]["cells"][5];
    assert_eq!(
        (cell["paper"].as_u64(), cell["ours"].as_u64(), cell["largest"].as_u64()),
        (Some(29), Some(29), Some(32))
    );
    for number in [2, 3, 5, 6, 7, 8] {
        let table = quadrille(&format!("design multiring table {number} --json")).json(0);
        assert!(table["rows"].as_array().is_some_and(|rows| rows.len() >= 3));
    }
}

/// Of schedule files the schedules are compared, whether they have steps or are in time; of a schedule file beside a network its network.
#[test]
fn schedules_side_by_side() {
    let folder = crate::Folder::new();
    let [steps, timed] = ["steps.qdr", "timed.json"].map(|name| folder.path(name));
    quadrille(&format!("solve mesh:2x3 alltoall -o {steps}")).good();
    quadrille(&format!("solve ring:4 allgather --bytes 1MB --bandwidth 25GB/s --chunks 1 -o {timed}")).good();
    let text = quadrille(&format!("compare {steps} {timed}")).good();
    for [name, of_steps, in_time] in [
        ["network", "mesh:2x3", "ring:4"],
        ["steps", "4", "–"],
        ["time", "–", "20.000 µs"],
        ["verdict", "optimal", "within 33.4 % of optimal"],
        ["bus bandwidth", "–", "37.5000 GB/s"],
    ] {
        let line = text.lines().find(|line| line.starts_with(&format!("{name}  "))).expect(name);
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells, [name, of_steps, in_time]);
    }
    quadrille(&format!("compare {steps} {timed} --weight 0.2")).fails(2, "--weight", "quadrille network FILE");
    assert!(quadrille(&format!("compare {steps} ring:4")).good().contains("average distance"));
}

#[test]
fn networks_side_by_side() {
    let text = quadrille("compare torus:4x4 hypercube:4 petersen").good();
    assert!(text.lines().next().unwrap().contains("torus:4x4") && text.contains("average distance"), "{text}");
    let all = quadrille("compare torus:4x4 petersen --json").json(0);
    assert_eq!(all[1]["node_connectivity"]["least"], 3);
    assert_eq!(all[1]["automorphisms"], 120);
    assert_eq!(all[1]["moore"]["nodes"], 10);
    assert_eq!((&all[1]["girth"], &all[1]["cycles"]["most_nodes"]), (&json!(5), &json!(null)));
    let heawood = quadrille("network heawood --json").json(0);
    assert_eq!((&heawood["girth"], &heawood["cycles"]["most_nodes"]), (&json!(6), &json!(14)));
    let text = quadrille("network heawood").good();
    assert!(
        text.contains("if bipartite       14 nodes, 100.0 % reached")
            && text.contains("girth                6, which needs at least 14")
    );
    assert_eq!(all[0]["bisection"]["exact"], true);
    let weighed = |weight: &str| quadrille(&format!("compare torus:4x4x4 --weight {weight} --json")).json(0);
    assert_eq!(weighed("1")[0]["cost_ratio"], 1.0);
    assert_eq!(weighed("0.25")[0]["cost_ratio"], 1.0);
    quadrille("compare torus:4x4 --weight 1.5").fails(2, "--weight: 1.5", "from 0");
    // Nodes that look alike are measured once.
    let large = quadrille("compare hdn:torus:2x3x5;5,3x5 --json").json(0);
    assert_eq!((&large[0]["nodes"], &large[0]["diameter"]), (&17_280.into(), &15.into()));
    quadrille("compare torus:4x4 nonsense:3").fails(2, "nonsense", "networks");
    let fat = quadrille("network fat-tree:8 --json").json(0);
    assert_eq!((fat["channel_connectivity"]["least"].as_u64(), fat["moore"].is_null()), (Some(1), true));
}

#[test]
fn a_graph_is_found_and_its_file_checks() {
    let folder = Folder::new();
    let file = folder.path("petersen.json");
    let text = quadrille(&format!("design graph --nodes 10 --degree 3 --ticks 50000000 -o {file}")).good();
    assert!(text.contains("the Petersen graph") && text.contains("which it attains"), "{text}");
    let checked = quadrille(&format!("check {file} --json")).json(0);
    assert_eq!((checked["valid"].as_bool(), checked["nodes"].as_u64()), (Some(true), Some(10)));
    let text = std::fs::read_to_string(&file).unwrap();
    let less = folder.write("less.json", &text.replacen("\"sum\":150", "\"sum\":149", 1));
    let refused = quadrille(&format!("check {less} --json")).json(1);
    assert_eq!(refused["claims"][1]["reason"], "the sum of distances is 150, not 149");
    assert!(quadrille(&format!("solve {file} alltoall")).good().contains("alltoall"));
}

#[test]
fn a_search_for_graphs_goes_on_from_its_checkpoint() {
    let folder = Folder::new();
    let file = folder.path("search.json");
    let search = |more: &str| quadrille(&format!("design graph --nodes 36 --degree 3 --json {more}"));
    let first = search(&format!("--ticks 20000000 --checkpoint {file}")).json(0);
    let second = search(&format!("--ticks 60000000 --checkpoint {file}")).json(0);
    assert!(first["ticks"].as_u64() >= Some(20_000_000) && second["ticks"].as_u64() > first["ticks"].as_u64());
    assert!(second["sum"].as_u64() <= first["sum"].as_u64());
    search(&format!("--seed 2 --checkpoint {file}")).fails(2, "another search", "another checkpoint");
    let kept = std::fs::read_to_string(&file).unwrap();
    let other = folder.write("other.json", &kept.replacen("graph-search/1", "graph-search/9", 1));
    search(&format!("--checkpoint {other}")).fails(2, "its format is", "not there yet");
    let cut = folder.write("cut.json", &kept[..kept.len() / 2]);
    search(&format!("--checkpoint {cut}")).fails(2, "--checkpoint", "not there yet");
    let torn = folder.write("torn.json", &kept.replacen("\"from\":0", "\"from\":999999", 1));
    search(&format!("--checkpoint {torn}")).fails(2, "not of this search", "another checkpoint");
    let most = folder.path("most.json");
    quadrille(&format!("design graph --degree 3 --diameter 3 --ticks 10000000 --checkpoint {most}")).good();
    search(&format!("--checkpoint {most}")).fails(2, "another search", "another checkpoint");
}

#[test]
fn networks_under_other_numbers_are_recognised() {
    let folder = Folder::new();
    // The hypercube of three dimensions, its nodes renamed.
    let edges = "0 1\n1 2\n2 3\n3 0\n4 5\n5 6\n6 7\n7 4\n0 6\n1 7\n2 4\n3 5\n";
    let cube = folder.write("cube.edges", edges);
    assert_eq!(quadrille(&format!("network {cube} --json")).json(0)["known"], "hypercube:3");
    assert_eq!(quadrille("network petersen --json").json(0)["known"], "the Petersen graph");
    assert!(quadrille("network random-regular:20,3 --json").json(0)["known"].is_null());
}

#[test]
fn graphs_of_a_diameter_and_for_a_collective() {
    let most = quadrille("design graph --degree 3 --diameter 2 --ticks 30000000 --json").json(0);
    assert_eq!((most["nodes"].as_u64(), most["optimal"].as_bool()), (Some(10), Some(true)));
    let one = quadrille("design graph --nodes 12 --degree 3 --ticks 5000000 --for alltoall --json").json(0);
    let steps = one["floor"]["steps"].as_u64().unwrap();
    // As many channels as all distances together need.
    assert!(steps >= one["sum"].as_u64().unwrap().div_ceil(36));
    let same = quadrille("design graph --nodes 12 --degree 3 --ticks 5000000 --threads 3 --for AAS --json").json(0);
    assert_eq!(same["floor"], one["floor"]);
    let hops = quadrille(
        "design graph --nodes 12 --degree 3 --ticks 5000000 --for broadcast --switching store-and-forward --json",
    );
    assert_eq!(hops.json(0)["floor"]["steps"], 3);
    quadrille("design graph --nodes 12 --degree 3 --switching tdm").fails(2, "--for", "help");
    quadrille("design graph --nodes 12 --degree 3 --for permutation").fails(2, "permutation", "choices");
    quadrille("design graph --nodes 4097 --degree 3").fails(2, "4097 is not between 4 and 4096", "help");
    quadrille("design graph --nodes 12 --degree 3 --time=-1").fails(2, "--time", "0 or more");
    quadrille("design graph --nodes x --degree 3").fails(2, "--nodes", "digits only");
    quadrille("design graph --degree 3").fails(2, "--nodes or --diameter", "as many nodes");
    quadrille("design graph --nodes 11 --degree 3 --diameter 2").fails(2, "more than 10 nodes", "Moore");
    quadrille("design graph --nodes 8 --degree 9").fails(2, "degree 9 is not between", "help");
    quadrille("design graph --nodes 8 --degree 3 --for nonsense").fails(2, "nonsense", "collectives");
}

#[test]
fn compare_keeps_the_names_and_takes_what_is_too_large_to_build() {
    let names = ["circulant:8;±1,±3", "hdn:hypercube:2;d0,d1", "hdn:torus:2x3x5;1,1"];
    let text = crate::arguments(&[&["compare"], &names[..]].concat()).good();
    let first = text.lines().next().unwrap();
    assert!(names.iter().all(|name| first.contains(name)), "{first}");
    assert!(text.contains("22, by a search from one node"), "{text}");
    let found = crate::arguments(&[&["compare"], &names[..], &["--json"]].concat()).json(0);
    let given: Vec<&str> = found.as_array().unwrap().iter().map(|one| one["given"].as_str().unwrap()).collect();
    assert_eq!(given, names);
    assert_eq!((found[2]["nodes"].as_u64(), found[2]["built"].as_bool()), (Some(6_480_000), Some(false)));
    // The search and the closed forms agree, also with one level.
    for spec in ["hdn:torus:2x3x5;1,1", "hdn:hypercube:11;1"] {
        let found = quadrille(&format!("network {spec} --json")).json(0);
        assert_eq!(found["diameter"], found["diameter_by_closed_form"], "{spec}");
        assert_eq!(found["farthest_from_node_0"], found["diameter"], "{spec}");
    }
    quadrille("network hdn:torus:2x3x5;1,1 --fail-node 3").fails(2, "more than 33554432 channels", "smaller");
    quadrille("network complete:100000").fails(2, "complete:100000", "");
}

#[test]
fn multirings_are_joined_and_joined_again() {
    let folder = Folder::new();
    let (two, three) = (folder.path("two.json"), folder.path("three.json"));
    let join = |low: &str, high: &str, hops: &str, file: &str| {
        quadrille(&format!("design multiring compose {low} {high} --hops {hops} -o {file} --json")).json(0)
    };
    let first = join("circulant:13;±2,±3", "circulant:8;1,2,3,6", "2,2", &two);
    assert_eq!((first["nodes"].as_u64(), first["degree"].as_u64()), (Some(104), Some(8)));
    let second = join(&two, "multiring:2,4", "4,2", &three);
    assert_eq!((second["nodes"].as_u64(), second["degree"].as_u64()), (Some(416), Some(10)));
    for (found, file) in [(first, two), (second, three)] {
        let of = |key: &str| found[key].as_u64().unwrap();
        assert!(of("promised") <= of("low_first") && of("low_first") <= of("parallelism"), "{found}");
        let checked = quadrille(&format!("check {file} --json")).json(0);
        assert!(checked["claims"].as_array().unwrap().iter().all(|claim| claim["state"] == "confirmed"), "{checked}");
    }
    let compose = |rest: &str| quadrille(&format!("design multiring compose {rest}"));
    compose("petersen multiring:2,4").fails(2, "petersen: no circulant network", "design multiring -o");
    compose("multiring:2,4 multiring:2,4 --hops 0,2").fails(2, "--hops", "such as 3,2");
    compose("ring:9000 ring:9000").fails(2, "9000 × 9000", "smaller");
    assert!(quadrille("network multiring:3,27,3").good().contains("diameter             3"));
}

#[test]
fn tables_of_multirings_say_where_lengths_come_from() {
    let table = |rest: &str| quadrille(&format!("design multiring table {rest}"));
    assert!(table("8").good().contains("are stored results of earlier searches"));
    let other = table("6 --base 5 --high-degree 4 --json").json(0);
    let cell = &other["rows"][0]["cells"][0];
    assert_eq!((cell["ours"].as_u64(), cell["paper"].is_null()), (Some(45 * 13), true));
    assert!(cell["counted"].as_u64() >= cell["parallelism"].as_u64());
    assert_eq!(other["machine"]["nodes"], 11_616);
    table("2 --recompute").fails(2, "--recompute is for tables 5 and 8", "examples");
    table("6 --base 8").fails(2, "odd base", "7 or 9");
    table("6 --high-degree 5").fails(2, "no lengths of two hops", "4, 6, 8");
    // All sets of lengths are tried for small degrees, however short the time.
    let again = table("5 --recompute --time 0.01 --json").json(0);
    assert_eq!(again["recomputed"], true);
    assert_eq!(again["rows"][0]["cells"][1]["ours"], 8);
}
