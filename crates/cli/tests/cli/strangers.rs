//! Files from strangers: what they ask for is bounded by what they are.

use super::{Answer, Folder, quadrille};
use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Command;

/// Runs `quadrille` in so many megabytes of memory.
fn within(megabytes: u32, words: &[&str]) -> Answer {
    let limit = (megabytes * 1024).to_string();
    let program = snapbox::cmd::cargo_bin!("quadrille");
    let output = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &limit, program.to_str().unwrap()])
        .args(words)
        .output()
        .unwrap();
    Answer {
        status: output.status.code().expect("it was not killed"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A message from node 0 to node 1 of so many, over the only channel.
fn lonely(nodes: u64, steps: Value, bound: Value) -> Value {
    json!({
        "format": "quadrille-schedule/1",
        "network": {"nodes": nodes, "channels": [[0, 1]]},
        "collective": {"name": "pair", "semantics": "copy"},
        "model": {"switching": "wormhole"},
        "messages": [{"from": 0, "to": [1]}],
        "steps": steps,
        "bound": bound,
    })
}

fn sent() -> Value {
    json!([[{"messages": [0], "path": [0]}]])
}

#[test]
fn a_short_file_asks_for_little() {
    let folder = Folder::new();
    let claims = |steps: u64| json!({"steps": steps, "certificate": {"kind": "combination", "multipliers": []}});
    let many = folder.write("nodes.json", &lonely(4_194_304, sent(), claims(1000)).to_string());
    within(300, &["check", &many]).fails(
        2,
        "4194304 nodes are more than the 65536 that a file of its size may",
        "correct the file",
    );
    for (nodes, steps) in [(2, 33_554_433), (65_536, 1000), (65_536, u64::MAX)] {
        let file = folder.write("steps.json", &lonely(nodes, sent(), claims(steps)).to_string());
        let answer = within(300, &["check", &file]);
        assert_eq!(answer.status, 1, "{}", answer.err);
        assert!(answer.out.contains("more than the 1 of the schedule beside it"), "{}", answer.out);
    }
    // With as many empty steps as are claimed.
    let long: Vec<Value> = vec![json!([]); 5000];
    let file = folder.write("long.json", &lonely(65_536, long.into(), claims(5000)).to_string());
    let answer = within(300, &["check", &file]);
    assert!(answer.status == 1 && answer.out.contains("cannot be checked"), "{}{}", answer.out, answer.err);
}

#[test]
fn a_chunk_of_many_contributors() {
    let folder = Folder::new();
    let n = 60_000;
    let channels: Vec<_> = (0..n).map(|v| (v, (v + 1) % n)).collect();
    let step: Vec<_> = (0..n).map(|c| json!({"messages": [0], "path": [c]})).collect();
    let file = json!({
        "format": "quadrille-schedule/1",
        "network": {"nodes": n, "channels": channels},
        "collective": {"name": "reduce", "semantics": "reduce"},
        "model": {"switching": "wormhole"},
        "messages": [{"contributors": (0..n).collect::<Vec<_>>(), "to": [0]}],
        "steps": [step],
    });
    let file = folder.write("reduce.json", &file.to_string());
    let answer = within(300, &["check", &file]);
    assert_eq!(answer.status, 1, "{}", answer.err);
    assert!(answer.out.contains("node 0 ends without the contribution of node 1"), "{}", answer.out);
}

#[test]
fn violations_are_counted_and_the_first_hundred_shown() {
    let folder = Folder::new();
    let step = vec![json!({"messages": [7], "path": [0]}); 20_000];
    let file = folder.write("bad.json", &lonely(2, json!([step]), Value::Null).to_string());
    let answer = within(300, &["check", &file]);
    assert_eq!(answer.status, 1, "{}", answer.err);
    assert!(answer.out.starts_with("pair: INVALID, 20001 violations\n"), "{}", answer.out);
    assert_eq!(answer.out.lines().filter(|line| line.contains("no-such-message")).count(), 100);
    assert!(answer.out.contains("\n  and 19901 more, shown with --all\n"), "{}", answer.out);
    let json = quadrille(&format!("check {file} --json")).json(1);
    assert_eq!((json["violations"].as_array().unwrap().len(), &json["violation_count"]), (100, &json!(20_001)));
    let all = quadrille(&format!("check {file} --json --all")).json(1);
    assert_eq!(all["violations"].as_array().unwrap().len(), 20_001);
}

#[cfg(target_os = "linux")]
#[test]
fn what_never_ends_is_no_text() {
    let folder = Folder::new();
    let link = folder.path("zero.json");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    for words in [
        &["check", &link] as &[&str],
        &["network", &link],
        &["show", &link, "-o", &folder.path("x.html")],
        &["latin", "check", "/dev/zero"],
        &["solve", "ring:8", "permutation", "--pairs", "/dev/zero"],
    ] {
        let answer = within(300, words);
        assert_eq!(answer.status, 2, "{words:?}: {}", answer.err);
        assert!(answer.err.contains("it holds a byte 0"), "{words:?}: {}", answer.err);
    }
    assert_eq!(folder.names(), ["zero.json"]);
}

fn packed(parts: &[(&[u8], usize)]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::new(3));
    for (bytes, times) in parts {
        (0..*times).for_each(|_| packer.write_all(bytes).unwrap());
    }
    packer.finish().unwrap()
}

#[test]
fn compressed_files_unpack_within_bounds() {
    let folder = Folder::new();
    let head = br#"{"format": "quadrille-schedule/1", "network": {"nodes": 2, "channels": ["#;
    let (zeros, blanks) = ([0u8; 4096], [b' '; 4096]);
    let many = "is no text";
    let large = "it unpacks to more than 100 times its size";
    type Parts<'a> = Vec<(&'a [u8], usize)>;
    let cases: [(&str, Parts<'_>, &str); 3] = [
        ("zeros", vec![(&zeros, 4200)], many),
        ("blanks", vec![(&blanks, 4200)], large),
        ("channels", vec![(head, 1), (b"[0, 1], ", 2_150_000)], large),
    ];
    for (name, parts, says) in cases {
        let path = folder.path(&format!("{name}.json.gz"));
        std::fs::write(&path, packed(&parts)).unwrap();
        let verb = if name == "channels" { "network" } else { "check" };
        within(300, &[verb, &path]).fails(2, says, "check that this is the right file");
    }
    let whole = packed(&[(lonely(2, sent(), Value::Null).to_string().as_bytes(), 1)]);
    let check = |bytes: &[u8]| {
        std::fs::write(folder.path("x.json.gz"), bytes).unwrap();
        quadrille(&format!("check {}", folder.path("x.json.gz")))
    };
    check(&whole).good();
    // Two members are one text.
    check(&[whole.clone(), packed(&[(b"\n", 1)])].concat()).good();
    check(&[&whole, b"more" as &[u8]].concat()).fails(
        2,
        "something behind the end of what gzip packed",
        "check that this is the right file",
    );
    check(&whole[..whole.len() - 9]).fails(
        2,
        "it ends before what gzip packed does",
        "check that this is the right file",
    );
    check(b"{\"format\": 1, \"network\": 2}").fails(2, "it is not packed by gzip", "check that this is the right file");
}

#[test]
fn names_of_nodes_have_a_length() {
    let folder = Folder::new();
    let file = folder.write("a.edges", &format!("{}\n", "a".repeat(4_000_000)));
    within(300, &["network", &file]).fails(
        2,
        "the name of a node is longer than 1000 bytes (found `aaaa",
        "correct the file",
    );
}

#[test]
fn errors_are_short() {
    let (digits, path, words) = ("9".repeat(10_000), format!("/{}", "y".repeat(3000)), "a b ".repeat(2500));
    for words in [&["network", &digits] as &[&str], &["check", &path], &["solve", &words, "alltoall"]] {
        let answer = super::arguments(words);
        assert_eq!(answer.status, 2);
        assert!(answer.err.len() < 5000 && answer.err.contains('…'), "{}", answer.err);
    }
}

#[test]
fn doubled_fields_and_lists_for_objects() {
    let folder = Folder::new();
    let good = lonely(2, sent(), Value::Null).to_string();
    for (from, to, says) in [
        ("\"name\":\"pair\"", "\"name\":\"pair\",\"name\":\"pair\"", "collective: duplicate field `name`"),
        ("{\"switching\":\"wormhole\"}", "[\"wormhole\"]", "model: invalid type: sequence, expected an object"),
        ("{\"from\":0,\"to\":[1]}", "[0,null,[1]]", "messages[0]: invalid type: sequence, expected an object"),
    ] {
        assert!(good.contains(from), "{from}: {good}");
        let file = folder.write("x.json", &good.replace(from, to));
        quadrille(&format!("check {file}")).fails(2, says, "correct the file");
    }
}
