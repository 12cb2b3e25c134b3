//! What a search's positions begin with, fitted to what searches below such
//! positions came to. Imports the solver, features and the solver of linear
//! equations.

use crate::agents::evaluation::{Condition, FEATURES, Weights, features};
use crate::analysis::envelope::Symmetric;
use crate::game::{Position, Rules, Ruleset, Side};
use crate::solver::estimates::{
    Both, Estimate, Estimates, Kind, Origin, PAIRS, UNITS, log_moves, pairs,
};
use crate::solver::{First, NoMemory, Options, Replies, Search, Verdict};

/// The moves' logarithm comes after the features, then the pairs of pieces.
const MOVES: usize = FEATURES;
const FIRST_PAIR: usize = MOVES + 1;
const COLUMNS: usize = FIRST_PAIR + PAIRS;
/// How far coefficients are drawn towards zero.
const RIDGE: f64 = 30.0;
/// One of so many positions is kept apart to measure the fit on.
const KEPT_APART: usize = 5;
/// The logarithm to base 2 of the number of what cannot be: more than that of
/// most positions that are open.
const HOPELESS: f64 = 17.0;
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
    position: Position,
    /// Number and value of each feature that is not zero.
    features: Vec<(u8, i16)>,
    moves: u32,
    /// The logarithms to base 2 of the proof number and the disproof number.
    numbers: [f64; 2],
    /// The same of the estimates that the searches began with.
    estimated: Option<[f64; 2]>,
}

