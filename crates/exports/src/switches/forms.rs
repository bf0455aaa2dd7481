//! **What:** the settings as text, as LaTeX and as a header of C: for each switch with work in each step, which input leads to which output.
//!
//! **Parameters:** text and LaTeX have a row a switch and step, `local` for the node itself. The header has the turns in the order of their
//! steps: of `chip.h`, `chip_switch_turns[i]` for i from `chip_switch_first[step]` up to `chip_switch_first[step + 1]`.
//!
//! **Facts:** LaTeX is a `tabular` for every forty rows, without a package, to be put in by `\input`. The header needs C99 and nothing else.

use super::{Port, Turn, settings};
use crate::c_names::{CNames, comment};
use crate::fields;
use crate::hardware::ports;
use kernel::Verified;
use std::io::{self, Write};

/// Rows of one `tabular`.
const ROWS: usize = 40;

/// What it is a table of, on one line.
fn title(schedule: &Verified) -> String {
    let title = format!("{}, {} steps", schedule.problem().title(), schedule.steps());
    title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Step, switch and setting of each row.
fn rows(schedule: &Verified, arrow: &str) -> io::Result<Vec<[String; 3]>> {
    let network = schedule.problem().network();
    let names = network.names();
    let setting = |turns: &[Turn]| {
        turns.iter().map(|turn| format!("{}{arrow}{}", turn.input, turn.output)).collect::<Vec<_>>().join(" ")
    };
    let mut rows = Vec::new();
    for (step, settings) in settings(schedule)?.iter().enumerate() {
        for (node, turns) in settings {
            let name = names.map_or_else(|| node.to_string(), |names| names[node.index()].clone());
            rows.push([step.to_string(), name.replace(char::is_control, " "), setting(turns)]);
        }
    }
    Ok(rows)
}

pub(super) fn text(schedule: &Verified, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(schedule, "→")?;
    let width = |column: usize, head: &str| {
        rows.iter().map(|row| row[column].chars().count()).chain([head.len()]).max().unwrap_or(0)
    };
    let (steps, nodes) = (width(0, "step"), width(1, "node"));
    writeln!(out, "{}: input→output of every switch\n", title(schedule))?;
    writeln!(out, "{:steps$} | {:nodes$} | input→output", "step", "node")?;
    writeln!(out, "{} | {} | {}", "-".repeat(steps), "-".repeat(nodes), "-".repeat(12))?;
    rows.iter().try_for_each(|[step, node, setting]| writeln!(out, "{step:steps$} | {node:nodes$} | {setting}"))
}

pub(super) fn latex(schedule: &Verified, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "% {}", title(schedule))?;
    for rows in rows(schedule, " $\\rightarrow$ ")?.chunks(ROWS) {
        writeln!(
            out,
            "\\begin{{tabular}}{{|r|l|l|}}\n\\hline\nstep & node & input $\\rightarrow$ output \\\\ \\hline"
        )?;
        for [step, node, setting] in rows {
            writeln!(out, "{step} & {} & {setting} \\\\", fields::latex(node))?;
        }
        writeln!(out, "\\hline\n\\end{{tabular}}\\par\\medskip")?;
    }
    Ok(())
}

pub(super) fn header(schedule: &Verified, names: &CNames, out: &mut dyn Write) -> io::Result<()> {
    let all = settings(schedule)?;
    let CNames { lower, upper } = names;
    writeln!(out, "/* {}: which input of a switch leads to which output. */", comment(&title(schedule)))?;
    writeln!(out, "#ifndef {upper}_H\n#define {upper}_H\n")?;
    writeln!(out, "#define {upper}_STEPS {}", all.len())?;
    writeln!(out, "#define {upper}_LOCAL (-1) /* the node of a router itself */\n")?;
    ports::in_c(schedule.problem().network(), true, out)?;
    let all_turns = all.iter().flat_map(|settings| settings.values().flatten());
    let has_units = all_turns.flat_map(|turn| [turn.input, turn.output]).any(|port| port.unit() > 0);
    let more = if has_units { ", input_unit, output_unit" } else { "" };
    writeln!(out, "struct {lower}_turn {{ int step, node, input, output{more}; }};\n")?;
    writeln!(out, "static const struct {lower}_turn {lower}_turns[] = {{")?;
    let mut first = vec![0];
    let mut count = 0usize;
    let number = |port: Port| match port {
        Port::Local => format!("{upper}_LOCAL"),
        Port::Channel(unit) => unit.port.to_string(),
    };
    for (step, settings) in all.iter().enumerate() {
        for (node, turns) in settings {
            for turn in turns {
                let units = match has_units {
                    true => format!(", {}, {}", turn.input.unit(), turn.output.unit()),
                    false => String::new(),
                };
                writeln!(out, "    {{{step}, {node}, {}, {}{units}}},", number(turn.input), number(turn.output))?;
                count += 1;
            }
        }
        first.push(count);
    }
    if count == 0 {
        // An array of C has one entry at least.
        writeln!(out, "    {{0, 0, 0, 0}},")?;
    }
    let first: Vec<String> = first.iter().map(usize::to_string).collect();
    writeln!(out, "}};\n\n/* Where the turns of each step begin, and where the last ones end. */")?;
    writeln!(out, "static const int {lower}_first[{upper}_STEPS + 1] = {{{}}};\n\n#endif", first.join(", "))
}
