//! **What:** multistage networks with the settings of their switches: boxes in columns, lines through them, and what comes out.
//!
//! **Facts:** terminals send from the left and receive at the right; a line that carries a message has the colour of the
//! group of terminals that it comes from, all others are grey. The number in a box is the switch's state.

use super::Sheet;
use crate::palette::Theme;
use quick_xml::escape::escape;
use std::io::{self, Write};

const PITCH: f64 = 13.0;
const BOX: f64 = 46.0;
const MARGIN: f64 = 62.0;

/// A switch of a diagram.
#[derive(Clone, Debug)]
pub struct SwitchBox {
    /// Its name.
    pub label: String,
    /// The number or name of its state; empty where it has no work.
    pub state: String,
    /// For each input, the output that it leads to.
    pub setting: Vec<Option<usize>>,
    /// Number of outputs.
    pub outputs: usize,
}

/// Stages of switches from the terminals at the left to the terminals at the right. Inputs and outputs of a stage are
/// counted from its first switch on.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The title.
    pub title: String,
    /// The line below it.
    pub subtitle: String,
    /// Switches, stage by stage.
    pub stages: Vec<Vec<SwitchBox>>,
    /// The input of the first stage that each terminal's line leads to.
    pub enters: Vec<usize>,
    /// The terminal that each output of the last stage leads to.
    pub leaves: Vec<usize>,
    /// For each stage but the last, the input of the next stage that each output leads to.
    pub wires: Vec<Vec<usize>>,
    /// Groups of terminals that follow each other; each has a colour.
    pub groups: usize,
}

impl Diagram {
    /// Draws it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn draw(&self, theme: &'static Theme, out: &mut dyn Write) -> io::Result<()> {
        let lines = self.stages.iter().map(|s| count(s, true).max(count(s, false))).max().unwrap_or(0);
        let rows = self.stages.iter().map(|stage| stage.len()).max().unwrap_or(0);
        // Room for every line, and for a line's height between boxes.
        let height = PITCH * (lines + rows) as f64;
        let gap = (0.22 * height).clamp(52.0, 240.0);
        let [lead, tail] = [&self.enters, &self.leaves].map(|wires| if is_straight(wires) { 0.0 } else { gap });
        let width = 2.0 * MARGIN + lead + self.stages.len() as f64 * (BOX + gap) - gap + tail;
        let sheet = Sheet::open(out, theme, &self.title, &self.subtitle, (width, height))?;
        writeln!(out, "<g transform=\"translate({:.1} {:.1})\">", (sheet.width - width) / 2.0, sheet.top)?;
        let place = Place { diagram: self, theme, gap, lead, tail, height };
        let colours = self.colours();
        place.wires(out, &colours)?;
        for (at, stage) in self.stages.iter().enumerate() {
            place.stage(out, at, stage, &colours[at])?;
        }
        place.terminals(out, &colours)?;
        writeln!(out, "</g>\n</svg>")
    }

    /// For each stage, which terminal's message comes in on each input; then, which comes out for each terminal.
    fn colours(&self) -> Vec<Vec<Option<usize>>> {
        let first = self.stages.first().map_or(0, |stage| count(stage, true));
        let mut entered = vec![None; first];
        for (terminal, input) in self.enters.iter().enumerate() {
            entered.get_mut(*input).into_iter().for_each(|message| *message = Some(terminal));
        }
        let mut colours = vec![entered];
        for (at, stage) in self.stages.iter().enumerate() {
            let mut leaves = vec![None; count(stage, false)];
            let (mut input, mut output) = (0, 0);
            for switch in stage {
                for (i, to) in switch.setting.iter().enumerate() {
                    if let (Some(to), Some(message)) = (to, colours[at].get(input + i))
                        && let Some(leaves) = leaves.get_mut(output + to)
                    {
                        *leaves = *message;
                    }
                }
                (input, output) = (input + switch.setting.len(), output + switch.outputs);
            }
            let wires = self.wires.get(at).unwrap_or(&self.leaves);
            let mut next = vec![None; self.stages.get(at + 1).map_or(leaves.len(), |stage| count(stage, true))];
            for (to, message) in wires.iter().zip(leaves) {
                next.get_mut(*to).into_iter().for_each(|next| *next = message);
            }
            colours.push(next);
        }
        colours
    }
}

fn is_straight(wires: &[usize]) -> bool {
    wires.iter().enumerate().all(|(at, to)| at == *to)
}

/// Inputs, or outputs, of a stage.
fn count(stage: &[SwitchBox], inputs: bool) -> usize {
    stage.iter().map(|s| if inputs { s.setting.len() } else { s.outputs }).sum()
}

struct Place<'a> {
    diagram: &'a Diagram,
    theme: &'static Theme,
    gap: f64,
    /// Room for lines that cross before the first stage, and behind the last.
    lead: f64,
    tail: f64,
    height: f64,
}

