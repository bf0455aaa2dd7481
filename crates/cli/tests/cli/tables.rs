//! `export --to table` and `--to switches` on networks without switches: the dissertation's Table 8.3, and what its routers do.

use crate::{Folder, fixtures, quadrille};
use serde_json::Value;

fn fixture(name: &str) -> String {
    fixtures().join(name).display().to_string()
}

fn exported(file: &str, to: &str, name: &str) -> String {
    let folder = Folder::new();
    let path = folder.path(name);
    assert!(quadrille(&format!("export {file} --to {to} -o {path}")).good().contains(&format!(" as {to}")));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_schedule_as_sources_and_steps() {
    let file = fixture("table-8-03-aas-hypercube-8.json");
    let text = exported(&file, "table", "t.txt");
    for line in [
        "alltoall on hypercube:3, 4 steps",
        "source | step 0        | step 1        | step 2        | step 3",
        "0      | 0→3 (0,2,3)   | 0→1 (0,1)     | 0→2 (0,2)     | 0→6 (0,2,6)",
        "       |               | 0→5 (0,4,5)   | 0→4 (0,4)     | 0→7 (0,4,5,7)",
        "7      | 7→5 (7,5)     | 7→1 (7,5,1)   | 7→0 (7,3,1,0) | 7→3 (7,3)",
    ] {
        assert!(text.lines().any(|l| l == line), "`{line}` is not in\n{text}");
    }
    let csv = exported(&file, "table", "t.csv");
    assert_eq!((csv.lines().next(), csv.lines().count()), (Some("source,step 0,step 1,step 2,step 3"), 9));
    assert!(csv.contains("\n0,\"0->3 (0,2,3)\",\"0->1 (0,1); 0->5 (0,4,5)\","), "{csv}");
    let latex = exported(&file, "table", "t.tex");
    assert!(latex.contains("source & step 0 & step 1 & step 2 & step 3 \\\\ \\hline"), "{latex}");
    assert!(latex.contains("0 $\\rightarrow$ 1 (0,1) \\\\ 0 $\\rightarrow$ 5 (0,4,5)"), "{latex}");
    // In a broadcast the row is where the message comes from, not who sends it on: Table 8.4.
    let broadcast = exported(&fixture("table-8-04-aab-hypercube-8.json"), "table", "t.csv");
    assert!(broadcast.contains("\n0,\"0->1 (0,1); 0->2 (0,2); 0->4 (0,4)\",\"1->3 (1,3); 4->5 (4,5); 4->6 (4,6)\","));
}

#[test]
fn messages_that_their_ends_do_not_tell_have_numbers() {
    let folder = Folder::new();
    let file = folder.path("s.json");
    quadrille(&format!("solve ring:4 scatter --switching store-and-forward -o {file}")).good();
    let text = exported(&file, "table", "t.txt");
    assert!(text.contains(" #") && text.contains("source"), "{text}");
    quadrille(&format!("solve ring:4 reduce -o {file}")).good();
    assert!(exported(&file, "table", "t.txt").contains("\nfor | step 0"));
    quadrille(&format!("solve ring:4 allreduce -o {file}")).good();
    assert!(exported(&file, "table", "t.csv").contains("\nall,"));
    // Stored as orbits, and too many steps to stand beside each other.
    quadrille(&format!("solve ring:16 alltoall --orbits -o {file}")).good();
    let text = exported(&file, "table", "t.txt");
    assert!(text.lines().all(|line| line.chars().count() <= 120) && text.matches("source").count() > 1, "{text}");
    quadrille(&format!("export {file} --to table -o {}", folder.path("t.svg"))).fails(
        2,
        "what is written is table",
        "",
    );
}

#[test]
fn routers_of_a_network_without_switches() {
    let file = fixture("table-8-03-aas-hypercube-8.json");
    let csv = exported(&file, "switches", "s.csv");
    assert_eq!(csv.lines().count(), 1 + 4 * 8);
    assert!(csv.starts_with("step,switch,label,setting\n0,0,0,local>1 0>local 1>2 2>0\n"), "{csv}");
    // Every message enters by `local` once and leaves by it once.
    assert_eq!((csv.matches("local>").count(), csv.matches(">local").count()), (56, 56));
    let json: Value = serde_json::from_str(&exported(&file, "switches", "s.json")).unwrap();
    assert_eq!(
        json["steps"][0][0],
        serde_json::json!({"switch": 0, "setting": [["local", 1], [0, "local"], [1, 2], [2, 0]]})
    );
    assert_eq!(json["switches"].as_array().unwrap().len(), 8);
    // A header of C holds ports whatever the table is called.
    assert_eq!(exported(&file, "table", "t.h"), exported(&file, "switches", "t.h"));
    // A terminal that paths pass through has a router, too.
    let folder = Folder::new();
    let line = r#"{"nodes": 4, "channels": [[0, 1], [1, 0], [1, 2], [2, 1], [2, 3], [3, 2]], "terminals": [0, 1, 3]}"#;
    let (line, passed) = (folder.write("line.json", line), folder.path("passed.json"));
    quadrille(&format!("solve {line} alltoall -o {passed}")).good();
    let csv = exported(&passed, "switches", "s.csv");
    assert!(csv.contains("\n0,1,1,") && csv.contains("\n0,2,2,") && !csv.contains("\n0,0,0,"), "{csv}");
    // Where there are switches and no path passes through a terminal, they alone are told of.
    let omega = folder.path("omega.json");
    quadrille(&format!("solve omega:8 permutation --pairs shift:1 -o {omega}")).good();
    let csv = exported(&omega, "switches", "s.csv");
    assert!(csv.lines().count() > 1 && !csv.contains("local"), "{csv}");
}

/// Two paths through one channel of capacity 2 take a unit of it each.
#[test]
fn units_of_a_channel_are_told_apart_at_switches() {
    let folder = Folder::new();
    let star = r#"graph [
  node [ id 0 label "a" ] node [ id 1 label "b" ] node [ id 2 label "c" ] node [ id 3 label "s" role "switch" ]
  edge [ source 0 target 3 capacity 2 ] edge [ source 3 target 1 ] edge [ source 3 target 2 ]
]"#;
    let (star, file) = (folder.write("star.gml", star), folder.path("scatter.json"));
    assert_eq!(quadrille(&format!("solve {star} scatter --root a -o {file} --json")).json(0)["steps"], 1);
    assert_eq!(exported(&file, "switches", "s.csv"), "step,switch,label,setting\n0,3,s,0>1 0.1>2\n");
    let json: Value = serde_json::from_str(&exported(&file, "switches", "s.json")).unwrap();
    assert_eq!(json["steps"][0][0]["setting"], serde_json::json!([[0, 1], ["0.1", 2]]));
    assert!(exported(&file, "switches", "s.txt").contains("| 0→1 0.1→2"));
    assert!(exported(&file, "switches", "s.tex").contains("0.1 $\\rightarrow$ 2"));
    let header = exported(&file, "table", "s.h");
    assert!(header.contains("int step, node, input, output, input_unit, output_unit;"), "{header}");
    assert!(header.contains("    {0, 3, 0, 1, 0, 0},\n    {0, 3, 0, 2, 1, 0},\n"), "{header}");
}
