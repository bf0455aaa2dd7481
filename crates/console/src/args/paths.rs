//! **What:** arguments that name files, in whatever characters the system allows.

use formats::network::NetworkFile;
use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A family with its parameters, or a file.
#[derive(Clone, Debug)]
pub struct NetworkText {
    path: PathBuf,
    /// The same, with marks where it is no text.
    text: String,
    /// The network itself, where an embedding program has it.
    own: Option<Box<NetworkFile>>,
    /// The format of the file, where it is said.
    format: Option<String>,
}

impl NetworkText {
    /// It as a file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A network of an embedding program.
    pub fn of(network: NetworkFile) -> Self {
        let text = network.network.name().to_owned();
        NetworkText { path: PathBuf::from(&text), text, own: Some(Box::new(network)), format: None }
    }

    /// The same as a file in a format.
    pub fn in_format(self, format: Option<&str>) -> Self {
        NetworkText { format: format.map(str::to_owned), ..self }
    }

    /// The format of the file, where it is said.
    pub fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// The network itself, where it is not to be read.
    pub fn own(&self) -> Option<&NetworkFile> {
        self.own.as_deref()
    }

    /// Whether it can be nothing but a file.
    pub fn is_no_text(&self) -> bool {
        self.path.to_str().is_none()
    }
}

impl Deref for NetworkText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl From<OsString> for NetworkText {
    fn from(text: OsString) -> Self {
        NetworkText { text: text.to_string_lossy().into_owned(), path: text.into(), own: None, format: None }
    }
}
