//! **What:** `methods`: what makes schedules. Engines search, those of the portfolio and the evolutionary ones alike;
//! constructions write down closed forms of alltoall.

use crate::cli::args::MethodsArgs;
use crate::cli::failure::Failure;
use crate::cli::output::{say, say_json};
use crate::cli::problem::nearest;
use crate::cli::registries::table;
use constructions::broadcast::{BROADCASTS, Broadcast};
use constructions::{CONSTRUCTIONS, Construction, HOP_CONSTRUCTIONS, HopConstruction};
use kernel::Switching;
use serde_json::{Value, json};
use solve::evolution::{EVOLUTION, PARAMETERS, Parameter, parameters_of};
use solve::{ENGINES, Engine};

/// A method of either kind.
enum Method {
    Engine(&'static dyn Engine),
    Construction(&'static Construction),
    Hopwise(&'static HopConstruction),
    Broadcast(&'static Broadcast),
}

/// What every engine takes, for people.
const FLAGS: &str = "--seed, --time, --ticks, --steps, --slack and --threads";

/// The verb.
pub fn run(arguments: &MethodsArgs) -> Result<u8, Failure> {
    let text = match &arguments.name {
        Some(name) => {
            let method = named(name)?;
            if arguments.form.json {
                return say_json(&method.json()).map(|()| 0);
            }
            method.describe()
        }
        None if arguments.form.json => {
            return say_json(&all().map(|m| m.json()).collect::<Vec<_>>()).map(|()| 0);
        }
        None => overview(),
    };
    say(&text).map(|()| 0)
}

fn all() -> impl Iterator<Item = Method> {
    let engines = ENGINES.iter().chain(EVOLUTION).map(|e| Method::Engine(*e));
    let constructions = CONSTRUCTIONS.iter().map(|c| Method::Construction(c));
    let hopwise = HOP_CONSTRUCTIONS.iter().map(|c| Method::Hopwise(c));
    engines.chain(constructions).chain(hopwise).chain(BROADCASTS.iter().map(|c| Method::Broadcast(c)))
}

fn named(name: &str) -> Result<Method, Failure> {
    all().find(|m| m.name() == name).ok_or_else(|| {
        let names: Vec<&str> = all().map(|m| m.name()).collect();
        Failure::input(format!("`{name}` is no method")).hint(match nearest(name, names.into_iter()) {
            Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
            None => "`quadrille methods` lists all".into(),
        })
    })
}

fn switching(construction: &HopConstruction) -> &'static str {
    if construction.switching == Switching::Wormhole { "wormhole" } else { "store-and-forward" }
}

impl Method {
    fn name(&self) -> &'static str {
        match self {
            Method::Engine(engine) => engine.name(),
            Method::Construction(form) => form.name,
            Method::Hopwise(form) => form.name,
            Method::Broadcast(form) => form.name,
        }
    }

    fn row(&self) -> Vec<String> {
        match self {
            Method::Engine(e) => vec![e.name().into(), e.about().into(), format!("[{}]", e.source())],
            Method::Construction(c) => {
                vec![c.name.into(), format!("alltoall: {}; {} steps", c.about, c.promise), format!("[{}]", c.source)]
            }
            Method::Hopwise(c) => {
                let about = format!("alltoall, {}: {}; {}", switching(c), c.about, c.promise);
                vec![c.name.into(), about, format!("[{}]", c.source)]
            }
            Method::Broadcast(c) => {
                let about = format!("broadcast of X messages, store-and-forward: {}; {} steps", c.about, c.promise);
                vec![c.name.into(), about, format!("[{}]", c.source)]
            }
        }
    }

    fn json(&self) -> Value {
        match self {
            Method::Engine(e) => json!({
                "name": e.name(), "about": e.about(), "source": e.source(), "kind": "engine",
                "portfolio": ENGINES.iter().any(|known| known.name() == e.name()),
                "parameters": parameters_of(e.name()).map(parameter).collect::<Vec<_>>(),
            }),
            Method::Construction(c) => json!({
                "name": c.name, "about": c.about, "source": c.source, "kind": "construction", "steps": c.promise,
            }),
            Method::Hopwise(c) => json!({
                "name": c.name, "about": c.about, "source": c.source, "kind": "construction", "steps": c.promise,
                "switching": switching(c),
            }),
            Method::Broadcast(c) => json!({
                "name": c.name, "about": c.about, "source": c.source, "kind": "construction", "steps": c.promise,
                "switching": "store-and-forward",
            }),
        }
    }

    fn describe(&self) -> String {
        match self {
            Method::Engine(e) => {
                let tried = match ENGINES.iter().any(|known| known.name() == e.name()) {
                    true => "one of those that --method auto tries",
                    false => "only with --method, never tried by --method auto",
                };
                let parameters: Vec<_> = parameters_of(e.name()).map(line).collect();
                let knobs = match parameters.is_empty() {
                    true => format!("no parameters of its own; it heeds {FLAGS}"),
                    false => format!(
                        "parameters, for --param NAME=VALUE, with defaults (it also heeds {FLAGS}):\n{}",
                        table(&parameters)
                    ),
                };
                format!("{}: {}\n  source: {}\n  use: {tried}\n  {knobs}", e.name(), e.about(), e.source())
            }
            Method::Construction(c) => format!(
                "{}: a closed form of alltoall, {}\n  source: {}\n  steps: {}\n  use: found by the network's name; it searches nothing and has no parameters",
                c.name, c.about, c.source, c.promise
            ),
            Method::Hopwise(c) => format!(
                "{}: alltoall under store-and-forward, {}\n  source: {}\n  steps: {}\n  use: {}; it searches nothing and has no parameters",
                c.name,
                c.about,
                c.source,
                c.promise,
                if c.is_usual { "found by the network's name" } else { "only with --method" }
            ),
            Method::Broadcast(c) => format!(
                "{}: broadcast of X messages (--chunks X) under store-and-forward, {}\n  source: {}\n  steps: {}\n  use: found by the network's name; it searches nothing and has no parameters",
                c.name, c.about, c.source, c.promise
            ),
        }
    }
}

fn overview() -> String {
    let methods = table(&all().map(|m| m.row()).collect::<Vec<_>>());
    let parameters = PARAMETERS.iter().map(|p| {
        let mut line = line(p);
        line.insert(2, p.methods.join(" "));
        line
    });
    format!(
        "{methods}\n\nParameters of evolutionary methods, for --param NAME=VALUE, with defaults:\n{}",
        table(&parameters.collect::<Vec<_>>())
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
