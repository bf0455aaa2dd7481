//! **What:** the drawing of a plot.

use super::axis::{Ruler, number, shown};
use super::{Plot, Point, Scale, Series, Style};
use crate::palette::Theme;
use crate::svg::{LEGEND, Sheet};
use quick_xml::escape::escape;
use std::io::{self, Write};

/// Size of the field between the axes.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 300.0;
/// Room for the numbers of the vertical axis, and for those and the label of the horizontal one.
const LEFT: f64 = 78.0;
const BELOW: f64 = 46.0;
/// Share of the room of a place that a group of bars takes.
const GROUP: f64 = 0.8;

/// Places in the picture for values of both axes.
struct PlotArea<'a> {
    x: Ruler<'a>,
    y: Ruler<'a>,
    top: f64,
}

impl PlotArea<'_> {
    fn x(&self, value: f64) -> f64 {
        LEFT + WIDTH * self.x.place(value)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + HEIGHT * (1.0 - self.y.place(value))
    }

    fn bottom(&self) -> f64 {
        self.top + HEIGHT
    }
}

impl Plot {
    /// Draws the plot.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn draw(&self, theme: &'static Theme, out: &mut dyn Write) -> io::Result<()> {
        let seen = |p: &&Point| shown(&self.x.scale, p.x) && shown(&self.y.scale, p.y);
        let all = || self.series.iter().flat_map(|s| &s.points);
        let missing = all().count() - all().filter(seen).count();
        let bars = self.series.iter().any(|s| s.style == Style::Bars);
        let ends = |p: &Point| p.spread.map_or([p.y, p.y], |(low, high)| [low, high]);
        let heights = all().filter(seen).flat_map(|p| [p.y].into_iter().chain(ends(p)));
        let heights = heights.chain(self.references.iter().map(|r| r.0));
        let legend = self.series.iter().map(|s| s.name.chars().count()).max().unwrap_or(0);
        let legend_height = 18.0 * self.series.len() as f64 - LEGEND;
        let body = (LEFT + WIDTH + 62.0 + 6.6 * legend as f64, legend_height.max(HEIGHT + BELOW - LEGEND));
        let subtitle = match missing {
            0 => String::new(),
            1 => "one value is left out: the axes have no place for it".into(),
            _ => format!("{missing} values are left out: the axes have no place for them"),
        };
        let sheet = Sheet::open(out, theme, &self.title, &subtitle, body)?;
        let field = PlotArea {
            x: Ruler::new(&self.x.scale, all().filter(seen).map(|p| p.x), false),
            y: Ruler::new(&self.y.scale, heights, bars || self.y.scale == Scale::Linear),
            top: sheet.top,
        };
        self.axes(&field, theme, out)?;
        self.bars(&field, theme, out)?;
        for (at, series) in self.series.iter().enumerate().filter(|(_, s)| s.style != Style::Bars) {
            self.line(series, at, &field, theme, out)?;
        }
        if all().filter(seen).count() == 0 {
            let (x, y) = (LEFT + WIDTH / 2.0, field.top + HEIGHT / 2.0);
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"13\" text-anchor=\"middle\">no values</text>")?;
        }
        self.legend(&field, theme, out)?;
        writeln!(out, "</svg>")
    }

    fn axes(&self, field: &PlotArea<'_>, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let Theme { faint, switch, ink, .. } = theme;
        let (bottom, right) = (field.bottom(), LEFT + WIDTH);
        writeln!(out, "<g font-size=\"10.5\" fill=\"{faint}\">")?;
        let line =
            |out: &mut dyn Write, d: String| writeln!(out, "<path d=\"{d}\" stroke=\"{switch}\" fill=\"none\"/>");
        for (value, text) in field.y.ticks() {
            let y = field.y(value);
            line(out, format!("M{LEFT} {y:.1}H{right}"))?;
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 7.0,
                y + 3.6,
                escape(&text)
            )?;
        }
        let ticks = field.x.ticks();
        let names = matches!(self.x.scale, Scale::Names(_));
        // Names too long for their room are written aslant.
        let room = WIDTH / ticks.len().max(1) as f64;
        let aslant = ticks.iter().any(|(_, text)| 6.4 * text.chars().count() as f64 > room);
        for (value, text) in ticks {
            let x = field.x(value);
            if !names {
                line(out, format!("M{x:.1} {}V{bottom}", field.top))?;
            }
            let (y, text) = (bottom + 15.0, escape(&text));
            match aslant {
                true => writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" transform=\"rotate(-25 {x:.1} {y:.1})\">{text}</text>"
                )?,
                false => writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>")?,
            }
        }
        writeln!(out, "</g>")?;
        let frame = format!("M{LEFT} {}V{bottom}H{right}", field.top);
        writeln!(out, "<path d=\"{frame}\" stroke=\"{ink}\" stroke-width=\"1.2\" fill=\"none\"/>")?;
        let (middle, low) = (LEFT + WIDTH / 2.0, bottom + 36.0);
        let label = escape(&self.x.label);
        writeln!(out, "<text x=\"{middle}\" y=\"{low:.1}\" font-size=\"12\" text-anchor=\"middle\">{label}</text>")?;
        let (x, y, label) = (18.0, field.top + HEIGHT / 2.0, escape(&self.y.label));
        writeln!(
            out,
            "<text x=\"{x}\" y=\"{y:.1}\" font-size=\"12\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y:.1})\">{label}</text>"
        )?;
        for (value, name) in self.references.iter().filter(|r| shown(&self.y.scale, r.0)) {
            let y = field.y(*value);
            writeln!(
                out,
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"{ink}\" stroke-dasharray=\"2 4\" fill=\"none\"/>"
            )?;
            let text = format!("{} {}", escape(name), number(*value));
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10.5\" text-anchor=\"end\">{text}</text>",
                right - 4.0,
                y - 4.0
            )?;
        }
        Ok(())
    }

    /// Values that have a place, from left to right.
    fn placed<'p>(&self, series: &'p Series) -> Vec<&'p Point> {
        let seen = |p: &&Point| shown(&self.x.scale, p.x) && shown(&self.y.scale, p.y);
        let mut points: Vec<&Point> = series.points.iter().filter(seen).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    }

    fn line(
        &self,
        series: &Series,
        at: usize,
        field: &PlotArea<'_>,
        theme: &Theme,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let paint = theme.transfers[at % theme.transfers.len()];
        let points = self.placed(series);
        if series.style != Style::Dots && points.len() > 1 {
            let way: Vec<String> = points.iter().map(|p| format!("{:.1} {:.1}", field.x(p.x), field.y(p.y))).collect();
            stroke(out, paint, at, &format!("M{}", way.join("L")))?;
        }
        for p in points {
            self.whisker(p, field.x(p.x), field, paint, out)?;
            if series.style != Style::Bare {
                mark(out, at, (field.x(p.x), field.y(p.y)), paint, theme)?;
            }
        }
        Ok(())
    }

    fn whisker(&self, p: &Point, x: f64, field: &PlotArea<'_>, paint: &str, out: &mut dyn Write) -> io::Result<()> {
        let Some((low, high)) = p.spread else { return Ok(()) };
        // Of a bar that reaches below what the axis has a place for, the rest.
        let end = |v: f64| if shown(&self.y.scale, v) { field.y(v).min(field.bottom()) } else { field.bottom() };
        let (low, high) = (end(low), end(high));
        let caps = format!("M{:.1} {low:.1}h8M{:.1} {high:.1}h8", x - 4.0, x - 4.0);
        writeln!(
            out,
            "<path d=\"M{x:.1} {low:.1}V{high:.1}{caps}\" stroke=\"{paint}\" stroke-width=\"1.2\" fill=\"none\"/>"
        )
    }

    /// Bars of all series: at every place as many as there are series of bars.
    fn bars(&self, field: &PlotArea<'_>, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let drawn: Vec<(usize, &Series)> =
            self.series.iter().enumerate().filter(|(_, s)| s.style == Style::Bars).collect();
        let mut places: Vec<f64> = drawn.iter().flat_map(|(_, s)| self.placed(s)).map(|p| field.x(p.x)).collect();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|w| w[1] - w[0]).filter(|gap| *gap > 0.5);
        let room = gaps.fold(WIDTH / places.len().clamp(1, 12) as f64, f64::min).min(90.0);
        let wide = GROUP * room / drawn.len().max(1) as f64;
        for (rank, (at, series)) in drawn.iter().enumerate() {
            let paint = theme.transfers[at % theme.transfers.len()];
            for p in self.placed(series) {
                let left = field.x(p.x) - GROUP * room / 2.0 + wide * rank as f64;
                // From 0 where the axis has it, else from the bottom.
                let base = if shown(&self.y.scale, 0.0) { field.y(0.0).min(field.bottom()) } else { field.bottom() };
                let (top, tall) = (field.y(p.y).min(base), (base - field.y(p.y)).abs());
                let inner = 0.92 * wide;
                writeln!(
                    out,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{inner:.1}\" height=\"{tall:.1}\" fill=\"{paint}\"/>"
                )?;
                self.whisker(p, left + inner / 2.0, field, theme.ink, out)?;
            }
        }
        Ok(())
    }

    fn legend(&self, field: &PlotArea<'_>, theme: &Theme, out: &mut dyn Write) -> io::Result<()> {
        let left = LEFT + WIDTH + 16.0;
        for (at, series) in self.series.iter().enumerate() {
            let paint = theme.transfers[at % theme.transfers.len()];
            let y = field.top + 12.0 + 18.0 * at as f64;
            match series.style {
                Style::Bars => writeln!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"10\" fill=\"{paint}\"/>",
                    left + 4.0,
                    y - 5.0
                )?,
                style => {
                    if style != Style::Dots {
                        stroke(out, paint, at, &format!("M{left:.1} {y:.1}h24"))?;
                    }
                    if style != Style::Bare {
                        mark(out, at, (left + 12.0, y), paint, theme)?;
                    }
                }
            }
            let (x, y, name) = (left + 31.0, y + 4.0, escape(&series.name));
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\">{name}</text>")?;
        }
        Ok(())
    }
}

