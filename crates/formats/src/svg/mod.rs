//! Pictures in SVG: a network, or the steps of a schedule side by side.
//!
//! **Facts:** circles are terminals, squares switches; a grey line is a link, with an arrow head where it is a channel of
//! one direction. In a step each transfer has a colour (of the seven that Okabe and Ito chose for readers of any sight),
//! a dot where it begins and an arrow head where it ends; the two channels of a link are drawn side by side.

mod layout;

use crate::{WriteError, file};
use kernel::{Channel, Network, Node, Switching, Transfer, Verified};
use layout::{Layout, Point};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

const COLOURS: [&str; 7] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#6A51A3"];
const GREY: &str = "#b8bec6";
const INK: &str = "#22303c";
/// Height of the line above the picture, and of that above each step.
const TITLE: f64 = 44.0;
const CAPTION: f64 = 24.0;

/// Draws a network.
///
/// # Errors
/// Those of `out`.
pub fn network(network: &Network, out: &mut dyn Write) -> io::Result<()> {
    let layout = Layout::new(network);
    let picture = Picture::new(network, &layout);
    let (width, height) = layout.size;
    let subtitle = format!("{} nodes, {} channels", network.node_count(), network.channel_count());
    picture.open(out, network.name(), &subtitle, (width, height + TITLE))?;
    write!(out, "<g transform=\"translate(0 {TITLE})\">")?;
    picture.links(out)?;
    picture.nodes(out)?;
    writeln!(out, "</g>\n</svg>")
}

/// Draws the steps of a schedule side by side, or one step of it alone; steps count from 0, as in files and violations.
///
/// # Errors
/// Those of `out`; a step that the schedule does not have.
pub fn schedule(schedule: &Verified, step: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let steps: Vec<usize> = match step {
        None => (0..schedule.steps()).collect(),
        Some(step) if step < schedule.steps() => vec![step],
        Some(step) => {
            let why = format!("step {step} of a schedule of {} steps", schedule.steps());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
    };
    let problem = schedule.problem();
    let layout = Layout::new(problem.network());
    let picture = Picture::new(problem.network(), &layout);
    let (width, height) = (layout.size.0, layout.size.1 + CAPTION);
    // About 8 wide to 5 high.
    let columns = ((steps.len() as f64 * 1.6 * height / width).sqrt().ceil() as usize).clamp(1, steps.len().max(1));
    let lines = steps.len().div_ceil(columns);
    let title = format!("{} on {}", problem.collective().name(), problem.network().name());
    let slots = matches!(problem.model().switching, Switching::Tdm { .. });
    let word = if slots { "slot" } else { "step" };
    let subtitle = format!(
        "{} {word}{}, {} transfers; a colour a transfer, from its dot to its arrow head",
        schedule.steps(),
        if schedule.steps() == 1 { "" } else { "s" },
        schedule.schedule().transfer_count()
    );
    picture.open(out, &title, &subtitle, (columns as f64 * width, lines as f64 * height + TITLE))?;
    for (at, &step) in steps.iter().enumerate() {
        let (x, y) = ((at % columns) as f64 * width, (at / columns) as f64 * height + TITLE);
        let transfers = schedule.schedule().step(step);
        writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">")?;
        write!(out, "<text x=\"16\" y=\"16\" font-size=\"13\" font-weight=\"bold\">{word} {step}")?;
        writeln!(
            out,
            "<tspan fill=\"#5b6873\" font-weight=\"normal\" dx=\"8\">{} transfers</tspan></text>",
            transfers.len()
        )?;
        write!(out, "<g transform=\"translate(0 {CAPTION})\">")?;
        picture.links(out)?;
        for (number, transfer) in transfers.enumerate() {
            picture.transfer(out, transfer, number % COLOURS.len())?;
        }
        picture.nodes(out)?;
        writeln!(out, "</g></g>")?;
    }
    writeln!(out, "</svg>")
}

/// Writes [`schedule`] to a file.
///
/// # Errors
/// Where the system refuses, or there is no such step; nothing of a half-written file stays behind.
pub fn write(verified: &Verified, step: Option<usize>, path: impl AsRef<Path>) -> Result<(), WriteError> {
    file::save(path.as_ref(), |out| schedule(verified, step, out))
}

struct Picture<'a> {
    network: &'a Network,
    layout: &'a Layout,
    /// How many channels of the same ends come before each.
    parallel: Vec<u32>,
    /// Channels between each pair of ends.
    joins: BTreeMap<(Node, Node), u32>,
}

impl<'a> Picture<'a> {
    fn new(network: &'a Network, layout: &'a Layout) -> Self {
        let mut joins: BTreeMap<(Node, Node), u32> = BTreeMap::new();
        let mut count = |c| {
            let before = joins.entry((network.from(c), network.to(c))).or_default();
            *before += 1;
            *before - 1
        };
        let parallel = network.channels().map(&mut count).collect();
        Picture { network, layout, parallel, joins }
    }

