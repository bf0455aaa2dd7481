//! **What:** a file to be: written beside its place and renamed into it, so that it is whole or absent.
//!
//! **Facts:** a link keeps pointing where it does, and its target is replaced; what is no ordinary file (a pipe, a device) is
//! written to directly, and so is standard output, called `-`, or `-.svg` where the ending says what is written. A file that is not finished is taken away: at once where
//! anything fails, by [`abandon`] where the program ends, and by a later run where it was killed. To tell such a file from that of
//! a run at work, whoever writes one holds a lock on it.

use super::is_compressed;
use crate::WriteError;
use flate2::{Compression, write::GzEncoder};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

const PREFIX: &str = ".quadrille-";
const SUFFIX: &str = ".tmp";

/// A file is locked right after it is made; one that is older and not locked is nobody's.
const SURELY_LOCKED: Duration = Duration::from_secs(1);

/// Whether the name of a file stands for standard output: `-`, or `-.svg` and the like, whose ending says what is written.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    let bare = path.parent().is_none_or(|folder| folder.as_os_str().is_empty());
    bare && path.to_str().is_some_and(|name| name == "-" || name.starts_with("-."))
}

/// Files that are being written, for [`abandon`].
static UNFINISHED: Mutex<All> = Mutex::new(All { paths: BTreeSet::new(), over: false });

struct All {
    paths: BTreeSet<PathBuf>,
    /// Whether the program ends, so that no more are begun.
    over: bool,
}

fn unfinished() -> MutexGuard<'static, All> {
    UNFINISHED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Takes away whatever this program is writing, on all threads, and lets nothing more be begun; for the moment before it ends.
pub fn abandon() {
    let mut all = unfinished();
    all.over = true;
    for path in std::mem::take(&mut all.paths) {
        // Nobody is left to tell.
        let _ = std::fs::remove_file(path);
    }
}

/// A file that is taken away again by [`abandon`] as long as this is there.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().paths.remove(&self.0);
    }
}

/// A file that was opened for writing, before the work whose result it takes: an unwritable place is known at once. Dropped
/// without being written, it leaves nothing behind.
#[derive(Debug)]
#[must_use]
pub struct Target {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Beside { file: tempfile::NamedTempFile, target: PathBuf, unfinished: Unfinished },
    Direct(File),
    Stdout,
}

impl Target {
    /// Opens a file beside `path`; `-` is standard output.
    ///
    /// # Errors
    /// Where the system refuses, or `path` is a folder.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, WriteError> {
        let path = path.as_ref();
        let place = Place::of(path).map_err(|source| WriteError { path: path.to_owned(), source })?;
        Ok(Target { path: path.to_owned(), place })
    }

    /// Writes all of it, compressed where the name ends in `.gz`, and puts it in its place.
    ///
    /// # Errors
    /// Those of `write` and of the system; an existing file is left unchanged.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
        self.fill(write)?.put()
    }

    /// Writes all of it beside its place, where it has one.
    pub(crate) fn fill(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Filled, WriteError> {
        let path = self.path.clone();
        self.fill_exactly(|out| imaged(&path, out, write))
    }

    /// As [`Target::fill`], with what is written as it is whatever the name ends in.
    pub(super) fn fill_exactly(
        self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Filled, WriteError> {
        let Target { path, mut place } = self;
        let packed = is_compressed(&path);
        let written = match &mut place {
            Place::Stdout => emit(&mut io::stdout().lock(), packed, write),
            Place::Direct(file) => emit(file, packed, write),
            Place::Beside { file, .. } => emit(file.as_file_mut(), packed, write),
        };
        match written {
            Ok(()) => Ok(Filled { path, place }),
            Err(source) => Err(WriteError { path, source }),
        }
    }
}

/// A file that is written and not yet in its place. Dropped, it leaves nothing behind.
#[must_use]
pub(crate) struct Filled {
    path: PathBuf,
    place: Place,
}

impl Filled {
    /// Puts it there.
    pub(crate) fn put(self) -> Result<(), WriteError> {
        let Place::Beside { file, target, unfinished } = self.place else { return Ok(()) };
        let put = file.persist(&target);
        drop(unfinished);
        put.map(drop).map_err(|e| WriteError { path: self.path, source: e.error })
    }
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        if is_standard_output(path) {
            return Ok(Place::Stdout);
        }
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.is_dir() {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        if target.exists() && !target.is_file() {
            return Ok(Place::Direct(OpenOptions::new().write(true).open(&target)?));
        }
        if target.file_name().is_none() {
            return Err(ErrorKind::InvalidFilename.into());
        }
        let folder = target.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sweep(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: the process' mask takes away from this.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        // Of an error, the kind alone: its text names a file that nobody asked for.
        let refused = |e: io::Error| match e.kind() {
            ErrorKind::NotFound => io::Error::new(ErrorKind::NotFound, "there is no such folder"),
            kind => kind.into(),
        };
        // Made and noted in one, or the end of the program might come between.
        let mut all = unfinished();
        if all.over {
            return Err(io::Error::other("the program ends"));
        }
        let file = builder.tempfile_in(folder).map_err(refused)?;
        all.paths.insert(file.path().to_owned());
        drop(all);
        let unfinished = Unfinished(file.path().to_owned());
        // Where files cannot be locked, none is taken for nobody's either.
        let _ = file.as_file().lock();
        Ok(Place::Beside { file, target, unfinished })
    }
}

/// Takes away what runs left in a folder that were killed.
fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if !(name.starts_with(PREFIX) && name.ends_with(SUFFIX)) {
            continue;
        }
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
        let nobodys = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if age.is_some_and(|age| age > SURELY_LOCKED) && nobodys() {
            // Another run may have been faster.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// What is written, or where the name is that of a PNG or PDF, the image of the SVG that is written.
fn imaged(path: &Path, out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    #[cfg(feature = "images")]
    if let Some(image) = super::image::Image::of(path) {
        let mut svg = Vec::new();
        write(&mut svg)?;
        return out.write_all(&image.made(&svg)?);
    }
    #[cfg(not(feature = "images"))]
    let _ = path;
    write(out)
}

fn emit(out: &mut dyn Write, packed: bool, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if packed {
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
