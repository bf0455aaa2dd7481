//! **What:** pictures in SVG: a network, or the steps of a schedule side by side.
//!
//! **Facts:** circles are terminals, squares switches; where some terminals only send they are diamonds, where some only receive they have a
//! second rim; a crossed circle is a node that has failed; a grey line is a link, with an arrow head where it is a channel of
//! one direction. In a step each transfer has the colour of its sender, as on the page, a dot where it begins and an arrow
//! head where it ends; the bar above a step says how many of the channels are busy. Under time-division a slot shows the
//! channels that are busy in it. The text is plain SVG 1.1 without style sheets, which Inkscape and what makes PDF for
//! LaTeX take. What would be too much for a picture is left out, and the picture says so.

mod chromosome;
mod diagram;
mod gantt;
mod legend;
mod picture;
mod sheet;
mod steps;
mod tree;
mod widths;

pub use crate::roles::Ends;
pub use chromosome::Chromosome;
pub use diagram::{Diagram, SwitchBox};
pub use gantt::{Gantt, RowsOf};
pub use sheet::sheet;
pub use steps::{Columns, schedule};
pub use tree::Tree;

use crate::Layout;
use crate::palette::{PAGE, Theme};
use crate::roles::marked;
use kernel::{Network, Rational};
use picture::Picture;
use quick_xml::escape::escape;
use std::io::{self, Write};

/// Height of the lines above a picture of usual size and of the legend below it.
const TITLE: f64 = 46.0;
/// Above a picture without a title.
const UNTITLED: f64 = 8.0;
pub(crate) const LEGEND: f64 = 30.0;
/// The width that a legend takes before it has a second line.
const NARROW: f64 = 300.0;

/// Draws a network, and tells terminals apart by whether they send and receive; links are as wide as their bandwidths (GB/s, one a
/// channel), or else their capacities, say.
///
/// # Errors
/// Those of `out`.
pub fn network(
    network: &Network,
    ends: Ends<'_>,
    bandwidths: Option<&[Rational]>,
    theme: &'static Theme,
    out: &mut dyn Write,
) -> io::Result<()> {
    let layout = Layout::new(network);
    let picture = Picture::new(network, &layout, theme).with_roles(marked(network, ends));
    let picture = picture.with_bandwidths(bandwidths);
    let (width, height) = layout.size;
    let mut subtitle = format!("{} nodes, {} channels", network.node_count(), network.channel_count());
    if !picture.has_labels() {
        subtitle += "; too many nodes for labels";
    }
    let (legend, below) = picture.size_of_legend(width.max(NARROW), false)?;
    let body = (width.max(legend), height + below);
    let sheet = Sheet::open(out, theme, network.name(), &subtitle, body)?;
    Sheet::arrows(out, theme)?;
    write!(out, "<g transform=\"translate({:.1} {:.1})\">", (sheet.width - width) / 2.0, sheet.top)?;
    picture.links(out)?;
    picture.nodes(out)?;
    writeln!(out, "</g>")?;
    sheet.close(out, &picture, (width.max(NARROW), below), false)
}

/// Draws a network for a page, in its colours and without words around it; over it a way for each channel, with the number of the channel
/// and without a colour, for the page to give it one.
///
/// # Errors
/// Those of `out`.
pub(crate) fn network_of_page(network: &Network, bandwidths: &[Rational], out: &mut dyn Write) -> io::Result<()> {
    let layout = Layout::new(network);
    let picture = Picture::new(network, &layout, &PAGE).with_bandwidths(Some(bandwidths));
    let (width, height) = layout.size;
    write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" fill=\"{}\">",
        PAGE.ink
    )?;
    writeln!(out, "<title>{}</title><defs>", escape(network.name()))?;
    Sheet::arrow(out, "g", PAGE.idle)?;
    Sheet::arrow(out, "c", "context-stroke")?;
    writeln!(out, "</defs>")?;
    picture.links(out)?;
    picture.ways(out)?;
    picture.nodes(out)?;
    writeln!(out, "</svg>")
}

/// The element around a picture: title above, legend below, both larger where the picture is, so that they can be read
/// when all of it is on one page.
pub(crate) struct Sheet {
    width: f64,
    pub top: f64,
    bottom: f64,
    scale: f64,
}

impl Sheet {
    /// Writes the element, its ground and title, around a body of that size; a long title widens it.
    pub(crate) fn open(
        out: &mut dyn Write,
        theme: &'static Theme,
        title: &str,
        subtitle: &str,
        body: (f64, f64),
    ) -> io::Result<Self> {
        let scale = (body.0 / 1400.0).clamp(1.0, 12.0);
        let title_width = 32.0 + 9.2 * title.chars().count() as f64;
        let subtitle_width = 32.0 + 6.2 * subtitle.chars().count() as f64;
        let (head, room) = match theme.titled {
            true => (TITLE, subtitle_width.max(title_width.min(900.0))),
            false => (UNTITLED, 0.0),
        };
        let width = body.0.max(scale * room);
        let (top, bottom) = (scale * head, scale * head + body.1);
        let height = bottom + scale * LEGEND;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"{}\">",
            theme.ink
        )?;
        writeln!(out, "<title>{}</title>\n<desc>{}</desc>", escape(title), escape(subtitle))?;
        writeln!(out, "<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{}\"/>", theme.ground)?;
        if theme.titled {
            writeln!(out, "<g transform=\"scale({scale:.3})\">")?;
            writeln!(out, "<text x=\"16\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{}</text>", escape(title))?;
            let (faint, below) = (theme.faint, escape(subtitle));
            writeln!(out, "<text x=\"16\" y=\"36\" font-size=\"11\" fill=\"{faint}\">{below}</text></g>")?;
        }
        Ok(Sheet { width, top, bottom, scale })
    }

    /// Writes the heads of arrows, one a colour of transfers and one for links.
    fn arrows(out: &mut dyn Write, theme: &Theme) -> io::Result<()> {
        let colours = theme.transfers.iter().enumerate().map(|(at, c)| (at.to_string(), *c));
        writeln!(out, "<defs>")?;
        for (name, colour) in colours.chain([("g".into(), theme.idle)]) {
            Self::arrow(out, &name, colour)?;
        }
        writeln!(out, "</defs>")
    }

    fn arrow(out: &mut dyn Write, name: &str, colour: &str) -> io::Result<()> {
        writeln!(
            out,
            "<marker id=\"a{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>"
        )
    }

    /// Writes the legend, with what it has below its first line, up to `right` of the body, and ends the element.
    fn close(
        &self,
        out: &mut dyn Write,
        picture: &Picture<'_>,
        (right, below): (f64, f64),
        transfers: bool,
    ) -> io::Result<()> {
        writeln!(out, "<g transform=\"translate(0 {:.1}) scale({:.3})\">", self.bottom - below, self.scale)?;
        picture.legend(out, right, transfers)?;
        writeln!(out, "</g>\n</svg>")
    }
}
