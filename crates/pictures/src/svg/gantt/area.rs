//! **What:** the picture below the rows of a chart over time: what all channels carry at each time, over all bandwidths.

use super::{Gantt, Places, WIDTH};
use crate::palette::Theme;
use std::io::{self, Write};

/// Height of the picture, and room between it and the rows.
pub(super) const AREA: f64 = 72.0;
pub(super) const GAP: f64 = 34.0;
/// Its columns.
const COLUMNS: usize = 500;

impl Gantt<'_> {
    /// What all channels carry at each time, over all bandwidths.
    pub(super) fn area(&self, places: &Places, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let shares = self.shares();
        let (low, right) = (places.floor_of_area(), places.left + WIDTH);
        let most = shares.iter().copied().fold(0.0, f64::max);
        // Up to the next tenth.
        let whole = (most * 10.0 - 1e-9).ceil().max(1.0) / 10.0;
        let y = |share: f64| low - AREA * share / whole;
        let wide = WIDTH / COLUMNS as f64;
        let mut way = format!("M{:.1} {low:.1}", places.left);
        for share in &shares {
            way += &format!("V{:.1}h{wide:.2}", y(*share));
        }
        let Theme { faint, ink, switch, .. } = theme;
        writeln!(out, "<path d=\"{way}V{low:.1}z\" fill=\"{faint}\" fill-opacity=\"0.55\"/>")?;
        writeln!(out, "<path d=\"M{:.1} {:.1}H{right:.1}\" stroke=\"{switch}\"/>", places.left, y(whole))?;
        writeln!(out, "<path d=\"M{:.1} {low:.1}H{right:.1}\" stroke=\"{ink}\" stroke-width=\"1.2\"/>", places.left)?;
        writeln!(out, "<g font-size=\"9.5\" fill=\"{faint}\" text-anchor=\"end\">")?;
        for share in [0.0, whole] {
            let (x, y) = (places.left - 7.0, y(share) + 3.4);
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{:.0} %</text>", 100.0 * share)?;
        }
        writeln!(
            out,
            "</g><text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10.5\">bandwidth of all channels in use</text>",
            places.left,
            places.bottom() + 14.0
        )
    }

    /// Shares of all bandwidth, one for each column of time.
    fn shares(&self) -> Vec<f64> {
        let timeline = self.timeline;
        let end = timeline.schedule().ticks() as f64;
        let all: f64 = timeline.problem().network().channels().map(|c| timeline.bandwidth(c) as f64).sum();
        let mut shares = vec![0.0; COLUMNS];
        // Begin and end of each use, in columns; a column gets its part of both, what lies between is summed up once.
        let mut steps = vec![0.0; COLUMNS + 1];
        for sent in timeline.sent() {
            for used in &timeline.uses()[sent.uses.clone()] {
                let place = |tick: u64| (tick as f64 / end * COLUMNS as f64).min(COLUMNS as f64);
                let amount = sent.rate as f64 / all.max(1.0);
                for (at, sign) in [(place(used.from), 1.0), (place(used.from + sent.lasts), -1.0)] {
                    let column = (at as usize).min(COLUMNS - 1);
                    shares[column] += sign * amount * ((column + 1) as f64 - at);
                    steps[column + 1] += sign * amount;
                }
            }
        }
        let mut running = 0.0;
        for (share, step) in shares.iter_mut().zip(steps) {
            running += step;
            *share = (*share + running).max(0.0);
        }
        shares
    }
}