    fn open(&self, out: &mut dyn Write, title: &str, subtitle: &str, (width, height): Point) -> io::Result<()> {
        use quick_xml::escape::escape;
        let width = width.max(13.0 + 6.2 * subtitle.len() as f64);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} \
             {height:.0}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"{INK}\">"
        )?;
        writeln!(out, "<title>{}</title>\n<defs>", escape(title))?;
        for (name, colour) in COLOURS.iter().enumerate().map(|(at, c)| (at.to_string(), *c)).chain([("g".into(), GREY)])
        {
            writeln!(
                out,
                "<marker id=\"a{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
                 markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>"
            )?;
        }
        writeln!(out, "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>")?;
        writeln!(out, "<text x=\"16\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{}</text>", escape(title))?;
        writeln!(out, "<text x=\"16\" y=\"36\" font-size=\"11\" fill=\"#5b6873\">{}</text>", escape(subtitle))
    }

    /// Start, control point and end of a curve along `channel`, `aside` pixels to the right of the middle.
    fn curve(&self, channel: Channel, aside: f64) -> (Point, Point, Point) {
        let (from, to) = (self.network.from(channel), self.network.to(channel));
        let (a, b) = (self.layout.points[from.index()], self.layout.points[to.index()]);
        let length = (b.0 - a.0).hypot(b.1 - a.1).max(1.0);
        let right = ((a.1 - b.1) / length, (b.0 - a.0) / length);
        let shift = |p: Point, by: f64| (p.0 + right.0 * by, p.1 + right.1 * by);
        let middle = shift(((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0), aside - 2.0 * self.layout.bent(from, to));
        // Ends lie on the rim of the nodes, on the way to the control point.
        let rim = |p: Point, away: Point| {
            let p = shift(p, aside);
            let far = (away.0 - p.0).hypot(away.1 - p.1).max(1.0);
            let reach = (self.layout.radius + 1.5).min(0.4 * length);
            (p.0 + (away.0 - p.0) / far * reach, p.1 + (away.1 - p.1) / far * reach)
        };
        (rim(a, middle), middle, rim(b, middle))
    }

    fn links(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "<g fill=\"none\" stroke=\"{GREY}\" stroke-width=\"1.3\">")?;
        for channel in self.network.channels() {
            let (from, to) = (self.network.from(channel), self.network.to(channel));
            let rank = self.parallel[channel.index()];
            let answered = self.joins.get(&(to, from)).copied().unwrap_or(0) > rank;
            if answered && from > to {
                continue;
            }
            let (a, m, b) = self.curve(channel, f64::from(rank) * 5.0);
            write!(out, "<path d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\"", a.0, a.1, m.0, m.1, b.0, b.1)?;
            out.write_all(if answered { b"/>" } else { b" marker-end=\"url(#ag)\"/>" })?;
        }
        writeln!(out, "</g>")
    }

    fn transfer(&self, out: &mut dyn Write, transfer: Transfer<'_>, colour: usize) -> io::Result<()> {
        let paint = COLOURS[colour];
        let mut start = None;
        write!(
            out,
            "<path fill=\"none\" stroke=\"{paint}\" stroke-width=\"2.2\" stroke-linejoin=\"round\" marker-end=\"url(#a{colour})\" d=\""
        )?;
        for &channel in transfer.path {
            let aside = (2.6 + 5.0 * f64::from(self.parallel[channel.index()])).min(self.layout.radius - 1.0);
            let (a, m, b) = self.curve(channel, aside);
            // Under a node that is passed through the path goes straight on.
            write!(out, "{}{:.1} {:.1}Q", if start.is_none() { 'M' } else { 'L' }, a.0, a.1)?;
            write!(out, "{:.1} {:.1} {:.1} {:.1}", m.0, m.1, b.0, b.1)?;
            start.get_or_insert(a);
        }
        out.write_all(b"\"/>")?;
        match start {
            Some((x, y)) => writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.8\" fill=\"{paint}\"/>"),
            None => Ok(()),
        }
    }

    fn nodes(&self, out: &mut dyn Write) -> io::Result<()> {
        let r = self.layout.radius;
        write!(out, "<g fill=\"white\" stroke=\"{INK}\" stroke-width=\"1.2\">")?;
        for (node, (x, y)) in self.network.nodes().zip(&self.layout.points) {
            match self.network.is_terminal(node) {
                true => write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"/>")?,
                false => {
                    let (left, top, side) = (x - 0.85 * r, y - 0.85 * r, 1.7 * r);
                    write!(
                        out,
                        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"#e8ecf0\"/>"
                    )?;
                }
            }
        }
        writeln!(out, "</g>")?;
        if r < 8.0 {
            return Ok(());
        }
        write!(out, "<g font-size=\"9\" text-anchor=\"middle\">")?;
        for (node, (x, y)) in self.network.nodes().zip(&self.layout.points) {
            // A long label does not fit into a node: its number does.
            let label =
                Some(self.network.label(node)).filter(|l| l.chars().count() <= 4).unwrap_or_else(|| node.to_string());
            write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y + 3.2, quick_xml::escape::escape(label))?;
        }
        writeln!(out, "</g>")
    }
}
