//! Cholesky's factor of a small symmetric matrix that has no zeros. Imports nothing of
//! ours.
//!
//! Plain loops of IEEE operations in one order: the same bits on every
//! machine, which fused or blocked kernels would not give.

/// A symmetric positive definite matrix as L·Lᵀ.
pub(crate) struct Cholesky {
    size: usize,
    /// L, row by row; what is above the diagonal is not used.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix given row by row; only its lower half is read. `None`
    /// if it is not positive definite, or so nearly that a pivot has lost
    /// twelve digits of its diagonal element.
    pub(crate) fn new(mut matrix: Vec<f64>, size: usize) -> Option<Cholesky> {
        const LOST: f64 = 1e-12;
        // L once more, column by column: what a row's products add up to is then
        // found for all its elements at a time, each in the same order.
        let mut columns = vec![0.0; size * size];
        let mut sums = vec![0.0; size];
        for row in 0..size {
            sums[..=row].fill(0.0);
            for column in 0..row {
                let rest = matrix[row * size + column] - sums[column];
                let element = rest / matrix[column * size + column];
                matrix[row * size + column] = element;
                columns[column * size + row] = element;
                let below = &columns[column * size..][column + 1..=row];
                for (sum, other) in sums[column + 1..=row].iter_mut().zip(below) {
                    *sum += element * other;
                }
            }
            let rest = matrix[row * size + row] - sums[row];
            if rest > LOST * matrix[row * size + row] {
                matrix[row * size + row] = rest.sqrt();
            } else {
                return None;
            }
        }
        Some(Cholesky {
            size,
            lower: matrix,
        })
    }

    /// The x of A·x = `right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (size, lower) = (self.size, &self.lower);
        let mut x = right.to_vec();
        for row in 0..size {
            let sum: f64 = (0..row).map(|k| lower[row * size + k] * x[k]).sum();
            x[row] = (x[row] - sum) / lower[row * size + row];
        }
        for row in (0..size).rev() {
            let sum: f64 = (row + 1..size).map(|k| lower[k * size + row] * x[k]).sum();
            x[row] = (x[row] - sum) / lower[row * size + row];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_solution_is_the_right_hand_side() {
        let matrix = vec![4.0, 2.0, 1.0, 2.0, 5.0, 3.0, 1.0, 3.0, 6.0];
        let factor = Cholesky::new(matrix.clone(), 3).unwrap();
        let x = factor.solve(&[1.0, 2.0, 3.0]);
        for (row, expected) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let product: f64 = (0..3).map(|k| matrix[3 * row + k] * x[k]).sum();
            assert!((product - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn the_factor_times_itself_is_the_matrix() {
        const SIZE: usize = 40;
        let away = |row: usize, column: usize| row.abs_diff(column) as f64;
        let matrix: Vec<f64> = (0..SIZE * SIZE)
            .map(|place| libm::exp(-away(place / SIZE, place % SIZE) / 5.0))
            .collect();
        let factor = Cholesky::new(matrix.clone(), SIZE).unwrap();
        for row in 0..SIZE {
            for column in 0..=row {
                let product: f64 = (0..=column)
                    .map(|k| factor.lower[row * SIZE + k] * factor.lower[column * SIZE + k])
                    .sum();
                assert!((product - matrix[row * SIZE + column]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(Cholesky::new(vec![1.0, 1.0, 1.0, 1.0], 2).is_none());
        assert!(Cholesky::new(vec![f64::NAN], 1).is_none());
    }
}
