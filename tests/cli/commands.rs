//! What the smaller commands print.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use brandub::game::{Bitboard, Event, Move, Position, Side};
use serde_json::Value;

use super::brandub::{command, fail, study, succeed};

fn here(arguments: &[&str]) -> String {
    succeed(Path::new("."), arguments).out
}

#[test]
fn perft_counts_from_the_start_and_from_positions() {
    assert_eq!(here(&["perft", "--depth", "3"]), "39512\n");
    assert_eq!(
        here(&[
            "perft",
            "--rules",
            "{ corners_hostile = \"none\" }",
            "--depth",
            "3"
        ]),
        "39568\n"
    );
    assert_eq!(here(&["perft", "--depth", "0"]), "1\n");
    let divided = here(&["perft", "--rules", "wtf", "--depth", "2", "--divide"]);
    let mut lines: Vec<&str> = divided.lines().collect();
    let total: u64 = lines.pop().unwrap().parse().unwrap();
    let counts = lines
        .iter()
        .map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!((lines.len(), counts.sum::<u64>(), total), (40, 960, 960));
    let corner = here(&[
        "perft",
        "--position",
        "/1K5/7/7/7/7/7/3t3/",
        "--side",
        "defenders",
        "--depth",
        "1",
    ]);
    // Six along the first rank (both corners among them), six along the file.
    assert_eq!(corner, "12\n");
}

#[test]
fn rules_are_listed_shown_and_compared() {
    let list = here(&["rules", "list"]);
    assert_eq!(list.lines().count(), 19);
    let listed: Vec<Value> = here(&["rules", "list", "--json"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(listed.len(), 19);
    for preset in &listed {
        let shown = here(&["rules", "show", preset["name"].as_str().unwrap(), "--json"]);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(shown["id"], preset["id"]);
        assert_eq!(shown["rules"], preset["rules"]);
    }
    let shown = here(&[
        "rules",
        "show",
        "{ base = \"how-to-play\", throne_hostile = \"soldiers\" }",
    ]);
    assert!(shown.contains("known as how-to-play"), "{shown}");
    assert!(
        shown.contains("soldiers  (the same rules as everyone)"),
        "{shown}"
    );

    let same = here(&["rules", "diff", "walker-2011", "dragonheelslair"]);
    assert!(same.contains("the same rules"), "{same}");
    let diff = here(&[
        "rules",
        "diff",
        "irish-1",
        "{ base = \"irish-1\", king_capture = \"throne\" }",
    ]);
    assert!(diff.contains("king_capture: zone"), "{diff}");
    assert!(
        diff.contains("the smallest position in which they part has the king and one other"),
        "{diff}"
    );
    assert!(
        diff.contains("captures d3 and ends the game: attackers (king-captured)"),
        "{diff}"
    );
}

#[test]
fn rules_are_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("mine.toml"), "base = \"wtf\"\nking_armed = false\n").unwrap();
    let file: Value =
        serde_json::from_str(&succeed(at, &["rules", "show", "mine.toml", "--json"]).out).unwrap();
    let inline = [
        "rules",
        "show",
        "{ base = \"wtf\", king_armed = false }",
        "--json",
    ];
    let inline: Value = serde_json::from_str(&succeed(at, &inline).out).unwrap();
    assert_eq!(file, inline);
    fs::write(at.join("bad.toml"), "base = \"wtf\"\nking_arm = false\n").unwrap();
    fail(
        at,
        &["rules", "show", "bad.toml"],
        2,
        &["bad.toml:2:1: unknown field `king_arm`"],
    );
}

/// The cells of a run: id and how its first game ended by the chunk file.
#[test]
fn every_row_of_a_run_is_replayed_as_it_was_written() {
    let folder = study();
    let at = folder.path();
    succeed(
        at,
        &["run", "study.toml", "--out", "r", "--games", "4", "-q"],
    );
    let mut replayed = 0;
    for (name, bytes) in super::brandub::files(&at.join("r/games")) {
        let cell = name.split('/').next().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        for line in text.lines().skip(1) {
            let row: Vec<&str> = line.split(',').collect();
            let said = succeed(
                at,
                &["replay", "r", "--cell", cell, "--game", row[4], "--json"],
            );
            let game: Value = serde_json::from_str(&said.out).unwrap();
            assert_eq!(game["winner"], row[5], "{line}");
            assert_eq!(game["termination"], row[6], "{line}");
            assert_eq!(
                game["moves"].as_array().unwrap().len().to_string(),
                row[7],
                "{line}"
            );
            assert_eq!(game["attackers_left"].to_string(), row[8], "{line}");
            assert_eq!(game["opening"], row[10], "{line}");
            assert_eq!(game["moves_key"], row[11], "{line}");
            steps_through(&game);
            // And the rules agree with every move of it.
            fs::write(at.join("game.jsonl"), &said.out).unwrap();
            succeed(at, &["check", "game.jsonl"]);
            replayed += 1;
        }
    }
    assert_eq!(replayed, 48);
    let cells = fs::read_to_string(at.join("r/winrates.csv")).unwrap();
    let cell = cells.lines().nth(1).unwrap().split(',').next().unwrap();
    let shown = succeed(at, &["replay", "r", "--cell", cell, "--game", "3", "--otn"]).out;
    assert!(
        shown.contains("attackers") && shown.contains("   1 attackers"),
        "{shown}"
    );
    fail(
        at,
        &["replay", "r", "--cell", "abc", "--game", "3"],
        2,
        &["no cell `abc`", cell],
    );
    let agents = format!("\n  {cell}  ");
    fail(at, &["replay", "r"], 2, &["no --cell", &agents]);
    fail(
        at,
        &["replay", "r", "--cell", cell],
        2,
        &["no --game", "games 0 to 3"],
    );
    fail(
        at,
        &["replay", "r", "--cell", cell, "--game", "4"],
        2,
        &["has games 0 to 3"],
    );
}

