//! **What:** the inputs of `compute` from files, filled up to what the network takes, and its result to a file.

use console::failure::Failure;
use console::output;
use formats::Array;
use std::path::{Path, PathBuf};

/// What the files hold.
pub(super) struct Inputs {
    arrays: Vec<Array>,
    names: Vec<String>,
}

/// A matrix product's sizes: `rows` × `inner` times `inner` × `columns`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub rows: usize,
    pub inner: usize,
    pub columns: usize,
}

impl Shape {
    /// Rows of the least square that holds all of it, a multiple of `blocks`.
    pub(super) fn side(self, blocks: u32) -> Option<u32> {
        let most = self.rows.max(self.inner).max(self.columns);
        u32::try_from(most).ok()?.checked_next_multiple_of(blocks.max(1))
    }
}

fn shape_of(array: &Array) -> String {
    match array.columns {
        1 => format!("a vector of {}", array.rows),
        columns => format!("{} × {columns}", array.rows),
    }
}

impl Inputs {
    /// Reads `count` files for the program; none are none.
    pub(super) fn read(paths: &[PathBuf], count: usize, program: &str) -> Result<Option<Self>, Failure> {
        if paths.is_empty() {
            return Ok(None);
        }
        if paths.len() != count {
            let given = paths.len();
            return Err(Failure::input(format!("--data: {program} takes {count} inputs, and {given} are given"))
                .hint("write --data once for each input, in the order of the product"));
        }
        let arrays = paths.iter().map(|path| Array::read(path).map_err(output::unread)).collect::<Result<_, _>>()?;
        let names = paths.iter().map(|path| path.display().to_string()).collect();
        Ok(Some(Inputs { arrays, names }))
    }

    fn refused(&self, at: usize, what: &str, hint: &str) -> Failure {
        Failure::input(format!("{}: {}, where {what}", self.names[at], shape_of(&self.arrays[at])))
            .hint(hint.to_owned())
    }

    /// The shape of the product of the two inputs; the first is a row where `row` is set.
    pub(super) fn shape(&mut self, row: bool) -> Result<Shape, Failure> {
        if let Some(at) = self.arrays.iter().position(|a| a.imaginary.is_some()) {
            return Err(self.refused(at, "products take real numbers", "leave the imaginary parts out"));
        }
        let first = &mut self.arrays[0];
        if row && first.columns == 1 {
            (first.rows, first.columns) = (1, first.rows);
        }
        let (first, second) = (&self.arrays[0], &self.arrays[1]);
        if row && first.rows != 1 {
            return Err(self.refused(0, "a single row is needed", "matrix-product multiplies matrices"));
        }
        if first.columns != second.rows {
            let needed = format!("{} rows are needed, as many as {} has columns", first.columns, self.names[0]);
            return Err(self.refused(1, &needed, "name the files in the order of the product"));
        }
        Ok(Shape { rows: first.rows, inner: first.columns, columns: second.columns })
    }

    /// The two inputs in squares of `side`, zeros around them; a row stays a row.
    pub(super) fn squares(&self, side: u32, row: bool) -> Vec<Vec<f64>> {
        let side = side as usize;
        let rows = [if row { 1 } else { side }, side];
        let filled = |(array, rows): (&Array, usize)| {
            let mut all = vec![0.0; rows * side];
            for (from, to) in array.real.chunks(array.columns).zip(all.chunks_mut(side)) {
                to[..from.len()].copy_from_slice(from);
            }
            all
        };
        self.arrays.iter().zip(rows).map(filled).collect()
    }

    /// Sequences of exactly 2^`bits` numbers; complex ones are two each.
    pub(super) fn sequences(&self, bits: u32, complex: bool) -> Result<Vec<Vec<f64>>, Failure> {
        let count = 1usize << bits;
        for (at, array) in self.arrays.iter().enumerate() {
            if array.rows.min(array.columns) != 1 || array.real.len() != count {
                let what = format!("the network takes {count} numbers in a row or column, one a node");
                return Err(self.refused(
                    at,
                    &what,
                    "use swapped-hypercube:K,M with 2^(K + 2M) numbers, or hypercube:D with 2^D",
                ));
            }
            if !complex && array.imaginary.is_some() {
                return Err(self.refused(at, "real numbers are needed", "leave the imaginary parts out"));
            }
        }
        let parts = |array: &Array| match &array.imaginary {
            _ if !complex => array.real.clone(),
            Some(imaginary) => array.real.iter().zip(imaginary).flat_map(|(re, im)| [*re, *im]).collect(),
            None => array.real.iter().flat_map(|re| [*re, 0.0]).collect(),
        };
        Ok(self.arrays.iter().map(parts).collect())
    }
}

/// The result as a file holds it: `rows` × `columns` of a square of `side`.
pub(super) fn cropped(result: &[f64], side: usize, [rows, columns]: [usize; 2]) -> Array {
    let real = result.chunks(side).take(rows).flat_map(|row| &row[..columns]).copied().collect();
    Array { rows, columns, real, imaginary: None }
}

/// A sequence as a file holds it.
pub(super) fn column(result: Vec<f64>, complex: bool) -> Array {
    if !complex {
        return Array { rows: result.len(), columns: 1, real: result, imaginary: None };
    }
    let (real, imaginary): (Vec<f64>, Vec<f64>) = result.as_chunks::<2>().0.iter().map(|&[re, im]| (re, im)).unzip();
    Array { rows: real.len(), columns: 1, real, imaginary: Some(imaginary) }
}

/// Refuses, before the program runs, a place that cannot be written to or an ending that says something else.
pub(super) fn probe(path: &Path) -> Result<(), Failure> {
    let ending = formats::ending(path);
    if !formats::ARRAY_ENDINGS.contains(&ending.as_str()) {
        return Err(Failure::input(format!("--result {}: no array has the ending of this name", path.display()))
            .hint("name a file that ends in .csv or .npy, with or without .gz"));
    }
    output::probe(path)
}
