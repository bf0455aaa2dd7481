//! Each rule of the check, broken beside a file that passes.

use runtimes::Report;
use runtimes::xml::read;

const GOOD: &str = include_str!("../../../../fixtures/runtimes/msccl-allgather-2.xml");

fn check(text: &str) -> Report {
    read(text).unwrap().check(None)
}

/// The one rule that is broken where a text is replaced.
fn broken(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    let report = check(&text.replacen(from, to, 1));
    assert!(!report.findings.is_empty(), "{from} -> {to} passes");
    format!("{}", report.findings[0])
}

#[test]
fn the_example_passes() {
    let report = check(GOOD);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    assert!(report.result_checked);
    assert_eq!((report.depth, report.links), (1, vec![(0, 1), (1, 0)]));
}

#[test]
fn rules_of_the_format() {
    let cases = [
        (r#"ngpus="2""#, r#"ngpus="3""#, "ngpus: algo: is 3, where the file has 2 gpus"),
        (r#"coll="allgather""#, r#"coll="gather""#, "coll: algo: `gather` is none of"),
        (r#"proto="Simple""#, r#"proto="Fast""#, "proto: algo"),
        (r#"nchannels="1""#, r#"nchannels="33""#, "nchannels: algo: 33 channels; 1 to 32"),
        (r#"nchunksperloop="2""#, r#"nchunksperloop="4""#, "chunks: gpu 0: i_chunks stand for 2"),
        (r#"nchunksperloop="2""#, r#"nchunksperloop="3""#, "nchunksperloop: algo: 3 chunks"),
        (r#"outofplace="1""#, r#"outofplace="0""#, "inplace: algo: neither"),
        (r#"<gpu id="1""#, r#"<gpu id="0""#, "id: gpu: gpu 0 is listed twice"),
        (r#"<tb id="1""#, r#"<tb id="0""#, "id: gpu 0, thread block 0"),
        (r#"chan="0""#, r#"chan="1""#, "chan: gpu 0, thread block 0: channel 1"),
        (r#"send="1" recv="1""#, r#"send="0" recv="1""#, "peer: gpu 0, thread block 0: send=\"0\" is no other gpu"),
        (r#"send="1" recv="1""#, r#"send="-1" recv="1""#, "peer: gpu 0, thread block 0, step 0: `s` sends"),
        (r#"send="-1" recv="-1""#, r#"send="1" recv="-1""#, "peer: gpu 0, thread block 1: another thread block"),
        (r#"cnt="1""#, r#"cnt="72""#, "limit: gpu 0, thread block 0, step 0: cnt is 72"),
        (r#"dstoff="1""#, r#"dstoff="2""#, "bounds: gpu 0, thread block 0, step 1: dst o[2..3] is outside"),
        (
            r#"depid="-1" deps="-1""#,
            r#"depid="1" deps="4""#,
            "dependency: gpu 0, thread block 0, step 0: waits for step 4",
        ),
        (
            r#"depid="-1" deps="-1""#,
            r#"depid="1" deps="0""#,
            "dependency: gpu 0, thread block 0, step 0: waits for step 0 of thread block 1, whose hasdep is 0",
        ),
        (
            r#"i_chunks="1" o_chunks="2" s_chunks="0""#,
            r#"i_chunks="1" o_chunks="2" s_chunks="99999999""#,
            "size: gpu 0: the buffers",
        ),
    ];
    for (from, to, says) in cases {
        let found = broken(GOOD, from, to);
        assert!(found.starts_with(says), "{from} -> {to}: {found}");
    }
}

#[test]
fn more_steps_or_blocks_than_fit() {
    let step = r#"<step s="0" type="nop" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="0" depid="-1" deps="-1" hasdep="0"/>"#;
    let steps: String = (0..257).map(|at| step.replace("s=\"0\"", &format!("s=\"{at}\""))).collect();
    let block = |id: usize| format!(r#"<tb id="{id}" send="-1" recv="-1" chan="0">{step}</tb>"#);
    let long = format!(r#"<tb id="2" send="-1" recv="-1" chan="0">{steps}</tb></gpu>"#);
    assert!(broken(GOOD, "</gpu>", &long).contains("257 steps; 256 are possible"));
    let many: String = (2..33).map(block).collect();
    assert!(broken(GOOD, "</gpu>", &format!("{many}</gpu>")).contains("more than 32 thread blocks on channel 0"));
    let most: String = (2..217).map(block).collect();
    assert!(broken(GOOD, "</gpu>", &format!("{most}</gpu>")).contains("217 thread blocks; 216 are possible"));
}

#[test]
fn sends_without_receive_and_the_other_way_round() {
    let line = |part: &str| GOOD.lines().find(|line| line.contains(part)).unwrap().to_owned();
    let receive = line(r#"type="r""#);
    let found = broken(GOOD, &receive, "");
    assert_eq!(
        found,
        "send: gpu 1, thread block 0, step 0: from gpu 1 to gpu 0 on channel 0: 1 messages are sent and 0 received"
    );
    let found = broken(GOOD, &receive, &format!("{receive}{}", receive.replace("s=\"1\"", "s=\"2\"")));
    assert!(found.starts_with("receive: gpu 0, thread block 0, step 2"), "{found}");
    let larger = GOOD.replace("cnt=\"1\"", "cnt=\"2\"");
    assert!(check(&larger).findings.iter().any(|finding| finding.rule == "bounds"));
}

#[test]
fn results_races_and_waits() {
    // The wrong place.
    let found = broken(GOOD, r#"dstoff="1""#, r#"dstoff="0""#);
    assert!(found.starts_with("race: gpu 0"), "{found}");
    let copy = GOOD.lines().find(|line| line.contains("cpy")).unwrap();
    let found = broken(GOOD, copy, "");
    assert_eq!(found, "result: gpu 0: ends with nothing in o[0], where i[0] of gpu 0 is to be");
    // Both receive first.
    let swapped = GOOD.replace(r#"type="s""#, r#"type="x""#).replace(r#"type="r""#, r#"type="s""#);
    let swapped = swapped.replace(r#"type="x""#, r#"type="r""#);
    let found = check(&swapped).findings.remove(0);
    assert_eq!((found.rule, found.line), ("deadlock", 4), "{found}");
    assert!(found.text.contains("gpu 1 tb 0 step 0"), "{found}");
}

#[test]
fn what_is_no_xml_of_the_format() {
    let cases = [
        (r#"cnt="1""#, r#"cnt="x""#, "4: step cnt: is no number that fits here (found `x`)"),
        (r#"cnt="1" "#, "", "4: step cnt: is missing"),
        (r#"srcbuf="i""#, r#"srcbuf="q""#, "4: step srcbuf: is none of i, o and s (found `q`)"),
        (r#"type="s""#, r#"type="ra""#, "4: step type: `ra` is none"),
        (r#" s="1""#, r#" s="7""#, "5: step s: steps are numbered"),
        (r#"hasdep="0""#, r#"hasdep="2""#, "4: step hasdep: is neither 0 nor 1"),
        (r#"depid="-1""#, r#"depid="0""#, "4: step deps: is -1"),
        ("</algo>", "", "algo: is not closed"),
        ("<algo", "<graph", "1: graph : `graph` at the top"),
        ("</gpu>", "<gpu/></gpu>", "gpu : `gpu` in `gpu` is not a part"),
    ];
    for (from, to, says) in cases {
        let found = read(&GOOD.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(found.contains(says), "{from} -> {to}: {found}");
    }
    assert!(read("").is_err());
}
