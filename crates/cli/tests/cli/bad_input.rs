//! Bad input: each kind with its message, a hint, status 2 (1 where the answer is no), and nothing on stdout.

use crate::{Folder, arguments, quadrille};

#[test]
fn unknown_family() {
    quadrille("solve tours:4x4 alltoall").fails(2, "tours", "torus");
    quadrille("network nothing-like-it:3").fails(2, "nothing-like-it", "quadrille networks");
}

#[test]
fn wrong_parameters_of_a_family() {
    for spec in
        ["torus:0x4", "kautz:1", "ring:1", "hypercube:x", "torus:", "hypercube:99", "circulant:8;9,0", "mesh:4x"]
    {
        let answer = quadrille(&format!("solve {spec} alltoall"));
        let family = spec.split(':').next().unwrap();
        answer.fails(2, family, "");
    }
}

#[test]
fn hints_name_a_typical_member() {
    quadrille("solve hypercube:3,4 AAS").fails(2, "hypercube", "for example `hypercube:3`");
    quadrille("solve complete:x AAS").fails(2, "complete", "for example `complete:6`");
}

/// What cannot be done is told apart from what was not found.
#[test]
fn steps_below_the_bound_are_told() {
    let answer = quadrille("solve ring:8 alltoall --steps 3");
    assert!(answer.err.contains("--steps 3 was not reached: the lower bound is 8"), "{}", answer.err);
    let usage = quadrille("show file.json");
    usage.fails(2, "required arguments", "see `quadrille help show`");
    quadrille("solve ring:8 alltoall -o x.foo").fails(2, "not .foo", ".qdr");
}

#[test]
fn unknown_collective_and_method() {
    quadrille("solve my-network alltoall").fails(2, "no family of networks `my-network`", "no such file, either");
    quadrille("solve ring:8 alltoal").fails(2, "`alltoal` is not a collective", "did you mean `alltoall`?");
    quadrille("solve ring:8 OAX").fails(2, "`OAX` is not a collective", "quadrille collectives");
    quadrille("solve ring:8 alltoall --method magic").fails(2, "`magic` is not a method", "quadrille methods");
    quadrille("solve AAS hypercube:3").fails(2, "the two are swapped", "hypercube:3 AAS");
    quadrille("solve ring:8 AAS --method bmda").fails(2, "`bmda` is not a method", "hint: `quadrille methods`");
    let repair = "solve hypercube:3 AAS --method schedule-repair";
    quadrille(repair).fails(2, "networks with faults, and hypercube:3 has lost nothing", "--fail-link");
    quadrille("solve ring:8 AAS --method umda --switching tdm").fails(2, "only wormhole switching", "");
    let umda = |rest: &str| quadrille(&format!("solve ring:8 alltoall --method umda {rest}"));
    umda("--param population=1").fails(2, "population: 1 is not allowed", "a whole number from 2");
    umda("--param mutation=1.5").fails(2, "mutation: 1.5 is not allowed", "from 0 to 1");
    umda("--param poplation=9").fails(2, "`poplation` is not a parameter", "did you mean `population`?");
    umda("--param population").fails(2, "no `=`", "NAME=VALUE");
    umda("--steps 7").fails(2, "no schedule has fewer than 8 steps", "write 8 or more");
    umda("--param paths=9").fails(2, "more than 9 paths", "sample");
    umda("--trace /nowhere/trace.jsonl").fails(2, "--trace", "a folder that can be written");
    quadrille("solve ring:8 alltoall --param population=9").fails(2, "only evolutionary methods", "umda");
}

#[test]
fn faults_that_cut_the_network_apart_name_a_pair() {
    quadrille("solve mesh:2x2 alltoall --fail-link 0-1 --fail-link 0-2").fails(
        2,
        "does not connect node 0 to node",
        "faults disconnect the network",
    );
    quadrille("solve ring-uni:5 broadcast --root 1 --fail-node 3").fails(
        2,
        "does not connect node 1 to node 0",
        "faults disconnect the network",
    );
}

