//! Chunks as they are written, and forged ones.

use super::*;
use crate::experiment::{Grid, Source};

/// Rules, agents and openings.
fn grid(rules: &str, agents: [&str; 2], random_plies: u32, ply_limit: u32) -> Grid {
    let [attackers, defenders] = agents;
    let text = format!(
        "name='x'\nseed=1\ngames=60\nply_limit={ply_limit}\n[rules]\n{rules}\n\
         [opening]\nrandom_plies={random_plies}\n\
         [[match]]\nattackers='{attackers}'\ndefenders='{defenders}'\n"
    );
    Grid::new(Source::parse("x.toml", &text).unwrap().experiment)
}

const RANDOM: [&str; 2] = ["random", "random"];

fn check(grid: &Grid, bytes: &[u8]) -> Result<Tally, String> {
    let cell = &grid.cells[0];
    let chunk = grid.chunk(0, 0);
    let said = chunk.check_rows(&grid.experiment, cell, Path::new("c.csv"), bytes);
    said.map_err(|error| error.to_string())
}

fn played(grid: &Grid) -> Vec<u8> {
    let chunk = grid.chunk(0, 0);
    chunk.play(&grid.experiment, &grid.cells[0], &()).0
}

#[test]
fn what_is_played_is_what_a_cell_can_have() {
    let few = "base={layout='/7/7/3t3/2tKt2/7/7/7/'}";
    let alone = "base={layout='/7/1t5/7/3K3/7/7/7/',king_speed='step'}";
    for rules in [
        "base='disputed'",
        "base={encirclement=true}",
        "base={no_moves='loses'}",
        "base={repetition={count=2,result='mover-loses'}}",
        "base={repetition='ignored'}",
        few,
        alone,
    ] {
        for (plies, limit) in [(0, 1), (0, 300), (1, 2), (4, 300), (30, 31), (100, 300)] {
            for agents in [RANDOM, ["greedy", "random"]] {
                let grid = grid(rules, agents, plies, limit);
                let bytes = played(&grid);
                let tally = check(&grid, &bytes);
                let read = grid
                    .chunk(0, 0)
                    .check(&grid.cells[0], Path::new("c"), &bytes);
                assert_eq!(tally, Ok(read.unwrap()), "{rules} {plies} {limit}");
            }
        }
    }
}

/// The row of game 0 with these fields changed, under rules without
/// encirclement, with openings of two plies and 300 plies at most.
fn forged(grid: &Grid, changes: &[(usize, &str)]) -> String {
    let text = String::from_utf8(played(grid)).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut fields: Vec<&str> = lines[1].split(',').collect();
    for &(place, by) in changes {
        fields[place] = by;
    }
    lines[1] = fields.join(",");
    lines.join("\n") + "\n"
}

/// Each of these changes of a cell's first row is refused with these words.
fn refused(cases: &[(Vec<(usize, &str)>, &str)]) {
    let grid = grid("base='disputed'", RANDOM, 2, 300);
    for (changes, expected) in cases {
        let error = check(&grid, forged(&grid, changes).as_bytes()).unwrap_err();
        assert!(error.starts_with("c.csv: line 2: "), "{changes:?}: {error}");
        assert!(error.contains(expected), "{changes:?}: {error}");
    }
}

#[test]
fn a_field_that_no_game_of_the_cell_has_is_named_with_its_line() {
    refused(&[
        (vec![(0, "000000000000")], "`cell` is `000000000000`"),
        (vec![(1, "000000000000")], "`ruleset` is `000000000000`"),
        (
            vec![(2, "greedy")],
            "`attackers` is `greedy`, expected random",
        ),
        (
            vec![(3, "greedy")],
            "`defenders` is `greedy`, expected random",
        ),
        (vec![(4, "1")], "`game` is `1`, expected 0"),
        (
            vec![(5, "nobody")],
            "`winner` is `nobody`, expected attackers, def",
        ),
        (
            vec![(6, "bogus")],
            "`reason` is `bogus`, expected one of king-escaped",
        ),
        (
            vec![(7, "301")],
            "`plies` is `301`, expected a whole number, 0 to 300",
        ),
        (
            vec![(7, "4294967296")],
            "`plies` is `4294967296`, expected a whole",
        ),
        (
            vec![(8, "99")],
            "`attackers_left` is `99`, expected a whole number, 0 to 8",
        ),
        (
            vec![(9, "-3")],
            "`defenders_left` is `-3`, expected a whole number, 0 to",
        ),
        (vec![(9, "+3")], "expected `"),
        (vec![(10, "zz")], "`opening` is zz: "),
        (
            vec![(10, "d2-c2.d2-c2")],
            "`opening` is d2-c2.d2-c2: d2-c2: no piece",
        ),
        (vec![(10, "-")], "`opening` is -: 0 moves, expected 2"),
        (
            vec![(10, "d2-c2")],
            "`opening` is d2-c2: 1 moves, expected 2",
        ),
        (
            vec![(11, "00000000000000AB")],
            "`moves_key` is `00000000000000AB`",
        ),
        (
            vec![(11, "ab")],
            "`moves_key` is `ab`, expected 16 hexadecimal digits",
        ),
        (vec![(11, "0,1")], "has 13 fields, expected 12"),
    ]);
}

