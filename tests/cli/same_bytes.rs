//! The same experiment gives the same bytes: on any number of threads, after
//! interruptions of every kind, from shards, and as committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::brandub::{brandub, change_manifest, fail, files, is_cut, study, succeed};

/// The study's files as one undisturbed thread makes them.
fn undisturbed(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    succeed(
        folder,
        &[
            "run",
            "study.toml",
            "--out",
            "whole",
            "--threads",
            "1",
            "-q",
        ],
    );
    files(&folder.join("whole"))
}

/// The chunk files below a folder that may be written to right now.
pub fn count_chunks(folder: &Path) -> usize {
    let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten();
    entries(&folder.join("games"))
        .flat_map(|cell| entries(&cell.path()))
        .filter(|file| file.path().extension().is_some_and(|kind| kind == "csv"))
        .count()
}

/// Runs the study in the folder `killed` until so many more chunks are there, and kills it.
/// One thread plays, so that it takes a while on any machine. Where all chunks are there by
/// then, that run is thrown away and begun anew.
pub fn kill_after(at: &Path, more: usize, all: usize) {
    let folder = at.join("killed");
    let words = [
        "run",
        "study.toml",
        "--out",
        "killed",
        "-q",
        "--threads",
        "1",
    ];
    for _ in 0..20 {
        let wanted = count_chunks(&folder) + more;
        let is_killed = is_cut(at, &words, || count_chunks(&folder) >= wanted);
        if is_killed && count_chunks(&folder) < all {
            return;
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    panic!("no run was killed in its middle");
}

pub fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected));
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{name} has other bytes");
    }
}

