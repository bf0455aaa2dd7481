//! **What:** the parameters of the evolutionary engines, by name, with ranges and defaults.
//!
//! **Facts:** `population`, `crossover`, `mutation` and `generations` have the values of the dissertation's comparison of
//! scalability (section 7.4); `replaced`, `parents` and `model-every` those of section 7.1. `radius` 0 is the rule of
//! section 6.5.5, except that one message may reach any distance. Islands, sampling and restarts are not in the
//! dissertation: their defaults leave them out. `drawn` and `refine` are not either, and their defaults use them: with 1 and
//! 0 the technique is the one printed there, which fails more often and takes longer.

use std::fmt;

/// One parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The least value.
    pub from: f64,
    /// The greatest value.
    pub to: f64,
    /// Used where nothing is given.
    pub default: f64,
    /// Whether it must be a whole number.
    pub whole: bool,
    /// The methods that take it.
    pub methods: &'static [&'static str],
}

const ALL: &[&str] = &["sga", "umda", "mboa"];
const MODELS: &[&str] = &["umda", "mboa"];

const fn whole(name: &'static str, from: f64, to: f64, default: f64, about: &'static str) -> Parameter {
    Parameter { name, about, from, to, default, whole: true, methods: ALL }
}

const fn share(name: &'static str, from: f64, to: f64, default: f64, about: &'static str) -> Parameter {
    Parameter { name, about, from, to, default, whole: false, methods: ALL }
}

/// Every parameter of every evolutionary method.
#[rustfmt::skip]
pub const PARAMETERS: &[Parameter] = &[
    whole("population", 2.0, 1e5, 100.0, "candidates at a time (50 to 200 advised)"),
    share("mutation", 0.0, 1.0, 0.9, "probability that a new candidate is mutated"),
    Parameter { methods: &["sga"], ..share("crossover", 0.0, 1.0, 0.9, "probability that a new candidate has two parents") },
    share("replaced", 0.01, 0.99, 2.0 / 3.0, "share of the population, the worst, that each generation replaces"),
    Parameter { methods: MODELS, ..share("parents", 0.01, 1.0, 0.5, "share of the population that the model is learnt from") },
    Parameter { methods: MODELS, ..whole("model-every", 1.0, 1e6, 1.0, "generations between two models") },
    Parameter { methods: &["mboa"], ..whole("depth", 0.0, 64.0, 4.0, "most questions on a way through a decision tree") },
    Parameter { methods: &["mboa"], ..whole("questions", 0.0, 1e6, 16.0, "variables tried for a question; 0: all") },
    Parameter { methods: MODELS, ..share("drawn", 0.0, 1.0, 0.01, "share of its genes (at least one) that a candidate has from the model") },
    whole("refine", 0.0, 1e9, 100.0, "most moves that place late deliveries of each new candidate, or one for ten genes where that is more; 0: none"),
    whole("generations", 1.0, 1e12, 500_000.0, "generations before a step is added"),
    whole("restart", 0.0, 1e12, 0.0, "generations without a better candidate after which it begins anew; 0: never"),
    whole("radius", 0.0, 1e6, 0.0, "channels a delivery of a broadcast may reach; 0: any distance, or 1 with many messages"),
    whole("paths", 1.0, 1e9, 4e6, "most paths kept in memory"),
    whole("sample", 0.0, 1e6, 0.0, "paths drawn for each pair; 0: all"),
    whole("islands", 1.0, 4096.0, 1.0, "populations that evolve side by side; the answer depends on it, but not on threads"),
    whole("migrate-every", 1.0, 1e9, 200.0, "generations between two migrations"),
    whole("migrants", 0.0, 1e5, 2.0, "best candidates that go to the next island"),
];

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// The method has no parameter of that name.
    #[error("`{name}` is no parameter of {method}")]
    Unknown {
        /// The name given.
        name: String,
        /// The method.
        method: &'static str,
    },
    /// Not a number.
    #[error("{name}: `{text}` is no number")]
    NoNumber {
        /// The parameter.
        name: &'static str,
        /// What was given.
        text: String,
    },
    /// Outside its range, or not whole.
    #[error("{name}: {value} is not allowed")]
    Range {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
    },
}

