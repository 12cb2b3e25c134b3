use super::*;
use crate::agents::ForfeitKind;
use crate::analysis::fixture::{self, FACTORIAL, GAMES, rows, winners};
use crate::experiment::Winner;
use crate::game::Side;

/// What statsmodels 0.15.0 makes of the games; see the script beside them.
const LOGISTIC: &str = include_str!("../../../tests/data/statistics/logistic.csv");
/// Two rules, the attackers without a win under one combination, and what
/// firthmodels 0.8.2 makes of it.
const SEPARATED: &str = include_str!("../../../tests/data/statistics/separated.csv");
const FIRTH: &str = include_str!("../../../tests/data/statistics/firth.csv");
/// Games of one index, decided under either rule, and the test of such pairs.
const PAIRED: &str = include_str!("../../../tests/data/statistics/paired.csv");

fn effects_of<'a>(run: &'a Run, method: &str) -> (Vec<Effect<'a>>, Vec<String>) {
    let mut notes = Notes::default();
    let mut effects = of_run(run, &mut notes);
    effects.retain(|effect| effect.method == method);
    (effects, notes.into_vec())
}

/// The term as the reference writes it.
fn term(effect: &Effect<'_>) -> String {
    let levels = [Some(&effect.levels), effect.other.as_ref()];
    let parts = levels.into_iter().flatten();
    let parts: Vec<String> = parts
        .map(|levels| format!("{}={}", levels.axis, levels.to))
        .collect();
    parts.join(" ")
}

#[test]
fn the_regression_is_that_of_statsmodels() {
    let expected = rows(LOGISTIC);
    let games = rows(GAMES).into_iter();
    let finished = games.filter(|row| row[4].1 != "none").count() as u64;
    for (pairing, column) in [("common", 2), ("independent", 3)] {
        let run = fixture::run(pairing, FACTORIAL, winners(GAMES));
        let (effects, notes) = effects_of(&run, "logistic");
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(effects.len(), 9);
        for (effect, row) in effects.iter().zip(&expected[1..]) {
            assert_eq!(term(effect), row[0].1);
            let number = |column: usize| row[column].1.parse::<f64>().unwrap();
            assert!((effect.estimate - number(1)).abs() < 1e-9, "{row:?}");
            assert!(
                (effect.se.unwrap() - number(column)).abs() < 1e-9,
                "{row:?}"
            );
            if pairing == "common" {
                // Of so many degrees of freedom, to five digits.
                assert!(
                    (effect.p.unwrap() / number(4) - 1.0).abs() < 2e-5,
                    "{row:?}"
                );
                let [low, high] = effect.bounds.unwrap();
                let reach = 2.000_995_378 * number(2);
                assert!((low - number(1) + reach).abs() < 1e-8, "{low} {row:?}");
                assert!((high - number(1) - reach).abs() < 1e-8, "{high} {row:?}");
            }
            assert_eq!((effect.fit, effect.games), ("ml", finished));
        }
    }
}

#[test]
fn separated_games_have_firths_fit() {
    let rules = "base='disputed'\nvary={king_armed=[true,false],king_capture=['two','four']}";
    let run = fixture::run("common", rules, winners(SEPARATED));
    let (effects, _) = effects_of(&run, "logistic");
    let expected = rows(FIRTH);
    assert_eq!(effects.len(), 3);
    for (effect, row) in effects.iter().zip(&expected[1..]) {
        assert_eq!((term(effect), effect.fit), (row[0].1.clone(), "firth"));
        let number = |column: usize| row[column].1.parse::<f64>().unwrap();
        let (estimate, se) = (effect.estimate, effect.se.unwrap());
        assert!((estimate - number(1)).abs() < 1e-8, "{row:?} {estimate}");
        assert!((se - number(2)).abs() < 1e-8, "{row:?} {se}");
    }
}

