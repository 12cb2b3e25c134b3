//! `brandub report`: from result folders to tables.

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::brandub::{
    Said, brandub, change_manifest, command, fail, files, is_cut, number, rows, study, succeed,
    wait_until,
};

const TABLES: [&str; 6] = [
    "effects", "people", "strength", "trends", "verdicts", "winrates",
];

/// A folder that is committed, with its games.
fn published() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/published/default");
    path.display().to_string()
}

fn experiment(at: &Path, name: &str, rest: &str) {
    let text = format!("name = \"{name}\"\nseed = 3\npairing = \"common\"\n{rest}");
    fs::write(at.join(format!("{name}.toml")), text).unwrap();
    let file = format!("{name}.toml");
    succeed(at, &["run", &file, "--out", name, "-q"]);
}

const RANDOM: &str = "[opening]\nrandom_plies = 2\n[[match]]\nagents = [\"random\"]\n";

fn assert_note(said: &Said, part: &str) {
    let mut notes = said.err.lines().filter(|line| line.starts_with("note: "));
    assert!(
        notes.any(|note| note.contains(part)),
        "no `{part}` in {}",
        said.err
    );
}

/// Where a rule decided how many games there are, its margin and its intervals are the
/// report's: in the verdicts, in words and in the picture.
#[test]
fn a_rules_own_margin_and_confidence_are_the_reports() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = format!(
        "name = 'ruled'\nseed = 1\ngames = 'adaptive'\nply_limit = 100\n\
         [adaptive]\nmargin = 0.2\ntotal = 700\nmin_games = 100\nconfidence = 0.6\n\
         [rules]\nbase = 'disputed'\nvary = {{ king_armed = [true, false] }}\n{RANDOM}"
    );
    fs::write(at.join("ruled.toml"), text).unwrap();
    succeed(at, &["run", "ruled.toml", "--out", "ruled", "-q"]);
    let decisions = rows(at.join("ruled/winrates.csv"));
    assert!(decisions.iter().any(|row| row["decision"] == "balanced"));
    let words = ["report", "ruled", "--out", "r", "--sample", "0", "-q"];
    let said = succeed(at, &words);
    assert!(
        said.out.contains("Bounds are those of 60 %."),
        "{}",
        said.out
    );
    assert!(!said.err.contains("margin"), "{}", said.err);
    let verdicts = rows(at.join("r/verdicts.csv"));
    assert_eq!(verdicts.len(), decisions.len());
    for (verdict, row) in verdicts.iter().zip(&decisions) {
        assert_eq!(verdict["verdict"], row["decision"]);
        assert_eq!(
            (number(verdict, "margin"), number(verdict, "confidence")),
            (0.2, 0.6)
        );
    }
    let chart = fs::read_to_string(at.join("r/charts/balance-ruled.vl.json")).unwrap();
    for verdict in &verdicts {
        let low = number(verdict, "low");
        assert!(
            chart.contains(&format!("\"low\":{low}")) || chart.contains(&format!("\"low\": {low}")),
            "{low} in {chart}"
        );
    }
    let page = fs::read_to_string(at.join("r/report.html")).unwrap();
    for part in [
        "its line is the 60 % interval",
        "Verdicts are those of the intervals",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    let shown = succeed(at, &["report", "ruled", "--terminal"]);
    let heading = shown.out.lines().find(|line| line.contains("verdict"));
    assert!(heading.unwrap().contains(" 60 % "), "{}", shown.out);
    assert!(shown.out.contains("with 60 % bounds"), "{}", shown.out);
    // Another margin is the asker's, and noted.
    let other = succeed(at, &["report", "ruled", "--json", "--margin", "0.01"]);
    assert_note(&other, "by a margin of 0.2, verdicts are by 0.01");
    let json: Value = serde_json::from_str(&other.out).unwrap();
    let all = json["tables"]["verdicts"].as_array().unwrap();
    assert!(
        all.iter().all(|row| row["verdict"] != "balanced"),
        "{all:?}"
    );
}

/// A first ruleset of which no game was finished does not make a rule of a fixed number.
#[test]
fn verdicts_of_a_fixed_number_of_games_are_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rest = "games = 12\nply_limit = 18\n[rules]\npresets = ['branan-step', 'masters-armed']\n\
                [opening]\nrandom_plies = 2\n[[match]]\nagents = ['alphabeta:nodes=200']\n";
    experiment(at, "short", rest);
    succeed(
        at,
        &["report", "short", "--out", "r", "--sample", "0", "-q"],
    );
    let verdicts = rows(at.join("r/verdicts.csv"));
    let games: Vec<&str> = verdicts.iter().map(|row| &*row["games"]).collect();
    assert!(games[0] == "0" && games[1] != "0", "{games:?}");
    let page = fs::read_to_string(at.join("r/report.html")).unwrap();
    assert!(page.contains("Verdicts allow for the number of rows"));
    assert!(!page.contains("Verdicts are those of the intervals"));
}

