//! **What:** arguments that a registry knows words for: a shell completes them, and other words are refused where they mean nothing.

use super::paths::NetworkText;
use crate::output;
use clap::builder::{OsStringValueParser, PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// A parser whose words are known, but not the only ones.
#[derive(Clone)]
struct Known<P> {
    parser: P,
    words: fn() -> Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for Known<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter().map(PossibleValue::new)))
    }
}

/// A text for which these words are known.
pub(super) fn one_of(words: fn() -> Vec<&'static str>) -> impl TypedValueParser<Value = String> {
    Known { parser: StringValueParser::new(), words }
}

/// NETWORK.
pub(super) fn network_text() -> impl TypedValueParser<Value = NetworkText> {
    Known { parser: OsStringValueParser::new().map(NetworkText::from), words: families }
}

fn families() -> Vec<&'static str> {
    topologies::FAMILIES.iter().map(|family| family.name).collect()
}

pub(super) fn collectives() -> Vec<&'static str> {
    collectives::COLLECTIVES.iter().map(|kind| kind.name).collect()
}

/// Methods of steps, and of time.
pub(super) fn methods() -> Vec<&'static str> {
    let steps = methods::METHODS.iter().map(|method| method.name());
    steps.chain(methods::TIMED_METHODS.iter().map(|method| method.name())).chain(["auto"]).collect()
}

pub(super) fn network_formats() -> Vec<&'static str> {
    formats::network::READERS.iter().map(|reader| reader.name).collect()
}

pub(super) fn schedule_formats() -> Vec<&'static str> {
    exports::SCHEDULE_WRITERS.iter().map(|writer| writer.name).collect()
}

pub(super) fn choices() -> Vec<&'static str> {
    exports::choice::CHOICE_WRITERS.iter().map(|writer| writer.name).collect()
}

pub(super) fn routings() -> Vec<&'static str> {
    routing::ROUTINGS.iter().map(|entry| entry.name).collect()
}

/// Ways of packets in the simulator of flits.
pub(super) fn routes() -> Vec<&'static str> {
    let own = simulate::ROUTES.iter().map(|entry| entry.name);
    let others = routings().into_iter().filter(|name| simulate::ROUTES.iter().all(|entry| entry.name != *name));
    own.chain(others).collect()
}

/// Patterns of traffic there.
pub(super) fn patterns() -> Vec<&'static str> {
    simulate::PATTERNS.iter().map(|pattern| pattern.name).collect()
}

/// A time: a number of seconds, or one with `ms`, `s`, `m` or `h` behind it.
pub(super) fn seconds(text: &str) -> Result<f64, &'static str> {
    const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = UNITS.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, seconds) = unit.unwrap_or((text, 1.0));
    // The words of the standard library, for which others are found where all mistakes are told.
    number.trim_end().parse::<f64>().map(|number| number * seconds).map_err(|_| "invalid float literal")
}

/// The file of an option `-o`.
pub(super) fn output_file() -> impl TypedValueParser<Value = std::path::PathBuf> {
    OsStringValueParser::new().try_map(|text| {
        let path = output::file(text);
        // `-` may begin the name, so that what follows is not taken for a flag; a flag is no file.
        match path.to_str().is_some_and(|name| name.starts_with('-')) && !formats::is_standard_output(&path) {
            true => Err("a file whose name begins with `-` is written as ./-name"),
            false => Ok(path),
        }
    })
}
