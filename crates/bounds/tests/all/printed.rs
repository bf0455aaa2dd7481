//! The example of section 3.5.5 as printed, whose figure alone tells the network; the other formulas are tested on networks.

use bounds::printed::{FORMULAS, Pattern, Quantities, Relation};

/// Nine transmitters and eleven receivers on the 4×4 mesh.
fn example() -> Quantities {
    Quantities {
        pattern: Pattern::Scatter,
        relation: Relation::Overlapping,
        terminals: 16,
        senders: 9,
        receivers: 11,
        both: 4,
        ports: 4,
        degree: 4,
        bisection: None,
        distances: None,
        inwards: Some(4),
        outwards: Some(6),
        within: Some(1),
        load: None,
    }
}

fn of(equation: &str, quantities: &Quantities) -> Option<u64> {
    FORMULAS.iter().find(|f| f.equation == equation).unwrap().of(quantities)
}

#[test]
fn the_example_of_section_3_5_5() {
    let broadcast = Quantities { pattern: Pattern::Broadcast, ..example() };
    assert_eq!(of("3.7", &broadcast), Some(3));
    assert_eq!(of("3.11", &example()), Some(5));
    // Printed: max(7, 6) and 12 in all; but 5 × 7 messages over 4 channels take 9 steps.
    assert_eq!((of("3.12", &example()), of("3.13", &example())), (Some(9), Some(14)));
    assert_eq!(of("3.13", &broadcast), None);
}

#[test]
fn nothing_is_said_where_a_width_is_missing() {
    assert_eq!(of("3.11", &Quantities { inwards: Some(0), ..example() }), None);
    assert_eq!(of("3.12", &Quantities { within: Some(0), both: 1, senders: 6, ..example() }), Some(13));
    assert_eq!(of("3.12", &Quantities { within: None, ..example() }), None);
}