#[test]
fn one_pair_of_cells_is_mcnemars_table() {
    let decided = |winner: Option<Winner>| {
        matches!(winner?, Winner::Attackers | Winner::Defenders).then_some(winner?)
    };
    let run = fixture::run("common", FACTORIAL, winners(GAMES));
    let pair = ["two", "four"].map(|capture| {
        let mut cells = run.cells.iter();
        let found = cells.find(|cell| {
            let axes = cell.row.cell.ruleset.axes();
            let own = [&axes[1], &axes[2], &axes[3]].map(|axis| axis.as_deref().unwrap());
            own == ["true", "none", capture]
        });
        found.unwrap()
    });
    let only_decided = pair.map(|cell| {
        let games = (0..cell.indices()).map(|index| decided(cell.winner(index)));
        CellGames::from_winners(&cell.row.cell, &games.collect::<Vec<_>>())
    });
    let found = difference(&[[&only_decided[0], &only_decided[1]]], true).unwrap();
    let expected = &fixture::numbers(PAIRED)[0];
    let [pairs, gained, lost, statistic, _] = expected[..] else {
        panic!("five columns");
    };
    assert!((found.games as f64 - 2.0 * pairs).abs() < 1e-9);
    assert!((found.estimate - (gained - lost) / pairs).abs() < 1e-12);
    let mcnemar = (gained + lost - (gained - lost).powi(2) / pairs) / pairs / (pairs - 1.0);
    let variance = found.se.unwrap().powi(2);
    assert!((variance - mcnemar).abs() < 1e-12);
    // The test itself has the variance of equal chances.
    let null = (found.estimate * pairs).powi(2) / (gained + lost);
    assert!((null - statistic).abs() < 1e-9);
    assert!((found.z * found.se.unwrap() - found.estimate).abs() < 1e-12);
}

#[test]
fn a_marginal_effect_is_the_mean_over_the_other_rules() {
    for pairing in ["common", "independent"] {
        let run = fixture::run(pairing, FACTORIAL, |cell| {
            let axes = cell.ruleset.axes();
            // Armed, 3 of 4; unarmed, 1 of 4, or 2 of 4 where four capture.
            let wins = match (axes[1].as_deref(), axes[3].as_deref()) {
                (Some("true"), _) => 3,
                (_, Some("four")) => 2,
                _ => 1,
            };
            let winner =
                |game| [Winner::Attackers, Winner::Defenders][usize::from(game % 4 >= wins)];
            (0..40).map(|game| Some(winner(game))).collect()
        });
        let (effects, notes) = effects_of(&run, "marginal");
        assert_eq!(notes, Vec::<String>::new());
        let names: Vec<String> = effects.iter().map(term).collect();
        assert_eq!(
            names,
            [
                "king_armed=false",
                "throne_hostile=soldiers",
                "throne_hostile=everyone",
                "king_capture=four"
            ]
        );
        let estimates: Vec<f64> = effects.iter().map(|effect| effect.estimate).collect();
        for (estimate, expected) in estimates.iter().zip([-0.375, 0.0, 0.0, 0.125]) {
            assert!((estimate - expected).abs() < 1e-12, "{estimates:?}");
        }
        let (armed, hostile) = (&effects[0], &effects[1]);
        assert_eq!((armed.games, hostile.games), (480, 320));
        if pairing == "common" {
            // Every index has the same difference: nothing varies.
            assert_eq!((hostile.se, hostile.gain), (None, None));
            let [low, high] = hostile.bounds.unwrap();
            // 0 of 40 by Clopper and Pearson.
            assert!((low + 2.0 * 0.088_097).abs() < 1e-5 && (low + high).abs() < 1e-12);
            // The differences of an index agree in all combinations, so that
            // pairing widens the interval here: indices 1 and 2 of 4 have −½
            // and −1, the others none.
            let paired = (2.0 * 0.375 * 0.375 + 0.125 * 0.125 + 0.625 * 0.625) / 4.0;
            let unpaired = (6.0 * 0.1875 + 3.0 * 0.1875 + 3.0 * 0.25) / 36.0;
            assert!((armed.se.unwrap().powi(2) - paired / 39.0).abs() < 1e-12);
            assert!((armed.gain.unwrap() - unpaired / paired).abs() < 1e-9);
            assert_eq!(hostile.p, Some(1.0));
        } else {
            // Cells of 40 games, of which s² is 40/39 · ¼ or 3/16.
            let each = |share: f64| share * (1.0 - share) / 39.0;
            let expected = (6.0 * each(0.75) + 3.0 * each(0.25) + 3.0 * each(0.5)) / 36.0;
            assert!((armed.se.unwrap().powi(2) - expected).abs() < 1e-12);
            assert_eq!(armed.gain, None);
        }
    }
}

