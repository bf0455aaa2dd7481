//! **What:** `methods`: everything that makes schedules, one line each, or one of them described.

use console::args::MethodsArgs;
use console::failure::Failure;
use console::output::{say, say_json};
use console::render::{short_lines, table};
use evolution::{PARAMETERS, Parameter, parameters_of};
use methods::{METHODS, TIMED_METHODS, method, timed_method};
use run::{Method, TimedMethod};
use serde_json::{Value, json};
use topologies::nearest;

/// What every search heeds, for people.
const FLAGS: &str = "--seed, --time, --ticks, --steps, --slack and --threads";

/// The verb.
pub(crate) fn run(arguments: &MethodsArgs) -> Result<u8, Failure> {
    let text = match &arguments.name {
        Some(name) if timed_method(name).is_some_and(|_| method(name).is_none()) => {
            let method = timed_method(name).expect("it was found a line before");
            match arguments.report.json {
                true => return say_json(&timed_document(method)).map(|()| 0),
                false => describe_timed(method),
            }
        }
        Some(name) => {
            let method = named(name)?;
            if arguments.report.json {
                return say_json(&document(method)).map(|()| 0);
            }
            describe(method)
        }
        None if arguments.report.json => {
            let of_steps = METHODS.iter().map(|m| document(*m));
            let all = of_steps.chain(TIMED_METHODS.iter().map(|m| timed_document(*m)));
            return say_json(&all.collect::<Vec<_>>()).map(|()| 0);
        }
        None => overview(),
    };
    say(&text).map(|()| 0)
}

fn named(name: &str) -> Result<&'static dyn Method, Failure> {
    method(name).ok_or_else(|| {
        let names = METHODS.iter().map(|m| m.name()).chain(TIMED_METHODS.iter().map(|m| m.name()));
        Failure::input(format!("`{name}` is not a method")).hint(match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
            None => "`quadrille methods` lists all".into(),
        })
    })
}

fn row(method: &&dyn Method) -> Vec<String> {
    vec![method.name().into(), method.about().to_owned()]
}

fn document(method: &dyn Method) -> Value {
    let own = constructions::parameter_of(method.name());
    let own = own.map(|(name, about)| json!({"name": name, "about": about, "from": 1, "whole": true}));
    json!({
        "name": method.name(), "aliases": method.aliases(), "about": method.about(), "source": method.source(),
        "kind": if method.promise().is_some() { "construction" } else { "engine" },
        "steps": method.promise(), "portfolio": method.is_automatic(),
        "parameters": parameters_of(method.name()).map(parameter).chain(own).collect::<Vec<_>>(),
    })
}

fn describe(method: &dyn Method) -> String {
    let mut lines = vec![format!("{}: {}", method.name(), method.about())];
    if !method.aliases().is_empty() {
        lines.push(format!("  also called: {}", method.aliases().join(", ")));
    }
    lines.push(format!("  source: {}", method.source()));
    if let Some(steps) = method.promise() {
        lines.push(format!("  steps: {steps}"));
    }
    let tried = match method.is_automatic() {
        true => "one of those that --method auto tries",
        false => "only with --method, never tried by --method auto",
    };
    lines.push(format!("  use: {tried}"));
    let parameters: Vec<_> = parameters_of(method.name()).map(line).collect();
    lines.push(match (method.promise(), parameters.is_empty()) {
        (Some(_), _) => match constructions::parameter_of(method.name()) {
            Some((name, about)) => format!("  parameter, for --param {name}=VALUE: {about}"),
            None => "  it searches nothing and has no parameters".to_owned(),
        },
        (None, true) => format!("  no parameters of its own; it uses {FLAGS}"),
        (None, false) => {
            let all = table(&parameters);
            format!("  parameters, for --param NAME=VALUE, with defaults (it also uses {FLAGS}):\n{all}")
        }
    });
    lines.join("\n")
}

fn timed_document(method: &dyn TimedMethod) -> Value {
    json!({
        "name": method.name(), "aliases": [], "about": method.about(), "source": method.source(),
        "kind": "timed", "steps": null, "portfolio": true, "parameters": [],
    })
}

fn describe_timed(method: &dyn TimedMethod) -> String {
    let tried = match method.is_baseline() {
        false => "with --bytes, one of those that --method auto tries",
        true => "with --bytes, the first that --method auto tries: what libraries do",
    };
    format!("{}: {}\n  source: {}\n  use: {tried}", method.name(), method.about(), method.source())
}

fn overview() -> String {
    let methods = short_lines(&METHODS.iter().map(row).collect::<Vec<_>>());
    let timed_row = |m: &&dyn TimedMethod| vec![m.name().into(), m.about().into()];
    let timed = short_lines(&TIMED_METHODS.iter().map(timed_row).collect::<Vec<_>>());
    let parameters = PARAMETERS.iter().map(|p| {
        let mut line = line(p);
        line.insert(2, p.methods.join(" "));
        line
    });
    format!(
        "{methods}\n\nWith --bytes, which minimises microseconds:\n{timed}\n\nParameters of evolutionary methods, for --param NAME=VALUE, with defaults:\n{}\n\n\
         `quadrille methods NAME` describes one: its promise, source and parameters.",
        short_lines(&parameters.collect::<Vec<_>>())
    )
}

/// Name, default, meaning and range.
fn line(p: &Parameter) -> Vec<String> {
    let default = format!("{}", (p.default * 1e4).round() / 1e4);
    vec![format!("  {}", p.name), default, p.about.into(), format!("({})", p.range())]
}

fn parameter(p: &Parameter) -> Value {
    json!({"name": p.name, "about": p.about, "from": p.from, "to": p.to, "default": p.default, "whole": p.whole})
}
