//! **What:** writing: to stdout without a panic when nobody listens, and to files that are whole or not there.

use super::failure::Failure;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `text` and a line's end to stdout.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::nobody_listens()),
        Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"))
            .hint("is the disk full, or standard output closed?")),
    }
}

/// Writes `value` as one JSON document to stdout.
pub(crate) fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|e| Failure::input(format!("cannot write JSON: {e}")))?;
    say(&text)
}

/// Writes to stderr, where a failure to write has nobody left to tell.
pub(crate) fn tell(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// What to say of a file that could not be read.
pub(crate) fn unread(error: formats::ReadError) -> Failure {
    let hint = match &*error.fault {
        formats::Fault::Io(_) => "name a file that exists and that you may read",
        _ => "mend the file at that place, or write it anew with `quadrille`",
    };
    Failure::input(error).hint(hint)
}

/// What to say of a file that could not be written.
pub(crate) fn unwritten(error: formats::WriteError) -> Failure {
    let hint = match error.source.kind() {
        ErrorKind::InvalidInput => "choose a name with an ending that is known",
        _ => "what stood there before is untouched; make room or name another place",
    };
    Failure::input(error).hint(hint)
}

/// A file to be: written beside its place and renamed into it, so that it is never half there.
///
/// It is opened before the work whose result it takes, so that an unwritable place is known at once. Devices and pipes
/// cannot be renamed over and are written directly.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    file: Place,
}

#[derive(Debug)]
enum Place {
    Beside(tempfile::NamedTempFile),
    Direct(File),
}

impl Target {
    /// Opens a file beside `path`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let refused = |error: std::io::Error| {
            Failure::input(format!("cannot write `{}`: {error}", path.display()))
                .hint("name a file in a directory that exists and that you may write to")
        };
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::input(format!("cannot write `{}`: it is a directory", path.display()))
                    .hint("name a file in it"));
            }
            Ok(found) if !found.is_file() => {
                let file = File::options().write(true).open(path).map_err(refused)?;
                return Ok(Target { path: path.into(), file: Place::Direct(file) });
            }
            _ => {}
        }
        if path.file_name().is_none() {
            return Err(refused(std::io::Error::from(ErrorKind::InvalidFilename)));
        }
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".quadrille-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual rights of a new file; the umask takes its share.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder).map_err(refused)?;
        Ok(Target { path: path.into(), file: Place::Beside(file) })
    }

    /// Writes all of it and puts it in its place.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Failure> {
        let Target { path, file } = self;
        let full = |error: std::io::Error| {
            Failure::input(format!("cannot write `{}`: {error}", path.display()))
                .hint("nothing was left behind; make room or name another place with -o")
        };
        match file {
            Place::Direct(mut file) => file.write_all(bytes).and_then(|()| file.flush()).map_err(full),
            Place::Beside(mut file) => {
                file.write_all(bytes).and_then(|()| file.flush()).map_err(full)?;
                file.persist(&path).map(drop).map_err(|e| full(e.error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_target_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        drop(Target::open(&folder.path().join("a.json")).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_written_target_is_whole_and_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        std::fs::write(&path, "before").unwrap();
        let target = Target::open(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
        target.write(b"after").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "after");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn unwritable_places_are_known_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Target::open(folder.path()).is_err());
        assert!(Target::open(&folder.path().join("missing/a.json")).is_err());
    }
}
