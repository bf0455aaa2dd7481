//! **What:** the legend of a picture: what its signs mean, in as many lines as it takes in the width that there is.

use super::picture::{Picture, crossed_out, terminal};
use crate::letters::width;
use crate::palette::Theme;
use crate::roles::Role;
use crate::senders::Senders;
use kernel::Node;
use std::io::{self, Write};

/// Where a line begins, and how high it is.
const LEFT: f64 = 22.0;
const LINE: f64 = 15.0;

/// What is written of a legend.
struct Legend<'a> {
    out: &'a mut dyn Write,
    right: f64,
    x: f64,
    y: f64,
    widest: f64,
}

impl Legend<'_> {
    /// Begins an entry, in a new line where this one has no room for its sign, so wide, and its words; where it stands.
    fn begin(&mut self, sign: f64, words: &str) -> (f64, f64) {
        if self.x > LEFT && self.x + sign + 11.0 + 10.0 * width(words) > self.right {
            (self.x, self.y) = (LEFT, self.y + LINE);
        }
        (self.x, self.y)
    }

    /// The words of an entry behind its sign.
    fn words(&mut self, sign: f64, words: &str) -> io::Result<()> {
        write!(self.out, "<text x=\"{:.1}\" y=\"{:.1}\">{words}</text>", self.x + sign + 11.0, self.y + 3.5)?;
        let end = self.x + sign + 11.0 + 10.0 * width(words);
        (self.x, self.widest) = (end + 21.0, self.widest.max(end + 12.0));
        Ok(())
    }
}

impl Picture<'_> {
    /// Width of the legend in lines that end at `right` where they can, and what it has below its first line.
    pub(super) fn size_of_legend(&self, right: f64, transfers: bool) -> io::Result<(f64, f64)> {
        self.legend(&mut io::sink(), right, transfers)
    }

    /// What the signs mean, up to `right`; where it ends, and what is below its first line.
    pub(super) fn legend(&self, out: &mut dyn Write, right: f64, transfers: bool) -> io::Result<(f64, f64)> {
        let Theme { ground, ink, faint, switch, transfers: paints, .. } = self.theme;
        writeln!(out, "<g font-size=\"10\" fill=\"{faint}\">")?;
        let mut legend = Legend { out, right, x: LEFT, y: 14.0, widest: 0.0 };
        let node = |(x, y): (f64, f64)| format!("M{:.1} {y:.1}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", x - 5.0);
        let line = format!("fill=\"{ground}\" stroke=\"{ink}\"");
        let at = legend.begin(0.0, "terminal");
        write!(legend.out, "<path d=\"{}\" {line}/>", node(at))?;
        legend.words(0.0, "terminal")?;
        let is_there = |role: &&(Role, &str)| self.network.members().iter().any(|v| self.role(*v) == role.0);
        let parts = [(Role::Sender, "sends only"), (Role::Receiver, "receives only"), (Role::Neither, "takes no part")];
        for (role, words) in parts.iter().filter(is_there) {
            let at = legend.begin(0.0, words);
            write!(legend.out, "<g {line}>")?;
            terminal(legend.out, at, 5.0, *role)?;
            write!(legend.out, "</g>")?;
            legend.words(0.0, words)?;
        }
        let (failed, others): (Vec<Node>, Vec<Node>) =
            self.network.nodes().filter(|v| !self.network.is_member(*v)).partition(|v| self.is_out(*v));
        if !failed.is_empty() {
            let at = legend.begin(0.0, "out of use");
            crossed_out(legend.out, at, 5.0, self.theme.idle)?;
            legend.words(0.0, "out of use")?;
        }
        if !others.is_empty() {
            let (x, y) = legend.begin(0.0, "switch");
            let (left, top) = (x - 4.5, y - 4.5);
            write!(legend.out, "<path d=\"M{left:.1} {top:.1}h9v9h-9z\" fill=\"{switch}\" stroke=\"{ink}\"/>")?;
            legend.words(0.0, "switch")?;
        }
        if !self.layout.again.is_empty() {
            let at = legend.begin(0.0, "terminal, drawn again");
            write!(legend.out, "<path d=\"{}\" {line} stroke-dasharray=\"2 2\"/>", node(at))?;
            legend.words(0.0, "terminal, drawn again")?;
        }
        if !self.layout.failed.is_empty() {
            let (x, y) = legend.begin(18.0, "failed link");
            let idle = self.theme.idle;
            write!(legend.out, "<path d=\"M{x:.1} {y:.1}h22\" stroke=\"{idle}\" stroke-dasharray=\"4 3\"/>")?;
            legend.words(18.0, "failed link")?;
        }
        for named in &self.widths.named {
            let (idle, wide) = (self.theme.idle, 1.3 * named.width);
            let (x, y) = legend.begin(18.0, &named.text);
            write!(legend.out, "<path d=\"M{x:.1} {y:.1}h22\" stroke=\"{idle}\" stroke-width=\"{wide:.2}\"/>")?;
            legend.words(18.0, &named.text)?;
        }
        if transfers {
            let paint = paints[0];
            let words = "transfer, in the colour of its sender";
            let (x, y) = legend.begin(22.0, words);
            write!(
                legend.out,
                "<path d=\"M{x:.1} {y:.1}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0\" fill=\"{paint}\"/><path d=\"M{x:.1} {y:.1}h26\" \
                 stroke=\"{paint}\" stroke-width=\"2.2\" marker-end=\"url(#a0)\"/>"
            )?;
            legend.words(22.0, words)?;
            let senders = self.senders.as_ref().map_or(0, Senders::count);
            if senders > paints.len() {
                let words = format!("({senders} senders share {} colours)", paints.len());
                legend.begin(-11.0, &words);
                legend.words(-11.0, &words)?;
            }
        }
        let size = (legend.widest, legend.y - 14.0);
        writeln!(out, "</g>")?;
        Ok(size)
    }
}
