//! `brandub play`: agents against each other, and a person at the terminal.

use std::collections::BTreeSet;
use std::path::Path;

use super::brandub::{Said, command, fail, succeed, told};

fn here(arguments: &[&str]) -> String {
    succeed(Path::new("."), arguments).out
}

/// A person's game as attackers against `random`, with what the person types.
fn typed(input: &[u8]) -> Said {
    let game = ["--rules", "wtf", "--attackers", "human"];
    let agent = ["--defenders", "random", "--seed", "1"];
    let arguments = [&["play"], &game[..], &agent[..]].concat();
    let said = told(Path::new("."), &arguments, input);
    assert_eq!(said.status, Some(0), "{}", said.err);
    said
}

#[test]
fn agents_play_each_other_and_a_person_plays_by_the_rules() {
    let play = [
        "play",
        "--attackers",
        "greedy",
        "--defenders",
        "mcts:playouts=20",
        "--seed",
        "3",
    ];
    let first = here(&play);
    assert_eq!(first, here(&play));
    assert!(!first.contains("`help`"), "nobody types: {first}");
    let last = first.lines().last().unwrap();
    assert!(
        last.contains("after") || last.contains("stopped at"),
        "{last}"
    );

    let out = typed(b"d2-d3\nnonsense\nmoves\nd2-e2\nquit\n").out;
    assert!(out.contains("cannot go to d3"), "{out}");
    assert!(
        out.contains("`nonsense` is not a move such as d2-e2"),
        "{out}"
    );
    assert!(
        out.contains("a4-a3") && out.contains("1. attackers d2-e2"),
        "{out}"
    );
    assert!(out.contains("left unfinished after 2 plies"), "{out}");
}

#[test]
fn a_person_is_told_what_to_type_and_may_type_it_in_capitals() {
    let out = typed(b"").out;
    let told = out.lines().nth(1).unwrap();
    for part in ["such as d2-e2", "`moves`", "`help`", "`quit`"] {
        assert!(told.contains(part), "{told}");
    }
    let out = typed(b"help\n").out;
    for part in ["t is an attacker", "win by capturing", "\n  quit "] {
        assert!(out.contains(part), "{out}");
    }
    let out = typed(b"Moves\nD2-E2\nNo\nQUIT\nd6-e6\n").out;
    assert!(
        out.contains("a4-a3") && out.contains("1. attackers d2-e2"),
        "{out}"
    );
    assert!(out.contains("`No` is not a move"), "{out}");
    assert!(out.ends_with("left unfinished after 2 plies\n"), "{out}");
}

/// What a person played and what was played since is taken back, but nothing that
/// was there before them.
#[test]
fn a_person_takes_moves_back() {
    let out = typed(b"undo\nd2-e2\nd6-e6\nundo\nundo\nundo\nd2-f2\nquit\n").out;
    let said = |what: &str| out.matches(what).count();
    assert_eq!(said("no move of yours to take back"), 2, "{out}");
    assert_eq!(said("taken back to ply 2\n"), 1, "{out}");
    assert_eq!(said("taken back to ply 0\n"), 1, "{out}");
    assert_eq!(said("3. attackers d6-e6"), 1, "{out}");
    assert_eq!(said("1. attackers d2-f2"), 1, "{out}");
    assert!(out.ends_with("left unfinished after 2 plies\n"), "{out}");

    // Between two people each takes back the move just played.
    let people = ["play", "--defenders", "human", "--after", "d2-e2 c4-c2"];
    let out = told(Path::new("."), &people, b"d6-e6\nundo\nundo\nd6-c6\nquit\n").out;
    assert!(out.contains("taken back to ply 2\n"), "{out}");
    assert!(out.contains("no move of yours to take back"), "{out}");
    assert!(out.contains("3. attackers d6-c6"), "{out}");
}

