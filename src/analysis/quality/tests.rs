//! Measures by hand, and of a small run all of whose games are sampled.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::experiment::{Endgames, Grid, RunOptions, Source, measure, run};

fn is(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn means_and_shares_by_hand() {
    // 1, 2, 2, 5: mean 2.5, squares off it 2.25 + 0.25 + 0.25 + 6.25 = 9.
    let values = Values::mean_of(&[(1.0, 1), (2.0, 2), (5.0, 1)], 6.0);
    assert_eq!(values.games, 4);
    is(values.mean, 2.5);
    is(values.sd.unwrap(), 3.0_f64.sqrt());
    // Student's quantile for three degrees of freedom; neither bound is out of
    // range.
    let [low, high] = values.bounds.unwrap();
    assert!((high - (2.5 + 3.182_446 * 3.0_f64.sqrt() / 2.0)).abs() < 1e-6);
    is(low, 0.0);
    let part = Values::mean_of(&[(0.5, 1), (0.9, 1), (1.0, 1)], 1.0);
    is(part.bounds.unwrap()[1], 1.0);
    let single = Values::mean_of(&[(7.0, 1)], 9.0);
    assert_eq!((single.sd, single.bounds), (None, None));
    // Twenty games without one do not show that there are none.
    let same = Values::mean_of(&[(0.0, 20)], 9.0);
    assert_eq!((same.sd, same.bounds), (Some(0.0), None));
    let share = Values::share_of(10, 100);
    is(share.mean, 0.1);
    is(share.sd.unwrap(), (0.09_f64 * 100.0 / 99.0).sqrt());
    // As Wilson's interval has it.
    let bounds = share.bounds.unwrap().map(|bound| format!("{bound:.4}"));
    assert_eq!(bounds, ["0.0552", "0.1744"]);
}

/// Plays an experiment into a folder, and samples so many games a cell.
pub(in crate::analysis) fn played(
    text: &str,
    folder: &Path,
    sample: u64,
) -> (Run, Vec<GameMeasures>) {
    let grid = Grid::new(Source::parse("x.toml", text).unwrap().experiment);
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        shard: None,
        stop: &stop,
    };
    let outcome = run(&grid, folder, options, &()).unwrap();
    outcome.folder.write_manifest(&outcome.manifest).unwrap();
    let endgames = Endgames::new("no tables".into());
    let measured = measure(folder, &outcome.manifest, sample, &endgames, &stop, &()).unwrap();
    (Run::read(folder).unwrap(), measured.games)
}

/// Rows of a table by cell and measure: games and mean.
fn means(table: &Table) -> BTreeMap<(String, String), (u64, f64)> {
    let frame = table.frame();
    let text = |name: &str, row| frame.column(name).unwrap().str().unwrap().get(row);
    let number = |row| frame.column("mean").unwrap().f64().unwrap().get(row);
    let games = |row| frame.column("games").unwrap().u64().unwrap().get(row);
    (0..frame.height())
        .map(|row| {
            let key = [text("cell", row), text("measure", row)];
            let [cell, measure] = key.map(|word| word.unwrap().to_owned());
            let values = (games(row).unwrap(), number(row).unwrap());
            ((cell, measure), values)
        })
        .collect()
}

const STUDY: &str = "name='study'\nseed=4\ngames=60\nply_limit=70\n\
    [rules]\nvary={king_armed=[true,false],throne_hostile=['everyone','none']}\n\
    [opening]\nrandom_plies=1\n[[match]]\nagents=['random','alphabeta:nodes=60']\n";

