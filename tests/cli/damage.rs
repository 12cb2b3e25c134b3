//! Damage to a result folder is found and named, and never spreads.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::brandub::{
    brandub, change_manifest, command, fail, files, study, succeed, unread, wait_until,
};

fn run_small(at: &Path) {
    succeed(
        at,
        &["run", "study.toml", "--out", "small", "--games", "40", "-q"],
    );
}

#[test]
fn one_changed_byte_anywhere_is_found_and_named() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    let small = at.join("small");
    let verified = succeed(at, &["verify", "small", "--sample", "20"]);
    for part in [
        "20 played again (--sample-seed ",
        "): all as the manifest says",
    ] {
        assert!(verified.out.contains(part), "{}", verified.out);
    }
    let mut seen = 0;
    for (name, bytes) in files(&small) {
        let path = small.join(&name);
        // The first, the last and some bytes between, each with its lowest
        // bit flipped.
        for place in [
            0,
            bytes.len() / 3,
            bytes.len() / 2,
            bytes.len() - 2,
            bytes.len() - 1,
        ] {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            fs::write(&path, &changed).unwrap();
            let said = brandub(at, &["verify", "small", "--sample", "0"]);
            assert_eq!(said.status, Some(1), "{name} byte {place}: {}", said.out);
            let all = format!("{}{}", said.out, said.err);
            assert!(all.contains(&name), "{name} byte {place}: {all}");
            assert_eq!(all.matches(&name).count(), 1, "{name} byte {place}: {all}");
            seen += 1;
        }
        fs::write(&path, &bytes).unwrap();
    }
    assert!(seen >= 7 * 5, "{seen} changes");
    succeed(at, &["verify", "small"]);
}

#[test]
fn a_missing_a_foreign_and_a_doubled_chunk_are_named() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    let small = at.join("small");
    let name = files(&small)
        .into_keys()
        .find(|name| name.starts_with("games/"))
        .unwrap();
    let path = small.join(&name);
    let bytes = fs::read(&path).unwrap();

    fs::remove_file(&path).unwrap();
    let said = brandub(at, &["verify", "small"]);
    assert_eq!(said.status, Some(1));
    assert!(
        said.out.contains(&name) && said.out.contains("is missing"),
        "{}",
        said.out
    );
    fs::write(&path, &bytes).unwrap();

    let foreign = path.with_file_name("000777-0123456789abcdef.csv");
    fs::write(&foreign, &bytes).unwrap();
    let said = brandub(at, &["verify", "small"]);
    assert!(
        said.out
            .contains("000777-0123456789abcdef.csv: is no chunk of this run"),
        "{}",
        said.out
    );
    fail(
        at,
        &["run", "study.toml", "--out", "small", "--games", "40"],
        1,
        &["000777", "does not belong to this run"],
    );
    fs::remove_file(&foreign).unwrap();

    let doubled = path.with_file_name("000000-0123456789abcdef.csv");
    fs::write(&doubled, &bytes).unwrap();
    let said = brandub(at, &["verify", "small"]);
    assert!(said.out.contains("is there twice"), "{}", said.out);
    let cell = name.split('/').nth(1).unwrap();
    let replay = ["replay", "small", "--cell", cell, "--game", "0"];
    fail(at, &replay, 1, &["000000-", "is there twice"]);
    fs::remove_file(&doubled).unwrap();
    succeed(at, &["verify", "small"]);
}

/// To open one waits for whoever writes to it.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_named() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    let names: Vec<String> = files(&at.join("small")).into_keys().collect();
    let chunk = names.iter().find(|name| name.starts_with("games/"));
    for name in ["manifest.json", "winrates.csv", chunk.unwrap()] {
        let path = at.join("small").join(name);
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let said = brandub(at, &["verify", "small"]);
        assert_eq!(said.status, Some(1), "{name}: {}", said.err);
        let all = format!("{}{}", said.out, said.err);
        for part in [name, "not a pipe"] {
            assert!(all.contains(part), "{name}: {all}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    succeed(at, &["verify", "small"]);
}

#[test]
fn a_forged_row_is_found_by_playing_it_again() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    // A liar who keeps every checksum right: the rows of another seed.
    succeed(
        at,
        &[
            "run",
            "study.toml",
            "--out",
            "liar",
            "--games",
            "40",
            "--seed",
            "8",
            "-q",
        ],
    );
    change_manifest(&at.join("liar/manifest.json"), |honest| {
        honest.replace("\"seed\": 8", "\"seed\": 7")
    });
    let said = brandub(at, &["verify", "liar", "--sample", "5"]);
    assert_eq!(said.status, Some(1), "{}", said.out);
    assert!(said.out.contains("played again gives"), "{}", said.out);
}

#[test]
fn a_damaged_chunk_is_not_taken_for_whole_when_a_run_goes_on() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    let small = at.join("small");
    let name = files(&small)
        .into_keys()
        .find(|name| name.starts_with("games/"))
        .unwrap();
    let bytes = fs::read(small.join(&name)).unwrap();
    fs::write(small.join(&name), &bytes[..bytes.len() / 2]).unwrap();
    let run = ["run", "study.toml", "--out", "small", "--games", "40"];
    fail(
        at,
        &run,
        1,
        &[&name, "restore it or remove it (what played it"],
    );
    fs::remove_file(small.join(&name)).unwrap();
    succeed(at, &run);
    assert_eq!(fs::read(small.join(&name)).unwrap(), bytes);
}

