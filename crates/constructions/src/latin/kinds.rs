//! **What:** Latin squares by name: tables of groups, and the squares whose rows the constructions for fat trees and
//! multistage networks send.
//!
//! **Parameters:** a number of symbols, up to [`MOST`]; numbers of digits; or a network.
//!
//! **Facts:** row k of `cyclic` and `rls` is T to T + k, of `lls` T to T − k modulo N; of `xor` and `cls` T to T ⊕ k; of `digits`
//! the sum of T and k digit by digit. The squares of networks are read off the states of their switches, pass by pass.
//!
//! **Source:** F. Magliocca, thesis, Rome 2021, chapters 4 and 5
//!
//! **Example:**
//! ```
//! let square = constructions::latin::kinds::square("lls", "gft:2,2,2", 0)?;
//! assert_eq!(square.rows().nth(3).map(|row| row.to_vec()), Some(vec![5, 6, 7, 0, 1, 2, 3, 4]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{LatinSquare, NotLatin};
use crate::partition;
use crate::stage_states::{StageStates, StageStatesError};
use crate::switch_states::{Row, SwitchStates, SwitchStatesError};
use topologies::SpecError;

/// The cells of a square, row by row, not yet checked.
type Rows = Vec<Vec<u32>>;

/// A kind of Latin squares.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What its size is: a number of symbols, digits, or a fat tree.
    pub size: &'static str,
    /// What its rows are.
    pub about: &'static str,
    make: fn(&str, u128) -> Result<Rows, KindError>,
}

