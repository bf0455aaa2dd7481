//! `atlas`: tables, checks, and results found anew, in folders of its own.

use super::{Folder, quadrille};
use std::io::Write;

const RINGS: &str = r#"
title = "Rings"
source = "a test"

[[network]]
name = "Ring-4"
spec = "ring:4"
cases = [
  { collective = "alltoall", printed = "3/2", optimum = 2, printed_time = "1d" },
  { case = "from 1", collective = "scatter", root = 1, printed = "2" },
]

[[network]]
name = "Ring-5 broken"
spec = "ring:5"
note = "A note."
cases = [{ collective = "broadcast", root = 0, fail_link = ["0-1"], printed = "1" }]
"#;

/// A folder with the table above and its results.
fn solved() -> (Folder, String) {
    let folder = Folder::new();
    folder.write("rings.toml", RINGS);
    let dir = format!("--dir {}", folder.path(""));
    quadrille(&format!("atlas --solve {dir}")).good();
    (folder, dir)
}

/// The text of an archive, changed.
fn tamper(folder: &Folder, change: impl Fn(String) -> String) {
    let path = folder.path("results/rings.jsonl.gz");
    let mut text = String::new();
    let file = std::fs::File::open(&path).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).unwrap();
    let changed = change(text.clone());
    assert_ne!(changed, text);
    let mut file = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
    file.write_all(changed.as_bytes()).unwrap();
    file.finish().unwrap();
}

#[test]
fn the_own_atlas_is_found_and_shown() {
    let text = quadrille("atlas petersen-10 kautz:3,2").good();
    assert!(text.starts_with("Optimal diameter-degree networks (Table 8.10)\n"), "{text}");
    assert!(text.contains("  Petersen-10  3        3     5         5     2          2     3          3\n"), "{text}");
    assert!(text.ends_with("8 entries, 8 verified and certified, 8 of them optimal\n"), "{text}");
    let all = quadrille("atlas mesh-4x4 --json").json(0);
    let edge = all["entries"].as_array().unwrap().iter().find(|e| e["name"] == "mesh-4x4/edge/scatter").unwrap();
    assert_eq!((&edge["printed"], &edge["steps"], &edge["optimal"]), (&6.into(), &5.into(), &true.into()));
    assert_eq!(quadrille("atlas petersen*/alltoall --check --json").json(0)["entries"], 1);
}