/// A game can begin elsewhere, and its history is known: one repetition more ends it.
#[test]
fn a_game_begins_with_moves_or_from_a_position() {
    let back_and_forth = "d2-e2 c4-c5 e2-d2 c5-c4 d2-e2 c4-c5 e2-d2";
    let said = |words: &[&str], input: &[u8]| {
        let people = [&["play", "--defenders", "human"], words].concat();
        let said = told(Path::new("."), &people, input);
        assert_eq!(said.status, Some(0), "{}", said.err);
        said.out
    };
    let out = said(&["--after", back_and_forth], b"c5-c4\n");
    assert!(out.contains("8. defenders c5-c4"), "{out}");
    assert!(out.ends_with("draw (repetition) after 8 plies\n"), "{out}");
    let limit = ["--after", back_and_forth, "--ply-limit", "7"];
    assert!(said(&limit, b"").ends_with("stopped at 7 plies\n"));

    let near = ["--position", "/7/7/1t5/1tK4/7/7/7/"];
    let out = said(
        &[&near[..], &["--side", "defenders"]].concat(),
        b"c4-c1\nb4-c4\nc1-a1\n",
    );
    assert!(
        out.ends_with("defenders (king-escaped) after 3 plies\n"),
        "{out}"
    );
    for (words, parts) in [
        (&["--after", "d2-d3"][..], &["after `d2-d3`", "d3"][..]),
        (&["--position", "7/7"], &["7/7"]),
        (
            &["--position", "/7/7/7/3K3/7/7/7/"],
            &["the game is over there"],
        ),
    ] {
        fail(Path::new("."), &[&["play"], words].concat(), 2, parts);
    }
}

#[test]
fn bytes_that_are_no_text_are_no_move_and_end_no_game() {
    let out = typed(b"\xff\nd2-\xe92\nd2-e2\nquit\n").out;
    assert_eq!(out.matches("is not a move such as d2-e2").count(), 2);
    assert!(out.ends_with("left unfinished after 2 plies\n"), "{out}");
}

