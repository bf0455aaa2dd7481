//! **What:** a schedule in time as a chart: a row for every channel or node, a bar for every transfer on it, time to the right.
//!
//! **Facts:** the height of a bar is its rate over the bandwidth of its row, so a row is full where bars fill it. A colour is the node that a
//! message comes from, or the message where all come from one node or are merged; after seven they repeat. The bars of the critical path have a rim, those
//! that follow each other in a row one together, and a line leads on where it changes the row or waits. The dashed line is the certified bound. Below, what all channels carry at each time, over all
//! bandwidths. Rows beyond sixty-four are left out, those used least first, and the picture says so.

mod area;
mod colours;
mod critical;
mod rows;

pub use rows::RowsOf;

use super::Sheet;
use crate::palette::Theme;
use crate::plot::axis::{even_ticks, number};
use area::{AREA, GAP};
use colours::Colours;
use kernel::timed::{CertifiedTimed, Timeline};
use quick_xml::escape::escape;
use rows::{Bar, Row, Rows};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Width of the time from 0 to the end.
const WIDTH: f64 = 1000.0;
/// Room below for times, the axis' name and the legend.
const BELOW: f64 = 62.0;

/// A chart of a schedule in time.
pub struct Gantt<'a> {
    /// The schedule.
    pub timeline: &'a Timeline<'a>,
    /// Its bound.
    pub floor: Option<&'a CertifiedTimed>,
    /// The transfers of its critical path, by their numbers in the timeline, in order.
    pub critical: &'a [usize],
    /// What has a row.
    pub rows: RowsOf,
}

/// Where things stand.
struct Places {
    left: f64,
    top: f64,
    row: f64,
    rows: usize,
    /// Pixels a tick.
    tick: f64,
}

impl Places {
    fn x(&self, ticks: u64) -> f64 {
        self.left + self.tick * ticks as f64
    }

    /// The lower edge of a row.
    fn foot(&self, row: usize) -> f64 {
        self.top + self.row * (row + 1) as f64 - 2.0
    }

    /// Left, top, width and height of a bar in the row of this lower edge.
    fn of_bar(&self, bar: &Bar, foot: f64) -> (f64, f64, f64, f64) {
        let full = self.row - 4.0;
        let wide = (self.tick * (bar.until - bar.from) as f64).max(0.4);
        let tall = (full * bar.height).max(0.6);
        (self.x(bar.from), foot - full * bar.above - tall, wide, tall)
    }

    /// The end of the rows, and of the picture below.
    fn bottom(&self) -> f64 {
        self.top + self.row * self.rows as f64
    }

    fn floor_of_area(&self) -> f64 {
        self.bottom() + GAP + AREA
    }
}

