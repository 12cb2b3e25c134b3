//! Which rulesets share weights, and whether weights of their own help them.
//! Imports samples and the fit.

use super::fit::{Coefficients, fit, losses};
use super::samples::{Sample, Samples};
use crate::agents::evaluation::{Choice, Condition, FEATURES, SCALE, Weights};
use crate::game::{Hostility, KingCapture, Ruleset};

/// How far weights for all rulesets are drawn towards zero.
const RIDGE: f64 = 10.0;
/// How far weights for some rulesets are drawn towards those for more.
const RIDGE_TO_ALL: f64 = 30.0;
/// A gain is sure if it is more than so many of its standard errors.
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
    /// All that are looked at: by how the king is captured, whether he captures,
    /// and whether the throne is hostile to everyone. A narrower one comes before
    /// the one that it is part of.
    #[must_use]
    pub fn all() -> Vec<Family> {
        let captures: [([&str; 4], &[KingCapture]); 3] = [
            (
                [
                    "two, armed, hostile",
                    "two, armed",
                    "two, unarmed, hostile",
                    "two, unarmed",
                ],
                &[KingCapture::Two],
            ),
            (
                [
                    "centre, armed, hostile",
                    "centre, armed",
                    "centre, unarmed, hostile",
                    "centre, unarmed",
                ],
                &[KingCapture::Throne, KingCapture::Zone],
            ),
            (
                [
                    "four, armed, hostile",
                    "four, armed",
                    "four, unarmed, hostile",
                    "four, unarmed",
                ],
                &[KingCapture::Four],
            ),
        ];
        let family = |name, ways: &[KingCapture], place: usize| Family {
            name,
            rules: Condition {
                king_capture: Some(ways.to_vec()),
                king_armed: Some(place < 2),
                throne_hostile: place.is_multiple_of(2).then(|| vec![Hostility::Everyone]),
                ..Condition::default()
            },
        };
        captures
            .iter()
            .flat_map(|(names, ways)| {
                let names = names.iter().enumerate();
                names.map(|(place, name)| family(name, ways, place))
            })
            .collect()
    }
}

impl Family {
    /// The narrowest that a ruleset is part of.
    pub(super) fn of(ruleset: &Ruleset) -> Option<Family> {
        let mut all = Family::all().into_iter();
        all.find(|family| family.rules.holds(ruleset))
    }
}

/// What was fitted to some rulesets' games.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The family's name, or `all`.
    pub name: &'static str,
    /// The rulesets the weights are for.
    pub rules: Condition,
    /// Games that were decided or drawn, and the positions taken from them.
    pub games: u64,
    /// Positions of all these games.
    pub positions: u64,
    /// The weights.
    pub weights: Weights,
    /// The mean logarithmic loss, in nats a position, over the games kept
    /// apart: by the weights that each ruleset has in the program, by those
    /// fitted to the family that it is part of, if these are kept, else to all
    /// rulesets, by these; `None` if no game kept apart has a position. These
    /// are taken for every ruleset the condition holds for, also where the file
    /// that is written has a set before them.
    pub losses: [Option<f64>; 3],
    /// By how much these do better than the second; `None` as above.
    pub gain: Option<Gain>,
}

impl Fitted {
    /// Whether these weights are worth having: those for all rulesets always,
    /// a family's own if the gain is sure enough.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.rules == Condition::default() || self.gain.is_some_and(|gain| gain.is_sure())
    }
}

/// By how much some weights' loss is less than that of others on the same
/// games, in nats a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// The mean over the games.
    pub mean: f64,
    /// Its standard error, over games; `None` of one game, which tells nothing
    /// of how games differ.
    pub error: Option<f64>,
}

impl Gain {
    /// From the losses of each game; `None` of no game.
    pub(super) fn of(before: &[f64], after: &[f64]) -> Option<Gain> {
        let gains: Vec<f64> = before.iter().zip(after).map(|(b, a)| b - a).collect();
        let gain = mean(&gains)?;
        let squares: f64 = gains.iter().map(|one| (one - gain) * (one - gain)).sum();
        let count = gains.len() as f64;
        Some(Gain {
            mean: gain,
            error: (gains.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt()),
        })
    }

