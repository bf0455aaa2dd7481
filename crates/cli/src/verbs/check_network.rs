//! **What:** `check` of a network file: each claim about the network, derived again from the network alone.

use console::args::CheckArgs;
use console::failure::{self, Failure};
use console::output::{self, say, say_json};
use design::claims::{Refused, confirm, confirm_at_length};
use serde_json::{Value, json};

/// Checks the file.
pub(super) fn run(arguments: &CheckArgs) -> Result<u8, Failure> {
    let read = formats::design_json::read(&arguments.file).map_err(output::unread)?;
    let (network, mut lines, mut claims) = (&read.network, Vec::new(), Vec::new());
    let mut wrong = 0;
    for claim in read.claims {
        let (kind, text) = (claim.kind(), claim.to_string());
        let done = if arguments.exhaustive { confirm_at_length(network, claim) } else { confirm(network, claim) };
        let (state, why): (&str, Value) = match done {
            Ok(_) => ("confirmed", Value::Null),
            Err(why @ Refused::Unchecked { .. }) => ("unchecked", format!("{why} (--exhaustive does it)").into()),
            Err(refused) => {
                wrong += 1;
                ("refused", refused.to_string().into())
            }
        };
        let told = why.as_str().map_or(String::new(), |why| format!(": {why}"));
        let mark = if state == "refused" { "REFUSED" } else { state };
        lines.push(format!("  {kind}: {text}  {mark}{told}"));
        claims.push(json!({"kind": kind, "text": text, "state": state, "reason": why}));
    }
    if arguments.report.json {
        say_json(&json!({"valid": wrong == 0, "network": network.name(), "nodes": network.node_count(),
                         "channels": network.channel_count(), "claims": claims}))?;
    } else {
        let verdict = if wrong == 0 { String::new() } else { format!("  INVALID: {wrong} claim(s) refused") };
        let head = format!(
            "{}: {} nodes, {} channels{verdict}",
            network.name(),
            network.node_count(),
            network.channel_count()
        );
        lines.insert(0, head);
        say(&lines.join("\n"))?;
    }
    Ok(if wrong == 0 { 0 } else { failure::NO })
}
