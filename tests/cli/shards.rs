//! Runs in parts: what is planned, which parts are missing, and machines that
//! play other games.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::brandub::{brandub, change_manifest, fail, files, reseal, study, succeed};
use super::same_bytes::assert_same;

fn plan(at: &Path, arguments: &[&str]) -> Value {
    let all = [&["plan", "study.toml", "--json"], arguments].concat();
    serde_json::from_str(&succeed(at, &all).out).unwrap()
}

#[test]
fn a_plan_has_no_more_files_than_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = "name = 'few'\nseed = 1\ngames = 'adaptive'\n[adaptive]\ntotal = 30\n\
                min_games = 10\nmargin = 0.05\n[rules]\nbase = 'wtf'\n[[match]]\nagents = ['random']\n";
    fs::write(at.join("few.toml"), text).unwrap();
    let said = succeed(at, &["plan", "few.toml", "--seconds", "0", "--json"]);
    let plan: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        (&plan["games"], &plan["at_most"]),
        (&30.into(), &true.into())
    );
    assert!(plan["chunk_files"].as_u64().unwrap() <= 30, "{plan}");
}

#[test]
fn a_plan_counts_what_a_run_plays_and_shards_share_it() {
    let folder = study();
    let at = folder.path();
    let plan = plan(at, &["--seconds", "0.05", "--shards", "4"]);
    succeed(at, &["run", "study.toml", "--shard", "1-4/4", "-q"]);
    assert_eq!(plan["games"], 480);
    assert_eq!(plan["cells"], 12);
    assert_eq!(plan["at_most"], false);
    let pairs = plan["matches"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    let mut hours = 0.0;
    for pair in pairs {
        assert!(pair["games_played"].as_u64().unwrap() >= 4, "{pair}");
        let seconds = pair["seconds_a_game"].as_f64().unwrap();
        assert!(seconds > 0.0, "{pair}");
        hours += 160.0 * seconds / 3600.0;
    }
    let said = plan["cpu_hours"].as_f64().unwrap();
    assert!((hours / said - 1.0).abs() < 1e-9, "{hours} and {said}");
    let mut shares = 0.0;
    for shard in plan["shards"].as_array().unwrap() {
        let path = at.join("results").join(shard["folder"].as_str().unwrap());
        let text = fs::read(path.join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(manifest["games"], shard["games"], "{shard}");
        assert_eq!(manifest["experiment"], plan["experiment"]);
        let chunks = files(&path.join("games")).len();
        assert_eq!(shard["chunk_files"], chunks, "{shard}");
        shares += shard["cpu_hours"].as_f64().unwrap();
    }
    assert!((shares / said - 1.0).abs() < 1e-9, "{shares} and {said}");
}

#[test]
fn a_plan_without_games_knows_no_times_and_says_what_is_wrong() {
    let folder = study();
    let at = folder.path();
    let quick = plan(at, &["--seconds", "0"]);
    assert_eq!(quick["games"], 480);
    for unknown in [
        "cpu_hours",
        "cpu_hours_error",
        "disk_bytes",
        "suggested_shards",
    ] {
        assert_eq!(quick[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(quick["shards"], serde_json::json!([]));
    // What needs no games is there: who plays how many, and what shards have.
    let timed = plan(at, &["--seconds", "0.05"]);
    let pairs = quick["matches"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    for (pair, timed) in pairs.iter().zip(timed["matches"].as_array().unwrap()) {
        for same in ["attackers", "defenders", "games"] {
            assert_eq!(pair[same], timed[same], "{pair}");
        }
        assert_eq!(pair["games_played"], 0, "{pair}");
        for unknown in ["seconds_a_game", "seconds_error", "bytes_a_game"] {
            assert_eq!(pair[unknown], Value::Null, "{pair}");
        }
    }
    let halves = plan(at, &["--seconds", "0", "--shards", "2"]);
    let halves = halves["shards"].as_array().unwrap();
    let games: u64 = halves.iter().map(|of| of["games"].as_u64().unwrap()).sum();
    assert_eq!((halves.len(), games), (2, 480));
    assert!(halves.iter().all(|of| of["cpu_hours"] == Value::Null));
    let split = ["plan", "study.toml", "--seconds", "0", "--shards"];
    for (shards, said) in [
        ("1", "1 shard of 480 games\n"),
        ("2", "2 shards, each 240 games\n"),
        ("7", "7 shards, each "),
    ] {
        let out = succeed(at, &[&split[..], &[shards]].concat()).out;
        assert!(out.contains(said), "{out}");
    }
    let said = succeed(at, &["plan", "study.toml", "--seconds", "0.01"]);
    assert!(said.out.contains("12 cells, 480 games in"), "{}", said.out);
    // Games of milliseconds are not told in hours.
    assert!(said.out.contains(" seconds of one core"), "{}", said.out);
    assert!(said.out.contains("suggested: 1 shard"), "{}", said.out);
    fail(at, &["plan", "none.toml"], 2, &["cannot read none.toml"]);
    fail(
        at,
        &["plan", "study.toml", "--seconds", "4000"],
        2,
        &["expected seconds from 0 to 3600"],
    );
    let text = fs::read_to_string(at.join("study.toml")).unwrap();
    let adaptive =
        text.replace("games = 40", "games = \"adaptive\"") + "[adaptive]\ntotal = 2000\n";
    fs::write(at.join("adaptive.toml"), adaptive).unwrap();
    fail(
        at,
        &["plan", "adaptive.toml", "--shards", "2"],
        2,
        &["run it whole"],
    );
}

#[test]
fn one_command_plays_the_shards_that_a_merge_misses() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--out", "whole", "-q"]);
    let expected = files(&at.join("whole"));
    let run = |shards| {
        let all = ["run", "study.toml", "--results", "parts", "-q", "--shard"];
        [&all[..], &[shards]].concat()
    };
    succeed(at, &run("1,4/5"));
    let names = |shards: &[u32]| -> Vec<String> {
        let folder = |shard| format!("parts/study-shard-{shard}-of-5");
        shards.iter().map(folder).collect()
    };
    let merge = |shards: &[u32], rest: &[&str]| {
        let folders = names(shards);
        let folders = folders.iter().map(String::as_str);
        let mut all: Vec<&str> = ["merge"].into_iter().chain(folders).collect();
        all.extend(rest);
        brandub(at, &all)
    };
    let said = merge(&[1, 4], &["--out", "merged"]);
    assert_eq!(said.status, Some(2));
    assert!(
        said.err
            .contains("missing: shards 2-3,5/5\n`brandub run EXPERIMENT --shard 2-3,5/5`"),
        "{}",
        said.err
    );
    assert_eq!(merge(&[4, 1], &["--missing"]).out, "2-3,5\n");
    succeed(at, &run("2-3,5/5"));
    assert_eq!(merge(&[1, 2, 3, 4, 5], &["--missing"]).out, "\n");
    let said = merge(&[5, 4, 3, 2, 1], &["--out", "merged"]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert_same(&files(&at.join("merged")), &expected);
    fail(
        at,
        &["run", "study.toml", "--shard", "1-2/5", "--out", "x"],
        2,
        &["--out names one folder", "--results"],
    );
}

#[test]
fn a_shard_that_lists_a_chunk_twice_is_not_merged() {
    let folder = study();
    let at = folder.path();
    let words = [
        "run",
        "study.toml",
        "-q",
        "--games",
        "400",
        "--shard",
        "1,2/2",
    ];
    succeed(at, &words);
    let parts = [1, 2].map(|shard| format!("results/study-shard-{shard}-of-2"));
    let path = at.join(&parts[0]).join("manifest.json");
    let manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let names: Vec<&String> = manifest["files"].as_object().unwrap().keys().collect();
    let place = |name: &str| {
        let chunk = name.strip_prefix("games/")?.split_once('/')?;
        let (number, _) = chunk.1.split_once('-')?;
        Some((chunk.0.to_owned(), number.to_owned()))
    };
    let of_one_cell = |two: &&[&String]| match (place(two[0]), place(two[1])) {
        (Some(one), Some(other)) => one.0 == other.0,
        _ => false,
    };
    let two = names.windows(2).find(of_one_cell).unwrap();
    let [one, other] = [place(two[0]).unwrap(), place(two[1]).unwrap()];
    let twice = two[1].replace(&format!("/{}-", other.1), &format!("/{}-", one.1));
    // A manifest names its files in order.
    let mut ordered = [two[0].clone(), twice];
    ordered.sort_unstable();
    change_manifest(&path, |text| {
        let marked = text.replace(two[0], "<0>").replace(two[1], "<1>");
        marked
            .replace("<0>", &ordered[0])
            .replace("<1>", &ordered[1])
    });
    let told = format!(
        "lists chunk {} of cell {} twice",
        one.1.parse::<u64>().unwrap(),
        one.0
    );
    fail(
        at,
        &["merge", &parts[0], &parts[1], "--out", "merged"],
        1,
        &[&parts[0], &told],
    );
}

/// What a shard's files and its list do not bear out is not merged.
#[test]
fn forged_shards_are_not_merged() {
    let folder = study();
    let at = folder.path();
    let shards = ["run", "study.toml", "-q", "--shard"];
    succeed(at, &[&shards[..], &["1,2/2"]].concat());
    let parts = [1, 2].map(|shard| format!("results/study-shard-{shard}-of-2"));
    let honest = parts.each_ref().map(|part| files(&at.join(part)));
    let chunk = |shard: usize| {
        let mut names = honest[shard].keys();
        names.find(|name| name.starts_with("games/")).unwrap()
    };
    let second = at.join(&parts[1]);
    let refuse = |told: &[&str]| {
        let merge = ["merge", &parts[0], &parts[1], "--out", "merged"];
        fail(at, &merge, 1, told);
        assert!(!at.join("merged/winrates.csv").exists());
        // As it was.
        for (part, files) in parts.iter().zip(&honest) {
            fs::remove_dir_all(at.join(part).join("games")).unwrap();
            for (name, bytes) in files {
                let path = at.join(part).join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
    };

    let (name, bytes) = (chunk(1), &honest[1][chunk(1)]);
    let mut flipped = bytes.clone();
    *flipped
        .iter_mut()
        .rfind(|byte| byte.is_ascii_digit())
        .unwrap() ^= 1;
    fs::write(second.join(name), flipped).unwrap();
    refuse(&[name, "its bytes have checksum"]);

    let text = String::from_utf8(bytes.clone()).unwrap();
    let row = text.lines().nth(3).unwrap();
    let mut fields: Vec<&str> = row.split(',').collect();
    fields[7] = "1000000000";
    let renamed = reseal(&second, name, &text.replace(row, &fields.join(",")));
    refuse(&[&renamed, "line 4: `plies` is `1000000000`"]);

    let other = chunk(0);
    fs::create_dir_all(second.join(other).parent().unwrap()).unwrap();
    fs::copy(at.join(&parts[0]).join(other), second.join(other)).unwrap();
    let own = format!("    \"{name}\": ");
    let theirs = blake3::hash(&honest[0][other]).to_string();
    change_manifest(&second.join("manifest.json"), |list| {
        // In the order of their names, and as many as before.
        let (files, rest) = list.split_once("  \"files\": {\n").unwrap();
        let (lines, rest) = rest.split_once("\n  }").unwrap();
        let mut lines: Vec<String> = lines
            .lines()
            .map(|line| line.trim_end_matches(',').to_owned())
            .filter(|line| !line.starts_with(&own))
            .collect();
        lines.push(format!("    \"{other}\": \"{theirs}\""));
        lines.sort();
        format!("{files}  \"files\": {{\n{}\n  }}{rest}", lines.join(",\n"))
    });
    refuse(&[other, "is no chunk of shard 2/2"]);

    change_manifest(&second.join("manifest.json"), |list| {
        let lines = list.split_inclusive('\n');
        lines.filter(|line| !line.starts_with(&own)).collect()
    });
    refuse(&["its manifest lists", "chunk files, shard 2/2 has"]);

    // And what is honest is.
    succeed(at, &["merge", &parts[0], &parts[1], "--out", "merged"]);
}

/// What is missing is named, and how to have it again; what was merged before stays.
#[test]
fn a_merge_goes_on_when_a_lost_chunk_was_played_again() {
    let folder = study();
    let at = folder.path();
    let shards = ["run", "study.toml", "-q", "--shard"];
    succeed(at, &[&shards[..], &["1,2/2"]].concat());
    let parts = [1, 2].map(|shard| format!("results/study-shard-{shard}-of-2"));
    let chunks = files(&at.join(&parts[1]));
    let lost = chunks.keys().rfind(|name| name.starts_with("games/"));
    let lost = lost.unwrap();
    fs::remove_file(at.join(&parts[1]).join(lost)).unwrap();
    let merge = ["merge", &parts[0], &parts[1], "--out", "merged"];
    let again = "is not there, though its manifest lists it: run shard 2/2 again";
    fail(
        at,
        &merge,
        1,
        &[lost, again, "merged has what was merged before that"],
    );
    // Shards of another run have nothing there.
    let other = ["run", "study.toml", "-q", "--games", "8", "--shard", "1/1"];
    succeed(at, &[&other[..], &["--out", "other"]].concat());
    let said = brandub(at, &["merge", "other", "--out", "merged"]);
    assert_eq!(said.status, Some(2), "{}", said.err);
    assert!(!said.err.contains("was merged"), "{}", said.err);
    succeed(at, &[&shards[..], &["2/2"]].concat());
    succeed(at, &merge);
    assert_eq!(&files(&at.join(&parts[1])), &chunks);
    succeed(at, &["run", "study.toml", "-q", "--out", "whole"]);
    let games = |name: &str| {
        let mut all = files(&at.join(name));
        all.retain(|name, _| name.starts_with("games/"));
        all
    };
    assert_eq!(games("merged"), games("whole"));
}

#[test]
fn a_shard_of_a_machine_that_plays_other_games_is_not_merged() {
    let folder = study();
    let at = folder.path();
    succeed(at, &["run", "study.toml", "--shard", "1-2/2", "-q"]);
    let merge = |status, parts: &[&str]| {
        let one = "results/study-shard-1-of-2";
        let two = "results/study-shard-2-of-2";
        fail(at, &["merge", one, two, "--out", "merged"], status, parts);
    };
    let second = at.join("results/study-shard-2-of-2/manifest.json");
    let whole = fs::read_to_string(&second).unwrap();
    assert!(whole.contains("\"failed\": []"), "{whole}");
    let failed = "\"failed\": [\n      \"wtf: greedy against greedy\"\n    ]";
    change_manifest(&second, |text| text.replace("\"failed\": []", failed));
    merge(
        2,
        &[
            "missing: shard 2/2",
            "study-shard-2-of-2 (shard 2/2) failed the self-check",
            "wtf: greedy against greedy",
        ],
    );
    // Played by a program that made no check.
    change_manifest(&second, |_| {
        let (before, rest) = whole.split_once("  \"selfcheck\": {").unwrap();
        let (_, behind) = rest.split_once("  },\n").unwrap();
        format!("{before}{behind}")
    });
    merge(2, &["missing: shard 2/2", "has no self-check"]);

    // Here the check passes; the games are kept.
    succeed(at, &["run", "study.toml", "--shard", "2/2", "-q"]);
    assert_eq!(fs::read_to_string(&second).unwrap(), whole);
}

/// All that is committed, which a machine is held against; without optimization it would
/// take minutes.
#[cfg(not(debug_assertions))]
#[test]
fn every_committed_hash_is_that_of_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let said = succeed(folder.path(), &["selfcheck", "--json"]);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["passed"], true);
    let quick = succeed(folder.path(), &["selfcheck", "--quick", "--json"]);
    let quick: Value = serde_json::from_str(&quick.out).unwrap();
    let hashes = |report: &Value| -> Vec<String> {
        let cells = report["cells"].as_array().unwrap().iter();
        cells.map(|cell| cell["expected"].to_string()).collect()
    };
    // Other games than those of the quick check.
    let (all, few) = (hashes(&report), hashes(&quick));
    assert!(all.len() >= few.len() && all != few, "{all:?}");
}

#[test]
fn a_machine_whose_games_are_others_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let said = succeed(at, &["selfcheck", "--quick"]);
    assert!(said.out.contains("all as committed"), "{}", said.out);
    let committed = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/experiment/selfcheck/hashes.toml"
    );
    let text = fs::read_to_string(committed).unwrap();
    let place = text.find("blake3 = \"").unwrap() + 10;
    let other = format!(
        "{}{}{}",
        &text[..place],
        "0".repeat(64),
        &text[place + 64..]
    );
    let many = text.replacen("games = ", "games = 99999999999", 1);
    fs::write(at.join("many.toml"), many).unwrap();
    let against = ["selfcheck", "--against", "many.toml"];
    fail(
        at,
        &against,
        2,
        &["many.toml has hashes of [99999999999", "expected ["],
    );
    // One cell of many, as of a file that was cut off.
    let few: Vec<&str> = text.split("[cells.").take(4).collect();
    fs::write(at.join("many.toml"), few.join("[cells.")).unwrap();
    fail(at, &against, 2, &["many.toml has no hashes of cell "]);
    let long = text.replacen("blake3 = \"", "blake3 = \"0", 1);
    fs::write(at.join("many.toml"), long).unwrap();
    fail(at, &against, 2, &["expected 64 hexadecimal digits"]);
    fs::write(at.join("other.toml"), other).unwrap();
    let said = brandub(
        at,
        &["selfcheck", "--quick", "--json", "--against", "other.toml"],
    );
    assert_eq!(said.status, Some(1), "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["passed"], false);
    let cells = report["cells"].as_array().unwrap();
    let others = cells.iter().filter(|cell| cell["agrees"] == false);
    for cell in others.clone() {
        assert_eq!(cell["expected"], "0".repeat(64));
    }
    assert!(others.count() >= 1);
    fs::write(at.join("none.toml"), "x = 1").unwrap();
    fail(
        at,
        &["selfcheck", "--against", "none.toml"],
        2,
        &["none.toml is no file of hashes"],
    );
}
