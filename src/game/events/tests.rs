//! Hand-made positions for every event. Imports rules.

use super::*;
use crate::game::RulesetTable;

fn squares(names: &str) -> Bitboard {
    let names = names.split_whitespace();
    names.map(|name| name.parse().unwrap()).collect()
}

/// Pieces as lists of squares: attackers, defenders, king.
fn position([attackers, defenders, king]: [&str; 3], side: Side) -> Position {
    Position {
        attackers: squares(attackers),
        defenders: squares(defenders),
        king: squares(king),
        side,
    }
}

/// What a move is under these axes.
fn explain(axes: &str, pieces: [&str; 3], side: Side, ply: &str) -> Explanation {
    let table: RulesetTable = toml::from_str(axes).unwrap();
    let rules = Rules::new(table.resolve().unwrap());
    let game = Game::from_position(&rules, position(pieces, side));
    let ply = ply.parse().unwrap();
    assert!(rules.is_legal(game.position(), ply), "{ply}");
    Explainer::new(&rules).explain(&game, ply)
}

fn attack(axes: &str, pieces: [&str; 3], ply: &str) -> Explanation {
    explain(axes, pieces, Side::Attackers, ply)
}

fn defend(axes: &str, pieces: [&str; 3], ply: &str) -> Explanation {
    explain(axes, pieces, Side::Defenders, ply)
}

fn words(explanation: &Explanation) -> Vec<&'static str> {
    let events = explanation.events();
    events.into_iter().map(Event::words).collect()
}

/// The rules that decided a capture.
fn deciding(explanation: &Explanation) -> Vec<(Rule, Bitboard)> {
    let decided = Rule::ALL.map(|rule| (rule, explanation.decided_by(rule)));
    let some = |(_, squares): &(Rule, Bitboard)| !squares.is_empty();
    decided.into_iter().filter(some).collect()
}

fn only_capture(explanation: &Explanation) -> &Capture {
    assert_eq!(explanation.captures.len(), 1);
    &explanation.captures[0]
}

#[test]
fn a_capture_between_soldiers_takes_no_rule() {
    let found = attack("", ["c3 e6", "d3", "g4"], "e6-e3");
    let capture = only_capture(&found);
    assert_eq!((capture.square, capture.is_king), (at("d3"), false));
    assert_eq!(capture.anvils[..], [Anvil::Soldier(at("c3"))]);
    assert_eq!(words(&found), [""; 0]);
    assert_eq!(deciding(&found), []);
    assert_eq!(found.played.captured, squares("d3"));
}

fn at(name: &str) -> Square {
    name.parse().unwrap()
}

#[test]
fn an_armed_king_captures_moving_and_standing() {
    let found = defend("", ["c3 g7", "d3", "b5"], "b5-b3");
    assert!(found.is_kings);
    assert_eq!(words(&found), ["captured by the king"]);
    assert_eq!(deciding(&found), [(Rule::ArmedKing, squares("c3"))]);
    let found = defend("", ["d3 g7", "e6", "c3"], "e6-e3");
    assert_eq!(only_capture(&found).anvils[..], [Anvil::King(at("c3"))]);
    assert_eq!(words(&found), ["captured against the king"]);
    assert_eq!(deciding(&found), [(Rule::ArmedKing, squares("d3"))]);
    // Of two captured at once the king has to do with one.
    let found = defend("", ["d3 e4 g7", "e5 g3", "c3"], "g3-e3");
    assert_eq!(found.played.captured, squares("d3 e4"));
    assert_eq!(deciding(&found), [(Rule::ArmedKing, squares("d3"))]);
    // An unarmed king does neither.
    let unarmed = "king_armed = false";
    let found = defend(unarmed, ["c3 g7", "d3", "b5"], "b5-b3");
    assert!(found.captures.is_empty() && words(&found).is_empty());
    let found = defend(unarmed, ["d3 g7", "e6", "c3"], "e6-e3");
    assert!(found.captures.is_empty());
}

