//! **What:** the steps of a schedule side by side, all or some of them.
//!
//! **Facts:** as many steps are drawn, from the first, as a viewer of SVG takes in reasonable time. Where not even one step
//! is that small, a step shows the transfers of one sender: of a schedule stored as orbits those of all others are its
//! images. Where links alone are too many, they are left out, too. The line under the title says what is missing.
//! Steps with labels have no more columns than are read on a slide.

use super::Sheet;
use super::picture::{Picture, Piece};
use crate::Layout;
use crate::items::{slots, title};
use crate::palette::Theme;
use crate::roles::roles;
use crate::senders::Senders;
use kernel::{Node, Sent, Verified};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;

/// Height of the line above each step.
const CAPTION: f64 = 30.0;
/// Width of a sheet whose labels can still be read: that of a slide, on which they have their own size.
const WIDEST: f64 = 1920.0;
/// Curves and nodes beyond which something is left out.
const MOST_DRAWN: usize = 120_000;
/// Links beyond which none is drawn.
const MOST_LINKS: usize = 60_000;

/// Widths of print in points: a column of a paper, and a page.
const PRINT: [f64; 2] = [252.0, 504.0];
/// The height of a page, and the least size of letters in print.
const PAGE: f64 = 650.0;
const LEAST: f64 = 6.0;

/// How many steps are beside each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// As many as can be read on a slide.
    #[default]
    Slide,
    /// As few as can be read in a column of a paper, or else across its page.
    Print,
    /// So many.
    Of(u32),
}

impl Columns {
    /// Columns for so many steps of a size, in a layout.
    fn count(self, steps: usize, (width, height): (f64, f64), layout: &Layout) -> usize {
        // About 8 wide to 5 high, but no wider than labels can be read.
        let even =
            |readable: usize| ((steps as f64 * 1.6 * height / width).sqrt().ceil() as usize).min(readable).max(1);
        match self {
            Columns::Of(count) => (count as usize).clamp(1, steps.max(1)),
            Columns::Slide if layout.names.is_empty() => even(usize::MAX),
            Columns::Slide => even((WIDEST / width) as usize),
            Columns::Print => {
                let scale = LEAST / layout.names.iter().map(|name| name.size).fold(9.0, f64::min);
                let columns = PRINT.map(|print| (print / scale / width) as usize);
                let fits =
                    |columns: &usize| *columns > 0 && steps.div_ceil(*columns) as f64 * height * scale + 60.0 <= PAGE;
                columns.into_iter().find(fits).unwrap_or(columns[1]).max(1).min(steps.max(1))
            }
        }
    }
}

/// A step, as much of it as is drawn.
#[derive(Clone, Default)]
struct Step {
    number: usize,
    /// Transfers that begin in it.
    transfers: usize,
    /// Channels that are busy in all of it.
    busy: usize,
    pieces: Vec<Piece>,
    /// The sender whose transfers alone are drawn.
    only: Option<Node>,
}

/// Draws the steps of a schedule side by side, or those of a range; steps count from 0, as in files and violations.
///
/// # Errors
/// Those of `out`; a range that is empty or has a step that the schedule does not have.
pub fn schedule(
    schedule: &Verified,
    steps: Option<Range<usize>>,
    columns: Columns,
    theme: &'static Theme,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(range) = steps.as_ref().filter(|s| s.is_empty() || s.end > schedule.steps()) {
        let why = format!("steps {} to {} of a schedule of {} steps", range.start, range.end, schedule.steps());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let network = schedule.problem().network();
    let layout = Layout::new(network);
    let mut picture = Picture::new(network, &layout, theme).with_roles(roles(schedule.problem()));
    picture = picture.with_senders(Senders::of(schedule));
    let links = picture.link_count() <= MOST_LINKS;
    let fixed = network.node_count() + if links { picture.link_count() } else { 0 };
    let range = steps.clone().unwrap_or(0..schedule.steps());
    let shown = chosen(schedule, range.clone(), fixed);
    let (width, height) = (layout.size.0.max(190.0), layout.size.1 + CAPTION);
    let columns = columns.count(shown.len(), (width, height), &layout);
    let lines = shown.len().div_ceil(columns).max(1);
    // No column stays empty, and the lines are as even as they can be.
    let columns = shown.len().div_ceil(lines).max(1);
    let word = if slots(schedule).is_some() { "slot" } else { "step" };
    let mut subtitle = format!(
        "{} {word}{}, {} transfer{} over {} channel uses",
        schedule.steps(),
        plural(schedule.steps() as u64),
        schedule.transfer_count(),
        plural(schedule.transfer_count()),
        schedule.channel_uses()
    );
    subtitle += &left_out(schedule, &range, &shown, (!links).then_some(picture.link_count()), word);
    let body = (columns as f64 * width, lines as f64 * height);
    let right = body.0.max(super::NARROW);
    let (legend, below) = picture.size_of_legend(right, true)?;
    let title = match steps {
        None => title(schedule),
        Some(range) if range.len() == 1 => format!("{}, {word} {}", title(schedule), range.start),
        Some(range) => format!("{}, {word}s {} to {}", title(schedule), range.start, range.end - 1),
    };
    let sheet = Sheet::open(out, theme, &title, &subtitle, (body.0.max(legend), body.1 + below))?;
    if shown.iter().any(|s| s.only.is_some()) {
        // Few lines in a large picture are seen from afar.
        picture = picture.bold(0.7 * sheet.scale);
    }
    Sheet::arrows(out, theme)?;
    // A title wider than the steps leaves as much room on either side of them.
    let left = (sheet.width - body.0) / 2.0;
    let shared = network.channels().any(|c| network.capacity(c) > 1);
    let capacity: f64 = network.channels().map(|c| f64::from(network.capacity(c))).sum();
    for (at, step) in shown.iter().enumerate() {
        let (x, y) = ((at % columns) as f64 * width + left, (at / columns) as f64 * height + sheet.top);
        writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">")?;
        let name = format!("{word} {}", step.number);
        let share = step.busy as f64 / capacity.max(1.0);
        caption(out, theme, &name, step.transfers, (share, if shared { "of the capacity" } else { "busy" }))?;
        write!(out, "<g transform=\"translate({:.1} {CAPTION})\">", (width - layout.size.0) / 2.0)?;
        if links {
            picture.links(out)?;
        }
        for piece in &step.pieces {
            picture.transfer(out, piece)?;
        }
        picture.nodes(out)?;
        writeln!(out, "</g></g>")?;
    }
    sheet.close(out, &picture, (right, below), true)
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Steps of the range from its first as long as they are few enough to draw, at least one.
fn chosen(schedule: &Verified, range: Range<usize>, fixed: usize) -> Vec<Step> {
    let slots = slots(schedule).map(|slots| in_slots(schedule, slots.hop as usize, slots.cyclic));
    let (mut shown, mut drawn) = (Vec::new(), 0);
    for number in range {
        let mut step = match &slots {
            Some(slots) => slots[number].clone(),
            None => whole(schedule, number),
        };
        if fixed + step.busy > MOST_DRAWN {
            step.only = step.pieces.first().map(|p| p.sender);
            step.pieces.retain(|p| Some(p.sender) == step.only);
        }
        drawn += fixed + step.pieces.iter().map(|p| p.path.len()).sum::<usize>();
        if drawn > MOST_DRAWN && !shown.is_empty() {
            break;
        }
        shown.push(step);
    }
    shown
}

