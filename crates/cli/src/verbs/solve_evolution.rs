//! **What:** the part of `solve` that is about evolutionary methods: their parameters, and what they refuse before a search.

use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::problem::nearest;
use evolution::{EVOLUTION, Evolution, ParameterError, Refusal, parameters_of};
use kernel::Problem;
use run::{Method, Run};

/// The evolutionary engine that `--method` names, with the parameters given; none for other methods.
pub fn chosen(arguments: &SolveArgs) -> Result<Option<Evolution>, Failure> {
    let Some(mut engine) = Evolution::named(&arguments.method) else {
        let names: Vec<&str> = EVOLUTION.iter().map(|e| e.name()).collect();
        let flag = match (arguments.param.is_empty(), &arguments.trace) {
            (false, _) => "--param",
            (true, Some(_)) => "--trace",
            (true, None) => return Ok(None),
        };
        return Err(Failure::input(format!("{flag}: only evolutionary methods have it"))
            .hint(format!("choose one with --method {}", names.join("|"))));
    };
    let method = engine.name();
    for text in &arguments.param {
        let Some((name, value)) = text.split_once('=') else {
            return Err(
                Failure::input(format!("--param: `{text}` has no `=`")).hint("write NAME=VALUE, such as population=50")
            );
        };
        engine.parameters.set(method, name.trim(), value).map_err(|error| {
            let hint = match &error {
                ParameterError::Unknown { .. } => unknown(method, name),
                ParameterError::NoNumber { name, .. } | ParameterError::Range { name, .. } => {
                    let range = parameters_of(method).find(|p| p.name == *name).map(|p| p.range());
                    format!("write {}", range.unwrap_or_else(|| "a number".into()))
                }
            };
            Failure::input(format!("--param: {error}")).hint(hint)
        })?;
    }
    Ok(Some(engine))
}

fn unknown(method: &str, name: &str) -> String {
    match nearest(name, parameters_of(method).map(|p| p.name)) {
        Some(near) => format!("did you mean `{near}`? `quadrille methods` lists all"),
        None => {
            let names: Vec<&str> = parameters_of(method).map(|p| p.name).collect();
            format!("{method} has {}", names.join(", "))
        }
    }
}

/// What the engine cannot do, told before it begins.
pub fn refused(
    engine: &Evolution,
    problem: &Problem,
    (floor, arguments): (u64, &SolveArgs),
    run: &Run<'_>,
) -> Result<(), Failure> {
    if let Some(steps) = arguments.steps.filter(|&steps| steps < floor) {
        return Err(Failure::input(format!("--steps {steps}: no schedule has fewer than {floor} steps"))
            .hint(format!("write {floor} or more, or leave it out")));
    }
    engine.check(problem, run).map_err(|refusal| {
        let hint = match refusal {
            Refusal::Paths { .. } => {
                "--param sample=16 draws some paths a pair; a smaller --slack or --param paths=N also help"
            }
            Refusal::Deliveries { .. } => "choose fewer --senders or --receivers, or --method auto",
            Refusal::NoPath { .. } => "a larger --param radius=N, or --method auto, which may relay",
            Refusal::Model => "--method auto tries all methods that apply",
        };
        Failure::input(format!("--method {}: {refusal}", engine.name())).hint(hint)
    })
}
