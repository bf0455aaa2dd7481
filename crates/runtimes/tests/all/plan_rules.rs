//! Each rule of the check of plans, broken beside a file that passes.

use runtimes::plan::{Op, Plan, RemoteBuffer, Semaphore, is_meant, read};

fn gathered() -> Plan {
    read(include_str!("../../../../fixtures/runtimes/mscclpp-allgather-2.json")).unwrap()
}

fn reduced() -> Plan {
    read(include_str!("../../../../fixtures/runtimes/mscclpp-allreduce-4.json")).unwrap()
}

#[test]
fn the_examples_pass() {
    for plan in [gathered(), reduced()] {
        let report = plan.check(None);
        assert!(report.findings.is_empty() && report.result_checked, "{:?}", report.findings);
    }
}

/// The first rule that a change breaks.
fn broken(change: impl FnOnce(&mut Plan)) -> String {
    let mut plan = gathered();
    change(&mut plan);
    plan.check(None).findings.first().unwrap().to_string()
}

fn ops(plan: &mut Plan) -> &mut Vec<Op> {
    &mut plan.gpus[0].threadblocks[0].ops
}

fn op(name: &str) -> Op {
    Op { name: name.into(), ..Op::default() }
}

type Change = fn(&mut Plan);

#[test]
fn rules_of_the_format() {
    let cases: [(Change, &str); 22] = [
        (|plan| plan.protocol = "LL".into(), "protocol: plan: `LL` is not checked"),
        (|plan| plan.gpus[0].id = 5, "id: gpus[0]: has id 5"),
        (|plan| plan.gpus[1].output_chunks = 3, "chunks: gpus[1]: has other numbers"),
        (|plan| plan.gpus.truncate(1), "channel: gpus[0].channels[0]: 1 is no other rank"),
        (
            |plan| plan.gpus[0].channels[0].channel_type = "switch".into(),
            "channel: gpus[0].channels[0]: channels of type `switch`",
        ),
        (|plan| plan.gpus[0].channels[0].connected_to[0] = 0, "channel: gpus[0].channels[0]: 0 is no other rank"),
        (|plan| plan.gpus[0].remote_buffers[0].rank = 9, "buffer: gpus[0].remote_buffers[0]: 9 is no other rank"),
        (|plan| plan.gpus[0].remote_buffers[0].kind = "q".into(), "buffer: gpus[0].remote_buffers[0]: `q` is none"),
        (|plan| plan.gpus[0].semaphores = vec![Semaphore { init_value: 0 }; 17], "limit: gpus[0].semaphores: 17"),
        (|plan| plan.gpus[0].threadblocks[0].id = 1, "id: gpus[0].threadblocks[0]: has id 1"),
        (|plan| *ops(plan) = vec![op("nop"); 65], "limit: gpus[0].threadblocks[0]: 65 operations; 64"),
        (
            |plan| plan.gpus[0].threadblocks[0].channels[0].channel_ids = vec![0; 17],
            "limit: gpus[0].threadblocks[0]: 17 channels",
        ),
        (
            |plan| plan.gpus[0].threadblocks[0].channels[0].channel_ids = vec![3],
            "channel: gpus[0].threadblocks[0]: the rank has no memory channel 3",
        ),
        (
            |plan| plan.gpus[0].threadblocks[0].remote_buffer_refs[0].remote_buffer_ids = vec![2],
            "buffer: gpus[0].threadblocks[0]: the rank has no remote buffer 2",
        ),
        (|plan| ops(plan)[3].name = "upkt".into(), "op: gpus[0].threadblocks[0].ops[3]: `upkt` is not checked"),
        (|plan| ops(plan)[3].src_buff.clear(), "op: gpus[0].threadblocks[0].ops[3]: src_buff of `put` is to be local"),
        (
            |plan| ops(plan)[3].src_buff[0].size = 2,
            "op: gpus[0].threadblocks[0].ops[3]: sources and destinations are of different sizes",
        ),
        (
            |plan| ops(plan)[3].dst_buff[0].index = 2,
            "bounds: gpus[0].threadblocks[0].ops[3]: o[2..3] of gpu 1 is outside",
        ),
        (
            |plan| ops(plan)[3].dst_buff[0].buffer_id = Some(1),
            "buffer: gpus[0].threadblocks[0].ops[3]: `remote buffer 1` is not a buffer",
        ),
        (|plan| ops(plan)[5].channel_ids = vec![0; 9], "limit: gpus[0].threadblocks[0].ops[5]: 9 channels"),
        (
            |plan| ops(plan)[5].channel_ids = vec![1],
            "channel: gpus[0].threadblocks[0].ops[5]: the block has no memory channel 1",
        ),
        (
            |plan| ops(plan).push(Op { semaphore_ids: vec![0], ..op("sem_acquire") }),
            "semaphore: gpus[0].threadblocks[0].ops[7]",
        ),
    ];
    for (change, says) in cases {
        let found = broken(change);
        assert!(found.starts_with(says), "{says}: {found}");
    }
    let found = broken(|plan| ops(plan).push(Op { barrier_id: Some(0), num_threadblocks: Some(2), ..op("barrier") }));
    assert!(found.starts_with("barrier: gpus[0].threadblocks[0].ops[7]: waits for 2 thread blocks; 1 come"), "{found}");
    let found = broken(|plan| plan.gpus.iter_mut().for_each(|gpu| gpu.input_chunks = 2));
    assert!(found.starts_with("chunks: plan: 2 chunks of input and 2 of output do not fit `allgather`"), "{found}");
    let found = broken(|plan| ops(plan)[3].name = "flush".into());
    assert!(found.contains("is to be empty"), "{found}");
    let found = broken(|plan| {
        plan.gpus[0].remote_buffers.push(RemoteBuffer::default());
    });
    assert!(found.starts_with("buffer: gpus[0].remote_buffers[1]"), "{found}");
}