#[test]
fn a_changed_experiment_is_refused_by_name() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    let before = files(&at.join("small"));
    for (arguments, difference) in [
        (
            vec!["--games", "41"],
            "experiment.games is 40 there and 41 here",
        ),
        (
            vec!["--games", "40", "--seed", "9"],
            "experiment.seed is 7 there and 9 here",
        ),
        (
            vec!["--games", "40", "--shard", "1/2"],
            "shard is \"none\" there and \"1/2\" here",
        ),
    ] {
        let mut all = vec!["run", "study.toml", "--out", "small"];
        all.extend(arguments);
        fail(at, &all, 2, &["small holds a different run", difference]);
    }
    assert_eq!(files(&at.join("small")), before);
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = study();
    let at = folder.path();
    let mut first = command(
        at,
        &[
            "run",
            "study.toml",
            "--out",
            "same",
            "--games",
            "20000",
            "-q",
        ],
    )
    .stdout(Stdio::null())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    wait_until(&mut first, || at.join("same/manifest.json").exists());
    let second = brandub(
        at,
        &["run", "study.toml", "--out", "same", "--games", "20000"],
    );
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status, Some(1), "{}", second.err);
    assert!(
        second.err.contains("same is in use by another run"),
        "{}",
        second.err
    );
}

#[test]
fn other_peoples_folders_are_left_alone() {
    let folder = study();
    let at = folder.path();
    fs::create_dir(at.join("photos")).unwrap();
    fs::write(at.join("photos/cat.jpg"), "cat").unwrap();
    fail(
        at,
        &["run", "study.toml", "--out", "photos"],
        2,
        &["photos", "cat.jpg", "no result folder"],
    );
    let left: Vec<String> = files(&at.join("photos")).into_keys().collect();
    assert_eq!(left, ["cat.jpg"]);
    assert!(!at.join("photos/.lock").exists());
    fail(
        at,
        &["verify", "photos"],
        2,
        &["photos", "has no manifest.json"],
    );
    let as_folder = ["run", "study.toml", "--out", "study.toml"];
    let told = ["study.toml: is a file, where a folder is expected"];
    fail(at, &as_folder, 2, &told);
    fail(
        at,
        &["run", "study.toml", "--out", "study.toml/x"],
        2,
        &told,
    );
}

/// As of a disk that is not mounted.
#[cfg(unix)]
#[test]
fn a_link_to_where_nothing_is_is_told() {
    let folder = study();
    let at = folder.path();
    std::os::unix::fs::symlink("unmounted/results", at.join("out")).unwrap();
    let told = ["cannot create out: it is a link to unmounted/results, which is not there"];
    let run = ["run", "study.toml", "--games", "4", "-q"];
    fail(at, &[&run[..], &["--out", "out"]].concat(), 1, &told);
    succeed(at, &[&run[..], &["--out", "there"]].concat());
    fail(at, &["report", "there", "--out", "out"], 1, &told);
}

#[test]
fn games_without_their_manifest_are_not_taken_for_another_runs() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    fs::remove_file(at.join("small/manifest.json")).unwrap();
    let other = [
        "run",
        "study.toml",
        "--out",
        "small",
        "--games",
        "40",
        "--seed",
        "8",
    ];
    fail(at, &other, 2, &["small: is not empty", "no manifest.json"]);
}

#[test]
fn hidden_files_of_others_are_neither_counted_nor_removed() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    for name in [
        "small/.notes.tmp",
        "small/games/.DS_Store",
        "small/.x.csv.7.tmp",
    ] {
        fs::write(at.join(name), "mine").unwrap();
    }
    run_small(at);
    succeed(at, &["verify", "small"]);
    for name in [
        "small/.notes.tmp",
        "small/games/.DS_Store",
        "small/.x.csv.7.tmp",
    ] {
        assert!(at.join(name).exists(), "{name}");
    }
}