    /// Whether it is above two of its standard errors.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.error
            .is_some_and(|error| self.mean > STANDARD_ERRORS * error)
    }
}

/// What a file of all sets that are kept comes to, each ruleset's games by the
/// set that will apply to it, beside the weights that it has in the program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AsWritten {
    /// The mean logarithmic loss, in nats a position, over the games kept
    /// apart, before and after; `None` if none of them has a position.
    pub losses: Option<[f64; 2]>,
    /// The fall of the loss; `None` as above.
    pub gain: Option<Gain>,
}

/// The weights that will apply to a ruleset.
///
/// # Panics
/// Never: of what [`fit_families`] gives, the last is kept and for every ruleset.
pub(super) fn applying<'a>(fitted: &'a [Fitted], ruleset: &Ruleset) -> &'a Weights {
    let mut kept = fitted.iter().filter(|fitted| fitted.is_kept());
    let set = kept.find(|fitted| fitted.rules.holds(ruleset));
    &set.expect("the last is for every ruleset").weights
}

/// Compares the sets that are kept, in the order of [`fit_families`] and in the
/// whole numbers that are written, with the weights in the program.
#[must_use]
pub fn as_written(samples: &[Samples], fitted: &[Fitted]) -> AsWritten {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for samples in samples {
        let games = apart(samples);
        before.extend(losses(&games, &in_program(samples)));
        let after_all = coefficients(applying(fitted, &samples.ruleset));
        after.extend(losses(&games, &after_all));
    }
    AsWritten {
        losses: mean(&before)
            .zip(mean(&after))
            .map(|(before, after)| [before, after]),
        gain: Gain::of(&before, &after),
    }
}

/// Fits weights to all games together, then to each family that has games, drawn
/// towards those of the family that it is part of, if these are kept, else towards
/// those for all. The narrowest families come first and those for all rulesets last.
///
/// # Errors
/// Not one position.
pub fn fit_families(samples: &[Samples]) -> Result<Vec<Fitted>, NoPositions> {
    let everything: Vec<&Samples> = samples.iter().collect();
    let games = fitted(&everything);
    if games.iter().all(|game| game.is_empty()) {
        return Err(NoPositions);
    }
    let all = fit(&games, &[0.0; FEATURES], RIDGE);
    let mut found = vec![judge("all", Condition::default(), &everything, &all, &all)];
    let mut wider: Option<(Vec<usize>, Coefficients)> = None;
    // The last first: what a family is part of comes before it here.
    for family in Family::all().into_iter().rev() {
        let places: Vec<usize> = (0..samples.len())
            .filter(|&place| family.rules.holds(&samples[place].ruleset))
            .collect();
        let own: Vec<&Samples> = places.iter().map(|&place| &samples[place]).collect();
        if own.iter().all(|samples| samples.fitted.is_empty()) {
            continue;
        }
        let is_part = |(of, _): &&(Vec<usize>, _)| places.iter().all(|place| of.contains(place));
        let over = wider.as_ref().filter(is_part);
        if over.is_some_and(|(of, _)| *of == places) {
            // Nothing is told apart.
            continue;
        }
        let over = over.map_or(&all, |(_, coefficients)| coefficients);
        let coefficients = fit(&fitted(&own), over, RIDGE_TO_ALL);
        let judged = judge(family.name, family.rules, &own, &coefficients, over);
        if judged.is_kept() && judged.rules.throne_hostile.is_none() {
            wider = Some((places, coefficients));
        }
        found.push(judged);
    }
    found.reverse();
    Ok(found)
}

/// The games give nothing to fit weights to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the games have no position to fit weights to: none in which the side to move cannot win at once and the king does not threaten to escape"
)]
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
    over: &[f64],
) -> Fitted {
    let mut by = [Vec::new(), Vec::new(), Vec::new()];
    for samples in samples {
        let games = apart(samples);
        by[0].extend(losses(&games, &in_program(samples)));
        by[1].extend(losses(&games, over));
        by[2].extend(losses(&games, own));
    }
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
        gain: Gain::of(&by[1], &by[2]),
        losses: by.map(|losses| mean(&losses)),
    }
}

