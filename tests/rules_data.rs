//! Replays the tables of expected values under `tests/data` by the library's rules: counts of
//! positions, endings, and a whole game for every preset. The tables come from the naive rules in
//! `tests/reference`; the counts from the start position are published ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use brandub::game::{
    Bitboard, Game, Hostility, KingCapture, Position, Preset, Rules, Ruleset, RulesetTable, Side,
    Throne, ThronePass, perft, preset,
};
use serde_json::Value;

/// Every row of a table, with a name to say which one failed.
fn rows(file: &str) -> Vec<(String, Value)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let text = fs::read_to_string(&path).expect("the table can be read");
    let rows: Vec<(String, Value)> = text
        .lines()
        .zip(1..)
        .map(|(line, number)| {
            let row: Value = serde_json::from_str(line).expect("each line is JSON");
            let name = match row["name"].as_str() {
                Some(name) => format!("{file}, line {number} ({name})"),
                None => format!("{file}, line {number} ({})", row["rules"]),
            };
            (name, row)
        })
        .collect();
    assert!(!rows.is_empty(), "{file} is empty");
    rows
}

/// Replays every row and names all that fail.
fn replay_all(file: &str, replay: impl Fn(&Value) -> Result<(), String>) {
    let failures: Vec<String> = rows(file)
        .iter()
        .filter_map(|(name, row)| Some(format!("{name}: {}", replay(row).err()?)))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The ruleset of a row: a preset's name, or a table of axes.
fn ruleset(row: &Value) -> Result<Ruleset, String> {
    let table = match &row["rules"] {
        Value::String(name) => RulesetTable::of_base(name),
        table => serde_json::from_value(table.clone()).map_err(|error| error.to_string())?,
    };
    table.resolve().map_err(|error| error.to_string())
}

/// The position a row starts from: its own, or the layout's with the attackers to move.
fn position(row: &Value, rules: &Rules) -> Result<Position, String> {
    let Some(text) = row["position"].as_str() else {
        return Ok(rules.start());
    };
    let side: Side = row["side"].as_str().ok_or("no side")?.parse()?;
    let position = Position::from_otn(text, side).map_err(|error| error.to_string())?;
    rules.admit(&position)?;
    Ok(position)
}

fn strings(list: &Value) -> Result<Vec<&str>, String> {
    let list = list.as_array().ok_or("no list")?;
    list.iter()
        .map(|item| item.as_str().ok_or_else(|| format!("{item} is no text")))
        .collect()
}

fn names(squares: Bitboard) -> BTreeSet<String> {
    squares.into_iter().map(|at| at.to_string()).collect()
}

fn replay_counts(row: &Value) -> Result<(), String> {
    let rules = Rules::new(ruleset(row)?);
    let position = position(row, &rules)?;
    let depth = row["depth"].as_u64().ok_or("no depth")? as u32;
    let nodes = row["nodes"].as_u64().ok_or("no nodes")?;
    let counted = perft::perft(&rules, &position, depth);
    if counted != nodes {
        return Err(format!("{counted} positions, not {nodes}"));
    }
    let divided: u64 = perft::divide(&rules, &position, depth)
        .iter()
        .map(|(_, below)| below)
        .sum();
    if divided != nodes && depth > 0 {
        return Err(format!("{divided} positions move by move, not {nodes}"));
    }
    Ok(())
}

fn replay_game(row: &Value) -> Result<(), String> {
    let rules = Rules::new(ruleset(row)?);
    let mut game = Game::from_position(&rules, position(row, &rules)?);
    let moves = strings(&row["moves"])?;
    let captures = row["captures"].as_array().ok_or("no captures")?;
    if moves.len() != captures.len() {
        return Err("not one list of captures for each move".to_owned());
    }
    for (text, expected) in moves.into_iter().zip(captures) {
        let ply = text.parse().map_err(|error| format!("{error}"))?;
        let captured = names(game.play(ply).map_err(|error| error.to_string())?);
        let expected: BTreeSet<String> =
            strings(expected)?.into_iter().map(str::to_owned).collect();
        if captured != expected {
            return Err(format!("{text} captures {captured:?}, not {expected:?}"));
        }
    }
    let (result, reason) = game
        .outcome()
        .map_or(("ongoing", "ongoing"), |o| (o.result(), o.reason.name()));
    let given = (row["result"].as_str(), row["reason"].as_str());
    if given != (Some(result), Some(reason)) {
        return Err(format!("ends {result} ({reason}), not {given:?}"));
    }
    Ok(())
}

#[test]
fn positions_are_counted_as_by_the_reference() {
    replay_all("perft.jsonl", replay_counts);
}

#[test]
fn endings_are_those_of_the_reference() {
    replay_all("endings.jsonl", replay_game);
}

#[test]
fn golden_games_replay() {
    replay_all("golden.jsonl", replay_game);
}

#[test]
fn every_preset_has_its_counts() {
    let counted: BTreeSet<String> = rows("perft.jsonl")
        .iter()
        .filter_map(|(_, row)| row["rules"]["base"].as_str().map(str::to_owned))
        .collect();
    let presets = BTreeSet::from(Preset::ALL.map(|preset| preset.name.to_owned()));
    let missing = &presets - &counted;
    assert!(missing.is_empty(), "no counts: {missing:?}");
}

#[test]
fn every_preset_has_a_golden_game() {
    let played: BTreeSet<String> = rows("golden.jsonl")
        .iter()
        .map(|(name, row)| row["rules"].as_str().expect(name).to_owned())
        .collect();
    let presets = BTreeSet::from(Preset::ALL.map(|preset| preset.name.to_owned()));
    let mut missing = &presets - &played;
    // `disputed` is only the point from which the factorial varies.
    missing.remove("disputed");
    assert!(missing.is_empty(), "no golden game: {missing:?}");
    let unknown = &played - &presets;
    assert!(unknown.is_empty(), "no such preset: {unknown:?}");
}

/// Positions after one to four plies from the start.
fn counts(ruleset: Ruleset) -> [u64; 4] {
    let rules = Rules::new(ruleset);
    [1, 2, 3, 4].map(|depth| perft::perft(&rules, &rules.start(), depth))
}

#[test]
fn the_disputed_rules_part_after_more_than_four_plies() {
    let factorial = preset::disputed_factorial();
    assert_eq!(factorial.len(), 16);
    for ruleset in factorial {
        assert_eq!(counts(ruleset), [40, 960, 39_512, 1_007_392], "{ruleset}");
    }
}

#[test]
fn after_five_plies_an_armed_king_makes_a_difference() {
    let disputed = |king_armed, hostile, king_return| Ruleset {
        king_armed,
        king_capture: KingCapture::Two,
        throne: Throne::Reserved {
            hostile,
            pass: ThronePass::Everyone,
            king_return,
        },
        ..Ruleset::default()
    };
    for (ruleset, nodes) in [
        (disputed(false, Hostility::None, false), 41_843_400),
        (disputed(true, Hostility::Everyone, true), 41_843_336),
    ] {
        let rules = Rules::new(ruleset);
        assert_eq!(perft::perft(&rules, &rules.start(), 5), nodes, "{ruleset}");
    }
}

#[test]
fn quiet_corners_leave_more_positions_after_three_plies() {
    let quiet = Ruleset {
        corners_hostile: Hostility::None,
        ..Ruleset::default()
    };
    assert_eq!(counts(quiet)[..3], [40, 960, 39_568]);
}