#[test]
fn waits_signals_races_and_results() {
    let found = broken(|plan| drop(ops(plan).remove(5)));
    assert!(found.starts_with("wait: gpu 1, thread block 0, step 6: signals of gpu 0 to gpu 1"), "{found}");
    let found = broken(|plan| drop(ops(plan).remove(6)));
    assert!(found.starts_with("signal: gpu 1, thread block 0, step 5"), "{found}");
    // Both wait before they signal.
    let mut plan = gathered();
    plan.gpus.iter_mut().for_each(|gpu| gpu.threadblocks[0].ops.swap(0, 1));
    assert_eq!(plan.check(None).findings[0].rule, "deadlock");
    // What comes is read without a `nop` after the wait, and with one.
    let copy = |plan: &mut Plan, ordered: bool| {
        let mut span = ops(plan)[3].src_buff.clone();
        let target = span.clone();
        span[0].index = 1;
        if ordered {
            ops(plan).push(op("nop"));
        }
        ops(plan).push(Op { src_buff: span, dst_buff: target, ..op("copy") });
    };
    let found = broken(|plan| copy(plan, false));
    assert!(found.starts_with("race: gpu "), "{found}");
    let found = broken(|plan| copy(plan, true));
    assert!(found.starts_with("result: gpu 0: ends with"), "{found}");
    // Without the `nop` between put and signal.
    let mut plan = gathered();
    plan.gpus[1].threadblocks[0].ops.extend([
        op("nop"),
        Op {
            src_buff: gathered().gpus[0].threadblocks[0].ops[3].src_buff.clone(),
            dst_buff: gathered().gpus[1].threadblocks[0].ops[3].src_buff.clone(),
            ..op("copy")
        },
    ]);
    plan.gpus[0].threadblocks[0].ops.remove(4);
    let found = plan.check(None).findings[0].to_string();
    assert!(found.starts_with("race: gpu 0, thread block 0, step 3"), "{found}");
}

#[test]
fn plans_are_known_by_their_content() {
    assert!(is_meant(r#"{"gpus": 3}"#));
    assert!(!is_meant(r#"{"network": {}, "steps": []}"#) && !is_meant("[]") && !is_meant("{"));
}
