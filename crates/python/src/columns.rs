//! **What:** columns of numbers as bytes, which `numpy.frombuffer` and `memoryview.cast` take as they are.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Numbers in the machine's order of bytes.
pub(crate) trait Number: Copy {
    /// Appends it.
    fn append(self, to: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($kind:ty),*) => { $(impl Number for $kind {
        fn append(self, to: &mut Vec<u8>) {
            to.extend(self.to_ne_bytes());
        }
    })* };
}

numbers!(u32, u64, f64);

/// A column.
pub(crate) fn column<N: Number>(py: Python<'_>, numbers: impl IntoIterator<Item = N>) -> Bound<'_, PyBytes> {
    let mut bytes = Vec::new();
    numbers.into_iter().for_each(|number| number.append(&mut bytes));
    PyBytes::new(py, &bytes)
}

/// Lists of numbers, one a row: all of them in a row, and where each list ends.
#[derive(Default)]
pub(crate) struct Lists<N> {
    all: Vec<N>,
    ends: Vec<u64>,
}

impl<N: Number> Lists<N> {
    /// The list of the next row.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = N>) {
        self.all.extend(list);
        self.ends.push(self.all.len() as u64);
    }

    /// Sets the columns `name` and `name_ends`.
    pub(crate) fn set(self, to: &Bound<'_, PyDict>, name: &str) -> PyResult<()> {
        to.set_item(name, column(to.py(), self.all))?;
        to.set_item(format!("{name}_ends"), column(to.py(), self.ends))
    }
}
