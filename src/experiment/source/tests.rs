//! Experiment files, sound and wrong.

use super::*;

const GOOD: &str = r#"
name = "good"
seed = 1
games = 10
[rules]
base = "disputed"
vary = { king_return = [true, false], king_armed = [true, false] }
[opening]
random_plies = 2
[[match]]
agents = ["random", "greedy"]
cross = true
"#;

#[test]
fn axes_are_crossed_in_documented_order_and_agents_each_against_each() {
    let experiment = Source::parse("x.toml", GOOD).unwrap().experiment;
    assert_eq!(
        (experiment.ply_limit, experiment.pairing),
        (300, Pairing::Independent)
    );
    let labels: Vec<String> = experiment.rulesets.iter().map(Ruleset::label).collect();
    assert_eq!(
        labels,
        [
            "disputed",
            "king_return=false",
            "king_armed=false",
            "king_armed=false king_return=false"
        ]
    );
    let pairs: Vec<String> = experiment
        .matches
        .iter()
        .map(|pair| format!("{} {}", pair.attackers, pair.defenders))
        .collect();
    assert_eq!(
        pairs,
        [
            "random random",
            "random greedy",
            "greedy random",
            "greedy greedy"
        ]
    );
}

#[test]
fn an_experiment_survives_the_manifest() {
    let experiment = Source::parse("x.toml", GOOD).unwrap().experiment;
    let json = serde_json::to_string(&experiment).unwrap();
    assert_eq!(
        serde_json::from_str::<Experiment>(&json).unwrap(),
        experiment
    );
}

#[test]
fn equal_rules_are_played_once_and_said_to_be() {
    let text = GOOD.replace(
        "base = \"disputed\"\nvary = { king_return = [true, false], king_armed = [true, false] }",
        "presets = [\"walker-2011\", \"dragonheelslair\", { base = \"wtf\" }]",
    );
    let source = Source::parse("x.toml", &text).unwrap();
    assert_eq!(source.experiment.rulesets.len(), 2);
    assert_eq!(source.notes.len(), 1);
    assert!(
        source.notes[0].contains("dragonheelslair"),
        "{:?}",
        source.notes
    );
}

/// Replaces a part of the good file and gives the error's place and text.
fn wrong(part: &str, by: &str) -> (usize, String) {
    assert!(GOOD.contains(part), "{part}");
    let error = Source::parse("x.toml", &GOOD.replace(part, by)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with(&format!("x.toml:{}:", error.line))
    );
    (error.line, error.message)
}

#[expect(clippy::too_many_lines, reason = "a table of mistakes")]
#[test]
fn every_mistake_is_named_with_its_line() {
    for (part, by, line, expected) in [
        ("seed = 1", "sed = 1", 3, "unknown field `sed`"),
        ("seed = 1\n", "", 1, "missing field `seed`"),
        ("seed = 1", "seed = -1", 3, "`seed` = -1 is out of range"),
        (
            "seed = 1",
            "seed = \"1\"",
            3,
            "`seed`: invalid type: string \"1\", expected a whole number",
        ),
        (
            "games = 10",
            "games = 0",
            4,
            "`games` = 0 is out of range: expected a whole number from 1 to",
        ),
        (
            "games = 10",
            "games = 2000000000",
            4,
            "`games` = 2000000000 is out of range",
        ),
        (
            "games = 10",
            "games = 10\nply_limit = 2",
            10,
            "`random_plies` = 2 leaves no ply",
        ),
        (
            "games = 10",
            "games = 10\nply_limit = 0",
            5,
            "`ply_limit` = 0",
        ),
        ("games = 10", "games = ", 4, ""),
        (
            "name = \"good\"",
            "name = \"../good\"",
            2,
            "names the result folder",
        ),
        (
            "\"disputed\"",
            "\"wft\"",
            6,
            "no ruleset is named `wft`; nearest: `wtf`",
        ),
        (
            "\"disputed\"",
            "{ king_armd = true }",
            6,
            "unknown field `king_armd`",
        ),
        (
            "\"disputed\"",
            "{ repetition = { count = 1, result = \"draw\" } }",
            6,
            "from 2 to 1000",
        ),
        (
            "\"disputed\"",
            "\"masters\"",
            7,
            "`king_return`: means nothing with an ordinary throne",
        ),
        (
            "king_armed = [",
            "king_arms = [",
            7,
            "`king_arms` is no rule axis",
        ),
        (
            "king_armed = [true, false]",
            "king_capture = [\"two\", \"three\"]",
            7,
            "unknown variant `three`",
        ),
        (
            "king_armed = [true, false]",
            "king_armed = []",
            7,
            "no values to vary",
        ),
        (
            "king_armed = [true, false]",
            "king_armed = true",
            7,
            "`king_armed`: invalid type: boolean `true`, expected a list",
        ),
        ("random_plies = 2", "random_plies = 101", 9, "from 0 to 100"),
        (
            "\"greedy\"",
            "\"gredy\"",
            11,
            "`agents`: agent `gredy`: no such agent",
        ),
        (
            "cross = true",
            "attackers = \"random\"",
            10,
            "expected either attackers and defenders",
        ),
        (
            "cross = true",
            "cross = 1",
            12,
            "`cross`: invalid type: integer `1`, expected a boolean",
        ),
        (
            "[opening]",
            "[opening]\npresets = []",
            9,
            "unknown field `presets`",
        ),
    ] {
        let (found, message) = wrong(part, by);
        assert!(message.contains(expected), "{by}: {message}");
        assert_eq!(found, line, "{by}: {message}");
    }
}
