//! Counting the positions of a game tree, to compare move generators by.
//! Imports rules and history.

use super::history::History;
use super::moves::MoveList;
use super::position::Position;
use super::rules::Rules;
use super::square::Move;

/// How many positions stand after exactly `depth` plies; a finished game has
/// no successors, whatever ended it, and `position` is the first to stand.
#[must_use]
pub fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if rules.stalemate(position).is_some() {
        return 0;
    }
    count(rules, position, depth, &mut History::new(position))
}

/// [`perft`] after each legal move of the position, in the order of the moves.
#[must_use]
pub fn divide(rules: &Rules, position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut list = MoveList::new();
    if depth > 0 {
        rules.moves(position, &mut list);
    }
    let history = History::new(position);
    list.into_iter()
        .map(|ply| {
            let mut history = history.clone();
            (ply, after(rules, position, ply, depth, &mut history))
        })
        .collect()
}

fn count(rules: &Rules, position: &Position, depth: u32, history: &mut History) -> u64 {
    if depth == 1 {
        return rules.count_moves(position);
    }
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    list.iter()
        .map(|&ply| after(rules, position, ply, depth, history))
        .sum()
}

fn after(rules: &Rules, position: &Position, ply: Move, depth: u32, history: &mut History) -> u64 {
    if depth == 1 {
        return 1;
    }
    let played = rules.play(position, ply);
    if rules.ending(&played.position).is_some() {
        return 0;
    }
    let Some(limit) = rules.repetition_limit() else {
        return count(rules, &played.position, depth - 1, history);
    };
    let stood = history.push(&played.position);
    let successors = if stood >= limit {
        0
    } else {
        count(rules, &played.position, depth - 1, history)
    };
    history.pop();
    successors
}
