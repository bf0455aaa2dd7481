//! Means, their intervals and quantiles are those of the textbook.

use proptest::prelude::*;
use simulate::{Histogram, Mean, Sum, batch_mean};

#[test]
fn the_interval_is_that_of_the_textbook() {
    // Five batches of one number each: mean 10, standard deviation 1.5811, half interval 2.776 * 1.5811 / sqrt 5.
    let batches: Vec<Sum> = [8, 9, 10, 11, 12].into_iter().map(|sum| Sum { count: 1, sum }).collect();
    let Mean { mean, half } = batch_mean(&batches).unwrap();
    assert!((mean - 10.0).abs() < 1e-12 && (half.unwrap() - 1.963).abs() < 1e-3);
    assert_eq!(batch_mean(&[Sum::default()]), None);
    assert_eq!(batch_mean(&batches[..1]).unwrap().half, None);
}

proptest! {
    #[test]
    fn quantiles_are_exact_or_less_than_a_part_in_128_above(
        mut numbers in proptest::collection::vec(prop_oneof![0u64..300, 0u64..5000, 0u64..1 << 40], 1..200), share in 0.0f64..1.0,
    ) {
        let mut histogram = Histogram::default();
        numbers.iter().for_each(|number| histogram.add(*number));
        numbers.sort_unstable();
        prop_assert_eq!((histogram.count(), histogram.most()), (numbers.len() as u64, numbers[numbers.len() - 1]));
        let place = ((share * numbers.len() as f64).ceil() as usize).max(1) - 1;
        let (found, exact) = (histogram.quantile(share), numbers[place]);
        prop_assert!(found >= exact && found - exact <= exact / 128, "{} {}", found, exact);
        prop_assert!(exact >= 256 || found == exact);
    }
}
