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
    assert!(text.starts_with("alltoall on torus:4x4, 8 steps by barrier\n  16 flits per message; 4 virtual"), "{text}");
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
        for (format, ending) in ["source-routes", "slot-tables"]
            .into_iter()
            .flat_map(|format| ["csv", "json", "h"].map(|ending| (format, ending)))
        {
            let table = folder.path(&format!("{format}.{ending}"));
            quadrille(&format!("export {file} --to {format} -o {table}")).good();
            assert_eq!(cycles(&format!("{table} --network {network}")), own, "{what} by {format} in {ending}");
        }
    }
}

#[test]
fn the_page_holds_both_runs() {
    let folder = Folder::new();
    let (file, page) = (solved(&folder, "ring:5 alltoall"), folder.path("page.html"));
    let text = quadrille(&format!("simulate {file} --against direct -o {page}")).good();
    assert!(text.trim_end().ends_with(&format!("saved to {page}")), "{text}");
    // What is told of a run does not depend on where it is written.
    let without = quadrille(&format!("simulate {file} --against direct")).good();
    assert_eq!(text.replace(&format!("\n  saved to {page}"), "").trim_end(), without.trim_end());
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("class=\"simulation\"") && html.contains("<title>alltoall on ring:5, flit by flit"));
}

/// Where nobody chose a routing, and it is up-down, the others may be slow because of it.
#[test]
fn the_routing_of_rivals_is_told_where_it_is_up_down_by_default() {
    let folder = Folder::new();
    let file = solved(&folder, "petersen alltoall");
    let line = format!("simulate {file} --against direct,pairwise");
    let text = quadrille(&line).good();
    let told = "the others took up-down with root ";
    assert_eq!((text.matches(told).count(), text.matches("--routing adaptive").count()), (1, 1), "{text}");
    for more in ["--routing adaptive", "--routing up-down", "--root 3"] {
        assert!(!quadrille(&format!("{line} {more}")).good().contains(told), "{more}");
    }
    let grid = solved(&folder, "mesh:3x3 alltoall");
    assert!(!quadrille(&format!("simulate {grid} --against direct")).good().contains(told));
}

#[test]
fn a_schedule_in_time_is_played_beside_its_own_time() {
    let folder = Folder::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/timed-mesh-3x3.json");
    let ideal = "--vc-delay 0 --allocation-delay 0 --switch-delay 0 --injection-delay 0";
    let answer = quadrille(&format!("simulate {file} --json {ideal}")).json(0);
    let in_time = &answer["in_time"];
    // A cycle is 16 bytes at 25 GB/s.
    assert_eq!((&in_time["flit_bytes"], &in_time["cycle_us"]), (&16.into(), &0.00064.into()));
    assert_eq!(in_time["scheduled_us"], 3.676);
    let ratio = in_time["ratio"].as_f64().unwrap();
    assert!((0.999..1.003).contains(&ratio), "{ratio}");
    let text = quadrille(&format!("simulate {file} --flit 64 --against direct")).good();
    assert!(text.contains("72 transfers by time\n  messages of 65536/9 bytes in flits of 64;"), "{text}");
    assert!(text.contains(" times the 3.6760 µs of the schedule; a cycle is 2.56 ns\n"), "{text}");
    let free = quadrille(&format!("simulate {file} --mode async --json")).json(0);
    assert!(free["in_time"]["ratio"].as_f64().unwrap() > 0.9 && free["mode"] == "async");
    let unequal = folder.path("unequal.json");
    let cluster = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/clusters/dgx1-v100.json");
    quadrille(&format!("solve {cluster} allgather --bytes 4M --time 2 -o {unequal}")).good();
    let answer = quadrille(&format!("simulate {unequal} --json {ideal}")).json(0);
    let ratio = answer["in_time"]["ratio"].as_f64().unwrap();
    assert!((0.99..1.03).contains(&ratio), "{ratio}");
    for (flags, message, hint) in [
        ("--message 64", "--message: a schedule in time has sizes of its own", "--flit-bytes"),
        ("--interval 2", "--interval: a schedule in time has bandwidths of its own", "--flit-bytes"),
        ("--mode barrier", "a schedule in time has no steps that end with a barrier", "--mode timed"),
        ("--flit-bytes 1", "a latency of 17500 cycles is more than the 4096", "larger flits"),
        ("--flit-bytes 0", "a flit has at least one byte", "write 16"),
    ] {
        quadrille(&format!("simulate {file} {flags}")).fails(2, message, hint);
    }
}

#[test]
fn reductions_have_rivals_and_take_time_to_merge() {
    let folder = Folder::new();
    let file = solved(&folder, "mesh:3x3 allreduce");
    let line = format!("simulate {file} --against direct,ring,binomial,recursive-doubling --json");
    let free = quadrille(&line).json(0);
    let slow = quadrille(&format!("{line} --merge-delay 500")).json(0);
    let cycles = |answer: &serde_json::Value, run: usize| answer["runs"][run]["cycles"].as_u64().unwrap();
    for run in 0..5 {
        assert_eq!(free["runs"][run]["ended"], "finished");
        assert!(cycles(&slow, run) > cycles(&free, run) + 400, "{run}");
    }
    assert_eq!((&slow["predicted"], &slow["settings"]["merge_delay"]), (&slow["runs"][0]["cycles"], &500.into()));
    // Nine nodes: one pair before, three rounds of eight, and one told after.
    assert_eq!(free["runs"][4]["packets"], 1 + 3 * 8 + 1);
}

