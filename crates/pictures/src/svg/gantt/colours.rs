//! **What:** the colours of the bars of a chart over time, and their legend.

use crate::palette::Theme;
use kernel::Semantics;
use kernel::timed::Timeline;
use quick_xml::escape::escape;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Names of colours in the legend.
const NAMED: usize = 7;

/// The width of what follows the names.
const ENDING: f64 = 300.0;

/// Which colour stands for what.
pub(super) struct Colours {
    /// Whether they tell the nodes that messages come from, in this order; else they tell messages.
    origins: Option<BTreeMap<u32, usize>>,
}

impl Colours {
    pub(super) fn of(timeline: &Timeline<'_>) -> Self {
        let collective = timeline.problem().collective();
        let copies = collective.semantics() == Semantics::Copy;
        let messages = collective.messages().filter(|_| copies);
        let origins: BTreeSet<u32> = messages.map(|message| collective.origin(message).0).collect();
        let origins =
            (origins.len() > 1).then(|| origins.into_iter().enumerate().map(|(at, node)| (node, at)).collect());
        Colours { origins }
    }

    pub(super) fn of_transfer(&self, timeline: &Timeline<'_>, transfer: usize) -> usize {
        let Some(message) = timeline.transfers()[transfer].transfer.messages.first() else { return 0 };
        match &self.origins {
            Some(origins) => origins[&timeline.problem().collective().origin(*message).0],
            None => message.index(),
        }
    }

    /// The legend from `left` to `right`; as many names as there is room for.
    pub(super) fn legend(
        &self,
        timeline: &Timeline<'_>,
        (left, right, y): (f64, f64, f64),
        theme: &Theme,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let network = timeline.problem().network();
        let (what, names): (&str, Vec<String>) = match &self.origins {
            Some(origins) => ("messages from", origins.keys().map(|node| network.label(kernel::Node(*node))).collect()),
            None => (
                "messages",
                timeline.problem().collective().messages().take(NAMED + 1).map(|m| m.to_string()).collect(),
            ),
        };
        writeln!(out, "<g font-size=\"10.5\"><text x=\"{left:.1}\" y=\"{y:.1}\">{what}</text>")?;
        let mut x = left + 12.0 + 6.3 * what.len() as f64;
        let width = |name: &str| 28.0 + 6.3 * name.chars().count() as f64;
        let mut shown = 0;
        for (name, paint) in names.iter().take(NAMED).zip(theme.transfers) {
            if x + width(name) + ENDING > right {
                break;
            }
            shown += 1;
            writeln!(out, "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{paint}\"/>", y - 9.0)?;
            writeln!(out, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", x + 14.0, escape(name))?;
            x += width(name);
        }
        if names.len() > shown {
            writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">and so on, in the same colours</text>")?;
            x += 190.0;
        }
        let ink = theme.ink;
        writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"14\" height=\"9\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.8\"/>\
             <text x=\"{:.1}\" y=\"{y:.1}\">critical path</text></g>",
            x + 12.0,
            y - 8.5,
            x + 31.0
        )
    }
}
