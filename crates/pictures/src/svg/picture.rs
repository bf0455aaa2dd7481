//! **What:** the parts of a picture: links, nodes and transfers.

use super::widths::Widths;
use crate::layout::{Layout, Point, Wire};
use crate::palette::Theme;
use crate::roles::Role;
use crate::senders::Senders;
use kernel::{Channel, Network, Node, Rational};
use quick_xml::escape::escape;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// A network with its layout, ready to be drawn once or many times.
pub(super) struct Picture<'a> {
    pub(super) network: &'a Network,
    pub(super) layout: &'a Layout,
    pub theme: &'static Theme,
    links: Vec<Link>,
    /// The part of each node in a collective; none where that is not to be seen.
    roles: Vec<Role>,
    /// Who sends, for the colours of transfers; none in a picture of a network.
    pub(super) senders: Option<Senders>,
    /// Links by what they carry.
    pub(super) widths: Widths,
    /// Widths of lines are multiplied by this.
    weight: f64,
    /// And those of transfers by this.
    bold: f64,
}

/// One line: along a channel, or between that and the one that answers it.
struct Link {
    along: usize,
    beside: Option<usize>,
    arrow: bool,
}

/// Channels of one transfer that follow each other and are busy at once.
#[derive(Clone)]
pub(super) struct Piece {
    pub sender: Node,
    pub path: Vec<Channel>,
    /// Whether the transfer begins here, and whether it ends here.
    pub begins: bool,
    pub ends: bool,
}

impl<'a> Picture<'a> {
    pub(super) fn new(network: &'a Network, layout: &'a Layout, theme: &'static Theme) -> Self {
        // The k-th channel from a to b and the k-th back are one link.
        let mut ranks: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        let mut ranked = Vec::with_capacity(network.channel_count());
        for channel in network.channels() {
            let list = ranks.entry((network.from(channel).0, network.to(channel).0)).or_default();
            ranked.push(list.len());
            list.push(channel.index());
        }
        let twice: BTreeSet<u32> = layout.again.iter().map(|(v, _)| *v).collect();
        let links = network.channels().filter_map(|channel| {
            let (from, to) = (network.from(channel).0, network.to(channel).0);
            let rank = ranked[channel.index()];
            let back = ranks.get(&(to, from)).filter(|_| !twice.contains(&from) && !twice.contains(&to));
            let Some(&answer) = back.and_then(|list| list.get(rank)) else {
                return Some(Link { along: channel.index(), beside: None, arrow: true });
            };
            // Parallel links keep apart: the first runs as the first channel there, the second as the first one back.
            let of = |ends| ranks.get(&ends).filter(|list| list.len() > 1).and_then(|list| list.get(rank / 2).copied());
            let apart = if rank % 2 == 0 { of((from, to)) } else { of((to, from)) };
            let link = match apart {
                Some(along) => Link { along, beside: None, arrow: false },
                None => Link { along: channel.index(), beside: Some(answer), arrow: false },
            };
            (from < to).then_some(link)
        });
        let links = links.collect();
        let widths = Widths::of(network, None);
        Picture { network, layout, theme, links, roles: Vec::new(), senders: None, widths, weight: 1.0, bold: 1.0 }
    }

    /// Links by their bandwidths in GB/s, one a channel.
    pub(super) fn with_bandwidths(self, bandwidths: Option<&[Rational]>) -> Self {
        Picture { widths: Widths::of(self.network, bandwidths), ..self }
    }

    /// Whether a node is out of use: it takes part in nothing and has no channels, as nodes that have failed.
    pub(super) fn is_out(&self, node: Node) -> bool {
        let network = self.network;
        !network.is_member(node) && network.outgoing(node).is_empty() && network.incoming(node).is_empty()
    }

    /// Number of lines that [`Picture::links`] draws.
    pub(super) fn link_count(&self) -> usize {
        self.links.len()
    }

    /// Lines that stay visible when the picture is drawn at a scale below 1.
    pub(super) fn at_scale(self, scale: f64) -> Self {
        Picture { weight: (1.0 / scale).clamp(1.0, 1.8), ..self }
    }

    /// Nodes by their parts in a collective.
    pub(super) fn with_roles(self, roles: Vec<Role>) -> Self {
        Picture { roles, ..self }
    }

