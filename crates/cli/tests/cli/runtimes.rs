//! MSCCL XML and MSCCL++ plans, exported and checked.

use crate::{Folder, quadrille};

fn fixture(name: &str) -> String {
    format!("{}/../../fixtures/runtimes/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn exports_pass_the_check() {
    let folder = Folder::new();
    let [steps, timed] = ["steps.json", "timed.json"].map(|name| folder.path(name));
    quadrille(&format!("solve ring:4 allreduce --switching store-and-forward -o {steps}")).good();
    quadrille(&format!("solve dgx1 allgather --bytes 1M --chunks 1 -o {timed}")).good();
    let cases = [("msccl-xml", "xml"), ("msccl-xml-in-place", "xml"), ("mscclpp", "json"), ("mscclpp-port", "json")];
    for (file, network) in [(&steps, "ring:4"), (&timed, "dgx1")] {
        for (format, ending) in cases {
            let out = folder.path(&format!("x.{ending}"));
            quadrille(&format!("export {file} --to {format} -o {out}")).good();
            let told = quadrille(&format!("check {out} --network {network}")).good();
            assert!(told.contains("  valid\n  result: every GPU ends with what all"), "{told}");
            assert!(told.contains(&format!("each a link of {network}")), "{told}");
        }
    }
    let long = folder.path("long.json");
    quadrille(&format!("solve ring:4 alltoall --chunks 300 -o {long}")).good();
    let out = folder.path("long-plan.json");
    let refused = quadrille(&format!("export {long} --to mscclpp -o {out}"));
    refused.fails(2, "16 semaphores join 17 at most", "fewer chunks");
    assert!(!std::path::Path::new(&out).exists());
    let gather = folder.path("gather.json");
    quadrille(&format!("solve ring:4 gather -o {gather}")).good();
    let refused = quadrille(&format!("export {gather} --to msccl-xml-in-place -o {}", folder.path("g.xml")));
    refused.fails(2, "the format does not say where input and output of `custom` share room", "");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let folder = Folder::new();
    let good = std::fs::read_to_string(fixture("msccl-allgather-2.xml")).unwrap();
    quadrille(&format!("check {}", fixture("mscclpp-allreduce-4.json"))).good();
    let bad = folder.write("bad.xml", &good.replacen("dstoff=\"1\"", "dstoff=\"2\"", 1));
    let answer = quadrille(&format!("check {bad}"));
    assert_eq!(answer.status, 1);
    assert!(
        answer.out.contains("line 5: bounds: gpu 0, thread block 0, step 1: dst o[2..3] is outside"),
        "{}",
        answer.out
    );
    let told = quadrille(&format!("check {bad} --json")).json(1);
    assert_eq!((&told["valid"], &told["violations"][0]["line"]), (&false.into(), &5.into()), "{told}");
    let network = quadrille(&format!("check {} --network ring:3", fixture("msccl-allgather-2.xml")));
    assert_eq!(network.status, 1);
    assert!(network.out.contains("2 GPUs, where ring:3 has 3 terminals"), "{}", network.out);
    let broken = folder.write("broken.xml", &good.replacen("cnt=\"1\"", "cnt=\"x\"", 1));
    quadrille(&format!("check {broken}")).fails(2, "broken.xml:4: step cnt: is no number", "algo > gpu > tb > step");
    let plan = folder.write("plan.json", "{\"gpus\": []}");
    quadrille(&format!("check {plan}")).fails(2, "missing field `name`", "docs/msccl.md");
    let steps = folder.path("steps.json");
    quadrille(&format!("solve ring:4 allgather -o {steps}")).good();
    quadrille(&format!("check {steps} --network ring:4")).fails(2, "has its network in it", "leave it out");
    quadrille(&format!("check {} --deadlock", fixture("msccl-allgather-2.xml"))).fails(
        2,
        "always checked",
        "leave it out",
    );
}

/// Collectives of groups, and of some of the ranks, are not what their names mean among all ranks.
#[test]
fn collectives_of_some_of_the_ranks_are_custom() {
    let folder = Folder::new();
    let schedule = folder.path("groups.json");
    for problem in [
        "mesh:2x3 alltoall --groups rows",
        "mesh:2x3 allreduce --groups rows",
        "mesh:2x3 allgather --groups rows",
        "mesh:2x3 broadcast --senders 0 --receivers 4,5",
        "mesh:2x3 reduce --root 2 --senders 0,1",
    ] {
        quadrille(&format!("solve {problem} --time 5 -o {schedule}")).good();
        for (format, name) in [("msccl-xml", "groups.xml"), ("mscclpp", "groups.plan.json")] {
            let file = folder.path(name);
            quadrille(&format!("export {schedule} --to {format} -o {file}")).good();
            let checked = quadrille(&format!("check {file}")).good();
            assert!(checked.starts_with("custom of 6 GPUs"), "{problem} as {format}: {checked}");
        }
    }
}