#[test]
fn threads_a_second_run_and_a_kill_change_no_byte() {
    let folder = study();
    let at = folder.path();
    let expected = undisturbed(at);
    assert!(expected.len() > 15, "{} files", expected.len());

    succeed(
        at,
        &[
            "run",
            "study.toml",
            "--out",
            "threads",
            "--threads",
            "3",
            "-q",
        ],
    );
    assert_same(&files(&at.join("threads")), &expected);

    let again = succeed(at, &["run", "study.toml", "--out", "threads"]);
    assert!(
        again.err.contains("480 of 480 games are there already"),
        "{}",
        again.err
    );
    assert_same(&files(&at.join("threads")), &expected);

    // Killed at several instants of the same run, without a chance to tidy.
    let all = count_chunks(&at.join("whole"));
    for _ in 0..5 {
        kill_after(at, 2, all);
    }
    // What a process leaves that is killed in the middle of a write.
    let cell = fs::read_dir(at.join("killed/games"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    fs::write(
        cell.path().join(".000003-0123456789abcdef.csv.99.tmp"),
        "cell,rul",
    )
    .unwrap();
    succeed(at, &["run", "study.toml", "--out", "killed", "-q"]);
    assert_same(&files(&at.join("killed")), &expected);
}

#[test]
fn shards_merge_into_the_same_folder_in_any_order() {
    let folder = study();
    let at = folder.path();
    let expected = undisturbed(at);
    for shard in ["1/3", "2/3", "3/3"] {
        succeed(at, &["run", "study.toml", "--shard", shard, "-q"]);
    }
    let [one, two, three] = [1, 2, 3].map(|index| format!("results/study-shard-{index}-of-3"));
    fail(
        at,
        &["merge", &one, &three, "--out", "merged"],
        2,
        &["missing: shard 2/3"],
    );
    fail(
        at,
        &["merge", &one, &two, &one, "--out", "merged"],
        2,
        &["are both shard 1/3", &one],
    );
    fail(
        at,
        &["merge", &one, "whole", "--out", "merged"],
        2,
        &["whole is a whole run"],
    );
    assert!(!at.join("merged").exists());

    succeed(at, &["merge", &three, &one, &two, "--out", "merged"]);
    assert_same(&files(&at.join("merged")), &expected);
    succeed(at, &["merge", &one, &two, &three, "--out", "merged"]);
    assert_same(&files(&at.join("merged")), &expected);

    let of = |file| {
        [
            "merge",
            &one,
            &two,
            &three,
            "--experiment",
            file,
            "--out",
            "merged",
        ]
    };
    succeed(at, &of("study.toml"));
    assert_same(&files(&at.join("merged")), &expected);
    let text = fs::read_to_string(at.join("study.toml")).unwrap();
    let changed = text.replace("ply_limit = 120", "ply_limit = 119");
    assert_ne!(changed, text);
    fs::write(at.join("changed.toml"), changed).unwrap();
    let told = [
        &one,
        "is no shard of changed.toml: experiment.ply_limit is 120 there",
    ];
    fail(at, &of("changed.toml"), 2, &told.map(|part: &str| part));

    succeed(
        at,
        &[
            "run",
            "study.toml",
            "--shard",
            "2/3",
            "--seed",
            "8",
            "--out",
            "other",
            "-q",
        ],
    );
    fail(
        at,
        &["merge", &one, "other", &three, "--out", "x"],
        2,
        &["different runs", "experiment.seed is 7 there and 8 here"],
    );
    succeed(
        at,
        &[
            "run",
            "study.toml",
            "--shard",
            "2/4",
            "--out",
            "fourth",
            "-q",
        ],
    );
    fail(
        at,
        &["merge", &one, "fourth", &three, "--out", "x"],
        2,
        &["fourth is shard 2/4", "one of 3"],
    );
}

#[test]
fn a_shard_without_its_manifest_or_its_end_is_not_merged() {
    let folder = study();
    let at = folder.path();
    for shard in ["1/2", "2/2"] {
        succeed(at, &["run", "study.toml", "--shard", shard, "-q"]);
    }
    let second = at.join("results/study-shard-2-of-2/manifest.json");
    let merge = [
        "merge",
        "results/study-shard-1-of-2",
        "results/study-shard-2-of-2",
        "--out",
        "m",
    ];
    change_manifest(&second, |text| {
        text.replace("\"status\": \"complete\"", "\"status\": \"incomplete\"")
    });
    let unfinished = [
        "study-shard-2-of-2",
        "(shard 2/2) is not finished; run it again",
    ];
    fail(at, &merge, 2, &unfinished);
    fs::remove_file(&second).unwrap();
    let gone = ["study-shard-2-of-2", "has no manifest.json"];
    fail(at, &merge, 2, &gone);
    assert!(!at.join("m").exists());
}

#[test]
fn a_merged_run_names_every_program_that_played() {
    let folder = study();
    let at = folder.path();
    for (shard, commit) in [("1/2", "bbbb"), ("2/2", "aaaa")] {
        succeed(
            at,
            &["run", "study.toml", "--shard", shard, "--out", commit, "-q"],
        );
        change_manifest(&at.join(commit).join("manifest.json"), |text| {
            let (before, rest) = text.split_once("\"commit\": \"").unwrap();
            let after = rest.split_once('"').unwrap().1;
            format!("{before}\"commit\": \"{commit}\"{after}")
        });
    }
    succeed(at, &["merge", "bbbb", "aaaa", "--out", "m"]);
    let manifest = fs::read_to_string(at.join("m/manifest.json")).unwrap();
    assert!(
        manifest.contains("\"commit\": \"aaaa, bbbb\""),
        "{manifest}"
    );
}

#[test]
fn games_that_were_there_are_not_taken_for_the_shards() {
    let folder = study();
    let at = folder.path();
    let shards = ["results/study-shard-1-of-2", "results/study-shard-2-of-2"];
    for shard in ["1/2", "2/2"] {
        succeed(at, &["run", "study.toml", "--shard", shard, "-q"]);
    }
    let merge = ["merge", shards[0], shards[1], "--out", "m"];
    // The same games of another seed, under the seal of this one.
    let other = ["run", "study.toml", "--seed", "99", "--out", "m", "-q"];
    succeed(at, &other);
    let seed = |folder: &str| {
        let text = fs::read_to_string(at.join(folder).join("manifest.json")).unwrap();
        let seed = text.split("\"seed\": ").nth(1).unwrap();
        format!("\"seed\": {}", seed.split(',').next().unwrap())
    };
    let (wrong, right) = (seed("m"), seed(shards[0]));
    change_manifest(&at.join("m/manifest.json"), |text| {
        text.replace(&wrong, &right)
    });
    let parts = ["m/games/", "has other games than results/study-shard-"];
    let said = brandub(at, &merge);
    assert!(matches!(said.status, Some(1 | 2)), "{:?}", said.status);
    for part in parts {
        assert!(said.err.contains(part), "{}", said.err);
    }
}

#[test]
fn a_game_is_the_same_whatever_else_is_in_the_experiment() {
    let folder = study();
    let at = folder.path();
    let expected = undisturbed(at);
    let study = fs::read_to_string(at.join("study.toml")).unwrap();
    let other = study
        .replace("\"two\", \"four\"", "\"zone\", \"four\"")
        .replace("games = 40", "games = 60");
    fs::write(at.join("other.toml"), other).unwrap();
    succeed(at, &["run", "other.toml", "--out", "other", "-q"]);
    let found = files(&at.join("other"));
    let shared: Vec<&String> = expected
        .keys()
        .filter(|name| name.starts_with("games/") && found.contains_key(*name))
        .collect();
    // The first chunks of the longer cells of `four`.
    assert!(shared.len() >= 2, "{} files in common", shared.len());
    for name in shared {
        assert_eq!(found[name], expected[name], "{name}");
    }
}

#[test]
fn common_random_numbers_begin_every_rulesets_game_alike() {
    let folder = study();
    let at = folder.path();
    undisturbed(at);
    let rows = |capture: &str| -> Vec<String> {
        let cells = fs::read_to_string(at.join("whole/winrates.csv")).unwrap();
        let cell = cells
            .lines()
            .find(|line| line.contains(&format!(",{capture},")) && line.contains("alphabeta"))
            .and_then(|line| line.split(',').next())
            .unwrap()
            .to_owned();
        let games = at.join("whole/games").join(cell);
        let openings = files(&games).into_values().flat_map(|bytes| {
            let text = String::from_utf8(bytes).unwrap();
            let column = |line: &str| line.split(',').nth(10).unwrap().to_owned();
            text.lines().skip(1).map(column).collect::<Vec<_>>()
        });
        openings.collect()
    };
    let (two, four) = (rows("two"), rows("four"));
    assert_eq!(two.len(), 40);
    assert_eq!(two, four);
}

#[test]
fn the_committed_result_comes_out_again_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(at, &["run", "-q"]);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/published/default");
    let expected = files(&committed);
    let found = files(&at.join("results/default"));
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &expected {
        if name == "manifest.json" {
            // The program's own version and commit may differ, and with them
            // the manifest's checksum of itself.
            assert_eq!(without_program(&found[name]), without_program(bytes));
        } else {
            assert!(
                found[name] == *bytes,
                "{name} has other bytes: if games are meant to change, PLAY_REVISION must"
            );
        }
    }
    let verified = brandub(&committed, &["verify", "."]);
    assert_eq!(verified.status, Some(0), "{}", verified.out);
}

fn without_program(manifest: &[u8]) -> serde_json::Value {
    let mut manifest: serde_json::Value = serde_json::from_slice(manifest).unwrap();
    for key in ["version", "commit"] {
        manifest["program"][key].take();
    }
    manifest["checksum"].take();
    manifest
}