impl Gantt<'_> {
    /// What it is a chart of.
    pub(crate) fn title(&self) -> String {
        self.timeline.problem().title()
    }

    /// The colour of each transfer, by its position in those of a theme, which repeat.
    pub(crate) fn colours(&self) -> Vec<usize> {
        let colours = Colours::of(self.timeline);
        (0..self.timeline.sent().len()).map(|at| colours.of_transfer(self.timeline, at)).collect()
    }

    /// Draws the chart.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn draw(&self, theme: &'static Theme, out: &mut dyn Write) -> io::Result<()> {
        self.write(theme, false, out)
    }

    /// Draws the chart; for a page every bar tells the number of its transfer, in an attribute that pictures have not.
    pub(crate) fn write(&self, theme: &'static Theme, numbered: bool, out: &mut dyn Write) -> io::Result<()> {
        let (timeline, problem) = (self.timeline, self.timeline.problem());
        let critical: BTreeSet<usize> = self.critical.iter().copied().collect();
        let Rows { rows, left_out } = Rows::of(timeline, self.rows, &critical);
        let letters = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(6);
        let row = (480.0 / rows.len().max(1) as f64).clamp(14.0, 48.0);
        let left = 26.0 + 6.4 * letters as f64;
        let end = timeline.schedule().ticks();
        let body = (left + WIDTH + 40.0, 20.0 + row * rows.len() as f64 + GAP + AREA + BELOW);
        let title = self.title();
        let micros = |ticks| number(problem.micros(ticks));
        let bound = match self.floor {
            Some(floor) if floor.ticks() == end => " µs, optimal".into(),
            Some(floor) => format!(" µs, at least {} µs", micros(floor.ticks())),
            None => " µs".into(),
        };
        let transfers = timeline.sent().len();
        let chunks = match problem.collective().chunks() {
            1 => String::new(),
            chunks => format!(" in {chunks} chunks"),
        };
        let subtitle = format!("{}{bound}, {transfers} transfers{chunks}{left_out}", micros(end));
        let sheet = Sheet::open(out, theme, &title, &subtitle, body)?;
        let tick = WIDTH / end.max(1) as f64;
        let places = Places { left, top: sheet.top + 20.0, row, rows: rows.len(), tick };
        self.grid(&rows, &places, theme, out)?;
        self.area(&places, theme, out)?;
        let colours = Colours::of(timeline);
        for (at, row) in rows.iter().enumerate() {
            for bar in &row.bars {
                let number = if numbered { format!(" data-t=\"{}\"", bar.transfer) } else { String::new() };
                let y = places.foot(at);
                self.bar(bar, (y, &number), (&places, theme, &colours), out)?;
            }
        }
        self.rims(&rows, &critical, &places, theme, out)?;
        self.path(&rows, &places, theme, out)?;
        if let Some(floor) = self.floor {
            self.bound(floor, &places, theme, out)?;
        }
        let legend = (left.min(26.0), body.0, places.floor_of_area() + 46.0);
        colours.legend(self.timeline, legend, theme, out)?;
        writeln!(out, "</svg>")
    }

    /// Names of rows, times, and lines that guide the eye.
    fn grid(&self, rows: &[Row], places: &Places, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let Theme { faint, switch, ink, .. } = theme;
        let (right, bottom) = (places.left + WIDTH, places.floor_of_area());
        let size = if places.row < 16.0 { 9.0 } else { 10.5 };
        writeln!(out, "<g font-size=\"{size}\" fill=\"{ink}\">")?;
        for (at, row) in rows.iter().enumerate() {
            let foot = places.foot(at);
            let (x, y, name) = (places.left - 7.0, foot - places.row / 2.0 + 4.4, escape(&row.name));
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{name}</text>")?;
            writeln!(out, "<path d=\"M{:.1} {:.1}H{right:.1}\" stroke=\"{switch}\"/>", places.left, foot + 1.0)?;
        }
        writeln!(out, "</g><g font-size=\"10.5\" fill=\"{faint}\" text-anchor=\"middle\">")?;
        let end = self.timeline.schedule().micros();
        for (value, text) in even_ticks(0.0, end, 10) {
            let x = places.left + WIDTH * if end > 0.0 { value / end } else { 0.0 };
            writeln!(out, "<path d=\"M{x:.1} {:.1}V{bottom:.1}\" stroke=\"{switch}\"/>", places.top - 4.0)?;
            writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{text}</text>", bottom + 14.0)?;
        }
        writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{ink}\">time in µs</text></g>",
            places.left + WIDTH / 2.0,
            bottom + 28.0
        )
    }

    fn bar(
        &self,
        bar: &Bar,
        (foot, number): (f64, &str),
        (places, theme, colours): (&Places, &Theme, &Colours),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (x, y, wide, tall) = places.of_bar(bar, foot);
        let paint = theme.transfers[colours.of_transfer(self.timeline, bar.transfer) % theme.transfers.len()];
        // What parts a bar from the next takes little of it, however narrow it is.
        let parting = (0.1 * tall.min(wide)).min(0.4);
        let title = escape(self.says(bar)).into_owned();
        writeln!(
            out,
            "<rect{number} x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{tall:.2}\" fill=\"{paint}\" stroke=\"{}\" \
             stroke-width=\"{parting:.2}\"><title>{title}</title></rect>",
            theme.ground
        )
    }

    /// What is told where the pointer rests.
    fn says(&self, bar: &Bar) -> String {
        let (sent, problem) = (&self.timeline.sent()[bar.transfer], self.timeline.problem());
        let messages = self.timeline.transfers()[bar.transfer].transfer.messages;
        let few: Vec<String> = messages.iter().take(4).map(ToString::to_string).collect();
        let more = if messages.len() > few.len() { ",…" } else { "" };
        let to: Vec<String> =
            self.timeline.receivers()[sent.receivers.clone()].iter().map(|to| to.node.to_string()).collect();
        let channel = self.timeline.uses()[bar.used].channel;
        format!(
            "message {}{more} from {} to {}, channel {channel}: {} to {} µs at {} GB/s",
            few.join(","),
            sent.from,
            to.join(","),
            number(problem.micros(bar.from)),
            number(problem.micros(bar.until)),
            number(self.timeline.gigabytes(sent.rate)),
        )
    }

    fn bound(&self, floor: &CertifiedTimed, places: &Places, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let (x, top, bottom) = (places.x(floor.ticks()), places.top - 6.0, places.floor_of_area());
        writeln!(
            out,
            "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"{}\" stroke-width=\"1.4\" stroke-dasharray=\"6 4\" fill=\"none\"/>",
            theme.ink
        )?;
        // Beside the line, where there is room.
        let (x, anchor) = if x - places.left > WIDTH / 2.0 { (x - 5.0, "end") } else { (x + 5.0, "start") };
        let text = number(floor.micros());
        writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{top:.1}\" font-size=\"10.5\" text-anchor=\"{anchor}\">bound {text} µs</text>"
        )
    }
}
