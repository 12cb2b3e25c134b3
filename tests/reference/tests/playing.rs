//! Who may move where, and when a game is over.

use serde_json::{Value, json};

use super::{super::perft, game, may, reason};

#[test]
fn who_stops_on_and_who_passes_the_throne() {
    let pieces = ["c4 g6", "d6", "d2"];
    for (pass, king_return, soldier_passes, king_passes) in [
        ("everyone", true, true, true),
        ("everyone", false, true, true),
        ("king", true, false, true),
        ("king", false, false, true),
        ("nobody", true, false, false),
        ("nobody", false, false, false),
    ] {
        let rules = json!({"throne_pass": pass, "king_return": king_return});
        assert_eq!(
            may(&rules, pieces, "attackers", "c4-e4"),
            soldier_passes,
            "{rules}"
        );
        assert!(!may(&rules, pieces, "attackers", "c4-d4"));
        assert_eq!(
            may(&rules, pieces, "defenders", "d6-d3"),
            soldier_passes,
            "{rules}"
        );
        assert!(!may(&rules, pieces, "defenders", "d6-d4"));
        assert_eq!(
            may(&rules, pieces, "defenders", "d2-d5"),
            king_passes,
            "{rules}"
        );
        assert_eq!(
            may(&rules, pieces, "defenders", "d2-d4"),
            king_return,
            "{rules}"
        );
    }
    let ordinary = json!({"throne": "ordinary"});
    for (side, text) in [
        ("attackers", "c4-d4"),
        ("attackers", "c4-e4"),
        ("defenders", "d6-d4"),
        ("defenders", "d2-d4"),
    ] {
        assert!(may(&ordinary, pieces, side, text), "{text}");
    }
    // On the throne at the start he has not left it, and leaving it is never barred.
    let closed = json!({"throne_pass": "nobody", "king_return": false});
    assert!(may(&closed, ["a3", "", "d4"], "defenders", "d4-g4"));
}

#[test]
fn corners_are_for_the_king() {
    let pieces = ["b7 g6", "f1", "a3"];
    assert!(!may(&json!({}), pieces, "attackers", "b7-a7"));
    assert!(!may(&json!({}), pieces, "attackers", "g6-g7"));
    assert!(!may(&json!({}), pieces, "defenders", "f1-g1"));
    assert!(may(&json!({}), pieces, "defenders", "a3-a1"));
    let step = json!({"king_speed": "step"});
    assert!(!may(&step, pieces, "defenders", "a3-a1"));
    assert!(may(&step, pieces, "defenders", "a3-a2"));
}

#[test]
fn encirclement_is_orthogonal_and_the_edge_connects() {
    let on = json!({"encirclement": true});
    let ring = "c4 d3 d5 e3 e5 f7";
    assert_eq!(
        reason(&on, [ring, "", "d4"], "attackers", "f7-f4"),
        "encircled"
    );
    assert_eq!(
        reason(&on, [ring, "e4", "d4"], "attackers", "f7-f4"),
        "encircled"
    );
    assert_eq!(
        reason(&on, [ring, "a3", "d4"], "attackers", "f7-f4"),
        "ongoing"
    );
    assert_eq!(
        reason(&on, [ring, "b2", "d4"], "attackers", "f7-f4"),
        "ongoing"
    );
    assert_eq!(
        reason(&json!({}), [ring, "", "d4"], "attackers", "f7-f4"),
        "ongoing"
    );
    // A defender in the gap does not close it, nor does the throne.
    let gap = "c4 d3 d5 e3 e5 g2";
    assert_eq!(
        reason(&on, [gap, "e4", "d4"], "attackers", "g2-g3"),
        "ongoing"
    );
    let closed_throne = json!({"encirclement": true, "throne_pass": "nobody"});
    assert_eq!(
        reason(
            &closed_throne,
            ["e3 e5 f4 g2", "", "e4"],
            "attackers",
            "g2-g3"
        ),
        "ongoing"
    );
    // A piece on the edge is connected even where attackers surround it.
    let surrounded = ["a3 a5 b7 c4 d3 d5 e4", "a4", "d4"];
    assert_eq!(reason(&on, surrounded, "attackers", "b7-b4"), "no-moves");
    // It is judged after an attackers' move only.
    let before = ["c4 d3 d5 e3 e5 f4 a2", "", "d4"];
    assert_eq!(reason(&on, before, "defenders", "d4-e4"), "ongoing");
    assert_eq!(reason(&on, before, "defenders", "d4-e4 a2-a3"), "encircled");
}

