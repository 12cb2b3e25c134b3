//! Which rulesets share weights, and whether weights of their own help them.
//! Imports samples and the fit.

use super::fit::{Coefficients, fit, losses};
use super::samples::{Sample, Samples};
use crate::agents::evaluation::{Choice, Condition, FEATURES, SCALE, Weights};
use crate::game::KingCapture;

/// How far weights for all rulesets are drawn towards zero.
const RIDGE: f64 = 10.0;
/// How far weights for some rulesets are drawn towards those for all.
const RIDGE_TO_ALL: f64 = 30.0;
/// A family has weights of its own if its loss falls by so many standard
/// errors of the fall.
const STANDARD_ERRORS: f64 = 2.0;

/// A group of rulesets that might need weights of their own.
#[derive(Clone, Debug)]
pub struct Family {
    /// For people.
    pub name: &'static str,
    /// Which rulesets.
    pub rules: Condition,
}

impl Family {
    /// All that are looked at: by how the king is captured, and whether he
    /// captures.
    #[must_use]
    pub fn all() -> Vec<Family> {
        let captures: [(&str, &str, &[KingCapture]); 3] = [
            ("two, armed", "two, unarmed", &[KingCapture::Two]),
            (
                "centre, armed",
                "centre, unarmed",
                &[KingCapture::Throne, KingCapture::Zone],
            ),
            ("four, armed", "four, unarmed", &[KingCapture::Four]),
        ];
        let family = |name, ways: &[KingCapture], armed| Family {
            name,
            rules: Condition {
                king_capture: Some(ways.to_vec()),
                king_armed: Some(armed),
                ..Condition::default()
            },
        };
        captures
            .iter()
            .flat_map(|&(armed, unarmed, ways)| {
                [family(armed, ways, true), family(unarmed, ways, false)]
            })
            .collect()
    }
}

/// What was fitted to some rulesets' games.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The family's name, or `all`.
    pub name: &'static str,
    /// The rulesets the weights are for.
    pub rules: Condition,
    /// Games that were decided or drawn, and their quiet positions.
    pub games: u64,
    /// Positions of all these games.
    pub positions: u64,
    /// The weights.
    pub weights: Weights,
    /// The mean logarithmic loss, in nats a position, over the games kept
    /// apart: by the weights that came with the program, by those fitted to
    /// all rulesets, by these.
    pub losses: [f64; 3],
    /// By how much these do better than those for all rulesets, and the
    /// standard error of that.
    pub gain: (f64, f64),
}

impl Fitted {
    /// Whether these weights are worth having: those for all rulesets always,
    /// a family's own if the gain is sure enough.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        let (gain, error) = self.gain;
        self.rules == Condition::default() || gain > STANDARD_ERRORS * error
    }
}

/// Fits weights to all games together, then to each family that has games. The
/// families come first and those for all rulesets last.
///
/// # Errors
/// Not one quiet position.
pub fn fit_families(samples: &[Samples]) -> Result<Vec<Fitted>, NoPositions> {
    let everything: Vec<&Samples> = samples.iter().collect();
    let games = fitted(&everything);
    if games.iter().all(|game| game.is_empty()) {
        return Err(NoPositions);
    }
    let all = fit(&games, &[0.0; FEATURES], RIDGE);
    let mut found = Vec::new();
    for family in Family::all() {
        let own: Vec<&Samples> = samples
            .iter()
            .filter(|samples| family.rules.holds(&samples.ruleset))
            .collect();
        if own.iter().all(|samples| samples.fitted.is_empty()) {
            continue;
        }
        let coefficients = fit(&fitted(&own), &all, RIDGE_TO_ALL);
        found.push(judge(family.name, family.rules, &own, &coefficients, &all));
    }
    found.push(judge("all", Condition::default(), &everything, &all, &all));
    Ok(found)
}

/// The games give nothing to fit weights to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the games have no quiet position: nothing to fit weights to")]
pub struct NoPositions;

fn fitted<'a>(samples: &[&'a Samples]) -> Vec<&'a [Sample]> {
    let games = samples.iter().flat_map(|samples| &samples.fitted);
    games.map(Vec::as_slice).collect()
}

fn judge(
    name: &'static str,
    rules: Condition,
    samples: &[&Samples],
    own: &[f64],
    all: &[f64],
) -> Fitted {
    let mut by = [Vec::new(), Vec::new(), Vec::new()];
    for samples in samples {
        let games: Vec<&[Sample]> = samples.apart.iter().map(Vec::as_slice).collect();
        let old = coefficients(Weights::of(&samples.ruleset, Choice::Tuned));
        by[0].extend(losses(&games, &old));
        by[1].extend(losses(&games, all));
        by[2].extend(losses(&games, own));
    }
    let gains: Vec<f64> = by[1]
        .iter()
        .zip(&by[2])
        .map(|(all, own)| all - own)
        .collect();
    let gain = mean(&gains);
    let squares: f64 = gains.iter().map(|one| (one - gain) * (one - gain)).sum();
    let count = gains.len() as f64;
    // One game tells nothing of how games differ.
    let error = match gains.len() {
        0 | 1 => f64::INFINITY,
        _ => (squares / (count - 1.0) / count).sqrt(),
    };
    let positions = samples.iter().map(|samples| {
        let games = samples.fitted.iter().chain(&samples.apart);
        games.map(|game| game.len() as u64).sum::<u64>()
    });
    Fitted {
        name,
        rules,
        games: samples.iter().map(|samples| samples.games).sum(),
        positions: positions.sum(),
        weights: rounded(own),
        losses: [mean(&by[0]), mean(&by[1]), mean(&by[2])],
        gain: (gain, error),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / (values.len() as f64).max(1.0)
}

/// Whole numbers of the evaluation's unit.
fn rounded(coefficients: &[f64]) -> Weights {
    let whole = |value: f64| (value * f64::from(SCALE)).round().clamp(-9_999.0, 9_999.0) as i16;
    Weights::new(std::array::from_fn(|feature| whole(coefficients[feature])))
}

fn coefficients(weights: &Weights) -> Coefficients {
    let numbers = weights.numbers().iter();
    numbers
        .map(|&weight| f64::from(weight) / f64::from(SCALE))
        .collect()
}