#[test]
fn faults_that_do_not_exist() {
    quadrille("solve ring:8 alltoall --fail-link 0-4").fails(
        2,
        "no channel joins node 0 to node 4",
        "channels of node 0 lead to 1, 7",
    );
    quadrille("solve ring:8 alltoall --fail-link 0-1 --fail-link 0-1").fails(
        2,
        "no channel joins node 0 to node 1",
        "channels of node 0 lead to 7",
    );
    quadrille("--nonsense").fails(2, "--nonsense", "`quadrille help` lists the verbs");
    quadrille("solve ring:8 alltoall --fail-link 04").fails(2, "`04` is not a link", "A-B");
    quadrille("network ring:3 --fail-node 0 --fail-node 1 --fail-node 2").fails(2, "--fail-node 2", "");
    quadrille("solve ring:8 alltoall --fail-node 8").fails(2, "no node 8", "0 to 7");
}

#[test]
fn roots_that_cannot_be() {
    quadrille("solve ring:8 scatter --root 8").fails(2, "--root: ring:8 has no node 8", "0 to 7");
    quadrille("solve ring:8 scatter --root -1").fails(2, "`-1` is not a node of ring:8", "0 to 7");
    quadrille("solve binary-tree:8 scatter --root 8").fails(
        2,
        "node 8 of binary-tree:8 is a switch (A)",
        "terminals are 0-7",
    );
    quadrille("solve ring:8 alltoall --root 0").fails(2, "alltoall has no root", "--senders");
    quadrille("solve ring:8 scatter --root 0 --senders 0-3").fails(2, "root and a list", "one of them");
}

#[test]
fn lists_that_do_not_fit() {
    quadrille("solve ring:8 scatter --receivers 3,9").fails(2, "--receivers: ring:8 has no node 9", "0 to 7");
    quadrille("solve ring:8 alltoall --senders 5-2").fails(2, "`5-2` runs backwards", "2-5");
    quadrille("solve ring:8 alltoall --senders 1,,2").fails(2, "empty entry", "commas");
    quadrille("solve ring:8 scatter --root 3 --receivers 3").fails(2, "no message to send", "other senders");
    quadrille("solve binary-tree:4 alltoall --receivers 4").fails(2, "is a switch", "terminals are 0-3");
}

#[test]
fn pairs_that_are_none() {
    let folder = Folder::new();
    let solve = |pairs: &str| quadrille(&format!("solve ring:8 alltoallv --pairs {pairs}"));
    let place = folder.write("pairs.txt", "0 1\n# a comment\n2 9\n");
    solve(&place).fails(2, "pairs.txt:3: to: ring:8 has no node 9", "0 to 7");
    solve(&folder.write("count.txt", "0 1 many\n")).fails(2, "count.txt:1: the count `many`", "from to [count]");
    solve(&folder.write("words.txt", "0\n")).fails(2, "words.txt:1: 1 words", "from to [count]");
    solve(&folder.write("empty.txt", "# none\n")).fails(2, "no pair", "from to [count]");
    solve(&folder.path("missing.txt")).fails(2, "missing.txt", "--pairs");
    solve(&folder.write("most.txt", "0 1 99999999999999999999\n")).fails(2, "most.txt:1", "count");
    solve(&folder.write("huge.txt", "0 1 18446744073709551615\n")).fails(2, "messages in all", "smaller");
    quadrille("solve ring:8 alltoallv").fails(2, "alltoallv needs pairs", "--pairs");
    quadrille(&format!("solve ring:8 scatter --pairs {place}")).fails(2, "scatter takes no pairs", "--root");
}

#[test]
fn numbers_that_are_none() {
    quadrille("solve ring:8 alltoall --ports none").fails(2, "--ports: `none`", "`all`, `one`");
    quadrille("solve ring:8 alltoall --ports 0").fails(2, "--ports: `0`", "at least 1");
    quadrille("solve ring:8 alltoall --time -1").fails(2, "--time", "2.5");
    quadrille("solve ring:8 alltoall --time nan").fails(2, "--time", "2.5");
    quadrille("solve ring:8 alltoall --threads 0").fails(2, "--threads", "at least 1");
    quadrille("solve ring:8 alltoall --threads 99999999").fails(2, "--threads", "at most 1024");
    quadrille("solve ring:8 alltoall --chunks 0").fails(2, "--chunks: 0 chunks", "at least 1");
    quadrille("bound ring:8 broadcast --chunks 4294967295").fails(2, "4294967295 chunks", "fewer --chunks");
    quadrille("solve ring:8 alltoall --chunks 4294967296").fails(2, "--chunks", "quadrille help");
    quadrille("solve ring:8 alltoall --chunks x").fails(2, "'x'", "quadrille help");
    quadrille("solve ring:8 alltoall --seed x").fails(2, "--seed: `x` is not a whole number", "digits only");
    quadrille("solve ring:8 alltoall --switching circuit").fails(2, "'circuit'", "");
}