/// Whether a viewer that knows no rules can follow a replayed game to its end.
fn steps_through(game: &Value) {
    let words = |key: &str| game[key].as_array().unwrap();
    let plies = words("moves").len();
    assert_eq!(words("captures").len(), plies);
    assert_eq!(words("events").len(), plies);
    let expected = words("expected")
        .iter()
        .map(|score| score.as_f64().unwrap());
    let expected: Vec<f64> = expected.collect();
    assert_eq!(expected.len(), plies + 1);
    assert!(expected.iter().all(|score| (0.0..=1.0).contains(score)));
    let known: Vec<&str> = Event::ALL.iter().map(|event| event.words()).collect();
    let mut position =
        Position::from_otn(game["start"].as_str().unwrap(), Side::Attackers).unwrap();
    for ((ply, captured), events) in words("moves")
        .iter()
        .zip(words("captures"))
        .zip(words("events"))
    {
        let ply: Move = ply.as_str().unwrap().parse().unwrap();
        let (from, to) = (Bitboard::of(ply.from), Bitboard::of(ply.to));
        for pieces in [
            &mut position.attackers,
            &mut position.defenders,
            &mut position.king,
        ] {
            if pieces.meets(from) {
                *pieces = (*pieces - from) | to;
            }
            for square in captured.as_array().unwrap() {
                let square = square.as_str().unwrap().parse().unwrap();
                *pieces = *pieces - Bitboard::of(square);
            }
        }
        let events = events.as_array().unwrap();
        assert!(
            events
                .iter()
                .all(|event| known.contains(&event.as_str().unwrap()))
        );
        let by_two = events.iter().any(|event| event == "king captured by two");
        assert!(!by_two || position.king.is_empty());
    }
    assert_eq!(game["attackers_left"], position.attackers.len());
    assert_eq!(game["defenders_left"], position.defenders.len());
    assert_eq!(game["reason"] == "king-captured", position.king.is_empty());
    let last = *expected.last().unwrap();
    let certain = match game["result"].as_str().unwrap() {
        "attackers" => 1.0,
        "defenders" => 0.0,
        "draw" => 0.5,
        _ => last,
    };
    assert!((last - certain).abs() < 1e-9);
}