#[test]
fn damaged_headers_name_the_place() {
    let folder = Folder::new();
    let schedule = solved(&folder, "ring:5 alltoall");
    for (format, edits) in [
        (
            "source-routes",
            &[
                ("#define WHOLE_SOURCE_STEPS", "#define WHOLE_SOURCE_STAPS", "`WHOLE_SOURCE_STEPS` is missing"),
                ("#ifndef WHOLE_SOURCE_H", "#ifndef WHOLE", ":2:9: an include guard that ends in `_H`"),
                ("#include <stdint.h>", "#include <stdio.h>", ":4:11: `stdint` should stand here (found `stdio`)"),
                (
                    "#define WHOLE_SOURCE_ROUTES 20",
                    "#define WHOLE_SOURCE_ROUTES 21",
                    "WHOLE_SOURCE_ROUTES is 21, but there are 20",
                ),
                ("node, to, messages", "to, node, messages", "its rows have the fields step, to, node"),
                ("    { 0, ", "    { x, ", "a whole number below 2^32 should stand here (found `x`)"),
                ("    { 0, ", "    { 99999999999, ", "(found `99999999999`)"),
                ("whole_source_ports[] = {", "whole_source_ports[] = { 7,", "belong to no route"),
                (
                    "#endif",
                    "int main(void);",
                    "a definition, a declaration or `#endif` should stand here (found `int`)",
                ),
                ("#endif", "", "and the file ends"),
                ("#endif", "#endif /* no end", "this comment does not end"),
            ][..],
        ),
        (
            "slot-tables",
            &[
                ("    { 0, ", "    { WHOLE_SLOT_LOCAL, ", "is a port, and neither a step"),
                (
                    "#define WHOLE_SLOT_CHUNKS 1",
                    "#define WHOLE_SLOT_CHUNKS 1\n#define WHOLE_SLOT_CHUNKS 2",
                    "is defined twice",
                ),
            ][..],
        ),
    ] {
        let whole = folder.path("whole.h");
        quadrille(&format!("export {schedule} --to {format} -o {whole}")).good();
        let text = std::fs::read_to_string(&whole).unwrap();
        for (from, to, message) in edits {
            assert!(text.contains(from), "{from}: {text}");
            let file = folder.write("damaged.h", &text.replacen(from, to, 1));
            quadrille(&format!("simulate {file} --network ring:5")).fails(2, message, "");
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let file = solved(&folder, "ring:5 alltoall");
    let table = folder.path("routes.csv");
    quadrille(&format!("export {file} --to source-routes -o {table}")).good();
    for (line, message, hint) in [
        (format!("{file} --against fastest"), "`fastest` is not a way", "known: direct, random, pairwise"),
        (format!("{file} --against ring"), "`ring` would be `direct`", "--against direct"),
        (format!("{file} --flits 0"), "a packet has at least one flit", "write 16"),
        (format!("{file} --flit-bytes 8"), "a schedule of steps has no sizes in bytes", "--message BYTES"),
        (format!("{file} --message 64 --flit-bytes 0"), "a flit has at least one byte", "write 16"),
        (format!("{file} --routing up-down"), "a schedule has its own paths", "--against"),
        (
            format!("{file} --against recursive-doubling"),
            "is for allreduce, barrier, scan and exscan",
            "--against direct",
        ),
        (format!("{table} --network ring:5 --merge-delay 3"), "does not say what is merged", "own file"),
        (format!("{file} --message many"), "--message: `many` is not a size above 0", "64Ki"),
        (format!("{file} --mode timed --pause 5"), "--pause: only barriers take time", "--mode barrier"),
        (
            format!("{file} --fail-link 0-1"),
            "the network of a schedule file cannot be changed",
            "solve the changed network",
        ),
        (format!("{file} -o x.svg"), "a simulated schedule can only be written as a page", ".html"),
        (format!("{file} --switching cut-through --buffer 4"), "does not fit into a buffer of 4", "--buffer 16"),
        (format!("{table} --network ring:4"), "ring:4 has no node 4", "correct the file"),
        (
            format!("{table} --network ring:5 --mode async"),
            "does not say which transfers wait for which",
            "--mode barrier",
        ),
        (format!("{table} --network ring:5 --against direct"), "does not say which collective it performs", "own file"),
    ] {
        let answer = quadrille(&format!("simulate {line}"));
        assert_eq!(answer.status, 2, "{line}: {}{}", answer.out, answer.err);
        assert!(answer.err.contains(message) && answer.err.contains(hint), "{line}: {}", answer.err);
    }
    let slots = folder.path("slots.json");
    quadrille(&format!("solve ring:5 alltoall --switching tdm -o {slots}")).good();
    let answer = quadrille(&format!("simulate {slots} --mode barrier"));
    assert!(
        answer.status == 2 && answer.err.contains("slots of time-division do not end with a barrier"),
        "{}",
        answer.err
    );
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
    // Two transfers on one channel have a unit each.
    let cycles = |line: &str| quadrille(&format!("simulate {line} --json")).json(0)["runs"][0]["cycles"].clone();
    for ending in ["csv", "json", "h"] {
        let table = folder.path(&format!("units.{ending}"));
        quadrille(&format!("export {file} --to slot-tables -o {table}")).good();
        assert_eq!(cycles(&format!("{table} --network {wide}")), cycles(&file), "{ending}");
    }
    let text = std::fs::read_to_string(folder.path("units.csv")).unwrap();
    assert!(text.contains("\n0,0,local,0.1,1\n"), "{text}");
    let file = folder.write("unit.csv", &text.replace("0.1", "0.2"));
    let answer = quadrille(&format!("simulate {file} --network {wide}"));
    assert!(answer.err.contains("output 0 of node 0 carries 2 in a step, not 0.2"), "{}", answer.err);
}
