//! What moves are said to have brought about: random games under random rules, every claim about a
//! rule checked by changing that rule for the naive implementation.

use std::collections::BTreeMap;

use brandub::agents::Stream;
use brandub::game::sample::below;
use brandub::game::{
    Anvil, Bitboard, Event, Explainer, Explanation, Game, Move, MoveList, Position, Rule, Rules,
    RulesetTable, Side, Threat,
};
use serde_json::{Value, json};

use crate::{numbered, pick, reference};

const GAMES: u32 = 2_500;
const PLY_LIMIT: u32 = 40;
/// How often each event must have been seen.
const ENOUGH: u32 = 10;

/// Any value of every axis that captures and returns depend on.
fn any_rules(random: &mut Stream) -> Value {
    let mut rules = json!({
        "layout": pick(&["cross", "circle", "line", "ring"], random),
        "king_armed": pick(&[true, true, false], random),
        "corners_hostile": pick(&["none", "soldiers", "everyone"], random),
        "king_edge": pick(&["three", "safe"], random),
    });
    if below(8, random) == 0 {
        rules["throne"] = json!("ordinary");
        rules["king_capture"] = json!(pick(&["two", "four"], random));
        return rules;
    }
    rules["king_capture"] = json!(pick(&["two", "throne", "zone", "four"], random));
    rules["throne_hostile"] = json!(pick(&["none", "soldiers", "everyone"], random));
    rules["king_return"] = json!(pick(&[true, true, false], random));
    rules
}

/// The same rules without one of them.
fn without(rule: Rule, rules: &Value) -> Value {
    let mut rules = rules.clone();
    let (axis, value) = match rule {
        Rule::ArmedKing => ("king_armed", json!(false)),
        Rule::HostileThrone => ("throne_hostile", json!("none")),
        Rule::HostileCorners => ("corners_hostile", json!("none")),
        Rule::CaptureByTwo => ("king_capture", json!("four")),
        Rule::KingReturn => ("king_return", json!(false)),
    };
    let ordinary = rules.get("throne").is_some();
    if !(ordinary && matches!(rule, Rule::HostileThrone | Rule::KingReturn)) {
        rules[axis] = value;
    }
    rules
}

/// The naive rules of a game, and the same without each of them.
struct Naive {
    rules: reference::Rules,
    without: [reference::Rules; Rule::ALL.len()],
}

impl Naive {
    fn new(rules: &Value) -> Naive {
        let read = |rules: &Value| reference::Rules::from_json(rules).unwrap();
        Naive {
            rules: read(rules),
            without: Rule::ALL.map(|rule| read(&without(rule, rules))),
        }
    }

    /// The corners the king may go to, by the list of moves.
    fn ways_out(&self, position: &Position) -> Vec<String> {
        let otn = position.to_otn();
        let game = reference::Game::new(&self.rules, Some(&otn), Some("defenders")).unwrap();
        let moves = game.legal_moves().into_iter();
        moves
            .filter_map(|ply| Some(ply.split_once('-')?.1.to_owned()))
            .filter(|to| ["a1", "g1", "a7", "g7"].contains(&to.as_str()))
            .collect()
    }
}

/// Whom a move captures; `None` if it may not be played.
fn captured(rules: &reference::Rules, position: &Position, ply: Move) -> Option<Vec<String>> {
    let side = Some(position.side.name());
    let mut game = reference::Game::new(rules, Some(&position.to_otn()), side).unwrap();
    game.play(&ply.to_string()).ok()
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|at| at.to_string()).collect()
}

