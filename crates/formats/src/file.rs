//! **What:** whole files in, whole files out: compression by the name's ending, and outputs that are complete or absent.

use crate::{Fault, ReadError, WriteError};
use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// Most bytes read from a file, after decompression: stops a small file that unpacks without end.
const LARGEST: u64 = 1 << 32;

pub(crate) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"))
}

/// The ending of the file's name in lower case, `.gz` left out: `json` for `ring.json.gz`.
pub(crate) fn ending(path: &Path) -> String {
    let bare = if is_compressed(path) { path.with_extension("") } else { path.to_owned() };
    bare.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The name of the file without its folder and endings: the title of a network whose file gives none.
pub(crate) fn title(path: &Path) -> String {
    let bare = if is_compressed(path) { path.with_extension("") } else { path.to_owned() };
    bare.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The contents of a file, decompressed where its name ends in `.gz`.
pub(crate) fn load(path: &Path) -> Result<Vec<u8>, ReadError> {
    let io = |e| ReadError::new(path, Fault::Io(e));
    let file = File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    let source: &mut dyn Read = if is_compressed(path) { &mut MultiGzDecoder::new(file) } else { &mut { file } };
    source.take(LARGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadError::new(path, Fault::TooLarge { limit: LARGEST }));
    }
    Ok(bytes)
}

/// The contents of an ordinary file as they are read, decompressed where its name ends in `.gz`. `None` where there is no such
/// file; what is no ordinary file (a pipe) can be read once only.
pub(crate) fn stream(path: &Path) -> Option<impl Read> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|m| m.is_file()))?;
    let source: Box<dyn Read> = if is_compressed(path) { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    Some(BufReader::with_capacity(1 << 16, source.take(LARGEST + 1)))
}

/// Writes a file by way of a temporary one beside it, which is removed if anything fails. What is no ordinary file (a
/// pipe, a terminal) is written to directly.
pub(crate) fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
    let attempt = || -> io::Result<()> {
        // A link keeps pointing where it does; its target is replaced.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        if target.exists() && !target.is_file() {
            let mut file = std::fs::OpenOptions::new().write(true).open(&target)?;
            return emit(path, &mut file, write);
        }
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".quadrille-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: the process' mask takes away from this.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut beside = builder.tempfile_in(folder)?;
        emit(path, beside.as_file_mut(), write)?;
        beside.persist(&target).map_err(|e| e.error)?;
        Ok(())
    };
    attempt().map_err(|source| WriteError { path: path.to_owned(), source })
}

fn emit(path: &Path, file: &mut File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    if is_compressed(path) {
        // For lists of small numbers the higher levels take twice as long and save nothing.
        let mut packed = BufWriter::with_capacity(1 << 16, GzEncoder::new(out, Compression::new(3)));
        write(&mut packed)?;
        let encoder = packed.into_inner().map_err(io::IntoInnerError::into_error)?;
        out = encoder.finish()?;
    } else {
        write(&mut out)?;
    }
    out.flush()
}
