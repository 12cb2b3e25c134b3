//! `brandub check` on recorded games, sound and damaged.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::brandub::{Said, brandub, data, fail};

fn check(path: &Path) -> (Said, Vec<Value>) {
    let said = brandub(Path::new("."), &["check", path.to_str().unwrap()]);
    let lines = said
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines = lines.collect();
    (said, lines)
}

/// Every line legal and agreeing with its record.
fn assert_agrees(path: &Path, games: usize) {
    let (said, lines) = check(path);
    assert_eq!(said.status, Some(0), "{}: {}", path.display(), said.err);
    assert_eq!(lines.len(), games, "{}", path.display());
    for line in lines {
        assert_eq!(line["legal"], true, "{line}");
        assert_eq!(line["agrees"], true, "{line}");
    }
}

/// Every line flagged, with the ply and the reason.
fn assert_flagged(path: &Path, plies: &[u64]) {
    let (said, lines) = check(path);
    assert_eq!(said.status, Some(1), "{}", said.err);
    let count = plies.len();
    assert!(
        said.err
            .contains(&format!("{count} of {count} lines are illegal or disagree"))
    );
    for (line, ply) in lines.iter().zip(plies) {
        assert!(line["legal"] == false || line["agrees"] == false, "{line}");
        assert_eq!(line["ply"], *ply, "{line}");
        assert!(!line["error"].as_str().unwrap().is_empty(), "{line}");
    }
    assert_eq!(lines.len(), plies.len());
}

#[test]
fn recorded_games_agree_and_damaged_ones_are_flagged() {
    assert_agrees(&data("human.jsonl"), 11);
    assert_flagged(&data("damaged.jsonl"), &[5, 10]);
    for name in ["golden.jsonl", "endings.jsonl"] {
        let games = fs::read_to_string(data(name)).unwrap().lines().count();
        assert_agrees(&data(name), games);
    }
}

#[test]
fn the_whole_archive_agrees_where_it_is_at_hand() {
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/human");
    if !archive.exists() {
        eprintln!("skipped: the archive of people's games is not beside the project");
        return;
    }
    for (name, games) in [("wtf", 645), ("irish-1", 966), ("walker-2011", 119)] {
        assert_agrees(&archive.join(format!("{name}.jsonl")), games);
    }
    let plies = [11, 5, 18, 24, 10, 18, 19, 5];
    assert_flagged(&archive.join("damaged.jsonl"), &plies);
}

/// Checks one line and gives the answer.
fn answer(line: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.jsonl");
    fs::write(&path, line).unwrap();
    check(&path).1.remove(0)
}

#[test]
fn answers_have_the_documented_keys() {
    let line = answer(r#"{"rules": "wtf", "moves": ["d2-e2", "d3-d2"], "player": "x"}"#);
    let expected = serde_json::json!({
        "line": 1, "legal": true, "plies": 2, "captures": [[], []],
        "result": "ongoing", "reason": "ongoing",
    });
    assert_eq!(line, expected);
    // As some editors save it.
    let marked = "\u{feff}{\"rules\": \"wtf\", \"moves\": [\"d2-e2\", \"d3-d2\"]}";
    assert_eq!(answer(marked), expected);
    let line = answer(
        r#"{"rules": {"base": "wtf", "king_armed": false}, "position": "/3K3/7/7/7/7/7/3t3/",
        "side": "defenders", "moves": ["d1-a1"], "result": "defenders", "reason": "king-escaped"}"#
            .replace('\n', " ")
            .as_str(),
    );
    assert_eq!(line["agrees"], true, "{line}");
    assert_eq!(
        (&line["result"], &line["reason"]),
        (&"defenders".into(), &"king-escaped".into())
    );
}

