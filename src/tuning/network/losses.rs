//! What evaluations lose on games kept apart. Imports samples, families and the
//! network.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{NetworkRow, logit};
use crate::agents::evaluation::network::Network;
use crate::agents::evaluation::{Choice, Evaluation};
use crate::game::{Rules, Ruleset};
use crate::tuning::families::{Family, Fitted, Gain, applying, mean};
use crate::tuning::fit::loss;
use crate::tuning::samples::{Sample, Samples};

/// What each family, and all together, lose on the games kept apart.
pub(super) fn rows(samples: &[Samples], fitted: &[Fitted], network: &Network) -> Vec<NetworkRow> {
    let all: Vec<&Samples> = samples.iter().collect();
    let losses: Vec<[Vec<f64>; 3]> = samples
        .into_par_iter()
        .map(|samples| {
            let rules = Rules::new(samples.ruleset);
            let before = Evaluation::of(&samples.ruleset, Choice::Tuned);
            let weights = applying(fitted, &samples.ruleset);
            let network = network.under(&samples.ruleset);
            let of = |score: &dyn Fn(&Sample) -> i32| -> Vec<f64> {
                let games = samples.apart.iter().filter(|game| !game.is_empty());
                games
                    .map(|game| {
                        let losses = game.iter().map(|it| loss(logit(score(it)), it.target));
                        losses.sum::<f64>() / game.len() as f64
                    })
                    .collect()
            };
            [
                of(&|it| before.score(&rules, &it.position)),
                of(&|it| weights.score(&rules, &it.position)),
                of(&|it| weights.score(&rules, &it.position) + network.score(&it.position)),
            ]
        })
        .collect();
    let row = |name, own: &dyn Fn(&Ruleset) -> bool| {
        let places = (0..all.len()).filter(|&place| own(&all[place].ruleset));
        let places: Vec<usize> = places.collect();
        let positions = |games: &[Vec<Sample>]| games.iter().map(Vec::len).sum::<usize>() as u64;
        let by = [0, 1, 2].map(|way| {
            let games = places
                .iter()
                .flat_map(|&place| losses[place][way].iter().copied());
            games.collect::<Vec<f64>>()
        });
        NetworkRow {
            name,
            positions: places
                .iter()
                .map(|&place| positions(&all[place].fitted) + positions(&all[place].apart))
                .sum(),
            losses: match [0, 1, 2].map(|way| mean(&by[way])) {
                [Some(before), Some(weights), Some(both)] => Some([before, weights, both]),
                _ => None,
            },
            gain: Gain::of(&by[0], &by[2]),
        }
    };
    let families = Family::all();
    let is_of = |ruleset: &Ruleset, name| Family::of(ruleset).is_some_and(|own| own.name == name);
    let mut found: Vec<NetworkRow> = families
        .iter()
        .map(|family| row(family.name, &|ruleset| is_of(ruleset, family.name)))
        .filter(|row| row.positions > 0)
        .collect();
    found.push(row("all", &|_| true));
    found
}
