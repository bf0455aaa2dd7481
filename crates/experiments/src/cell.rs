//! **What:** a cell of an experiment: all that is the same for its runs.

use evolution::Rules;
use kernel::{Collective, Model, Problem};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One cell: all that is the same for its runs.
#[derive(Clone, Debug)]
pub struct Cell {
    /// `sga`, `umda` or `mboa`.
    pub method: &'static str,
    /// A family with its parameters, or the name of a file.
    pub network: String,
    /// OAS, AAS, OAB or AAB; of an experiment of the user's own any collective.
    pub pattern: String,
    /// The problem, where network and pattern do not say it.
    pub posed: Option<Arc<Problem>>,
    /// Candidates.
    pub population: u32,
    /// The probability of a crossover; `sga` alone has one.
    pub crossover: f64,
    /// The probability of a mutation.
    pub mutation: f64,
    /// Moves of refinement a candidate; 0: the technique as printed.
    pub refine: u32,
    /// The share of genes drawn from the model; 1: the technique as printed. `sga` has no model.
    pub drawn: f64,
    /// Channels a path may be longer than the shortest.
    pub slack: u32,
    /// Steps below the floor, so that no run ends early and conflicts can be compared.
    pub below: u64,
    /// Steps of the schedule, where they are not those of the floor, less `below`.
    pub steps: Option<u64>,
    /// The rules of a generation.
    pub rules: Rules,
    /// Parameters of the method that have no field.
    pub others: BTreeMap<&'static str, f64>,
}

/// What a cell is told apart by.
struct Setting {
    name: &'static str,
    value: String,
}

impl Cell {
    /// With the usual parameters.
    #[must_use]
    pub fn usual(method: &'static str, network: &str, pattern: &str) -> Self {
        Cell {
            method,
            network: network.to_owned(),
            pattern: pattern.to_owned(),
            posed: None,
            population: 100,
            crossover: 0.9,
            mutation: 0.9,
            refine: 100,
            drawn: 0.01,
            slack: 0,
            below: 0,
            steps: None,
            rules: Rules::USUAL,
            others: BTreeMap::new(),
        }
    }

    /// The problem, as text where there is none.
    pub(crate) fn problem(&self) -> Result<Arc<Problem>, String> {
        if let Some(posed) = &self.posed {
            return Ok(Arc::clone(posed));
        }
        let network = topologies::parse(&self.network).map_err(|error| error.to_string())?;
        let t = network.terminals().to_vec();
        let root = *t.first().ok_or("no terminals")?;
        let collective = match self.pattern.as_str() {
            "OAS" => Collective::scatter(root, &t),
            "OAB" => Collective::broadcast(root, &t),
            "AAS" => Collective::alltoall(&t, &t),
            _ => Collective::allgather(&t, &t),
        };
        Problem::new(network, collective, Model::wormhole()).map(Arc::new).map_err(|error| error.to_string())
    }

    /// Steps that a schedule is to have above this floor.
    #[must_use]
    pub fn target(&self, floor: u64) -> u64 {
        self.steps.unwrap_or_else(|| floor.saturating_sub(self.below).max(1))
    }

    /// The parameters that have no field, as `depth=3,radius=2`; `-` where there are none.
    #[must_use]
    pub fn parameters(&self) -> String {
        match self.others.is_empty() {
            true => "-".to_owned(),
            false => self.others.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(","),
        }
    }

    /// Problem and method, and what tells the cell apart from others of these among `cells`.
    #[must_use]
    pub fn name_among(&self, cells: &[Cell]) -> String {
        let apart = self.differences(cells);
        let parameters = if apart.is_empty() { String::new() } else { format!(" with {apart}") };
        format!("{} on {} by {}{parameters}", self.pattern, self.network, self.method)
    }

    /// The parameters by which it differs from cells of the same method and problem.
    pub(crate) fn differences(&self, cells: &[Cell]) -> String {
        let alike =
            |cell: &&Cell| (cell.method, &cell.network, &cell.pattern) == (self.method, &self.network, &self.pattern);
        let others: Vec<Vec<Setting>> = cells.iter().filter(alike).map(Cell::settings).collect();
        let own = self.settings().into_iter().enumerate();
        let apart = own.filter(|(at, own)| others.iter().any(|other| other[*at].value != own.value));
        let told = |(_, own): (usize, Setting)| match own.name {
            "parameters" => own.value.replace('=', " ").replace(',', ", "),
            name => format!("{name} {}", own.value),
        };
        apart.map(told).collect::<Vec<_>>().join(", ")
    }

    fn settings(&self) -> Vec<Setting> {
        let setting = |name, value: String| Setting { name, value };
        vec![
            setting("population", self.population.to_string()),
            setting("crossover", self.crossover.to_string()),
            setting("mutation", self.mutation.to_string()),
            setting("refine", self.refine.to_string()),
            setting("drawn", self.drawn.to_string()),
            setting("slack", self.slack.to_string()),
            setting("rules", self.rules.to_string()),
            setting("parameters", self.parameters()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_named_by_what_differs() {
        let plain = Cell::usual("umda", "ring:8", "OAS");
        let large = Cell { population: 150, refine: 0, ..plain.clone() };
        let deep = Cell { others: BTreeMap::from([("islands", 2.0)]), ..plain.clone() };
        let other = Cell { slack: 1, ..Cell::usual("sga", "ring:8", "OAS") };
        assert_eq!(plain.name_among(&[plain.clone(), other.clone()]), "OAS on ring:8 by umda");
        let cells = [plain.clone(), large.clone(), other];
        assert_eq!(large.name_among(&cells), "OAS on ring:8 by umda with population 150, refine 0");
        assert_eq!(deep.name_among(&[plain, deep.clone()]), "OAS on ring:8 by umda with islands 2");
    }
}