/// Presets have their names beside what differs, and no word of them or of an axis is broken.
#[test]
fn tables_name_presets() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rest = format!("games = 4\n[rules]\npresets = ['disputed', 'brandubh-3']\n{RANDOM}");
    experiment(at, "named", &rest);
    let words =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let run = succeed(at, &["run", "named.toml", "--out", "named"]).out;
    let report = succeed(at, &["report", "named", "--terminal"]).out;
    for table in [run, report] {
        let row = table.lines().find(|line| line.contains("brandubh-3"));
        let row = words(row.unwrap_or_else(|| panic!("{table}")));
        assert_eq!(
            row[..4],
            ["brandubh-3", "zone", "false", "nobody"],
            "{table}"
        );
        let headings: Vec<String> = table.lines().take(7).flat_map(words).collect();
        for word in ["ruleset", "king", "capture", "return", "throne", "pass"] {
            assert!(
                headings.iter().any(|heading| heading == word),
                "{word}: {table}"
            );
        }
    }
}

#[test]
fn the_default_result_has_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let before = files(Path::new(&published()));
    let said = succeed(at, &["report", &published(), "--out", "r", "--tables"]);
    assert!(before == files(Path::new(&published())));
    let mut found: Vec<String> = files(&at.join("r")).into_keys().collect();
    found.retain(|name| name != "report.json");
    assert_eq!(found, TABLES.map(|name| format!("{name}.csv")));
    assert_eq!(said.out.lines().count(), 6);

    // What the folder's own table counts, the report counts.
    let own = rows(Path::new(&published()).join("winrates.csv"));
    let winrates = rows(at.join("r/winrates.csv"));
    let verdicts = rows(at.join("r/verdicts.csv"));
    assert_eq!((own.len(), winrates.len(), verdicts.len()), (16, 16, 16));
    for ((own, row), verdict) in own.iter().zip(&winrates).zip(&verdicts) {
        for (column, value) in own {
            match column.as_str() {
                "balance" => {
                    let balance = number(row, "score") - 0.5;
                    assert!((balance - number(own, "balance")).abs() < 2e-6);
                }
                "mean_plies" => assert!((number(row, column) - number(own, column)).abs() < 1e-3),
                _ => assert_eq!(row[column], *value, "{column}"),
            }
        }
        assert_eq!(row["attackers_family"], "alphabeta:nodes=*");
        assert_eq!(row["defenders_budget"], "4000");
        assert!(number(row, "effective_games") <= number(row, "distinct_games"));
        for column in ["cell", "ruleset", "label", "attackers", "score"] {
            assert_eq!(row[column], verdict[column]);
        }
        let (low, high) = (number(verdict, "low90"), number(verdict, "high90"));
        assert_eq!(verdict["verdict"] == "balanced", 0.45 < low && high < 0.55);
        assert!(number(verdict, "low") < low && high < number(verdict, "high"));
        if row["king_capture"] == "four" {
            assert_eq!(verdict["verdict"], "defenders");
        }
        assert_eq!(
            verdict["more_games"].is_empty(),
            verdict["verdict"] != "undecided"
        );
    }
}

#[test]
fn the_default_result_has_the_effects_of_four_rules() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(at, &["report", &published(), "--out", "r", "--tables"]);
    let effects = rows(at.join("r/effects.csv"));
    assert_eq!(effects.len(), 4 + 4 + 6);
    let winrates = rows(at.join("r/winrates.csv"));
    for row in effects.iter().filter(|row| row["method"] == "marginal") {
        let mean = |value: &str| {
            let cells = winrates.iter().filter(|cell| cell[&row["axis"]] == value);
            let scores: Vec<f64> = cells.map(|cell| number(cell, "score")).collect();
            assert_eq!(scores.len(), 8);
            scores.iter().sum::<f64>() / 8.0
        };
        // No game was stopped: the effect is the difference of the means.
        let difference = mean(&row["to"]) - mean(&row["from"]);
        assert!(
            (number(row, "estimate") - difference).abs() < 2e-6,
            "{row:?}"
        );
        assert_eq!((&*row["games"], &*row["paired"]), ("3200", "true"));
    }
    let interactions = effects.iter().filter(|row| !row["other_axis"].is_empty());
    assert_eq!(interactions.count(), 6);
    for row in effects.iter().filter(|row| row["method"] == "logistic") {
        let odds = number(row, "estimate").exp();
        assert!((number(row, "odds_ratio") / odds - 1.0).abs() < 1e-4);
        assert_eq!(row["fit"], "ml");
    }
    let capture = effects
        .iter()
        .find(|row| row["axis"] == "king_capture")
        .unwrap();
    assert!(number(capture, "high") < -0.4 && number(capture, "p_adjusted") < 1e-9);
}

