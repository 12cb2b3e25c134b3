//! `brandub rules`, and what a ruleset may be on the command line.

use std::fs;
use std::path::Path;

use brandub::game::{
    AXES, Hostility, KingCapture, KingEdge, KingSpeed, Layout, NoMoves, RepetitionResult, Ruleset,
    RulesetTable, ThronePass,
};
use serde_json::{Value, json};

use super::brandub::{fail, succeed, told};

fn here(arguments: &[&str]) -> String {
    succeed(Path::new("."), arguments).out
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

#[test]
fn two_rulesets_are_compared_for_programs_too() {
    let diff = |first: &str, second: &str| -> Value {
        let said = here(&["rules", "diff", first, second, "--json"]);
        assert_eq!(said.lines().count(), 1, "{said}");
        serde_json::from_str(&said).unwrap()
    };
    let same = diff("walker-2011", "dragonheelslair");
    assert_eq!(same["same"], true);
    assert_eq!(same["first"]["id"], same["second"]["id"]);
    assert_eq!(
        (&same["differences"], &same["parting"]),
        (&json!([]), &Value::Null)
    );

    let throne = diff(
        "irish-1",
        "{ base = \"irish-1\", king_capture = \"throne\" }",
    );
    assert_eq!(throne["same"], false);
    assert_eq!(throne["second"]["rules"]["king_capture"], "throne");
    let differences = json!([{ "axis": "king_capture", "first": "zone", "second": "throne" }]);
    assert_eq!(throne["differences"], differences);
    let parting = &throne["parting"];
    assert_eq!(
        (&parting["what"], &parting["smallest"]),
        (&json!("effect"), &json!(true))
    );
    let first = json!({ "legal": true, "captures": [], "result": "ongoing", "reason": "ongoing" });
    assert_eq!(parting["first"], first);
    let captured = [&parting["second"]["captures"], &parting["second"]["reason"]];
    assert_eq!(captured, [&json!(["d3"]), &json!("king-captured")]);

    let pass = diff("wtf", "{ base = \"wtf\", throne_pass = \"king\" }");
    assert_eq!(pass["parting"]["what"], "legal");
    assert!(pass["parting"]["move"].is_string(), "{pass}");
    assert_eq!(pass["parting"]["first"], json!({ "legal": true }));
    assert_eq!(pass["parting"]["second"], json!({ "legal": false }));

    let line = diff("wtf", "{ base = \"wtf\", layout = \"line\" }");
    let second = json!({ "position": "/2t1t2/7/t2T2t/2TKT2/t2T2t/7/2t1t2/" });
    assert_eq!(line["parting"]["what"], "layout");
    assert_eq!(line["parting"]["second"], second);
    // An axis that the other rules lack.
    let ordinary = diff("disputed", "throneless");
    let back = ordinary["differences"].as_array().unwrap();
    let back = back
        .iter()
        .find(|found| found["axis"] == "king_return")
        .unwrap();
    assert_eq!(
        (&back["first"], &back["second"]),
        (&json!("true"), &Value::Null)
    );
}

#[cfg(unix)]
#[test]
fn rules_are_read_from_whatever_is_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let shown = told(at, &["rules", "show", "/dev/stdin"], b"base = \"crust\"\n");
    assert!(shown.out.contains("known as crust"), "{}", shown.err);
    fs::create_dir(at.join("mine")).unwrap();
    fail(
        at,
        &["rules", "show", "mine"],
        2,
        &["rules `mine`: is a folder"],
    );
    // As of a file that was cut off.
    fs::write(at.join("none.toml"), "# king_armed = false\n\n").unwrap();
    let none = ["rules `none.toml`: is a file without an axis"];
    fail(at, &["rules", "show", "none.toml"], 2, &none);
}

#[test]
fn the_nearest_name_is_told_where_a_name_was_meant() {
    for (text, name) in [
        ("wft", true),
        ("Walker 2011", true),
        ("nielsen_cyningstan", true),
        ("wtf.toml", false),
        ("./wtf", false),
        ("rules/wtf", false),
        ("", false),
    ] {
        let said = super::brandub::brandub(Path::new("."), &["rules", "show", text]);
        assert_eq!(said.status, Some(2), "{text}");
        assert_eq!(
            said.err.contains("nearest: `"),
            name,
            "{text}: {}",
            said.err
        );
        assert_eq!(
            said.err.contains("no file can be read there"),
            !name,
            "{text}"
        );
    }
}

#[test]
fn a_value_that_comes_from_the_base_is_said_to() {
    for (table, parts) in [
        (
            "{ base = \"wtf\", throne = \"ordinary\" }",
            &["`king_capture`: \"throne\" (the base `wtf` has it) needs a reserved throne"][..],
        ),
        (
            "{ base = \"masters\", king_capture = \"zone\" }",
            &["\"zone\" needs a reserved throne; with an ordinary one (the base `masters` has it)"],
        ),
        (
            "{ base = \"throneless\", king_return = true }",
            &[
                "`king_return`: means nothing with an ordinary throne (the base `throneless` has it)",
            ],
        ),
        (
            "{ throne = \"ordinary\", king_capture = \"zone\" }",
            &["\"zone\" needs a reserved throne; with an ordinary one write"],
        ),
    ] {
        fail(Path::new("."), &["rules", "show", table], 2, parts);
    }
}

/// The page of rules against the rules themselves.
#[test]
fn the_page_of_rules_draws_every_layout_and_has_every_axis_and_value() {
    let page = include_str!("../../docs/rules.md");
    let drawn: Vec<&str> = page.split("```text\n").skip(1).collect();
    for (name, drawn) in Layout::names().zip(drawn) {
        let table = RulesetTable {
            layout: serde_json::from_value(json!(name)).unwrap(),
            ..RulesetTable::default()
        };
        let board = table.resolve().unwrap().layout.position().to_string();
        assert!(
            drawn.starts_with(&format!("{board}\n```")),
            "{name}: {board}"
        );
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    let hostility = || Hostility::ALL.iter().map(|value| value.name()).collect();
    let (_, table) = page.split_once("\n## Every axis\n").unwrap();
    let defaults = Ruleset::default().axes();
    for (axis, default) in AXES.into_iter().zip(defaults) {
        let values: Vec<&str> = match axis {
            "layout" => Layout::names().collect(),
            "king_capture" => KingCapture::ALL.iter().map(|value| value.name()).collect(),
            "king_edge" => KingEdge::ALL.iter().map(|value| value.name()).collect(),
            "throne_hostile" | "corners_hostile" => hostility(),
            "throne" => vec!["reserved", "ordinary"],
            "throne_pass" => ThronePass::ALL.iter().map(|value| value.name()).collect(),
            "king_speed" => KingSpeed::ALL.iter().map(|value| value.name()).collect(),
            "no_moves" => NoMoves::ALL.iter().map(|value| value.name()).collect(),
            "repetition" => {
                let results = RepetitionResult::ALL.iter().map(|value| value.name());
                results.chain(["ignored"]).collect()
            }
            _ => vec!["true", "false"],
        };
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| `{axis}` |")));
        let row = row.unwrap_or_else(|| panic!("no row of {axis}"));
        let cell = row.split(" | ").nth(1).unwrap();
        for value in values {
            assert!(cell.contains(&format!("`{value}`")), "{axis}: {value}");
        }
        let default = match (axis, default) {
            ("king_edge", _) => "three".to_owned(),
            ("repetition", _) => "{ count = 3, result = \"draw\" }".to_owned(),
            (_, default) => default.unwrap(),
        };
        assert!(
            cell.contains(&format!("**`{default}`**")),
            "{axis}: {default}"
        );
    }
}
