//! Folders whose checksums are all right and whose contents are not.

use std::fs;

use super::brandub::{brandub, change_manifest, fail, files, reseal, study, succeed};

#[test]
fn a_row_that_no_game_gives_is_named_without_playing() {
    let folder = study();
    let at = folder.path();
    let run = ["run", "study.toml", "--out", "r", "--games", "20", "-q"];
    succeed(at, &run);
    let all = files(&at.join("r"));
    let (name, bytes) = all
        .iter()
        .find(|(name, _)| name.starts_with("games/"))
        .unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let row = text.lines().nth(3).unwrap();
    let mut fields: Vec<&str> = row.split(',').collect();
    fields[7] = "1000000000";
    let forged = text.replace(row, &fields.join(","));
    let renamed = reseal(&at.join("r"), name, &forged);
    let said = brandub(at, &["verify", "r", "--sample", "0"]);
    assert_eq!(said.status, Some(1), "{}", said.out);
    let finding =
        format!("{renamed}: line 4: `plies` is `1000000000`, expected a whole number, 0 to 120");
    assert!(said.out.contains(&finding), "{}", said.out);
    assert_eq!(said.out.matches(&renamed).count(), 1, "{}", said.out);
}

#[test]
fn a_manifest_of_another_schema_is_told_by_its_number() {
    let folder = study();
    let at = folder.path();
    let run = ["run", "study.toml", "--out", "r", "--games", "1", "-q"];
    succeed(at, &run);
    change_manifest(&at.join("r/manifest.json"), |honest| {
        honest.replace("\"schema\": 3,", "\"schema\": 4,\n  \"new\": true,")
    });
    let expected = ["manifest.json: has schema 4, this program reads 3"];
    fail(at, &["verify", "r"], 1, &expected);
}

/// Games of other players are not gone on with, played again or put beside these.
#[test]
fn games_of_another_play_revision_are_left_alone() {
    let folder = study();
    let at = folder.path();
    let run = ["run", "study.toml", "-q", "--games", "4"];
    succeed(at, &[&run[..], &["--out", "r"]].concat());
    succeed(at, &[&run[..], &["--shard", "1,2/2"]].concat());
    let (one, two) = ("results/study-shard-1-of-2", "results/study-shard-2-of-2");
    let revision = brandub::experiment::PLAY_REVISION;
    let (here, there) = (revision.to_string(), (revision - 1).to_string());
    for folder in ["r", two] {
        change_manifest(&at.join(folder).join("manifest.json"), |honest| {
            let own = format!("\"play_revision\": {here}");
            assert_eq!(honest.matches(&own).count(), 1);
            honest.replace(&own, &format!("\"play_revision\": {there}"))
        });
    }
    let before = files(at);
    let differs = format!("play_revision is {there} there and {here} here");
    let again = [&run[..], &["--out", "r"]].concat();
    fail(at, &again, 2, &["r", &differs]);
    let replay = ["replay", "r", "--cell", "0", "--game", "0"];
    fail(
        at,
        &replay,
        2,
        &[&format!("was played by revision {there}")],
    );
    fail(
        at,
        &["merge", one, two, "--out", "m"],
        2,
        &["play_revision"],
    );
    let of_games = "nodes = 10\nmemory = '1MiB'\n[games]\nresults = 'r'\neach = 1\n\
                    from_ply = 8\nbefore_end = 4\nseed = 1\n";
    fs::write(at.join("of-games.toml"), of_games).unwrap();
    let solve = ["solve", "--study", "of-games.toml", "--out", "s"];
    fail(at, &solve, 2, &[&format!("was played by revision {there}")]);
    fs::remove_file(at.join("of-games.toml")).unwrap();
    // Without its games to be had again, what can be checked of them is.
    let verified = brandub(at, &["verify", "r"]);
    assert!(
        verified.out.contains("games, 0 played again"),
        "{}",
        verified.out
    );
    assert_eq!(files(at), before);
}

#[test]
fn another_sample_is_played_again_each_time() {
    let folder = study();
    let at = folder.path();
    succeed(
        at,
        &["run", "study.toml", "--out", "small", "--games", "40", "-q"],
    );
    let path = at.join("small/manifest.json");
    let verify = |more: &[&str]| {
        let words = [&["verify", "small", "--sample", "3", "--json"], more].concat();
        let said: serde_json::Value = serde_json::from_str(&brandub(at, &words).out).unwrap();
        (
            said["sample_seed"].as_u64().unwrap(),
            said["findings"].clone(),
        )
    };
    assert_ne!(verify(&[]).0, verify(&[]).0);
    // All games are those of another seed: what is found is what was looked at.
    let all = fs::read_to_string(&path).unwrap();
    let other = all
        .split("\"seed\": ")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap();
    let (from, to) = (format!("\"seed\": {other}"), "\"seed\": 99".to_owned());
    change_manifest(&path, |honest| honest.replace(&from, &to));
    let looked_at = |seed: &str| verify(&["--sample-seed", seed]).1;
    assert_eq!(looked_at("5"), looked_at("5"));
    assert!((6..20).any(|seed: u64| looked_at(&seed.to_string()) != looked_at("5")));
}