    /// Transfers in the colours of these senders.
    pub(super) fn with_senders(self, senders: Senders) -> Self {
        Picture { senders: Some(senders), ..self }
    }

    pub(super) fn role(&self, node: Node) -> Role {
        self.roles.get(node.index()).copied().unwrap_or(Role::Both)
    }

    /// Transfers in lines so many times as wide.
    pub(super) fn bold(self, times: f64) -> Self {
        Picture { bold: times.max(1.0), ..self }
    }

    /// Whether nodes are large enough for labels.
    pub(super) fn has_labels(&self) -> bool {
        self.layout.radius >= 8.0
    }

    pub(super) fn links(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "<g fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2}\">", self.theme.idle, 1.3 * self.weight)?;
        for link in &self.links {
            let there = &self.layout.wires[link.along];
            let width = link.beside.map_or(0.0, |back| self.widths.at(back)).max(self.widths.at(link.along));
            if width > 1.0 {
                write!(out, "<path stroke-width=\"{:.2}\" d=\"", 1.3 * self.weight * width)?;
            } else {
                write!(out, "<path d=\"")?;
            }
            match link.beside {
                Some(back) => self.middle(out, there, &self.layout.wires[back])?,
                None => there.iter().try_for_each(|[a, m, b]| curve(out, *a, *m, *b))?,
            }
            out.write_all(if link.arrow { b"\" marker-end=\"url(#ag)\"/>" } else { b"\"/>" })?;
        }
        for lost in &self.layout.failed {
            let [a, m, b] = lost.curve;
            write!(out, "<path class=\"failed\" stroke-dasharray=\"4 3\" d=\"")?;
            curve(out, a, m, b)?;
            out.write_all(if lost.directed { b"\" marker-end=\"url(#ag)\"/>" } else { b"\"/>" })?;
        }
        writeln!(out, "</g>")
    }

    /// The line between two channels that answer each other, each of which keeps to its right.
    fn middle(&self, out: &mut dyn Write, there: &Wire, back: &Wire) -> io::Result<()> {
        let between = |p: Point, q: Point| ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0);
        there
            .iter()
            .zip(back.iter().rev())
            .try_for_each(|(a, b)| curve(out, between(a[0], b[2]), between(a[1], b[1]), between(a[2], b[0])))
    }

    /// The way of each channel, without a colour.
    pub(super) fn ways(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "<g class=\"ways\" fill=\"none\">")?;
        for (channel, way) in self.layout.wires.iter().enumerate() {
            write!(out, "<path data-c=\"{channel}\" d=\"")?;
            way.iter().try_for_each(|[a, m, b]| curve(out, *a, *m, *b))?;
            write!(out, "\"/>")?;
        }
        writeln!(out, "</g>")
    }

    pub(super) fn transfer(&self, out: &mut dyn Write, piece: &Piece) -> io::Result<()> {
        // As on the page: the colour is that of the sender, and colours repeat.
        let rank = self.senders.as_ref().map_or(piece.sender.index(), |senders| senders.rank(piece.sender));
        let colour = rank % self.theme.transfers.len();
        let paint = self.theme.transfers[colour];
        let width = self.bold * if self.has_labels() { 2.2 } else { 1.6 };
        write!(out, "<path fill=\"none\" stroke=\"{paint}\" stroke-width=\"{width:.1}\" stroke-linejoin=\"round\"")?;
        if piece.ends {
            write!(out, " marker-end=\"url(#a{colour})\"")?;
        }
        write!(out, " d=\"")?;
        let mut before: Option<Point> = None;
        let mut start = None;
        for channel in &piece.path {
            for [a, m, b] in &self.layout.wires[channel.index()] {
                // Under a node that is passed through the path goes straight on; around a torus it begins anew.
                match before {
                    Some(p) if (p.0 - a.0).hypot(p.1 - a.1) < 3.0 * self.layout.radius => {
                        write!(out, "L{:.1} {:.1}", a.0, a.1)?
                    }
                    _ => write!(out, "M{:.1} {:.1}", a.0, a.1)?,
                }
                write!(out, "Q{:.1} {:.1} {:.1} {:.1}", m.0, m.1, b.0, b.1)?;
                start.get_or_insert(*a);
                before = Some(*b);
            }
        }
        out.write_all(b"\"/>")?;
        match start.filter(|_| piece.begins) {
            Some((x, y)) => {
                let r = if self.has_labels() { 2.8 } else { 2.0 };
                writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"{paint}\"/>")
            }
            None => writeln!(out),
        }
    }

    pub(super) fn nodes(&self, out: &mut dyn Write) -> io::Result<()> {
        let radius = self.layout.radius;
        let Theme { ground, ink, switch, .. } = self.theme;
        write!(out, "<g fill=\"{ground}\" stroke=\"{ink}\" stroke-width=\"{:.2}\">", 1.2 * self.weight)?;
        for (node, p) in self.network.nodes().zip(&self.layout.points) {
            match self.network.is_member(node) {
                true => terminal(out, *p, radius, self.role(node))?,
                false if self.is_out(node) => crossed_out(out, *p, radius, self.theme.idle)?,
                false => square(out, *p, radius, switch)?,
            }
        }
        for (_, p) in &self.layout.again {
            circle(out, *p, radius, " stroke-dasharray=\"2 2\"")?;
        }
        writeln!(out, "</g>")?;
        if self.layout.names.is_empty() {
            return Ok(());
        }
        write!(out, "<g font-size=\"9\" text-anchor=\"middle\">")?;
        for name in &self.layout.names {
            let ((x, y), text) = (name.at, escape(&name.text));
            let size = if name.size == 9.0 { String::new() } else { format!(" font-size=\"{}\"", name.size) };
            // Links must not hide a name beside a node, nor its cross that of a node out of use.
            let halo = match !name.inside || self.is_out(Node(name.node)) {
                true => format!(" stroke=\"{ground}\" stroke-width=\"2.5\" paint-order=\"stroke\""),
                false => String::new(),
            };
            write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\"{size}{halo}>{text}</text>", y + 0.36 * name.size)?;
        }
        writeln!(out, "</g>")
    }
}

