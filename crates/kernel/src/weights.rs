//! **What:** one weight a channel: of a network with millions of channels there are usually few different ones, so each is
//! written down once.

use crate::Rational;
use std::collections::HashMap;

/// A list of weights, one a channel.
///
/// ```
/// use kernel::{Rational, Weights};
/// let weights: Weights = [1, 0, 1].map(Rational::whole).into_iter().collect();
/// assert_eq!((weights.len(), weights[2], weights.distinct().len()), (3, Rational::whole(1), 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Weights {
    /// The different weights, in the order in which they first appear.
    distinct: Vec<Rational>,
    /// Which of them each channel has.
    which: Vec<u32>,
}

impl Weights {
    /// Number of weights.
    pub fn len(&self) -> usize {
        self.which.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.which.is_empty()
    }

    /// All weights, in the order of the channels.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Rational> + '_ {
        self.which.iter().map(|which| self.distinct[*which as usize])
    }

    /// The different weights, in the order in which they first appear. Equal fractions that are written differently count as
    /// different.
    pub fn distinct(&self) -> &[Rational] {
        &self.distinct
    }

    /// The position among the different weights of each channel's weight.
    pub fn which(&self) -> &[u32] {
        &self.which
    }
}

impl std::ops::Index<usize> for Weights {
    type Output = Rational;

    fn index(&self, channel: usize) -> &Rational {
        &self.distinct[self.which[channel] as usize]
    }
}

impl FromIterator<Rational> for Weights {
    fn from_iter<I: IntoIterator<Item = Rational>>(weights: I) -> Self {
        let weights = weights.into_iter();
        let mut list = Weights { distinct: Vec::new(), which: Vec::with_capacity(weights.size_hint().0) };
        let mut known: HashMap<Rational, u32> = HashMap::new();
        let mut last = None;
        for weight in weights {
            // Neighbours are often alike, and then there is nothing to look up.
            let which = match last {
                Some((same, which)) if same == weight => which,
                _ => *known.entry(weight).or_insert_with(|| {
                    list.distinct.push(weight);
                    u32::try_from(list.distinct.len() - 1)
                        .expect("no more weights than channels, which have 32-bit ids")
                }),
            };
            last = Some((weight, which));
            list.which.push(which);
        }
        list
    }
}

impl From<Vec<Rational>> for Weights {
    fn from(weights: Vec<Rational>) -> Self {
        weights.into_iter().collect()
    }
}
