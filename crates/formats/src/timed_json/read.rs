//! **What:** the reader of schedules in time.

use super::{Document, SWITCHING, links, proof, steps};
use crate::binary::{self, Columns, Opened};
use crate::decimal::{self, Decimal};
use crate::schedule_json::{FORMAT, ORBITS, Source, item, parse_as, provenance, rational, raw};
use crate::{Fault, ReadError, file};
use kernel::orbits::OrbitProblem;
use kernel::timed::{Size, TimedClaim, TimedOrbitError, TimedOrbits, TimedProblem, TimedSchedule, Units};
use kernel::{Collective, Model as Rules, Network, Problem, Rational};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

/// A whole document, as its JSON says it.
#[derive(Deserialize)]
struct Raw {
    format: String,
    #[serde(deserialize_with = "raw::object")]
    network: raw::Network,
    #[serde(deserialize_with = "raw::fields")]
    collective: Map<String, Value>,
    #[serde(deserialize_with = "raw::object")]
    model: Model,
    #[serde(default)]
    generators: Option<Vec<raw::Object<raw::Generator>>>,
    #[serde(default)]
    messages: Option<raw::Messages>,
    #[serde(default)]
    chunk_bytes: Option<Decimal>,
    times: Vec<u64>,
    #[serde(default, deserialize_with = "steps::deserialize")]
    steps: Option<TimedSchedule>,
    #[serde(default)]
    bound: Option<raw::Object<proof::Bound>>,
    #[serde(default)]
    provenance: Option<Value>,
}

/// The field `model`.
#[derive(Deserialize)]
struct Model {
    switching: String,
    tick_us: Decimal,
    #[serde(default)]
    combining: Option<bool>,
}

/// Reads a schedule file in time; `.gz` is decompressed.
///
/// # Errors
/// The first fault found, with file, line, field and offending text.
pub fn read(path: impl AsRef<Path>) -> Result<Document, ReadError> {
    let path = path.as_ref();
    parse(&file::load(path)?, path)
}

/// Reads the text of a schedule file in time; `path` is named in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &[u8], path: &Path) -> Result<Document, ReadError> {
    if binary::is_packed(text) {
        let Opened { header, columns } = binary::open(text, path)?;
        return parse_with(&header, path, Some(columns)).map_err(binary::nowhere);
    }
    parse_with(text, path, None)
}

/// Reads a text; of the binary form the header, with its columns.
fn parse_with(text: &[u8], path: &Path, mut columns: Option<Columns<'_>>) -> Result<Document, ReadError> {
    let mut raw: Raw = parse_as(text, path)?;
    let size = columns.as_ref().map_or(text.len() as u64, |columns| columns.size);
    let source = Source::new(text, path).worth(size);
    let missing = |field| source.at("format", Fault::Missing(field));
    let folded = raw.format == ORBITS;
    if !folded && raw.format != FORMAT {
        let known = "\"quadrille-schedule/1\", \"quadrille-schedule/1+orbits/1\"";
        return Err(source.at("format", Fault::Unknown { known }));
    }
    if raw.model.switching != SWITCHING {
        return Err(source.at("model.switching", Fault::Unknown { known: "\"timed\"" }));
    }
    let links = links::take(&mut raw.network).ok_or_else(|| source.at("network", Fault::Missing("bandwidth")))?;
    let network = source.network(raw.network)?;
    let messages = match &mut columns {
        Some(columns) => columns.messages()?,
        None => raw.messages.ok_or_else(|| missing("messages"))?,
    };
    let (collective, mut parameters) = source.collective(raw.collective, &messages, network.data().nodes)?;
    let bytes = bytes(parameters.remove("bytes"), &source)?;
    let Decimal(tick_us) = raw.model.tick_us;
    let combining = raw.model.combining.unwrap_or(false);
    let steps: TimedSchedule = match columns {
        Some(columns) => columns.steps(&network, &collective)?,
        None => raw.steps.ok_or_else(|| missing("steps"))?,
    };
    let units = |collective: &Collective| -> Result<Units, ReadError> {
        Ok(Units { chunk_bytes: chunk_bytes(collective, raw.chunk_bytes, bytes, &source)?, tick_us })
    };
    let (problem, orbits) = if folded {
        let generators = raw.generators.ok_or_else(|| missing("generators"))?;
        let orbits = orbits(network, collective, combining, generators, &source)?;
        let units = units(orbits.whole().collective())?;
        let orbits = TimedOrbits::new(orbits, links, units).map_err(|error| match error {
            TimedOrbitError::Timed(error) => source.timed(error),
            TimedOrbitError::Translations(error) => source.no_symmetry(error),
            TimedOrbitError::Orbits(error) => source.at("generators", Fault::Orbit(error)),
            error @ TimedOrbitError::CopiesMerged => source.at("network.multicast", Fault::Syntax(error.to_string())),
        })?;
        (orbits.whole().clone(), Some(orbits))
    } else {
        let units = units(&collective)?;
        (TimedProblem::new(network, collective, combining, links, units).map_err(|e| source.timed(e))?, None)
    };
    let count = steps.times().len();
    let schedule = steps.at(raw.times).map_err(|times| {
        let why = format!("has {} entries where {count} are needed, one a step", times.len());
        source.at("times", Fault::Syntax(why))
    })?;
    let claim = TimedClaim { schedule, orbits };
    let bound = raw.bound.map(|raw::Object(bound)| source.timed_certificate(bound)).transpose()?;
    let provenance = raw.provenance.map(provenance).unwrap_or_default();
    Ok(Document { problem, claim, bound, bytes, provenance, parameters })
}

