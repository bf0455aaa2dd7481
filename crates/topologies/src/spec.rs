//! **What:** reads specifications such as `torus:4x8`: a family's name, a colon, its parameters.

use crate::nearest;
use crate::registry::{ClosedForms, FAMILIES, Family, Topology, family};
use kernel::Network;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Networks above this many channels are refused before anything is allocated.
const MOST_CHANNELS: u64 = 1 << 25;

/// What is wrong with a specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No family has this name.
    #[error("there is no family of networks `{name}`")]
    UnknownFamily {
        /// The name given.
        name: String,
        /// The known name nearest to it, where one is near.
        nearest: Option<&'static str>,
    },
    /// The parameters do not have the family's form.
    #[error("`{text}` does not have the form `{form}`")]
    Form {
        /// The specification.
        text: String,
        /// The form it should have.
        form: &'static str,
        /// One that has.
        example: &'static str,
        /// Whether it ends where the form has a semicolon, as where a shell ended the command there.
        cut: bool,
    },
    /// A parameter lies outside its range.
    #[error("`{text}`: {parameter} is {value}, but must be {must}")]
    Range {
        /// The specification.
        text: String,
        /// Which parameter.
        parameter: String,
        /// Its value.
        value: String,
        /// The values it may have.
        must: String,
    },
    /// The network would be too large to build.
    #[error("`{text}` has more than {most} channels", most = MOST_CHANNELS)]
    TooLarge {
        /// The specification.
        text: String,
    },
}

impl SpecError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            SpecError::UnknownFamily { nearest: Some(nearest), .. } => {
                format!("did you mean `{nearest}`? `quadrille networks` lists all families")
            }
            SpecError::UnknownFamily { nearest: None, .. } => "`quadrille networks` lists all families".into(),
            SpecError::Form { example, cut: true, .. } => {
                let plain = example.replace(';', "/");
                format!(
                    "a shell ends a command at `;`: put quotes around it, or write `/` instead, for example {plain}"
                )
            }
            SpecError::Form { example, .. } => format!("for example `{example}`"),
            SpecError::Range { .. } => "`quadrille networks` lists the parameters of every family".into(),
            SpecError::TooLarge { .. } => "use smaller parameters".into(),
        }
    }
}

/// The parameters of a specification, with the helpers that families read them by.
pub(crate) struct Arguments<'a> {
    /// The whole specification.
    pub text: &'a str,
    /// What stands behind the colon.
    pub rest: &'a str,
    family: &'static Family,
}

impl Arguments<'_> {
    /// The error that the parameters have another form.
    pub(crate) fn form(&self) -> SpecError {
        let cut = self.family.form.contains(';') && !self.rest.is_empty() && !self.rest.contains(';');
        // The first is often the least that there is.
        let typical = self.family.examples.get(1).filter(|_| !cut).or(self.family.examples.first());
        let example = typical.copied().unwrap_or(self.family.name);
        SpecError::Form { text: self.text.into(), form: self.family.form, example, cut }
    }

    /// The error that `parameter` has a value it must not have.
    pub(crate) fn range(
        &self,
        parameter: impl Into<String>,
        value: impl ToString,
        must: impl Into<String>,
    ) -> SpecError {
        SpecError::Range {
            text: self.text.into(),
            parameter: parameter.into(),
            value: value.to_string(),
            must: must.into(),
        }
    }

    /// The error that the network would be too large.
    pub(crate) fn too_large(&self) -> SpecError {
        SpecError::TooLarge { text: self.text.into() }
    }

    /// `text` as a whole number within `range`.
    pub(crate) fn number(&self, name: &str, text: &str, range: RangeInclusive<u32>) -> Result<u32, SpecError> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.form());
        }
        let must = || match *range.end() {
            u32::MAX => format!("at least {}", range.start()),
            end => format!("{} to {end}", range.start()),
        };
        let value = text.parse().ok().filter(|v| range.contains(v));
        value.ok_or_else(|| self.range(name, text, must()))
    }

    /// The only parameter.
    pub(crate) fn one(&self, name: &str, range: RangeInclusive<u32>) -> Result<u32, SpecError> {
        self.number(name, self.rest, range)
    }

    /// All parameters, separated by `separator`; each named and bounded by `range`.
    pub(crate) fn list(&self, separator: char, name: &str, range: RangeInclusive<u32>) -> Result<Vec<u32>, SpecError> {
        self.rest.split(separator).map(|part| self.number(name, part, range.clone())).collect()
    }

    /// No parameters.
    pub(crate) fn none(&self) -> Result<(), SpecError> {
        if self.rest.is_empty() && !self.text.contains(':') { Ok(()) } else { Err(self.form()) }
    }
}