#[test]
fn an_end_that_does_not_fit_the_winner_the_plies_or_the_rules_is_named() {
    let end = |winner, reason, plies| vec![(5, winner), (6, reason), (7, plies)];
    refused(&[
        (
            end("none", "king-captured", "41"),
            "`winner` is none, expected attackers",
        ),
        (
            end("draw", "king-escaped", "40"),
            "`winner` is draw, expected defenders",
        ),
        (
            end("defenders", "king-escaped", "41"),
            "expected an even number: the defenders",
        ),
        (
            end("attackers", "king-captured", "40"),
            "expected an odd number: the attackers",
        ),
        (
            end("attackers", "king-captured", "1"),
            "`plies` is 1, expected 3 or more",
        ),
        (
            end("attackers", "encircled", "41"),
            "but the rules have no encirclement",
        ),
        (
            end("attackers", "no-moves", "41"),
            "`winner` is attackers, expected draw",
        ),
        (
            end("defenders", "repetition", "41"),
            "`winner` is defenders, expected draw",
        ),
        (
            end("attackers", "ply-limit", "300"),
            "`winner` is attackers, expected none",
        ),
        (
            end("none", "ply-limit", "299"),
            "`plies` is 299, expected 300 where",
        ),
        (
            end("attackers", "forfeit-crash", "41"),
            "random, which is no external engine",
        ),
    ]);
}

#[test]
fn the_rules_say_who_wins_without_moves_and_by_repetition() {
    let rules =
        "base={no_moves='loses',repetition={count=3,result='mover-loses'},encirclement=true}";
    let grid = grid(rules, ["random", "external:no-such-program"], 0, 300);
    let random = ["random", "random"];
    let same = self::grid(rules, random, 0, 300);
    let row = |winner: &str, reason: &str, plies: &str| {
        let text = String::from_utf8(played(&same)).unwrap();
        let cell = &grid.cells[0];
        let shared = format!(
            "{},{},{}",
            cell.id, cell.ruleset_id, "random,external:no-such-program"
        );
        let first = text.lines().next().unwrap();
        let rows = (0..grid.chunk(0, 0).games).map(|game| {
            format!("{shared},{game},{winner},{reason},{plies},3,2,-,0123456789abcdef\n")
        });
        format!("{first}\n{}", rows.collect::<String>())
    };
    for (winner, reason, plies, holds) in [
        ("attackers", "no-moves", "41", true),
        ("defenders", "no-moves", "41", false),
        ("defenders", "no-moves", "40", true),
        ("draw", "no-moves", "40", false),
        ("defenders", "repetition", "41", true),
        ("attackers", "repetition", "41", false),
        ("attackers", "encircled", "41", true),
        ("attackers", "forfeit-silence", "1", true),
        // It would be the other agent's turn, which is none.
        ("attackers", "forfeit-silence", "2", false),
        ("defenders", "forfeit-silence", "1", false),
        ("attackers", "forfeit-silence", "300", false),
        ("none", "ply-limit", "300", true),
    ] {
        let said = check(&grid, row(winner, reason, plies).as_bytes());
        assert_eq!(said.is_ok(), holds, "{winner} {reason} {plies}: {said:?}");
    }
}

#[test]
fn rows_are_as_they_are_written_to_the_byte() {
    let grid = grid("base='disputed'", RANDOM, 2, 300);
    let text = String::from_utf8(played(&grid)).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let plies = rows.split(',').nth(7).unwrap();
    let (id, behind) = rows.split_once(',').unwrap();
    let (last, _) = text.trim_end().rsplit_once('\n').unwrap();
    for (forged, expected) in [
        (text.replace('\n', "\r\n"), "line 1: expected the columns"),
        (
            format!("{header}\n{}", rows.replace('\n', "\r\n")),
            "line 2: `moves_key` is",
        ),
        (
            format!("{header}\n\"{id}\",{behind}"),
            "line 2: is written `",
        ),
        (format!("{header}\n\n{rows}"), "line 2: `cell` is ``"),
        (
            text.replacen(&format!(",{plies},"), &format!(",+{plies},"), 1),
            "line 2: is written",
        ),
        (
            text.replacen(&format!(",{plies},"), &format!(",0{plies},"), 1),
            "line 2: is written",
        ),
        (text.trim_end().to_owned(), "line 61: expected a line break"),
        (
            format!("{last}\n"),
            "line 60: is the last, the file has 59 games: expected 60",
        ),
        (
            format!("{text}\n"),
            "line 62: is one too many: expected 60 games",
        ),
    ] {
        let error = check(&grid, forged.as_bytes()).unwrap_err();
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let error = check(&grid, &[header.as_bytes(), b"\n\xff\n"].concat()).unwrap_err();
    assert!(
        error.contains(r"line 2: is \xff\n, expected text"),
        "{error}"
    );
}