#[test]
fn games_that_begin_together_have_seeds_of_their_own() {
    let game = ["play", "--attackers", "random", "--defenders", "random"];
    let started: Vec<_> = (0..6)
        .map(|_| {
            let mut command = command(Path::new("."), &game);
            command.stdout(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let seeds = started.into_iter().map(|child| {
        let said = Said::from(child.wait_with_output().unwrap());
        said.out.lines().next().unwrap().to_owned()
    });
    let seeds: BTreeSet<String> = seeds.collect();
    assert_eq!(seeds.len(), 6, "{seeds:?}");
    assert!(seeds.iter().all(|seed| seed.starts_with("disputed, seed ")));
}

/// By a certificate its side wins against anything, and in no more plies than it says.
#[test]
fn a_certificate_plays_its_side_to_the_win() {
    let presets = concat!(env!("CARGO_MANIFEST_DIR"), "/results/solved/presets");
    let proof = format!("proof:{presets}");
    let other = "alphabeta:nodes=300";
    for (rules, side, others) in [
        ("masters-armed", "defenders", [other, "greedy", "random"]),
        (
            "masters-weak-king",
            "attackers",
            ["random", other, "greedy"],
        ),
    ] {
        for (seed, opponent) in ["1", "2", "3"].into_iter().zip(others) {
            let by_proof = ["--defenders", &proof, "--attackers", opponent];
            let by_proof = match side {
                "defenders" => by_proof,
                _ => ["--attackers", &proof, "--defenders", opponent],
            };
            let game = [&["play", "--rules", rules, "--seed", seed], &by_proof[..]].concat();
            let out = here(&game);
            let claim = format!("the {side} win within ");
            let number = |text: &str| -> u32 { text.split(' ').next().unwrap().parse().unwrap() };
            let mut left = number(out.split(&claim).nth(1).unwrap());
            let all = left;
            let mut told = 0;
            for line in out.lines().filter(|line| line.contains(" (wins within ")) {
                let more = number(line.split(" (wins within ").nth(1).unwrap());
                assert!(line.contains(side) && more < left, "{line} of {left}");
                (left, told) = (more, told + 1);
            }
            assert!(told > 0, "{out}");
            let last = out.lines().last().unwrap();
            let plies = last.split(" after ").nth(1).map(number);
            assert!(last.starts_with(side), "{rules} {opponent}: {last}");
            assert!(plies.is_some_and(|plies| plies <= all), "{last} of {all}");
        }
    }
}

/// What it shows takes nothing as played before: a position that came up on the way to
/// where it begins is not a repetition.
#[test]
fn a_certificates_game_has_no_past() {
    let presets = concat!(env!("CARGO_MANIFEST_DIR"), "/results/solved/presets");
    let proof = format!("proof:{presets}");
    let begun = "/4t2/3t3/T6/ttTKTtt/3T3/3t3/3t3/";
    let words = ["play", "--rules", "nielsen-cyningstan", "--position", begun];
    let more = ["--after", "e1-d1 a3-d3", "--defenders", &proof];
    let said = told(
        Path::new("."),
        &[&words[..], &more].concat(),
        b"d1-e1\nquit\n",
    );
    assert_eq!(said.status, Some(0), "{}", said.err);
    let out = said.out;
    assert!(out.contains("\n1. attackers d1-e1\n"), "{out}");
    assert!(
        out.contains("\n2. defenders ") && !out.contains("draw ("),
        "{out}"
    );
    assert!(out.ends_with("left unfinished after 2 plies\n"), "{out}");
    let few = [&words[..3], &["--defenders", &proof, "--ply-limit", "9"]].concat();
    let said = told(Path::new("."), &few, b"");
    assert!(
        said.out.contains("note: --ply-limit 9 may stop"),
        "{}",
        said.out
    );
}

/// Against a certificate a person is asked, and may take moves back.
#[test]
fn a_person_plays_against_a_certificate() {
    let presets = concat!(env!("CARGO_MANIFEST_DIR"), "/results/solved/presets");
    let proof = format!("proof:{presets}");
    let game = ["play", "--rules", "masters-armed", "--defenders", &proof];
    let said = told(Path::new("."), &game, b"d2-e2\nundo\nd2-e2\nquit\n");
    assert_eq!(said.status, Some(0), "{}", said.err);
    let answers: Vec<&str> = said
        .out
        .lines()
        .filter(|line| line.starts_with("2. defenders"))
        .collect();
    assert!(
        matches!(answers[..], [one, same] if one == same),
        "{}",
        said.out
    );
    assert!(said.out.contains("taken back to ply 0"), "{}", said.out);
}

#[test]
fn a_certificate_that_says_nothing_of_a_game_is_refused() {
    let solved = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/solved");
    let armed = "presets/proofs/0b4df075370f-start-defenders.proof";
    let after = "presets/proofs/0b4df075370f-d2-e2-defenders.proof";
    for (rules, side, path, parts) in [
        (
            "wtf",
            "--defenders",
            armed,
            ["is for the rules masters-armed", "not wtf"],
        ),
        (
            "masters-armed",
            "--attackers",
            armed,
            ["the defenders win by it", "not the attackers"],
        ),
        (
            "masters-armed",
            "--defenders",
            after,
            ["does not show a win from here", "no step for"],
        ),
        (
            "masters-armed",
            "--attackers",
            "presets",
            [
                "no certificate there shows that the attackers win",
                "under masters-armed",
            ],
        ),
        (
            "wtf",
            "--defenders",
            "README.md",
            ["README.md", "first line of a certificate"],
        ),
        (
            "wtf",
            "--defenders",
            "presets/proofs",
            ["presets/proofs", "solved.csv"],
        ),
        ("wtf", "--defenders", "nothing", ["cannot read", "nothing"]),
    ] {
        let proof = format!("proof:{}", solved.join(path).display());
        let said = told(
            Path::new("."),
            &["play", "--rules", rules, side, &proof],
            b"",
        );
        // What is no certificate is as one that is damaged.
        let status = if path == "README.md" { 1 } else { 2 };
        assert_eq!(said.status, Some(status), "{path}: {}", said.err);
        assert_eq!(said.out, "", "{path}");
        for part in parts {
            assert!(said.err.contains(part), "{path}: {}", said.err);
        }
    }
    fail(
        Path::new("."),
        &["play", "--attackers", "proof:"],
        2,
        &["proof:PATH"],
    );
}

#[test]
fn only_an_unknown_agent_is_told_of_human() {
    for (agent, ending) in [
        ("robot", "external:COMMAND, proof:PATH, or human\n"),
        ("human:slow", "`human` has no options\n"),
        (
            "alphabeta:depth=1,depth=2",
            "option `depth` is given twice\n",
        ),
        ("external:", "needs a command: external:COMMAND\n"),
    ] {
        fail(
            Path::new("."),
            &["play", "--attackers", agent],
            2,
            &[ending],
        );
    }
}
