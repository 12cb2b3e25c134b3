//! Who captures whom: hammer and anvil, hostile squares, the king by each method.

use serde_json::json;

use super::{last_captures, reason};

#[test]
fn armed_king_is_hammer_and_anvil() {
    let hammer = ["d3 g5", "e3", "c6"];
    let anvil = ["d3 g5", "e1", "c3"];
    let (armed, unarmed) = (json!({}), json!({"king_armed": false}));
    assert_eq!(last_captures(&armed, hammer, "defenders", "c6-c3"), "d3");
    assert_eq!(last_captures(&unarmed, hammer, "defenders", "c6-c3"), "");
    assert_eq!(last_captures(&armed, anvil, "defenders", "e1-e3"), "d3");
    assert_eq!(last_captures(&unarmed, anvil, "defenders", "e1-e3"), "");
}

#[test]
fn unarmed_king_captures_nothing_against_hostile_squares() {
    let unarmed = json!({"king_armed": false});
    let by_corner = ["b1 g5", "", "c5"];
    assert_eq!(last_captures(&unarmed, by_corner, "defenders", "c5-c1"), "");
    assert_eq!(
        last_captures(&json!({}), by_corner, "defenders", "c5-c1"),
        "b1"
    );
    let by_throne = ["e4 a2", "", "f7"];
    assert_eq!(last_captures(&unarmed, by_throne, "defenders", "f7-f4"), "");
    assert_eq!(
        last_captures(&json!({}), by_throne, "defenders", "f7-f4"),
        "e4"
    );
}

#[test]
fn only_the_empty_throne_is_hostile() {
    for (hostile, captured) in [("everyone", "e4"), ("soldiers", "e4"), ("none", "")] {
        let rules = json!({"throne_hostile": hostile});
        assert_eq!(
            last_captures(&rules, ["f7", "e4", "b2"], "attackers", "f7-f4"),
            captured
        );
        assert_eq!(
            last_captures(&rules, ["f7", "e4", "d4"], "attackers", "f7-f4"),
            ""
        );
        // The throne's king acts as himself: an anvil if armed.
        assert_eq!(
            last_captures(&rules, ["e4 a2", "f7", "d4"], "defenders", "f7-f4"),
            "e4"
        );
        let unarmed = json!({"throne_hostile": hostile, "king_armed": false});
        assert_eq!(
            last_captures(&unarmed, ["e4 a2", "f7", "d4"], "defenders", "f7-f4"),
            ""
        );
    }
}

#[test]
fn throne_the_king_has_left_is_hostile_at_once() {
    let pieces = ["f7 g2", "e4", "d4"];
    assert_eq!(
        last_captures(&json!({}), pieces, "defenders", "d4-d1 f7-f4"),
        "e4"
    );
    assert_eq!(last_captures(&json!({}), pieces, "attackers", "f7-f4"), "");
}

#[test]
fn walking_between_enemies_is_safe() {
    assert_eq!(
        last_captures(&json!({}), ["a3 c3", "b6", "g4"], "defenders", "b6-b3"),
        ""
    );
    let king = (["d2 f2", "", "e5"], "e5-e2");
    assert_eq!(reason(&json!({}), king.0, "defenders", king.1), "ongoing");
}

#[test]
fn soldiers_and_king_are_captured_together() {
    let pieces = ["d2 f4 g2", "f3", "e2"];
    assert_eq!(
        last_captures(&json!({}), pieces, "attackers", "g2-f2"),
        "e2 f3"
    );
    assert_eq!(
        reason(&json!({}), pieces, "attackers", "g2-f2"),
        "king-captured"
    );
}

#[test]
fn edge_is_hostile_to_nobody() {
    assert_eq!(
        last_captures(&json!({}), ["b7", "a4", "g4"], "attackers", "b7-b4"),
        ""
    );
    assert_eq!(
        last_captures(&json!({}), ["b7", "", "a4"], "attackers", "b7-b4"),
        ""
    );
}

#[test]
fn corners_are_hostile_to_whom_the_axis_says() {
    for (hostile, soldier, king) in [
        ("everyone", "b1", "b1"),
        ("soldiers", "b1", ""),
        ("none", "", ""),
    ] {
        let rules = json!({"corners_hostile": hostile});
        assert_eq!(
            last_captures(&rules, ["c5", "b1", "g4"], "attackers", "c5-c1"),
            soldier
        );
        assert_eq!(
            last_captures(&rules, ["c5", "", "b1"], "attackers", "c5-c1"),
            king
        );
    }
}

#[test]
fn king_capture_on_beside_and_away_from_the_throne() {
    let on_two = ["c4 e7", "", "d4"];
    let on_four = ["c4 d3 e4 d7", "", "d4"];
    let beside_two = ["f7", "", "e4"];
    let beside_three = ["e3 e5 f7", "", "e4"];
    let away_two = ["d5 f7", "", "e5"];
    let away_four = ["d5 e6 f5 e2", "", "e5"];
    let boards = [
        (on_two, "e7-e4"),
        (on_four, "d7-d5"),
        (beside_two, "f7-f4"),
        (beside_three, "f7-f4"),
        (away_two, "f7-f5"),
        (away_four, "e2-e4"),
    ];
    for (capture, hostile, expected) in [
        ("two", "everyone", [true, true, true, true, true, true]),
        ("two", "none", [true, true, false, false, true, true]),
        ("throne", "everyone", [false, true, true, true, true, true]),
        ("throne", "none", [false, true, false, false, true, true]),
        ("zone", "everyone", [false, true, false, true, true, true]),
        ("zone", "none", [false, true, false, true, true, true]),
        ("four", "everyone", [false, true, false, true, false, true]),
        ("four", "soldiers", [false, true, false, false, false, true]),
    ] {
        let rules = json!({"king_capture": capture, "throne_hostile": hostile});
        for ((pieces, text), expected) in boards.into_iter().zip(expected) {
            let got = reason(&rules, pieces, "attackers", text) == "king-captured";
            assert_eq!(got, expected, "{rules} {pieces:?} {text}");
        }
    }
}

#[test]
fn four_on_the_edge() {
    let (three, safe) = (
        json!({"king_capture": "four"}),
        json!({"king_capture": "four", "king_edge": "safe"}),
    );
    let edge = (["c1 e1 d3", "", "d1"], "d3-d2");
    assert_eq!(reason(&three, edge.0, "attackers", edge.1), "king-captured");
    assert_eq!(reason(&safe, edge.0, "attackers", edge.1), "no-moves");
    let by_corner = (["c1 b4", "", "b1"], "b4-b2");
    assert_eq!(
        reason(&three, by_corner.0, "attackers", by_corner.1),
        "king-captured"
    );
    assert_eq!(
        reason(&safe, by_corner.0, "attackers", by_corner.1),
        "ongoing"
    );
    let soldiers = json!({"king_capture": "four", "corners_hostile": "soldiers"});
    assert_eq!(
        reason(&soldiers, by_corner.0, "attackers", by_corner.1),
        "ongoing"
    );
    // By `two` the edge does not matter.
    let two = json!({"king_edge": "safe"});
    assert_eq!(
        reason(&two, ["c1 e4", "", "d1"], "attackers", "e4-e1"),
        "king-captured"
    );
}
