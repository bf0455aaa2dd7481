//! **What:** the files that stand beside a schedule file: formula and proof of a certificate of kind `unsat`.
//!
//! A schedule file names them without a folder, and they are looked for in its own; a name that leads anywhere else is
//! refused. Written, they are named after it: `ring.cnf` and `ring.lrat` beside `ring.json`, all with `.gz` where it has it.

use crate::file::{self, Filled, Target};
use crate::{Fault, ReadError, WriteError};
use kernel::{Attachment, Certificate, Proof};
use std::path::Path;

/// Reads the files that `certificate` rests on from the folder of the schedule file `path`, `.gz` decompressed; a
/// certificate that rests on none is left as it is.
///
/// # Errors
/// The first file that cannot be read.
pub fn attach(certificate: &mut Certificate, path: impl AsRef<Path>) -> Result<(), ReadError> {
    let Proof::Unsat { formula, proof } = &mut certificate.proof else { return Ok(()) };
    for attachment in [formula, proof] {
        if !is_plain(&attachment.name) {
            return Err(ReadError::new(Path::new(&attachment.name), Fault::Elsewhere));
        }
        let text = file::load(&path.as_ref().with_file_name(&attachment.name))?;
        *attachment = Attachment::holding(std::mem::take(&mut attachment.name), text);
    }
    Ok(())
}

/// Whether a name is that of a file in the same folder.
pub(super) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let first = matches!(parts.next(), Some(std::path::Component::Normal(_)));
    // The other system's way to write folders leads nowhere good either.
    first && parts.next().is_none() && !name.contains(['/', '\\'])
}

/// The names that the files have which `certificate` rests on where it is written beside the schedule file `path`.
#[must_use]
pub fn names_beside(certificate: &Certificate, path: &Path) -> Vec<String> {
    let Proof::Unsat { formula, proof } = &certificate.proof else { return Vec::new() };
    [formula, proof].map(|attachment| named_after(path, attachment)).to_vec()
}

fn named_after(path: &Path, attachment: &Attachment) -> String {
    let packed = if file::is_compressed(path) { ".gz" } else { "" };
    format!("{}.{}{packed}", file::title(path), file::ending(Path::new(&attachment.name)))
}

/// Writes the files that `certificate` rests on beside their places, next to `path`, and names them there.
pub(super) fn write(certificate: &mut Certificate, path: &Path) -> Result<Vec<Filled>, WriteError> {
    let Proof::Unsat { formula, proof } = &mut certificate.proof else { return Ok(Vec::new()) };
    let mut filled = Vec::new();
    for attachment in [formula, proof] {
        let Some(text) = &attachment.text else { continue };
        attachment.name = named_after(path, attachment);
        filled.push(Target::open(path.with_file_name(&attachment.name))?.fill(|out| out.write_all(text))?);
    }
    Ok(filled)
}