impl Parameter {
    /// The values allowed, in words.
    pub fn range(&self) -> String {
        let kind = if self.whole { "a whole number" } else { "a number" };
        format!("{kind} from {} to {}", self.from, self.to)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {} ({})", self.name, (self.default * 1e4).round() / 1e4, self.about, self.range())
    }
}

/// The parameters that `method` takes.
pub fn parameters_of(method: &str) -> impl Iterator<Item = &'static Parameter> {
    PARAMETERS.iter().filter(move |p| p.methods.contains(&method))
}

/// A value for every parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    values: Vec<(&'static str, f64)>,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters::DEFAULT
    }
}

impl Parameters {
    /// What holds where nothing is given.
    pub const DEFAULT: Parameters = Parameters { values: Vec::new() };

    /// Sets one parameter of `method`.
    ///
    /// # Errors
    /// The name is unknown, or the value is no number or not allowed.
    pub fn set(&mut self, method: &'static str, name: &str, text: &str) -> Result<(), ParameterError> {
        let parameter = parameters_of(method)
            .find(|p| p.name == name)
            .ok_or_else(|| ParameterError::Unknown { name: name.to_owned(), method })?;
        let bad = || ParameterError::NoNumber { name: parameter.name, text: text.to_owned() };
        let value: f64 = text.trim().parse().map_err(|_| bad())?;
        let within = (parameter.from..=parameter.to).contains(&value) && (!parameter.whole || value.fract() == 0.0);
        if !within {
            return Err(ParameterError::Range { name: parameter.name, value });
        }
        self.values.retain(|(known, _)| *known != parameter.name);
        self.values.push((parameter.name, value));
        Ok(())
    }

    /// The value of a parameter.
    pub fn get(&self, parameter: &Parameter) -> f64 {
        self.values.iter().find(|(name, _)| *name == parameter.name).map_or(parameter.default, |&(_, value)| value)
    }

    pub(super) fn knobs(&self) -> Knobs {
        let get = |name: &str| PARAMETERS.iter().find(|p| p.name == name).map_or(0.0, |p| self.get(p));
        // Casts stop at the ends of their ranges, and every value has been checked.
        let population = get("population") as usize;
        Knobs {
            population,
            mutation: get("mutation"),
            crossover: get("crossover"),
            replaced: ((population as f64 * get("replaced")).round() as usize).clamp(1, population - 1),
            parents: ((population as f64 * get("parents")).round() as usize).max(1),
            drawn: get("drawn"),
            refine: get("refine") as u64,
            model_every: get("model-every") as u64,
            depth: get("depth") as u32,
            questions: get("questions") as usize,
            generations: get("generations") as u64,
            restart: get("restart") as u64,
            radius: get("radius") as u32,
            paths: get("paths") as u64,
            sample: get("sample") as u32,
            islands: get("islands") as usize,
            migrate_every: get("migrate-every") as u64,
            migrants: (get("migrants") as usize).min(population / 2),
        }
    }
}

/// The values as the engines use them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knobs {
    pub population: usize,
    pub mutation: f64,
    pub crossover: f64,
    pub replaced: usize,
    pub parents: usize,
    pub model_every: u64,
    pub drawn: f64,
    pub refine: u64,
    pub depth: u32,
    pub questions: usize,
    pub generations: u64,
    pub restart: u64,
    pub radius: u32,
    pub paths: u64,
    pub sample: u32,
    pub islands: usize,
    pub migrate_every: u64,
    pub migrants: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_names_of_their_own_and_defaults_within_their_ranges() {
        for (at, p) in PARAMETERS.iter().enumerate() {
            assert!(PARAMETERS[..at].iter().all(|other| other.name != p.name), "{}", p.name);
            assert!(p.from <= p.default && p.default <= p.to && (!p.whole || p.default.fract() == 0.0), "{p}");
            assert!(
                !p.methods.is_empty() && p.methods.iter().all(|m| super::super::Evolution::named(m).is_some()),
                "{p}"
            );
        }
    }
}