#[test]
fn a_sample_larger_than_the_run_plays_every_game_again_once() {
    let folder = study();
    let at = folder.path();
    succeed(
        at,
        &["run", "study.toml", "--out", "tiny", "--games", "3", "-q"],
    );
    let said = succeed(at, &["verify", "tiny", "--sample", "1000000000000000000"]);
    assert!(
        said.out.contains("36 games, 36 played again"),
        "{}",
        said.out
    );
}

#[test]
fn a_run_that_no_disk_would_hold_is_refused() {
    let folder = study();
    let at = folder.path();
    let huge = ["study.toml", "--games", "1000000000"];
    let told = ["chunk files are more than a run may have, in one folder or in shards (5000000)"];
    fail(at, &[&["plan"], &huge[..]].concat(), 2, &told);
    let run = [&["run"], &huge[..], &["--out", "huge"]].concat();
    fail(at, &run, 2, &told);
    // Nobody could merge its shards.
    fail(at, &[&run[..], &["--shard", "1/1000"]].concat(), 2, &told);
    assert!(!at.join("huge").exists());
}

/// Whoever has read enough changes nothing of what was found.
#[test]
fn what_is_found_does_not_depend_on_a_reader() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    assert_eq!(unread(at, &["verify", "small"]), Some(0));
    assert_eq!(unread(at, &["rules", "list"]), Some(0));
    let proof = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/results/solved/openings/proofs/68fd953cd2f6-d2-g2-defenders.proof"
    );
    let shorten = ["shorten-proof", proof, "--out", "short.proof"];
    assert_eq!(unread(at, &shorten), Some(0));
    succeed(at, &["verify-proof", "short.proof"]);
    let mut name = files(&at.join("small")).into_keys();
    let name = name.rfind(|name| name.starts_with("games/")).unwrap();
    let path = at.join("small").join(name);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(unread(at, &["verify", "small"]), Some(1));
    assert_eq!(unread(at, &["verify", "small", "--json"]), Some(1));
    // Whatever is printed before, the last game is illegal.
    let game = |ply| format!("{{\"rules\": \"wtf\", \"moves\": [\"{ply}\"]}}\n");
    let games = game("d2-e2").repeat(5_000);
    fs::write(at.join("games.jsonl"), &games).unwrap();
    assert_eq!(unread(at, &["check", "games.jsonl"]), Some(0));
    fs::write(at.join("games.jsonl"), games + &game("d2-d9")).unwrap();
    assert_eq!(unread(at, &["check", "games.jsonl"]), Some(1));
}

/// A limit on the size of any file stands in for a disk that fills up: the
/// write fails in the middle all the same.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_no_finished_chunk() {
    let folder = study();
    let at = folder.path();
    let run = |out| ["run", "study.toml", "--games", "200", "--out", out, "-q"];
    succeed(at, &run("whole"));
    // Chunks of tree searchers' games are smaller than 16 blocks of 1,024
    // bytes, those of random games larger.
    let program = env!("CARGO_BIN_EXE_brandub");
    let script = format!("ulimit -f 16; exec {program} {}", run("full").join(" "));
    let said = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(at)
        .output()
        .unwrap();
    let err = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(1), "{err}");
    assert!(err.contains("cannot write full/games/"), "{err}");
    assert!(err.contains("File too large"), "{err}");
    let kept = files(&at.join("full"));
    let whole = files(&at.join("whole"));
    assert!(kept.len() > 1, "no chunk was finished");
    for (name, bytes) in &kept {
        assert!(!name.contains(".tmp"), "{name} was left");
        if name != "manifest.json" {
            assert_eq!(whole[name], *bytes, "{name}");
        }
    }
    succeed(at, &run("full"));
    assert_eq!(files(&at.join("full")), whole);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_and_a_closed_one_is_not() {
    let folder = study();
    let at = folder.path();
    run_small(at);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let said = command(at, &["rules", "list"])
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert!(
        String::from_utf8(said.stderr)
            .unwrap()
            .contains("cannot write to standard output")
    );
    // Nor does a run depend on whether somebody reads its progress.
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let said = command(
        at,
        &["run", "study.toml", "--out", "unread", "--games", "40"],
    )
    .stdout(Stdio::piped())
    .stderr(full)
    .output()
    .unwrap();
    assert_eq!(said.status.code(), Some(0));
    assert_eq!(files(&at.join("unread")), files(&at.join("small")));
    let program = env!("CARGO_BIN_EXE_brandub");
    let script = format!("set -o pipefail; {program} perft --depth 2 --divide | head -1");
    let said = std::process::Command::new("bash")
        .args(["-c", &script])
        .output()
        .unwrap();
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
}
