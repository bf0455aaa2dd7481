//! **What:** a run as a line of a file of tab-separated values.

use crate::Cell;

/// What a line without the columns of rules, and of steps and parameters, means.
const USUAL: &str = "usual";
const NONE: &str = "-";

/// Columns that every file has.
pub(crate) const LEAST_COLUMNS: usize = 17;

/// A run of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The method.
    pub method: String,
    /// The network.
    pub network: String,
    /// The pattern.
    pub pattern: String,
    /// Candidates.
    pub population: u32,
    /// The probability of a crossover.
    pub crossover: f64,
    /// The probability of a mutation.
    pub mutation: f64,
    /// Moves of refinement.
    pub refine: u32,
    /// The share of genes from the model.
    pub drawn: f64,
    /// Channels a path may be longer.
    pub slack: u32,
    /// Rules of a generation; a column that older files do not have: `usual`.
    pub rules: String,
    /// Steps that the schedule was to have.
    pub steps: u64,
    /// The certified floor.
    pub floor: u64,
    /// Seed of random choices.
    pub seed: u64,
    /// Whether it came to a verified schedule.
    pub solved: bool,
    /// Least fitness: conflicts and late deliveries left.
    pub best: u32,
    /// Generations.
    pub generations: u64,
    /// Candidates evaluated.
    pub evaluations: u64,
    /// Seconds of the processor.
    pub seconds: f64,
    /// Steps of its best candidate's schedule, repaired and verified; unknown in older files.
    pub reached: Option<u64>,
    /// Parameters that have no column, as [`Cell::parameters`] writes them.
    pub parameters: String,
}

impl Record {
    /// The names of the columns.
    pub const HEAD: &'static str = "method\tnetwork\tpattern\tpopulation\tcrossover\tmutation\trefine\tdrawn\tslack\tsteps\tfloor\tseed\tsolved\tbest\tgenerations\tevaluations\tseconds\trules\treached\tparameters";

    /// The line.
    #[must_use]
    pub fn line(&self) -> String {
        let Record { method, network, pattern, population, crossover, mutation, refine, drawn, slack, .. } = self;
        let Record { steps, floor, seed, solved, best, generations, evaluations, seconds, rules, parameters, .. } =
            self;
        let reached = self.reached.map_or(NONE.to_owned(), |steps| steps.to_string());
        format!(
            "{method}\t{network}\t{pattern}\t{population}\t{crossover}\t{mutation}\t{refine}\t{drawn}\t{slack}\t{steps}\t{floor}\t{seed}\t{solved}\t{best}\t{generations}\t{evaluations}\t{seconds:.3}\t{rules}\t{reached}\t{parameters}"
        )
    }

    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [method, network, pattern, ..] = fields[..] else { return Err("it has no three columns".into()) };
        Ok(Record {
            method: method.into(),
            network: network.into(),
            pattern: pattern.into(),
            population: field(&fields, 3)?,
            crossover: field(&fields, 4)?,
            mutation: field(&fields, 5)?,
            refine: field(&fields, 6)?,
            drawn: field(&fields, 7)?,
            slack: field(&fields, 8)?,
            steps: field(&fields, 9)?,
            floor: field(&fields, 10)?,
            seed: field(&fields, 11)?,
            solved: field(&fields, 12)?,
            best: field(&fields, 13)?,
            generations: field(&fields, 14)?,
            evaluations: field(&fields, 15)?,
            seconds: field(&fields, 16)?,
            rules: fields.get(17).unwrap_or(&USUAL).to_string(),
            reached: fields.get(18).filter(|text| **text != NONE).map(|_| field(&fields, 18)).transpose()?,
            parameters: fields.get(19).unwrap_or(&NONE).to_string(),
        })
    }

    /// Whether it is a run of this cell.
    #[must_use]
    pub fn is_of(&self, cell: &Cell) -> bool {
        let names = (self.method.as_str(), &self.network, &self.pattern);
        names == (cell.method, &cell.network, &cell.pattern)
            && (self.population, self.refine, self.slack) == (cell.population, cell.refine, cell.slack)
            && (self.crossover, self.mutation, self.drawn) == (cell.crossover, cell.mutation, cell.drawn)
            && self.rules == cell.rules.to_string()
            && (self.steps, &self.parameters) == (cell.target(self.floor), &cell.parameters())
    }
}

fn field<T: std::str::FromStr>(fields: &[&str], at: usize) -> Result<T, String> {
    let name = || Record::HEAD.split('\t').nth(at).unwrap_or_default();
    let text = fields.get(at).ok_or_else(|| format!("it has no column {}", name()))?;
    text.parse().map_err(|_| format!("{}: `{text}`", name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evolution::Rules;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let line =
            "umda\tring:8\tOAS\t100\t0.9\t0.9\t100\t0.01\t0\t4\t4\t1\ttrue\t0\t0\t100\t0.000\tbest+older\t4\tislands=2";
        assert_eq!(Record::parse(line).unwrap().line(), line);
        assert_eq!(Record::parse(line).unwrap().reached, Some(4));
        let before = line.trim_end_matches("\t4\tislands=2");
        assert_eq!(Record::parse(before).unwrap().line(), format!("{before}\t-\t-"));
        // As they were written before there were rules.
        assert_eq!(Record::parse(before.trim_end_matches("\tbest+older")).unwrap().rules, Rules::USUAL.to_string());
        assert_eq!(Record::parse("umda\tring:8\tOAS\tmany").unwrap_err(), "population: `many`");
        assert_eq!(Record::parse("umda\tring:8\tOAS\t1").unwrap_err(), "it has no column crossover");
    }
}