fn curve(out: &mut dyn Write, a: Point, m: Point, b: Point) -> io::Result<()> {
    // A straight line needs no control point.
    let bent = ((b.0 - a.0) * (m.1 - a.1) - (b.1 - a.1) * (m.0 - a.0)).abs() > 0.5 * (b.0 - a.0).hypot(b.1 - a.1);
    match bent {
        true => write!(out, "M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", a.0, a.1, m.0, m.1, b.0, b.1),
        false => write!(out, "M{:.1} {:.1}L{:.1} {:.1}", a.0, a.1, b.0, b.1),
    }
}

/// A terminal by its part in a collective.
pub(super) fn terminal(out: &mut dyn Write, (x, y): Point, r: f64, role: Role) -> io::Result<()> {
    match role {
        Role::Both => circle(out, (x, y), r, ""),
        Role::Sender => {
            // As wide as high, and a little larger, so that a label has room.
            let reach = 1.35 * r;
            write!(
                out,
                "<path d=\"M{:.1} {y:.1}L{x:.1} {:.1}L{:.1} {y:.1}L{x:.1} {:.1}z\"/>",
                x - reach,
                y - reach,
                x + reach,
                y + reach
            )
        }
        Role::Receiver => {
            circle(out, (x, y), r, "")?;
            circle(out, (x, y), 0.75 * r, "")
        }
        Role::Neither => circle(out, (x, y), r, " stroke-dasharray=\"1 2\""),
    }
}

fn circle(out: &mut dyn Write, (x, y): Point, r: f64, more: &str) -> io::Result<()> {
    write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"{more}/>")
}

/// A node that is not there any more: a cross in a circle, both pale.
pub(super) fn crossed_out(out: &mut dyn Write, (x, y): Point, r: f64, colour: &str) -> io::Result<()> {
    let (left, arm) = (x - r, 0.7 * r);
    write!(
        out,
        "<path fill=\"none\" stroke=\"{colour}\" stroke-dasharray=\"3 2\" d=\"M{left:.1} {y:.1}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z\"/>\
         <path fill=\"none\" stroke=\"{colour}\" d=\"M{:.1} {:.1}l{a:.1} {a:.1}m0 -{a:.1}l-{a:.1} {a:.1}\"/>",
        x - arm,
        y - arm,
        d = 2.0 * r,
        a = 2.0 * arm
    )
}

fn square(out: &mut dyn Write, (x, y): Point, r: f64, fill: &str) -> io::Result<()> {
    let (left, top, side) = (x - 0.85 * r, y - 0.85 * r, 1.7 * r);
    write!(out, "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{fill}\"/>")
}
