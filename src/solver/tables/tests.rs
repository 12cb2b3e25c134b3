//! Small layers against value iteration over lists of moves, which knows
//! nothing of rows, words or quiet moves.

use std::sync::Arc;

use super::build::build;
use super::dense::Dense;
use super::ground::Ground;
use super::index::{Index, Layer, Rows};
use super::value::Value;
use crate::game::{MoveList, Position, Rules, Ruleset, RulesetTable, Side};

fn rules(table: &str) -> Rules {
    let table: RulesetTable = toml::from_str(table).unwrap();
    Rules::new(table.resolve().unwrap())
}

/// All layers up to this one, in the order in which they are built.
fn layers(rules: &Rules, most: Layer) -> Vec<Dense> {
    let ground = Arc::new(Ground::of(rules));
    let mut done: Vec<Dense> = Vec::new();
    for defenders in 0..=most.defenders {
        for attackers in 0..=most.attackers {
            let layer = Layer { defenders, attackers };
            let rows = Arc::new(Rows::new(&ground, attackers));
            let index = Index::new(layer, &ground, &rows);
            let dense = build(rules, index, &done).unwrap();
            done.push(dense);
        }
    }
    done
}

/// The value after a legal move, for the side then to move.
fn after(rules: &Rules, layers: &[Dense], position: &Position) -> Value {
    if let Some(outcome) = rules.ending(position) {
        return match outcome.winner {
            None => Value::Draw,
            Some(winner) if winner == position.side => Value::Win { plies: 0 },
            Some(_) => Value::Loss { plies: 0 },
        };
    }
    let layer = Layer::of(position);
    let dense = layers.iter().find(|dense| dense.index.layer == layer).unwrap();
    dense.value(position)
}

/// What the moves of a position say of it.
fn look_ahead(rules: &Rules, layers: &[Dense], position: &Position) -> Value {
    if rules.ending(position).is_some() {
        return after(rules, layers, position);
    }
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    list.iter()
        .map(|&ply| after(rules, layers, &rules.play(position, ply).position).before())
        .max_by(|one, other| one.compare(*other))
        .unwrap()
}

#[test]
fn speed() {
    let table = "king_return = false\nno_moves = \"loses\"";
    let rules = rules(table);
    let a: u8 = std::env::var("A").unwrap_or("3".into()).parse().unwrap();
    let d: u8 = std::env::var("D").unwrap_or("1".into()).parse().unwrap();
    let ground = Arc::new(Ground::of(&rules));
    let mut done: Vec<Dense> = Vec::new();
    for defenders in 0..=d {
        for attackers in 0..=a {
            let layer = Layer { defenders, attackers };
            let start = std::time::Instant::now();
            let rows = Arc::new(Rows::new(&ground, attackers));
            let index = Index::new(layer, &ground, &rows);
            let dense = build(&rules, index, &done).unwrap();
            let seconds = start.elapsed().as_secs_f64();
            let mut histogram = [[0_u64; 256]; 2];
            for side in 0..2 { for &code in &dense.codes[side] { histogram[side][code as usize] += 1; } }
            println!("{layer} {} entries {seconds:.2} s, {:.2} M/s", 2 * dense.index.len(), 2e-6 * dense.index.len() as f64 / seconds);
            for side in 0..2 {
                let wins: u64 = (2..256).step_by(2).map(|c| histogram[side][c]).sum();
                let losses: u64 = (1..256).step_by(2).map(|c| histogram[side][c]).sum();
                let most = (0..256).rev().find(|&c| histogram[side][c] > 0).unwrap();
                let n = dense.index.len() as f64 / 100.0;
                println!("  {} win {:.3} loss {:.3} draw {:.3} longest {}", ["A","D"][side], wins as f64 / n, losses as f64 / n, histogram[side][0] as f64 / n, most as i32 - 1);
            }
            done.push(dense);
        }
    }
}

#[test]
fn every_value_agrees_with_its_moves() {
    for table in [
        "",
        "king_return = false\nno_moves = \"loses\"",
        "king_armed = false\nking_capture = \"four\"",
        "base = \"wtf\"",
        "base = \"branan-step\"",
        "base = \"masters-armed\"",
    ] {
        let rules = rules(table);
        let most = Layer { defenders: 1, attackers: 2 };
        let layers = layers(&rules, most);
        for dense in &layers {
            for number in 0..dense.index.len() {
                for side in Side::BOTH {
                    let position = dense.index.position(number, side);
                    let value = dense.value(&position);
                    assert_eq!(value, look_ahead(&rules, &layers, &position), "{table} {side} to move\n{position}");
                }
            }
        }
    }
}
