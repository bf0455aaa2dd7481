//! **What:** tables for hardware as a header for C (C99), to be compiled into firmware; rows are sorted by step. The reader is in module `header_read`.

use super::Head;
use super::rows::{Port, Route, Rows, Turn, Unit};
use kernel::Slots;
use std::io::{self, Write};

pub(super) fn write(head: &Head, rows: &Rows, out: &mut dyn Write) -> io::Result<()> {
    // A name may hold anything; the end of a comment may not stand in it.
    let name = head.network.replace("*/", "* /");
    writeln!(out, "/* {} of a verified schedule on {name}. */", head.kind.name())?;
    writeln!(out, "#ifndef QUADRILLE_TABLE_H\n#define QUADRILLE_TABLE_H\n#include <stdint.h>\n")?;
    writeln!(out, "#define QUADRILLE_STEPS {}\n#define QUADRILLE_CHUNKS {}", head.steps, head.chunks)?;
    if let Some(Slots { hop, cyclic }) = head.slots {
        writeln!(out, "#define QUADRILLE_HOP {hop}\n#define QUADRILLE_CYCLIC {}", u32::from(cyclic))?;
    }
    match rows {
        Rows::Routes(all) => routes(all, out)?,
        Rows::Turns(all) => turns(all, out)?,
    }
    writeln!(out, "\n#endif")
}

fn routes(all: &[Route], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "#define QUADRILLE_ROUTES {}\n", all.len())?;
    writeln!(out, "/* The output ports of every node on the way: `hops` of them, from `first` on. */")?;
    writeln!(out, "struct quadrille_route {{ uint32_t step, node, to, messages, first, hops; }};")?;
    writeln!(out, "static const struct quadrille_route quadrille_routes[] = {{")?;
    let mut first = 0;
    for Route { step, node, to, messages, ports } in all {
        writeln!(out, "    {{ {step}, {node}, {to}, {messages}, {first}, {} }},", ports.len())?;
        first += ports.len();
    }
    if all.is_empty() {
        writeln!(out, "    {{ 0, 0, 0, 0, 0, 0 }},")?;
    }
    writeln!(out, "}};\nstatic const uint32_t quadrille_ports[] = {{")?;
    for Route { ports, .. } in all {
        let ports: Vec<String> = ports.iter().map(u32::to_string).collect();
        writeln!(out, "    {},", ports.join(", "))?;
    }
    if all.is_empty() {
        writeln!(out, "    0,")?;
    }
    writeln!(out, "}};")
}

fn turns(all: &[Turn], out: &mut dyn Write) -> io::Result<()> {
    let port = |port: &Port| match port {
        Port::Local => "QUADRILLE_LOCAL".to_owned(),
        Port::Channel(unit) => unit.port.to_string(),
    };
    let unit = |port: &Port| if let Port::Channel(Unit { unit, .. }) = port { *unit } else { 0 };
    let has_units = all.iter().any(|turn| unit(&turn.input) + unit(&turn.output) > 0);
    writeln!(out, "#define QUADRILLE_TURNS {}\n#define QUADRILLE_LOCAL UINT32_MAX\n", all.len())?;
    writeln!(out, "/* `messages` is 0 where a path does not begin. */")?;
    let more = if has_units { ", input_unit, output_unit" } else { "" };
    writeln!(out, "struct quadrille_turn {{ uint32_t step, node, input, output, messages{more}; }};")?;
    writeln!(out, "static const struct quadrille_turn quadrille_turns[] = {{")?;
    for Turn { step, node, input, output, messages } in all {
        let units = if has_units { format!(", {}, {}", unit(input), unit(output)) } else { String::new() };
        writeln!(out, "    {{ {step}, {node}, {}, {}, {messages}{units} }},", port(input), port(output))?;
    }
    if all.is_empty() {
        writeln!(out, "    {{ 0, 0, 0, 0, 0 }},")?;
    }
    writeln!(out, "}};")
}