/// Representatives with a symmetry that shifts nothing.
fn orbits(
    network: Network,
    collective: Collective,
    combining: bool,
    generators: Vec<raw::Object<raw::Generator>>,
    source: &Source<'_>,
) -> Result<OrbitProblem, ReadError> {
    let shifts = |raw::Object(generator): &raw::Object<raw::Generator>| generator.shift.is_some_and(|shift| shift > 0);
    if let Some(at) = generators.iter().position(shifts) {
        let why = "shifts time, which no symmetry of a schedule in time does".into();
        return Err(source.refuse(&item("generators", at), Fault::Syntax(why)));
    }
    let model = Rules { combining, ..Rules::wormhole() };
    let representatives = Problem::new(network, collective, model).map_err(|error| source.problem(error))?;
    source.folded(representatives, generators)
}

/// The bytes of a message, which a file says, or the size of its collective.
fn chunk_bytes(
    collective: &Collective,
    said: Option<Decimal>,
    bytes: Option<Rational>,
    source: &Source<'_>,
) -> Result<Rational, ReadError> {
    match (said, bytes, Size::of(collective)) {
        (Some(Decimal(chunk)), Some(bytes), Some(size)) if !is_multiple(bytes, size.messages, chunk) => {
            let why = format!("is not {} messages of {chunk} bytes, which `chunk_bytes` says", size.messages);
            Err(source.at("collective.bytes", Fault::Syntax(why)))
        }
        (Some(Decimal(chunk)), ..) => Ok(chunk),
        (None, Some(bytes), Some(size)) => divided(bytes, size.messages)
            .ok_or_else(|| source.at("collective.bytes", Fault::Syntax("is too fine for 64 bits".into()))),
        (None, ..) => Err(source.at("format", Fault::Missing("chunk_bytes"))),
    }
}

/// The field `collective.bytes`.
fn bytes(value: Option<Value>, source: &Source<'_>) -> Result<Option<Rational>, ReadError> {
    let number = match &value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => decimal::decimal(&number.to_string()),
        Some(Value::String(text)) => rational(text),
        Some(_) => None,
    };
    let number = number.filter(|number| number.numerator > 0 && number.denominator > 0);
    let why = || Fault::Syntax("is not a number of bytes above 0".into());
    number.map(Some).ok_or_else(|| source.at("collective.bytes", why()))
}

/// Whether `whole` is so many times `part`.
fn is_multiple(whole: Rational, times: u64, part: Rational) -> bool {
    let product =
        |factors: [u64; 3]| factors.iter().try_fold(1u128, |product, factor| product.checked_mul(u128::from(*factor)));
    let left = product([whole.numerator, part.denominator, 1]);
    left.is_some() && left == product([part.numerator, times, whole.denominator])
}

fn divided(whole: Rational, by: u64) -> Option<Rational> {
    let part = Rational::new(whole.numerator, by);
    Some(Rational::new(part.numerator, part.denominator.checked_mul(whole.denominator)?))
}