/// Why there is no such square.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields say what the sentence names")]
pub enum KindError {
    #[error("`{name}` is not a kind of Latin squares")]
    Unknown { name: String },
    #[error("the size of `{kind}` is {form}, not `{text}`")]
    Size { kind: &'static str, form: &'static str, text: String },
    #[error("{symbols} symbols are more than {MOST}")]
    Large { symbols: u64 },
    #[error(
        "exclusive or needs a number of symbols that is a power of 2, not {symbols}; `digits`, digit-wise addition, serves any"
    )]
    PowerOfTwo { symbols: u32 },
    #[error("{name}: its switches do not stand in levels or stages")]
    NoSwitches { name: String },
    #[error(
        "{name}: permutations are parted on fat trees without parallel links, and on multistage networks with one path a pair"
    )]
    NoPartition { name: String },
    #[error("there is no square {square}: squares of {name} are 0 to {last}", last = squares - 1)]
    Square { square: u128, name: String, squares: u128 },
    #[error("`{kind}` is one square; only `partition` has several")]
    OneSquare { kind: &'static str },
    #[error(transparent)]
    SwitchStates(#[from] SwitchStatesError),
    #[error("row {row}: {error}")]
    StageStates { row: u32, error: StageStatesError },
    #[error(transparent)]
    Network(#[from] SpecError),
    #[error(transparent)]
    NotLatin(#[from] NotLatin),
}

/// Most symbols of a square made by name.
pub const MOST: u64 = 2048;

/// Every kind.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "cyclic",
        size: "N",
        about: "row k is T + k modulo N",
        make: |size, _| {
            let n = number("cyclic", size)?;
            Ok(table(n, |k, t| (t + k) % n))
        },
    },
    Kind {
        name: "xor",
        size: "N",
        about: "row k is T xor k; N a power of 2",
        make: |size, _| {
            let n = number("xor", size)?;
            if !n.is_power_of_two() {
                return Err(KindError::PowerOfTwo { symbols: n });
            }
            Ok(table(n, |k, t| t ^ k))
        },
    },
    Kind {
        name: "digits",
        size: "N1,N2,... or NETWORK",
        about: "row k is the sum of T and k digit by digit, the lowest digit first, or what a network's switches do in it",
        make: |size, _| {
            if size.contains(':') {
                return walked(size, |k, _| Row::Digits(k));
            }
            let radices = size.split(',').map(|r| r.parse::<u32>().ok().filter(|r| *r > 0)).collect::<Option<Vec<_>>>();
            let form = "a list of numbers of at least 1, such as 2,3,3, or a fat tree";
            let radices = radices.ok_or_else(|| KindError::Size { kind: "digits", form, text: size.to_owned() })?;
            let symbols = radices.iter().fold(1u64, |n, r| n.saturating_mul(u64::from(*r)));
            let n = few(symbols)?;
            Ok(table(n, |k, t| sum(&radices, k, t)))
        },
    },
    Kind {
        name: "lls",
        size: "NETWORK",
        about: "row k is what the switches of a network do in rotation k: T - k modulo N",
        make: |size, _| walked(size, |k, _| Row::Rotation(k)),
    },
    Kind {
        name: "rls",
        size: "NETWORK",
        about: "row k is what the switches of a network do in the rotation the other way: T + k modulo N",
        make: |size, _| walked(size, |k, n| Row::Rotation((n - k) % n)),
    },
    Kind {
        name: "cls",
        size: "NETWORK",
        about: "row k is what the switches of a network do in exclusive or k; numbers of children are powers of 2",
        make: |size, _| walked(size, |k, _| Row::Xor(k)),
    },
    Kind {
        name: "partition",
        size: "NETWORK",
        about: "one of the squares that all permutations of a network's states part into, chosen by its number",
        make: |size, square| {
            let family = topologies::topology(size)?;
            let n = few(family.closed_forms().terminals)?;
            let none = || match (family.levels(), family.stages()) {
                (None, None) => KindError::NoSwitches { name: family.spec() },
                _ => KindError::NoPartition { name: family.spec() },
            };
            let partition = partition::squares_of(family.as_ref()).ok_or_else(none)?;
            if let Some(squares) = partition.squares().filter(|squares| square >= *squares) {
                return Err(KindError::Square { square, name: size.to_owned(), squares });
            }
            let states = partition.representative(square);
            Ok((0..n).map(|row| partition.permutation(&states, row)).collect())
        },
    },
];

/// The square of a kind and size; of several, that of number `square`.
///
/// # Errors
/// [`KindError`] where there is no such kind, size or square.
pub fn square(name: &str, size: &str, square: u128) -> Result<LatinSquare, KindError> {
    let kind = KINDS.iter().find(|k| k.name == name).ok_or_else(|| KindError::Unknown { name: name.to_owned() })?;
    if square > 0 && kind.name != "partition" {
        return Err(KindError::OneSquare { kind: kind.name });
    }
    Ok(LatinSquare::new((kind.make)(size, square)?)?)
}

fn number(kind: &'static str, text: &str) -> Result<u32, KindError> {
    let form = "a number of at least 1";
    let wrong = || KindError::Size { kind, form, text: text.to_owned() };
    few(text.parse::<u64>().ok().filter(|n| *n > 0).ok_or_else(wrong)?)
}

fn few(symbols: u64) -> Result<u32, KindError> {
    u32::try_from(symbols).ok().filter(|n| u64::from(*n) <= MOST).ok_or(KindError::Large { symbols })
}

fn table(n: u32, cell: impl Fn(u32, u32) -> u32) -> Vec<Vec<u32>> {
    (0..n).map(|k| (0..n).map(|t| cell(k, t)).collect()).collect()
}

/// The sum digit by digit.
fn sum(radices: &[u32], mut k: u32, mut t: u32) -> u32 {
    let (mut sum, mut scale) = (0, 1);
    for radix in radices {
        sum += (k % radix + t % radix) % radix * scale;
        (k, t, scale) = (k / radix, t / radix, scale * radix);
    }
    sum
}

/// Where the switches of a network take every terminal, row by row, all passes together.
fn walked(spec: &str, row: fn(u32, u32) -> Row) -> Result<Rows, KindError> {
    let family = topologies::topology(spec)?;
    if let Some(stages) = family.stages() {
        let n = few(u64::from(stages.lines()))?;
        let walk = |k: u32| {
            let states =
                StageStates::of_row(&stages, row(k, n)).map_err(|error| KindError::StageStates { row: k, error })?;
            Ok((0..n).map(|from| states.sends(from)).collect())
        };
        return (0..n).map(walk).collect();
    }
    let levels = family.levels().ok_or_else(|| KindError::NoSwitches { name: family.spec() })?;
    let n = few(u64::from(levels.terminals()))?;
    let walk = |k: u32| {
        let mut to = vec![u32::MAX; n as usize];
        for pass in 0.. {
            let settings = match SwitchStates::new(&levels, row(k, n), pass) {
                Ok(settings) => settings,
                Err(SwitchStatesError::Pass { .. }) => return Ok(to),
                Err(error) => return Err(KindError::from(error)),
            };
            (0..n).zip(&mut to).for_each(|(from, to)| *to = settings.sends(from).unwrap_or(*to));
        }
        Ok(to)
    };
    (0..n).map(walk).collect()
}
