//! **What:** the chromosome of a schedule, as evolution encodes it: a row for every message or sender, a column for every receiver, in each
//! place the gene that tells how the message comes there.
//!
//! **Facts:** where messages have one destination each a gene is a couple (path, step) and a row is a sender; where they have several
//! it is a triple (distributor, path, step) and a row is a message. A reduction has the chromosome of its reversal: a column is a
//! node that hands on, its distributor the node that merges. Receivers that get nothing of a row have a stroke. A schedule may do what no
//! chromosome says: what nodes hand on that are no receivers, and what single messages do on the way; the picture counts that.
//!
//! **Source:** the dissertation, Figures 6.3 to 6.5 (path on yellow, step on blue, distributor on green), sections 6.2 and 6.3.

use super::Sheet;
use crate::palette::Theme;
use crate::spread::{NoSpread, Spread, name, route};
use graph::paths::distances_to;
use kernel::{Channel, Message, Node, Semantics, Verified};
use quick_xml::escape::escape;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Height of a part of a gene.
const PART: f64 = 14.0;
/// Room for the names of rows, where they are short.
const LEFT: f64 = 64.0;
const HEAD: f64 = 20.0;
const LETTER: f64 = 5.3;
/// Genes beyond which the rest is left out.
const MOST_GENES: usize = 4096;
/// Width of a line, where there is one row.
const LINE: f64 = 1200.0;

/// How a message comes to a receiver.
struct Gene {
    distributor: Node,
    path: Vec<Channel>,
    route: String,
    step: usize,
}

/// The genes of a sender, or of a message, by receiver.
struct Row {
    root: Node,
    genes: BTreeMap<Node, Gene>,
}

/// The genes of a schedule.
pub struct Chromosome<'a> {
    schedule: &'a Verified,
    /// Whether genes name distributors.
    triples: bool,
    rows: Vec<Row>,
    columns: Vec<Node>,
    /// Transfers that no gene stands for.
    without: usize,
    left_out: usize,
}

impl<'a> Chromosome<'a> {
    /// The chromosome of a schedule.
    ///
    /// # Errors
    /// Some transfers carry several messages, or there are too many.
    pub fn of(schedule: &'a Verified) -> Result<Self, NoSpread> {
        let (network, collective) = (schedule.problem().network(), schedule.problem().collective());
        let spreads = Spread::of_all(schedule)?;
        let merges = collective.semantics() == Semantics::Reduce;
        let message = |number: u64| Message(u32::try_from(number).expect("written down, so it has a number"));
        let ends = |number: u64| match merges {
            true => collective.contributors(message(number)),
            false => collective.destinations(message(number)),
        };
        let triples =
            spreads.iter().any(|(number, spread)| ends(*number).iter().filter(|v| **v != spread.root).count() > 1);
        let (mut rows, mut without): (Vec<Row>, usize) = (Vec::new(), 0);
        // Of single messages the k-th from a sender to a receiver is in the sender's k-th row.
        let mut row_of: BTreeMap<(Node, u64), usize> = BTreeMap::new();
        let mut met: BTreeMap<(Node, Option<Node>), u64> = BTreeMap::new();
        for (number, spread) in spreads {
            let (root, ends) = (spread.root, ends(number));
            let mut genes = BTreeMap::new();
            for telling in spread.tellings {
                if !ends.contains(&telling.to) || genes.contains_key(&telling.to) {
                    without += 1;
                    continue;
                }
                let route = route(network, &telling.path);
                let gene = Gene { distributor: telling.from, path: telling.path, route, step: telling.step };
                genes.insert(telling.to, gene);
            }
            let receiver = if triples { None } else { genes.keys().next().copied() };
            let turn = met.entry((root, receiver)).or_insert(0);
            let row = *row_of.entry((root, *turn)).or_insert_with(|| {
                rows.push(Row { root, genes: BTreeMap::new() });
                rows.len() - 1
            });
            *turn += 1;
            rows[row].genes.extend(genes);
        }
        let mut columns: Vec<Node> =
            rows.iter().flat_map(|row| row.genes.keys().copied()).collect::<BTreeSet<_>>().into_iter().collect();
        let all: usize = rows.iter().map(|row| row.genes.len()).sum();
        if rows.len().saturating_mul(columns.len()) > MOST_GENES {
            columns.truncate(MOST_GENES);
            rows.truncate((MOST_GENES / columns.len().max(1)).max(1));
        }
        let kept = |row: &Row| row.genes.keys().filter(|v| columns.binary_search(v).is_ok()).count();
        let left_out = all - rows.iter().map(kept).sum::<usize>();
        Ok(Chromosome { schedule, triples, rows, columns, without, left_out })
    }

