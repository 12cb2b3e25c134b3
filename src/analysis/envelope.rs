//! Cholesky's factor of a symmetric matrix with many zeros, kept by its envelope
//! (A. George and J. W.-H. Liu, *Computer Solution of Large Sparse Positive Definite
//! Systems*, 1981, chapter 4). Imports nothing of ours.
//!
//! A row of the lower half is kept from its first element that may be other than zero
//! on, and the factor has zeros where the matrix has them before that. So it pays to
//! put first what depends on little. Plain loops of IEEE operations in one order: the
//! same bits on every machine.

use std::ops::Range;
use std::sync::Arc;

/// Where a symmetric matrix may have elements other than zero.
#[derive(Debug)]
pub(super) struct Envelope {
    /// Of every row, the first column.
    first: Vec<usize>,
    /// Where every row's elements begin; last, how many there are in all.
    begin: Vec<usize>,
    /// Of every column, the rows below the diagonal that have it.
    below: Vec<Vec<usize>>,
}

impl Envelope {
    /// The envelope of a matrix of this size in which those rows and columns meet
    /// that are in one of these groups.
    pub(super) fn new(size: usize, groups: impl IntoIterator<Item = Vec<usize>>) -> Envelope {
        let mut first: Vec<usize> = (0..size).collect();
        for group in groups {
            let Some(&least) = group.iter().min() else {
                continue;
            };
            for row in group {
                first[row] = first[row].min(least);
            }
        }
        let mut begin = vec![0];
        let mut below = vec![Vec::new(); size];
        for (row, &first) in first.iter().enumerate() {
            begin.push(begin[row] + row + 1 - first);
            for column in &mut below[first..row] {
                column.push(row);
            }
        }
        Envelope {
            first,
            begin,
            below,
        }
    }

    fn size(&self) -> usize {
        self.first.len()
    }

    /// Where the elements of a row are, its diagonal element last.
    fn row(&self, row: usize) -> Range<usize> {
        self.begin[row]..self.begin[row + 1]
    }

    /// Where the element of this row and this column, or of that row and this
    /// column, is. Both are of one group.
    fn place(&self, one: usize, other: usize) -> usize {
        let (row, column) = (one.max(other), one.min(other));
        self.begin[row + 1] - 1 - (row - column)
    }

    /// Where the diagonal element of a row is.
    fn diagonal(&self, row: usize) -> usize {
        self.begin[row + 1] - 1
    }
}

/// A symmetric matrix: the elements in its envelope.
#[derive(Clone, Debug)]
pub(crate) struct Symmetric {
    envelope: Arc<Envelope>,
    elements: Vec<f64>,
}

impl Symmetric {
    /// Of zeros.
    pub(super) fn new(envelope: &Arc<Envelope>) -> Symmetric {
        Symmetric {
            envelope: Arc::clone(envelope),
            elements: vec![0.0; envelope.begin[envelope.size()]],
        }
    }

    /// A matrix without zeros, row by row; only its lower half is read.
    pub(crate) fn dense(matrix: &[f64], size: usize) -> Symmetric {
        let mut dense = Symmetric::new(&Arc::new(Envelope::new(size, [(0..size).collect()])));
        for (row, values) in matrix.chunks(size).enumerate() {
            let own = dense.envelope.row(row);
            dense.elements[own].copy_from_slice(&values[..=row]);
        }
        dense
    }

    /// An element; its row and column are of one group.
    pub(super) fn get(&self, one: usize, other: usize) -> f64 {
        self.elements[self.envelope.place(one, other)]
    }

    /// Adds to an element, which is that of `other` and `one`, too; both are of one
    /// group.
    pub(super) fn add(&mut self, one: usize, other: usize, value: f64) {
        self.elements[self.envelope.place(one, other)] += value;
    }

