//! `simulate` of schedule files and of tables for hardware, and the exports that write these.

use crate::{Folder, quadrille};

/// A schedule file.
fn solved(folder: &Folder, what: &str) -> String {
    let file = folder.path("schedule.json");
    quadrille(&format!("solve {what} -o {file}")).good();
    file
}

#[test]
fn a_schedule_by_barrier_blocks_nothing_and_others_do() {
    let folder = Folder::new();
    let file = solved(&folder, "torus:4x4 alltoall");
    let text = quadrille(&format!("simulate {file}")).good();
    assert!(text.starts_with("alltoall on torus:4x4, 8 steps by barrier\n  16 flits a message; 4 virtual"), "{text}");
    assert!(text.contains("232 cycles, as predicted; 240 packets of 3840 flits in all\n  0 requests not"), "{text}");
    let packed = folder.path("schedule.qdr");
    quadrille(&format!("solve torus:4x4 alltoall -o {packed}")).good();
    assert_eq!(quadrille(&format!("simulate {packed}")).good(), text);
    let answer = quadrille(&format!(
        "simulate {file} --message 240 --flit-bytes 16 --against direct,pairwise,random,dimension-order --json"
    ))
    .json(0);
    let runs = answer["runs"].as_array().unwrap();
    assert_eq!((&answer["predicted"], &runs[0]["blocked"]), (&runs[0]["cycles"], &0.into()));
    assert_eq!(runs[0]["cycles"], 232);
    let names: Vec<&str> = runs.iter().map(|run| run["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["schedule", "direct", "pairwise", "random", "dimension-order"]);
    assert!(runs[1]["blocked"].as_u64().unwrap() > 0 && runs.iter().all(|run| run["ended"] == "finished"));
    let timed = quadrille(&format!("simulate {file} --mode timed --json")).json(0);
    assert_eq!(timed["runs"][0]["cycles"], 232);
    let later = quadrille(&format!("simulate {file} --pause 10 --json")).json(0);
    assert_eq!(later["runs"][0]["cycles"], 232 + 7 * 10);
    let free = quadrille(&format!("simulate {file} --mode async --json")).json(0);
    assert!(free["runs"][0]["cycles"].as_u64().unwrap() < 232 && free["predicted"].is_null());
}

#[test]
fn a_deadlock_of_what_is_not_scheduled_is_told_with_the_names_of_nodes() {
    let folder = Folder::new();
    let file = solved(&folder, "torus:4x4 alltoall");
    let text = quadrille(&format!("simulate {file} --against direct --vcs 1 --no-datelines")).good();
    assert!(text.contains("direct: deadlock in cycle") && text.contains("0,1 > 1,1, virtual channel 0"), "{text}");
    let text = quadrille(&format!("simulate {file} --against direct --vcs 2")).good();
    assert!(!text.contains("deadlock"), "{text}");
}

#[test]
fn tables_for_hardware_run_as_the_schedule_does() {
    let folder = Folder::new();
    for (what, network) in [
        ("torus:4x4 alltoall", "torus:4x4"),
        ("fat-tree:4 broadcast", "fat-tree:4"),
        ("ring:5 alltoall --switching tdm", "ring:5"),
    ] {
        let file = solved(&folder, what);
        let cycles = |line: &str| quadrille(&format!("simulate {line} --json")).json(0)["runs"][0]["cycles"].clone();
        let own = cycles(&file);
        for (format, ending) in
            [("source-routes", "csv"), ("slot-tables", "csv"), ("source-routes", "json"), ("slot-tables", "json")]
        {
            let table = folder.path(&format!("{format}.{ending}"));
            quadrille(&format!("export {file} --to {format} -o {table}")).good();
            assert_eq!(cycles(&format!("{table} --network {network}")), own, "{what} by {format} in {ending}");
        }
        // A header has the same rows.
        for format in ["source-routes", "slot-tables"] {
            let (header, table) = (folder.path("table.h"), folder.path(&format!("{format}.csv")));
            quadrille(&format!("export {file} --to {format} -o {header}")).good();
            let text = std::fs::read_to_string(&header).unwrap();
            let rows = text.lines().filter(|line| line.starts_with("    { ")).count();
            let wanted = std::fs::read_to_string(&table).unwrap();
            assert_eq!(rows, wanted.lines().filter(|line| !line.starts_with('#')).count() - 1, "{text}");
        }
    }
}

#[test]
fn the_page_holds_both_runs() {
    let folder = Folder::new();
    let (file, page) = (solved(&folder, "ring:5 alltoall"), folder.path("page.html"));
    let text = quadrille(&format!("simulate {file} --against direct -o {page}")).good();
    assert!(text.trim_end().ends_with(&format!("saved to {page}")), "{text}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("class=\"simulation\"") && html.contains("<title>alltoall on ring:5, flit by flit"));
}

#[test]
fn what_cannot_be_played_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let file = solved(&folder, "ring:5 alltoall");
    let table = folder.path("routes.csv");
    quadrille(&format!("export {file} --to source-routes -o {table}")).good();
    for (line, message, hint) in [
        (format!("{file} --against fastest"), "no way `fastest`", "known: direct, random, pairwise"),
        (format!("{file} --against ring"), "`ring` would be `direct`", "--against direct"),
        (format!("{file} --flits 0"), "a packet at least a flit", "write 16"),
        (format!("{file} --message many"), "--message: `many` is no size above 0", "64Ki"),
        (format!("{file} --mode timed --pause 5"), "--pause: only barriers take time", "--mode barrier"),
        (format!("{file} --fail-link 0-1"), "holds its network", "solve the changed network"),
        (format!("{file} -o x.svg"), "a schedule that is simulated is a page", ".html"),
        (format!("{file} --switching cut-through --buffer 4"), "does not fit into a buffer of 4", "--buffer 16"),
        (format!("{table} --network ring:4"), "ring:4 has no node 4", "mend the file"),
        (format!("{table} --network ring:5 --mode async"), "does not tell who waits for whom", "--mode barrier"),
        (format!("{table} --network ring:5 --against direct"), "does not tell the collective", "own file"),
    ] {
        let answer = quadrille(&format!("simulate {line}"));
        assert_eq!(answer.status, 2, "{line}: {}{}", answer.out, answer.err);
        assert!(answer.err.contains(message) && answer.err.contains(hint), "{line}: {}", answer.err);
    }
    let slots = folder.path("slots.json");
    quadrille(&format!("solve ring:5 alltoall --switching tdm -o {slots}")).good();
    let answer = quadrille(&format!("simulate {slots} --mode barrier"));
    assert!(answer.status == 2 && answer.err.contains("no steps that end with a barrier"), "{}", answer.err);
}

