//! What evaluations lose on games kept apart. Imports samples, families and the
//! network.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{NetworkRow, logit};
use crate::agents::evaluation::network::Network;
use crate::agents::evaluation::{Choice, Evaluation};
use crate::game::{Rules, Ruleset};
use crate::tuning::families::{Family, Fitted, Gain, applying};
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
                    .map(|game| mean(game.iter().map(|it| loss(logit(score(it)), it.target))))
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
            losses: (!by[0].is_empty()).then(|| [0, 1, 2].map(|way| mean(by[way].iter().copied()))),
            gain: Gain::of(&by[0], &by[2]),
        }
    };
    let families = Family::all();
    let first = |ruleset: &Ruleset| {
        families
            .iter()
            .find(|it| it.rules.holds(ruleset))
            .map(|it| it.name)
    };
    let mut found: Vec<NetworkRow> = families
        .iter()
        .map(|family| row(family.name, &|ruleset| first(ruleset) == Some(family.name)))
        .filter(|row| row.positions > 0)
        .collect();
    found.push(row("all", &|_| true));
    found
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    sum / count
}

/// In nats.
fn loss(logit: f64, target: f64) -> f64 {
    let expected = (1.0 / (1.0 + libm::exp(-logit))).clamp(1e-9, 1.0 - 1e-9);
    -target * libm::log(expected) - (1.0 - target) * libm::log(1.0 - expected)
}
