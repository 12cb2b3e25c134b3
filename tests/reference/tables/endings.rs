//! Writes the table of crafted endings, after checking that the reference agrees with every value
//! derived by hand.

use serde_json::{Value, json};

use crate::{
    cases::{ENDINGS, KING, SOLDIERS},
    reference::{
        Game, Rules,
        board::{board_from_lists, write_position},
    },
};

/// A crafted game with the values derived by hand.
struct Case<'a> {
    name: &'a str,
    rules: &'a str,
    position: String,
    side: &'a str,
    moves: Vec<&'a str>,
    captures: Vec<Vec<&'a str>>,
    result: &'a str,
    reason: &'a str,
}

/// One line for each case.
pub fn lines() -> Vec<String> {
    let cases: Vec<Case> = [KING, SOLDIERS, ENDINGS]
        .into_iter()
        .flat_map(|text| text.trim().split("# ").skip(1))
        .map(read_case)
        .collect();
    let mut names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "two cases share a name");
    for case in &cases {
        check(case);
    }
    cases.iter().map(line).collect()
}

fn read_case(text: &str) -> Case<'_> {
    let (name, game) = text.trim().split_once('\n').expect("a name, then a game");
    let fields: Vec<&str> = game.split('|').map(str::trim).collect();
    let [rules, pieces, play, ending] = fields[..] else {
        panic!("{name}: four fields");
    };
    let pieces: Vec<&str> = pieces.split('/').collect();
    let [attackers, defenders, king] = pieces[..] else {
        panic!("{name}: attackers, defenders and king");
    };
    let board = board_from_lists(attackers, defenders, king).expect(name);
    let (side, play) = play.split_once(':').expect(name);
    let (mut moves, mut captures) = (Vec::new(), Vec::new());
    for text in play.split_whitespace() {
        let mut parts = text.split('x');
        moves.extend(parts.next());
        captures.push(parts.collect());
    }
    let (result, reason) = ending.split_once(' ').expect(name);
    Case {
        name,
        rules,
        position: write_position(&board),
        side,
        moves,
        captures,
        result,
        reason,
    }
}

/// Plays the case by the reference rules; panics where they differ from the values by hand.
fn check(case: &Case) {
    let name = case.name;
    let value: Value = serde_json::from_str(case.rules).expect(name);
    let rules = Rules::from_json(&value).expect(name);
    let mut game = Game::new(&rules, Some(&case.position), Some(case.side)).expect(name);
    for (text, expected) in case.moves.iter().zip(&case.captures) {
        assert_eq!(game.outcome(), None, "{name}: over before {text}");
        let captured = game.play(text).expect(name);
        assert_eq!(captured, *expected, "{name}: captures of {text}");
    }
    let ongoing = || ("ongoing".to_owned(), "ongoing".to_owned());
    let (result, reason) = game.outcome().unwrap_or_else(ongoing);
    assert_eq!((&*result, &*reason), (case.result, case.reason), "{name}");
}

fn line(case: &Case) -> String {
    format!(
        "{{\"name\": {}, \"rules\": {}, \"position\": {}, \"side\": {}, \"moves\": {}, \
         \"captures\": {}, \"result\": {}, \"reason\": {}}}",
        json!(case.name),
        case.rules,
        json!(case.position),
        json!(case.side),
        json!(case.moves),
        json!(case.captures),
        json!(case.result),
        json!(case.reason),
    )
}