#[test]
fn the_terminal_table_is_narrow_plain_where_asked_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let published = published();
    let plain = ["report", &published, "--terminal", "--threads", "1"];
    let plain = succeed(at, &plain).out;
    assert!(
        plain.lines().all(|line| line.chars().count() <= 100),
        "{plain}"
    );
    for part in ["attackers alphabeta:nodes=4000", "king_capture", "95 %"] {
        assert!(plain.contains(part), "no {part} in {plain}");
    }
    // A row each, by its rules and its verdict.
    for (rules, verdict) in [
        ("false everyone two true", "attackers"),
        ("true none four false", "defenders"),
    ] {
        let mut rows = plain
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let row = rows.find(|row| row.join(" ").starts_with(&format!("{rules} 200 ")));
        assert_eq!(row.unwrap().last(), Some(&verdict), "{plain}");
    }
    let small = Path::new(&published).with_file_name("small-study");
    let small = ["report", small.to_str().unwrap(), "--terminal"];
    // It writes nothing that these would change.
    for unused in [&["--sample", "0"][..], &["--tables"]] {
        let what = "it says what is written to files";
        fail(at, &[&small[..], unused].concat(), 2, &[unused[0], what]);
    }
    let small = succeed(at, &small).out;
    assert!(small.contains("undecided"), "{small}");
    assert!(!plain.contains('\u{1b}'));
    let coloured = |no_color: &str| {
        let mut command = command(at, &["report", &published, "--terminal"]);
        command.env("CLICOLOR_FORCE", "1").env("NO_COLOR", no_color);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(coloured("").contains("\u{1b}[38;5;9m"), "{}", coloured(""));
    assert_eq!(coloured("1"), plain);
    let markdown = succeed(at, &["report", &published, "--markdown"]).out;
    let table = markdown.lines().filter(|line| line.starts_with('|'));
    assert_eq!(table.clone().count(), 2 + 16 + 2 + 4);
    for line in table.take(18) {
        assert_eq!(line.matches('|').count(), 4 + 7 + 1, "{line}");
    }
    let json = succeed(at, &["report", &published, "--json"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["tables"]["verdicts"].as_array().unwrap().len(), 16);
    assert_eq!(json["tables"]["winrates"][0]["games"], 200);
    assert!(json["tables"]["effects"][0]["other_axis"].is_null());
    assert_eq!(files(at).len(), 0);
    assert!(!Path::new(&published).join("report").exists());
}

/// Where names are long the table is wider.
#[test]
fn the_terminal_table_breaks_no_figure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rest = "games = 4\n[rules]\npresets = [{ layout = \"circle\", king_armed = false }, \
                { layout = \"ring\", throne_hostile = \"none\" }]\n[[match]]\n\
                agents = [\"alphabeta:nodes=20,weights=linear\", \"random\", \"greedy\"]\n";
    experiment(at, "wide", rest);
    let wide = succeed(at, &["report", "wide", "--terminal"]).out;
    for part in ["games  score", "draws  plies", "verdict  more games"] {
        assert!(wide.contains(part), "{wide}");
    }
    let rows = wide.lines().filter(|line| line.contains('–')).count();
    let last = |line: &&str| {
        ["undecided", "attackers", "defenders"].iter().any(|word| {
            line.split_whitespace()
                .rev()
                .take(2)
                .any(|last| last == *word)
        })
    };
    assert_eq!(wide.lines().filter(last).count(), rows, "{wide}");
    assert_eq!(rows, 6, "{wide}");
}

