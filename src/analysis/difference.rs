//! The mean difference of the score between cells, game by game where they are
//! paired. Imports runs and distributions.

use std::collections::BTreeMap;

use super::run::CellGames;
use super::student;

/// A mean difference of the score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Difference {
    /// Finished games compared.
    pub(super) games: u64,
    /// The latter's score less the former's, −1 to 1.
    pub(super) estimate: f64,
    /// Its standard error; `None` where no difference differed from another.
    pub(super) se: Option<f64>,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) z: f64,
    /// Two-sided.
    pub(super) p: f64,
    /// The variance there would be without pairing, over that with it.
    pub(super) gain: Option<f64>,
}

/// The mean over pairs of cells of the difference of their scores, each pair
/// with the same weight; `None` without a pair to compare.
///
/// Paired, a game is compared with that of the same index in the other cell,
/// and all differences of one index are one observation. Otherwise all
/// finished games count and are independent.
pub(super) fn difference(pairs: &[[&CellGames; 2]], paired: bool) -> Option<Difference> {
    if paired {
        by_index(pairs)
    } else {
        by_cell(pairs)
    }
}

/// A variance of no more than this is what rounding leaves of none: of thousands
/// of millions of games, one that differs by half a point gives more.
const ROUNDING: f64 = 1e-24;

fn by_index(pairs: &[[&CellGames; 2]]) -> Option<Difference> {
    let both = |pair: &[&CellGames; 2], index| Some(pair[1].score(index)? - pair[0].score(index)?);
    let indices = |pair: &[&CellGames; 2]| pair[0].indices().min(pair[1].indices());
    let mut means = Vec::new();
    for pair in pairs {
        let differences = (0..indices(pair)).filter_map(|index| both(pair, index));
        let (sum, games) = differences.fold((0.0, 0_u64), |(sum, games), difference| {
            (sum + difference, games + 1)
        });
        if games > 0 {
            means.push((pair, sum / games as f64, games as f64));
        }
    }
    let count = means.len() as f64;
    let estimate = means.iter().map(|(_, mean, _)| mean).sum::<f64>() / count;
    let longest = means.iter().map(|(pair, ..)| indices(pair)).max()?;
    let (mut squares, mut clusters) = (0.0, 0_u64);
    for index in 0..longest {
        let (mut sum, mut any) = (0.0, false);
        for &(pair, mean, games) in &means {
            if let Some(difference) = both(pair, index) {
                sum += (difference - mean) / (count * games);
                any = true;
            }
        }
        squares += sum * sum;
        clusters += u64::from(any);
    }
    let variance = (clusters > 1).then(|| squares * clusters as f64 / (clusters - 1) as f64);
    let compared: Vec<[&CellGames; 2]> = means.iter().map(|(pair, ..)| **pair).collect();
    let gain = variance
        .filter(|&variance| variance > ROUNDING)
        .and_then(|variance| Some(unpaired_variance(&compared)? / variance));
    let games = used_games(&compared);
    Some(Difference::new(games, estimate, variance, clusters, gain))
}

fn by_cell(pairs: &[[&CellGames; 2]]) -> Option<Difference> {
    let compared: Vec<[&CellGames; 2]> = pairs
        .iter()
        .filter(|pair| pair.iter().all(|cell| cell.mean_score().is_some()))
        .copied()
        .collect();
    let differences = compared
        .iter()
        .filter_map(|pair| Some(pair[1].mean_score()? - pair[0].mean_score()?));
    let estimate = differences.sum::<f64>() / compared.len() as f64;
    let cells = weights(&compared);
    let games = cells.values().map(|(cell, _)| finished(cell));
    let fewest = games.clone().min()?;
    let variance = unpaired_variance(&compared);
    Some(Difference::new(
        games.sum(),
        estimate,
        variance,
        fewest,
        None,
    ))
}

fn finished(cell: &CellGames) -> u64 {
    cell.finished().iter().sum()
}

/// The cells of some pairs, by id, with their weights in the mean difference.
fn weights<'a>(pairs: &[[&'a CellGames; 2]]) -> BTreeMap<&'a str, (&'a CellGames, f64)> {
    let mut weights = BTreeMap::new();
    for &[from, to] in pairs {
        for (cell, sign) in [(from, -1.0), (to, 1.0)] {
            let entry = weights.entry(cell.row.cell.id.as_str());
            entry.or_insert((cell, 0.0)).1 += sign / pairs.len() as f64;
        }
    }
    weights
}

/// The variance of the mean difference if all games are independent; `None`
/// if a cell has too few games.
fn unpaired_variance(pairs: &[[&CellGames; 2]]) -> Option<f64> {
    let mut sum = 0.0;
    for (cell, weight) in weights(pairs).into_values() {
        let games = finished(cell) as f64;
        let mean = cell.mean_score()?;
        let outcomes = [1.0, 0.0, 0.5].into_iter().zip(cell.finished());
        let squares = outcomes.map(|(score, games)| games as f64 * (score - mean) * (score - mean));
        if games < 2.0 {
            return None;
        }
        sum += weight * weight * squares.sum::<f64>() / (games - 1.0) / games;
    }
    Some(sum)
}

/// Games that have a finished counterpart of the same index.
fn used_games(pairs: &[[&CellGames; 2]]) -> u64 {
    let mut partners: BTreeMap<&str, Vec<&CellGames>> = BTreeMap::new();
    for (own, other) in pairs
        .iter()
        .flat_map(|&[from, to]| [(from, to), (to, from)])
    {
        partners.entry(&own.row.cell.id).or_default().push(other);
    }
    let used = |cell: &CellGames| {
        let others = &partners[cell.row.cell.id.as_str()];
        let indices = (0..cell.indices()).filter(|&index| {
            let compared = others.iter().any(|other| other.score(index).is_some());
            compared && cell.score(index).is_some()
        });
        indices.count() as u64
    };
    weights(pairs)
        .into_values()
        .map(|(cell, _)| used(cell))
        .sum()
}

impl Difference {
    /// With Student's t of one degree of freedom fewer than observations. Where
    /// nothing varied, the bounds are as far away as the exact ones (Clopper and
    /// Pearson, 1934) for a share of which nothing was seen in so many observations, p
    /// is that with which they reach 0 (of 1 and −1 the sign test's: fewer than six
    /// observations show nothing), and z that of observations whose signs chance decides.
    fn new(
        games: u64,
        estimate: f64,
        variance: Option<f64>,
        observations: u64,
        gain: Option<f64>,
    ) -> Difference {
        let se = variance
            .filter(|&variance| variance > ROUNDING)
            .map(f64::sqrt);
        let freedom = observations.saturating_sub(1).max(1);
        let observations = observations as f64;
        let unseen = 2.0 * (1.0 - libm::pow(0.025, 1.0 / observations));
        let half = se.map_or(unseen, |se| student::quantile_975(freedom) * se);
        let z = se.map_or(estimate * observations.sqrt(), |se| estimate / se);
        Difference {
            games,
            estimate,
            se,
            low: (estimate - half).max(-1.0),
            high: (estimate + half).min(1.0),
            z,
            p: if se.is_some() {
                student::two_sided(z, freedom)
            } else {
                let same = 1.0 - estimate.abs() / 2.0;
                (2.0 * libm::pow(same, observations)).min(1.0)
            },
            gain,
        }
    }
}