#[test]
fn values_that_no_run_has_are_refused_in_a_manifest() {
    let folder = study();
    let at = folder.path();
    succeed(
        at,
        &["run", "study.toml", "--shard", "1/2", "--out", "s", "-q"],
    );
    let path = at.join("s/manifest.json");
    let honest = fs::read_to_string(&path).unwrap();
    let shard = |index: u64, count: u64| {
        let (before, rest) = honest.split_once("\"shard\": {").unwrap();
        let after = rest.split_once('}').unwrap().1;
        format!(
            "{before}\"shard\": {{\n    \"index\": {index},\n    \"count\": {count}\n  }}{after}"
        )
    };
    assert_eq!(shard(1, 2), honest);
    let number = |key: &str, value: &str| {
        let (before, rest) = honest.split_once(&format!("\"{key}\": ")).unwrap();
        format!(
            "{before}\"{key}\": {value},{}",
            rest.split_once(',').unwrap().1
        )
    };
    let cases = [
        (shard(1, 0), "`shard` = 1 of 0"),
        (shard(0, 2), "`shard` = 0 of 2"),
        (shard(9, 2), "`shard` = 9 of 2"),
        (shard(1, 4_294_967_295), "`shard` = 1 of 4294967295"),
        (
            number("games", "18446744073709551615"),
            "`games` = 18446744073709551615",
        ),
        (number("games", "0"), "`games` = 0"),
        (number("ply_limit", "0"), "`ply_limit` = 0"),
        (number("random_plies", "101"), "`random_plies` = 101"),
    ];
    for (text, problem) in cases {
        fs::write(&path, &honest).unwrap();
        change_manifest(&path, |_| text.clone());
        for words in [&["verify", "s"][..], &["merge", "s", "--out", "m"]] {
            let said = brandub(at, words);
            assert_eq!(said.status, Some(1), "{words:?}");
            for part in [problem, "manifest.json", "expected"] {
                assert!(said.err.contains(part), "{problem}: {}", said.err);
            }
        }
    }
}

/// A rule is one that an experiment may have, and cells are the experiment's.
#[test]
fn a_rule_and_cells_that_no_run_has_are_refused_in_a_manifest() {
    let folder = study();
    let at = folder.path();
    let text = fs::read_to_string(at.join("study.toml")).unwrap();
    let rule = "[stop]\nhalf_width = 0.4\nmin_games = 4\nmax_games = 8\n";
    fs::write(
        at.join("study.toml"),
        text.replace("games = 40\n", "") + rule,
    )
    .unwrap();
    succeed(at, &["run", "study.toml", "--out", "r", "-q"]);
    let path = at.join("r/manifest.json");
    let honest = fs::read_to_string(&path).unwrap();
    let forge = |from: &str, to: &str| {
        assert_eq!(honest.matches(from).count(), 1, "{from}");
        fs::write(&path, &honest).unwrap();
        change_manifest(&path, |text| text.replace(from, to));
    };
    for (from, to, problem) in [
        (
            "\"half_width\": 0.4",
            "\"half_width\": 0.0",
            "`half_width` = 0: expected a number from",
        ),
        (
            "\"min_games\": 4",
            "\"min_games\": 9",
            "`min_games` = 9: expected a whole number from 1 to 8",
        ),
        (
            "\"confidence\": 0.95",
            "\"confidence\": 0.1",
            "`confidence` = 0.1: expected a number from",
        ),
    ] {
        forge(from, to);
        fail(at, &["verify", "r"], 1, &["manifest.json", problem]);
    }
    // One cell is taken away.
    let (before, cells) = honest.split_once("\"cells\": [").unwrap();
    let rest = cells.split_once("},").unwrap().1;
    fs::write(&path, &honest).unwrap();
    change_manifest(&path, |_| format!("{before}\"cells\": [{rest}"));
    for words in [
        &["verify", "r"][..],
        &["replay", "r", "--cell", "0", "--game", "0"],
    ] {
        fail(at, words, 1, &["`cells` has 11: expected 12"]);
    }
}

#[test]
fn tables_are_checked_before_the_end_and_where_nobody_lists_them() {
    let folder = study();
    let at = folder.path();
    succeed(
        at,
        &["run", "study.toml", "--out", "small", "--games", "40", "-q"],
    );
    let small = at.join("small");
    fs::write(small.join("steps.csv"), "forged\n").unwrap();
    let said = brandub(at, &["verify", "small", "--sample", "0"]);
    assert_eq!(said.status, Some(1), "{}", said.out);
    assert!(
        said.out.contains("steps.csv: is not in the manifest"),
        "{}",
        said.out
    );
    fs::remove_file(small.join("steps.csv")).unwrap();
    // A run that is not finished has tables, too.
    let table = small.join("winrates.csv");
    let honest = fs::read_to_string(&table).unwrap();
    let forged = honest.replacen("study", "STUDY", 1);
    let forged = if forged == honest {
        honest.replacen(',', ",1", 1)
    } else {
        forged
    };
    fs::write(&table, &forged).unwrap();
    let sum = |text: &str| blake3::hash(text.as_bytes()).to_string();
    change_manifest(&small.join("manifest.json"), |text| {
        text.replace("\"status\": \"complete\"", "\"status\": \"incomplete\"")
            .replace(&sum(&honest), &sum(&forged))
    });
    let said = brandub(at, &["verify", "small", "--sample", "0"]);
    assert_eq!(said.status, Some(1), "{}", said.out);
    assert!(
        said.out
            .contains("winrates.csv: is not what the games give"),
        "{}",
        said.out
    );
}

