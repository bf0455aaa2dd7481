//! **What:** matrices and vectors of numbers, read and written by the ending of the file's name: comma-separated values and NumPy's
//! arrays.
//!
//! **Parameters:** `.csv`: a row of the matrix a line, numbers divided by commas, a complex one as `1.5-2j` (as NumPy's `savetxt` and
//! `genfromtxt` have it); lines that begin with `#` are comments. `.npy`: arrays of one or two dimensions of real numbers, whole or
//! not, or complex ones, in either order of rows and columns. A vector is a matrix of one column. Names may end in `.gz`.
//!
//! **Facts:** all numbers are finite; text has the digits that bring the same number back.
//!
//! **Example**
//! ```
//! use formats::Array;
//! let array = Array { rows: 1, columns: 2, real: vec![0.1, 2.0], imaginary: None };
//! let path = std::env::temp_dir().join(format!("array-{}.csv", std::process::id()));
//! array.write(&path)?;
//! assert_eq!(Array::read(&path)?, array);
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::shortened;
use crate::file::{self, Target, ending, load, load_bytes};
use crate::{Fault, Place, ReadError, WriteError};
use npyz::{NpyFile, Order, TypeStr, WriterBuilder};
use num_complex::Complex64;
use std::io::{self, Write};
use std::path::Path;

/// Endings of the names of files that hold arrays.
pub const ARRAY_ENDINGS: [&str; 2] = ["csv", "npy"];

/// Most bytes of an array of NumPy: some 2^26 complex numbers.
const MOST_BYTES: u64 = 1 << 30;

/// A matrix of numbers, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Real parts.
    pub real: Vec<f64>,
    /// Imaginary parts, where numbers are complex.
    pub imaginary: Option<Vec<f64>>,
}

impl Array {
    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read or holds no matrix of finite numbers, with the place.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let array = match ending(path).as_str() {
            "csv" => from_text(&load(path)?, path),
            "npy" => from_numpy(&load_bytes(path, MOST_BYTES)?, path),
            _ => Err(ReadError::new(path, Fault::Ending { known: known() })),
        }?;
        if array.real.is_empty() {
            return Err(ReadError::new(path, Fault::Syntax("holds no number".into())));
        }
        Ok(array)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// Where the system refuses, and an ending that is not known.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let path = path.as_ref();
        match ending(path).as_str() {
            "csv" => file::save(path, |out| self.write_text(out)),
            "npy" => Target::open(path)?.write(|out| self.write_numpy(out)),
            _ => {
                let why = format!("no array has the ending of this name; known endings: {}", known());
                Err(WriteError { path: path.to_owned(), source: io::Error::new(io::ErrorKind::InvalidInput, why) })
            }
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        for row in 0..self.rows {
            let cells = (row * self.columns..(row + 1) * self.columns).map(|at| match &self.imaginary {
                Some(imaginary) => format!("{:?}{:+?}j", self.real[at], imaginary[at]),
                None => format!("{:?}", self.real[at]),
            });
            writer.write_record(cells)?;
        }
        writer.flush()
    }

    /// A single column is a vector, an array of one dimension.
    fn write_numpy(&self, out: &mut dyn Write) -> io::Result<()> {
        let shape = [self.rows as u64, self.columns as u64];
        let shape = if self.columns == 1 { &shape[..1] } else { &shape[..] };
        match &self.imaginary {
            Some(imaginary) => {
                let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(out).begin_nd()?;
                writer.extend(self.real.iter().zip(imaginary).map(|(re, im)| Complex64::new(*re, *im)))?;
                writer.finish()
            }
            None => {
                let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(out).begin_nd()?;
                writer.extend(&self.real)?;
                writer.finish()
            }
        }
    }
}

fn known() -> String {
    ARRAY_ENDINGS.map(|ending| format!(".{ending}")).join(", ")
}

fn from_text(bytes: &[u8], path: &Path) -> Result<Array, ReadError> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).comment(Some(b'#')).trim(csv::Trim::All).from_reader(bytes);
    let (mut rows, mut real, mut imaginary, mut complex) = (0, Vec::new(), Vec::new(), false);
    for record in reader.records() {
        let record = record.map_err(|error| {
            let place = error.position().map(|p| Place { line: usize::try_from(p.line()).unwrap_or(0), column: 1 });
            let fault = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("a row of {len} numbers, where the rows before it have {expected_len}")
                }
                csv::ErrorKind::Utf8 { .. } => "is no text".to_owned(),
                _ => error.to_string(),
            };
            ReadError { place, ..ReadError::new(path, Fault::Syntax(fault)) }
        })?;
        for (at, cell) in record.iter().enumerate() {
            let line = record.position().map_or(0, |p| usize::try_from(p.line()).unwrap_or(0));
            let Some([re, im]) = number(cell) else {
                let fault = Fault::Syntax("is no finite number, such as 0.25, -3e4 or 1.5-2j".into());
                let (field, text) = (Some(format!("number {} of the row", at + 1)), Some(shortened(cell)));
                return Err(ReadError {
                    place: Some(Place { line, column: 1 }),
                    field,
                    text,
                    ..ReadError::new(path, fault)
                });
            };
            complex |= cell.ends_with(['j', 'i', ')']);
            real.push(re);
            imaginary.push(im);
        }
        rows += 1;
    }
    let columns = real.len().checked_div(rows).unwrap_or(0);
    Ok(Array { rows, columns, real, imaginary: complex.then_some(imaginary) })
}

