//! `import`: algorithms of others as schedules.

use crate::{Folder, quadrille};
use serde_json::Value;

fn fixture(name: &str) -> String {
    format!("{}/../../fixtures/runtimes/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Steps of what is written by hand, on the links that it uses and on networks.
#[test]
fn algorithms_of_others_are_schedules() {
    let folder = Folder::new();
    let out = folder.path("out.json");
    for (name, network, steps) in [
        // Once round and once more, a chunk at a time.
        ("ring-allreduce-4.xml", "", 6),
        ("ring-allreduce-4.xml", "--network ring:4", 6),
        // Scattered in a step, and given back in another.
        ("allpairs-allreduce-4.xml", "", 2),
        ("allpairs-allreduce-4.xml", "--network complete:4", 2),
        // One message, then two.
        ("doubling-allgather-4.xml", "", 3),
        ("doubling-allgather-4.xml", "--network hypercube:2", 3),
        ("msccl-allgather-2.xml", "", 1),
        ("mscclpp-allgather-2.json", "", 1),
        // As its author has it.
        ("msccl-allgather-4.json", "", 2),
        ("msccl-allreduce-4.json", "", 6),
        ("msccl-allreduce-4.json", "--network torus:2x2", 6),
    ] {
        let told = quadrille(&format!("import {} {network} -o {out} --json", fixture(name))).json(0);
        assert_eq!(told["steps"], steps, "{name} {network}: {told}");
        assert!(told["bound"].as_u64() <= Some(steps), "{told}");
        quadrille(&format!("check {out}")).good();
    }
    // What is imported goes wherever schedules go.
    quadrille(&format!("import {} --network ring:4 -o {out}", fixture("ring-allreduce-4.xml"))).good();
    quadrille(&format!("cost {out} --alpha 1 --beta 1")).good();
    quadrille(&format!("simulate {out}")).good();
    quadrille(&format!("show {out} -o {}", folder.path("out.html"))).good();
    quadrille(&format!("export {out} --to msccl-xml-in-place -o {}", folder.path("out.xml"))).good();
    let again = quadrille(&format!("import {} --json", folder.path("out.xml"))).json(0);
    assert_eq!(again["steps"], 6, "{again}");
}

/// Where paths are shared the first order takes 19 steps.
#[test]
fn transfers_that_came_late_get_ahead() {
    let folder = Folder::new();
    let [file, exported] = [folder.path("mesh.json"), folder.path("mesh.xml")];
    quadrille(&format!("solve mesh:4x4 alltoall -o {file}")).good();
    quadrille(&format!("export {file} --to msccl-xml -o {exported}")).good();
    let told = quadrille(&format!("import {exported} --network mesh:4x4 --switching wormhole --json")).json(0);
    assert!(told["steps"].as_u64().is_some_and(|steps| steps <= 17), "{told}");
}

/// Links that are missing are gone round where messages pass through nodes.
#[test]
fn on_a_network_without_its_links() {
    let all_pairs = fixture("allpairs-allreduce-4.xml");
    let told = quadrille(&format!("import {all_pairs} --network ring:4 --json")).json(0);
    assert!(told["steps"].as_u64() > Some(2), "{told}");
    quadrille(&format!("import {all_pairs} --network ring:4 --switching store-and-forward")).fails(
        2,
        "ring:4 has no channel from one to the other",
        "--switching wormhole",
    );
    quadrille(&format!("import {all_pairs} --network ring:5")).fails(
        2,
        "the program has 4 ranks, but ring:5 has 5",
        "--network",
    );
}

#[test]
fn what_is_wrong_is_said_once() {
    let folder = Folder::new();
    let out = folder.path("out.json");
    let ring = std::fs::read_to_string(fixture("ring-allreduce-4.xml")).unwrap();
    let bad = folder.write("bad.xml", &ring.replacen("type=\"rrs\"", "type=\"r\"", 1));
    quadrille(&format!("import {bad} -o {out}")).fails(1, "bad.xml:", "`quadrille check` prints every violation");
    let text = folder.write("x.json", "{}");
    quadrille(&format!("import {text} -o {out}")).fails(2, "no program or algorithm that is imported", ".xml");
    let whole: Value = serde_json::from_slice(&std::fs::read(fixture("msccl-allreduce-4.json")).unwrap()).unwrap();
    for (pointer, value, says) in [
        ("/steps/0/sends/0", "[0, 0, 9]", "steps[0].sends[0]: goes from rank 0 to rank 9, of 4 ranks"),
        ("/steps/0/sends/0", "[7, 0, 1]", "steps[0].sends[0]: address 7 is that of no chunk"),
        ("/steps/5/sends", "[]", "steps: rank 0 ends with the contributions of ranks [0] to address 0"),
        (
            "/steps/0/sends",
            "[[0, 0, 1], [0, 0, 3], [1, 3, 2]]",
            "steps[2]: would count contributions of ranks [0] to address 0",
        ),
        ("/collective/chunks/1/pre", "[1, 2]", "collective.chunks[1]: begins at 2 ranks"),
        ("/collective/chunks/1/pre", "[0]", "collective.chunks[1]: is a second contribution of rank 0"),
        ("/collective/nodes", "5", "collective.nodes: 5 ranks on a topology of 4"),
        ("/instance/pipeline", "2", "instance.pipeline: pipelined"),
        ("/instance/chunks", "4000000000", "4000000000 parts"),
        ("/topology/links/0/0", "1", "topology.links[0]: has links of a GPU to itself"),
        ("/steps/0/sends/0", "[0, 1]", "steps[0].sends[0]"),
    ] {
        let mut broken = whole.clone();
        *broken.pointer_mut(pointer).unwrap() = serde_json::from_str(value).unwrap();
        let file = folder.write("broken.json", &broken.to_string());
        let answer = quadrille(&format!("import {file} -o {out}"));
        assert!(answer.status == 2 && answer.err.contains(says), "{pointer} {value}: {}", answer.err);
    }
    let tdm = format!("import {} --switching tdm", fixture("ring-allreduce-4.xml"));
    quadrille(&tdm).fails(2, "programs of runtimes have no slots", "wormhole");
    assert!(!std::path::Path::new(&out).exists());
}
