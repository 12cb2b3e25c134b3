//! Games people played, replayed: every recorded move must be legal, every recorded capture and
//! result ours. The records are no part of the repository; without them the tests say so and pass.

use std::{fs, path::PathBuf};

use serde_json::Value;

use super::{Game, Rules};

/// The rows of one file of records, or nothing where the folder is missing.
fn records(name: &str) -> Option<Vec<Value>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/human");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return None;
    }
    let text = fs::read_to_string(folder.join(name)).expect("the file can be read");
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect(),
    )
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter()
        .map(|item| item.as_str().expect("a string").to_owned())
        .collect()
}

/// Replays one record; the error says where it differs from ours.
fn replay(record: &Value) -> Result<(), String> {
    let rules = Rules::from_json(&record["rules"])?;
    let mut game = Game::new(&rules, None, None)?;
    let moves = strings(&record["moves"]);
    let captures = record["captures"].as_array().expect("a list");
    assert_eq!(moves.len(), captures.len(), "one list of captures per move");
    let mut king = "d4".to_owned();
    for (text, expected) in moves.iter().zip(captures) {
        let mut captured = game.play(text)?;
        let (from, to) = text.split_once('-').expect("a move");
        if from == king {
            king = to.to_owned();
        }
        // The archive marks captured soldiers only.
        captured.retain(|square| *square != king);
        let mut expected = strings(expected);
        expected.sort();
        if captured != expected {
            return Err(format!("{text}: captured {captured:?}, not {expected:?}"));
        }
    }
    let (result, reason) = game
        .outcome()
        .unwrap_or(("ongoing".to_owned(), "ongoing".to_owned()));
    let given = |key: &str| record[key].as_str().unwrap_or("ongoing").to_owned();
    if (&result, &reason) != (&given("result"), &given("reason")) {
        return Err(format!("ended {result}, {reason}"));
    }
    Ok(())
}

#[test]
fn recorded_games_replay() {
    for (name, games) in [
        ("wtf.jsonl", 645),
        ("irish-1.jsonl", 966),
        ("walker-2011.jsonl", 119),
    ] {
        let Some(records) = records(name) else { return };
        assert_eq!(records.len(), games, "{name}");
        for record in records {
            if let Err(error) = replay(&record) {
                panic!("{name}, {}: {error}", record["id"]);
            }
        }
    }
}

#[test]
fn damaged_records_disagree() {
    let Some(records) = records("damaged.jsonl") else {
        return;
    };
    assert_eq!(records.len(), 8);
    for record in records {
        assert!(replay(&record).is_err(), "{} replays", record["id"]);
    }
}
