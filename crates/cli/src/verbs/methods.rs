//! **What:** `methods`: what makes schedules. Engines search, those of the portfolio and the evolutionary ones alike;
//! constructions write down closed forms of alltoall.

use crate::args::MethodsArgs;
use crate::failure::Failure;
use crate::output::{say, say_json};
use crate::problem::nearest;
use crate::registries::table;
use constructions::broadcast::{BROADCASTS, Broadcast};
use constructions::{CONSTRUCTIONS, Construction, HOP_CONSTRUCTIONS, HopConstruction};
use evolution::{EVOLUTION, PARAMETERS, Parameter, parameters_of};
use kernel::Switching;
use methods::METHODS;
use run::Method;
use serde_json::{Value, json};

/// A method of either kind.
enum Entry {
    Engine(&'static dyn Method),
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

fn all() -> impl Iterator<Item = Entry> {
    let engines = METHODS.iter().chain(EVOLUTION).map(|e| Entry::Engine(*e));
    let constructions = CONSTRUCTIONS.iter().map(|c| Entry::Construction(c));
    let hopwise = HOP_CONSTRUCTIONS.iter().map(|c| Entry::Hopwise(c));
    engines.chain(constructions).chain(hopwise).chain(BROADCASTS.iter().map(|c| Entry::Broadcast(c)))
}

fn named(name: &str) -> Result<Entry, Failure> {
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

impl Entry {
    fn name(&self) -> &'static str {
        match self {
            Entry::Engine(engine) => engine.name(),
            Entry::Construction(form) => form.name,
            Entry::Hopwise(form) => form.name,
            Entry::Broadcast(form) => form.name,
        }
    }

    fn row(&self) -> Vec<String> {
        match self {
            Entry::Engine(e) => vec![e.name().into(), e.about().into(), format!("[{}]", e.source())],
            Entry::Construction(c) => {
                vec![c.name.into(), format!("alltoall: {}; {} steps", c.about, c.promise), format!("[{}]", c.source)]
            }
            Entry::Hopwise(c) => {
                let about = format!("alltoall, {}: {}; {}", switching(c), c.about, c.promise);
                vec![c.name.into(), about, format!("[{}]", c.source)]
            }
            Entry::Broadcast(c) => {
                let about = format!("broadcast of X messages, store-and-forward: {}; {} steps", c.about, c.promise);
                vec![c.name.into(), about, format!("[{}]", c.source)]
            }
        }
    }

    fn json(&self) -> Value {
        match self {
            Entry::Engine(e) => json!({
                "name": e.name(), "about": e.about(), "source": e.source(), "kind": "engine",
                "portfolio": METHODS.iter().any(|known| known.name() == e.name()),
                "parameters": parameters_of(e.name()).map(parameter).collect::<Vec<_>>(),
            }),
            Entry::Construction(c) => json!({
                "name": c.name, "about": c.about, "source": c.source, "kind": "construction", "steps": c.promise,
            }),
            Entry::Hopwise(c) => json!({
                "name": c.name, "about": c.about, "source": c.source, "kind": "construction", "steps": c.promise,
                "switching": switching(c),
            }),
            Entry::Broadcast(c) => json!({
                "name": c.name, "about": c.about, "source": c.source, "kind": "construction", "steps": c.promise,
                "switching": "store-and-forward",
            }),
        }
    }

    fn describe(&self) -> String {
        match self {
            Entry::Engine(e) => {
                let tried = match METHODS.iter().any(|known| known.name() == e.name()) {
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
            Entry::Construction(c) => format!(
                "{}: a closed form of alltoall, {}\n  source: {}\n  steps: {}\n  use: found by the network's name; it searches nothing and has no parameters",
                c.name, c.about, c.source, c.promise
            ),
            Entry::Hopwise(c) => format!(
                "{}: alltoall under store-and-forward, {}\n  source: {}\n  steps: {}\n  use: {}; it searches nothing and has no parameters",
                c.name,
                c.about,
                c.source,
                c.promise,
                if c.is_usual { "found by the network's name" } else { "only with --method" }
            ),
            Entry::Broadcast(c) => format!(
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
