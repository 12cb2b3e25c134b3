//! `brandub agreement` on recorded games.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::brandub::{data, fail, succeed};

fn agreement(path: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["agreement", path.to_str().unwrap(), "--json"];
    all.extend(arguments);
    serde_json::from_str(&succeed(Path::new("."), &all).out).unwrap()
}

/// The numbers of one group: moves, agreed, chance.
fn group(answer: &Value, name: &str) -> (u64, u64, f64) {
    let groups = answer["groups"].as_array().unwrap();
    let group = groups.iter().find(|group| group["group"] == name).unwrap();
    let number = |key: &str| group[key].as_u64().unwrap();
    (
        number("moves"),
        number("agreed"),
        // Null without moves.
        group["chance"].as_f64().unwrap_or_default(),
    )
}

#[test]
fn groups_add_up_and_a_seed_gives_the_same_answer() {
    let arguments = ["--agent", "alphabeta:depth=2"];
    let answer = agreement(&data("human.jsonl"), &arguments);
    assert_eq!(answer, agreement(&data("human.jsonl"), &arguments));
    let (moves, agreed, chance) = group(&answer, "all");
    for pair in [["attackers", "defenders"], ["opening", "later"]] {
        let parts = pair.map(|name| group(&answer, name));
        assert_eq!(moves, parts[0].0 + parts[1].0);
        assert_eq!(agreed, parts[0].1 + parts[1].1);
    }
    assert!(agreed > 0 && agreed < moves, "{answer}");
    assert!(chance > 0.01 && chance < 0.2, "{answer}");
    let text = succeed(
        Path::new("."),
        &[
            "agreement",
            data("human.jsonl").to_str().unwrap(),
            "--agent",
            "greedy",
        ],
    );
    assert!(text.out.starts_with("greedy, seed 1; 1"), "{}", text.out);
}

#[test]
fn only_the_winners_moves_with_a_choice_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let games = r#"
{"rules": "wtf", "moves": ["d2-e2", "d3-d2", "b4-b3"], "winner": "attackers"}
{"rules": "wtf", "moves": ["d2-e2", "d3-d2", "b4-b3"], "winner": "draw"}
{"rules": "wtf", "moves": ["d2-e2", "d3-d2", "b4-b3"], "winner": "attackers", "opening_plies": 2}
{"rules": "disputed", "position": "/1t5/K6/t6/7/7/7/5t1/", "side": "defenders", "moves": ["a2-b2", "b1-c1"], "winner": "defenders"}
"#;
    fs::write(&path, games).unwrap();
    let answer = agreement(&path, &["--agent", "random"]);
    assert_eq!(
        (&answer["games"], &answer["without_winner"]),
        (&3.into(), &1.into())
    );
    assert_eq!(group(&answer, "attackers").0, 3);
    assert_eq!(group(&answer, "defenders").0, 1);
    let first = agreement(&path, &["--agent", "random", "--games", "1"]);
    assert_eq!(
        (&first["games"], group(&first, "defenders").0),
        (&1.into(), 0)
    );
}

#[test]
fn wrong_input_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(
        &path,
        "\n{\"rules\": \"wtf\", \"moves\": [\"d2-d3\"], \"winner\": \"attackers\"}\n",
    )
    .unwrap();
    let file = path.to_str().unwrap();
    for (arguments, parts) in [
        (
            ["agreement", file, "--agent", "greedy"],
            ["line 2: d2-d3", "cannot go to d3"],
        ),
        (
            ["agreement", "no-such-file", "--agent", "greedy"],
            ["cannot read", "no-such-file"],
        ),
        (
            ["agreement", file, "--agent", "greedi"],
            ["no such agent", "greedi"],
        ),
    ] {
        fail(Path::new("."), &arguments, 2, &parts);
    }
}