#[test]
fn damaged_tables_name_the_place() {
    let folder = Folder::new();
    let head = "# format: quadrille-slot-tables/1\n# steps: 1\nstep,node,input,output,messages\n";
    for (text, message) in [
        ("step,node\n".to_owned(), "`# format:` is missing"),
        ("# format: nothing\n".to_owned(), ":1:1: is not one of quadrille-source-routes/1"),
        (head.replace("steps: 1", "steps: x"), ":2:10: is no number of steps (found `x`)"),
        (head.replace("steps: 1", "steps: 99999999"), "steps: more than 65536, of 0 rows"),
        (format!("{head}0,0,local\n"), ":4:1: a row has 5 cells, and this one 3"),
        (format!("{head}0,zero,local,0,1\n"), ":4:3: is no node (found `zero`)"),
        (format!("{head}0,0,local,9,1\n"), "node 0 of ring:5 has 2 output ports, not port 9"),
        (format!("{head}7,0,local,0,1\n"), "step 7 of 1 steps"),
        (format!("{head}0,0,local,0,\n"), "has a message at least"),
        (format!("{head}0,0,local,local,1\n"), "leads from the node to itself"),
        (format!("{head}0,0,local,0,1\n"), "which has no turn in step 0"),
        (format!("{head}0,0,1,0,\n"), "1 of them belong to no path"),
        (format!("{head}0,0,1,0,\n0,0,1,local,\n"), "input 1 of node 0 has another in step 0"),
    ] {
        let file = folder.path("table.csv");
        std::fs::write(&file, text).unwrap();
        let answer = quadrille(&format!("simulate {file} --network ring:5"));
        assert!(answer.status == 2 && answer.err.contains(message), "{message}: {}", answer.err);
        assert!(answer.err.contains("hint: "), "{}", answer.err);
    }
    let wide = folder.path("wide.json");
    let network = r#"{"nodes": 2, "channels": [[0, 1], [1, 0]], "capacities": [2, 2]}"#;
    std::fs::write(&wide, network).unwrap();
    let file = solved(&folder, &format!("{wide} scatter --chunks 2"));
    quadrille(&format!("simulate {file} --network ring:5")).fails(
        2,
        "is a schedule, which holds its network",
        "leave --network out",
    );
    let answer = quadrille(&format!("export {file} --to slot-tables -o {}", folder.path("x.csv")));
    assert!(answer.status == 2 && answer.err.contains("source-routes holds them"), "{}", answer.err);
}