#[test]
fn a_report_inside_its_folder_disturbs_neither_run_nor_verify() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--out", "study", "-q"]);
    succeed(at, &["report", "study"]);
    let expected = files(&at.join("study/report"));
    let ending = |ending: &str| {
        expected
            .keys()
            .filter(|name| name.ends_with(ending))
            .count()
    };
    // Three tables more: the games', the first moves' and the measured games'.
    assert_eq!(ending(".csv"), TABLES.len() + 3);
    assert!(expected.contains_key("report.html") && ending(".svg") > 3);
    assert_eq!(
        (ending(".png"), ending(".vl.json")),
        (ending(".svg"), ending(".svg"))
    );
    let verified = succeed(at, &["verify", "study"]);
    assert!(
        verified.out.contains("all as the manifest says"),
        "{}",
        verified.out
    );
    let whole = files(&at.join("study"));
    succeed(at, &["run", "study.toml", "--out", "study", "-q"]);
    assert!(
        files(&at.join("study")) == whole,
        "a second run changed the folder"
    );
    // The same bytes again, on any number of threads.
    for threads in ["1", "3"] {
        let mut again = command(at, &["report", "study", "--out", threads]);
        assert!(
            again
                .env("RAYON_NUM_THREADS", threads)
                .output()
                .unwrap()
                .status
                .success()
        );
        assert!(files(&at.join(threads)) == expected, "{threads} threads");
    }
    // Three strengths, four rulesets: two effects and their interaction each.
    let effects = rows(at.join("study/report/effects.csv"));
    assert_eq!(effects.len(), 3 * (2 + 2 + 1));
    let strength = rows(at.join("study/report/strength.csv"));
    assert_eq!(strength.len(), 2 * 4);
    let odd = strength
        .iter()
        .find(|row| row["family"] == "alphabeta:nodes=*");
    let odd = odd.unwrap();
    assert_eq!(
        (&*odd["attackers_budget"], &*odd["defenders_budget"]),
        ("500", "400")
    );
}

/// What a killed report has left is known for a report's, whatever the next one is of.
#[test]
fn a_report_goes_on_where_one_was_killed() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--out", "study", "-q"]);
    let report = |sample| ["report", "study", "--sample", sample, "--out", "p"];
    // What one was writing when it was killed may be there, a file for each.
    let written = |name: &str, killed: usize| {
        let is_left = |name: &String| {
            let last = name.rsplit('/').next().unwrap();
            last.starts_with('.') && last.split('.').next_back() == Some("tmp")
        };
        let mut files = files(&at.join(name));
        let left = files.keys().filter(|name| is_left(name)).count();
        assert!(left <= killed, "{:?}", files.keys());
        files.retain(|name, _| !is_left(name));
        files
    };
    let killed = Cell::new(0);
    // Whether one is killed once this is seen, and not at its end.
    let is_killed = |sample, is_begun: &dyn Fn() -> bool| {
        let is_cut = is_cut(at, &report(sample), is_begun);
        killed.set(killed.get() + usize::from(is_cut));
        is_cut
    };
    // Tables come before the page.
    let is_begun = || at.join("p/measures.csv").exists();
    let first = |_| {
        let _ = fs::remove_dir_all(at.join("p"));
        killed.set(0);
        is_killed("2", &is_begun)
    };
    assert!((0..20).any(first));
    succeed(at, &report("3"));
    succeed(at, &["report", "study", "--sample", "3", "--out", "whole"]);
    let whole = written("whole", 0);
    assert!(written("p", killed.get()) == whole);
    // So it is of one that was killed over an earlier one.
    let games = fs::read(at.join("p/games.csv")).unwrap();
    let is_another = || fs::read(at.join("p/games.csv")).is_ok_and(|now| now != games);
    // Its list says so, and there is no page of other tables than those beside it.
    let is_told = || {
        let list = fs::read_to_string(at.join("p/report.json")).unwrap();
        list.contains("\"complete\": false") && !at.join("p/report.html").exists()
    };
    let over = |_| {
        succeed(at, &report("3"));
        is_killed("2", &is_another) && is_told()
    };
    assert!((0..20).any(over));
    succeed(at, &["report", "study", "--tables", "--out", "p"]);
    assert!(!at.join("p/games.csv").exists());
    succeed(at, &report("3"));
    assert!(written("p", killed.get()) == whole);
    // Also if it was to be the same again.
    let is_gone = || !at.join("p/report.html").exists();
    assert!((0..20).any(|_| is_killed("3", &is_gone) && is_told()));
    succeed(at, &report("3"));
    assert!(written("p", killed.get()) == whole);
    // Lists of before said nothing of that.
    let list = fs::read_to_string(at.join("p/report.json")).unwrap();
    let earlier = list.replace("  \"complete\": true,\n", "");
    assert_ne!(earlier, list);
    fs::write(at.join("p/report.json"), earlier).unwrap();
    succeed(at, &report("4"));
    // What is not a report's stays.
    fs::write(at.join("p/report.json"), "my own notes").unwrap();
    let own = "report.json is there and no report's list of its files";
    fail(at, &report("2"), 2, &[own]);
    fs::remove_file(at.join("p/report.json")).unwrap();
    fail(at, &report("2"), 2, &["is there and no report's"]);
}

