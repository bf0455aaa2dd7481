//! What the checker of products accepts, the plain checker accepts written out: of forms as they are built, and of forms in which something was
//! changed at random.

use crate::common::examples;
use constructions::{CONSTRUCTIONS, Claim, Control};
use kernel::product::ProductSchedule;
use kernel::{Problem, verify};
use proptest::prelude::*;

/// The products among the examples.
fn products() -> Vec<(Problem, ProductSchedule)> {
    let mesh = CONSTRUCTIONS.iter().find(|c| c.name == "mesh-tours").unwrap();
    let problems = mesh.examples.iter().flat_map(|spec| examples(mesh, spec));
    let form = |problem: Problem| match mesh.builder(&problem)?.build(problem.network(), &Control::default())? {
        Claim::Product(form) => Some((problem, form)),
        _ => None,
    };
    problems.filter_map(form).collect()
}

#[test]
fn every_form_is_right_written_out() {
    let products = products();
    assert!(products.len() > 10, "every even longest line is a product");
    for (problem, form) in products {
        let name = problem.network().name().to_owned();
        let verified = verify(&problem, form).unwrap_or_else(|why| panic!("{name}: {why}"));
        let written = verified.expanded().unwrap();
        assert_eq!(written.channel_uses() as u64, verified.channel_uses(), "{name}");
        let plain = verify(&problem, written).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(plain.steps(), verified.steps(), "{name}");
    }
}

/// Changes one number somewhere.
fn change(form: &mut ProductSchedule, what: u8, at: [usize; 3], by: i64) {
    let rounds = form.rounds.len();
    let steps = &mut form.rounds[at[0] % rounds];
    let blocks = steps.blocks.len();
    let dimensions = form.dimensions.len();
    let unsigned = |number: u32| number.saturating_add_signed(i32::try_from(by).unwrap());
    let dimension = at[2] % dimensions;
    match what {
        0 => steps.steps = steps.steps.saturating_add_signed(by),
        1 => steps.blocks[at[1] % blocks].offset += by,
        2 => steps.blocks[at[1] % blocks].factors[dimension] += by,
        3 => {
            let blocks = form.rounds.swap_remove(at[0] % rounds).blocks;
            let others = rounds - 1;
            form.rounds[at[1] % others].blocks.extend(blocks);
        }
        4 => form.order.rotate_left(1),
        _ => {
            let classes = &mut form.dimensions[dimension].classes;
            let count = classes.len();
            let class = &mut classes[at[0] % count];
            let place = at[1] % class.len();
            match what {
                5 => class[place].slot = unsigned(class[place].slot),
                6 => class[place].to = unsigned(class[place].to),
                7 => {
                    let part = class.remove(place);
                    classes[at[2] % count].push(part);
                }
                _ => class.iter_mut().for_each(|part| part.slot = unsigned(part.slot)),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_the_product_checker_accepts_is_right(
        which in 0usize..64,
        changes in prop::collection::vec((0u8..9, [0usize..64, 0..64, 0..64], -2i64..3), 1..3),
    ) {
        thread_local!(static ALL: Vec<(Problem, ProductSchedule)> = products());
        ALL.with(|all| {
            let (problem, form) = &all[which % all.len()];
            let mut form = form.clone();
            changes.iter().for_each(|(what, at, by)| change(&mut form, *what, *at, *by));
            if let Ok(verified) = verify(problem, form) {
                let written = verified.expanded().unwrap();
                prop_assert_eq!(written.step_count(), verified.steps());
                prop_assert!(verify(problem, written).is_ok());
            }
            Ok(())
        })?;
    }
}