/// Reads a specification.
///
/// # Errors
/// What is wrong with it, as [`SpecError`].
pub fn topology(text: &str) -> Result<Box<dyn Topology>, SpecError> {
    let (arguments, made) = read(text)?;
    check_size(&arguments, &made.closed_forms())?;
    Ok(made)
}

/// The closed forms of a specification, also where the network has too many channels to be built.
///
/// # Errors
/// What is wrong with it, as [`SpecError`].
///
/// # Example
/// ```
/// let forms = topologies::closed_forms("hdn:torus:2x3x5;1,1")?;
/// assert_eq!((forms.nodes, forms.diameter), (6_480_000, Some(22)));
/// # Ok::<(), topologies::SpecError>(())
/// ```
pub fn closed_forms(text: &str) -> Result<ClosedForms, SpecError> {
    Ok(unbuilt(text)?.closed_forms())
}

/// Reads a specification, also of a network with too many channels to be built: it can be asked for its facts, not for the network.
///
/// # Errors
/// What is wrong with it, as [`SpecError`].
pub fn unbuilt(text: &str) -> Result<Box<dyn Topology>, SpecError> {
    Ok(read(text)?.1)
}

/// A family's member, whatever its size.
fn read(text: &str) -> Result<(Arguments<'_>, Box<dyn Topology>), SpecError> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let Some(family) = family(name) else {
        let nearest = nearest(name, FAMILIES.iter().map(|family| family.name));
        return Err(SpecError::UnknownFamily { name: name.into(), nearest });
    };
    let rest = parted(rest, family);
    let made = (family.make)(&Arguments { text, rest: &rest, family })?;
    // What is said of sizes later names the whole text.
    Ok((Arguments { text, rest: "", family }, made))
}

/// The parameters with `;` between the parts of a form that has it: a shell takes that for the end of a command unless it stands in quotes,
/// so `/` may stand for it, and `:` where the parameters begin with a number.
fn parted<'t>(rest: &'t str, family: &Family) -> Cow<'t, str> {
    if !family.form.contains(';') || rest.contains(';') {
        return rest.into();
    }
    if rest.contains('/') {
        return rest.replace('/', ";").into();
    }
    match rest.bytes().next() {
        Some(b'0'..=b'9') => rest.replace(':', ";").into(),
        _ => rest.into(),
    }
}

/// The member of `family` with the parameters `rest`, by the same checks that a specification passes.
pub(crate) fn made<T: Topology>(
    family: &'static Family,
    rest: &str,
    read: impl Fn(&Arguments<'_>) -> Result<T, SpecError>,
) -> Result<T, SpecError> {
    let text = format!("{}:{rest}", family.name);
    let arguments = Arguments { text: &text, rest, family };
    let made = read(&arguments)?;
    check_size(&arguments, &made.closed_forms())?;
    Ok(made)
}

/// Refuses what would not fit in memory, before anything is built.
fn check_size(arguments: &Arguments<'_>, forms: &ClosedForms) -> Result<(), SpecError> {
    if forms.channels > MOST_CHANNELS || forms.nodes > MOST_CHANNELS { Err(arguments.too_large()) } else { Ok(()) }
}

/// The network of a specification.
///
/// # Errors
/// What is wrong with it, as [`SpecError`].
///
/// # Example
/// ```
/// let torus = topologies::parse("torus:4x4")?;
/// assert_eq!((torus.node_count(), torus.channel_count()), (16, 64));
/// assert_eq!(topologies::parse("torsu:4x4").unwrap_err().hint().contains("torus"), true);
/// # Ok::<(), topologies::SpecError>(())
/// ```
pub fn parse(text: &str) -> Result<Network, SpecError> {
    Ok(topology(text)?.network())
}
