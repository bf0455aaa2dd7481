//! Laws of the plot of a trace: a line for each number of steps that a method aimed at, and the first fault of a file.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use exports::trace::{Moment, plot, read};

fn moment(steps: u64, evaluations: f64, best: f64) -> Moment {
    let (network, collective) = (Some("ring:8".into()), Some("alltoall".into()));
    Moment { method: "umda".into(), steps, evaluations, best, mean: best + 1.0, network, collective }
}

#[test]
fn turns_between_two_targets_are_two_lines() {
    let turns = vec![
        moment(64, 100.0, 9.0),
        moment(65, 100.0, 8.0),
        moment(64, 400.0, 5.0),
        moment(65, 400.0, 0.0),
        moment(64, 900.0, 2.0),
    ];
    let plot = plot(&[("a.jsonl".into(), turns)]);
    let named = |series: &pictures::plot::Series| {
        (series.name.clone(), series.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>())
    };
    assert_eq!(plot.title, "conflicts left by evolution: alltoall on ring:8");
    let lines: Vec<_> = plot.series.iter().map(named).collect();
    assert_eq!(
        lines,
        [
            ("umda, 64 steps".into(), vec![(100.0, 9.0), (400.0, 5.0), (900.0, 2.0)]),
            ("umda, 65 steps".into(), vec![(100.0, 8.0), (400.0, 0.0)]),
        ]
    );
}

#[test]
fn one_target_alone_has_the_mean_beside_it() {
    let plot = plot(&[("a.jsonl".into(), vec![moment(7, 100.0, 9.0), moment(7, 200.0, 0.0)])]);
    let names: Vec<_> = plot.series.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["umda, 7 steps", "mean of the generation"]);
}

#[test]
fn a_fault_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    let line = r#"{"method":"umda","steps":7,"evaluations":100,"best":3,"mean":5}"#;
    std::fs::write(&path, format!("{line}\n{}\n", line.replace("\"best\":3", "\"best\":-3"))).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("t.jsonl:2:") && error.contains("never negative"), "{error}");
}