#[test]
fn endings_have_an_order() {
    let on = json!({"encirclement": true, "no_moves": "loses"});
    // Escape first, though the attackers are left without a piece.
    assert_eq!(
        reason(&on, ["b1", "c1", "a4"], "defenders", "a4-a1"),
        "king-escaped"
    );
    // The king's capture before the ring, the ring before having no move.
    let ring = "c4 d3 d5 e3 e5 f7";
    assert_eq!(
        reason(&on, [ring, "", "e4"], "attackers", "f7-f4"),
        "king-captured"
    );
    assert_eq!(
        reason(&on, [ring, "e4", "d4"], "attackers", "f7-f4"),
        "encircled"
    );
    assert_eq!(
        reason(&json!({}), [ring, "e4", "d4"], "attackers", "f7-f4"),
        "no-moves"
    );
}

#[test]
fn side_without_moves_at_the_start() {
    let pieces = ["a4", "a3 a5 b4", "g2"];
    let outcome = |rules: Value| game(&rules, pieces, "attackers").outcome();
    let pair = |winner: &str| Some((winner.to_owned(), "no-moves".to_owned()));
    assert_eq!(outcome(json!({})), pair("draw"));
    assert_eq!(outcome(json!({"no_moves": "loses"})), pair("defenders"));
    let over = game(&json!({}), pieces, "attackers");
    assert_eq!((perft(&over, 0), perft(&over, 1)), (1, 0));
    assert!(over.clone().play("a4-b4").is_err());
}

#[test]
fn repetition_counts_the_start_and_the_side_to_move() {
    let pieces = ["g3", "", "d2"];
    let cycle = "g3-g4 d2-d3 g4-g3 d3-d2";
    let count = |count: u64| json!({"repetition": {"count": count, "result": "draw"}});
    assert_eq!(reason(&count(2), pieces, "attackers", cycle), "repetition");
    let twice = format!("{cycle} {cycle}");
    assert_eq!(reason(&count(3), pieces, "attackers", &twice), "repetition");
    assert_eq!(reason(&count(4), pieces, "attackers", &twice), "ongoing");
    let ignored = json!({"repetition": "ignored"});
    assert_eq!(reason(&ignored, pieces, "attackers", &twice), "ongoing");
    let other_side = "g3-g4 d2-d3 g4-g5 d3-d2 g5-g3";
    assert_eq!(
        reason(&count(2), pieces, "attackers", other_side),
        "ongoing"
    );
}

#[test]
fn repetition_results() {
    let outcome = |result: &str, side: &str, moves: &str| {
        let rules = json!({"repetition": {"count": 2, "result": result}});
        let mut game = game(&rules, ["g3", "", "d2"], side);
        for text in moves.split_whitespace() {
            assert_eq!(game.play(text), Ok(Vec::new()));
        }
        game.outcome().expect("over").0
    };
    let (king_last, king_first) = ("g3-g4 d2-d3 g4-g3 d3-d2", "d2-d3 g3-g4 d3-d2 g4-g3");
    for named in ["draw", "attackers", "defenders"] {
        assert_eq!(outcome(named, "attackers", king_last), named);
    }
    assert_eq!(outcome("mover-loses", "attackers", king_last), "attackers");
    assert_eq!(outcome("mover-loses", "defenders", king_first), "defenders");
}

#[test]
fn illegal_moves_change_nothing() {
    let mut game = game(&json!({}), ["g3", "e2", "d2"], "attackers");
    let before = game.position();
    for text in [
        "d2-d3", "g3-g1", "g3-f4", "g3-g3", "a2-a3", "g3", "g3-h3", "d2-f2",
    ] {
        assert!(game.play(text).is_err(), "{text}");
        assert_eq!(
            (game.position(), game.side().as_str()),
            (before.clone(), "attackers")
        );
    }
}
