//! **What:** whether messages may wait for each other in a circle, as a line and as JSON.

use crate::render;
use kernel::{Channel, Network, Verified};
use routing::Dependencies;
use serde_json::{Value, json};

/// Channels of a cycle shown to people.
const MOST_SHOWN: usize = 24;

/// What the dependencies between channels say.
pub struct Deadlock {
    network: Network,
    channels: usize,
    dependencies: usize,
    cycle: Option<Vec<Channel>>,
    /// Of a schedule: steps that have a cycle by themselves.
    steps: Option<Vec<usize>>,
}

impl Deadlock {
    /// Of dependencies.
    pub fn new(network: &Network, graph: &Dependencies) -> Self {
        Deadlock {
            network: network.clone(),
            channels: graph.channels(),
            dependencies: graph.count(),
            cycle: graph.cycle(),
            steps: None,
        }
    }

    /// Of all transfers of a schedule.
    pub fn of_schedule(schedule: &Verified) -> Self {
        let found = Self::new(schedule.problem().network(), &Dependencies::of_schedule(schedule));
        Deadlock { steps: Some(Dependencies::steps_with_cycles(schedule)), ..found }
    }

    /// Whether there is no cycle.
    pub fn is_free(&self) -> bool {
        self.cycle.is_none()
    }

    /// `{"free", "channels", "dependencies", "cycle": [channels]|null, "nodes": [their nodes]|null, "names": [of these]|null, "steps_with_cycles"}`.
    pub fn json(&self) -> Value {
        let nodes = self.cycle.as_ref().map(|c| c.iter().map(|c| self.network.from(*c).0).collect::<Vec<_>>());
        let cycle = self.cycle.as_ref().map(|cycle| cycle.iter().map(|c| c.0).collect::<Vec<_>>());
        let name = |c: &Channel| self.network.name_of(self.network.from(*c));
        let names = self.cycle.as_ref().map(|cycle| cycle.iter().map(name).collect::<Vec<_>>());
        let mut value = json!({"free": self.is_free(), "channels": self.channels, "dependencies": self.dependencies,
                               "cycle": cycle, "nodes": nodes, "names": names});
        if let (Some(steps), Value::Object(map)) = (&self.steps, &mut value) {
            map.insert("steps_with_cycles".into(), json!(steps));
        }
        value
    }

    /// A line.
    pub fn people(&self) -> String {
        let counts = format!("{} dependencies between {} channels", self.dependencies, self.channels);
        let together = if self.steps.is_some() { "the transfers of all steps together" } else { "messages" };
        let steps = match self.steps.as_deref() {
            None => String::new(),
            Some([]) => "; within a step: none".into(),
            Some(steps) => format!("; within a step: {} steps have a cycle, the first is {}", steps.len(), steps[0]),
        };
        let Some(cycle) = &self.cycle else {
            return format!("deadlock: {together} cannot block each other: the {counts} have no cycle{steps}");
        };
        let channel = |c: &Channel| render::channel(&self.network, *c, ">");
        let shown: Vec<String> = cycle.iter().take(MOST_SHOWN).map(channel).collect();
        let more = if cycle.len() > MOST_SHOWN { " …" } else { "" };
        format!(
            "deadlock: {together} may block each other: the {counts} have a cycle of {}: {}{more}{steps}",
            cycle.len(),
            shown.join(" ")
        )
    }
}
