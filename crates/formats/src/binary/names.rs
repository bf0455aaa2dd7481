//! **What:** the columns there are. One whose values are all the usual one is left out of a file.

use super::column::Column;

/// A column by its place in [`COLUMNS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    FromLengths,
    From,
    ToLengths,
    To,
    Steps,
    MessageLengths,
    Messages,
    Senders,
    Paths,
    HopLengths,
    Hops,
    Ops,
    PartialLengths,
    Partials,
    Rates,
    Denominators,
}

pub(super) const COUNT: usize = 16;

/// The name of each column, and its usual value.
pub(super) const COLUMNS: [(&str, Option<u64>); COUNT] = [
    ("messages.from.lengths", Some(1)),
    ("messages.from", None),
    ("messages.to.lengths", Some(1)),
    ("messages.to", None),
    ("steps", None),
    ("transfers.messages.lengths", Some(1)),
    ("transfers.messages", None),
    ("transfers.senders", Some(0)),
    ("transfers.paths", Some(1)),
    ("transfers.hops.lengths", Some(1)),
    ("transfers.hops", None),
    ("transfers.ops", Some(0)),
    ("transfers.partials.lengths", Some(0)),
    ("transfers.partials", None),
    ("transfers.rates", Some(0)),
    ("transfers.rates.denominators", None),
];

impl Name {
    /// What the header calls it.
    pub(super) fn text(self) -> &'static str {
        COLUMNS[self as usize].0
    }

    /// The place of the column of this name.
    pub(super) fn find(name: &str) -> Option<usize> {
        COLUMNS.iter().position(|(known, _)| *known == name)
    }
}

/// The columns of a file; those that are left out are absent.
pub(super) type Present<'a> = [Option<Column<'a>>; COUNT];