#[test]
fn a_manifest_whose_rulesets_are_not_those_of_its_experiment_is_told() {
    let folder = study();
    let at = folder.path();
    let run = ["run", "study.toml", "--out", "r", "--games", "1", "-q"];
    succeed(at, &run);
    let path = at.join("r/manifest.json");
    let honest = fs::read_to_string(&path).unwrap();
    let (before, block) = honest.split_once("\n  \"rulesets\": [").unwrap();
    for member in ["\"id\": \"", "\"label\": \"", "\"king_armed\": "] {
        let (start, rest) = block.split_once(member).unwrap();
        let (value, end) = rest.split_once([',', '"']).unwrap();
        let other = match value {
            "true" => "false,".to_owned(),
            "false" => "true,".to_owned(),
            value => format!("{}\"", value.replace(['a', 'e', '0', '1'], "x")),
        };
        fs::write(&path, &honest).unwrap();
        let forged = format!("{before}\n  \"rulesets\": [{start}{member}{other}{end}");
        change_manifest(&path, |_| forged.clone());
        let said = brandub(at, &["verify", "r", "--sample", "0"]);
        assert_eq!(said.status, Some(1), "{member}: {}", said.out);
        let told = "manifest.json: is not what this program would write: rulesets[0].";
        assert!(said.out.contains(told), "{member}: {}", said.out);
    }
}

#[test]
fn the_games_of_an_unfinished_run_are_counted_too() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--out", "r", "-q"]);
    let path = at.join("r/manifest.json");
    let unfinished = |games: u64| {
        change_manifest(&path, |text| {
            let (before, rest) = text.rsplit_once("\"games\": ").unwrap();
            let (_, after) = rest.split_once(',').unwrap();
            let text = format!("{before}\"games\": {games},{after}");
            text.replace("\"complete\"", "\"incomplete\"")
        });
        brandub(at, &["verify", "r", "--sample", "0"])
    };
    let said = unfinished(480);
    assert_eq!(said.status, Some(0), "{}", said.out);
    let said = unfinished(7);
    assert_eq!(said.status, Some(1), "{}", said.out);
    let told = "manifest.json: says 7 games, the files of its list that can be read hold 480";
    assert!(said.out.contains(told), "{}", said.out);
}

#[test]
fn what_does_not_belong_beside_the_games_hides_nothing() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--out", "r", "-q"]);
    let games = at.join("r/games");
    fs::write(games.join("notes.txt"), "mine").unwrap();
    let all = files(&at.join("r"));
    let chunk = all.keys().find(|name| name.starts_with("games/")).unwrap();
    let cell = at.join("r").join(chunk);
    fs::write(cell.with_file_name("notes.txt"), "mine").unwrap();
    fs::remove_file(&cell).unwrap();
    let said = brandub(at, &["verify", "r"]);
    assert_eq!(said.status, Some(1), "{}", said.out);
    for told in [
        "games/notes.txt: is no cell of this run",
        "notes.txt: is no chunk file's name",
        "chunk 0 is missing",
        "played again",
    ] {
        assert!(said.out.contains(told), "{told}: {}", said.out);
    }
    assert!(!said.out.contains(" 0 games"), "{}", said.out);
}

/// Who played the games that were there is not forgotten by who plays the rest.
#[test]
fn a_run_that_another_build_goes_on_with_names_both() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--out", "r", "-q"]);
    let path = at.join("r/manifest.json");
    let commit = |text: &str| {
        let rest = text.split_once("\"commit\": \"").unwrap().1.to_owned();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let own = commit(&fs::read_to_string(&path).unwrap());
    change_manifest(&path, |text| {
        text.replace(&format!("\"{own}\""), "\"0123456789ab\"")
    });
    let there = || commit(&fs::read_to_string(&path).unwrap());
    succeed(at, &["run", "study.toml", "--out", "r", "-q"]);
    assert_eq!(there(), "0123456789ab");
    let all = files(&at.join("r"));
    let chunk = all.keys().find(|name| name.starts_with("games/")).unwrap();
    fs::remove_file(at.join("r").join(chunk)).unwrap();
    for _ in 0..2 {
        succeed(at, &["run", "study.toml", "--out", "r", "-q"]);
        let mut both = ["0123456789ab", own.as_str()];
        both.sort_unstable();
        assert_eq!(there(), both.join(", "));
    }
    succeed(at, &["verify", "r"]);
}
