//! From what somebody wrote to the position that is asked about.

use brandub::game::{Game, Move, Position, Rules};

/// The position after these moves from a start; one in which the game goes on.
pub fn after(rules: &Rules, start: Position, moves: &str) -> Result<Position, String> {
    rules
        .admit(&start)
        .map_err(|problem| format!("position {}: {problem}", start.to_otn()))?;
    let mut game = Game::from_position(rules, start);
    for text in moves.split([' ', ',']).filter(|text| !text.is_empty()) {
        let wrong = |problem: String| format!("after `{moves}`: {problem}");
        let ply: Move = text.parse().map_err(|error| wrong(format!("{error}")))?;
        game.play(ply).map_err(|error| wrong(error.to_string()))?;
    }
    let over = game.outcome().or_else(|| rules.ending(game.position()));
    match over {
        None => Ok(*game.position()),
        Some(outcome) => Err(format!("the game is over there: {outcome}")),
    }
}