#[test]
fn sums_that_never_vary_leave_no_error_but_that_of_rounding() {
    use Winner::{Attackers as A, Defenders as D};
    let rules = "base='disputed'\nvary={king_armed=[true,false],king_return=[true,false]}";
    // The differences are 1, 0, 0 with return and 0, 1, 1 without.
    let run = fixture::run("common", rules, |cell| {
        let games = match (cell.ruleset.king_armed, &cell.ruleset.axes()[4]) {
            (true, _) => [D, D, D],
            (false, free) if free.as_deref() == Some("true") => [A, D, D],
            (false, _) => [D, A, A],
        };
        games.map(Some).into()
    });
    let (effects, _) = effects_of(&run, "marginal");
    let armed = effects
        .iter()
        .find(|effect| term(effect) == "king_armed=false");
    let armed = armed.unwrap();
    assert!((armed.estimate - 0.5).abs() < 1e-12);
    assert_eq!((armed.se, armed.gain), (None, None));
    assert!((armed.z.unwrap() - 0.5 * 3_f64.sqrt()).abs() < 1e-12);
    let [low, high] = armed.bounds.unwrap();
    assert!(low < 0.0 && high > 0.99, "{low} {high}");
}

#[test]
fn what_every_opening_says_shows_nothing_before_there_are_six() {
    let rules = "base='disputed'\nvary={king_armed=[true,false]}";
    for (games, signs) in [
        (1, 1.0),
        (2, 0.5),
        (4, 0.125),
        (5, 0.0625),
        (6, 0.031_25),
        (9, 0.003_906_25),
    ] {
        for pairing in ["common", "independent"] {
            let run = fixture::run(pairing, rules, |cell| {
                let armed = usize::from(cell.ruleset.king_armed);
                vec![Some([Winner::Attackers, Winner::Defenders][armed]); games]
            });
            let (effects, _) = effects_of(&run, "marginal");
            let effect = &effects[0];
            assert!((effect.estimate - 1.0).abs() < 1e-12);
            if let (Some(p), Some([low, _])) = (effect.p, effect.bounds) {
                assert!((p - signs).abs() < 1e-12, "{games} {pairing}: {p}");
                assert_eq!(low > 0.0, p < 0.05, "{games} {pairing}: {low}");
            } else {
                assert_eq!((games, pairing), (1, "independent"));
            }
        }
    }
}

#[test]
fn stopped_and_missing_games_are_left_out_with_their_counterparts() {
    use Winner::{Attackers as A, Defenders as D, None as Stopped};
    let rules = "base='disputed'\nvary={king_armed=[true,false]}";
    let run = fixture::run("common", rules, |cell| {
        if cell.ruleset.king_armed {
            vec![Some(A), Some(A), Some(Stopped), Some(D), Some(D)]
        } else {
            vec![Some(D), None, Some(A), Some(D)]
        }
    });
    let (effects, _) = effects_of(&run, "marginal");
    // Indices 0 and 3.
    assert_eq!(effects[0].games, 4);
    assert!((effects[0].estimate + 0.5).abs() < 1e-12);
    assert!((effects[0].se.unwrap() - 0.5).abs() < 1e-12);
}

#[test]
fn matches_without_games_share_one_note() {
    use Winner::Attackers as A;
    let rules = "base='disputed'\nvary={king_armed=[true,false]}\n[[match]]\nagents=['random','greedy','alphabeta:nodes=7','alphabeta:nodes=8','alphabeta:nodes=9']";
    let run = fixture::run_of("common", rules, |cell| {
        let played = cell.ruleset.king_armed || cell.pair.attackers.to_string() == "random";
        if played { vec![Some(A); 3] } else { Vec::new() }
    });
    let (_, notes) = effects_of(&run, "marginal");
    let own = "comparisons lack finished games and are left out";
    let told: Vec<&String> = notes.iter().filter(|note| note.contains(own)).collect();
    let expected = "fixture: comparisons lack finished games and are left out: \
         1 of 1 of king_armed false with true (greedy against greedy); \
         1 of 1 of king_armed false with true (alphabeta:nodes=7 against alphabeta:nodes=7); \
         1 of 1 of king_armed false with true (alphabeta:nodes=8 against alphabeta:nodes=8); \
         and 1 more";
    assert_eq!(told, [expected]);
}

