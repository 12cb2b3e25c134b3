//! `brandub tune`: weights from games and estimates from searches, the same for
//! any number of threads.

use std::fs;
use std::path::Path;

use brandub::agents::evaluation::network::Network;
use brandub::agents::evaluation::{Condition, WeightSet};
use brandub::game::Side;
use brandub::solver::estimates::Estimates;

use super::brandub::{fail, succeed, unread};

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

const SEARCHES: &str = r#"
seed = 5
nodes = 4_000
memory = "1MiB"
positions = 60
look = 40
rounds = 2
[[set]]
winner = "defenders"
for = { king_capture = ["four"] }
rules = { presets = ["masters", "branan"] }
after = ["d2-g2", "d1-e1"]
[[set]]
winner = "defenders"
for = {}
rules = { presets = ["wtf"] }
after = [""]
[[set]]
winner = "attackers"
for = {}
rules = { presets = ["wtf"] }
after = [""]
"#;

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn weights_are_the_same_for_any_number_of_threads_and_name_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "tune.toml", EXPERIMENT);
    let tune = |threads: &str| {
        let [weights, network] = ["w", "n"].map(|name| format!("{name}{threads}.toml"));
        let files = ["--out", &weights, "--network", &network];
        let said = succeed(
            at,
            &[&["tune", "tune.toml", "--threads", threads], &files[..]].concat(),
        );
        let files = [weights, network].map(|file| fs::read_to_string(at.join(file)).unwrap());
        (said, files)
    };
    let (said, files) = tune("1");
    assert!(said.out.contains("loss by own"), "{}", said.out);
    assert!(said.out.contains("loss with network"), "{}", said.out);
    assert_eq!(files, tune("3").1);
    let [one, network] = files.clone();
    let network = Network::read(&network).unwrap();
    assert!(network.rules.contains_key("king_capture=four"));
    assert_eq!(network.provenance.seed, Some(5));
    let sets = WeightSet::read_all(&one).unwrap();
    let last = sets.last().unwrap();
    assert_eq!(last.rules, Condition::default());
    assert_eq!(last.provenance.seed, Some(5));
    assert!(last.provenance.games.unwrap() > 60);
    assert!(last.provenance.positions.unwrap() > 500);
    assert!(last.provenance.made_by.contains("alphabeta:depth=1"));
    // Nobody reads the first table to its end.
    let unread_files = ["--out", "w.toml", "--network", "n.toml"];
    let words = [&["tune", "tune.toml"], &unread_files[..]].concat();
    assert_eq!(unread(at, &words), Some(0));
    assert_eq!(fs::read_to_string(at.join("n.toml")).unwrap(), files[1]);
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
    let network = |file| [&tune("tune.toml")[..], &["--network", file]].concat();
    fail(
        at,
        &network("w.toml"),
        2,
        &["--network w.toml", "another file"],
    );
    fail(
        at,
        &network("./w.toml"),
        2,
        &["--network ./w.toml", "another file"],
    );
    fail(
        at,
        &network("no/such/n.toml"),
        2,
        &["--network no/such/n.toml"],
    );
    let proofs = [&network("n.toml")[..], &["--proofs"]].concat();
    fail(at, &proofs, 2, &["--network", "--proofs"]);
    write(
        at,
        "few.toml",
        &EXPERIMENT.replace("games = 40", "games = 9"),
    );
    fail(at, &tune("few.toml"), 2, &["few.toml: games = 9", "10"]);
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

#[test]
fn what_is_written_is_compared_with_what_is_in_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Too few games to fit a hundred weights to.
    write(at, "tune.toml", EXPERIMENT);
    let said = succeed(at, &["tune", "tune.toml", "--out", "w.toml"]);
    let line = said.out.lines().find(|line| line.contains("as written"));
    let words: Vec<&str> = line.unwrap().split_whitespace().skip(2).collect();
    let number = |place: usize| words[place].parse::<f64>().unwrap();
    // Games, positions, the losses, the gain and its error.
    let [before, after, gain, error] = [2, 4, 5, 7].map(number);
    assert!((before - after - gain).abs() < 2e-4, "{}", said.out);
    assert!(error > 0.0 && gain <= 2.0 * error, "{}", said.out);
    let warning = said.err.lines().find(|line| line.starts_with("warning: "));
    assert!(warning.unwrap().contains("w.toml"), "{}", said.err);
    assert!(at.join("w.toml").exists());
}

