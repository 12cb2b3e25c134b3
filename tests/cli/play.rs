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

#[test]
fn only_an_unknown_agent_is_told_of_human() {
    for (agent, ending) in [
        ("robot", "external:COMMAND, or human\n"),
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
