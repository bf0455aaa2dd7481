//! **What:** the colours of all pictures, on a light ground and on a dark one.
//!
//! **Facts:** every colour that carries meaning has a contrast of at least 3 to its ground, letters of at least 4.5 (WCAG 2.2,
//! 1.4.3 and 1.4.11). The colours of transfers are those that a random search found, from the ones of Okabe and Ito, to be
//! farthest apart for readers of usual sight and without one of the three cones. The tests compute both.

/// One set of colours.
#[derive(Debug, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub ground: &'static str,
    /// Letters and rims.
    pub ink: &'static str,
    /// Letters of less weight.
    pub faint: &'static str,
    /// Links that carry nothing.
    pub idle: &'static str,
    /// Inside of a switch, and lines that only guide the eye.
    pub switch: &'static str,
    /// Colours of transfers, and of the lines of a plot.
    pub transfers: [&'static str; 7],
    /// Behind the parts of a gene: its distributor, its path and its step.
    pub genes: [&'static str; 3],
    /// Whether pictures have their titles above them.
    pub titled: bool,
}

/// On white.
pub const LIGHT: Theme = Theme {
    ground: "#ffffff",
    ink: "#22303c",
    faint: "#53616d",
    idle: "#8a939c",
    switch: "#e8ecf0",
    transfers: ["#0a3ab9", "#941900", "#6d9563", "#d26fac", "#0496f7", "#ac9003", "#542a69"],
    genes: ["#d7efd3", "#fbf1b8", "#d3e4fb"],
    titled: true,
};

/// Those of the page, light or dark as its reader has it, where a picture is part of the page.
pub(crate) const PAGE: Theme = Theme {
    ground: "var(--ground)",
    ink: "var(--ink)",
    faint: "var(--faint)",
    idle: "var(--idle)",
    switch: "var(--switch)",
    transfers: ["var(--ink)"; 7],
    genes: ["var(--line)"; 3],
    titled: true,
};

/// On nearly black.
pub const DARK: Theme = Theme {
    ground: "#171c22",
    ink: "#e6ebf0",
    faint: "#a3b0bc",
    idle: "#626f7c",
    switch: "#2b343d",
    transfers: ["#82b1fd", "#d67c1c", "#238c52", "#ab6f9a", "#74eff8", "#fdd405", "#6866e5"],
    genes: ["#1d4426", "#4a4212", "#1c3a5e"],
    titled: true,
};

/// The same without titles.
static UNTITLED: [Theme; 2] = [Theme { titled: false, ..LIGHT }, Theme { titled: false, ..DARK }];

/// Light or dark, with titles or without.
#[must_use]
pub fn theme(dark: bool, titled: bool) -> &'static Theme {
    match (dark, titled) {
        (false, true) => &LIGHT,
        (true, true) => &DARK,
        (_, false) => &UNTITLED[usize::from(dark)],
    }
}