/// What is said of a move, by what the reference says of it under other rules.
fn check(naive: &Naive, position: &Position, ply: Move, found: &Explanation) {
    let all = captured(&naive.rules, position, ply).expect("a legal move");
    let of_captures = found.captures.iter().map(|capture| capture.square);
    let mut of_captures: Vec<String> = of_captures.map(|at| at.to_string()).collect();
    of_captures.sort();
    assert_eq!(of_captures, all);
    for rule in Rule::ALL {
        let rest = captured(&naive.without[rule as usize], position, ply);
        assert_eq!(found.returned && rule == Rule::KingReturn, rest.is_none());
        let rest = rest.unwrap_or_default();
        let mut needed: Vec<String> = all
            .iter()
            .filter(|at| !rest.contains(at))
            .cloned()
            .collect();
        if rule == Rule::KingReturn {
            needed.clear();
        }
        let mut decided = names(found.decided_by(rule));
        decided.sort();
        assert_eq!(decided, needed, "{rule:?}");
    }
    for capture in &found.captures {
        let (from, to) = (capture.square, ply.to);
        let across = from.offset(from.file() - to.file(), from.rank() - to.rank());
        let inside = Bitboard::of(capture.square).neighbours().len();
        if capture.is_surrounded {
            assert!(capture.is_king);
            assert_eq!(capture.anvils.len() as u32, 3);
            let edge = capture.anvils.contains(&Anvil::Edge);
            assert_eq!(edge, inside == 3, "an edge square has three neighbours");
            continue;
        }
        let [anvil] = capture.anvils[..] else {
            panic!("one anvil across the captured: {:?}", capture.anvils);
        };
        let across = across.expect("a square across");
        let symbol = position.symbol(across);
        let allowed = match anvil {
            Anvil::Soldier(at) => at == across && "tT".contains(symbol),
            Anvil::King(at) => at == across && symbol == 'K',
            Anvil::Throne => across.to_string() == "d4" && (symbol == '.' || across == ply.from),
            Anvil::Corner(at) => at == across && Bitboard::CORNERS.contains(at),
            Anvil::Edge => false,
        };
        assert!(allowed, "{anvil:?}");
    }
}

fn check_threat(naive: &Naive, position: &Position, found: &Explanation) {
    let mut made = None;
    if position.side == Side::Defenders && found.outcome.is_none() {
        let after = naive.ways_out(&found.played.position);
        let new = |before: Vec<String>| after.iter().any(|corner| !before.contains(corner));
        if !after.is_empty() && new(naive.ways_out(position)) {
            let threat = [Threat::Raichi, Threat::Tuichi][usize::from(after.len() > 1)];
            made = Some(threat);
        }
    }
    assert_eq!(found.threat, made, "{position}");
}

#[test]
fn the_naive_rules_say_the_same_of_every_move() {
    let mut seen: BTreeMap<Event, u32> = BTreeMap::new();
    for number in 0..GAMES {
        let mut random = numbered(4, number);
        let json = any_rules(&mut random);
        let table: RulesetTable = serde_json::from_value(json.clone()).unwrap();
        let rules = Rules::new(table.resolve().unwrap());
        let explainer = Explainer::new(&rules);
        let naive = Naive::new(&json);
        let mut game = Game::new(&rules);
        let mut list = MoveList::new();
        while game.outcome().is_none() && game.plies() < PLY_LIMIT {
            game.moves(&mut list);
            let mut ply = *pick(&list, &mut random);
            // Captures and the king's moves are rarer than they are of interest.
            let king = game.position().king;
            list.retain(|ply| {
                !rules.captures(game.position(), *ply).is_empty() || king.contains(ply.from)
            });
            if !list.is_empty() && below(2, &mut random) == 0 {
                ply = *pick(&list, &mut random);
            }
            let found = explainer.explain(&game, ply);
            if !found.captures.is_empty() || found.is_kings {
                check(&naive, game.position(), ply, &found);
            }
            check_threat(&naive, game.position(), &found);
            for event in found.events() {
                *seen.entry(event).or_default() += 1;
            }
            game.play_legal(ply);
        }
    }
    let seen = |event: &Event| seen.get(event).copied().unwrap_or(0);
    let rare: Vec<String> = Event::ALL
        .iter()
        .filter(|event| seen(event) < ENOUGH)
        .map(|event| format!("{event}: {}", seen(event)))
        .collect();
    assert!(rare.is_empty(), "seen too seldom: {}", rare.join(", "));
}