/// A step in which every transfer takes all of its path.
fn whole(schedule: &Verified, number: usize) -> Step {
    let network = schedule.problem().network();
    let piece = |sent: Sent<'_>| Piece {
        sender: network.from(sent.path[0]),
        path: sent.path.into_owned(),
        begins: true,
        ends: true,
    };
    let pieces: Vec<Piece> = schedule.step(number).map(piece).collect();
    Step { number, transfers: pieces.len(), busy: pieces.iter().map(|p| p.path.len()).sum(), pieces, only: None }
}

/// All slots of a period: the i-th channel of a path is busy so many slots after the first.
fn in_slots(schedule: &Verified, hop: usize, cyclic: bool) -> Vec<Step> {
    let network = schedule.problem().network();
    let steps = schedule.steps();
    let mut slots: Vec<Step> = (0..steps).map(|number| Step { number, ..Step::default() }).collect();
    for number in 0..steps {
        for sent in schedule.step(number) {
            slots[number].transfers += 1;
            let last = sent.path.len() - 1;
            for (at, &channel) in sent.path.iter().enumerate() {
                let slot = number + at * hop;
                let slot = if cyclic { slot % steps } else { slot };
                let (begins, ends, sender) = (at == 0, at == last, network.from(sent.path[0]));
                if let Some(slot) = slots.get_mut(slot) {
                    slot.busy += 1;
                    slot.pieces.push(Piece { sender, path: vec![channel], begins, ends });
                }
            }
        }
    }
    slots
}

/// What the picture does not show, in words that go on after those of the schedule.
fn left_out(schedule: &Verified, range: &Range<usize>, shown: &[Step], links: Option<usize>, word: &str) -> String {
    let mut missing = Vec::new();
    if shown.len() < range.len() {
        missing.push(format!("{word}s {} to {}", range.start + shown.len(), range.end - 1));
    }
    let senders: BTreeSet<u32> = shown.iter().filter_map(|s| s.only).map(|v| v.0).collect();
    match senders.iter().next() {
        Some(one) if senders.len() == 1 => {
            let label = schedule.problem().network().label(Node(*one));
            let why = if schedule.orbits().is_some() { ", of whose transfers they are images" } else { "" };
            missing.push(format!("the transfers of all senders but {label}{why}"));
        }
        Some(_) => missing.push(format!("the transfers of all senders but one in each {word}")),
        None => {}
    }
    if let Some(links) = links {
        missing.push(format!("{links} idle links"));
    }
    if missing.is_empty() {
        String::new()
    } else {
        format!("; left out, as too many for a picture: {}", missing.join(", "))
    }
}

/// Transfers of a step, and a bar that says how much of the capacity they use.
fn caption(
    out: &mut dyn Write,
    theme: &Theme,
    name: &str,
    transfers: usize,
    (share, of): (f64, &str),
) -> io::Result<()> {
    let Theme { faint, switch, .. } = theme;
    writeln!(out, "<text x=\"16\" y=\"14\" font-size=\"13\" font-weight=\"bold\">{name}</text>")?;
    let (after, many) = (28.0 + 8.4 * name.len() as f64, plural(transfers as u64));
    let begin = match name.starts_with("slot") {
        true if transfers == 1 => " begins",
        true => " begin",
        false => "",
    };
    let words = format!("{transfers} transfer{many}{begin}");
    writeln!(out, "<text x=\"{after:.0}\" y=\"14\" font-size=\"11\" fill=\"{faint}\">{words}</text>")?;
    let bar = "<path stroke-width=\"4\" fill=\"none\" d=\"M16 22H";
    write!(out, "{bar}{:.1}\" stroke=\"{switch}\"/>", 16.0 + 100.0)?;
    if share > 0.0 {
        write!(out, "{bar}{:.1}\" stroke=\"{faint}\"/>", 16.0 + 100.0 * share.min(1.0))?;
    }
    writeln!(out, "<text x=\"122\" y=\"25\" font-size=\"9\" fill=\"{faint}\">{:.0} % {of}</text>", 100.0 * share)
}
