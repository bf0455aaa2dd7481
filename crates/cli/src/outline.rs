//! **What:** what is said of a network with more channels than are written down: its closed forms, which the law tests compare with the
//! networks of its family that are built.

use crate::args::NetworkText;
use crate::network_report::range;
use design::measures::cost_ratio_of;
use serde_json::{Value, json};
use topologies::{ClosedForms, SpecError};

/// A family's member that is not built.
pub(crate) struct Outline {
    name: String,
    forms: ClosedForms,
    weight: f64,
}

impl Outline {
    /// The network, where it is a family's and too large to be built.
    pub(crate) fn of(text: &NetworkText, weight: f64) -> Option<Self> {
        let SpecError::TooLarge { .. } = topologies::topology(text).err()? else { return None };
        let forms = topologies::closed_forms(text).ok()?;
        Some(Outline { name: text.to_string(), forms, weight })
    }

    fn average(&self) -> Option<f64> {
        let n = self.forms.terminals as f64;
        self.forms.distances.filter(|_| n > 1.0).map(|sum| sum as f64 / n / (n - 1.0))
    }

    fn cost_ratio(&self) -> Option<f64> {
        let direct = self.forms.nodes == self.forms.terminals;
        let (degree, diameter) = (self.forms.degree.filter(|_| direct)?.1, self.forms.diameter?);
        cost_ratio_of(self.forms.nodes, degree, diameter, self.weight)
    }

    /// What is known, for people, under the names that measured networks have.
    pub(crate) fn lines(&self) -> Vec<(&'static str, Option<String>)> {
        let forms = &self.forms;
        let switches = forms.nodes - forms.terminals;
        let nodes = match switches {
            0 => forms.nodes.to_string(),
            _ => format!("{}: {} terminals, {switches} switches", forms.nodes, forms.terminals),
        };
        let by = |text: String| format!("{text}, by the family's closed form");
        let symmetric = match forms.vertex_transitive {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not decided",
        };
        vec![
            ("nodes", Some(nodes)),
            ("channels", Some(by(forms.channels.to_string()))),
            ("degree", forms.degree.map(|degree| by(range(degree)))),
            (
                "diameter",
                Some(forms.diameter.map_or("no closed form, and too large to measure".into(), |d| by(d.to_string()))),
            ),
            ("average distance", self.average().map(|d| by(format!("{d:.4}")))),
            ("vertex-transitive", Some(symmetric.into())),
            ("cost ratio", self.cost_ratio().map(|c| format!("{c:.3}"))),
        ]
    }

    /// The same for people, below the name.
    pub(crate) fn people(&self) -> String {
        let lines = self.lines().into_iter().filter_map(|(name, value)| Some(format!("  {name:18} {}", value?)));
        let first = format!("{}, too large to be built", self.name);
        std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n")
    }

    /// The same for programs.
    pub(crate) fn document(&self) -> Value {
        let ClosedForms { nodes, terminals, channels, degree, diameter, vertex_transitive, .. } = self.forms;
        json!({
            "name": self.name, "built": false, "nodes": nodes, "terminals": terminals, "channels": channels,
            "degree": degree.map(|(min, max)| json!({"min": min, "max": max})), "diameter": diameter,
            "average_distance": self.average(), "vertex_transitive": vertex_transitive, "cost_ratio": self.cost_ratio(),
        })
    }
}