impl Place<'_> {
    fn left(&self, stage: usize) -> f64 {
        MARGIN + self.lead + stage as f64 * (BOX + self.gap)
    }

    /// Top and height of a box.
    fn span(&self, stage: &[SwitchBox], at: usize) -> (f64, f64) {
        let share = self.height / stage.len() as f64;
        let tall = (stage[at].setting.len().max(stage[at].outputs) as f64 * PITCH).max(1.8 * PITCH).min(share - 4.0);
        (at as f64 * share + (share - tall) / 2.0, tall)
    }

    /// Heights of all inputs, or outputs, of a stage.
    fn ports(&self, stage: &[SwitchBox], inputs: bool) -> Vec<f64> {
        let of = |at: usize| {
            let ((top, tall), ports) = (self.span(stage, at), count(&stage[at..=at], inputs));
            (0..ports).map(move |p| top + tall * (p as f64 + 0.5) / ports as f64)
        };
        (0..stage.len()).flat_map(of).collect()
    }

    fn colour(&self, message: Option<usize>) -> (&'static str, f64) {
        let terminals = self.diagram.stages.first().map_or(1, |stage| count(stage, true)).max(1);
        match message {
            Some(from) => {
                (self.theme.transfers[from * self.diagram.groups / terminals % self.theme.transfers.len()], 1.5)
            }
            None => (self.theme.idle, 1.0),
        }
    }

    fn line(&self, out: &mut dyn Write, message: Option<usize>, a: (f64, f64), b: (f64, f64)) -> io::Result<()> {
        let ((colour, width), (ax, ay), (bx, by)) = (self.colour(message), a, b);
        writeln!(
            out,
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}\"/>"
        )
    }

    fn wires(&self, out: &mut dyn Write, colours: &[Vec<Option<usize>>]) -> io::Result<()> {
        for (at, wires) in self.diagram.wires.iter().enumerate() {
            let Some([from, to]) = self.diagram.stages.get(at..at + 2) else { break };
            let (leave, enter) = (self.ports(from, false), self.ports(to, true));
            for (leave, input) in leave.into_iter().zip(wires) {
                if let (Some(enter), Some(message)) = (enter.get(*input), colours[at + 1].get(*input)) {
                    self.line(out, *message, (self.left(at) + BOX, leave), (self.left(at + 1), *enter))?;
                }
            }
        }
        Ok(())
    }

    fn stage(&self, out: &mut dyn Write, at: usize, stage: &[SwitchBox], enters: &[Option<usize>]) -> io::Result<()> {
        let Theme { ink, faint, switch: ground, .. } = self.theme;
        let (left, inputs, outputs) = (self.left(at), self.ports(stage, true), self.ports(stage, false));
        let (mut input, mut output) = (0, 0);
        for (number, switch) in stage.iter().enumerate() {
            let (top, tall) = self.span(stage, number);
            writeln!(
                out,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{BOX}\" height=\"{tall:.1}\" fill=\"{ground}\" stroke=\"{ink}\"/>"
            )?;
            for (i, to) in switch.setting.iter().enumerate() {
                if let Some(leaves) = to.and_then(|to| outputs.get(output + to)) {
                    let message = enters.get(input + i).copied().flatten();
                    self.line(out, message, (left, inputs[input + i]), (left + BOX, *leaves))?;
                }
            }
            (input, output) = (input + switch.setting.len(), output + switch.outputs);
            let (middle, below) = (left + BOX / 2.0, top + tall / 2.0 + 4.0);
            let (state, label) = (escape(switch.state.as_str()), escape(switch.label.as_str()));
            writeln!(
                out,
                "<text x=\"{middle:.1}\" y=\"{below:.1}\" font-size=\"12\" font-weight=\"bold\" text-anchor=\"middle\" stroke=\"{ground}\" stroke-width=\"3\" paint-order=\"stroke\">{state}</text>"
            )?;
            writeln!(
                out,
                "<text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"8\" fill=\"{faint}\" text-anchor=\"middle\">{label}</text>",
                top - 2.5
            )?;
        }
        Ok(())
    }

    fn terminals(&self, out: &mut dyn Write, colours: &[Vec<Option<usize>>]) -> io::Result<()> {
        let (Some(first), Some(last)) = (self.diagram.stages.first(), self.diagram.stages.last()) else {
            return Ok(());
        };
        let (right, size) = (self.left(self.diagram.stages.len() - 1) + BOX, "font-size=\"10\"");
        let inputs = self.ports(first, true);
        for (terminal, (&y, input)) in inputs.iter().zip(&self.diagram.enters).enumerate() {
            let enters = inputs.get(*input).copied().unwrap_or(y);
            self.line(out, Some(terminal), (MARGIN - 14.0, y), (self.left(0), enters))?;
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" {size} text-anchor=\"end\">{terminal}</text>",
                MARGIN - 17.0,
                y + 3.5
            )?;
        }
        let out_of = colours.last().map(Vec::as_slice).unwrap_or_default();
        let outputs = self.ports(last, false);
        for (&leaves, &terminal) in outputs.iter().zip(&self.diagram.leaves) {
            let (message, y) =
                (out_of.get(terminal).copied().flatten(), outputs.get(terminal).copied().unwrap_or(leaves));
            self.line(out, message, (right, leaves), (right + self.tail + 14.0, y))?;
            let from = message.map_or(String::new(), |m| format!("&#8592; {m}"));
            let bold = message.map_or(self.theme.faint, |m| self.colour(Some(m)).0);
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" {size}>{terminal} <tspan fill=\"{bold}\">{from}</tspan></text>",
                right + self.tail + 17.0,
                y + 3.5
            )?;
        }
        Ok(())
    }
}