    /// L, where this is L·Lᵀ. `None` if it is not positive definite, or so nearly that
    /// a pivot has lost twelve digits of its diagonal element.
    pub(crate) fn factor(mut self) -> Option<Factor> {
        const LOST: f64 = 1e-12;
        let envelope = &*self.envelope;
        for row in 0..envelope.size() {
            let first = envelope.first[row];
            let (before, own) = self.elements.split_at_mut(envelope.begin[row]);
            let own = &mut own[..=row - first];
            for column in first..row {
                let from = first.max(envelope.first[column]);
                let other = &before[envelope.place(column, from)..=envelope.diagonal(column)];
                let (pivot, other) = other.split_last().expect("a row has its diagonal");
                let sum = dot(&own[from - first..column - first], other);
                own[column - first] = (own[column - first] - sum) / pivot;
            }
            let (diagonal, rest) = own.split_last_mut().expect("a row has its diagonal");
            let pivot = *diagonal - dot(rest, rest);
            if pivot > LOST * *diagonal {
                *diagonal = pivot.sqrt();
            } else {
                return None;
            }
        }
        Some(Factor(self))
    }
}

/// A symmetric positive definite matrix as L·Lᵀ.
#[derive(Clone, Debug)]
pub(crate) struct Factor(Symmetric);

impl Factor {
    fn parts(&self) -> (&Envelope, &[f64]) {
        (&self.0.envelope, &self.0.elements)
    }

