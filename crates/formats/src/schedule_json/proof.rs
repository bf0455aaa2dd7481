//! **What:** a certificate's proof as a value of JSON, as the field `certificate` has it.

use kernel::{OddSet, Proof};
use serde_json::{Value, json};

/// The object `certificate` of the file format.
pub fn proof(proof: &Proof) -> Value {
    let kind = proof.kind();
    match proof {
        Proof::Send { node } | Proof::Receive { node } => json!({"kind": kind, "node": node.0}),
        Proof::Cut { nodes } | Proof::LateCut { nodes } => {
            json!({"kind": kind, "nodes": nodes.iter().map(|v| v.0).collect::<Vec<_>>()})
        }
        Proof::Lengths { weights } => {
            json!({"kind": kind, "weights": weights.iter().map(|w| w.to_string()).collect::<Vec<_>>()})
        }
        Proof::PortLengths { weights, send, receive, odd } => {
            let mut fields = json!({"kind": kind});
            fields["weights"] = weights.iter().map(|w| w.to_string()).collect();
            for (name, list) in [("send", send), ("receive", receive)] {
                if !list.is_empty() {
                    fields[name] = list.iter().map(ToString::to_string).collect();
                }
            }
            if !odd.is_empty() {
                let nodes = |set: &OddSet| set.nodes.iter().map(|v| v.0).collect::<Vec<_>>();
                fields["odd"] =
                    odd.iter().map(|s| json!({"nodes": nodes(s), "weight": s.weight.to_string()})).collect();
            }
            fields
        }
        Proof::Growth | Proof::Start => json!({"kind": kind}),
        Proof::Distance { from, to } => json!({"kind": kind, "from": from.0, "to": to.0}),
        Proof::Combination { multipliers } => json!({"kind": kind, "multipliers": multipliers}),
        Proof::Unsat { formula, proof } => json!({"kind": kind, "formula": formula.name, "proof": proof.name}),
        Proof::Argument { text } => json!({"kind": kind, "text": text}),
    }
}