#[test]
fn strengths_give_trends_and_people_stand_beside() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let agents =
        "\"alphabeta:nodes=30\", \"alphabeta:nodes=60\", \"alphabeta:nodes=240\", \"random\"";
    let rest = format!(
        "games = 40\n[rules]\npresets = [\"wtf\", \"crust\"]\n[opening]\nrandom_plies = 2\n[[match]]\nagents = [{agents}]\ncross = true\n"
    );
    experiment(at, "cross", &rest);
    succeed(at, &["report", "cross"]);
    let strength = rows(at.join("cross/report/strength.csv"));
    assert_eq!(strength.len(), 2 * 9);
    let trends = rows(at.join("cross/report/trends.csv"));
    let quantities: Vec<&str> = trends.iter().map(|row| &*row["quantity"]).collect();
    let expected = [
        "equal_slope",
        "equal_curvature",
        "last_step",
        "attackers_doubling",
        "defenders_doubling",
        "odds",
        "odds",
        "odds",
    ];
    assert_eq!(quantities, [expected, expected].concat());
    for row in &trends {
        if let Ok(estimate) = row["estimate"].parse::<f64>() {
            assert!(
                number(row, "low") <= estimate && estimate <= number(row, "high"),
                "{row:?}"
            );
        }
    }
    // Longer thought helps whoever has it.
    for row in &trends {
        if row["quantity"].ends_with("_doubling") {
            assert!(number(row, "estimate") > 0.0, "{row:?}");
        }
    }
    let people = rows(at.join("cross/report/people.csv"));
    assert_eq!(people.len(), 16);
    assert!(
        people
            .iter()
            .all(|row| row["preset"] == "wtf" && row["people_games"] == "1279")
    );
}

#[test]
fn half_a_run_and_a_shard_say_what_they_can() {
    let folder = study();
    let at = folder.path();
    let mut child = command(
        at,
        &[
            "run",
            "study.toml",
            "--out",
            "half",
            "-q",
            "--games",
            "40000",
        ],
    )
    .stdout(Stdio::null())
    .spawn()
    .unwrap();
    wait_until(&mut child, || chunks(&at.join("half")).len() >= 8);
    child.kill().unwrap();
    child.wait().unwrap();
    // What a report left that was killed goes with the next, but not what another is writing.
    let left = at.join("half/report/.winrates.csv.12.tmp");
    fs::create_dir(at.join("half/report")).unwrap();
    let written = at.join("half/report/.winrates.csv.13.tmp");
    for path in [&left, &written] {
        fs::write(path, "half a table").unwrap();
    }
    let file = File::options().write(true).open(&left).unwrap();
    let then = SystemTime::now() - Duration::from_hours(1);
    file.set_modified(then).unwrap();
    let said = succeed(at, &["report", "half"]);
    assert!(!left.exists() && written.exists());
    fs::remove_file(&written).unwrap();
    assert_note(&said, "study: the run is not finished");
    assert_note(&said, "cells have no games yet");
    let winrates = rows(at.join("half/report/winrates.csv"));
    let games: f64 = winrates.iter().map(|row| number(row, "games")).sum();
    let there: usize = chunks(&at.join("half"))
        .iter()
        .map(|path| fs::read_to_string(path).unwrap().lines().count() - 1)
        .sum();
    assert!((games - there as f64).abs() < 0.5 && !winrates.is_empty());
    // The run goes on as if nothing had been reported.
    assert_eq!(brandub(at, &["verify", "half"]).status, Some(0));

    succeed(at, &["run", "study.toml", "--shard", "2/3", "-q"]);
    let said = succeed(at, &["report", "results/study-shard-2-of-3"]);
    assert_note(&said, "this is shard 2/3 of the run");
    assert!(!rows(at.join("results/study-shard-2-of-3/report/verdicts.csv")).is_empty());
}

/// The chunk files of a folder that may be written to right now.
fn chunks(folder: &Path) -> Vec<PathBuf> {
    let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
    let cells = entries(&folder.join("games"));
    let files = cells.flat_map(|cell| entries(&cell.path()).map(|file| file.path()));
    files
        .filter(|path| path.extension().is_some_and(|kind| kind == "csv"))
        .collect()
}

