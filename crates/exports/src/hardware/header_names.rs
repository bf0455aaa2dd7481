//! **What:** the names that a header for C uses, told by its include guard.
//!
//! **Facts:** the guard `SLOTS_SLOT_H` goes with macros `SLOTS_SLOT_…` and arrays `slots_slot_…`. Former headers have the guard `QUADRILLE_TABLE_H`, whatever
//! they hold, and `QUADRILLE_…` and `quadrille_…`.

/// How the guard ends.
const END: &str = "_H";
/// The guard of former headers.
const FORMER: &str = "QUADRILLE_TABLE_H";

/// How names of a header begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Prefix {
    upper: String,
    lower: String,
}

impl Prefix {
    /// That of a guard; `None` where this is none.
    pub(super) fn of_guard(guard: &str) -> Option<Self> {
        let upper = if guard == FORMER { "QUADRILLE" } else { guard.strip_suffix(END)? };
        Some(Prefix { upper: upper.to_owned(), lower: upper.to_ascii_lowercase() })
    }

    /// The name of a macro.
    pub(super) fn macro_name(&self, name: &str) -> String {
        format!("{}_{name}", self.upper)
    }

    /// The name of an array.
    pub(super) fn array_name(&self, name: &str) -> String {
        format!("{}_{name}", self.lower)
    }
}
