//! Cholesky's factor of a small symmetric matrix. Imports nothing of ours.
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

    /// The inverse, row by row.
    pub(crate) fn inverse(&self) -> Vec<f64> {
        let (size, lower) = (self.size, &self.lower);
        // L column by column, which is how the second half of each solution reads it.
        let mut columns = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                columns[column * size + row] = lower[row * size + column];
            }
        }
        let mut inverse = Vec::with_capacity(size * size);
        for unit in 0..size {
            // As `solve` does, but for the zeros that it would begin with.
            let mut x = vec![0.0; size];
            x[unit] = 1.0;
            for row in unit..size {
                let own = &lower[row * size..][..size];
                let sum: f64 = (unit..row).map(|k| own[k] * x[k]).sum();
                x[row] = (x[row] - sum) / own[row];
            }
            for row in (0..size).rev() {
                let own = &columns[row * size..][..size];
                let sum: f64 = (row + 1..size).map(|k| own[k] * x[k]).sum();
                x[row] = (x[row] - sum) / own[row];
            }
            inverse.extend(x);
        }
        inverse
    }

    /// The natural logarithm of the determinant.
    pub(crate) fn log_determinant(&self) -> f64 {
        let pivots = (0..self.size).map(|row| libm::log(self.lower[row * self.size + row]));
        2.0 * pivots.sum::<f64>()
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
        // 4·(30 − 9) − 2·(12 − 3) + 1·(6 − 5) = 67
        assert!((factor.log_determinant() - 67_f64.ln()).abs() < 1e-12);
        assert!((factor.inverse()[0] - 21.0 / 67.0).abs() < 1e-12);
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
    fn the_inverse_is_what_units_are_solved_by_to_the_bit() {
        const SIZE: usize = 30;
        let matrix: Vec<f64> = (0..SIZE * SIZE)
            .map(|place| (place / SIZE, place % SIZE))
            .map(|(row, column)| match row.abs_diff(column) {
                0 => 3.0 + libm::sin(row as f64),
                away => libm::cos((row * column) as f64) / (away * away) as f64 / 2.0,
            })
            .collect();
        let factor = Cholesky::new(matrix, SIZE).unwrap();
        let solved = (0..SIZE).flat_map(|row| {
            let mut unit = vec![0.0; SIZE];
            unit[row] = 1.0;
            factor.solve(&unit)
        });
        let bits =
            |values: Vec<f64>| -> Vec<u64> { values.into_iter().map(f64::to_bits).collect() };
        assert_eq!(bits(factor.inverse()), bits(solved.collect()));
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
        assert!(Cholesky::new(vec![1.0, 1.0, 1.0, 1.0], 2).is_none());
        assert!(Cholesky::new(vec![f64::NAN], 1).is_none());
    }
}