#[test]
fn a_single_cell_stopped_games_and_a_list_of_presets_are_told_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    experiment(
        at,
        "single",
        &format!("games = 50\n[rules]\nbase = \"wtf\"\n{RANDOM}"),
    );
    let said = succeed(at, &["report", "single", "--terminal", "--out", "r"]);
    assert_note(&said, "single: one ruleset alone");
    assert!(said.out.contains("wtf"), "{}", said.out);
    assert_eq!(rows(at.join("r/effects.csv")).len(), 0);
    assert_eq!(rows(at.join("r/verdicts.csv")).len(), 1);

    let vary = "games = 20\nply_limit = 3\n[rules]\nbase = \"disputed\"\nvary = { king_armed = [true, false] }\n";
    experiment(at, "stopped", &format!("{vary}{RANDOM}"));
    let said = succeed(at, &["report", "stopped"]);
    assert_note(
        &said,
        "every game was stopped at the ply limit: 20 games of disputed",
    );
    let row = &rows(at.join("stopped/report/winrates.csv"))[0];
    assert_eq!((&*row["ply_limit_rate"], &*row["score"]), ("1.000000", ""));
    let row = &rows(at.join("stopped/report/verdicts.csv"))[0];
    assert_eq!(
        (&*row["games"], &*row["verdict"], &*row["low"]),
        ("0", "undecided", "")
    );
    assert_eq!(rows(at.join("stopped/report/effects.csv")).len(), 0);
    let table = succeed(at, &["report", "stopped", "--terminal"]).out;
    assert!(table.contains("undecided"), "{table}");
    // No score and no bounds, though no draw.
    assert!(table.contains("  –  ") && !table.contains("-–-"), "{table}");

    // Of many strengths each ruleset has a table, which need not say its name again.
    let vary = "games = 2\n[rules]\nbase = \"masters\"\nvary = { king_armed = [true, false] }\n";
    let cross = "[[match]]\nagents = [\"random\", \"greedy\"]\ncross = true\n";
    experiment(at, "strengths", &format!("{vary}{cross}"));
    let table = succeed(at, &["report", "strengths", "--terminal"]).out;
    for name in ["king_armed=true", "king_armed=false"] {
        let lines = table.lines().filter(|line| line.contains(name));
        assert_eq!(lines.count(), 1, "{table}");
    }
    assert!(!table.contains("ruleset"), "{table}");
    // A ruleset is called on the board what the charts call it, too.
    succeed(at, &["report", "strengths"]);
    let page = fs::read_to_string(at.join("strengths/report/report.html")).unwrap();
    assert!(page.contains("unarmed (masters): "));

    let presets =
        "games = 30\n[rules]\npresets = [\"wtf\", \"disputed\", \"walker-2011\", \"branan\"]\n";
    experiment(at, "presets", &format!("{presets}{RANDOM}"));
    let said = succeed(at, &["report", "presets"]);
    assert_note(&said, "the rulesets are no factorial");
    assert_note(&said, "no two rulesets differ in this alone");
    let effects = rows(at.join("presets/report/effects.csv"));
    assert!(
        effects.iter().all(|row| row["axis"] == "throne_hostile"),
        "{effects:?}"
    );
    assert!(!effects.is_empty());

    // Three in one report: each for itself.
    let said = succeed(
        at,
        &["report", "single", "presets", "stopped", "--out", "all"],
    );
    assert_note(
        &said,
        "single and stopped were not played alike: the ply limit is 300 and 3",
    );
    let names: Vec<String> = rows(at.join("all/verdicts.csv"))
        .into_iter()
        .map(|row| row["experiment"].clone())
        .collect();
    let expected = [vec!["single"; 1], vec!["presets"; 4], vec!["stopped"; 2]].concat();
    assert_eq!(names, expected);
    // A game on the board says of which experiment it is.
    let page = fs::read_to_string(at.join("all/report.html")).unwrap();
    for part in ["\"title\":\"presets, ", "\"experiment\":\"presets\""] {
        assert!(page.contains(part), "no {part}");
    }
    let one = fs::read_to_string(at.join("presets/report/effects.csv")).unwrap();
    let all = fs::read_to_string(at.join("all/effects.csv")).unwrap();
    assert!(all == one, "another experiment changed these rows");
}

