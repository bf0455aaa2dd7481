//! The line and the trace of evolution.

use console::evolution_trace::{Rate, Recorded, text};
use run::Generation;
use std::time::Duration;

fn generation(steps: u64, evaluations: u64) -> Generation {
    Generation { method: "umda", steps, generation: 200, evaluations, best: 9, mean: 12.25, conflicts: 7, late: 2 }
}

#[test]
fn the_line_says_all_of_it() {
    let left = Some(Duration::from_millis(4500));
    let line = text(&generation(8, 0), 7, Some(10), 321_000.0, left);
    for part in
        ["umda", "8 steps, lower bound 7 (has 10)", "best 9: 7 conflicts, 2 late", "321k evaluations/s", "4 s left"]
    {
        assert!(line.contains(part), "`{part}` is not in: {line}");
    }
    assert!(!text(&generation(8, 0), 7, None, 0.0, None).contains("left"));
}

#[test]
fn fewer_and_fewer_generations_are_recorded() {
    let usual = Recorded(None);
    assert_eq!([0, 7, 999, 1000, 1234, 99_999].map(|g| usual.next(g)), [1, 8, 1000, 1010, 1240, 100_000]);
    assert_eq!([7, 1000, 1005, 20_050, 20_100].map(|g| usual.has(g)), [true, true, false, false, true]);
    let fifty = Recorded(Some(50));
    assert_eq!((fifty.next(0), fifty.next(60), fifty.has(5000), fifty.has(70)), (50, 100, true, false));
}

#[test]
fn evaluations_are_counted_anew_for_each_number_of_steps() {
    let mut rate = Rate::default();
    rate.at(&generation(8, 100), 0.0);
    assert_eq!(rate.at(&generation(8, 300), 0.1), 2000.0);
    // It goes on before a second has passed.
    assert_eq!(rate.at(&generation(8, 350), 0.125), 2000.0);
    assert_eq!(rate.at(&generation(8, 400), 0.2), 1500.0);
    assert_eq!(rate.at(&generation(8, 1100), 0.5), 2000.0);
    assert_eq!(rate.at(&generation(8, 4100), 2.0), 2000.0);
    assert_eq!(rate.at(&generation(8, 8100), 3.0), 4000.0);
    assert_eq!(rate.at(&generation(9, 100), 3.5), 4000.0);
    assert_eq!(rate.at(&generation(9, 1100), 4.5), 1000.0);
}
