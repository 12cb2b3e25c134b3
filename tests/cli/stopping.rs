//! Runs whose number of games a rule decides: the same bytes however they were
//! played, and nothing taken for theirs that the rule does not give.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use ::brandub::experiment::Manifest;
use serde_json::Value;

use super::brandub::{
    STUDY, brandub, command, fail, files, number, rows, signal, succeed, wait_until,
};
use super::same_bytes::{assert_same, count_chunks, kill_after};

const STOP: &str = "[stop]\nhalf_width = 0.15\nmin_games = 20\nmax_games = 150\n";
const ADAPTIVE: &str = "[adaptive]\ntotal = 1000\nmargin = 0.2\nmin_games = 20\nmax_games = 400\n";

/// The study with one of these rules.
fn write(at: &Path, file: &str, rule: &str) {
    let games = if rule.starts_with("[adaptive]") {
        "games = \"adaptive\"\n"
    } else {
        ""
    };
    let study = STUDY.replace("games = 40\n", games);
    fs::write(at.join(file), format!("{study}{rule}")).unwrap();
}

fn folder(rule: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "study.toml", rule);
    folder
}

fn run(at: &Path, out: &str, threads: &str) -> BTreeMap<String, Vec<u8>> {
    let arguments = ["run", "study.toml", "--out", out, "--threads", threads];
    succeed(at, &[&arguments[..], &["-q"]].concat());
    files(&at.join(out))
}

/// Kills the run of this study several times, then lets it end.
fn kill_and_resume(at: &Path, whole: usize) -> BTreeMap<String, Vec<u8>> {
    for _ in 0..6 {
        kill_after(at, 25, whole);
    }
    run(at, "killed", "2")
}

#[test]
fn a_stopped_run_has_the_same_bytes_on_any_threads_after_kills_and_from_shards() {
    let folder = folder(STOP);
    let at = folder.path();
    let expected = run(at, "whole", "1");
    assert_same(&run(at, "threads", "3"), &expected);
    assert_same(
        &kill_and_resume(at, count_chunks(&at.join("whole"))),
        &expected,
    );
    let again = succeed(at, &["run", "study.toml", "--out", "threads"]);
    assert!(
        again.err.contains("games are there already") && again.err.contains(" of at most "),
        "{}",
        again.err
    );
    assert_same(&files(&at.join("threads")), &expected);

    for shard in ["1/5", "2/5", "3/5", "4/5", "5/5"] {
        succeed(at, &["run", "study.toml", "--shard", shard, "-q"]);
    }
    let shards = [1, 2, 3, 4, 5].map(|index| format!("results/study-shard-{index}-of-5"));
    // Each has whole cells.
    let cells = |shard: &String| fs::read_dir(at.join(shard).join("games")).unwrap().count();
    let filled = |shard: &String| rows(at.join(shard).join("winrates.csv")).len();
    assert_eq!(shards.iter().map(filled).sum::<usize>(), 12);
    assert!(shards.iter().all(|shard| cells(shard) == 12));
    let mut merge: Vec<&str> = vec!["merge", "--out", "merged"];
    merge.extend(shards.iter().map(String::as_str));
    succeed(at, &merge);
    assert_same(&files(&at.join("merged")), &expected);
    succeed(at, &["verify", &shards[1]]);
}

