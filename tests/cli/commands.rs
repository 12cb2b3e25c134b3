//! What the smaller commands print.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use brandub::game::{Bitboard, Event, Move, Position, Side};
use serde_json::Value;

use super::brandub::{command, fail, files, names, signal, study, succeed, wait_until};

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
    assert_eq!(here(&["perft", "--depth", "0", "--divide"]), "1\n");
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
fn every_row_of_a_run_is_replayed_as_it_was_written() {
    let folder = study();
    let at = folder.path();
    succeed(
        at,
        &["run", "study.toml", "--out", "r", "--games", "4", "-q"],
    );
    let mut replayed = 0;
    for (name, bytes) in files(&at.join("r/games")) {
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
    // As much of the id as no other cell's begins with is enough.
    let ids: Vec<&str> = cells.lines().skip(1).map(|line| &line[..12]).collect();
    let alike = |begin: &str| ids.iter().filter(|id| id.starts_with(begin)).count();
    let enough = (1..=12).find(|&length| alike(&cell[..length]) == 1);
    let enough = &cell[..enough.unwrap()];
    let asked = |id| ["replay", "r", "--cell", id, "--game", "3", "--otn"];
    assert_eq!(succeed(at, &asked(enough)).out, shown);
    let shared = ids.iter().map(|id| &id[..1]);
    let shared = shared.into_iter().find(|digit| alike(digit) > 1);
    let shared = shared.expect("two of twelve cells begin alike");
    fail(at, &asked(shared), 2, &["cells begin with", shared]);
    fail(at, &asked(""), 2, &["no --cell", cell]);
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
    for (words, why) in [
        (["perft", "--games", "9"], "only `run` plays so many"),
        (["run", "--seconds", "1"], "as long as its games"),
        (["search", "--folder", "f"], "only `run` and `tables` write"),
    ] {
        let words = [&["bench"], &words[..]].concat();
        fail(folder.path(), &words, 2, &[words[2], why]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn the_bench_leaves_nothing_when_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["bench", "run", "--games", "1000000", "--folder", "."];
    let mut child = command(at, &words).stdout(Stdio::null()).spawn().unwrap();
    wait_until(&mut child, || !names(at).is_empty());
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(at).unwrap().count(), 0);
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