#[test]
fn soldiers_are_captured_against_the_throne_and_corners() {
    let pieces = ["a2", "d3", "f5"];
    let found = attack("", pieces, "a2-d2");
    assert_eq!(only_capture(&found).anvils[..], [Anvil::Throne]);
    assert_eq!(words(&found), ["captured against the empty throne"]);
    assert_eq!(deciding(&found), [(Rule::HostileThrone, squares("d3"))]);
    let quiet = attack("throne_hostile = 'none'", pieces, "a2-d2");
    assert!(quiet.captures.is_empty());
    let pieces = ["c5", "b1", "f5"];
    let found = attack("", pieces, "c5-c1");
    assert_eq!(only_capture(&found).anvils[..], [Anvil::Corner(at("a1"))]);
    assert_eq!(words(&found), ["captured against a corner"]);
    assert_eq!(deciding(&found), [(Rule::HostileCorners, squares("b1"))]);
    let quiet = attack("corners_hostile = 'none'", pieces, "c5-c1");
    assert!(quiet.captures.is_empty());
    // The king on the throne is an anvil himself, and armed.
    let found = defend("", ["d3 g7", "a2", "d4"], "a2-d2");
    assert_eq!(words(&found), ["captured against the king"]);
    assert_eq!(deciding(&found), [(Rule::ArmedKing, squares("d3"))]);
}

#[test]
fn two_capture_the_king_where_four_would_not() {
    let found = attack("", ["b3 d6", "", "c3"], "d6-d3");
    let capture = only_capture(&found);
    assert!(capture.is_king && !capture.is_surrounded);
    assert_eq!(capture.anvils[..], [Anvil::Soldier(at("b3"))]);
    let by_two = ["king captured by two", "not a capture where it takes four"];
    assert_eq!(words(&found), by_two);
    assert_eq!(deciding(&found), [(Rule::CaptureByTwo, squares("c3"))]);
    // With all four sides closed, four would have captured him as well.
    let found = attack("", ["b3 c2 c4 d6", "", "c3"], "d6-d3");
    assert_eq!(words(&found), ["king captured by two"]);
    assert_eq!(deciding(&found), []);
}

#[test]
fn the_king_is_captured_against_the_throne_and_corners() {
    let found = attack("", ["a2", "", "d3"], "a2-d2");
    assert_eq!(only_capture(&found).anvils[..], [Anvil::Throne]);
    let expected = [
        "king captured by two",
        "king captured against the empty throne",
        "not a capture where it takes four",
    ];
    assert_eq!(words(&found), expected);
    let king = squares("d3");
    let decided = [(Rule::HostileThrone, king), (Rule::CaptureByTwo, king)];
    assert_eq!(deciding(&found), decided);
    let found = attack("", ["c5", "", "b1"], "c5-c1");
    let expected = [
        "king captured by two",
        "king captured against a corner",
        "not a capture where it takes four",
    ];
    assert_eq!(words(&found), expected);
    let king = squares("b1");
    let decided = [(Rule::HostileCorners, king), (Rule::CaptureByTwo, king)];
    assert_eq!(deciding(&found), decided);
}

#[test]
fn the_king_is_surrounded_by_all_his_sides() {
    let four = "king_capture = 'four'";
    let found = attack(four, ["b3 c2 d3 c6", "", "c3"], "c6-c4");
    assert!(only_capture(&found).is_surrounded);
    assert_eq!(only_capture(&found).anvils.len(), 3);
    assert_eq!(words(&found), ["king captured on all sides"]);
    assert_eq!(deciding(&found), []);
    // Soldiers stand beside him whichever of them came last.
    let found = attack(four, ["a2 a4 d3", "", "a3"], "d3-b3");
    let anvils = &only_capture(&found).anvils;
    let soldiers = [Anvil::Soldier(at("a2")), Anvil::Soldier(at("a4"))];
    assert_eq!(anvils[..], [&[Anvil::Edge][..], &soldiers[..]].concat()[..]);
    let on_edge = [
        "king captured on all sides",
        "king captured against the edge",
    ];
    assert_eq!(words(&found), on_edge);
    let throne = attack(four, ["c3 e3 a2", "", "d3"], "a2-d2");
    let against = [
        "king captured on all sides",
        "king captured against the empty throne",
    ];
    assert_eq!(words(&throne), against);
    let decided = [(Rule::HostileThrone, squares("d3"))];
    assert_eq!(deciding(&throne), decided);
    let on_throne = "king_capture = 'throne'";
    let found = attack(on_throne, ["c4 d3 d5 g4", "", "d4"], "g4-e4");
    assert_eq!(words(&found), ["king captured on all sides"]);
}

