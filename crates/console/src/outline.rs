//! **What:** what is said of a network with more channels than are written down: its closed forms, which the law tests compare with the
//! networks of its family that are built, and of a dual-net the distances from one node, searched without listing its channels.

use crate::args::NetworkText;
use crate::network_report::range;
use design::measures::cost_ratio_of;
use serde_json::{Value, json};
use topologies::{ClosedForms, SpecError};

/// A family's member that is not built.
pub struct Outline {
    name: String,
    forms: ClosedForms,
    weight: f64,
    /// Nodes at each distance from node 0, where they were searched.
    profile: Option<Vec<u64>>,
}

impl Outline {
    /// The network, where it is a family's and too large to be built.
    pub fn of(text: &NetworkText, weight: f64) -> Option<Self> {
        let SpecError::TooLarge { .. } = topologies::topology(text).err()? else { return None };
        let family = topologies::unbuilt(text).ok()?;
        let profile = family.dual_net().filter(|net| net.levels() > 0).map(|net| net.profile_from(0));
        Some(Outline { name: text.to_string(), forms: family.closed_forms(), weight, profile })
    }

    /// The farthest from node 0; of all where nodes are alike.
    fn radius(&self) -> Option<u64> {
        self.profile.as_ref().map(|profile| profile.len() as u64 - 1)
    }

    /// The diameter, and whether it was searched.
    fn diameter(&self) -> Option<(u64, bool)> {
        let searched = self.radius().filter(|_| self.forms.vertex_transitive == Some(true));
        searched.map(|d| (d, true)).or(self.forms.diameter.map(|d| (d, false)))
    }

    /// The average of the distances searched, where nodes are alike.
    fn searched_average(&self) -> Option<f64> {
        let profile = self.profile.as_ref().filter(|_| self.forms.vertex_transitive == Some(true))?;
        let sum: u64 = (0u64..).zip(profile).map(|(far, nodes)| far * nodes).sum();
        Some(sum as f64 / (self.forms.nodes as f64 - 1.0))
    }

    fn average(&self) -> Option<f64> {
        let n = self.forms.terminals as f64;
        self.forms.distances.filter(|_| n > 1.0).map(|sum| sum as f64 / n / (n - 1.0))
    }

    fn cost_ratio(&self) -> Option<f64> {
        let direct = self.forms.nodes == self.forms.terminals;
        let (degree, diameter) = (self.forms.degree.filter(|_| direct)?.1, self.diameter()?.0);
        cost_ratio_of(self.forms.nodes, degree, diameter, self.weight)
    }

    /// What is known, for people, under the names that measured networks have.
    pub fn lines(&self) -> Vec<(&'static str, Option<String>)> {
        let forms = &self.forms;
        let switches = forms.nodes - forms.terminals;
        let nodes = match switches {
            0 => forms.nodes.to_string(),
            1 => format!("{}: {} terminals, 1 switch", forms.nodes, forms.terminals),
            _ => format!("{}: {} terminals, {switches} switches", forms.nodes, forms.terminals),
        };
        let by = |text: String| format!("{text}, by the family's closed form");
        let symmetric = match forms.vertex_transitive {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not decided",
        };
        let searched = |text: String| format!("{text}, by a search from one node, to which all nodes are equivalent");
        let diameter = match (self.diameter(), self.radius()) {
            (Some((d, true)), _) => searched(d.to_string()),
            (Some((d, false)), _) => by(d.to_string()),
            (None, Some(radius)) => format!("{radius} to {}, by a search from one node", 2 * radius),
            (None, None) => "no closed form, and too large to measure".into(),
        };
        let average = match self.searched_average() {
            Some(d) => Some(searched(format!("{d:.4}"))),
            None => self.average().map(|d| by(format!("{d:.4}"))),
        };
        vec![
            ("nodes", Some(nodes)),
            ("channels", Some(by(forms.channels.to_string()))),
            ("degree", forms.degree.map(|degree| by(range(degree)))),
            ("diameter", Some(diameter)),
            ("average distance", average),
            ("vertex-transitive", Some(symmetric.into())),
            ("cost ratio", self.cost_ratio().map(|c| format!("{c:.3}"))),
        ]
    }

    /// The same for people, below the name.
    pub fn people(&self) -> String {
        let lines = self.lines().into_iter().filter_map(|(name, value)| Some(format!("  {name:20} {}", value?)));
        let first = format!("{}, too large to be built", self.name);
        std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n")
    }

    /// The same for programs.
    pub fn document(&self) -> Value {
        let ClosedForms { nodes, terminals, channels, degree, vertex_transitive, .. } = self.forms;
        json!({
            "name": self.name, "built": false, "nodes": nodes, "terminals": terminals, "channels": channels,
            "degree": degree.map(|(min, max)| json!({"min": min, "max": max})), "diameter": self.diameter().map(|(d, _)| d),
            "diameter_by_closed_form": self.forms.diameter, "farthest_from_node_0": self.radius(),
            "average_distance": self.searched_average().or(self.average()), "vertex_transitive": vertex_transitive, "cost_ratio": self.cost_ratio(),
        })
    }
}
