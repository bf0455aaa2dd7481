//! **What:** many networks on one sheet, each in a frame of the same size: a wrong wiring would be seen.

use super::{Picture, Sheet};
use crate::Layout;
use crate::palette::Theme;
use kernel::Network;
use quick_xml::escape::escape;
use std::io::{self, Write};

const FRAME: f64 = 250.0;
const COLUMNS: usize = 6;
const LINES: f64 = 44.0;

/// Draws networks side by side, each with its name, size, and the kind of layout that was found for it.
///
/// # Errors
/// Those of `out`.
pub fn sheet(
    title: &str,
    networks: &[(Network, Layout)],
    theme: &'static Theme,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = networks.len().div_ceil(COLUMNS);
    let size = (COLUMNS as f64 * FRAME, rows as f64 * (FRAME + LINES));
    let subtitle = "circles are terminals, squares switches; a line is a link, an arrow a channel of one direction";
    let whole = Sheet::open(out, theme, title, subtitle, size)?;
    Sheet::arrows(out, theme)?;
    for (at, (network, layout)) in networks.iter().enumerate() {
        let (x, y) = ((at % COLUMNS) as f64 * FRAME, (at / COLUMNS) as f64 * (FRAME + LINES) + whole.top);
        let inner = FRAME - 20.0;
        let scale = (inner / layout.size.0.max(layout.size.1)).min(1.0);
        let (left, top) = ((FRAME - scale * layout.size.0) / 2.0, (FRAME - scale * layout.size.1) / 2.0);
        let name = escape(network.name());
        let words = format!("{} nodes, {} channels · {}", network.node_count(), network.channel_count(), layout.kind);
        writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">")?;
        writeln!(out, "<text x=\"16\" y=\"14\" font-size=\"12\" font-weight=\"bold\">{name}</text>")?;
        writeln!(out, "<text x=\"16\" y=\"28\" font-size=\"9.5\" fill=\"{}\">{words}</text>", theme.faint)?;
        write!(out, "<g transform=\"translate({left:.1} {:.1}) scale({scale:.4})\">", top + LINES - 14.0)?;
        let picture = Picture::new(network, layout, theme).at_scale(scale);
        picture.links(out)?;
        picture.nodes(out)?;
        writeln!(out, "</g></g>")?;
    }
    writeln!(out, "</svg>")
}