#[test]
fn beside_the_throne_its_side_counts_in_any_case_by_zone() {
    let pieces = ["c3 e3 a2", "", "d3"];
    let hostile = attack("king_capture = 'zone'", pieces, "a2-d2");
    let against = [
        "king captured on all sides",
        "king captured against the empty throne",
    ];
    assert_eq!(words(&hostile), against);
    // Its hostility would have done for four as well, and was not needed here.
    assert_eq!(deciding(&hostile), []);
    let quiet = "king_capture = 'zone'\nthrone_hostile = 'none'";
    let quiet = attack(quiet, pieces, "a2-d2");
    assert_eq!(words(&quiet)[..2], against);
    assert_eq!(deciding(&quiet), [(Rule::CaptureByTwo, squares("d3"))]);
}

#[test]
fn stepping_onto_the_throne_again_is_a_return_where_there_is_one_to_return_to() {
    let pieces = ["g7", "a2", "d2"];
    let found = defend("", pieces, "d2-d4");
    assert!(found.returned);
    assert_eq!(words(&found), ["king back on the throne"]);
    assert!(!defend("", pieces, "d2-d3").returned);
    assert!(!defend("", pieces, "a2-a4").returned);
    assert!(!defend("throne = 'ordinary'", pieces, "d2-d4").returned);
    let leaving = defend("", ["g7", "a2", "d4"], "d4-d2");
    assert!(!leaving.returned);
}

#[test]
fn threats_to_escape_are_counted_when_they_are_made() {
    let threat = |pieces, ply| defend("", pieces, ply).threat;
    // Along the first rank to one corner, or to both.
    assert_eq!(threat(["e1", "", "b4"], "b4-b1"), Some(Threat::Raichi));
    assert_eq!(threat(["e7", "", "b4"], "b4-b1"), Some(Threat::Tuichi));
    let found = defend("", ["e7", "", "b4"], "b4-b1");
    assert_eq!(words(&found), ["tuichi"]);
    // One that stood before is none that was made.
    assert_eq!(threat(["e1", "b4", "b1"], "b4-b5"), None);
    assert_eq!(threat(["e1", "", "b1"], "b1-c1"), None);
    // A soldier steps out of the way of the second.
    assert_eq!(threat(["e5", "c1", "b1"], "c1-c3"), Some(Threat::Tuichi));
    assert_eq!(threat(["b1 e1", "b3", "c1"], "b3-b4"), None);
    // No corner in sight.
    assert_eq!(threat(["e5", "", "b4"], "b4-b3"), None);
    // The attackers open a line, or the king goes: nothing is threatened.
    assert_eq!(attack("", ["c1 e1", "", "b1"], "c1-c3").threat, None);
    assert_eq!(threat(["e5", "", "b1"], "b1-a1"), None);
}

#[test]
fn a_rule_that_is_not_there_cannot_be_taken_away() {
    let ruleset = |axes: &str| {
        let table: RulesetTable = toml::from_str(axes).unwrap();
        table.resolve().unwrap()
    };
    for rule in Rule::ALL {
        let rest = rule.taken_from(&Ruleset::default()).unwrap();
        let keys = crate::game::AXES.iter();
        let changed = keys
            .zip(Ruleset::default().axes().into_iter().zip(rest.axes()))
            .filter(|(_, (before, after))| before != after);
        // By four the axis of edges comes into being.
        let changed: Vec<&str> = changed.map(|(key, _)| *key).collect();
        assert_eq!(
            changed[0],
            match rule {
                Rule::ArmedKing => "king_armed",
                Rule::HostileThrone => "throne_hostile",
                Rule::HostileCorners => "corners_hostile",
                Rule::CaptureByTwo => "king_capture",
                Rule::KingReturn => "king_return",
            }
        );
        assert_eq!(rule.taken_from(&rest), None);
        assert!(changed.len() == 1 || rule == Rule::CaptureByTwo);
    }
    let plain = ruleset("throne = 'ordinary'");
    assert_eq!(Rule::HostileThrone.taken_from(&plain), None);
    assert_eq!(Rule::KingReturn.taken_from(&plain), None);
}
