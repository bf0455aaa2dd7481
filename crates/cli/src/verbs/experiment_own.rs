//! **What:** the cells of an experiment of the user's own: networks × collectives × methods × values of parameters.

use super::solve::refused_parameter;
use collectives::Selection;
use console::args::ExperimentArgs;
use console::failure::Failure;
use console::network::{self, LoadedNetwork};
use console::{lists, problem};
use evolution::{EVOLUTION, Evolution, PARAMETERS, Parameter};
use experiments::Cell;
use kernel::{Model, Node, Problem};
use std::sync::Arc;

/// The dissertation's abbreviations, under which its tables know these collectives.
const ABBREVIATIONS: [(&str, &str); 4] =
    [("scatter", "OAS"), ("broadcast", "OAB"), ("alltoall", "AAS"), ("allgather", "AAB")];

/// Values of a parameter that are to be tried.
struct Varied {
    parameter: &'static Parameter,
    values: Vec<f64>,
}

/// The cells that the arguments ask for.
pub(super) fn cells(arguments: &ExperimentArgs) -> Result<Vec<Cell>, Failure> {
    if arguments.full {
        return Err(Failure::input("--full: the dissertation's scale is that of its own experiments")
            .hint("--runs N and --generations N choose that of `own`"));
    }
    if arguments.network.is_empty() || arguments.collective.is_empty() {
        return Err(Failure::input("own: an experiment of your own has networks and collectives")
            .hint("--network hypercube:3 --collective AAS, for example"));
    }
    let methods = methods(&arguments.method)?;
    let mut varied = arguments.param.iter().map(|text| varied(text, &methods)).collect::<Result<Vec<_>, _>>()?;
    if let Some(generations) = arguments.generations {
        // Runs of other lengths are other cells, so that none is taken for another.
        varied.push(varied_by("generations", &generations.to_string(), &methods)?);
    }
    let mut cells = Vec::new();
    for text in &arguments.network {
        let given = network::load(text)?;
        for name in &arguments.collective {
            let kind = problem::collective(name)?;
            let selection = selection(arguments, &given)?;
            let collective = kind.build(&selection).map_err(|error| problem::misfit(kind, &error))?;
            let posed = Problem::new(given.network.clone(), collective, Model::wormhole())
                .map_err(|error| Failure::input(format!("{}: {error}", &**text)).hint("name another network"))?;
            let posed = Arc::new(posed);
            let pattern = pattern(kind.name, &selection);
            for method in &methods {
                let cell = Cell {
                    posed: Some(Arc::clone(&posed)),
                    slack: arguments.slack.unwrap_or(0),
                    steps: arguments.steps,
                    ..Cell::usual(method, text, &pattern)
                };
                cells.extend(with_values(cell, &varied));
            }
        }
    }
    Ok(cells)
}

/// Who takes part.
fn selection<'a>(arguments: &ExperimentArgs, given: &'a LoadedNetwork) -> Result<Selection<'a>, Failure> {
    let network = &given.network;
    let list = |flag, text: &Option<String>| -> Result<Option<Vec<Node>>, Failure> {
        text.as_ref().map(|text| lists::terminals(network, flag, text)).transpose()
    };
    Ok(Selection {
        root: arguments.root.as_ref().map(|text| lists::terminal(network, "--root", text)).transpose()?,
        senders: list("--senders", &arguments.senders)?,
        receivers: list("--receivers", &arguments.receivers)?,
        default_senders: given.senders.clone(),
        default_receivers: given.receivers.clone(),
        ..Selection::of(network)
    })
}

/// What lines and tables call a collective: with who takes part, so that runs of others are not taken for its own.
fn pattern(collective: &str, selection: &Selection<'_>) -> String {
    let short = ABBREVIATIONS.iter().find(|(name, _)| *name == collective).map_or(collective, |(_, short)| short);
    let root = selection.root.map(|root| vec![root]);
    let parts = [("root", &root), ("senders", &selection.senders), ("receivers", &selection.receivers)];
    let told = parts.iter().filter_map(|(what, nodes)| {
        // It stands in names of files and in columns.
        nodes.as_ref().map(|nodes| format!("-{what}-{}", lists::ranges(nodes).replace(',', "+")))
    });
    std::iter::once(short.to_owned()).chain(told).collect()
}

/// The methods of these names; all where there are none.
fn methods(given: &[String]) -> Result<Vec<&'static str>, Failure> {
    let all: Vec<&'static str> = EVOLUTION.iter().map(|method| method.name()).collect();
    let known = |text: &String| {
        all.iter().copied().find(|name| name == text).ok_or_else(|| {
            Failure::input(format!("--method: `{text}` is not an evolutionary method"))
                .hint(format!("there are {}", all.join(", ")))
        })
    };
    match given.is_empty() {
        true => Ok(all.clone()),
        false => given.iter().map(known).collect(),
    }
}

fn varied(text: &str, methods: &[&'static str]) -> Result<Varied, Failure> {
    let (name, values) = text.split_once('=').ok_or_else(|| {
        Failure::input(format!("--param: `{text}` has no `=`"))
            .hint("write NAME=VALUE or NAME=VALUE,VALUE, such as population=50,100")
    })?;
    varied_by(name.trim(), values, methods)
}

/// Values that the first of the methods which has the parameter takes.
fn varied_by(name: &str, values: &str, methods: &[&'static str]) -> Result<Varied, Failure> {
    let first = methods.first().copied().unwrap_or_default();
    let parameter = PARAMETERS.iter().find(|p| p.name == name);
    let method =
        parameter.and_then(|p| methods.iter().copied().find(|method| p.methods.contains(method))).unwrap_or(first);
    let mut evolution = Evolution::named(method).ok_or_else(|| Failure::input("--method: none is named"))?;
    let mut taken = Vec::new();
    for value in values.split(',') {
        let set = evolution.parameters.set(method, name, value.trim());
        set.map_err(|error| refused_parameter(&error, method))?;
        taken.extend(parameter.map(|p| evolution.parameters.get(p)));
    }
    // What a method sets has been found in the table.
    let parameter = parameter.ok_or_else(|| Failure::input(format!("--param: `{name}` is not a parameter")))?;
    Ok(Varied { parameter, values: taken })
}

/// A cell for each choice of the values that its method takes.
fn with_values(cell: Cell, varied: &[Varied]) -> Vec<Cell> {
    let method = cell.method;
    let mut cells = vec![cell];
    for Varied { parameter, values } in varied.iter().filter(|v| v.parameter.methods.contains(&method)) {
        let each = |cell: &Cell| values.iter().map(|value| with_value(cell, parameter, *value)).collect::<Vec<_>>();
        cells = cells.iter().flat_map(each).collect();
    }
    cells
}

fn with_value(cell: &Cell, parameter: &'static Parameter, value: f64) -> Cell {
    let mut cell = cell.clone();
    // Whole numbers, within the ranges of the table.
    let whole = value as u32;
    match parameter.name {
        "population" => cell.population = whole,
        "refine" => cell.refine = whole,
        "crossover" => cell.crossover = value,
        "mutation" => cell.mutation = value,
        "drawn" => cell.drawn = value,
        name => {
            cell.others.insert(name, value);
        }
    }
    cell
}
