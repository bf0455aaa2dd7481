//! **What:** what people should know of `scan` and `exscan` without combining: every prefix travels by itself.

use bounds::simplest;
use kernel::{Certified, Model, Problem, certify};
use run::{Run, Settings, Silent};
use std::sync::atomic::AtomicBool;

/// One sentence for a problem of prefixes in which no transfer carries several; `None` for others.
///
/// Textbook algorithms (recursive doubling) send in one message a partial result that is part of several prefixes.
pub fn note(problem: &Problem) -> Option<String> {
    let (name, model) = (problem.collective().name(), problem.model());
    if model.combining || !["scan", "exscan"].contains(&name) {
        return None;
    }
    let shared = shared_floor(problem).map_or(String::new(), |floor| format!(" (lower bound {})", floor.steps()));
    Some(format!(
        "here each prefix is a separate chunk and a transfer carries one chunk; --combining lets prefixes share partial results{shared}"
    ))
}

/// The bound where prefixes share transfers: how fast contributions can spread.
fn shared_floor(problem: &Problem) -> Option<Certified> {
    let model = Model { combining: true, ..problem.model() };
    let combined = Problem::new(problem.network().clone(), problem.collective().clone(), model).ok()?;
    let stop = AtomicBool::new(false);
    let claim = simplest(&combined, &Run::new(Settings::default(), &Silent, &stop));
    certify(&combined, claim).ok()
}
