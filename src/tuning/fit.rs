//! Logistic regression with a Gaussian prior, by Newton's method.
//! Imports samples and the solver of linear equations.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;

use super::samples::Sample;
use crate::agents::evaluation::FEATURES;
use crate::analysis::envelope::Symmetric;

/// Games whose sums are taken together, whatever the number of threads.
const PIECE: usize = 64;
/// Newton's method needs some ten steps; more than this it never takes.
const MOST_STEPS: usize = 50;
/// Weights no longer change once no step is larger, in units of the logit.
const PRECISION: f64 = 1e-7;

/// One real number a feature, in units of the logit.
pub(super) type Coefficients = Vec<f64>;

/// The sums over some games at some coefficients.
struct Sums {
    gradient: Vec<f64>,
    /// Row by row; the lower half alone is filled.
    curvature: Vec<f64>,
}

/// The coefficients of greatest posterior density: each feature's coefficient
/// is thought to lie around `prior` with variance 1 / `ridge`.
pub(super) fn fit(games: &[&[Sample]], prior: &[f64], ridge: f64) -> Coefficients {
    let mut coefficients = prior.to_vec();
    for _ in 0..MOST_STEPS {
        let mut sums = sums(games, &coefficients);
        for feature in 0..FEATURES {
            sums.gradient[feature] -= ridge * (coefficients[feature] - prior[feature]);
            sums.curvature[feature * FEATURES + feature] += ridge;
        }
        let factor = Symmetric::dense(&sums.curvature, FEATURES)
            .factor()
            .expect("a sum of squares and a ridge is positive definite");
        let step = factor.solve(&sums.gradient);
        let largest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        // Far from the optimum a full step can overshoot.
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        for (coefficient, part) in coefficients.iter_mut().zip(&step) {
            *coefficient += scale * part;
        }
        if largest < PRECISION {
            break;
        }
    }
    coefficients
}

/// The logit of the defenders' expected score.
fn logit(sample: &Sample, coefficients: &[f64]) -> f64 {
    let features = sample.features.iter();
    features
        .map(|&(feature, value)| coefficients[usize::from(feature)] * f64::from(value))
        .sum()
}

/// The defenders' expected score.
fn expected(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// The logarithmic loss of a position, in nats.
pub(super) fn loss(logit: f64, target: f64) -> f64 {
    let expected = expected(logit).clamp(1e-9, 1.0 - 1e-9);
    -target * libm::log(expected) - (1.0 - target) * libm::log(1.0 - expected)
}

fn sums(games: &[&[Sample]], coefficients: &[f64]) -> Sums {
    let pieces: Vec<Sums> = games
        .par_chunks(PIECE)
        .map(|games| piece(games, coefficients))
        .collect();
    let mut total = Sums::zero();
    for piece in pieces {
        for (sum, part) in total.gradient.iter_mut().zip(&piece.gradient) {
            *sum += part;
        }
        for (sum, part) in total.curvature.iter_mut().zip(&piece.curvature) {
            *sum += part;
        }
    }
    total
}

impl Sums {
    fn zero() -> Sums {
        Sums {
            gradient: vec![0.0; FEATURES],
            curvature: vec![0.0; FEATURES * FEATURES],
        }
    }
}

fn piece(games: &[&[Sample]], coefficients: &[f64]) -> Sums {
    let mut sums = Sums::zero();
    for sample in games.iter().copied().flatten() {
        let expected = expected(logit(sample, coefficients));
        let error = sample.target - expected;
        let spread = expected * (1.0 - expected);
        for (index, &(feature, value)) in sample.features.iter().enumerate() {
            let (row, value) = (usize::from(feature), f64::from(value));
            sums.gradient[row] += error * value;
            // Features come in rising order, so that the column is the lesser.
            for &(other, factor) in &sample.features[..=index] {
                let column = usize::from(other);
                sums.curvature[row * FEATURES + column] += spread * value * f64::from(factor);
            }
        }
    }
    sums
}

/// The mean logarithmic loss of each game, in nats, and its positions.
pub(super) fn losses(games: &[&[Sample]], coefficients: &[f64]) -> Vec<f64> {
    let of_sample = |sample: &Sample| loss(logit(sample, coefficients), sample.target);
    games
        .iter()
        .filter(|game| !game.is_empty())
        .map(|game| game.iter().map(of_sample).sum::<f64>() / game.len() as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset};

    #[test]
    fn known_frequencies_give_their_logits() {
        // Feature 3 alone: won 3 times of 4. Feature 5 beside it: 1 of 2.
        let position = Rules::new(Ruleset::default()).start();
        let sample = |features: &[u8], target| Sample {
            position,
            features: features.iter().map(|&feature| (feature, 1)).collect(),
            target,
        };
        let mut games = Vec::new();
        for _ in 0..500 {
            games.push(vec![
                sample(&[3], 1.0),
                sample(&[3], 1.0),
                sample(&[3], 1.0),
                sample(&[3], 0.0),
                sample(&[3, 5], 1.0),
                sample(&[3, 5], 0.0),
            ]);
        }
        let games: Vec<&[Sample]> = games.iter().map(Vec::as_slice).collect();
        let fitted = fit(&games, &vec![0.0; FEATURES], 1e-6);
        assert!((fitted[3] - 3.0_f64.ln()).abs() < 1e-6);
        assert!((fitted[5] + 3.0_f64.ln()).abs() < 1e-6);
        assert!(fitted[4].abs() < 1e-12, "never seen: the prior stays");
        let entropy = -(0.75 * 0.75_f64.ln() + 0.25 * 0.25_f64.ln());
        let expected = (4.0 * entropy + 2.0 * 2.0_f64.ln()) / 6.0;
        assert!((losses(&games, &fitted)[0] - expected).abs() < 1e-6);
    }
}
