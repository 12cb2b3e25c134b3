//! Positions, rulesets and the published counts from the start.

use serde_json::{Value, json};

use super::super::{
    Game, Rules,
    board::{read_position, write_position},
    perft,
    rules::{PRESETS, THRONE_AXES, preset},
};

fn error(rules: &Value) -> String {
    Rules::from_json(rules).expect_err("no ruleset")
}

#[test]
fn start_position_is_the_cross() {
    let rules = Rules::from_json(&json!("disputed")).expect("a preset");
    let game = Game::new(&rules, None, None).expect("a start");
    assert_eq!(game.position(), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    assert_eq!(game.side(), "attackers");
}

#[test]
fn positions_read_back_as_written() {
    for text in ["/7/7/7/3K3/7/7/7/", "/1t4t/T6/7/3K3/6t/7/1ttTt2/"] {
        assert_eq!(write_position(&read_position(text).expect(text)), text);
    }
    for text in [
        "7/7/7/7/7/7/7",
        "/7/7/7/7/7/7/",
        "/8/7/7/7/7/7/7/",
        "/6/7/7/7/7/7/7/",
        "/x6/7/7/7/7/7/7/",
    ] {
        assert!(read_position(text).is_err(), "{text}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    let reserved = Rules::from_json(&json!({})).expect("rules");
    let ordinary = Rules::from_json(&json!({"throne": "ordinary"})).expect("rules");
    let soldier_on_throne = "/7/7/7/3t3/7/7/2K4/";
    assert!(Game::new(&reserved, Some(soldier_on_throne), None).is_err());
    assert!(Game::new(&ordinary, Some(soldier_on_throne), None).is_ok());
    for text in [
        "/7/7/7/7/7/7/7/",
        "/KK5/7/7/7/7/7/7/",
        "/t6/7/7/3K3/7/7/7/",
        "/K6/7/7/7/7/7/7/",
    ] {
        assert!(Game::new(&reserved, Some(text), None).is_err(), "{text}");
    }
    assert!(Game::new(&reserved, None, Some("nobody")).is_err());
}

#[test]
fn perft_from_the_cross() {
    let start = |rules: Value| {
        let rules = Rules::from_json(&rules).expect("rules");
        Game::new(&rules, None, None).expect("a start")
    };
    assert_eq!(perft(&start(json!({})), 0), 1);
    assert_eq!(perft(&start(json!({})), 1), 40);
    assert_eq!(perft(&start(json!({})), 2), 960);
    assert_eq!(perft(&start(json!({})), 3), 39_512);
    assert_eq!(perft(&start(json!({"corners_hostile": "none"})), 3), 39_568);
}

#[test]
fn rulesets_that_contradict_themselves() {
    for axis in THRONE_AXES {
        let value = preset("brandubh-3").expect("a preset")[axis].clone();
        let mut rules = json!({"throne": "ordinary"});
        rules[axis] = value.clone();
        assert!(error(&rules).contains(axis));
        let mut rules = json!({"base": "masters"});
        rules[axis] = value;
        assert!(error(&rules).contains(axis));
    }
    error(&json!({"throne": "ordinary", "king_capture": "zone"}));
    error(&json!({"base": "masters", "king_capture": "throne"}));
    error(&json!({"king_armed": "true"}));
    error(&json!({"throne_hostile": true}));
    error(&json!({"king_captured": "two"}));
    error(&json!({"base": "unheard-of"}));
    error(&json!({"repetition": {"count": 1, "result": "draw"}}));
    error(&json!({"repetition": {"count": 3}}));
    error(&json!({"layout": "square"}));
    error(&json!("unheard-of"));
    error(&json!(7));
}

#[test]
fn bases_are_overridden_axis_by_axis() {
    for name in PRESETS {
        Rules::from_json(&json!(name)).expect(name);
        Rules::from_json(&json!({"base": name, "king_armed": true})).expect(name);
    }
    let rules = Rules::from_json(&json!({"base": "walker-2011", "throne": "ordinary"}));
    assert!(
        rules
            .expect("the base's throne axes are dropped")
            .is("throne", "ordinary")
    );
    let rules = json!({"base": "masters", "throne": "reserved", "king_return": false});
    let rules = Rules::from_json(&rules).expect("a reserved throne again");
    assert!(rules.is("king_return", "false") && rules.is("throne_hostile", "everyone"));
    let rules = Rules::from_json(&json!("branan-step")).expect("a preset");
    assert!(rules.is("king_speed", "step") && rules.is("king_edge", "safe"));
    let rules = Rules::from_json(&json!("wtf")).expect("a preset");
    assert_eq!(rules.repetition, Some((3, "attackers".to_owned())));
}