#[test]
fn tables_and_collectives_are_chosen_as_they_are_printed() {
    let entries = |names: &[&str]| {
        let listed = crate::arguments(&[&["atlas", "--json"], names].concat()).json(0);
        listed["entries"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let faulty = entries(&["table-8-20-faulty-mesh-nodes"]);
    assert!(!faulty.is_empty());
    assert_eq!((entries(&["8.20"]), entries(&["Table 8.20"])), (faulty.clone(), faulty));
    let alltoall = entries(&["alltoall"]);
    assert!(alltoall.len() > 20 && alltoall.iter().all(|name| name.contains("alltoall")), "{alltoall:?}");
    assert_eq!(entries(&["AAS"]), alltoall);
}

#[test]
fn unknown_names_get_the_nearest() {
    quadrille("atlas peterson").fails(2, "`peterson` is not an entry", "did you mean `petersen`?");
    quadrille("atlas --check zzzzzzzzzzz").fails(2, "`zzzzzzzzzzz` is not an entry", "`quadrille atlas` lists all");
}

#[test]
fn results_are_found_stored_and_found_again() {
    let folder = Folder::new();
    folder.write("rings.toml", RINGS);
    let dir = format!("--dir {}", folder.path(""));
    let empty = quadrille(&format!("atlas --check {dir}"));
    assert_eq!(empty.status, 1);
    assert!(empty.out.contains("\n  ring-4/from-1/scatter: nothing is stored"), "{}", empty.out);
    assert!(quadrille(&format!("atlas {dir}")).good().contains("–"));
    let one = quadrille(&format!("atlas --solve ring-4/alltoall {dir} --json")).json(0);
    assert_eq!((&one["entries"][0]["change"], &one["entries"][0]["steps"]), (&"new".into(), &2.into()));
    let all = quadrille(&format!("atlas --solve {dir} --json --threads 2")).json(0);
    let changes: Vec<_> = all["entries"].as_array().unwrap().iter().map(|e| e["change"].as_str().unwrap()).collect();
    assert_eq!(changes, ["same", "new", "new"]);
    assert_eq!(folder.names(), ["results", "rings.toml"]);
    let bytes = std::fs::read(folder.path("results/rings.jsonl.gz")).unwrap();
    quadrille(&format!("atlas --solve {dir}")).good();
    assert_eq!(std::fs::read(folder.path("results/rings.jsonl.gz")).unwrap(), bytes, "as good is not written");
    let checked = quadrille(&format!("atlas --check {dir}")).good();
    assert!(checked.starts_with("3 entries, 3 verified and certified, 3 of them optimal"), "{checked}");
}

#[test]
fn better_results_replace_what_is_stored() {
    let (folder, dir) = solved();
    // An empty step at the end breaks no rule.
    tamper(&folder, |text| text.replacen("]}}\n", ",0]}}\n", 1));
    let told = quadrille(&format!("atlas --solve {dir}")).good();
    assert!(told.contains("1 better"), "{told}");
    let again = quadrille(&format!("atlas --solve --renew {dir}")).good();
    assert!(again.contains("3 same"), "{again}");
    quadrille(&format!("atlas --check {dir}")).good();
}

#[test]
fn tampered_results_are_refused_by_name() {
    type Change = fn(String) -> String;
    let changes: [(Change, &str); 4] = [
        (|text| text.replace("\"hops\":[0", "\"hops\":[1"), "ring-5-broken/broadcast: "),
        (|text| text.replace("\"steps\":2}", "\"steps\":3}"), "the bound is refused"),
        (|text| text.replace("\"form\":\"", "\"form\":\"x"), "ring-4/alltoall: form: is not one of hops"),
        (|text| text.replace("{\"bound\"", "{bound"), ""),
    ];
    for (change, says) in changes {
        let (folder, dir) = solved();
        tamper(&folder, change);
        let answer = quadrille(&format!("atlas --check {dir}"));
        if says.is_empty() {
            answer.fails(2, "rings.jsonl.gz:2:1: ", "restore the file");
            continue;
        }
        assert_eq!(answer.status, 1, "{}", answer.out);
        assert!(answer.out.contains(says), "{says} is not in {}", answer.out);
        let shown = quadrille(&format!("atlas {dir}"));
        assert_eq!(shown.status, 1);
        assert!(shown.out.contains("refused"), "{}", shown.out);
    }
}

#[test]
fn a_wrong_optimum_is_refused() {
    let (folder, dir) = solved();
    folder.write("rings.toml", &RINGS.replace("optimum = 2", "optimum = 1"));
    let answer = quadrille(&format!("atlas --check {dir}"));
    assert_eq!(answer.status, 1);
    assert!(answer.out.contains("ring-4/alltoall: the table calls 1 the optimum"), "{}", answer.out);
}

#[test]
fn results_of_no_entry_are_refused_and_taken_out() {
    let (folder, dir) = solved();
    folder.write("rings.toml", &RINGS.replace("from 1", "from one"));
    quadrille(&format!("atlas --check {dir}")).fails(2, "`ring-4/from-1/scatter` is not an entry", "--solve");
    quadrille(&format!("atlas --solve {dir}")).good();
    quadrille(&format!("atlas --check {dir}")).good();
}

#[test]
fn pages_are_written_whole() {
    let (folder, dir) = solved();
    let page = folder.path("page.md");
    quadrille(&format!("atlas --markdown -o {page} {dir}")).good();
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("| Ring-4 |  |  |  | 3/2 | 2 · "), "{text}");
    assert!(text.contains("- Ring-5 broken: A note.\n"), "{text}");
    assert!(text.contains("| Ring-4 | alltoall | 1d | "), "{text}");
    assert!(text.contains("| ring-5-broken/broadcast | 1 | 2 | no schedule has so few steps |"), "{text}");
    assert_eq!(quadrille(&format!("atlas --markdown {dir}")).good(), text);
    quadrille(&format!("atlas --markdown -o {} {dir}", folder.path("no/page.md"))).fails(
        2,
        "cannot be written",
        "name a file",
    );
}

#[test]
fn bad_tables_say_where() {
    for (from, to, says) in [
        ("root = 1", "root = 9", "ring-4/from-1/scatter: message"),
        ("\"alltoall\"", "\"altoall\"", "`altoall` is not a collective"),
        ("ring:4", "rink:4", "rink"),
        ("0-1", "0-3", "ring-5-broken/broadcast: no channel joins node 0 to node 3"),
        ("0-1", "0+1", "`0+1` is not a link"),
    ] {
        let folder = Folder::new();
        let dir = format!("--dir {}", folder.path(""));
        folder.write("rings.toml", &RINGS.replace(from, to));
        let answer = quadrille(&format!("atlas --check {dir} --json")).json(1);
        let failures = answer["failures"].to_string();
        assert!(failures.contains(says), "{says} is not in {failures}");
        quadrille(&format!("atlas --solve {dir}")).fails(2, says, "correct the table");
    }
    for (from, to, says) in [
        ("3/2", "3/x", "rings.toml:9: `3/x` is not of the form"),
        ("case = ", "caze = ", "rings.toml:10: unknown field `caze`"),
        ("Ring-5 broken", "Ring-4\"\nspec2 = \"", "rings.toml:"),
        (
            "{ case = \"from 1\", collective = \"scatter\", root = 1, printed = \"2\" }",
            "{ collective = \"alltoall\" }",
            "two entries are named ring-4/alltoall",
        ),
    ] {
        let folder = Folder::new();
        folder.write("rings.toml", &RINGS.replace(from, to));
        quadrille(&format!("atlas --dir {}", folder.path(""))).fails(2, says, "correct the table");
    }
    let folder = Folder::new();
    quadrille(&format!("atlas --dir {}", folder.path(""))).fails(2, "no table (.toml) in this folder", "--dir");
    quadrille(&format!("atlas --dir {}", folder.path("no"))).fails(2, "cannot be read", "--dir");
}

#[test]
fn flags_that_do_not_go_together_are_refused() {
    for line in [
        "--check --solve",
        "--renew",
        "--time 3",
        "-o page.md",
        "--markdown --json",
        "--solve --time -1",
        "--threads 0",
    ] {
        assert_eq!(quadrille(&format!("atlas {line}")).status, 2, "{line}");
    }
}
