//! Wrong arguments and files: exit status 2, and what, where and what instead.

use std::fs;
use std::path::Path;

use super::brandub::{STUDY, fail, files, study};
use super::same_bytes::assert_same;

#[test]
fn a_wrong_experiment_names_file_line_and_expectation_before_a_game_is_played() {
    let folder = study();
    let at = folder.path();
    for (part, by, parts) in [
        (
            "games = 40",
            "games = 0",
            vec![
                "wrong.toml:4:9",
                "`games` = 0 is out of range",
                "from 1 to 1000000000",
            ],
        ),
        (
            "games = 40",
            "gmaes = 600",
            vec!["wrong.toml:4:1", "unknown field `gmaes`", "expected one of"],
        ),
        (
            "games = 40",
            "games = \"many\"",
            vec!["wrong.toml:4:9", "invalid type"],
        ),
        (
            "\"disputed\"",
            "\"walker\"",
            vec![
                "wrong.toml:8:8",
                "no ruleset is named `walker`; nearest: `walker-2011`",
            ],
        ),
        (
            "\"disputed\"",
            "\"throneless\"\nvary.king_return = [true]",
            vec!["wrong.toml:"],
        ),
        (
            "\"disputed\"",
            "{ throne = \"ordinary\", king_return = true }",
            vec![
                "wrong.toml:",
                "`king_return`: means nothing with an ordinary throne",
            ],
        ),
        (
            "\"two\", \"four\"",
            "\"two\", \"five\"",
            vec!["wrong.toml:9:", "`king_capture`", "five"],
        ),
        (
            "nodes=500",
            "nodes=0",
            vec!["wrong.toml:16:13", "nodes=0 is no whole number from 1 to"],
        ),
        (
            "nodes=500",
            "seconds=3",
            vec!["unknown option `seconds`; alphabeta knows depth, nodes"],
        ),
        (
            "name = \"study\"",
            "name = \"a/b\"",
            vec!["wrong.toml:2:8", "names the result folder"],
        ),
        (
            "seed = 7",
            "seed = 7\nseed = 8",
            vec!["wrong.toml:4:1", "duplicate key"],
        ),
    ] {
        assert!(STUDY.contains(part), "{part}");
        fs::write(at.join("wrong.toml"), STUDY.replace(part, by)).unwrap();
        fail(at, &["run", "wrong.toml"], 2, &parts);
        assert!(!at.join("results").exists(), "{by}");
    }
}

#[test]
fn wrong_arguments_are_told_apart_from_failures() {
    let folder = study();
    let at = folder.path();
    let rules = "base = \"wtf\"\nking_armed = \"no\"\n";
    fs::write(at.join("rules.toml"), rules).unwrap();
    for (arguments, part) in [
        (vec!["run", "nowhere.toml"], "cannot read nowhere.toml"),
        (
            vec!["run", "study.toml", "--games", "0"],
            "0 is not in 1..=1000000000",
        ),
        (
            vec!["run", "study.toml", "--seed", "-1"],
            "expected a whole number from 0 to 9223372036854775807",
        ),
        (
            vec!["perft", "--depth", "1e6"],
            "tip: expected a whole number, 0 or more",
        ),
        (
            vec!["tables", "build", "--defenders", "-1"],
            "invalid value '-1' for '--defenders <DEFENDERS>'",
        ),
        (
            vec!["solve", "--candidates", "0"],
            "invalid value '0' for '--candidates <N>'",
        ),
        (
            vec!["perft", "--depth", "2", "--rules", "rules.toml"],
            "rules.toml:2:14: `king_armed`: invalid type: string \"no\", expected a boolean",
        ),
        (
            vec!["run", "study.toml", "--threads", "0"],
            "0 is not in 1..=4096",
        ),
        (
            vec!["run", "study.toml", "--shard", "4/3"],
            "`4/3` is no shard: expected I/N",
        ),
        (vec!["runn"], "unrecognized subcommand"),
        (vec!["perft"], "--depth"),
        (
            vec!["perft", "--depth", "2", "--side", "white"],
            "`white` is no side: attackers or defenders",
        ),
        (
            vec!["perft", "--depth", "2", "--position", "/7/"],
            "1 ranks instead of 7",
        ),
        (
            vec!["perft", "--depth", "2", "--position", "/K6/7/7/7/7/7/7/"],
            "a piece on the corner a1",
        ),
        (
            vec!["perft", "--depth", "2", "--rules", "no-such"],
            "no ruleset is named `no-such`",
        ),
        (
            vec!["perft", "--depth", "2", "--rules", "{ king_armed = 1 }"],
            "invalid type",
        ),
        (
            vec![
                "rules",
                "show",
                "{ base = \"masters\", throne_pass = \"king\" }",
            ],
            "`throne_pass`: means nothing",
        ),
        (vec!["rules", "diff", "wtf"], "required"),
        (
            vec!["play", "--attackers", "robot", "--defenders", "random"],
            "no such agent",
        ),
        (vec!["merge", "--out", "x"], "required"),
    ] {
        fail(at, &arguments, 2, &[part]);
    }
    fail(
        at,
        &["verify", "nowhere"],
        2,
        &["nowhere", "has no manifest.json"],
    );
}

/// Rules, experiments, studies, weights and hashes.
const TEXTS: [&[&str]; 5] = [
    &["run"],
    &["rules", "show"],
    &["selfcheck", "--against"],
    &["tune", "--proofs", "--out", "weights.toml"],
    &["solve", "--out", "answers", "--study"],
];

