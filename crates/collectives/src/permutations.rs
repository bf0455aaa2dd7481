//! **What:** permutations by name, for those who want one of the usual patterns rather than a file of pairs.
//!
//! **Parameters:** a permutation moves ranks 0 to N − 1; who has which rank is the caller's business. Some take a parameter
//! behind a colon.
//!
//! **Facts:** those that move binary digits need N to be a power of two, `transpose` needs a square.
//!
//! **Source:** W. J. Dally, B. Towles, Principles and Practices of Interconnection Networks, 2004, section 3.2
//!
//! **Example:**
//! ```
//! use collectives::permutations;
//! assert_eq!(permutations::parse("shift:3", 5), Some(Ok(vec![3, 4, 0, 1, 2])));
//! assert_eq!(permutations::parse("transpose", 4), Some(Ok(vec![0, 2, 1, 3])));
//! assert_eq!(permutations::parse("pairs.txt", 4), None);
//! ```

use rand::seq::SliceRandom;

/// A permutation known by name.
pub struct Permutation {
    /// Its name.
    pub name: &'static str,
    /// The name with its parameter.
    pub form: &'static str,
    /// Where it takes rank i of N.
    pub about: &'static str,
    make: fn(u32, Option<u64>) -> Result<Vec<u32>, PermutationError>,
}

/// Why there is no such permutation of so many ranks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermutationError {
    /// The number of ranks does not do.
    #[error("{name} needs {needs}, not {ranks}")]
    Ranks {
        /// The permutation.
        name: &'static str,
        /// What it needs.
        needs: &'static str,
        /// How many there are.
        ranks: u32,
    },
    /// A parameter for a permutation that has none.
    #[error("{name} takes no parameter")]
    NoParameter {
        /// The permutation.
        name: &'static str,
    },
    /// A parameter that is missing, is no number or is out of range.
    #[error("`{text}` is not of the form `{form}`, with a number below {below}")]
    Parameter {
        /// What was written.
        text: String,
        /// What should have been.
        form: &'static str,
        /// The range of the parameter.
        below: u64,
    },
}

/// Every permutation known by name.
pub const PERMUTATIONS: &[Permutation] = &[
    Permutation {
        name: "shift",
        form: "shift:K",
        about: "i to i + K modulo N",
        make: |n, k| {
            let k = parameter("shift", "shift:K", k, u64::from(n))?;
            Ok((0..n).map(|i| rank((u64::from(i) + k) % u64::from(n))).collect())
        },
    },
    Permutation {
        name: "xor",
        form: "xor:L",
        about: "i to i xor L; N a power of 2",
        make: |n, l| {
            bits("xor", n)?;
            let l = rank(parameter("xor", "xor:L", l, u64::from(n))?);
            Ok((0..n).map(|i| i ^ l).collect())
        },
    },
    Permutation {
        name: "reversal",
        form: "reversal",
        about: "i to N - 1 - i, the complement of all binary digits",
        make: |n, none| plain("reversal", none).map(|()| (0..n).rev().collect()),
    },
    Permutation {
        name: "bit-reversal",
        form: "bit-reversal",
        about: "i to its binary digits read backwards; N a power of 2",
        make: |n, none| {
            plain("bit-reversal", none)?;
            let bits = bits("bit-reversal", n)?;
            Ok((0..n).map(|i| if bits == 0 { i } else { i.reverse_bits() >> (32 - bits) }).collect())
        },
    },
    Permutation {
        name: "shuffle",
        form: "shuffle",
        about: "i to 2i, or 2i - N + 1 in the upper half; N even",
        make: |n, none| {
            plain("shuffle", none)?;
            if n % 2 == 1 {
                return Err(PermutationError::Ranks {
                    name: "shuffle",
                    needs: "an even number of terminals",
                    ranks: n,
                });
            }
            Ok((0..n / 2).map(|i| 2 * i).chain((0..n / 2).map(|i| 2 * i + 1)).collect())
        },
    },
    Permutation {
        name: "transpose",
        form: "transpose",
        about: "row and column exchanged; N a square",
        make: |n, none| {
            plain("transpose", none)?;
            let side = n.isqrt();
            if side * side != n {
                let needs = "a square number of terminals";
                return Err(PermutationError::Ranks { name: "transpose", needs, ranks: n });
            }
            Ok((0..n).map(|i| i % side * side + i / side).collect())
        },
    },
    Permutation {
        name: "random",
        form: "random:SEED",
        about: "any, the same for the same seed",
        make: |n, seed| {
            let seed = parameter("random", "random:SEED", seed, u64::MAX)?;
            let mut to: Vec<u32> = (0..n).collect();
            to.shuffle(&mut run::Seed(seed).generator(u64::from(n)));
            Ok(to)
        },
    },
];

/// Where the permutation of that name takes each of `ranks` ranks; `None` where there is none of that name.
///
/// # Errors
/// [`PermutationError`] where the parameter or the number of ranks does not do.
pub fn parse(text: &str, ranks: u32) -> Option<Result<Vec<u32>, PermutationError>> {
    let (name, parameter) = text.split_once(':').map_or((text, None), |(name, parameter)| (name, Some(parameter)));
    let known = PERMUTATIONS.iter().find(|p| p.name == name)?;
    let number = parameter.map(|p| p.parse::<u64>().unwrap_or(u64::MAX));
    let named = |error| match error {
        PermutationError::Parameter { form, below, .. } => {
            PermutationError::Parameter { text: text.to_owned(), form, below }
        }
        other => other,
    };
    Some((known.make)(ranks, number).map_err(named))
}

fn rank(number: u64) -> u32 {
    u32::try_from(number).expect("below the number of ranks")
}

fn parameter(name: &'static str, form: &'static str, number: Option<u64>, below: u64) -> Result<u64, PermutationError> {
    number.filter(|k| *k < below).ok_or_else(|| PermutationError::Parameter { text: name.to_owned(), form, below })
}

fn plain(name: &'static str, number: Option<u64>) -> Result<(), PermutationError> {
    if number.is_some() { Err(PermutationError::NoParameter { name }) } else { Ok(()) }
}

/// Binary digits of a rank.
fn bits(name: &'static str, ranks: u32) -> Result<u32, PermutationError> {
    let needs = "a power of 2 of terminals";
    if ranks.is_power_of_two() { Ok(ranks.ilog2()) } else { Err(PermutationError::Ranks { name, needs, ranks }) }
}
