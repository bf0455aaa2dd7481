//! **What:** pictures in SVG: a network, or the steps of a schedule side by side.
//!
//! **Facts:** circles are terminals, squares switches; a grey line is a link, with an arrow head where it is a channel of
//! one direction. In a step each transfer has a colour, a dot where it begins and an arrow head where it ends; the bar
//! above a step says how many of the channels are busy. The text is plain SVG 1.1 without style sheets, which Inkscape and
//! what makes PDF for LaTeX take. What would be too much for a picture is left out, and the picture says so.

mod picture;
mod sheet;

pub use sheet::sheet;

use crate::{Layout, palette};
use kernel::{Network, Switching, Verified};
use picture::Picture;
use quick_xml::escape::escape;
use std::io::{self, Write};

/// Height of the lines above a picture of usual size, of the legend below it, and of the line above each step.
const TITLE: f64 = 46.0;
const LEGEND: f64 = 30.0;
const CAPTION: f64 = 30.0;
/// Curves beyond which steps are left out: more than a viewer of SVG draws in reasonable time.
const MOST_CURVES: usize = 250_000;

/// Draws a network.
///
/// # Errors
/// Those of `out`.
pub fn network(network: &Network, out: &mut dyn Write) -> io::Result<()> {
    let layout = Layout::new(network);
    let picture = Picture::new(network, &layout);
    let (width, height) = layout.size;
    let mut subtitle = format!("{} nodes, {} channels", network.node_count(), network.channel_count());
    if !picture.has_labels() {
        subtitle += "; too many nodes for labels";
    }
    let sheet = Sheet::open(out, network.name(), &subtitle, (width, height))?;
    write!(out, "<g transform=\"translate({:.1} {:.1})\">", (sheet.width - width) / 2.0, sheet.top)?;
    picture.links(out)?;
    picture.nodes(out)?;
    writeln!(out, "</g>")?;
    sheet.close(out, &picture, false)
}

/// Draws the steps of a schedule side by side, or one step of it alone; steps count from 0, as in files and violations.
///
/// # Errors
/// Those of `out`; a step that the schedule does not have.
pub fn schedule(schedule: &Verified, step: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let problem = schedule.problem();
    let (network, transfers) = (problem.network(), schedule.schedule());
    let shown = match step {
        None => as_many_as_fit(schedule),
        Some(step) if step < schedule.steps() => 1,
        Some(step) => {
            let why = format!("step {step} of a schedule of {} steps", schedule.steps());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
    };
    let first = step.unwrap_or(0);
    let layout = Layout::new(network);
    let picture = Picture::new(network, &layout);
    let (width, height) = (layout.size.0.max(190.0), layout.size.1 + CAPTION);
    // About 8 wide to 5 high.
    let columns = ((shown as f64 * 1.6 * height / width).sqrt().ceil() as usize).clamp(1, shown.max(1));
    let lines = shown.div_ceil(columns);
    let title = format!("{} on {}", problem.collective().name(), network.name());
    let slots = matches!(problem.model().switching, Switching::Tdm { .. });
    let word = if slots { "slot" } else { "step" };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut subtitle = format!(
        "{} {word}{}, {} transfer{} over {} channel uses",
        schedule.steps(),
        plural(schedule.steps()),
        transfers.transfer_count(),
        plural(transfers.transfer_count()),
        transfers.channel_uses()
    );
    if step.is_none() && shown < schedule.steps() {
        subtitle += &format!("; left out: {word}s {shown} to {}, too many for one picture", schedule.steps() - 1);
    }
    let sheet = Sheet::open(out, &title, &subtitle, (columns as f64 * width, lines as f64 * height))?;
    let capacity = network.channels().map(|c| f64::from(network.capacity(c))).sum();
    for at in 0..shown {
        let number = first + at;
        let (x, y) = ((at % columns) as f64 * width, (at / columns) as f64 * height + sheet.top);
        let sent = transfers.step(number);
        writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">")?;
        write!(out, "<text x=\"16\" y=\"14\" font-size=\"13\" font-weight=\"bold\">{word} {number}</text>")?;
        let busy: usize = transfers.step(number).map(|t| t.path.len()).sum();
        // Under time-division a path is busy in later slots, too.
        caption(out, sent.len(), (!slots).then_some(busy as f64 / f64::max(capacity, 1.0)))?;
        write!(out, "<g transform=\"translate({:.1} {CAPTION})\">", (width - layout.size.0) / 2.0)?;
        picture.links(out)?;
        for (number, transfer) in sent.enumerate() {
            picture.transfer(out, transfer, number % palette::TRANSFERS.len())?;
        }
        picture.nodes(out)?;
        writeln!(out, "</g></g>")?;
    }
    sheet.close(out, &picture, true)
}

