//! **What:** the tree along which one message spreads, or is merged: a row for every step that carries it, a line for every transfer.
//!
//! **Facts:** of a copied message the root stands above and time runs downwards; of a merged one the root stands below, and time runs
//! downwards too. Every node stands above all that it tells, in columns of their own, so no two lines cross. A dashed circle
//! is a node that already had the message.
//!
//! **Source:** the dissertation, Figure 6.11, and chapter 8, which prints trees as lists of transfers.

use super::Sheet;
use crate::letters::width;
use crate::palette::Theme;
use crate::senders::Senders;
use crate::spread::{NoSpread, Spread, name, route};
use kernel::{Network, Node, Verified};
use quick_xml::escape::escape;
use std::collections::BTreeMap;
use std::io::{self, Write};

const RADIUS: f64 = 12.0;
const ROW: f64 = 66.0;
const LEFT: f64 = 74.0;
/// The size of letters.
const SIZE: f64 = 9.0;
/// Letters of a label, beyond which only its ends are shown.
const MOST_LETTERS: usize = 36;
/// Nodes beyond which the rest is left out.
const MOST_PLACES: usize = 2000;

/// A node in the tree, when it is told.
struct Place {
    node: Node,
    name: String,
    parent: usize,
    /// Row, from the root on.
    row: usize,
    label: String,
    again: bool,
    x: f64,
}

impl Place {
    /// Half of its width: that of a circle, or of a longer sign that holds its name.
    fn half(&self) -> f64 {
        (SIZE * width(&self.name) / 2.0 + 5.0).max(RADIUS)
    }
}

/// The tree of a message.
pub struct Tree<'a> {
    schedule: &'a Verified,
    senders: Senders,
    number: u64,
    merges: bool,
    places: Vec<Place>,
    /// The step of each row but the root's.
    steps: Vec<usize>,
    width: f64,
    left_out: usize,
}

impl<'a> Tree<'a> {
    /// The tree of message `number`.
    ///
    /// # Errors
    /// There is no such message, or it has no tree.
    pub fn of(schedule: &'a Verified, number: u64) -> Result<Self, NoSpread> {
        let network = schedule.problem().network();
        let Spread { root, merges, tellings } = Spread::of(schedule, number)?;
        let left_out = (tellings.len() + 1).saturating_sub(MOST_PLACES);
        let mut places = vec![Place {
            node: root,
            name: name(network, root),
            parent: 0,
            row: 0,
            label: String::new(),
            again: false,
            x: 0.0,
        }];
        let (mut at, mut steps): (BTreeMap<Node, usize>, Vec<usize>) = (BTreeMap::from([(root, 0)]), Vec::new());
        for telling in tellings.iter().take(MOST_PLACES - 1) {
            if steps.last() != Some(&telling.step) {
                steps.push(telling.step);
            }
            let again = at.contains_key(&telling.to);
            at.entry(telling.to).or_insert(places.len());
            let label = shortened(route(network, &telling.path));
            let parent = at[&telling.from];
            places.push(Place {
                node: telling.to,
                name: name(network, telling.to),
                parent,
                row: steps.len(),
                label,
                again,
                x: 0.0,
            });
        }
        let width = arrange(&mut places);
        Ok(Tree { schedule, senders: Senders::of(schedule), number, merges, places, steps, width, left_out })
    }