/// A line in the colour of a series; the first seven are whole, those after them dashed.
fn stroke(out: &mut dyn Write, paint: &str, at: usize, way: &str) -> io::Result<()> {
    let dashes = ["", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""][at / 7 % 3];
    writeln!(
        out,
        "<path d=\"{way}\" stroke=\"{paint}\" stroke-width=\"2\" stroke-linejoin=\"round\" fill=\"none\"{dashes}/>"
    )
}

/// The mark of a series: disc, square, triangle, diamond, ring, upturned triangle, cross.
fn mark(out: &mut dyn Write, at: usize, (x, y): (f64, f64), paint: &str, theme: &Theme) -> io::Result<()> {
    let shape = match at % 7 {
        0 | 4 => "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
        1 => "m-3.6 -3.6h7.2v7.2h-7.2z",
        2 => "m0 -4.6l4.4 7.6h-8.8z",
        3 => "m0 -5l5 5l-5 5l-5 -5z",
        5 => "m0 4.6l4.4 -7.6h-8.8z",
        _ => "m-3.8 -3.8l7.6 7.6m0 -7.6l-7.6 7.6",
    };
    let fill = if at % 7 == 4 { theme.ground } else { paint };
    writeln!(out, "<path d=\"M{x:.1} {y:.1}{shape}\" fill=\"{fill}\" stroke=\"{paint}\" stroke-width=\"1.6\"/>")
}
