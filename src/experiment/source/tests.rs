//! Experiment files, sound and wrong.

use super::*;
use crate::game::Ruleset;

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
        "presets = [\"dragonheelslair\", \"walker-2011\", { base = \"wtf\" }, { base = \"wtf\", king_armed = true }]",
    );
    let source = Source::parse("x.toml", &text).unwrap();
    assert_eq!(source.experiment.rulesets.len(), 2);
    let equal = [
        "walker-2011 are the same rules as dragonheelslair: played once",
        "base=wtf king_armed=true are the same rules as wtf: played once",
    ];
    assert_eq!(source.notes, equal);
}

#[test]
fn matches_that_are_there_already_are_told_of_once() {
    let text = format!("{GOOD}\n[[match]]\nagents = [\"random\", \"random\", \"random\"]\n");
    let source = Source::parse("x.toml", &text).unwrap();
    let told = "random against random is in the experiment already: played once";
    assert_eq!(source.notes, [told]);
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
            "`king_armd` is no rule axis: expected one of base, layout",
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
        (
            "[rules]",
            "[[rules]]",
            5,
            "`rules`: invalid type: list, expected a table: `[rules]`, once",
        ),
        (
            "[[match]]",
            "[match]",
            10,
            "`match`: invalid type: table, expected a list: `[[match]]`, as often as wanted",
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

/// Also in a table of axes among several.
#[test]
fn a_wrong_axis_is_named_where_it_stands() {
    let rules =
        "base = \"disputed\"\nvary = { king_return = [true, false], king_armed = [true, false] }";
    for (by, line, column, expected) in [
        (
            "presets = [\n\"wtf\",\n{ base = \"wtf\", king_armed = \"no\" },\n]",
            8,
            30,
            "`king_armed`: invalid type: string \"no\", expected a boolean",
        ),
        (
            "presets = [\n\"wtf\",\n{ base = \"wtf\", king_arms = true },\n]",
            8,
            17,
            "`king_arms` is no rule axis: expected one of base, layout",
        ),
        (
            "presets = [\n\"wtf\",\n{ base = 7 },\n]",
            8,
            10,
            "`base`: found integer, expected a preset's name",
        ),
        (
            "[rules.base]\nbase = \"wtf\"\nking_capture = \"three\"",
            8,
            16,
            "`king_capture`: unknown variant `three`, expected one of `two`",
        ),
        (
            "[rules.base]\nbase = \"wtf\"\nrepetition = { count = 1, result = \"draw\" }",
            8,
            14,
            "`repetition`: ",
        ),
        (
            "presets = [\n\"wtf\",\n7,\n]",
            8,
            1,
            "expected a preset's name or a table of axes",
        ),
    ] {
        let text = GOOD.replace(rules, by);
        assert_ne!(text, GOOD);
        let error = Source::parse("x.toml", &text).unwrap_err();
        assert!(error.message.contains(expected), "{by}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{by}: {error}");
    }
}

/// The good file with this instead of its number of games, from line 12 on.
fn ruled(games: &str, table: &str) -> Result<Experiment, ConfigError> {
    let text = GOOD.replace("games = 10", games);
    let text = format!("{}\n{table}", text.trim_end());
    Source::parse("x.toml", &text).map(|source| source.experiment)
}

#[test]
fn a_stop_rule_is_completed_and_survives_the_manifest() {
    let rule = |experiment: &Experiment| serde_json::to_string(&experiment.stop).unwrap();
    for (games, table, most, expected) in [
        (
            "",
            "[stop]\nhalf_width = 0.01",
            40_000,
            r#"{"until":{"half_width":0.01},"min_games":100,"confidence":0.95}"#,
        ),
        (
            "",
            "[stop]\nhalf_width = 0.4\nmax_games = 20\nconfidence = 0.8",
            20,
            r#"{"until":{"half_width":0.4},"min_games":20,"confidence":0.8}"#,
        ),
        (
            "",
            "[stop]\nhalf_width = 0.4\nmin_games = 5000",
            5_000,
            r#"{"until":{"half_width":0.4},"min_games":5000,"confidence":0.95}"#,
        ),
        (
            "games = \"adaptive\"",
            "[adaptive]\ntotal = 5000",
            6_400,
            r#"{"until":{"decided":{"margin":0.05,"total":5000}},"min_games":100,"confidence":0.95}"#,
        ),
        (
            "games = \"adaptive\"",
            "[adaptive]\ntotal = 5000\nmargin = 0.1\nmin_games = 7\nmax_games = 900",
            900,
            r#"{"until":{"decided":{"margin":0.1,"total":5000}},"min_games":7,"confidence":0.95}"#,
        ),
    ] {
        let experiment = ruled(games, table).unwrap();
        assert_eq!(
            (experiment.games, rule(&experiment)),
            (most, expected.to_owned())
        );
        let json = serde_json::to_string(&experiment).unwrap();
        assert_eq!(
            serde_json::from_str::<Experiment>(&json).unwrap(),
            experiment
        );
    }
    let fixed = serde_json::to_string(&ruled("games = 3", "").unwrap()).unwrap();
    assert!(!fixed.contains("stop"), "{fixed}");
}

#[expect(clippy::too_many_lines, reason = "a table of mistakes")]
#[test]
fn every_mistake_in_a_stop_rule_is_named_with_its_line() {
    for (games, table, line, expected) in [
        (
            "",
            "",
            1,
            "missing field `games`: expected a number of games a cell, or \"adaptive\"",
        ),
        (
            "games = \"many\"",
            "",
            4,
            "invalid type: string \"many\", expected a whole number or \"adaptive\"",
        ),
        (
            "games = 1.5",
            "",
            4,
            "expected a whole number or \"adaptive\"",
        ),
        (
            "games = \"adaptive\"",
            "",
            4,
            "without a budget: expected `[adaptive]`",
        ),
        (
            "games = 10",
            "[stop]\nhalf_width = 0.1",
            13,
            "`[stop]` stands beside `games`",
        ),
        (
            "games = 10",
            "[adaptive]\ntotal = 10",
            13,
            "`[adaptive]` without games = \"adaptive\"",
        ),
        (
            "",
            "[adaptive]\ntotal = 10",
            13,
            "`[adaptive]` without games = \"adaptive\"",
        ),
        (
            "",
            "[stop]\nhalf_width = 0.1\n[adaptive]\ntotal = 10",
            13,
            "stands beside `[adaptive]`",
        ),
        (
            "",
            "[stop]\nmin_games = 10",
            13,
            "missing field `half_width`",
        ),
        (
            "",
            "[stop]\nhalf_wdth = 0.1",
            14,
            "unknown field `half_wdth`",
        ),
        (
            "",
            "[stop]\nhalf_width = 0.5",
            14,
            "`half_width` = 0.5 is out of range: expected a number from 0.0001 to 0.499999",
        ),
        (
            "",
            "[stop]\nhalf_width = 0.12345678",
            14,
            "at most six decimals",
        ),
        ("", "[stop]\nhalf_width = \"0.1\"", 14, "invalid type"),
        (
            "",
            "[stop]\nhalf_width = 0.1\nmin_games = 0",
            15,
            "`min_games` = 0 is out of range",
        ),
        (
            "",
            "[stop]\nhalf_width = 0.1\nmin_games = 50\nmax_games = 49",
            16,
            "`max_games` = 49 is less than `min_games` = 50",
        ),
        (
            "",
            "[stop]\nhalf_width = 0.1\nconfidence = 1.0",
            15,
            "`confidence` = 1 is out of range: expected a number from 0.5 to 0.999999",
        ),
        (
            "games = \"adaptive\"",
            "[adaptive]\nmargin = 0.1",
            13,
            "missing field `total`",
        ),
        (
            "games = \"adaptive\"",
            "[adaptive]\ntotal = 1000\nmargin = 0",
            15,
            "`margin` = 0 is out of range",
        ),
        (
            "games = \"adaptive\"",
            "[adaptive]\ntotal = 1599",
            14,
            "expected at least 1600 (16 cells, min_games = 100 each)",
        ),
        (
            "games = \"adaptive\"",
            "[adaptive]\ntotal = 15920\nmin_games = 991",
            14,
            "expected at least 16000 (16 cells, min_games = 991 each, up to whole chunks)",
        ),
        (
            "games = 99999999999999999999999",
            "",
            4,
            "`games` = 99999999999999999999999 is out of range: expected a whole number from 1 to 1000000000",
        ),
    ] {
        let error = ruled(games, table).unwrap_err();
        assert!(error.message.contains(expected), "{table}: {error}");
        assert_eq!(error.line, line, "{table}: {error}");
    }
}
