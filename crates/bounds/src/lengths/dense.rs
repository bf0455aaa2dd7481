//! **What:** the Cholesky factor of a dense symmetric positive definite matrix, by rows of its lower triangle.

/// A symmetric matrix while it is added up, then its factor.
pub(super) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// A diagonal matrix.
    pub(super) fn diagonal(diagonal: Vec<f64>) -> Self {
        let row = |(i, entry)| {
            let mut row = vec![0.0; i + 1];
            row[i] = entry;
            row
        };
        Cholesky { rows: diagonal.into_iter().enumerate().map(row).collect() }
    }

    /// Adds `factor · v vᵀ` for a vector given by its entries in ascending order.
    pub(super) fn add_sparse(&mut self, vector: &[(usize, f64)], factor: f64) {
        for (k, (i, a)) in vector.iter().enumerate() {
            let row = &mut self.rows[*i];
            let scaled = factor * a;
            for (j, b) in &vector[..=k] {
                row[*j] += scaled * b;
            }
        }
    }

    /// Adds `factor · v vᵀ`.
    pub(super) fn add_dense(&mut self, vector: &[f64], factor: f64) {
        for (row, a) in self.rows.iter_mut().zip(vector).filter(|(_, a)| **a != 0.0) {
            let scaled = factor * a;
            row.iter_mut().zip(vector).for_each(|(at, b)| *at += scaled * b);
        }
    }

    /// Factors the matrix. `None` where it is not positive definite to working precision.
    pub(super) fn factor(mut self) -> Option<Self> {
        for i in 0..self.rows.len() {
            let (done, rest) = self.rows.split_at_mut(i);
            let row = &mut rest[0];
            for (j, before) in done.iter().enumerate() {
                let (known, open) = row.split_at_mut(j);
                open[0] = (open[0] - product(known, before)) / before[j];
            }
            let pivot = row[i] - product(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            row[i] = pivot.sqrt();
        }
        Some(self)
    }

    /// Solves for `right` in place; the matrix must have been factored.
    pub(super) fn solve(&self, right: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate() {
            right[i] = (right[i] - product(&row[..i], &right[..i])) / row[i];
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            right[i] /= row[i];
            let known = right[i];
            right[..i].iter_mut().zip(row).for_each(|(at, entry)| *at -= known * entry);
        }
    }
}

/// The scalar product over the shorter of two vectors, in independent sums that the processor adds side by side.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut sums = [0.0; 8];
    let (left, right) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in left.zip(right) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The solution of a system of a diagonal and sums of products solves it.
        #[test]
        fn solves(
            diagonal in prop::collection::vec(0.1f64..2.0, 1..30),
            vectors in prop::collection::vec(prop::collection::vec(-1.0f64..1.0, 30), 0..6),
            x in prop::collection::vec(-1.0f64..1.0, 30),
        ) {
            let n = diagonal.len();
            let mut matrix = Cholesky::diagonal(diagonal.clone());
            let mut right: Vec<f64> = (0..n).map(|i| diagonal[i] * x[i]).collect();
            for (k, v) in vectors.iter().enumerate() {
                let along: f64 = (0..n).map(|i| v[i] * x[i]).sum();
                (0..n).for_each(|i| right[i] += along * v[i]);
                if k % 2 == 0 {
                    matrix.add_dense(&v[..n], 1.0);
                } else {
                    matrix.add_sparse(&v[..n].iter().copied().enumerate().collect::<Vec<_>>(), 1.0);
                }
            }
            let factor = matrix.factor().expect("a positive diagonal makes it positive definite");
            factor.solve(&mut right);
            for i in 0..n {
                prop_assert!((right[i] - x[i]).abs() < 1e-9, "{} {}", right[i], x[i]);
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_has_no_factor() {
        let mut matrix = Cholesky::diagonal(vec![1.0, 1.0]);
        matrix.add_dense(&[1.0, 1.0], -1.0);
        assert!(matrix.factor().is_none());
    }
}
