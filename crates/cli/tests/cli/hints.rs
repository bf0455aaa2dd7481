//! What is said where an argument is almost right: lists, ranges, names of nodes and files, numbers with units.

use crate::{Folder, quadrille};

/// A ring of eight with names, one of them a switch.
fn ring(folder: &Folder) -> String {
    let name = |v: usize| if v == 3 { "r3".into() } else { format!("cpu{v}") };
    let role = |v: usize| if v == 3 { "role \"switch\"" } else { "" };
    let nodes: String = (0..8).map(|v| format!("node [ id {v} label \"{}\" {} ]\n", name(v), role(v))).collect();
    let links: String = (0..8).map(|v| format!("edge [ source {v} target {} ]\n", (v + 1) % 8)).collect();
    folder.write("noc.gml", &format!("graph [\n{nodes}{links}]\n"))
}

#[test]
fn nodes_and_links_fail_in_lists() {
    let folder = Folder::new();
    let ring = ring(&folder);
    let channels = |flags: &str| quadrille(&format!("network {ring} {flags} --json")).json(0)["channels"].clone();
    assert_eq!(channels("--fail-node cpu1,r3"), channels("--fail-node cpu1 --fail-node r3"));
    assert_eq!(channels("--fail-node r3-cpu4"), 16 - 6);
    assert_eq!(channels("--fail-link cpu0-cpu1,cpu5>cpu6"), 16 - 3);
    let torus = quadrille("network torus:3x3 --fail-link 0,1-0,2 --json").json(0);
    assert_eq!((&torus["channels"], &torus["name"]), (&34.into(), &"torus:3x3 without 1-2".into()));
    quadrille(&format!("network {ring} --fail-node cpu1,cpu9")).fails(2, "`cpu9` is not a node", "cpu");
    quadrille(&format!("network {ring} --fail-link cpu0-cpu1,cpu5-cpu9")).fails(
        2,
        "--fail-link: `cpu9`",
        "did you mean",
    );
    quadrille(&format!("solve {ring} broadcast --root cpu7 --fail-node cpu7")).fails(
        2,
        "--root: node cpu7 has failed",
        "its terminals are cpu0",
    );
    quadrille(&format!("solve {ring} broadcast --root r3")).fails(2, "is a switch (r3)", "its terminals are cpu0");
}

#[test]
fn ranges_pass_over_switches() {
    let folder = Folder::new();
    let ring = ring(&folder);
    let solved = |senders: &str| {
        let answer = quadrille(&format!("solve {ring} alltoall --senders {senders} --receivers cpu0 --json")).json(0);
        (answer["steps"].clone(), answer["messages"].clone())
    };
    assert_eq!(solved("cpu1-cpu5"), solved("cpu1,cpu2,cpu4,cpu5"));
    assert_eq!(solved("1-5"), solved("cpu1,cpu2,cpu4,cpu5"));
    quadrille(&format!("solve {ring} alltoall --senders r3 --receivers cpu0")).fails(
        2,
        "is a switch (r3)",
        "terminals",
    );
}

#[test]
fn several_nodes_have_commas_between_them() {
    let folder = Folder::new();
    let ring = ring(&folder);
    quadrille(&format!("solve {ring} alltoall --senders cpu0 --receivers cpu1 cpu2")).fails(
        2,
        "unexpected argument 'cpu2' found",
        "several have commas between them: --receivers cpu1,cpu2",
    );
    let line = ["solve", ring.as_str(), "alltoall", "--senders", "cpu0", "--receivers", "cpu1 cpu2"];
    crate::arguments(&line).fails(2, "`cpu1 cpu2` is not a node", "commas between them: cpu1,cpu2");
    quadrille(&format!("solve {ring} alltoall again")).fails(2, "unexpected argument 'again'", "usage: ");
}

#[test]
fn the_likeliest_name_is_suggested() {
    let folder = Folder::new();
    let nodes = ["cpu0", "cpu1", "cpu7", "cpu17", "cpu70", "eth-nic0"];
    let nodes: String =
        nodes.iter().enumerate().map(|(v, name)| format!("node [ id {v} label \"{name}\" ]\n")).collect();
    let links: String = (1..6).map(|v| format!("edge [ source 0 target {v} ]\n")).collect();
    let star = folder.write("noc.gml", &format!("graph [\n{nodes}{links}]\n"));
    for (text, wanted) in [("CPU7", "cpu7"), ("cpu07", "cpu7"), ("NIC0", "eth-nic0"), ("Cpu017", "cpu17")] {
        let answer = quadrille(&format!("solve {star} broadcast --root {text}"));
        answer.fails(2, &format!("`{text}` is not a node"), &format!("did you mean `{wanted}`?"));
    }
    let [near, far] = ["noc.gm", "c.gml"].map(|name| folder.path(name));
    quadrille(&format!("solve {near} alltoall")).fails(2, "noc.gm", "noc.gml");
    quadrille(&format!("solve {} alltoall", folder.path("nox.gml"))).fails(2, "cannot be read", "did you mean");
    quadrille(&format!("solve {far}/x.gml alltoall")).fails(2, "cannot be read", "name a file that exists");
}

#[test]
fn a_network_is_no_schedule() {
    let folder = Folder::new();
    let ring = ring(&folder);
    let graphml = folder.path("noc.graphml");
    quadrille(&format!("network {ring} -o {graphml}")).good();
    for file in [&ring, &graphml] {
        for line in [format!("check {file}"), format!("show {file} -o -.svg"), format!("export {file} --to csv -o -")] {
            quadrille(&line).fails(2, "is a network and no schedule", &format!("quadrille solve {file} alltoall"));
        }
    }
    let other = folder.write("notes.txt", "nothing of the kind");
    quadrille(&format!("check {other}")).fails(2, "is no schedule file", "");
    quadrille(&format!("network {graphml} --from gml")).fails(
        2,
        "noc.graphml",
        "read as gml because of --from; it looks like graphml",
    );
}

#[test]
fn numbers_with_units_are_told_of_in_words() {
    for (line, message, hint) in [
        ("solve ring:4 alltoall --time 20x", "--time: `20x` is not a number of seconds", "20s, 2m or 1h"),
        ("solve ring:4 alltoall --seed abc", "--seed: `abc` is not a whole number", "digits only"),
        ("solve ring:4 alltoall --seed 99999999999999999999", "--seed: `99999999999999999999` is too large", "smaller"),
        ("simulate ring:4 --rate 64bit", "--rate: `64bit` is not a rate", "0.1"),
        ("simulate x.json --flits 64B", "--flits: `64B` is not a whole number", "digits only"),
        ("simulate x.json --pause 1us", "--pause: `1us` is not a whole number of cycles", "digits only"),
        ("cost x.json --alpha 1us", "--alpha: `1us` is not a number", "2.5"),
    ] {
        quadrille(line).fails(2, message, hint);
    }
    for time in ["20s", "0.5m", "1h", "900ms", "20"] {
        assert_eq!(quadrille(&format!("solve ring:4 alltoall --time {time} --json")).json(0)["steps"], 2);
    }
    quadrille("solve ring:4 alltoall --time -1").fails(2, "--time: not a number of seconds", "2.5");
}
