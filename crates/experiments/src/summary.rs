//! **What:** what the runs of each cell came to, with standard deviations, and the table of it as CSV.

use crate::{Cell, Record, printed_success};

/// A mean over runs, and their standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the sample (divided by one run less); nothing of a single run.
    pub deviation: Option<f64>,
}

impl Statistic {
    /// Of these values; nothing where there are none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
        (!values.is_empty()).then_some(Statistic { mean, deviation })
    }

    /// As `12.5 ± 3.1`.
    #[must_use]
    pub fn text(&self, places: usize) -> String {
        let Statistic { mean, deviation } = self;
        match deviation {
            Some(deviation) => format!("{mean:.places$} ± {deviation:.places$}"),
            None => format!("{mean:.places$}"),
        }
    }
}

/// What the runs of a cell came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The cell.
    pub cell: Cell,
    /// Steps that the schedule was to have.
    pub steps: u64,
    /// The certified floor.
    pub floor: u64,
    /// Runs.
    pub runs: u64,
    /// Runs that came to a verified schedule.
    pub solved: u64,
    /// The least and the largest number of steps of the runs' repaired schedules, where it is known.
    pub reached: Option<Reached>,
    /// Conflicts and late deliveries left.
    pub left: Statistic,
    /// Generations.
    pub generations: Statistic,
    /// Candidates, of all runs.
    pub evaluations: Statistic,
    /// Candidates of the runs that came to a schedule alone.
    pub solved_evaluations: Option<Statistic>,
    /// Seconds of the processor.
    pub seconds: Statistic,
}

/// Steps of schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The fewest.
    pub least: u64,
    /// The most.
    pub most: u64,
}

impl std::fmt::Display for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.least == self.most {
            true => write!(f, "{}", self.least),
            false => write!(f, "{}-{}", self.least, self.most),
        }
    }
}

/// What the runs of each of these cells came to, those without runs left out.
#[must_use]
pub fn summaries(cells: &[Cell], records: &[Record]) -> Vec<Summary> {
    let of = |cell: &Cell| {
        let runs: Vec<&Record> = records.iter().filter(|record| record.is_of(cell)).collect();
        let first = runs.first()?;
        let all = |value: fn(&Record) -> f64| Statistic::of(&runs.iter().map(|run| value(run)).collect::<Vec<_>>());
        let solved: Vec<f64> = runs.iter().filter(|run| run.solved).map(|run| run.evaluations as f64).collect();
        let reached: Option<Vec<u64>> = runs.iter().map(|run| run.reached).collect();
        Some(Summary {
            cell: cell.clone(),
            steps: first.steps,
            floor: first.floor,
            runs: runs.len() as u64,
            solved: solved.len() as u64,
            reached: reached.and_then(|steps| {
                Some(Reached { least: steps.iter().copied().min()?, most: steps.iter().copied().max()? })
            }),
            left: all(|run| f64::from(run.best))?,
            generations: all(|run| run.generations as f64)?,
            evaluations: all(|run| run.evaluations as f64)?,
            solved_evaluations: Statistic::of(&solved),
            seconds: all(|run| run.seconds)?,
        })
    };
    cells.iter().filter_map(of).collect()
}

/// The same as comma-separated values with a line of names; what is not known is empty.
#[must_use]
pub fn csv(rows: &[Summary]) -> String {
    let mut text = "method,network,pattern,population,crossover,mutation,refine,drawn,slack,rules,parameters,steps,bound,runs,solved,printed_success,reached_least,reached_most".to_owned();
    for name in ["left", "generations", "evaluations", "solved_evaluations", "seconds"] {
        text.push_str(&format!(",{name},{name}_deviation"));
    }
    for row in rows {
        let c = &row.cell;
        let known = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let mut fields = vec![c.method.to_owned(), quoted(&c.network), quoted(&c.pattern), c.population.to_string()];
        fields.extend([c.crossover, c.mutation].map(|value| value.to_string()));
        fields.extend([c.refine.to_string(), c.drawn.to_string(), c.slack.to_string(), c.rules.to_string()]);
        fields.push(quoted(&c.parameters()));
        fields.extend([row.steps, row.floor, row.runs, row.solved].map(|number| number.to_string()));
        fields.push(known(printed_success(c).map(u64::from)));
        fields.extend([row.reached.map(|r| r.least), row.reached.map(|r| r.most)].map(known));
        let statistics = [row.left, row.generations, row.evaluations].map(Some);
        for statistic in statistics.into_iter().chain([row.solved_evaluations, Some(row.seconds)]) {
            let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
            fields.push(number(statistic.map(|s| s.mean)));
            fields.push(number(statistic.and_then(|s| s.deviation)));
        }
        text.push('\n');
        text.push_str(&fields.join(","));
    }
    text.push('\n');
    text
}

/// In quotes where it has a comma or a quote in it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_a_sample() {
        let statistic = Statistic::of(&[2.0, 4.0, 6.0]).unwrap();
        assert_eq!((statistic.text(1), Statistic::of(&[])), ("4.0 ± 2.0".to_owned(), None));
        assert_eq!(Statistic::of(&[7.0]).unwrap().text(0), "7");
    }

    #[test]
    fn a_table_has_as_many_fields_in_every_line() {
        let cell = Cell::usual("umda", "torus:4x4", "OAS");
        let line = "umda\ttorus:4x4\tOAS\t100\t0.9\t0.9\t100\t0.01\t0\t4\t4\t1\ttrue\t0\t0\t100\t0.000\tusual\t4\t-";
        let rows = summaries(&[cell], &[Record::parse(line).unwrap()]);
        let text = csv(&rows);
        let counts: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(counts, [28, 28], "{text}");
        assert_eq!(quoted("kautz:3,2"), "\"kautz:3,2\"");
    }
}
