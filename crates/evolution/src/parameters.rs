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
const SGA: &[&str] = &["sga"];
const MBOA: &[&str] = &["mboa"];
const MODELS: &[&str] = &["umda", "mboa"];

/// The table of parameters, and the values of all as the methods use them.
macro_rules! parameters {
    ($($field:ident: $type:ty, $name:literal, $methods:ident, $from:literal..=$to:literal, $default:expr, $about:literal;)*) => {
        /// Every parameter of every evolutionary method.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: $name,
            about: $about,
            from: $from,
            to: $to,
            default: $default,
            whole: is_whole(stringify!($type)),
            methods: $methods,
        }),*];

        /// The values as the methods use them.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Tuning {
            $(pub $field: $type,)*
        }

        impl Parameters {
            pub(super) fn tuning(&self) -> Tuning {
                let mut table = PARAMETERS.iter();
                // Casts stop at the ends of their ranges, and every value has been checked.
                Tuning { $($field: table.next().map_or(0.0, |parameter| self.get(parameter)) as $type,)* }
            }
        }
    };
}

/// Whether values of a type are whole numbers.
const fn is_whole(name: &str) -> bool {
    name.as_bytes()[0] != b'f'
}

#[rustfmt::skip]
parameters! {
    population: usize, "population", ALL, 2.0..=1e5, 100.0, "candidates at a time (50 to 200 recommended)";
    mutation: f64, "mutation", ALL, 0.0..=1.0, 0.9, "probability that a new candidate is mutated";
    crossover: f64, "crossover", SGA, 0.0..=1.0, 0.9, "probability that a new candidate has two parents";
    share_replaced: f64, "replaced", ALL, 0.01..=0.99, 2.0 / 3.0, "share of the population, the worst, that each generation replaces";
    share_of_parents: f64, "parents", MODELS, 0.01..=1.0, 0.5, "share of the population that the model is learnt from";
    model_every: u64, "model-every", MODELS, 1.0..=1e6, 1.0, "generations between two models";
    depth: u32, "depth", MBOA, 0.0..=64.0, 4.0, "most questions on a path through a decision tree";
    questions: usize, "questions", MBOA, 0.0..=1e6, 16.0, "variables tried for a question; 0: all";
    drawn: f64, "drawn", MODELS, 0.0..=1.0, 0.01, "share of its genes (at least one) that a candidate takes from the model";
    refine: u64, "refine", ALL, 0.0..=1e9, 100.0, "most moves that place late deliveries of each new candidate, or one for ten genes where that is more; 0: none";
    generations: u64, "generations", ALL, 1.0..=1e12, 500_000.0, "generations before a step is added";
    restart: u64, "restart", ALL, 0.0..=1e12, 0.0, "generations without a better candidate after which evolution restarts; 0: never";
    radius: u32, "radius", ALL, 0.0..=1e6, 0.0, "channels a delivery of a broadcast may reach; 0: any distance, or 1 with many messages where all neighbours can tell them";
    paths: usize, "paths", ALL, 1.0..=1e9, 4e6, "most paths kept in memory";
    sample: usize, "sample", ALL, 0.0..=1e6, 0.0, "paths drawn for each pair; 0: all, or 16 where all are more than are kept";
    islands: usize, "islands", ALL, 1.0..=4096.0, 1.0, "populations that evolve side by side; the answer depends on it, but not on threads";
    migrate_every: u64, "migrate-every", ALL, 1.0..=1e9, 200.0, "generations between two migrations";
    most_migrants: usize, "migrants", ALL, 0.0..=1e5, 2.0, "best candidates that go to the next island";
}

impl Tuning {
    /// Candidates that a generation replaces: one at least, and one stays.
    pub(super) fn replaced(&self) -> usize {
        ((self.population as f64 * self.share_replaced).round() as usize).clamp(1, self.population - 1)
    }

    /// Candidates that a model is learnt from.
    pub(super) fn parents(&self) -> usize {
        ((self.population as f64 * self.share_of_parents).round() as usize).max(1)
    }

    /// Candidates that go to the next island: half a population at most.
    pub(super) fn migrants(&self) -> usize {
        self.most_migrants.min(self.population / 2)
    }
}

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// The method has no parameter of that name.
    #[error("`{name}` is not a parameter of {method}")]
    Unknown {
        /// The name given.
        name: String,
        /// The method.
        method: &'static str,
    },
    /// Not a number.
    #[error("{name}: `{text}` is not a number")]
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
}