#[test]
fn estimates_are_the_same_for_any_number_of_threads_and_name_their_searches() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "searches.toml", SEARCHES);
    let tune = |out, threads| {
        let options = ["--out", out, "--threads", threads];
        succeed(
            at,
            &[&["tune", "--proofs", "searches.toml"], &options[..]].concat(),
        )
    };
    let said = tune("1.toml", "1");
    assert!(said.out.contains("proof explained"), "{}", said.out);
    tune("3.toml", "3");
    let one = fs::read_to_string(at.join("1.toml")).unwrap();
    assert_eq!(one, fs::read_to_string(at.join("3.toml")).unwrap());
    let sets = Estimates::read_all(&one).unwrap();
    let of: Vec<(Side, u64)> = sets
        .iter()
        .map(|set| (set.winner, set.origin.positions))
        .collect();
    assert_eq!(
        of,
        [
            (Side::Defenders, 240),
            (Side::Defenders, 60),
            (Side::Attackers, 60)
        ]
    );
    assert!(
        sets[0]
            .origin
            .made_by
            .contains("60 positions of each search")
    );
    assert_ne!(sets[1].kinds, sets[2].kinds);
    // The second round's searches begin with what the first round's gave.
    let once = SEARCHES.replace("rounds = 2", "rounds = 1");
    write(at, "searches.toml", &once);
    tune("once.toml", "3");
    let once = fs::read_to_string(at.join("once.toml")).unwrap();
    let once = Estimates::read_all(&once).unwrap();
    assert_ne!(once[0].kinds, sets[0].kinds);
    // A set with a seed and so many positions of its own changes no other.
    let (before, sets_of_file) = SEARCHES.split_once("[[set]]").unwrap();
    let own = format!(
        "{before}[[set]]\nwinner = \"defenders\"\nfor = {{ king_edge = [\"safe\"] }}\n\
         rules = {{ presets = [\"branan\"] }}\nafter = [\"\"]\nseed = 8\n\
         positions = 50\n\n[[set]]{sets_of_file}"
    );
    write(at, "searches.toml", &own);
    tune("own.toml", "2");
    let own = fs::read_to_string(at.join("own.toml")).unwrap();
    let own = Estimates::read_all(&own).unwrap();
    assert_eq!((own[0].origin.seed, own[0].origin.positions), (8, 50));
    assert!(own[0].origin.made_by.contains("50 positions of each"));
    assert_eq!(own[1..], sets);
}

#[test]
fn searches_that_cannot_be_learned_from_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let wrong = |text: &str, part: &str| {
        write(at, "wrong.toml", text);
        let arguments = ["tune", "--proofs", "wrong.toml", "--out", "e.toml"];
        fail(at, &arguments, 2, &["wrong.toml", part]);
    };
    let one_sided = SEARCHES.replace("attackers", "defenders");
    wrong(&one_sided, "the last set with winner = \"attackers\"");
    wrong(
        &SEARCHES.replace("1MiB", "1 bit"),
        "memory: `1 bit` is no size",
    );
    let little = SEARCHES.replace("1MiB", "1KiB");
    wrong(&little, "wrong.toml: memory: a table of 1024 bytes");
    wrong(&SEARCHES.replace("d1-e1", "d1-d7"), "set 1: after `d1-d7`");
    wrong(
        &SEARCHES.replacen("\"wtf\"", "\"wft\"", 1),
        "wrong.toml:16:22: no ruleset is named `wft`; nearest: `wtf`",
    );
    wrong(&SEARCHES.replace("look", "glance"), "glance");
    wrong(&SEARCHES.replace("look = 40", "look = 0"), "1 or more");
    wrong(&SEARCHES.replace("rounds = 2", "rounds = 0"), "1 or more");
    let own = SEARCHES.replacen("for = {", "positions = 0\nfor = {", 1);
    wrong(&own, "1 or more");
    wrong(
        &SEARCHES.replace("[\"\"]", "[]"),
        "set 2: `after` lists no moves",
    );
    let arguments = ["tune", "--proofs", "none.toml", "--out", "e.toml"];
    fail(at, &arguments, 2, &["none.toml"]);
    assert!(!at.join("e.toml").exists());
}