/// Steps, from the first, that stay below the largest number of curves; at least one.
fn as_many_as_fit(schedule: &Verified) -> usize {
    let idle = schedule.problem().network().channel_count();
    let mut curves = 0;
    let fits = |at: &usize| {
        curves += idle + schedule.schedule().step(*at).map(|t| t.path.len()).sum::<usize>();
        *at == 0 || curves <= MOST_CURVES
    };
    (0..schedule.steps()).take_while(fits).count()
}

/// Transfers of a step, and a bar that says how much of the capacity they use.
fn caption(out: &mut dyn Write, transfers: usize, share: Option<f64>) -> io::Result<()> {
    writeln!(out, "<text x=\"66\" y=\"14\" font-size=\"11\" fill=\"{}\">{transfers} transfers</text>", palette::FAINT)?;
    let Some(share) = share else { return Ok(()) };
    let bar = "<path stroke-width=\"4\" fill=\"none\" d=\"M16 22H";
    write!(out, "{bar}{:.1}\" stroke=\"{}\"/>", 16.0 + 100.0, palette::SWITCH)?;
    if share > 0.0 {
        write!(out, "{bar}{:.1}\" stroke=\"{}\"/>", 16.0 + 100.0 * share.min(1.0), palette::FAINT)?;
    }
    let text = format!("{:.0} % busy", 100.0 * share);
    writeln!(out, "<text x=\"122\" y=\"25\" font-size=\"9\" fill=\"{}\">{text}</text>", palette::FAINT)
}

/// The element around a picture: title above, legend below, both larger where the picture is, so that they can be read
/// when all of it is on one page.
struct Sheet {
    width: f64,
    top: f64,
    bottom: f64,
    scale: f64,
}

impl Sheet {
    /// Writes the element, its markers, ground and title, around a body of that size; a long title widens it.
    fn open(out: &mut dyn Write, title: &str, subtitle: &str, body: (f64, f64)) -> io::Result<Self> {
        let scale = (body.0 / 1400.0).clamp(1.0, 5.0);
        let title_width = 32.0 + 9.2 * title.chars().count() as f64;
        let subtitle_width = 32.0 + 6.2 * subtitle.chars().count() as f64;
        let width = body.0.max(scale * subtitle_width).max(scale * title_width.min(900.0)).max(420.0);
        let (top, bottom) = (scale * TITLE, scale * TITLE + body.1);
        let height = bottom + scale * LEGEND;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"{}\">",
            palette::INK
        )?;
        writeln!(out, "<title>{}</title>\n<desc>{}</desc>\n<defs>", escape(title), escape(subtitle))?;
        let colours = palette::TRANSFERS.iter().enumerate().map(|(at, c)| (at.to_string(), *c));
        for (name, colour) in colours.chain([("g".into(), palette::IDLE)]) {
            writeln!(
                out,
                "<marker id=\"a{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
                 markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>"
            )?;
        }
        writeln!(out, "</defs>\n<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>")?;
        writeln!(out, "<g transform=\"scale({scale:.3})\">")?;
        writeln!(out, "<text x=\"16\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{}</text>", escape(title))?;
        let faint = palette::FAINT;
        writeln!(out, "<text x=\"16\" y=\"36\" font-size=\"11\" fill=\"{faint}\">{}</text></g>", escape(subtitle))?;
        Ok(Sheet { width, top, bottom, scale })
    }

    /// Writes the legend and ends the element.
    fn close(&self, out: &mut dyn Write, picture: &Picture<'_>, transfers: bool) -> io::Result<()> {
        writeln!(out, "<g transform=\"translate(0 {:.1}) scale({:.3})\">", self.bottom, self.scale)?;
        picture.legend(out, transfers)?;
        writeln!(out, "</g>\n</svg>")
    }
}