#[test]
fn who_won_is_compared_where_the_board_decided() {
    let game = |moves: &str, winner: &str| {
        answer(&format!(
            r#"{{"rules": "disputed", "position": "/1t5/K6/t6/7/7/7/5t1/", "side": "defenders", "moves": [{moves}], "winner": {winner}}}"#
        ))
    };
    assert_eq!(game(r#""a2-a1""#, r#""defenders""#)["agrees"], true);
    for (moves, winner) in [
        // Resigned, or not told.
        (r#""a2-b2""#, r#""attackers""#),
        (r#""a2-a1""#, "null"),
    ] {
        assert!(game(moves, winner)["agrees"].is_null(), "{moves} {winner}");
    }
}

#[test]
fn rules_are_read_as_tables_of_results_name_them() {
    let moves = r#""moves": ["d2-e2", "d3-d2"]"#;
    for rules in [
        "king_armed=false king_capture=four",
        "repetition=3 draw",
        "{ king_armed = false, king_capture = 'four' }",
    ] {
        let checked = answer(&format!(r#"{{"rules": "{rules}", {moves}}}"#));
        assert_eq!(
            (&checked["legal"], &checked["plies"]),
            (&true.into(), &2.into())
        );
    }
}

#[test]
fn what_a_record_says_beside_its_moves_must_be_possible() {
    for (line, part) in [
        (
            r#"{"rules": "{ king_armd = true }", "moves": []}"#,
            "rules: unknown field `king_armd`",
        ),
        (
            r#"{"rules": "wtf", "moves": ["d2-e2"], "opening_plies": 2}"#,
            "opening_plies: expected at most 1, as there are no more moves",
        ),
        (
            r#"{"rules": "wtf", "moves": ["d2-e2"], "winner": "bogus"}"#,
            r#"winner: \"bogus\": expected attackers, defenders, draw, none, ongoing, or null"#,
        ),
        (
            r#"{"rules": {"base": "wtf", "king_armed": null}, "moves": []}"#,
            "rules: invalid type: null, expected a boolean",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("wrong.jsonl"), line).unwrap();
        let said = brandub(folder.path(), &["check", "wrong.jsonl"]);
        assert_eq!(said.status, Some(1), "{line}: {}", said.err);
        assert!(said.out.contains(part), "{line}: {}", said.out);
    }
}

/// Records with a mistake, and a part of what is said of it.
const MISTAKES: &[(&str, &str)] = &[
    (
        r#"{"rules": "wtf", "moves": ["d2-e2", "d4-d6"]}"#,
        "d4-d6: the piece on d4 of the defenders cannot go to d6",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d3-e3"]}"#,
        "d3-e3: no piece of the attackers stands on d3",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d2e2"]}"#,
        "`d2e2` is not a move such as d2-e2",
    ),
    (
        r#"{"rules": "wft", "moves": []}"#,
        "no ruleset is named `wft`; nearest: `wtf`",
    ),
    (
        r#"{"rules": {"king_armd": true}, "moves": []}"#,
        "unknown field `king_armd`",
    ),
    (
        r#"{"rules": {"throne": "ordinary", "king_return": true}, "moves": []}"#,
        "`king_return`: means nothing",
    ),
    (
        r#"{"rules": "king_armed=false king_armed=true", "moves": []}"#,
        "rules: `king_armed` is there twice",
    ),
    (
        r#"{"rules": "king_armed=no", "moves": []}"#,
        "rules: `king_armed`: invalid type: string",
    ),
    (
        r#"{"rules": {"king_armed": true, "king_armed": false}, "moves": []}"#,
        "rules: duplicate field `king_armed`",
    ),
    (
        r#"{"rules": {"base": "wtf", "base": "crust"}, "moves": []}"#,
        "rules: duplicate field `base`",
    ),
    (
        r#"{"rules": {"repetition": {"count": 2, "count": 3, "result": "draw"}}, "moves": []}"#,
        "rules: duplicate field `count`",
    ),
    (
        r#"{"rules": {"repetition": {"result": "draw", "count": 2, "result": "draw"}}, "moves": []}"#,
        "rules: duplicate field `result`",
    ),
    (r#"{"rules": "wtf"}"#, "missing field `moves`"),
    (r#"{"rules": "wtf", "moves": []"#, "no record of a game"),
    (
        r#"{"rules": "wtf", "moves": 3}"#,
        "no record of a game: column 27: invalid type: integer `3`, expected a list",
    ),
    ("\u{fffd}", "no record of a game"),
    ("[]", "no record of a game: expected a JSON object"),
    (
        r#"{"rules": "wtf", "moves": [], "position": "/7/"}"#,
        "1 ranks instead of 7",
    ),
    (
        r#"{"rules": "wtf", "moves": [], "position": "/t2K3/7/7/7/7/7/7/"}"#,
        "a piece on the corner a1",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d2-e2"], "captures": [["e3"]]}"#,
        "the record has captures [e3], the rules []",
    ),
    (
        r#"{"rules": ["wtf"], "moves": []}"#,
        "expected a preset's name, a table of axes, or axes as key=value",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d2-e2"], "captures": []}"#,
        "captures for 0 of its 1 moves",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d2-e2"], "captures": [[], []]}"#,
        "captures for 2 of its 1 moves",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d2-e2"], "result": "draw"}"#,
        "result: the record says draw, the rules ongoing",
    ),
    (
        r#"{"rules": "wtf", "moves": ["d2-e2"], "reason": "no-moves"}"#,
        "reason: the record says no-moves",
    ),
    (
        r#"{"rules": "disputed", "position": "/1t5/K6/t6/7/7/7/5t1/", "side": "defenders", "moves": ["a2-a1"], "winner": "attackers"}"#,
        "winner: the record says \"attackers\", the rules defenders",
    ),
];

#[test]
fn each_kind_of_mistake_is_told() {
    for &(line, part) in MISTAKES {
        let answer = answer(line);
        let error = answer["error"]
            .as_str()
            .unwrap_or_else(|| panic!("{line}: {answer}"));
        assert!(error.contains(part), "{line}: {error}");
        assert!(
            answer["legal"] == false || answer["agrees"] == false,
            "{line}: {answer}"
        );
    }
}

#[test]
fn an_unreadable_file_is_wrong_input() {
    fail(
        Path::new("."),
        &["check", "no-such-file"],
        2,
        &["cannot read no-such-file"],
    );
    // Whoever should have written the games may have failed.
    let none = ["/dev/null: expected a game a line, found none"];
    fail(Path::new("."), &["check", "/dev/null"], 2, &none);
}

/// Half a gigabyte of lines with a quarter of that to work in.
#[cfg(target_os = "linux")]
#[test]
fn a_million_lines_stream_in_constant_memory() {
    let line = format!(
        r#"{{"rules": "wtf", "moves": ["d2-e2", "d3-d2"], "captures": [[], []], "note": "{}"}}"#,
        "x".repeat(400)
    );
    let program = env!("CARGO_BIN_EXE_brandub");
    let script = format!("ulimit -v 131072; {program} check - | tail -1");
    let mut child = Command::new("bash")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = BufWriter::with_capacity(1 << 20, child.stdin.take().unwrap());
    for _ in 0..1_000_000 {
        writeln!(input, "{line}").unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let last: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&last["line"], &last["agrees"]),
        (&1_000_000.into(), &true.into())
    );
}
