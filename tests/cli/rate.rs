//! `brandub rate`: from a round robin to strengths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::brandub::{change_manifest, fail, files, number, rows, succeed};

/// Four agents, each plainly stronger than the one before, under two rulesets.
const LADDER: &str = r#"
name = "small-ladder"
seed = 11
games = 24
ply_limit = 200
pairing = "common"
[rules]
presets = ["wtf", "walker-2011"]
[opening]
random_plies = 3
[[match]]
agents = ["random", "greedy", "alphabeta:depth=1", "alphabeta:depth=3"]
cross = true
"#;

fn ladder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ladder.toml"), LADDER).unwrap();
    folder
}

#[test]
fn stronger_agents_have_higher_ratings_in_every_scope() {
    let folder = ladder();
    let at = folder.path();
    let said = succeed(at, &["rate", "ladder.toml", "--out", "r", "-q"]);
    for part in [
        "all rulesets",
        "alphabeta:depth=3",
        "advantage",
        "r/ratings.csv",
    ] {
        assert!(said.out.contains(part), "no {part} in {}", said.out);
    }
    let ratings = rows(at.join("r/ratings.csv"));
    assert_eq!(ratings.len(), 3 * 4);
    for scope in ratings.chunks(4) {
        let elo: Vec<f64> = scope.iter().map(|row| number(row, "both_elo")).collect();
        assert!(
            elo[0] < elo[1] && elo[1] < elo[3] && elo[2] < elo[3],
            "{elo:?}"
        );
        // Against the mean of all, where all have bounds.
        let bounded = scope.iter().all(|row| row["both_open"].is_empty());
        assert!(!bounded || elo.iter().sum::<f64>().abs() < 0.05, "{elo:?}");
        for row in scope {
            let games: f64 = ["won", "lost", "drawn", "stopped"]
                .iter()
                .map(|what| number(row, &format!("attacking_{what}")))
                .sum();
            let rulesets = if row["scope"] == "all" { 2.0 } else { 1.0 };
            assert!((games - rulesets * 4.0 * 24.0).abs() < 0.5);
            assert_eq!(row["resamples"], "1000");
        }
    }
    let steps = rows(at.join("r/steps.csv"));
    assert_eq!(steps.len(), 3 * 3);
    assert_eq!((&*steps[0]["from"], &*steps[0]["to"]), ("random", "greedy"));
    let gain = number(&ratings[1], "both_elo") - number(&ratings[0], "both_elo");
    assert!((number(&steps[0], "both_elo") - gain).abs() < 0.02);
    let sides = rows(at.join("r/sides.csv"));
    assert_eq!(sides.len(), 2 + 2);
    for row in &sides {
        let score = number(row, "score_share");
        assert!(number(row, "score_low") <= score && score <= number(row, "score_high"));
    }
    let verified = succeed(at, &["verify", "r"]);
    assert!(
        verified.out.contains("all as the manifest says"),
        "{}",
        verified.out
    );
}

#[test]
fn a_folder_another_thread_and_a_second_run_change_no_byte() {
    let folder = ladder();
    let at = folder.path();
    succeed(
        at,
        &[
            "rate",
            "ladder.toml",
            "--out",
            "one",
            "-q",
            "--threads",
            "1",
        ],
    );
    let expected = files(&at.join("one"));
    assert!(expected.contains_key("ratings.csv"));
    succeed(
        at,
        &["run", "ladder.toml", "--out", "two", "-q", "--threads", "3"],
    );
    assert!(!at.join("two/ratings.csv").exists());
    succeed(at, &["rate", "two", "--threads", "2"]);
    assert!(
        files(&at.join("two")) == expected,
        "a folder rated later differs"
    );
    // Playing what is there already keeps the ratings.
    succeed(at, &["run", "ladder.toml", "--out", "two", "-q"]);
    assert!(
        files(&at.join("two")) == expected,
        "a second run changed the folder"
    );
    // So does playing again what was lost.
    let chunk = expected.keys().find(|name| name.starts_with("games/"));
    fs::remove_file(at.join("two").join(chunk.unwrap())).unwrap();
    succeed(at, &["run", "ladder.toml", "--out", "two", "-q"]);
    assert!(
        files(&at.join("two")) == expected,
        "a chunk played again changed the folder"
    );
    succeed(at, &["verify", "two"]);
    for shard in ["1/2", "2/2"] {
        succeed(at, &["run", "ladder.toml", "--shard", shard, "-q"]);
    }
    let parts = [1, 2].map(|index| format!("results/small-ladder-shard-{index}-of-2"));
    fail(
        at,
        &["rate", &parts[0]],
        2,
        &["is shard 1/2", "brandub merge"],
    );
    succeed(at, &["merge", &parts[0], &parts[1], "--out", "merged"]);
    succeed(at, &["rate", "merged", "-q"]);
    assert!(
        files(&at.join("merged")) == expected,
        "a merged folder differs"
    );

    let changed = fs::read_to_string(at.join("two/ratings.csv")).unwrap();
    fs::write(
        at.join("two/ratings.csv"),
        changed.replacen("greedy", "greedi", 1),
    )
    .unwrap();
    let verified = super::brandub::brandub(at, &["verify", "two"]);
    assert_eq!(verified.status, Some(1));
    assert!(verified.out.contains("ratings.csv"), "{}", verified.out);
}

