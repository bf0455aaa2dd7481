//! **What:** the critical path in a chart over time: rims around its bars, and lines from each to the next.

use super::rows::{Bar, Row};
use super::{Gantt, Places};
use crate::palette::Theme;
use kernel::Channel;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

impl Gantt<'_> {
    /// A rim around every bar of the critical path, around those that follow each other in a row together.
    pub(super) fn rims(
        &self,
        rows: &[Row],
        critical: &BTreeSet<usize>,
        places: &Places,
        theme: &Theme,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "<g class=\"critical\" fill=\"none\" stroke=\"{}\" pointer-events=\"none\">", theme.ink)?;
        for (at, row) in rows.iter().enumerate() {
            let bars: Vec<&Bar> = row.bars.iter().filter(|bar| critical.contains(&bar.transfer)).collect();
            let follows = |a: &&Bar, b: &&Bar| a.until == b.from && a.above == b.above && a.height == b.height;
            for run in bars.chunk_by(follows) {
                let (x, y, _, tall) = places.of_bar(run[0], places.foot(at));
                let wide = (places.x(run[run.len() - 1].until) - x).max(0.4);
                let rim = (0.3 * tall).min(1.8);
                writeln!(
                    out,
                    "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{tall:.2}\" stroke-width=\"{rim:.2}\"/>"
                )?;
            }
        }
        writeln!(out, "</g>")
    }

    /// A line from each bar of the critical path to the next, where both have a row.
    pub(super) fn path(&self, rows: &[Row], places: &Places, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let middle = |row: usize, bar: &Bar| places.foot(row) - (places.row - 4.0) * (bar.above + bar.height / 2.0);
        let mut of_use: BTreeMap<usize, (u64, u64, f64)> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            of_use.extend(row.bars.iter().map(|bar| (bar.used, (bar.from, bar.until, middle(at, bar)))));
        }
        for pair in self.critical.windows(2) {
            let (before, after) = self.joint(pair[0], pair[1]);
            let (Some((_, until, y)), Some((from, _, to))) = (of_use.get(&before), of_use.get(&after)) else {
                continue;
            };
            let (left, right) = (places.x(*until), places.x(*from));
            // Where one bar ends as the next begins beside it, their rim says it.
            if (left - right).abs() < 0.1 && (y - to).abs() < 0.1 {
                continue;
            }
            writeln!(
                out,
                "<path d=\"M{:.1} {y:.1}L{:.1} {to:.1}\" stroke=\"{}\" stroke-width=\"1.2\" fill=\"none\"/>",
                left, right, theme.ink
            )?;
        }
        Ok(())
    }

    /// The uses by which one transfer of the path leads to the next: those of a channel that it leaves to it, else its last one and the first.
    fn joint(&self, before: usize, after: usize) -> (usize, usize) {
        let (sent, uses) = (self.timeline.sent(), self.timeline.uses());
        let (before, after) = (&sent[before], &sent[after]);
        let left = |at: usize| (uses[at].channel, uses[at].from + before.lasts);
        let left: BTreeMap<(Channel, u64), usize> = before.uses.clone().map(|at| (left(at), at)).collect();
        let taken = |at: usize| left.get(&(uses[at].channel, uses[at].from)).map(|left| (*left, at));
        let last = before.uses.end - 1;
        after.uses.clone().find_map(taken).unwrap_or((last, after.uses.start))
    }
}