fn apart(samples: &Samples) -> Vec<&[Sample]> {
    samples.apart.iter().map(Vec::as_slice).collect()
}

/// The weights that come with the program for these rules.
fn in_program(samples: &Samples) -> Coefficients {
    coefficients(Weights::of(&samples.ruleset, Choice::Linear))
}

/// `None` of nothing.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / count)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    /// Games of one position with one feature, in which the defenders score so
    /// much: three of four are fitted to.
    fn samples(king_armed: bool, target: f64) -> Samples {
        let game = |target| {
            vec![Sample {
                position: Rules::new(Ruleset::default()).start(),
                features: vec![(3, 1)],
                target,
            }]
        };
        // One of ten ends the other way, so that games differ.
        let games = |count: u32| {
            let games = 0..count;
            let games = games.map(|n| game(if n % 10 == 0 { 1.0 - target } else { target }));
            games.collect::<Vec<_>>()
        };
        Samples {
            ruleset: Ruleset {
                king_capture: KingCapture::Two,
                king_armed,
                ..Ruleset::default()
            },
            games: 400,
            fitted: games(300),
            apart: games(100),
        }
    }

    /// Nats a position where the logit is so many units.
    fn loss(units: i16, target: f64) -> f64 {
        let expected = 1.0 / (1.0 + (-f64::from(units) / f64::from(SCALE)).exp());
        -target * expected.ln() - (1.0 - target) * (1.0 - expected).ln()
    }

    #[test]
    fn what_is_written_is_measured_by_the_set_that_will_apply() {
        let both = [samples(true, 1.0), samples(false, 0.0)];
        let fitted = fit_families(&both).unwrap();
        assert!(fitted.iter().all(Fitted::is_kept));
        assert_eq!(fitted.len(), 3);
        let AsWritten { losses, gain } = as_written(&both, &fitted);
        let [before, after] = losses.unwrap();
        let of = |weights: [&Weights; 2]| {
            let [armed, unarmed] = weights.map(|weights| weights.numbers()[3]);
            let mean = |units, often| 0.9 * loss(units, often) + 0.1 * loss(units, 1.0 - often);
            f64::midpoint(mean(armed, 1.0), mean(unarmed, 0.0))
        };
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9);
        near(after, of([&fitted[0].weights, &fitted[1].weights]));
        let old = |samples: &Samples| Weights::of(&samples.ruleset, Choice::Linear);
        near(before, of([old(&both[0]), old(&both[1])]));
        let gain = gain.unwrap();
        near(gain.mean, before - after);
        assert!(gain.is_sure() && gain.error.unwrap() > 0.0);
        // The row for all rulesets has those weights on every game.
        let all = fitted.last().unwrap();
        assert!(all.losses[2].unwrap() > after + 0.2, "{all:?}");
    }

    #[test]
    fn a_gain_is_sure_above_two_standard_errors() {
        let gain = |mean, error| Gain { mean, error }.is_sure();
        assert!(gain(2.01, Some(1.0)) && gain(0.1, Some(0.0)));
        assert!(!gain(1.99, Some(1.0)) && !gain(-3.0, Some(1.0)) && !gain(9.0, None));
    }

    #[test]
    fn of_games_that_are_not_there_nothing_is_said() {
        let mut one = [samples(true, 1.0)];
        one[0].apart.truncate(1);
        let fitted = fit_families(&one).unwrap();
        let gain = as_written(&one, &fitted).gain.unwrap();
        assert!(gain.error.is_none() && !gain.is_sure());
        one[0].apart.clear();
        let fitted = fit_families(&one).unwrap();
        let written = as_written(&one, &fitted);
        assert_eq!((written.losses, written.gain), (None, None));
        for fitted in &fitted {
            assert_eq!((fitted.losses, fitted.gain), ([None; 3], None));
        }
        let kept: Vec<&str> = fitted
            .iter()
            .filter(|fitted| fitted.is_kept())
            .map(|fitted| fitted.name)
            .collect();
        assert_eq!(kept, ["all"]);
    }
}
