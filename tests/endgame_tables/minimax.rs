//! Every value of small layers against a minimax that plays by the naive rules
//! and knows nothing of layers, rows or words: positions are texts, and values
//! are filled in ply by ply until nothing changes.

use std::collections::BTreeMap;

use brandub::game::{Bitboard, Position, RulesetTable, SQUARES, Side, Square, Symmetry};
use brandub::solver::tables::{Probe, Value, open_tables};
use serde_json::{Value as Json, json};

use super::build;
use super::reference::{Game, Rules};

/// Where a move leads: to the end of the game, won by somebody or not, or to
/// another position.
enum Next {
    Over(Option<Side>),
    Position(usize),
}

/// Positions by number, and where each one's moves lead; `None` where the side
/// to move has none, with the result.
struct Graph {
    positions: Vec<Position>,
    numbers: BTreeMap<(String, Side), usize>,
    next: Vec<Vec<Next>>,
    over: BTreeMap<usize, Option<Side>>,
}

fn winner(name: &str) -> Option<Side> {
    name.parse().ok()
}

impl Graph {
    /// The position of least text among the images, which stands for all.
    fn number(&mut self, otn: &str, side: Side) -> usize {
        let position = Position::from_otn(otn, side).expect("a position");
        let images = Symmetry::all().map(|symmetry| position.image(symmetry));
        let least = images.min_by_key(Position::to_otn).expect("eight images");
        let positions = &mut self.positions;
        *self
            .numbers
            .entry((least.to_otn(), side))
            .or_insert_with(|| {
                positions.push(least);
                positions.len() - 1
            })
    }

    /// Plays on from these positions until no new one comes up.
    fn grow(rules: &Rules, from: Vec<Position>) -> Graph {
        let mut graph = Graph {
            positions: Vec::new(),
            numbers: BTreeMap::new(),
            next: Vec::new(),
            over: BTreeMap::new(),
        };
        for position in from {
            graph.number(&position.to_otn(), position.side);
        }
        while graph.next.len() < graph.positions.len() {
            let here = graph.next.len();
            let position = graph.positions[here];
            let otn = position.to_otn();
            let game = Game::new(rules, Some(&otn), Some(position.side.name())).expect("legal");
            if let Some((name, _)) = game.outcome() {
                graph.over.insert(here, winner(&name));
            }
            let mut next = Vec::new();
            for ply in game.legal_moves() {
                let mut after = game.clone();
                after.play(&ply).expect("a listed move");
                next.push(if let Some((name, _)) = after.outcome() {
                    Next::Over(winner(&name))
                } else {
                    let side = after.side().parse().expect("a side");
                    Next::Position(graph.number(&after.position(), side))
                });
            }
            graph.next.push(next);
        }
        graph
    }

    /// The value of every position, by filling in wins and losses in 0, 1, 2 …
    /// plies until a ply brings none.
    fn values(&self) -> Vec<Value> {
        let mut values = vec![Value::Draw; self.positions.len()];
        for (&here, winner) in &self.over {
            if winner.is_some() {
                values[here] = Value::Loss { plies: 0 };
            }
        }
        for plies in 1.. {
            let mut new = Vec::new();
            for (here, next) in self.next.iter().enumerate() {
                if values[here] != Value::Draw || self.over.contains_key(&here) {
                    continue;
                }
                let side = self.positions[here].side;
                let wins = |next: &Next| match next {
                    Next::Over(winner) => *winner == Some(side),
                    Next::Position(there) => matches!(values[*there], Value::Loss { .. }),
                };
                let loses = |next: &Next| match next {
                    Next::Over(winner) => *winner == Some(side.other()),
                    Next::Position(there) => matches!(values[*there], Value::Win { .. }),
                };
                if next.iter().any(wins) {
                    new.push((here, Value::Win { plies }));
                } else if next.iter().all(loses) {
                    new.push((here, Value::Loss { plies }));
                }
            }
            if new.is_empty() {
                break;
            }
            for (here, value) in new {
                values[here] = value;
            }
        }
        values
    }
}

/// Adds every way to place so many more defenders, then attackers, on squares
/// from this one on.
fn place(from: usize, left: [u8; 2], position: Position, positions: &mut Vec<Position>) {
    let [defenders, attackers] = left;
    if left == [0, 0] {
        positions.push(position);
        return;
    }
    for number in from..SQUARES {
        let square = Bitboard::of(Square::new(number));
        if position.occupied().meets(square) {
            continue;
        }
        let mut next = position;
        if defenders > 0 {
            next.defenders |= square;
            let from = if defenders > 1 { number + 1 } else { 0 };
            place(from, [defenders - 1, attackers], next, positions);
        } else {
            next.attackers |= square;
            place(number + 1, [0, attackers - 1], next, positions);
        }
    }
}

/// Every position with so many soldiers, the king on one of his squares up to
/// symmetry, either side to move.
pub fn placements(rules: &brandub::game::Rules, defenders: u8, attackers: u8) -> Vec<Position> {
    let mut positions = Vec::new();
    for king in Square::all() {
        if king.file() > 3 || king.rank() > king.file() {
            continue;
        }
        for side in Side::BOTH {
            let bare = Position {
                attackers: Bitboard::EMPTY,
                defenders: Bitboard::EMPTY,
                king: Bitboard::of(king),
                side,
            };
            place(0, [defenders, attackers], bare, &mut positions);
        }
    }
    positions.retain(|position| rules.admit(position).is_ok());
    positions
}

fn compare(rules: &Json, defenders: u8, attackers: u8) {
    let table: RulesetTable = serde_json::from_value(rules.clone()).expect("a table of axes");
    let ours = table.resolve().expect("consistent axes");
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), &ours, defenders, attackers, 1).expect("tables");
    let tables = open_tables(dir.path(), &ours).expect("tables");
    let naive = Rules::from_json(rules).expect("a ruleset");
    let all = placements(&brandub::game::Rules::new(ours), defenders, attackers);
    let graph = Graph::grow(&naive, all);
    let values = graph.values();
    let mut over = 0;
    for (position, value) in graph.positions.iter().zip(values) {
        let found = tables.probe(position);
        if found == Some(Value::Loss { plies: 0 }) && value != (Value::Loss { plies: 0 }) {
            // The naive game does not ask whether its first position is
            // encircled: the table does.
            assert!(ours.encirclement && position.side == Side::Defenders);
            over += 1;
            continue;
        }
        assert_eq!(found, Some(value), "{rules} {}\n{position}", position.side);
    }
    assert!(over * 20 < graph.positions.len(), "{over}");
}

#[test]
fn the_king_against_two_is_what_the_naive_rules_say() {
    compare(&json!({"base": "wtf"}), 0, 2);
    compare(&json!({"base": "branan-step"}), 0, 1);
}

#[test]
fn king_and_soldier_against_one_are_what_the_naive_rules_say() {
    compare(
        &json!({"king_armed": false, "king_capture": "four", "no_moves": "loses"}),
        1,
        1,
    );
}

#[test]
fn the_throne_is_what_the_naive_rules_say() {
    for rules in [
        json!({"king_return": false, "throne_pass": "nobody"}),
        json!({"base": "throneless"}),
        json!({"base": "irish-1"}),
        json!({"king_speed": "step", "encirclement": true, "throne_hostile": "soldiers"}),
    ] {
        compare(&rules, 0, 1);
        compare(&rules, 1, 0);
    }
}