#[test]
fn files_that_are_no_text_are_refused_where_they_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("latin.toml"), b"# one\nname = \"Br\xe1n\"\n").unwrap();
    for words in TEXTS {
        let latin = [words, &["latin.toml"]].concat();
        fail(at, &latin, 2, &["latin.toml:2: expected text in UTF-8"]);
    }
}

/// A device or pipe without an end must not be read into all of the memory.
#[cfg(unix)]
#[test]
fn no_more_than_a_text_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for words in TEXTS {
        let endless = [words, &["/dev/zero"]].concat();
        let expected = "/dev/zero: expected a text file of at most 16 MiB";
        fail(folder.path(), &endless, 2, &[expected]);
    }
}

#[test]
fn what_is_written_takes_the_place_of_nothing_else() {
    let folder = study();
    let at = folder.path();
    let text = fs::read(at.join("study.toml")).unwrap();
    let proof = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/results/solved/openings/proofs/68fd953cd2f6-d2-g2-defenders.proof"
    );
    let position = "/7/7/2t4/4K2/7/5t1/3T3/";
    let kind = "study.toml: is another kind of file";
    for (words, part) in [
        (
            &["tune", "study.toml", "--out", "./study.toml"][..],
            "expected another file than study.toml",
        ),
        (
            &[
                "tune",
                "study.toml",
                "--out",
                "o",
                "--network",
                "study.toml",
            ],
            "expected another file than study.toml",
        ),
        (
            &["solve", "--position", position, "--proof", "study.toml"],
            kind,
        ),
        (
            &[
                "hold",
                "--position",
                position,
                "--for",
                "defenders",
                "--proof",
                "study.toml",
            ],
            kind,
        ),
        (&["shorten-proof", proof, "--out", "study.toml"], kind),
        (
            &[
                "solve",
                "--for",
                "attackers",
                "--checkpoint",
                "c",
                "--proof",
                "./c",
            ],
            "name the same file",
        ),
        (
            &["solve", "--begin", "counts", "--replies", "shared"],
            "counts of moves are always summed up",
        ),
        (
            &["hold", "--for", "defenders", "--memory", "1KiB"],
            "--memory: 1024 bytes are too few",
        ),
        (
            &["verify", "study.toml"],
            "is a file, where a result folder",
        ),
    ] {
        fail(at, words, 2, &[part]);
    }
    assert_eq!(fs::read(at.join("study.toml")).unwrap(), text);
}

/// What is there and was not made by the same command stays, and no option is passed over.
#[test]
fn nothing_of_somebody_elses_is_written_over() {
    let folder = study();
    let at = folder.path();
    let other = "name = \"other\"\nseed = 1\ngames = 10\n[rules]\npresets = [\"wtf\"]\n\
        [[match]]\nagents = [\"greedy\"]\n";
    fs::write(at.join("other.toml"), other).unwrap();
    let asked =
        "nodes = 10\nmemory = \"1MiB\"\nafter = [\"d2-e2\"]\n[rules]\npresets = [\"wtf\"]\n";
    fs::write(at.join("asked.toml"), asked).unwrap();
    fs::create_dir_all(at.join("mixed/proofs")).unwrap();
    fs::write(at.join("mixed/notes.txt"), "mine").unwrap();
    let mate = asked.replace("after", "engine = \"mate\"\nafter");
    fs::write(at.join("mate.toml"), mate).unwrap();
    let estimates = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/solver/estimates.toml");
    fs::copy(estimates, at.join("estimates.toml")).unwrap();
    let before = files(at);
    let kind = "study.toml: is another kind of file";
    for (words, part) in [
        ("selfcheck --write study.toml", kind),
        ("tune other.toml --out study.toml", kind),
        ("tune other.toml --out o --network study.toml", kind),
        (
            "solve --study asked.toml --out .",
            "and no solved.csv of a study",
        ),
        (
            "solve --study asked.toml --out mixed",
            "it has notes.txt, and no solved.csv of a study",
        ),
        (
            "solve --study mate.toml --out s --estimates estimates.toml",
            "mate.toml: --estimates: the engine `mate` has no proof numbers",
        ),
        ("solve --study asked.toml --out s --every 5", "--every"),
        (
            "solve --study asked.toml --out study.toml",
            "study.toml: is a file, where a folder is expected",
        ),
        (
            "solve --engine mate --begin counts",
            "--begin: the engine `mate` has no proof numbers",
        ),
        (
            "solve --engine mate --candidates 3",
            "--candidates: the engine `mate` has no proof numbers",
        ),
        (
            "report study --terminal --solved s",
            "--solved: the main table has no place for proofs",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        fail(at, &words, 2, &[part]);
    }
    assert_same(&files(at), &before);
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = |command: &str| {
        let mut arguments: Vec<&str> = command.split_whitespace().collect();
        arguments.push("--help");
        super::brandub::succeed(Path::new("."), &arguments).out
    };
    // All that help lists, and what the help of those lists.
    let mut open = vec![String::new()];
    let mut seen = 0;
    while let Some(command) = open.pop() {
        let text = help(&command);
        let listed = text.split("\nCommands:\n").nth(1).unwrap_or_default();
        for line in listed.lines().take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap();
            if line.starts_with("  ") && !line.starts_with("   ") && name != "help" {
                open.push(format!("{command} {name}"));
            }
        }
        if !command.is_empty() {
            let example = text.split("\nExample").nth(1).unwrap_or_default();
            assert!(example.contains(&format!("brandub{command}")), "{command}");
            seen += 1;
        }
    }
    assert!(seen >= 27, "{seen}");
}
