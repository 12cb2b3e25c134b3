//! How many games: a number, `[stop]` or `[adaptive]`. Imports the
//! stop rule and the grid.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use toml::Spanned;

use super::super::config::Experiment;
use super::super::grid::Grid;
use super::super::millionths::Millionths;
use super::super::stopping::{StopRule, Until};
use super::{Fault, fault, number};

/// Most games a cell, or a budget, may have.
pub(super) const MAX_GAMES: i64 = 1_000_000_000;
/// Games before the first look where the experiment does not say.
const MIN_GAMES: u64 = 100;
/// How sure an interval is where the experiment does not say: 95 %.
const CONFIDENCE: Millionths = Millionths::new(950_000);
/// The least and the most that each share may be, in millionths.
const HALF_WIDTH: (u32, u32) = (100, 499_999);
const BALANCED: (u32, u32) = (1_000, 499_999);
const SURE: (u32, u32) = (500_000, 999_999);
/// What balanced means where the experiment does not say: within 5 points.
const MARGIN: Millionths = Millionths::new(50_000);

/// `games`, a whole number or `"adaptive"`.
pub(super) enum RawGames {
    Number(i64),
    Adaptive,
}

impl<'de> Deserialize<'de> for RawGames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawGames, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = RawGames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or \"adaptive\"")
            }

            fn visit_i64<E: de::Error>(self, games: i64) -> Result<RawGames, E> {
                Ok(RawGames::Number(games))
            }

            fn visit_u64<E: de::Error>(self, games: u64) -> Result<RawGames, E> {
                Err(too_many(games))
            }

            fn visit_i128<E: de::Error>(self, games: i128) -> Result<RawGames, E> {
                Err(too_many(games))
            }

            fn visit_u128<E: de::Error>(self, games: u128) -> Result<RawGames, E> {
                Err(too_many(games))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<RawGames, E> {
                match text {
                    "adaptive" => Ok(RawGames::Adaptive),
                    _ => Err(E::invalid_type(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// A number of games that no cell may have, in the words of [`number`].
fn too_many<E: de::Error>(games: impl fmt::Display) -> E {
    E::custom(format!(
        "`games` = {games} is out of range: expected a whole number from 1 to {MAX_GAMES}"
    ))
}

/// `[stop]`: each cell until its score is known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStop {
    half_width: Spanned<f64>,
    min_games: Option<Spanned<i64>>,
    max_games: Option<Spanned<i64>>,
    confidence: Option<Spanned<f64>>,
}

/// `[adaptive]`: a budget, until it is known whom each cell favours.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAdaptive {
    total: Spanned<i64>,
    margin: Option<Spanned<f64>>,
    min_games: Option<Spanned<i64>>,
    max_games: Option<Spanned<i64>>,
    confidence: Option<Spanned<f64>>,
}

/// The games a cell has at most, and the rule that stops it earlier, if there
/// is one.
pub(super) fn games(
    games: Option<&Spanned<RawGames>>,
    stop: Option<&Spanned<RawStop>>,
    adaptive: Option<&Spanned<RawAdaptive>>,
) -> Result<(u64, Option<StopRule>), Fault> {
    let number_given = games.map(|games| (games.get_ref(), games.span()));
    match (number_given, stop, adaptive) {
        (Some((RawGames::Number(games), at)), None, None) => {
            let games = Spanned::new(at, *games);
            Ok((number("games", &games, 1, MAX_GAMES)?, None))
        }
        (Some((RawGames::Adaptive, _)), None, Some(adaptive)) => adaptive.get_ref().rule(),
        (None, Some(stop), None) => stop.get_ref().rule(),
        (Some((RawGames::Adaptive, at)), None, None) => Err(fault(
            &at,
            "`games` = \"adaptive\" without a budget: expected `[adaptive]` with total = the games of all cells together",
        )),
        (_, Some(stop), Some(_)) => Err(fault(
            &stop.span(),
            "`[stop]` stands beside `[adaptive]`: expected one of them",
        )),
        (Some(_), Some(stop), None) => Err(fault(
            &stop.span(),
            "`[stop]` stands beside `games`: expected one of them (`max_games` in `[stop]` is the most a cell may have)",
        )),
        (_, None, Some(adaptive)) => Err(fault(
            &adaptive.span(),
            "`[adaptive]` without games = \"adaptive\": expected that in the place of a number",
        )),
        (None, None, None) => Err(fault(
            &(0..0),
            "missing field `games`: expected a number of games a cell, or \"adaptive\" with `[adaptive]`, or `[stop]` instead",
        )),
    }
}

impl RawStop {
    fn rule(&self) -> Result<(u64, Option<StopRule>), Fault> {
        let width = share("half_width", &self.half_width, HALF_WIDTH)?;
        finish(
            Until::HalfWidth(width),
            self.min_games.as_ref(),
            self.max_games.as_ref(),
            self.confidence.as_ref(),
        )
    }
}

impl RawAdaptive {
    fn rule(&self) -> Result<(u64, Option<StopRule>), Fault> {
        let total = number("total", &self.total, 1, MAX_GAMES)?;
        let margin = match &self.margin {
            Some(margin) => share("margin", margin, BALANCED)?,
            None => MARGIN,
        };
        let until = Until::Decided { margin, total };
        finish(
            until,
            self.min_games.as_ref(),
            self.max_games.as_ref(),
            self.confidence.as_ref(),
        )
    }
}

/// Makes sure that a budget lasts until every cell is looked at for the first
/// time, after `min_games` and what is missing to a whole chunk.
pub(super) fn lasts(
    experiment: &Experiment,
    adaptive: Option<&Spanned<RawAdaptive>>,
) -> Result<(), Fault> {
    let (Some(adaptive), Some(rule)) = (adaptive, experiment.stop) else {
        return Ok(());
    };
    let Until::Decided { margin, total } = rule.until else {
        return Ok(());
    };
    let cells = (experiment.rulesets.len() * experiment.matches.len()) as u64;
    // A larger budget may be dealt out in larger chunks.
    let mut needed = total.max(cells * rule.min_games);
    loop {
        let until = Until::Decided {
            margin,
            total: needed,
        };
        let stop = Some(StopRule { until, ..rule });
        let first = first_round(Experiment {
            stop,
            ..experiment.clone()
        });
        if first <= needed {
            break;
        }
        needed = first;
    }
    if needed <= total {
        return Ok(());
    }
    let chunks = match needed - cells * rule.min_games {
        0 => "each",
        _ => "each, up to whole chunks",
    };
    Err(fault(
        &adaptive.get_ref().total.span(),
        format!(
            "`total` = {total} does not last for the first round: expected at least {needed} ({cells} cells, min_games = {} {chunks})",
            rule.min_games
        ),
    ))
}

/// The games after which every cell has been looked at once.
fn first_round(experiment: Experiment) -> u64 {
    let grid = Grid::new(experiment);
    let Some(rule) = grid.experiment.stop else {
        return 0;
    };
    let looks = grid.cells.iter();
    looks
        .map(|cell| rule.next_look(0, cell.chunk_games, grid.experiment.games))
        .sum()
}

/// The first value of a rule, for cells of at most so many games, that no experiment has.
pub(super) fn out_of_range(rule: &StopRule, games: u64) -> Option<String> {
    let most = MAX_GAMES as u64;
    let (share, total) = match rule.until {
        Until::HalfWidth(width) => (("half_width", width, HALF_WIDTH), None),
        Until::Decided { margin, total } => (("margin", margin, BALANCED), Some(total)),
    };
    let shares = [share, ("confidence", rule.confidence, SURE)];
    let wrong_share = shares.into_iter().find_map(|(key, share, (low, high))| {
        let [low, high] = [low, high].map(Millionths::new);
        (!(low..=high).contains(&share))
            .then(|| format!("`{key}` = {share}: expected a number from {low} to {high}"))
    });
    let numbers = [
        ("total", total.unwrap_or(1), most),
        ("min_games", rule.min_games, games),
    ];
    let mut numbers = numbers.into_iter();
    wrong_share.or_else(|| {
        let (key, number, most) =
            numbers.find(|(_, number, most)| !(1..=*most).contains(number))?;
        Some(format!(
            "`{key}` = {number}: expected a whole number from 1 to {most}"
        ))
    })
}

/// What both rules have in common.
fn finish(
    until: Until,
    min_games: Option<&Spanned<i64>>,
    max_games: Option<&Spanned<i64>>,
    confidence: Option<&Spanned<f64>>,
) -> Result<(u64, Option<StopRule>), Fault> {
    let given = |key: &str, value: Option<&Spanned<i64>>| {
        let read = |value| number(key, value, 1, MAX_GAMES);
        value.map(read).transpose()
    };
    let (least, most) = (
        given("min_games", min_games)?,
        given("max_games", max_games)?,
    );
    let default = until.default_max_games().min(MAX_GAMES as u64);
    let (least, most) = match (least, most) {
        (Some(least), Some(most)) => (least, most),
        (Some(least), None) => (least, default.max(least)),
        (None, most) => (
            MIN_GAMES.min(most.unwrap_or(default)),
            most.unwrap_or(default),
        ),
    };
    if let Some(at) = max_games.filter(|_| most < least) {
        return Err(fault(
            &at.span(),
            format!("`max_games` = {most} is less than `min_games` = {least}"),
        ));
    }
    let confidence = match confidence {
        Some(confidence) => share("confidence", confidence, SURE)?,
        None => CONFIDENCE,
    };
    let rule = StopRule {
        until,
        min_games: least,
        confidence,
    };
    Ok((most, Some(rule)))
}

/// A share between these bounds, in millionths.
fn share(key: &str, value: &Spanned<f64>, (low, high): (u32, u32)) -> Result<Millionths, Fault> {
    let [low, high] = [low, high].map(Millionths::new);
    let share = Millionths::try_from(*value.get_ref()).ok();
    share
        .filter(|share| (low..=high).contains(share))
        .ok_or_else(|| {
            let number = value.get_ref();
            fault(
                &value.span(),
                format!(
                    "`{key}` = {number} is out of range: expected a number from {low} to {high} with at most six decimals"
                ),
            )
        })
}
