//! How long searches for networks may take.

use console::args::{ReportFlags, SearchArgs};

fn ticks(time: Option<f64>, ticks: Option<u64>, follows: bool) -> u64 {
    let report = ReportFlags { json: false };
    let all: SearchArgs<7> = SearchArgs { output: None, checkpoint: None, time, ticks, seed: 1, threads: None, report };
    all.limits(follows).ticks
}

#[test]
fn who_gives_seconds_gets_all_of_them() {
    assert_eq!(ticks(None, None, false), 7);
    assert_eq!(ticks(Some(600.0), None, false), u64::MAX);
    assert_eq!(ticks(Some(600.0), Some(9), false), 9);
    // Unless the rest of the work would not begin.
    assert_eq!(ticks(Some(600.0), None, true), 7);
}