    /// The x of L·x = `right`: its length is that of `right` in the metric of the
    /// inverse.
    pub(super) fn half(&self, right: &[f64]) -> Vec<f64> {
        let (envelope, lower) = self.parts();
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let own = &lower[envelope.row(row)];
            let (pivot, own) = own.split_last().expect("a row has its diagonal");
            let sum = dot(own, &x[envelope.first[row]..row]);
            x[row] = (x[row] - sum) / pivot;
        }
        x
    }

    /// The x of A·x = `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (envelope, lower) = self.parts();
        let mut x = self.half(right);
        for column in (0..x.len()).rev() {
            let below = envelope.below[column].iter();
            let sum: f64 = below
                .map(|&row| lower[envelope.place(row, column)] * x[row])
                .sum();
            x[column] = (x[column] - sum) / lower[envelope.diagonal(column)];
        }
        x
    }

    /// The elements of the inverse in the envelope, and no others (K. Takahashi, J.
    /// Fagan and M.-S. Chin, "Formation of a sparse bus impedance matrix and its
    /// application to short circuit study", 1973).
    pub(super) fn inverse_within(&self) -> Symmetric {
        let (envelope, lower) = self.parts();
        let mut inverse = Symmetric::new(&self.0.envelope);
        for column in (0..envelope.size()).rev() {
            let pivot = lower[envelope.diagonal(column)];
            let below = &envelope.below[column];
            let of_row = |&row: &usize| lower[envelope.place(row, column)] / pivot;
            let weights: Vec<f64> = below.iter().map(of_row).collect();
            // The part of the inverse below this column, times the weights.
            let mut sums = vec![0.0; below.len()];
            for (at, &row) in below.iter().enumerate() {
                let first = envelope.first[row];
                let own = &inverse.elements[envelope.row(row)];
                let mut sum = own[row - first] * weights[at];
                for (other, &column) in below[..at].iter().enumerate() {
                    let element = own[column - first];
                    sums[other] += element * weights[at];
                    sum += element * weights[other];
                }
                sums[at] += sum;
            }
            let mut diagonal = 1.0 / (pivot * pivot);
            for ((&row, sum), weight) in below.iter().zip(&sums).zip(&weights) {
                inverse.elements[envelope.place(row, column)] = -sum;
                diagonal += weight * sum;
            }
            inverse.elements[envelope.diagonal(column)] = diagonal;
        }
        inverse
    }

    /// The whole inverse, row by row.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let size = self.0.envelope.size();
        let unit = |one: usize| -> Vec<f64> {
            let mut unit = vec![0.0; size];
            unit[one] = 1.0;
            self.solve(&unit)
        };
        (0..size).flat_map(unit).collect()
    }

    /// The natural logarithm of the determinant.
    pub(super) fn log_determinant(&self) -> f64 {
        let (envelope, lower) = self.parts();
        let pivots = (0..envelope.size()).map(|row| libm::log(lower[envelope.diagonal(row)]));
        2.0 * pivots.sum::<f64>()
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs that meet nobody but each other and the last four, as rulesets meet
    /// agents.
    fn arrow(pairs: usize) -> (Arc<Envelope>, usize) {
        let size = 2 * pairs + 4;
        let last: Vec<usize> = (2 * pairs..size).collect();
        let groups = (0..pairs).map(|pair| [vec![2 * pair, 2 * pair + 1], last.clone()].concat());
        (Arc::new(Envelope::new(size, groups)), size)
    }

    fn dense(size: usize) -> Arc<Envelope> {
        Symmetric::dense(&vec![0.0; size * size], size).envelope
    }

    /// A positive definite matrix of this shape, and the same row by row.
    fn matrix(envelope: &Arc<Envelope>, size: usize) -> (Symmetric, Vec<f64>) {
        let mut matrix = Symmetric::new(envelope);
        let mut whole = vec![0.0; size * size];
        for row in 0..size {
            for column in envelope.first[row]..=row {
                let value = match row - column {
                    0 => size as f64 + libm::sin(row as f64),
                    _ => libm::cos((3 * row + 5 * column) as f64),
                };
                matrix.add(row, column, value);
                whole[row * size + column] = value;
                whole[column * size + row] = value;
            }
        }
        (matrix, whole)
    }

    #[test]
    fn known_matrices_have_their_solutions_determinants_and_inverses() {
        // What is above the diagonal is not read.
        let nothing = f64::NAN;
        let matrix = [4.0, nothing, nothing, 2.0, 5.0, nothing, 1.0, 3.0, 6.0];
        let matrix = Symmetric::dense(&matrix, 3);
        let factor = matrix.factor().unwrap();
        // 4·(30 − 9) − 2·(12 − 3) + 1·(6 − 5) = 67
        assert!((factor.log_determinant() - 67_f64.ln()).abs() < 1e-12);
        let expected = [21.0, -9.0, 1.0, -9.0, 23.0, -10.0, 1.0, -10.0, 16.0];
        for (found, expected) in factor.inverse().iter().zip(expected) {
            assert!((found - expected / 67.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_matrix_times_its_solution_is_the_right_hand_side() {
        for (envelope, size) in [arrow(9), (dense(17), 17), arrow(0)] {
            let (matrix, whole) = matrix(&envelope, size);
            let right: Vec<f64> = (0..size).map(|at| 1.0 / (at + 1) as f64).collect();
            let factor = matrix.factor().unwrap();
            let x = factor.solve(&right);
            for (row, expected) in whole.chunks(size).zip(&right) {
                assert!((dot(row, &x) - expected).abs() < 1e-12);
            }
            let half = factor.half(&right);
            assert!((dot(&half, &half) - dot(&right, &x)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_inverse_within_the_envelope_is_that_part_of_the_inverse() {
        for (envelope, size) in [arrow(9), (dense(17), 17), arrow(1)] {
            let factor = matrix(&envelope, size).0.factor().unwrap();
            let (whole, within) = (factor.inverse(), factor.inverse_within());
            let mut elements = 0;
            for row in 0..size {
                for column in envelope.first[row]..=row {
                    let expected = whole[row * size + column];
                    assert!((within.get(row, column) - expected).abs() < 1e-14);
                    assert!((within.get(column, row) - expected).abs() < 1e-14);
                    elements += 1;
                }
            }
            assert_eq!(within.elements.len(), elements);
        }
    }

    /// What is kept grows with the pairs, not with their square.
    #[test]
    fn what_never_meets_takes_no_room() {
        let kept = |pairs: usize| Symmetric::new(&arrow(pairs).0).elements.len();
        assert_eq!(kept(10), 10 * (3 + 2 * 4) + 10);
        assert_eq!(kept(1000), 1000 * (3 + 2 * 4) + 10);
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        for values in [[1.0, 2.0, 1.0], [1.0, 1.0, 1.0], [f64::NAN, 0.0, 1.0]] {
            let [first, below, last] = values;
            let matrix = Symmetric::dense(&[first, below, below, last], 2);
            assert!(matrix.factor().is_none(), "{values:?}");
        }
    }
}
