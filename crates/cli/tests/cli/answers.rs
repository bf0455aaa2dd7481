//! The answer in one line that everybody understands, the model in force, and certificates in sentences.

use crate::pages::page;
use crate::quadrille;

/// The first line without its seconds.
fn first(text: &str) -> &str {
    let line = text.lines().next().unwrap();
    assert!(line.ends_with(" s)"), "{line}");
    &line[..line.rfind(", ").unwrap()]
}

#[test]
fn the_first_line_says_steps_bound_and_whether_that_is_optimal() {
    let text = quadrille("solve torus:4x4 alltoall").good();
    assert_eq!(first(&text), "alltoall on torus:4x4: 8 steps, lower bound 8: optimal (torus-even");
    assert!(text.contains("\n  16 nodes, 64 channels; wormhole: a path of any length takes one step\n"), "{text}");
    assert!(!text.contains("stopped"), "{text}");
    let one = quadrille("solve complete:3 alltoall").good();
    assert!(one.starts_with("alltoall on complete:3: 1 step, lower bound 1: optimal ("), "{one}");
}

#[test]
fn above_the_bound_it_says_how_far_and_what_would_help() {
    let text = quadrille("solve petersen alltoall --method greedy --ticks 200000").good();
    assert!(first(&text).starts_with("alltoall on petersen: 6 steps, lower bound 5: within 20.0 % of optimal ("));
    let stopped = text.lines().find(|line| line.starts_with("  stopped: ")).unwrap();
    assert!(stopped.contains("--"), "{stopped}");
    let timed = "solve ring:4 alltoall --bytes 1M --bandwidth 25GB/s --latency 1us --chunks 1 --method timed-direct";
    let text = quadrille(timed).good();
    assert!(text.contains(" µs: within ") && text.contains("\n  stopped: ") && text.contains("--"), "{text}");
}

#[test]
fn each_model_says_what_a_step_is() {
    for (flags, means) in [
        ("store-and-forward", "store-and-forward: a message crosses one channel per step"),
        ("tdm", "tdm, 1 slot a hop, cyclic: steps are the slots of a repeating period"),
        ("wormhole --combining", "takes one step, and a transfer carries any number of messages"),
    ] {
        let text = quadrille(&format!("solve ring:4 broadcast --switching {flags}")).good();
        assert!(text.contains(means), "{text}");
        assert!(quadrille(&format!("bound ring:4 broadcast --switching {flags}")).good().contains(means));
    }
}

#[test]
fn certificates_are_proved_in_a_section_of_the_page() {
    let page = page("certificates.md");
    for (line, kind) in [
        ("ring:4 broadcast --switching store-and-forward", "growth"),
        ("ring:4 scatter", "send"),
        ("petersen alltoall", "cut"),
        ("kautz:2,2 alltoall", "lengths"),
    ] {
        let text = quadrille(&format!("bound {line}")).good();
        let found = quadrille(&format!("bound {line} --json")).json(0);
        let certificate = &found["certificate"];
        assert_eq!(certificate["kind"], kind, "{line}");
        let section = certificate["section"].as_str().unwrap();
        assert_eq!(section, format!("docs/certificates.md#{kind}"));
        assert!(page.contains(&format!("\n### {kind}\n")), "{kind}");
        let told = format!("by {kind}: {} ({section})", certificate["reason"].as_str().unwrap());
        assert!(text.contains(&told), "{text}");
    }
    let timed = quadrille("bound ring:4 allgather --bytes 1M --bandwidth 25GB/s --json").json(0);
    assert_eq!(timed["certificate"]["section"], "docs/certificates.md#bounds-of-time");
    assert!(page.contains("\n## Bounds of time\n"));
}

#[test]
fn a_certificate_is_an_object_in_every_document() {
    let folder = crate::Folder::new();
    let (steps, time) = (folder.path("a.json"), folder.path("b.json"));
    let timed = "ring:4 allgather --bytes 1M --bandwidth 25GB/s --chunks 1";
    for line in [
        format!("solve ring:4 alltoall --json -o {steps}"),
        format!("check {steps} --json"),
        "bound ring:4 alltoall --json".into(),
        "bound ring:4 alltoall --all --json".into(),
        format!("solve {timed} --json -o {time}"),
        format!("check {time} --json"),
        format!("bound {timed} --json"),
    ] {
        let certificate = quadrille(&line).json(0)["certificate"].clone();
        assert!(certificate["kind"].is_string() && certificate["reason"].is_string(), "{line}: {certificate}");
    }
}
