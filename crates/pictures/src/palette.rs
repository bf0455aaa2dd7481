//! **What:** the colours of all pictures.

/// Colours of transfers: those that Okabe and Ito chose for readers of any sight, black and yellow replaced by a violet.
pub const TRANSFERS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#6A51A3"];
/// Links that carry nothing.
pub const IDLE: &str = "#b8bec6";
/// Letters and rims.
pub const INK: &str = "#22303c";
/// Letters of less weight.
pub const FAINT: &str = "#5b6873";
/// Inside of a switch.
pub const SWITCH: &str = "#e8ecf0";