#[test]
fn what_the_records_and_the_moves_say_goes_together() {
    let folder = tempfile::tempdir().unwrap();
    let (run, sample) = played(STUDY, folder.path(), 60);
    let runs = [run];
    let table = games_table(&runs, &sample).unwrap();
    let means = means(&table);
    for cell in &runs[0].cells {
        let id = &cell.row.cell.id;
        let mean = |measure: &str| {
            let found = means.get(&(id.clone(), measure.to_owned()));
            found.copied()
        };
        let of_sample = |of: &dyn Fn(&GameMeasures) -> f64| {
            let games = sample.iter().filter(|game| game.cell == *id);
            games.map(of).sum::<f64>() / 60.0
        };
        let (games, length) = mean("length").unwrap();
        assert_eq!(games, 60);
        is(length, cell.row.mean_plies());
        let ended = means
            .iter()
            .filter(|((cell, measure), _)| cell == id && measure.starts_with("ended_"));
        let ended: Vec<f64> = ended.map(|(_, (_, share))| *share).collect();
        assert_eq!(ended.len(), 7);
        is(ended.iter().sum::<f64>(), 1.0);
        let stopped = mean("ended_ply_limit").unwrap().1;
        is(mean("completion").unwrap().1, 1.0 - stopped);
        let attackers = of_sample(&|game| f64::from(game.attackers_captured));
        is(mean("attackers_captured").unwrap().1, attackers);
        let defenders = of_sample(&|game| f64::from(game.defenders_captured));
        is(mean("defenders_captured").unwrap().1, defenders);
        let decided = of_sample(&|game| f64::from(u8::from(game.drama.is_some())));
        is(mean("decisive").unwrap().1, decided);
        let drama = mean("drama").unwrap();
        assert_eq!(drama.0, (decided * 60.0).round() as u64);
        // What the rules rule out has no row.
        let ruleset = &cell.row.cell.ruleset;
        let armed = mean("king_captured_a_man");
        assert_eq!(armed.is_some(), ruleset.king_armed);
        let throne = mean("throne_helped_king_capture");
        let hostile = Rule::HostileThrone.taken_from(ruleset).is_some();
        assert_eq!(throne.is_some(), hostile);
        assert_eq!(mean("man_captured_with_throne").is_some(), hostile);
        assert!(mean("only_two").unwrap().1 <= mean("ended_king_captured").unwrap().1);
        assert!(mean("branching").unwrap().1 > 5.0);
    }
    assert!(means.values().any(|(_, mean)| *mean > 0.0 && *mean < 1.0));
}

#[test]
fn a_file_that_a_finished_run_does_not_list_counts_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let (run, sample) = played(STUDY, folder.path(), 10);
    let tables = |run: Run| {
        let runs = [run];
        let openings = crate::analysis::openings_table(&runs, &sample).unwrap();
        (games_table(&runs, &sample).unwrap().csv(), openings.csv())
    };
    let file = run.files[0][0].clone();
    let before = tables(run);
    let name = file.file_name().unwrap().to_str().unwrap();
    fs::copy(
        &file,
        file.with_file_name(name.replacen("000000", "000009", 1)),
    )
    .unwrap();
    let after = tables(Run::read(folder.path()).unwrap());
    assert!(before == after);
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads_and_without_a_sample_shorter() {
    let folder = tempfile::tempdir().unwrap();
    let (run, sample) = played(STUDY, folder.path(), 10);
    let runs = [run];
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let table = pool.build().unwrap();
        table.install(|| games_table(&runs, &sample)).unwrap().csv()
    };
    let bytes = on(1);
    assert_eq!(on(3), bytes);
    let text = String::from_utf8(bytes).unwrap();
    let header = "experiment,cell,ruleset,label,attackers,defenders,measure,games,mean,sd,low,high";
    assert_eq!(text.lines().next(), Some(header));
    let without = games_table(&runs, &[]).unwrap();
    assert_eq!(without.frame().height(), 12 * runs[0].cells.len());
    let mut elsewhere = sample.clone();
    for game in &mut elsewhere {
        "other".clone_into(&mut game.experiment);
    }
    let elsewhere = games_table(&runs, &elsewhere).unwrap();
    assert_eq!(elsewhere.csv(), without.csv());
}

#[test]
fn a_throne_helps_against_the_king_where_it_can() {
    let meets = |axes: &str| {
        let table: crate::game::RulesetTable = toml::from_str(axes).unwrap();
        Needs::ThroneAgainstKing.are_met(&table.resolve().unwrap())
    };
    assert!(meets("") && meets("king_capture='zone'\nthrone_hostile='none'"));
    assert!(!meets("throne_hostile='soldiers'") && !meets("throne='ordinary'"));
}
