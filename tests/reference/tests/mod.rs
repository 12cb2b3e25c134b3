//! The sentences of the rules that are easy to get wrong, one test each.

mod capturing;
mod playing;
mod setup;

use serde_json::Value;

use super::{
    Game, Rules,
    board::{board_from_lists, write_position},
};

/// A game on a board given as lists of squares: attackers, defenders, king.
fn game(rules: &Value, pieces: [&str; 3], side: &str) -> Game {
    let board = board_from_lists(pieces[0], pieces[1], pieces[2]).expect("squares");
    let rules = Rules::from_json(rules).expect("a ruleset");
    Game::new(&rules, Some(&write_position(&board)), Some(side)).expect("a position")
}

/// Plays the moves and gives what the last one captured, separated by spaces.
fn last_captures(rules: &Value, pieces: [&str; 3], side: &str, moves: &str) -> String {
    let mut game = game(rules, pieces, side);
    let mut captured = Vec::new();
    for text in moves.split_whitespace() {
        captured = game.play(text).expect("a legal move");
    }
    captured.join(" ")
}

/// The same, ending in the reason the game is over for, or `ongoing`.
fn reason(rules: &Value, pieces: [&str; 3], side: &str, moves: &str) -> String {
    let mut game = game(rules, pieces, side);
    for text in moves.split_whitespace() {
        game.play(text).expect("a legal move");
    }
    game.outcome()
        .map_or("ongoing".to_owned(), |(_, reason)| reason)
}

fn may(rules: &Value, pieces: [&str; 3], side: &str, text: &str) -> bool {
    game(rules, pieces, side)
        .legal_moves()
        .contains(&text.to_owned())
}