    /// Draws it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn draw(&self, theme: &'static Theme, out: &mut dyn Write) -> io::Result<()> {
        let network = self.schedule.problem().network();
        let named = |node: Node| name(network, node).chars().count();
        let routes = self.rows.iter().flat_map(|row| row.genes.values()).map(|gene| gene.route.chars().count());
        let heads = self.columns.iter().chain(self.rows.iter().map(|row| &row.root)).map(|node| named(*node));
        let width = (LETTER * routes.chain(heads.clone()).max().unwrap_or(0) as f64 + 8.0).max(34.0);
        let left = LEFT.max(1.2 * LETTER * heads.max().unwrap_or(0) as f64 + 8.0);
        let parts = if self.triples { 3 } else { 2 };
        let height = PART * parts as f64;
        // A single row is broken into lines.
        let fits = if self.rows.len() == 1 { (LINE / width) as usize } else { usize::MAX };
        let beside = self.columns.len().min(fits).max(1);
        let lines: Vec<&[Node]> = self.columns.chunks(beside).collect();
        let line = HEAD + height * self.rows.len() as f64 + 10.0;
        let title = format!("{}, chromosome", crate::items::title(self.schedule));
        let body = (left + width * beside as f64 + 16.0, line * lines.len() as f64 + 24.0);
        let sheet = Sheet::open(out, theme, &title, &self.subtitle(), body)?;
        let row_head =
            if self.schedule.problem().collective().semantics() == Semantics::Reduce { "to" } else { "from" };
        for (number, columns) in lines.iter().enumerate() {
            let top = sheet.top + line * number as f64;
            write!(out, "<g font-size=\"10\" fill=\"{}\" text-anchor=\"middle\">", theme.faint)?;
            write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{row_head}</text>", left / 2.0, top + 13.0)?;
            for (at, column) in columns.iter().enumerate() {
                let x = left + width * (at as f64 + 0.5);
                write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", top + 13.0, escape(name(network, *column)))?;
            }
            writeln!(out, "</g>")?;
            for (at, row) in self.rows.iter().enumerate() {
                let y = top + HEAD + height * at as f64;
                writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" fill=\"{}\" text-anchor=\"middle\">{}</text>",
                    left / 2.0,
                    y + height / 2.0 + 3.5,
                    theme.faint,
                    escape(name(network, row.root))
                )?;
                for (at, column) in columns.iter().enumerate() {
                    let x = left + width * at as f64;
                    self.gene(row.genes.get(column), theme, (x, y, width), out)?;
                }
            }
        }
        self.legend(theme, (left, sheet.top + line * lines.len() as f64), out)?;
        writeln!(out, "</svg>")
    }

    fn gene(
        &self,
        gene: Option<&Gene>,
        theme: &Theme,
        (x, y, width): (f64, f64, f64),
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let parts: Vec<(usize, String)> = match gene {
            Some(gene) => {
                let network = self.schedule.problem().network();
                let all = [name(network, gene.distributor), gene.route.clone(), gene.step.to_string()];
                all.into_iter().enumerate().skip(usize::from(!self.triples)).collect()
            }
            None => vec![],
        };
        let height = PART * if self.triples { 3.0 } else { 2.0 };
        for (at, (kind, text)) in parts.iter().enumerate() {
            let top = y + PART * at as f64;
            let colour = theme.genes[*kind];
            write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{PART}\" fill=\"{colour}\"/>"
            )?;
            write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\" text-anchor=\"middle\">{}</text>",
                x + width / 2.0,
                top + 10.2,
                escape(text)
            )?;
        }
        if parts.is_empty() {
            let (middle, at) = (x + width / 2.0, y + height / 2.0);
            write!(out, "<path d=\"M{:.1} {at:.1}h8\" stroke=\"{}\"/>", middle - 4.0, theme.faint)?;
        }
        writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" stroke=\"{}\" \
             stroke-width=\"0.8\"/>",
            theme.idle
        )
    }

    /// What the colours mean.
    fn legend(&self, theme: &Theme, (mut x, y): (f64, f64), out: &mut dyn Write) -> io::Result<()> {
        let slot = if crate::items::slots(self.schedule).is_some() { "slot" } else { "step" };
        for (kind, words) in ["distributor", "path", slot].iter().enumerate().skip(usize::from(!self.triples)) {
            let colour = theme.genes[kind];
            write!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"22\" height=\"12\" fill=\"{colour}\" stroke=\"{}\"/>",
                theme.idle
            )?;
            writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\">{words}</text>", x + 28.0, y + 9.5)?;
            x += 46.0 + 6.2 * words.len() as f64;
        }
        Ok(())
    }

    fn subtitle(&self) -> String {
        let genes: usize = self.rows.iter().map(|row| row.genes.len()).sum();
        let kind = if self.triples { "(distributor, path, step)" } else { "(path, step)" };
        let mut text = format!("{genes} genes {kind} for {} steps", self.schedule.steps());
        match self.slack() {
            0 => text += ", shortest paths",
            slack => text += &format!(", paths up to {slack} channels longer than the shortest"),
        }
        if self.without > 0 {
            text += &format!("; {} transfers to nodes on the way have no gene", self.without);
        }
        if !self.triples && self.relayed() > 0 {
            text += &format!("; {} messages come from a node on the way, which no couple says", self.relayed());
        }
        if self.left_out > 0 {
            text += &format!("; left out, as too many for a picture: {} genes", self.left_out);
        }
        text
    }

    /// Genes whose path does not begin where the message does.
    fn relayed(&self) -> usize {
        let of = |row: &Row| row.genes.values().filter(|gene| gene.distributor != row.root).count();
        self.rows.iter().map(of).sum()
    }

    /// Channels by which the longest detour is longer than a shortest path.
    fn slack(&self) -> u32 {
        let (problem, network) = (self.schedule.problem(), self.schedule.problem().network());
        let mut to: BTreeMap<Node, Vec<&[Channel]>> = BTreeMap::new();
        for gene in self.rows.iter().flat_map(|row| row.genes.values()) {
            let end = gene.path.last().map(|channel| network.to(*channel));
            end.into_iter().for_each(|end| to.entry(end).or_default().push(&gene.path));
        }
        let longer = |(end, paths): (Node, Vec<&[Channel]>)| {
            let far = distances_to(problem, end);
            let over = |path: &[Channel]| (path.len() as u32).saturating_sub(far[network.from(path[0]).index()]);
            paths.into_iter().map(over).max()
        };
        to.into_iter().filter_map(longer).max().unwrap_or(0)
    }
}