#[test]
fn every_cell_has_the_games_that_its_score_needs_and_says_why() {
    let folder = folder(STOP);
    let at = folder.path();
    run(at, "whole", "2");
    let rows = rows(at.join("whole/winrates.csv"));
    assert_eq!(rows.len(), 12);
    let manifest = fs::read_to_string(at.join("whole/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["status"], "complete");
    assert_eq!(
        manifest["experiment"]["stop"]["until"]["half_width"].as_f64(),
        Some(0.15)
    );
    let mut games = Vec::new();
    for (row, cell) in rows.iter().zip(manifest["cells"].as_array().unwrap()) {
        assert_eq!(row["cell"], cell["id"].as_str().unwrap());
        assert_eq!(Some(number(row, "games")), cell["games"].as_f64());
        let [low, high] = ["anytime_low", "anytime_high"].map(|name| number(row, name));
        let score = 0.5 + number(row, "balance");
        assert!(low <= score && score <= high, "{row:?}");
        if row["decision"] == "half-width" {
            assert!(high - low <= 0.3 + 1e-6, "{row:?}");
        } else {
            assert_eq!(
                (row["decision"].as_str(), row["games"].as_str()),
                ("max-games", "150")
            );
        }
        games.push(number(row, "games"));
    }
    let all = games.iter().sum::<f64>() as u64;
    assert_eq!(Some(all), manifest["games"].as_u64());
    let [least, most] = [f64::min, f64::max].map(|of| games.iter().copied().reduce(of).unwrap());
    assert!(least < 60.0 && most > 70.0, "{games:?}");
    let said = succeed(at, &["verify", "whole", "--sample", "20"]);
    assert!(
        said.out.contains("all as the manifest says"),
        "{}",
        said.out
    );

    // A game that the rule did not come to is none of the run's.
    let cell = &rows[0]["cell"];
    let last = (number(&rows[0], "games") - 1.0).to_string();
    succeed(at, &["replay", "whole", "--cell", cell, "--game", &last]);
    let next = rows[0]["games"].as_str();
    let words = format!("no game {next}: cell {cell} has games 0 to {last}");
    fail(
        at,
        &["replay", "whole", "--cell", cell, "--game", next],
        2,
        &[&words],
    );
}

/// Changes a folder's manifest and seals it again.
fn forge(at: &Path, change: impl FnOnce(&mut Manifest)) {
    let mut manifest = Manifest::read(at).unwrap();
    change(&mut manifest);
    fs::write(at.join("manifest.json"), manifest.to_bytes()).unwrap();
}

#[test]
fn a_game_too_few_or_too_many_is_found_whatever_the_manifest_says() {
    let folder = folder(STOP);
    let at = folder.path();
    run(at, "whole", "2");
    // The longer run of a stricter rule, with chunks of the same size.
    write(at, "strict.toml", &STOP.replace("0.15", "0.02"));
    succeed(at, &["run", "strict.toml", "--out", "strict", "-q"]);
    let whole = at.join("whole");
    let row = rows(whole.join("winrates.csv")).remove(0);
    let cell = row["cell"].clone();
    let prefix = format!("games/{cell}/");
    let of_cell = |path: &Path| -> Vec<String> {
        let names = files(path).into_keys();
        names.filter(|name| name.starts_with(&prefix)).collect()
    };
    let (names, more) = (of_cell(&whole), of_cell(&at.join("strict")));
    assert!(more.len() > names.len() && more[..names.len()] == names[..]);
    let chunk = number(&row, "games") as u64 / names.len() as u64;
    let untouched = files(&whole);

    let last = names.last().unwrap();
    fs::remove_file(whole.join(last)).unwrap();
    forge(&whole, |manifest| {
        manifest.files.remove(last);
        manifest.games -= chunk;
        manifest.cells[0].games = manifest.cells[0].games.map(|games| games - chunk);
    });
    let said = brandub(at, &["verify", "whole"]);
    assert_eq!(said.status, Some(1), "{} {}", said.out, said.err);
    let missing = format!("games/{cell}: chunk {} is missing", names.len() - 1);
    assert!(said.out.contains(&missing), "{}", said.out);
    // What is missing is played again.
    fs::remove_file(whole.join("winrates.csv")).unwrap();
    assert_same(&run(at, "whole", "2"), &untouched);

    let extra = &more[names.len()];
    let bytes = fs::read(at.join("strict").join(extra)).unwrap();
    fs::write(whole.join(extra), &bytes).unwrap();
    let strict = Manifest::read(&at.join("strict")).unwrap();
    forge(&whole, |manifest| {
        let checksum = strict.files[extra].clone();
        manifest.files.insert(extra.clone(), checksum);
        manifest.games += chunk;
        manifest.cells[0].games = manifest.cells[0].games.map(|games| games + chunk);
    });
    let words = format!(
        "{extra}: is no chunk of this run: the stop rule gives its cell {} games",
        row["games"]
    );
    let said = brandub(at, &["verify", "whole"]);
    assert_eq!(said.status, Some(1), "{} {}", said.out, said.err);
    assert!(said.out.contains(&words), "{}", said.out);
    fail(at, &["run", "study.toml", "--out", "whole"], 1, &[&words]);
    fs::remove_file(whole.join(extra)).unwrap();

    // Only the manifest's own count of a cell is wrong.
    fs::write(whole.join("manifest.json"), &untouched["manifest.json"]).unwrap();
    forge(&whole, |manifest| {
        manifest.cells[1].games = Some(7);
    });
    let said = brandub(at, &["verify", "whole"]);
    assert!(said.out.contains("says 7 games of cell"), "{}", said.out);
}

#[test]
fn a_budget_is_spent_on_undecided_cells_and_gives_the_same_bytes() {
    let folder = folder(ADAPTIVE);
    let at = folder.path();
    let expected = run(at, "whole", "1");
    assert_same(&run(at, "threads", "3"), &expected);
    assert_same(
        &kill_and_resume(at, count_chunks(&at.join("whole"))),
        &expected,
    );
    succeed(at, &["verify", "whole"]);

    let rows = rows(at.join("whole/winrates.csv"));
    let games: Vec<f64> = rows.iter().map(|row| number(row, "games")).collect();
    let used: f64 = games.iter().sum();
    assert!(used <= 1000.0, "{used}");
    for row in &rows {
        let [low, high] = ["anytime_low", "anytime_high"].map(|name| number(row, name));
        let (inside, even) = (0.3 <= low && high <= 0.7, low < 0.5 && 0.5 < high);
        match row["decision"].as_str() {
            "balanced" => assert!(inside, "{row:?}"),
            "attackers" => assert!(low >= 0.5 && !inside, "{row:?}"),
            "defenders" => assert!(high <= 0.5 && !inside, "{row:?}"),
            "budget" => assert!(even && !inside && used > 950.0, "{row:?}"),
            other => panic!("{other}: {row:?}"),
        }
    }
    let of = |sides: &[&str]| -> Vec<f64> {
        let chosen = rows.iter().filter(|row| sides.contains(&&*row["decision"]));
        chosen.map(|row| number(row, "games")).collect()
    };
    let one_sided = of(&["attackers", "defenders"]);
    let hard = of(&["balanced", "budget"]);
    assert!(one_sided.len() >= 2 && hard.len() >= 2, "{games:?}");
    let mean = |games: &[f64]| games.iter().sum::<f64>() / games.len() as f64;
    assert!(
        mean(&hard) > 1.5 * mean(&one_sided),
        "{hard:?} {one_sided:?}"
    );

    fail(
        at,
        &["run", "study.toml", "--shard", "1/2"],
        2,
        &["--shard", "games = \"adaptive\"", "run it whole"],
    );
    assert!(!at.join("results").exists());
    // Nor does a plan offer what a run refuses.
    let plan = ["plan", "study.toml", "--shards", "1"];
    fail(at, &plan, 2, &["games = \"adaptive\"", "run it whole"]);
    let said = succeed(at, &["plan", "study.toml", "--seconds", "0.01", "--json"]);
    let plan: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(plan["games"], 1000);
    assert!(plan["suggested_shards"].is_null());
    assert_eq!(plan["shards"].as_array().unwrap().len(), 0);
    let (most, files) = (
        plan["chunk_files"].as_u64().unwrap(),
        count_chunks(&at.join("whole")),
    );
    assert!(files as u64 <= most && most <= 1000, "{files} of {most}");
    // All but the first games of the other two go to the match that costs most.
    let matches = plan["matches"].as_array().unwrap();
    let games = |of: &Value| of["games"].as_u64().unwrap();
    let seconds = |of: &Value| of["seconds_a_game"].as_f64().unwrap();
    let mut costs: Vec<[f64; 2]> = matches
        .iter()
        .map(|of| [seconds(of), games(of) as f64])
        .collect();
    costs.sort_by(|one, other| one[0].total_cmp(&other[0]));
    let dealt: Vec<f64> = costs.iter().map(|cost| cost[1]).collect();
    assert!(dealt == [80.0, 80.0, 840.0], "{dealt:?}");
    let sum: f64 = costs
        .iter()
        .map(|[seconds, games]| seconds * games / 3600.0)
        .sum();
    let hours = plan["cpu_hours"].as_f64().unwrap();
    assert!((hours / sum - 1.0).abs() < 1e-9, "{hours} {sum}");
}

#[test]
fn a_small_budget_is_not_too_large_whatever_a_cell_may_have() {
    let folder = folder("[adaptive]\ntotal = 100000\nmargin = 0.002\n");
    let at = folder.path();
    let text = fs::read_to_string(at.join("study.toml")).unwrap();
    let text = text.replace("alphabeta:nodes=", "alphabeta:nodes=100");
    fs::write(at.join("study.toml"), text).unwrap();
    let said = succeed(at, &["plan", "study.toml", "--seconds", "0", "--json"]);
    let plan: Value = serde_json::from_str(&said.out).unwrap();
    assert!(plan["chunk_files"].as_u64().unwrap() <= 100_000);
}

#[test]
fn a_number_of_games_on_the_command_line_takes_the_rules_place() {
    let folder = folder(STOP);
    let at = folder.path();
    let said = succeed(at, &["run", "study.toml", "--games", "3", "--out", "three"]);
    assert!(
        said.err
            .contains("note: --games 3 takes the place of the experiment's stop rule"),
        "{}",
        said.err
    );
    fs::write(
        at.join("fixed.toml"),
        STUDY.replace("games = 40", "games = 3"),
    )
    .unwrap();
    succeed(at, &["run", "fixed.toml", "--out", "fixed", "-q"]);
    assert_same(&files(&at.join("three")), &files(&at.join("fixed")));
    let header = fs::read_to_string(at.join("three/winrates.csv")).unwrap();
    assert!(!header.contains("anytime"), "{header}");
    fail(
        at,
        &["run", "study.toml", "--out", "three"],
        2,
        &[
            "three holds a different run",
            "experiment.stop is none there and \
             {\"confidence\":0.95,\"min_games\":20,\"until\":{\"half_width\":0.15}} here",
        ],
    );
    for command in ["rate", "tune"] {
        let arguments = [command, "study.toml", "--out", "elsewhere"];
        fail(at, &arguments, 2, &["study.toml"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_many_games_there_may_be() {
    let folder = folder("[stop]\nhalf_width = 0.01\n");
    let at = folder.path();
    let mut child = command(at, &["run", "study.toml", "--out", "stopped"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(&mut child, || count_chunks(&at.join("stopped")) >= 3);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("of at most 480000 games are there; the same command goes on"),
        "{err}"
    );
    let said = succeed(at, &["verify", "stopped"]);
    assert!(said.out.contains("run not finished"), "{}", said.out);
}
