//! What a search's positions begin with, fitted to what searches below such
//! positions came to. Imports the solver, features and the solver of linear
//! equations.

use crate::agents::evaluation::{Condition, FEATURES, Weights, features};
use crate::analysis::cholesky::Cholesky;
use crate::game::{Position, Rules, Ruleset, Side};
use crate::solver::estimates::{Estimate, Estimates, Kind, Origin, Pair, UNITS, log_moves};
use crate::solver::{First, NoMemory, Options, Search, Verdict};

/// The moves' logarithm comes after the features.
const MOVES: usize = FEATURES;
const COLUMNS: usize = FEATURES + 1;
/// How far coefficients are drawn towards zero.
const RIDGE: f64 = 30.0;
/// One of so many positions is kept apart to measure the fit on.
const KEPT_APART: usize = 5;
/// The logarithms to base 2 of the numbers of a win and of what is none: that
/// of one position, and more than most that are open.
const WON: f64 = 0.0;
const HOPELESS: f64 = 13.0;
/// The table of a search below one position.
const SMALL_TABLE: u64 = 1 << 19;

/// How positions are taken and looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// Positions expanded from each root.
    pub nodes: u64,
    /// The table of that search, in bytes.
    pub memory: u64,
    /// Positions kept of each search.
    pub positions: usize,
    /// Positions expanded below each of them at most.
    pub look: u64,
    /// Decides which positions are kept.
    pub seed: u64,
}

/// A position that a search came to, and what another search made of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    kind: Kind,
    /// Number and value of each feature that is not zero.
    features: Vec<(u8, i16)>,
    moves: u32,
    /// The logarithms to base 2 of the proof number and the disproof number.
    numbers: [f64; 2],
}

/// Searches from a root and looks into some of the positions it meets, all by
/// counts of moves alone: so the result does not depend on earlier estimates.
///
/// # Errors
/// Memory that cannot be had.
pub fn see(
    ruleset: Ruleset,
    root: &Position,
    winner: Side,
    sampling: &Sampling,
) -> Result<Vec<Seen>, NoMemory> {
    let rules = Rules::new(ruleset);
    let search = |memory| {
        let options = Options {
            first: First::Counted,
            ..Options::new(memory)
        };
        Search::new(&rules, winner, options)
    };
    let mut from_root = search(sampling.memory)?;
    from_root.begin_sample(sampling.positions, sampling.seed);
    from_root.solve(root, sampling.nodes, &mut |_| true);
    let look = |position: &Position| -> Result<Option<Seen>, NoMemory> {
        let Some((kind, moves)) = Kind::and_moves(&rules, position) else {
            return Ok(None);
        };
        let mut below = search(SMALL_TABLE)?;
        let verdict = below.solve(position, sampling.look, &mut |_| true);
        let progress = below.progress();
        let log = |number: u32| libm::log2(1.0 + f64::from(number));
        Ok(Some(Seen {
            kind,
            features: not_zero(&features(&rules, position)),
            moves,
            numbers: match verdict {
                Verdict::Proved { .. } => [WON, HOPELESS],
                Verdict::Exhausted => [HOPELESS, WON],
                Verdict::Open => [log(progress.proof), log(progress.disproof)],
            },
        }))
    };
    let looked = from_root.sampled().iter().map(look);
    looked.filter_map(Result::transpose).collect()
}

fn not_zero(values: &[i32; FEATURES]) -> Vec<(u8, i16)> {
    let numbered = (0..).zip(values);
    let numbered = numbered.filter(|(_, value)| **value != 0);
    numbered
        .map(|(feature, &value)| (feature, value as i16))
        .collect()
}

/// Estimates by least squares.
#[must_use]
pub fn fit_estimates(winner: Side, rules: Condition, origin: Origin, seen: &[Seen]) -> Estimates {
    let pair = |kind: Kind| {
        let of_kind: Vec<&Seen> = seen.iter().filter(|seen| seen.kind == kind).collect();
        Pair {
            proof: estimate(&of_kind, 0),
            disproof: estimate(&of_kind, 1),
        }
    };
    Estimates {
        winner,
        rules,
        origin,
        pairs: Kind::ALL.into_iter().map(pair).collect(),
    }
}