#[test]
fn the_main_table_has_a_line_a_cell_and_the_csv_a_column_an_axis() {
    let folder = study();
    let at = folder.path();
    let said = succeed(at, &["run", "study.toml", "--games", "30"]);
    let lines: Vec<&str> = said.out.lines().collect();
    // Two of headings, the cells, two of explanation, one of where to look.
    assert_eq!(lines.len(), 2 + 12 + 3, "{}", said.out);
    for heading in [
        "capture",
        "attackers",
        "distinct",
        "defenders",
        "draws",
        "plies",
    ] {
        let headings = lines[..2].join(" ");
        assert!(headings.contains(heading), "{headings}");
    }
    assert!(
        lines[16].starts_with("360 games in results/study"),
        "{}",
        lines[16]
    );
    assert!(
        lines[16].contains("results/study/winrates.csv"),
        "{}",
        lines[16]
    );
    for part in ["king_capture=two", "30 games"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    let mut reader = csv::Reader::from_path(at.join("results/study/winrates.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|heading| heading == name).unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        let count = |name: &str| row[column(name)].parse::<u64>().unwrap();
        let wins = count("attackers_wins") + count("defenders_wins");
        assert_eq!(wins + count("draws") + count("ply_limits"), count("games"));
        let reasons = [
            "king_escaped",
            "king_captured",
            "encircled",
            "no_moves",
            "repetition",
        ];
        let ended = reasons.map(|reason| count(&format!("ended_{reason}")));
        assert_eq!(ended.iter().sum::<u64>() + count("ply_limits"), 30);
        assert!(number("attackers_low") <= number("attackers_rate"));
        assert!(number("attackers_rate") <= number("attackers_high"));
        assert!((number("attackers_rate") - number("attackers_wins") / 30.0).abs() < 1e-6);
    }
    let rules = fs::read_to_string(at.join("results/study/rules.csv")).unwrap();
    assert_eq!(rules.lines().count(), 1 + 4);
    assert!(
        rules.contains(",cross,true,everyone,four,true,three,reserved,"),
        "{rules}"
    );
    let quiet = succeed(
        at,
        &[
            "run",
            "study.toml",
            "--games",
            "30",
            "--out",
            "q",
            "--quiet",
        ],
    );
    let table = |out: &str| out.lines().take(16).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(table(&quiet.out), table(&said.out));
    assert!(!quiet.err.contains("king_capture=two"), "{}", quiet.err);
}

#[test]
fn agents_play_each_other_and_a_person_plays_by_the_rules() {
    let play = [
        "play",
        "--attackers",
        "greedy",
        "--defenders",
        "mcts:playouts=20",
        "--seed",
        "3",
    ];
    let first = here(&play);
    assert_eq!(first, here(&play));
    let last = first.lines().last().unwrap();
    assert!(
        last.contains("after") || last.contains("stopped at"),
        "{last}"
    );

    let mut child = command(
        Path::new("."),
        &[
            "play",
            "--rules",
            "wtf",
            "--attackers",
            "human",
            "--defenders",
            "random",
            "--seed",
            "1",
        ],
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"d2-d3\nnonsense\nmoves\nd2-e2\nquit\n")
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("cannot go to d3"), "{out}");
    assert!(
        out.contains("`nonsense` is not a move such as d2-e2"),
        "{out}"
    );
    assert!(
        out.contains("a4-a3") && out.contains("1. attackers d2-e2"),
        "{out}"
    );
    assert!(out.contains("left unfinished after 2 plies"), "{out}");
}

#[test]
fn the_bench_names_every_figure_with_its_unit() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let arguments = [
        "bench",
        "--seconds",
        "0.05",
        "--games",
        "100",
        "--folder",
        ".",
        "--json",
    ];
    let report: Value = serde_json::from_str(&succeed(at, &arguments).out).unwrap();
    assert_eq!(report["schema"], 1);
    let rustc = report["program"]["rustc"].as_str().unwrap();
    assert!(rustc.starts_with("rustc 1."), "{rustc}");
    assert!(report["machine"]["cores"].as_u64().unwrap() > 0);
    let figures = report["figures"].as_array().unwrap();
    for figure in figures {
        assert!(figure["value"].as_f64().unwrap() > 0.0, "{figure}");
        for text in ["name", "what", "unit"] {
            assert!(!figure[text].as_str().unwrap().is_empty(), "{figure}");
        }
    }
    let names: BTreeSet<&str> = figures
        .iter()
        .map(|figure| figure["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), figures.len(), "a name twice");
    for name in [
        "playouts_portable",
        "playouts_kept",
        "perft",
        "search",
        "records",
        "tables",
        "run_1",
        "turns_threads",
    ] {
        assert!(names.contains(name), "no {name}");
    }
    assert_eq!(
        fs::read_dir(at).unwrap().count(),
        0,
        "the bench leaves nothing"
    );
    let missing = ["bench", "run", "--games", "10", "--folder", "missing/"];
    let said = succeed(at, &missing);
    assert!(said.out.contains("M plies/s"), "{}", said.out);
}

#[test]
fn the_bench_does_a_loop_so_often() {
    let folder = tempfile::tempdir().unwrap();
    let said = succeed(folder.path(), &["bench", "perft", "--times", "3"]);
    assert_eq!(said.out, "perft 3022176 leaves\n");
    fail(
        folder.path(),
        &["bench", "perft", "--times", "3", "--json"],
        2,
        &["--times", "--json"],
    );
    fail(folder.path(), &["bench", "speed"], 2, &["perft", "run"]);
}

#[cfg(not(feature = "peers"))]
#[test]
fn the_bench_says_how_to_build_it_with_peers() {
    let folder = tempfile::tempdir().unwrap();
    fail(
        folder.path(),
        &["bench", "--peers"],
        2,
        &["cargo run --release --features peers"],
    );
}

#[cfg(feature = "peers")]
#[test]
fn the_bench_plays_a_peer_that_plays_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["bench", "--peers", "--seconds", "0.05", "--json"];
    let report: Value = serde_json::from_str(&succeed(folder.path(), &arguments).out).unwrap();
    let value = |name: &str| {
        let mut figures = report["figures"].as_array().unwrap().iter();
        let figure = figures.find(|figure| figure["name"] == name);
        figure.unwrap()["value"].as_f64().unwrap()
    };
    assert!(value("peer_agreement") > 10_000.0);
    assert!(value("peer_ratio") > 0.0);
}
