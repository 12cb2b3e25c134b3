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