#[test]
fn who_won_is_read_from_winner_or_else_from_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let file = path.to_str().unwrap();
    let asked = ["agreement", file, "--agent", "random"];
    let game = |said: &str| {
        let moves = r#"["d2-e2", "d3-d2", "b4-b3"]"#;
        format!("{{\"rules\": \"wtf\", \"moves\": {moves}{said}}}\n")
    };
    for (said, won) in [
        (r#", "winner": "attackers""#, 1),
        (r#", "result": "attackers""#, 1),
        (r#", "winner": null, "result": "defenders""#, 1),
        (r#", "winner": "draw", "result": "attackers""#, 0),
        (r#", "winner": "none""#, 0),
        (r#", "winner": "ongoing""#, 0),
        (r#", "result": "ongoing""#, 0),
        (r#", "winner": null"#, 0),
        ("", 0),
    ] {
        fs::write(&path, game(said)).unwrap();
        let answer = agreement(&path, &["--agent", "random"]);
        let found = (&answer["games"], &answer["without_winner"]);
        assert_eq!(found, (&won.into(), &(1 - won).into()), "{said}");
        if won == 0 {
            assert!(answer["groups"][0]["rate"].is_null(), "{answer}");
            let text = succeed(Path::new("."), &asked);
            assert!(text.err.contains("note: "), "{}", text.err);
            assert!(!text.out.contains("0.0"), "{}", text.out);
            assert_eq!(text.out.matches(" – ").count(), 10, "{}", text.out);
        }
    }
    // Nor is it as it says where the board decided.
    let escaped = r#"{"rules": "disputed", "position": "/1t5/K6/t6/7/7/7/5t1/", "side": "defenders", "moves": ["a2-a1"], "winner": "attackers"}"#;
    fs::write(&path, escaped).unwrap();
    let expected = "winner: the record says \"attackers\", the rules defenders";
    fail(Path::new("."), &asked, 2, &["line 1", expected]);
    fs::write(
        &path,
        game(r#", "winner": "attackers", "opening_plies": 4"#),
    )
    .unwrap();
    fail(
        Path::new("."),
        &asked,
        2,
        &["line 1: opening_plies: expected at most 3"],
    );
    for (said, found) in [
        (r#", "winner": "white""#, "winner: \"white\""),
        (r#", "winner": 5"#, "winner: 5"),
        (r#", "winner": "white", "result": "draw""#, "winner"),
        (r#", "result": "white""#, "result: \"white\""),
    ] {
        fs::write(&path, game("") + &game(said)).unwrap();
        let expected = "expected attackers, defenders, draw, none, ongoing, or null";
        fail(Path::new("."), &asked, 2, &["line 2", found, expected]);
    }
    fs::write(&path, "\n").unwrap();
    fail(Path::new("."), &asked, 2, &[file, "found none"]);
}

#[test]
fn every_game_at_hand_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let archive = ["irish-1", "walker-2011", "wtf"]
        .map(|name| root.join(format!("../shared/human/{name}.jsonl")));
    let ours = ["human.jsonl", "golden.jsonl", "endings.jsonl"].map(data);
    for path in ours.iter().chain(&archive).filter(|path| path.exists()) {
        let answer = agreement(path, &["--agent", "random"]);
        let count = |key: &str| answer[key].as_u64().unwrap();
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        assert_eq!(
            count("games") + count("without_winner"),
            lines.count() as u64,
            "{}",
            path.display()
        );
    }
}

#[test]
fn people_agree_with_alphabeta_more_than_with_chance_where_the_archive_is_at_hand() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/human/wtf.jsonl");
    if !archive.exists() {
        eprintln!("skipped: the archive of people's games is not beside the project");
        return;
    }
    let answer = agreement(&archive, &["--agent", "alphabeta:depth=3", "--games", "40"]);
    let (moves, agreed, chance) = group(&answer, "all");
    assert!(
        moves > 300 && agreed as f64 > 2.0 * chance * moves as f64,
        "{answer}"
    );
}
