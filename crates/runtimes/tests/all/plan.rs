//! Every exported plan, read back, passes the check and the interpreter in every order.

use crate::{Played, program, programs};
use runtimes::ExportError;
use runtimes::plan::{PlanOptions, export, read, text};
use runtimes::play;

pub(crate) fn of_every_collective() {
    let mut held = 0;
    for Played { what, program, .. } in programs() {
        for port in [false, true] {
            let plan = match export(program, &PlanOptions { name: "law".into(), port }) {
                Ok(plan) => plan,
                Err(ExportError::Limit(_)) if port => continue,
                Err(error) => panic!("{what}: {error}"),
            };
            held += 1;
            let read = read(&text(&plan)).unwrap();
            let report = read.check(None);
            assert!(report.findings.is_empty(), "{what}: {:?}", report.findings);
            let (threads, goals) = read.lowered().unwrap();
            for seed in 100..120 {
                let played = play(&threads, goals.as_deref().unwrap_or_default(), 8, seed);
                played.unwrap_or_else(|fault| panic!("{what}: {fault}"));
            }
        }
    }
    assert!(held > 50, "{held} plans");
}

/// A thread block has channels to 16 peers: what it hands to a proxy it also waits for.
#[test]
fn a_rank_may_have_more_peers_than_a_block() {
    let exchange = program("complete:20", "alltoall", 1);
    for port in [false, true] {
        let plan = export(&exchange, &PlanOptions { name: String::new(), port }).unwrap();
        assert!(plan.gpus.iter().all(|gpu| gpu.channels[0].connected_to.len() == 19));
        let (threads, goals) = plan.lowered().unwrap();
        play(&threads, &goals.expect("of a known collective"), 8, 1).unwrap();
    }
}

/// The operations of more than a block go on in the next.
#[test]
fn many_operations_take_several_blocks() {
    let plan = export(&program("ring:4", "alltoall", 16), &PlanOptions::default()).unwrap();
    let gpu = &plan.gpus[0];
    assert!(gpu.threadblocks.len() > 1 && gpu.semaphores.len() + 1 == gpu.threadblocks.len());
    assert!(gpu.threadblocks.iter().all(|block| block.ops.len() <= 64));
    let error = export(&program("ring:4", "alltoall", 512), &PlanOptions::default()).unwrap_err();
    assert!(matches!(&error, ExportError::Limit(text) if text.contains("16 semaphores join 17 at most")), "{error}");
}