/// Real and imaginary part of `1.5`, `2j`, `1.5-2j` or `(1.5-2j)`.
fn number(cell: &str) -> Option<[f64; 2]> {
    let bare = cell.strip_prefix('(').and_then(|c| c.strip_suffix(')')).unwrap_or(cell).trim();
    let finite = |text: &str| text.parse::<f64>().ok().filter(|n| n.is_finite());
    let Some(complex) = bare.strip_suffix(['j', 'i']) else { return Some([finite(bare)?, 0.0]) };
    // The sign between the parts is the last that does not belong to an exponent.
    let parts_here =
        |&(at, sign): &(usize, char)| at > 0 && matches!(sign, '+' | '-') && !complex[..at].ends_with(['e', 'E']);
    match complex.char_indices().rfind(parts_here) {
        Some((at, _)) => Some([finite(&complex[..at])?, finite(&complex[at..])?]),
        None => Some([0.0, finite(complex)?]),
    }
}

fn from_numpy(bytes: &[u8], path: &Path) -> Result<Array, ReadError> {
    let wrong = |fault: String| ReadError::new(path, Fault::Syntax(fault));
    let npy = NpyFile::new(bytes)
        .map_err(|error| wrong(format!("is no array of NumPy: {}", shortened(&error.to_string()))))?;
    let shape: Vec<usize> = npy.shape().iter().map(|&n| usize::try_from(n).unwrap_or(usize::MAX)).collect();
    let (rows, columns) = match shape[..] {
        [rows] => (rows, 1),
        [rows, columns] => (rows, columns),
        _ => return Err(wrong(format!("has {} dimensions; a matrix has two, a vector one", shape.len()))),
    };
    // What the shape asks for must be there: each number has a byte at least.
    if rows.checked_mul(columns).is_none_or(|count| count > bytes.len()) {
        return Err(wrong(format!("its shape is {rows} × {columns}, more numbers than it has bytes")));
    }
    let by_columns = npy.order() == Order::Fortran && columns > 1;
    let npyz::DType::Plain(kind) = npy.dtype() else {
        return Err(wrong("has records, not numbers".into()));
    };
    let (real, imaginary) =
        numbers(npy, &kind).map_err(|error| wrong(format!("its numbers cannot be read: {error}")))?;
    let turned = |parts: Vec<f64>| {
        if !by_columns {
            return parts;
        }
        (0..rows * columns).map(|at| parts[at % columns * rows + at / columns]).collect()
    };
    let array = Array { rows, columns, real: turned(real), imaginary: imaginary.map(turned) };
    let infinite = array.real.iter().chain(array.imaginary.iter().flatten()).position(|n| !n.is_finite());
    match infinite {
        Some(at) => {
            let at = at % array.real.len().max(1);
            Err(wrong(format!("row {}, column {} is not a finite number", at / columns, at % columns)))
        }
        None => Ok(array),
    }
}

/// The parts of all numbers, whatever their type.
fn numbers(npy: NpyFile<&[u8]>, kind: &TypeStr) -> io::Result<(Vec<f64>, Option<Vec<f64>>)> {
    let text = kind.to_string();
    let text = text.trim_start_matches(['<', '>', '|', '=']);
    #[expect(clippy::cast_precision_loss, reason = "as NumPy does where whole numbers meet others")]
    let real = match text {
        "f8" => npy.into_vec::<f64>()?,
        "f4" => npy.into_vec::<f32>()?.into_iter().map(f64::from).collect(),
        "i8" => npy.into_vec::<i64>()?.into_iter().map(|n| n as f64).collect(),
        "u8" => npy.into_vec::<u64>()?.into_iter().map(|n| n as f64).collect(),
        "i4" => npy.into_vec::<i32>()?.into_iter().map(f64::from).collect(),
        "u4" => npy.into_vec::<u32>()?.into_iter().map(f64::from).collect(),
        "i2" => npy.into_vec::<i16>()?.into_iter().map(f64::from).collect(),
        "u2" => npy.into_vec::<u16>()?.into_iter().map(f64::from).collect(),
        "i1" => npy.into_vec::<i8>()?.into_iter().map(f64::from).collect(),
        "u1" => npy.into_vec::<u8>()?.into_iter().map(f64::from).collect(),
        "c16" => {
            let all = npy.into_vec::<Complex64>()?;
            return Ok((all.iter().map(|z| z.re).collect(), Some(all.iter().map(|z| z.im).collect())));
        }
        _ => {
            let why = format!("their type is `{kind}`; known are real, whole and double complex ones");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
    };
    Ok((real, None))
}
