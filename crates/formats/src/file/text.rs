//! **What:** text as it is read: decompressed, and refused as soon as it cannot be what it says it is.
//!
//! A reader's memory is a fixed multiple of the text, so what must be bounded is the text: a file, a pipe or a device of
//! zeros or of anything else that is no text ends at its first zero byte, and a compressed file that unpacks to much more
//! than what its size lets one expect ends there.

use flate2::bufread::GzDecoder;
use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// Most bytes of a text.
pub(super) const LARGEST: u64 = 1 << 32;

/// A compressed text may always unpack to so many bytes, and beyond that to so many times its size. Eight schedules of 20 kB to
/// 86 MB, packed by `gzip -9`, unpack to 3 to 9 times their size.
pub(crate) const UNPACKED: u64 = 1 << 24;
pub(crate) const RATIO: u64 = 100;

/// A text, its bytes counted.
pub(crate) struct Text<R> {
    pub(super) source: R,
    pub(super) read: Rc<Cell<u64>>,
    /// Where it is not kept: whether it is UTF-8 is asked now or never.
    pub(super) characters: Option<Characters>,
}

/// The beginning of a character of UTF-8 whose other bytes are still to come.
#[derive(Default)]
pub(super) struct Characters {
    begun: Vec<u8>,
}

impl Characters {
    /// Refuses what is no UTF-8; no bytes are the end of the text, unless nothing was `asked` for.
    fn look(&mut self, bytes: &[u8], nothing_asked: bool) -> io::Result<()> {
        let no_text = || io::Error::other("it holds a byte that is not UTF-8 text");
        if bytes.is_empty() {
            return if self.begun.is_empty() || nothing_asked { Ok(()) } else { Err(no_text()) };
        }
        let mut rest = bytes;
        while !self.begun.is_empty() {
            let Some((first, others)) = rest.split_first() else { return Ok(()) };
            self.begun.push(*first);
            rest = others;
            match std::str::from_utf8(&self.begun) {
                Ok(_) => self.begun.clear(),
                Err(error) if error.error_len().is_some() => return Err(no_text()),
                Err(_) => {}
            }
        }
        match std::str::from_utf8(rest) {
            Ok(_) => Ok(()),
            Err(error) if error.error_len().is_some() => Err(no_text()),
            Err(error) => {
                self.begun.extend_from_slice(&rest[error.valid_up_to()..]);
                Ok(())
            }
        }
    }
}

impl<R: Read> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let read = self.read.get() + count as u64;
        self.read.set(read);
        if memchr::memchr(0, &buffer[..count]).is_some() {
            return Err(io::Error::other("it holds a byte 0, so it is no text"));
        }
        if let Some(characters) = &mut self.characters {
            characters.look(&buffer[..count], buffer.is_empty())?;
        }
        if read > LARGEST {
            return Err(io::Error::other(format!("it holds more than {LARGEST} bytes")));
        }
        Ok(count)
    }
}

/// What gzip packed, one or several members, and nothing behind them.
pub(super) struct Unpacked<R> {
    member: Option<GzDecoder<Counted<R>>>,
    unpacked: u64,
}

impl<R: BufRead> Unpacked<R> {
    pub(super) fn new(source: R) -> Self {
        Unpacked { member: Some(GzDecoder::new(Counted { source, taken: 0 })), unpacked: 0 }
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer).map_err(explained)?;
            self.unpacked += count as u64;
            let most = member.get_ref().taken.saturating_mul(RATIO).max(UNPACKED);
            if self.unpacked > most {
                return Err(io::Error::other(format!("it unpacks to more than {RATIO} times its size")));
            }
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let mut rest = self.member.take().expect("it was just looked at").into_inner();
            self.member = match rest.fill_buf()? {
                [] => None,
                [0x1f, ..] => Some(GzDecoder::new(rest)),
                _ => return Err(io::Error::other("there is something behind the end of what gzip packed")),
            };
        }
        Ok(0)
    }
}

/// The decoder's errors in plain words.
fn explained(error: io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends before what gzip packed does",
        io::ErrorKind::InvalidInput => "its name ends in .gz, but it is not packed by gzip",
        io::ErrorKind::InvalidData => "what gzip packed is damaged",
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}

/// A source that counts what was taken from it.
struct Counted<R> {
    source: R,
    taken: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.taken += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.taken += count as u64;
        self.source.consume(count);
    }
}
