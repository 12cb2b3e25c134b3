use super::*;
use crate::analysis::fixture::{self, FACTORIAL, GAMES};
use crate::analysis::run::Run;
use crate::experiment::Winner;

/// statsmodels' GLM on a made-up doubling of the cells in which four capture
/// the king: see the script beside the table.
const TREND: &str = include_str!("../../../tests/data/statistics/trend.csv");

fn line(run: &Run, powers: i32) -> Fitted {
    let mut model = Model::new(true);
    let cells = run.cells.iter();
    let four = cells.filter(|cell| cell.row.cell.ruleset.axes()[3].as_deref() == Some("four"));
    for (place, cell) in four.enumerate() {
        let x = place as f64;
        model.add(cell, (0..=powers).map(|power| x.powi(power)).collect());
    }
    model.fit().unwrap()
}

#[test]
fn lines_and_their_errors_are_those_of_statsmodels() {
    let run = fixture::run("common", FACTORIAL, fixture::winners(GAMES));
    let expected = fixture::numbers(TREND);
    let mut expected = expected.iter();
    for powers in [1, 2] {
        let fit = line(&run, powers);
        assert_eq!(fit.kind, Kind::MaximumLikelihood);
        for power in 0..=powers as usize {
            let row = expected.next().unwrap();
            let mut unit = vec![0.0; powers as usize + 1];
            unit[power] = 1.0;
            assert!((fit.value(&unit) - row[2]).abs() < 1e-9, "{row:?}");
            let error = fit.standard_error(&unit).unwrap();
            assert!((error - row[3]).abs() < 1e-9, "{error} {row:?}");
        }
    }
    assert!(expected.next().is_none());
}

#[test]
fn one_cell_has_the_log_odds_of_its_score() {
    use Winner::{Attackers, Defenders, Draw, None as Stopped};
    let games = [Attackers, Attackers, Draw, Defenders, Stopped, Draw].map(Some);
    let run = fixture::run("independent", "base='wtf'", |_| games.repeat(10));
    let mut model = Model::new(false);
    model.add(&run.cells[0], vec![1.0]);
    let fit = model.fit().unwrap();
    assert_eq!((fit.games, fit.kind), (50, Kind::MaximumLikelihood));
    // Score 3/5; the scores' variance is 14/100, the binomial's 24/100.
    assert!((fit.values[0] - 1.5_f64.ln()).abs() < 1e-12);
    let error = fit.standard_error(&[1.0]).unwrap();
    let expected = (0.14_f64 / 50.0).sqrt() / 0.24;
    assert!((error - expected).abs() < 1e-12, "{error}");
}

#[test]
fn paired_games_that_agree_bring_no_more_than_one_of_them() {
    let winners: Vec<Option<Winner>> = (0..40)
        .map(|game| Some([Winner::Attackers, Winner::Defenders, Winner::Defenders][game % 3]))
        .collect();
    let rules = "base='disputed'\nvary={king_armed=[true,false]}";
    let run = fixture::run("common", rules, |_| winners.clone());
    let fit = |cells: &[&CellGames], paired: bool| {
        let mut model = Model::new(paired);
        for cell in cells {
            model.add(cell, vec![1.0]);
        }
        model.fit().unwrap().standard_error(&[1.0]).unwrap()
    };
    let both: Vec<&CellGames> = run.cells.iter().collect();
    let (one, two) = (fit(&both[..1], true), fit(&both, true));
    assert!((one / two - 1.0).abs() < 0.02, "{one} {two}");
    let independent = fit(&both, false);
    assert!((independent / two - 0.5_f64.sqrt()).abs() < 0.02);
}

#[test]
fn what_the_games_do_not_determine_has_no_fit() {
    assert!(Model::new(true).fit().is_none());
    let winners = vec![Some(Winner::Attackers), Some(Winner::Defenders)];
    let run = fixture::run("common", "base='wtf'", |_| winners.clone());
    let mut model = Model::new(true);
    model.add(&run.cells[0], vec![1.0, 2.0]);
    assert!(model.fit().is_none());
}

#[test]
fn a_side_that_won_everything_has_a_penalised_fit() {
    let run = fixture::run("common", "base='wtf'", |_| {
        vec![Some(Winner::Attackers); 20]
    });
    let mut model = Model::new(true);
    model.add(&run.cells[0], vec![1.0]);
    let fit = model.fit().unwrap();
    assert_eq!(fit.kind, Kind::Firth);
    // Jeffreys' prior adds half a game to each side.
    assert!((fit.values[0] - 41.0_f64.ln()).abs() < 1e-9);
    assert!(fit.standard_error(&[1.0]).unwrap() > 1.0);
}

/// With fewer than ten games a parameter that most games were not like, errors are
/// those of the penalised fit, whichever outcome is the rare one.
#[test]
fn few_games_that_differ_have_a_penalised_fit() {
    use Winner::{Attackers, Defenders, Draw};
    for [common, rare] in [[Defenders, Attackers], [Attackers, Draw], [Draw, Defenders]] {
        for (events, kind) in [(9, Kind::Firth), (10, Kind::MaximumLikelihood)] {
            let run = fixture::run("independent", "base='wtf'", |_| {
                let winner = |game| if game < events { rare } else { common };
                (0..100).map(|game| Some(winner(game))).collect()
            });
            let mut model = Model::new(false);
            model.add(&run.cells[0], vec![1.0]);
            assert_eq!(model.fit().unwrap().kind, kind, "{common:?} {events}");
        }
    }
}

#[test]
fn what_rounding_leaves_is_no_error() {
    let of = |variance| {
        let fit = Fitted {
            values: vec![0.5],
            covariance: vec![variance],
            kind: Kind::MaximumLikelihood,
            games: 9,
            freedom: None,
        };
        fit.standard_error(&[1.0])
    };
    assert_eq!([of(0.0), of(1e-17), of(-1e-17)], [None; 3]);
    assert!((of(1e-12).unwrap() - 1e-6).abs() < 1e-15);
}
