//! **What:** lists of rational numbers as texts `"p/q"`, such as the weights of a certificate, read without keeping the texts.

use kernel::{Rational, Weights};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use std::fmt;

/// A list as it was read.
#[derive(Default)]
pub(crate) struct Rationals {
    /// The numbers; 0 where a text is none.
    pub list: Weights,
    /// The first text that is no number.
    pub bad: Option<usize>,
}

impl<'de> Deserialize<'de> for Rationals {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Rationals;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of rational numbers as strings")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<Rationals, A::Error> {
                let (mut at, mut bad, mut failed) = (0, None, None);
                let list = std::iter::from_fn(|| match words.next_element::<String>() {
                    Ok(word) => word.map(|word| {
                        let read = rational(&word);
                        if read.is_none() {
                            bad.get_or_insert(at);
                        }
                        at += 1;
                        read.unwrap_or(Rational::whole(0))
                    }),
                    Err(error) => {
                        failed = Some(error);
                        None
                    }
                });
                let list = list.collect();
                failed.map_or(Ok(Rationals { list, bad }), Err)
            }
        }
        from.deserialize_seq(Wanted)
    }
}

/// The number that a text is.
pub(crate) fn rational(word: &str) -> Option<Rational> {
    // `parse` would take a sign.
    let whole = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?;
    match word.split_once('/') {
        None => Some(Rational::whole(whole(word)?)),
        Some((above, below)) => Some(Rational { numerator: whole(above)?, denominator: whole(below)? }),
    }
}
