//! Schedules of every kind on standard input, `-`, and in pipes that a shell opens.

use crate::inputs::with_input;
use crate::{Folder, quadrille};
use std::process::Command;

/// A file of each kind that `check` reads, and how its verdict begins.
fn kinds(folder: &Folder) -> Vec<(String, &'static str)> {
    let path = |name| folder.path(name);
    let [steps, packed, timed] = ["steps.json", "steps.qdr", "timed.json"].map(path);
    quadrille(&format!("solve ring:4 alltoall -o {steps}")).good();
    quadrille(&format!("export {steps} -o {packed}")).good();
    quadrille(&format!("solve ring:4 allgather --bytes 1KB --bandwidth 25GB/s --chunks 1 -o {timed}")).good();
    let [xml, plan, design] = ["ring.xml", "plan.json", "network.json"].map(path);
    quadrille(&format!("solve dgx1 allgather --switching store-and-forward -o {steps}2.json")).good();
    quadrille(&format!("export {steps}2.json --to msccl-xml -o {xml}")).good();
    quadrille(&format!("export {steps}2.json --to mscclpp -o {plan}")).good();
    quadrille(&format!("design graph --nodes 8 --degree 3 --ticks 1000000 -o {design}")).good();
    vec![
        (steps, "alltoall on ring:4: 2 steps, lower bound 2: optimal\n"),
        (packed, "alltoall on ring:4: 2 steps, lower bound 2: optimal\n"),
        (timed, "allgather on ring:4: "),
        (xml, "allgather"),
        (plan, "allgather"),
        (design, "graph of 8 nodes"),
    ]
}

#[test]
fn every_kind_of_schedule_is_checked_on_standard_input() {
    let folder = Folder::new();
    for (file, begins) in kinds(&folder) {
        let by_name = quadrille(&format!("check {file}")).good();
        let text = std::fs::read(&file).unwrap();
        assert_eq!(with_input("check -", &text).good(), by_name, "{file}");
        assert!(by_name.starts_with(begins), "{file}: {by_name}");
        let program = snapbox::cmd::cargo_bin!("quadrille");
        let line = format!("cat {file} | {} check /dev/stdin", program.display());
        let piped = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert_eq!(String::from_utf8(piped.stdout).unwrap(), by_name, "{file}");
    }
}

#[test]
fn other_verbs_read_it_too_and_call_it_stdin() {
    let folder = Folder::new();
    let files = kinds(&folder);
    let [steps, timed] = [&files[0].0, &files[2].0].map(|file| std::fs::read(file).unwrap());
    assert!(with_input("show - -o -.svg", &steps).out.starts_with("<svg"));
    assert!(with_input("show - -o -.html", &timed).out.starts_with("<!DOCTYPE html>"));
    assert!(with_input("export - -o -.csv", &steps).out.starts_with("step,transfer"));
    assert!(with_input("cost - --alpha 1 --beta 1", &steps).good().contains("alltoall on ring:4"));
    assert!(with_input("replay -", &timed).good().contains("as scheduled"));
    with_input("check -", b"{}").fails(2, "stdin:1:1: format: is missing", "correct the file");
    // Which transfers use a channel twice is looked up in a second reading.
    let broken = String::from_utf8(steps).unwrap().replace("\"path\":[0", "\"path\":[1");
    let answer = with_input("check -", broken.as_bytes());
    assert!(answer.status == 1 && answer.out.contains(": transfers "), "{}{}", answer.out, answer.err);
}