    /// Draws it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn draw(&self, theme: &'static Theme, out: &mut dyn Write) -> io::Result<()> {
        let network = self.schedule.problem().network();
        let word = if crate::items::slots(self.schedule).is_some() { "slot" } else { "step" };
        let (root, count) = (network.label(self.places[0].node), self.places.len() - 1);
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let mut subtitle =
            format!("{count} transfer{} in {} {word}{}", plural(count), self.steps.len(), plural(self.steps.len()));
        if self.left_out > 0 {
            subtitle += &format!("; left out, as too many for a picture: {} transfers", self.left_out);
        }
        let way = if self.merges { "merged at" } else { "from" };
        let title = format!("{}, message {} {way} {root}", crate::items::title(self.schedule), self.number);
        let height = ROW * (self.steps.len() + 1) as f64;
        let sheet = Sheet::open(out, theme, &title, &subtitle, (LEFT + self.width + 16.0, height))?;
        Sheet::arrows(out, theme)?;
        writeln!(out, "<g transform=\"translate(0 {:.1})\">", sheet.top)?;
        let y = |row: usize| {
            let rows = if self.merges { self.steps.len() - row } else { row };
            ROW * (rows as f64 + 0.5)
        };
        self.rows(theme, word, &y, out)?;
        for place in &self.places[1..] {
            self.line(network, theme, place, &y, out)?;
        }
        write!(out, "<g fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\">", theme.ground, theme.ink)?;
        for (number, place) in self.places.iter().enumerate() {
            let (x, y, half) = (LEFT + place.x, y(place.row), place.half());
            match network.is_terminal(place.node) {
                true if half == RADIUS => write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"")?,
                terminal => {
                    let (tall, round) = if terminal { (RADIUS, RADIUS) } else { (11.0, 0.0) };
                    let (left, top, wide) = (x - half, y - tall, 2.0 * half);
                    write!(
                        out,
                        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\"",
                        2.0 * tall
                    )?;
                    write!(out, " rx=\"{round}\"")?;
                }
            }
            let sign = if place.again { " stroke-dasharray=\"2 2\"" } else { "" };
            let weight = if number == 0 { " stroke-width=\"2.4\"" } else { "" };
            write!(out, "{sign}{weight}/>")?;
        }
        write!(out, "</g>\n<g font-size=\"9\" text-anchor=\"middle\">")?;
        for place in &self.places {
            let (x, y, name) = (LEFT + place.x, y(place.row) + 3.2, escape(&place.name));
            write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{name}</text>")?;
        }
        writeln!(out, "</g></g>\n</svg>")
    }

    /// A line to guide the eye for each row, and its step.
    fn rows(&self, theme: &Theme, word: &str, y: &dyn Fn(usize) -> f64, out: &mut dyn Write) -> io::Result<()> {
        for row in 0..=self.steps.len() {
            let name = match (row, self.merges) {
                (0, true) => "merged".to_owned(),
                (0, false) => "before".to_owned(),
                (row, _) => format!("{word} {}", self.steps[row - 1]),
            };
            let (y, right) = (y(row), LEFT + self.width);
            write!(out, "<path d=\"M{LEFT} {y:.1}H{right:.1}\" stroke=\"{}\" stroke-width=\"1\"/>", theme.switch)?;
            writeln!(
                out,
                "<text x=\"16\" y=\"{:.1}\" font-size=\"11\" fill=\"{}\">{name}</text>",
                y + 4.0,
                theme.faint
            )?;
        }
        Ok(())
    }

    /// The line of a transfer: aside near the node that is nearer to the root, then straight, with its path.
    fn line(
        &self,
        network: &Network,
        theme: &Theme,
        place: &Place,
        y: &dyn Fn(usize) -> f64,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let parent = &self.places[place.parent];
        let (px, cx) = (LEFT + parent.x, LEFT + place.x);
        let down = if self.merges { -1.0 } else { 1.0 };
        let (near, far) = (y(parent.row) + down * RADIUS, y(place.row) - down * RADIUS);
        let (turn, bend) = (y(parent.row) + down * 0.55 * ROW, y(parent.row) + down * 0.4 * ROW);
        let sender = if self.merges { place.node } else { parent.node };
        let colour = self.senders.rank(sender) % theme.transfers.len();
        write!(out, "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"", theme.transfers[colour])?;
        // The head is at the end of the path, wherever the transfer ends.
        let (head, path) = match self.merges {
            true => {
                (colour, format!("M{cx:.1} {far:.1}V{turn:.1}C{cx:.1} {bend:.1} {px:.1} {bend:.1} {px:.1} {near:.1}"))
            }
            false => {
                (colour, format!("M{px:.1} {near:.1}C{px:.1} {bend:.1} {cx:.1} {bend:.1} {cx:.1} {turn:.1}V{far:.1}"))
            }
        };
        writeln!(out, " marker-end=\"url(#a{head})\" d=\"{path}\"/>")?;
        let width = SIZE * width(&place.label) + 4.0;
        let middle = far - down * 13.0;
        let title = format!("{} to {}", network.label(parent.node), network.label(place.node));
        write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"11\" fill=\"{}\"><title>{}</title></rect>",
            cx - width / 2.0,
            middle - 5.5,
            theme.ground,
            escape(&title)
        )?;
        writeln!(
            out,
            "<text x=\"{cx:.1}\" y=\"{:.1}\" font-size=\"9\" text-anchor=\"middle\">{}</text>",
            middle + 3.2,
            escape(&place.label)
        )
    }
}

/// A label, or its ends where it is long.
fn shortened(label: String) -> String {
    let letters: Vec<char> = label.chars().collect();
    match letters.len() > MOST_LETTERS {
        true => {
            let half = MOST_LETTERS / 2 - 1;
            let ends = [&letters[..half], &['…'], &letters[letters.len() - half..]];
            ends.concat().iter().collect()
        }
        false => label,
    }
}

/// Gives every place the middle of the columns of all that stand below it; the width of all.
fn arrange(places: &mut [Place]) -> f64 {
    let own = |place: &Place| (SIZE * width(&place.label) + 12.0).max(2.0 * place.half() + 10.0);
    let (mut below, mut children) = (vec![0.0; places.len()], vec![0.0; places.len()]);
    // Whoever is told comes after who tells.
    for at in (1..places.len()).rev() {
        below[at] = own(&places[at]).max(children[at]);
        children[places[at].parent] += below[at];
    }
    below[0] = own(&places[0]).max(children[0]);
    let mut next = vec![0.0; places.len()];
    for at in 0..places.len() {
        let left = if at == 0 { 0.0 } else { next[places[at].parent] };
        next[places[at].parent] = left + below[at];
        next[at] = left + (below[at] - children[at]) / 2.0;
        places[at].x = left + below[at] / 2.0;
    }
    below[0]
}