#[test]
fn wrong_input_is_named_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let small = format!("games = 40\n[rules]\nbase = \"wtf\"\n{RANDOM}");
    experiment(at, "one", &small);
    fs::create_dir(at.join("empty")).unwrap();
    fail(
        at,
        &["report", "empty"],
        2,
        &["empty", "is no result folder"],
    );
    fail(at, &["report", "none"], 2, &["none", "is no result folder"]);
    fail(at, &["report"], 2, &["RESULTS"]);
    succeed(at, &["run", "one.toml", "--out", "other", "-q"]);
    fail(at, &["report", "one", "other"], 2, &["expected --out DIR"]);
    fail(
        at,
        &["report", "one", "other", "--out", "r"],
        2,
        &["one and other both hold an experiment named `one`"],
    );
    fail(at, &["report", "one", "one", "--json"], 2, &["both hold"]);
    fail(
        at,
        &["report", "one", "--out", "other"],
        2,
        &["other is a result folder"],
    );
    fail(
        at,
        &["report", "one", "--out", "other/games/more"],
        2,
        &["other/games/more is where", "keeps its games"],
    );
    // Somebody's own table is no earlier report's.
    fs::create_dir(at.join("own")).unwrap();
    fs::write(at.join("own/winrates.csv"), "mine\n").unwrap();
    fail(
        at,
        &["report", "one", "--out", "own"],
        2,
        &["own/winrates.csv is there and no report's"],
    );
    let own = fs::read_to_string(at.join("own/winrates.csv")).unwrap();
    assert_eq!(own, "mine\n");
    // The answers of a study are no earlier report.
    fs::create_dir(at.join("study")).unwrap();
    fs::write(at.join("study/solved.csv"), "answers\n").unwrap();
    fail(
        at,
        &["report", "one", "--out", "study"],
        2,
        &["study has the answers of a study, solved.csv"],
    );
    fail(
        at,
        &["report", "one", "--solved", "study", "--json"],
        1,
        &["study/solved.csv", "no row"],
    );
    for margin in ["0", "0.5", "-1", "five"] {
        let option = format!("--margin={margin}");
        fail(at, &["report", "one", &option], 2, &["between 0 and 0.5"]);
    }
    fail(
        at,
        &["report", "one", "--json", "--markdown"],
        2,
        &["--markdown"],
    );
    fs::write(at.join("file"), "").unwrap();
    fail(
        at,
        &["report", "one", "--out", "file"],
        2,
        &["file: is a file, where a folder is expected"],
    );
    for made in [
        "one/report",
        "empty/report",
        "r",
        "other/report",
        "other/effects.csv",
    ] {
        assert!(!at.join(made).exists(), "{made}");
    }
}

#[test]
fn forfeits_are_told_and_decide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let agents = "[[match]]\nagents = [\"external:false\", \"random\"]\n";
    let cross = format!("{agents}cross = true\n");
    let rest = "games = 20\n[rules]\nbase = \"wtf\"\n[opening]\nrandom_plies = 2\n";
    experiment(at, "broken", &format!("{rest}{cross}"));
    let note = "60 of 80 games ended by a forfeit of external:false; they say nothing of the rules";
    let run = succeed(at, &["run", "broken.toml", "--out", "broken", "-q"]);
    assert!(run.out.contains(note), "{}", run.out);
    let rated = succeed(at, &["rate", "broken"]);
    assert!(rated.out.contains(note), "{}", rated.out);
    for style in ["--terminal", "--markdown"] {
        let said = succeed(at, &["report", "broken", style]);
        assert!(said.out.contains(note), "{}", said.out);
        assert_note(&said, note);
    }
    succeed(at, &["report", "broken", "--out", "a report"]);
    let page = fs::read_to_string(at.join("a report/report.html")).unwrap();
    assert!(page.contains(&format!("<li>broken: {note}</li>")));
    for row in rows(at.join("a report/verdicts.csv")) {
        let of = [&*row["attackers"], &*row["defenders"]];
        let forfeited = of.contains(&"external:false");
        assert!(!forfeited || row["verdict"] == "undecided", "{row:?}");
        assert!(!forfeited || row["more_games"].is_empty(), "{row:?}");
    }
}

