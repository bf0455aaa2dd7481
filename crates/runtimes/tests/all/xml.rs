//! Every exported algorithm, read back, passes the check and the interpreter in every order.

use crate::{Played, program, programs};
use runtimes::play;
use runtimes::xml::{Algorithm, Kind, XmlOptions, export, read, text};

fn exported(program: &program::Program, in_place: bool) -> Algorithm {
    let options = XmlOptions { name: "law".into(), in_place };
    let algorithm = export(program, &options).unwrap();
    read(&text(&algorithm)).unwrap()
}

pub(crate) fn of_every_collective() {
    for Played { what, program, .. } in programs() {
        let options = XmlOptions { name: "law".into(), in_place: false };
        let algorithm = export(program, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        let read = read(&text(&algorithm)).unwrap();
        if read.collective == "custom" {
            continue;
        }
        let report = read.check(None);
        assert!(report.findings.is_empty() && report.result_checked, "{what}: {:?}", report.findings);
        let (threads, goals) = read.lowered(false).unwrap();
        for seed in 100..120 {
            play(&threads, goals.as_ref().unwrap(), 8, seed).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        }
    }
}

#[test]
fn in_place() {
    for collective in ["allgather", "allreduce", "broadcast", "reduce_scatter"] {
        for network in ["ring:4", "dgx1"] {
            let algorithm = exported(&program(network, collective, 2), true);
            let report = algorithm.check(None);
            assert!(report.findings.is_empty() && report.result_checked, "{collective}: {:?}", report.findings);
        }
    }
}

/// Round a ring, what comes is sent on in one step.
#[test]
fn receives_and_sends_are_fused() {
    let words = |collective: &str| {
        let algorithm = exported(&program("ring-uni:4", collective, 1), false);
        let steps = algorithm.gpus.iter().flat_map(|gpu| &gpu.blocks).flat_map(|block| &block.steps);
        steps.map(|step| step.kind.word).collect::<Vec<_>>()
    };
    let count = |words: &[&str], kind: Kind| words.iter().filter(|word| **word == kind.word).count();
    let gathered = words("allgather");
    assert_eq!([Kind::SEND, Kind::RELAY, Kind::RECEIVE, Kind::NOP].map(|kind| count(&gathered, kind)), [4, 8, 4, 0]);
    let merged = words("reduce_scatter");
    assert_eq!([Kind::SEND, Kind::ADD_SEND, Kind::ADD_KEEP].map(|kind| count(&merged, kind)), [4, 8, 4]);
}

#[test]
fn of_sixteen_gpus_on_switches() {
    for collective in ["allgather", "alltoall"] {
        let report = exported(&program("dgx2:1", collective, 1), false).check(None);
        assert!(report.findings.is_empty() && report.result_checked, "{collective}: {:?}", report.findings);
    }
}

/// Every dependency is needed: without it, accesses race.
#[test]
fn a_removed_dependency_is_found() {
    let algorithm = exported(&program("dgx1", "allreduce", 2), false);
    let mut removed = 0;
    for gpu in 0..algorithm.gpus.len() {
        for block in 0..algorithm.gpus[gpu].blocks.len() {
            for step in 0..algorithm.gpus[gpu].blocks[block].steps.len() {
                let mut damaged = algorithm.clone();
                if damaged.gpus[gpu].blocks[block].steps[step].after.take().is_some() {
                    removed += 1;
                    let findings = damaged.check(None).findings;
                    let rule = findings.first().map(|finding| finding.rule);
                    assert!(
                        matches!(rule, Some("race" | "unwritten")),
                        "gpu {gpu} block {block} step {step}: {rule:?}"
                    );
                }
            }
        }
    }
    assert!(removed > 4, "{removed} dependencies");
}