/// Searches from a root and looks into some of the positions it meets: by these
/// estimates, or by counts of moves alone, never by those that come with the
/// program.
///
/// # Errors
/// Memory that cannot be had.
pub fn see(
    ruleset: Ruleset,
    root: &Position,
    winner: Side,
    estimates: Option<&Estimates>,
    sampling: &Sampling,
) -> Result<Vec<Seen>, NoMemory> {
    let rules = Rules::new(ruleset);
    let search = |memory| {
        let first = estimates.map_or(First::Counted, |_| First::Fitted);
        let options = Options {
            first,
            // As when the estimates that come with the program were fitted.
            replies: Replies::Summed,
            ..Options::new(memory)
        };
        let mut search = Search::new(&rules, winner, options)?;
        if let Some(estimates) = estimates {
            search.begin_with(estimates);
        }
        Ok(search)
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
        let estimated = estimates.map(|estimates| {
            <[u32; 2]>::from(estimates.numbers(&rules, position, kind, moves)).map(log)
        });
        let work = libm::log2(1.0 + progress.nodes as f64);
        Ok(Some(Seen {
            kind,
            position: *position,
            features: not_zero(&features(&rules, position)),
            moves,
            numbers: match verdict {
                Verdict::Proved { .. } => [work, HOPELESS],
                Verdict::Exhausted => [HOPELESS, work],
                Verdict::Open => [log(progress.proof), log(progress.disproof)],
            },
            estimated,
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

/// Estimates by least squares. Where the searches began with estimates, what is
/// fitted is on the level of these: what a search sums up is larger than what it
/// began with, and from round to round numbers would grow without end.
#[must_use]
pub fn fit_estimates(
    winner: Side,
    rules: Condition,
    origin: Origin,
    mut seen: Vec<Seen>,
) -> Estimates {
    let growth = [0, 1].map(|number| growth(&seen, number));
    for seen in &mut seen {
        for (number, growth) in seen.numbers.iter_mut().zip(growth) {
            *number -= growth;
        }
    }
    let both = |kind: Kind| {
        let of_kind: Vec<&Seen> = seen.iter().filter(|seen| seen.kind == kind).collect();
        let [proof, disproof] = estimates(&of_kind);
        Both::new(proof, disproof)
    };
    Estimates {
        winner,
        rules,
        origin,
        kinds: Kind::ALL.into_iter().map(both).collect(),
    }
}

/// How much larger one number is than its estimate, on average; 0 where there
/// are no estimates.
fn growth(seen: &[Seen], number: usize) -> f64 {
    let known = seen.iter().filter_map(|seen| {
        let estimated = seen.estimated?;
        Some(seen.numbers[number] - estimated[number])
    });
    let (sum, count) = known.fold((0.0, 0.0), |(sum, count), more| (sum + more, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The estimates of both numbers.
fn estimates(seen: &[&Seen]) -> [Estimate; 2] {
    let mut products = vec![0.0; COLUMNS * COLUMNS];
    let mut right = [vec![0.0; COLUMNS], vec![0.0; COLUMNS]];
    let fitted = seen.iter().enumerate();
    for (_, seen) in fitted.filter(|(place, _)| place % KEPT_APART != 0) {
        let row = row(seen);
        for (place, &(column, value)) in row.iter().enumerate() {
            for (right, number) in right.iter_mut().zip(seen.numbers) {
                right[column] += value * number;
            }
            // Columns ascend: the lower half.
            for &(other, times) in &row[..=place] {
                products[column * COLUMNS + other] += value * times;
            }
        }
    }
    for column in 0..COLUMNS {
        products[column * COLUMNS + column] += RIDGE;
    }
    let factor = Symmetric::dense(&products, COLUMNS)
        .factor()
        .expect("a sum of squares and a ridge is positive definite");
    [0, 1].map(|number| {
        let coefficients = factor.solve(&right[number]);
        let explained = explained(seen, number, &coefficients);
        estimate(&coefficients, explained)
    })
}

/// One number's estimate, in whole units.
fn estimate(coefficients: &[f64], explained: f64) -> Estimate {
    let whole = |coefficient: f64| {
        let units = libm::round(coefficient * f64::from(UNITS));
        units.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
    };
    Estimate {
        moves: whole(coefficients[MOVES]),
        weights: Weights::new(std::array::from_fn(|feature| whole(coefficients[feature]))),
        pairs: Box::new(std::array::from_fn(|pair| {
            whole(coefficients[FIRST_PAIR + pair])
        })),
        explained: (1000.0 * explained) as i32,
    }
}

/// What is not zero, by ascending column.
fn row(seen: &Seen) -> Vec<(usize, f64)> {
    let features = seen.features.iter();
    let mut row: Vec<(usize, f64)> = features
        .map(|&(feature, value)| (usize::from(feature), f64::from(value)))
        .collect();
    let moves = f64::from(log_moves(seen.moves)) / f64::from(UNITS);
    row.push((MOVES, moves));
    let mut of_pairs: Vec<usize> = pairs(&seen.position).collect();
    of_pairs.sort_unstable();
    let alike = of_pairs.chunk_by(usize::eq);
    row.extend(alike.map(|pairs| (FIRST_PAIR + pairs[0], pairs.len() as f64)));
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
        // A pair that stands in one of two positions.
        let position = |otn| Position::from_otn(otn, Side::Attackers).unwrap();
        let positions = [
            position("/7/7/7/2tt3/7/7/K6/"),
            position("/7/7/7/2t1t2/7/7/K6/"),
        ];
        let other: Vec<usize> = pairs(&positions[1]).collect();
        let pair = pairs(&positions[0]).find(|number| !other.contains(number));
        let pair = pair.expect("two men beside each other");
        let seen: Vec<Seen> = (0..60_000_u32)
            .map(|n| {
                let (left, right) = (n % 7, n / 7 % 5);
                let (moves, second) = (n % 31, n % 2);
                let log = f64::from(log_moves(moves)) / f64::from(UNITS);
                let men = 1.5 * f64::from(1 - second);
                let proof = 2.0 + 0.5 * f64::from(left) - 0.25 * f64::from(right) + 0.75 * log;
                Seen {
                    kind: Kind::Attackers,
                    position: positions[second as usize],
                    features: vec![(0, 1), (3, left as i16), (20, right as i16)],
                    moves,
                    numbers: [proof + men, 1.0],
                    estimated: None,
                }
            })
            .collect();
        let fit = |seen: &[Seen]| {
            let origin = origin(seen);
            fit_estimates(Side::Defenders, Condition::default(), origin, seen.to_vec())
        };
        let estimates = fit(&seen);
        let both = &estimates.kinds[Kind::Attackers as usize];
        let proof = both.proof();
        let near = |weight: i32, expected: f64| {
            let difference = f64::from(weight) - expected * 256.0;
            assert!(difference.abs() < 12.0, "{weight}, {expected}");
        };
        let weight = |feature: usize| i32::from(proof.weights.numbers()[feature]);
        near(weight(3), 0.5);
        near(weight(20), -0.25);
        near(proof.moves.into(), 0.75);
        // Which of what stands in all or in only one it is, cannot be told.
        let worth = |position| pairs(position).map(|n| i32::from(proof.pairs[n])).sum();
        let [first, second]: [i32; 2] = [worth(&positions[0]), worth(&positions[1])];
        near(weight(0) + second, 2.0);
        near(first - second, 1.5);
        assert!(proof.pairs[pair] > 0);
        assert!(proof.explained > 990);
        // Nothing varies there.
        assert_eq!(both.disproof().explained, 0);
        assert_eq!(estimates.kinds[0].proof().moves, 0);

        // By searches that began with half as much, the same on their level.
        let mut grown = seen;
        for seen in &mut grown {
            seen.estimated = Some(seen.numbers.map(|number| number - 1.0));
        }
        let estimates = fit(&grown);
        let proof = estimates.kinds[Kind::Attackers as usize].proof();
        near(proof.moves.into(), 0.75);
        let constant = i32::from(proof.weights.numbers()[0]);
        let worth: i32 = pairs(&positions[0])
            .map(|n| i32::from(proof.pairs[n]))
            .sum();
        near(constant + worth, 2.0 + 1.5 - 1.0);
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
        let see = |estimates, sampling| {
            see(ruleset, &root, Side::Attackers, estimates, &sampling).unwrap()
        };
        let once = see(None, sampling);
        let twice = see(None, sampling);
        assert_eq!(once, twice);
        assert_eq!(once.len(), 40);
        assert!(once.iter().any(|seen| seen.kind == Kind::Defenders));
        assert!(once.iter().any(|seen| seen.kind != Kind::Defenders));
        let other = Sampling {
            seed: 4,
            ..sampling
        };
        assert_ne!(see(None, other), once);
        let estimates = Estimates::of(&ruleset, Side::Attackers);
        assert_ne!(see(Some(estimates), sampling), once);
    }
}