#[test]
fn the_command_of_a_report_is_quoted_for_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let small = format!("games = 4\n[rules]\nbase = \"wtf\"\n{RANDOM}");
    experiment(at, "one", &small);
    fs::rename(at.join("one"), at.join("my games")).unwrap();
    for (more, words) in [(&[][..], ""), (&["--margin", "0.03"], " --margin 0.03")] {
        let report = ["report", "my games", "--sample", "1"];
        succeed(at, &[&report[..], more].concat());
        let page = fs::read_to_string(at.join("my games/report/report.html")).unwrap();
        let command = format!("brandub report &#39;my games&#39;{words} --sample 1");
        assert!(page.contains(&command), "{command}");
    }
}

#[test]
fn altered_games_are_reported_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let small = format!("games = 40\n[rules]\nbase = \"wtf\"\n{RANDOM}");
    experiment(at, "one", &small);
    let chunk = chunks(&at.join("one")).remove(0);
    let bytes = fs::read_to_string(&chunk).unwrap();
    let shorter = bytes.lines().take(20).map(|line| format!("{line}\n"));
    fs::write(&chunk, shorter.collect::<String>()).unwrap();
    let name = chunk.file_name().unwrap().to_string_lossy().into_owned();
    let altered = [&*name, "its bytes have checksum"];
    fail(at, &["report", "one"], 1, &altered);
    fs::write(&chunk, bytes.replace(",defenders,", ",attackers,")).unwrap();
    fail(at, &["report", "one", "--terminal"], 1, &altered);
    // Also by somebody who keeps every checksum right.
    let forge = |rows: &str| {
        let hex = |text: &str| blake3::hash(text.as_bytes()).to_string();
        let forged = name.replace(&hex(&bytes)[..16], &hex(rows)[..16]);
        assert_ne!(forged, name);
        fs::write(chunk.with_file_name(&forged), rows).unwrap();
        let manifest = at.join("one/manifest.json");
        let honest = fs::read(&manifest).unwrap();
        change_manifest(&manifest, |text| {
            text.replace(&name, &forged)
                .replace(&hex(&bytes), &hex(rows))
        });
        let said = brandub(at, &["report", "one"]);
        fs::write(&manifest, honest).unwrap();
        fs::remove_file(chunk.with_file_name(&forged)).unwrap();
        assert_eq!(said.status, Some(1), "{}", said.err);
        said.err
    };
    let shorter = bytes.lines().take(20).map(|line| format!("{line}\n"));
    let said = forge(&shorter.collect::<String>());
    for part in ["one", "19 games", "its manifest says 40", "brandub verify"] {
        assert!(said.contains(part), "{said}");
    }
    let said = forge(&bytes.replacen(",defenders,king", ",nobody,king", 1));
    assert!(
        said.contains("one: cell ") && said.contains("no known winner"),
        "{said}"
    );
    fs::remove_file(&chunk).unwrap();
    fail(at, &["report", "one"], 1, &["cannot read", &name]);
    assert!(!at.join("one/report").exists());
}

#[test]
fn what_is_proved_stands_beside_how_games_went() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rules = "[rules]\npresets = [\"wtf\", { king_capture = \"four\" }]\n";
    experiment(at, "games", &format!("games = 3\n{rules}{RANDOM}"));
    let ask = "nodes = 20000\nmemory = \"4MiB\"\nfor = [\"defenders\"]\nafter = [\"d2-g2\"]\n";
    fs::write(at.join("study.toml"), format!("{ask}{rules}")).unwrap();
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/solve/four-d2-g2.proof");
    let known = known.display().to_string();
    let study = ["solve", "--study", "study.toml", "--out", "proved"];
    succeed(at, &[&study[..], &["--with", &known]].concat());
    let report = [
        "report", "games", "--tables", "--out", "r", "--solved", "proved",
    ];
    succeed(at, &report);
    let solved = rows(at.join("r/solved.csv"));
    assert_eq!(solved.len(), 1, "{solved:?}");
    let row = &solved[0];
    assert_eq!(row["label"], "king_capture=four");
    assert_eq!(row["won_by_defenders"], "d2-a2 in 41");
    assert_eq!((&*row["first_moves"], &*row["winner"]), ("5", ""));
    // What does not hold is not reported.
    let table = fs::read_to_string(at.join("proved/solved.csv")).unwrap();
    let changed = table.replace(",proved,41,", ",proved,39,");
    assert_ne!(table, changed);
    fs::write(at.join("proved/solved.csv"), changed).unwrap();
    fail(at, &report, 1, &["solved.csv, line ", "39", "41"]);
    fs::remove_file(at.join("proved/solved.csv")).unwrap();
    let said = brandub(at, &report);
    assert_eq!(said.status, Some(2));
    assert_eq!(
        said.err,
        "error: proved: expected a folder with solved.csv\n"
    );
}
