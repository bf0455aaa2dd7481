//! **What:** how wide links are drawn: by their bandwidths, or by how many messages they carry at once.
//!
//! **Facts:** the area between two links of a picture grows with what they carry: a width is the square root of a link's share of
//! the narrowest, at most [`MOST`] times that one's. The legend has every number, or the least, a middle and the largest.

use kernel::{Network, Rational};

/// The widest link, in widths of the narrowest.
const MOST: f64 = 4.0;

/// Numbers that the legend has at most.
const NAMED: usize = 4;

/// A width for each channel, in widths of a usual link.
#[derive(Default)]
pub(super) struct Widths {
    of: Vec<f64>,
    /// What the legend says of each width.
    pub named: Vec<Named>,
}

/// A line of the legend.
pub(super) struct Named {
    pub width: f64,
    pub text: String,
}

impl Widths {
    /// By bandwidth in GB/s where there are some, else by capacity; all alike where nothing tells them apart.
    pub(super) fn of(network: &Network, bandwidths: Option<&[Rational]>) -> Self {
        let Some(bandwidths) = bandwidths else {
            let capacities: Vec<f64> = network.channels().map(|c| f64::from(network.capacity(c))).collect();
            let alone = capacities.iter().all(|c| *c == 1.0);
            return if alone {
                Widths::default()
            } else {
                Widths::by(&capacities, |c| format!("{c} message{} a step", if c == 1.0 { "" } else { "s" }))
            };
        };
        let rates: Vec<f64> = bandwidths.iter().map(|b| b.numerator as f64 / b.denominator as f64).collect();
        Widths::by(&rates, |rate| format!("{} GB/s", (rate * 100.0).round() / 100.0))
    }

    fn by(numbers: &[f64], text: impl Fn(f64) -> String) -> Self {
        let least = numbers.iter().copied().fold(f64::MAX, f64::min);
        let width = |number: f64| (number / least).sqrt().min(MOST);
        let mut all = numbers.to_vec();
        all.sort_by(f64::total_cmp);
        all.dedup();
        if all.len() > NAMED {
            all = vec![all[0], all[all.len() / 2], all[all.len() - 1]];
        }
        let named = all.into_iter().map(|number| Named { width: width(number), text: text(number) }).collect();
        Widths { of: numbers.iter().map(|number| width(*number)).collect(), named }
    }

    /// The width of a channel.
    pub(super) fn at(&self, channel: usize) -> f64 {
        self.of.get(channel).copied().unwrap_or(1.0)
    }
}
