//! **What:** `compare`: the measures of several networks, or of several schedules, side by side.

use console::args::{CompareArgs, NetworkText};
use console::failure::Failure;
use console::network::load;
use console::network_report::{Document, NetworkReport, lines};
use console::outline::Outline;
use console::output::{say, say_json};
use console::progress;
use console::render::table;
use kernel::Network;
use serde_json::Value;

/// The weight of the degree in the cost ratio, where none is given.
const WEIGHT: f64 = 0.5;

/// A network to compare.
enum Given {
    Built(Network),
    /// Too large to be built.
    Outlined(Outline),
}

/// Names of measures, in the same order for all, and what they are.
pub(super) type Lines = Vec<(&'static str, Option<String>)>;

/// The verb.
pub(crate) fn run(arguments: &CompareArgs) -> Result<u8, Failure> {
    if let Some(files) = super::compare_schedules::files(arguments) {
        return super::compare_schedules::run(arguments, &files);
    }
    let weight = arguments.weight.unwrap_or(WEIGHT);
    if !(0.0..=1.0).contains(&weight) {
        return Err(Failure::input(format!("--weight: {weight} is not a weight of the degree"))
            .hint("write a number from 0, the diameter alone, to 1, the degree alone"));
    }
    let given = |text: &NetworkText| match Outline::of(text, weight) {
        Some(outline) => Ok(Given::Outlined(outline)),
        None => Ok(Given::Built(load(text)?.network)),
    };
    let networks: Vec<Given> = arguments.networks.iter().map(given).collect::<Result<_, Failure>>()?;
    let names = arguments.networks.iter().map(|text| text.to_string());
    let count = progress::Count::new(networks.len(), "networks");
    if arguments.report.json {
        let each = networks.iter().zip(names).enumerate().map(|(at, (network, name))| {
            count.at(at, &name);
            document(network, name, weight)
        });
        let documents = each.collect::<Result<Vec<Value>, Failure>>();
        count.finish();
        say_json(&documents?)?;
        return Ok(0);
    }
    let column = |(at, network): (usize, &Given)| {
        count.at(at, &arguments.networks[at]);
        match network {
            Given::Built(network) => lines(&NetworkReport::new(network).weighing(weight)),
            Given::Outlined(outline) => outline.lines(),
        }
    };
    let columns: Vec<Lines> = networks.iter().enumerate().map(column).collect();
    count.finish();
    say(&side_by_side(names.collect(), &columns)).map(|()| 0)
}

/// A column for each of what is compared, under its name. A network that is not built has fewer measures than others.
pub(super) fn side_by_side(names: Vec<String>, columns: &[Lines]) -> String {
    let row = |first: &str, cells: Vec<String>| std::iter::once(first.to_owned()).chain(cells).collect::<Vec<_>>();
    let mut rows = vec![row("", names)];
    let all: Vec<&str> =
        columns.iter().max_by_key(|column| column.len()).into_iter().flatten().map(|(name, _)| *name).collect();
    for measure in all {
        let of = |column: &Lines| column.iter().find(|(name, _)| *name == measure).and_then(|(_, value)| value.clone());
        let cells: Vec<Option<String>> = columns.iter().map(of).collect();
        // A measure that none of them has says nothing.
        if cells.iter().any(Option::is_some) {
            rows.push(row(measure, cells.into_iter().map(|cell| cell.unwrap_or("–".into())).collect()));
        }
    }
    table(&rows)
}

/// What is known of a network, with the name it was given.
fn document(network: &Given, given: String, weight: f64) -> Result<Value, Failure> {
    let mut document = match network {
        Given::Built(network) => {
            let report = NetworkReport::new(network).weighing(weight);
            serde_json::to_value(Document::new(&report))
                .map_err(|error| Failure::input(format!("cannot write JSON: {error}")))?
        }
        Given::Outlined(outline) => outline.document(),
    };
    document["given"] = given.into();
    Ok(document)
}