#[test]
fn rulesets_that_are_no_factorial_are_compared_as_far_as_they_go() {
    let rules = "presets=['disputed','walker-2011','wtf','crust']";
    let run = fixture::run("common", rules, |_| {
        vec![
            Some(Winner::Attackers),
            Some(Winner::Defenders),
            Some(Winner::Draw),
        ]
    });
    let (effects, notes) = effects_of(&run, "marginal");
    // walker-2011 is disputed with another throne_hostile.
    assert_eq!(effects.len(), 1);
    assert_eq!(
        (effects[0].levels.axis, effects[0].games),
        ("throne_hostile", 6)
    );
    assert!(
        notes
            .iter()
            .any(|note| note.contains("no two rulesets differ in this alone")),
        "{notes:?}"
    );
    assert!(
        notes.iter().any(|note| note.contains("no factorial")),
        "{notes:?}"
    );
    let (effects, _) = effects_of(&run, "logistic");
    let told: Vec<String> = effects.iter().map(term).collect();
    assert_eq!(told, ["throne_hostile=none"]);

    // With these not even the share under all first values can be told.
    let run = fixture::run("common", "presets=['wtf','disputed','irish-1']", |_| {
        vec![Some(Winner::Attackers), Some(Winner::Defenders)]
    });
    let (_, notes) = effects_of(&run, "logistic");
    let told = notes.iter().find(|note| note.contains("leaves out"));
    let told = told.unwrap();
    assert!(told.contains(", the intercept, "), "{told}");
    assert!(!told.contains(", ,"), "{told}");
}

#[test]
fn an_edge_that_exists_by_four_alone_is_compared_there() {
    let rules = "base='disputed'\nvary={king_capture=['two','four'],king_edge=['three','safe']}";
    let run = fixture::run("common", rules, |cell| {
        let wins = match (
            cell.ruleset.king_capture.name(),
            cell.ruleset.king_edge.name(),
        ) {
            ("two", _) => 10,
            (_, "three") => 4,
            _ => 2,
        };
        let winner = |game| [Winner::Attackers, Winner::Defenders][usize::from(game >= wins)];
        (0..20).map(|game| Some(winner(game))).collect()
    });
    let (effects, _) = effects_of(&run, "marginal");
    let estimates: Vec<(String, String)> = effects
        .iter()
        .map(|effect| (term(effect), format!("{:.3}", effect.estimate)))
        .collect();
    let expected = [
        ("king_capture=four", "-0.350"),
        ("king_edge=safe", "-0.100"),
    ];
    for ((name, value), (other, expected)) in estimates.iter().zip(expected) {
        assert_eq!((&**name, &**value), (other, expected));
    }
    assert_eq!(effects[0].games, 60);
    assert_eq!(effects_of(&run, "logistic").0.len(), 2);
}

#[test]
fn the_table_has_its_columns_and_adjusts_within_a_method() {
    let run = fixture::run("common", FACTORIAL, winners(GAMES));
    let mut notes = Notes::default();
    let runs = [run];
    let table = table(&runs, &mut notes);
    let bytes = table.csv();
    let rows = rows(std::str::from_utf8(&bytes).unwrap());
    assert_eq!(rows.len(), 4 + 9);
    let column = |row: &Vec<(String, String)>, name: &str| {
        let found = row.iter().find(|(column, _)| column == name);
        found.unwrap_or_else(|| panic!("no {name}")).1.clone()
    };
    for row in &rows {
        let logistic = column(row, "method") == "logistic";
        assert_eq!(column(row, "odds_ratio").is_empty(), !logistic);
        assert_eq!(column(row, "pairing_gain").is_empty(), logistic);
        assert_eq!(column(row, "paired"), "true");
        let p: f64 = column(row, "p").parse().unwrap();
        assert!(p <= column(row, "p_adjusted").parse().unwrap());
    }
    // A pair of players with too many forfeits is no test of the rules.
    let mut runs = runs;
    let cell = &mut runs[0].cells[3].row;
    let key = (Side::Attackers, ForfeitKind::Crash);
    cell.forfeits.insert(key, cell.games / 20 + 1);
    let forfeited = super::table(&runs, &mut notes).csv();
    let forfeited = fixture::rows(std::str::from_utf8(&forfeited).unwrap());
    for (row, before) in forfeited.iter().zip(&rows) {
        assert_eq!(column(row, "p"), column(before, "p"));
        assert_eq!(column(row, "p_adjusted"), "");
    }
    let expected = fixture::numbers(include_str!("../../../tests/data/statistics/adjusted.csv"));
    let p_values: Vec<Option<f64>> = expected.iter().map(|row| Some(row[0])).collect();
    for (found, row) in benjamini_hochberg(&p_values).iter().zip(&expected) {
        assert!((found.unwrap() - row[1]).abs() < 1e-12);
    }
}