/// One number's estimate.
fn estimate(seen: &[&Seen], number: usize) -> Estimate {
    let mut products = vec![0.0; COLUMNS * COLUMNS];
    let mut right = vec![0.0; COLUMNS];
    let fitted = seen.iter().enumerate();
    for (_, seen) in fitted.filter(|(place, _)| place % KEPT_APART != 0) {
        let row = row(seen);
        for &(column, value) in &row {
            right[column] += value * seen.numbers[number];
            for &(other, times) in &row {
                products[column * COLUMNS + other] += value * times;
            }
        }
    }
    for column in 0..COLUMNS {
        products[column * COLUMNS + column] += RIDGE;
    }
    let factor = Cholesky::new(products, COLUMNS)
        .expect("a sum of squares and a ridge is positive definite");
    let coefficients = factor.solve(&right);
    let whole = |coefficient: f64| {
        let units = libm::round(coefficient * f64::from(UNITS));
        units.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
    };
    let mut weights = [0; FEATURES];
    for (weight, &coefficient) in weights.iter_mut().zip(&coefficients) {
        *weight = whole(coefficient);
    }
    Estimate {
        moves: whole(coefficients[MOVES]),
        weights: Weights::new(weights),
        explained: (1000.0 * explained(seen, number, &coefficients)) as i32,
    }
}

fn row(seen: &Seen) -> Vec<(usize, f64)> {
    let features = seen.features.iter();
    let mut row: Vec<(usize, f64)> = features
        .map(|&(feature, value)| (usize::from(feature), f64::from(value)))
        .collect();
    let moves = f64::from(log_moves(seen.moves)) / f64::from(UNITS);
    row.push((MOVES, moves));
    row
}

/// How much of the variance among the positions kept apart the coefficients
/// explain; 0 where there is none.
fn explained(seen: &[&Seen], number: usize, coefficients: &[f64]) -> f64 {
    let apart: Vec<(f64, f64)> = seen
        .iter()
        .step_by(KEPT_APART)
        .map(|seen| {
            let products = row(seen).into_iter();
            let sum = products.map(|(column, value)| coefficients[column] * value);
            (seen.numbers[number], sum.sum())
        })
        .collect();
    let mean = apart.iter().map(|(truth, _)| truth).sum::<f64>() / apart.len().max(1) as f64;
    let square = |difference: f64| difference * difference;
    let around_mean: f64 = apart.iter().map(|(truth, _)| square(truth - mean)).sum();
    let around_fit: f64 = apart.iter().map(|(truth, fit)| square(truth - fit)).sum();
    if around_mean > 0.0 {
        1.0 - around_fit / around_mean
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(seen: &[Seen]) -> Origin {
        Origin {
            made_by: "a test".into(),
            seed: 1,
            positions: seen.len() as u64,
        }
    }

    #[test]
    fn a_linear_law_is_found() {
        let seen: Vec<Seen> = (0..60_000_u32)
            .map(|n| {
                let (left, right) = (n % 7, n / 7 % 5);
                let moves = n % 31;
                let log = f64::from(log_moves(moves)) / f64::from(UNITS);
                let proof = 2.0 + 0.5 * f64::from(left) - 0.25 * f64::from(right) + 0.75 * log;
                Seen {
                    kind: Kind::Attackers,
                    features: vec![(0, 1), (3, left as i16), (20, right as i16)],
                    moves,
                    numbers: [proof, 1.0],
                }
            })
            .collect();
        let estimates = fit_estimates(Side::Defenders, Condition::default(), origin(&seen), &seen);
        let pair = &estimates.pairs[Kind::Attackers as usize];
        let near = |weight: i16, expected: f64| {
            assert!(
                (f64::from(weight) - expected * 256.0).abs() < 12.0,
                "{weight}, {expected}"
            );
        };
        let weights = pair.proof.weights.numbers();
        near(weights[0], 2.0);
        near(weights[3], 0.5);
        near(weights[20], -0.25);
        near(pair.proof.moves, 0.75);
        assert!(pair.proof.explained > 990);
        // Nothing varies there.
        assert_eq!(pair.disproof.explained, 0);
        assert_eq!(estimates.pairs[0].proof.moves, 0);
    }

    #[test]
    fn the_same_search_sees_the_same_positions() {
        let ruleset = Ruleset::default();
        let root = Rules::new(ruleset).start();
        let sampling = Sampling {
            nodes: 3_000,
            memory: 1 << 20,
            positions: 40,
            look: 50,
            seed: 3,
        };
        let once = see(ruleset, &root, Side::Attackers, &sampling).unwrap();
        let twice = see(ruleset, &root, Side::Attackers, &sampling).unwrap();
        assert_eq!(once, twice);
        assert_eq!(once.len(), 40);
        assert!(once.iter().any(|seen| seen.kind == Kind::Defenders));
        assert!(once.iter().any(|seen| seen.kind != Kind::Defenders));
        let other = Sampling {
            seed: 4,
            ..sampling
        };
        assert_ne!(see(ruleset, &root, Side::Attackers, &other).unwrap(), once);
    }
}