#[test]
fn the_same_index_has_the_same_opening_whoever_plays() {
    let folder = ladder();
    let at = folder.path();
    succeed(at, &["rate", "ladder.toml", "--out", "r", "-q"]);
    let mut openings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut cells = 0;
    for entry in fs::read_dir(at.join("r/games")).unwrap() {
        cells += 1;
        for file in fs::read_dir(entry.unwrap().path()).unwrap() {
            for row in rows(file.unwrap().path()) {
                let seen = openings.entry(row["game"].clone()).or_default();
                seen.insert(row["opening"].clone());
            }
        }
    }
    assert_eq!((cells, openings.len()), (32, 24));
    assert!(
        openings.values().all(|seen| seen.len() == 1),
        "{openings:?}"
    );
    let different: BTreeSet<_> = openings.values().flatten().collect();
    assert!(different.len() > 20);
}

#[test]
fn a_folder_is_rated_without_a_change_where_that_is_asked() {
    let folder = ladder();
    let at = folder.path();
    succeed(at, &["run", "ladder.toml", "--out", "r", "-q"]);
    let before = files(&at.join("r"));
    let shown = succeed(at, &["rate", "r", "--terminal"]).out;
    let json = succeed(at, &["rate", "r", "--terminal", "--json"]).out;
    assert!(files(&at.join("r")) == before);
    let kept = succeed(at, &["rate", "r"]).out;
    let place = kept.strip_prefix(&shown).expect("the same tables");
    assert!(place.ends_with(" r/winrates.csv\n"), "{place}");
    assert_eq!(place.lines().count(), 1);
    assert_eq!(succeed(at, &["rate", "r", "--json"]).out, json);
    let none = ["rate", "ladder.toml", "--terminal"];
    fail(
        at,
        &none,
        2,
        &["--terminal: ladder.toml is no result folder"],
    );
}

/// What has been played can be rated without who played it.
#[cfg(unix)]
#[test]
fn a_folder_is_rated_where_its_engines_are_gone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let engine = at.join("engine");
    fs::copy(env!("CARGO_BIN_EXE_brandub"), &engine).unwrap();
    let external = format!("external:{} engine random", engine.display());
    let agents = format!("[\"random\", \"greedy\", \"{external}\"]");
    let all = r#"["random", "greedy", "alphabeta:depth=1", "alphabeta:depth=3"]"#;
    let text = LADDER
        .replace(all, &agents)
        .replace("games = 24", "games = 4");
    fs::write(at.join("ladder.toml"), text).unwrap();
    succeed(at, &["run", "ladder.toml", "--out", "r", "-q"]);
    fs::remove_file(&engine).unwrap();
    let rated = succeed(at, &["rate", "r"]);
    assert!(rated.out.contains("external:"), "{}", rated.out);
    succeed(at, &["run", "ladder.toml", "--out", "r", "-q"]);
    // Who has to play must be there, in a folder of before as in a new one.
    let mut games = files(&at.join("r")).into_keys();
    let game = games.rfind(|name| name.starts_with("games/")).unwrap();
    fs::remove_file(at.join("r").join(game)).unwrap();
    let missing = ["no program", "engine"];
    fail(at, &["run", "ladder.toml", "--out", "r"], 2, &missing);
    fail(at, &["run", "ladder.toml", "--out", "new"], 2, &missing);
    assert!(!at.join("new").exists());
}

