//! `brandub tune`: weights from games, the same for any number of threads.

use std::fs;
use std::path::Path;

use brandub::agents::evaluation::{Condition, WeightSet};

use super::brandub::{fail, succeed};

const EXPERIMENT: &str = r#"
name = "small-tune"
seed = 5
games = 40
ply_limit = 150
[rules]
presets = ["wtf", "walker-2011", "masters"]
[opening]
random_plies = 4
[[match]]
agents = ["alphabeta:depth=1"]
"#;

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn weights_are_the_same_for_any_number_of_threads_and_name_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "tune.toml", EXPERIMENT);
    let said = succeed(
        at,
        &["tune", "tune.toml", "--out", "1.toml", "--threads", "1"],
    );
    assert!(said.out.contains("loss by own"), "{}", said.out);
    succeed(
        at,
        &["tune", "tune.toml", "--out", "3.toml", "--threads", "3"],
    );
    let one = fs::read_to_string(at.join("1.toml")).unwrap();
    assert_eq!(one, fs::read_to_string(at.join("3.toml")).unwrap());
    let sets = WeightSet::read_all(&one).unwrap();
    let last = sets.last().unwrap();
    assert_eq!(last.rules, Condition::default());
    assert_eq!(last.provenance.seed, Some(5));
    assert!(last.provenance.games.unwrap() > 60);
    assert!(last.provenance.positions.unwrap() > 500);
    assert!(last.provenance.made_by.contains("alphabeta:depth=1"));
    let other = ["--seed", "6", "--games", "20"];
    succeed(
        at,
        &[&["tune", "tune.toml", "--out", "o.toml"], &other[..]].concat(),
    );
    assert_ne!(one, fs::read_to_string(at.join("o.toml")).unwrap());
}

#[test]
fn what_cannot_be_tuned_on_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let unequal = EXPERIMENT.replace(
        "agents = [\"alphabeta:depth=1\"]",
        "attackers = \"random\"\ndefenders = \"greedy\"",
    );
    write(at, "unequal.toml", &unequal);
    write(at, "tune.toml", EXPERIMENT);
    let tune = |file| ["tune", file, "--out", "w.toml"];
    fail(
        at,
        &tune("unequal.toml"),
        2,
        &["unequal.toml", "random plays greedy"],
    );
    fail(at, &tune("missing.toml"), 2, &["missing.toml"]);
    fail(at, &["tune", "tune.toml"], 2, &["--out"]);
    fail(
        at,
        &[
            "tune",
            "tune.toml",
            "--out",
            "no/such/w.toml",
            "--games",
            "10",
        ],
        2,
        &["no/such/w.toml"],
    );
    assert!(!at.join("w.toml").exists());
}