#[test]
fn verbs_and_flags_that_do_not_exist() {
    quadrille("slove ring:8 alltoall").fails(2, "'slove'", "'solve'");
    quadrille("solve ring:8 alltoall --recievers 3").fails(2, "'--recievers'", "'--receivers'");
    quadrille("solve ring:8").fails(2, "<COLLECTIVE>", "quadrille help");
}

#[test]
fn a_budget_too_small_to_find_anything() {
    let folder = Folder::new();
    let file = folder.path("out.json");
    quadrille(&format!("solve mesh:4x4 alltoall --time 0 -o {file}")).fails(1, "no schedule found in 0 s", "--time");
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn outputs_that_cannot_be_written_are_known_before_the_search() {
    let folder = Folder::new();
    // Without the check beforehand, these searches would take far longer than any test.
    let solve = |file: &str| quadrille(&format!("solve mesh:16x16 alltoall -o {file}"));
    solve(&folder.path("missing/out.json")).fails(
        2,
        "missing/out.json: cannot be written: there is no such folder",
        "name a file",
    );
    solve(&folder.path(".")).fails(2, "it is a folder", "name a file");
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    quadrille("solve ring:5 alltoall -o /dev/full").fails(2, "/dev/full", "free some space");
}

#[test]
fn network_files_with_errors_say_where() {
    let folder = Folder::new();
    let files = [
        ("a.json", "{\"nodes\": 2,\n \"channels\": [[0, 5]]}", "a.json"),
        ("b.json", "{\"nodes\": 2,\n \"channels\": [[0, 1]", "b.json:2"),
        ("c.txt", "3 2\n0 B 1\n1 X 0 2\n2 B 1\n", "c.txt:3"),
        ("d.edges", "0 1\n1 x y\n", "d.edges:2"),
        ("e.dot", "digraph { a -> ; }\n", "e.dot:1"),
        (
            "f.graphml",
            "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/>\n<edge source=\"a\" target=\"z\"/></graph></graphml>",
            "f.graphml:2",
        ),
    ];
    for (name, text, place) in files {
        let path = folder.write(name, text);
        quadrille(&format!("network {path}")).fails(2, place, "");
    }
    quadrille(&format!("network {}", folder.path("missing.dot"))).fails(2, "missing.dot", "exists");
    quadrille("network ./ring.xyz").fails(2, "ring.xyz", "");
}

#[test]
fn schedule_files_with_errors_say_where() {
    let folder = Folder::new();
    let good = std::fs::read_to_string(crate::fixtures().join("table-8-02-oas-hypercube-8.json")).unwrap();
    let cases = [
        (good.replace("quadrille-schedule/1", "quadrille-schedule/9"), "format"),
        (good.replace("\"channels\"", "\"chanels\""), "channels"),
        (good.replace("\"wormhole\"", "\"circuit\""), "switching"),
        (good[..good.len() / 2].to_owned(), "bad.json"),
        (String::new(), "bad.json"),
    ];
    for (text, says) in cases {
        let path = folder.write("bad.json", &text);
        quadrille(&format!("check {path}")).fails(2, says, "");
        quadrille(&format!("check {path} --json")).fails(2, says, "");
    }
    quadrille(&format!("check {}", folder.path("none.json"))).fails(2, "none.json", "exists");
    quadrille(&format!("check {}", folder.write("not.json.gz", "plain"))).fails(2, "not.json.gz", "");
}

#[test]
fn exports_that_cannot_be() {
    let folder = Folder::new();
    let fixture = |name: &str| crate::fixtures().join(name).to_str().unwrap().to_owned();
    let good = fixture("table-8-02-oas-hypercube-8.json");
    let out = folder.path("out.csv");
    arguments(&["export", &good, "--to", "cvs", "-o", &out]).fails(2, "`cvs` is not a format", "did you mean `csv`?");
    let begun = arguments(&["export", &good, "--to", "msccl", "-o", &out]);
    begun.fails(2, "`msccl` is not a format", "did you mean `msccl-xml`?");
    let bad = fixture("table-8-11-aab-kautz-12-as-printed.json");
    arguments(&["export", &bad, "--to", "csv", "-o", &out]).fails(1, "violation", "quadrille check");
    let picture = folder.path("a.svg");
    arguments(&["show", &good, "-o", &out]).fails(2, "out.csv", ".svg");
    arguments(&["show", &good, "-o", &picture, "--step", "3"]).fails(2, "no step 3", "3 steps, counted from 0");
    arguments(&["show", &good, "-o", &picture, "--step", "-1"]).fails(
        2,
        "--step: `-1` is not a whole number",
        "digits only",
    );
    arguments(&["show", &good, &good, "-o", &picture]).fails(2, "two files", ".html");
    let page = folder.path("a.html");
    arguments(&["show", &good, "-o", &page, "--step", "0"]).fails(2, "a page has all steps", ".svg");
    arguments(&["show", &good, "-o", &picture, "--steps", "3"]).fails(
        2,
        "--steps: the schedule has no step 3",
        "3 steps",
    );
    arguments(&["show", &good, "-o", &page, "--dark"]).fails(2, "--dark is for pictures", ".svg");
    arguments(&["network", "ring:5", "-o", &out.replace("csv", "dot"), "--dark"]).fails(
        2,
        "--dark is for pictures",
        ".svg",
    );
    arguments(&["network", "ring:5", "--dark"]).fails(2, "-o <FILE>", "help");
    arguments(&["show", &bad, "-o", &page]).fails(1, "violation", "quadrille check");
    arguments(&["show", &bad, "-o", &picture]).fails(1, "violation", "quadrille check");
    assert_eq!(folder.names(), Vec::<String>::new());
}

#[test]
fn traces_that_cannot_be_drawn() {
    let folder = Folder::new();
    let moment = r#"{"method":"sga","steps":4,"evaluations":100,"best":3,"mean":7.5}"#;
    let good = folder.write("good.jsonl", &format!("{moment}\n"));
    let (picture, page) = (folder.path("a.svg"), folder.path("a.html"));
    for (text, says) in [
        (format!("{moment}\nnonsense\n"), "bad.jsonl:2:"),
        (format!("{moment}\n\n{}\n", moment.replace("best", "bets")), "bad.jsonl:3:"),
        (moment.replace("100", "\"many\""), "evaluations"),
        (moment.replace('3', "-3"), "never negative"),
    ] {
        let bad = folder.write("bad.jsonl", &text);
        arguments(&["show", &bad, "-o", &picture]).fails(2, says, "");
        arguments(&["show", &good, &bad, "-o", &picture]).fails(2, says, "");
    }
    arguments(&["show", &good, "-o", &page]).fails(2, "one plot", ".svg");
    arguments(&["show", &good, "-o", &picture, "--step", "0"]).fails(2, "one plot", "--step");
    let schedule = crate::fixtures().join("table-8-02-oas-hypercube-8.json").to_str().unwrap().to_owned();
    arguments(&["show", &good, &schedule, "-o", &picture]).fails(2, "is not a trace", ".jsonl");
    arguments(&["show", &schedule, &schedule, &schedule, "-o", &page]).fails(2, "3 schedules", "a page compares two");
    let empty = folder.write("bad.jsonl", "\n");
    arguments(&["show", &empty, "-o", &picture]).fails(2, "a trace without a line", "solve … --trace FILE.jsonl");
    let line = "solve hypercube:2 AAS --method umda --trace";
    quadrille(&format!("{line} {}", folder.path("t.csv"))).fails(2, "lines of JSON are written", ".jsonl or .jsonl.gz");
    assert_eq!(folder.names(), ["bad.jsonl", "good.jsonl"]);
    assert!(arguments(&["show", &good, "-o", &picture]).good().contains("1 record as svg"));
    assert!(std::fs::read_to_string(&picture).unwrap().contains("sga, 4 steps"));
}
