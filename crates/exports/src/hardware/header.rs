//! **What:** tables for hardware as a header for C (C99), to be compiled into firmware; rows are sorted by step. Every name begins with that of the
//! file and the kind of table, so that a program can include several. The reader is in module `header_read`.

use super::rows::{Port, Route, Rows, Turn};
use super::{Head, ports};
use crate::c_names::{CNames, comment};
use kernel::{Network, Slots};
use std::io::{self, Write};

pub(super) fn write(
    head: &Head,
    rows: &Rows,
    network: &Network,
    names: &CNames,
    out: &mut dyn Write,
) -> io::Result<()> {
    let macros = &names.upper;
    writeln!(out, "/* {} of a verified schedule on {}. */", head.kind.name(), comment(&head.network))?;
    writeln!(out, "#ifndef {macros}_H\n#define {macros}_H\n#include <stdint.h>\n")?;
    writeln!(out, "#define {macros}_STEPS {}\n#define {macros}_CHUNKS {}", head.steps, head.chunks)?;
    if let Some(Slots { hop, cyclic }) = head.slots {
        writeln!(out, "#define {macros}_HOP {hop}\n#define {macros}_CYCLIC {}", u32::from(cyclic))?;
    }
    ports::in_c(network, head.kind.has_inputs(), out)?;
    match rows {
        Rows::Routes(all) => routes(all, names, out)?,
        Rows::Turns(all) => turns(all, names, out)?,
    }
    writeln!(out, "\n#endif")
}

fn routes(all: &[Route], CNames { lower, upper }: &CNames, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "#define {upper}_ROUTES {}\n", all.len())?;
    writeln!(out, "/* The output ports of every node on the way: `hops` of them, from `first` on. */")?;
    writeln!(out, "struct {lower}_route {{ uint32_t step, node, to, messages, first, hops; }};")?;
    writeln!(out, "static const struct {lower}_route {lower}_routes[] = {{")?;
    let mut first = 0;
    for Route { step, node, to, messages, ports } in all {
        writeln!(out, "    {{ {step}, {node}, {to}, {messages}, {first}, {} }},", ports.len())?;
        first += ports.len();
    }
    if all.is_empty() {
        writeln!(out, "    {{ 0, 0, 0, 0, 0, 0 }},")?;
    }
    writeln!(out, "}};\nstatic const uint32_t {lower}_ports[] = {{")?;
    for Route { ports, .. } in all {
        let ports: Vec<String> = ports.iter().map(u32::to_string).collect();
        writeln!(out, "    {},", ports.join(", "))?;
    }
    if all.is_empty() {
        writeln!(out, "    0,")?;
    }
    writeln!(out, "}};")
}

fn turns(all: &[Turn], CNames { lower, upper }: &CNames, out: &mut dyn Write) -> io::Result<()> {
    let port = |port: &Port| match port {
        Port::Local => format!("{upper}_LOCAL"),
        Port::Channel(unit) => unit.port.to_string(),
    };
    let has_units = all.iter().any(|turn| turn.input.unit() + turn.output.unit() > 0);
    writeln!(out, "#define {upper}_TURNS {}\n#define {upper}_LOCAL UINT32_MAX\n", all.len())?;
    writeln!(out, "/* `messages` is 0 where a path does not begin. */")?;
    let more = if has_units { ", input_unit, output_unit" } else { "" };
    writeln!(out, "struct {lower}_turn {{ uint32_t step, node, input, output, messages{more}; }};")?;
    writeln!(out, "static const struct {lower}_turn {lower}_turns[] = {{")?;
    for Turn { step, node, input, output, messages } in all {
        let units = if has_units { format!(", {}, {}", input.unit(), output.unit()) } else { String::new() };
        writeln!(out, "    {{ {step}, {node}, {}, {}, {messages}{units} }},", port(input), port(output))?;
    }
    if all.is_empty() {
        writeln!(out, "    {{ 0, 0, 0, 0, 0 }},")?;
    }
    writeln!(out, "}};")
}
