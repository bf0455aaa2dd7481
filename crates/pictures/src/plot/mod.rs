//! **What:** plots of measurements: lines, dots or bars over two axes, with error bars and a legend.
//!
//! **Parameters:** an axis is linear, logarithmic (base ten) or a list of names; a series has up to any number of points, each
//! with the ends of its error bar where it has one. Lines of a reference, such as a floor, run across the plot.
//!
//! **Facts:** series are told apart by colour, by the shape of their marks and, beyond seven, by dashes, so a print without
//! colours can be read. What a logarithmic axis cannot show (zero and less) and what is no number is left out, and the line
//! under the title counts it. The text is plain SVG 1.1, like every picture of the project.
//!
//! **Example:**
//! ```
//! use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
//! use pictures::palette::LIGHT;
//!
//! let points = [(8.0, 0.004), (16.0, 0.09), (32.0, 1.7)].map(|(x, y)| Point { x, y, spread: Some((0.8 * y, 1.2 * y)) });
//! let plot = Plot {
//!     title: "alltoall".into(),
//!     x: Axis { label: "nodes".into(), scale: Scale::Log },
//!     y: Axis { label: "seconds".into(), scale: Scale::Log },
//!     series: vec![Series { name: "packing".into(), style: Style::Line, points: points.to_vec() }],
//!     references: vec![],
//! };
//! let mut text = Vec::new();
//! plot.draw(&LIGHT, &mut text)?;
//! assert!(text.starts_with(b"<svg "));
//! # Ok::<(), std::io::Error>(())
//! ```

pub(crate) mod axis;
mod draw;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What is shown.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// In the order of the legend.
    pub series: Vec<Series>,
    /// Values of `y` at which a line runs across, each with its name.
    pub references: Vec<(f64, String)>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// How values are placed.
    pub scale: Scale,
}

/// How an axis places values.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Differences count; a vertical axis begins at 0 where no value is below.
    Linear,
    /// Quotients count.
    Log,
    /// The value `i` stands for the `i`-th name.
    Names(Vec<String>),
}

/// Values that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub style: Style,
    /// Its values, in any order.
    pub points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Marks joined in the order of `x`.
    Line,
    /// A line without marks, for many points.
    Bare,
    /// Marks alone.
    Dots,
    /// Bars from the bottom; those of several series at one `x` stand side by side.
    Bars,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// The lower and the upper end of the error bar.
    pub spread: Option<(f64, f64)>,
}

impl Point {
    /// A value without an error bar.
    pub fn new(x: f64, y: f64) -> Self {
        Point { x, y, spread: None }
    }
}