#[test]
fn ratings_stay_with_the_games_that_they_are_of() {
    let folder = ladder();
    let at = folder.path();
    succeed(at, &["run", "ladder.toml", "--shard", "1-2/2", "-q"]);
    let parts = [1, 2].map(|shard| format!("results/small-ladder-shard-{shard}-of-2"));
    let merge = ["merge", &parts[0], &parts[1], "--out", "m"];
    succeed(at, &merge);
    succeed(at, &["rate", "m"]);
    let rated = files(&at.join("m"));
    assert!(rated.contains_key("ratings.csv"));
    succeed(at, &merge);
    assert!(files(&at.join("m")) == rated);
    succeed(at, &["verify", "m"]);
    // A game that is played again is the same one.
    let game = rated.keys().rfind(|name| name.starts_with("games/"));
    fs::remove_file(at.join("m").join(game.unwrap())).unwrap();
    let run = ["run", "ladder.toml", "--out", "m", "-q"];
    succeed(at, &run);
    let again = files(&at.join("m"));
    assert_eq!(again["ratings.csv"], rated["ratings.csv"]);
    // An interruption leaves them in no list.
    change_manifest(&at.join("m/manifest.json"), |text| {
        let kept = text.lines().filter(|line| {
            let rating = ["ratings.csv", "sides.csv", "steps.csv"];
            !rating.iter().any(|name| line.contains(name))
        });
        kept.collect::<Vec<_>>().join("\n") + "\n"
    });
    succeed(at, &run);
    assert!(!at.join("m/ratings.csv").exists());
    succeed(at, &["verify", "m"]);
}

#[test]
fn json_has_what_the_files_have() {
    let folder = ladder();
    let at = folder.path();
    let said = succeed(at, &["rate", "ladder.toml", "--out", "r", "-q", "--json"]);
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let rating = &json["scopes"][0]["agents"][3];
    let row = &rows(at.join("r/ratings.csv"))[3];
    assert_eq!(rating["agent"], *row["agent"]);
    let elo = rating["strengths"]["attackers"]["elo"].as_f64().unwrap();
    assert_eq!(format!("{elo:.2}"), row["attackers_elo"]);
    let open = rating["strengths"]["attackers"]["open"]
        .as_str()
        .unwrap_or("");
    assert_eq!(open, row["attackers_open"]);
}

#[test]
fn what_cannot_be_rated_is_refused_before_a_game() {
    let folder = ladder();
    let at = folder.path();
    let agents = r#"agents = ["random", "greedy", "alphabeta:depth=1", "alphabeta:depth=3"]"#;
    let pair = "attackers = \"random\"\ndefenders = \"greedy\"";
    for (from, to, parts) in [
        (
            "pairing = \"common\"",
            "",
            ["bad.toml", "expected pairing = \"common\""],
        ),
        (
            "cross = true",
            "",
            ["bad.toml", "no chain of matches joins random"],
        ),
        (
            agents,
            "agents = [\"random\"]",
            ["bad.toml", "at least two agents"],
        ),
        (
            &format!("{agents}\ncross = true"),
            pair,
            ["random attacks greedy", "both roles"],
        ),
        ("games = 24", "games = 1", ["bad.toml", "games = 2 or more"]),
    ] {
        let text = LADDER.replace(from, to);
        assert_ne!(text, LADDER);
        fs::write(at.join("bad.toml"), text).unwrap();
        fail(at, &["rate", "bad.toml", "--out", "r"], 2, &parts);
        assert!(!at.join("r").exists());
    }
    fail(at, &["rate", "none.toml"], 2, &["cannot read none.toml"]);
    fs::create_dir(at.join("empty")).unwrap();
    fail(at, &["rate", "empty"], 2, &["empty", "no result folder"]);
    succeed(at, &["run", "ladder.toml", "--out", "r", "-q"]);
    fail(at, &["rate", "r", "--games", "3"], 2, &["rated as it is"]);
    // One chunk is lost: nothing is played in its place.
    let cell = fs::read_dir(at.join("r/games"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let chunk = fs::read_dir(cell.path()).unwrap().next().unwrap().unwrap();
    fs::remove_file(chunk.path()).unwrap();
    fail(
        at,
        &["rate", "r"],
        1,
        &["of 768 games are there", "brandub run"],
    );
    assert!(!chunk.path().exists());
}
